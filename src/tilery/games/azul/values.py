"""A position in plain values and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from struct import Struct, unpack
from typing import Any

from tilery.core.fields import field_reader, span_of

from .kernel.layout import CENTRE, LINES, NOBODY, OFFER, ROW, SEATS, SOURCES, TILING
from .kernel.piles import COLOURS
from .rules import Rules, rules_of
from .view import ENDINGS, KINDS, PHASES, SYMBOLS, TILES_OF_LINE, counts, floor_of, letters, view_of, wall_of


def plain_values(row: bytes) -> dict[str, Any]:
    """The view in plain values, ready for `json.dumps`."""
    view = view_of(row)
    return {
        **vars(view),
        "rules": view.rules.text,
        "boards": tuple([{**vars(board)} for board in view.boards]),
        "saucer_gone": view.saucer_gone,
    }


# The same as JSON. Tables send it after every move, so it is assembled from cached texts: a move changes one board
# and a few piles.

_BOARD_SPANS = [
    [span_of(ROW, name, line=seat) for name in ("lines", "wall_of", "floor", "score")] for seat in range(SEATS)
]
_BOARD = Struct(f"={LINES + 1}b{COLOURS}iih")
_STOCK_SPAN, _PILES_SPAN, _DISCS_SPAN = span_of(ROW, "bag", "lid"), span_of(ROW, "piles"), span_of(ROW, "discs")
_PILES = Struct(f"={SOURCES}q")
_read_rest = field_reader(ROW, ("round", "stalled", *ROW.names[ROW.names.index("phase") :]) if ROW.names else ())


def _json_list(words: Iterable[str]) -> str:
    return '["' + '", "'.join(words) + '"]'


@lru_cache(maxsize=1 << 14)
def _json_of_board(lines: bytes, wall: bytes, floor: bytes, score: bytes) -> str:
    """Everything but the saucer, and without the closing brace."""
    *numbers, things, points = _BOARD.unpack(lines + wall + floor + score)
    tiles = _json_list([TILES_OF_LINE[line] for line in numbers[:LINES]])
    rows = _json_list(wall_of(tuple(numbers[LINES + 1 :])))
    return f'{{"score": {points}, "lines": {tiles}, "wall": {rows}, "floor": "{floor_of(things)}"'


@lru_cache(maxsize=1 << 14)
def _json_of_stock(piles: bytes) -> str:
    bag, lid = unpack("=2q", piles)
    return f'"bag": {list(counts(bag))}, "lid": {list(counts(lid))}'


@lru_cache(maxsize=1 << 12)
def _json_of_discs(kinds: bytes, last: int) -> str:
    return _json_list([KINDS[kind] for kind in kinds[1:last]])


@lru_cache(maxsize=1 << 7)
def _json_of_rules(rules: Rules) -> str:
    return json.dumps(rules.text)


def json_of(row: bytes) -> str:
    """The same as `json.dumps(plain_values(row))`, in a fifth of the time."""
    rules = rules_of(row)
    fields = _read_rest(row)
    phase, marker, saucer = fields["phase"], fields["marker"], fields["saucer_seat"]
    last = rules.factories + 1
    piles = [letters(pile) for pile in _PILES.unpack(row[_PILES_SPAN])[:last]]
    boards = []
    for seat in range(rules.seats):
        lines, wall, floor, score = _BOARD_SPANS[seat]
        held = f'"{SYMBOLS[fields["saucer_tile"]]}"'.replace("-", "") if saucer == seat else "null"
        boards.append(f'{_json_of_board(row[lines], row[wall], row[floor], row[score])}, "saucer": {held}}}')
    return (
        f'{{"rules": {_json_of_rules(rules)}, "round": {fields["round"]}, "phase": "{PHASES[phase]}", '
        f'"seat": {fields["seat"] if phase in (OFFER, TILING) else "null"}, "starter": {fields["starter"]}, '
        f'"marker": {"null" if marker == NOBODY else marker}, "stalled": {fields["stalled"]}, '
        f'{_json_of_stock(row[_STOCK_SPAN])}, "centre": "{piles[CENTRE]}", '
        f'"discs": {_json_of_discs(row[_DISCS_SPAN], last)}, "factories": {_json_list(piles[1:])}, '
        f'"boards": [{", ".join(boards)}], "ended_by": "{ENDINGS[fields["ended"]]}", '
        f'"saucer_gone": {"true" if saucer != NOBODY else "false"}}}'
    )
