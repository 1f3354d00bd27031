"""Moves as texts, read strictly and written in exactly one way. See docs/notation.md."""

from __future__ import annotations

import itertools
import re
from functools import cache

import numpy as np

from tilery.core.refusals import Argument, NotAMove

from .actions import TakeAction, cell_of, take_of
from .edition import Edition
from .kernel.chance import A_DISC
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
    SEATS,
    SOURCES,
    SPREAD,
    SPREADER,
    START_AT,
)
from .kernel.piles import BITS, COLOURS, COUNT
from .refusals import sentences_of
from .view import PHASES

MAX_MOVE_CHARACTERS = 24
_SPECIALS_AT = ROW.fields["specials"][1] if ROW.fields else 0

_CHOOSE = re.compile(r"([1-5]):([1-5])", re.ASCII)
_START = re.compile(r"start=([1-4])", re.ASCII)


def _take_text(edition: Edition, colour: int, source: int, line: int) -> str:
    place = "C" if source == CENTRE else str(source)
    return f"{place}{edition.letters[colour]}{'F' if line == FLOOR else line + 1}"


class _Texts:
    """The forms of moves in the letters of an edition."""

    def __init__(self, edition: Edition) -> None:
        one = f"[{edition.letters}]"
        self.take = re.compile(rf"([C1-9])({one})([1-5F])(?:<({one}+))?(?:>({one}+))?", re.ASCII)
        self.lay = re.compile(rf"([1-9])=([a-z]+{one}?)", re.ASCII)
        self.add = re.compile(rf"extra=({one})", re.ASCII)
        self.deal = re.compile(rf"\+({one}{{1,4}})", re.ASCII)
        self.typed = re.compile(rf"([c0-9])({one})([1-9f])((?:[<>]{one}*)*)", re.IGNORECASE | re.ASCII)
        self.typed_side = re.compile(rf"([<>])({one}*)", re.ASCII)
        # Without special discs a take does not depend on the position, so all texts are precomputed.
        self.takes = [
            _take_text(edition, colour, source, line)
            for colour in range(COLOURS)
            for source in range(SOURCES)
            for line in range(LINES + 1)
        ]
        self.actions = {text: action for action, text in enumerate(self.takes)}


_texts = cache(_Texts)


def _expected(row: bytes) -> str:
    """What may be played now, for a refusal: the phase, or `spreader` in an offer with one."""
    fields = np.frombuffer(row, dtype=ROW)[0]
    phase = int(fields["phase"])
    return "spreader" if phase == OFFER and SPREADER in fields["discs"] else PHASES[phase]


def _not_a_move(edition: Edition, row: bytes, text: str) -> NotAMove:
    """The refusal of a text that is not a move, as specific as possible."""
    code, found = "not-a-move", ""
    if len(text) == 3 and text.isascii() and text.isalnum():
        for at, allowed, problem in (
            (0, "C123456789", "no-such-source"),
            (1, edition.letters, "no-such-colour"),
            (2, "12345F", "no-such-line"),
        ):
            if text[at] not in allowed and not found:
                code, found = problem, text[at]
    elif text[:1] == "+":
        code = "not-a-deal"
    arguments: dict[str, Argument] = {"text": text, "expected": _expected(row)}
    return sentences_of(edition).not_a_move(code, **arguments, **({"letter": found} if found else {}))


def letters_in(edition: Edition, mask: int) -> str:
    """The colours of a mask."""
    return "".join(letter for colour, letter in enumerate(edition.letters) if mask >> colour & 1)


def _mask(edition: Edition, letters: str) -> int:
    return sum(1 << edition.letters.index(letter) for letter in set(letters))


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


def write_move(edition: Edition, row: bytes, action: int) -> str:
    """The notation of an action that is legal in the row."""
    if 0 <= action < SPREAD:
        return _texts(edition).takes[action]
    if not 0 <= action < ACTIONS or ADD + COLOURS <= action < DEAL:
        raise sentences_of(edition).not_a_move("not-a-number", number=action)
    if action < CHOOSE:
        spreader, shown = spreader_of(row)
        take = take_of(action, spreader)
        right, left = take.right, laid_left(take, shown)
        text = _take_text(edition, take.colour, take.source, take.line)
        return (
            text
            + (f"<{letters_in(edition, left)}" if left else "")
            + (f">{letters_in(edition, right)}" if right else "")
        )
    if action < START_AT:
        line, column = cell_of(action)
        return f"{line + 1}:{column + 1}"
    if action < LAY:
        return f"start={action - START_AT + 1}"
    if action < ADD:
        return f"{(action - LAY) // 10}={edition.discs[(action - LAY) % 10]}"
    if action < DEAL:
        return f"extra={edition.letters[action - ADD]}"
    return "+" + "".join(letter * (action - DEAL >> 3 * c & 7) for c, letter in enumerate(edition.letters))


