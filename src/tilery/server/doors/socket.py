"""The socket of a table: commands come in, answers and news go out. Spoken in plain ASGI, for 8,000 of them at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from tilery.server.doors.limits import Bucket, address_of
from tilery.server.doors.tokens import key_of, read_token, token_in
from tilery.server.house import House
from tilery.server.keeper import NoTable, Overloaded, Unavailable
from tilery.server.wire import LONGEST_FRAME, Ping, id_in, read_hello, read_message
from tilery.table.commands import AnyCommand, Sit
from tilery.table.refusing import TableRefused
from tilery.table.state import WHO
from tilery.table.telling import VERSION, Telling, Told, told, told_refusal

LONGEST_REASON = 120  # bytes of the text that goes with a close
_PONG = told({"type": "pong"})
# Why a socket was closed, for clients.
BAD, TOO_MUCH, AWAY, NO_TABLE, SLOW, SILENT, OLD = 1008, 1013, 1012, 4404, 4408, 4410, 4426

WRITE = "tilery.write"  # what our own sockets can do beyond ASGI
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Write = Callable[[str], bool]  # sends a text at once, if the line is free


class Connection:
    """One open socket. Messages wait in an outbox of limited size; who does not read is cut."""

    __slots__ = (
        "_closing",
        "_flushing",
        "_outbox",
        "_send",
        "_write",
        "address",
        "bucket",
        "chat",
        "heard",
        "house",
        "name",
        "who",
    )

    def __init__(self, house: House, send: Send, write: Write | None, name: str, address: str) -> None:
        self.house = house
        self.name = name
        self.address = address
        self.who = ""
        self.chat = True
        self.heard = house.now()
        self.bucket = Bucket(house.settings.messages_at_once, self.heard)
        self._send = send
        self._write = write
        self._outbox: deque[Told] = deque()
        self._flushing: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    def tell(self, message: Told) -> None:
        """Have a message sent; never waits."""
        if self._closing:
            return
        if self._flushing is None and self._write and self._write(message.text):
            self.house.counts.messages_out += 1
            return
        if len(self._outbox) >= self.house.settings.outbox:
            self.cut(SLOW, "too slow: messages were waiting")
            return
        self._outbox.append(message)
        if self._flushing is None:
            self._flushing = asyncio.ensure_future(self._flush())

    async def _flush(self) -> None:
        try:
            while self._outbox:
                await self._send({"type": "websocket.send", "text": self._outbox.popleft().text})
                self.house.counts.messages_out += 1
        except Exception:  # the socket has gone; its reader notices
            self._outbox.clear()
        finally:
            self._flushing = None

    def cut(self, code: int, reason: str) -> None:
        """Have it end, without breaking off what it has asked for."""
        if self._closing is None:
            self.house.counts.sockets_cut += 1
            self._outbox.clear()
            self._closing = asyncio.ensure_future(self._close(code, reason))

    def cut_if_silent(self, since: float) -> None:
        """Have it end if nothing was heard since then."""
        if self.heard < since:
            self.cut(SILENT, "silent for too long")

    async def close(self, code: int, reason: str) -> None:
        """Send what is waiting, then the end."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close(code, reason))
        await asyncio.wait([self._closing])

    async def _close(self, code: int, reason: str) -> None:
        short = reason.encode()[:LONGEST_REASON].decode(errors="ignore")
        try:
            async with asyncio.timeout(2.0):  # who does not read is disconnected by `protocols`
                if self._flushing:
                    await asyncio.wait([self._flushing], timeout=1.0)
                await self._send({"type": "websocket.close", "code": code, "reason": short})
        except Exception:  # it has gone already
            return


def is_own_origin(house: House, headers: list[tuple[bytes, bytes]]) -> bool:
    """A page of ours, or a program (which says no origin)."""
    hosts = [value for name, value in headers if name == b"host" and value]
    own = {scheme + host for host in hosts for scheme in (b"http://", b"https://")}
    allowed = own | {origin.encode() for origin in house.origins}
    return all(value in allowed for name, value in headers if name == b"origin")


