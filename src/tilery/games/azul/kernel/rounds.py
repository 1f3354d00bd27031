"""Phase C, the next round or the end of the game (AZ-30 to AZ-41)."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined
from tilery.core.kernel.journal import note

from .boards import ALL_OPEN, bonus, full_rows
from .chance import laid, undealt
from .journal import GAME_ENDED, ROUND_BEGUN, SAUCER_RETURNED
from .layout import (
    BY_ROUNDS,
    BY_ROW,
    BY_STALL,
    BY_TILES,
    DRAW_DISCS,
    EACH_COLOUR,
    ENDED,
    EVERY_ROUND,
    FILL,
    LINES,
    NEVER,
    NOBODY,
    PLAIN,
    SEATS,
    SOURCES,
    START,
)
from .piles import COLOURS, EACH
from .tiling import continue_tiling


@inlined
def begin_round(row: Any) -> None:
    """AZ-10, MC-2: the marker lies in the centre; the special discs are laid unless they are already there."""
    row["marker"] = NOBODY
    row["seat"] = row["starter"]
    row["phase"] = FILL
    if int(row["specials"]) != NEVER and laid(row) == 0:
        row["phase"] = DRAW_DISCS


@outlined
def set_up(row: Any, options: Any) -> None:
    """AZ-1 to AZ-5: a new game; `options` are those of `layout.OPTIONS`."""
    row["bag"] = EACH_COLOUR * EACH
    row["lid"] = 0
    row["sources"] = 0
    for source in range(SOURCES):
        row["piles"][source] = 0
        row["discs"][source] = PLAIN
    row["seats"] = options[0]
    row["grey"] = options[1]
    row["specials"] = options[2]
    row["start"] = options[3]
    row["round_limit"] = options[4]
    row["stall_limit"] = options[5]
    for seat in range(SEATS):
        row["open"][seat] = ALL_OPEN if seat < options[0] else 0
        row["wall"][seat] = 0
        row["wall_columns"][seat] = 0
        row["shown"][seat] = 0
        row["floor"][seat] = 0
        row["score"][seat] = 0
        for colour in range(COLOURS):
            row["wall_of"][seat, colour] = 0
        for line in range(LINES + 1):
            row["lines"][seat, line] = 0
    row["round"] = 1
    row["stalled"] = 0
    row["saucer_seat"] = NOBODY
    row["saucer_tile"] = 0
    row["ended"] = 0
    row["starter"] = max(0, int(options[3]))
    begin_round(row)
    if int(options[3]) == NOBODY:
        row["phase"] = START


@outlined
def start_at(row: Any, seat: int, journal: Any = None) -> None:
    """AZ-4: the drawn seat starts."""
    row["starter"] = seat
    note(journal, ROUND_BEGUN, int(row["round"]), seat)
    begin_round(row)


@outlined
def _finish(row: Any, by: int, journal: Any = None) -> None:
    """AZ-40: the game ends; bonuses are scored, but not where it was only cut off (AZ-34)."""
    row["phase"] = ENDED
    row["ended"] = by
    note(journal, GAME_ENDED, by)
    if by != BY_ROUNDS:
        for seat in range(int(row["seats"])):
            row["score"][seat] = int(row["score"][seat]) + bonus(row, seat, journal)


@inlined
def _next_round(row: Any, journal: Any = None) -> None:
    """AZ-31: the holder of the marker starts; if nobody holds it, the same player again."""
    if int(row["marker"]) != NOBODY:
        row["starter"] = row["marker"]
    row["round"] = int(row["round"]) + 1
    if int(row["specials"]) == EVERY_ROUND:
        for source in range(SOURCES):
            row["discs"][source] = PLAIN
    note(journal, ROUND_BEGUN, int(row["round"]), int(row["starter"]), int(int(row["specials"]) == EVERY_ROUND))
    begin_round(row)


@inlined
def _end_round(row: Any, journal: Any = None) -> None:
    """AZ-30, AZ-33 to AZ-35: end the game, or begin the next round."""
    if journal is not None and int(row["saucer_seat"]) != NOBODY:
        note(journal, SAUCER_RETURNED, int(row["saucer_seat"]))
    row["saucer_seat"] = NOBODY
    row["saucer_tile"] = 0
    rows = 0
    for seat in range(int(row["seats"])):
        rows += full_rows(int(row["wall"][seat]))
    if rows > 0:
        _finish(row, BY_ROW, journal)
    elif 0 < int(row["stall_limit"]) <= int(row["stalled"]):
        _finish(row, BY_STALL, journal)
    elif 0 < int(row["round_limit"]) <= int(row["round"]):
        _finish(row, BY_ROUNDS, journal)
    elif undealt(row) == 0:
        _finish(row, BY_TILES, journal)
    else:
        _next_round(row, journal)


@inlined
def tile_and_continue(row: Any, journal: Any = None) -> None:
    """Tile until a seat must choose, and end the round when all seats are done."""
    if continue_tiling(row, journal):
        _end_round(row, journal)


@inlined
def _rank(row: Any, seat: int) -> int:
    """AZ-41: points first, then complete rows."""
    return int(row["score"][seat]) * 8 + full_rows(int(row["wall"][seat]))


@outlined
def share_win(row: Any, shares: Any) -> None:
    """AZ-41: the win is shared by the seats of the highest rank; nobody wins a game that was cut off (AZ-34)."""
    seats = int(row["seats"])
    best, equals = -1, 0
    for seat in range(seats):
        shares[seat] = 0.0
        rank = _rank(row, seat)
        if rank > best:
            best, equals = rank, 0
        if rank == best:
            equals += 1
    if int(row["phase"]) == ENDED and int(row["ended"]) != BY_ROUNDS:
        for seat in range(seats):
            if _rank(row, seat) == best:
                shares[seat] = 1.0 / equals
