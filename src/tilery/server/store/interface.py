"""What the server asks of a store: an append-only log for each table, one owner for each table, news for the others.

Every store keeps these promises, and the tests ask all of them of each:

1. `append` returns only when the events are durable; then they are never lost, changed or given another number.
2. A batch is written whole or not at all, and only by the holder of the table's newest lease, and only behind the
   event that its writer knew as the last one. Otherwise it raises `Fenced` or `Behind`, and nothing has changed.
3. A table's secret is given to nobody but who asks by `secret_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

ShownStatus = Literal["open", "playing"]  # of tables that the lobby shows


class StoreError(Exception):
    """A store could not do what it was asked; nothing has changed."""


class Fenced(StoreError):
    """Somebody else owns the table by now: the lease is no longer the newest."""


class Behind(StoreError):
    """The writer does not know the table's last event."""


class StoreDown(StoreError):
    """The store does not answer, or cannot write (a full disk, a lost connection). Whether a batch that was on its way
    has been written is not known: ask for the events before trying again."""


class StoreFull(StoreError):
    """More batches are waiting than the store takes on; this one was not taken."""


class Summary(NamedTuple):
    """What is known of a table without reading its events: for the lobby, and to wake it."""

    status: str  # "open", "playing", "over" or "closed"
    public: bool  # whether the lobby shows it
    wake: float | None  # when the server has to look at it by itself (seconds since 1970; 0: at once)
    card: str  # what the lobby shows, as JSON


class Founding(NamedTuple):
    """A new table: its secret, its first events (numbered from 1)."""

    table: str
    secret: bytes
    events: tuple[str, ...]  # each one JSON object on one line
    summary: Summary


class Batch(NamedTuple):
    """What one command changes at a table, and the tables that are founded with it: all or nothing."""

    table: str
    lease: int
    after: int  # the number of the last event the writer knows
    events: tuple[str, ...]  # get the numbers after + 1 and so on
    summary: Summary
    founded: tuple[Founding, ...] = ()


class Claim(NamedTuple):
    """Who owns a table: `lease` if it is the one who asked, else the name of the other process."""

    lease: int | None
    owner: str


class Store(Protocol):
    """All methods may raise `StoreDown`."""

    name: str  # of this process, unique among those who share the store

    async def open(self) -> None:
        """Connect, bring the schema up to date, begin to listen. Refuses (`Refused`) a store of a later version."""

    async def close(self) -> None:
        """Write what was taken on, give back all tables, disconnect."""

    async def found(self, founding: Founding) -> None:
        """Make a table; it is durable when this returns. The name must be new (`Behind` if it is not)."""

    async def claim(self, table: str) -> Claim | None:
        """Become the owner of a table, unless a living process owns it; None if there is no such table. Who owns it
        already gets the same lease again; a change of owner makes the lease greater."""

    async def release(self, table: str, lease: int) -> None:
        """Let the next one who asks be the owner (nothing happens if it is somebody else already)."""

    async def append(self, batch: Batch) -> None:
        """Write a batch. Many that come together are one transaction; of one table they are written in the order in
        which they came. Who has not claimed the table, or has released it, is `Fenced`."""

    async def events(self, table: str, after: int = 0) -> Sequence[str] | None:
        """The events behind a number, in order; None if there is no such table."""

    async def secret_of(self, table: str) -> bytes:
        """For the dealer alone. `StoreError` if there is no such table."""

    async def lobby(self, most: int, status: ShownStatus = "open") -> Sequence[tuple[str, str]]:
        """Public tables that are open (or where a game goes on), the newest first: name and card."""

    async def due(self, before: float) -> Sequence[str]:
        """Tables that want to be looked at by then and that no living process owns (or this one owns), the most
        urgent first."""

    async def mail(self, owner: str, text: str) -> None:
        """Send a text (at most 7,000 bytes) to another process. It may be lost; it is never changed or made twice."""

    def listen(self, news: Callable[[str, int], None], mail: Callable[[str], None]) -> None:
        """Call `news(table, last number)` when another process has written, and `mail(text)` when one has sent a text.
        To be called before `open`. After a lost connection `news("", 0)`: anything may have happened."""
