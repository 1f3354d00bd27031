"""Power cuts: whatever a disk keeps of what was not synced, no acknowledged event is lost, and every batch is whole."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from tests.server.store.builders import batch, events, new_table, new_tables, numbered, run
from tests.server.store.power_cuts import Cut, Replay, cuts
from tests.server.store.recording_disk import Recorder, Step
from tilery.server.store.checkpoints import RESERVE_BYTES
from tilery.server.store.interface import Store
from tilery.server.store.sqlite import SqliteStore

POINTS = 20_000
TABLES = 6
MB = 1 << 20
READ = """
    SELECT t.name, t.seq, e.seq, e.text FROM tables t LEFT JOIN events e ON e.number = t.number
    ORDER BY t.number, e.seq"""


class Acknowledged(NamedTuple):
    """An event of a table that was acknowledged."""

    table: str
    number: int


@pytest.fixture(autouse=True)
def small_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint every few groups, now of the kind for a disk with little room, now of the usual kind."""
    monkeypatch.setattr("tilery.server.store.checkpoints.MAX_PAGES", 40)
    monkeypatch.setattr("tilery.server.store.checkpoints.MIN_PAGES", 15)
    monkeypatch.setattr("tilery.server.store.disk_watch.LOOK_INTERVAL_WRITING", 0.0)
    room = itertools.cycle([1000 * MB, 1000 * MB, RESERVE_BYTES + MB // 2])
    for module in ("checkpoints", "disk_watch"):
        monkeypatch.setattr(f"tilery.server.store.{module}.free_bytes", lambda _: next(room))


def child_of(table: str, number: int) -> str:
    """The table that is created with an event."""
    return f"{table}-child-{number}"


async def play(store: Store, table: str, lease: int, first: int, last: int, recorder: Recorder) -> None:
    """Append batches of one to three events, some of which create another table."""
    after = first
    while after < last:
        number = after + 1 + after % 3
        children = (new_table(child_of(table, number)),) if number % 5 == 0 else ()
        await store.append(batch(table, lease, after, *numbered(after + 1, number), new_tables=children))
        after = number
        recorder.say(Acknowledged(table, after))


def record(path: Path, rounds: int) -> list[Step]:
    """Everything that a store writes while games are played in it; after half of the time it is opened again."""
    recorder = Recorder()
    last = dict.fromkeys((f"table {number}" for number in range(TABLES)), 1)

    async def session(store: Store) -> None:
        if max(last.values()) == 1:
            leases = await new_tables(store, *last)
            for table in last:
                recorder.say(Acknowledged(table, 1))
        else:
            claims = [await store.claim(table) for table in last]
            leases = [claim.lease or 0 for claim in claims if claim]
        await asyncio.gather(
            *(
                play(store, table, lease, first, first + rounds, recorder)
                for (table, first), lease in zip(last.items(), leases, strict=True)
            )
        )
        for table in last:
            last[table] = len(await events(store, table))

    with recorder.installed():
        for _ in range(2):
            run(session, SqliteStore(path))
    return recorder.steps


def losses(steps: list[Step], count: int, folder: Path) -> Iterator[str]:
    """Cut the power at many moments; what is wrong each time."""
    folder.mkdir()
    replay = Replay(steps)
    acknowledged: Counter[str] = Counter()
    for cut in cuts(steps, count, Random(1)):
        replay.write_files(cut, folder)
        for said in replay.said:
            assert isinstance(said, Acknowledged)
            acknowledged[said.table] = said.number
        replay.said.clear()
        yield problem(folder / "tables.db", acknowledged, cut)


def problem(path: Path, acknowledged: Counter[str], cut: Cut) -> str:
    """What is wrong with a store after a power cut; "" if nothing is."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")  # of this connection alone, which only reads
            (found,) = connection.execute("PRAGMA quick_check").fetchone()
            if found != "ok":
                return f"{cut}: {found}"
            is_empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            tables: dict[str, list[str]] = {}
            for name, last, number, text in () if is_empty else connection.execute(READ):
                log = tables.setdefault(name, [])
                log.append(text)
                if number != len(log) or number > last:
                    return f"{cut}: {name} has event {number} in place {len(log)} of {last}"
    except Exception as error:
        return f"{cut}: {error}"
    return next((f"{cut}: {wrong}" for wrong in _wrong(tables, acknowledged)), "")


def _wrong(tables: dict[str, list[str]], acknowledged: Counter[str]) -> Iterator[str]:
    for table, number in acknowledged.items():
        if len(tables.get(table, ())) < number:
            yield f"{table} had {number} events, now {len(tables.get(table, ()))}"
    for table, log in tables.items():
        if tuple(log) != numbered(1, len(log)):
            yield f"{table} has other events"
        if "child" in table:
            continue
        ends = [1]
        while ends[-1] < len(log):
            ends.append(ends[-1] + 1 + ends[-1] % 3)
        if len(log) != ends[-1]:
            yield f"{table} has a part of a batch"
        expected = {child_of(table, end) for end in ends if end % 5 == 0}
        if expected != {name for name in tables if name.startswith(f"{table}-child")}:
            yield f"{table} was written without the tables that were created with it, or they without it"


def test_no_acknowledged_event_is_lost(tmp_path: Path) -> None:
    steps = record(tmp_path / "tables.db", 20)
    kinds = Counter((step.what, step.file) for step in steps)
    assert all(kinds[what, "log"] for what in ("write", "truncate", "delete", "sync")), kinds
    assert kinds["sync", "database"] > 3  # checkpoints
    assert not [found for found in losses(steps, 400, tmp_path / "cut") if found]


@pytest.mark.long
def test_no_acknowledged_event_is_lost_in_20000_power_cuts(tmp_path: Path) -> None:
    steps = record(tmp_path / "tables.db", 150)
    found = list(losses(steps, POINTS, tmp_path / "cut"))
    lost = [each for each in found if each]
    print(f"{len(found)} power cuts during {len(steps)} writes, syncs and acknowledgements: {len(lost)} losses")
    assert len(found) >= POINTS
    assert len(steps) < POINTS  # each boundary is one of them
    assert not lost


# What must be found: a store, or a disk, that does not do what it says.


@pytest.mark.parametrize("level", ["OFF", "NORMAL"])
def test_commits_that_are_not_synced_are_found(tmp_path: Path, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(path: Path) -> sqlite3.Connection:
        connection = original(path)
        connection.execute(f"PRAGMA synchronous = {level}")
        return connection

    from tilery.server.store import sqlite

    original = sqlite.connect
    monkeypatch.setattr(sqlite, "connect", connect)
    steps = record(tmp_path / "tables.db", 20)
    assert any("events, now" in found for found in losses(steps, 400, tmp_path / "cut"))


def test_a_disk_that_does_not_sync_the_database_is_found(tmp_path: Path) -> None:
    steps = record(tmp_path / "tables.db", 20)
    lying = [step for step in steps if step[:2] != ("sync", "database")]
    assert any(losses(lying, 400, tmp_path / "cut"))


def test_an_acknowledgement_before_the_commit_is_found(tmp_path: Path) -> None:
    steps = record(tmp_path / "tables.db", 20)
    early: list[Step] = []
    waiting: list[Step] = []
    for step in reversed(steps):  # each acknowledgement before the sync that it waited for
        if step.what == "said":
            waiting.append(step)
            continue
        early.append(step)
        if step.what == "sync":
            early += waiting
            waiting.clear()
    assert any("events, now" in found for found in losses(early[::-1], 400, tmp_path / "cut"))


@pytest.mark.skipif(sys.platform == "win32", reason="the images are those of POSIX systems")
def test_a_power_cut_while_the_store_is_created_leaves_one_that_opens(tmp_path: Path) -> None:
    recorder = Recorder()
    with recorder.installed():
        run(lambda store: new_tables(store, "red"), SqliteStore(tmp_path / "tables.db"))
    steps = [step for step in recorder.steps if step.what != "said"]
    assert {"database", "journal", "log", "folder"} == {step.file for step in steps}
    assert not [found for found in losses(steps, 600, tmp_path / "cut") if found]


def test_the_store_itself_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    steps = record(tmp_path / "tables.db", 20)
    replay = Replay(steps)
    (tmp_path / "cut").mkdir()
    for cut in cuts(steps, 20, Random(2)):
        replay.write_files(cut, tmp_path / "cut")

        async def check(store: Store) -> None:
            for said in replay.said:
                assert isinstance(said, Acknowledged)
                log = await events(store, said.table)
                assert len(log) >= said.number
                claim = await store.claim(said.table)
                assert claim
                await store.append(batch(said.table, claim.lease or 0, len(log)))

        run(check, SqliteStore(tmp_path / "cut" / "tables.db"))
