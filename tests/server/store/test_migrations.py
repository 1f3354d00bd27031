"""Stores of other versions, and addresses of stores."""

from __future__ import annotations

import asyncio
import importlib.util
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.server.store.builders import PLAYING, batch, lease_of, new_table, new_tables, numbered, run
from tests.server.store.conftest import Make, make_store
from tilery import Refused
from tilery.server.store import migrations
from tilery.server.store.backup import backup, restore
from tilery.server.store.interface import Store
from tilery.server.store.migrations import MIGRATIONS, Migration
from tilery.server.store.open import is_postgres, open_store
from tilery.server.store.postgres import PostgresStore
from tilery.server.store.sqlite import SqliteStore, make_private

LATER = (
    Migration(
        "moods",
        (
            "ALTER TABLE tables ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
            "CREATE TABLE moods (name TEXT PRIMARY KEY, picture {bytes})",
        ),
    ),
    Migration("an index", ("CREATE INDEX tables_by_mood ON tables (mood)",)),
)


def write_version_1(address: str) -> None:
    """A store as version 1 wrote it: a table with two events."""
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(migrations, "MIGRATIONS", MIGRATIONS[:1])
        statements = (
            "INSERT INTO tables (number, name, secret, seq, status, public, wake, card) "
            "VALUES (1, 'red', 'secret', 2, 'playing', 0, NULL, '{}')",
            """INSERT INTO events (number, seq, text) VALUES (1, 1, '{"n":1}'), (1, 2, '{"n":2}')""",
        )
        if is_postgres(address):
            with psycopg.connect(address, autocommit=True) as connection:
                migrations.migrate_postgres(connection)
                connection.execute("SET search_path = tilery")
                for statement in (*statements, "SELECT setval('tables_number_seq', 1)"):
                    connection.execute(statement.encode())
        else:
            make_private(Path(address))
            with closing(sqlite3.connect(address, isolation_level=None)) as sqlite:
                migrations.migrate_sqlite(sqlite)
                for statement in statements:
                    sqlite.execute(statement)


async def first(store: Store) -> None:
    (lease,) = await new_tables(store, "red")
    await store.append(batch("red", lease, 1))


async def second(store: Store) -> None:
    assert await store.events("red") == list(numbered(1, 2))
    await store.append(batch("red", await lease_of(store, "red"), 2))
    await store.create(new_table("blue"))


async def third(store: Store) -> None:
    assert await store.events("red") == list(numbered(1, 3))


def test_a_store_of_version_1_is_migrated(make: Make, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_version_1(address)
    monkeypatch.setattr(migrations, "MIGRATIONS", MIGRATIONS + LATER)
    run(second, make())
    run(third, make())


def test_games_of_version_1_appear_in_the_lobby_after_their_next_event(make: Make, address: str) -> None:
    """Version 1 stored no lobby card for a game in progress."""

    async def play_on(store: Store) -> None:
        assert await store.lobby(9, "playing") == []
        summary = PLAYING._replace(public=True, card='"card"')
        await store.append(batch("red", await lease_of(store, "red"), 2, summary=summary))
        assert list(await store.lobby(9, "playing")) == [("red", '"card"')]

    write_version_1(address)
    run(play_on, make())
    run(third, make())


def test_a_store_of_a_later_version_is_refused(
    make: Make, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(migrations, "MIGRATIONS", MIGRATIONS + LATER)
        run(first, make())
        backup(address, tmp_path / "later.db")
    with pytest.raises(Refused, match=f"version {len(MIGRATIONS) + 2}.*up to {len(MIGRATIONS)}.*upgrade"):
        run(second, make())
    with pytest.raises(Refused, match="upgrade"):
        restore(tmp_path / "later.db", str(tmp_path / "new.db"))


def test_a_failed_migration_changes_nothing(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    run(first, make())
    with monkeypatch.context() as broken:
        broken.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, *LATER, Migration("nonsense", ("CREATE NONSENSE",))))
        with pytest.raises(Refused, match="cannot be opened"):
            asyncio.run(make().open())
    run(second, make())
    monkeypatch.setattr(migrations, "MIGRATIONS", MIGRATIONS + LATER)  # would fail if half of it had been applied
    run(third, make())


def test_an_old_backup_is_restored_into_the_current_version(make: Make, address: str, tmp_path: Path) -> None:
    run(first, make())
    backup(address, tmp_path / "old.db")
    with pytest.MonkeyPatch.context() as later:
        later.setattr(migrations, "MIGRATIONS", MIGRATIONS + LATER)
        restore(tmp_path / "old.db", str(tmp_path / "new.db"))
        run(second, make_store(str(tmp_path / "new.db")))


@pytest.mark.parametrize(
    ("database", "path"),
    [
        ("tables.db", "tables.db"),
        ("/var/lib/tables.db", "/var/lib/tables.db"),
        ("sqlite:///tables.db", "tables.db"),
        ("sqlite:////var/lib/tables.db", "/var/lib/tables.db"),
    ],
)
def test_paths(database: str, path: str) -> None:
    store = open_store(database)
    assert isinstance(store, SqliteStore)
    assert store.path == Path(path)


def test_addresses_of_databases() -> None:
    assert isinstance(open_store("postgresql://me@somewhere/tables"), PostgresStore)
    assert isinstance(open_store("postgres://me@somewhere/tables"), PostgresStore)
    assert open_store("postgresql://somewhere").name != open_store("postgresql://somewhere").name


@pytest.mark.parametrize("database", ["", "mysql://me:secret@somewhere/x", "sqlite://x", "sqlite:x", "sqlite:///"])
def test_other_addresses_are_refused(database: str) -> None:
    with pytest.raises(Refused, match="expected a path") as caught:
        open_store(database)
    assert "secret" not in str(caught.value)


def test_without_psycopg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(Refused, match=r"tilery\[postgres\]"):
        open_store("postgresql://me:secret@somewhere/x")
