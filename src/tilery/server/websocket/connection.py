"""The WebSocket of a table: commands come in, replies and updates go out. Plain ASGI, because there may be thousands of
connections."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

import msgspec

from tilery.server.auth import key_of, read_token, token_in
from tilery.server.context import ServerContext
from tilery.server.hosting.host import Busy, NoTable, OwnedElsewhere, TableDamaged, Unavailable
from tilery.server.logs import error_fields
from tilery.server.rate_limits import Bucket, address_of
from tilery.server.wire import MAX_MESSAGE_BYTES, Ping, id_in, read_hello, read_message
from tilery.table import wire
from tilery.table.commands import AnyCommand, Sit
from tilery.table.refusals import TableRefused
from tilery.table.state import WHO
from tilery.table.views import ClientMessage, TableViews, refusal_message

MAX_REASON_BYTES = 120  # of the text in a close frame
_PONG = ClientMessage(wire.Pong())
# Close codes of the application; docs/wire.md lists them.
POLICY_VIOLATION, TRY_AGAIN_LATER, NO_TABLE, TOO_SLOW, IDLE, OTHER_VERSION = 1008, 1013, 4404, 4408, 4410, 4426
TABLE_DAMAGED, OWNED_ELSEWHERE = 4500, 4307
DAMAGED_TEXT = "the stored game of this table is damaged, so it cannot go on; other tables are not affected"
DISK_FULL = "disk-full"  # the code of an error whose kind is `unavailable`
DISK_FULL_TEXT = (
    "the disk of the server is full, so this was not executed: send it again later; no earlier move is lost"
)

WRITE_EXTENSION = "tilery.write"  # the ASGI extension of `websocket/protocol.py` that sends without awaiting
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Write = Callable[[bytes], bool]  # sends a text at once; False if the client is not ready


class Connection:
    """One open WebSocket. Messages wait in a bounded queue; a client that reads too slowly is disconnected."""

    __slots__ = (
        "_closing",
        "_flushing",
        "_queue",
        "_send",
        "_write",
        "address",
        "bucket",
        "chat",
        "context",
        "last_message_at",
        "name",
        "who",
    )

    def __init__(self, context: ServerContext, send: Send, write: Write | None, name: str, address: str) -> None:
        self.context = context
        self.name = name  # of the table
        self.address = address
        self.who = ""
        self.chat = True
        self.last_message_at = context.now()
        self.bucket = Bucket(context.settings.messages_burst, self.last_message_at)
        self._send = send
        self._write = write
        self._queue: deque[ClientMessage] = deque()
        self._flushing: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    def send(self, message: ClientMessage) -> None:
        """Send a message, or queue it; never blocks."""
        if self._closing:
            return
        if self._flushing is None and self._write and self._write(message.data):
            self.context.metrics.messages_out += 1
            return
        if len(self._queue) >= self.context.settings.max_queued_messages:
            self.disconnect(TOO_SLOW, "too slow: too many messages were queued")
            return
        self._queue.append(message)
        if self._flushing is None:
            self._flushing = asyncio.ensure_future(self._flush())

    async def _flush(self) -> None:
        try:
            while self._queue:
                await self._send({"type": "websocket.send", "text": self._queue.popleft().data.decode()})
                self.context.metrics.messages_out += 1
        except Exception:  # the socket is closed; its reader notices
            self._queue.clear()
        finally:
            self._flushing = None

    def disconnect(self, code: int, reason: str) -> None:
        """Close the connection without sending what is queued; a command that is being executed still finishes."""
        if self._closing is None:
            self.context.metrics.sockets_cut += 1
            self._queue.clear()
            self._closing = asyncio.ensure_future(self._close(code, reason))

    def table_damaged(self) -> None:
        self.disconnect(TABLE_DAMAGED, DAMAGED_TEXT)

    def close_if_silent(self, since: float) -> None:
        """Close the connection if no message has arrived since then."""
        if self.last_message_at < since:
            self.disconnect(IDLE, "silent for too long")

    async def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close the connection."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close(code, reason))
        await asyncio.wait([self._closing])

    async def _close(self, code: int, reason: str) -> None:
        short = reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")
        try:
            async with asyncio.timeout(2.0):  # `protocol.py` disconnects clients that do not read
                if self._flushing:
                    await asyncio.wait([self._flushing], timeout=1.0)
                await self._send({"type": "websocket.close", "code": code, "reason": short})
        except Exception:  # the connection is already closed
            return


def names_process(scope: dict[str, Any]) -> bool:
    """Whether the address of a WebSocket names a process, as in `?process=p1`."""
    return b"process" in parse_qs(scope.get("query_string", b""), keep_blank_values=True)


class CloseConnection(Exception):
    """Raised to close the connection with a code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason


async def serve_websocket(
    context: ServerContext, name: str, scope: dict[str, Any], receive: Receive, send: Send
) -> None:
    """Serve one WebSocket from its handshake to its end."""
    address = address_of(scope, context.settings.behind_proxy)
    await receive()  # websocket.connect
    if not (
        context.origins.is_own_page(scope["headers"])
        and context.request_limits.take(address)
        and context.may_connect(address)
    ):
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})  # before the handshake: HTTP 403
        return
    await send({"type": "websocket.accept"})
    connection = Connection(context, send, scope.get("extensions", {}).get(WRITE_EXTENSION), name, address)
    context.connected(connection)
    try:
        await _serve(connection, scope, receive)
    except CloseConnection as closed:
        await connection.close(closed.code, closed.reason)
    finally:
        context.disconnected(connection)


