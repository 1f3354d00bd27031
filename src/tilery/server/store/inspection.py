"""A store as it is, whatever has happened to it: every table with its rows. Damage is reported, and never stops it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from tilery.server.store.interface import StoreError, Summary
from tilery.server.store.open import is_postgres, path_of

TABLE_COLUMNS = ("number", "name", "secret", "seq", "digest", "status", "public", "wake", "card", "lease", "owner")
EVENT_COLUMNS = ("number", "seq", "text")
# What a column may hold; `wake` and `digest` may be missing.
_TYPES: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "secret": (bytes,),
    "seq": (int,),
    "digest": (str, type(None)),
    "status": (str,),
    "public": (int,),
    "wake": (int, float, type(None)),
    "card": (str,),
    "lease": (int,),
    "owner": (str, type(None)),
}


class BadRows(Exception):
    """The rows of a table are not what a store writes."""


class RawTable(NamedTuple):
    """The rows of a table, which may hold anything."""

    number: int
    row: dict[str, Any] | None  # by column; None if it is missing or cannot be read
    events: Sequence[tuple[Any, Any]]  # number and text, sorted by number
    unreadable: str = ""  # what could not be read
    known_name: str = ""  # from an index, if the row cannot be read

    @property
    def name(self) -> str:
        """The name, or a description of a table whose name cannot be read."""
        name = self.row.get("name") if self.row else self.known_name
        return name if isinstance(name, str) and name.isprintable() and name else f"(number {self.number})"


class StoredTable(NamedTuple):
    """A table whose rows are what a store writes."""

    name: str
    secret: bytes
    digest: str | None
    summary: Summary
    texts: tuple[str, ...]


class Snapshot(Protocol):
    """A store as it was at one moment."""

    version: int

    def problems(self) -> list[str]:
        """What is wrong with the store as a whole: its schema, its indexes, its pages."""

    def numbers(self) -> list[int]:
        """The numbers of all tables that have a row or events."""

    def table(self, number: int) -> RawTable:
        """The rows of a table."""


def read_rows(raw: RawTable) -> StoredTable:
    """A table from its rows. Raises `BadRows`."""
    row = raw.row
    if raw.unreadable:
        raise BadRows(raw.unreadable)
    if row is None:
        raise BadRows(f"{len(raw.events)} events belong to no table")
    for column, types in _TYPES.items():
        if column in row and not isinstance(row[column], types):
            raise BadRows(f"its `{column}` holds something else ({type(row[column]).__name__})")
    if row.get("lease", 0) < 0 or row["public"] not in (0, 1) or not raw.name == row["name"]:
        raise BadRows("its row holds impossible values")
    numbers = [number for number, _ in raw.events]
    if numbers != list(range(1, row["seq"] + 1)):
        raise BadRows(_numbering_problem(numbers, row["seq"]))
    texts = tuple(text for _, text in raw.events)
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise BadRows(f"event {number} is not text")
    summary = Summary(row["status"], bool(row["public"]), row["wake"], row["card"])
    return StoredTable(row["name"], row["secret"], row.get("digest"), summary, texts)


def _numbering_problem(numbers: Sequence[Any], last: int) -> str:
    """Why events are not numbered from 1 to `last`."""
    if not numbers:
        return "it has no events"
    seen: set[Any] = set()
    for number in numbers:
        if number in seen:
            return f"there are two events {number}"
        seen.add(number)
    missing = next(number for number in range(1, len(numbers) + 2) if number not in seen)
    if missing <= last:
        return f"event {missing} of {last} is missing"
    return f"it has {len(numbers)} events instead of {last}"


@contextmanager
def open_snapshot(database: str) -> Iterator[Snapshot]:
    """Open a store for inspection; a server may be using it."""
    if is_postgres(database):
        from tilery.server.store.postgres_inspection import open_postgres_snapshot as opened
    else:
        from tilery.server.store.sqlite_inspection import open_sqlite_snapshot

        with open_sqlite_snapshot(path_of(database)) as sqlite:
            yield sqlite
        return
    with opened(database) as postgres:
        yield postgres


def walk(database: str) -> Iterator[tuple[str, bytes, list[str]]]:
    """Iterate over a snapshot of a store or a backup: name, secret and events of every table, the oldest first. Raises
    `StoreError` at a damaged table."""
    with open_snapshot(database) as snapshot:
        for number in snapshot.numbers():
            raw = snapshot.table(number)
            try:
                table = read_rows(raw)
            except BadRows as problem:
                raise StoreError(f"table {raw.name} is damaged: {problem}") from None
            yield table.name, table.secret, list(table.texts)
