"""The interface of a store: an append-only log and an owner for each table, and notifications between processes.

Every store keeps these promises; tests/server/store/test_contract.py checks them for each:

1. `append` returns only when the events are durable; then they are never lost, changed or given another number.
2. A batch is written completely or not at all, only by the holder of the table's newest lease, and only directly after
   the last event that its writer knew. Otherwise `append` raises `LeaseLost` or `StaleWrite`, and nothing has changed.
3. Only `secret_of` returns a table's secret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

from tilery.server.store.digests import NO_EVENTS, extend_digest

ShownStatus = Literal["open", "playing"]  # of tables in the lobby
# Whether a store can be written: its disk may be full, or its files may have been deleted or replaced.
StoreHealth = Literal["ok", "full", "replaced"]
EVENTS_IN_PAGE = 500  # that a store reads at a time, so that a long table does not hold up everything else


class StoreError(Exception):
    """An operation failed; nothing has changed."""


class LeaseLost(StoreError):
    """Another process owns the table by now: the lease is no longer the newest."""


class StaleWrite(StoreError):
    """The writer does not know the table's last event."""


class StoreDown(StoreError):
    """The store does not respond, or cannot write (a full disk, a lost connection). Whether a pending batch was written
    is unknown: read the events before trying again."""


class DiskFull(StoreDown):
    """The disk of the store is full: the batch was not written. As soon as there is room, the store works again."""


class Unreadable(StoreError):
    """The store responds, but what was asked for is damaged and cannot be read."""


class StoreFull(StoreError):
    """Too many batches are waiting; this one was not accepted."""


class Summary(NamedTuple):
    """What is known about a table without reading its events: for the lobby, and to wake it."""

    status: str  # "open", "playing", "over" or "closed"
    public: bool  # whether the lobby shows it
    wake: float | None  # when the server has to act without a command (seconds since 1970; 0: at once)
    card: str  # what the lobby shows, as JSON


class NewTableRow(NamedTuple):
    """A table to insert: its secret, and its first events (numbered from 1)."""

    table: str
    secret: bytes
    events: tuple[str, ...]  # each one JSON object on one line
    summary: Summary

    @property
    def digest(self) -> str:
        """The digest of its log."""
        return extend_digest(NO_EVENTS, self.events)

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that are stored."""
        return (*self.events, self.summary.card)


class Batch(NamedTuple):
    """What one command changes at a table, and the tables created with it: all or nothing."""

    table: str
    lease: int
    after: int  # the number of the last event that the writer knows
    events: tuple[str, ...]  # numbered from `after` + 1
    summary: Summary
    digest: str  # of the table's log with these events; see `digests`
    new_tables: tuple[NewTableRow, ...] = ()


class LogDigest(NamedTuple):
    """What a store noted with the last write to a table."""

    number: int  # of the last event
    digest: str | None  # of the log up to this event; None if an earlier version wrote it


class Claim(NamedTuple):
    """Who owns a table: this process with a `lease`, or (`lease` is None) the process called `owner`."""

    lease: int | None
    owner: str


class Store(Protocol):
    """All methods may raise `StoreDown`."""

    name: str  # of this process, unique among those that share the store

    @property
    def health(self) -> StoreHealth:
        """Whether the store can be written, as far as this process knows."""

    async def open(self) -> None:
        """Connect, migrate the schema, start listening. Raises `Refused` for a store of a later version."""

    async def close(self) -> None:
        """Write everything accepted so far, release all tables, disconnect."""

    async def create(self, new_table: NewTableRow) -> None:
        """Insert a table; it is durable when this returns. Raises `StaleWrite` if the name is taken."""

    async def claim(self, table: str) -> Claim | None:
        """Become the owner of a table, unless another live process owns it; None if there is no such table. The current
        owner gets the same lease again; every change of owner increases the lease."""

    async def release(self, table: str, lease: int) -> None:
        """Give up a table, so that any process can claim it; does nothing if the lease is not the newest."""

    async def append(self, batch: Batch) -> None:
        """Write a batch. Concurrent batches share a transaction; those of one table are written in the order of the
        calls. Raises `LeaseLost` if this process has not claimed the table, or has released it."""

    async def events(self, table: str, after: int = 0) -> Sequence[str] | None:
        """The events after a number, in order; None if there is no such table. Raises `Unreadable` if they are
        damaged."""

    async def digest_of(self, table: str) -> LogDigest:
        """The digest of a table's log. Raises `StoreError` if there is no such table, `Unreadable` if it is damaged."""

    async def secret_of(self, table: str) -> bytes:
        """The secret of a table, for its dealer alone. Raises `StoreError` if there is no such table."""

    async def lobby(self, limit: int, status: ShownStatus = "open") -> Sequence[tuple[str, str]]:
        """Public tables with this status, the newest first: name and card (JSON)."""

    async def due(self, before: float) -> Sequence[str]:
        """Tables to wake by `before` that no other live process owns, the most urgent first."""

    async def send_message(self, process: str, text: str) -> None:
        """Send a text to another process. It may be lost; it is never changed or duplicated."""

    def listen(self, on_change: Callable[[str, int], None], on_message: Callable[[str], None]) -> None:
        """Register callbacks, before `open`: `on_change(table, last number)` when another process has written, and
        `on_message(text)` when one has sent a text. After a lost connection `on_change("", 0)`: any table may have
        changed."""
