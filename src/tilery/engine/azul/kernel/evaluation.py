"""The evaluation of Azul: the final points that each seat may expect, and the win probabilities that follow.

It is meant for the end of a round, after tiling and before the next deal: searches leave chance out, because the tables
contain its expectation. In the middle of a round, full pattern lines count as tiled.
"""

from __future__ import annotations

import math
from typing import Any

from tilery.core.jit import count_ones, inlined, jit, lowest, outlined, stack_array
from tilery.engine.azul.kernel.model import (
    BEGUN,
    BLOCK,
    COLOURS,
    COLUMNS,
    FIRST_BLOCK,
    KIND,
    MARKER,
    POINTS,
    POINTS_SPREAD,
    ROWS,
    SHARE,
    SPREAD,
    STAGES,
    WORTH,
)
from tilery.games.azul.kernel.boards import PENALTY, RUN, floor_count, full_rows
from tilery.games.azul.kernel.layout import (
    BY_ROUNDS,
    COLOUR_BONUS,
    COLUMN_BONUS,
    ENDED,
    LINES,
    NOBODY,
    OFFER,
    ROW,
    ROW_BONUS,
    SEATS,
)
from tilery.games.azul.kernel.piles import count_of, size
from tilery.games.azul.kernel.rounds import share_win

# What is computed for each seat before it is evaluated.
WALL, TURNED, SHOWN, SCORE, BOARD = range(5)
BOARDS = BOARD * SEATS
# `shown` has eight bits per colour; here it has five, so that it fits.

WIN_WEIGHT, POINT_WEIGHT = 9000, 10  # in a utility: a certain win, a point of margin
MAX_MARGIN = 100
SPREAD_AT_END = 6.0  # in the last round, when a row is already complete


@inlined
def _points(wall: int, turned: int, line: int, column: int) -> int:
    """AZ-21: the points of the tile in this cell."""
    across = int(RUN[(wall >> 5 * line) & 31, column])
    down = int(RUN[(turned >> 5 * column) & 31, line])
    return max(1, (across if across > 1 else 0) + (down if down > 1 else 0))


@outlined
def _best_column(row: Any, seat: int, wall: int, turned: int, line: int, colour: int) -> int:
    """The free column of the grey wall that scores most; -1 if there is none."""
    shown = int(row["wall_of"][seat, colour])
    taken = (shown | shown >> 5 | shown >> 10 | shown >> 15 | shown >> 20) | wall >> 5 * line
    columns = ~taken & 31
    best, most = -1, 0
    while columns != 0:
        column = lowest(columns)
        columns &= columns - 1
        scored = _points(wall | 1 << (5 * line + column), turned | 1 << (5 * column + line), line, column)
        if scored > most:
            best, most = column, scored
    return best


@inlined
def tile(row: Any, seat: int, boards: Any) -> None:
    """Write the wall and score of a seat as if its full lines were tiled and its floor line cleared."""
    wall, turned, score = int(row["wall"][seat]), int(row["wall_columns"][seat]), int(row["score"][seat])
    shown, wide = 0, int(row["shown"][seat])
    for colour in range(5):
        shown |= (wide >> 8 * colour & 31) << 5 * colour
    fallen = floor_count(int(row["floor"][seat]))
    for line in range(LINES):
        held = int(row["lines"][seat, line])
        if held >> 3 != line + 1:
            continue
        colour = held & 7
        column = (colour + line) % 5
        if int(row["grey"]) == 1:
            column = _best_column(row, seat, wall, turned, line, colour)
        if column < 0:
            fallen = min(7, fallen + line + 1)
            continue
        wall |= 1 << (5 * line + column)
        turned |= 1 << (5 * column + line)
        shown |= 1 << (5 * colour + line)
        score += _points(wall, turned, line, column)
    at = BOARD * seat
    boards[at + WALL] = wall
    boards[at + TURNED] = turned
    boards[at + SHOWN] = shown
    boards[at + SCORE] = max(0, score - int(PENALTY[fallen]))


@inlined
def _bonus(wall: int, turned: int, shown: int) -> int:
    """AZ-40: 2 for each complete row, 7 for each column, 10 for each colour."""
    return ROW_BONUS * full_rows(wall) + COLUMN_BONUS * full_rows(turned) + COLOUR_BONUS * full_rows(shown)


@inlined
def _nearly_full(wall: int) -> bool:
    """Whether a row lacks just one tile."""
    for line in range(LINES):
        if count_ones((wall >> 5 * line) & 31) == 4:
            return True
    return False


