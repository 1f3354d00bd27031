"""What a position is worth to every side, by knowledge: groups that may grow, cuts that threaten, neutral contacts."""

from __future__ import annotations

import math
from typing import Any

from tilery.core.jit import inlined, jit, outlined, room_for
from tilery.games.schokoly.kernel.cards import CARDS, PIECES
from tilery.games.schokoly.kernel.entries import result
from tilery.games.schokoly.kernel.groups import MOST_GROUPS, edges_to, group_at, kind_of, neutral_kind, size_of
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
from .survey import GROUPS, NEUTRAL, SURVEY, best_other, points_of, side_of, survey, turns_left

NUMBER = len(FEATURES)
COUNTED = 3 * NUMBER  # room for the features of three sides
_LEAST_NEAR = 4  # pieces of a neutral group that may yet become six
_MOST_LEAD = 4


@inlined
def _count_open(row: Any, room: Any, open_edges: Any) -> None:
    """For every group, how many of its edges have nothing beyond them."""
    grid = row["grid"]
    for group in range(int(room[GROUPS])):
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
            group = group_at(room, at)
            open_edges[group] = int(open_edges[group]) + empty


@inlined
def _count_groups(row: Any, room: Any, side: int, open_edges: Any, out: Any, at: int) -> int:
    """The three largest groups of a side, and the open edges of the first; returns which that is, -1 without any."""
    kind = int(row["kinds"][side])
    first = -1
    one = two = three = 0
    for group in range(int(room[GROUPS])):
        if kind_of(room, group) != kind:
            continue
        size = size_of(room, group)
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
def _count_neutral(row: Any, room: Any, side: int, out: Any, at: int) -> None:
    """SC-44: how far a side leads along the edges of neutral groups, of large ones and of those that may become so."""
    neutral = neutral_kind(row)
    out[at + LEAD] = out[at + NEAR] = out[at + NEUTRAL_POINTS] = 0
    if neutral < 0:
        return
    out[at + NEUTRAL_POINTS] = int(room[NEUTRAL + side])
    for group in range(int(room[GROUPS])):
        size = size_of(room, group)
        if kind_of(room, group) != neutral or size < _LEAST_NEAR:
            continue
        lead = edges_to(room, group, int(row["kinds"][side])) - edges_to(room, group, int(row["kinds"][1 - side]))
        which = LEAD if size >= NEUTRAL_LEAST else NEAR
        out[at + which] = int(out[at + which]) + max(-_MOST_LEAD, min(lead, _MOST_LEAD)) * size


@inlined
def _is_exposed(room: Any, entry: int, group: int) -> bool:
    """Whether a card on the second level at an open place would cover a piece of a group."""
    at = index_of(entry >> 12)
    for piece in range(4):
        if group_at(room, corner(at, piece)) == group:
            return True
    return False


@inlined
def _next_to_place(row: Any) -> int:
    """The seat that lays the next card."""
    seat = int(row["seat"])
    if int(row["phase"]) == SECURE or int(row["phase"]) == DRAW:
        return (seat + 1) % int(row["seats"])
    return seat


@inlined
def _count_hands(row: Any, side: int, out: Any, at: int) -> None:
    """Tokens, and pieces of the own kind in the hands, for each seat of the side."""
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
def count_features(row: Any, room: Any, out: Any) -> None:
    """All features of every side, one side after the other."""
    sides = 3 if int(row["seats"]) == 3 else 2
    open_edges = room_for(MOST_GROUPS)
    _count_open(row, room, open_edges)
    for side in range(sides):
        at = side * NUMBER
        if int(row["kinds"][side]) < 0:
            for k in range(NUMBER):
                out[at + k] = 0
            continue
        largest = _count_groups(row, room, side, open_edges, out, at)
        _count_neutral(row, room, side, out, at)
        _count_hands(row, side, out, at)
        exposed = 0
        for k in range(int(row["open_tops"])):
            exposed += int(_is_exposed(room, int(row["tops"][k]), largest))
        out[at + EXPOSED] = exposed
    for side in range(sides):  # nobody is exposed where the others have no token left
        others = 0
        for step in range(1, sides):
            others += int(out[(side + step) % sides * NUMBER + TOKENS_LEFT])
        if others == 0:
            out[side * NUMBER + EXPOSED] = 0


@inlined
def _share_odds(row: Any, sides: int, scale: float, out: Any) -> None:
    """From what each side is worth (in `out[0:3]`) to odds and margins of the seats."""
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
    """`out[0:4]`: the odds of each seat to win; `out[4:8]`: its margin, both estimated."""
    room, counted = room_for(SURVEY), room_for(COUNTED)
    survey(row, room)
    count_features(row, room, counted)
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
    _share_odds(row, sides, scale, out)


@jit
def judge(rows: Any, i: int, out: Any) -> None:
    """SC-47: the exact shares and margins of a finished game."""
    for seat in range(4):
        out[seat] = 0.0
    result(rows, i, out)
    row = rows[i].view(ROW)[0]
    room = room_for(SURVEY)
    survey(row, room)
    for seat in range(4):
        side = side_of(row, seat)
        out[4 + seat] = points_of(row, room, side) - best_other(row, room, side) if seat < int(row["seats"]) else 0.0


@jit
def evaluate(rows: Any, i: int, model: Any, out: Any) -> None:
    """`out[0:4]`: the odds of each seat to win, `out[4:8]`: its margin; exact when the game is over."""
    row = rows[i].view(ROW)[0]
    if int(row["ended"]) != 0:
        judge(rows, i, out)
    else:
        estimate(row, model, out)


NAME = "what is known of Schokoly"
SIGNATURES = {judge: "rows int floats", evaluate: "rows int floats floats"}
