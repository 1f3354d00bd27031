"""`tilery db check` finds every kind of damage, names the table, and goes on."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.test_play import tilery
from tests.server.store.damage import NAMES, execute, leaves_of, spoil_pages, write_games
from tilery import Refused
from tilery.server.integrity import Report, check
from tilery.server.store import migrations
from tilery.server.store.backup import backup
from tilery.server.store.inspection import walk
from tilery.server.store.migrations import MIGRATIONS, Migration

TABLE = "WHERE number = 2"
EVENT = "WHERE number = 2 AND seq = 6"  # a move
OLD = "UPDATE tables SET digest = NULL WHERE number = 2"


def changed(old: str, new: str, where: str = EVENT) -> str:
    return f"UPDATE events SET text = replace(text, '{old}', '{new}') {where}"


# A statement, and a part of what is said about the table.
ANYWHERE = {
    "no such type of event": (changed('"played"', '"x"'), "digest"),
    "a text that still is an event": (changed('"hello"', '"Hello"', "WHERE number = 2"), "digest"),
    "another id": (changed('"id":"c', '"id":"d'), "digest"),
    "another time": (changed('"at":', '"at":1'), "digest"),
    "a missing event": (f"DELETE FROM events {EVENT}", "event 6 of 18 is missing"),
    "the first event missing": ("DELETE FROM events WHERE number = 2 AND seq = 1", "event 1 of 18 is missing"),
    "the last event missing": ("DELETE FROM events WHERE number = 2 AND seq = 18", "event 18 of 18 is missing"),
    "all events missing": (f"DELETE FROM events {TABLE}", "no events"),
    "an event too many": ("INSERT INTO events SELECT 2, 19, text FROM events WHERE number = 2 AND seq = 18", "18"),
    "another number": (f"UPDATE events SET seq = 77 {EVENT}", "event 6 of 18 is missing"),
    "another last number": (f"UPDATE tables SET seq = 17 {TABLE}", "18 events instead of 17"),
    "another digest": (f"UPDATE tables SET digest = 'x' {TABLE}", "digest"),
    "another name": (f"UPDATE tables SET name = 'x\ny' {TABLE}", "impossible"),
    "a negative lease": (f"UPDATE tables SET lease = -1 {TABLE}", "impossible"),
    "a public that is neither": (f"UPDATE tables SET public = 7 {TABLE}", "impossible"),
    "another status": (f"UPDATE tables SET status = 'over' {TABLE}", "`status`"),
    "not public": (f"UPDATE tables SET public = 0 {TABLE}", "`public`"),
    "another wake": (f"UPDATE tables SET wake = 3 {TABLE}", "`wake`"),
    "no wake": (f"UPDATE tables SET wake = NULL {TABLE}", "`wake`"),
    "another card": (f"UPDATE tables SET card = 'x' {TABLE}", "`card`"),
}
ONLY_IN_SQLITE = {
    "a blob for a text": (f"UPDATE events SET text = x'ff00' {EVENT}", "event 6 is not text"),
    "not UTF-8": (f"UPDATE events SET text = CAST(x'ff00' AS TEXT) {EVENT}", "event 6 is not text"),
    "a text for a secret": (f"UPDATE tables SET secret = 'x' {TABLE}", "`secret`"),
    "another secret": (f"UPDATE tables SET secret = randomblob(32) {TABLE}", "the secret does not match"),
    "a blob for a status": (f"UPDATE tables SET status = x'00' {TABLE}", "`status`"),
    "a blob for a card": (f"UPDATE tables SET card = x'00' {TABLE}", "`card`"),
    "a blob for a digest": (f"UPDATE tables SET digest = x'00' {TABLE}", "`digest`"),
    "a text for a wake": (f"UPDATE tables SET wake = 'soon' {TABLE}", "`wake`"),
    "a text for a last number": (f"UPDATE tables SET seq = 'many' {TABLE}", "`seq`"),
}
# Without a digest, as in a table of an earlier version.
WITHOUT_DIGEST = {
    "another seat": (changed('"seat":1', '"seat":0'), "`seat`"),
    "another sender": (changed('"by":"bbbb', '"by":"cccc'), "refused"),
    "an id used twice": (changed('"id":"c7"', '"id":"c5"', "WHERE number = 2 AND seq = 8"), "its id is the one"),
    "an id that is none": (changed('"id":"c', '"id":" '), "refused"),
    "an earlier time": (changed('"at":', '"at":-99999999'), "earlier"),
    "another move": (changed('"move":"', '"move":"X'), "event 6"),
    "no JSON": (changed("{", "("), "event 6 cannot be read"),
    "a key that is none": (changed('"key":"b', '"key":"x', "WHERE number = 2"), "key"),
    "no such game": (changed('"azul"', '"x"', "WHERE number = 2 AND seq = 1"), "event 1"),
}


def problems(report: Report) -> dict[str, str]:
    return {finding.table: finding.problem for finding in report.findings}


@pytest.fixture
def games(address: str) -> str:
    write_games(address, *NAMES)
    return address


@pytest.mark.parametrize("kind", ANYWHERE)
def test_damage_is_found_and_the_check_goes_on(games: str, kind: str) -> None:
    statement, said = ANYWHERE[kind]
    execute(games, statement)
    report = check(games)
    (finding,) = report.findings
    assert finding.table == ("(number 2)" if kind == "another name" else "blue")
    assert said in finding.problem
    assert report.tables == 4
    assert report.wrong_tables == 1


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
@pytest.mark.parametrize("kind", ONLY_IN_SQLITE)
def test_damage_that_only_sqlite_allows_is_found(games: str, kind: str) -> None:
    statement, said = ONLY_IN_SQLITE[kind]
    execute(games, statement)
    report = check(games)
    found = problems(report)
    assert said in found.pop("blue")
    assert not any(found)  # SQLite itself may say something about the file
    assert report.tables == 4


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
@pytest.mark.parametrize("kind", WITHOUT_DIGEST)
def test_what_does_not_follow_is_found_without_a_digest(games: str, kind: str) -> None:
    statement, said = WITHOUT_DIGEST[kind]
    execute(games, OLD)
    assert check(games).findings == []
    assert check(games).without_digest == 1
    execute(games, statement)
    ((table, problem),) = problems(check(games)).items()
    assert table == "blue"
    assert said in problem


def test_a_cut_end_is_found(games: str) -> None:
    """The last two events are gone, and the last number says so, too: only the digest remembers them."""
    execute(games, "DELETE FROM events WHERE number = 2 AND seq > 16", "UPDATE tables SET seq = 16 WHERE number = 2")
    assert list(problems(check(games))) == ["blue"]
    execute(games, OLD)
    assert not check(games).wrong_tables or problems(check(games))["blue"].startswith("its `wake`")


def test_swapped_texts_are_found(games: str) -> None:
    execute(
        games,
        "UPDATE events SET seq = -1 WHERE number = 2 AND seq = 7",
        "UPDATE events SET seq = 7 WHERE number = 2 AND seq = 6",
        "UPDATE events SET seq = 6 WHERE number = 2 AND seq = -1",
    )
    assert list(problems(check(games))) == ["blue"]


def test_events_without_a_table_are_found(games: str) -> None:
    execute(games, "DELETE FROM tables WHERE number = 2")
    report = check(games)
    assert problems(report) == {"(number 2)": "18 events belong to no table"}


@pytest.mark.parametrize("index", ["tables_in_lobby", "tables_to_wake", "tables_owned", "tables_running"])
def test_a_lost_index_is_found(games: str, index: str) -> None:
    execute(games, f"DROP INDEX {index}")
    ((table, problem),) = problems(check(games)).items()
    assert table == ""
    assert f"index {index} is missing" in problem


# --- the file itself

LATER = Migration("moods", ("ALTER TABLE tables ADD COLUMN mood TEXT",))


def test_a_later_version_is_said_and_nothing_else(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, LATER))
        write_games(address, "red")
    report = check(address)
    ((table, problem),) = problems(report).items()
    assert table == ""
    assert "upgrade" in problem
    assert report.tables == 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A SQLite store with twelve games."""
    path = tmp_path / "tables.db"
    write_games(str(path), *(f"table {number}" for number in range(12)))
    execute(str(path))
    return path


