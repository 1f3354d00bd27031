"""Tables made and played by request, in the name of a browser, for tests that are about something else."""

from __future__ import annotations

import random
import time
from typing import Any

from playwright.sync_api import APIResponse, BrowserContext


class Clerk:
    """Makes requests with the cookies of a browser."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self._requests, self._origin, self._count = context.request, origin, 0
        self.tokens: dict[str, str] = {}  # of the tables that were made here

    def get(self, path: str) -> Any:
        """What is answered at an address."""
        return _read(self._requests.get(f"{self._origin}{path}"))

    def post(self, path: str, words: dict[str, Any]) -> Any:
        """What is answered to a request."""
        return _read(self._requests.post(f"{self._origin}{path}", data=words))

    def found(self, game: str, *seats: str, variant: str = "", **more: Any) -> str:
        """A table; a seat is "open", "bot random" or "me Ann"."""
        wishes: list[dict[str, str]] = []
        for seat in seats:
            kind, _, name = seat.partition(" ")
            wishes.append({"kind": kind} | ({"name": name} if kind == "me" else {"bot": name} if kind == "bot" else {}))
        made = self.post("/api/tables", {"game": game, "variant": variant, "seats": wishes, **more})
        self.tokens[made["table"]] = made["token"]
        return str(made["table"])

    def claim(self, table: str, token: str) -> None:
        """Have a seat that was taken elsewhere."""
        self.post(f"/api/tables/{table}/claim", {"token": token})

    def sit(self, table: str, name: str) -> None:
        """Take a seat."""
        self.post(f"/api/tables/{table}/seat", {"name": name})

    def state(self, table: str) -> Any:
        """The table, as this browser may see it."""
        return self.get(f"/api/tables/{table}")

    def send(self, table: str, what: str, state: Any = None, **fields: Any) -> Any:
        """One command; whoever knows the state already says so."""
        self._count += 1
        step = (state or self.state(table))["step"]
        words = {"type": what, "id": f"clerk-{self._count}", "step": step, **fields}
        return self.post(f"/api/tables/{table}/commands", words)

    def play(self, table: str, plies: int = 10_000, seed: int = 1) -> Any:
        """Some moves of this browser's people; bots are waited for."""
        chance = random.Random(seed)
        state = self.ready(table)
        for _ in range(plies):
            if not state.get("moves"):
                break
            self.send(table, "play", state, move=wise(state["moves"], chance))
            state = self.ready(table)
        return state

    def ready(self, table: str) -> Any:
        """The table as soon as no bot has to move."""
        state = self.state(table)
        while state["actor"] is not None and state["seats"][state["actor"]]["bot"]:
            time.sleep(0.01)
            state = self.state(table)
        return state

    def until(self, table: str, phase: str) -> str:
        """Play at a table of Schokoly until somebody of this browser is to move in a phase."""
        for seed in range(200):
            state = self.ready(table)
            if state["position"]["phase"] == phase:
                return table
            swaps = [move for move in state["moves"] if move.startswith(("offer:", "answer:"))]
            if phase == "accept" and swaps:
                self.send(table, "play", move=swaps[0])
            else:
                self.play(table, 1, seed)
        raise AssertionError(f"nobody comes to {phase}")

    def warm_up(self, table: str) -> None:
        """Let the engine be compiled, which a hint would have to wait for on a new machine."""
        for _ in range(20):
            if self._requests.post(f"{self._origin}/api/tables/{table}/hint", data={}).status != 503:
                return

    def started(self, game: str, *seats: str, variant: str = "", plies: int = 0, seed: int = 1, **more: Any) -> str:
        """A table whose game has begun, and has gone on for some plies."""
        table = self.found(game, *seats, variant=variant, **more)
        self.send(table, "start")
        self.play(table, plies, seed)
        return table


def wise(moves: list[str], chance: random.Random) -> str:
    """A move that brings the game on: in Azul nothing to the floor line, and often something to the first lines."""
    useful = [move for move in moves if not move.endswith("F")] or moves
    first = [move for move in useful if move[2:3] in ("1", "2")]
    return chance.choice(first if first and chance.random() < 0.7 else useful)


def _read(response: APIResponse) -> Any:
    assert response.ok, f"{response.status} {response.url}: {response.text()}"
    return response.json() if response.body() else None
