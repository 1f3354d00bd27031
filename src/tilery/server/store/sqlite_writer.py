"""The one writer of a SQLite store: a thread that writes all that is waiting in one transaction.

Every call into SQLite lets go of Python's lock, and getting it back from a busy event loop takes up to 5 ms each time.
So a group is not a thousand small statements but a handful of big ones, with the rows as JSON. With an event loop that
is always busy, groups of 100 were written 24 times as fast that way (6,800 appends a second instead of 280).
"""

from __future__ import annotations

import contextlib
import json
import queue
import sqlite3
from asyncio import Future
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tilery.server.store.asks import Ask, rounds
from tilery.server.store.interface import Behind, Founding, StoreDown, StoreError, Summary

Waiting = tuple[Ask, "Future[None]"]
Row = tuple[Any, ...]
Answers = list[tuple["Future[None]", StoreError | None]]


def _named(*names: str) -> str:
    """The columns of a row of JSON."""
    return ", ".join(f"json_extract(value, '$[{column}]') AS {name}" for column, name in enumerate(names))


BEHIND = """
    SELECT json_group_array(json_extract(g.value, '$[0]'))
    FROM json_each(?) g LEFT JOIN tables t ON t.number = json_extract(g.value, '$[0]')
    WHERE t.seq IS NOT json_extract(g.value, '$[1]')"""
TAKEN = "SELECT json_group_array(name) FROM tables WHERE name IN (SELECT value FROM json_each(?))"
# Not WITH ... UPDATE: Python counts the rows of a statement only if it begins with the deed.
MOVE = f"""
    UPDATE tables SET seq = g.last, status = g.status, public = g.public, wake = g.wake, card = g.card
    FROM (SELECT {_named("number", "after", "last", "status", "public", "wake", "card")} FROM json_each(?)) g
    WHERE tables.number = g.number AND tables.seq = g.after"""
NOTE = f"INSERT INTO events (number, seq, text) SELECT {_named('number', 'seq', 'text')} FROM json_each(?)"
# All secrets are one blob: JSON cannot hold bytes.
FOUND = f"""
    INSERT INTO tables (name, secret, seq, status, public, wake, card)
    SELECT name, substr(CAST(?2 AS BLOB), first, length), seq, status, public, wake, card
    FROM (SELECT {_named("name", "first", "length", "seq", "status", "public", "wake", "card")} FROM json_each(?1))"""
NOTE_FOUNDED = """
    INSERT INTO events (number, seq, text)
    SELECT t.number, json_extract(g.value, '$[1]'), json_extract(g.value, '$[2]')
    FROM json_each(?) g CROSS JOIN tables t ON t.name = json_extract(g.value, '$[0]')"""

# A whole group in one statement, which is a transaction by itself: it takes all of it or nothing. Every call
# into SQLite lets go of Python's lock, and getting it back takes it away from everybody else.
GROUPS = """
    CREATE TEMP VIEW groups AS
    SELECT NULL AS moves, NULL AS notes, NULL AS founded, NULL AS secrets, NULL AS first_notes"""
TAKE_GROUP = f"""
    CREATE TEMP TRIGGER take_group INSTEAD OF INSERT ON groups BEGIN
        {MOVE.replace("?", "NEW.moves")};
        SELECT RAISE(ABORT, 'behind') WHERE changes() <> json_array_length(NEW.moves);
        {NOTE.replace("?", "NEW.notes")};
        {FOUND.replace("?1", "NEW.founded").replace("?2", "NEW.secrets")};
        {NOTE_FOUNDED.replace("?", "NEW.first_notes")};
    END"""
PUT_GROUP = "INSERT INTO groups VALUES (?, ?, ?, ?, ?)"
BAD = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)


