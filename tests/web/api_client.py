"""Creates tables and plays at them over HTTP, for tests of something else."""

from __future__ import annotations

import random
import time
from typing import Any

from playwright.sync_api import APIResponse, BrowserContext

LINE = 6  # where a take in JSON has its line; null is the floor line


class ApiClient:
    """Sends requests with the cookies of a browser context."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self._requests, self._origin, self._count = context.request, origin, 0
        self.tokens: dict[str, str] = {}  # by table, for those created here

    def get(self, path: str) -> Any:
        """The JSON response to a GET request."""
        return _read(self._requests.get(f"{self._origin}{path}"))

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON response to a POST request."""
        return _read(self._requests.post(f"{self._origin}{path}", data=body))

    def create_table(self, game: str, *seats: str, variant: str = "", **more: Any) -> str:
        """Create a table and return its name; a seat is "open", "bot random" or "me Ann"."""
        wanted: list[dict[str, str]] = []
        for seat in seats:
            kind, _, name = seat.partition(" ")
            wanted.append({"kind": kind} | ({"name": name} if kind == "me" else {"bot": name} if kind == "bot" else {}))
        created = self.post("/api/tables", {"game": game, "variant": variant, "seats": wanted, **more})
        self.tokens[created["table"]] = created["token"]
        return str(created["table"])

    def claim(self, table: str, token: str) -> None:
        """Claim a seat that was taken in another browser."""
        self.post(f"/api/tables/{table}/claim", {"token": token})

    def sit(self, table: str, name: str) -> None:
        """Take a seat."""
        self.post(f"/api/tables/{table}/seat", {"name": name})

    def state(self, table: str) -> Any:
        """The table as this browser may see it."""
        return self.get(f"/api/tables/{table}")

    def moves(self, table: str) -> list[str]:
        """The texts of the legal moves of this browser's person."""
        return [str(text) for _, text, *_ in self.state(table).get("moves", ())]

    def send(self, table: str, what: str, state: Any = None, **fields: Any) -> Any:
        """Send a command; `state` saves a request if the caller has it already."""
        self._count += 1
        step = (state or self.state(table))["step"]
        command = {"type": what, "id": f"api-{self._count}", "step": step, **fields}
        return self.post(f"/api/tables/{table}/commands", command)

    def play(self, table: str, plies: int = 10_000, seed: int = 1) -> Any:
        """Play moves for the people of this browser, waiting for bots in between."""
        chance = random.Random(seed)
        state = self.ready(table)
        for _ in range(plies):
            if not state.get("moves"):
                break
            self.send(table, "play", state, move=sensible_move(state["moves"], chance))
            state = self.ready(table)
        return state

    def ready(self, table: str) -> Any:
        """Wait until it is not a bot's turn, and return the table."""
        state = self.state(table)
        while state["actor"] is not None and state["seats"][state["actor"]]["bot"]:
            time.sleep(0.01)
            state = self.state(table)
        return state

    def play_until(self, table: str, phase: str) -> str:
        """Play at a table of Schokoly until a person of this browser is to move in a given phase."""
        for seed in range(200):
            state = self.ready(table)
            if state["position"]["phase"] == phase:
                return table
            swaps = [text for kind, text, *_ in state["moves"] if kind in ("offer", "answer")]
            if phase == "accept" and swaps:
                self.send(table, "play", move=swaps[0])
            else:
                self.play(table, 1, seed)
        raise AssertionError(f"the phase {phase} never came")

    def warm_up(self, table: str) -> None:
        """Request hints until the engine is compiled, which takes a while on a new machine."""
        for _ in range(20):
            if self._requests.post(f"{self._origin}/api/tables/{table}/hint", data={}).status != 503:
                return

    def start_table(self, game: str, *seats: str, variant: str = "", plies: int = 0, seed: int = 1, **more: Any) -> str:
        """Create a table, start its game and play some plies."""
        table = self.create_table(game, *seats, variant=variant, **more)
        self.send(table, "start")
        self.play(table, plies, seed)
        return table


def sensible_move(moves: list[Any], chance: random.Random) -> str:
    """A move that advances the game: in Azul nothing to the floor line, and often something to the first lines."""
    useful = [move for move in moves if move[0] != "take" or move[LINE] is not None] or moves
    first = [move for move in useful if move[0] == "take" and move[LINE] in (0, 1)]
    return str(chance.choice(first if first and chance.random() < 0.7 else useful)[1])


def _read(response: APIResponse) -> Any:
    assert response.ok, f"{response.status} {response.url}: {response.text()}"
    return response.json() if response.body() else None