@inlined
def _begun(row: Any, seat: int, wall: int, turned: int, model: Any, block: int) -> float:
    """The value of the pattern lines that have been begun."""
    total = 0.0
    bag = int(row["bag"])
    left = size(bag)
    if left < 20:
        bag += int(row["lid"])
        left = size(bag)
    for line in range(1, LINES):
        held = int(row["lines"][seat, line])
        number, colour = held >> 3, held & 7
        if number == 0 or number == line + 1:
            continue
        column = (colour + line) % 5
        if int(row["grey"]) == 1:
            column = max(0, _best_column(row, seat, wall, turned, line, colour))
        points = _points(wall | 1 << (5 * line + column), turned | 1 << (5 * column + line), line, column)
        beyond = 5.0 * count_of(bag, colour) / max(1, left) - 1.0
        total += (
            model[block + BEGUN + 5 * line + number]
            + model[block + WORTH + 5 * line + number] * points
            + model[block + SHARE + line + 1 - number] * beyond
        )
    return total


@inlined
def _future(row: Any, seat: int, boards: Any, model: Any, block: int) -> float:
    """The points that a seat may still expect."""
    at = BOARD * seat
    wall, turned, shown = int(boards[at + WALL]), int(boards[at + TURNED]), int(boards[at + SHOWN])
    total = _begun(row, seat, wall, turned, model, block)
    for k in range(5):
        total += (
            model[block + ROWS + 32 * k + (wall >> 5 * k & 31)]
            + model[block + COLUMNS + (turned >> 5 * k & 31)]
            + model[block + COLOURS + (shown >> 5 * k & 31)]
        )
    return total


@inlined
def write_expected_points(row: Any, model: Any, points: Any) -> float:
    """Write the expected final points of each seat; return the spread of their difference, 0 if the game is over."""
    seats = int(row["seats"])
    if int(row["phase"]) == ENDED:
        for seat in range(seats):
            points[seat] = float(row["score"][seat])
        return 0.0
    boards = stack_array(BOARDS)
    nearly, over = 0, 0
    for seat in range(seats):
        tile(row, seat, boards)
        wall = int(boards[BOARD * seat + WALL])
        nearly |= int(_nearly_full(wall))
        over |= int(full_rows(wall) > 0)
    played = int(row["round"])
    first = int(row["marker"])
    if int(row["phase"]) < OFFER:
        played -= 1
        first = int(row["starter"])
    stage = min(max(played, 1), STAGES) - 1
    block = FIRST_BLOCK + BLOCK * (2 * stage + nearly)
    for seat in range(seats):
        at = BOARD * seat
        if over or model[KIND] == POINTS:
            gained = _bonus(int(boards[at + WALL]), int(boards[at + TURNED]), int(boards[at + SHOWN]))
            points[seat] = float(int(boards[at + SCORE]) + gained)
        else:
            points[seat] = int(boards[at + SCORE]) + _future(row, seat, boards, model, block)
            if seat == first:
                points[seat] += model[block + MARKER]
    if model[KIND] == POINTS:
        return float(model[POINTS_SPREAD])
    # A complete row ends the game only after the round: something may still happen.
    return SPREAD_AT_END if over else float(model[block + SPREAD])


@inlined
def write_values(row: Any, model: Any, out: Any) -> None:
    """Write the win probability of every seat, then from 4 on its expected margin over the best other seat."""
    seats = int(row["seats"])
    spread = write_expected_points(row, model, out[4:8])
    if spread == 0.0:
        share_win(row, out)
        if int(row["ended"]) == BY_ROUNDS:
            for seat in range(seats):
                out[seat] = 1.0 / seats
    else:
        most = -1e9
        for seat in range(seats):
            most = max(most, out[4 + seat])
        total = 0.0
        for seat in range(seats):
            out[seat] = math.exp((out[4 + seat] - most) / spread)
            total += out[seat]
        for seat in range(seats):
            out[seat] /= total
    best, second, winner = -1e9, -1e9, NOBODY
    for seat in range(seats):
        if out[4 + seat] > best:
            best, second, winner = out[4 + seat], best, seat
        elif out[4 + seat] > second:
            second = out[4 + seat]
    for seat in range(seats):
        out[4 + seat] -= second if seat == winner else best


@inlined
def utility(win: float, margin: float) -> int:
    """One number to search by, from -10,000 to 10,000: mostly the win probability, and a little of the margin."""
    margin = min(max(margin, -float(MAX_MARGIN)), float(MAX_MARGIN))
    return math.floor(WIN_WEIGHT * (2.0 * win - 1.0) + POINT_WEIGHT * margin + 0.5)


@jit
def evaluate(rows: Any, i: int, model: Any, out: Any) -> None:
    """Write win probabilities and expected margins of row i, as `tilery.engine.evaluator` requires."""
    write_values(rows[i].view(ROW)[0], model, out)


SIGNATURES = {evaluate: "rows int floats floats"}
