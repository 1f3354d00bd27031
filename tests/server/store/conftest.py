"""Fixtures for stores of both kinds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
import pytest

from tests.conftest import ROOT
from tests.server.postgres import database, postgres_server  # noqa: F401
from tilery.server.store.interface import Store
from tilery.server.store.open import is_postgres
from tilery.server.store.postgres import PostgresStore
from tilery.server.store.postgres_connection import Address
from tilery.server.store.sqlite import SqliteStore

Make = Callable[..., Store]


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / "store" / "tables.db")
    url = str(request.getfixturevalue("database"))
    if request.param == "partitioned":
        partition(url)
    return url


def partition(url: str) -> None:
    """Split the events of a store as docs/scaling.md tells an operator to."""
    Address(url).migrate()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute((ROOT / "deploy" / "partition-events.sql").read_bytes())


@pytest.fixture
def make(address: str) -> Make:
    """Makes stores at this address, not opened yet."""
    return partial(make_store, address)


def make_store(address: str, *, name: str | None = None, max_waiting: int = 20_000) -> Store:
    """As `open_store`, with more arguments."""
    kind = PostgresStore if is_postgres(address) else SqliteStore
    return kind(address, name=name, max_waiting=max_waiting)
