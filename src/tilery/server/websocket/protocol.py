"""WebSockets for uvicorn: small and fast, because there are thousands of them. The frames are in `frames.py`.

Everything is bounded: messages that wait to be read, data that waits to be sent and for how long, pings and pongs.
"""

from __future__ import annotations

import asyncio
from collections import deque
from http import HTTPStatus
from typing import Any, ClassVar, cast
from urllib.parse import unquote

from tilery.server.connections import OpenConnections
from tilery.server.rate_limits import Bucket
from tilery.server.websocket.frames import (
    BINARY,
    CLOSE,
    INTERNAL_ERROR,
    INVALID_TEXT,
    PING,
    PONG,
    PROTOCOL_ERROR,
    SERVICE_RESTART,
    TEXT,
    FrameReader,
    ProtocolError,
    accept_key,
    close_code,
    close_frame,
    frame,
)
from tilery.server.wire import MAX_MESSAGE_BYTES

CLOSE_TIMEOUT = 2.0  # seconds for the client to answer a close frame
MAX_WAITING = 16  # messages that wait for the application before reading is paused
MAX_HANDSHAKE_BYTES, MAX_HEADERS = 8192, 100
MAX_BURST = 1000  # messages that wait although reading is paused, because they came in one packet
PINGS_BURST, PINGS_PER_SECOND = 200.0, 20.0  # pings and pongs
_ABNORMAL = 1006
_VERSION = b"13"  # of the protocol (RFC 6455)
# Every refusal of a handshake says which version is spoken here, as RFC 6455, 4.4 asks.
_SPOKEN_VERSION = b"sec-websocket-version: " + _VERSION + b"\r\n"
_Event = dict[str, Any]


class Disconnected(OSError):
    """The client is not connected any more."""


class Outbox:
    """The connections with something to send. What one iteration of the event loop sends over a connection is written
    at once, to save system calls."""

    def __init__(self) -> None:
        self._waiting: list[WebSocketProtocol] = []

    def add(self, connection: WebSocketProtocol) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(connection)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for connection in waiting:
            connection.flush()


