"""The application context, which HTTP and the WebSocket share: the table host, settings, connections and limits."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from tilery.server.hosting.host import Busy, NoTable, TableHost, Unavailable
from tilery.server.logs import Log, error_fields
from tilery.server.metrics import Metrics, gauge
from tilery.server.rate_limits import Buckets
from tilery.server.settings import Settings
from tilery.table import wire
from tilery.table.state import Table
from tilery.table.views import ClientMessage

if TYPE_CHECKING:
    from tilery.server.websocket.connection import Connection

READ_THREADS = 2  # threads that replay and render games
HINTS_PER_SECOND, HINTS_BURST = 0.5, 20.0  # per address; each hint takes a second of CPU time
SWEEP_INTERVAL = 3.0  # seconds


class ServerContext:
    """The context of one server process."""

    def __init__(
        self,
        table_host: TableHost,
        settings: Settings,
        now: Callable[[], float],
        log: Log,
    ) -> None:
        self.table_host = table_host
        self.settings = settings
        self.now = now  # of a monotonic clock
        self.log = log
        self.metrics: Metrics = table_host.metrics
        self.origins = {origin.strip() for origin in settings.allowed_origins.split(",") if origin.strip()}
        self.request_limits = Buckets(settings.requests_per_second, settings.requests_burst, now)
        self.table_limits = Buckets(settings.tables_per_hour / 3600, settings.tables_per_hour, now)
        self.hint_limits = Buckets(HINTS_PER_SECOND, HINTS_BURST, now)
        self.read_slots = asyncio.Semaphore(READ_THREADS)
        self.connections: set[Connection] = set()
        self.is_closing = False
        self._per_address: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def may_connect(self, address: str) -> bool:
        """Whether the limits allow one more socket from this address."""
        settings = self.settings
        full = len(self.connections) >= settings.max_sockets
        return not (self.is_closing or full or self._per_address[address] >= settings.max_sockets_per_address)

    def connected(self, connection: Connection) -> None:
        self.connections.add(connection)
        self._per_address[connection.address] += 1
        self.metrics.sockets = len(self.connections)
        self.metrics.sockets_opened += 1

    def disconnected(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._per_address[connection.address] -= 1
        if not self._per_address[connection.address]:
            del self._per_address[connection.address]
        self.metrics.sockets = len(self.connections)
        self.table_host.unsubscribe(connection.name, connection)
        self.send_presence(connection.name)

    def send_presence(self, name: str) -> None:
        """Send the listeners of a table the seats of the people who are connected, and the number of spectators."""
        task = asyncio.ensure_future(self._send_presence(name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send_presence(self, name: str) -> None:
        listeners = self.table_host.listeners(name)
        people = {listener.who for listener in listeners if listener.who}

        def here(table: Table, _: float) -> list[int]:
            return sorted(seat for who in people for seat in table.seats_of(who))

        try:
            seats = await self.table_host.read(name, here) if listeners else []
        except (NoTable, Busy, Unavailable):
            return
        watching = sum(not listener.who for listener in listeners)
        message = ClientMessage(wire.Presence(here=tuple(seats), watching=watching))
        for listener in tuple(listeners):
            listener.send(message)

    def metrics_text(self) -> str:
        """All metrics in the text format of Prometheus."""
        more = {"tables_in_memory": self.table_host.tables_in_memory}
        lines = self.metrics.lines() + [line for name, number in more.items() for line in gauge(name, number)]
        return "\n".join(lines) + "\n"

    def retry_delay(self) -> float:
        """Seconds for a client to wait before it tries again; random, so that clients do not all return at once."""
        return round(0.5 + random.random() * 1.5, 2)

    async def sweep_forever(self) -> None:
        """Close silent connections and sweep the tables every few seconds; an error does not end the loop."""
        while True:
            await asyncio.sleep(SWEEP_INTERVAL)
            since = self.now() - self.settings.idle_timeout
            for connection in tuple(self.connections):
                connection.close_if_silent(since)
            try:
                await self.table_host.sweep()
            except Exception as error:
                self.log.error("sweep failed", **error_fields(error))

    def announce_shutdown(self) -> None:
        """Send all clients the message `closing`, which says when to reconnect."""
        self.is_closing = True
        message = ClientMessage(wire.Closing(reconnect_delay=self.settings.reconnect_delay))
        for connection in tuple(self.connections):
            connection.send(message)
