"""The strong search as `think` steps it: every worker tries moves in worlds of its own; what they find is added up.

Near the end of the game the first worker also solves the rest of it exactly; once it has, nothing else counts.
"""

from __future__ import annotations

import numpy as np

from tilery.core.game import Floats
from tilery.engine.evaluator import VALUES
from tilery.engine.family import Question
from tilery.engine.info import Line
from tilery.engine.limits import Limit
from tilery.engine.schokoly.endings import Ending, cards_left, worlds_of
from tilery.engine.schokoly.kernel import worlds as kernel
from tilery.engine.schokoly.kernel.worlds import ACTION, PRIOR, SUMS, TRIES, WORTH

_SEEDS = 1 << 62
SETTINGS = {"width": 20, "turns": 8, "point": 20, "bound": 300}
_LEAN = 4.0  # tries that a move is thought to have had with the result that its first estimate lets expect
_TRUST = 0.5  # the part of a difference between first estimates that the tries are expected to show
_ENOUGH = 5000  # nodes where the depth is the only limit: simulations of any depth have no end of their own
_FIRST = 64  # nodes before an ending is solved, so that there is an answer at once


def _turns(question: Question) -> int:
    """How many cards are laid in a simulation after the first one."""
    usual = SETTINGS["turns"]
    return usual if question.depth is None else min(usual, question.depth - 1)


def _reach(seats: int, limit: Limit) -> int:
    """How many cards may be left for an exact solution to be worth a try."""
    long = all(
        most is None or most >= least for most, least in ((limit.cpu, 1.0), (limit.time, 1.0), (limit.nodes, 100_000))
    )
    return (2 if seats == 3 else 3) + int(long)


class _Worker:
    """What one thread works with."""

    def __init__(self, question: Question, number: int) -> None:
        game = question.seen.game.kernel
        self.rows = game.new_rows(2)
        self.rows[0] = np.frombuffer(question.seen.row, dtype=np.uint8)
        self.moves = np.empty((kernel.MOST_MOVES, kernel.MOVE), dtype=np.int64)
        self.sums = np.empty(WORTH * kernel.MOST_MOVES + VALUES)
        self.numbers = np.zeros(kernel.NUMBERS, dtype=np.int64)
        self.rng = np.empty(kernel.GENERATORS, dtype=np.int64)
        self.out, self.rated = game.new_list(), np.empty(game.most_legal)
        self.numbers[kernel.SEED] = question.stream.child("worlds", number).below(_SEEDS)
        self.numbers[kernel.WIDTH] = SETTINGS["width"]
        self.numbers[kernel.TURNS] = _turns(question)
        self.numbers[kernel.POINT] = SETTINGS["point"]
        self.numbers[kernel.BOUND] = SETTINGS["bound"]

    def explore(self, model: Floats, nodes: int) -> None:
        if int(self.numbers[kernel.MOVES]) == 0:
            kernel.list_moves(self.rows, self.moves, self.sums, self.numbers, model, self.out)
        kernel.explore(self.rows, self.moves, self.sums, self.numbers, model, self.rng, self.out, self.rated, nodes)

    @property
    def actions(self) -> list[int]:
        """The moves, the promising ones first."""
        found: list[int] = self.moves[: int(self.numbers[kernel.MOVES]), ACTION].tolist()
        return found

    @property
    def table(self) -> Floats:
        """What is known of each move, in the same order."""
        return self.sums[: WORTH * int(self.numbers[kernel.MOVES])].reshape(-1, WORTH)


