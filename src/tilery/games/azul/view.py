"""`View`, the readable form of a row, from which texts, boards and pictures are made; and its conversion to a row."""

from __future__ import annotations

from functools import lru_cache
from struct import Struct
from typing import Any

import msgspec
import numpy as np

from tilery.core.fields import field_reader, span_of

from .edition import Edition
from .kernel.boards import ALWAYS_OPEN
from .kernel.layout import (
    CENTRE,
    DRAW_DISCS,
    ENDED,
    EXTRA_TILE,
    FILL,
    FLOOR_SPACES,
    GIVEN,
    LINES,
    NOBODY,
    OFFER,
    OPTIONS,
    ROW,
    SEATS,
    START,
    TILING,
)
from .kernel.piles import BITS, COLOURS, COUNT
from .rules import Rules, rules_of

PHASES = {
    START: "start",
    DRAW_DISCS: "discs",
    FILL: "fill",
    EXTRA_TILE: "extra",
    OFFER: "offer",
    TILING: "tiling",
    ENDED: "over",
}
ENDINGS = ("", "row", "tiles", "stall", "rounds")
SEAT_PHASES = ("offer", "tiling")  # in which a seat decides
_read_fields = field_reader(ROW, GIVEN)
_read_walls = Struct(f"={SEATS * COLOURS}i").unpack_from  # masks for each seat and colour
_WALLS_AT = span_of(ROW, "wall_of").start


class Board(msgspec.Struct, frozen=True):
    """One player's board."""

    score: int
    lines: tuple[str, ...]  # five texts such as "" or "BB"
    wall: tuple[str, ...]  # five rows of five letters, "." where there is no tile
    floor: str  # left to right, "m" is the marker
    saucer: str | None  # None: not at this board; "": empty; a letter: what lies on it


class View(msgspec.Struct, frozen=True):
    """A position in readable values. Seats, discs and colours count from 0."""

    rules: Rules
    round: int
    phase: str
    seat: int | None  # whose turn it is
    starter: int
    marker: int | None  # the seat that holds it; None: it lies in the centre
    stalled: int
    bag: tuple[int, ...]
    lid: tuple[int, ...]
    centre: str
    discs: tuple[str, ...]  # kinds
    factories: tuple[str, ...]  # tiles, in the order of the letters
    boards: tuple[Board, ...]
    ended_by: str

    @property
    def saucer_gone(self) -> bool:
        """MC-8: the saucer lies beside a player's board."""
        return any(board.saucer is not None for board in self.boards)


@lru_cache(maxsize=1 << 12)
def counts(pile: int) -> tuple[int, ...]:
    """A packed pile as counts."""
    return tuple(pile >> BITS * colour & COUNT for colour in range(COLOURS))


def packed(numbers: Any) -> int:
    """Counts as a packed pile."""
    return sum(int(number) << BITS * colour for colour, number in enumerate(numbers))


@lru_cache(maxsize=1 << 12)
def tiles_in(edition: Edition, pile: int) -> str:
    """The tiles of a packed pile, in order."""
    return "".join(letter * number for letter, number in zip(edition.letters, counts(pile), strict=True))


def _packed_tiles(edition: Edition, tiles: str) -> int:
    return packed(tiles.count(letter) for letter in edition.letters)


@lru_cache(maxsize=1 << 14)  # a wall changes only once in a round
def _wall(edition: Edition, masks: tuple[int, ...]) -> tuple[str, ...]:
    """The five rows of a wall, from a mask of its cells for each colour."""
    cells = ["."] * 25
    for letter, shown in zip(edition.letters, masks, strict=True):
        while shown:
            cells[(shown & -shown).bit_length() - 1] = letter
            shown &= shown - 1
    wall = "".join(cells)
    return wall[:5], wall[5:10], wall[10:15], wall[15:20], wall[20:]


def wall_of(edition: Edition, row: bytes, seat: int) -> tuple[str, ...]:
    """The five rows of the wall of a seat."""
    return _wall(edition, _read_walls(row, _WALLS_AT)[COLOURS * seat : COLOURS * (seat + 1)])


@lru_cache(maxsize=1 << 12)
def floor_of(edition: Edition, floor: int) -> str:
    """What lies on a floor line, left to right."""
    return "".join([edition.symbols[floor >> 3 * space & 7] for space in range(floor >> 3 * FLOOR_SPACES)])


@lru_cache(maxsize=1 << 14)  # a move changes one board, and all others are the same objects as before
def _board(
    edition: Edition, score: int, lines: tuple[int, ...], masks: tuple[int, ...], floor: int, saucer: int | None
) -> Board:
    return Board(
        score,
        tuple([edition.lines[line] for line in lines]),
        _wall(edition, masks),
        floor_of(edition, floor),
        None if saucer is None else edition.symbols[saucer].replace("-", ""),
    )


