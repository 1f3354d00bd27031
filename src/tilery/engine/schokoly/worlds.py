"""`worlds`, the strong search, as a `Search`: every worker tries moves in its own worlds; the results are summed.

Near the end of the game the first worker also solves the endgame exactly; once it is solved, only the solution counts.
"""

from __future__ import annotations

import numpy as np

from tilery.core.game import Floats
from tilery.engine.evaluator import VALUES
from tilery.engine.family import SearchRequest
from tilery.engine.info import Variation
from tilery.engine.limits import Limit
from tilery.engine.schokoly.endgame import EndgameSolver, cards_left, worlds_of
from tilery.engine.schokoly.kernel import worlds as kernel
from tilery.engine.schokoly.kernel.worlds import ACTION, PRIOR, SUMS, TRIES, WORTH

_SEEDS = 1 << 62
SETTINGS = {"width": 20, "turns": 8, "point": 20, "bound": 300}
_PRIOR_TRIES = 4.0  # the weight of the first estimate of a move, in tries
_TRUST = 0.5  # the share of a difference between first estimates that tries are expected to confirm
_ENOUGH = 5000  # nodes if the depth is the only limit: simulations of a given depth never come to an end
_FIRST = 64  # nodes before the solution of an endgame starts, so that there is a result at once


def _turns(request: SearchRequest) -> int:
    """The number of cards laid in a simulation after the first one."""
    turns = SETTINGS["turns"]
    return turns if request.depth is None else min(turns, request.depth - 1)


def _reach(seats: int, limit: Limit) -> int:
    """The most cards that may be left for an exact solution to be attempted."""
    long = all(
        most is None or most >= least for most, least in ((limit.cpu, 1.0), (limit.time, 1.0), (limit.nodes, 100_000))
    )
    return (2 if seats == 3 else 3) + int(long)


class _Worker:
    """The buffers of one thread."""

    def __init__(self, request: SearchRequest, number: int) -> None:
        game = request.seen.game.kernel
        self.rows = game.new_rows(2)
        self.rows[0] = np.frombuffer(request.seen.row, dtype=np.uint8)
        self.moves = np.empty((kernel.MAX_MOVES, kernel.MOVE), dtype=np.int64)
        self.sums = np.empty(WORTH * kernel.MAX_MOVES + VALUES)
        self.numbers = np.zeros(kernel.NUMBERS, dtype=np.int64)
        self.rng = np.empty(kernel.GENERATORS, dtype=np.int64)
        self.out, self.rated = game.new_list(), np.empty(game.max_legal)
        self.numbers[kernel.SEED] = request.stream.child("worlds", number).below(_SEEDS)
        self.numbers[kernel.WIDTH] = SETTINGS["width"]
        self.numbers[kernel.TURNS] = _turns(request)
        self.numbers[kernel.POINT] = SETTINGS["point"]
        self.numbers[kernel.BOUND] = SETTINGS["bound"]

    def explore(self, model: Floats, nodes: int) -> None:
        if int(self.numbers[kernel.MOVES]) == 0:
            kernel.list_moves(self.rows, self.moves, self.sums, self.numbers, model, self.out)
        kernel.explore(self.rows, self.moves, self.sums, self.numbers, model, self.rng, self.out, self.rated, nodes)

    @property
    def actions(self) -> list[int]:
        """The moves, the promising ones first."""
        actions: list[int] = self.moves[: int(self.numbers[kernel.MOVES]), ACTION].tolist()
        return actions

    @property
    def table(self) -> Floats:
        """The sums of each move, in the same order."""
        return self.sums[: WORTH * int(self.numbers[kernel.MOVES])].reshape(-1, WORTH)


