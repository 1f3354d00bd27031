"""A row in plain values, and back: the readable face that texts, boards and pictures are made from."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct, unpack
from typing import Any

import numpy as np

from tilery.core.fields import field_reader, span_of

from .kernel.boards import ALWAYS_OPEN
from .kernel.layout import (
    CENTRE,
    DRAW_DISCS,
    ENDED,
    EXTRA_TILE,
    FILL,
    FLOOR_SPACES,
    LINES,
    NOBODY,
    OFFER,
    OPTIONS,
    ROW,
    SEATS,
    SOURCES,
    START,
    TILING,
)
from .kernel.piles import BITS, COLOURS, COUNT
from .rules import Rules, rules_of

LETTERS = "BYRKW"  # blue, yellow, red, black, white
KINDS = (
    "plain",
    "extra",
    *(f"magnet{letter}" for letter in LETTERS),
    "keeper",
    "spreader",
    "saucer",
)
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
_THINGS = "-" + LETTERS + "m"
_TILES = {  # what a row has of a pattern line, and its tiles
    tiles << 3 | colour: letter * tiles for tiles in range(LINES + 1) for colour, letter in enumerate(LETTERS)
}
_DERIVED = ("sources", "open", "shown", "wall", "wall_columns")  # all of it follows from the rest
_read = field_reader(ROW, [name for name in ROW.names or () if name not in _DERIVED])


@dataclass(frozen=True)
class Board:
    """One player's board."""

    score: int
    lines: tuple[str, ...]  # five texts such as "" or "BB"
    wall: tuple[str, ...]  # five rows of five letters, "." where there is no tile
    floor: str  # left to right, "m" is the marker
    saucer: str | None  # None: not here; "" empty; a letter: what lies on it


@dataclass(frozen=True)
class View:
    """A position as people see it. Seats, discs and colours count from 0."""

    rules: Rules
    round: int
    phase: str
    seat: int | None  # whose turn it is
    starter: int
    marker: int | None  # who holds it; None: it lies in the centre
    stalled: int
    bag: tuple[int, ...]
    lid: tuple[int, ...]
    centre: str
    discs: tuple[str, ...]  # kinds
    factories: tuple[str, ...]  # tiles, in the order of LETTERS
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
def letters(pile: int) -> str:
    """A packed pile as letters, in order."""
    return "".join(letter * number for letter, number in zip(LETTERS, counts(pile), strict=True))


def _packed_letters(text: str) -> int:
    return packed(text.count(letter) for letter in LETTERS)


@lru_cache(maxsize=1 << 14)  # a wall changes only once in a round
def _wall_of(masks: tuple[int, ...]) -> tuple[str, ...]:
    """The five rows of a wall, from a mask of its cells for each colour."""
    cells = ["."] * 25
    for letter, shown in zip(LETTERS, masks, strict=True):
        while shown:
            cells[(shown & -shown).bit_length() - 1] = letter
            shown &= shown - 1
    wall = "".join(cells)
    return wall[:5], wall[5:10], wall[10:15], wall[15:20], wall[20:]


@lru_cache(maxsize=1 << 12)
def _floor_of(floor: int) -> str:
    return "".join([_THINGS[floor >> 3 * space & 7] for space in range(floor >> 3 * FLOOR_SPACES)])


def _board_of(row: dict[str, Any], seat: int) -> Board:
    first_line, first_colour = (LINES + 1) * seat, COLOURS * seat
    here = row["saucer_seat"] == seat
    return Board(
        row["score"][seat],
        tuple([_TILES[line] for line in row["lines"][first_line : first_line + LINES]]),
        _wall_of(row["wall_of"][first_colour : first_colour + COLOURS]),
        _floor_of(row["floor"][seat]),
        _THINGS[row["saucer_tile"]].replace("-", "") if here else None,
    )


def view_of(row_bytes: bytes) -> View:
    """The readable face of a row."""
    row = _read(row_bytes)
    rules = rules_of(row_bytes)
    phase = PHASES[row["phase"]]
    marker = row["marker"]
    last = rules.factories + 1
    return View(
        rules,
        row["round"],
        phase,
        row["seat"] if phase in ("offer", "tiling") else None,
        row["starter"],
        None if marker == NOBODY else marker,
        row["stalled"],
        counts(row["bag"]),
        counts(row["lid"]),
        letters(row["piles"][CENTRE]),
        tuple([KINDS[kind] for kind in row["discs"][1:last]]),
        tuple([letters(pile) for pile in row["piles"][1:last]]),
        tuple([_board_of(row, seat) for seat in range(rules.seats)]),
        ENDINGS[row["ended"]],
    )


def _pack_board(row: Any, seat: int, board: Board) -> None:
    row["score"][seat] = board.score
    wall = turned = 0
    shown = [0] * COLOURS
    for line, cells in enumerate(board.wall):
        for column, letter in enumerate(cells):
            if letter != ".":
                wall |= 1 << (5 * line + column)
                turned |= 1 << (5 * column + line)
                shown[LETTERS.index(letter)] |= 1 << (5 * line + column)
    row["wall"][seat], row["wall_columns"][seat] = wall, turned
    row["wall_of"][seat] = shown
    row["shown"][seat] = sum(
        1 << (8 * colour + line)
        for colour, letter in enumerate(LETTERS)
        for line in range(LINES)
        if letter in board.wall[line]
    )
    lines_open = ALWAYS_OPEN
    for line, tiles in enumerate(board.lines):
        if tiles:
            row["lines"][seat, line] = len(tiles) << 3 | LETTERS.index(tiles[0])
        for colour, letter in enumerate(LETTERS):
            fits = not tiles or (tiles[0] == letter and len(tiles) <= line)
            if fits and letter not in board.wall[line]:
                lines_open |= 1 << (8 * colour + line)
    row["open"][seat] = lines_open
    floor = len(board.floor) << 3 * FLOOR_SPACES
    for space, letter in enumerate(board.floor):
        floor |= _THINGS.index(letter) << 3 * space
    row["floor"][seat] = floor
    if board.saucer is not None:
        row["saucer_seat"] = seat
        row["saucer_tile"] = _THINGS.index(board.saucer or "-")