async def _receive_text(receive: Receive) -> str | None:
    """The next message; None if the client has disconnected."""
    event = await receive()
    if event["type"] == "websocket.disconnect":
        return None
    text = event.get("text")
    if text is None or (len(text) > MAX_MESSAGE_BYTES // 4 and len(text.encode()) > MAX_MESSAGE_BYTES):
        raise CloseConnection(POLICY_VIOLATION, f"a message is a text of at most {MAX_MESSAGE_BYTES} bytes")
    return str(text)


async def _serve(connection: Connection, scope: dict[str, Any], receive: Receive) -> None:
    context = connection.context
    try:
        async with asyncio.timeout(context.settings.request_timeout):
            first = await _receive_text(receive)
        if first is None:
            return
        hello = read_hello(first)
        key = key_of(read_token(hello.token) if hello.token else token_in(scope["headers"]))
    except TimeoutError:
        raise CloseConnection(IDLE, "the first message must be hello") from None
    except TableRefused as refused:
        raise CloseConnection(POLICY_VIOLATION, str(refused)) from None
    if hello.version != wire.VERSION:
        raise CloseConnection(OTHER_VERSION, f"this server speaks version {wire.VERSION}: reload the page")
    connection.chat = hello.chat

    def welcome(views: TableViews) -> ClientMessage:
        connection.who = key[:WHO] if views.table.holds(key) else ""
        heartbeat = context.settings.heartbeat_interval
        return views.welcome(connection.who, after=hello.after, chat=hello.chat, heartbeat=heartbeat)

    # Whoever names a process was sent by another one, and stays, so that nobody is sent to and fro.
    await _subscribe(connection, welcome, only_as_owner=not names_process(scope))
    context.send_presence(connection.name)
    while (text := await _receive_text(receive)) is not None:
        await _handle_message(connection, key, text)


async def _subscribe(
    connection: Connection, welcome: Callable[[TableViews], ClientMessage], *, only_as_owner: bool
) -> None:
    table_host = connection.context.table_host
    try:
        await table_host.subscribe(connection.name, connection, welcome, only_as_owner=only_as_owner)
    except OwnedElsewhere as elsewhere:
        connection.context.metrics.sockets_redirected += 1
        raise CloseConnection(OWNED_ELSEWHERE, elsewhere.process_name) from None
    except NoTable:
        raise CloseConnection(NO_TABLE, "there is no such table") from None
    except TableDamaged:
        raise CloseConnection(TABLE_DAMAGED, DAMAGED_TEXT) from None
    except (Unavailable, Busy) as error:
        is_full = isinstance(error, Unavailable) and error.is_disk_full
        text = DISK_FULL_TEXT if is_full else "the server is busy: try again in a moment"
        raise CloseConnection(TRY_AGAIN_LATER, text) from None


async def _handle_message(connection: Connection, key: str, text: str) -> None:
    """Handle any message after the hello."""
    context = connection.context
    context.metrics.messages_in += 1
    connection.last_message_at = now = context.now()
    settings = context.settings
    if not connection.bucket.take(now, settings.messages_per_second, settings.messages_burst):
        connection.disconnect(TRY_AGAIN_LATER, "too many messages")
        raise CloseConnection(TRY_AGAIN_LATER, "too many messages")
    try:
        message = read_message(text)
    except TableRefused as refused:
        connection.send(ClientMessage(refusal_message(refused, id_in(text))))
        return
    if isinstance(message, Ping):
        connection.send(_PONG)
        return
    reply = await execute_command(context, connection.address, connection.name, key if connection.who else "", message)
    connection.send(ClientMessage(reply))


def check_sender(key: str, command: AnyCommand) -> None:
    """Refuse what is no command for a person with a seat."""
    if isinstance(command, Sit):
        raise TableRefused("not-allowed", "seat-by-request")
    if not key:  # an empty key would stand for a bot
        raise TableRefused("not-seated", "seat-needed")


async def execute_command(context: ServerContext, address: str, name: str, key: str, command: AnyCommand) -> wire.Reply:
    """Execute a command that came from an address; returns the reply. If the command was stale, the reply contains the
    state of the table."""
    try:
        check_sender(key, command)
        result = await context.quotas.submit(address, name, key, command)
        if result.refused is None:
            return wire.Reply(id=command.id, ok=True, seq=result.number)
        reply = refusal_message(result.refused, command.id)
        if result.refused.kind != "stale":
            return reply
        state = await context.table_host.read(name, lambda table, now: TableViews(table, now).state(key[:WHO]))
        return msgspec.structs.replace(reply, state=state)
    except TableRefused as refused:
        return refusal_message(refused, command.id)
    except Busy:
        text = "the server is busy and has not executed this: try again"
        return _error_reply(command.id, "busy", text, context.retry_delay())
    except Unavailable as error:
        text = "it is not known whether this was executed: send it again with the same id"
        code = "unavailable"
        if error.is_disk_full:
            text, code = DISK_FULL_TEXT, DISK_FULL
        return _error_reply(command.id, "unavailable", text, context.retry_delay(), code)
    except NoTable:
        return _error_reply(command.id, "no-table", "there is no such table")
    except TableDamaged:
        return _error_reply(command.id, "damaged", DAMAGED_TEXT)
    except Exception as error:
        context.log.error("internal-error", command=command.type, **error_fields(error))
        text = "internal error: send it again with the same id to find out whether it was executed"
        return _error_reply(command.id, "internal-error", text)


def _error_reply(command: str, kind: str, text: str, retry_delay: float | None = None, code: str = "") -> wire.Reply:
    error = wire.ErrorInfo(kind=kind, code=code or kind, text=text, retry_delay=retry_delay)
    return wire.Reply(id=command, ok=False, error=error)
