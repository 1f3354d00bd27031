"""One-ply values of all moves, for the lower levels of Azul."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import jit, stack_array
from tilery.engine.azul.kernel.evaluation import BOARD, BOARDS, SCORE, tile, write_expected_points
from tilery.engine.azul.kernel.greedy import gain_after_tiling, try_move
from tilery.games.azul.kernel.boards import PENALTY, floor_count
from tilery.games.azul.kernel.entries import copy_row, legal
from tilery.games.azul.kernel.layout import ROW

# The scope of a value, what it takes into account: the points of the next tiling; the floor line as well; bonuses and
# begun lines as well (like greedy); the evaluation of the seat's own board; that of the other boards as well.
POINTS, WITH_FLOOR, WITH_BONUSES, PLANS, OTHERS = range(5)


@jit
def one_ply_values(rows: Any, i: int, scope: int, out: Any, values: Any, scratch: Any, model: Any, points: Any) -> int:
    """Write all legal actions and the one-ply value of each in points; return their number."""
    seat = int(rows[i].view(ROW)[0]["seat"])
    count = legal(rows, i, out)
    boards = stack_array(BOARDS)
    for k in range(count):
        copy_row(scratch, 0, rows, i)
        row = scratch[0].view(ROW)[0]
        before = int(row["score"][seat])
        try_move(row, int(out[k]))
        if scope <= WITH_FLOOR:
            if scope == POINTS:
                row["floor"][seat] = 0
            tile(row, seat, boards)
            values[k] = int(boards[BOARD * seat + SCORE]) - before
            if scope == WITH_FLOOR and int(boards[BOARD * seat + SCORE]) == 0:
                values[k] -= int(PENALTY[floor_count(int(row["floor"][seat]))])  # a score never falls below 0
        elif scope == WITH_BONUSES:
            values[k] = int(row["score"][seat]) - before + gain_after_tiling(row, seat)
        else:
            write_expected_points(row, model, points)
            values[k] = points[seat]
            if scope == OTHERS:
                best = -1e9
                for other in range(int(row["seats"])):
                    if other != seat:
                        best = max(best, float(points[other]))
                values[k] -= best
    return count


SIGNATURES = {one_ply_values: "rows int int list floats rows floats floats"}
