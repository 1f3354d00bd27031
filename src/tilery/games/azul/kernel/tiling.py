"""Phase B, wall tiling (AZ-20 to AZ-24), with the choices of the grey wall (AZ-50 to AZ-53)."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import count_ones, inlined, lowest
from tilery.core.kernel.journal import note

from .boards import clear_floor, clear_line, closed_lines, drop, free_columns, put_on_wall
from .circle import next_seat, seat_to_act
from .journal import OFFER_ENDED
from .layout import CHOOSE, TILING


@inlined
def begin_tiling(row: Any, journal: Any = None) -> None:
    """AZ-52: the seats tile in turn order, from the one that started the round."""
    note(journal, OFFER_ENDED, int(row["round"]))
    row["phase"] = TILING
    row["seat"] = row["starter"]
    if int(row["stall_limit"]) != 0:
        row["stalled"] = int(row["stalled"]) + 1


@inlined
def line_to_choose(row: Any) -> int:
    """The topmost full line of the seat that is choosing; there always is one."""
    seat = int(row["seat"])
    line = 0
    while int(row["lines"][seat, line]) >> 3 != line + 1:
        line += 1
    return line


@inlined
def tile_lines(row: Any, seat: int, journal: Any = None) -> bool:
    """AZ-20, AZ-51, AZ-52: tile the full lines top to bottom; False when the seat has a cell to choose."""
    closed = closed_lines(row, seat)
    while closed != 0:
        line = lowest(closed)
        closed &= closed - 1
        held = int(row["lines"][seat, line])
        if held >> 3 != line + 1:
            continue  # empty, beside a row that was completed just now
        colour = held & 7
        if int(row["grey"]) == 0:
            put_on_wall(row, seat, line, (colour + line) % 5, colour, journal)  # AZ-6
            continue
        columns = free_columns(row, seat, line, colour)
        if columns == 0:
            clear_line(row, seat, line)
            drop(row, seat, colour, line + 1, line, journal)
        elif count_ones(columns) == 1:
            put_on_wall(row, seat, line, lowest(columns), colour, journal)
        else:
            return False
    return True


@inlined
def continue_tiling(row: Any, journal: Any = None) -> bool:
    """Tile seat by seat; False when a seat has to choose a cell first, True when all are done."""
    while tile_lines(row, seat_to_act(row), journal):
        seat = seat_to_act(row)
        clear_floor(row, seat, journal)
        following = next_seat(row)
        if following == int(row["starter"]):
            row["seat"] = row["starter"]
            return True
        row["seat"] = following
    return False


@inlined
def choose(row: Any, line: int, column: int, journal: Any = None) -> None:
    """AZ-50: put the tile of a full line on the chosen cell."""
    seat = int(row["seat"])
    put_on_wall(row, seat, line, column, int(row["lines"][seat, line]) & 7, journal)


@inlined
def list_choices(row: Any, out: Any) -> int:
    """The cells the seat may choose from, as sorted actions; returns their number."""
    seat = int(row["seat"])
    line = line_to_choose(row)
    columns = free_columns(row, seat, line, int(row["lines"][seat, line]) & 7)
    n = 0
    while columns != 0:
        out[n] = CHOOSE + 5 * line + lowest(columns)
        n += 1
        columns &= columns - 1
    return n
