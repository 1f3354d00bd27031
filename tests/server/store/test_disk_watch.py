"""A full disk, a log that cannot begin again, and files that are deleted or replaced under an open store."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.store.builders import batch, events, new_tables, numbered, run, until
from tilery import Refused
from tilery.server.store import disk_watch
from tilery.server.store.backup import backup
from tilery.server.store.checkpoints import FREE_SPACE_SHARE, MAX_PAGES, RESERVE_BYTES
from tilery.server.store.inspection import walk
from tilery.server.store.interface import DiskFull, Store, StoreDown
from tilery.server.store.sqlite import SqliteStore

MB = 1 << 20
LONG = '{"text":"%s"}' % ("x" * 3_900)  # fills a page
NOTICED_WITHIN = 5.0  # seconds


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


class SmallDisk:
    """Pretends that the disk has only a few megabytes; `largest` is the most that was ever used."""

    def __init__(self, folder: Path, capacity: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.capacity = folder, capacity
        for module in ("checkpoints", "disk_watch"):
            monkeypatch.setattr(f"tilery.server.store.{module}.free_bytes", self.free)

    def free(self, _: Path) -> int:
        return max(0, self.capacity - size_of(self.folder))


@contextlib.contextmanager
def reader(path: Path) -> Iterator[None]:
    """A read transaction of another program, such as a backup that takes long."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM events").fetchone()
    try:
        yield
    finally:
        connection.close()


async def append_pages(store: Store, table: str, lease: int, after: int, count: int, at_once: int = 1) -> int:
    """Append events as long as a page, until the disk is full; returns the number of the last one."""
    for last in range(after, after + count, at_once):
        try:
            await store.append(batch(table, lease, last, *(LONG,) * at_once))
        except DiskFull:
            return last
    return after + count


def test_a_log_that_a_reader_holds_up_ends_before_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "disk"
    disk = SmallDisk(folder, RESERVE_BYTES + 12 * MB, monkeypatch)
    monkeypatch.setattr(disk_watch, "LOOK_INTERVAL_WRITING", 0.0)

    async def work(store: SqliteStore) -> None:
        (lease,) = await new_tables(store, "red")
        with reader(store.path):
            last = await append_pages(store, "red", lease, 1, 20_000, at_once=20)
            assert 500 < last < 10_000
            assert store.health == "full"
            # What is in the log has to fit into the database file, too.
            assert size_of(folder) + (last * 4096 - store.path.stat().st_size) < disk.capacity
            assert len(await events(store, "red")) == last
        await until(lambda: store.health == "ok")
        assert (folder / "tables.db-wal").stat().st_size < 1 * MB
        await store.append(batch("red", lease, last))
        assert len(await events(store, "red")) == last + 1

    run(work, SqliteStore(folder / "tables.db"))


@pytest.mark.parametrize(
    ("capacity", "limit"), [(RESERVE_BYTES + 16 * MB, 16 * MB // FREE_SPACE_SHARE), (10_000 * MB, 4096 * MAX_PAGES)]
)
def test_the_size_of_the_log_follows_the_free_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capacity: int, limit: int
) -> None:
    folder = tmp_path / "disk"
    SmallDisk(folder, capacity, monkeypatch)

    async def work(store: SqliteStore) -> None:
        (lease,) = await new_tables(store, "red")
        largest, last = 0, 1
        for _ in range(25):
            last = await append_pages(store, "red", lease, last, 100)
            largest = max(largest, (folder / "tables.db-wal").stat().st_size)
        assert last == 2501
        assert largest < limit * 1.5, largest

    run(work, SqliteStore(folder / "tables.db"))


def test_the_log_of_an_idle_store_is_emptied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_watch, "IDLE_SECONDS", 0.5)
    monkeypatch.setattr("tilery.server.store.sqlite_writer.LOOK_INTERVAL", 0.1)

    async def work(store: SqliteStore) -> None:
        log = tmp_path / "tables.db-wal"
        (lease,) = await new_tables(store, "red")
        last = await append_pages(store, "red", lease, 1, 20)
        assert log.stat().st_size > 20 * 4096
        await until(lambda: log.stat().st_size == 0)
        await store.append(batch("red", lease, last))

    run(work, SqliteStore(tmp_path / "tables.db"))


FILES = {"database": "tables.db", "log": "tables.db-wal", "index": "tables.db-shm", "lock": "tables.db.lock"}
Change = Callable[[Path], object]


def _delete(name: str) -> Change:
    return lambda folder: (folder / name).unlink()


def _replace(name: str) -> Change:
    def replace(folder: Path) -> None:
        shutil.copyfile(folder / name, folder / "copy")
        (folder / "copy").replace(folder / name)

    return replace


