"""What seats know of each other's hands (SC-60): cards given in swaps, numbers said, passes."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined

from .cards import CARDS_FITTING, COMPATIBLE_ANNOUNCEMENTS, TRUE_ANNOUNCEMENTS
from .piles import count_of, single_card, without_cards


@inlined
def _forget_one(row: Any, viewer: int, holder: int, card: int) -> None:
    """The viewer sees a card leave the holder's hand: if it knew of such a card, that may have been it."""
    known = int(row["known"][viewer, holder])
    if count_of(known, card) > 0:
        row["known"][viewer, holder] = known - single_card(card)
    row["said"][viewer, holder] = int(row["said"][viewer, holder]) & ~int(TRUE_ANNOUNCEMENTS[card])


@outlined
def see_played(row: Any, holder: int, card: int) -> None:
    """Everybody sees which card was played."""
    for viewer in range(3):
        if viewer != holder:
            _forget_one(row, viewer, holder, card)


@outlined
def record_announcement(row: Any, holder: int, announcement: int) -> None:
    """SC-50, SC-51: the others hear that the holder has a card with this number of pieces of a kind."""
    for viewer in range(3):
        if viewer != holder:
            row["said"][viewer, holder] = int(row["said"][viewer, holder]) | 1 << announcement


@inlined
def _forget_announced(row: Any, viewer: int, giver: int, announcement: int) -> None:
    """The third player sees a card change hands of which only a number was said: it may be any that fits."""
    row["known"][viewer, giver] = without_cards(int(row["known"][viewer, giver]), int(CARDS_FITTING[announcement]))
    row["said"][viewer, giver] = int(row["said"][viewer, giver]) & ~int(COMPATIBLE_ANNOUNCEMENTS[announcement])


@outlined
def see_swap_as_third(row: Any, first: int, second: int, given_announcement: int, got_announcement: int) -> None:
    """SC-52: what the third player learns of a swap: two cards changed hands, of which two numbers were said."""
    third = 3 - first - second
    _forget_announced(row, third, first, given_announcement)
    _forget_announced(row, third, second, got_announcement)
    row["said"][third, second] = int(row["said"][third, second]) | 1 << given_announcement
    row["said"][third, first] = int(row["said"][third, first]) | 1 << got_announcement


@outlined
def see_swapped(row: Any, first: int, second: int, given: int, got: int) -> None:
    """SC-52, SC-60: `first` gave a card to `second` and got another one; both know both."""
    _forget_one(row, first, second, got)
    _forget_one(row, second, first, given)
    row["known"][first, second] = int(row["known"][first, second]) + single_card(given)
    row["known"][second, first] = int(row["known"][second, first]) + single_card(got)
