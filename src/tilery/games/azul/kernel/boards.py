"""A player's board: pattern lines, wall and floor line."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import count_ones, inlined
from tilery.core.kernel.journal import note

from .journal import BONUS, FELL, FLOOR_SCORED, MARKER_TAKEN, PLACED, TILED
from .layout import COLOUR_BONUS, COLUMN_BONUS, FLOOR, FLOOR_COSTS, FLOOR_SPACES, MARKER, ROW_BONUS
from .piles import BITS, COLOURS, tiles

EVERY_COLOUR = 0x0101010101  # bit 0 of each colour's byte in `open`
ALL_OPEN = EVERY_COLOUR * 0x3F  # every line and the floor for every colour
ALWAYS_OPEN = EVERY_COLOUR << FLOOR  # AZ-17: the floor takes every colour
FIRST_CELLS = 0x108421  # the first cell of every row

# AZ-3: the spaces of each pattern line; none on the line that stands for the floor.
LINE_SPACES = np.array([1, 2, 3, 4, 5, 0], dtype=np.uint8)

_COUNT_AT = 3 * FLOOR_SPACES  # where a floor line keeps the number of its occupied spaces
_SEVEN_EQUAL = 0o1111111

# What lies on a floor space as a pile of tiles: empty for nothing and for the marker.
PILE_OF = np.array([0, *(1 << BITS * colour for colour in range(COLOURS)), 0, 0], dtype=np.int64)

# AZ-3: the total cost, by the number of occupied spaces.
PENALTY = np.array([sum(FLOOR_COSTS[:taken]) for taken in range(FLOOR_SPACES + 1)], dtype=np.int64)


def _run(cells: int, at: int) -> int:
    """The length of the run of occupied cells around a cell, including the cell."""
    first = last = at
    while first > 0 and cells >> (first - 1) & 1:
        first -= 1
    while last < 4 and cells >> (last + 1) & 1:
        last += 1
    return last - first + 1


# RUN[five cells as a mask, index of one of them]
RUN = np.array([[_run(cells, at) for at in range(5)] for cells in range(32)], dtype=np.uint8)


@inlined
def floor_count(floor: int) -> int:
    """How many spaces of a floor line are taken."""
    return floor >> _COUNT_AT


@inlined
def floor_space(floor: int, space: int) -> int:
    """What lies on a space of a floor line: 0, a colour + 1, or the marker."""
    return (floor >> 3 * space) & 7


@inlined
def may_take(row: Any, seat: int, line: int, colour: int) -> bool:
    """AZ-15, AZ-16, AZ-17: whether the line (or the floor) may take the colour."""
    return (int(row["open"][seat]) >> (8 * colour + line)) & 1 == 1


@inlined
def lay_on_floor(row: Any, seat: int, thing: int, number: int) -> int:
    """AZ-17: put equal items on the leftmost free spaces; returns how many found no space."""
    floor = int(row["floor"][seat])
    taken = floor_count(floor)
    laid = min(number, FLOOR_SPACES - taken)
    equal = (thing * _SEVEN_EQUAL) & ((1 << 3 * laid) - 1)
    row["floor"][seat] = floor + (equal << 3 * taken) + (laid << _COUNT_AT)
    return number - laid


@inlined
def _added_cost(before: int, after: int) -> int:
    """AZ-3: how much more a floor line costs than before."""
    return int(PENALTY[floor_count(after)]) - int(PENALTY[floor_count(before)])


@inlined
def drop(row: Any, seat: int, colour: int, number: int, line: int, journal: Any = None) -> None:
    """AZ-17, AZ-18, MC-8: tiles (perhaps none) fall on a free saucer, then to the floor line, then to the lid. `line`
    is where they fall from: FLOOR if they were just taken."""
    caught = 0
    if int(row["saucer_seat"]) == seat and int(row["saucer_tile"]) == 0 and number > 0:
        row["saucer_tile"] = colour + 1
        number -= 1
        caught = 1
    floor = int(row["floor"][seat])
    over = lay_on_floor(row, seat, colour + 1, number)
    row["lid"] = int(row["lid"]) + tiles(colour, over)
    if journal is not None and caught + number > 0:
        cost = _added_cost(floor, int(row["floor"][seat]))
        note(journal, FELL, seat, colour, line, caught, number - over, over, cost)


@inlined
def take_marker(row: Any, seat: int, journal: Any = None) -> None:
    """AZ-13, AZ-18, MC-9: the marker goes on a free saucer, else to the floor line, else to no space at all."""
    row["marker"] = seat
    if int(row["saucer_seat"]) == seat and int(row["saucer_tile"]) == 0:
        row["saucer_tile"] = MARKER
        note(journal, MARKER_TAKEN, seat, 1)
    else:
        floor = int(row["floor"][seat])
        over = lay_on_floor(row, seat, MARKER, 1)
        note(journal, MARKER_TAKEN, seat, 0, 1 - over, _added_cost(floor, int(row["floor"][seat])))


@inlined
def lay_on_line(row: Any, seat: int, line: int, colour: int, number: int, journal: Any = None) -> int:
    """AZ-14, AZ-15, AZ-17: put tiles on a line; returns how many did not fit. The floor is a line without spaces.

    Without branches, because the choices of a random game cannot be predicted.
    """
    held = int(row["lines"][seat, line]) >> 3
    free = int(LINE_SPACES[line]) - held
    put = min(number, free)
    row["lines"][seat, line] = (held + put) << 3 | (colour if held + put > 0 else 0)
    still_open = (1 if put < free else 0) << (8 * colour + line)
    row["open"][seat] = int(row["open"][seat]) & ~(EVERY_COLOUR << line) | ALWAYS_OPEN | still_open
    if journal is not None and put > 0:
        note(journal, PLACED, seat, line, colour, put, 1 if put == free else 0)
    return number - put


@inlined
def clear_line(row: Any, seat: int, line: int) -> None:
    """Empty a line; it is open again for every colour that its wall row does not show (AZ-16)."""
    row["lines"][seat, line] = 0
    row["open"][seat] = int(row["open"][seat]) | (EVERY_COLOUR << line & ~int(row["shown"][seat]))


@inlined
def closed_lines(row: Any, seat: int) -> int:
    """Mask of the lines that may take no colour: the full ones, and those of a complete row."""
    lines = int(row["open"][seat])
    return ~(lines | lines >> 8 | lines >> 16 | lines >> 24 | lines >> 32) & 31


@inlined
def free_columns(row: Any, seat: int, line: int, colour: int) -> int:
    """AZ-50: mask of the columns of the line's wall row that the colour may go to on the grey wall."""
    shown = int(row["wall_of"][seat, colour])
    columns = (shown | shown >> 5 | shown >> 10 | shown >> 15 | shown >> 20) & 31
    return ~(columns | int(row["wall"][seat]) >> 5 * line) & 31


