"""Backups from and into PostgreSQL."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

import psycopg

from tilery.core.refusals import Refused
from tilery.server.store.backup import (
    CHUNK_ROWS,
    COUNT_ROWS,
    EVENTS,
    INSERT_EVENT,
    INSERT_TABLE,
    TABLES,
    Chunk,
    Progress,
    chunks_of,
    copy_rows,
    count_rows,
)
from tilery.server.store.migrations import SCHEMA, latest_version, migrate_postgres, migrate_sqlite
from tilery.server.store.postgres_connection import Address
from tilery.server.store.postgres_inspection import connected, read_transaction

COPY_IN = {
    INSERT_TABLE: "COPY tables (number, name, secret, seq, digest, status, public, wake, card) FROM STDIN",
    INSERT_EVENT: "COPY events (number, seq, text) FROM STDIN",
}
# The rows were inserted with their numbers; the sequence continues after the greatest.
RESET_SEQUENCE = "SELECT setval('tables_number_seq', (SELECT coalesce(max(number), 0) + 1 FROM tables), false)"


@contextlib.contextmanager
def _snapshot(database: str) -> Iterator[psycopg.Connection]:
    """A read transaction in a store of this version."""
    with read_transaction(database) as (connection, version):
        _refuse_other_version(version)
        yield connection


def _refuse_other_version(version: int) -> None:
    if version != latest_version():
        raise Refused(
            f"the store in this database has version {version}, this Tilery writes version {latest_version()}: use the "
            "Tilery that the server runs"
        )


def fill_from_postgres(database: str, target: sqlite3.Connection, progress: Progress) -> None:
    """Write all rows into an empty SQLite database."""
    with _snapshot(database) as source:
        migrate_sqlite(target)
        target.execute("BEGIN")
        row = source.execute(COUNT_ROWS).fetchone()
        copy_rows(_chunks(source), target, row[0] if row else 0, progress)
        target.execute("COMMIT")


def _chunks(source: psycopg.Connection) -> Iterator[Chunk]:
    for query, insert in ((TABLES, INSERT_TABLE), (EVENTS, INSERT_EVENT)):
        with source.cursor("tilery_backup") as cursor:
            cursor.execute(query.encode())
            while rows := cursor.fetchmany(CHUNK_ROWS):
                yield insert, rows


def fill_postgres(source: sqlite3.Connection, database: str, progress: Progress) -> None:
    """Insert all rows of a SQLite store, in one transaction."""
    total, done = count_rows(source), 0
    with connected(Address(database)) as target:
        migrate_postgres(target)
        target.execute(f"SET search_path = {SCHEMA}")
        with target.transaction():
            target.execute("LOCK TABLE tables, events IN EXCLUSIVE MODE")
            row = target.execute("SELECT EXISTS (SELECT * FROM tables)").fetchone()
            if row is None or row[0]:
                raise Refused("this database is not empty: restore into a new one")
            progress(done, total)
            for insert, rows in chunks_of(source):
                with target.cursor() as cursor, cursor.copy(COPY_IN[insert].encode()) as copy:
                    for values in rows:
                        copy.write_row(values)
                done += len(rows)
                progress(done, total)
            target.execute(RESET_SEQUENCE)
