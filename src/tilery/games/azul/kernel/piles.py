"""Counts of tiles by colour, packed into one number: twelve bits a colour, never more than 100 of one."""

from __future__ import annotations

from tilery.core.jit import inlined

COLOURS = 5
BITS = 12
COUNT = (1 << BITS) - 1
EACH = sum(1 << BITS * colour for colour in range(COLOURS))  # one tile of every colour
_ALMOST = EACH * (COUNT >> 1)
_ALL = (1 << BITS * COLOURS) - 1


@inlined
def count_of(pile: int, colour: int) -> int:
    """How many tiles of the colour lie in the pile."""
    return (pile >> BITS * colour) & COUNT


@inlined
def tiles(colour: int, number: int) -> int:
    """A pile of `number` tiles of one colour."""
    return number << BITS * colour


@inlined
def size(pile: int) -> int:
    """How many tiles lie in the pile."""
    return ((pile * EACH) >> BITS * (COLOURS - 1)) & COUNT


@inlined
def colours_in(pile: int) -> int:
    """A pile with one tile of each colour that the pile shows."""
    return ((pile + _ALMOST) >> (BITS - 1)) & EACH


@inlined
def running_sums(pile: int) -> int:
    """The pile with each count replaced by that of its colour and all colours before it."""
    return (pile * EACH) & _ALL


@inlined
def from_running_sums(sums: int) -> int:
    """The pile that has these running sums."""
    return (sums - (sums << BITS)) & _ALL


@inlined
def drawn_at(sums: int, at: int) -> int:
    """The running sums of one tile: the one at index `at` when the pile's tiles lie in a row by colour."""
    return ((sums + _ALMOST - at * EACH) >> (BITS - 1)) & EACH


@inlined
def as_mask(ones: int) -> int:
    """The colours of a pile of single tiles as a mask of five bits."""
    return (ones | ones >> 11 | ones >> 22 | ones >> 33 | ones >> 44) & 31
