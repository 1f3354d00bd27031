"""Moves as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

import re
from functools import lru_cache

from tilery.core.refusals import NotAMove

from .actions import LAID_AS, cell_at, lay_of, place_at
from .kernel.cards import CARDS, KINDS, LAID, PATTERNS, UNKNOWN
from .kernel.layout import AGREE, ANSWER_WITH, DECLINE, LAY, LEARN, NO_TOKEN, OFFER, PASS, TAKE, TOKEN, UP
from .view import HIDDEN, name_of, view_of

MAX_MOVE_CHARACTERS = 24
_CARD = "|".join(PATTERNS)
_CELL = r"(-?[1-9][0-9]?|0),(-?[1-9][0-9]?|0)"
_LAY = re.compile(rf"([DMW]{{4}})@{_CELL}(\^)?", re.ASCII)
_TOKEN = re.compile(rf"token@{_CELL}", re.ASCII)
_TAKE = re.compile(rf"\+({_CARD}|\?)", re.ASCII)
_OFFER = re.compile(rf"offer:(?:({_CARD})|\?([0-3]))>([1-3])", re.ASCII)
_ANSWER = re.compile(rf"answer:(?:({_CARD})|\?([0-3]))", re.ASCII)
_LEARN = re.compile(rf"accept:({_CARD})", re.ASCII)

_WORDS = {
    "dark": 0,
    "milk": 1,
    "white": 2,
    "pass": PASS,
    "no-token": NO_TOKEN,
    "decline": DECLINE,
    "accept": AGREE,
}
_WORD_OF = {action: word for word, action in _WORDS.items()}

# What was expected, for error messages, by phase.
EXPECTED = {
    "deal": "a card dealt, such as +DDMW",
    "draw": "a card drawn, such as +DDMW",
    "kind": "a kind: dark, milk or white",
    "place": "a card as it lies, clockwise from the top left, and its top left cell, such as WDDM@2,0 (or WDDM@2,0^ on "
    "the second level)",
    "secure": "token@X,Y for the card at X,Y, or no-token",
    "answer": "a card in answer, such as answer:MMWD, or decline",
    "accept": "accept or decline",
}


def _not_a_move(row: bytes, text: str) -> NotAMove:
    view = view_of(row)
    if view.phase == "over":
        return NotAMove(f"{text[:40]!a} is not a move, and the game is over")
    how = EXPECTED[view.phase]
    if view.phase == "place" and view.rules.swap:
        how += ", or offer:DDDM>2"
    return NotAMove(f"{text[:40]!a} is not a move: expected {how}")


def _place(x: str, y: str) -> int:
    return place_at(int(x), int(y))


def _hidden_or(card: str | None, number: str) -> int:
    return PATTERNS.index(card) if card else CARDS + int(number)


def read_move(row: bytes, text: str) -> int:
    """The action behind a move, legal or not."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > MAX_MOVE_CHARACTERS:
        raise NotAMove(f"a move has at most {MAX_MOVE_CHARACTERS} characters, this one has {len(text):,}")
    if parts := _LAY.fullmatch(text):
        if parts[1] not in LAID_AS:
            raise NotAMove(f"there is no card {parts[1]}: read its pieces clockwise from the top left (SC-2)")
        laid = LAID_AS[parts[1]]
        return LAY + (UP if parts[4] else 0) + (_place(parts[2], parts[3]) << 6) + laid
    if parts := _TOKEN.fullmatch(text):
        return TOKEN + _place(parts[1], parts[2])
    if parts := _TAKE.fullmatch(text):
        return TAKE + (UNKNOWN if parts[1] == HIDDEN else PATTERNS.index(parts[1]))
    if parts := _OFFER.fullmatch(text):
        return OFFER + 16 * (int(parts[3]) - 1) + _hidden_or(parts[1], parts[2])
    if parts := _ANSWER.fullmatch(text):
        return ANSWER_WITH + _hidden_or(parts[1], parts[2])
    if parts := _LEARN.fullmatch(text):
        return LEARN + PATTERNS.index(parts[1])
    raise _not_a_move(row, text)


