"""Clients that play on while the server is killed, and record every acknowledgement."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.ports import free_port
from tests.server.server_process import GENEROUS
from tests.wire_client import Message, legal_texts, next_state

THOUGHT = 0.04  # seconds for a move, at most: whoever plays without a pause leaves no time for a server to start
LIMITS = {f"TILERY_{name.upper()}": str(value) for name, value in GENEROUS.items()}


class KillableServer:
    """A real server process that can be killed and started again at the same port."""

    def __init__(self, database: str, log: Path) -> None:
        self.database, self._log = database, log
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "tilery", "serve", "--port", str(self.port), "--database", self.database]
        with self._log.open("a") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **LIMITS}
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "Tables are open" in line, (line, self._log.read_text()[-2000:])

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@dataclass
class Acknowledged:
    """An acknowledged command: its table, its id and the number of its event."""

    table: str
    command: str
    number: int


@dataclass
class Player:
    """One person at a table; connects to any of the servers."""

    ports: list[int]
    table: str
    token: str
    chosen: random.Random
    known: int | None = None
    state: Message | None = None
    step: int = 0
    moves: list[str] = field(default_factory=list)
    status: str = "open"
    waiting: dict[str, Any] | None = None  # sent, and not answered yet
    acknowledged: list[Acknowledged] = field(default_factory=list)
    repeated: int = 0
    numbers: int = 0

    async def play(self, stop: asyncio.Event) -> None:
        """Play until the game is over or `stop` is set; reconnect when the connection is lost."""
        while not stop.is_set() and self.status in ("open", "playing"):
            port = self.chosen.choice(self.ports)
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                url = f"ws://127.0.0.1:{port}/api/tables/{self.table}/socket"
                async with connect(url, open_timeout=5, close_timeout=0.1, compression=None) as channel:
                    await self._converse(channel, stop)
            await asyncio.sleep(0.05)

    async def _converse(self, channel: ClientConnection, stop: asyncio.Event) -> None:
        self.state = None
        await channel.send(json.dumps({"type": "hello", "token": self.token, "after": self.known}))
        if self.waiting:  # it is not known whether it was executed: send it again
            self.repeated += 1
            await channel.send(json.dumps(self.waiting))
        while not stop.is_set():
            try:
                text = await asyncio.wait_for(channel.recv(), 1.0)
            except TimeoutError:
                continue
            self._receive(json.loads(text))
            if self.status == "over":
                return
            if self.waiting is None and self.moves:
                self.numbers += 1
                move = self.chosen.choice(self.moves)
                name = f"{self.token[:6]}-{self.numbers}"
                self.waiting = {"type": "play", "id": name, "step": self.step, "move": move}
                self.moves = []
                await asyncio.sleep(self.chosen.uniform(0, THOUGHT))
                await channel.send(json.dumps(self.waiting))

    def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "reply":
            assert self.waiting is not None
            assert message["id"] == self.waiting["id"], (message, self.waiting)
            if message["ok"]:
                self.acknowledged.append(Acknowledged(self.table, message["id"], message["seq"]))
                self.waiting = None
            elif message["error"]["kind"] == "stale":
                self.waiting = None
            else:
                assert message["error"]["kind"] in ("busy", "unavailable"), message
                raise OSError  # try again
        state = self.state = next_state(self.state, message)
        if (
            state
            and message["type"] in ("welcome", "update", "reply")
            and (self.known is None or state["seq"] >= self.known)
        ):
            for event in message.get("events", ()):
                if message["type"] == "update" and self.known is not None and event["seq"] > self.known:
                    assert event["seq"] == self.known + 1, "an event was missed or came twice"
                    self.known = event["seq"]
            self.known = state["seq"]
            self.step, self.moves, self.status = state["step"], legal_texts(state), state["status"]


def post(port: int, path: str, body: dict[str, Any], token: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)


def new_table(ports: list[int], chosen: random.Random) -> list[Player]:
    """Two players at a new table of Azul or Schokoly whose game has started."""
    game, port = chosen.choice(["azul", "schokoly"]), chosen.choice(ports)
    made = post(port, "/api/tables", {"game": game, "seats": [{"kind": "me", "name": "A"}, {"kind": "open"}]})
    table = made["table"]
    other = post(port, f"/api/tables/{table}/seat", {"name": "B", "entropy": "ab"})
    post(port, f"/api/tables/{table}/commands", {"type": "start", "id": "s", "step": 1}, made["token"])
    tokens = (made["token"], other["token"])
    return [Player(ports, table, token, random.Random(chosen.random())) for token in tokens]
