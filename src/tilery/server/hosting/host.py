"""The table host of a process: it takes commands, stores the events that follow, then publishes them.

If several processes share a store, one of them owns each table; the others forward commands to it and follow its
events.
The parts: `live_tables` (the tables in memory), `ownership` (claim, execute, store, publish), `scheduler` (clocks and
bots), `forwarding` (other processes).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from tilery.core.game import Game, Rules
from tilery.core.position import Seen
from tilery.server.hosting.clocks import Pauses
from tilery.server.hosting.forwarding import Forwarding
from tilery.server.hosting.live_tables import (
    UNLIMITED,
    BackgroundTasks,
    Bots,
    Busy,
    CommandResult,
    Listener,
    LiveTable,
    LiveTables,
    NoTable,
    OwnedElsewhere,
    Sender,
    TableDamaged,
    TableError,
    Unavailable,
)
from tilery.server.hosting.ownership import Ownership, size_of
from tilery.server.hosting.scheduler import UNLOAD_DELAY, Scheduler
from tilery.server.logs import Log
from tilery.server.metrics import Metrics
from tilery.server.store.interface import Store, StoreError, StoreFull
from tilery.table.commands import AnyCommand
from tilery.table.creation import Setup, create_table
from tilery.table.state import Table
from tilery.table.views import ClientMessage, TableViews

__all__ = [
    "Bots",
    "Busy",
    "CommandResult",
    "Listener",
    "LiveTable",
    "NoTable",
    "OwnedElsewhere",
    "Sender",
    "TableDamaged",
    "TableError",
    "TableHost",
    "Unavailable",
]

T = TypeVar("T")
MAX_ATTEMPTS = 4  # to get a command to the owner of its table


class TableHost:
    """All tables of a process: the interface that HTTP and the WebSocket use."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float],
        new_table_id: Callable[[], tuple[str, bytes]],
        find_game: Callable[[str], Game],
        check_bot: Callable[[Game, Rules, str], Any],
        bot_names: Collection[str] = (),
        bots: Bots,
        log: Log,
        max_pending: int = 300,
        unload_delay: float = UNLOAD_DELAY,
    ) -> None:
        self.store = store
        self.now = now
        self.bots = bots
        self.metrics = metrics = Metrics()
        self._new_table_id = new_table_id
        self._find_game = find_game
        self._check_bot = check_bot
        self._bot_names = bot_names
        self._tasks = tasks = BackgroundTasks(log)
        self.live_tables = tables = LiveTables(now, metrics, max_pending)
        self._pauses = Pauses()
        self._welcoming = asyncio.Lock()
        self._ownership = ownership = Ownership(
            store,
            tables,
            now=now,
            new_table_id=new_table_id,
            find_game=find_game,
            check_bot=check_bot,
            bot_names=bot_names,
            pauses=self._pauses,
            metrics=metrics,
            log=log,
        )
        self._scheduler = Scheduler(
            store,
            tables,
            ownership,
            bots,
            now=now,
            tasks=tasks,
            metrics=metrics,
            log=log,
            unload_delay=unload_delay,
        )
        self._forwarding = Forwarding(store, tables, ownership, tasks)

    async def open(self) -> None:
        """Open the store."""
        await self.store.open()

    async def close(self) -> None:
        """Finish the writes that were begun, drop all tables from memory, and release them by closing the store."""
        self.live_tables.is_closing = True
        for live in self.live_tables.all():
            self._scheduler.unschedule(live)
        await self._tasks.cancel_all()
        for live in self.live_tables.all():
            async with live.lock:
                live.table = None
        await self.store.close()

    @property
    def tables_in_memory(self) -> int:
        return len(self.live_tables)

    async def create(self, setup: Setup, key: str, sender: Sender = UNLIMITED) -> Table:
        """Create a table. It has no owner yet: that will be the process to which its players come first."""
        self.live_tables.admit()
        new = create_table(
            setup, key, self.now(), self._new_table_id(), self._find_game, self._check_bot, self._bot_names
        )
        table, row = self._ownership.new_table(new)
        try:
            await self.store.create(row)
        except StoreFull:
            raise Busy from None
        except StoreError as error:
            raise Unavailable(error) from error
        self.metrics.tables_created += 1
        sender.charge(size_of(row.texts))
        return table

    async def submit(self, name: str, key: str, command: AnyCommand, sender: Sender = UNLIMITED) -> CommandResult:
        """Execute a command, here or in the table's owner; returns when its events are stored or it was refused. By
        then, the listeners here know all that the owner knew: a sender receives the update before the reply, and what
        it had missed before a refusal."""
        self.live_tables.admit()
        self.metrics.pending += 1
        ownership = self._ownership
        was_forwarded = False
        try:
            for attempt in range(MAX_ATTEMPTS):
                live = self.live_tables.use(name)
                async with live.lock:
                    await ownership.load(live)
                    if live.lease is not None:
                        result = await ownership.execute(live, key, command, None, sender)
                        if result is not None:
                            return result
                        continue  # another process owns it by now
                    owner = live.owner
                was_forwarded = True
                self.metrics.forwarded += 1
                result = await self._forwarding.forward(owner, name, key, command, sender)
                if result is not None:
                    return result
                await asyncio.sleep(0.05 * 2**attempt)
                await ownership.refresh(self.live_tables.use(name))  # the owner may have died
            raise Unavailable
        except Busy as error:
            if was_forwarded:  # another process may have executed it
                raise Unavailable from error
            raise
        finally:
            self.metrics.pending -= 1

    async def read(self, name: str, see: Callable[[Table, float], T], *, refresh: bool = False) -> T:
        """Read something from a table. `refresh` first brings a table of another process up to date."""
        live = self.live_tables.use(name)
        if refresh and live.table is not None and live.lease is None:
            await self._ownership.refresh(live)
        async with live.lock:
            await self._ownership.load(live)
            assert live.table is not None
            return see(live.table, self.now())

    async def hint(self, name: str, seen: Seen) -> dict[str, Any]:
        """The engine's analysis of a position at a table, as the player to move sees it."""
        return await self.bots.hint(seen, f"{name}/hint")

    async def subscribe(
        self,
        name: str,
        listener: Listener,
        welcome: Callable[[TableViews], ClientMessage],
        *,
        only_as_owner: bool = False,
    ) -> None:
        """Send a listener the welcome, and from then on every event. With `only_as_owner`, raises `OwnedElsewhere` if
        clients can be sent to the process that owns the table."""
        live = self.live_tables.use(name)
        async with live.lock:
            was_in_memory = live.table is not None
            await self._ownership.load(live, only_as_owner=only_as_owner)
            message = await self._welcome(live, welcome)
            if was_in_memory and not listener.who:
                # It may be a player who has just taken a seat through another process.
                await self._ownership.reload(live)
                message = await self._welcome(live, welcome)
            listener.send(message)
            assert live.table is not None
            live.shown = live.shown or TableViews(live.table, self.now()).shown()
            live.listeners.add(listener)

    async def _welcome(self, live: LiveTable, welcome: Callable[[TableViews], ClientMessage]) -> ClientMessage:
        """Under the lock: make a welcome. It takes some milliseconds, so one is made at a time, and commands are
        executed between them."""
        async with self._welcoming:
            assert live.table is not None
            return welcome(TableViews(live.table, self.now()))

    def unsubscribe(self, name: str, listener: Listener) -> None:
        """Stop sending to a listener."""
        live = self.live_tables.find(name)
        if live:
            live.listeners.discard(listener)

    def listeners(self, name: str) -> set[Listener]:
        """The listeners of a table in this process."""
        live = self.live_tables.find(name)
        return live.listeners if live else set()

    def beat(self) -> None:
        """Note that the process runs; to be called every `BEAT_INTERVAL`. After a pause, clocks are resumed."""
        if self._pauses.beat(self.now()):
            self._scheduler.check_clocks()

    async def sweep(self) -> None:
        """Do what is due at tables; to be called every few seconds."""
        await self._scheduler.sweep()
