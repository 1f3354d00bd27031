"""The anchor as `think` steps it: one tree for each worker; what they find at the root is added up."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tilery.engine.family import Question
from tilery.engine.info import Line
from tilery.engine.schokoly.kernel import uct as kernel
from tilery.engine.schokoly.kernel.uct import ACTION, PARENT, SUMS, VISITS

_LARGEST = 1 << 20  # nodes of a tree
_USUAL = 1 << 16


class _Tree:
    """What one thread works with."""

    def __init__(self, question: Question, number: int) -> None:
        game = question.seen.game.kernel
        most = question.limit.nodes or (_USUAL if (question.limit.cpu or question.limit.time or 9) < 2 else _LARGEST)
        size = min(most + 2, _LARGEST)
        self.rows = game.new_rows(2)
        self.rows[0] = np.frombuffer(question.seen.row, dtype=np.uint8)
        self.tree = np.empty((size, kernel.NODE), dtype=np.int64)
        self.sums = np.empty(SUMS * size)
        self.slots = np.zeros(1 << (2 * size - 1).bit_length(), dtype=np.int64)
        self.numbers = np.zeros(kernel.NUMBERS, dtype=np.int64)
        self.rng = question.stream.child("anchor", number).generators(kernel.GENERATORS)
        self.out, self.found = game.new_list(), np.empty(SUMS)
        self.tree[0] = (-1, 0, 0)
        self.sums[:SUMS] = 0.0
        self.numbers[kernel.GROWN] = 1

    def grow(self, nodes: int) -> None:
        kernel.grow(self.rows, self.tree, self.sums, self.slots, self.numbers, self.rng, self.out, self.found, nodes)


class PlainUct:
    """UCT with random games to the end."""

    engine = "plain-uct 1"
    horizon = "game"
    share_solved = 0.0

    def __init__(self, question: Question) -> None:
        self.question = question
        self.actions = question.seen.actions()
        self.trees = [_Tree(question, number) for number in range(question.threads)]

    @property
    def nodes(self) -> int:
        return sum(int(tree.numbers[kernel.DONE]) for tree in self.trees)

    @property
    def depth(self) -> int:
        """How deep the last grown node of the first tree lies: a tree knows no better number at once."""
        tree, node, depth = self.trees[0].tree, int(self.trees[0].numbers[kernel.GROWN]) - 1, 0
        while node > 0:
            node = int(tree[node, PARENT])
            depth += 1
        return depth

    @property
    def done(self) -> bool:
        deep = self.question.depth is not None and self.depth >= self.question.depth
        return deep or (len(self.actions) == 1 and self.nodes > 0)

    def step(self, worker: int, nodes: int) -> None:
        """So many simulations more."""
        if self.question.depth is None:
            self.trees[worker].grow(nodes)
            return
        for _ in range(nodes):  # so that it ends with the very simulation that reaches the depth
            if self.done:
                return
            self.trees[worker].grow(1)

    def lines(self, most: int) -> list[Line]:
        """The moves that were tried most, first; those never tried have the mean of all."""
        seen = self.question.seen
        visits: dict[int, int] = defaultdict(int)
        sums: dict[int, np.ndarray[tuple[int, ...], np.dtype[np.float64]]] = defaultdict(lambda: np.zeros(SUMS))
        for tree in self.trees:
            grown = int(tree.numbers[kernel.GROWN])
            for node in np.flatnonzero(tree.tree[:grown, PARENT] == 0):
                action = int(tree.tree[node, ACTION])
                visits[action] += int(tree.tree[node, VISITS])
                sums[action] += tree.sums[SUMS * node : SUMS * node + SUMS]
        middle = sum(sums.values(), np.zeros(SUMS)) / max(1, sum(visits.values()))
        order = sorted(self.actions, key=lambda action: (-visits[action], action))
        lines = []
        for action in order[:most]:
            found = sums[action] / visits[action] if visits[action] else middle
            lines.append(
                Line(
                    action=action,
                    moves=(seen.move_text(action),),
                    wins=tuple(found[: seen.seats].tolist()),
                    margins=tuple(found[4 : 4 + seen.seats].tolist()),
                    nodes=visits[action],
                    solved=False,
                )
            )
        return lines
