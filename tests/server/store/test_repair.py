"""`tilery db repair` sets damaged tables aside, keeps the rest, and loses nothing."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.test_play import tilery
from tests.server.store.builders import new_table, run
from tests.server.store.conftest import make_store
from tests.server.store.damage import NAMES, execute, leaves_of, spoil_pages, write_games
from tests.server.store.test_check import ANYWHERE, ONLY_IN_SQLITE, changed
from tilery import Refused
from tilery.server import repair as repairs
from tilery.server.integrity import check
from tilery.server.repair import Repair, repair
from tilery.server.store.inspection import walk
from tilery.server.store.interface import Store
from tilery.server.store.open import is_postgres

CORRECTED = {"another status", "not public", "another wake", "no wake", "another card"}


@pytest.fixture
def games(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write_games(address, *NAMES)
    return address


def repaired(address: str) -> Repair:
    return repair(address, progress=lambda *_: None)


def logs(address: str) -> dict[str, list[str]]:
    return {name: texts for name, _, texts in walk(address)}


def set_aside(done: Repair) -> dict[str, tuple[str, int]]:
    """The tables in the file: what is wrong with them, and the number of their events."""
    assert done.aside
    assert done.aside.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(done.aside)) as connection:
        rows = connection.execute(
            "SELECT name, problem, (SELECT count(*) FROM events e WHERE e.number = d.number) FROM damaged d"
        ).fetchall()
    return {name: (problem, events) for name, problem, events in rows}


@pytest.mark.parametrize("kind", ANYWHERE)
def test_damaged_tables_are_set_aside_and_the_rest_is_kept(games: str, kind: str) -> None:
    before = logs(games)
    statement, said = ANYWHERE[kind]
    execute(games, statement)
    done = repaired(games)
    assert check(games).findings == []
    if kind in CORRECTED:
        assert (done.tables, done.set_aside, done.aside) == (4, set(), None)
        assert logs(games) == before
    else:
        ((name, (problem, events)),) = set_aside(done).items()
        assert name == ("(number 2)" if kind == "another name" else "blue")
        assert said in problem
        assert events == {"a missing event": 17, "the first event missing": 17, "the last event missing": 17}.get(
            kind, {"all events missing": 0, "an event too many": 19}.get(kind, 18)
        )
        del before["blue"]
        assert logs(games) == before
    again = repaired(games)
    assert not again.is_needed
    run(play_on, make_store(games))


async def play_on(store: Store) -> None:
    """The store can be used, and new tables get new numbers."""
    await store.create(new_table("new"))
    assert await store.events("white") is not None
    assert "white" in dict(await store.lobby(9, "playing"))


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
@pytest.mark.parametrize("kind", ONLY_IN_SQLITE)
def test_what_only_sqlite_allows_is_set_aside_as_it_is(games: str, kind: str) -> None:
    execute(games, ONLY_IN_SQLITE[kind][0])
    done = repaired(games)
    assert list(set_aside(done)) == ["blue"]
    assert check(games).findings == []
    assert sorted(logs(games)) == ["green", "red", "white"]


def test_orphans_are_set_aside(games: str) -> None:
    execute(games, "DELETE FROM tables WHERE number = 2")
    assert set_aside(repaired(games)) == {"(number 2)": ("18 events belong to no table", 18)}
    assert check(games).findings == []


@pytest.mark.parametrize("index", ["tables_in_lobby", "tables_to_wake", "tables_owned", "tables_running"])
def test_a_lost_index_is_created_again(games: str, index: str) -> None:
    before = logs(games)
    execute(games, f"DROP INDEX {index}")
    done = repaired(games)
    assert done.is_needed
    assert check(games).findings == []
    assert logs(games) == before


def test_missing_digests_are_added(games: str) -> None:
    execute(games, "UPDATE tables SET digest = NULL")
    assert check(games).without_digest == 4
    assert repaired(games).without_digest == 4
    report = check(games)
    assert (report.without_digest, report.findings) == (0, [])


def test_a_dry_run_changes_nothing(games: str, tmp_path: Path) -> None:
    execute(games, changed("hello", "bye", "WHERE number = 2"))
    before = sorted(tmp_path.rglob("*.db*"))
    found = repair(games, dry_run=True, progress=lambda *_: None)
    assert found.set_aside == {"blue"}
    assert [finding.table for finding in check(games).findings] == ["blue"]
    assert sorted(tmp_path.rglob("*.db*")) == before


def test_a_store_in_use_is_not_repaired(games: str) -> None:
    execute(games, changed("hello", "bye", "WHERE number = 2"))

    async def work(_: Store) -> None:
        with pytest.raises(Refused, match="is using"):
            await asyncio.to_thread(repaired, games)

    run(work, make_store(games))
    assert len(check(games).findings) == 1


def test_the_old_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    write_games(str(path), *NAMES)
    execute(str(path), changed("hello", "bye", "WHERE number = 2"))
    content = path.read_bytes()
    done = repaired(str(path))
    assert done.original
    assert done.original.read_bytes() == content
    names = {entry.name.partition("-2")[0] for entry in tmp_path.iterdir()}
    assert names == {"tables.db", "tables.db.lock", "tables.db.before-repair", "tables.db.damaged"}
    assert path.stat().st_mode & 0o777 == 0o600


def test_rows_in_the_write_ahead_log_are_kept(tmp_path: Path) -> None:
    """A server that was killed leaves its newest events there."""
    path = tmp_path / "tables.db"
    write_games(str(path), "red")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL").close()
        connection.execute("UPDATE tables SET wake = 5")
        for ending in ("", "-wal"):
            (tmp_path / f"killed.db{ending}").write_bytes((tmp_path / f"tables.db{ending}").read_bytes())
    killed = str(tmp_path / "killed.db")
    assert [finding.problem[:10] for finding in check(killed).findings] == ["its `wake`"]
    assert repaired(killed).tables == 1
    assert check(killed).findings == []


@pytest.mark.parametrize("table", ["events", "tables"])
def test_what_can_be_read_in_a_file_with_damaged_pages_is_kept(tmp_path: Path, table: str) -> None:
    path = tmp_path / "tables.db"
    write_games(str(path), *(f"table {number}" for number in range(12)))
    before = logs(str(path))
    execute(str(path))
    leaves = leaves_of(path, table)
    spoil_pages(path, leaves[len(leaves) // 2])
    done = repaired(str(path))
    assert check(str(path)).findings == []
    after = logs(str(path))
    assert set(after) == set(before) - done.set_aside
    assert all(after[name] == before[name] for name in after)
    assert 1 <= len(done.set_aside) <= (4 if table == "events" else 12)


@pytest.mark.parametrize("seed", range(12))
def test_after_a_repair_nothing_is_wrong_whatever_was_overwritten(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "tables.db"
    write_games(str(path), *(f"table {number}" for number in range(8)))
    before = logs(str(path))
    execute(str(path))
    dice = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice([1, 3, 10])):
        at = dice.randrange(4096, len(data) - 40)
        data[at : at + 40] = dice.randbytes(40)
    path.write_bytes(data)
    try:
        repaired(str(path))
    except Refused:
        assert path.read_bytes() == data
        return
    assert check(str(path)).findings == []
    for name, texts in logs(str(path)).items():
        assert texts == before[name]


def test_a_failed_repair_changes_nothing(games: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execute(games, changed("hello", "bye", "WHERE number = 2"))
    with monkeypatch.context() as broken:
        broken.setattr(repairs, "INSERT_DAMAGED", "INSERT INTO nowhere VALUES (?, ?, ?)")
        with pytest.raises(Refused, match=r"cannot be (repaired|written)"):
            repaired(games)
    assert [finding.table for finding in check(games).findings] == ["blue"]
    assert not [*tmp_path.rglob("*damaged-*"), *tmp_path.rglob("*repaired-*"), *tmp_path.rglob("*before-*")]


def test_what_cannot_be_read_at_all_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.db"
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(Refused, match="restore a backup"):
        repaired(str(path))
    assert path.read_bytes() == b"no database " * 1000
    with pytest.raises(Refused, match="no file"):
        repaired(str(tmp_path / "missing.db"))


def test_the_command(games: str, tmp_path: Path) -> None:
    assert "Nothing to repair in 4 tables." in tilery("db", "repair", "--database", games).out
    execute(games, changed("hello", "bye", "WHERE number = 2"), "UPDATE tables SET wake = 3 WHERE number = 3")
    ran = tilery("db", "repair", "--database", games, "--dry-run")
    assert ran.code == 0
    assert "table blue: would be set aside" in ran.out
    ran = tilery("db", "repair", "--database", games, "--aside", str(tmp_path / "aside.db"))
    assert ran.code == 0
    for line in ("table blue: set aside", "table green: corrected", "3 tables kept, 1 set aside.", "aside.db"):
        assert line in ran.out
    assert ("before-repair" in ran.out) != is_postgres(games)
    assert os.path.exists(tmp_path / "aside.db")
    assert tilery("db", "check", "--database", games).code == 0
