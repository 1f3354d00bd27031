"""The rows of a store in PostgreSQL, read in spite of damage."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import psycopg

from tilery.core.refusals import Refused
from tilery.server.store.inspection import TABLE_COLUMNS, RawTable
from tilery.server.store.migrations import (
    MIGRATIONS,
    POSTGRES,
    SCHEMA,
    version_of_postgres,
)
from tilery.server.store.postgres_connection import Address, in_one_line

INDEXES = """
    SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s"""
CONSTRAINT_INDEXES = ("about_pkey", "tables_pkey", "tables_name_key", "events_pkey", "owners_pkey")


@contextlib.contextmanager
def connected(address: Address) -> Iterator[psycopg.Connection]:
    """A connection in autocommit mode; its errors are refusals without the password."""
    try:
        with psycopg.connect(address.conninfo, autocommit=True) as connection:
            yield connection
    except psycopg.Error as error:
        raise address.refusal(error) from None


@contextlib.contextmanager
def read_transaction(database: str) -> Iterator[tuple[psycopg.Connection, int]]:
    """A store as it is at this moment, whatever is written meanwhile, and its version."""
    with connected(Address(database)) as connection:
        version = version_of_postgres(connection)
        if not version:
            raise Refused("there is no store in this database")
        connection.execute(f"SET search_path = {SCHEMA}")
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        with connection.transaction():
            yield connection, version


@contextlib.contextmanager
def open_postgres_snapshot(database: str) -> Iterator[PostgresSnapshot]:
    """Open a store for inspection."""
    with read_transaction(database) as (connection, version):
        yield PostgresSnapshot(connection, version)


def expected_indexes(version: int) -> dict[str, str]:
    """The indexes of a version, each with the statement that creates it ("" for those that belong to a table)."""
    statements = [text.format_map(POSTGRES) for migration in MIGRATIONS[:version] for text in migration.statements]
    named = {match[1]: text for text in statements if (match := re.match(r"CREATE INDEX (\w+)", text))}
    return dict.fromkeys(CONSTRAINT_INDEXES, "") | named


class PostgresSnapshot:
    """See `inspection.Snapshot`."""

    def __init__(self, connection: psycopg.Connection, version: int) -> None:
        self._connection = connection
        self.version = version
        rows = self._rows(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = 'tables'",
            SCHEMA,
        )
        columns = {row[0] for row in rows}
        self._columns = [column for column in TABLE_COLUMNS if column in columns]

    def problems(self) -> list[str]:
        found = dict(self._rows(INDEXES, SCHEMA))
        expected = expected_indexes(self.version)
        problems = [f"the index {name} is missing" for name in expected if name not in found]
        return problems + [f"the index {name} is not valid" for name, is_valid in found.items() if not is_valid]

    def numbers(self) -> list[int]:
        numbers: set[int] = set()
        for query in ("SELECT number FROM tables", "SELECT DISTINCT number FROM events"):
            with contextlib.suppress(psycopg.Error):
                numbers.update(number for (number,) in self._rows(query))
        return sorted(numbers)

    def table(self, number: int) -> RawTable:
        row: dict[str, Any] | None = None
        events: list[tuple[Any, Any]] = []
        try:
            for values in self._rows(f"SELECT {', '.join(self._columns)} FROM tables WHERE number = %s", number):
                row = dict(zip(self._columns, values, strict=True))
            query = "SELECT seq, text FROM events WHERE number = %s ORDER BY seq"
            events = [(seq, text) for seq, text in self._rows(query, number)]
        except psycopg.Error as error:
            return RawTable(number, row, events, f"it cannot be read: {in_one_line(error)}")
        return RawTable(number, row, events)

    def _rows(self, query: str, *arguments: object) -> list[tuple[Any, ...]]:
        """The rows of a query; if it fails, the transaction goes on."""
        with self._connection.transaction():
            return self._connection.execute(query.encode(), arguments).fetchall()
