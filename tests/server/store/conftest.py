"""Stores of both kinds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.server.postgres import database, postgres_server  # noqa: F401
from tilery.server.store.interface import Store
from tilery.server.store.opening import is_postgres
from tilery.server.store.postgres import PostgresStore
from tilery.server.store.sqlite import SqliteStore

Make = Callable[..., Store]


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / "store" / "tables.db")
    return str(request.getfixturevalue("database"))


@pytest.fixture
def make(place: str) -> Make:
    """Stores at this place, not yet open."""
    return partial(make_store, place)


def make_store(place: str, *, name: str | None = None, most: int = 20_000) -> Store:
    """As `open_store`, with what tests want to choose."""
    kind = PostgresStore if is_postgres(place) else SqliteStore
    return kind(place, name=name, most=most)
