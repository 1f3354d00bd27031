"""Whatever ends a process or the database: what was promised is there."""

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
from tests.server.store.conftest import Make, make_store
from tests.server.store.things import batch, events, founded, numbered, run, until_down
from tilery import Refused
from tilery.server.store.interface import Store, StoreDown


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of `writing_forever`, which does not live on."""
    command = [sys.executable, "-m", "tests.server.store.writing_forever", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def promised(lines: Iterable[str]) -> dict[str, int]:
    """The last number of each table."""
    found: dict[str, int] = {}
    for line in lines:
        table, number = line.split()
        found[table] = int(number)
    return found


def read_lines(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(count)]
    assert all(lines), "the process has ended"
    return lines


async def check(store: Store, last: dict[str, int]) -> None:
    """Everything that was promised, and behind it only whole batches."""
    assert last
    for table, number in last.items():
        found = await events(store, table)
        assert len(found) >= number
        assert tuple(found) == numbered(1, len(found))


def test_a_writer_that_is_killed_loses_nothing_that_it_promised(make: Make, place: str) -> None:
    for trial in range(5):
        with started(place, f"trial{trial}") as process:
            lines = read_lines(process, 20 + 37 * trial)
            process.kill()
            assert process.stdout
            last = promised([*lines, *process.stdout])

        async def work(store: Store, last: dict[str, int] = last) -> None:
            await check(store, last)

        run(work, make())


def test_a_file_has_one_process_and_is_free_when_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with started(str(path), "red") as process:
        read_lines(process, 3)
        with pytest.raises(Refused, match="another process is using"):
            run(lambda store: events(store, "red-0"), make_store(str(path)))
        process.kill()
        process.wait()
    assert run(lambda store: events(store, "red-0"), make_store(str(path)))


async def append_until_down(store: Store, table: str, lease: int, last: dict[str, int]) -> None:
    """Until the store is down; then until it works again."""
    after = 1
    with contextlib.suppress(StoreDown):
        while True:
            await store.append(batch(table, lease, after))
            after += 1
            last[table] = after
    found = None
    while found is None:
        with contextlib.suppress(StoreDown):
            found = await store.events(table)
        await asyncio.sleep(0.02)
    assert len(found) >= last.get(table, 1)
    assert tuple(found) == numbered(1, len(found))


def test_a_database_that_falls_over_keeps_its_promises_and_the_store_comes_back(
    database: str, postgres_server: Server
) -> None:
    news: list[tuple[str, int]] = []
    last: dict[str, int] = {}

    async def work(store: Store) -> None:
        tables = [f"table {number}" for number in range(20)]
        leases = await founded(store, *tables)
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
        assert ("", 0) in news
        claim = await store.claim(tables[0])
        assert claim is not None
        assert claim.lease is not None
        after = len(await events(store, tables[0]))
        await store.append(batch(tables[0], claim.lease, after))

    store = make_store(database)
    store.listen(lambda table, number: news.append((table, number)), lambda text: None)  # noqa: ARG005
    run(work, store)
