"""The groups on the table and the points of every side, also as if the pieces at a place were gone.

A summary is the array of `find_groups`, followed by the size of the largest group of each kind and the neutral points
of either side (SC-43, SC-44). The effect of a card then depends only on its eight outer edges.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined, stack_array
from tilery.games.schokoly.kernel.groups import (
    GROUPS_LENGTH,
    find_groups,
    group_at,
    kind_of,
    neutral_kind,
    size_of,
    winner_of,
)
from tilery.games.schokoly.kernel.layout import AFTER, BEFORE, CELLS, NOBODY, ON_TOP
from tilery.games.schokoly.kernel.plane import cell, corner

# After the groups: the largest group of each kind, the neutral points of sides 0 and 1, the number of groups.
LARGEST = GROUPS_LENGTH
NEUTRAL = LARGEST + 3
GROUPS = NEUTRAL + 2
SUMMARY = GROUPS + 1

_HOLE = 3  # two kinds at once, which no piece has


@inlined
def side_of(row: Any, seat: int) -> int:
    """SC-10: the side of a seat; with four seats, partners sit opposite each other."""
    return seat if int(row["seats"]) == 3 else seat & 1


@inlined
def turns_left(row: Any, seat: int) -> int:
    """SC-14, SC-40: the number of cards that a seat will still place."""
    seats = int(row["seats"])
    return int(row["held"][seat]) + (int(row["left"]) + seats - 1) // seats


@inlined
def _summarise(row: Any, summary: Any, groups: int, hole: int) -> None:
    """SC-43, SC-44: write the largest groups and the present neutral points."""
    neutral = neutral_kind(row)
    for k in range(5):
        summary[LARGEST + k] = 0
    for group in range(groups):
        if group == hole:
            continue
        kind, size = kind_of(summary, group), size_of(summary, group)
        summary[LARGEST + kind] = max(int(summary[LARGEST + kind]), size)
        if kind == neutral:
            side = winner_of(row, summary, group)
            if side >= 0:
                summary[NEUTRAL + side] = int(summary[NEUTRAL + side]) + size
    summary[GROUPS] = groups


@outlined
def summarise(row: Any, summary: Any) -> None:
    """Write the summary of the table."""
    _summarise(row, summary, find_groups(row, summary), NOBODY)


@inlined
def _write(row: Any, at: int, what: int) -> None:
    """Write a cell of the grid, and its copies at the other end of the rolled-up plane."""
    row["grid"][BEFORE + at] = what
    if at < AFTER:
        row["grid"][BEFORE + CELLS + at] = what
    if at >= CELLS - BEFORE:
        row["grid"][BEFORE + at - CELLS] = what


@outlined
def summarise_without(row: Any, summary: Any, at: int) -> None:
    """SC-33: write the summary as if the four pieces at a place were gone; the row is not changed."""
    before = 0
    for piece in range(4):
        there = corner(at, piece)
        seen = cell(row, there)
        before |= seen << 8 * piece
        _write(row, there, seen & ~ON_TOP | _HOLE)
    groups = find_groups(row, summary)
    for piece in range(4):
        _write(row, corner(at, piece), before >> 8 * piece & 255)
    _summarise(row, summary, groups, group_at(summary, at))


@inlined
def points_of(row: Any, summary: Any, side: int) -> int:
    """SC-43 to SC-46: the present points of a side."""
    kind = int(row["kinds"][side])
    points = int(summary[LARGEST + kind]) if kind >= 0 else 0
    return points if int(row["seats"]) == 3 else points + int(summary[NEUTRAL + side])


@inlined
def best_other(row: Any, summary: Any, side: int) -> int:
    """The present points of the best other side."""
    if int(row["seats"]) != 3:
        return points_of(row, summary, 1 - side)
    return max(points_of(row, summary, (side + 1) % 3), points_of(row, summary, (side + 2) % 3))


@outlined
def points_now(row: Any, side: int) -> int:
    """The present points of a side, from bit 12, and of the best other side, below."""
    summary = stack_array(SUMMARY)
    summarise(row, summary)
    return points_of(row, summary, side) << 12 | best_other(row, summary, side)
