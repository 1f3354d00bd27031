"""Backups: one SQLite file that holds a whole store of either kind, as it was at one moment.

A backup is itself a store, so `restore` is also the way from SQLite to PostgreSQL and back. It holds every table's
secret: it is made for its owner's eyes only. Leases and owners are not carried over.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from tilery.core.refusals import Refused
from tilery.core.writing import part_of
from tilery.server.store.interface import StoreError
from tilery.server.store.locking import lock
from tilery.server.store.migrations import SQLITE, migrate_sqlite, missing, version_of_sqlite
from tilery.server.store.opening import is_postgres, path_of
from tilery.server.store.sqlite import connect, make_private

Progress = Callable[[int, int], None]

CHUNK = 2_000  # rows
PAGES = 2_000
TABLES = "SELECT number, name, secret, seq, status, public, wake, card FROM tables ORDER BY number"
EVENTS = "SELECT number, seq, text FROM events ORDER BY number, seq"
ROWS = "SELECT (SELECT count(*) FROM tables) + (SELECT count(*) FROM events)"
PUT_TABLE = "INSERT INTO tables (number, name, secret, seq, status, public, wake, card) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
PUT_EVENT = "INSERT INTO events (number, seq, text) VALUES (?, ?, ?)"
WALK = """
    SELECT t.name, t.secret, t.seq, e.seq, e.text FROM tables t LEFT JOIN events e ON e.number = t.number
    ORDER BY t.number, e.seq"""


def _silent(done: int, total: int) -> None:
    """For who does not want to know."""


def backup(database: str, file: Path | str, progress: Progress = _silent) -> None:
    """Write a backup; a server may be using the store. A file that is there already is never touched."""
    file = Path(file)
    _refuse_if_there(file)
    part = part_of(file)
    try:
        make_private(part)
        if is_postgres(database):
            from tilery.server.store.postgres_copying import fill_from_postgres

            fill_from_postgres(database, part, progress)
        else:
            _copy_pages(path_of(database), part, progress)
        _put_in_place(part, file)
    except OSError as error:
        raise Refused(f"the backup {file} cannot be written: {error}") from None
    except sqlite3.Error as error:
        raise Refused(f"the backup {file} cannot be made: {error}") from None
    finally:
        part.unlink(missing_ok=True)


def _refuse_if_there(file: Path) -> None:
    if file.exists():
        raise Refused(f"{file} is there already, and a backup never replaces a file: name another one")


def _put_in_place(part: Path, file: Path) -> None:
    """Under its name it is whole, or not there. A link, unlike a renaming, never replaces what is there."""
    _sync(part)
    try:
        os.link(part, file)
    except FileExistsError:
        _refuse_if_there(file)
    except OSError:  # a file system without links
        _refuse_if_there(file)
        part.rename(file)
    if os.name == "posix":
        _sync(file.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A SQLite store as it is at this moment, whatever is written meanwhile."""
    if not path.is_file():
        raise Refused(f"there is no store {path}")
    connection = sqlite3.connect(path, isolation_level=None)
    with contextlib.closing(connection):
        try:
            connection.execute("PRAGMA query_only = ON").close()
            connection.execute("BEGIN")
            version = version_of_sqlite(connection)
        except sqlite3.Error as error:
            raise Refused(f"{path} is not a store: {error}") from None
        if not version:
            raise Refused(f"{path} is not a store: it is empty")
        yield connection


def _copy_pages(source: Path, part: Path, progress: Progress) -> None:
    def tell(status: int, left: int, total: int) -> None:  # noqa: ARG001
        progress(total - left, total)

    with reading(source) as connection, contextlib.closing(sqlite3.connect(part, isolation_level=None)) as copy:
        connection.backup(copy, pages=PAGES, progress=tell, sleep=0)
        copy.execute("PRAGMA journal_mode = DELETE").close()  # one file, nothing beside it


@contextlib.contextmanager
def up_to_date(file: Path) -> Iterator[sqlite3.Connection]:
    """A backup as this version would have written it: an older one is brought up to date in a copy."""
    with reading(file) as connection:
        if not missing(version_of_sqlite(connection), SQLITE):
            yield connection
            return
    with tempfile.TemporaryDirectory(prefix="tilery-restore-") as folder:
        copy = Path(folder) / "backup.db"
        make_private(copy)
        _copy_pages(file, copy, _silent)
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            migrate_sqlite(connection)
            yield connection


def restore(file: Path | str, database: str, progress: Progress = _silent) -> None:
    """Fill an empty store from a backup, whole or not at all. No server may be using it."""
    with up_to_date(Path(file)) as source:
        if is_postgres(database):
            from tilery.server.store.postgres_copying import fill_postgres

            fill_postgres(source, database, progress)
        else:
            _fill_sqlite(source, path_of(database), progress)


def _fill_sqlite(source: sqlite3.Connection, path: Path, progress: Progress) -> None:
    try:
        make_private(path)
        with contextlib.ExitStack() as stack:
            stack.callback(os.close, lock(path))
            target = stack.enter_context(contextlib.closing(connect(path)))
            migrate_sqlite(target)
            target.execute("BEGIN IMMEDIATE")
            if target.execute("SELECT EXISTS (SELECT * FROM tables)").fetchone()[0]:
                raise Refused(f"the store {path} is not empty: restore into a new one")
            copy_rows(chunks_of(source), target, total_of(source), progress)
            target.execute("COMMIT")
    except (OSError, sqlite3.Error) as error:
        raise Refused(f"the store {path} cannot be filled: {error}") from None


Chunk = tuple[str, list[tuple[Any, ...]]]  # what puts a row, and rows


def total_of(source: sqlite3.Connection) -> int:
    """Rows of a store."""
    return int(source.execute(ROWS).fetchone()[0])


def chunks_of(source: sqlite3.Connection) -> Iterator[Chunk]:
    """All rows of a store, tables first."""
    for query, put in ((TABLES, PUT_TABLE), (EVENTS, PUT_EVENT)):
        cursor = source.execute(query)
        while rows := cursor.fetchmany(CHUNK):
            yield put, rows


def copy_rows(chunks: Iterator[Chunk], target: sqlite3.Connection, total: int, progress: Progress) -> None:
    """Into a SQLite store, inside of its transaction."""
    done = 0
    progress(done, total)
    for put, rows in chunks:
        target.executemany(put, rows)
        done += len(rows)
        progress(done, total)


def walk(database: str) -> Iterator[tuple[str, bytes, list[str]]]:
    """Every table with its secret and its events, oldest first, as they are at one moment; also of a backup. A gap in
    the numbers of the events is a `StoreError`: the file has been damaged."""
    if is_postgres(database):
        from tilery.server.store.postgres_copying import walk_rows

        return gathered(walk_rows(database))
    return gathered(_walk_rows(path_of(database)))


def _walk_rows(path: Path) -> Iterator[tuple[Any, ...]]:
    with reading(path) as connection:
        yield from connection.execute(WALK)


def gathered(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[str, bytes, list[str]]]:
    """Rows of `WALK` table by table."""
    with contextlib.closing(rows):  # type: ignore[type-var]
        for (name, secret, seq), group in groupby(rows, key=lambda row: (row[0], bytes(row[1]), row[2])):
            found = [(number, text) for *_, number, text in group if number is not None]
            if [number for number, _ in found] != list(range(1, seq + 1)):
                raise StoreError(f"table {name} is damaged: it should have the events 1 to {seq}, all of them")
            yield name, secret, [text for _, text in found]
