"""The table as the engine surveys it: groups found once, the points of every side, and the groups with a hole in them.

A survey is the room of `find_groups` with a summary behind it: the size of the largest group of each kind, and what the
neutral groups bring to either side (SC-43, SC-44). What a card adds is then found by looking at its eight outer edges.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined, room_for
from tilery.games.schokoly.kernel.groups import (
    ROOM,
    find_groups,
    group_at,
    kind_of,
    neutral_kind,
    size_of,
    winner_of,
)
from tilery.games.schokoly.kernel.layout import AFTER, BEFORE, CELLS, NOBODY, ON_TOP
from tilery.games.schokoly.kernel.plane import cell, corner

# Behind the room of the groups: the largest group of each kind, the neutral points of sides 0 and 1, how many groups.
LARGEST = ROOM
NEUTRAL = LARGEST + 3
GROUPS = NEUTRAL + 2
SURVEY = GROUPS + 1

_HOLE = 3  # two kinds at once, which no piece is


@inlined
def side_of(row: Any, seat: int) -> int:
    """SC-10: the side that a seat plays for; with four seats partners sit opposite."""
    return seat if int(row["seats"]) == 3 else seat & 1


@inlined
def turns_left(row: Any, seat: int) -> int:
    """SC-14, SC-40: how many cards a seat will still lay."""
    seats = int(row["seats"])
    return int(row["held"][seat]) + (int(row["left"]) + seats - 1) // seats


@inlined
def _summarise(row: Any, room: Any, groups: int, hole: int) -> None:
    """SC-43, SC-44: the largest groups and the neutral points as the table lies."""
    neutral = neutral_kind(row)
    for k in range(5):
        room[LARGEST + k] = 0
    for group in range(groups):
        if group == hole:
            continue
        kind, size = kind_of(room, group), size_of(room, group)
        room[LARGEST + kind] = max(int(room[LARGEST + kind]), size)
        if kind == neutral:
            side = winner_of(row, room, group)
            if side >= 0:
                room[NEUTRAL + side] = int(room[NEUTRAL + side]) + size
    room[GROUPS] = groups


@outlined
def survey(row: Any, room: Any) -> None:
    """All groups and what they bring."""
    _summarise(row, room, find_groups(row, room), NOBODY)


@inlined
def _write(row: Any, at: int, what: int) -> None:
    """A cell of the grid, with its copies at the other end of the rolled-up plane."""
    row["grid"][BEFORE + at] = what
    if at < AFTER:
        row["grid"][BEFORE + CELLS + at] = what
    if at >= CELLS - BEFORE:
        row["grid"][BEFORE + at - CELLS] = what


@outlined
def survey_without(row: Any, room: Any, at: int) -> None:
    """SC-33: all groups as if the four pieces at a place were gone; the row is left as it was."""
    before = 0
    for piece in range(4):
        there = corner(at, piece)
        seen = cell(row, there)
        before |= seen << 8 * piece
        _write(row, there, seen & ~ON_TOP | _HOLE)
    groups = find_groups(row, room)
    for piece in range(4):
        _write(row, corner(at, piece), before >> 8 * piece & 255)
    _summarise(row, room, groups, group_at(room, at))


@inlined
def points_of(row: Any, room: Any, side: int) -> int:
    """SC-43 to SC-46: the points of a side as the table lies."""
    kind = int(row["kinds"][side])
    points = int(room[LARGEST + kind]) if kind >= 0 else 0
    return points if int(row["seats"]) == 3 else points + int(room[NEUTRAL + side])


@inlined
def best_other(row: Any, room: Any, side: int) -> int:
    """The points of the best other side as the table lies."""
    if int(row["seats"]) != 3:
        return points_of(row, room, 1 - side)
    return max(points_of(row, room, (side + 1) % 3), points_of(row, room, (side + 2) % 3))


@outlined
def points_now(row: Any, side: int) -> int:
    """The points of a side from bit 12 on and of the best other one below, as the table lies."""
    room = room_for(SURVEY)
    survey(row, room)
    return points_of(row, room, side) << 12 | best_other(row, room, side)
