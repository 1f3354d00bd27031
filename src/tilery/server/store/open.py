"""Stores by address: a path, or a URL."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from tilery.core.refusals import Refused
from tilery.server.store.interface import Store
from tilery.server.store.write_requests import unique_process_name

POSTGRES = ("postgresql://", "postgres://")


def is_postgres(database: str) -> bool:
    """Whether this is the address of a PostgreSQL database; refused if psycopg is not installed."""
    if not database.startswith(POSTGRES):
        return False
    if importlib.util.find_spec("psycopg") is None:
        raise Refused("PostgreSQL requires psycopg: pip install 'tilery[postgres]'")
    return True


def path_of(database: str) -> Path:
    """The file of a SQLite store: a path, or sqlite:///relative, or sqlite:////absolute."""
    path = database.removeprefix("sqlite:///")
    if "://" in path or path.startswith("sqlite:") or not path.strip():
        scheme = database.split("://")[0] if "://" in database else database
        raise Refused(f"expected a path, sqlite:///path or postgresql://user@host/database, not {scheme[:20]!r}...")
    return Path(path).expanduser()


def open_store(database: str, process_name: str = "") -> Store:
    """The store at an address, not connected yet: call its `open`. `process_name` is the name under which the proxy
    knows this process."""
    name = unique_process_name(process_name)
    if is_postgres(database):
        from tilery.server.store.postgres import PostgresStore

        return PostgresStore(database, name=name)
    from tilery.server.store.sqlite import SqliteStore

    return SqliteStore(path_of(database), name=name)