class Worlds:
    """Moves tried in sampled worlds; endings solved."""

    horizon = "game"

    def __init__(self, question: Question, model: Floats, name: str) -> None:
        self.engine = f"worlds 1, {name}"
        self.question = question
        self.model = model
        self.workers = [_Worker(question, number) for number in range(question.threads)]
        self.asked = 0  # nodes of the first worker
        limit = question.limit
        endless = limit.nodes is None and limit.cpu is None and limit.time is None
        self.most = _ENOUGH if endless and question.depth is not None else None
        self.ending: Ending | None = None
        self.left = cards_left(question.seen)
        if self.left <= _reach(question.seen.seats, question.limit):
            worlds = worlds_of(question.seen)
            if worlds is not None:
                self.ending = Ending(question.seen, *worlds, all_moves=question.lines > 1)

    @property
    def nodes(self) -> int:
        return self.asked + sum(int(worker.numbers[kernel.DONE]) for worker in self.workers[1:])

    @property
    def depth(self) -> int:
        """Cards laid in a simulation, or until the end of the game."""
        return min(1 + _turns(self.question), self.left)

    @property
    def done(self) -> bool:
        if self.most is not None and self.asked >= self.most:
            return True
        return len(self.workers[0].actions) == 1 or (self.ending is not None and self.ending.solved)

    @property
    def share_solved(self) -> float:
        return len(self.ending.exact) / len(self.workers[0].actions) if self.ending else 0.0

    def _sampled(self, nodes: int) -> int:
        """How many of the first so many nodes of the first worker are spent on simulations."""
        if self.ending is None:
            return nodes
        rest = max(0, nodes - _FIRST)
        return min(nodes, _FIRST) + (0 if self.left <= 2 else rest // 2)

    def step(self, worker: int, nodes: int) -> None:
        """So many nodes more."""
        if self.most is not None:
            nodes = min(nodes, self.most - self.asked)
        if worker > 0 or self.ending is None:
            self.asked += nodes if worker == 0 else 0
            self.workers[worker].explore(self.model, nodes)
            return
        sampled = self._sampled(self.asked + nodes) - self._sampled(self.asked)
        self.asked += nodes
        self.workers[0].explore(self.model, sampled)
        if len(self.ending.moves) == 0:
            self.ending.begin(self.workers[0].actions)
        self.ending.step(nodes - sampled)

    def _found(self) -> tuple[list[int], Floats, Floats]:
        """Actions, tries, and what was found of each: what decides, odds, margins.

        With few tries it leans on the first estimate, moved to the level of the tries.
        """
        first = self.workers[0]
        actions = first.actions
        tries = np.zeros(len(actions))
        sums = np.zeros((len(actions), SUMS + VALUES))
        for worker in self.workers:
            at = {action: k for k, action in enumerate(worker.actions)}
            if at:
                order = [at[action] for action in actions]
                tries += worker.moves[order, TRIES]
                sums += worker.table[order, :PRIOR]
        prior = first.table[:, PRIOR:WORTH]
        if not tries.any():  # the first simulation is still under way
            return actions, tries, prior.copy()
        middle = sums.sum(axis=0) / tries.sum()
        usual = (tries[:, None] * prior).sum(axis=0) / tries.sum()
        expected = middle + _TRUST * (prior - usual)
        return actions, tries, (sums + _LEAN * expected) / (tries + _LEAN)[:, None]

    def _solve(self, actions: list[int], found: Floats) -> set[int]:
        """Put in what is proven: exact values, and that nothing else is better. Returns the proven actions."""
        if self.ending is None or not self.ending.solved:
            return set()
        exact = self.ending.exact
        seat = self.question.seen.seat
        best = max(exact.values(), key=lambda values: (round(values[seat], 9), values[4 + seat]))
        for k, action in enumerate(actions):
            if action in exact:
                found[k, 1:] = exact[action]
            elif found[k, 1 + seat] >= best[seat]:
                found[k, 1:] = best
            found[k, 0] = round(found[k, 1 + seat], 9) * 1e6 + found[k, 5 + seat] - (0 if action in exact else 1e9)
        return set(exact)

    def lines(self, most: int) -> list[Line]:
        """The best moves, best first."""
        actions, tries, found = self._found()
        proven = self._solve(actions, found)
        seen = self.question.seen
        seats = seen.seats
        order = sorted(range(len(actions)), key=lambda k: (-found[k, 0], actions[k]))
        lines = []
        for k in order[:most]:
            wins = np.clip(found[k, 1 : 1 + seats], 0.0, None)
            lines.append(
                Line(
                    action=actions[k],
                    moves=(seen.move_text(actions[k]),),
                    wins=tuple((wins / wins.sum()).tolist()),
                    margins=tuple(found[k, 5 : 5 + seats].tolist()),
                    nodes=int(tries[k]),
                    solved=actions[k] in proven,
                )
            )
        return lines
