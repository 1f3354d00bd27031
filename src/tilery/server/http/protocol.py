"""The HTTP protocol of uvicorn with a timeout for every request: a client that sends its request byte by byte, or that
does not read the response, is disconnected. WebSockets are handled by `websocket/protocol.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from tilery.server.websocket.protocol import Outbox, WebSocketProtocol

Headers = Iterable[tuple[bytes, bytes]]


def _header_lines(headers: Headers) -> str:
    return "".join(f"{name.decode()}: {value.decode()}\r\n" for name, value in headers)


class _HttpProtocol(H11Protocol):
    """A connection on which every request must be sent, and its response read, within `timeout` seconds."""

    timeout: float
    extra: Headers
    _timer: asyncio.TimerHandle | None = None

    def _restart_timer(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(self.timeout, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._restart_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self._restart_timer()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Respond to invalid HTTP, unless another response is being sent."""
        if self.cycle is None or self.cycle.response_complete:
            head = f"HTTP/1.1 400 Bad Request\r\n{_header_lines(self.extra)}content-type: text/plain; charset=utf-8\r\n"
            self.transport.write(f"{head}content-length: {len(msg)}\r\nconnection: close\r\n\r\n{msg}".encode())
        else:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


def http_protocol(timeout: float, extra: Headers) -> type[asyncio.Protocol]:
    """The protocol class for HTTP; `extra` are the headers of responses to invalid HTTP."""
    return type("HttpProtocol", (_HttpProtocol,), {"timeout": timeout, "extra": tuple(extra)})


def websocket_protocol(timeout: float, extra: Headers) -> type[asyncio.Protocol]:
    """The protocol class for WebSockets; `extra` are the headers of rejected handshakes."""
    fields = {"timeout": timeout, "extra": _header_lines(extra).encode(), "outbox": Outbox()}
    return type("BoundedWebSocketProtocol", (WebSocketProtocol,), fields)
