"""Principal-variation search for two players: the Python side of `kernel/pvs.py`."""

from __future__ import annotations

import math
from threading import local

import numpy as np

from tilery.core.game import Floats, Ints, Rows
from tilery.engine.azul.kernel import pvs as kernel
from tilery.engine.azul.kernel.evaluation import MAX_MARGIN, utility
from tilery.engine.azul.kernel.pvs import FRAME, MAX_PLIES
from tilery.engine.azul.weights import evaluator_for
from tilery.engine.evaluator import MARGINS, VALUES, WINS
from tilery.engine.family import SearchRequest
from tilery.engine.info import Variation
from tilery.engine.refusals import SENTENCES
from tilery.games.azul.kernel.layout import CHOOSE, MAX_LEGAL, WIDTH

VERSION = "pvs 1"
_MIN_BITS, _MAX_BITS = 12, 20  # log2 of the size of a table
_NODES_PER_SECOND = 2_500_000  # an estimate, for choosing the size of a table
DEFAULT_SPREAD = 8.0


class _Workspace:
    """The buffers of one thread; reused by its next search."""

    def __init__(self) -> None:
        plies = MAX_PLIES + 1
        self.rows: Rows = np.zeros((plies, WIDTH), dtype=np.uint8)
        self.frames = np.zeros((plies, FRAME), dtype=np.int64)
        self.roots = np.zeros((MAX_LEGAL, kernel.ROOT), dtype=np.int64)
        self.moves = np.zeros((plies, MAX_LEGAL), dtype=np.int32)
        self.scores = np.zeros((plies, MAX_LEGAL), dtype=np.int32)
        self.history = np.zeros(2 * CHOOSE, dtype=np.int64)
        self.values = np.zeros(VALUES)
        self.state = np.zeros(kernel.STATE, dtype=np.int64)


class _ThreadBuffers(local):
    """The workspaces and tables that the searches of one Python thread reuse."""

    def __init__(self) -> None:
        self.workspaces: list[_Workspace] = []
        self.tables: dict[int, Ints] = {}
        self.generation = 0

    def table(self, bits: int) -> tuple[Ints, int]:
        """A transposition table and the generation of its new entries; entries of other generations count as empty."""
        self.generation += 1
        if self.generation >= 1 << 20:
            self.tables.clear()
            self.generation = 1
        if bits not in self.tables:
            self.tables[bits] = np.zeros((1 << bits, 2), dtype=np.int64)
        return self.tables[bits], self.generation


_buffers = _ThreadBuffers()


