"""The greedy bot for Azul: looking one ply ahead, the move that leaves its own board in the best state."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit, lowest
from tilery.core.kernel.generator import below
from tilery.games.azul.kernel.boards import PENALTY, bonus, clear_line, floor_count, free_columns, put_on_wall
from tilery.games.azul.kernel.entries import copy_row, legal
from tilery.games.azul.kernel.layout import (
    CHOOSE,
    FLOOR_SPACES,
    LINES,
    ROW,
    SOURCES,
    SPREAD,
)
from tilery.games.azul.kernel.offer import spreader_of, take
from tilery.games.azul.kernel.tiling import choose

NAME = "the greedy bot for Azul"

# The value of a begun pattern line in points, if all of its spaces were filled.
_STARTED = 0.9


@inlined
def _best_column(row: Any, seat: int, line: int, colour: int) -> int:
    """The free column of the grey wall with the most neighbours; -1 if there is none."""
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
def gain_after_tiling(row: Any, seat: int) -> float:
    """The gain of the seat if its full lines are tiled now, with bonuses, floor and begun lines. Changes the row."""
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
    """Apply only the part of an action that changes the acting seat's board."""
    if action < SPREAD:
        take(row, action // 6 % SOURCES, action // 60, action % 6, 0)
    elif action < CHOOSE:
        how = action - SPREAD
        take(row, spreader_of(row), how // 192, how // 32 % 6, how % 32)
    else:
        choose(row, (action - CHOOSE) // 5, (action - CHOOSE) % 5)


@jit
def greedy(rows: Any, i: int, rng: Any, out: Any, scratch: Any) -> int:
    """The action with the highest one-ply value; among equal ones a random one. `scratch` holds one row."""
    seat = int(rows[i].view(ROW)[0]["seat"])
    count = legal(rows, i, out)
    best, equals = -1e9, 0
    action = -1
    for k in range(count):
        copy_row(scratch, 0, rows, i)
        row = scratch[0].view(ROW)[0]
        before = int(row["score"][seat])
        try_move(row, int(out[k]))
        value = int(row["score"][seat]) - before + gain_after_tiling(row, seat)
        if value > best + 1e-9:
            best, equals = value, 1
            action = int(out[k])
        elif value > best - 1e-9:
            equals += 1
            if below(rng, i, equals) == 0:
                action = int(out[k])
    return action


SIGNATURES = {greedy: "rows int ints list rows"}
