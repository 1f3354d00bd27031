"""The score of every placement, without playing it: a card only joins the groups at its eight outer edges.

On the second level the four pieces beneath are removed first; all cards and rotations at a place share that summary. A
result is packed into one number: the points of the best other side, from bit 12 those of the seat's own side, from bit
24 the edges to neutral pieces that this side gains (plus 32), from bit 30 the size of its group that the card joins.
Lists store it as a float, so that all lists have one type.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import inlined, jit, lowest, outlined, stack_array
from tilery.games.schokoly.kernel.cards import CARDS, FITS, PIECE, PIECES
from tilery.games.schokoly.kernel.groups import edges_to, group_at, neutral_kind, size_of
from tilery.games.schokoly.kernel.layout import BEFORE, CELLS, DOWN, LAY, NEUTRAL_LEAST, ON_TOP, ROW, UP
from tilery.games.schokoly.kernel.piles import nibbles_in
from tilery.games.schokoly.kernel.plane import index_of

from .points import LARGEST, NEUTRAL, SUMMARY, side_of, summarise, summarise_without

OWN, CONTACTS, GROWN = 12, 24, 30  # first bits; the points of the best other side are below
POINTS = (1 << OWN) - 1
_NO_CONTACTS = 32  # contacts are stored plus this


@inlined
def margin_of(packed: float) -> int:
    """The points of the seat's side less those of the best other side."""
    points = int(packed)
    return (points >> OWN & POINTS) - (points & POINTS)


@inlined
def contacts_of(packed: float) -> int:
    """SC-44: the edges to neutral pieces that the seat's side gains, less those that the other side gains."""
    return (int(packed) >> CONTACTS & 63) - _NO_CONTACTS


@inlined
def grown_of(packed: float) -> int:
    """The size of the group of the seat's kind that the card joins; 0 if the card has no piece of that kind."""
    return int(packed) >> GROWN


# From the top left cell of a card to the cells beyond its outer edges, two for each piece, clockwise.
_STEPS = np.array([-DOWN, -1, 1 - DOWN, 2, 2 + DOWN, 1 + 2 * DOWN, 2 * DOWN, DOWN - 1], dtype=np.int64)

# The pieces of each kind on a card, in one number with ten bits per kind.
_PACKED = np.array([sum(int(PIECES[c, kind]) << 10 * kind for kind in range(3)) for c in range(CARDS)], dtype=np.int64)

# The number of inner edges of a card between two kinds.
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

# The neighbourhood of a place: the groups beside each piece and kind (masks of local groups), the edges of a piece to
# each local neutral group (four bits each) and to the kinds of sides 0 and 1 (eight bits each); then the local groups.
_TOUCHED = 12
_SIDES = _TOUCHED + 4
_LOCAL = _SIDES + 4
_SIZES = _LOCAL + 8  # packed like the pieces of a card
_ALL_NEUTRAL = _SIZES + 8
_COUNT = _ALL_NEUTRAL + 1
AROUND = _COUNT + 1


