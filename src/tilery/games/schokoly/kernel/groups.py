"""Groups of pieces, seen from above, and what they score (SC-42 to SC-47)."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined, stack_array

from .layout import BEFORE, CELLS, DOWN, IS_SECOND, NEUTRAL_LEAST, NOBODY, ON_TOP
from .plane import cell, corner, index_of

# All groups in one array: the group of every cell (from 1), a queue, then for each group its size, its kind and its
# edges to the three kinds.
MAX_GROUPS = 192
_QUEUE = CELLS
_SIZES = _QUEUE + MAX_GROUPS
_KINDS = _SIZES + MAX_GROUPS
_EDGES = _KINDS + MAX_GROUPS
GROUPS_LENGTH = _EDGES + 3 * MAX_GROUPS


@inlined
def size_of(groups: Any, group: int) -> int:
    """SC-42: how many pieces a group has."""
    return int(groups[_SIZES + group])


@inlined
def kind_of(groups: Any, group: int) -> int:
    """The kind of a group."""
    return int(groups[_KINDS + group])


@inlined
def edges_to(groups: Any, group: int, kind: int) -> int:
    """SC-44: the edges between a group and all visible pieces of another kind."""
    return int(groups[_EDGES + 3 * group + kind])


@inlined
def group_at(groups: Any, at: int) -> int:
    """The group of a cell that is not empty."""
    return int(groups[at]) - 1


@inlined
def _clear(row: Any, groups: Any) -> None:
    """Mark all cells as belonging to no group."""
    for k in range(int(row["laid"])):
        card = int(row["cards"][k])
        if card & IS_SECOND == 0:
            at = index_of(card >> 8)
            for piece in range(4):
                groups[corner(at, piece)] = 0


@inlined
def _visit(row: Any, groups: Any, there: int, own: int, label: int, waiting: int) -> int:
    """Visit a neighbour of a piece: one of the same kind joins its group and the queue; returns the queue's length."""
    if int(row["grid"][BEFORE + there]) & ON_TOP == own:
        at = there
        if at < 0:
            at += CELLS
        elif at >= CELLS:
            at -= CELLS
        if int(groups[at]) == 0:
            groups[at] = label
            groups[_QUEUE + waiting] = at
            return waiting + 1
    return waiting


@inlined
def _counted(row: Any, at: int) -> int:
    """The kinds around a piece, counted: nothing from bit 0 on, dark from bit 10, milk from 20, white from 40."""
    grid = row["grid"]
    g = BEFORE + at
    return (
        (1 << 10 * (int(grid[g + 1]) & ON_TOP))
        + (1 << 10 * (int(grid[g - 1]) & ON_TOP))
        + (1 << 10 * (int(grid[g + DOWN]) & ON_TOP))
        + (1 << 10 * (int(grid[g - DOWN]) & ON_TOP))
    )


@inlined
def _find_group(row: Any, groups: Any, first: int, group: int) -> None:
    """SC-42: all pieces joined to this one, and the edges of the group to other kinds."""
    own = cell(row, first) & ON_TOP
    groups[first] = group + 1
    groups[_QUEUE] = first
    waiting, size, around = 1, 0, 0
    while waiting > 0:
        waiting -= 1
        at = int(groups[_QUEUE + waiting])
        size += 1
        around += _counted(row, at)
        waiting = _visit(row, groups, at + 1, own, group + 1, waiting)
        waiting = _visit(row, groups, at - 1, own, group + 1, waiting)
        waiting = _visit(row, groups, at + DOWN, own, group + 1, waiting)
        waiting = _visit(row, groups, at - DOWN, own, group + 1, waiting)
    groups[_SIZES + group] = size
    groups[_KINDS + group] = own >> 1
    for kind in range(3):
        groups[_EDGES + 3 * group + kind] = 0 if kind == own >> 1 else around >> (10 << kind) & 1023


