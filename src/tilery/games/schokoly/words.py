"""The vocabulary of the game, and moves described in it."""

from __future__ import annotations

from .kernel.cards import KINDS
from .move_kinds import Accept, Answer, Decline, Draw, Kind, Lay, NoToken, Offer, Pass, Start, Token, move_of
from .sentences import NAMES
from .view import View, view_of

WORDS = {
    "card": "card",
    "piece": "piece",
    "token": "token",
    "stack": "stack",
    "group": "group",
    "neutral": "neutral kind",
    **NAMES,
}


def _said(view: View, move: Offer | Answer, of: int) -> str:
    """A card on offer and what is said of it; `of` is the seat whose kind is counted."""
    kind = view.kinds[of] or KINDS[0]
    number = move.card.count(kind) if move.card else move.number
    return f"{move.card or 'a card'}, saying {number} {NAMES[kind]}"


def describe_move(row: bytes, action: int) -> str:
    """A legal action in words."""
    view = view_of(row)
    match move_of(row, action):
        case Token(x=x, y=y):
            return f"a token on the card at {x},{y}"
        case Lay(pieces=pieces, x=x, y=y, level=level):
            return f"{pieces} at {x},{y}{' on the second level, with a token' if level == 2 else ''}"
        case Kind(of=kind):
            return f"plays {NAMES[kind]}"
        case Start(seat=seat):
            return f"seat {seat + 1} starts"
        case Draw(card=card):
            return f"seat {(view.seat or 0) + 1} gets {card or 'a card'}"
        case Offer(seat=seat) as offer:
            return f"offers seat {seat + 1} {_said(view, offer, seat)}"
        case Answer() as answer:
            return f"answers with {_said(view, answer, view.seat or 0)}"
        case Accept(card=card):
            return f"agrees to the swap, which gives the viewer {card}" if card else "agrees to the swap"
        case Pass():
            return "passes"
        case NoToken():
            return "no token"
        case Decline():
            return "declines"
