"""`plain-uct`, the anchor, as a `Search`: one tree for each worker; the results at the root are summed."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tilery.engine.family import SearchRequest
from tilery.engine.info import Variation
from tilery.engine.schokoly.kernel import plain_uct as kernel
from tilery.engine.schokoly.kernel.plain_uct import ACTION, PARENT, SUMS, VISITS

_MAX_NODES = 1 << 20  # of a tree
_DEFAULT = 1 << 16


class _Tree:
    """The tree and buffers of one worker."""

    def __init__(self, request: SearchRequest, number: int) -> None:
        game = request.seen.game.kernel
        nodes = request.limit.nodes or (_DEFAULT if (request.limit.cpu or request.limit.time or 9) < 2 else _MAX_NODES)
        size = min(nodes + 2, _MAX_NODES)
        self.rows = game.new_rows(2)
        self.rows[0] = np.frombuffer(request.seen.row, dtype=np.uint8)
        self.tree = np.empty((size, kernel.NODE), dtype=np.int64)
        self.sums = np.empty(SUMS * size)
        self.slots = np.zeros(1 << (2 * size - 1).bit_length(), dtype=np.int64)
        self.numbers = np.zeros(kernel.NUMBERS, dtype=np.int64)
        self.rng = request.stream.child("anchor", number).generators(kernel.GENERATORS)
        self.out, self.values = game.new_list(), np.empty(SUMS)
        self.tree[0] = (-1, 0, 0)
        self.sums[:SUMS] = 0.0
        self.numbers[kernel.GROWN] = 1

    def grow(self, nodes: int) -> None:
        kernel.grow(self.rows, self.tree, self.sums, self.slots, self.numbers, self.rng, self.out, self.values, nodes)


class PlainUct:
    """UCT with random games to the end of the game."""

    engine = "plain-uct 1"
    horizon = "game"
    share_solved = 0.0

    def __init__(self, request: SearchRequest) -> None:
        self.request = request
        self.actions = request.seen.actions()
        self.trees = [_Tree(request, number) for number in range(request.threads)]

    @property
    def nodes(self) -> int:
        return sum(int(tree.numbers[kernel.DONE]) for tree in self.trees)

    @property
    def depth(self) -> int:
        """The depth of the newest node of the first tree: a better number would take time to compute."""
        tree, node, depth = self.trees[0].tree, int(self.trees[0].numbers[kernel.GROWN]) - 1, 0
        while node > 0:
            node = int(tree[node, PARENT])
            depth += 1
        return depth

    @property
    def done(self) -> bool:
        deep = self.request.depth is not None and self.depth >= self.request.depth
        return deep or (len(self.actions) == 1 and self.nodes > 0)

    def step(self, worker: int, nodes: int) -> None:
        """Run `nodes` more simulations."""
        if self.request.depth is None:
            self.trees[worker].grow(nodes)
            return
        for _ in range(nodes):  # stops after the simulation that reaches the depth
            if self.done:
                return
            self.trees[worker].grow(1)

    def variations(self, count: int) -> list[Variation]:
        """The moves by visits, the most visited first; a move without visits has the mean value of all."""
        seen = self.request.seen
        visits: dict[int, int] = defaultdict(int)
        sums: dict[int, np.ndarray[tuple[int, ...], np.dtype[np.float64]]] = defaultdict(lambda: np.zeros(SUMS))
        for tree in self.trees:
            grown = int(tree.numbers[kernel.GROWN])
            for node in np.flatnonzero(tree.tree[:grown, PARENT] == 0):
                action = int(tree.tree[node, ACTION])
                visits[action] += int(tree.tree[node, VISITS])
                sums[action] += tree.sums[SUMS * node : SUMS * node + SUMS]
        mean = sum(sums.values(), np.zeros(SUMS)) / max(1, sum(visits.values()))
        order = sorted(self.actions, key=lambda action: (-visits[action], action))
        variations = []
        for action in order[:count]:
            values = sums[action] / visits[action] if visits[action] else mean
            variations.append(
                Variation(
                    moves=(seen.game.move_of(seen.row, action),),
                    wins=tuple(values[: seen.seats].tolist()),
                    margins=tuple(values[4 : 4 + seen.seats].tolist()),
                    nodes=visits[action],
                    solved=False,
                )
            )
        return variations
