"""Groups in readable values (SC-42 to SC-45)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilery.core.game import Kernel, as_rows

from .kernel import entries
from .kernel.cards import KINDS, MAX_CARDS
from .kernel.groups import MAX_GROUPS
from .kernel.layout import NEUTRAL_LEAST
from .view import View


@dataclass(frozen=True)
class Group:
    """SC-42: visible pieces of one kind joined by edges."""

    kind: str
    size: int
    cells: tuple[tuple[int, int], ...]  # sorted by rows
    edges: tuple[int, ...]  # SC-44: to visible pieces of dark, milk and white; 0 to its own kind


def groups_of(kernel: Kernel, row: bytes, view: View) -> list[Group]:
    """All groups, the largest first."""
    _ = kernel.ready
    rows = as_rows(row)
    table = np.zeros((MAX_GROUPS, 5), dtype=np.int64)
    of_piece = np.zeros(4 * MAX_CARDS, dtype=np.int64)
    count = entries.groups(rows, 0, table, of_piece)
    cells: list[set[tuple[int, int]]] = [set() for _ in range(count)]
    for k, card in enumerate(view.table):
        for piece, cell in enumerate(card.cells):
            cells[int(of_piece[4 * k + piece])].add(cell)
    groups = [
        Group(
            KINDS[int(table[g, 1])],
            int(table[g, 0]),
            tuple(sorted(cells[g], key=lambda cell: (cell[1], cell[0]))),
            tuple(table[g, 2:].tolist()),
        )
        for g in range(count)
    ]
    return sorted(groups, key=lambda group: (-group.size, KINDS.index(group.kind), group.cells))


def side_edges(view: View, group: Group) -> tuple[int, int]:
    """SC-44: the edges of a neutral group to the first and to the second side."""
    first, second = view.kinds[0], view.kinds[1]
    assert first is not None
    assert second is not None
    return group.edges[KINDS.index(first)], group.edges[KINDS.index(second)]


def side_of(view: View, group: Group) -> int | None:
    """SC-44: the side (0 or 1) that scores a neutral group; None if neither does."""
    first, second = side_edges(view, group)
    if group.size < NEUTRAL_LEAST or first == second:
        return None
    return 0 if first > second else 1
