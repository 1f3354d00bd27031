"""The evaluation of Schokoly: groups that can grow, cuts that threaten, contacts with neutral groups."""

from __future__ import annotations

import math
from typing import Any

from tilery.core.jit import inlined, jit, outlined, stack_array
from tilery.games.schokoly.kernel.cards import CARDS, PIECES
from tilery.games.schokoly.kernel.entries import result
from tilery.games.schokoly.kernel.groups import MAX_GROUPS, edges_to, group_at, kind_of, neutral_kind, size_of
from tilery.games.schokoly.kernel.layout import (
    BEFORE,
    DOWN,
    DRAW,
    IS_SECOND,
    NEUTRAL_LEAST,
    ON_TOP,
    ROW,
    SECURE,
)
from tilery.games.schokoly.kernel.piles import count_of
from tilery.games.schokoly.kernel.plane import corner, index_of

from .model import (
    EARLY,
    EXPOSED,
    FEATURES,
    IN_HAND,
    LARGEST_GROUP,
    LEAD,
    NEAR,
    NEUTRAL_POINTS,
    OPEN,
    SCALE,
    SCALE_GROWTH,
    SECOND_GROUP,
    THIRD_GROUP,
    TOKENS_LEFT,
    TURN,
    block_of,
)
from .points import GROUPS, NEUTRAL, SUMMARY, best_other, points_of, side_of, summarise, turns_left

NUMBER = len(FEATURES)
COUNTED = 3 * NUMBER  # the features of three sides
_MIN_NEAR = 4  # pieces of a neutral group that may still grow to six
_MAX_LEAD = 4


@inlined
def _count_open(row: Any, summary: Any, open_edges: Any) -> None:
    """Write for every group the number of its edges to empty cells."""
    grid = row["grid"]
    for group in range(int(summary[GROUPS])):
        open_edges[group] = 0
    for k in range(int(row["laid"])):
        card = int(row["cards"][k])
        if card & IS_SECOND:
            continue
        first = index_of(card >> 8)
        for piece in range(4):
            at = corner(first, piece)
            g = BEFORE + at
            empty = (
                int(int(grid[g + 1]) & ON_TOP == 0)
                + int(int(grid[g - 1]) & ON_TOP == 0)
                + int(int(grid[g + DOWN]) & ON_TOP == 0)
                + int(int(grid[g - DOWN]) & ON_TOP == 0)
            )
            group = group_at(summary, at)
            open_edges[group] = int(open_edges[group]) + empty


@inlined
def _count_groups(row: Any, summary: Any, side: int, open_edges: Any, out: Any, at: int) -> int:
    """Write the sizes of the three largest groups of a side and the open edges of the largest; return it, or -1."""
    kind = int(row["kinds"][side])
    first = -1
    one = two = three = 0
    for group in range(int(summary[GROUPS])):
        if kind_of(summary, group) != kind:
            continue
        size = size_of(summary, group)
        if size > one:
            one, two, three = size, one, two
            first = group
        elif size > two:
            two, three = size, two
        elif size > three:
            three = size
    out[at + LARGEST_GROUP] = one
    out[at + SECOND_GROUP] = two
    out[at + THIRD_GROUP] = three
    out[at + OPEN] = int(open_edges[first]) if first >= 0 else 0
    return first


@inlined
def _count_neutral(row: Any, summary: Any, side: int, out: Any, at: int) -> None:
    """SC-44: write the lead of a side in edges to neutral groups, to large ones and to those that may become large."""
    neutral = neutral_kind(row)
    out[at + LEAD] = out[at + NEAR] = out[at + NEUTRAL_POINTS] = 0
    if neutral < 0:
        return
    out[at + NEUTRAL_POINTS] = int(summary[NEUTRAL + side])
    for group in range(int(summary[GROUPS])):
        size = size_of(summary, group)
        if kind_of(summary, group) != neutral or size < _MIN_NEAR:
            continue
        lead = edges_to(summary, group, int(row["kinds"][side])) - edges_to(summary, group, int(row["kinds"][1 - side]))
        which = LEAD if size >= NEUTRAL_LEAST else NEAR
        out[at + which] = int(out[at + which]) + max(-_MAX_LEAD, min(lead, _MAX_LEAD)) * size


@inlined
def _is_exposed(summary: Any, entry: int, group: int) -> bool:
    """Whether a card on the second level at an open place would cover a piece of a group."""
    at = index_of(entry >> 12)
    for piece in range(4):
        if group_at(summary, corner(at, piece)) == group:
            return True
    return False


@inlined
def _next_to_place(row: Any) -> int:
    """The seat that places the next card."""
    seat = int(row["seat"])
    if int(row["phase"]) == SECURE or int(row["phase"]) == DRAW:
        return (seat + 1) % int(row["seats"])
    return seat


