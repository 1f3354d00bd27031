"""The English sentences for refusals of positions; `refusals.py` adds those for moves."""

from __future__ import annotations

from tilery.core.refusals import Argument

from .kernel.cards import KINDS
from .rules import SENTENCES as VARIANTS

NAMES = {"D": "dark", "M": "milk", "W": "white"}


def _kind(value: Argument) -> str:
    return NAMES[str(value)]


_POSITIONS = {
    "no-such-card": "there is no card {pieces}: read its pieces clockwise from the top left",
    "pieces-expected": f"expected a card as it lies: four letters of {KINDS}, found {{text}}",
    "too-many-words": "at most {most} were expected here: {what}",
    "words-in-order": "expected {what} in order: {known}",
    "too-many-cards": "there are only {most} cards",
    "cards-in-order": "cards are listed by rows, then columns, each place once",
    "pairs-in-order": "pairs of seats are listed in order, each once",
}

_IMPOSSIBLE = {  # positions that cannot occur in a game
    "copies": "there must be {right} cards {card}, not {number}",
    "stack-sum": "the stack must hold {right} cards, not {number}",
    "card-sum": "stack, hands and table must hold {right} cards, not {number}",
    "hidden-in-whole": "a whole position must not have hidden cards",
    "stack-seen": "nobody may see the stack",
    "own-hand-hidden": "every seat must see its own hand",
    "seen-by-spectator": "a spectator must not see cards of the hand of seat {seat}",
    "seen-by-seat": "{by} must see of the hand of seat {seat} just what it knows from swaps",
    "start-before-deal": "the starting seat is only drawn before the deal, and only if no seat is given",
    "deal-order": "cards must be dealt seat by seat, four each, before anything else",
    "hand-size": "seat {seat} must hold {right} cards while the stack lasts, not {number}",
    "more-than-four": "nobody may hold more than four cards",
    "no-card-to-draw": "there is no card left to draw",
    "last-card": "the game is over when the last card has been played, and only then",
    "all-passed": "the game is over when all have passed in a row, and only then",
    "no-first-card": "the first player must place a card first",
    "kinds-chosen": "the first two players must choose their kinds in their first turns",
    "same-kinds": "each side must have a different kind, and partners the same",
    "kinds-late": "kinds are chosen in the first turns of the first two players",
    "tokens-of-seat": "no seat may have more than {most} tokens",
    "token-count": "there must be {right} tokens, not {number}",
    "no-token-to-lay": "a seat without tokens is not asked for one",
    "cell-twice": "two cards lie at {x},{y} on the first level",
    "no-first-level": "no card lies on the first level",
    "origin-empty": "the first card must lie at 0,0",
    "not-connected": "the card at {x},{y} shares fewer than two edges with cards laid before it",
    "token-missing": "the second-level card at {x},{y} must carry a token",
    "no-four-pieces": "the second-level card at {x},{y} must lie on four first-level pieces",
    "one-card-below": "the second-level card at {x},{y} must lie on at least two cards",
    "third-level": "the second-level card at {x},{y} lies on another one",
    "token-covered": "the card at {x},{y} has a token, but shows no piece",
    "offer-and-phase": "cards must be on offer while a swap is pending, and only then",
    "offers-kept": "offers of a turn are only kept until a card is placed",
    "partner-not-asked": "the partner must have been asked, with no swap yet in this turn",
    "asked-too-early": "only opponents may be asked, once all kinds are chosen",
    "offer-seen": "a card on offer must be seen by its owner alone",
    "offer-not-held": "seat {seat} holds no {card} to offer",
    "offer-number": "{card} has {right} pieces of {kind}, not {number}",
    "offer-cannot-be": "seat {seat} holds no such card",
    "known-by-others": "only the two players of a swap may know its cards",
    "known-not-held": "seat {seat} does not hold what {by} knows of",
    "said-of-own": "a number must be said of another hand",
    "said-not-held": "seat {seat} holds no card with {number} {kind} pieces",
    "passed-with-card": "seat {seat} has passed, so it cannot hold {card}",
    "nobody-passed": "nobody has passed yet",
}

_WHAT = {
    "card": "a card",
    "cards": "cards",
    "hand": "cards of a hand",
    "said-numbers": "numbers said",
    "stack-size": "the number of cards in the stack",
    "copies": "the number of cards {card}",
    "next-copies": "'/' and the number of cards {card}",
    "coordinate": "a coordinate",
    "place": "'@' and the card's top left cell",
    "next-row": "',' and the row",
    "next-said": "':' and the number said",
    "said": "the number said",
    "knowing-seat": "the seat that knows",
    "next-known-seat": "'>' and the seat it knows of",
    "known-seat": "the seat it knows of",
    "asked-seats": "the seats asked, in order",
    "next-asked-seat": "'>' and the seat asked",
    "asked-seat": "the seat asked",
    "passed-seat": "a seat that has passed",
    "seeing-seat": "the seat that sees this",
    "kind": "a kind",
    "tokens": "tokens",
    "passes": "passes in a row",
    "next-kinds": "'/' and the kind of seat {seat}",
    "next-tokens": "'/' and the tokens of seat {seat}",
    "next-hands": "'/' and the hand of seat {seat}",
}

TEXTS = VARIANTS.extended(
    {**_POSITIONS, **{code: f"this position cannot occur: {text}" for code, text in _IMPOSSIBLE.items()}},
    {"kind": _kind},
    {"what": _WHAT},
)
