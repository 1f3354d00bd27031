"""Schokoly by one ply: the move after which the own points less the best opponent's are most, and whole games of it.

Greedy looks at the table and at its own hand, at nothing else. Swaps it neither offers nor takes.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit, room_for
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.kernel.generator import below
from tilery.engine.kernel.codes import GREEDY
from tilery.games.schokoly.kernel.actions import is_up, laid_of, place_of
from tilery.games.schokoly.kernel.cards import CARDS, PIECES
from tilery.games.schokoly.kernel.entries import actor_of, apply, copy_row, draw, legal
from tilery.games.schokoly.kernel.groups import ROOM, find_groups, write_scores
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
def _worth(row: Any, seat: int) -> int:
    """The points of a seat's side less those of the best other side, as the table lies."""
    room, points = room_for(ROOM), room_for(4)
    write_scores(row, room, find_groups(row, room), points)
    own, best = int(points[seat]), 0
    for other in range(int(row["seats"])):
        is_partner = int(row["seats"]) == 4 and (other - seat) % 2 == 0
        if other != seat and not is_partner:
            best = max(best, int(points[other]))
    return own - best


@inlined
def _in_hand(row: Any, seat: int, kind: int) -> int:
    """How many pieces of a kind the seat holds."""
    pieces = 0
    for card in range(CARDS):
        pieces += count_of(int(row["hands"][seat]), card) * int(PIECES[card, kind])
    return pieces


@jit
def greedy(rows: Any, i: int, rng: Any, out: Any, scratch: Any) -> int:
    """The action that is worth most by one ply; among equals a random one. `scratch` is room for one row."""
    row = rows[i].view(ROW)[0]
    phase, seat = int(row["phase"]), int(row["seat"])
    if phase == SECURE:
        return NO_TOKEN  # no token changes a score at once
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
            put_pieces(after, place_of(move), laid_of(move), is_up(move))
            value = _worth(after, seat)
        if value > best:
            best, equals = value, 1
            action = move
        elif value == best:
            equals += 1
            if below(rng, i, equals) == 0:
                action = move
    return action


@jit
def play_games(
    rows: Any, first: int, last: int, rng: Any, players: Any, most: int, log: Any, out: Any, scratch: Any
) -> int:
    """Play rows first to last - 1 to the end, at most so many moves each; returns all moves.

    `players[seat]` is RANDOM or GREEDY. `log` is int64[n, plies]: actions are noted there as far as it goes,
    chance included, after their number in column 0; with one column only the number is.
    """
    moves = 0
    for i in range(first, last):
        row = rows[i].view(ROW)[0]
        played = plies = 0
        who = actor_of(row)
        while who != OVER and played < most:
            if who == CHANCE:
                action = draw(rows, i, rng)
            else:
                played += 1
                if players[who] == GREEDY:
                    action = greedy(rows, i, rng, out, scratch)
                else:
                    action = int(out[below(rng, i, legal(rows, i, out))])
            apply(rows, i, action)
            plies += 1
            if plies < log.shape[1]:
                log[i, plies] = action
            who = actor_of(row)
        log[i, 0] = plies
        moves += played
    return moves


SIGNATURES = {greedy: "rows int ints list rows", play_games: "rows int int ints ints int table list rows"}
