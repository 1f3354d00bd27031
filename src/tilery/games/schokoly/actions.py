"""Decoding actions outside the kernel."""

from __future__ import annotations

from typing import NamedTuple

from .kernel.cards import PATTERNS
from .kernel.layout import LAY, MIDDLE, UP

LAID_AS = {  # the pieces of a card as it lies, clockwise from the top left
    "".join(pattern[(piece - turns) % 4] for piece in range(4)): 4 * card + turns
    for card, pattern in enumerate(PATTERNS)
    for turns in range(4)
}
PIECES_AS = tuple(LAID_AS)


class Lay(NamedTuple):
    """Laying a card: its pieces as it lies, column and row of the top left one, and the level (1 or 2)."""

    pieces: str
    x: int
    y: int
    level: int


def lay_of(action: int) -> Lay:
    """The card behind an action from LAY to TOKEN."""
    what = action - LAY
    x, y = cell_at(what >> 6 & 0xFFFF)
    return Lay(PIECES_AS[what & 63], x, y, 2 if what & UP else 1)


def place_at(x: int, y: int) -> int:
    """The number of a place by its top left cell."""
    return (y + MIDDLE) << 8 | x + MIDDLE


def cell_at(place: int) -> tuple[int, int]:
    """The top left cell of a place."""
    return (place & 255) - MIDDLE, (place >> 8) - MIDDLE
