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


_LOWEST = sum(1 << BITS * card for card in range(CARDS))


@inlined
def nibbles_in(pile: int) -> int:
    """Which cards are in a pile: bit 4 * card for each."""
    return (pile | pile >> 1 | pile >> 2) & _LOWEST


@outlined
def cards_in(pile: int) -> int:
    """Which cards are in a pile, as a mask."""
    mask = 0
    for card in range(CARDS):
        mask |= int(pile >> BITS * card & COUNT != 0) << card
    return mask


@outlined
def spread(cards: int) -> int:
    """A mask of cards with bit 4 * card for each."""
    mask = 0
    for card in range(CARDS):
        mask |= (cards >> card & 1) << BITS * card
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


@inlined
def nth(pile: int, number: int) -> int:
    """The card at a place of a pile laid out in order, counted from 0."""
    card = upto = 0
    for k in range(CARDS - 1):
        upto += pile >> BITS * k & COUNT
        card += int(number >= upto)
    return card
