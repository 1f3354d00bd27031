"""Why something is not a legal move: a code, its arguments, and the id of the rule that forbids it."""

from __future__ import annotations

from tilery.core.refusals import Argument, NotLegal, Refused

from .actions import cell_at, lay_of
from .kernel import legality
from .kernel.cards import CARDS, KINDS, PATTERNS
from .kernel.layout import ANSWER_WITH, LAY, LEARN, OFFER, START_AT, TAKE, TOKEN
from .sentences import TEXTS
from .view import HIDDEN, View, name_of, view_of

_PLACE = (
    "a card as it lies, clockwise from the top left, and its top left cell, such as WDDM@2,0 "
    "(or WDDM@2,0^ on the second level)"
)
_EXPECTED = {  # by phase
    "start": "the starting seat, such as start=2",
    "deal": "a card dealt, such as +DDMW",
    "draw": "a card drawn, such as +DDMW",
    "kind": "a kind: dark, milk or white",
    "place": _PLACE,
    "swap": f"{_PLACE}, or offer:DDDM>2",
    "secure": "token@X,Y for the card at X,Y, or no-token",
    "answer": "a card in answer, such as answer:MMWD, or decline",
    "accept": "accept or decline",
}

_DUE = {  # by phase
    "start": ("the starting seat is drawn first, such as start=2", "SC-12"),
    "deal": (f"the cards are dealt first ({_EXPECTED['deal']})", "SC-11"),
    "draw": (f"a card is drawn first ({_EXPECTED['draw']})", "SC-14"),
    "kind": (f"a kind is chosen first ({_EXPECTED['kind']})", "SC-12"),
    "place": (f"it is time to place a card ({_EXPECTED['place']})", "SC-14"),
    "secure": (f"it is time to put a token on a card, or none ({_EXPECTED['secure']})", "SC-35"),
    "answer": (f"the offer waits for an answer ({_EXPECTED['answer']})", "SC-51"),
    "accept": (f"the swap is to be accepted or declined ({_EXPECTED['accept']})", "SC-52"),
}

_PLAIN = {  # by code of the kernel: code and rule of a refusal without arguments
    legality.NOT_AT_ORIGIN: ("not-at-origin", "SC-12"),
    legality.NO_SAME_KIND: ("no-same-kind", "SC-21"),
    legality.NO_SAME_KIND_ABOVE: ("no-same-kind-above", "SC-32"),
    legality.NO_TOKEN_LEFT: ("no-token-left", "SC-31"),
    legality.HOLE: ("hole", "SC-31"),
    legality.CARD_SECURED: ("card-secured", "SC-31"),
    legality.ONE_CARD: ("one-card", "SC-31"),
    legality.CAN_PLACE: ("can-place", "SC-41"),
    legality.CARD_HAS_TOKEN: ("card-has-token", "SC-35"),
    legality.CARD_COVERED: ("card-covered", "SC-35"),
    legality.HIDDEN: ("hidden-card", "SC-60"),
    legality.NOT_AS_SAID: ("not-as-said", "SC-60"),
    legality.UNSAID: ("card-unsaid", "SC-60"),
}


def _card(value: Argument) -> str:
    text = str(value)
    return f"card with {text[1:]} such pieces" if text.startswith(HIDDEN) else text


