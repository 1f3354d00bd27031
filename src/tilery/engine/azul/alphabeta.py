"""Principal-variation search for two players: the Python side of `kernel/alphabeta.py`."""

from __future__ import annotations

import math
from threading import local

import numpy as np

from tilery.core.game import Floats, Ints, Rows
from tilery.core.refusals import Refused
from tilery.engine.azul.kernel import alphabeta as kernel
from tilery.engine.azul.kernel.alphabeta import FRAME, MOST_PLIES
from tilery.engine.azul.kernel.evaluation import MOST_MARGIN, utility
from tilery.engine.azul.knowledge import evaluator_for
from tilery.engine.evaluator import MARGINS, VALUES, WINS
from tilery.engine.family import Question
from tilery.engine.info import Line
from tilery.games.azul.kernel.layout import CHOOSE, MOST_LEGAL, WIDTH

VERSION = "pvs 1"
_LEAST, _MOST = 12, 20  # bits of a table's size
_A_SECOND = 2_500_000  # nodes, to choose the size by
USUAL_SPREAD = 8.0


class _Room:
    """What one thread works in; kept for its next search."""

    def __init__(self) -> None:
        plies = MOST_PLIES + 1
        self.rows: Rows = np.zeros((plies, WIDTH), dtype=np.uint8)
        self.frames = np.zeros((plies, FRAME), dtype=np.int64)
        self.roots = np.zeros((MOST_LEGAL, 4), dtype=np.int64)
        self.moves = np.zeros((plies, MOST_LEGAL), dtype=np.int32)
        self.scores = np.zeros((plies, MOST_LEGAL), dtype=np.int32)
        self.history = np.zeros(2 * CHOOSE, dtype=np.int64)
        self.values = np.zeros(VALUES)
        self.state = np.zeros(kernel.STATE, dtype=np.int64)


class _Kept(local):
    """Rooms and tables of a thread, used again by its next search."""

    def __init__(self) -> None:
        self.rooms: list[_Room] = []
        self.tables: dict[int, Ints] = {}
        self.generation = 0

    def table(self, bits: int) -> tuple[Ints, int]:
        """A table that is as good as empty, and the generation of its new entries."""
        self.generation += 1
        if self.generation >= 1 << 20:
            self.tables.clear()
            self.generation = 1
        if bits not in self.tables:
            self.tables[bits] = np.zeros((1 << bits, 2), dtype=np.int64)
        return self.tables[bits], self.generation


_kept = _Kept()


