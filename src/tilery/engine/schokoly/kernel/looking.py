"""All moves and what they are worth by one ply, for players who see more or less of it.

`OWN_POINTS`: the own points alone. `MARGIN`: less those of the best other side, as greedy sees it. `TOKENS`: also what
a token is worth while there are more turns to come. `SAFETY`: also what the worst cut would cost, contacts with neutral
pieces, and what a swap brings.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit, room_for
from tilery.games.schokoly.kernel.cards import MOST_CARDS, PIECES
from tilery.games.schokoly.kernel.entries import actor_of, apply, copy_row, legal
from tilery.games.schokoly.kernel.layout import (
    ANSWER,
    DECLINE,
    KIND,
    LAY,
    OFFER,
    PASS,
    PLACE,
    REPLY,
    ROW,
    SECURE,
)

from .policy import is_scarce, others_have_tokens, pieces_in_hand, weigh_cuts
from .rating import OWN, POINTS, contacts_of, is_second, margin_of, rate
from .survey import points_now, side_of

OWN_POINTS, MARGIN, TOKENS, SAFETY = range(4)

_TOKEN, _TOKEN_OF_THREE = 8.0, 3.0  # points that a token is worth: with three players there is less to win by it
_CUT = 0.2  # how likely the worst cut is thought to be
_CONTACT = 0.5  # points for an edge to a neutral piece
_SWAP = 0.3  # points for each piece of the own kind more


@inlined
def _worst_cut(row: Any, side: int) -> float:
    """The points that the worst cut would cost, if anybody can make it."""
    if not others_have_tokens(row, side):
        return 0.0
    return _CUT * weigh_cuts(row, side, room_for(MOST_CARDS))


@inlined
def _price(row: Any, seat: int) -> float:
    """The points that a token of a seat is worth."""
    if not is_scarce(row, seat):
        return 0.0
    return _TOKEN_OF_THREE if int(row["seats"]) == 3 else _TOKEN


@inlined
def _in_swap(row: Any, seat: int, action: int, what: int) -> float:
    """SC-50 to SC-52: pieces of the own kind that a step of a swap wins or gives away; the weak leave it alone."""
    if action == DECLINE:
        return 0.0
    if what < SAFETY:
        return -1.0
    own = int(row["kinds"][seat])
    if action >= OFFER:
        return _SWAP * (1 - int(PIECES[(action - OFFER) % 16, own]))
    if action >= REPLY:
        return _SWAP * (int(row["offered_number"]) - int(PIECES[action - REPLY, own]) - 0.5)
    return _SWAP * (int(row["answered_number"]) - int(PIECES[int(row["offered"]), own]) - 0.5)


@inlined
def _weigh_offers(row: Any, what: int, out: Any, values: Any, lays: int, count: int, now: float) -> None:
    """SC-41, SC-50: a pass leaves all as it is; an offer puts off the placement, no more."""
    best = now
    for k in range(lays, count):
        best = max(best, float(values[k])) if k > lays else float(values[k])
    for k in range(lays):
        action = int(out[k])
        values[k] = now if action == PASS else best + _in_swap(row, int(row["seat"]), action, what)


@jit
def look(rows: Any, i: int, what: int, out: Any, values: Any, scratch: Any) -> int:
    """Write all legal actions of the seat that acts and what each is worth to it; returns their number."""
    row, after = rows[i].view(ROW)[0], scratch[0].view(ROW)[0]
    phase, seat = int(row["phase"]), int(row["seat"])
    side = side_of(row, seat)
    count = legal(rows, i, out)
    lays = 0
    while lays < count and int(out[lays]) < LAY:
        lays += 1
    if phase == PLACE:  # placements are listed last, in the order in which they are rated
        rate(rows, i, out, values, lays)
    now = _worst_cut(row, side) if phase == SECURE and what >= SAFETY else 0.0
    price = _price(row, seat) if what >= TOKENS or phase == SECURE else 0.0
    for k in range(count):
        action = int(out[k])
        if action >= LAY:  # a placement, or a token
            found = float(values[k]) if phase == PLACE else 0.0
            values[k] = int(found) >> OWN & POINTS if what == OWN_POINTS else margin_of(found)
            if phase == SECURE or is_second(action):
                values[k] = float(values[k]) - price
            if what >= SAFETY and phase == PLACE:
                values[k] = float(values[k]) + _CONTACT * contacts_of(found)
            if what >= SAFETY and (phase == PLACE or now > price):
                copy_row(scratch, 0, rows, i)
                apply(scratch, 0, action)
                values[k] = float(values[k]) + now - _worst_cut(after, side)
            elif phase == SECURE:
                values[k] = float(values[k]) - 1.0  # of no use
        elif phase == KIND:
            values[k] = pieces_in_hand(row, seat, action)
        elif phase >= ANSWER:
            values[k] = _in_swap(row, actor_of(row), action, what)
        else:
            values[k] = 0.0  # no token
    if phase == PLACE:
        points = points_now(row, side)
        standing = float(points >> OWN if what == OWN_POINTS else margin_of(points))
        _weigh_offers(row, what, out, values, lays, count, standing)
    return count


SIGNATURES = {look: "rows int int list floats rows"}
