"""Stores, backups and records written by 0.1.0 are read by this version. 0.1.0/README.md says how they were written."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.cli.test_play import tilery
from tests.compatibility.test_notation import in_current_notation
from tests.notation import texts
from tests.server.store.builders import run
from tests.server.store.conftest import make_store
from tilery import Record, SeenRecord, game, read_record, read_seen_record
from tilery.core.kernel.actors import SPECTATOR
from tilery.server.hosting.live_tables import summary_of
from tilery.server.integrity import find_problem
from tilery.server.store import migrations
from tilery.server.store.backup import restore
from tilery.server.store.digests import NO_EVENTS, extend_digest
from tilery.server.store.inspection import walk
from tilery.server.store.interface import Batch, Store
from tilery.server.store.migrations import latest_version
from tilery.table import wire
from tilery.table.commands import Command, Play, Sit, Start
from tilery.table.events import Created, Event, read_event, write_event
from tilery.table.fairness import Dealer, check_fairness
from tilery.table.handler import CommandContext, handle
from tilery.table.state import Table, fold
from tilery.table.views import TableViews

FOLDER = Path(__file__).parent / "0.1.0"
RECORDS = sorted((FOLDER / "records").glob("*.tilery"), key=lambda path: path.name)
STATUS = {
    "lobby": "open",
    "schokoly-swap": "playing",
    "azul-3": "playing",
    "chocolatier": "playing",
    "schokoly-bot": "playing",
    "clock": "playing",
    "finished": "over",
    "rematch": "open",
    "takeback": "playing",
    "closed": "closed",
}
IN_BACKUP = ["lobby", "schokoly-swap"]
NEWCOMER = "c" * 64  # the hash of a token


@pytest.fixture
def old_store(tmp_path: Path) -> str:
    """The address of a copy of the store."""
    return str(shutil.copy(FOLDER / "store.db", tmp_path / "store.db"))


async def read_table(store: Store, name: str) -> Table:
    log = await store.events(name)
    assert log is not None
    return fold(name, log, game)


async def read_statuses(store: Store) -> dict[str, str]:
    return {name: (await read_table(store, name)).status for name in STATUS}


@dataclass
class OwnedTable:
    """A table of which this process is the owner; every event is appended to the store."""

    store: Store
    table: Table
    lease: int
    dealer: Dealer
    ids: count[int]

    async def submit(self, kind: type[Command], key: str, **fields: Any) -> None:
        seat = self.table.actor
        bot = seat if seat is not None and self.table.seats[seat].kind == "bot" else None
        command: Any = kind(id=f"new{next(self.ids)}", step=self.table.step, **fields)
        now = self.table.turn_began + 1.0
        handled = handle(
            CommandContext(
                self.table, command, "" if bot is not None else key, bot, now, self.dealer, lambda: ("", b""), print
            )
        )
        await self.append(handled.events)

    async def append(self, events: tuple[Event, ...]) -> None:
        after = self.table.number
        for event in events:
            self.table.apply(event)
        texts = tuple(write_event(event) for event in events)
        digest = extend_digest(NO_EVENTS, [*(await self.store.events(self.table.name) or ()), *texts])
        await self.store.append(Batch(self.table.name, self.lease, after, texts, summary_of(self.table), digest))

    async def play_to_the_end(self) -> None:
        table = self.table
        while table.status == "playing":
            assert table.actor is not None
            moves = texts(table.position)
            await self.submit(Play, table.seats[table.actor].key, move=moves[5 * table.plies % len(moves)])


async def own(store: Store, name: str) -> OwnedTable:
    claim = await store.claim(name)
    assert claim is not None
    assert claim.lease is not None
    return OwnedTable(store, await read_table(store, name), claim.lease, Dealer(await store.secret_of(name)), count(1))


async def play_on(store: Store, name: str) -> None:
    """Fill the open seats, start, play to the end; then verify every deal."""
    owned = await own(store, name)
    table = owned.table
    if table.status == "open":
        for number, seat in enumerate(table.seats):
            if seat.kind == "open":
                await owned.submit(Sit, NEWCOMER, name=f"New {number}", entropy="0d")
        await owned.submit(Start, table.seats[0].key, entropy="0e")
    await owned.play_to_the_end()
    assert table.status == "over"
    assert check_fairness(table.record()) > 0
    assert (await read_table(store, name)).record() == table.record()


def test_the_store_is_migrated_and_every_table_is_read(old_store: str) -> None:
    assert run(read_statuses, make_store(old_store)) == STATUS
    with closing(sqlite3.connect(old_store)) as connection:
        assert connection.execute("SELECT value FROM about WHERE name = 'version'").fetchone() == (latest_version(),)


def test_db_check_finds_nothing_wrong(old_store: str) -> None:
    before = tilery("db", "check", "--database", old_store, "--json")  # not migrated yet
    run(read_statuses, make_store(old_store))
    after = tilery("db", "check", "--database", old_store, "--json")
    for ran in (before, after):
        assert ran.code == 0
        report = json.loads(ran.out)
        assert report["tables"] == len(STATUS)
        assert report["problems"] == []


@pytest.mark.parametrize("status", ["open", "playing"])
def test_the_lobby_shows_when_a_table_was_created(old_store: str, status: Any) -> None:
    async def work(store: Store) -> None:
        (entry,) = await store.lobby(9, status)
        name, card = entry[0], json.loads(entry[1])
        assert name == {"open": "lobby", "playing": "azul-3"}[status]
        assert card["created"] == (await read_table(store, name)).created_at
        assert "founded" not in card

    run(work, make_store(old_store))


@pytest.mark.parametrize("name", [name for name, status in STATUS.items() if status in ("open", "playing")])
def test_a_table_can_be_played_to_the_end(old_store: str, name: str) -> None:
    async def work(store: Store) -> None:
        await play_on(store, name)

    run(work, make_store(old_store))
    assert [find_problem(*table) for table in walk(old_store)] == [""] * len(STATUS)


def test_what_a_table_remembers(old_store: str) -> None:
    async def work(store: Store) -> None:
        takeback = await read_table(store, "takeback")
        assert list(takeback.chat) == [(1, "Grüße! 🀄 <b>"), (0, "Thank you.")]
        finished, rematch = await read_table(store, "finished"), await read_table(store, "rematch")
        assert (finished.rematch, rematch.before) == ("rematch", "finished")
        assert finished.secret == (await store.secret_of("finished")).hex()
        clock = await read_table(store, "clock")
        assert clock.clock is not None
        assert clock.clock.write() == {"base": 600, "increment": 5}
        bot = await read_table(store, "schokoly-bot")
        assert [seat.kind for seat in bot.seats] == ["person", "bot"]

    run(work, make_store(old_store))


def test_a_command_from_before_the_upgrade_is_not_carried_out_twice(old_store: str) -> None:
    async def work(store: Store) -> None:
        log = await store.events("clock")
        assert log is not None
        events = [read_event(text) for text in log]
        table = await read_table(store, "clock")
        number, last = next((number, event) for number, event in enumerate(events, 1) if event.type == "played")
        assert table.first_event_of(last.by, last.id) == number

    run(work, make_store(old_store))


def test_hidden_hands_stay_hidden(old_store: str) -> None:
    async def work(store: Store) -> None:
        table = await read_table(store, "schokoly-swap")
        views = TableViews(table, table.turn_began)
        for seat in table.seats:
            state = json.loads(wire.encode(views.state(seat.who)))
            assert state["position"] == json.loads(table.position.seen_by(state["viewer"]).json())
        assert json.loads(wire.encode(views.state("")))["position"] == json.loads(
            table.position.seen_by(SPECTATOR).json()
        )

    run(work, make_store(old_store))


def test_a_founded_event_is_read_as_created(old_store: str) -> None:
    for name, _, log in walk(old_store):
        assert json.loads(log[0])["type"] == "founded"
        event = read_event(log[0])
        assert isinstance(event, Created), name
        written = json.loads(write_event(event))
        assert written == {**json.loads(log[0]), "type": "created"}
        assert read_event(write_event(event)) == event


def check_restored(file: Path, address: str, names: list[str]) -> None:
    restore(file, address)
    assert [name for name, *_ in walk(address)] == names

    async def work(store: Store) -> None:
        ((name, card),) = await store.lobby(9)
        assert name == "lobby"
        assert "created" in json.loads(card)
        await play_on(store, "schokoly-swap")

    run(work, make_store(address))
    assert [find_problem(*table) for table in walk(address)] == [""] * len(names)


BACKUPS = [("store.db", list(STATUS)), ("postgres-backup.db", IN_BACKUP)]  # a store is a backup, too


@pytest.mark.parametrize(("file", "names"), BACKUPS)
def test_a_backup_is_restored_into_sqlite(file: str, names: list[str], tmp_path: Path) -> None:
    check_restored(FOLDER / file, str(tmp_path / "new.db"), names)


@pytest.mark.parametrize(("file", "names"), BACKUPS)
def test_a_backup_is_restored_into_postgres(file: str, names: list[str], database: str) -> None:
    check_restored(FOLDER / file, database, names)


def copy_rows_of_0_1_0(target: psycopg.Connection) -> None:
    """Fill a store in PostgreSQL, of the version that 0.1.0 wrote, from the SQLite store."""
    columns = {"tables": "number, name, secret, seq, status, public, wake, card", "events": "number, seq, text"}
    with closing(sqlite3.connect(FOLDER / "store.db")) as source, target.cursor() as cursor:
        for table, names in columns.items():
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN".encode()) as copy:
                for row in source.execute(f"SELECT {names} FROM {table}"):
                    copy.write_row(row)


def test_a_postgres_store_is_migrated(database: str) -> None:
    with pytest.MonkeyPatch.context() as old_schema, psycopg.connect(database, autocommit=True) as connection:
        old_schema.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:2])
        migrations.migrate_postgres(connection)
        connection.execute("SET search_path = tilery")
        copy_rows_of_0_1_0(connection)

    async def work(store: Store) -> None:
        assert await read_statuses(store) == STATUS
        for name in STATUS:
            log = await store.events(name)
            assert log is not None
            assert json.loads(log[0])["type"] == "founded"
        ((_, card),) = await store.lobby(9)
        assert "created" in json.loads(card)
        assert "founded" not in json.loads(card)
        await play_on(store, "schokoly-swap")

    run(work, make_store(database))
    assert [find_problem(*table) for table in walk(database)] == [""] * len(STATUS)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_are_read_and_written_unchanged(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record: Record | SeenRecord = read_seen_record(text) if "[Seen " in text else read_record(text)
    assert record.text == in_current_notation(text)
    ran = tilery("verify", str(path))
    assert ran.code == 0, ran.err


def test_seen_records_follow_from_the_complete_one() -> None:
    whole = read_record((FOLDER / "records" / "schokoly-swap.tilery").read_text(encoding="utf-8"))
    for name, viewer in (("seen-2", 1), ("spectator", SPECTATOR)):
        text = (FOLDER / "records" / f"schokoly-swap-{name}.tilery").read_text(encoding="utf-8")
        assert whole.seen_by(viewer).text == text


def test_the_deals_of_a_record_are_verified() -> None:
    ran = tilery("verify", "--fairness", str(FOLDER / "records" / "finished.tilery"))
    assert ran.code == 0, ran.err


def test_comments_are_read() -> None:
    record = read_record((FOLDER / "records" / "commented.tilery").read_text(encoding="utf-8"))
    assert record.comments[0] == "before the first ply"
    assert record.comments[5] == 'after ply 5: ä "quoted" ; 漢字'
    assert record.comments[len(record.plies)] == "the end"
    assert record.tags["Seed"] == "old"
