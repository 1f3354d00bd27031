"""The vocabulary of the game, and moves described in it."""

from __future__ import annotations

from .actions import cell_at, lay_of
from .kernel.cards import CARDS, KINDS, PATTERNS, UNKNOWN
from .kernel.layout import AGREE, ANSWER_WITH, DECLINE, LAY, LEARN, NO_TOKEN, OFFER, PASS, TAKE, TOKEN
from .validity import NAMES
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


def _said(view: View, code: int, of: int) -> str:
    """A card on offer and what is said of it; `of` is the seat whose kind is counted."""
    kind = view.kinds[of] or KINDS[0]
    if code < CARDS:
        return f"{PATTERNS[code]}, saying {PATTERNS[code].count(kind)} {NAMES[kind]}"
    return f"a card, saying {code - CARDS} {NAMES[kind]}"


def _describe_swap(view: View, action: int) -> str:
    if action >= OFFER:
        other, code = divmod(action - OFFER, 16)
        return f"offers seat {other + 1} {_said(view, code, other)}"
    if action >= ANSWER_WITH:
        return f"answers with {_said(view, action - ANSWER_WITH, view.seat or 0)}"
    if action >= LEARN:
        return f"agrees to the swap, which gives the viewer {PATTERNS[action - LEARN]}"
    return "agrees to the swap"


def describe_move(row: bytes, action: int) -> str:
    """A legal action in words."""
    view = view_of(row)
    if action >= TOKEN:
        x, y = cell_at(action - TOKEN)
        return f"a token on the card at {x},{y}"
    if action >= LAY:
        pieces, x, y, level = lay_of(action)
        how = " on the second level, with a token" if level == 2 else ""
        return f"{pieces} at {x},{y}{how}"
    if action < PASS:
        return f"plays {NAMES[KINDS[action]]}"
    simple = {PASS: "passes", NO_TOKEN: "no token", DECLINE: "declines"}
    if action in simple:
        return simple[action]
    if TAKE <= action < ANSWER_WITH:
        card = action - TAKE
        return f"seat {(view.seat or 0) + 1} gets {'a card' if card == UNKNOWN else PATTERNS[card]}"
    assert action >= LEARN or action == AGREE
    return _describe_swap(view, action)
