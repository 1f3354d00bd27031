"""What every placement would score, without playing it: a card only joins the groups around its eight outer edges.

On the second level the four pieces beneath are taken away first; all cards and turns at that place share the survey.
What is found is packed in one number: the points of the best other side, from bit 12 on those of the own side, from bit
24 on the edges to neutral pieces that the own side wins by it (and 32), from bit 30 on the size of the own group that
the card becomes a part of. Lists keep it as a float, so that one type of list serves all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import inlined, jit, lowest, outlined, room_for
from tilery.games.schokoly.kernel.cards import CARDS, FITS, PIECE, PIECES
from tilery.games.schokoly.kernel.groups import edges_to, group_at, neutral_kind, size_of
from tilery.games.schokoly.kernel.layout import BEFORE, CELLS, DOWN, LAY, NEUTRAL_LEAST, ON_TOP, ROW, UP
from tilery.games.schokoly.kernel.piles import nibbles_in
from tilery.games.schokoly.kernel.plane import index_of

from .survey import LARGEST, NEUTRAL, SURVEY, side_of, survey, survey_without

OWN, CONTACTS, GROWN = 12, 24, 30  # from this bit on; the points of the best other side lie below
POINTS = (1 << OWN) - 1
_LEVEL = 32  # contacts are counted from here


@inlined
def margin_of(packed: float) -> int:
    """Own points less those of the best other side."""
    points = int(packed)
    return (points >> OWN & POINTS) - (points & POINTS)


@inlined
def contacts_of(packed: float) -> int:
    """SC-44: how many edges to neutral pieces the own side wins, less those that the other side does."""
    return (int(packed) >> CONTACTS & 63) - _LEVEL


@inlined
def grown_of(packed: float) -> int:
    """The size of the own group that the card becomes a part of, 0 if it has no piece of the own kind."""
    return int(packed) >> GROWN


@inlined
def is_second(action: int) -> bool:
    """Whether a placement is on the second level."""
    return (action - LAY) & UP != 0


# From the top left cell of a card to the cells beyond its outer edges, two for each piece, clockwise.
_STEPS = np.array([-DOWN, -1, 1 - DOWN, 2, 2 + DOWN, 1 + 2 * DOWN, 2 * DOWN, DOWN - 1], dtype=np.int64)

# The pieces of each kind on a card, in one number, ten bits a kind.
_PACKED = np.array([sum(int(PIECES[c, kind]) << 10 * kind for kind in range(3)) for c in range(CARDS)], dtype=np.int64)

# How many inner edges of a card lie between two kinds.
_INNER = np.array(
    [
        [
            [sum({a, b} == {int(PIECE[4 * c, p]), int(PIECE[4 * c, (p + 1) % 4])} for p in range(4)) for b in range(3)]
            for a in range(3)
        ]
        for c in range(CARDS)
    ],
    dtype=np.int64,
)

# What lies around a place: the groups beside piece and kind (masks of local groups), the edges of a piece to every
# local neutral group (four bits each) and to the kinds of sides 0 and 1 (eight bits each); then the local groups.
_TOUCHED = 12
_SIDES = _TOUCHED + 4
_LOCAL = _SIDES + 4
_SIZES = _LOCAL + 8  # packed like the pieces of a card
_ALL_NEUTRAL = _SIZES + 8
_COUNT = _ALL_NEUTRAL + 1
AROUND = _COUNT + 1


@outlined
def look_around(row: Any, room: Any, at: int, around: Any) -> None:
    """The groups beside a place."""
    for k in range(_LOCAL):
        around[k] = 0
    neutral, first = neutral_kind(row), int(row["kinds"][0])
    count = neutrals = 0
    for edge in range(8):
        step = int(_STEPS[edge])
        seen = int(row["grid"][BEFORE + at + step]) & ON_TOP
        if seen == 0:
            continue
        kind, piece = seen >> 1, edge >> 1
        there = at + step
        if there < 0:
            there += CELLS
        elif there >= CELLS:
            there -= CELLS
        group = group_at(room, there)
        local = 0
        while local < count and int(around[_LOCAL + local]) != group:
            local += 1
        if local == count:
            around[_LOCAL + count] = group
            around[_SIZES + count] = size_of(room, group) << 10 * kind
            count += 1
        around[3 * piece + kind] = int(around[3 * piece + kind]) | 1 << local
        if kind == neutral:
            neutrals |= 1 << local
            around[_TOUCHED + piece] = int(around[_TOUCHED + piece]) + (1 << 4 * local)
        else:
            around[_SIDES + piece] = int(around[_SIDES + piece]) + (1 if kind == first else 256)
    around[_ALL_NEUTRAL] = neutrals
    around[_COUNT] = count


@inlined
def _neutral_with(row: Any, room: Any, around: Any, laid: int, joined: int, neutral: int) -> int:
    """SC-44: the neutral points of side 0, from bit 12 on those of side 1, once a card lies here; from bit 24 on the
    edges that side 0 wins by it (and 32)."""
    first, second = int(row["kinds"][0]), int(row["kinds"][1])
    ours, theirs = int(room[NEUTRAL]), int(room[NEUTRAL + 1])
    touched_ours = touched_theirs = sides = 0
    for piece in range(4):
        kind = int(PIECE[laid, piece])
        if kind == neutral:
            sides += int(around[_SIDES + piece])
        elif kind == first:
            touched_ours += int(around[_TOUCHED + piece])
        else:
            touched_theirs += int(around[_TOUCHED + piece])
    size = int(PIECES[laid >> 2, neutral])
    edges_ours = (sides & 255) + int(_INNER[laid >> 2, neutral, first])
    edges_theirs = (sides >> 8) + int(_INNER[laid >> 2, neutral, second])
    contacts = edges_ours - edges_theirs + _LEVEL
    rest = int(around[_ALL_NEUTRAL])
    while rest != 0:
        local = lowest(rest)
        rest &= rest - 1
        group = int(around[_LOCAL + local])
        has, a, b = size_of(room, group), edges_to(room, group, first), edges_to(room, group, second)
        if has >= NEUTRAL_LEAST:
            if a > b:
                ours -= has
            elif b > a:
                theirs -= has
        a += touched_ours >> 4 * local & 15
        b += touched_theirs >> 4 * local & 15
        contacts += (touched_ours >> 4 * local & 15) - (touched_theirs >> 4 * local & 15)
        if joined >> local & 1:
            size += has
            edges_ours += a
            edges_theirs += b
        elif has >= NEUTRAL_LEAST:
            if a > b:
                ours += has
            elif b > a:
                theirs += has
    if size >= NEUTRAL_LEAST and int(PIECES[laid >> 2, neutral]) > 0:
        if edges_ours > edges_theirs:
            ours += size
        elif edges_theirs > edges_ours:
            theirs += size
    return contacts << CONTACTS | theirs << OWN | ours


@inlined
def points_with(row: Any, room: Any, around: Any, laid: int, side: int) -> int:
    """The points of a side and of the best other one, once a card lies at the place that was looked around."""
    joined = 0
    for piece in range(4):
        joined |= int(around[3 * piece + int(PIECE[laid, piece])])
    total = int(_PACKED[laid >> 2])
    rest = joined
    while rest != 0:
        total += int(around[_SIZES + lowest(rest)])
        rest &= rest - 1
    dark = max(int(room[LARGEST]), total & 1023)
    milk = max(int(room[LARGEST + 1]), total >> 10 & 1023)
    white = max(int(room[LARGEST + 2]), total >> 20)
    largest = dark | milk << 10 | white << 20
    own = largest >> 10 * int(row["kinds"][side]) & 1023
    base = (total >> 10 * int(row["kinds"][side]) & 1023) << GROWN | _LEVEL << CONTACTS
    if int(row["seats"]) == 3:
        other = 0
        for step in range(1, 3):
            kind = int(row["kinds"][(side + step) % 3])
            if kind >= 0:
                other = max(other, largest >> 10 * kind & 1023)
        return base | own << OWN | other
    if int(row["kinds"][1]) < 0:
        return base | own << OWN
    other = largest >> 10 * int(row["kinds"][1 - side]) & 1023
    neutral = neutral_kind(row)
    points = _neutral_with(row, room, around, laid, joined, neutral)
    ours, theirs = points & POINTS, points >> OWN & POINTS
    won = (points >> CONTACTS) - _LEVEL
    if side == 0:
        return base + (won << CONTACTS) | (own + ours) << OWN | (other + theirs)
    return base - (won << CONTACTS) | (own + theirs) << OWN | (other + ours)


@inlined
def _rate_place(row: Any, room: Any, entry: int, level: int, held: int, side: int, out: Any, rated: Any, n: int) -> int:
    """All cards of a hand in every turn in which they fit one open place; returns how many moves are listed then."""
    around = room_for(AROUND)
    place = entry >> 12
    look_around(row, room, index_of(place), around)
    fits = int(FITS[0, entry & 63]) | int(FITS[1, entry >> 6 & 63])
    while held != 0:
        card = lowest(held)  # 4 * card, as `nibbles_in` has it
        held &= held - 1
        for turns in range(4):
            if fits >> (card + turns) & 1:
                out[n] = LAY + level + (place << 6) + card + turns
                rated[n] = points_with(row, room, around, card + turns, side)
                n += 1
    return n


@jit
def rate(rows: Any, i: int, out: Any, rated: Any, begin: int) -> int:
    """SC-20, SC-31: write every placement of the seat whose turn it is, and its points, from a place of the list on;
    returns where the list ends. The first level comes first, and all are in the order in which `legal` lists them."""
    row = rows[i].view(ROW)[0]
    room = room_for(SURVEY)
    seat = int(row["seat"])
    held, side = nibbles_in(int(row["hands"][seat])), side_of(row, seat)
    survey(row, room)
    n = begin
    tops = int(row["open_tops"]) if int(row["tokens"][seat]) > 0 else 0
    spots = int(row["open_spots"])
    for k in range(spots + tops):
        if k < spots:
            entry, level = int(row["spots"][k]), 0
        else:
            entry, level = int(row["tops"][k - spots]), UP
            survey_without(row, room, index_of(entry >> 12))
        n = _rate_place(row, room, entry, level, held, side, out, rated, n)
    return n


SIGNATURES = {rate: "rows int list floats int"}
