"""Websockets for uvicorn: small and quick, because there are thousands of them. The frames are in `frames.py`.

Everything is bounded: what waits to be read, what waits to be sent and for how long, and frames that carry no message.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, ClassVar, cast
from urllib.parse import unquote

from tilery.server.doors.frames import (
    BINARY,
    CLOSE,
    NOT_TEXT,
    PING,
    PONG,
    PROTOCOL,
    TEXT,
    Broken,
    Incoming,
    accept_of,
    close_code,
    close_frame,
    frame,
)
from tilery.server.doors.limits import Bucket
from tilery.server.wire import LONGEST_FRAME

LINGER = 2.0  # seconds that a client has to answer a farewell
MOST_WAITING = 16  # messages that wait to be read before the client is made to wait
LONGEST_HEAD, MOST_HEADERS = 8192, 100  # of a handshake
MOST_AT_ONCE = 1000  # messages in one packet
SIGNS_AT_ONCE, SIGNS_PER_SECOND = 200.0, 20.0  # frames that carry no message
_GONE = 1006
_Event = dict[str, Any]


class Gone(OSError):
    """Nobody is there any more."""


class Websocket(asyncio.Protocol):
    """One socket. Uvicorn makes it when a request asks for the upgrade, and gives it that request first."""

    patience: ClassVar[float] = 30.0  # seconds that a reader may fall behind
    extra: ClassVar[bytes] = b""  # headers of an answer that says no

    __slots__ = (
        "_accept",
        "_app",
        "_closing",
        "_events",
        "_incoming",
        "_is_open",
        "_late",
        "_loop",
        "_paused",
        "_signs",
        "_state",
        "_task",
        "_timer",
        "_transport",
        "_unwritten",
        "_waiter",
        "_writable",
    )

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        del app_state, _loop
        self._app = config.loaded_app
        self._state = server_state
        self._incoming: Incoming | None = None  # None before the handshake
        self._events: deque[_Event] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._late: asyncio.TimerHandle | None = None
        self._signs: Bucket | None = None
        self._unwritten: list[bytes] = []
        self._accept = b""
        self._is_open = False  # the handshake is done, and nobody has said goodbye
        self._closing = False  # a farewell was sent or received, or the line is dead
        self._paused = False
        self._loop = asyncio.get_running_loop()
        self._transport = cast("asyncio.Transport", None)

    # What the event loop says

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._state.connections.add(self)

    def data_received(self, data: bytes) -> None:
        if self._closing and self._incoming is None:
            return
        if self._incoming is None:
            self._begin(data)
            return
        try:
            for message in self._incoming.feed(data):
                self._heard(message.kind, message.data)
        except Broken as broken:
            self._break_off(broken.code, str(broken))

    def connection_lost(self, _: Exception | None) -> None:
        self._state.connections.discard(self)
        self._closing = True
        if self._timer:
            self._timer.cancel()
        self._wake_writer()
        self._put({"type": "websocket.disconnect", "code": _GONE, "reason": ""})

    def eof_received(self) -> None:
        """The line is closed."""

    def pause_writing(self) -> None:
        if self._writable is None:
            self._writable = self._loop.create_future()
            self._late = self._loop.call_later(self.patience, self._transport.abort)

    def resume_writing(self) -> None:
        self._wake_writer()

    def shutdown(self) -> None:
        """The server stops."""
        if self._is_open:
            self._say_goodbye(1012, "the server stops")
        elif not self._closing:
            self._refuse(b"503 Service Unavailable")
        self._put({"type": "websocket.disconnect", "code": 1012, "reason": ""})

    # The handshake

    def _begin(self, data: bytes) -> None:
        lines = data.split(b"\r\n")
        if len(data) > LONGEST_HEAD or len(lines) > MOST_HEADERS:
            self._refuse(b"431 Request Header Fields Too Large")
            return
        method, target, _ = lines[0].split(b" ", 2)
        headers = []
        for line in lines[1:]:
            name, found, value = line.partition(b":")
            if found:
                headers.append((name.strip().lower(), value.strip()))
        asked = dict(headers)
        try:
            if method != b"GET" or asked.get(b"sec-websocket-version") != b"13":
                raise Broken(PROTOCOL, "version 13 is spoken here")
            self._accept = accept_of(asked.get(b"sec-websocket-key", b""))
        except Broken:
            self._refuse(b"400 Bad Request")
            return
        self._incoming = Incoming(LONGEST_FRAME)
        path, _, query = target.partition(b"?")
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "server": self._address("sockname"),
            "client": self._address("peername"),
            "root_path": "",
            "path": unquote(path.decode("latin-1")),
            "raw_path": path,
            "query_string": query,
            "headers": headers,
            "subprotocols": [],
            "extensions": {"tilery.write": self._write_text},
        }
        self._events.append({"type": "websocket.connect"})
        self._task = self._loop.create_task(self._run(scope))
        self._state.tasks.add(self._task)
        self._task.add_done_callback(self._state.tasks.discard)

    def _address(self, which: str) -> tuple[str, int] | None:
        found = self._transport.get_extra_info(which)
        return (str(found[0]), int(found[1])) if isinstance(found, tuple) else None

    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self._app(scope, self._receive, self._send)
        except Gone:
            pass  # the application has noticed in its own way
        finally:
            if self._is_open:
                self._say_goodbye(1011, "")
            elif not self._closing:
                self._refuse(b"500 Internal Server Error")

    def _refuse(self, status: bytes) -> None:
        self._closing = True
        head = b"HTTP/1.1 " + status + b"\r\n" + self.extra + b"content-length: 0\r\nconnection: close\r\n\r\n"
        self._write(head)
        self._transport.close()

    # What the application does

    async def _receive(self) -> _Event:
        while not self._events:
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        event = self._events.popleft()
        if self._paused and len(self._events) < MOST_WAITING // 2 and not self._transport.is_closing():
            self._paused = False
            self._transport.resume_reading()
        return event

    async def _send(self, event: _Event) -> None:
        kind = event["type"]
        if kind == "websocket.send":
            if not self._is_open:
                raise Gone
            text = event.get("text")
            data = frame(TEXT, text.encode()) if text is not None else frame(BINARY, event["bytes"])
            self._write(data)
            while self._writable is not None:
                await asyncio.shield(self._writable)
                if self._closing:
                    raise Gone
        elif kind == "websocket.accept":
            self._open()
        elif kind == "websocket.close":
            if self._is_open:
                self._say_goodbye(event.get("code") or 1000, event.get("reason") or "")
            elif not self._closing:
                self._refuse(b"403 Forbidden")

    def _write_text(self, text: str) -> bool:
        """Send a text at once; False if others wait to be sent before it."""
        if self._writable is not None:
            return False
        if self._is_open:
            # What is said in one go is written in one go: system calls are dear.
            if not self._unwritten:
                self._loop.call_soon(self._flush)
            self._unwritten.append(frame(TEXT, text.encode()))
        return True

    def _open(self) -> None:
        if self._closing:
            raise Gone
        self._is_open = True
        self._write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + self._accept + b"\r\n\r\n"
        )

    # What comes in

    def _heard(self, kind: int, data: bytes) -> None:
        if self._closing and kind != CLOSE:
            return
        if kind == TEXT:
            try:
                self._put({"type": "websocket.receive", "text": data.decode()})
            except UnicodeDecodeError:
                raise Broken(NOT_TEXT, "messages are text in UTF-8") from None
        elif kind == BINARY:
            self._put({"type": "websocket.receive", "bytes": data})
        elif kind in (PING, PONG):
            self._sign(kind, data)
        elif kind == CLOSE:
            code = close_code(data)
            if self._is_open:
                self._say_goodbye(1000 if code == 1005 else code, "")
            self._put({"type": "websocket.disconnect", "code": code, "reason": ""})
            self._transport.close()

    def _sign(self, kind: int, data: bytes) -> None:
        """A sign of life. It is no message, so who counts messages does not see it: it is counted here."""
        now = self._loop.time()
        self._signs = self._signs or Bucket(SIGNS_AT_ONCE, now)
        if not self._signs.take(now, SIGNS_PER_SECOND, SIGNS_AT_ONCE):
            self._closing = True
            self._transport.abort()
        elif kind == PING:
            self._write(frame(PONG, data))

    def _put(self, event: _Event) -> None:
        self._events.append(event)
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)
        if len(self._events) > MOST_AT_ONCE:
            self._closing = True
            self._transport.abort()
        elif len(self._events) >= MOST_WAITING and not (self._paused or self._closing or self._transport.is_closing()):
            self._paused = True
            self._transport.pause_reading()

    def _break_off(self, code: int, why: str) -> None:
        if self._is_open:
            self._say_goodbye(code, why)
        self._put({"type": "websocket.disconnect", "code": code, "reason": why})
        self._closing = True
        self._transport.close()

    def _say_goodbye(self, code: int, reason: str) -> None:
        """Send a farewell; who does not answer it is cut off."""
        self._is_open = False
        self._closing = True
        self._write(close_frame(code, reason))
        if self._paused:
            self._paused = False
            if not self._transport.is_closing():
                self._transport.resume_reading()
        self._timer = self._loop.call_later(LINGER, self._transport.abort)

    def _flush(self) -> None:
        if self._unwritten:
            data, self._unwritten = b"".join(self._unwritten), []
            if not self._transport.is_closing():
                self._transport.write(data)

    def _write(self, data: bytes) -> None:
        self._unwritten.append(data)
        self._flush()

    def _wake_writer(self) -> None:
        if self._late:
            self._late.cancel()
            self._late = None
        if self._writable and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None
