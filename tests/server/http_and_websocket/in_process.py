"""The whole server inside a test: the real application, table host and store, but a clock, names and secrets that the
test controls."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from tests.notation import texts
from tests.wire_client import legal_texts, next_state
from tilery.core.position import Seen
from tilery.core.streams import Stream
from tilery.games import game
from tilery.server.app import make_app
from tilery.server.context import ServerContext
from tilery.server.hosting.host import TableHost
from tilery.server.logs import Log
from tilery.server.run import check_bot
from tilery.server.settings import Settings
from tilery.server.store.sqlite import SqliteStore

TIMEOUT = 30.0
Message = dict[str, Any]
WIDE = Settings(
    allowed_hosts="test",
    requests_per_second=1e6,
    requests_burst=1e6,
    cpu_per_second=1e6,
    cpu_burst=1e6,
    tables_per_hour=1e6,
    public_tables_per_address=1_000_000,
    seats_per_hour=1e6,
    commands_per_second=1e6,
    commands_burst=1e6,
    stored_bytes_per_hour=1e9,
    messages_per_second=1e6,
    messages_burst=1e6,
)


TWO = [{"kind": "me", "name": "Anna"}, {"kind": "open"}]


def kind_of(response: httpx.Response) -> tuple[int, str]:
    """The status and the kind of an error response."""
    return response.status_code, response.json()["error"]["kind"]


async def create_table(client: httpx.AsyncClient, **words: Any) -> Message:
    """Create a table as this client."""
    response = await client.post("/api/tables", json={"game": "azul", "seats": TWO} | words)
    assert response.status_code == 201, response.text
    seated: Message = response.json()
    return seated


async def start_game(client: httpx.AsyncClient, bot: str = "random", **words: Any) -> str:
    """The path of a new table at which the client plays against a bot."""
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "bot", "bot": bot}]
    where = f"/api/tables/{(await create_table(client, **{'seats': seats} | words))['table']}"
    started = await client.post(f"{where}/commands", json={"type": "start", "id": "start", "step": 1})
    assert started.status_code == 200, started.text
    return where


async def play_random_moves(client: httpx.AsyncClient, where: str, stream: Stream, most: int = 1000) -> Message:
    """Make at most `most` random moves; returns the last state."""
    state: Message = (await client.get(where)).json()
    while state["status"] == "playing" and most:
        if state.get("moves"):
            move, step = stream.choice(legal_texts(state)), state["step"]
            play = {"type": "play", "id": f"move-{step}", "step": step, "move": move}
            response = await client.post(f"{where}/commands", json=play)
            assert response.status_code == 200, response.text
            most -= 1
        await asyncio.sleep(0)  # others move
        state = (await client.get(where)).json()
    while state["status"] == "playing" and not state.get("moves"):
        await asyncio.sleep(0)
        state = (await client.get(where)).json()
    return state


class Thinker:
    """Bots that move at once, and always the same in the same position."""

    async def move(self, seen: Seen, bot: str, key: str) -> str:
        del key
        return seen.move_text(Stream(bot, seen.text).choice(seen.actions()))

    async def hint(self, seen: Seen, key: str) -> Message:
        del key
        move = Stream("hint", seen.text).choice(texts(seen))
        line = {"win": 0.5, "margin": 1.5, "moves": [move], "nodes": 7, "solved": False}
        return {"engine": "thinker", "horizon": "round", "solved": False, "depth": 1, "nodes": 7, "variations": [line]}

    def cancel(self, key: str) -> None:
        del key


class Socket:
    """A WebSocket in plain ASGI."""

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

    async def receive(self, kind: str = "", **words: Any) -> Message:
        """Skip messages until one of this type."""
        while True:
            event = await asyncio.wait_for(self._out.get(), TIMEOUT)
            if event["type"] == "websocket.close":
                raise ConnectionError(event)
            if event["type"] == "websocket.send":
                message: Message = json.loads(event["text"])
                self.state = next_state(self.state or None, message) or {}
                if kind in ("", message["type"]) and words.items() <= message.items():
                    return message

    async def ask(self, kind: str, /, **words: Any) -> Message:
        """Send a command; returns the reply."""
        self.say(type=kind, **words)
        return await self.receive("reply", id=words["id"])

    async def until_step(self, step: int) -> None:
        """Receive everything up to a step of the game."""
        while self.state.get("step", 0) < step:
            await self.receive()

    async def end(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(self._task, TIMEOUT)


class World:
    """A server that is open while the story runs."""

    def __init__(self, folder: Path, settings: Settings, secret: bytes) -> None:
        self.time = 1_800_000_000.0
        self.written = io.StringIO()
        self.log = Log("debug", self.written)
        self._tables = 0
        self._secret = secret
        self.bots = Thinker()
        store = SqliteStore(folder / "t.db", name="server")
        self.table_host = TableHost(
            store,
            now=lambda: self.time,
            new_table_id=self._new_table_id,
            find_game=game,
            check_bot=check_bot,
            bots=self.bots,
            log=self.log,
        )
        self.context = ServerContext(self.table_host, settings, lambda: self.time, self.log)
        self.app = make_app(self.context, self.log)

    def _new_table_id(self) -> tuple[str, bytes]:
        turned = self._secret[self._tables :] + self._secret[: self._tables]
        self._tables += 1
        return f"table{self._tables:07}", turned

    def client(self, token: str = "", **headers: str) -> httpx.AsyncClient:
        """A client with its own cookies."""
        if token:
            headers["authorization"] = f"Bearer {token}"
        transport = httpx.ASGITransport(app=self.app, client=("127.0.0.1", 1))
        return httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers)

    def socket(self, table: str, *headers: tuple[bytes, bytes]) -> Socket:
        return Socket(self.app, table, list(headers))

    async def open_socket(self, table: str, token: str = "", **hello: Any) -> Socket:
        """A WebSocket that has received the welcome."""
        socket = self.socket(table)
        socket.say(type="hello", token=token, **hello)
        await socket.receive("welcome")
        return socket


RunInWorld = Callable[..., World]


def run(
    folder: Path, story: Callable[[World], Awaitable[None]], settings: Settings = WIDE, secret: bytes = b"s" * 32
) -> World:
    """Open a server, run the story, close the server."""

    async def whole() -> World:
        world = World(folder, settings, secret)
        await world.table_host.open()
        try:
            await story(world)
        finally:
            await world.table_host.close()
        return world

    return asyncio.run(whole())
