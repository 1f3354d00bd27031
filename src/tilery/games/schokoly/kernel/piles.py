"""Piles of cards: counts of the twelve cards in one number, four bits each."""

from __future__ import annotations

from tilery.core.jit import count_ones, inlined, outlined

from .cards import CARDS

BITS = 4
COUNT = (1 << BITS) - 1


@inlined
def count_of(pile: int, card: int) -> int:
    """How many of a card are in a pile."""
    return pile >> BITS * card & COUNT


@inlined
def single_card(card: int) -> int:
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
def without_cards(pile: int, cards: int) -> int:
    """A pile less all cards of a mask."""
    rest = pile
    for card in range(CARDS):
        if cards >> card & 1:
            rest &= ~(COUNT << BITS * card)
    return rest


@outlined
def full_set(copies: int) -> int:
    """SC-2, SC-3: a pile with `copies` of every card."""
    pile = 0
    for card in range(CARDS):
        pile += copies << BITS * card
    return pile


_BYTES = 0x010101010101


@inlined
def nth(pile: int, number: int) -> int:
    """The card at a place of a pile laid out in order, counted from 0."""
    # Cards in pairs, a byte for each of the six, and how many there are up to each pair.
    even = pile & COUNT * _BYTES
    upto = (even + (pile >> BITS & COUNT * _BYTES)) * _BYTES & 0xFF * _BYTES
    passed = ((0x80 + number) * _BYTES - upto) & 0x80 * _BYTES  # the pairs that end before it
    pair = count_ones(passed)
    left = number - (upto << 8 >> 8 * pair & 0xFF)
    return 2 * pair + int(left >= even >> 8 * pair & COUNT)
