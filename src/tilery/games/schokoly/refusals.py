"""Why an action is not legal, in words, with the id of the rule that forbids it."""

from __future__ import annotations

from tilery.core.refusals import NotAMove, NotLegal, Refused

from .actions import cell_at, lay_of
from .kernel import legality
from .kernel.cards import CARDS, KINDS, PATTERNS
from .kernel.layout import ANSWER_WITH, LAY, LEARN, OFFER, TAKE, TOKEN
from .moves import EXPECTED
from .validity import NAMES
from .view import View, name_of, view_of

_DUE = {
    "deal": ("the cards are dealt first", "SC-11"),
    "draw": ("a card is drawn first", "SC-14"),
    "kind": ("a kind is chosen first", "SC-12"),
    "place": ("it is time to place a card", "SC-14"),
    "secure": ("it is time to put a token on a card, or none", "SC-35"),
    "answer": ("the offer waits for an answer", "SC-51"),
    "accept": ("the swap is to be accepted or declined", "SC-52"),
}

_PLAIN = {
    legality.NOT_AT_ORIGIN: ("the first card lies at 0,0 on the first level", "SC-12"),
    legality.NO_SAME_KIND: ("no edge here joins two pieces of the same kind", "SC-21"),
    legality.NO_SAME_KIND_ABOVE: ("no side of the card touches a visible piece of the same kind", "SC-32"),
    legality.NO_TOKEN_LEFT: ("the second level costs a token, and none is left", "SC-31"),
    legality.HOLE: ("all four pieces of a second-level card lie on first-level pieces: no overhang, no hole", "SC-31"),
    legality.CARD_SECURED: ("a card with a token cannot be covered, not even in part", "SC-31"),
    legality.ONE_CARD: ("a second-level card lies on at least two different cards", "SC-31"),
    legality.CAN_PLACE: ("a player who can place a card on the first level may not pass", "SC-41"),
    legality.CARD_HAS_TOKEN: ("this card already carries a token", "SC-35"),
    legality.CARD_COVERED: ("this card is completely covered", "SC-35"),
    legality.HIDDEN: ("only those who see a card may name it", "SC-60"),
    legality.NOT_AS_SAID: ("another number of pieces was said, or the card is known to be elsewhere", "SC-60"),
    legality.UNSAID: ("say which card was received, such as accept:DDDM", "SC-60"),
}


def _refused_offer(view: View, action: int) -> NotLegal:
    """SC-50, SC-53: the rule that forbids an offer."""
    other = (action - OFFER) // 16
    if not view.rules.swap:
        return NotLegal("cards are not swapped in this game", "SC-50")
    if None in view.kinds:
        return NotLegal("there are no offers before all kinds are chosen", "SC-53")
    if other >= view.rules.seats or other == view.seat:
        return NotLegal(f"seat {other + 1} is not an opponent", "SC-50")
    if view.swapped:
        return NotLegal("only one swap is allowed in a turn", "SC-53")
    if other in view.asked:
        return NotLegal(f"seat {other + 1} was already asked in this turn", "SC-53")
    return NotLegal("both players need a card to swap", "SC-50")


def _card_named_by(action: int) -> str:
    """The card that an action is about."""
    if action >= LAY:
        return name_of(lay_of(action)[0])
    for base in (OFFER, ANSWER_WITH, TAKE, LEARN):
        if action >= base:
            card = (action - base) % 16
            return PATTERNS[card] if card < CARDS else f"card with {card - CARDS} such pieces"
    return "such card"


def _refused_place(action: int, code: int) -> NotLegal:
    if code == legality.NO_SUCH_CARD:
        x, y = cell_at(action - TOKEN)
        return NotLegal(f"no card has its top left piece at {x},{y}", "SC-35")
    pieces, x, y, _ = lay_of(action)
    if code == legality.NOT_FREE:
        return NotLegal(f"the four cells from {x},{y} are not all empty", "SC-20")
    return NotLegal(f"{pieces} at {x},{y} shares fewer than two edges with others", "SC-20")


def explain_refusal(row: bytes, action: int, code: int) -> Refused:
    """The exception for a code that the kernel's `refusal` returned."""
    if code == legality.NO_ACTION:
        return NotAMove(f"{action} is not the number of an action")
    if code in _PLAIN:
        return NotLegal(*_PLAIN[code])
    view = view_of(row)
    if code == legality.GAME_OVER:
        return NotLegal("the game is over", "SC-40" if view.ended_by == "cards" else "SC-41")
    if code == legality.NOT_NOW:
        due, rule = _DUE[view.phase]
        return NotLegal(f"not now: {due} ({EXPECTED[view.phase]})", rule)
    if code == legality.TAKEN_KIND:
        return NotLegal(f"{NAMES[KINDS[action]]} is taken: choose one of the two kinds left", "SC-13")
    if code == legality.NOT_IN_HAND:
        holder = view.partner if ANSWER_WITH <= action < OFFER else view.seat
        return NotLegal(f"seat {(holder or 0) + 1} holds no {_card_named_by(action)}", "SC-14")
    if code == legality.NOT_LEFT:
        return NotLegal(f"no {_card_named_by(action)} is left in the stack", "SC-61")
    if code == legality.NO_OFFER:
        return _refused_offer(view, action)
    return _refused_place(action, code)
