"""Why an action is not legal here: a code for each rule that forbids it (words in `games/azul/refusals.py`)."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined

from .boards import free_columns, may_take
from .chance import is_laid, laid, last_laid, pile_of, tiles_due, ways
from .circle import factories
from .layout import (
    ACTIONS,
    ADD,
    CENTRE,
    CHOOSE,
    DEAL,
    DRAW_DISCS,
    ENDED,
    EXTRA,
    EXTRA_TILE,
    FILL,
    KINDS,
    LAY,
    OFFER,
    SOURCES,
    SPREAD,
    START,
    START_AT,
    TILING,
)
from .offer import spreader_of
from .piles import COLOURS, colours_in, count_of, size, tiles
from .tiling import line_to_choose

(
    LEGAL,
    NO_ACTION,
    GAME_OVER,
    NOT_NOW,
    NO_FACTORY,
    NO_SUCH_TILE,
    LINE_CLOSED,
    SAY_DIRECTIONS,
    WRONG_DIRECTIONS,
    OTHER_LINE,
    CELL_TAKEN,
    NO_SEAT,
    WRONG_NUMBER,
    NOT_IN_BAG,
    WRONG_PLACE,
    LAID_ALREADY,
) = range(16)


@inlined
def take_refusal(row: Any, source: int, colour: int, line: int) -> int:
    """AZ-12 to AZ-17: why these tiles may not be taken to this line."""
    if int(row["phase"]) != OFFER:
        return NOT_NOW
    if source > factories(row):
        return NO_FACTORY
    if count_of(int(row["piles"][source]), colour) == 0:
        return NO_SUCH_TILE
    if not may_take(row, int(row["seat"]), line, colour):
        return LINE_CLOSED
    return LEGAL


@outlined
def _spread_refusal(row: Any, colour: int, line: int, right: int) -> int:
    """MC-7: why the rest of the spreader may not be laid like this."""
    spreader = spreader_of(row)
    if spreader == CENTRE:
        return WRONG_DIRECTIONS
    refused = take_refusal(row, spreader, colour, line)
    if refused != LEGAL:
        return refused
    pile = int(row["piles"][spreader])
    rest = colours_in(pile - tiles(colour, count_of(pile, colour)))
    for other in range(COLOURS):
        if right >> other & 1 and count_of(rest, other) == 0:
            return WRONG_DIRECTIONS
    return LEGAL


@outlined
def _choice_refusal(row: Any, line: int, column: int) -> int:
    """AZ-50: why the tile may not go to this cell."""
    if int(row["phase"]) != TILING:
        return NOT_NOW
    if line != line_to_choose(row):
        return OTHER_LINE
    seat = int(row["seat"])
    if free_columns(row, seat, line, int(row["lines"][seat, line]) & 7) >> column & 1 == 0:
        return CELL_TAKEN
    return LEGAL


@outlined
def _disc_refusal(row: Any, disc: int, kind: int) -> int:
    """MC-1, MC-2: why this special disc cannot be laid there."""
    if int(row["phase"]) != DRAW_DISCS:
        return NOT_NOW
    if not EXTRA <= kind < KINDS:
        return NO_ACTION
    last_place = factories(row) - (int(row["seats"]) - laid(row)) + 1
    if not last_laid(row) < disc <= last_place:
        return WRONG_PLACE
    if is_laid(row, kind):
        return LAID_ALREADY
    return LEGAL


@outlined
def _chance_refusal(row: Any, action: int) -> int:
    """AZ-4, AZ-10, AZ-32, MC-2, MC-3: why this outcome of chance is impossible."""
    phase = int(row["phase"])
    if action >= DEAL:
        drawn = pile_of(action)
        if phase != FILL:
            return NOT_NOW
        if size(drawn) != tiles_due(row):
            return WRONG_NUMBER
        if ways(row, drawn) == 0:
            return NOT_IN_BAG
        return LEGAL
    if action >= ADD:
        if action >= ADD + COLOURS:
            return NO_ACTION
        if phase != EXTRA_TILE:
            return NOT_NOW
        if ways(row, tiles(action - ADD, 1)) == 0:
            return NOT_IN_BAG
        return LEGAL
    if action >= LAY:
        return _disc_refusal(row, (action - LAY) // 10, (action - LAY) % 10)
    if phase != START:
        return NOT_NOW
    if action - START_AT >= int(row["seats"]):
        return NO_SEAT
    return LEGAL


@inlined
def refusal_of(row: Any, action: int) -> int:
    """LEGAL, or the code of the rule that forbids the action now."""
    if action < 0 or action >= ACTIONS:
        return NO_ACTION
    if int(row["phase"]) == ENDED:
        return GAME_OVER
    if action >= START_AT:
        return _chance_refusal(row, action)
    if action >= CHOOSE:
        return _choice_refusal(row, (action - CHOOSE) // 5, (action - CHOOSE) % 5)
    if action >= SPREAD:
        how = action - SPREAD
        return _spread_refusal(row, how // 192, how // 32 % 6, how % 32)
    source = action // 6 % SOURCES
    refused = take_refusal(row, source, action // 60, action % 6)
    if refused == LEGAL and source != CENTRE and source == spreader_of(row):
        return SAY_DIRECTIONS
    return refused