class Pvs:
    """One search of one position for two players."""

    horizon = "round"
    most_seats = 2

    def __init__(self, request: SearchRequest) -> None:
        if request.seen.seats > self.most_seats:
            raise SENTENCES.refused("two-players", search="pvs")
        self.seen = request.seen
        evaluator = request.evaluator or evaluator_for(request.seen.rules)
        self.engine = f"{VERSION}, {evaluator.name}"
        self.evaluator = evaluator
        self.table, generation = _buffers.table(self._bits(request))
        while len(_buffers.workspaces) < request.threads:
            _buffers.workspaces.append(_Workspace())
        self.workspaces = _buffers.workspaces[: request.threads]
        for worker, workspace in enumerate(self.workspaces):
            workspace.rows[0] = np.frombuffer(self.seen.row, dtype=np.uint8)
            workspace.state[kernel.GENERATION] = generation
            workspace.state[kernel.MASK] = len(self.table) - 1
            workspace.state[kernel.VARIATIONS] = request.variations
            workspace.state[kernel.MAX_DEPTH] = request.depth or MAX_PLIES
            # Every second thread searches one ply deeper, so that the threads do different work.
            workspace.state[kernel.OFFSET] = worker % 2
            kernel.begin(
                workspace.rows, workspace.state, workspace.frames, workspace.roots, workspace.moves, workspace.history
            )

    @staticmethod
    def _bits(request: SearchRequest) -> int:
        limit = request.limit
        nodes = limit.nodes or 1 << _MAX_BITS
        for seconds in (limit.cpu, limit.time):
            if seconds is not None:
                nodes = min(nodes, int(seconds * _NODES_PER_SECOND) + 1)
        return min(max(_MIN_BITS, nodes.bit_length() + 1), _MAX_BITS)

    @property
    def nodes(self) -> int:
        return sum(int(workspace.state[kernel.NODES]) for workspace in self.workspaces)

    @property
    def depth(self) -> int:
        return max(int(workspace.state[kernel.REACHED]) for workspace in self.workspaces)

    @property
    def done(self) -> bool:
        return any(int(workspace.state[kernel.FINISHED]) for workspace in self.workspaces)

    @property
    def _best_workspace(self) -> _Workspace:
        """The workspace of the worker with the deepest search."""
        return max(
            self.workspaces,
            key=lambda workspace: (int(workspace.state[kernel.FINISHED]), int(workspace.state[kernel.REACHED])),
        )

    def _count(self, workspace: _Workspace) -> int:
        return int(workspace.frames[0, kernel.COUNT])

    @property
    def share_solved(self) -> float:
        workspace = self._best_workspace
        count = self._count(workspace)
        return float(np.count_nonzero(workspace.roots[:count, kernel.ROOT_COMPLETE])) / count

    def step(self, worker: int, nodes: int) -> None:
        workspace = self.workspaces[worker]
        kernel.search(
            workspace.rows,
            workspace.state,
            workspace.frames,
            workspace.roots,
            workspace.moves,
            workspace.scores,
            self.table,
            workspace.history,
            self.evaluator.model,
            workspace.values,
            nodes,
        )

    def variations(self, count: int) -> list[Variation]:
        workspace = self._best_workspace
        state = workspace.state
        roots = workspace.roots[: self._count(workspace)]
        reached = int(state[kernel.REACHED])
        finished = int(state[kernel.FINISHED]) or reached == int(state[kernel.DEPTH])
        wanted = min(count, int(state[kernel.VARIATIONS]), len(roots))
        value, complete = kernel.ROOT_VALUE, kernel.ROOT_COMPLETE
        order = list(range(len(roots)))
        if wanted > 1 and reached and not finished:
            # Values of different depths cannot be compared: all are those of the last finished depth, and in its order.
            value, complete = kernel.SETTLED_VALUE, kernel.SETTLED_COMPLETE
        else:
            # The best move first; then moves that were valued at the current depth, then the others.
            best, depth = int(state[kernel.BEST_MOVE]), int(roots[:, kernel.ROOT_DEPTH].max())
            order = sorted(
                order,
                key=lambda k: (
                    int(roots[k, kernel.ROOT_MOVE]) != best,
                    not finished and int(roots[k, kernel.ROOT_DEPTH]) != depth,
                    -int(roots[k, value]),
                ),
            )
        return [
            self._variation(workspace, *map(int, roots[k, [kernel.ROOT_MOVE, value, complete]]), is_best=not place)
            for place, k in enumerate(order[:wanted])
        ]

    def _variation(self, workspace: _Workspace, action: int, value: int, complete: int, *, is_best: bool) -> Variation:
        position = self.seen.play(action)
        moves = [self.seen.move(action)]
        while position.actor >= 0 and len(moves) < MAX_PLIES:
            reply = self._known_best(position._rows, int(workspace.state[kernel.GENERATION]))
            if reply is None or position.refusal(reply):
                break
            moves.append(position.move(reply))
            position = position.play(reply)
        values = np.zeros(VALUES)
        self.evaluator.evaluate(position._rows, 0, self.evaluator.model, values)
        wins, margins = values[WINS : WINS + 2], values[MARGINS : MARGINS + 2]
        value = value if self.seen.seat == 0 else -value
        if utility(float(wins[0]), float(margins[0])) != value and abs(value) <= 10_000:
            wins, margins = _from_utility(value, _spread(float(wins[0]), float(margins[0])))
        return Variation(
            moves=tuple(moves),
            wins=(float(wins[0]), float(wins[1])),
            margins=(float(margins[0]), float(margins[1])),
            nodes=self.nodes if is_best else 0,
            solved=bool(complete),
        )

    def _known_best(self, rows: Rows, generation: int) -> int | None:
        """The best move according to the transposition table; None if it has no entry."""
        key = kernel.key(rows, 0)
        entry = self.table[key & (len(self.table) - 1)]
        if int(entry[0]) != key or int(entry[1]) >> 42 != generation:
            return None
        return (int(entry[1]) >> 20 & 4095) - 1


def _spread(win: float, margin: float) -> float:
    """The spread with which a margin gives this win probability."""
    if not 0.001 < win < 0.999 or abs(margin) < 0.01:
        return DEFAULT_SPREAD
    return margin / math.log(win / (1 - win))


def _from_utility(value: int, spread: float) -> tuple[Floats, Floats]:
    """Win probabilities and margins behind a utility, for variations whose end is no longer in the table."""
    low, high = -float(MAX_MARGIN), float(MAX_MARGIN)
    for _ in range(40):
        margin = (low + high) / 2
        win = 1 / (1 + math.exp(-margin / spread))
        if utility(win, margin) < value:
            low = margin
        else:
            high = margin
    return np.array([win, 1 - win]), np.array([margin, -margin])
