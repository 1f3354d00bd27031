"""What seats know of each other's hands (SC-60): cards given in swaps, numbers said, passes."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined

from .cards import AGREEING, FITTING, TRUE_OF
from .piles import count_of, one, without


@inlined
def _forget_one(row: Any, viewer: int, holder: int, card: int) -> None:
    """The viewer sees a card leave the holder's hand: if it knew of such a card, that may have been it."""
    known = int(row["known"][viewer, holder])
    if count_of(known, card) > 0:
        row["known"][viewer, holder] = known - one(card)
    row["said"][viewer, holder] = int(row["said"][viewer, holder]) & ~int(TRUE_OF[card])


@outlined
def see_played(row: Any, holder: int, card: int) -> None:
    """Everybody sees which card was played."""
    for viewer in range(3):
        if viewer != holder:
            _forget_one(row, viewer, holder, card)


@outlined
def hear(row: Any, holder: int, saying: int) -> None:
    """SC-50, SC-51: the others hear that the holder has a card with this number of pieces of a kind."""
    for viewer in range(3):
        if viewer != holder:
            row["said"][viewer, holder] = int(row["said"][viewer, holder]) | 1 << saying


@inlined
def _see_given(row: Any, viewer: int, giver: int, saying: int) -> None:
    """The third player sees a card change hands of which only a number was said: it may be any that fits."""
    row["known"][viewer, giver] = without(int(row["known"][viewer, giver]), int(FITTING[saying]))
    row["said"][viewer, giver] = int(row["said"][viewer, giver]) & ~int(AGREEING[saying])


@outlined
def see_third(row: Any, first: int, second: int, given_said: int, got_said: int) -> None:
    """SC-52: what the third player learns of a swap: two cards changed hands, of which two numbers were said."""
    third = 3 - first - second
    _see_given(row, third, first, given_said)
    _see_given(row, third, second, got_said)
    row["said"][third, second] = int(row["said"][third, second]) | 1 << given_said
    row["said"][third, first] = int(row["said"][third, first]) | 1 << got_said


@outlined
def see_swapped(row: Any, first: int, second: int, given: int, got: int) -> None:
    """SC-52, SC-60: `first` gave a card to `second` and got another one; both know both."""
    _forget_one(row, first, second, got)
    _forget_one(row, second, first, given)
    row["known"][first, second] = int(row["known"][first, second]) + one(given)
    row["known"][second, first] = int(row["known"][second, first]) + one(got)
