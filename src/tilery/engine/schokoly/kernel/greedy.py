"""The greedy bot for Schokoly: looking one ply ahead, the move with the largest lead over the best other side.

It uses the table and its own hand, nothing else. It neither offers nor accepts swaps.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit, stack_array
from tilery.core.kernel.generator import below
from tilery.games.schokoly.kernel.actions import is_second_level, laid_of, place_of
from tilery.games.schokoly.kernel.cards import CARDS, PIECES
from tilery.games.schokoly.kernel.entries import copy_row, legal
from tilery.games.schokoly.kernel.groups import GROUPS_LENGTH, find_groups, write_scores
from tilery.games.schokoly.kernel.layout import (
    DECLINE,
    KIND,
    LAY,
    NO_TOKEN,
    PASS,
    ROW,
    SECURE,
)
from tilery.games.schokoly.kernel.piles import count_of
from tilery.games.schokoly.kernel.plane import put_pieces

NAME = "the greedy bot for Schokoly"


@inlined
def _lead(row: Any, seat: int) -> int:
    """The present points of a seat's side less those of the best other side."""
    groups, points = stack_array(GROUPS_LENGTH), stack_array(4)
    write_scores(row, groups, find_groups(row, groups), points)
    own, best = int(points[seat]), 0
    for other in range(int(row["seats"])):
        is_partner = int(row["seats"]) == 4 and (other - seat) % 2 == 0
        if other != seat and not is_partner:
            best = max(best, int(points[other]))
    return own - best


@inlined
def _in_hand(row: Any, seat: int, kind: int) -> int:
    """The number of pieces of a kind in the hand of a seat."""
    pieces = 0
    for card in range(CARDS):
        pieces += count_of(int(row["hands"][seat]), card) * int(PIECES[card, kind])
    return pieces


@jit
def greedy(rows: Any, i: int, rng: Any, out: Any, scratch: Any) -> int:
    """The action with the highest one-ply value; among equal ones a random one. `scratch` holds one row."""
    row = rows[i].view(ROW)[0]
    phase, seat = int(row["phase"]), int(row["seat"])
    if phase == SECURE:
        return NO_TOKEN  # a token does not change the present score
    if phase > SECURE:
        return DECLINE
    count = legal(rows, i, out)
    best, equals = -1000, 0
    action = -1
    for k in range(count):
        move = int(out[k])
        if phase == KIND:
            value = _in_hand(row, seat, move)
        elif move == PASS:
            value = -999
        elif move < LAY:
            continue
        else:
            copy_row(scratch, 0, rows, i)
            after = scratch[0].view(ROW)[0]
            put_pieces(after, place_of(move), laid_of(move), is_second_level(move))
            value = _lead(after, seat)
        if value > best:
            best, equals = value, 1
            action = move
        elif value == best:
            equals += 1
            if below(rng, i, equals) == 0:
                action = move
    return action


SIGNATURES = {greedy: "rows int ints list rows"}
