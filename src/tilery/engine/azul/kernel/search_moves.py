"""Moves for the searches: equal factories only once, promising moves first, and a key that identifies positions."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined
from tilery.games.azul.kernel.actions import COLOUR_OF, LINE_OF, SOURCE_OF
from tilery.games.azul.kernel.boards import PENALTY, RUN, floor_count
from tilery.games.azul.kernel.circle import factories
from tilery.games.azul.kernel.layout import (
    CENTRE,
    CHOOSE,
    FLOOR,
    KEEPER,
    NOBODY,
    OFFER,
    SPREAD,
    TILING,
)
from tilery.games.azul.kernel.offer import list_takes_from, spreader_of
from tilery.games.azul.kernel.piles import EACH, count_of
from tilery.games.azul.kernel.tiling import list_choices

LOW = (1 << 63) - 1  # keys have no other bits, so that compiled and plain code agree
_FIRST, _SECOND = 0x1CE4E5B9BF58476D, 0x133111EB94D049BB


@inlined
def mix(number: int) -> int:
    """Mix the bits of a number (a hash)."""
    number = (number * _FIRST) & LOW
    number ^= number >> 29
    number = (number * _SECOND) & LOW
    return number ^ number >> 32


@inlined
def _apart(row: Any, disc: int, spreader: int) -> int:
    """The position of a disc relative to a spreader that may still lay tiles on it; 0 if it does not matter."""
    if spreader == 0:
        return 0
    count = factories(row)
    steps = (disc - spreader) % count
    # Two steps, not one: the disc in between may be a saucer that is taken away.
    if steps <= 2:
        return steps
    return 3 + count - steps if count - steps <= 2 else 0


@inlined
def _busy_spreader(row: Any) -> int:
    """The spreader if there are tiles on it, else 0."""
    spreader = spreader_of(row)
    return spreader if spreader != 0 and int(row["piles"][spreader]) != 0 else 0


@outlined
def _distinct_sources(row: Any) -> int:
    """`sources` without the discs that are equal to an earlier one."""
    pairs = int(row["sources"])
    spreader = _busy_spreader(row)
    for disc in range(2, factories(row) + 1):
        pile = int(row["piles"][disc])
        if pile == 0 or int(row["discs"][disc]) >= KEEPER or _apart(row, disc, spreader) != 0:
            continue
        for other in range(1, disc):
            if (
                int(row["piles"][other]) == pile
                and int(row["discs"][other]) < KEEPER
                and _apart(row, other, spreader) == 0
            ):
                pairs &= ~(EACH << disc)
                break
    return pairs


@inlined
def list_distinct(row: Any, out: Any) -> int:
    """Write the legal moves of a seat, only the first of equal ones; return their number."""
    if int(row["phase"]) == OFFER:
        return list_takes_from(row, _distinct_sources(row), out)
    return list_choices(row, out)


@inlined
def quick_move_score(row: Any, seat: int, action: int) -> int:
    """A quick estimate of a move, in tenths of points."""
    if action >= CHOOSE:
        line, column = (action - CHOOSE) // 5, (action - CHOOSE) % 5
        wall, turned = int(row["wall"][seat]), int(row["wall_columns"][seat])
        across = int(RUN[(wall >> 5 * line & 31) | 1 << column, column])
        down = int(RUN[(turned >> 5 * column & 31) | 1 << line, line])
        return 10 * (across + down)
    if action < SPREAD:
        source, colour, line = int(SOURCE_OF[action]), int(COLOUR_OF[action]), int(LINE_OF[action])
    else:
        how = action - SPREAD
        source, colour, line = spreader_of(row), how // 192, how // 32 % 6
    number = count_of(int(row["piles"][source]), colour)
    taken = floor_count(int(row["floor"][seat]))
    fallen = taken
    if source == CENTRE and int(row["marker"]) == NOBODY:
        fallen += 1
    gain = 0
    if line == FLOOR:
        fallen += number
    else:
        held = int(row["lines"][seat, line]) >> 3
        free = line + 1 - held
        if number >= free:
            fallen += number - free
            column = (colour + line) % 5
            wall, turned = int(row["wall"][seat]), int(row["wall_columns"][seat])
            across = int(RUN[(wall >> 5 * line & 31) | 1 << column, column])
            down = int(RUN[(turned >> 5 * column & 31) | 1 << line, line])
            gain = 8 * (across + down) + 3 * (line + 1 - number)
        else:
            gain = 6 * number // (line + 1) - 3 * (free - number)
    return gain + 4 * number - 10 * (int(PENALTY[min(7, fallen)]) - int(PENALTY[taken]))


@inlined
def key_of(row: Any) -> int:
    """A hash of all that matters for the rest of a round with two seats; the order of equal factories does not.

    Bag and round are left out because they do not change during one search, which ends with the round; so are walls
    and points before the tiling.
    """
    spreader = _busy_spreader(row)
    key = mix(int(row["piles"][CENTRE]) | 1 << 60)
    for disc in range(1, factories(row) + 1):
        pile = int(row["piles"][disc])
        if pile != 0:
            kind = int(row["discs"][disc])
            tag = kind - KEEPER + 2 if kind >= KEEPER else 0
            key += mix((mix(pile | tag << 60) + _apart(row, disc, spreader)) & LOW)
    for seat in range(2):
        board = floor_count(int(row["floor"][seat])) | (6 + seat) << 60
        for line in range(FLOOR):
            board |= int(row["lines"][seat, line]) << (6 * line + 3)
        key = mix((key + mix(board)) & LOW)
    if int(row["phase"]) == TILING:
        for seat in range(2):
            key = mix((key + int(row["score"][seat])) & LOW)
            for colour in range(5):
                key = mix((key + int(row["wall_of"][seat, colour])) & LOW)
    rest = int(row["seat"]) | (int(row["marker"]) + 1) << 2
    if int(row["saucer_seat"]) != NOBODY:
        rest |= (int(row["saucer_seat"]) + 1) << 5 | int(int(row["saucer_tile"]) != 0) << 8
    return mix((key ^ rest * _SECOND) & LOW)