class WebSocketProtocol(asyncio.Protocol):
    """One WebSocket. Uvicorn creates it for an upgrade request, and passes that request to it first."""

    timeout: ClassVar[float] = 30.0  # seconds that a client may leave data unread
    extra: ClassVar[bytes] = b""  # headers of the response to a rejected handshake
    outbox: ClassVar[Outbox]
    open_connections: ClassVar[OpenConnections]

    __slots__ = (
        "_accept",
        "_app",
        "_close_timer",
        "_closing",
        "_denial",
        "_events",
        "_is_open",
        "_loop",
        "_paused",
        "_ping_bucket",
        "_reader",
        "_state",
        "_task",
        "_transport",
        "_unwritten",
        "_waiter",
        "_writable",
        "_write_timer",
    )

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        del app_state, _loop
        self._app = config.loaded_app
        self._state = server_state
        self._reader: FrameReader | None = None  # None before the handshake
        self._events: deque[_Event] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._close_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._ping_bucket: Bucket | None = None
        self._unwritten: list[bytes] = []
        self._accept = b""
        self._denial: _Event = {}  # the beginning of a response that rejects the handshake
        self._is_open = False  # the handshake is done, and no close frame was sent or received
        self._closing = False  # a close frame was sent or received, or the connection is lost
        self._paused = False
        self._loop = asyncio.get_running_loop()
        self._transport = cast("asyncio.Transport", None)

    # Callbacks of the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._state.connections.add(self)

    def data_received(self, data: bytes) -> None:
        if self._closing and self._reader is None:
            return
        if self._reader is None:
            self._handshake(data)
            return
        try:
            for message in self._reader.feed(data):
                self._on_message(message.opcode, message.data)
        except ProtocolError as error:
            self._fail(error.code, str(error))

    def connection_lost(self, _: Exception | None) -> None:
        self._state.connections.discard(self)
        self.open_connections.remove(self._transport)
        self._closing = True
        if self._close_timer:
            self._close_timer.cancel()
        self._wake_writer()
        self._put({"type": "websocket.disconnect", "code": _ABNORMAL, "reason": ""})

    def eof_received(self) -> None:
        """The client has closed its side: asyncio closes the transport."""

    def pause_writing(self) -> None:
        if self._writable is None:
            self._writable = self._loop.create_future()
            self._write_timer = self._loop.call_later(self.timeout, self._transport.abort)

    def resume_writing(self) -> None:
        self._wake_writer()

    def shutdown(self) -> None:
        """Close the connection, because the server is stopping."""
        if self._is_open:
            self._send_close(SERVICE_RESTART, "the server is stopping")
        elif not self._closing:
            self._refuse(b"503 Service Unavailable")
        self._put({"type": "websocket.disconnect", "code": SERVICE_RESTART, "reason": ""})

    # The handshake

    def _handshake(self, data: bytes) -> None:
        lines = data.split(b"\r\n")
        if len(data) > MAX_HANDSHAKE_BYTES or len(lines) > MAX_HEADERS:
            self._refuse(b"431 Request Header Fields Too Large")
            return
        method, target, _ = lines[0].split(b" ", 2)
        headers = []
        for line in lines[1:]:
            name, colon, value = line.partition(b":")
            if colon:
                headers.append((name.strip().lower(), value.strip()))
        by_name = dict(headers)
        try:
            if method != b"GET":
                raise ProtocolError(PROTOCOL_ERROR, "a handshake is a GET request")
            if by_name.get(b"sec-websocket-version") != _VERSION:
                self._refuse(b"426 Upgrade Required", b"upgrade: websocket\r\nconnection: upgrade\r\n")
                return
            self._accept = accept_key(by_name.get(b"sec-websocket-key", b""))
        except ProtocolError:
            self._refuse(b"400 Bad Request")
            return
        self._reader = FrameReader(MAX_MESSAGE_BYTES)
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
            "extensions": {"tilery.write": self._write_text, "websocket.http.response": {}},
        }
        self._events.append({"type": "websocket.connect"})
        self._task = self._loop.create_task(self._run(scope))
        self._state.tasks.add(self._task)
        self._task.add_done_callback(self._state.tasks.discard)

    def _address(self, which: str) -> tuple[str, int] | None:
        address = self._transport.get_extra_info(which)
        return (str(address[0]), int(address[1])) if isinstance(address, tuple) else None

    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self._app(scope, self._receive, self._send)
        except Disconnected:
            pass  # the application receives websocket.disconnect
        finally:
            if self._is_open:
                self._send_close(INTERNAL_ERROR, "")
            elif not self._closing:
                self._refuse(b"500 Internal Server Error")

    def _refuse(self, status: bytes, more: bytes = b"", body: bytes = b"") -> None:
        self._closing = True
        head = b"HTTP/1.1 " + status + b"\r\n" + self.extra + _SPOKEN_VERSION + more
        self._write(head + b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body) + body)
        self._transport.close()

    # ASGI

    async def _receive(self) -> _Event:
        while not self._events:
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        event = self._events.popleft()
        if self._paused and len(self._events) < MAX_WAITING // 2 and not self._transport.is_closing():
            self._paused = False
            self._transport.resume_reading()
        return event

    async def _send(self, event: _Event) -> None:
        kind = event["type"]
        if kind == "websocket.send":
            if not self._is_open:
                raise Disconnected
            text = event.get("text")
            data = frame(TEXT, text.encode()) if text is not None else frame(BINARY, event["bytes"])
            self._write(data)
            while self._writable is not None:
                await asyncio.shield(self._writable)
                if self._closing:
                    raise Disconnected
        elif kind == "websocket.accept":
            self._open()
        elif kind == "websocket.close":
            if self._is_open:
                self._send_close(event.get("code") or 1000, event.get("reason") or "")
            elif not self._closing:
                self._refuse(b"403 Forbidden")
        elif kind == "websocket.http.response.start":
            self._denial = event
        elif kind == "websocket.http.response.body" and not self._closing:
            status = HTTPStatus(self._denial["status"])
            lines = [name + b": " + value + b"\r\n" for name, value in self._denial["headers"]]
            self._refuse(b"%d %s" % (status, status.phrase.encode()), b"".join(lines), event["body"])

    def _write_text(self, text: bytes) -> bool:
        """Send a text, as UTF-8, without awaiting; False if the client has not read what was sent before."""
        if self._writable is not None:
            return False
        if self._is_open:
            if not self._unwritten:
                self.outbox.add(self)
            self._unwritten.append(frame(TEXT, text))
        return True

    def _open(self) -> None:
        if self._closing:
            raise Disconnected
        self._is_open = True
        self._write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + self._accept + b"\r\n\r\n"
        )

    # Incoming messages

    def _on_message(self, opcode: int, data: bytes) -> None:
        if self._closing and opcode != CLOSE:
            return
        if opcode == TEXT:
            try:
                self._put({"type": "websocket.receive", "text": data.decode()})
            except UnicodeDecodeError:
                raise ProtocolError(INVALID_TEXT, "a message must be UTF-8") from None
        elif opcode == BINARY:
            self._put({"type": "websocket.receive", "bytes": data})
        elif opcode in (PING, PONG):
            self._on_ping(opcode, data)
        elif opcode == CLOSE:
            code = close_code(data)
            if self._is_open:
                self._send_close(1000 if code == 1005 else code, "")
            self._put({"type": "websocket.disconnect", "code": code, "reason": ""})
            self._transport.close()

    def _on_ping(self, opcode: int, data: bytes) -> None:
        """Answer a ping. Pings and pongs are limited here, because the message limit does not count them."""
        now = self._loop.time()
        self._ping_bucket = self._ping_bucket or Bucket(PINGS_BURST, now)
        if not self._ping_bucket.take(now, PINGS_PER_SECOND, PINGS_BURST):
            self._closing = True
            self._transport.abort()
        elif opcode == PING:
            self._write(frame(PONG, data))

    def _put(self, event: _Event) -> None:
        self._events.append(event)
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)
        if len(self._events) > MAX_BURST:
            self._closing = True
            self._transport.abort()
        elif len(self._events) >= MAX_WAITING and not (self._paused or self._closing or self._transport.is_closing()):
            self._paused = True
            self._transport.pause_reading()

    def _fail(self, code: int, reason: str) -> None:
        if self._is_open:
            self._send_close(code, reason)
        self._put({"type": "websocket.disconnect", "code": code, "reason": reason})
        self._closing = True
        self._transport.close()

    def _send_close(self, code: int, reason: str) -> None:
        """Send a close frame; a client that does not answer it is disconnected."""
        self._is_open = False
        self._closing = True
        self._write(close_frame(code, reason))
        if self._paused:
            self._paused = False
            if not self._transport.is_closing():
                self._transport.resume_reading()
        self._close_timer = self._loop.call_later(CLOSE_TIMEOUT, self._transport.abort)

    def flush(self) -> None:
        """Write what is waiting in `_unwritten`."""
        if self._unwritten:
            data = self._unwritten[0] if len(self._unwritten) == 1 else b"".join(self._unwritten)
            self._unwritten.clear()
            if not self._transport.is_closing():
                self._transport.write(data)

    def _write(self, data: bytes) -> None:
        self._unwritten.append(data)
        self.flush()

    def _wake_writer(self) -> None:
        if self._write_timer:
            self._write_timer.cancel()
            self._write_timer = None
        if self._writable and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None