def test_rows_on_both_sides_of_a_damaged_page_are_read(file: Path) -> None:
    leaves = leaves_of(file, "events")
    assert len(leaves) > 5
    spoil_pages(file, leaves[3])
    report = check(str(file))
    wrong = {finding.table for finding in report.findings if finding.table}
    assert report.tables == 12
    assert 1 <= len(wrong) <= 3
    said = [finding.problem for finding in report.findings if finding.table]
    assert all("missing" in problem or problem == "it has no events" for problem in said), said


def test_tables_whose_rows_are_lost_are_named_from_the_index(file: Path) -> None:
    (leaf, *_) = leaves_of(file, "tables")
    spoil_pages(file, leaf)
    found = problems(check(str(file)))
    assert found["table 0"] == "its row cannot be read"


@pytest.mark.parametrize("name", ["about", "events", "tables", "owners"])
def test_a_lost_table_of_the_database_is_found(file: Path, name: str) -> None:
    execute(str(file), f"DROP TABLE {name}")
    report = check(str(file))
    assert any(f"table {name} is missing" in finding.problem for finding in report.findings)
    assert report.wrong_tables == (0 if name in ("about", "owners") else 12)


def test_a_lost_version_and_a_trigger_are_found(file: Path) -> None:
    execute(str(file), "DELETE FROM about WHERE name = 'version'")
    assert "the version of the schema is missing" in [finding.problem for finding in check(str(file)).findings]
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TRIGGER forgetful AFTER INSERT ON events BEGIN DELETE FROM events; END")
    assert any("trigger forgetful is not a part" in finding.problem for finding in check(str(file)).findings)


