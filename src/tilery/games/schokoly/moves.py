"""Moves as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

import re
from functools import lru_cache

from tilery.core.refusals import NotAMove

from .actions import LAID_AS, cell_at, lay_of, place_at
from .kernel.cards import CARDS, KINDS, LAID, PATTERNS, UNKNOWN
from .kernel.layout import (
    AGREE,
    ANSWER_WITH,
    DECLINE,
    LAY,
    LEARN,
    NO_TOKEN,
    OFFER,
    PASS,
    SEATS,
    START_AT,
    TAKE,
    TOKEN,
    UP,
)
from .refusals import SENTENCES, expected_in
from .view import HIDDEN, name_of, view_of

MAX_MOVE_CHARACTERS = 24
_CARD = "|".join(PATTERNS)
_CELL = r"(-?[1-9][0-9]?|0),(-?[1-9][0-9]?|0)"
_LAY = re.compile(rf"([DMW]{{4}})@{_CELL}(\^)?", re.ASCII)
_TOKEN = re.compile(rf"token@{_CELL}", re.ASCII)
_TAKE = re.compile(rf"\+({_CARD}|\?)", re.ASCII)
_OFFER = re.compile(rf"offer:(?:({_CARD})|\?([0-3]))>([1-3])", re.ASCII)
_ANSWER = re.compile(rf"answer:(?:({_CARD})|\?([0-3]))", re.ASCII)
_START = re.compile(r"start=([1-4])", re.ASCII)
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


def _not_a_move(row: bytes, text: str) -> NotAMove:
    view = view_of(row)
    if view.phase == "over":
        return SENTENCES.not_a_move("over-not-a-move", text=text)
    return SENTENCES.not_a_move("not-a-move", text=text, expected=expected_in(view))


def _place(x: str, y: str) -> int:
    return place_at(int(x), int(y))


def _hidden_or(card: str | None, number: str) -> int:
    return PATTERNS.index(card) if card else CARDS + int(number)


def read_move(row: bytes, text: str) -> int:
    """The action behind a move, legal or not."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > MAX_MOVE_CHARACTERS:
        raise SENTENCES.not_a_move("too-long", most=MAX_MOVE_CHARACTERS, length=len(text))
    if parts := _LAY.fullmatch(text):
        if parts[1] not in LAID_AS:
            raise SENTENCES.not_a_move("no-such-card", "SC-2", pieces=parts[1])
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
    if parts := _START.fullmatch(text):
        return START_AT + int(parts[1]) - 1
    raise _not_a_move(row, text)


def _card_or_number(code: int) -> str:
    return PATTERNS[code] if code < CARDS else f"{HIDDEN}{code - CARDS}"


def _is_action(action: int) -> bool:
    """Whether a number that is not one of `_WORDS` is an action."""
    if action >= TOKEN:
        return action < TOKEN + (1 << 16)
    if action >= LAY:
        return (action - LAY) % 64 < LAID
    parts = ((START_AT, SEATS), (LEARN, CARDS), (TAKE, UNKNOWN + 1), (ANSWER_WITH, 16), (OFFER, 48))
    return any(first <= action < first + count for first, count in parts)


@lru_cache(maxsize=1 << 15)  # independent of the position, and most moves of a turn were legal in the turn before
def _write(action: int) -> str:
    if action in _WORD_OF:
        return _WORD_OF[action]
    if not _is_action(action):
        raise SENTENCES.not_a_move("not-a-number", number=action)
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
    if action >= LEARN:
        return f"accept:{PATTERNS[action - LEARN]}"
    return f"start={action - START_AT + 1}"


def write_move(row: bytes, action: int) -> str:  # noqa: ARG001
    """An action in notation."""
    return _write(action)


_TYPED_WORD = re.compile(r"no-token|[a-z]+|(?<!\d)-?\d{1,2}(?!\d)|\^", re.ASCII)
_BETWEEN = re.compile(r"[\s@:;,()\[\]>+=]*", re.ASCII)  # what may stand between words
_MAX_TYPED = 60  # characters
_TYPED = {
    "d": "dark",
    "m": "milk",
    "w": "white",
    "no": "no-token",
    "none": "no-token",
    "yes": "accept",
}


def _by_name(pieces: str) -> str:
    """The name of a card whose pieces may be read from any corner."""
    return name_of(pieces) if pieces in LAID_AS else pieces


def _words(text: str) -> list[str] | None:
    """The words, numbers and ^ of a typed move, in lower case; None if there is anything else in it."""
    small = text.lower()
    if len(small) > _MAX_TYPED or not small.isascii():
        return None
    rest = _BETWEEN.sub("", _TYPED_WORD.sub(" ", small))
    return None if rest else _TYPED_WORD.findall(small)


def _is_card(word: str) -> bool:
    return len(word) == 4 and set(word.upper()) <= set(KINDS)


def normalise_move(text: str) -> str:
    """A move as a person types it (lower case, other signs or blanks between its parts, `up` or `2` for the second
    level) in notation. What is no move is returned in lower case."""
    text = " ".join(text.split())
    match _words(text) or ():
        case (pieces, x, y, *level) if _is_card(pieces) and _are_numbers(x, y) and level in ([], ["^"], ["up"], ["2"]):
            return f"{pieces.upper()}@{int(x)},{int(y)}{'^' if level else ''}"
        case ("token" | "secure", x, y) if _are_numbers(x, y):
            return f"token@{int(x)},{int(y)}"
        case ("offer", card, *to, seat) if _is_card(card) and to in ([], ["to"]) and seat.isdigit():
            return f"offer:{_by_name(card.upper())}>{int(seat)}"
        case (("answer" | "accept") as word, card) if _is_card(card):
            return f"{word}:{_by_name(card.upper())}"
        case (card,) if _is_card(card):
            return f"+{_by_name(card.upper())}"
        case ("no", "token"):
            return "no-token"
        case (word,):
            return _TYPED.get(word, text.lower())
    return text.lower()


def _are_numbers(*words: str) -> bool:
    return all(word.removeprefix("-").isdigit() for word in words)
