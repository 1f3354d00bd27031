"""Azul by one ply: the move that leaves the own board best, and whole games among such players."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit, lowest
from tilery.core.kernel.generator import below
from tilery.engine.kernel.codes import GREEDY
from tilery.games.azul.kernel.boards import PENALTY, bonus, clear_line, floor_count, free_columns, put_on_wall
from tilery.games.azul.kernel.entries import apply, copy_row, draw, legal
from tilery.games.azul.kernel.layout import (
    CHOOSE,
    ENDED,
    FLOOR_SPACES,
    LINES,
    OFFER,
    ROW,
    SOURCES,
    SPREAD,
)
from tilery.games.azul.kernel.offer import spreader_of, take
from tilery.games.azul.kernel.tiling import choose

NAME = "the greedy bot for Azul"

# What a line that is not full yet is worth, as a share of a point for each of its spaces that is filled.
_STARTED = 0.9


@inlined
def _best_column(row: Any, seat: int, line: int, colour: int) -> int:
    """The free column of the grey wall whose neighbours are most; -1 where there is none."""
    columns = free_columns(row, seat, line, colour)
    best, most = -1, -1
    while columns != 0:
        column = lowest(columns)
        columns &= columns - 1
        cells = int(row["wall"][seat])
        near = 0
        if column > 0:
            near += cells >> (5 * line + column - 1) & 1
        if column < 4:
            near += cells >> (5 * line + column + 1) & 1
        if line > 0:
            near += cells >> (5 * line + column - 5) & 1
        if line < 4:
            near += cells >> (5 * line + column + 5) & 1
        if near > most:
            best, most = column, near
    return best


@inlined
def worth(row: Any, seat: int) -> float:
    """Points of the seat if its full lines were tiled now, with bonuses, floor and lines begun. Uses up the row."""
    before = int(row["score"][seat])
    fallen = floor_count(int(row["floor"][seat]))
    begun = 0.0
    for line in range(LINES):
        held = int(row["lines"][seat, line])
        colour = held & 7
        if held >> 3 != line + 1:
            begun += _STARTED * (held >> 3) / (line + 1)
            continue
        column = (colour + line) % 5
        if int(row["grey"]) == 1:
            column = _best_column(row, seat, line, colour)
        if column < 0:
            clear_line(row, seat, line)
            fallen = min(FLOOR_SPACES, fallen + line + 1)
        else:
            put_on_wall(row, seat, line, column, colour)
    gained = int(row["score"][seat]) - before
    return gained + begun + bonus(row, seat) - float(PENALTY[fallen])


@inlined
def try_move(row: Any, action: int) -> None:
    """The part of an action that concerns the own board, without what follows from it."""
    if action < SPREAD:
        take(row, action // 6 % SOURCES, action // 60, action % 6, 0)
    elif action < CHOOSE:
        how = action - SPREAD
        take(row, spreader_of(row), how // 192, how // 32 % 6, how % 32)
    else:
        choose(row, (action - CHOOSE) // 5, (action - CHOOSE) % 5)


@jit
def greedy(rows: Any, i: int, rng: Any, out: Any, scratch: Any) -> int:
    """The action that is worth most by one ply; among equals a random one. `scratch` is room for one row."""
    seat = int(rows[i].view(ROW)[0]["seat"])
    count = legal(rows, i, out)
    best, equals = -1e9, 0
    action = -1
    for k in range(count):
        copy_row(scratch, 0, rows, i)
        row = scratch[0].view(ROW)[0]
        before = int(row["score"][seat])
        try_move(row, int(out[k]))
        value = int(row["score"][seat]) - before + worth(row, seat)
        if value > best + 1e-9:
            best, equals = value, 1
            action = int(out[k])
        elif value > best - 1e-9:
            equals += 1
            if below(rng, i, equals) == 0:
                action = int(out[k])
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
        while int(row["phase"]) != ENDED and played < most:
            if int(row["phase"]) < OFFER:
                action = draw(rows, i, rng)
            else:
                played += 1
                if players[int(row["seat"])] == GREEDY:
                    action = greedy(rows, i, rng, out, scratch)
                else:
                    action = int(out[below(rng, i, legal(rows, i, out))])
            apply(rows, i, action)
            plies += 1
            if plies < log.shape[1]:
                log[i, plies] = action
        log[i, 0] = plies
        moves += played
    return moves


SIGNATURES = {greedy: "rows int ints list rows", play_games: "rows int int ints ints int table list rows"}
