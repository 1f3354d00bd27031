"""Crashes of a process or the database: every durable event is still there."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.server.postgres import Server
from tests.server.store.builders import batch, events, new_tables, numbered, run, until_down
from tests.server.store.conftest import Make, make_store
from tilery import Refused
from tilery.server.store.interface import Store, StoreDown


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run `writer_process`; the process is killed at the end."""
    command = [sys.executable, "-m", "tests.server.store.writer_process", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def last_numbers(lines: Iterable[str]) -> dict[str, int]:
    """The last durable event of each table."""
    last: dict[str, int] = {}
    for line in lines:
        table, number = line.split()
        last[table] = int(number)
    return last


def read_lines(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(count)]
    assert all(lines), "the process ended"
    return lines


async def check(store: Store, last: dict[str, int]) -> None:
    """Check that all durable events are there, and no others except for those of the last batch."""
    assert last
    for table, number in last.items():
        texts = await events(store, table)
        assert len(texts) >= number
        assert tuple(texts) == numbered(1, len(texts))


def test_a_killed_writer_loses_no_durable_event(make: Make, address: str) -> None:
    for trial in range(5):
        with started(address, f"trial{trial}") as process:
            lines = read_lines(process, 20 + 37 * trial)
            process.kill()
            assert process.stdout
            last = last_numbers([*lines, *process.stdout])

        async def work(store: Store, last: dict[str, int] = last) -> None:
            await check(store, last)

        run(work, make())


def test_the_lock_of_a_file_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with started(str(path), "red") as process:
        read_lines(process, 3)
        with pytest.raises(Refused, match="another process is using"):
            run(lambda store: events(store, "red-0"), make_store(str(path)))
        process.kill()
        process.wait()
    assert run(lambda store: events(store, "red-0"), make_store(str(path)))


async def append_until_down(store: Store, table: str, lease: int, last: dict[str, int]) -> None:
    """Append until the store is down, then wait until it is back."""
    after = 1
    with contextlib.suppress(StoreDown):
        while True:
            await store.append(batch(table, lease, after))
            after += 1
            last[table] = after
    texts = None
    while texts is None:
        with contextlib.suppress(StoreDown):
            texts = await store.events(table)
        await asyncio.sleep(0.02)
    assert len(texts) >= last.get(table, 1)
    assert tuple(texts) == numbered(1, len(texts))


def test_a_crash_of_the_database_loses_no_event_and_the_store_reconnects(
    database: str, postgres_server: Server
) -> None:
    changes: list[tuple[str, int]] = []
    last: dict[str, int] = {}

    async def work(store: Store) -> None:
        tables = [f"table {number}" for number in range(20)]
        leases = await new_tables(store, *tables)
        writers = [
            asyncio.create_task(append_until_down(store, table, lease, last))
            for table, lease in zip(tables, leases, strict=True)
        ]
        while min(last.get(table, 0) for table in tables) < 5:
            await asyncio.sleep(0.01)
        try:
            await asyncio.to_thread(postgres_server.stop, "immediate")
            await until_down(lambda: store.lobby(1))
        finally:
            await asyncio.to_thread(postgres_server.start)
        await asyncio.gather(*writers)
        await check(store, last)
        assert ("", 0) in changes
        claim = await store.claim(tables[0])
        assert claim is not None
        assert claim.lease is not None
        after = len(await events(store, tables[0]))
        await store.append(batch(tables[0], claim.lease, after))

    store = make_store(database)
    store.listen(lambda table, number: changes.append((table, number)), lambda text: None)  # noqa: ARG005
    run(work, store)
