"""Azul by one ply for the lower levels: what each move is worth with so much in view."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import jit, room_for
from tilery.engine.azul.kernel.evaluation import BOARD, ROOM, SCORE, expect, tile
from tilery.engine.azul.kernel.greedy import try_move, worth
from tilery.games.azul.kernel.boards import PENALTY, floor_count
from tilery.games.azul.kernel.entries import copy_row, legal
from tilery.games.azul.kernel.layout import ROW

# What is in view: the points at the next tiling; the floor line as well; bonuses and begun lines as well (as greedy
# has it); all that the evaluation knows of the own board; and of the others' too.
POINTS, FLOOR_TOO, BONUSES_TOO, PLANS, OTHERS = range(5)


@jit
def look(rows: Any, i: int, what: int, out: Any, values: Any, scratch: Any, model: Any, points: Any) -> int:
    """Write all legal actions and what each is worth by one ply, in points; returns their number."""
    seat = int(rows[i].view(ROW)[0]["seat"])
    count = legal(rows, i, out)
    boards = room_for(ROOM)
    for k in range(count):
        copy_row(scratch, 0, rows, i)
        row = scratch[0].view(ROW)[0]
        before = int(row["score"][seat])
        try_move(row, int(out[k]))
        if what <= FLOOR_TOO:
            if what == POINTS:
                row["floor"][seat] = 0
            tile(row, seat, boards)
            values[k] = int(boards[BOARD * seat + SCORE]) - before
            if what == FLOOR_TOO and int(boards[BOARD * seat + SCORE]) == 0:
                values[k] -= int(PENALTY[floor_count(int(row["floor"][seat]))])  # there is no going below 0
        elif what == BONUSES_TOO:
            values[k] = int(row["score"][seat]) - before + worth(row, seat)
        else:
            expect(row, model, points)
            values[k] = points[seat]
            if what == OTHERS:
                best = -1e9
                for other in range(int(row["seats"])):
                    if other != seat:
                        best = max(best, float(points[other]))
                values[k] -= best
    return count


SIGNATURES = {look: "rows int int list floats rows floats floats"}
