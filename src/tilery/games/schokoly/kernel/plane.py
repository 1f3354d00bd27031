"""The table: cards on two levels, and the places where another one may lie (SC-20 to SC-23, SC-31 to SC-36)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilery.core.jit import eight_from, highest, inlined, lowest, near_eight, outlined

from .cards import PIECE
from .layout import (
    AFTER,
    BEFORE,
    BELOW,
    BESIDE,
    CELLS,
    CORNER,
    DOWN,
    HAS_TOKEN,
    IS_SECOND,
    LAID_BITS,
    MIDDLE,
    ON_TOP,
    ORIGIN,
    SECOND,
    SECURED,
)

_ROUND = 8 * CELLS  # makes every index positive before the modulo


@inlined
def index_of(place: int) -> int:
    """Where the cell of a place is in the grid, without the copies before it."""
    at = (place & 255) - MIDDLE + DOWN * ((place >> 8) - MIDDLE) + CELLS // 2  # few games ever wrap around
    return at if 0 <= at < CELLS else (at + _ROUND) % CELLS


@inlined
def corner(at: int, piece: int) -> int:
    """The cell of one of the four pieces of a card whose top left cell is given, clockwise from there."""
    there = at + int(piece in (1, 2)) + (DOWN if piece >= 2 else 0)
    return there - CELLS if there >= CELLS else there


@inlined
def cell(row: Any, at: int) -> int:
    """What lies at a cell of the grid."""
    return int(row["grid"][BEFORE + at])


@inlined
def _write_cell(row: Any, at: int, what: int) -> None:
    row["grid"][BEFORE + at] = what
    if at < AFTER:
        row["grid"][BEFORE + CELLS + at] = what
    if at >= CELLS - BEFORE:
        row["grid"][BEFORE + at - CELLS] = what


@inlined
def neighbour_kinds(row: Any, at: int) -> int:
    """SC-21, SC-23, SC-32: the kinds of visible pieces beside the four cells of a place, bit 3 * piece + kind."""
    g = BEFORE + at
    over, under = eight_from(row["grid"], g - DOWN), eight_from(row["grid"], g + 2 * DOWN)
    top, low = eight_from(row["grid"], g - 1), eight_from(row["grid"], g + DOWN - 1)
    return (
        ((over | top) & ON_TOP)
        | ((over >> 8 | top >> 24) & ON_TOP) << 3
        | ((under >> 8 | low >> 24) & ON_TOP) << 6
        | ((under | low) & ON_TOP) << 9
    )


@inlined
def edges(row: Any, at: int) -> int:
    """SC-20: how many edges a card at this place would share with pieces on the table."""
    grid = row["grid"]
    g = BEFORE + at
    return (
        int(int(grid[g - DOWN]) != 0)
        + int(int(grid[g - DOWN + 1]) != 0)
        + int(int(grid[g - 1]) != 0)
        + int(int(grid[g + 2]) != 0)
        + int(int(grid[g + DOWN - 1]) != 0)
        + int(int(grid[g + DOWN + 2]) != 0)
        + int(int(grid[g + 2 * DOWN]) != 0)
        + int(int(grid[g + 2 * DOWN + 1]) != 0)
    )


@inlined
def is_free(row: Any, at: int) -> bool:
    """SC-20: all four cells are empty."""
    grid = row["grid"]
    g = BEFORE + at
    return (int(grid[g]) | int(grid[g + 1]) | int(grid[g + DOWN]) | int(grid[g + DOWN + 1])) == 0


@inlined
def is_filled(row: Any, at: int) -> bool:
    """SC-31: under all four cells lies a first-level piece (no overhang, no hole beneath)."""
    grid = row["grid"]
    g = BEFORE + at
    return int(grid[g]) != 0 and int(grid[g + 1]) != 0 and int(grid[g + DOWN]) != 0 and int(grid[g + DOWN + 1]) != 0


@inlined
def is_secured(row: Any, at: int) -> bool:
    """SC-31, SC-34: one of the four pieces here belongs to a card with a token, on either level."""
    grid = row["grid"]
    g = BEFORE + at
    seen = int(grid[g]) | int(grid[g + 1]) | int(grid[g + DOWN]) | int(grid[g + DOWN + 1])
    return seen & (SECOND | SECURED) != 0


@inlined
def is_one_card(row: Any, at: int) -> bool:
    """SC-31: the four cells (all filled) are those of a single first-level card."""
    return cell(row, at) >> CORNER == 0


# Eight cells of a line of the grid are looked at together, a byte each.
_EACH = 0x0101010101010101
_FIVE = 0x0000000101010101


@inlined
def _some(cells: int) -> int:
    """1 in each byte that is not 0 (bytes have seven bits)."""
    return ((cells + 0x7F * _EACH) >> 7) & _EACH


@inlined
def _drop_near(entries: Any, count: int, place: int, reach: int) -> int:
    """Drop the open places that are within reach across and down; returns how many are left, in another order."""
    x, y = (place & 255) - reach, (place >> 8) - reach
    for first in range((count - 1) & ~63, -1, -64):  # usually there is one such part
        near = 0
        for k in range(first, min(first + 64, count), 8):
            near |= near_eight(entries, k, 12, x, 20, y, 2 * reach) << (k - first)
        while near != 0:
            last = highest(near)
            near ^= 1 << last
            count -= 1
            entries[first + last] = entries[count]
            entries[count] = 0
    return count


@inlined
def _bits(each: int) -> int:
    """The lowest bits of five bytes side by side."""
    return (each * 0x0102040810) >> 32 & 31


# The 5 x 5 places around a card, line by line: steps from the first of them, in places and in the grid.
_PLACE_STEP = np.array([(k // 5) << 8 | k % 5 for k in range(25)], dtype=np.int32)
_GRID_STEP = np.array([k // 5 * DOWN + k % 5 for k in range(25)], dtype=np.int32)


@inlined
def _add(row: Any, entries: Any, count: int, place: int, at: int, mask: int) -> int:
    """Add the open places in a mask of 5 x 5 places, given the first of them; returns the new count."""
    while mask != 0:
        bit = lowest(mask)
        mask &= mask - 1
        there = at + int(_GRID_STEP[bit])
        if there >= CELLS:
            there -= CELLS
        entries[count] = (place + int(_PLACE_STEP[bit])) << 12 | neighbour_kinds(row, there)
        count += 1
    return count


@outlined
def refresh(row: Any, place: int) -> None:
    """SC-20, SC-31: update the open places that touch or overlap the card at `place`, five places of a line at once
    (the functions above check a single place). The lists lose their order: see `sort_open`."""
    # Eight lines of eight cells. The five places in a line have their cells in bytes 1 and 2 (from their own byte on)
    # of a line and of the next; beside them lie bytes 0 and 3 of these, and bytes 1 and 2 of the lines around.
    line = index_of(place - (3 << 8) - 3)
    ends2 = ends1 = sides1 = any1 = both1 = secured1 = corner1 = shared = any2 = both2 = secured2 = 0
    free = full = 0
    for down in range(8):
        cells = eight_from(row["grid"], BEFORE + line)
        line += DOWN
        if line >= CELLS:
            line -= CELLS
        some = _some(cells)
        ends = (some >> 8) + (some >> 16)
        if down >= 3:  # the place whose last line this is: its own two lines were the ones before
            free_here = ~any2 & (shared + ends + 6 * _EACH) >> 3 & _FIVE
            free |= _bits(free_here) << 5 * (down - 3)
            full |= _bits(both2 & ~secured2 & _FIVE) << 5 * (down - 3)
        sides = some + (some >> 24)
        any_cell = some >> 8 | some >> 16
        both = some >> 8 & some >> 16
        secured = cells >> 11 | cells >> 12 | cells >> 19 | cells >> 20
        shared = ends2 + sides1 + sides
        any2 = any1 | any_cell
        both2 = both1 & both & corner1
        secured2 = secured1 | secured
        ends2, ends1, sides1, any1, both1, secured1 = ends1, ends, sides, any_cell, both, secured
        corner1 = cells >> (8 + CORNER) | cells >> (9 + CORNER)
    first = place - (2 << 8) - 2
    at = index_of(first)
    spots, tops = row["spots"], row["tops"]
    row["open_spots"] = _add(row, spots, _drop_near(spots, int(row["open_spots"]), place, 2), first, at, free)
    if int(row["open_tops"]) | full:
        row["open_tops"] = _add(row, tops, _drop_near(tops, int(row["open_tops"]), place, 2), first, at, full)


@inlined
def _sort(entries: Any, count: int) -> None:
    for k in range(1, count):
        entry = int(entries[k])
        at = k
        while at > 0 and int(entries[at - 1]) > entry:
            entries[at] = entries[at - 1]
            at -= 1
        entries[at] = entry


@outlined
def sort_open(row: Any) -> None:
    """Sort the open places; only random playouts do without the order."""
    _sort(row["spots"], int(row["open_spots"]))
    _sort(row["tops"], int(row["open_tops"]))


@outlined
def close_all(row: Any) -> None:
    """SC-40, SC-41: the game is over, no place is open."""
    for k in range(int(row["open_spots"])):
        row["spots"][k] = 0
    for k in range(int(row["open_tops"])):
        row["tops"][k] = 0
    row["open_spots"] = row["open_tops"] = 0


@inlined
def _write_pieces(row: Any, place: int, laid: int, second: bool, token: bool) -> None:
    top_left = index_of(place)
    for piece in range(4):
        at = corner(top_left, piece)
        kind = 1 << int(PIECE[laid, piece])
        if second:
            _write_cell(row, at, cell(row, at) & BELOW | SECOND | kind)
        else:
            _write_cell(row, at, piece << CORNER | (SECURED if token else 0) | kind)


@inlined
def put_pieces(row: Any, place: int, laid: int, second: bool) -> None:
    """SC-20, SC-31: a card on the table; one on the second level carries a token. Open places stay as they were."""
    cards = row["cards"]
    k = int(row["laid"])
    row["laid"] = k + 1
    while k > 0 and int(cards[k - 1]) >> 8 > place:
        cards[k] = cards[k - 1]
        k -= 1
    cards[k] = place << 8 | (IS_SECOND | HAS_TOKEN if second else 0) | laid
    row["stacked"] = int(row["stacked"]) + int(second)
    _write_pieces(row, place, laid, second, second)


@inlined
def lay_card(row: Any, place: int, laid: int, second: bool) -> None:
    """A card on the table, and the places where the next one may lie, in no order."""
    put_pieces(row, place, laid, second)
    refresh(row, place)


@inlined
def card_at(row: Any, place: int) -> int:
    """Which of the lying cards has its top left cell here, NONE (-1) if there is none."""
    for k in range(int(row["laid"])):
        if int(row["cards"][k]) >> 8 == place:
            return k
    return -1


@inlined
def shows_a_piece(row: Any, place: int) -> bool:
    """SC-35: whether a first-level card is not completely covered."""
    at = index_of(place)
    for piece in range(4):
        if cell(row, corner(at, piece)) & SECOND == 0:
            return True
    return False


@inlined
def secure(row: Any, place: int) -> None:
    """SC-35: a token on the first-level card at this place; it can never be covered, not even in part."""
    k = card_at(row, place)
    row["cards"][k] = int(row["cards"][k]) | HAS_TOKEN
    top_left = index_of(place)
    for piece in range(4):
        at = corner(top_left, piece)
        _write_cell(row, at, cell(row, at) | SECURED)
    row["open_tops"] = _drop_near(row["tops"], int(row["open_tops"]), place, 1)


@outlined
def begin_table(row: Any) -> None:
    """SC-12: the table is empty, and the first card goes to the origin, whatever it shows."""
    row["spots"][0] = ORIGIN << 12 | BESIDE
    row["open_spots"] = 1


@outlined
def derive_fields(row: Any) -> None:
    """Compute all fields that follow from `cards` (the table must be empty otherwise)."""
    begin_table(row)
    for level in range(2):
        for k in range(int(row["laid"])):
            card = int(row["cards"][k])
            if card & IS_SECOND == level * IS_SECOND:
                row["stacked"] = int(row["stacked"]) + level
                _write_pieces(row, card >> 8, card & LAID_BITS, level == 1, card & HAS_TOKEN != 0)
    for k in range(int(row["laid"])):
        refresh(row, int(row["cards"][k]) >> 8)
    sort_open(row)
    if int(row["ended"]) != 0:
        close_all(row)
