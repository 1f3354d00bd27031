"""The circle of seats and factories: whose turn it is, and which factories are neighbours."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined

from .layout import NOBODY, SAUCER


@inlined
def seat_to_act(row: Any) -> int:
    """Whose turn it is. The mask only tells the compiler that the index is not negative."""
    return int(row["seat"]) & 3


@inlined
def next_seat(row: Any) -> int:
    """AZ-11: the next seat clockwise."""
    following = seat_to_act(row) + 1
    return 0 if following == int(row["seats"]) else following


@inlined
def factories(row: Any) -> int:
    """AZ-1: 5, 7 or 9 factories."""
    return 2 * int(row["seats"]) + 1


@inlined
def has_left(row: Any, disc: int) -> bool:
    """MC-8: whether the disc is a saucer that lies beside a player's board."""
    return int(row["discs"][disc]) == SAUCER and int(row["saucer_seat"]) != NOBODY


@inlined
def right_of(row: Any, disc: int) -> int:
    """MC-10: the nearest disc clockwise that is still in the circle."""
    count = factories(row)
    disc = disc % count + 1
    if has_left(row, disc):
        disc = disc % count + 1
    return disc


@inlined
def left_of(row: Any, disc: int) -> int:
    """MC-10: the nearest disc counter-clockwise that is still in the circle."""
    count = factories(row)
    disc = (disc - 2) % count + 1
    if has_left(row, disc):
        disc = (disc - 2) % count + 1
    return disc
