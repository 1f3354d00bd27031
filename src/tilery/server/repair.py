"""`tilery db repair`: damaged tables are set aside, and the rest is kept.

What is set aside goes into a SQLite file of its own, as it was read: `damaged` says what is wrong with each table,
`tables` and `events` hold its rows. Nothing else is changed before that file is complete. A SQLite store is then
written anew and replaces the old file, which keeps all its content under another name. A store in PostgreSQL is changed
in one transaction.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tilery.core.refusals import Refused
from tilery.server.integrity import CheckedTable, Finding, Progress, check_store, check_tables
from tilery.server.store.backup import INSERT_EVENT, INSERT_TABLE
from tilery.server.store.inspection import EVENT_COLUMNS, TABLE_COLUMNS, Snapshot, open_snapshot
from tilery.server.store.locking import lock
from tilery.server.store.migrations import SQLITE, migrate_sqlite, missing_statements
from tilery.server.store.new_file import new_database, refuse_existing, sync_folder
from tilery.server.store.open import is_postgres, path_of
from tilery.server.store.sqlite_writer import summary_columns

ASIDE_SCHEMA = (
    "CREATE TABLE damaged (number, name, problem)",
    f"CREATE TABLE tables ({', '.join(TABLE_COLUMNS)})",
    f"CREATE TABLE events ({', '.join(EVENT_COLUMNS)})",
)
INSERT_DAMAGED = "INSERT INTO damaged (number, name, problem) VALUES (?, ?, ?)"
INSERT_ASIDE = f"INSERT INTO tables VALUES ({', '.join('?' * len(TABLE_COLUMNS))})"
OPENINGS = "SELECT value FROM about WHERE name = 'openings'"


@dataclass
class Repair:
    """What has been done, or would be."""

    tables: int = 0  # kept
    findings: list[Finding] = field(default_factory=list)
    set_aside: set[str] = field(default_factory=set)
    without_digest: int = 0  # tables that got one
    aside: Path | None = None  # where the damaged tables are
    original: Path | None = None  # where the old file is

    @property
    def is_needed(self) -> bool:
        return bool(self.findings or self.without_digest)


def repair(database: str, *, aside: Path | None = None, dry_run: bool = False, progress: Progress) -> Repair:
    """Repair a store that no server is using. `aside` is the file for damaged tables."""
    if is_postgres(database):
        from tilery.server.postgres_repair import repair_postgres

        return repair_postgres(database, aside or Path(_unused_names("tilery.{}-{}.db")["damaged"]), dry_run, progress)
    path = Path(os.path.realpath(path_of(database)))
    if not path.is_file():
        raise Refused(f"there is no file {path}")
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.closing(lock(path)))
            return _repair_sqlite(path, aside, dry_run, progress)
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        raise Refused(f"{path} cannot be repaired, and is as it was: {error}") from None


def _unused_names(pattern: str) -> dict[str, str]:
    """Names of files that do not exist yet, with the time, by what they are for."""
    for number in count(1):
        stamp = time.strftime("%Y%m%d-%H%M%S") + (f"-{number}" if number > 1 else "")
        names = {purpose: pattern.format(purpose, stamp) for purpose in ("damaged", "before-repair", "repaired")}
        if not any(map(os.path.lexists, names.values())):
            return names
    raise AssertionError("unreachable")


def survey(snapshot: Snapshot, progress: Progress) -> Repair:
    """What has to be done."""
    missing_statements(snapshot.version, SQLITE)  # a later version is refused
    found = Repair(findings=check_store(snapshot))
    for table in check_tables(snapshot, progress):
        found.findings += table.findings
        if table.is_damaged:
            found.set_aside.add(table.raw.name)
        else:
            found.tables += 1
            found.without_digest += not table.has_digest
    if found.findings and not found.tables and not found.set_aside:
        raise Refused(f"no table can be read, and nothing was changed ({found.findings[0].problem}): restore a backup")
    return found


@contextlib.contextmanager
def aside_file(file: Path) -> Iterator[Callable[[CheckedTable], None]]:
    """Write a new file for damaged tables; yields the function that adds one."""
    with new_database(file) as connection:
        connection.execute("BEGIN")
        for statement in ASIDE_SCHEMA:
            connection.execute(statement)

        def add(table: CheckedTable) -> None:
            raw = table.raw
            problem = "; ".join(finding.problem for finding in table.findings)
            connection.execute(INSERT_DAMAGED, (raw.number, raw.name, problem))
            if raw.row:
                connection.execute(INSERT_ASIDE, [raw.row.get(column) for column in TABLE_COLUMNS])
            connection.executemany(INSERT_EVENT, [(raw.number, seq, text) for seq, text in raw.events])

        yield add
        connection.execute("COMMIT")


def _repair_sqlite(path: Path, aside: Path | None, dry_run: bool, progress: Progress) -> Repair:
    if aside:
        refuse_existing(aside)
    names = _unused_names(str(path).replace("{", "{{").replace("}", "}}") + ".{}-{}")
    original, repaired = Path(names["before-repair"]), Path(names["repaired"])
    with open_snapshot(str(path)) as snapshot:
        found = survey(snapshot, progress)
    if dry_run or not found.is_needed:
        return found
    found.aside, found.original = (aside or Path(names["damaged"])) if found.set_aside else None, original
    _empty_write_ahead_log(path)
    try:
        _write_anew(path, repaired, found.aside, progress)
        os.link(path, original)  # the old content keeps a name all the time
        os.replace(repaired, path)
        sync_folder(path.parent)
    except BaseException:
        for file in filter(None, (repaired, found.aside)):
            file.unlink(missing_ok=True)
        raise
    return found


def _write_anew(path: Path, repaired: Path, aside: Path | None, progress: Progress) -> None:
    """Write two new files: one with the tables that are kept, one with the others."""
    with contextlib.ExitStack() as stack:
        snapshot = stack.enter_context(open_snapshot(str(path)))
        target = stack.enter_context(new_database(repaired))
        add = stack.enter_context(aside_file(aside)) if aside else None
        migrate_sqlite(target)
        target.execute("BEGIN")
        target.execute("UPDATE about SET value = ? WHERE name = 'openings'", (_openings(path),))
        for table in check_tables(snapshot, progress):
            if not table.is_damaged:
                _insert(target, table)
            elif add:
                add(table)
        target.execute("COMMIT")
    owner = path.stat()
    for file in filter(None, (repaired, aside)):
        with contextlib.suppress(OSError, AttributeError):  # root repairs the file of the user who runs the server
            os.chown(file, owner.st_uid, owner.st_gid)


def _empty_write_ahead_log(path: Path) -> None:
    """Write everything into the file itself, so that this one file is the whole store."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    for ending in ("-wal", "-shm"):
        rest = path.with_name(f"{path.name}{ending}")
        if ending == "-wal" and rest.exists() and rest.stat().st_size:
            raise Refused(f"{rest} cannot be written back into {path}: is another program using it?")
        rest.unlink(missing_ok=True)


def _openings(path: Path) -> int:
    """How often the store was opened; at least 0."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as connection:
        row = connection.execute(OPENINGS).fetchone()
        if row and isinstance(row[0], int):
            return max(0, row[0])
    return 0


def _insert(target: sqlite3.Connection, table: CheckedTable) -> None:
    """Insert a table, with everything that follows from its events."""
    raw = table.raw
    assert raw.row
    assert table.summary
    row = (raw.number, raw.name, raw.row["secret"], len(raw.events), table.digest, *summary_columns(table.summary))
    target.execute(INSERT_TABLE, row)
    target.executemany(INSERT_EVENT, [(raw.number, seq, text) for seq, text in raw.events])
