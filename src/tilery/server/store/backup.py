"""Backups: one SQLite file that holds a whole store of either kind, as it was at one moment.

A backup is itself a store, so `restore` is also the way from SQLite to PostgreSQL and back. It holds every table's
secret: only its owner can read the file. Leases and owners are not copied.
"""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tilery.core.refusals import Refused
from tilery.server.store.locking import lock
from tilery.server.store.migrations import SQLITE, migrate_sqlite, missing_statements, version_of_sqlite
from tilery.server.store.new_file import new_database
from tilery.server.store.open import is_postgres, path_of
from tilery.server.store.sqlite import connect, make_private

Progress = Callable[[int, int], None]

CHUNK_ROWS = 2_000
PAGES_PER_STEP = 2_000
TABLES = "SELECT number, name, secret, seq, digest, status, public, wake, card FROM tables ORDER BY number"
EVENTS = "SELECT number, seq, text FROM events ORDER BY number, seq"
COUNT_ROWS = "SELECT (SELECT count(*) FROM tables) + (SELECT count(*) FROM events)"
INSERT_TABLE = """
    INSERT INTO tables (number, name, secret, seq, digest, status, public, wake, card)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
INSERT_EVENT = "INSERT INTO events (number, seq, text) VALUES (?, ?, ?)"


def _no_progress(done: int, total: int) -> None:
    """The default: report no progress."""


def backup(database: str, file: Path | str, progress: Progress = _no_progress) -> None:
    """Write a backup; a server may be using the store. An existing file is never changed."""
    file = Path(file)
    try:
        with new_database(file) as copy:
            if is_postgres(database):
                from tilery.server.store.postgres_backup import fill_from_postgres

                fill_from_postgres(database, copy, progress)
            else:
                _copy_pages(path_of(database), copy, progress)
    except OSError as error:
        raise Refused(f"the backup {file} cannot be written: {error}") from None
    except sqlite3.Error as error:
        raise Refused(f"the backup {file} failed: {error}") from None


@contextlib.contextmanager
def read_snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """A read transaction: a SQLite store as it is at this moment, whatever is written meanwhile."""
    if not path.is_file():
        raise Refused(f"there is no file {path}")
    connection = sqlite3.connect(path, isolation_level=None)
    with contextlib.closing(connection):
        try:
            connection.execute("PRAGMA query_only = ON").close()
            connection.execute("BEGIN")
            version = version_of_sqlite(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Refused(f"{path} is not a Tilery database: {error}") from None
        if not version:
            raise Refused(f"{path} is not a Tilery database: it is empty")
        yield connection


def _copy_pages(source: Path, copy: sqlite3.Connection, progress: Progress) -> None:
    def report(status: int, left: int, total: int) -> None:  # noqa: ARG001
        progress(total - left, total)

    with read_snapshot(source) as connection:
        connection.backup(copy, pages=PAGES_PER_STEP, progress=report, sleep=0)


@contextlib.contextmanager
def migrated_backup(file: Path) -> Iterator[sqlite3.Connection]:
    """A backup with the current schema: an older one is migrated in a temporary copy."""
    with read_snapshot(file) as connection:
        if not missing_statements(version_of_sqlite(connection), SQLITE):
            yield connection
            return
    with tempfile.TemporaryDirectory(prefix="tilery-restore-") as folder:
        path = Path(folder) / "backup.db"
        with new_database(path) as copy:
            _copy_pages(file, copy, _no_progress)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            migrate_sqlite(connection)
            yield connection


def restore(file: Path | str, database: str, progress: Progress = _no_progress) -> None:
    """Fill an empty store from a backup, completely or not at all. No server may be using the store."""
    with migrated_backup(Path(file)) as source:
        if is_postgres(database):
            from tilery.server.store.postgres_backup import fill_postgres

            fill_postgres(source, database, progress)
        else:
            _fill_sqlite(source, path_of(database), progress)


def _fill_sqlite(source: sqlite3.Connection, path: Path, progress: Progress) -> None:
    try:
        make_private(path)
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.closing(lock(path)))
            target = stack.enter_context(contextlib.closing(connect(path)))
            migrate_sqlite(target)
            target.execute("BEGIN IMMEDIATE")
            if target.execute("SELECT EXISTS (SELECT * FROM tables)").fetchone()[0]:
                raise Refused(f"the database {path} is not empty: restore into a new one")
            copy_rows(chunks_of(source), target, count_rows(source), progress)
            target.execute("COMMIT")
    except (OSError, sqlite3.Error) as error:
        raise Refused(f"the database {path} cannot be written: {error}") from None


Chunk = tuple[str, list[tuple[Any, ...]]]  # the statement that inserts a row, and rows


def count_rows(source: sqlite3.Connection) -> int:
    """The number of rows of a store."""
    return int(source.execute(COUNT_ROWS).fetchone()[0])


def chunks_of(source: sqlite3.Connection) -> Iterator[Chunk]:
    """All rows of a store, tables first."""
    for query, insert in ((TABLES, INSERT_TABLE), (EVENTS, INSERT_EVENT)):
        cursor = source.execute(query)
        while rows := cursor.fetchmany(CHUNK_ROWS):
            yield insert, rows


def copy_rows(chunks: Iterator[Chunk], target: sqlite3.Connection, total: int, progress: Progress) -> None:
    """Insert chunks into a SQLite store, inside a transaction."""
    done = 0
    progress(done, total)
    for insert, rows in chunks:
        target.executemany(insert, rows)
        done += len(rows)
        progress(done, total)