def row_of(view: View) -> bytes:
    """The row behind a view; derived fields are worked out anew."""
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
    piles = [_packed_letters(text) for text in (view.centre, *view.factories)]
    sources = 0
    for source, pile in enumerate(piles):
        row["piles"][source] = pile
        for colour in range(COLOURS):
            if view.phase == "offer" and pile >> BITS * colour & COUNT:
                sources |= 1 << (BITS * colour + source)
    row["sources"] = sources
    for place, kind in enumerate(view.discs):
        row["discs"][place + 1] = KINDS.index(kind)
    for seat, board in enumerate(view.boards):
        _pack_board(row, seat, board)
    return fields.tobytes()


def plain_values(row: bytes) -> dict[str, Any]:
    """The view as JSON would have it."""
    view = view_of(row)
    return {
        **vars(view),
        "rules": view.rules.text,
        "boards": tuple([{**vars(board)} for board in view.boards]),
        "saucer_gone": view.saucer_gone,
    }


# The same as JSON. Tables tell it after every move, so it is put together from texts that are known already: a move
# changes one board and a few piles.

_BOARD_SPANS = [
    [span_of(ROW, name, line=seat) for name in ("lines", "wall_of", "floor", "score")] for seat in range(SEATS)
]
_BOARD = Struct(f"={LINES + 1}b{COLOURS}iih")
_STOCK_SPAN, _PILES_SPAN, _DISCS_SPAN = span_of(ROW, "bag", "lid"), span_of(ROW, "piles"), span_of(ROW, "discs")
_PILES = Struct(f"={SOURCES}q")
_read_little = field_reader(ROW, ("round", "stalled", *ROW.names[ROW.names.index("phase") :]) if ROW.names else ())


def _texts(words: Iterable[str]) -> str:
    return '["' + '", "'.join(words) + '"]'


@lru_cache(maxsize=1 << 14)
def _json_of_board(lines: bytes, wall: bytes, floor: bytes, score: bytes) -> str:
    """All but the saucer, and without the closing brace."""
    *numbers, things, points = _BOARD.unpack(lines + wall + floor + score)
    tiles = _texts([_TILES[line] for line in numbers[:LINES]])
    rows = _texts(_wall_of(tuple(numbers[LINES + 1 :])))
    return f'{{"score": {points}, "lines": {tiles}, "wall": {rows}, "floor": "{_floor_of(things)}"'


@lru_cache(maxsize=1 << 14)
def _json_of_stock(piles: bytes) -> str:
    bag, lid = unpack("=2q", piles)
    return f'"bag": {list(counts(bag))}, "lid": {list(counts(lid))}'


@lru_cache(maxsize=1 << 12)
def _json_of_discs(kinds: bytes, last: int) -> str:
    return _texts([KINDS[kind] for kind in kinds[1:last]])


@lru_cache(maxsize=1 << 7)
def _json_of_rules(rules: Rules) -> str:
    return json.dumps(rules.text)


def json_of(row: bytes) -> str:
    """What `json.dumps` makes of `plain_values`, in a fifth of the time."""
    rules = rules_of(row)
    fields = _read_little(row)
    phase, marker, saucer = fields["phase"], fields["marker"], fields["saucer_seat"]
    last = rules.factories + 1
    piles = [letters(pile) for pile in _PILES.unpack(row[_PILES_SPAN])[:last]]
    boards = []
    for seat in range(rules.seats):
        lines, wall, floor, score = _BOARD_SPANS[seat]
        held = f'"{_THINGS[fields["saucer_tile"]]}"'.replace("-", "") if saucer == seat else "null"
        boards.append(f'{_json_of_board(row[lines], row[wall], row[floor], row[score])}, "saucer": {held}}}')
    return (
        f'{{"rules": {_json_of_rules(rules)}, "round": {fields["round"]}, "phase": "{PHASES[phase]}", '
        f'"seat": {fields["seat"] if phase in (OFFER, TILING) else "null"}, "starter": {fields["starter"]}, '
        f'"marker": {"null" if marker == NOBODY else marker}, "stalled": {fields["stalled"]}, '
        f'{_json_of_stock(row[_STOCK_SPAN])}, "centre": "{piles[CENTRE]}", '
        f'"discs": {_json_of_discs(row[_DISCS_SPAN], last)}, "factories": {_texts(piles[1:])}, '
        f'"boards": [{", ".join(boards)}], "ended_by": "{ENDINGS[fields["ended"]]}", '
        f'"saucer_gone": {"true" if saucer != NOBODY else "false"}}}'
    )


def round_of(row: bytes) -> int:
    """The round being played."""
    return int(np.frombuffer(row, dtype=ROW)[0]["round"])


def viewer_of(_: bytes) -> int | None:
    """The seat whose view a row is: all seats see the same, so a row does not say."""
    return None
