"""The application context, which HTTP and the WebSocket share: the table host, settings, connections and limits."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from tilery.server.hosting.clocks import BEAT_INTERVAL
from tilery.server.hosting.host import TableError, TableHost
from tilery.server.logs import Log, error_fields
from tilery.server.metrics import Metrics, gauge
from tilery.server.origins import Origins
from tilery.server.quotas import Quotas
from tilery.server.rate_limits import Buckets
from tilery.server.settings import Settings
from tilery.server.work_queue import WorkQueue
from tilery.table import wire
from tilery.table.state import Table
from tilery.table.views import ClientMessage

if TYPE_CHECKING:
    from tilery.server.websocket.connection import Connection

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
        self.origins = Origins(settings)
        self.request_limits = Buckets(settings.requests_per_second, settings.requests_burst, now)
        self.quotas = Quotas(table_host, settings, now)
        self.hint_limits = Buckets(HINTS_PER_SECOND, HINTS_BURST, now)
        self.work_queue = WorkQueue(Buckets(settings.cpu_per_second, settings.cpu_burst, now), self.metrics)
        self.connections: set[Connection] = set()
        self.is_closing = False
        self._per_address: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._presence_due: set[str] = set()  # the tables whose presence will be sent in a moment

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
        """Send the listeners of a table the seats of the people who are connected, and the number of spectators, among
        them those whose seats bots have taken over; once for all who come and go at about the same time."""
        if name not in self._presence_due:
            self._presence_due.add(name)
            task = asyncio.ensure_future(self._send_presence(name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _send_presence(self, name: str) -> None:
        self._presence_due.discard(name)
        listeners = self.table_host.listeners(name)
        if not listeners:
            return

        def presence(table: Table, _: float) -> wire.Presence:
            here = {seat for listener in listeners for seat in table.seats_played_by(listener.who)}
            watching = sum(not table.seats_played_by(listener.who) for listener in listeners)
            return wire.Presence(here=tuple(sorted(here)), watching=watching)

        try:
            message = ClientMessage(await self.table_host.read(name, presence))
        except TableError:
            return
        for listener in tuple(listeners):
            listener.send(message)

    def metrics_text(self) -> str:
        """All metrics in the text format of Prometheus."""
        more = {
            "tables_in_memory": self.table_host.tables_in_memory,
            "tables_damaged": len(self.table_host.live_tables.damaged),
            "disk_full": int(self.table_host.store.health == "full"),
            "store_replaced": int(self.table_host.store.health == "replaced"),
        }
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

    async def beat_forever(self) -> None:
        """Let the table host know that the process runs."""
        while True:
            self.table_host.beat()
            await asyncio.sleep(BEAT_INTERVAL)

    def announce_shutdown(self) -> None:
        """Send all clients the message `closing`, which says when to reconnect."""
        self.is_closing = True
        message = ClientMessage(wire.Closing(reconnect_delay=self.settings.reconnect_delay))
        for connection in tuple(self.connections):
            connection.send(message)