def test_what_is_no_database_is_said(tmp_path: Path) -> None:
    for name, content in (("text", b"no database " * 1000), ("empty", b""), ("short", b"SQLite format 3\0")):
        path = tmp_path / name
        path.write_bytes(content)
        assert check(str(path)).findings[0].table == ""
    with pytest.raises(Refused, match="no file"):
        check(str(tmp_path / "missing"))


@pytest.mark.parametrize("seed", range(25))
def test_random_bytes_never_stop_the_check(file: Path, seed: int) -> None:
    """Whatever is overwritten, the check ends; and if it finds nothing wrong, every event is as it was."""
    before = {name: texts for name, _, texts in walk(str(file))}
    dice = random.Random(seed)
    data = bytearray(file.read_bytes())
    for _ in range(dice.choice([1, 3, 30, 300])):
        at = dice.randrange(100 if seed % 3 else 0, len(data) - 40)
        length = dice.choice([1, 40])
        data[at : at + length] = dice.randbytes(length)
    file.write_bytes(data)
    if not check(str(file)).findings:
        assert {name: texts for name, _, texts in walk(str(file))} == before


def test_the_command(file: Path) -> None:
    execute(str(file), *(changed("hello", word, f"WHERE number = {number}") for number, word in ((3, "a"), (7, "b"))))
    ran = tilery("db", "check", "--database", str(file))
    assert ran.code == 1
    assert "table table 2: its events are not those that were stored" in ran.out
    assert "table table 6: " in ran.out
    assert "12 tables with 216 events replayed, 2 wrong." in ran.out
    ran = tilery("db", "check", "--database", str(file), "--json")
    assert ran.code == 1
    answer = json.loads(ran.out)
    assert (answer["tables"], answer["events"], answer["without_digest"]) == (12, 216, 0)
    assert [problem["table"] for problem in answer["problems"]] == ["table 2", "table 6"]
    backup(str(file), file.with_name("copy.db"))  # a backup is checked in the same way
    assert len(check(str(file.with_name("copy.db"))).findings) == 2
