"""Backups: complete, consistent, between both kinds of stores, never replacing a file."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.postgres import Server
from tests.server.store.builders import batch, events, lease_of, new_table, new_tables, numbered, run
from tests.server.store.conftest import Make, make_store
from tilery import Refused
from tilery.cli.db import backup_store
from tilery.server.store import backup as backups
from tilery.server.store import new_file
from tilery.server.store.backup import backup, restore
from tilery.server.store.inspection import walk
from tilery.server.store.interface import Store, StoreError, Summary
from tilery.server.store.new_file import SUFFIX, new_database
from tilery.server.store.open import is_postgres

OPEN = Summary("open", True, 17.25, '{"ä":"🀄"}')


async def fill(store: Store) -> None:
    await store.create(new_table("red", *numbered(1, 3), secret=b"\0red\xff"))
    await store.create(new_table("blue", "ä 🀄 \\ \t\n", summary=OPEN, secret=b"blue"))
    await store.append(batch("red", await lease_of(store, "red"), 3, *numbered(4, 3000)))


async def check(store: Store) -> None:
    assert await store.events("red") == list(numbered(1, 3000))
    assert await store.events("blue") == ["ä 🀄 \\ \t\n"]
    assert await store.secret_of("red") == b"\0red\xff"
    assert list(await store.lobby(9)) == [("blue", OPEN.card)]
    assert list(await store.due(17.25)) == ["blue"]
    await store.append(batch("red", await lease_of(store, "red"), 3000))
    await store.create(new_table("green", summary=OPEN))  # gets a new number
    assert [name for name, _ in await store.lobby(9)] == ["green", "blue"]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_fills_a_store_of_either_kind(
    make: Make, address: str, kind: str, tmp_path: Path, postgres_server: Server
) -> None:
    run(fill, make())
    file, progress = tmp_path / "backups.db", list[tuple[int, int]]()
    backup(address, file, lambda done, total: progress.append((done, total)))
    assert progress
    assert progress[-1][0] == progress[-1][1] > 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["backups.db"]
    if is_postgres(address):
        postgres_server.empty()
    target = str(tmp_path / "other" / "new.db") if kind == "sqlite" else postgres_server.url
    progress.clear()
    if kind == "postgres":
        postgres_server.empty()
    restore(file, target, lambda done, total: progress.append((done, total)))
    assert progress[0] == (0, 3003)
    assert progress[-1] == (3003, 3003)
    run(check, make_store(target))
    with pytest.raises(Refused, match="not empty"):
        restore(file, target)
    run(check_again, make_store(target))


async def check_again(store: Store) -> None:
    assert await store.events("red") == list(numbered(1, 3001))


def test_a_backup_never_replaces_a_file(make: Make, address: str, tmp_path: Path) -> None:
    run(fill, make())
    file = tmp_path / "precious"
    file.write_text("precious")
    with pytest.raises(Refused, match="already exists"):
        backup(address, file)
    assert file.read_text() == "precious"
    assert not list(tmp_path.glob(f".*{SUFFIX}"))


def test_a_backup_during_writes_is_a_consistent_snapshot(
    make: Make, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each batch of `pair` has one event and one new table: a backup contains both, or neither."""
    monkeypatch.setattr(backups, "PAGES_PER_STEP", 5)  # many small steps, with writes between them

    async def write(store: Store, lease: int, stop: asyncio.Event) -> int:
        after = 1
        while not stop.is_set() or after < 20:
            child = new_table(f"child {after + 1}", "x" * 20_000)
            await store.append(batch("pair", lease, after, new_tables=(child,)))
            after += 1
        return after

    async def work(store: Store) -> None:
        (lease,) = await new_tables(store, "pair")
        stop = asyncio.Event()
        writing = asyncio.create_task(write(store, lease, stop))
        for number in range(5):
            await asyncio.sleep(0.05)
            await asyncio.to_thread(backup, address, tmp_path / f"backup {number}.db")
        stop.set()
        last = await writing
        assert len(await events(store, "pair")) == last

    run(work, make())
    lengths = []
    for number in range(5):
        tables = {name: texts for name, _, texts in walk(str(tmp_path / f"backup {number}.db"))}
        last = len(tables.pop("pair"))
        lengths.append(last)
        assert list(tables) == [f"child {child}" for child in range(2, last + 1)]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


def test_walk_yields_every_table(make: Make, address: str) -> None:
    run(fill, make())
    assert list(walk(address)) == [
        ("red", b"\0red\xff", list(numbered(1, 3000))),
        ("blue", b"blue", ["ä 🀄 \\ \t\n"]),
    ]


