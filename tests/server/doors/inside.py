"""The whole server inside of a test: real doors, keeper and store, but a clock, names and secrets that are known."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from tilery.core.position import Seen
from tilery.core.streams import Stream
from tilery.games import game
from tilery.server.app import make_app
from tilery.server.house import House
from tilery.server.keeper import Keeper
from tilery.server.logs import Log
from tilery.server.serving import check_bot
from tilery.server.settings import Settings
from tilery.server.store.sqlite import SqliteStore

PATIENCE = 30.0
Message = dict[str, Any]
WIDE = Settings(
    requests_per_second=1e6, requests_at_once=1e6, tables_per_hour=1e6, messages_per_second=1e6, messages_at_once=1e6
)


class Thinker:
    """Bots that think at once, and always the same about what they see."""

    async def move(self, seen: Seen, bot: str, key: str) -> str:
        del key
        return seen.move_text(Stream(bot, seen.text).choice(seen.actions()))

    def cancel(self, key: str) -> None:
        del key


class Socket:
    """A socket in plain ASGI."""

    def __init__(self, app: Any, table: str, headers: list[tuple[bytes, bytes]]) -> None:
        self.frames: list[str] = []
        self.closed: int | None = None
        self.state: Message = {}
        self._in: asyncio.Queue[Message] = asyncio.Queue()
        self._out: asyncio.Queue[Message] = asyncio.Queue()
        self.reads = asyncio.Event()  # cleared: nothing more is taken in
        self.reads.set()
        self._in.put_nowait({"type": "websocket.connect"})
        scope = {
            "type": "websocket",
            "path": f"/api/tables/{table}/socket",
            "headers": [(b"host", b"test"), *headers],
            "client": ("127.0.0.1", 1),
        }
        self._task = asyncio.ensure_future(app(scope, self._in.get, self._put))

    async def _put(self, message: Message) -> None:
        await self.reads.wait()
        if message["type"] == "websocket.send":
            self.frames.append(message["text"])
        if message["type"] == "websocket.close":
            self.closed = message["code"]
            self._in.put_nowait({"type": "websocket.disconnect"})
        self._out.put_nowait(message)

    def say(self, **words: Any) -> None:
        self._in.put_nowait({"type": "websocket.receive", "text": json.dumps(words)})

    async def hear(self, kind: str = "", **words: Any) -> Message:
        """Skip messages up to one of a kind."""
        while True:
            event = await asyncio.wait_for(self._out.get(), PATIENCE)
            if event["type"] == "websocket.close":
                raise ConnectionError(event)
            if event["type"] == "websocket.send":
                message: Message = json.loads(event["text"])
                self.state = message.get("state", self.state)
                if kind in ("", message["type"]) and words.items() <= message.items():
                    return message

    async def ask(self, kind: str, /, **words: Any) -> Message:
        """Send a command, and return its answer."""
        self.say(type=kind, **words)
        return await self.hear("answer", id=words["id"])

    async def until_step(self, step: int) -> None:
        """Hear everything up to a step of the game."""
        while self.state.get("step", 0) < step:
            await self.hear()

    async def end(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(self._task, PATIENCE)


class World:
    """A server, open for as long as the story lasts."""

    def __init__(self, folder: Path, settings: Settings, secret: bytes) -> None:
        self.time = 1_800_000_000.0
        self.written = io.StringIO()
        self.log = Log("debug", self.written)
        self._tables = 0
        self._secret = secret
        store = SqliteStore(folder / "t.db", name="server")
        self.keeper = Keeper(
            store,
            now=lambda: self.time,
            fresh=self._fresh,
            find=game,
            check_bot=check_bot,
            bots=Thinker(),
            log=self.log.warning,
        )
        self.house = House(self.keeper, settings, lambda: self.time, self.log.error)
        self.app = make_app(self.house, self.log)

    def _fresh(self) -> tuple[str, bytes]:
        turned = self._secret[self._tables :] + self._secret[: self._tables]
        self._tables += 1
        return f"table{self._tables:07}", turned

    def client(self, token: str = "", **headers: str) -> httpx.AsyncClient:
        """Somebody with requests and cookies of its own."""
        if token:
            headers["authorization"] = f"Bearer {token}"
        transport = httpx.ASGITransport(app=self.app, client=("127.0.0.1", 1))
        return httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers)

    def socket(self, table: str, *headers: tuple[bytes, bytes]) -> Socket:
        return Socket(self.app, table, list(headers))

    async def greeted(self, table: str, token: str = "", **hello: Any) -> Socket:
        """A socket that has been welcomed."""
        socket = self.socket(table)
        socket.say(type="hello", token=token, **hello)
        await socket.hear("welcome")
        return socket


def run(
    folder: Path, story: Callable[[World], Awaitable[None]], settings: Settings = WIDE, secret: bytes = b"s" * 32
) -> World:
    """Open a server, let the story happen, close it again."""

    async def whole() -> World:
        world = World(folder, settings, secret)
        await world.keeper.open()
        try:
            await story(world)
        finally:
            await world.keeper.close()
        return world

    return asyncio.run(whole())
