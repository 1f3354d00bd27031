"""Phase A, the factory offer (AZ-10 to AZ-19), with what special discs change about it (MC-6 to MC-11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import count_ones, inlined, lowest, outlined, write_eight
from tilery.core.kernel.journal import note

from .boards import drop, lay_on_line, take_marker
from .circle import factories, left_of, right_of, seat_to_act
from .journal import REST_MOVED, SAUCER_TAKEN, TAKEN
from .layout import (
    CENTRE,
    FLOOR,
    KEEPER,
    NOBODY,
    SAUCER,
    SOURCES,
    SPREAD,
    SPREADER,
)
from .piles import BITS, COLOURS, EACH, as_mask, colours_in, count_of, tiles

# A pair of colour and source is the index of its bit in `sources`.
_PAIRS = [divmod(pair, BITS) for pair in range(BITS * COLOURS)]
FIRST_TAKE = np.array([(colour * SOURCES + source) * 6 for colour, source in _PAIRS], dtype=np.int64)
LINES_AT = np.array([8 * colour for colour, _ in _PAIRS], dtype=np.uint8)

# LINES_IN[mask of lines]: their numbers, then zeros.
LINES_IN = np.array(
    [([line for line in range(6) if mask >> line & 1] + [0] * 8)[:8] for mask in range(64)], dtype=np.int32
)


@inlined
def spreader_of(row: Any) -> int:
    """The source that is the spreader, 0 where there is none."""
    if int(row["specials"]) != 0:
        for disc in range(1, factories(row) + 1):
            if int(row["discs"][disc]) == SPREADER:
                return disc
    return 0


@inlined
def list_takes(row: Any, out: Any) -> int:
    """Every legal turn, as sorted actions; returns their number."""
    return list_takes_from(row, int(row["sources"]), out)


@inlined
def list_takes_from(row: Any, pairs: int, out: Any) -> int:
    """The same for only some of `sources`: `pairs` is a mask of pairs of a colour and a source."""
    lines_open = int(row["open"][seat_to_act(row)])
    spreader = spreader_of(row)
    if spreader != 0:
        pairs &= ~(EACH << spreader)
    n = 0
    while pairs != 0:
        pair = lowest(pairs)
        pairs &= pairs - 1
        lines = (lines_open >> int(LINES_AT[pair])) & 63
        first = int(FIRST_TAKE[pair])
        # A whole block is faster than a loop of unknown length; the excess is overwritten.
        write_eight(out, n, first, LINES_IN, lines)
        n += count_ones(lines)
    if spreader != 0:
        n = _list_spreads(out, n, int(row["piles"][spreader]), lines_open)
    return n


@outlined
def _list_spreads(out: Any, n: int, pile: int, lines_open: int) -> int:
    """MC-7: a take from the spreader, once for each way to lay the rest left and right."""
    shown = as_mask(colours_in(pile))
    for colour in range(COLOURS):
        if shown >> colour & 1:
            rest = shown & ~(1 << colour)
            left = (lines_open >> 8 * colour) & 63
            while left != 0:
                first = SPREAD + (colour * 6 + lowest(left)) * 32
                left &= left - 1
                right = 0
                while True:
                    out[n] = first + right
                    n += 1
                    right = (right - rest) & rest  # the next subset of the rest
                    if right == 0:
                        break
    return n


@inlined
def _keep_rest(row: Any, disc: int, colour: int, rest: int) -> None:
    """MC-6: the rest stays on the keeper."""
    row["piles"][disc] = rest
    row["sources"] = int(row["sources"]) & ~(1 << (BITS * colour + disc))


@outlined
def _spread_rest(row: Any, disc: int, rest: int, right: int, journal: Any = None) -> None:
    """MC-7: each colour of the rest goes to the neighbour on its left or right."""
    row["piles"][disc] = 0
    sources = int(row["sources"]) & ~(EACH << disc)
    for colour in range(COLOURS):
        number = count_of(rest, colour)
        if number != 0:
            to = right_of(row, disc) if right >> colour & 1 else left_of(row, disc)
            row["piles"][to] = int(row["piles"][to]) + tiles(colour, number)
            sources |= 1 << (BITS * colour + to)
            note(journal, REST_MOVED, disc, to, tiles(colour, number))
    row["sources"] = sources


@inlined
def _rest_to_centre(row: Any, source: int, rest: int) -> None:
    """AZ-12, AZ-13: the rest goes to the centre, or stays there."""
    centre = 0 if source == CENTRE else int(row["piles"][CENTRE])
    row["piles"][source] = 0
    row["piles"][CENTRE] = centre + rest
    row["sources"] = int(row["sources"]) & ~(EACH << source) | colours_in(rest)


@inlined
def take(row: Any, source: int, colour: int, line: int, right: int, journal: Any = None) -> None:
    """AZ-12, AZ-13, AZ-14: one turn; `right` is the mask of colours that a spreader lays to its right."""
    seat = seat_to_act(row)
    pile = int(row["piles"][source])
    number = count_of(pile, colour)
    rest = pile - tiles(colour, number)
    kind = int(row["discs"][source])
    note(journal, TAKEN, seat, source, colour, number)
    if kind == KEEPER:
        _keep_rest(row, source, colour, rest)
    elif kind == SPREADER:
        _spread_rest(row, source, rest, right, journal)
    else:
        _rest_to_centre(row, source, rest)
        if journal is not None and source != CENTRE and rest != 0:
            note(journal, REST_MOVED, source, CENTRE, rest)
        if kind == SAUCER:
            row["saucer_seat"] = seat
            note(journal, SAUCER_TAKEN, seat)
    if int(row["marker"]) == NOBODY and source == CENTRE:
        take_marker(row, seat, journal)
    drop(row, seat, colour, lay_on_line(row, seat, line, colour, number, journal), FLOOR, journal)


@inlined
def is_offer_over(row: Any) -> bool:
    """AZ-19: no tile is left in the centre or on a disc."""
    return int(row["sources"]) == 0
