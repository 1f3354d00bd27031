"""Moves as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from tilery.core.refusals import Argument, NotAMove

from .actions import TakeAction, cell_of, take_of
from .kernel.layout import (
    ACTIONS,
    ADD,
    CENTRE,
    CHOOSE,
    DEAL,
    FLOOR,
    LAY,
    LINES,
    NEVER,
    OFFER,
    ROW,
    SOURCES,
    SPREAD,
    SPREADER,
    START_AT,
)
from .kernel.piles import BITS, COLOURS, COUNT
from .refusals import SENTENCES
from .view import KINDS, LETTERS, PHASES

MAX_MOVE_CHARACTERS = 24
_SPECIALS_AT = ROW.fields["specials"][1] if ROW.fields else 0

_TAKE = re.compile(r"([C1-9])([BYRKW])([1-5F])(?:<([BYRKW]+))?(?:>([BYRKW]+))?", re.ASCII)
_CHOOSE = re.compile(r"([1-5]):([1-5])", re.ASCII)
_START = re.compile(r"start=([1-4])", re.ASCII)
_LAY = re.compile(r"([1-9])=([a-z]+[BYRKW]?)", re.ASCII)
_ADD = re.compile(r"extra=([BYRKW])", re.ASCII)
_DEAL = re.compile(r"\+([BYRKW]{1,4})", re.ASCII)


def _expected(row: bytes) -> str:
    """What may be played now, for a refusal: the phase, or `spreader` in an offer with one."""
    fields = np.frombuffer(row, dtype=ROW)[0]
    phase = int(fields["phase"])
    return "spreader" if phase == OFFER and SPREADER in fields["discs"] else PHASES[phase]


def _not_a_move(row: bytes, text: str) -> NotAMove:
    """The refusal of a text that is not a move, as specific as possible."""
    code, found = "not-a-move", ""
    if len(text) == 3 and text.isascii() and text.isalnum():
        for at, allowed, problem in (
            (0, "C123456789", "no-such-source"),
            (1, LETTERS, "no-such-colour"),
            (2, "12345F", "no-such-line"),
        ):
            if text[at] not in allowed and not found:
                code, found = problem, text[at]
    elif text[:1] == "+":
        code = "not-a-deal"
    arguments: dict[str, Argument] = {"text": text, "expected": _expected(row)}
    return SENTENCES.not_a_move(code, **arguments, **({"found": found} if found else {}))


def _take_text(colour: int, source: int, line: int) -> str:
    place = "C" if source == CENTRE else str(source)
    return f"{place}{LETTERS[colour]}{'F' if line == FLOOR else line + 1}"


# Without special discs a take does not depend on the position, so all texts are precomputed.
TAKES = [
    _take_text(colour, source, line)
    for colour in range(COLOURS)
    for source in range(SOURCES)
    for line in range(LINES + 1)
]
_ACTIONS = {text: action for action, text in enumerate(TAKES)}


def letters_in(mask: int) -> str:
    """The colours of a mask."""
    return "".join(letter for colour, letter in enumerate(LETTERS) if mask >> colour & 1)


def _mask(letters: str) -> int:
    return sum(1 << LETTERS.index(letter) for letter in set(letters))


def spreader_of(row: bytes) -> tuple[int, int]:
    """The spreader's source and the mask of colours on it; source 0 where there is none."""
    fields = np.frombuffer(row, dtype=ROW)[0]
    for source in range(1, SOURCES):
        if int(fields["discs"][source]) == SPREADER:
            pile = int(fields["piles"][source])
            return source, sum(1 << c for c in range(COLOURS) if pile >> BITS * c & COUNT)
    return 0, 0


def laid_left(take: TakeAction, shown: int) -> int:
    """MC-7: the colours that a take from the spreader lays to the left, given those on it."""
    return shown & ~take.right & ~(1 << take.colour)


@lru_cache(maxsize=1 << 10)
def _deal_text(tiles: int) -> str:
    return "+" + "".join(letter * (tiles >> 3 * c & 7) for c, letter in enumerate(LETTERS))


