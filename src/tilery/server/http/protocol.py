"""The HTTP protocol of uvicorn with limits: connections are counted, and every request has to arrive, and its response
to be read, in time. WebSockets are handled by `websocket/protocol.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from tilery.server.connections import OpenConnections
from tilery.server.rate_limits import address_of
from tilery.server.settings import Settings
from tilery.server.websocket.protocol import Outbox, WebSocketProtocol

Headers = Iterable[tuple[bytes, bytes]]
NO_ROOM = "too many open connections: close some, or try again in a few seconds\n"


def _header_lines(headers: Headers) -> str:
    return "".join(f"{name.decode()}: {value.decode()}\r\n" for name, value in headers)


class _HttpProtocol(H11Protocol):
    """A connection on which the head of every request must arrive within `header_timeout` seconds, and then the rest of
    it be sent, and its response be read, within `request_timeout`."""

    header_timeout: float
    request_timeout: float
    extra: Headers
    open_connections: OpenConnections
    _timer: asyncio.TimerHandle | None = None

    def _restart_timer(self, timeout: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(timeout, self.open_connections.cut, self.transport)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.open_connections.add(transport, address_of({"client": self.client}, behind_proxy=False)):
            self._restart_timer(self.header_timeout)
        else:
            self._respond_and_close("503 Service Unavailable", NO_ROOM, "retry-after: 5\r\n")

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.open_connections.remove(self.transport)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:  # the head of a request has arrived
            self.open_connections.set_busy(self.transport)
            self._restart_timer(self.request_timeout)

    def on_response_complete(self) -> None:
        self.open_connections.set_idle(self.transport)
        is_read = not self.transport.get_write_buffer_size()
        self._restart_timer(self.header_timeout if is_read else self.request_timeout)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_timer()
        self.open_connections.set_busy(self.transport)
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Respond to invalid HTTP, unless another response is being sent."""
        if self.cycle is None or self.cycle.response_complete:
            self._respond_and_close("400 Bad Request", msg)
        else:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.transport.close()

    def _respond_and_close(self, status: str, text: str, more: str = "") -> None:
        head = f"HTTP/1.1 {status}\r\n{_header_lines(self.extra)}{more}content-type: text/plain; charset=utf-8\r\n"
        self.transport.write(f"{head}content-length: {len(text)}\r\nconnection: close\r\n\r\n{text}".encode())
        self.transport.close()


def http_protocol(settings: Settings, extra: Headers, open_connections: OpenConnections) -> type[asyncio.Protocol]:
    """The protocol class for HTTP; `extra` are the headers of responses that the application does not make."""
    fields = {
        "header_timeout": settings.header_timeout,
        "request_timeout": settings.request_timeout,
        "extra": tuple(extra),
        "open_connections": open_connections,
    }
    return type("HttpProtocol", (_HttpProtocol,), fields)


def websocket_protocol(settings: Settings, extra: Headers, open_connections: OpenConnections) -> type[asyncio.Protocol]:
    """The protocol class for WebSockets; `extra` are the headers of rejected handshakes."""
    fields = {
        "timeout": settings.request_timeout,
        "extra": _header_lines(extra).encode(),
        "outbox": Outbox(),
        "open_connections": open_connections,
    }
    return type("BoundedWebSocketProtocol", (WebSocketProtocol,), fields)
