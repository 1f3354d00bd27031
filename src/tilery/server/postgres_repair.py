"""The repair of a store in PostgreSQL: in one transaction, after the damaged tables were copied into a file."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import psycopg

from tilery.core.refusals import Refused
from tilery.server.integrity import CheckedTable, Progress, check_tables
from tilery.server.repair import Repair, aside_file, survey
from tilery.server.store.migrations import SCHEMA, latest_version, version_of_postgres
from tilery.server.store.new_file import refuse_existing
from tilery.server.store.postgres_connection import Address
from tilery.server.store.postgres_inspection import (
    PostgresSnapshot,
    connected,
    expected_indexes,
    open_postgres_snapshot,
)
from tilery.server.store.postgres_sql import LIVE_OWNERS
from tilery.server.store.sqlite_writer import summary_columns

CORRECT = "UPDATE tables SET digest = %s, status = %s, public = %s, wake = %s, card = %s WHERE number = %s"


def repair_postgres(database: str, aside: Path, dry_run: bool, progress: Progress) -> Repair:
    """See `repair.repair`."""
    refuse_existing(aside)
    with open_postgres_snapshot(database) as snapshot:
        found = survey(snapshot, progress)
    if dry_run or not found.is_needed:
        return found
    try:
        with connected(Address(database)) as connection:
            connection.execute(f"SET search_path = {SCHEMA}")
            with connection.transaction():
                _repair(connection, found, aside, progress)
    except (OSError, sqlite3.Error) as error:
        raise Refused(f"{aside} cannot be written, and the store is as it was: {error}") from None
    found.aside = aside if found.set_aside else None
    return found


def _repair(connection: psycopg.Connection, found: Repair, aside: Path, progress: Progress) -> None:
    connection.execute("LOCK TABLE tables, events, owners IN EXCLUSIVE MODE")
    if connection.execute(LIVE_OWNERS.encode()).fetchone():
        raise Refused("a server is using this store: stop all of them first")
    version = version_of_postgres(connection)
    if version != latest_version():
        raise Refused("start the server once, which migrates the store, and stop it again: then repair the store")
    snapshot = PostgresSnapshot(connection, version)
    with contextlib.ExitStack() as stack:
        add = stack.enter_context(aside_file(aside)) if found.set_aside else None
        for table in check_tables(snapshot, progress):
            if not table.is_damaged:
                _correct(connection, table)
            elif add:
                add(table)
                for name in ("events", "tables"):
                    connection.execute(f"DELETE FROM {name} WHERE number = %s".encode(), (table.raw.number,))
    for name, statement in expected_indexes(version).items():
        if statement and any(name in finding.problem for finding in found.findings if not finding.table):
            connection.execute(f"DROP INDEX IF EXISTS {name}".encode())
            connection.execute(statement.encode())


def _correct(connection: psycopg.Connection, table: CheckedTable) -> None:
    """Write what follows from the events of a table."""
    assert table.summary
    if table.findings or not table.has_digest:
        values = (table.digest, *summary_columns(table.summary), table.raw.number)
        connection.execute(CORRECT.encode(), values)