def write_move(row: bytes, action: int) -> str:
    """The notation of an action that is legal in the row."""
    if 0 <= action < SPREAD:
        return TAKES[action]
    if not 0 <= action < ACTIONS or ADD + COLOURS <= action < DEAL:
        raise SENTENCES.not_a_move("not-a-number", number=action)
    if action < CHOOSE:
        spreader, shown = spreader_of(row)
        take = take_of(action, spreader)
        right, left = take.right, laid_left(take, shown)
        text = _take_text(take.colour, take.source, take.line)
        return text + (f"<{letters_in(left)}" if left else "") + (f">{letters_in(right)}" if right else "")
    if action < START_AT:
        line, column = cell_of(action)
        return f"{line + 1}:{column + 1}"
    if action < LAY:
        return f"start={action - START_AT + 1}"
    if action < ADD:
        return f"{(action - LAY) // 10}={KINDS[(action - LAY) % 10]}"
    if action < DEAL:
        return f"extra={LETTERS[action - ADD]}"
    return _deal_text(action - DEAL)


def _in_order(text: str, letters: str | None, *, repeats: bool = False) -> str:
    """Require letters in the order of LETTERS, each once (with `repeats`, any number of times)."""
    letters = letters or ""
    right = "".join(sorted(letters if repeats else set(letters), key=LETTERS.index))
    if letters != right:
        raise SENTENCES.not_a_move("colour-order", text=text, right=right, found=letters)
    return letters


def _read_take(row: bytes, text: str, parts: re.Match[str]) -> int:
    place, letter, to, left, right = parts.groups()
    left, right = _in_order(text, left), _in_order(text, right)
    source = CENTRE if place == "C" else int(place)
    colour = LETTERS.index(letter)
    line = FLOOR if to == "F" else int(to) - 1
    spreader, shown = spreader_of(row)
    if source == CENTRE or source != spreader:
        if left or right:
            raise SENTENCES.not_legal("not-the-spreader", "MC-7", **{"from": source})
        return (colour * SOURCES + source) * 6 + line
    rest = shown & ~(1 << colour)
    if (_mask(left) ^ _mask(right)) != rest or _mask(left) & _mask(right):
        raise SENTENCES.not_legal("spreader-sides", "MC-7", rest=letters_in(rest))
    return SPREAD + (colour * 6 + line) * 32 + _mask(right)


def read_move(row: bytes, text: str) -> int:
    """The action behind a move, legal or not."""
    if row[_SPECIALS_AT] == NEVER and text in _ACTIONS:
        return _ACTIONS[text]
    if len(text) > MAX_MOVE_CHARACTERS:
        raise SENTENCES.not_a_move("too-long", most=MAX_MOVE_CHARACTERS, length=len(text))
    if parts := _TAKE.fullmatch(text):
        return _read_take(row, text, parts)
    if parts := _CHOOSE.fullmatch(text):
        return CHOOSE + (int(parts[1]) - 1) * 5 + int(parts[2]) - 1
    if parts := _DEAL.fullmatch(text):
        letters = _in_order(text, parts[1], repeats=True)
        return DEAL + sum(letters.count(letter) << 3 * c for c, letter in enumerate(LETTERS))
    if (parts := _LAY.fullmatch(text)) and parts[2] in KINDS[1:]:
        return LAY + int(parts[1]) * 10 + KINDS.index(parts[2])
    if parts := _ADD.fullmatch(text):
        return ADD + LETTERS.index(parts[1])
    if parts := _START.fullmatch(text):
        return START_AT + int(parts[1]) - 1
    raise _not_a_move(row, text)


_TYPED = re.compile(r"([c0-9])([byrkw])([1-9f])((?:[<>][byrkw]*)*)", re.IGNORECASE | re.ASCII)


def normalise_move(text: str) -> str:
    """A move as a person types it (lower case, 0 for the centre, colours in any order, no + for a deal) in notation."""
    text = "".join(text.split())
    if parts := _TYPED.fullmatch(text):
        place, letter, to, ways = (part.upper() for part in parts.groups())
        sides = {"<": "", ">": ""}
        for side, letters in re.findall(r"([<>])([BYRKW]*)", ways):
            sides[side] += letters
        tail = "".join(s + "".join(sorted(ls, key=LETTERS.index)) for s, ls in sides.items() if ls)
        return f"{'C' if place == '0' else place}{letter}{to}{tail}"
    tiles = text.removeprefix("+").upper()
    if tiles and set(tiles) <= set(LETTERS):
        return "+" + "".join(sorted(tiles, key=LETTERS.index))
    if "=" in text:
        key, value = text.split("=", 1)
        value = value.lower()
        if key.lower() == "extra" or value.startswith("magnet"):
            value = value[:-1] + value[-1:].upper()
        return f"{key.lower()}={value}"
    return text