def as_json(rows: Sequence[Sequence[Any]]) -> str:
    """Rows for `json_each`. It would cut a text at a NUL without a word, so that is refused."""
    text = json.dumps(rows, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if "\\u0000" in text and any("\0" in cell for row in rows for cell in row if isinstance(cell, str)):
        raise ValueError("a text with a NUL in it cannot be stored")
    return text


def told(summary: Summary) -> tuple[str, int, float | None, str]:
    """A summary as columns."""
    return summary.status, int(summary.public), summary.wake, summary.card


class Writer:
    """Takes groups, writes each in one transaction, and hands its answers on in one call."""

    def __init__(self, connection: sqlite3.Connection, answer: Callable[[Answers], None]) -> None:
        self.connection = connection
        connection.execute(GROUPS)
        connection.execute(TAKE_GROUP)
        self._answer = answer
        self._queue: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()

    def put(self, group: list[Waiting] | None) -> None:
        """None is the last thing to be put: the writer ends when everything before it is written."""
        self._queue.put(group)

    def run(self) -> None:
        """The work of the thread."""
        while group := self._queue.get():
            results = write(self.connection, [ask for ask, _ in group])
            self._answer([(future, result) for (_, future), result in zip(group, results, strict=True)])


def write(connection: sqlite3.Connection, asks: Sequence[Ask]) -> list[StoreError | None]:
    """One transaction; for each ask None or why it was not written. What SQLite cannot take at all is found by halves,
    so that it harms nobody else."""
    try:
        if _at_once(connection, asks):
            return [None] * len(asks)
        return _transaction(connection, asks)
    except Exception as error:
        if isinstance(error, sqlite3.Error) and not isinstance(error, BAD):
            return [StoreDown(f"the store cannot write: {error}") for _ in asks]
        if len(asks) == 1:
            return [_refusal(error)]
    half = len(asks) // 2
    return write(connection, asks[:half]) + write(connection, asks[half:])


def _refusal(error: Exception) -> StoreError:
    if isinstance(error, sqlite3.IntegrityError):
        return Behind(f"it is there already: {error}")
    return StoreError(f"it cannot be stored: {error}")


def _at_once(connection: sqlite3.Connection, asks: Sequence[Ask]) -> bool:
    """Groups are mostly of different tables, and everything fits. False if this one is not like that."""
    names = [name for ask in asks for name in ask.names()]
    if len(set(names)) < len(names):
        return False
    moves, notes = _moves_of([ask for ask in asks if ask.batch])
    founded, secrets, first_notes = _foundings_of([founding for ask in asks for founding in ask.founded])
    try:
        lists = as_json(moves), as_json(notes), as_json(founded), secrets, as_json(first_notes)
        connection.execute(PUT_GROUP, lists)
    except sqlite3.IntegrityError:
        return False  # something does not fit: look what
    return True


def _transaction(connection: sqlite3.Connection, asks: Sequence[Ask]) -> list[StoreError | None]:
    results: list[StoreError | None] = [None] * len(asks)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for places in rounds(asks):
            for place, error in _round(connection, {place: asks[place] for place in places}):
                results[place] = error
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
            connection.rollback()
        raise
    return results


def _round(connection: sqlite3.Connection, asks: dict[int, Ask]) -> Iterable[tuple[int, StoreError]]:
    """Look first, then write the good ones; the others are answered."""
    errors = dict(_errors(connection, asks))
    good = [ask for place, ask in asks.items() if place not in errors]
    _move(connection, [ask for ask in good if ask.batch])
    _found(connection, [founding for ask in good for founding in ask.founded])
    return errors.items()


def _errors(connection: sqlite3.Connection, asks: dict[int, Ask]) -> Iterable[tuple[int, StoreError]]:
    known = [(ask.number, ask.batch.after) for ask in asks.values() if ask.batch]
    names = [founding.table for ask in asks.values() for founding in ask.founded]
    behind = set(_read(connection, BEHIND, as_json(known))) if known else set()
    taken = set(_read(connection, TAKEN, as_json(names))) if names else set()
    for place, ask in asks.items():
        if ask.batch and ask.number in behind:
            yield place, Behind(f"event {ask.batch.after} is not the last one of table {ask.batch.table}")
        elif taken and any(founding.table in taken for founding in ask.founded):
            yield place, Behind("there is a table of this name already")


def _read(connection: sqlite3.Connection, query: str, argument: str) -> list[Any]:
    """One row that holds a list: fetching many rows would let go of Python's lock for each."""
    found: list[Any] = json.loads(connection.execute(query, (argument,)).fetchone()[0])
    return found


def _moves_of(asks: Sequence[Ask]) -> tuple[list[Row], list[Row]]:
    """What batches change of their tables, and their events."""
    moves: list[Row] = []
    notes: list[Row] = []
    for ask in asks:
        batch = ask.batch
        assert batch
        moves.append((ask.number, batch.after, batch.after + len(batch.events), *told(batch.summary)))
        notes += [(ask.number, seq, text) for seq, text in enumerate(batch.events, batch.after + 1)]
    return moves, notes


def _move(connection: sqlite3.Connection, asks: Sequence[Ask]) -> None:
    moves, notes = _moves_of(asks)
    if moves and connection.execute(MOVE, (as_json(moves),)).rowcount != len(moves):
        raise sqlite3.DatabaseError("a table has changed while it was locked")
    if notes:
        connection.execute(NOTE, (as_json(notes),))


def _foundings_of(foundings: Sequence[Founding]) -> tuple[list[Row], bytes, list[Row]]:
    """Rows of new tables, all their secrets, and their events."""
    rows: list[Row] = []
    notes: list[Row] = []
    first = 1
    for founding in foundings:
        length = len(founding.secret)
        rows.append((founding.table, first, length, len(founding.events), *told(founding.summary)))
        notes += [(founding.table, seq, text) for seq, text in enumerate(founding.events, 1)]
        first += length
    return rows, b"".join([founding.secret for founding in foundings]), notes


def _found(connection: sqlite3.Connection, foundings: Sequence[Founding]) -> None:
    rows, secrets, notes = _foundings_of(foundings)
    if rows:
        connection.execute(FOUND, (as_json(rows), secrets))
    if notes:
        connection.execute(NOTE_FOUNDED, (as_json(notes),))