class Ended(Exception):
    """The conversation is over."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason


async def serve_socket(house: House, name: str, scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """One conversation, from the first message to the last."""
    address = address_of(scope, house.settings.behind_proxy)
    await receive()  # the wish to connect
    if not (is_own_origin(house, scope["headers"]) and house.requests.take(address) and house.may_connect(address)):
        await send({"type": "websocket.close", "code": BAD})  # before it is accepted: the answer is 403
        return
    await send({"type": "websocket.accept"})
    connection = Connection(house, send, scope.get("extensions", {}).get(WRITE), name, address)
    house.connected(connection)
    try:
        await _converse(connection, scope, receive)
    except Ended as ended:
        await connection.close(ended.code, ended.reason)
    finally:
        house.disconnected(connection)


async def _text(receive: Receive) -> str | None:
    """The next message; None when the other side has gone."""
    event = await receive()
    if event["type"] == "websocket.disconnect":
        return None
    text = event.get("text")
    if text is None or len(text.encode()) > LONGEST_FRAME:
        raise Ended(BAD, f"messages are text of at most {LONGEST_FRAME} bytes")
    return str(text)


async def _converse(connection: Connection, scope: dict[str, Any], receive: Receive) -> None:
    house = connection.house
    try:
        async with asyncio.timeout(house.settings.patience):
            first = await _text(receive)
        if first is None:
            return
        hello = read_hello(first)
        key = key_of(read_token(hello.token) if hello.token else token_in(scope["headers"]))
    except TimeoutError:
        raise Ended(SILENT, "say hello first") from None
    except TableRefused as refused:
        raise Ended(BAD, str(refused)) from None
    if hello.version != VERSION:
        raise Ended(OLD, f"this server speaks version {VERSION}: load the page anew")
    connection.chat = hello.chat

    def welcome(telling: Telling) -> Told:
        connection.who = key[:WHO] if telling.table.holds(key) else ""
        return telling.welcome(connection.who, after=hello.after, chat=hello.chat, heartbeat=house.settings.heartbeat)

    await _joining(connection, welcome)
    house.presence(connection.name)
    while (text := await _text(receive)) is not None:
        await _one(connection, key, text)


async def _joining(connection: Connection, welcome: Callable[[Telling], Told]) -> None:
    try:
        await connection.house.keeper.join(connection.name, connection, welcome)
    except NoTable:
        raise Ended(NO_TABLE, "there is no such table") from None
    except (Unavailable, Overloaded):
        raise Ended(TOO_MUCH, "too busy: come back in a moment") from None


async def _one(connection: Connection, key: str, text: str) -> None:
    """One message of a client."""
    house = connection.house
    house.counts.messages_in += 1
    connection.heard = now = house.now()
    settings = house.settings
    if not connection.bucket.take(now, settings.messages_per_second, settings.messages_at_once):
        connection.cut(TOO_MUCH, "too many messages")
        raise Ended(TOO_MUCH, "too many messages")
    try:
        message = read_message(text)
    except TableRefused as refused:
        connection.tell(told(told_refusal(refused, id_in(text))))
        return
    if isinstance(message, Ping):
        connection.tell(_PONG)
        return
    connection.tell(await answer_to(house, connection.name, key if connection.who else "", message))


async def answer_to(house: House, name: str, key: str, command: AnyCommand) -> Told:
    """Carry out a command; the answer tells what became of it, and where it came too late how the table stands."""
    if isinstance(command, Sit):
        return told(
            told_refusal(TableRefused("not-allowed", "seats are taken by POST /api/tables/.../seat"), command.id)
        )
    if not key:  # the table knows bots by having no key
        return told(told_refusal(TableRefused("not-seated", "this needs a seat at the table"), command.id))
    try:
        answer = await house.keeper.ask(name, key, command)
        if answer.refused is None:
            return Told(f'{{"type":"answer","id":"{command.id}","ok":true,"seq":{answer.number}}}')
        words = told_refusal(answer.refused, command.id)
        if answer.refused.code != "stale":
            return told(words)
        state = await house.keeper.look(name, lambda table, now: Telling(table, now).state(key[:WHO]), anew=True)
        return Told(f'{told(words).text[:-1]},"state":{state}}}')
    except Overloaded:
        return told(_trouble(command.id, "overloaded", "too much to do: nothing was done, try again", house.pause()))
    except Unavailable:
        text = "it is not known whether this was done: send it again with the same id"
        return told(_trouble(command.id, "unavailable", text, house.pause()))
    except NoTable:
        return told(_trouble(command.id, "no-table", "there is no such table", 0))
    except Exception as error:  # a fault of ours is nobody's loss
        house.log("fault", command=command.type, error=type(error).__name__)
        return told(_trouble(command.id, "fault", "a fault of ours; send it again to know whether it was done", 0))


def _trouble(command: str, code: str, text: str, again: float) -> dict[str, Any]:
    error: dict[str, Any] = {"code": code, "text": text}
    if again:
        error["retry_in"] = again
    return {"type": "answer", "id": command, "ok": False, "error": error}