@outlined
def find_groups(row: Any, groups: Any) -> int:
    """SC-42, SC-33: all groups as seen from above; returns their number."""
    _clear(row, groups)
    count = 0
    for k in range(int(row["laid"])):
        card = int(row["cards"][k])
        if card & IS_SECOND:
            continue  # every cell that is not empty has a first-level piece
        at = index_of(card >> 8)
        for piece in range(4):
            first = corner(at, piece)
            if int(groups[first]) == 0:
                _find_group(row, groups, first, count)
                count += 1
    return count


@inlined
def neutral_kind(row: Any) -> int:
    """SC-13: the kind that nobody plays, NOBODY with three players or while the second choice is open."""
    first, second = int(row["kinds"][0]), int(row["kinds"][1])
    if int(row["seats"]) == 3 or first < 0 or second < 0:
        return NOBODY
    return 3 - first - second


@inlined
def winner_of(row: Any, groups: Any, group: int) -> int:
    """SC-44: which of the two sides gets a neutral group, NOBODY if it is small or the edges are equal."""
    if size_of(groups, group) < NEUTRAL_LEAST:
        return NOBODY
    ours = edges_to(groups, group, int(row["kinds"][0]))
    theirs = edges_to(groups, group, int(row["kinds"][1]))
    if ours == theirs:
        return NOBODY
    return 0 if ours > theirs else 1


@outlined
def write_scores(row: Any, groups: Any, count: int, out: Any) -> None:
    """SC-43 to SC-46: the current points of every seat; partners have those of their side."""
    seats = int(row["seats"])
    sides = 3 if seats == 3 else 2
    neutral = neutral_kind(row)
    for side in range(sides):
        out[side] = 0
    for group in range(count):
        kind, size = kind_of(groups, group), size_of(groups, group)
        for side in range(sides):
            if int(row["kinds"][side]) == kind:
                out[side] = max(int(out[side]), size)
    for group in range(count):
        if kind_of(groups, group) == neutral:
            side = winner_of(row, groups, group)
            if side >= 0:
                out[side] += size_of(groups, group)
    if seats == 4:
        out[2] = out[0]
        out[3] = out[1]


@outlined
def write_all_scores(row: Any, out: Any) -> None:
    """The current points of every seat."""
    groups = stack_array(GROUPS_LENGTH)
    write_scores(row, groups, find_groups(row, groups), out)


@inlined
def _ranked(groups: Any, count: int, kind: int, rank: int) -> int:
    """The size of the group of a kind that comes at this rank, the largest first; 0 where there is none."""
    for group in range(count):
        if kind_of(groups, group) != kind:
            continue
        larger = equal = 0
        for other in range(count):
            if kind_of(groups, other) == kind:
                larger += int(size_of(groups, other) > size_of(groups, group))
                equal += int(size_of(groups, other) == size_of(groups, group))
        if larger <= rank < larger + equal:
            return size_of(groups, group)
    return 0


@outlined
def share_win(row: Any, shares: Any) -> None:
    """SC-47: most points win; a tie goes to the larger next group of the side's kind; partners share their win."""
    groups = stack_array(GROUPS_LENGTH)
    points = stack_array(4)
    count = find_groups(row, groups)
    write_scores(row, groups, count, points)
    seats = int(row["seats"])
    sides = 3 if seats == 3 else 2
    best = 0
    for side in range(sides):
        best = max(best, int(points[side]))
    ahead = 0
    for side in range(sides):
        ahead |= int(int(points[side]) == best) << side
    rank = 1
    while ahead & (ahead - 1) != 0 and rank < count:
        best = 0
        for side in range(sides):
            if ahead >> side & 1:
                best = max(best, _ranked(groups, count, int(row["kinds"][side]), rank))
        for side in range(sides):
            if ahead >> side & 1 and _ranked(groups, count, int(row["kinds"][side]), rank) < best:
                ahead &= ~(1 << side)
        rank += 1
    number = 0
    for seat in range(seats):
        number += ahead >> (seat if seats == 3 else seat % 2) & 1
    for seat in range(seats):
        shares[seat] = (ahead >> (seat if seats == 3 else seat % 2) & 1) / number
