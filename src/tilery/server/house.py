"""What all doors share: the keeper, the settings, the connections, the limits."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from tilery.server.counting import Counts, gauge
from tilery.server.doors.limits import Buckets
from tilery.server.keeper import Keeper, NoTable, Overloaded, Unavailable
from tilery.server.settings import Settings
from tilery.table.state import Table
from tilery.table.telling import told

if TYPE_CHECKING:
    from tilery.server.doors.socket import Connection

READERS = 2  # threads that read games for people
HINTS_PER_SECOND, HINTS_AT_ONCE = 0.5, 20.0  # of one address; each takes a second of a processor
SWEEP = 3.0  # seconds between rounds through the house


class House:
    """One server process."""

    def __init__(
        self,
        keeper: Keeper,
        settings: Settings,
        now: Callable[[], float],
        log: Callable[..., None] = lambda *_, **__: None,
    ) -> None:
        self.keeper = keeper
        self.settings = settings
        self.now = now  # of a clock that nobody sets
        self.log = log
        self.counts: Counts = keeper.counts
        self.origins = {origin.strip() for origin in settings.origins.split(",") if origin.strip()}
        self.requests = Buckets(settings.requests_per_second, settings.requests_at_once, now)
        self.foundings = Buckets(settings.tables_per_hour / 3600, settings.tables_per_hour, now)
        self.hints = Buckets(HINTS_PER_SECOND, HINTS_AT_ONCE, now)
        self.readers = asyncio.Semaphore(READERS)
        self.connections: set[Connection] = set()
        self.is_closing = False
        self._per_address: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def may_connect(self, address: str) -> bool:
        """Whether there is room for one more socket of this address."""
        settings = self.settings
        full = len(self.connections) >= settings.most_sockets
        return not (self.is_closing or full or self._per_address[address] >= settings.sockets_per_address)

    def connected(self, connection: Connection) -> None:
        self.connections.add(connection)
        self._per_address[connection.address] += 1
        self.counts.sockets = len(self.connections)
        self.counts.sockets_opened += 1

    def disconnected(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._per_address[connection.address] -= 1
        if not self._per_address[connection.address]:
            del self._per_address[connection.address]
        self.counts.sockets = len(self.connections)
        self.keeper.part(connection.name, connection)
        self.presence(connection.name)

    def presence(self, name: str) -> None:
        """Tell those who look at a table who else does."""
        task = asyncio.ensure_future(self._presence(name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _presence(self, name: str) -> None:
        listeners = self.keeper.listeners(name)
        people = {listener.who for listener in listeners if listener.who}

        def here(table: Table, _: float) -> list[int]:
            return sorted(seat for who in people for seat in table.seats_of(who))

        try:
            seats = await self.keeper.look(name, here) if listeners else []
        except (NoTable, Overloaded, Unavailable):
            return
        watching = sum(not listener.who for listener in listeners)
        message = told({"type": "presence", "here": seats, "watching": watching})
        for listener in tuple(listeners):
            listener.tell(message)

    def metrics(self) -> list[str]:
        """Numbers for Prometheus."""
        more = {"tables_in_memory": self.keeper.tables_in_memory}
        return self.counts.lines() + [line for name, number in more.items() for line in gauge(name, number)]

    def pause(self) -> float:
        """How long a client should wait before it tries again; not the same for all, or they would come together."""
        return round(0.5 + random.random() * 1.5, 2)

    async def look_round(self) -> None:
        """What has to be done every few seconds, whatever goes wrong with it once."""
        while True:
            await asyncio.sleep(SWEEP)
            since = self.now() - self.settings.silence
            for connection in tuple(self.connections):
                connection.cut_if_silent(since)
            try:
                await self.keeper.look_round()
            except Exception as error:
                self.log("round failed", error=type(error).__name__)

    def say_goodbye(self) -> None:
        """Tell everybody when to come back."""
        self.is_closing = True
        message = told({"type": "closing", "back_in": self.settings.back_in})
        for connection in tuple(self.connections):
            connection.tell(message)