@inlined
def _count_hands(row: Any, side: int, out: Any, at: int) -> None:
    """Write the tokens of a side and the pieces of its kind in its hands, over all of its seats."""
    seats = int(row["seats"])
    kind = int(row["kinds"][side])
    tokens = pieces = 0
    for seat in range(seats):
        if side_of(row, seat) != side:
            continue
        tokens += min(int(row["tokens"][seat]), turns_left(row, seat))  # SC-30: at most one in a turn
        for card in range(CARDS):
            pieces += count_of(int(row["hands"][seat]), card) * int(PIECES[card, kind])
    out[at + TOKENS_LEFT] = tokens
    out[at + IN_HAND] = pieces
    out[at + TURN] = int(side_of(row, _next_to_place(row)) == side)


@outlined
def count_features(row: Any, summary: Any, out: Any) -> None:
    """Write all features, one side after the other."""
    sides = 3 if int(row["seats"]) == 3 else 2
    open_edges = stack_array(MAX_GROUPS)
    _count_open(row, summary, open_edges)
    for side in range(sides):
        at = side * NUMBER
        if int(row["kinds"][side]) < 0:
            for k in range(NUMBER):
                out[at + k] = 0
            continue
        largest = _count_groups(row, summary, side, open_edges, out, at)
        _count_neutral(row, summary, side, out, at)
        _count_hands(row, side, out, at)
        exposed = 0
        for k in range(int(row["open_tops"])):
            exposed += int(_is_exposed(summary, int(row["tops"][k]), largest))
        out[at + EXPOSED] = exposed
    for side in range(sides):  # no side is exposed if the others have no token left
        others = 0
        for step in range(1, sides):
            others += int(out[(side + step) % sides * NUMBER + TOKENS_LEFT])
        if others == 0:
            out[side * NUMBER + EXPOSED] = 0


@inlined
def _write_probabilities(row: Any, sides: int, scale: float, out: Any) -> None:
    """Turn the values of the sides (in `out[0:3]`) into win probabilities and margins of the seats."""
    a, b, c = float(out[0]), float(out[1]), float(out[2])
    best = max(a, b) if sides == 2 else max(a, b, c)
    x, y = math.exp((a - best) / scale), math.exp((b - best) / scale)
    z = math.exp((c - best) / scale) if sides == 3 else 0.0
    total = x + y + z
    seats = int(row["seats"])
    for seat in range(4):
        side = seat if sides == 3 else seat & 1
        own = a if side == 0 else b if side == 1 else c
        share = x if side == 0 else y if side == 1 else z
        other = max(b if side == 0 else a, -1e9 if sides == 2 else b if side == 2 else c)
        out[seat] = share / total / (2.0 if seats == 4 else 1.0) if seat < seats else 0.0
        out[4 + seat] = own - other if seat < seats else 0.0


@outlined
def estimate(row: Any, model: Any, out: Any) -> None:
    """Estimate the win probability of each seat (`out[0:4]`) and its margin (`out[4:8]`)."""
    summary, counted = stack_array(SUMMARY), stack_array(COUNTED)
    summarise(row, summary)
    count_features(row, summary, counted)
    seats = int(row["seats"])
    sides = 3 if seats == 3 else 2
    block = block_of(seats)
    left = int(row["left"])
    for seat in range(seats):
        left += int(row["held"][seat])
    early = left / (CARDS * int(row["copies"]))
    out[2] = 0.0
    for side in range(sides):
        worth = 0.0
        for k in range(NUMBER):
            weight = float(model[block + k]) + early * float(model[block + EARLY + k])
            worth += weight * int(counted[side * NUMBER + k])
        out[side] = worth
    scale = float(model[block + SCALE]) + float(model[block + SCALE_GROWTH]) * math.sqrt(left)
    _write_probabilities(row, sides, scale, out)


@jit
def write_result(rows: Any, i: int, out: Any) -> None:
    """SC-47: write the exact shares of the win and the margins of a finished game."""
    for seat in range(4):
        out[seat] = 0.0
    result(rows, i, out)
    row = rows[i].view(ROW)[0]
    summary = stack_array(SUMMARY)
    summarise(row, summary)
    for seat in range(4):
        side = side_of(row, seat)
        out[4 + seat] = (
            points_of(row, summary, side) - best_other(row, summary, side) if seat < int(row["seats"]) else 0.0
        )


@jit
def evaluate(rows: Any, i: int, model: Any, out: Any) -> None:
    """Write the win probability of each seat (`out[0:4]`) and its margin (`out[4:8]`); exact if the game is over."""
    row = rows[i].view(ROW)[0]
    if int(row["ended"]) != 0:
        write_result(rows, i, out)
    else:
        estimate(row, model, out)


NAME = "the evaluation of Schokoly"
SIGNATURES = {write_result: "rows int floats", evaluate: "rows int floats floats"}
