"""UCT for any number of players: the Python side of `kernel/tree.py`, and the frozen anchor `plain-uct`."""

from __future__ import annotations

from threading import local

import numpy as np

from tilery.core.game import Floats
from tilery.core.streams import Stream
from tilery.engine.azul.kernel import tree as kernel
from tilery.engine.azul.knowledge import evaluator_for
from tilery.engine.evaluator import MARGINS, VALUES, WINS
from tilery.engine.family import Question
from tilery.engine.info import Line
from tilery.games.azul.kernel.layout import MOST_LEGAL, WIDTH

VERSION, PLAIN_VERSION = "uct 1", "plain-uct 1"
MOST_NODES = 1_500_000  # of a tree; a full one is not expanded further

# How the search explores; the arena chose these.
SETTINGS = {"explore": 0.12, "first_play": 0.05, "look": 0.002, "mix": 0.5, "tries": 3}
PLAIN = {"explore": 0.7, "first_play": 0.0, "look": 0.0, "mix": 0.0, "tries": 1}


class _Room:
    """What one worker works in."""

    def __init__(self) -> None:
        self.rows = np.zeros((2, WIDTH), dtype=np.uint8)
        self.tree = np.zeros((MOST_NODES, kernel.NODE), dtype=np.int32)  # only what is used takes memory
        self.sums = np.zeros((MOST_NODES, 4))
        self.state = np.zeros(kernel.STATE, dtype=np.int64)
        self.values = np.zeros(VALUES + 8)
        self.path = np.zeros(kernel.MOST_PATH, dtype=np.int32)
        self.out = np.zeros(MOST_LEGAL, dtype=np.int32)

    def begin(self, row: bytes, stream: Stream) -> None:
        self.rows[0] = np.frombuffer(row, dtype=np.uint8)
        self.rng = stream.generators()
        self.tree[0] = 0
        self.sums[0] = 0
        self.state[:] = 0
        self.state[kernel.USED] = 1


class _Kept(local):
    def __init__(self) -> None:
        self.rooms: list[_Room] = []


_kept = _Kept()


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


class Tree:
    """One search of one position."""

    horizon = "round"

    def __init__(self, question: Question, *, plain: bool = False, settings: dict[str, float] | None = None) -> None:
        self.seen = question.seen
        evaluator = question.evaluator or evaluator_for(question.seen.rules)
        self.engine = PLAIN_VERSION if plain else f"{VERSION}, {evaluator.name}"
        self.evaluator = evaluator
        self.settings = _settings(settings or (PLAIN if plain else SETTINGS), plain=plain)
        self.most_depth = question.depth
        while len(_kept.rooms) < question.threads:
            _kept.rooms.append(_Room())
        self.rooms = _kept.rooms[: question.threads]
        for worker, room in enumerate(self.rooms):
            room.begin(self.seen.row, question.stream.child(worker))

    @property
    def nodes(self) -> int:
        return sum(int(room.state[kernel.SIMULATIONS]) for room in self.rooms)

    @property
    def depth(self) -> int:
        return max(int(room.state[kernel.DEEPEST]) for room in self.rooms)

    @property
    def done(self) -> bool:
        if self.most_depth is not None and self.depth >= self.most_depth:
            return True
        return any(int(room.tree[0, kernel.PROVEN]) for room in self.rooms)

    def step(self, worker: int, nodes: int) -> None:
        if self.most_depth is None:
            self._simulate(self.rooms[worker], nodes)
            return
        for _ in range(nodes):  # so that it ends with the very simulation that reaches the depth
            if self.done:
                return
            self._simulate(self.rooms[worker], 1)

    def _simulate(self, room: _Room, nodes: int) -> None:
        kernel.simulate(
            room.rows,
            room.tree,
            room.sums,
            room.state,
            self.settings,
            self.evaluator.model,
            room.values,
            room.path,
            room.rng,
            room.out,
            nodes,
        )

    def _children(self, room: _Room, node: int = 0) -> range:
        first = int(room.tree[node, kernel.FIRST])
        return range(first, first + int(room.tree[node, kernel.CHILDREN]))

    @property
    def share_solved(self) -> float:
        room = self.rooms[0]
        children = self._children(room)
        return sum(int(room.tree[child, kernel.PROVEN]) for child in children) / max(1, len(children))

    def lines(self, most: int) -> list[Line]:
        children = self._children(self.rooms[0])
        seats, seat = self.seen.seats, self.seen.seat
        rated = []
        for k, child in enumerate(children):
            visits, total, proven = 0, np.zeros(seats), False
            for room in self.rooms:
                if k >= len(self._children(room)):
                    continue  # this worker has not begun
                at = self._children(room)[k]
                seen = int(room.tree[at, kernel.VISITS])
                if int(room.tree[at, kernel.PROVEN]):
                    proven = True
                    visits, total = seen, room.sums[at, :seats] * max(1, seen)
                    break
                visits += seen
                total = total + room.sums[at, :seats]
            mean = total / visits if visits else np.full(seats, -1.0)
            rated.append((visits, mean, proven, child))
        # The most visited move leads, unless a proven one is better than it seems to be.
        most_visited = max((each for each in rated if not each[2]), key=lambda each: each[0], default=None)
        seems = float(most_visited[1][seat]) if most_visited else -1.0

        def rank(each: tuple[int, Floats, bool, int]) -> tuple[int, float]:
            visits, mean, proven, _ = each
            if proven:
                return (2 if float(mean[seat]) >= seems else 0), float(mean[seat])
            return 1, float(visits)

        rated.sort(key=rank, reverse=True)
        return [self._line(*each) for each in rated[:most] if each[0] > 0]

    def _line(self, visits: int, mean: Floats, proven: bool, child: int) -> Line:
        room = self.rooms[0]
        position = self.seen
        moves, node = [], child
        while True:
            action = int(room.tree[node, kernel.ACTION])
            moves.append(position.move_text(action))
            position = position.play(action)
            children = self._children(room, node)
            if not children:
                break
            best = int(room.tree[node, kernel.BEST_PROVEN])
            if not int(room.tree[node, kernel.PROVEN]):
                best = max(children, key=lambda at: int(room.tree[at, kernel.VISITS]))
            node = best
            if not int(room.tree[node, kernel.VISITS]):
                break
        values = np.zeros(VALUES)
        self.evaluator.evaluate(position._rows, 0, self.evaluator.model, values)
        seats = self.seen.seats
        return Line(
            action=int(room.tree[child, kernel.ACTION]),
            moves=tuple(moves),
            wins=tuple(self._wins(mean, values, proven).tolist()),
            margins=tuple(values[MARGINS : MARGINS + seats].tolist()),
            nodes=visits,
            solved=proven,
        )

    def _wins(self, mean: Floats, values: Floats, proven: bool) -> Floats:
        """The odds to win behind a mean of values (in which the margin has a small part)."""
        seats = self.seen.seats
        if proven:
            exact: Floats = values[WINS : WINS + seats]
            return exact
        wins = np.clip(mean, 0.0, 1.0)
        return wins / max(1e-9, float(wins.sum()))
