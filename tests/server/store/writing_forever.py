"""`python -m tests.server.store.writing_forever DATABASE PREFIX`: a process to be killed.

Five writers append to tables of their own and say each number as soon as it is promised. With `--once TABLE` it claims
one table, says so, and writes one batch when it is told to.
"""

from __future__ import annotations

import asyncio
import sys

from tests.server.store.conftest import make_store
from tests.server.store.things import batch, founded, lease_of, numbered
from tilery.server.store.interface import Batch, Store, StoreError


def say(text: str) -> None:
    """One call of the system: a line is whole or not there."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def write(store: Store, table: str, lease: int) -> None:
    after = 1
    while True:
        count = 1 + after % 3
        await store.append(batch(table, lease, after, *numbered(after + 1, after + count)))
        after += count
        say(f"{table} {after}")


async def forever(database: str, prefix: str) -> None:
    store = make_store(database)
    await store.open()
    tables = [f"{prefix}-{number}" for number in range(5)]
    leases = await founded(store, *tables)
    await asyncio.gather(*(write(store, table, lease) for table, lease in zip(tables, leases, strict=True)))


async def once(database: str, table: str) -> None:
    store = make_store(database)
    await store.open()
    lease = await lease_of(store, table)
    say("claimed")
    await asyncio.to_thread(sys.stdin.readline)
    while (result := await attempt(store, batch(table, lease, 1))) == "StoreDown":
        await asyncio.sleep(0.1)  # the connection was lost while we slept
    say(result)
    claim = await store.claim(table)
    say(claim.owner if claim else "nobody")
    await store.close()


async def attempt(store: Store, asked: Batch) -> str:
    try:
        await store.append(asked)
    except StoreError as error:
        return type(error).__name__
    return "written"


if __name__ == "__main__":
    if sys.argv[2] == "--once":
        asyncio.run(once(sys.argv[1], sys.argv[3]))
    else:
        asyncio.run(forever(sys.argv[1], sys.argv[2]))
