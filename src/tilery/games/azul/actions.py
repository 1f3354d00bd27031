"""Decoding actions outside the kernel."""

from __future__ import annotations

from typing import NamedTuple

from .kernel.layout import CHOOSE, SOURCES, SPREAD


class TakeAction(NamedTuple):
    """A take: colour, source (0 is the centre), line (5 is the floor line), mask of colours laid to the right."""

    colour: int
    source: int
    line: int
    right: int


def take_of(action: int, spreader: int) -> TakeAction:
    """The take behind an action below CHOOSE, given the source that is the spreader (0 where there is none)."""
    if action < SPREAD:
        return TakeAction(action // 60, action // 6 % SOURCES, action % 6, 0)
    how = action - SPREAD
    return TakeAction(how // 192, spreader, how // 32 % 6, how % 32)


def cell_of(action: int) -> tuple[int, int]:
    """Line and column of the action that chooses a cell of the wall."""
    return divmod(action - CHOOSE, 5)
