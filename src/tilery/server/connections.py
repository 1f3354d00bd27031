"""Open connections, HTTP and WebSockets together: how many the system allows, and who has to make room."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter

from tilery.server.logs import Log
from tilery.server.metrics import Metrics
from tilery.server.settings import Settings

if sys.platform != "win32":
    import resource

HTTP_CONNECTIONS = 2_000  # of requests, in addition to `max_sockets`
FEW_CONNECTIONS = 1_000
OTHER_FILES, FILES_PER_WORKER = 100, 8  # that the process needs besides its connections


def raise_file_limit(settings: Settings) -> int:
    """Raise the limit of open files as far as necessary; returns how many connections can be open."""
    wanted = settings.max_sockets + HTTP_CONNECTIONS
    if sys.platform == "win32":
        return wanted
    other = OTHER_FILES + FILES_PER_WORKER * settings.bot_workers
    limit, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + other
    if limit != resource.RLIM_INFINITY and limit < needed:
        limit = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        except (OSError, ValueError):  # some systems allow less than they say
            limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit == resource.RLIM_INFINITY or limit >= needed:
        return wanted
    return max(limit - other, limit // 2)


def warn_of_few_files(most: int, settings: Settings, log: Log) -> None:
    """Log that fewer connections can be open than were asked for; the default asks for more than most servers need."""
    wanted = settings.max_sockets
    if most < (FEW_CONNECTIONS if wanted == Settings().max_sockets else wanted):
        text = "the limit of open files is too low for max_sockets: raise it (ulimit -n, LimitNOFILE)"
        log.warning("few files", text=text, connections=most, max_sockets=settings.max_sockets)


class OpenConnections:
    """All open connections, at most `most`, and `per_address` of each address (None: unlimited). A new one takes the
    place of the oldest that is idle, that is, has no request; if none is, the new one is refused. Behind a proxy, all
    have the proxy's address."""

    def __init__(self, most: int, per_address: int | None, metrics: Metrics) -> None:
        self.most = most
        # A single address leaves room for others even if few files may be open.
        self.per_address = most if per_address is None else max(1, min(per_address, most // 2))
        self._metrics = metrics
        self._addresses: dict[asyncio.Transport, str] = {}
        self._counts: Counter[str] = Counter()
        self._idle: dict[str, dict[asyncio.Transport, None]] = {}  # of each address, the oldest first
        self._all_idle: dict[asyncio.Transport, None] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def add(self, transport: asyncio.Transport, address: str) -> bool:
        """Count a new connection, which is idle; False if there is no room for it."""
        if self._counts[address] >= self.per_address:
            self._make_room(self._idle.get(address, {}))
        elif len(self) >= self.most:
            self._make_room(self._all_idle)
        if self._counts[address] >= self.per_address or len(self) >= self.most:
            self._metrics.connections_cut += 1
            return False
        self._addresses[transport] = address
        self._counts[address] += 1
        self._metrics.connections = len(self)
        self.set_idle(transport)
        return True

    def set_idle(self, transport: asyncio.Transport) -> None:
        """A connection has no request any more."""
        if transport in self._addresses:
            self._idle.setdefault(self._addresses[transport], {})[transport] = None
            self._all_idle[transport] = None

    def set_busy(self, transport: asyncio.Transport) -> None:
        """A request, or the handshake of a WebSocket, has arrived on a connection."""
        if transport in self._all_idle:
            del self._all_idle[transport]
            address = self._addresses[transport]
            del self._idle[address][transport]
            if not self._idle[address]:
                del self._idle[address]

    def remove(self, transport: asyncio.Transport) -> None:
        """A connection is lost, or being closed."""
        self.set_busy(transport)
        address = self._addresses.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]
            self._metrics.connections = len(self)

    def cut(self, transport: asyncio.Transport) -> None:
        """Close a connection that has been idle or slow for too long, or in whose place another one comes."""
        self._metrics.connections_cut += 1
        if transport.get_write_buffer_size():
            transport.abort()  # its client does not read
        else:
            transport.close()

    def _make_room(self, idle: dict[asyncio.Transport, None]) -> None:
        oldest = next(iter(idle), None)
        if oldest is not None:
            self.remove(oldest)
            self.cut(oldest)
