"""Clients of a real server: each has its own cookies and sockets, and records all messages."""

from __future__ import annotations

import itertools
import json
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.server_process import ServerProcess
from tests.wire_client import next_state

TIMEOUT = 30.0  # seconds for what should take a moment
Message = dict[str, Any]

AGAINST_BOT = [{"kind": "me", "name": "Anna"}, {"kind": "bot", "bot": "greedy"}]
FOR_TWO = [{"kind": "me", "name": "Anna"}, {"kind": "open"}]


class Tab:
    """One open WebSocket."""

    def __init__(
        self,
        server: ServerProcess,
        table: str,
        token: str = "",
        *,
        greet: bool = True,
        address: str = "",
        query: str = "",
        **hello: Any,
    ) -> None:
        url = f"{server.socket_url}/api/tables/{table}/socket{query}"
        self._open = ExitStack()
        source: dict[str, Any] = {"source_address": (address, 0)} if address else {}
        self.socket: ClientConnection = self._open.enter_context(
            connect(url, max_size=None, max_queue=None, open_timeout=TIMEOUT, ping_interval=None, **source)
        )
        self.frames: list[str] = []
        self.state: Message = {}
        self.events: list[Message] = []
        self._looked = 0  # how many of them a test has looked at
        self._numbers = itertools.count(1)
        if greet:
            self.send(type="hello", **({"token": token} if token else {}), **hello)
            self.welcome = self.until("welcome")

    def close(self) -> None:
        self._open.close()

    def send(self, **words: Any) -> None:
        self.socket.send(json.dumps(words))

    def receive(self) -> Message:
        """The next message."""
        text = self.socket.recv(TIMEOUT)
        assert isinstance(text, str)
        self.frames.append(text)
        message: Message = json.loads(text)
        self.state = next_state(self.state or None, message) or {}
        self.events += message.get("events", ())
        return message

    @property
    def seen(self) -> int:
        """The number of the last event that was received."""
        return max((event["seq"] for event in self.events), default=0)

    def until(self, kind: str, **words: Any) -> Message:
        """Skip messages until one of this type."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            message = self.receive()
            if message["type"] == kind and all(message.get(name) == value for name, value in words.items()):
                return message
        raise AssertionError(f"no {kind} came")

    def until_event(self, kind: str) -> Message:
        """Skip events until one of this type."""
        while True:
            while self._looked == len(self.events):
                self.receive()
            event = self.events[self._looked]
            self._looked += 1
            if event["type"] == kind:
                return event

    def until_seen(self, number: int) -> None:
        """Receive everything up to an event."""
        while self.seen < number:
            self.receive()

    def ask(self, kind: str, **words: Any) -> Message:
        """Send a command; returns the reply."""
        words = {"id": f"{kind}-{next(self._numbers)}-{id(self):x}", "step": self.state.get("step", 0)} | words
        self.send(type=kind, **words)
        return self.until("reply", id=words["id"])

    def done(self, kind: str, **words: Any) -> int:
        """Send a command that is executed; returns the number of its first event."""
        reply = self.ask(kind, **words)
        assert reply["ok"], reply
        number: int = reply["seq"]
        return number

    def refused(self, kind: str, **words: Any) -> str:
        """Send a command that is refused; returns the kind of error."""
        reply = self.ask(kind, **words)
        assert not reply["ok"], reply
        return str(reply["error"]["kind"])

    def end(self) -> tuple[int, str]:
        """Wait until the server closes the socket; returns the code and the reason."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")


@dataclass
class Person:
    """A person with a browser, which keeps cookies. With an `address`, requests and sockets come from it."""

    server: ServerProcess
    name: str = "Anna"
    token: str = ""
    table: str = ""
    address: str = ""
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        transport = httpx.HTTPTransport(local_address=self.address or None)
        self.http = httpx.Client(base_url=self.server.url, transport=transport, timeout=TIMEOUT)

    def make(self, game: str = "azul", seats: list[dict[str, str]] | None = None, **others: Any) -> Message:
        return self._sit("/api/tables", game=game, seats=seats or FOR_TWO, **others)

    def sit(self, table: str, **others: Any) -> Message:
        return self._sit(f"/api/tables/{table}/seat", name=self.name, **others)

    def _sit(self, path: str, **words: Any) -> Message:
        response = self.http.post(path, json=words)
        assert response.status_code == 201, response.text
        seated: Message = response.json()
        self.token, self.table = seated["token"], seated["table"]
        return seated

    def tab(self, table: str = "", **hello: Any) -> Tab:
        return Tab(self.server, table or self.table, self.token, address=self.address, **hello)

    def get(self, path: str = "") -> httpx.Response:
        """A GET request below the path of the person's table."""
        return self.http.get(f"/api/tables/{self.table}{path}")
