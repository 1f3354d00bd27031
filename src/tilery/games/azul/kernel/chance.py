"""Chance: the starting seat (AZ-4), the special discs (MC-2), the deal (AZ-10, AZ-32), the extra tile (MC-3).

Each step of chance is small enough to list all outcomes with their exact probabilities: a deal is one step for each
disc, the special discs are laid one by one clockwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import inlined, lowest, outlined
from tilery.core.kernel.generator import below
from tilery.core.kernel.journal import note

from .circle import factories, left_of, right_of
from .journal import ATTRACTED, DEALT, DISC_LAID, REFILLED
from .layout import (
    ADD,
    DEAL,
    DRAW_DISCS,
    EXTRA,
    EXTRA_TILE,
    FILL,
    KEEPER,
    KINDS,
    LAY,
    MAGNET,
    NEVER,
    OFFER,
    PLAIN,
    START,
    START_AT,
)
from .piles import BITS, COLOURS, colours_in, count_of, drawn_at, from_running_sums, running_sums, size, tiles

A_DISC = 4  # AZ-10: tiles on a factory


def _pascal(most: int) -> list[list[int]]:
    rows = [[1] + [0] * A_DISC]
    for _ in range(most):
        above = rows[-1]
        rows.append([1] + [above[k - 1] + above[k] for k in range(1, A_DISC + 1)])
    return rows


# WAYS[n, k]: how many ways there are to draw k of n tiles.
WAYS = np.array(_pascal(100), dtype=np.float64)


@inlined
def undealt(row: Any) -> int:
    """AZ-32: the number of tiles in the bag and the lid."""
    return size(int(row["bag"])) + size(int(row["lid"]))


@inlined
def next_disc(row: Any) -> int:
    """AZ-32: the disc to be filled next (discs are filled in order, each with at least one tile)."""
    disc = 1
    while int(row["piles"][disc]) != 0:
        disc += 1
    return disc


@inlined
def tiles_due(row: Any) -> int:
    """AZ-10, AZ-32: how many tiles the next disc gets."""
    return min(A_DISC, undealt(row))


@inlined
def laid(row: Any) -> int:
    """MC-2: how many special discs have been laid."""
    count = 0
    for disc in range(1, factories(row) + 1):
        if int(row["discs"][disc]) != PLAIN:
            count += 1
    return count


@inlined
def last_laid(row: Any) -> int:
    """The last special disc in the circle, 0 if there is none yet."""
    last = 0
    for disc in range(1, factories(row) + 1):
        if int(row["discs"][disc]) != PLAIN:
            last = disc
    return last


@inlined
def is_laid(row: Any, kind: int) -> bool:
    """MC-1: whether the special disc is in the circle already (there is one of each)."""
    for disc in range(1, factories(row) + 1):
        if int(row["discs"][disc]) == kind:
            return True
    return False


@inlined
def begin_offer(row: Any) -> None:
    """AZ-11: the starting player moves first."""
    sources = 0
    for disc in range(1, factories(row) + 1):
        sources |= colours_in(int(row["piles"][disc])) << disc
    row["sources"] = sources
    row["phase"] = OFFER
    row["seat"] = row["starter"]


@outlined
def _attract(row: Any, disc: int, colour: int, journal: Any = None) -> None:
    """MC-4: a magnet takes one tile of its colour from each neighbour that has one."""
    for other in (left_of(row, disc), right_of(row, disc)):
        pile = int(row["piles"][other])
        if count_of(pile, colour) != 0:
            row["piles"][other] = pile - tiles(colour, 1)
            row["piles"][disc] = int(row["piles"][disc]) + tiles(colour, 1)
            note(journal, ATTRACTED, other, disc, colour)


@outlined
def set_up_effects(row: Any, first: int, journal: Any = None) -> None:
    """MC-3, MC-4, MC-5: the effects of the set-up, clockwise from disc `first`; then the offer begins."""
    for disc in range(first, factories(row) + 1):
        kind = int(row["discs"][disc])
        if kind == EXTRA and undealt(row) > 0:
            row["phase"] = EXTRA_TILE
            return
        if MAGNET <= kind < KEEPER:
            _attract(row, disc, kind - MAGNET, journal)
    begin_offer(row)


@inlined
def draw_from_bag(row: Any, drawn: int, journal: Any = None) -> None:
    """AZ-32: tiles leave the bag; when it is empty and more are needed, the lid is poured into it first."""
    bag = int(row["bag"])
    if size(drawn) > size(bag):
        note(journal, REFILLED, int(row["lid"]))
        bag += int(row["lid"])
        row["lid"] = 0
    row["bag"] = bag - drawn


@inlined
def fill(row: Any, drawn: int, journal: Any = None) -> None:
    """AZ-10: the next disc gets its tiles; after the last one the set-up effects follow."""
    disc = next_disc(row)
    draw_from_bag(row, drawn, journal)
    row["piles"][disc] = drawn
    note(journal, DEALT, disc, drawn)
    if disc == factories(row) or undealt(row) == 0:
        if int(row["specials"]) == NEVER:
            begin_offer(row)
        else:
            set_up_effects(row, 1, journal)


@outlined
def add_extra(row: Any, colour: int, journal: Any = None) -> None:
    """MC-3: one more tile for the extra; then the remaining set-up effects."""
    disc = 1
    while int(row["discs"][disc]) != EXTRA:
        disc += 1
    draw_from_bag(row, tiles(colour, 1), journal)
    row["piles"][disc] = int(row["piles"][disc]) + tiles(colour, 1)
    note(journal, DEALT, disc, tiles(colour, 1))
    set_up_effects(row, disc + 1, journal)


@outlined
def lay(row: Any, disc: int, kind: int, journal: Any = None) -> None:
    """MC-2: a special disc is laid; after the last one the discs are filled."""
    row["discs"][disc] = kind
    note(journal, DISC_LAID, disc, kind)
    if laid(row) == int(row["seats"]):
        row["phase"] = FILL


@inlined
def pile_of(action: int) -> int:
    """The tiles that a deal names."""
    counts = action - DEAL
    return counts & 0o7 | (counts & 0o70) << 9 | (counts & 0o700) << 18 | (counts & 0o7000) << 27 | (counts >> 12) << 48


@inlined
def deal_of(pile: int) -> int:
    """The deal that names these tiles."""
    return DEAL + (pile & 0o7 | pile >> 9 & 0o70 | pile >> 18 & 0o700 | pile >> 27 & 0o7000 | pile >> 48 << 12)


@inlined
def ways(row: Any, drawn: int) -> float:
    """In how many ways the tiles can be drawn; 0 when they cannot (AZ-32: the rest of the bag comes first)."""
    bag = int(row["bag"])
    pool, wanted = bag, drawn
    if size(drawn) > size(bag):
        pool, wanted = int(row["lid"]), 0
        for colour in range(COLOURS):
            number = count_of(drawn, colour) - count_of(bag, colour)
            if number < 0:
                return 0.0
            wanted += tiles(colour, number)
    product = 1.0
    for colour in range(COLOURS):
        product *= WAYS[count_of(pool, colour), count_of(wanted, colour)]
    return product


@outlined
def _list_deals(row: Any, out: Any) -> int:
    due = tiles_due(row)
    n = 0
    for white in range(due + 1):
        for black in range(due + 1 - white):
            for red in range(due + 1 - white - black):
                for yellow in range(due + 1 - white - black - red):
                    blue = due - white - black - red - yellow
                    action = DEAL + (blue | yellow << 3 | red << 6 | black << 9 | white << 12)
                    if ways(row, pile_of(action)) > 0:
                        out[n] = action
                        n += 1
    return n


@outlined
def _list_discs(row: Any, out: Any) -> int:
    """MC-2: the next special disc clockwise: every place that leaves room for the others, every kind left."""
    last_place = factories(row) - (int(row["seats"]) - laid(row)) + 1
    n = 0
    for disc in range(last_laid(row) + 1, last_place + 1):
        for kind in range(EXTRA, KINDS):
            if not is_laid(row, kind):
                out[n] = LAY + disc * 10 + kind
                n += 1
    return n


@outlined
def list_outcomes(row: Any, out: Any) -> int:
    """Write all possible outcomes, as sorted actions; returns their number."""
    phase = int(row["phase"])
    if phase == START:
        for seat in range(int(row["seats"])):
            out[seat] = START_AT + seat
        return int(row["seats"])
    if phase == DRAW_DISCS:
        return _list_discs(row, out)
    if phase == FILL:
        return _list_deals(row, out)
    n = 0
    for colour in range(COLOURS):
        if ways(row, tiles(colour, 1)) > 0:
            out[n] = ADD + colour
            n += 1
    return n


@inlined
def weight(row: Any, action: int) -> float:
    """How likely an outcome is, in proportion to the others."""
    if action >= DEAL:
        return ways(row, pile_of(action))
    if action >= ADD:
        return ways(row, tiles(action - ADD, 1))
    if action >= LAY:
        # Every complete layout is equally likely: count those that continue from this place.
        behind = factories(row) - (action - LAY) // 10
        others = int(row["seats"]) - laid(row) - 1
        return float(WAYS[behind, others])
    return 1.0


@outlined
def _draw_disc(row: Any, rng: Any, i: int) -> int:
    """MC-2: walk clockwise; a place is special with the probability of drawing a remaining special disc."""
    disc = last_laid(row) + 1
    to_lay = int(row["seats"]) - laid(row)
    while below(rng, i, factories(row) - disc + 1) >= to_lay:
        disc += 1
    skip = below(rng, i, KINDS - 1 - laid(row))
    kind = EXTRA
    while True:
        if not is_laid(row, kind):
            if skip == 0:
                return LAY + disc * 10 + kind
            skip -= 1
        kind += 1


@inlined
def _draw_some(rng: Any, i: int, pile: int, number: int) -> int:
    """Draw tiles one by one from a pile, without replacement, as running sums."""
    sums = running_sums(pile)
    left = size(pile)
    drawn = 0
    for k in range(number):
        tile = drawn_at(sums, below(rng, i, left - k))
        sums -= tile
        drawn += tile
    return drawn


@inlined
def draw_tiles(row: Any, rng: Any, i: int, due: int) -> int:
    """AZ-32: draw a pile of tiles from the bag; when it runs empty, the rest from the lid."""
    bag = int(row["bag"])
    if due == A_DISC and size(bag) >= A_DISC:
        return from_running_sums(_draw_some(rng, i, bag, A_DISC))  # as below, but a loop of constant length is faster
    first = min(due, size(bag))
    drawn = _draw_some(rng, i, bag, first)
    if first < due:
        drawn += _draw_some(rng, i, int(row["lid"]), due - first)
    return from_running_sums(drawn)


@outlined
def draw_outcome(row: Any, rng: Any, i: int) -> int:
    """A random outcome, drawn with its probability."""
    phase = int(row["phase"])
    if phase == START:
        return START_AT + below(rng, i, int(row["seats"]))
    if phase == DRAW_DISCS:
        return _draw_disc(row, rng, i)
    if phase == FILL:
        return deal_of(draw_tiles(row, rng, i, tiles_due(row)))
    return ADD + lowest(draw_tiles(row, rng, i, 1)) // BITS
