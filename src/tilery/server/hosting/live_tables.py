"""Tables in memory, and the interfaces of listeners and bots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol

from tilery.core.position import Seen
from tilery.server.logs import Log, error_fields
from tilery.server.metrics import Metrics
from tilery.server.store.interface import DiskFull, StoreError, Summary
from tilery.table.fairness import Dealer
from tilery.table.handler import wakes_at
from tilery.table.refusals import TableRefused
from tilery.table.state import AppliedEvent, Table
from tilery.table.views import ClientMessage, Shown, lobby_card

DAMAGED_FOR = 300.0  # seconds until a damaged table is read again: it may have been repaired


class TableError(Exception):
    """A table cannot be used now."""


class Unavailable(TableError):
    """It is not known whether the command was executed: it may be sent again with the same id. If the disk of the store
    is full, it was not executed."""

    def __init__(self, error: StoreError | None = None) -> None:
        self.is_disk_full = isinstance(error, DiskFull)


class Busy(TableError):
    """Too many commands are pending: this one was not executed."""


class NoTable(TableError):
    """There is no such table."""


class OwnedElsewhere(TableError):
    """Another process owns the table, and the proxy knows that process by a name."""

    def __init__(self, process_name: str) -> None:
        self.process_name = process_name


class TableDamaged(TableError):
    """The stored events of the table, or its secret, are damaged: it cannot be read."""


class Listener(Protocol):
    """A connection that watches a table."""

    who: str  # the first part of the token's hash; "" for a spectator
    chat: bool

    def send(self, message: ClientMessage) -> None:
        """Send or queue a message; must not block."""

    def table_damaged(self) -> None:
        """End the connection, because the table cannot be read any more; must not block."""


class Bots(Protocol):
    """The source of bots' moves and of hints."""

    async def move(self, seen: Seen, bot_name: str, key: str) -> str: ...
    async def hint(self, seen: Seen, key: str) -> dict[str, Any]: ...
    def cancel(self, key: str) -> object: ...


@dataclass
class CommandResult:
    """The outcome of a command: the number of its first event, or the refusal."""

    number: int = 0
    refused: TableRefused | None = None
    created: bool = False  # whether a table was created


def _ignore(_: int) -> None:
    pass


@dataclass(frozen=True)
class Sender:
    """Who sends a command, as far as limits are concerned."""

    charge: Callable[[int], object] = _ignore  # called with the bytes that are stored, bots' replies included
    table_wait: float = 0.0  # seconds until a command of this sender may create a table; 0: it may


UNLIMITED = Sender()


@dataclass(frozen=True)
class BotTurn:
    """A decision that a bot has to make."""

    seen: Seen
    bot: str
    seat: int
    step: int


@dataclass(eq=False)
class LiveTable:
    """A table in memory. Everything but `name`, `listeners` and `last_used` is used under the lock only."""

    name: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    table: Table | None = None  # None: not read yet, or dropped
    digest: str = ""  # of the log of `table`
    lease: int | None = None  # of this process, if it owns the table
    resumed: tuple[int | None, int] | None = None  # the lease and the number of pauses when the clock was last resumed
    owner: str = ""  # the process that owns it, as far as this one knows; empty if that is not known
    dealer: Dealer | None = None
    published: int = 0  # the number of the last event that was sent to the listeners
    unpublished: list[AppliedEvent] = field(default_factory=list)  # the events after that one
    shown: Shown | None = None  # what all listeners know: the table after event `published`
    listeners: set[Listener] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None
    thinking: tuple[int, asyncio.Task[None]] | None = None  # the step of a bot's turn, and its task
    last_used: float = 0.0
    charge: Callable[[int], object] = _ignore  # of the last sender, who pays for what is stored

    @property
    def is_bot_thinking(self) -> bool:
        return self.thinking is not None and not self.thinking[1].done()


class LiveTables:
    """All tables in memory by name, and the limit of pending commands."""

    def __init__(self, now: Callable[[], float], metrics: Metrics, max_pending: int) -> None:
        self.is_closing = False
        self._now = now
        self._metrics = metrics
        self._max_pending = max_pending
        self._tables: dict[str, LiveTable] = {}
        self._damaged: dict[str, float] = {}  # the tables set aside, and when

    def __len__(self) -> int:
        return len(self._tables)

    def admit(self) -> None:
        """Raise `Busy` if no more commands are accepted."""
        if self.is_closing or self._metrics.pending >= self._max_pending:
            self._metrics.busy += 1
            raise Busy

    def find(self, name: str) -> LiveTable | None:
        return self._tables.get(name)

    def use(self, name: str) -> LiveTable:
        """The entry of a table, added if it is missing; `Ownership.load` reads the table itself."""
        live = self._tables.get(name)
        if live is None:
            live = self._tables[name] = LiveTable(name)
        live.last_used = self._now()
        return live

    def set_aside(self, name: str) -> bool:
        """Set a damaged table aside for a while; returns whether it was not known to be damaged."""
        is_new = name not in self._damaged
        self._damaged[name] = self._now()
        return is_new

    def check_damage(self, name: str) -> None:
        """Raise `TableDamaged` if a table was set aside a short while ago."""
        if name in self._damaged and self._now() - self._damaged[name] < DAMAGED_FOR:
            raise TableDamaged(name)

    def set_right(self, name: str) -> None:
        """A table could be read: it is not damaged, or not any more."""
        self._damaged.pop(name, None)

    @property
    def damaged(self) -> list[str]:
        """The names of the tables that could not be read."""
        return list(self._damaged)

    def all(self) -> list[LiveTable]:
        return list(self._tables.values())

    def remove(self, name: str) -> None:
        self._tables.pop(name, None)


class BackgroundTasks:
    """Tasks that nobody awaits; their failures are logged."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def cancel_all(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._log.warning("background task failed", **error_fields(error))


def summary_of(table: Table) -> Summary:
    """The summary that is stored with the events of a table."""
    is_open = table.status == "open" and any(seat.kind == "open" for seat in table.seats)
    public = table.public and (is_open or table.status == "playing")
    return Summary(table.status, public, wakes_at(table), lobby_card(table) if public else "{}")