def _card_or_number(code: int) -> str:
    return PATTERNS[code] if code < CARDS else f"{HIDDEN}{code - CARDS}"


def _is_action(action: int) -> bool:
    """Whether a number that is not one of `_WORDS` is an action."""
    if action >= TOKEN:
        return action < TOKEN + (1 << 16)
    if action >= LAY:
        return (action - LAY) % 64 < LAID
    parts = ((LEARN, CARDS), (TAKE, UNKNOWN + 1), (ANSWER_WITH, 16), (OFFER, 48))
    return any(first <= action < first + count for first, count in parts)


@lru_cache(maxsize=1 << 15)  # independent of the position, and most moves of a turn were legal in the turn before
def _write(action: int) -> str:
    if action in _WORD_OF:
        return _WORD_OF[action]
    if not _is_action(action):
        raise NotAMove(f"{action} is not the number of an action")
    if action >= LAY:
        if action >= TOKEN:
            return "token@{},{}".format(*cell_at(action - TOKEN))
        pieces, x, y, level = lay_of(action)
        return f"{pieces}@{x},{y}{'^' if level == 2 else ''}"
    if action >= OFFER:
        other, code = divmod(action - OFFER, 16)
        return f"offer:{_card_or_number(code)}>{other + 1}"
    if action >= ANSWER_WITH:
        return f"answer:{_card_or_number(action - ANSWER_WITH)}"
    if action >= TAKE:
        card = action - TAKE
        return f"+{HIDDEN if card == UNKNOWN else PATTERNS[card]}"
    return f"accept:{PATTERNS[action - LEARN]}"


def write_move(row: bytes, action: int) -> str:  # noqa: ARG001
    """An action in notation."""
    return _write(action)


def group_key(move: str) -> str:
    """The card as it lies, or the first word of another move."""
    return re.split("[@:]", move)[0]


_TYPED_LAY = re.compile(r"([dmw]{4})[@ ]*\(?(-?\d{1,2})[ ,;]+(-?\d{1,2})\)? *(\^|up|2)?", re.IGNORECASE | re.ASCII)
_TYPED_TOKEN = re.compile(r"(?:token|secure)[@ ]*\(?(-?\d{1,2})[ ,;]+(-?\d{1,2})\)?", re.IGNORECASE | re.ASCII)
_TYPED_OFFER = re.compile(r"offer[: ]*([dmw]{4}) *(?:>|to)? *(\d)", re.IGNORECASE | re.ASCII)
_TYPED = {
    "d": "dark",
    "m": "milk",
    "w": "white",
    "no": "no-token",
    "none": "no-token",
    "no token": "no-token",
    "yes": "accept",
}


def _by_name(pieces: str) -> str:
    """The name of a card whose pieces may be read from any corner."""
    return name_of(pieces) if pieces in LAID_AS else pieces


def normalise_move(text: str) -> str:
    """A move as a person types it (lower case, blanks instead of signs, `up` for the second level) in notation."""
    text = " ".join(text.split())
    if parts := _TYPED_LAY.fullmatch(text):
        up = "^" if parts[4] else ""
        return f"{parts[1].upper()}@{int(parts[2])},{int(parts[3])}{up}"
    if parts := _TYPED_TOKEN.fullmatch(text):
        return f"token@{int(parts[1])},{int(parts[2])}"
    if parts := _TYPED_OFFER.fullmatch(text):
        return f"offer:{_by_name(parts[1].upper())}>{parts[2]}"
    small = text.lower()
    for word in ("answer", "accept"):
        if small.startswith(word) and len(small) > len(word):
            return f"{word}:{_by_name(small[len(word) :].strip(' :').upper())}"
    card = small.removeprefix("+").strip().upper()
    if len(card) == 4 and set(card) <= set(KINDS):
        return f"+{_by_name(card)}"
    return _TYPED.get(small, small)
