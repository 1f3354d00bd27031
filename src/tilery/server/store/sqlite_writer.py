"""The writer thread of a SQLite store: it writes everything that is waiting in one transaction.

Every call into SQLite releases the GIL, and getting it back from a busy event loop takes up to 5 ms each time. So a
group is not a thousand small statements but a handful of large ones, with the rows as JSON. With an event loop that is
always busy, groups of 100 were written 24 times as fast that way (6,800 appends a second instead of 280).
"""

from __future__ import annotations

import contextlib
import json
import queue
import sqlite3
from asyncio import Future
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any

import msgspec

from tilery.server.store.disk_watch import LOOK_INTERVAL, DiskWatch, write_error
from tilery.server.store.interface import NewTableRow, StaleWrite, StoreError, Summary
from tilery.server.store.write_requests import WriteRequest, rounds

PendingWrite = tuple[WriteRequest, "Future[None]"]
Row = tuple[Any, ...]
WriteResults = list[tuple["Future[None]", StoreError | None]]


def _json_columns(*names: str) -> str:
    """The columns of a JSON row, for SELECT."""
    return ", ".join(f"json_extract(value, '$[{column}]') AS {name}" for column, name in enumerate(names))


BEHIND = """
    SELECT json_group_array(json_extract(g.value, '$[0]'))
    FROM json_each(?) g LEFT JOIN tables t ON t.number = json_extract(g.value, '$[0]')
    WHERE t.seq IS NOT json_extract(g.value, '$[1]')"""
TAKEN = "SELECT json_group_array(name) FROM tables WHERE name IN (SELECT value FROM json_each(?))"
# Not WITH ... UPDATE: Python sets `rowcount` only for a statement that begins with UPDATE.
UPDATE_TABLES = f"""
    UPDATE tables
    SET seq = g.last, digest = g.digest, status = g.status, public = g.public, wake = g.wake, card = g.card
    FROM (SELECT {_json_columns("number", "after", "last", "digest", "status", "public", "wake", "card")}
        FROM json_each(?)) g
    WHERE tables.number = g.number AND tables.seq = g.after"""
INSERT_EVENTS = f"""
    INSERT INTO events (number, seq, text) SELECT {_json_columns("number", "seq", "text")} FROM json_each(?)"""
# All secrets are one blob: JSON cannot hold bytes.
INSERT_TABLES = f"""
    INSERT INTO tables (name, secret, seq, digest, status, public, wake, card)
    SELECT name, substr(CAST(?2 AS BLOB), first, length), seq, digest, status, public, wake, card
    FROM (SELECT {_json_columns("name", "first", "length", "seq", "digest", "status", "public", "wake", "card")}
        FROM json_each(?1))"""
INSERT_FIRST_EVENTS = """
    INSERT INTO events (number, seq, text)
    SELECT t.number, json_extract(g.value, '$[1]'), json_extract(g.value, '$[2]')
    FROM json_each(?) g CROSS JOIN tables t ON t.name = json_extract(g.value, '$[0]')"""

# A trigger writes a whole group in one statement, which is a transaction by itself: all or nothing. Every call into
# SQLite releases the GIL, and other threads wait while this one gets it back.
CREATE_GROUPS_VIEW = """
    CREATE TEMP VIEW groups AS
    SELECT NULL AS updates, NULL AS events, NULL AS new_tables, NULL AS secrets, NULL AS first_events"""
CREATE_GROUP_TRIGGER = f"""
    CREATE TEMP TRIGGER write_group INSTEAD OF INSERT ON groups BEGIN
        {UPDATE_TABLES.replace("?", "NEW.updates")};
        SELECT RAISE(ABORT, 'behind') WHERE changes() <> json_array_length(NEW.updates);
        {INSERT_EVENTS.replace("?", "NEW.events")};
        {INSERT_TABLES.replace("?1", "NEW.new_tables").replace("?2", "NEW.secrets")};
        {INSERT_FIRST_EVENTS.replace("?", "NEW.first_events")};
    END"""
