"""Why an action is not legal here, in words, with the rule that forbids it."""

from __future__ import annotations

from tilery.core.refusals import NotAMove, NotLegal, Refused

from .kernel import legality as code
from .kernel.cards import CARDS, KINDS, PATTERNS
from .kernel.layout import LAY, LEARN, OFFER, REPLY, TAKE, TOKEN
from .moves import HOW
from .validity import NAMES
from .view import View, card_of, cell_at, name_of, view_of

_DUE = {
    "deal": ("the cards are dealt first", "SC-11"),
    "draw": ("a card is drawn first", "SC-14"),
    "kind": ("a kind is chosen first", "SC-12"),
    "place": ("it is time to place a card", "SC-14"),
    "secure": ("it is time for a token, or none", "SC-35"),
    "answer": ("the offer waits for an answer", "SC-51"),
    "accept": ("the swap waits for a yes or no", "SC-52"),
}

_PLAIN = {
    code.NOT_AT_ORIGIN: ("the first card lies at 0,0 on the first level", "SC-12"),
    code.NO_SAME_KIND: ("no edge here joins two pieces of the same kind", "SC-21"),
    code.NO_SAME_KIND_ABOVE: ("no side of the card touches a visible piece of the same kind", "SC-32"),
    code.NO_TOKEN_LEFT: ("the second level costs a token, and none is left", "SC-31"),
    code.HOLE: ("a second-level card lies on first-level pieces with all four: no overhang, no hole", "SC-31"),
    code.GUARDED: ("a card with a token cannot be covered, not even in part", "SC-31"),
    code.ONE_CARD: ("a second-level card lies on at least two different cards", "SC-31"),
    code.CAN_PLACE: ("who can place a card on the first level may not pass", "SC-41"),
    code.CARD_HAS_TOKEN: ("this card carries a token already", "SC-35"),
    code.CARD_COVERED: ("this card is covered altogether", "SC-35"),
    code.HIDDEN: ("a card is named by those who see it, and by nobody else", "SC-60"),
    code.NOT_AS_SAID: ("a card with another number of pieces was said, or it is known to be elsewhere", "SC-60"),
    code.UNSAID: ("say which card was received, such as accept:DDDM", "SC-60"),
}


def _why_no_offer(view: View, action: int) -> NotLegal:
    """SC-50, SC-53: which of them forbids an offer."""
    other = (action - OFFER) // 16
    if not view.rules.swap:
        return NotLegal("cards are not swapped in this game", "SC-50")
    if None in view.kinds:
        return NotLegal("there are no offers before all kinds are chosen", "SC-53")
    if other >= view.rules.seats or other == view.seat:
        return NotLegal(f"seat {other + 1} is no opponent", "SC-50")
    if view.swapped:
        return NotLegal("one swap in a turn is enough", "SC-53")
    if other in view.asked:
        return NotLegal(f"seat {other + 1} was asked in this turn already", "SC-53")
    return NotLegal("both need a card for a swap", "SC-50")


def _card_of(action: int) -> str:
    """The card that an action is about."""
    if action >= LAY:
        return name_of(card_of(action)[0])
    for base in (OFFER, REPLY, TAKE, LEARN):
        if action >= base:
            card = (action - base) % 16
            return PATTERNS[card] if card < CARDS else f"card with {card - CARDS} such pieces"
    return "such card"


def _why_place(action: int, why: int) -> NotLegal:
    if why == code.NO_SUCH_CARD:
        x, y = cell_at(action - TOKEN)
        return NotLegal(f"no card has its top left piece at {x},{y}", "SC-35")
    pieces, x, y, _ = card_of(action)
    if why == code.NOT_FREE:
        return NotLegal(f"the four cells from {x},{y} are not all empty", "SC-20")
    return NotLegal(f"{pieces} at {x},{y} shares fewer than two edges with others", "SC-20")


def why_not(row: bytes, action: int, why: int) -> Refused:
    """The refusal behind a code of the kernel."""
    if why == code.NO_ACTION:
        return NotAMove(f"{action} is not the number of an action")
    if why in _PLAIN:
        return NotLegal(*_PLAIN[why])
    view = view_of(row)
    if why == code.GAME_OVER:
        return NotLegal("the game is over", "SC-40" if view.ended_by == "cards" else "SC-41")
    if why == code.NOT_NOW:
        due, rule = _DUE[view.phase]
        return NotLegal(f"not now: {due} ({HOW[view.phase]})", rule)
    if why == code.TAKEN_KIND:
        return NotLegal(f"{NAMES[KINDS[action]]} is taken: choose one of the two kinds left", "SC-13")
    if why == code.NOT_IN_HAND:
        holder = view.partner if REPLY <= action < OFFER else view.seat
        return NotLegal(f"seat {(holder or 0) + 1} holds no {_card_of(action)}", "SC-14")
    if why == code.NOT_LEFT:
        return NotLegal(f"no {_card_of(action)} is left in the stack", "SC-61")
    if why == code.NO_OFFER:
        return _why_no_offer(view, action)
    return _why_place(action, why)