SENTENCES = TEXTS.extended(
    {
        "over-not-a-move": "{text} is not a move, and the game is over",
        "not-at-origin": "the first card lies at 0,0 on the first level",
        "no-same-kind": "no edge here joins two pieces of the same kind",
        "no-same-kind-above": "no side of the card touches a visible piece of the same kind",
        "no-token-left": "the second level costs a token, and none is left",
        "hole": "all four pieces of a second-level card lie on first-level pieces: no overhang, no hole",
        "card-secured": "a card with a token cannot be covered, not even in part",
        "one-card": "a second-level card lies on at least two different cards",
        "can-place": "a player who can place a card on the first level may not pass",
        "card-has-token": "this card already carries a token",
        "card-covered": "this card is completely covered",
        "hidden-card": "only those who see a card may name it",
        "not-as-said": "another number of pieces was said, or the card is known to be elsewhere",
        "card-unsaid": "say which card was received, such as accept:DDDM",
        "kind-taken": "{kind} is taken: choose one of the two kinds left",
        "not-in-hand": "seat {seat} holds no {card}",
        "not-in-stack": "no {card} is left in the stack",
        "no-swaps": "cards are not swapped in this game",
        "kinds-first": "there are no offers before all kinds are chosen",
        "not-an-opponent": "seat {seat} is not an opponent",
        "one-swap": "only one swap is allowed in a turn",
        "already-asked": "seat {seat} was already asked in this turn",
        "no-card-to-swap": "both players need a card to swap",
        "no-card-there": "no card has its top left piece at {x},{y}",
        "not-free": "the four cells from {x},{y} are not all empty",
        "no-seat": "there is no seat {seat}: {seats} seats play",
        "too-few-edges": "{pieces} at {x},{y} shares fewer than two edges with others",
    },
    {
        "card": _card,
    },
    {"expected": _EXPECTED, "due": {phase: due for phase, (due, _) in _DUE.items()}},
)

_refuse = SENTENCES.not_legal


def expected_in(view: View) -> str:
    """What may be played now, for a refusal: the phase, or `swap` where a card may also be offered."""
    return "swap" if view.phase == "place" and view.rules.swap else view.phase


def _refused_offer(view: View, action: int) -> NotLegal:
    """SC-50, SC-53: the rule that forbids an offer."""
    other = (action - OFFER) // 16
    if not view.rules.swap:
        return _refuse("no-swaps", "SC-50")
    if None in view.kinds:
        return _refuse("kinds-first", "SC-53")
    if other >= view.rules.seats or other == view.seat:
        return _refuse("not-an-opponent", "SC-50", seat=other)
    if view.swapped:
        return _refuse("one-swap", "SC-53")
    if other in view.asked:
        return _refuse("already-asked", "SC-53", seat=other)
    return _refuse("no-card-to-swap", "SC-50")


def _card_named_by(action: int) -> str:
    """The card that an action is about, or `?` and the number said of a hidden one."""
    if action >= LAY:
        return name_of(lay_of(action)[0])
    base = next(base for base in (OFFER, ANSWER_WITH, TAKE, LEARN) if action >= base)
    card = (action - base) % 16
    return PATTERNS[card] if card < CARDS else f"{HIDDEN}{card - CARDS}"


def _not_in_hand(view: View, action: int) -> NotLegal:
    holder = view.partner if ANSWER_WITH <= action < OFFER else view.seat
    return _refuse("not-in-hand", "SC-14", seat=holder or 0, card=_card_named_by(action))


def _refused_place(action: int, code: int) -> NotLegal:
    if code == legality.NO_SUCH_CARD:
        x, y = cell_at(action - TOKEN)
        return _refuse("no-card-there", "SC-35", x=x, y=y)
    pieces, x, y, _ = lay_of(action)
    if code == legality.NOT_FREE:
        return _refuse("not-free", "SC-20", x=x, y=y)
    return _refuse("too-few-edges", "SC-20", pieces=pieces, x=x, y=y)


def explain_refusal(row: bytes, action: int, code: int) -> Refused:
    """The exception for a code that the kernel's `refusal` returned."""
    if code == legality.NO_ACTION:
        return SENTENCES.not_a_move("not-a-number", number=action)
    if code in _PLAIN:
        return _refuse(*_PLAIN[code])
    view = view_of(row)
    if code == legality.GAME_OVER:
        return _refuse("game-over", "SC-40" if view.ended_by == "cards" else "SC-41")
    if code == legality.NOT_NOW:
        return _refuse("not-now", _DUE[view.phase][1], due=view.phase)
    if code == legality.TAKEN_KIND:
        return _refuse("kind-taken", "SC-13", kind=KINDS[action])
    if code == legality.NO_SEAT:
        return _refuse("no-seat", "SC-12", seat=action - START_AT, seats=view.rules.seats)
    if code == legality.NOT_IN_HAND:
        return _not_in_hand(view, action)
    if code == legality.NOT_LEFT:
        return _refuse("not-in-stack", "SC-61", card=_card_named_by(action))
    if code == legality.NO_OFFER:
        return _refused_offer(view, action)
    return _refused_place(action, code)