INSERT_GROUP = "INSERT INTO groups VALUES (?, ?, ?, ?, ?)"
BAD_DATA = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)


def as_json(rows: Sequence[Sequence[Any]]) -> str:
    """Rows for `json_each`. Raises `ValueError` for a text with a NUL, at which SQLite would silently truncate it."""
    text = msgspec.json.encode(rows).decode()
    if "\\u0000" in text and any("\0" in cell for row in rows for cell in row if isinstance(cell, str)):
        raise ValueError("a text that contains a NUL cannot be stored")
    return text


def summary_columns(summary: Summary) -> tuple[str, int, float | None, str]:
    """A summary as values of columns. Raises `ValueError` for a time that is not a number, which JSON cannot hold."""
    if summary.wake is not None and not isfinite(summary.wake):
        raise ValueError(f"{summary.wake} is not a time")
    return summary.status, int(summary.public), summary.wake, summary.card


class Writer:
    """Writes groups of requests, each in one transaction, and reports the results of a group in one call."""

    def __init__(
        self, connection: sqlite3.Connection, watch: DiskWatch, on_written: Callable[[WriteResults], None]
    ) -> None:
        self.connection = connection
        self.watch = watch
        connection.execute(CREATE_GROUPS_VIEW)
        connection.execute(CREATE_GROUP_TRIGGER)
        self._on_written = on_written
        self._queue: queue.SimpleQueue[list[PendingWrite] | None] = queue.SimpleQueue()

    def put(self, group: list[PendingWrite] | None) -> None:
        """Add a group; None ends the thread after everything before it is written."""
        self._queue.put(group)

    def run(self) -> None:
        """The main function of the thread."""
        while True:
            try:
                group = self._queue.get(timeout=LOOK_INTERVAL)
            except queue.Empty:
                self.watch.look()
                continue
            if group is None:
                return
            results = self._write([request for request, _ in group])
            self._on_written([(future, result) for (_, future), result in zip(group, results, strict=True)])
            self.watch.reported(len(group))

    def _write(self, requests: Sequence[WriteRequest]) -> Sequence[StoreError | None]:
        """Write requests, unless the disk is full or the files are not those that were opened."""
        if refusal := self.watch.refusal():
            return [refusal] * len(requests)
        return self.watch.wrote(write(self.connection, requests))


def write(connection: sqlite3.Connection, requests: Sequence[WriteRequest]) -> list[StoreError | None]:
    """Write requests in one transaction; for each, None or why it was not written. A request that SQLite rejects is
    isolated by bisection, so that the others are written."""
    try:
        if _write_in_one_statement(connection, requests):
            return [None] * len(requests)
        return _transaction(connection, requests)
    except Exception as error:
        if isinstance(error, sqlite3.Error) and not isinstance(error, BAD_DATA):
            return [write_error(error) for _ in requests]
        if len(requests) == 1:
            return [_refusal(error)]
    half = len(requests) // 2
    return write(connection, requests[:half]) + write(connection, requests[half:])


def _refusal(error: Exception) -> StoreError:
    if isinstance(error, sqlite3.IntegrityError):
        return StaleWrite(f"the table or event exists already: {error}")
    return StoreError(f"the request cannot be stored: {error}")


def _write_in_one_statement(connection: sqlite3.Connection, requests: Sequence[WriteRequest]) -> bool:
    """The fast path, for a group of different tables without conflicts. Otherwise writes nothing; returns False."""
    names = [name for request in requests for name in request.names()]
    if len(set(names)) < len(names):
        return False
    updates, events = _update_rows([request for request in requests if request.batch])
    inserts = [new_table for request in requests for new_table in request.new_tables]
    new_tables, secrets, first_events = _new_table_rows(inserts)
    try:
        lists = as_json(updates), as_json(events), as_json(new_tables), secrets, as_json(first_events)
        connection.execute(INSERT_GROUP, lists)
    except sqlite3.IntegrityError:
        return False  # a conflict: the slow path finds out which
    return True


