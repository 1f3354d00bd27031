"""Fake searches: fast, slow or broken, in place of the family of a game."""

from __future__ import annotations

import os
import signal
import time
from itertools import count
from threading import Thread
from typing import Any, ClassVar

from tilery import Position, Stream, game
from tilery.core.move import Move
from tilery.engine.family import Family, Level, Method, SearchRequest
from tilery.engine.info import Variation


class FakeSearch:
    """Prefers the first move at once, and counts its steps."""

    engine = "fake 1"
    horizon = "round"
    made: ClassVar[list[FakeSearch]] = []
    pause = 0.0  # seconds for each step
    end: float = 1e9  # done after this many nodes

    def __init__(self, request: SearchRequest) -> None:
        self.request = request
        self.nodes = 0
        self.steps = 0
        FakeSearch.made.append(self)

    @property
    def depth(self) -> int:
        return min(self.nodes, 7)

    @property
    def done(self) -> bool:
        return self.nodes >= self.end

    @property
    def share_solved(self) -> float:
        return 0.25

    def step(self, worker: int, nodes: int) -> None:
        assert 0 <= worker < self.request.threads
        self.steps += 1
        if self.pause:
            time.sleep(self.pause)
        self.nodes += nodes

    def variations(self, count: int) -> list[Variation]:
        seen = self.request.seen
        variations = []
        for number, move in enumerate(seen.moves()[:count]):
            win = 0.75 - number / 1000 - 1 / 3e6
            others = (1 - win) / (seen.seats - 1)
            wins = [others] * seen.seats
            margins = [-4.5 + number] * seen.seats
            wins[seen.seat], margins[seen.seat] = win, 4.5 - number
            moves = (move, Move("then", 0), Move("this", 0))
            variations.append(Variation(moves, tuple(wins), tuple(margins), self.nodes // 2, number == 0))
        return variations


class SlowSearch(FakeSearch):
    """Takes a while for each step."""

    pause = 0.002


class FiniteSearch(FakeSearch):
    """Is done after one node."""

    end = 1


class BrokenSearch(FakeSearch):
    """Raises an error in every step."""

    def step(self, worker: int, nodes: int) -> None:
        raise ZeroDivisionError(f"worker {worker} divided {nodes} by 0")


class BoundlessSearch(FakeSearch):
    """Returns margins that JSON cannot represent."""

    def variations(self, count: int) -> list[Variation]:
        return [Variation(each.moves, each.wins, (float("nan"),) * 4, 0, False) for each in super().variations(count)]


def _never(*_: Any) -> Any:
    raise AssertionError("fake families do not have this")


def forced() -> Position:
    """A position with a single legal move."""
    for seed in count():
        stream = Stream("forced", seed)
        position = game("azul").new().settle(stream)
        while position.actor >= 0:
            if len(position.actions()) == 1:
                return position
            position = position.play(stream.choice(position.actions())).settle(stream)
    raise AssertionError("numbers do not end")


METHODS: dict[str, Method] = {
    "fake": FakeSearch,
    "slow": SlowSearch,
    "finite": FiniteSearch,
    "broken": BrokenSearch,
    "boundless": BoundlessSearch,
}

FAKE = Family(
    name="fake",
    kernels={part: ("nothing", {}) for part in ("greedy", "one-ply", *METHODS)},
    greedy=_never,
    play_games=_never,
    one_ply=_never,
    methods=METHODS,
    strongest=lambda *_: "fake",
    levels=lambda _: [Level(f"level-{n}", f"fake step {n}", "fake", limit="5n") for n in range(1, 10)],
    evaluator=_never,
)


def press_when_thinking() -> None:
    """Press Ctrl-C as soon as a search has begun."""
    FakeSearch.made.clear()

    def press() -> None:
        while not FakeSearch.made or FakeSearch.made[-1].steps < 3:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    Thread(target=press, daemon=True).start()
