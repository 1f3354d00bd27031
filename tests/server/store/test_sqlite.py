"""SQLite only: one file, one process, one writer thread."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from tests.server.store.builders import TIMEOUT, batch, new_tables, numbered, run, until
from tilery import Refused
from tilery.server.store.interface import DiskFull
from tilery.server.store.sqlite import LOBBY, RUNNING, SqliteStore
from tilery.server.store.write_requests import GATHER_REQUESTS


def connection_of(store: SqliteStore) -> sqlite3.Connection:
    assert store._opened
    return store._opened.writer.connection


def pragma(store: SqliteStore, text: str) -> int:
    return int(connection_of(store).execute(f"PRAGMA {text}").fetchone()[0])


def test_a_full_disk_fails_the_whole_group_and_later_writes_succeed(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        names = [f"table {number}" for number in range(10)]
        leases = await new_tables(store, *names)
        pages = pragma(store, "page_count")
        pragma(store, f"max_page_count = {pages}")
        batches = [batch(name, lease, 1, '{"n":2}', "x" * 5_000) for name, lease in zip(names, leases, strict=True)]
        for _ in range(3):
            results = await asyncio.gather(*map(store.append, batches), return_exceptions=True)
            assert {type(result) for result in results} == {DiskFull}
            assert "full" in str(results[0])
            assert store.health == "full"
            for name in names:
                assert await store.events(name) == ['{"n":1}']
        pragma(store, "max_page_count = 1000000")
        await until(lambda: store.health == "ok")  # without any request
        assert await asyncio.gather(*map(store.append, batches)) == [None] * 10
        for name in names:
            assert await store.events(name) == [*numbered(1, 2), "x" * 5_000]

    run(work, SqliteStore(tmp_path / "tables.db"))


def test_a_busy_store_gathers_requests_until_enough_are_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilery.server.store.sqlite.GATHER_SECONDS", 3600.0)

    async def work(store: SqliteStore) -> None:
        names = [f"table {number}" for number in range(GATHER_REQUESTS)]
        leases = await new_tables(store, *names)
        batches = [batch(name, lease, 1) for name, lease in zip(names, leases, strict=True)]
        waiting = [asyncio.ensure_future(store.append(each)) for each in batches[:-1]]
        await asyncio.sleep(0.1)
        assert not any(each.done() for each in waiting)
        async with asyncio.timeout(TIMEOUT):
            await asyncio.gather(*waiting, store.append(batches[-1]))
        assert all([await store.events(name) == [*numbered(1, 2)] for name in names])

    run(work, SqliteStore(tmp_path / "tables.db"))


def test_the_lobby_reads_no_more_tables_than_it_shows(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        for query, index in ((LOBBY, "tables_in_lobby"), (RUNNING, "tables_running")):
            rows = connection_of(store).execute(f"EXPLAIN QUERY PLAN {query}", (50,)).fetchall()
            plan = "\n".join(row[3] for row in rows)
            assert f"SCAN tables USING INDEX {index}" in plan, plan
            assert "TEMP" not in plan, plan

    run(work, SqliteStore(tmp_path / "tables.db"))


def test_commits_are_durable(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        connection = connection_of(store)
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert pragma(store, "synchronous") == 2
        assert pragma(store, "foreign_keys") == 1

    run(work, SqliteStore(tmp_path / "tables.db"))


def test_files_and_folders_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"

    async def work(store: SqliteStore) -> None:
        await new_tables(store, "red")
        files = list(folder.iterdir())
        assert {file.name for file in files} >= {"tables.db", "tables.db.lock", "tables.db-wal"}
        for file in files:
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    before = os.umask(0o002)
    try:
        run(work, SqliteStore(folder / "tables.db"))
    finally:
        os.umask(before)


def test_a_second_store_at_the_same_file_is_refused(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await new_tables(store, "red")
        with pytest.raises(Refused, match="another process is using"):
            await SqliteStore(store.path).open()

    run(work, SqliteStore(tmp_path / "tables.db"))


def test_files_that_are_not_stores_are_refused_and_unchanged(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("This is not a database, but long enough to be taken for one. " * 99)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE birds (name TEXT)")
    connection.close()
    for path, message in ((text, "not a database"), (other, "another program"), (tmp_path, "cannot be opened")):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(Refused, match=message):
            asyncio.run(SqliteStore(path).open())
        assert not before or path.read_bytes() == before


def test_reads_do_not_wait_for_the_writer(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        (lease,) = await new_tables(store, "red")
        other = sqlite3.connect(store.path, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")  # now the writer has to wait
            append = asyncio.create_task(store.append(batch("red", lease, 1)))
            assert await store.events("red") == ['{"n":1}']
            assert not append.done()
            other.execute("ROLLBACK")
            await append
        finally:
            other.close()

    run(work, SqliteStore(tmp_path / "tables.db"))
