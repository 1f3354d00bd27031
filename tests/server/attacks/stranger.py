"""A player from another address than the attacker, who measures how long moves and replays take."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx
from websockets.sync.client import connect

from tests.wire_client import next_state, text_of

ADDRESS = "127.0.0.3"
FOR_ONE = [{"kind": "me", "name": "Anna"}, {"kind": "me", "name": "Ben"}]


@dataclass
class Measured:
    """Seconds, one for each move and each replay."""

    moves: list[float] = field(default_factory=list)
    replays: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return f"moves {summary(self.moves)}; replays {summary(self.replays)}"


def percentile(times: list[float], percent: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * percent / 100))]


def summary(times: list[float]) -> str:
    parts = [f"{name} {1000 * percentile(times, p):.0f}" for name, p in (("p50", 50), ("p99", 99), ("worst", 100))]
    return f"{len(times)}: {', '.join(parts)} ms"


def play(port: int, goes_on: Callable[[], bool], pause: float = 0.1, replay_every: int = 5) -> Measured:
    """Play both seats of a table as long as it goes on, and ask for a replay after some moves; a new game follows."""
    measured = Measured()
    transport = httpx.HTTPTransport(local_address=ADDRESS)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=60) as client:
        while goes_on():
            table = client.post("/api/tables", json={"game": "azul", "seats": FOR_ONE}).raise_for_status().json()
            _play_game(port, client, table["table"], table["token"], goes_on, measured, pause, replay_every)
    return measured


def _play_game(
    port: int,
    client: httpx.Client,
    table: str,
    token: str,
    goes_on: Callable[[], bool],
    measured: Measured,
    pause: float,
    replay_every: int,
) -> None:
    at = socket.create_connection(("127.0.0.1", port), source_address=(ADDRESS, 0))
    with connect(f"ws://127.0.0.1:{port}/api/tables/{table}/socket", sock=at, compression=None) as tab:
        state: dict[str, object] = {}

        def ask(number: int, **words: object) -> None:
            nonlocal state
            tab.send(json.dumps({"id": f"command-{number}", "step": state["step"], **words}))
            is_done = False
            while not is_done or (state["status"] == "playing" and not state.get("moves")):
                message = json.loads(tab.recv(60))
                state = next_state(state or None, message) or state
                if message["type"] == "reply":
                    assert message["ok"], message
                    is_done = True

        tab.send(json.dumps({"type": "hello", "token": token}))
        state = next_state(None, json.loads(tab.recv(60))) or {}
        ask(0, type="start")
        number = 0
        while goes_on() and state["status"] == "playing":
            moves = state["moves"]
            assert isinstance(moves, list)
            number += 1
            began = time.monotonic()
            ask(number, type="play", move=text_of(moves[number % len(moves)]))
            measured.moves.append(time.monotonic() - began)
            if number % replay_every == 0:
                began = time.monotonic()
                client.get(f"/api/tables/{table}/replay").raise_for_status()
                measured.replays.append(time.monotonic() - began)
            time.sleep(pause)