def _transaction(connection: sqlite3.Connection, requests: Sequence[WriteRequest]) -> list[StoreError | None]:
    results: list[StoreError | None] = [None] * len(requests)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for indexes in rounds(requests):
            for index, error in _round(connection, {index: requests[index] for index in indexes}):
                results[index] = error
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
            connection.rollback()
        raise
    return results


def _round(connection: sqlite3.Connection, requests: dict[int, WriteRequest]) -> Iterable[tuple[int, StoreError]]:
    """Write the requests of a round that have no conflict; returns the errors of the others, by index."""
    errors = dict(_errors(connection, requests))
    good = [request for index, request in requests.items() if index not in errors]
    _update_tables(connection, [request for request in good if request.batch])
    _insert_tables(connection, [new_table for request in good for new_table in request.new_tables])
    return errors.items()


def _errors(connection: sqlite3.Connection, requests: dict[int, WriteRequest]) -> Iterable[tuple[int, StoreError]]:
    known = [(request.number, request.batch.after) for request in requests.values() if request.batch]
    names = [new_table.table for request in requests.values() for new_table in request.new_tables]
    behind = set(_read(connection, BEHIND, as_json(known))) if known else set()
    taken = set(_read(connection, TAKEN, as_json(names))) if names else set()
    for index, request in requests.items():
        if request.batch and request.number in behind:
            yield index, StaleWrite(f"event {request.batch.after} is not the last one of table {request.batch.table}")
        elif taken and any(new_table.table in taken for new_table in request.new_tables):
            yield index, StaleWrite("a table with this name exists already")


def _read(connection: sqlite3.Connection, query: str, argument: str) -> list[Any]:
    """Read one row that holds a list: fetching many rows would release the GIL for each."""
    values: list[Any] = json.loads(connection.execute(query, (argument,)).fetchone()[0])
    return values


def _update_rows(requests: Sequence[WriteRequest]) -> tuple[list[Row], list[Row]]:
    """Rows for `UPDATE_TABLES`, and for `INSERT_EVENTS`."""
    updates: list[Row] = []
    events: list[Row] = []
    for request in requests:
        batch = request.batch
        assert batch
        last = batch.after + len(batch.events)
        updates.append((request.number, batch.after, last, batch.digest, *summary_columns(batch.summary)))
        events += [(request.number, seq, text) for seq, text in enumerate(batch.events, batch.after + 1)]
    return updates, events


def _update_tables(connection: sqlite3.Connection, requests: Sequence[WriteRequest]) -> None:
    updates, events = _update_rows(requests)
    if updates and connection.execute(UPDATE_TABLES, (as_json(updates),)).rowcount != len(updates):
        raise sqlite3.DatabaseError("a table changed while it was locked")
    if events:
        connection.execute(INSERT_EVENTS, (as_json(events),))


def _new_table_rows(new_tables: Sequence[NewTableRow]) -> tuple[list[Row], bytes, list[Row]]:
    """Rows for `INSERT_TABLES`, all secrets in one blob, and rows for `INSERT_FIRST_EVENTS`."""
    rows: list[Row] = []
    events: list[Row] = []
    first = 1
    for new_table in new_tables:
        length = len(new_table.secret)
        count, summary = len(new_table.events), summary_columns(new_table.summary)
        rows.append((new_table.table, first, length, count, new_table.digest, *summary))
        events += [(new_table.table, seq, text) for seq, text in enumerate(new_table.events, 1)]
        first += length
    return rows, b"".join([new_table.secret for new_table in new_tables]), events


def _insert_tables(connection: sqlite3.Connection, new_tables: Sequence[NewTableRow]) -> None:
    rows, secrets, events = _new_table_rows(new_tables)
    if rows:
        connection.execute(INSERT_TABLES, (as_json(rows), secrets))
    if events:
        connection.execute(INSERT_FIRST_EVENTS, (as_json(events),))