CHANGES: dict[str, Change] = {
    **{f"{what} deleted": _delete(name) for what, name in FILES.items()},
    **{f"{what} replaced": _replace(name) for what, name in FILES.items()},
    "database moved": lambda folder: (folder / "tables.db").rename(folder / "other.db"),
    "folder moved": lambda folder: folder.rename(folder.with_name("elsewhere")),
    "folder deleted": shutil.rmtree,
}


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("margin", [3, pytest.param(1, marks=pytest.mark.long)])
def test_files_that_are_deleted_or_replaced_are_noticed(
    tmp_path: Path, what: str, margin: int, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "store"
    path = folder / "tables.db"
    written = 60

    async def work(store: SqliteStore) -> None:
        (lease,) = await new_tables(store, "red")
        for last in range(1, written):
            await store.append(batch("red", lease, last))
        CHANGES[what](folder)
        began = time.monotonic()
        await until(lambda: store.health == "replaced")  # nobody asks for anything
        assert time.monotonic() - began < NOTICED_WITHIN * margin
        for request in (store.append(batch("red", lease, written)), store.events("red"), store.claim("red")):
            with pytest.raises(StoreDown, match="deleted or replaced"):
                await request

    run(work, SqliteStore(path))
    assert sum("deleted or replaced" in record.message for record in caplog.records) == 1
    where = folder.with_name("elsewhere") if what == "folder moved" else folder
    rescued = list(where.glob("tables.db.rescued-*")) if where.exists() else []
    assert len(rescued) == (not what.startswith("folder"))
    for copy in rescued:
        assert [(name, log) for name, _, log in walk(str(copy))] == [("red", [*numbered(1, written)])]


@pytest.mark.parametrize("what", ["database deleted", "log deleted", "database replaced"])
def test_what_is_acknowledged_while_files_are_deleted_is_rescued(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilery.server.store.checkpoints.MAX_PAGES", 1 << 40)  # a checkpoint would notice it, too
    acknowledged: dict[str, int] = {}

    async def write(store: Store, table: str, lease: int) -> None:
        with contextlib.suppress(StoreDown):
            for last in range(1, 1_000_000):
                await store.append(batch(table, lease, last))
                acknowledged[table] = last + 1

    async def work(store: SqliteStore) -> None:
        tables = [f"table {number}" for number in range(5)]
        leases = await new_tables(store, *tables)
        writing = [asyncio.ensure_future(write(store, *each)) for each in zip(tables, leases, strict=True)]
        await until(lambda: len(acknowledged) == 5 and min(acknowledged.values()) > 50)
        CHANGES[what](tmp_path)
        await asyncio.wait_for(asyncio.gather(*writing), 30)

    run(work, SqliteStore(tmp_path / "tables.db"))
    (copy,) = tmp_path.glob("tables.db.rescued-*")
    for name, _, log in walk(str(copy)):
        assert tuple(log) == numbered(1, len(log))
        assert len(log) >= acknowledged[name]


@pytest.mark.parametrize("way", ["cp", "mv"])
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_backup_that_is_put_in_place_under_an_open_store_stays_whole(
    tmp_path: Path, way: str, is_killed: bool
) -> None:
    path, old = tmp_path / "tables.db", tmp_path / "old.db"

    async def work(store: SqliteStore) -> None:
        leases = await new_tables(store, "red", "blue")
        for last in range(1, 50):
            await store.append(batch("red", leases[0], last))
        await asyncio.to_thread(backup, str(path), old)
        for last in range(50, 400):
            await store.append(batch("red", leases[0], last, LONG))
            await store.append(batch("blue", leases[1], last - 49, LONG))
        put = shutil.copyfile if way == "cp" else shutil.copy2
        if way == "mv":
            put(old, tmp_path / "new.db")
            (tmp_path / "new.db").replace(path)
        else:
            put(old, path)
        await until(lambda: store.health == "replaced")
        if is_killed:  # its files stay as they are
            shutil.copytree(tmp_path, tmp_path / "killed", ignore=shutil.ignore_patterns("*.rescued-*"))

    run(work, SqliteStore(path))
    database = tmp_path / "killed" / path.name if is_killed else path
    assert list(walk(str(database))) == list(walk(str(old)))

    async def check(store: SqliteStore) -> None:
        assert len(await events(store, "red")) == 50
        (lease,) = await new_tables(store, "green")
        await store.append(batch("green", lease, 1))

    run(check, SqliteStore(database))
    assert sqlite3.connect(database).execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("way", ["link", "hard link", "linked folder", "relative", "circle"])
def test_another_name_leads_to_the_same_lock(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    path, other = folder / "tables.db", tmp_path / "other.db"
    # The path alone is enough, except for a hard link.
    monkeypatch.setattr("tilery.server.store.locking.LOCKS_DATABASE", way == "hard link")

    async def work(_: Store) -> None:
        named = other
        if way == "link":
            other.symlink_to(path)
        elif way == "hard link":
            other.hardlink_to(path)
        elif way == "linked folder":
            (tmp_path / "linked").symlink_to(folder)
            named = tmp_path / "linked" / "tables.db"
        elif way == "relative":
            monkeypatch.chdir(tmp_path)
            named = Path("folder/../folder/tables.db")
        else:
            other.symlink_to(other)
        with pytest.raises(Refused, match="cannot be opened" if way == "circle" else "another process is using"):
            await SqliteStore(named).open()
        with pytest.raises(Refused):
            await SqliteStore(named).open()

    run(work, SqliteStore(path))
