"""Piles of cards: counts of the twelve cards in one number, four bits each."""

from __future__ import annotations

from tilery.core.jit import inlined, outlined

from .cards import CARDS

BITS = 4
COUNT = (1 << BITS) - 1


@inlined
def count_of(pile: int, card: int) -> int:
    """How many of a card are in a pile."""
    return pile >> BITS * card & COUNT


@inlined
def one(card: int) -> int:
    """A pile of one card."""
    return 1 << BITS * card


@outlined
def size(pile: int) -> int:
    """How many cards a pile holds."""
    total = 0
    for card in range(CARDS):
        total += pile >> BITS * card & COUNT
    return total


@outlined
def cards_in(pile: int) -> int:
    """Which cards are in a pile, as a mask."""
    mask = 0
    for card in range(CARDS):
        mask |= int(pile >> BITS * card & COUNT != 0) << card
    return mask


@outlined
def without(pile: int, cards: int) -> int:
    """A pile less all cards of a mask."""
    rest = pile
    for card in range(CARDS):
        if cards >> card & 1:
            rest &= ~(COUNT << BITS * card)
    return rest


@outlined
def full(copies: int) -> int:
    """SC-2, SC-3: so many copies of every card."""
    pile = 0
    for card in range(CARDS):
        pile += copies << BITS * card
    return pile


@outlined
def nth(pile: int, number: int) -> int:
    """The card at a place of a pile laid out in order, counted from 0."""
    card = 0
    left = number
    while left >= (pile >> BITS * card & COUNT):
        left -= pile >> BITS * card & COUNT
        card += 1
    return card
