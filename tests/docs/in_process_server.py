"""A server in this process, with a clock and tokens of our own: what it says is the same each time."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.notation import texts
from tilery.core.position import Seen
from tilery.games import game
from tilery.server.app import make_app
from tilery.server.bots import check_table_bot
from tilery.server.context import ServerContext
from tilery.server.hosting.host import TableHost
from tilery.server.logs import Log
from tilery.server.settings import Settings
from tilery.server.store.sqlite import SqliteStore

NAMES = ("k7vq2m9xwp3d", "c4tn8bhy6zre", "w9mx3fd5kqa7", "p2hj7rgv4tnb", "e6yz8cs3xmwq", "h5bd9qk2vtrn", "m3wn6xj8fzpc")
Message = dict[str, Any]


class FirstMoves:
    """Bots for tests: they play the first move there is."""

    async def move(self, seen: Seen, bot: str, key: str) -> str:  # noqa: ARG002
        return texts(seen)[0]

    async def hint(self, seen: Seen, key: str) -> Message:  # noqa: ARG002
        move = texts(seen)[0]
        line = {"win": 0.5, "margin": 0.0, "moves": [move], "nodes": 1, "solved": False}
        return {"engine": "none", "horizon": "round", "solved": False, "depth": 1, "nodes": 1, "variations": [line]}

    def cancel(self, key: str) -> None:
        """There is nothing to cancel."""


class Client:
    """One socket of the server."""

    def __init__(self, server: InProcessServer, table: str) -> None:
        self.received: list[Message] = []
        self.code: int | None = None
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._sent.put_nowait({"type": "websocket.connect"})
        scope: dict[str, Any] = {
            "type": "websocket",
            "path": f"/api/tables/{table}/socket",
            "headers": [(b"host", b"localhost")],
        }
        self._task = asyncio.ensure_future(
            server.app({**scope, "client": ("127.0.0.1", 1)}, self._sent.get, self._receive)
        )

    async def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.received.append(json.loads(message["text"]))
        elif message["type"] == "websocket.close":
            self.code = message["code"]

    def say(self, text: str) -> None:
        self._sent.put_nowait({"type": "websocket.receive", "text": text})

    async def leave(self) -> None:
        self._sent.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self._task


class InProcessServer:
    """A server in this process: its clock stands still until a test moves it."""

    def __init__(self, store: SqliteStore, **settings: Any) -> None:
        self.time = 1_800_000_000.0
        self.made = 0
        self.numbers = itertools.count(1)  # for ids of commands
        log = Log("error")
        table_host = TableHost(
            store,
            now=lambda: self.time,
            new_table_id=self._new_table_id,
            find_game=game,
            check_bot=check_table_bot,
            bots=FirstMoves(),
            log=log,
        )
        self.context = ServerContext(table_host, Settings(**settings), lambda: self.time, log)
        self.app = make_app(self.context, log)
        self.clients: list[Client] = []

    def _new_table_id(self) -> tuple[str, bytes]:
        self.made += 1
        return NAMES[self.made - 1], hashlib.sha256(f"table {self.made}".encode()).digest()

    async def request(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any, Any]:
        """Status, value and headers of an answer."""
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        headers += [(b"authorization", f"Bearer {token}".encode())] if token else []
        sent: list[dict[str, Any]] = []
        path, _, query = path.partition("?")
        scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "scheme": "http"}
        scope |= {"query_string": query.encode(), "headers": headers, "client": ("127.0.0.1", 1), "http_version": "1.1"}

        parts = [{"type": "http.request", "body": raw, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if not parts:
                await asyncio.Event().wait()  # the client stays
            return parts.pop()

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app({**scope, "root_path": "", "server": ("tables", 80)}, receive, send)
        text = b"".join(message.get("body", b"") for message in sent).decode()
        received = dict(sent[0]["headers"])
        is_json = received.get(b"content-type", b"").startswith(b"application/json")
        return sent[0]["status"], json.loads(text) if is_json else text, received

    def enter(self, table: str) -> Client:
        client = Client(self, table)
        self.clients.append(client)
        return client

    async def quiet(self) -> None:
        """Wait until nothing more happens by itself."""
        calm, before = 0, -1
        while calm < 4:
            await asyncio.sleep(0.01)
            busy = self.context.metrics.pending or any(
                live.lock.locked() for live in self.context.table_host.live_tables.all()
            )
            received = sum(len(client.received) for client in self.clients)
            calm = 0 if busy or received != before else calm + 1
            before = received

    async def wait_for(self, client: Client, kind: str, since: int) -> Message:
        """The next message of a kind."""
        async with asyncio.timeout(20):
            while True:
                for message in client.received[since:]:
                    if message["type"] == kind:
                        await self.quiet()
                        return message
                assert client.code is None, client.code
                await asyncio.sleep(0.005)

    async def ask(self, client: Client, **command: Any) -> Message:
        """Have a command answered."""
        since = len(client.received)
        client.say(json.dumps(command))
        self.time += 1.0
        return await self.wait_for(client, "reply", since)

    async def greet(self, table: str, token: str = "", **more: Any) -> Client:
        """A socket that has been welcomed."""
        client = self.enter(table)
        client.say(json.dumps({"type": "hello", **({"token": token} if token else {}), **more}))
        await self.wait_for(client, "welcome", 0)
        return client


@contextlib.asynccontextmanager
async def in_process_server(**settings: Any) -> AsyncIterator[InProcessServer]:
    """An open server with an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        server = InProcessServer(SqliteStore(Path(folder) / "tilery.db"), **settings)
        await server.context.table_host.open()
        try:
            yield server
        finally:
            for client in server.clients:
                await client.leave()
            await server.context.table_host.close()


def run(work: Callable[[InProcessServer], Awaitable[Any]], **settings: Any) -> Any:
    """Run something against a server in this process."""

    async def inside() -> Any:
        async with in_process_server(**settings) as server:
            return await work(server)

    return asyncio.run(inside())
