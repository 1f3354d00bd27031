"""Backups out of PostgreSQL and into it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

from tilery.core.refusals import Refused
from tilery.server.store.copying import (
    CHUNK,
    EVENTS,
    PUT_EVENT,
    PUT_TABLE,
    ROWS,
    TABLES,
    WALK,
    Chunk,
    Progress,
    chunks_of,
    copy_rows,
    total_of,
)
from tilery.server.store.migrations import SCHEMA, latest, migrate_postgres, migrate_sqlite, version_of_postgres
from tilery.server.store.postgres_link import Address

COPY_IN = {
    PUT_TABLE: "COPY tables (number, name, secret, seq, status, public, wake, card) FROM STDIN",
    PUT_EVENT: "COPY events (number, seq, text) FROM STDIN",
}
# After rows with numbers of their own, the next one has to be a new one.
GO_ON_COUNTING = "SELECT setval('tables_number_seq', (SELECT coalesce(max(number), 0) + 1 FROM tables), false)"


@contextlib.contextmanager
def _connected(address: Address) -> Iterator[psycopg.Connection]:
    try:
        with psycopg.connect(address.conninfo, autocommit=True) as connection:
            yield connection
    except psycopg.Error as error:
        raise address.refusal(error) from None


@contextlib.contextmanager
def _snapshot(database: str) -> Iterator[psycopg.Connection]:
    """The store as it is at this moment, whatever is written meanwhile."""
    with _connected(Address(database)) as connection:
        _refuse_other_version(version_of_postgres(connection))
        connection.execute(f"SET search_path = {SCHEMA}")
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        with connection.transaction():
            yield connection


def _refuse_other_version(version: int) -> None:
    if not version:
        raise Refused("there is no store in this database")
    if version != latest():
        raise Refused(
            f"the store in this database is of version {version}, this Tilery is of version {latest()}: use the "
            "Tilery that the server runs with"
        )


def fill_from_postgres(database: str, part: Path, progress: Progress) -> None:
    """A SQLite file with all rows."""
    with _snapshot(database) as source, contextlib.closing(sqlite3.connect(part, isolation_level=None)) as target:
        target.execute("PRAGMA synchronous = OFF").close()  # it has no name yet; it is made sure of before it gets one
        migrate_sqlite(target)
        target.execute("BEGIN")
        row = source.execute(ROWS).fetchone()
        copy_rows(_chunks(source), target, row[0] if row else 0, progress)
        target.execute("COMMIT")


def _chunks(source: psycopg.Connection) -> Iterator[Chunk]:
    for query, put in ((TABLES, PUT_TABLE), (EVENTS, PUT_EVENT)):
        with source.cursor("tilery_backup") as cursor:
            cursor.execute(query.encode())
            while rows := cursor.fetchmany(CHUNK):
                yield put, rows


def fill_postgres(source: sqlite3.Connection, database: str, progress: Progress) -> None:
    """All rows of a SQLite store, in one transaction."""
    total, done = total_of(source), 0
    with _connected(Address(database)) as target:
        migrate_postgres(target)
        target.execute(f"SET search_path = {SCHEMA}")
        with target.transaction():
            target.execute("LOCK TABLE tables, events IN EXCLUSIVE MODE")
            row = target.execute("SELECT EXISTS (SELECT * FROM tables)").fetchone()
            if row is None or row[0]:
                raise Refused("the store in this database is not empty: restore into a new one")
            progress(done, total)
            for put, rows in chunks_of(source):
                with target.cursor() as cursor, cursor.copy(COPY_IN[put].encode()) as copy:
                    for values in rows:
                        copy.write_row(values)
                done += len(rows)
                progress(done, total)
            target.execute(GO_ON_COUNTING)


def walk_rows(database: str) -> Iterator[tuple[Any, ...]]:
    """See `copying.walk`."""
    with _snapshot(database) as source, source.cursor("tilery_walk") as cursor:
        cursor.execute(WALK.encode())
        while rows := cursor.fetchmany(CHUNK):
            yield from rows
