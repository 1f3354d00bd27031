"""The rows of a SQLite store, read in spite of damage.

As long as SQLite finds nothing wrong, rows are found by its indexes. Otherwise all rows that can be read are searched
for from both sides of every damaged page, without any index.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from tilery.core.refusals import Refused
from tilery.server.store.inspection import EVENT_COLUMNS, TABLE_COLUMNS, RawTable
from tilery.server.store.migrations import (
    ABOUT,
    SQLITE,
    VERSION,
    latest_version,
    missing_statements,
)

# SQLite's own messages may quote damaged names, which Python cannot decode.
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
MAX_ROWID = (1 << 63) - 1
MAX_MESSAGES = 5  # of SQLite about one file
SCHEMA = "SELECT type || ' ' || name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"


@contextlib.contextmanager
def open_sqlite_snapshot(path: Path) -> Iterator[SqliteSnapshot]:
    """Open a file for inspection. Only a file that does not exist is refused: everything else is damage."""
    if not path.is_file():
        raise Refused(f"there is no file {path}")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = _text
    with contextlib.closing(connection):
        with contextlib.suppress(*UNREADABLE):
            connection.execute("PRAGMA query_only = ON").close()
            connection.execute("BEGIN")
        yield SqliteSnapshot(connection)


def _text(value: bytes) -> str | bytes:
    """A text; bytes if it is none."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def expected_schema(version: int) -> dict[str, tuple[str, str | None]]:
    """What the schema of a version consists of."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        later = missing_statements(version, SQLITE)
        every = missing_statements(0, SQLITE)
        for statement in (ABOUT, *every[: len(every) - len(later)]):
            connection.execute(statement)
        return _schema(connection)


def _schema(connection: sqlite3.Connection) -> dict[str, tuple[str, str | None]]:
    return {name: (table, sql) for name, table, sql in connection.execute(SCHEMA)}


class SqliteSnapshot:
    """See `inspection.Snapshot`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._columns = self._columns_of("tables")
        self.version = self._version()

    def _version(self) -> int:
        """The version of the schema; if the store does not say it, the one that has these columns."""
        with contextlib.suppress(*UNREADABLE):
            row = self.connection.execute(VERSION).fetchone()
            if row and isinstance(row[0], int) and row[0] > 0:
                return row[0]
        return latest_version() if "digest" in self._columns else 1

    def _columns_of(self, table: str) -> list[str]:
        with contextlib.suppress(*UNREADABLE):
            return [row[1] for row in self.connection.execute(f"PRAGMA table_info({table})")]
        return []

    def problems(self) -> list[str]:
        try:
            tables = set(_schema(self.connection))
        except UNREADABLE as error:
            return [f"the file is damaged, or is no database: {error}"]
        if not {"table about", "table tables", "table events"} & tables:
            return ["there is no store in this file: it is empty, or a database of another program"]
        return [*self._schema_problems(), *self._messages]

    def _schema_problems(self) -> list[str]:
        expected, found = expected_schema(self.version), _schema(self.connection)
        problems = [f"the {name} is missing" for name in expected if name not in found]
        problems += [f"the {name} is not a part of a store" for name in found if name not in expected]
        for name in expected.keys() & found.keys():
            if [_one_line(part) for part in expected[name]] != [_one_line(part) for part in found[name]]:
                problems.append(f"the {name} is not as it was created")
        with contextlib.suppress(*UNREADABLE):
            if not self.connection.execute(VERSION).fetchone():
                problems.append("the version of the schema is missing")
        return problems

    @cached_property
    def _messages(self) -> list[str]:
        """What SQLite says about its pages and indexes."""
        try:
            rows = self.connection.execute(f"PRAGMA integrity_check({MAX_MESSAGES})").fetchall()
        except UNREADABLE as error:
            return [f"SQLite cannot check the file: {error}"]
        lines = [line for (text,) in rows for line in str(text).splitlines() if not line.startswith("***")]
        return [] if lines == ["ok"] else [f"SQLite says: {line}" for line in lines[:MAX_MESSAGES]]

    @cached_property
    def _is_damaged(self) -> bool:
        """Whether rows have to be searched for."""
        if self._messages:
            return True
        wanted = expected_schema(self.version) if self.version <= latest_version() else {}
        return not {"table tables", "table events"} <= _schema(self.connection).keys() & wanted.keys()

    def numbers(self) -> list[int]:
        if not self._is_damaged:
            query = "SELECT number FROM tables UNION SELECT DISTINCT number FROM events ORDER BY number"
            with contextlib.suppress(*UNREADABLE):
                return [number for (number,) in self.connection.execute(query)]
            self.__dict__["_is_damaged"] = True
        known = {*self._names, *self._rows, *self._events}
        return sorted(known, key=lambda number: (str(type(number)), number))

    def table(self, number: int) -> RawTable:
        if not self._is_damaged:
            try:
                return self._table_by_index(number)
            except UNREADABLE:
                self.__dict__["_is_damaged"] = True
        row = self._rows.get(number)
        events = sorted(self._events.get(number, ()), key=lambda event: (str(type(event[0])), event[0]))
        name = self._names.get(number, "")
        return RawTable(number, row, events, "its row cannot be read" if name and row is None else "", name)

    def _table_by_index(self, number: int) -> RawTable:
        columns = ", ".join(self._known_columns)
        row = self.connection.execute(f"SELECT {columns} FROM tables WHERE number = ?", (number,)).fetchone()
        query = "SELECT seq, text FROM events WHERE number = ? ORDER BY seq"
        events = self.connection.execute(query, (number,)).fetchall()
        return RawTable(number, dict(zip(self._known_columns, row, strict=True)) if row else None, events)

    @property
    def _known_columns(self) -> list[str]:
        return [column for column in TABLE_COLUMNS if column in self._columns]

    # --- searching

    @cached_property
    def _rows(self) -> dict[int, dict[str, Any]]:
        """The rows of `tables` that can be read."""
        found = self._search("tables", self._known_columns)
        return {row["number"]: row for row in (dict(zip(self._known_columns, row, strict=True)) for row in found)}

    @cached_property
    def _events(self) -> dict[Any, list[tuple[Any, Any]]]:
        """The rows of `events` that can be read, by table."""
        events: dict[Any, list[tuple[Any, Any]]] = {}
        for number, seq, text in self._search("events", EVENT_COLUMNS):
            events.setdefault(number, []).append((seq, text))
        return events

    @cached_property
    def _names(self) -> dict[int, str]:
        """The names of tables by their numbers, from the index."""
        query = "SELECT number, name FROM tables INDEXED BY sqlite_autoindex_tables_1 ORDER BY name"
        names: dict[int, str] = {}
        with contextlib.suppress(*UNREADABLE):
            for number, name in self.connection.execute(query):
                names[number] = name
        return names

    def _search(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """All rows of a table that can be read, without its indexes."""
        if not columns:
            return
        query = f"SELECT rowid, {', '.join(columns)} FROM {table} NOT INDEXED WHERE rowid >= ? ORDER BY rowid"
        start = 0
        while start <= MAX_ROWID:
            try:
                for rowid, *row in self.connection.execute(query, (start,)):
                    start = rowid + 1
                    yield tuple(row)
                return
            except UNREADABLE:
                start = self._next_readable(query, start)

    def _next_readable(self, query: str, after: int) -> int:
        """The smallest row id, after unreadable rows, from which on something can be read again."""

        def is_readable(start: int) -> bool:
            try:
                self.connection.execute(query, (start,)).fetchone()
            except UNREADABLE:
                return False
            return True

        return _first(is_readable, after)


def _first(is_readable: Callable[[int], bool], after: int) -> int:
    """The first number above `after` that is readable, found by doubling and bisection."""
    step = 1
    while after + step <= MAX_ROWID and not is_readable(after + step):
        step *= 2
    low, high = after + step // 2, min(after + step, MAX_ROWID + 1)
    while low + 1 < high:
        middle = (low + high) // 2
        if is_readable(middle):
            high = middle
        else:
            low = middle
    return high


def _one_line(text: object) -> str:
    return " ".join(str(text or "").split())