class AlphaBeta:
    """One search of one position for two players."""

    horizon = "round"

    def __init__(self, question: Question) -> None:
        if question.seen.seats != 2:
            raise Refused("pvs is for two players: more are searched by uct")
        self.seen = question.seen
        evaluator = question.evaluator or evaluator_for(question.seen.rules)
        self.engine = f"{VERSION}, {evaluator.name}"
        self.evaluator = evaluator
        self.table, generation = _kept.table(self._bits(question))
        while len(_kept.rooms) < question.threads:
            _kept.rooms.append(_Room())
        self.rooms = _kept.rooms[: question.threads]
        for worker, room in enumerate(self.rooms):
            room.rows[0] = np.frombuffer(self.seen.row, dtype=np.uint8)
            room.state[kernel.GENERATION] = generation
            room.state[kernel.MASK] = len(self.table) - 1
            room.state[kernel.LINES] = question.lines
            room.state[kernel.MOST_DEPTH] = question.depth or MOST_PLIES
            # Every other thread looks one ply deeper, so that they do not all do the same.
            room.state[kernel.OFFSET] = worker % 2
            kernel.begin(room.rows, room.state, room.frames, room.roots, room.moves, room.history)

    @staticmethod
    def _bits(question: Question) -> int:
        limit = question.limit
        nodes = limit.nodes or 1 << _MOST
        for seconds in (limit.cpu, limit.time):
            if seconds is not None:
                nodes = min(nodes, int(seconds * _A_SECOND) + 1)
        return min(max(_LEAST, nodes.bit_length() + 1), _MOST)

    @property
    def nodes(self) -> int:
        return sum(int(room.state[kernel.NODES]) for room in self.rooms)

    @property
    def depth(self) -> int:
        return max(int(room.state[kernel.REACHED]) for room in self.rooms)

    @property
    def done(self) -> bool:
        return any(int(room.state[kernel.FINISHED]) for room in self.rooms)

    @property
    def _best_room(self) -> _Room:
        """The worker that got furthest."""
        return max(self.rooms, key=lambda room: (int(room.state[kernel.FINISHED]), int(room.state[kernel.REACHED])))

    def _count(self, room: _Room) -> int:
        return int(room.frames[0, kernel.COUNT])

    @property
    def share_solved(self) -> float:
        room = self._best_room
        count = self._count(room)
        return float(np.count_nonzero(room.roots[:count, 2])) / count

    def step(self, worker: int, nodes: int) -> None:
        room = self.rooms[worker]
        kernel.search(
            room.rows,
            room.state,
            room.frames,
            room.roots,
            room.moves,
            room.scores,
            self.table,
            room.history,
            self.evaluator.model,
            room.values,
            nodes,
        )

    def lines(self, most: int) -> list[Line]:
        room = self._best_room
        state = room.state
        roots = room.roots[: self._count(room)]
        best = int(state[kernel.BEST_MOVE])
        finished = int(state[kernel.FINISHED]) or int(state[kernel.REACHED]) == int(state[kernel.DEPTH])
        wanted = min(most, int(state[kernel.LINES]), len(roots))
        depth = int(roots[:, 3].max())
        # The best one first; then those that this depth has rated, then what was found before.
        order = sorted(
            range(len(roots)),
            key=lambda k: (int(roots[k, 0]) != best, not finished and int(roots[k, 3]) != depth, -int(roots[k, 1])),
        )
        nodes = self.nodes
        return [self._line(room, roots[k], nodes if k == order[0] else 0) for k in order[:wanted]]

    def _line(self, room: _Room, root: Ints, nodes: int) -> Line:
        position = self.seen.play(int(root[0]))
        moves = [self.seen.move_text(int(root[0]))]
        while position.actor >= 0 and len(moves) < MOST_PLIES:
            action = self._known_best(position._rows, int(room.state[kernel.GENERATION]))
            if action is None or position.refusal(action):
                break
            moves.append(position.move_text(action))
            position = position.play(action)
        values = np.zeros(VALUES)
        self.evaluator.evaluate(position._rows, 0, self.evaluator.model, values)
        wins, margins = values[WINS : WINS + 2], values[MARGINS : MARGINS + 2]
        value = int(root[1]) if self.seen.seat == 0 else -int(root[1])
        if utility(float(wins[0]), float(margins[0])) != value and abs(value) <= 10_000:
            wins, margins = _from_utility(value, _spread(float(wins[0]), float(margins[0])))
        return Line(
            action=int(root[0]),
            moves=tuple(moves),
            wins=(float(wins[0]), float(wins[1])),
            margins=(float(margins[0]), float(margins[1])),
            nodes=nodes,
            solved=bool(root[2]),
        )

    def _known_best(self, rows: Rows, generation: int) -> int | None:
        """The best move that the table knows here."""
        key = kernel.key(rows, 0)
        entry = self.table[key & (len(self.table) - 1)]
        if int(entry[0]) != key or int(entry[1]) >> 42 != generation:
            return None
        return (int(entry[1]) >> 20 & 4095) - 1


def _spread(win: float, margin: float) -> float:
    """The spread with which a margin gives these odds."""
    if not 0.001 < win < 0.999 or abs(margin) < 0.01:
        return USUAL_SPREAD
    return margin / math.log(win / (1 - win))


def _from_utility(value: int, spread: float) -> tuple[Floats, Floats]:
    """Odds and margin of both seats where only their utility is known: the table has forgotten how the line ends."""
    low, high = -float(MOST_MARGIN), float(MOST_MARGIN)
    for _ in range(40):
        margin = (low + high) / 2
        win = 1 / (1 + math.exp(-margin / spread))
        if utility(win, margin) < value:
            low = margin
        else:
            high = margin
    return np.array([win, 1 - win]), np.array([margin, -margin])