class Worlds:
    """A search that tries moves in sampled worlds and solves endgames."""

    horizon = "game"

    def __init__(self, request: SearchRequest, model: Floats, name: str) -> None:
        self.engine = f"worlds 1, {name}"
        self.request = request
        self.model = model
        self.workers = [_Worker(request, number) for number in range(request.threads)]
        self.asked = 0  # nodes requested of the first worker
        limit = request.limit
        endless = limit.nodes is None and limit.cpu is None and limit.time is None
        self.max_nodes = _ENOUGH if endless and request.depth is not None else None
        self.endgame: EndgameSolver | None = None
        self.left = cards_left(request.seen)
        if self.left <= _reach(request.seen.seats, request.limit):
            worlds = worlds_of(request.seen)
            if worlds is not None:
                self.endgame = EndgameSolver(request.seen, *worlds, all_moves=request.variations > 1)

    @property
    def nodes(self) -> int:
        return self.asked + sum(int(worker.numbers[kernel.DONE]) for worker in self.workers[1:])

    @property
    def depth(self) -> int:
        """The number of cards laid in a simulation, or left until the end of the game."""
        return min(1 + _turns(self.request), self.left)

    @property
    def done(self) -> bool:
        if self.max_nodes is not None and self.asked >= self.max_nodes:
            return True
        return len(self.workers[0].actions) == 1 or (self.endgame is not None and self.endgame.solved)

    @property
    def share_solved(self) -> float:
        return len(self.endgame.exact) / len(self.workers[0].actions) if self.endgame else 0.0

    def _sampled(self, nodes: int) -> int:
        """How many of the first `nodes` nodes of the first worker are simulations."""
        if self.endgame is None:
            return nodes
        rest = max(0, nodes - _FIRST)
        return min(nodes, _FIRST) + (0 if self.left <= 2 else rest // 2)

    def step(self, worker: int, nodes: int) -> None:
        """Search `nodes` more nodes."""
        if self.max_nodes is not None:
            nodes = min(nodes, self.max_nodes - self.asked)
        if worker > 0 or self.endgame is None:
            self.asked += nodes if worker == 0 else 0
            self.workers[worker].explore(self.model, nodes)
            return
        sampled = self._sampled(self.asked + nodes) - self._sampled(self.asked)
        self.asked += nodes
        self.workers[0].explore(self.model, sampled)
        if len(self.endgame.moves) == 0:
            self.endgame.begin(self.workers[0].actions)
        self.endgame.step(nodes - sampled)

    def _estimates(self) -> tuple[list[int], Floats, Floats]:
        """The actions, their tries, and the estimate of each: utility, win probabilities, margins.

        With few tries it relies on the first estimate, shifted to the mean of the tries.
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
        mean = sums.sum(axis=0) / tries.sum()
        mean_prior = (tries[:, None] * prior).sum(axis=0) / tries.sum()
        expected = mean + _TRUST * (prior - mean_prior)
        return actions, tries, (sums + _PRIOR_TRIES * expected) / (tries + _PRIOR_TRIES)[:, None]

    def _apply_solution(self, actions: list[int], estimates: Floats) -> set[int]:
        """Replace estimates by proven values and let no other move look better; return the proven actions."""
        if self.endgame is None or not self.endgame.solved:
            return set()
        exact = self.endgame.exact
        seat = self.request.seen.seat
        best = max(exact.values(), key=lambda values: (round(values[seat], 9), values[4 + seat]))
        for k, action in enumerate(actions):
            if action in exact:
                estimates[k, 1:] = exact[action]
            elif estimates[k, 1 + seat] >= best[seat]:
                estimates[k, 1:] = best
            estimates[k, 0] = (
                round(estimates[k, 1 + seat], 9) * 1e6 + estimates[k, 5 + seat] - (0 if action in exact else 1e9)
            )
        return set(exact)

    def variations(self, count: int) -> list[Variation]:
        """The best moves, best first."""
        actions, tries, estimates = self._estimates()
        proven = self._apply_solution(actions, estimates)
        seen = self.request.seen
        seats = seen.seats
        order = sorted(range(len(actions)), key=lambda k: (-estimates[k, 0], actions[k]))
        variations = []
        for k in order[:count]:
            wins = np.clip(estimates[k, 1 : 1 + seats], 0.0, None)
            variations.append(
                Variation(
                    moves=(seen.game.move_of(seen.row, actions[k]),),
                    wins=tuple((wins / wins.sum()).tolist()),
                    margins=tuple(estimates[k, 5 : 5 + seats].tolist()),
                    nodes=int(tries[k]),
                    solved=actions[k] in proven,
                )
            )
        return variations
