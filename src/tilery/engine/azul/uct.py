"""UCT for any number of players: the Python side of `kernel/uct.py`, and the frozen anchor `plain-uct`."""

from __future__ import annotations

from threading import local

import numpy as np

from tilery.core.game import Floats
from tilery.core.streams import Stream
from tilery.engine.azul.kernel import uct as kernel
from tilery.engine.azul.weights import evaluator_for
from tilery.engine.evaluator import MARGINS, VALUES, WINS
from tilery.engine.family import SearchRequest
from tilery.engine.info import Variation
from tilery.games.azul.kernel.layout import MAX_LEGAL, WIDTH

VERSION, PLAIN_VERSION = "uct 1", "plain-uct 1"
MAX_NODES = 1_500_000  # of a tree; a full tree is not expanded any further

# How the search explores; chosen by matches.
SETTINGS = {"explore": 0.12, "first_play": 0.05, "look": 0.002, "mix": 0.5, "tries": 3}
PLAIN = {"explore": 0.7, "first_play": 0.0, "look": 0.0, "mix": 0.0, "tries": 1}


class _Workspace:
    """The buffers of one worker; reused by its next search."""

    def __init__(self) -> None:
        self.rows = np.zeros((2, WIDTH), dtype=np.uint8)
        self.tree = np.zeros((MAX_NODES, kernel.NODE), dtype=np.int32)  # untouched pages take no memory
        self.sums = np.zeros((MAX_NODES, 4))
        self.state = np.zeros(kernel.STATE, dtype=np.int64)
        self.values = np.zeros(VALUES + 8)
        self.path = np.zeros(kernel.MAX_PATH, dtype=np.int32)
        self.out = np.zeros(MAX_LEGAL, dtype=np.int32)

    def begin(self, row: bytes, stream: Stream) -> None:
        self.rows[0] = np.frombuffer(row, dtype=np.uint8)
        self.rng = stream.generators()
        self.tree[0] = 0
        self.sums[0] = 0
        self.state[:] = 0
        self.state[kernel.USED] = 1


class _ThreadBuffers(local):
    """The workspaces that the searches of one Python thread reuse."""

    def __init__(self) -> None:
        self.workspaces: list[_Workspace] = []


_buffers = _ThreadBuffers()


def _settings(values: dict[str, float], *, plain: bool) -> Floats:
    made = np.zeros(kernel.SETTINGS)
    for name, at in (
        ("explore", kernel.EXPLORE),
        ("first_play", kernel.FIRST_PLAY),
        ("look", kernel.LOOK),
        ("mix", kernel.MIX),
        ("tries", kernel.TRIES),
    ):
        made[at] = values[name]
    made[kernel.PLAIN] = plain
    return made