def test_walk_finds_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    run(fill, make_store(str(path)))
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM events WHERE seq = 17")
    connection.close()
    with pytest.raises(StoreError, match="red is damaged"):
        list(walk(str(path)))


def test_files_that_are_not_backups_are_refused(address: str, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no backup " * 1000)
    empty = tmp_path / "empty"
    empty.touch()
    for file in (text, empty, tmp_path / "missing"):
        with pytest.raises(Refused):
            restore(file, address)
    with pytest.raises(Refused, match=r"there is no (file|store)"):
        backup(address, tmp_path / "backups.db")
    assert not list(tmp_path.glob(f".*{SUFFIX}"))
    assert not (tmp_path / "backups.db").exists()


def test_a_store_in_use_cannot_be_restored_into(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def work(store: Store) -> None:
        await new_tables(store, "red")
        backup(str(path), tmp_path / "backups.db")
        with pytest.raises(Refused, match="another process is using"):
            restore(tmp_path / "backups.db", str(path))

    run(work, make_store(str(path)))


# --- killed


KILL = """
import os, signal, sys
from pathlib import Path
from tilery.server.store import backup, new_file

address, file, moment, kind, named = sys.argv[1:]
if named == "named":
    new_file._unnamed_file = lambda folder: None
backup.PAGES_PER_STEP = 5
backup.CHUNK_ROWS = 300

def die(*_, **__):
    os.kill(os.getpid(), getattr(signal, kind))

def progress(done, total, calls=[]):
    calls.append(done)
    if moment == "begin" or (moment == "middle" and len(calls) == 3) or (moment == "end" and done == total):
        die()

if moment == "sync":
    os.fsync = die
elif moment == "name":
    os.link = die
elif moment == "copy":
    new_file._copy = die
backup.backup(address, Path(file), progress)
"""


def backup_killed(address: str, file: Path, moment: str, kind: str = "SIGKILL", named: str = "") -> None:
    command = [sys.executable, "-c", KILL, address, str(file), moment, kind, named]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == -getattr(signal, kind), ran.stderr


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are a feature of Linux")
@pytest.mark.parametrize("moment", ["begin", "middle", "end", "copy", "sync", "name"])
def test_a_killed_backup_leaves_nothing_behind(make: Make, address: str, tmp_path: Path, moment: str) -> None:
    run(fill, make())
    folder = tmp_path / "backups"
    folder.mkdir()
    backup_killed(address, folder / "monday.db", moment)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("moment", ["begin", "end", "name"])
def test_where_files_need_names_the_next_backup_removes_what_is_left(
    make: Make, address: str, tmp_path: Path, moment: str
) -> None:
    run(fill, make())
    folder = tmp_path / "backups"
    folder.mkdir()
    with new_database(folder / "sunday.db"):  # another backup is being written, and is not harmed
        backup_killed(address, folder / "monday.db", moment, named="named")
        (left,) = folder.iterdir()
        assert left.name.endswith(SUFFIX)
        backup(address, folder / "tuesday.db")
        assert [path.name for path in folder.iterdir()] == ["tuesday.db"]
    assert sorted(path.name for path in folder.iterdir()) == ["sunday.db", "tuesday.db"]
    run(check, make_store(str(folder / "tuesday.db")))


def test_a_backup_with_a_temporary_name_is_not_removed_by_another(
    make: Make, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_file, "_unnamed_file", lambda _: None)
    run(fill, make())
    with new_database(tmp_path / "sunday.db") as connection:
        connection.execute("CREATE TABLE kept (x)")
        backup(address, tmp_path / "monday.db")
        assert len(list(tmp_path.glob(f".*{SUFFIX}"))) == 1
    assert not list(tmp_path.glob(f".*{SUFFIX}"))
    with closing(sqlite3.connect(tmp_path / "sunday.db")) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    run(check, make_store(str(tmp_path / "monday.db")))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_backup_that_is_asked_to_stop_removes_its_file(
    tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where files need names."""
    monkeypatch.setattr(new_file, "_unnamed_file", lambda _: None)
    run(fill, make_store(str(tmp_path / "tables.db")))
    before = sorted(tmp_path.iterdir())

    def stop(*_: object) -> None:
        signal.raise_signal(number)

    monkeypatch.setattr(backups, "_copy_pages", stop)
    with pytest.raises((SystemExit, KeyboardInterrupt)):
        backup_store(str(tmp_path / "tables.db"), tmp_path / "monday.db")
    assert sorted(tmp_path.iterdir()) == before
