"""One-ply values of all moves, for the lower levels of Schokoly.

The scope of a value, what it takes into account: `OWN_POINTS`: only the points of the seat's own side. `MARGIN`: less
those of the best other side, like greedy. `TOKENS`: also the value of a token while there are turns left. `SAFETY`:
also the cost of the worst cut, contacts with neutral pieces, and the gain of a swap.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit, stack_array
from tilery.games.schokoly.kernel.actions import is_second_level
from tilery.games.schokoly.kernel.cards import MAX_CARDS, PIECES
from tilery.games.schokoly.kernel.entries import actor_of, apply, copy_row, legal
from tilery.games.schokoly.kernel.layout import (
    ANSWER,
    ANSWER_WITH,
    DECLINE,
    KIND,
    LAY,
    OFFER,
    PASS,
    PLACE,
    ROW,
    SECURE,
)

from .placements import OWN, POINTS, contacts_of, margin_of, rate_placements
from .points import points_now, side_of
from .rollout import cost_of_cuts, is_scarce, others_have_tokens, pieces_in_hand

OWN_POINTS, MARGIN, TOKENS, SAFETY = range(4)

_TOKEN, _TOKEN_OF_THREE = 8.0, 3.0  # points: with three players a token wins less
_CUT = 0.2  # the assumed probability of the worst cut
_CONTACT = 0.5  # points for an edge to a neutral piece
_SWAP = 0.3  # points for each additional piece of the seat's own kind


@inlined
def _worst_cut(row: Any, side: int) -> float:
    """The expected cost of the worst cut in points; 0 if no other side can make it."""
    if not others_have_tokens(row, side):
        return 0.0
    return _CUT * cost_of_cuts(row, side, stack_array(MAX_CARDS))


@inlined
def _price(row: Any, seat: int) -> float:
    """The value of a token of a seat in points."""
    if not is_scarce(row, seat):
        return 0.0
    return _TOKEN_OF_THREE if int(row["seats"]) == 3 else _TOKEN


@inlined
def _swap_value(row: Any, seat: int, action: int, scope: int) -> float:
    """SC-50 to SC-52: the value of the pieces that a step of a swap gains or loses; weak levels never swap."""
    if action == DECLINE:
        return 0.0
    if scope < SAFETY:
        return -1.0
    own = int(row["kinds"][seat])
    if action >= OFFER:
        return _SWAP * (1 - int(PIECES[(action - OFFER) % 16, own]))
    if action >= ANSWER_WITH:
        return _SWAP * (int(row["offered_number"]) - int(PIECES[action - ANSWER_WITH, own]) - 0.5)
    return _SWAP * (int(row["answered_number"]) - int(PIECES[int(row["offered"]), own]) - 0.5)


@inlined
def _value_offers(row: Any, scope: int, out: Any, values: Any, lays: int, count: int, now: float) -> None:
    """SC-41, SC-50: write the values of passes, which change nothing, and of offers, which only delay the placement."""
    best = now
    for k in range(lays, count):
        best = max(best, float(values[k])) if k > lays else float(values[k])
    for k in range(lays):
        action = int(out[k])
        values[k] = now if action == PASS else best + _swap_value(row, int(row["seat"]), action, scope)


@jit
def one_ply_values(rows: Any, i: int, scope: int, out: Any, values: Any, scratch: Any) -> int:
    """Write all legal actions of the seat that acts and the one-ply value of each; return their number."""
    row, after = rows[i].view(ROW)[0], scratch[0].view(ROW)[0]
    phase, seat = int(row["phase"]), int(row["seat"])
    side = side_of(row, seat)
    count = legal(rows, i, out)
    lays = 0
    while lays < count and int(out[lays]) < LAY:
        lays += 1
    if phase == PLACE:  # placements come last, in the order of `rate_placements`
        rate_placements(rows, i, out, values, lays)
    now = _worst_cut(row, side) if phase == SECURE and scope >= SAFETY else 0.0
    price = _price(row, seat) if scope >= TOKENS or phase == SECURE else 0.0
    for k in range(count):
        action = int(out[k])
        if action >= LAY:  # a placement, or a token
            packed = float(values[k]) if phase == PLACE else 0.0
            values[k] = int(packed) >> OWN & POINTS if scope == OWN_POINTS else margin_of(packed)
            if phase == SECURE or is_second_level(action):
                values[k] = float(values[k]) - price
            if scope >= SAFETY and phase == PLACE:
                values[k] = float(values[k]) + _CONTACT * contacts_of(packed)
            if scope >= SAFETY and (phase == PLACE or now > price):
                copy_row(scratch, 0, rows, i)
                apply(scratch, 0, action)
                values[k] = float(values[k]) + now - _worst_cut(after, side)
            elif phase == SECURE:
                values[k] = float(values[k]) - 1.0  # useless
        elif phase == KIND:
            values[k] = pieces_in_hand(row, seat, action)
        elif phase >= ANSWER:
            values[k] = _swap_value(row, actor_of(row), action, scope)
        else:
            values[k] = 0.0  # no token
    if phase == PLACE:
        points = points_now(row, side)
        present = float(points >> OWN if scope == OWN_POINTS else margin_of(points))
        _value_offers(row, scope, out, values, lays, count, present)
    return count


SIGNATURES = {one_ply_values: "rows int int list floats rows"}