@inlined
def points_across(row: Any, seat: int, line: int, column: int) -> int:
    """AZ-21: what the tile that was just put in the cell scores for its row."""
    across = int(RUN[(int(row["wall"][seat]) >> 5 * line) & 31, column])
    return across if across > 1 else 0


@inlined
def points_down(row: Any, seat: int, line: int, column: int) -> int:
    """AZ-21: what the tile that was just put in the cell scores for its column."""
    down = int(RUN[(int(row["wall_columns"][seat]) >> 5 * column) & 31, line])
    return down if down > 1 else 0


@inlined
def points(row: Any, seat: int, line: int, column: int) -> int:
    """AZ-21: the score of the tile that was just put in the cell."""
    return max(1, points_across(row, seat, line, column) + points_down(row, seat, line, column))


@inlined
def put_on_wall(row: Any, seat: int, line: int, column: int, colour: int, journal: Any = None) -> None:
    """AZ-20, AZ-21: one tile to the wall, scored at once; the other tiles of the line to the lid."""
    cell = 1 << (5 * line + column)
    row["wall"][seat] = int(row["wall"][seat]) | cell
    row["wall_columns"][seat] = int(row["wall_columns"][seat]) | 1 << (5 * column + line)
    row["wall_of"][seat, colour] = int(row["wall_of"][seat, colour]) | cell
    row["shown"][seat] = int(row["shown"][seat]) | 1 << (8 * colour + line)
    row["score"][seat] = int(row["score"][seat]) + points(row, seat, line, column)
    row["lid"] = int(row["lid"]) + tiles(colour, line)
    row["stalled"] = 0
    clear_line(row, seat, line)
    if journal is not None:
        across, down = points_across(row, seat, line, column), points_down(row, seat, line, column)
        note(journal, TILED, seat, line, column, colour, across, down, points(row, seat, line, column))


@inlined
def clear_floor(row: Any, seat: int, journal: Any = None) -> None:
    """AZ-22, MC-8: the penalty, never below 0; tiles of the floor line and the saucer go to the lid."""
    floor = int(row["floor"][seat])
    taken = floor_count(floor)
    score = int(row["score"][seat])
    row["score"][seat] = max(0, score - int(PENALTY[taken]))
    lid = int(row["lid"])
    for space in range(FLOOR_SPACES):
        lid += int(PILE_OF[floor_space(floor, space)])
    row["floor"][seat] = 0
    caught = 0
    if int(row["saucer_seat"]) == seat:
        caught = int(row["saucer_tile"])
        lid += int(PILE_OF[caught])
        row["saucer_tile"] = 0
    row["lid"] = lid
    if journal is not None and taken + caught > 0:
        note(journal, FLOOR_SCORED, seat, floor, caught, int(row["score"][seat]) - score)


@inlined
def full_rows(wall: int) -> int:
    """How many of the five groups of five cells are complete (rows, or columns of the turned wall)."""
    return count_ones(wall & wall >> 1 & wall >> 2 & wall >> 3 & wall >> 4 & FIRST_CELLS)


@inlined
def full_colours(row: Any, seat: int) -> int:
    """How many colours are complete. A row shows a colour at most once, so five rows must show it."""
    count = 0
    for colour in range(COLOURS):
        if int(row["shown"][seat]) >> 8 * colour & 31 == 31:
            count += 1
    return count


@inlined
def bonus(row: Any, seat: int, journal: Any = None) -> int:
    """AZ-40: 2 for each complete row, 7 for each column, 10 for each colour."""
    rows, columns = full_rows(int(row["wall"][seat])), full_rows(int(row["wall_columns"][seat]))
    colours = full_colours(row, seat)
    if journal is not None and rows + columns + colours > 0:
        note(journal, BONUS, seat, rows, columns, colours)
    return ROW_BONUS * rows + COLUMN_BONUS * columns + COLOUR_BONUS * colours
