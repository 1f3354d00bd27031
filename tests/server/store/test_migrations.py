"""Stores of other versions, and addresses of stores."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path

import pytest

from tests.server.store.conftest import Make, make_store
from tests.server.store.things import PLAYING, batch, founded, founding, lease_of, numbered, run
from tilery import Refused
from tilery.server.store import migrations
from tilery.server.store.copying import backup, restore
from tilery.server.store.interface import Store
from tilery.server.store.migrations import STEPS, Step
from tilery.server.store.opening import open_store
from tilery.server.store.postgres import PostgresStore
from tilery.server.store.sqlite import SqliteStore

LATER = (
    Step(
        "moods",
        (
            "ALTER TABLE tables ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
            "CREATE TABLE moods (name TEXT PRIMARY KEY, picture {bytes})",
        ),
    ),
    Step("an index", ("CREATE INDEX tables_by_mood ON tables (mood)",)),
)


async def first(store: Store) -> None:
    (lease,) = await founded(store, "red")
    await store.append(batch("red", lease, 1))


async def second(store: Store) -> None:
    assert await store.events("red") == list(numbered(1, 2))
    await store.append(batch("red", await lease_of(store, "red"), 2))
    await store.found(founding("blue"))


async def third(store: Store) -> None:
    assert await store.events("red") == list(numbered(1, 3))


def test_a_store_of_version_1_is_brought_up_to_date(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "STEPS", STEPS[:1])
    run(first, make())
    monkeypatch.setattr(migrations, "STEPS", STEPS + LATER)
    run(second, make())
    run(third, make())


def test_games_of_a_store_of_version_1_are_shown_from_their_next_event_on(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 1 kept no card of a game that goes on."""

    async def play_on(store: Store) -> None:
        assert await store.lobby(9, "playing") == []
        summary = PLAYING._replace(public=True, card='"card"')
        await store.append(batch("red", await lease_of(store, "red"), 2, summary=summary))
        assert list(await store.lobby(9, "playing")) == [("red", '"card"')]

    with monkeypatch.context() as earlier:
        earlier.setattr(migrations, "STEPS", STEPS[:1])
        run(first, make())
    run(play_on, make())
    run(third, make())


def test_a_store_of_a_later_version_is_refused(
    make: Make, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(migrations, "STEPS", STEPS + LATER)
        run(first, make())
        backup(place, tmp_path / "later.db")
    with pytest.raises(Refused, match=f"version {len(STEPS) + 2}.*up to {len(STEPS)}.*upgrade"):
        run(second, make())
    with pytest.raises(Refused, match="upgrade"):
        restore(tmp_path / "later.db", str(tmp_path / "new.db"))


def test_a_step_that_fails_changes_nothing(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    run(first, make())
    with monkeypatch.context() as broken:
        broken.setattr(migrations, "STEPS", (*STEPS, *LATER, Step("nonsense", ("CREATE NONSENSE",))))
        with pytest.raises(Refused, match="cannot be opened"):
            asyncio.run(make().open())
    run(second, make())
    monkeypatch.setattr(migrations, "STEPS", STEPS + LATER)  # would fail if half of it were there already
    run(third, make())


def test_an_old_backup_fills_a_store_of_today(make: Make, place: str, tmp_path: Path) -> None:
    run(first, make())
    backup(place, tmp_path / "old.db")
    with pytest.MonkeyPatch.context() as later:
        later.setattr(migrations, "STEPS", STEPS + LATER)
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
    with pytest.raises(Refused, match="a store is a path") as caught:
        open_store(database)
    assert "secret" not in str(caught.value)


def test_without_psycopg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(Refused, match=r"tilery\[postgres\]"):
        open_store("postgresql://me:secret@somewhere/x")
