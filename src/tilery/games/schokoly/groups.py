"""Groups in readable values (SC-42 to SC-45)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

import msgspec
import numpy as np

from tilery.core.fields import span_of
from tilery.core.game import Kernel, as_rows

from .kernel import entries
from .kernel.cards import KINDS, MAX_CARDS
from .kernel.groups import MAX_GROUPS
from .kernel.layout import NEUTRAL_LEAST, ROW
from .view import View

_BY_ROWS = itemgetter(1, 0)
_LAID, _CARDS = span_of(ROW, "laid"), span_of(ROW, "cards")


@dataclass(frozen=True)
class Group:
    """SC-42: visible pieces of one kind joined by edges."""

    kind: str
    size: int
    cells: tuple[tuple[int, int], ...]  # sorted by rows
    edges: tuple[int, ...]  # SC-44: to visible pieces of dark, milk and white; 0 to its own kind


class ScoredGroup(msgspec.Struct, frozen=True):
    """SC-43, SC-44: a group, whose it is, and whether it scores now."""

    kind: str
    size: int
    cells: tuple[tuple[int, int], ...]  # sorted by rows
    seat: int | None  # the seat that scores it, or would if it were larger
    scores: bool
    contacts: dict[str, int]  # SC-44: of a neutral group, the edges to each side's kind


class Table:
    """The cards on the table of a row, as a key: groups depend on nothing else, so all viewers of a position share
    them."""

    __slots__ = ("_key", "kernel", "row", "view")

    def __init__(self, kernel: Kernel, row: bytes, view: View) -> None:
        self.kernel, self.row, self.view = kernel, row, view
        self._key = row[_LAID] + row[_CARDS][: 4 * len(view.table)]

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._key == other._key


def groups_of(kernel: Kernel, row: bytes, view: View) -> tuple[Group, ...]:
    """All groups, the largest first."""
    return _groups(Table(kernel, row, view))


@lru_cache(maxsize=256)
def _groups(table_of_row: Table) -> tuple[Group, ...]:
    _ = table_of_row.kernel.ready
    rows, view = as_rows(table_of_row.row), table_of_row.view
    table = np.zeros((MAX_GROUPS, 5), dtype=np.int64)
    of_piece = np.zeros(4 * MAX_CARDS, dtype=np.int64)
    count = entries.groups(rows, 0, table, of_piece)
    cells_of_pieces = [cell for card in view.table for cell in card.cells]
    visible = dict(zip(cells_of_pieces, of_piece.tolist(), strict=False))  # `of_piece` has room for more cards
    cells: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for cell in sorted(visible, key=_BY_ROWS):
        cells[visible[cell]].append(cell)
    groups = [
        Group(KINDS[kind], size, tuple(cells[g]), tuple(edges))
        for g, (size, kind, *edges) in enumerate(table[:count].tolist())
    ]
    return tuple(sorted(groups, key=lambda group: (-group.size, KINDS.index(group.kind), group.cells)))


def pieces_of(kernel: Kernel, row: bytes, view: View) -> Mapping[tuple[int, int], str]:
    """The kind of every visible piece, by its cell."""
    return _pieces(Table(kernel, row, view))


@lru_cache(maxsize=256)
def _pieces(table: Table) -> Mapping[tuple[int, int], str]:
    return {cell: group.kind for group in _groups(table) for cell in group.cells}


def side_edges(kinds: Sequence[str | None], group: Group) -> tuple[int, int]:
    """SC-44: the edges of a neutral group to the first and to the second side, given the kinds of all seats."""
    first, second = kinds[0], kinds[1]
    assert first is not None
    assert second is not None
    return group.edges[KINDS.index(first)], group.edges[KINDS.index(second)]


def side_of(kinds: Sequence[str | None], group: Group) -> int | None:
    """SC-44: the side (0 or 1) that scores a neutral group, given the kinds of all seats; None if neither does."""
    first, second = side_edges(kinds, group)
    if group.size < NEUTRAL_LEAST or first == second:
        return None
    return 0 if first > second else 1


def scored_groups(kernel: Kernel, row: bytes, view: View) -> tuple[ScoredGroup, ...]:
    """SC-43, SC-44: every group, the largest first, whose it is, and whether it scores now."""
    return _scored_groups(Table(kernel, row, view), view.kinds, view.neutral)


@lru_cache(maxsize=256)
def _scored_groups(table: Table, kinds: tuple[str | None, ...], neutral: str | None) -> tuple[ScoredGroup, ...]:
    scored = []
    seen_kinds = set()  # groups are sorted: the first one of a kind is the largest
    for group in _groups(table):
        is_neutral = group.kind == neutral
        owner = kinds.index(group.kind) if group.kind in kinds else None
        seat = side_of(kinds, group) if is_neutral else owner
        is_largest = group.kind not in seen_kinds
        seen_kinds.add(group.kind)
        contacts = dict(zip(map(str, kinds[:2]), side_edges(kinds, group), strict=True)) if is_neutral else {}
        scores = seat is not None and (is_neutral or is_largest)
        scored.append(ScoredGroup(group.kind, group.size, group.cells, seat, scores, contacts))
    return tuple(scored)


def changed_groups(
    kernel: Kernel, row: bytes, after_row: bytes, before: View, after: View
) -> tuple[tuple[ScoredGroup, ...], tuple[ScoredGroup, ...]]:
    """The groups that are no longer there as they were, and those that are there now."""
    then, now = (Table(kernel, row, before), before.kinds), (Table(kernel, after_row, after), after.kinds)
    return _changed_groups(*then, before.neutral, *now, after.neutral)


@lru_cache(maxsize=256)
def _changed_groups(
    table: Table,
    kinds: tuple[str | None, ...],
    neutral: str | None,
    table_after: Table,
    kinds_after: tuple[str | None, ...],
    neutral_after: str | None,
) -> tuple[tuple[ScoredGroup, ...], tuple[ScoredGroup, ...]]:
    then, now = _scored_groups(table, kinds, neutral), _scored_groups(table_after, kinds_after, neutral_after)
    by_cell, by_cell_now = ({group.cells[0]: group for group in groups} for groups in (then, now))
    old = tuple([group for group in then if by_cell_now.get(group.cells[0]) != group])
    return old, tuple([group for group in now if by_cell.get(group.cells[0]) != group])