def _board_of(edition: Edition, row: dict[str, Any], seat: int) -> Board:
    """The board of a seat, from the fields of a row."""
    first_line, first_colour = (LINES + 1) * seat, COLOURS * seat
    return _board(
        edition,
        row["score"][seat],
        row["lines"][first_line : first_line + LINES],
        row["wall_of"][first_colour : first_colour + COLOURS],
        row["floor"][seat],
        row["saucer_tile"] if row["saucer_seat"] == seat else None,
    )


def view_of(edition: Edition, row_bytes: bytes) -> View:
    """The view of a row."""
    row = _read_fields(row_bytes)
    rules = rules_of(row_bytes)
    phase = PHASES[row["phase"]]
    marker = row["marker"]
    last = rules.factories + 1
    return View(
        rules,
        row["round"],
        phase,
        row["seat"] if phase in SEAT_PHASES else None,
        row["starter"],
        None if marker == NOBODY else marker,
        row["stalled"],
        counts(row["bag"]),
        counts(row["lid"]),
        tiles_in(edition, row["piles"][CENTRE]),
        tuple([edition.discs[kind] for kind in row["discs"][1:last]]),
        tuple([tiles_in(edition, pile) for pile in row["piles"][1:last]]),
        tuple([_board_of(edition, row, seat) for seat in range(rules.seats)]),
        ENDINGS[row["ended"]],
    )


def _pack_board(edition: Edition, row: Any, seat: int, board: Board) -> None:
    letters = edition.letters
    row["score"][seat] = board.score
    wall = turned = 0
    shown = [0] * COLOURS
    for line, cells in enumerate(board.wall):
        for column, letter in enumerate(cells):
            if letter != ".":
                wall |= 1 << (5 * line + column)
                turned |= 1 << (5 * column + line)
                shown[letters.index(letter)] |= 1 << (5 * line + column)
    row["wall"][seat], row["wall_columns"][seat] = wall, turned
    row["wall_of"][seat] = shown
    row["shown"][seat] = sum(
        1 << (8 * colour + line)
        for colour, letter in enumerate(letters)
        for line in range(LINES)
        if letter in board.wall[line]
    )
    lines_open = ALWAYS_OPEN
    for line, tiles in enumerate(board.lines):
        if tiles:
            row["lines"][seat, line] = len(tiles) << 3 | letters.index(tiles[0])
        for colour, letter in enumerate(letters):
            fits = not tiles or (tiles[0] == letter and len(tiles) <= line)
            if fits and letter not in board.wall[line]:
                lines_open |= 1 << (8 * colour + line)
    row["open"][seat] = lines_open
    floor = len(board.floor) << 3 * FLOOR_SPACES
    for space, letter in enumerate(board.floor):
        floor |= edition.symbols.index(letter) << 3 * space
    row["floor"][seat] = floor
    if board.saucer is not None:
        row["saucer_seat"] = seat
        row["saucer_tile"] = edition.symbols.index(board.saucer or "-")


def row_of(edition: Edition, view: View) -> bytes:
    """The row of a view; derived fields are computed."""
    fields = np.zeros(1, dtype=ROW)
    row = fields[0]
    rules = view.rules
    for name, option in zip(OPTIONS, rules.options, strict=True):
        row[name] = option
    row["round"], row["stalled"] = view.round, view.stalled
    row["phase"] = next(number for number, name in PHASES.items() if name == view.phase)
    row["ended"] = ENDINGS.index(view.ended_by)
    row["starter"] = view.starter
    row["seat"] = view.starter if view.seat is None else view.seat
    row["marker"] = NOBODY if view.marker is None else view.marker
    row["bag"], row["lid"] = packed(view.bag), packed(view.lid)
    row["saucer_seat"] = NOBODY
    piles = [_packed_tiles(edition, text) for text in (view.centre, *view.factories)]
    sources = 0
    for source, pile in enumerate(piles):
        row["piles"][source] = pile
        for colour in range(COLOURS):
            if view.phase == "offer" and pile >> BITS * colour & COUNT:
                sources |= 1 << (BITS * colour + source)
    row["sources"] = sources
    for place, kind in enumerate(view.discs):
        row["discs"][place + 1] = edition.discs.index(kind)
    for seat, board in enumerate(view.boards):
        _pack_board(edition, row, seat, board)
    return fields.tobytes()


def viewer_of(row: bytes) -> int | None:  # noqa: ARG001
    """Always None: all seats see the same, so every row is a whole position."""
    return None
