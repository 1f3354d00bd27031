"""Connections as they come from the network, before anything in them is believed: bounded in time and in size.

uvicorn reads HTTP; what it leaves open is closed here: who sends a request drop by drop, or does not read the answers,
is disconnected. Sockets are read by `websocket.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from tilery.server.doors.websocket import Websocket

Headers = Iterable[tuple[bytes, bytes]]


def _text(headers: Headers) -> str:
    return "".join(f"{name.decode()}: {value.decode()}\r\n" for name, value in headers)


class _HttpDoor(H11Protocol):
    """A connection on which every request is asked, answered and read within `patience` seconds."""

    patience: float
    extra: Headers
    _late: asyncio.TimerHandle | None = None

    def _wait(self) -> None:
        self._wait_no_more()
        self._late = self.loop.call_later(self.patience, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._late:
            self._late.cancel()
            self._late = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._wait_no_more()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """What is not HTTP gets a short answer, unless another one is under way."""
        if self.cycle is None or self.cycle.response_complete:
            head = f"HTTP/1.1 400 Bad Request\r\n{_text(self.extra)}content-type: text/plain; charset=utf-8\r\n"
            self.transport.write(f"{head}content-length: {len(msg)}\r\nconnection: close\r\n\r\n{msg}".encode())
        else:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


def http_door(patience: float, extra: Headers) -> type[asyncio.Protocol]:
    """How HTTP is read; `extra` are headers for what is refused before it is understood."""
    return type("HttpDoor", (_HttpDoor,), {"patience": patience, "extra": tuple(extra)})


def socket_door(patience: float, extra: Headers) -> type[asyncio.Protocol]:
    """How sockets are read."""
    return type("SocketDoor", (Websocket,), {"patience": patience, "extra": _text(extra).encode()})