@cache
def moves_by_text(edition: Edition) -> dict[str, int]:
    """All moves but the takes from a spreader: those depend on what lies on it."""
    chosen = range(CHOOSE, START_AT + SEATS)
    laid = [LAY + 10 * place + kind for place in range(1, SOURCES) for kind in range(1, len(edition.discs))]
    counts = itertools.product(range(A_DISC + 1), repeat=COLOURS)
    dealt = [
        DEAL + sum(number << 3 * colour for colour, number in enumerate(numbers))
        for numbers in counts
        if 1 <= sum(numbers) <= A_DISC
    ]
    actions = [*chosen, *laid, *range(ADD, ADD + COLOURS), *dealt]
    return _texts(edition).actions | {write_move(edition, b"", action): action for action in actions}


def _in_order(edition: Edition, text: str, letters: str | None, *, repeats: bool = False) -> str:
    """Require letters in the order of the colours, each once (with `repeats`, any number of times)."""
    letters = letters or ""
    right = edition.in_order(letters if repeats else "".join(set(letters)))
    if letters != right:
        raise sentences_of(edition).not_a_move("colour-order", text=text, right=right, letters=letters)
    return letters


def _read_take(edition: Edition, row: bytes, text: str, parts: re.Match[str]) -> int:
    place, letter, to, left, right = parts.groups()
    left, right = _in_order(edition, text, left), _in_order(edition, text, right)
    source = CENTRE if place == "C" else int(place)
    colour = edition.letters.index(letter)
    line = FLOOR if to == "F" else int(to) - 1
    spreader, shown = spreader_of(row)
    if source == CENTRE or source != spreader:
        if left or right:
            raise sentences_of(edition).not_legal("not-the-spreader", "MC-7", **{"from": source})
        return (colour * SOURCES + source) * 6 + line
    rest = shown & ~(1 << colour)
    if (_mask(edition, left) ^ _mask(edition, right)) != rest or _mask(edition, left) & _mask(edition, right):
        raise sentences_of(edition).not_legal("spreader-sides", "MC-7", rest=letters_in(edition, rest))
    return SPREAD + (colour * 6 + line) * 32 + _mask(edition, right)


def read_move(edition: Edition, row: bytes, text: str) -> int:
    """The action behind a move, legal or not."""
    texts = _texts(edition)
    if row[_SPECIALS_AT] == NEVER and text in texts.actions:
        return texts.actions[text]
    if len(text) > MAX_MOVE_CHARACTERS:
        raise sentences_of(edition).not_a_move("too-long", most=MAX_MOVE_CHARACTERS, length=len(text))
    if parts := texts.take.fullmatch(text):
        return _read_take(edition, row, text, parts)
    if parts := _CHOOSE.fullmatch(text):
        return CHOOSE + (int(parts[1]) - 1) * 5 + int(parts[2]) - 1
    if parts := texts.deal.fullmatch(text):
        letters = _in_order(edition, text, parts[1], repeats=True)
        return DEAL + sum(letters.count(letter) << 3 * c for c, letter in enumerate(edition.letters))
    if (parts := texts.lay.fullmatch(text)) and parts[2] in edition.discs[1:]:
        return LAY + int(parts[1]) * 10 + edition.discs.index(parts[2])
    if parts := texts.add.fullmatch(text):
        return ADD + edition.letters.index(parts[1])
    if parts := _START.fullmatch(text):
        return START_AT + int(parts[1]) - 1
    raise _not_a_move(edition, row, text)


_TYPED_OUTCOME = re.compile(r"(?:(start|extra)=?(\w)|([1-9])=?([a-z]{5,}))", re.IGNORECASE | re.ASCII)
_BETWEEN = re.compile(r"(?<=\w)[,.-](?=\w)", re.ASCII)  # what may stand between the parts of a move


def normalise_move(edition: Edition, text: str) -> str:
    """A move as a person types it (lower case, 0 for the centre, colours in any order, no + for a deal, no =; blanks
    anywhere, a comma, dot or dash between two parts) in notation."""
    texts = _texts(edition)
    text = _BETWEEN.sub("", "".join(text.split()))
    if parts := texts.typed.fullmatch(text):
        place, letter, to, ways = (part.upper() for part in parts.groups())
        sides = {"<": "", ">": ""}
        for side, letters in texts.typed_side.findall(ways):
            sides[side] += letters
        tail = "".join(s + edition.in_order(ls) for s, ls in sides.items() if ls)
        return f"{'C' if place == '0' else place}{letter}{to}{tail}"
    tiles = text.removeprefix("+").upper()
    if tiles and set(tiles) <= set(edition.letters):
        return "+" + edition.in_order(tiles)
    if parts := _TYPED_OUTCOME.fullmatch(text):
        key, value = (parts[1] or parts[3]).lower(), (parts[2] or parts[4]).lower()
        if key == "extra" or value.startswith("magnet"):
            value = value[:-1] + value[-1].upper()
        return f"{key}={value}"
    return text