@outlined
def find_neighbours(row: Any, summary: Any, at: int, around: Any) -> None:
    """Write the groups beside a place."""
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
        group = group_at(summary, there)
        local = 0
        while local < count and int(around[_LOCAL + local]) != group:
            local += 1
        if local == count:
            around[_LOCAL + count] = group
            around[_SIZES + count] = size_of(summary, group) << 10 * kind
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
def _neutral_with(row: Any, summary: Any, around: Any, laid: int, joined: int, neutral: int) -> int:
    """SC-44: with a card at the place, the neutral points of side 0, from bit 12 those of side 1, and from bit 24 the
    edges that side 0 gains (plus 32)."""
    first, second = int(row["kinds"][0]), int(row["kinds"][1])
    ours, theirs = int(summary[NEUTRAL]), int(summary[NEUTRAL + 1])
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
    contacts = edges_ours - edges_theirs + _NO_CONTACTS
    rest = int(around[_ALL_NEUTRAL])
    while rest != 0:
        local = lowest(rest)
        rest &= rest - 1
        group = int(around[_LOCAL + local])
        has, a, b = size_of(summary, group), edges_to(summary, group, first), edges_to(summary, group, second)
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
def points_with(row: Any, summary: Any, around: Any, laid: int, side: int) -> int:
    """The packed result of a card placed here (see above), for a side."""
    joined = 0
    for piece in range(4):
        joined |= int(around[3 * piece + int(PIECE[laid, piece])])
    total = int(_PACKED[laid >> 2])
    rest = joined
    while rest != 0:
        total += int(around[_SIZES + lowest(rest)])
        rest &= rest - 1
    dark = max(int(summary[LARGEST]), total & 1023)
    milk = max(int(summary[LARGEST + 1]), total >> 10 & 1023)
    white = max(int(summary[LARGEST + 2]), total >> 20)
    largest = dark | milk << 10 | white << 20
    own = largest >> 10 * int(row["kinds"][side]) & 1023
    base = (total >> 10 * int(row["kinds"][side]) & 1023) << GROWN | _NO_CONTACTS << CONTACTS
    if int(row["seats"]) == 3:
        other = 0
        for step in range(1, 3):
            kind = int(row["kinds"][(side + step) % 3])
            if kind >= 0:
                other = max(other, largest >> 10 * kind & 1023)
        return base | own << OWN | other
    if int(row["kinds"][1 - side]) < 0:
        return base | own << OWN
    other = largest >> 10 * int(row["kinds"][1 - side]) & 1023
    neutral = neutral_kind(row)
    points = _neutral_with(row, summary, around, laid, joined, neutral)
    ours, theirs = points & POINTS, points >> OWN & POINTS
    won = (points >> CONTACTS) - _NO_CONTACTS
    if side == 0:
        return base + (won << CONTACTS) | (own + ours) << OWN | (other + theirs)
    return base - (won << CONTACTS) | (own + theirs) << OWN | (other + ours)


@inlined
def _rate_place(
    row: Any, summary: Any, entry: int, level: int, held: int, side: int, out: Any, rated: Any, n: int
) -> int:
    """List and rate all cards of a hand, in every rotation that fits, at one open place; return the new length."""
    around = stack_array(AROUND)
    place = entry >> 12
    find_neighbours(row, summary, index_of(place), around)
    fits = int(FITS[0, entry & 63]) | int(FITS[1, entry >> 6 & 63])
    while held != 0:
        card = lowest(held)  # 4 * card, as `nibbles_in` has it
        held &= held - 1
        for turns in range(4):
            if fits >> (card + turns) & 1:
                out[n] = LAY + level + (place << 6) + card + turns
                rated[n] = points_with(row, summary, around, card + turns, side)
                n += 1
    return n


@jit
def rate_placements(rows: Any, i: int, out: Any, rated: Any, begin: int) -> int:
    """SC-20, SC-31: write every placement of the seat to act and its packed result, from index `begin` on; return the
    end of the list. The first level comes first; the order is that of `legal`."""
    row = rows[i].view(ROW)[0]
    summary = stack_array(SUMMARY)
    seat = int(row["seat"])
    held, side = nibbles_in(int(row["hands"][seat])), side_of(row, seat)
    summarise(row, summary)
    n = begin
    tops = int(row["open_tops"]) if int(row["tokens"][seat]) > 0 else 0
    spots = int(row["open_spots"])
    for k in range(spots + tops):
        if k < spots:
            entry, level = int(row["spots"][k]), 0
        else:
            entry, level = int(row["tops"][k - spots]), UP
            summarise_without(row, summary, index_of(entry >> 12))
        n = _rate_place(row, summary, entry, level, held, side, out, rated, n)
    return n


SIGNATURES = {rate_placements: "rows int list floats int"}
