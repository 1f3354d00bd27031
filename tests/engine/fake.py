"""Searches that are quick, slow or broken on purpose, in place of what the engine knows of a family."""

from __future__ import annotations

import os
import signal
import time
from itertools import count
from threading import Thread
from typing import Any, ClassVar

from tilery import Position, Stream, game
from tilery.engine.family import Family, Level, Method, Question
from tilery.engine.info import Line


class FakeSearch:
    """Knows at once that the first move is the best one, and counts what it is asked."""

    engine = "fake 1"
    horizon = "round"
    made: ClassVar[list[FakeSearch]] = []
    pause = 0.0  # seconds for each step
    end: float = 1e9  # so many nodes are all there is to find

    def __init__(self, question: Question) -> None:
        self.question = question
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
        assert 0 <= worker < self.question.threads
        self.steps += 1
        if self.pause:
            time.sleep(self.pause)
        self.nodes += nodes

    def lines(self, most: int) -> list[Line]:
        seen = self.question.seen
        found = []
        for number, action in enumerate(seen.actions()[:most]):
            win = 0.75 - number / 1000 - 1 / 3e6
            others = (1 - win) / (seen.seats - 1)
            wins = [others] * seen.seats
            margins = [-4.5 + number] * seen.seats
            wins[seen.seat], margins[seen.seat] = win, 4.5 - number
            moves = (seen.move_text(action), "then", "this")
            found.append(Line(action, moves, tuple(wins), tuple(margins), self.nodes // 2, number == 0))
        return found


class SlowSearch(FakeSearch):
    """Takes its time."""

    pause = 0.002


class FiniteSearch(FakeSearch):
    """Is soon done."""

    end = 1


class BrokenSearch(FakeSearch):
    """Fails."""

    def step(self, worker: int, nodes: int) -> None:
        raise ZeroDivisionError(f"worker {worker} has divided {nodes} by 0")


class BoundlessSearch(FakeSearch):
    """Finds what JSON has no number for."""

    def lines(self, most: int) -> list[Line]:
        return [Line(line.action, line.moves, line.wins, (float("nan"),) * 4, 0, False) for line in super().lines(most)]


def _never(*_: Any) -> Any:
    raise AssertionError("not of these")


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
    kernels={part: ("nothing", {}) for part in ("greedy", "look", *METHODS)},
    greedy=_never,
    play_games=_never,
    look=_never,
    methods=METHODS,
    strongest=lambda *_: "fake",
    levels=lambda _: [Level(f"level-{n}", f"fake step {n}", "fake", limit="5n") for n in range(1, 10)],
    evaluator=_never,
)


def press_when_thinking() -> None:
    """Ctrl-C, as soon as a search has begun."""
    FakeSearch.made.clear()

    def press() -> None:
        while not FakeSearch.made or FakeSearch.made[-1].steps < 3:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    Thread(target=press, daemon=True).start()