class Uct:
    """One search of one position."""

    horizon = "round"

    def __init__(
        self, request: SearchRequest, *, plain: bool = False, settings: dict[str, float] | None = None
    ) -> None:
        self.seen = request.seen
        evaluator = request.evaluator or evaluator_for(request.seen.rules)
        self.engine = PLAIN_VERSION if plain else f"{VERSION}, {evaluator.name}"
        self.evaluator = evaluator
        self.settings = _settings(settings or (PLAIN if plain else SETTINGS), plain=plain)
        self.max_depth = request.depth
        while len(_buffers.workspaces) < request.threads:
            _buffers.workspaces.append(_Workspace())
        self.workspaces = _buffers.workspaces[: request.threads]
        for worker, workspace in enumerate(self.workspaces):
            workspace.begin(self.seen.row, request.stream.child(worker))

    @property
    def nodes(self) -> int:
        return sum(int(workspace.state[kernel.SIMULATIONS]) for workspace in self.workspaces)

    @property
    def depth(self) -> int:
        return max(int(workspace.state[kernel.REACHED_DEPTH]) for workspace in self.workspaces)

    @property
    def done(self) -> bool:
        if self.max_depth is not None and self.depth >= self.max_depth:
            return True
        return any(int(workspace.tree[0, kernel.PROVEN]) for workspace in self.workspaces)

    def step(self, worker: int, nodes: int) -> None:
        if self.max_depth is None:
            self._simulate(self.workspaces[worker], nodes)
            return
        for _ in range(nodes):  # stops after the simulation that reaches the depth
            if self.done:
                return
            self._simulate(self.workspaces[worker], 1)

    def _simulate(self, workspace: _Workspace, nodes: int) -> None:
        kernel.simulate(
            workspace.rows,
            workspace.tree,
            workspace.sums,
            workspace.state,
            self.settings,
            self.evaluator.model,
            workspace.values,
            workspace.path,
            workspace.rng,
            workspace.out,
            nodes,
        )

    def _children(self, workspace: _Workspace, node: int = 0) -> range:
        first = int(workspace.tree[node, kernel.FIRST])
        return range(first, first + int(workspace.tree[node, kernel.CHILDREN]))

    @property
    def share_solved(self) -> float:
        workspace = self.workspaces[0]
        children = self._children(workspace)
        return sum(int(workspace.tree[child, kernel.PROVEN]) for child in children) / max(1, len(children))

    def variations(self, count: int) -> list[Variation]:
        children = self._children(self.workspaces[0])
        seats, seat = self.seen.seats, self.seen.seat
        rated = []
        for k, child in enumerate(children):
            visits, total, proven = 0, np.zeros(seats), False
            for workspace in self.workspaces:
                if k >= len(self._children(workspace)):
                    continue  # this worker has not started
                at = self._children(workspace)[k]
                seen = int(workspace.tree[at, kernel.VISITS])
                if int(workspace.tree[at, kernel.PROVEN]):
                    proven = True
                    visits, total = seen, workspace.sums[at, :seats] * max(1, seen)
                    break
                visits += seen
                total = total + workspace.sums[at, :seats]
            mean = total / visits if visits else np.full(seats, -1.0)
            rated.append((visits, mean, proven, child))
        # The most visited move comes first, unless a proven move is better than its estimate.
        most_visited = max((each for each in rated if not each[2]), key=lambda each: each[0], default=None)
        seems = float(most_visited[1][seat]) if most_visited else -1.0

        def rank(each: tuple[int, Floats, bool, int]) -> tuple[int, float]:
            visits, mean, proven, _ = each
            if proven:
                return (2 if float(mean[seat]) >= seems else 0), float(mean[seat])
            return 1, float(visits)

        rated.sort(key=rank, reverse=True)
        return [self._variation(*each) for each in rated[:count] if each[0] > 0]

    def _variation(self, visits: int, mean: Floats, proven: bool, child: int) -> Variation:
        workspace = self.workspaces[0]
        position = self.seen
        moves, node = [], child
        while True:
            action = int(workspace.tree[node, kernel.ACTION])
            moves.append(position.move(action))
            position = position.play(action)
            children = self._children(workspace, node)
            if not children:
                break
            best = int(workspace.tree[node, kernel.BEST_PROVEN])
            if not int(workspace.tree[node, kernel.PROVEN]):
                best = max(children, key=lambda at: int(workspace.tree[at, kernel.VISITS]))
            node = best
            if not int(workspace.tree[node, kernel.VISITS]):
                break
        values = np.zeros(VALUES)
        self.evaluator.evaluate(position._rows, 0, self.evaluator.model, values)
        seats = self.seen.seats
        return Variation(
            moves=tuple(moves),
            wins=tuple(self._wins(mean, values, proven).tolist()),
            margins=tuple(values[MARGINS : MARGINS + seats].tolist()),
            nodes=visits,
            solved=proven,
        )

    def _wins(self, mean: Floats, values: Floats, proven: bool) -> Floats:
        """The win probabilities behind a mean of values (which include a small share of the margin)."""
        seats = self.seen.seats
        if proven:
            exact: Floats = values[WINS : WINS + seats]
            return exact
        wins = np.clip(mean, 0.0, 1.0)
        return wins / max(1e-9, float(wins.sum()))
