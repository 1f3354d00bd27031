"""The table: cards on two levels, and the places where another one may lie (SC-20 to SC-23, SC-31 to SC-36)."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined, room_for

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

# What a place is good for.
_SPOT, _TOP = 1 << 12, 2 << 12
_MOST_NEW = 24  # places that one card can change: five rows of five but the corners, and room to spare
_ROUND = 8 * CELLS  # makes every index positive before it goes round


@inlined
def index_of(place: int) -> int:
    """Where the cell of a place is in the grid, without the copies before it."""
    return ((place & 255) - MIDDLE + DOWN * ((place >> 8) - MIDDLE) + _ROUND) % CELLS


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
def _kinds(what: int) -> int:
    """The kind of a visible piece as one of three bits, 0 for none."""
    return (1 << (what & ON_TOP)) >> 1


@inlined
def beside(row: Any, at: int) -> int:
    """SC-21, SC-23, SC-32: the kinds of visible pieces beside the four cells of a place, bit 3 * piece + kind."""
    grid = row["grid"]
    g = BEFORE + at
    top_left = _kinds(int(grid[g - DOWN])) | _kinds(int(grid[g - 1]))
    top_right = _kinds(int(grid[g - DOWN + 1])) | _kinds(int(grid[g + 2]))
    low_right = _kinds(int(grid[g + DOWN + 2])) | _kinds(int(grid[g + 2 * DOWN + 1]))
    low_left = _kinds(int(grid[g + DOWN - 1])) | _kinds(int(grid[g + 2 * DOWN]))
    return top_left | top_right << 3 | low_right << 6 | low_left << 9


@inlined
def edges(row: Any, at: int) -> int:
    """SC-20: how many edges a card at this place would share with pieces that lie already."""
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
def is_guarded(row: Any, at: int) -> bool:
    """SC-31, SC-34: one of the four pieces here belongs to a card with a token, on either level."""
    grid = row["grid"]
    g = BEFORE + at
    seen = int(grid[g]) | int(grid[g + 1]) | int(grid[g + DOWN]) | int(grid[g + DOWN + 1])
    return seen & (SECOND | SECURED) != 0


@inlined
def is_one_card(row: Any, at: int) -> bool:
    """SC-31: the four cells (all filled) are those of a single first-level card."""
    return cell(row, at) >> CORNER == 0


@inlined
def _openness(row: Any, at: int) -> int:
    """What lies beside a place, marked as open on the first level or on the second; 0 where no card may ever lie."""
    if is_free(row, at):
        if edges(row, at) >= 2:
            return _SPOT | beside(row, at)
        return 0
    if is_filled(row, at) and not is_guarded(row, at) and not is_one_card(row, at):
        return _TOP | beside(row, at)
    return 0


@inlined
def _replace(entries: Any, count: int, first: int, last: int, new: Any, new_count: int) -> int:
    """Put new entries in the place of those from `first` to `last` - 1; returns how many there are now."""
    shift = new_count - (last - first)
    if shift > 0:
        for k in range(count - 1, last - 1, -1):
            entries[k + shift] = entries[k]
    elif shift < 0:
        for k in range(last, count):
            entries[k + shift] = entries[k]
        for k in range(count + shift, count):
            entries[k] = 0
    for k in range(new_count):
        entries[first + k] = new[k]
    return count + shift


@inlined
def _find(entries: Any, count: int, place: int) -> int:
    """The first entry of an open place that is not before this one."""
    k = 0
    while k < count and int(entries[k]) >> 12 < place:
        k += 1
    return k


@outlined
def refresh(row: Any, place: int) -> None:
    """Look again at all places that touch or overlap the card at this one. Both lists stay sorted."""
    new_spots, new_tops = room_for(_MOST_NEW), room_for(_MOST_NEW)
    spots, tops = row["spots"], row["tops"]
    for down in range(-2, 3):
        across = 1 if down in (-2, 2) else 2
        left = place + (down << 8) - across
        at = index_of(left)
        found_spots = found_tops = 0
        for step in range(2 * across + 1):
            there = at + step
            if there >= CELLS:
                there -= CELLS
            found = _openness(row, there)
            if found & _SPOT:
                new_spots[found_spots] = (left + step) << 12 | (found & BESIDE)
                found_spots += 1
            elif found & _TOP:
                new_tops[found_tops] = (left + step) << 12 | (found & BESIDE)
                found_tops += 1
        right = left + 2 * across + 1
        count = int(row["open_spots"])
        first = _find(spots, count, left)
        last = first
        while last < count and int(spots[last]) >> 12 < right:
            last += 1
        row["open_spots"] = _replace(spots, count, first, last, new_spots, found_spots)
        count = int(row["open_tops"])
        first = _find(tops, count, left)
        last = first
        while last < count and int(tops[last]) >> 12 < right:
            last += 1
        row["open_tops"] = _replace(tops, count, first, last, new_tops, found_tops)


@inlined
def _write_pieces(row: Any, place: int, laid: int, second: bool, token: bool) -> None:
    top_left = index_of(place)
    for piece in range(4):
        at = corner(top_left, piece)
        kind = int(PIECE[laid, piece]) + 1
        if second:
            _write_cell(row, at, cell(row, at) & BELOW | SECOND | kind)
        else:
            _write_cell(row, at, piece << CORNER | (SECURED if token else 0) | kind)


@inlined
def put_pieces(row: Any, place: int, laid: int, second: bool) -> None:
    """SC-20, SC-31: a card on the table; one on the second level carries a token. Open places stay as they were."""
    cards = row["cards"]
    k = int(row["laid"])
    while k > 0 and int(cards[k - 1]) >> 8 > place:
        cards[k] = cards[k - 1]
        k -= 1
    cards[k] = place << 8 | (IS_SECOND | HAS_TOKEN if second else 0) | laid
    row["laid"] = int(row["laid"]) + 1
    _write_pieces(row, place, laid, second, second)


@inlined
def lay_card(row: Any, place: int, laid: int, second: bool) -> None:
    """A card on the table, and the places where the next one may lie."""
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
    """SC-35: a first-level card is not covered altogether."""
    at = index_of(place)
    for piece in range(4):
        if cell(row, corner(at, piece)) & SECOND == 0:
            return True
    return False


@inlined
def may_get_token(row: Any, k: int) -> bool:
    """SC-35: the card carries no token and still shows a piece."""
    card = int(row["cards"][k])
    return card & HAS_TOKEN == 0 and shows_a_piece(row, card >> 8)


@inlined
def secure(row: Any, place: int) -> None:
    """SC-35: a token on the first-level card at this place; it can never be covered, not even in part."""
    k = card_at(row, place)
    row["cards"][k] = int(row["cards"][k]) | HAS_TOKEN
    top_left = index_of(place)
    for piece in range(4):
        at = corner(top_left, piece)
        _write_cell(row, at, cell(row, at) | SECURED)
    refresh(row, place)


@outlined
def begin_table(row: Any) -> None:
    """SC-12: nothing lies, and the first card will lie at the origin, whatever it shows."""
    row["spots"][0] = ORIGIN << 12 | BESIDE
    row["open_spots"] = 1


@outlined
def lay_out(row: Any) -> None:
    """Work out all that follows from `cards` (of an otherwise empty table)."""
    begin_table(row)
    for level in range(2):
        for k in range(int(row["laid"])):
            card = int(row["cards"][k])
            if card & IS_SECOND == level * IS_SECOND:
                _write_pieces(row, card >> 8, card & LAID_BITS, level == 1, card & HAS_TOKEN != 0)
    for k in range(int(row["laid"])):
        refresh(row, int(row["cards"][k]) >> 8)
