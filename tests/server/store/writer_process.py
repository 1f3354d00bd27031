"""`python -m tests.server.store.writer_process DATABASE PREFIX`: a process for tests to kill.

Five writers append to five tables and print the number of each event as soon as it is durable. With `--once TABLE` the
process claims a table, prints "claimed", and writes one batch after a line on standard input.
"""

from __future__ import annotations

import asyncio
import sys

from tests.server.store.builders import batch, lease_of, new_tables, numbered
from tests.server.store.conftest import make_store
from tilery.server.store.interface import Batch, Store, StoreError


def report(text: str) -> None:
    """Print a line in one system call, so that it is complete or missing."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def write(store: Store, table: str, lease: int) -> None:
    after = 1
    while True:
        count = 1 + after % 3
        await store.append(batch(table, lease, after, *numbered(after + 1, after + count)))
        after += count
        report(f"{table} {after}")


async def forever(database: str, prefix: str) -> None:
    store = make_store(database)
    await store.open()
    tables = [f"{prefix}-{number}" for number in range(5)]
    leases = await new_tables(store, *tables)
    await asyncio.gather(*(write(store, table, lease) for table, lease in zip(tables, leases, strict=True)))


async def once(database: str, table: str) -> None:
    store = make_store(database)
    await store.open()
    lease = await lease_of(store, table)
    report("claimed")
    await asyncio.to_thread(sys.stdin.readline)
    while (result := await attempt(store, batch(table, lease, 1))) == "StoreDown":
        await asyncio.sleep(0.1)  # the connection was lost while this process was stopped
    report(result)
    claim = await store.claim(table)
    report(claim.owner if claim else "nobody")
    await store.close()


async def attempt(store: Store, request: Batch) -> str:
    try:
        await store.append(request)
    except StoreError as error:
        return type(error).__name__
    return "written"


if __name__ == "__main__":
    if sys.argv[2] == "--once":
        asyncio.run(once(sys.argv[1], sys.argv[3]))
    else:
        asyncio.run(forever(sys.argv[1], sys.argv[2]))
