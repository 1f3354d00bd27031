"""`View`, the readable form of a row, from which texts, boards and pictures are made; and its conversion to a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import numpy as np

from tilery.core.fields import field_reader

from .actions import LAID_AS, PIECES_AS, cell_at, place_at
from .kernel import entries
from .kernel.cards import ANNOUNCEMENTS, CARDS, KINDS, PATTERNS, UNKNOWN
from .kernel.layout import (
    ACCEPT,
    ANSWER,
    DEAL,
    DRAW,
    ENDED,
    HAS_TOKEN,
    IS_SECOND,
    KIND,
    LAID_BITS,
    NOBODY,
    NONE,
    OPTIONS,
    PLACE,
    ROW,
    SECURE,
    START,
)
from .kernel.piles import BITS, COUNT
from .rules import Rules, rules_with

HIDDEN = "?"  # a card that the viewer cannot see
PHASES = {
    START: "start",
    DEAL: "deal",
    DRAW: "draw",
    KIND: "kind",
    PLACE: "place",
    SECURE: "secure",
    ANSWER: "answer",
    ACCEPT: "accept",
    ENDED: "over",
}
ENDINGS = ("", "cards", "passes")
_DERIVED = ("grid", "spots", "tops")  # they follow from the cards, and are most of a row
_read = field_reader(ROW, [name for name in ROW.names or () if name not in _DERIVED])

T = TypeVar("T")


def name_of(pieces: str) -> str:
    """The name of a card, given its pieces as it lies."""
    return PATTERNS[LAID_AS[pieces] // 4]


class Card(msgspec.Struct, frozen=True):
    """A card on the table; x and y are those of its top left piece, x to the right, y downward."""

    pieces: str  # clockwise from the top left, as it lies
    x: int
    y: int
    level: int  # 1 or 2
    token: bool

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """Its four cells, clockwise from the top left."""
        x, y = self.x, self.y
        return ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))


class SwapCard(msgspec.Struct, frozen=True):
    """SC-50: a card on offer (or in answer), if the viewer sees it, and the number said of it."""

    card: str  # HIDDEN where the viewer does not see it
    number: int


class View(msgspec.Struct, frozen=True):
    """A position in readable values. Seats count from 0."""

    rules: Rules
    viewer: int | None  # the seat whose view this is, or SPECTATOR
    phase: str
    seat: int | None  # whose turn it is, None when the game is over or before it is known who starts
    starter: int  # who starts; 0 until it is drawn
    kinds: tuple[str | None, ...]
    tokens: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]  # cards in the order of PATTERNS, then HIDDEN ones
    stack: tuple[int, ...] | None  # how many of each card, None where it is hidden
    left: int  # cards in the stack
    table: tuple[Card, ...]  # by rows, then columns
    passes: int
    barred: tuple[tuple[str, ...], ...]  # by seat: cards that the hand cannot hold
    asked: tuple[int, ...]
    swapped: bool
    partner: int | None  # the seat that the pending offer is for
    offer: SwapCard | None
    answer: SwapCard | None
    known: dict[tuple[int, int], tuple[str, ...]]  # (viewer, holder): cards known from swaps
    said: dict[tuple[int, int], tuple[str, ...]]  # (viewer, holder): such as "D2"
    ended_by: str

    @property
    def actor(self) -> int | None:
        """The seat that has to decide; None when chance acts or the game is over."""
        if self.phase in ("start", "deal", "draw", "over"):
            return None
        return self.partner if self.phase == "answer" else self.seat

    @property
    def neutral(self) -> str | None:
        """SC-13: the kind that nobody plays."""
        if self.rules.seats == 3 or None in self.kinds:
            return None
        return next(kind for kind in KINDS if kind not in self.kinds)


def counts(pile: int) -> tuple[int, ...]:
    """A packed pile as counts."""
    return tuple(pile >> BITS * card & COUNT for card in range(CARDS))


def packed(names: Iterable[str]) -> int:
    """Cards as a packed pile, without the hidden ones."""
    return sum(1 << BITS * PATTERNS.index(name) for name in names if name != HIDDEN)


@lru_cache(maxsize=1 << 12)
def names_in(pile: int) -> tuple[str, ...]:
    """The cards of a packed pile by name."""
    return tuple(name for name, number in zip(PATTERNS, counts(pile), strict=True) for _ in range(number))


def _masked(mask: int, names: Sequence[T]) -> tuple[T, ...]:
    """The names whose bits are set."""
    return tuple([name for k, name in enumerate(names) if mask >> k & 1]) if mask else ()


ANNOUNCEMENT_NAMES = tuple(f"{KINDS[announcement // 4]}{announcement % 4}" for announcement in range(ANNOUNCEMENTS))


@lru_cache(maxsize=1 << 14)  # most cards of a table were already there in the position before
def _card_of(number: int) -> Card:
    x, y = cell_at(number >> 8)
    level = 2 if number & IS_SECOND else 1
    return Card(PIECES_AS[number & LAID_BITS], x, y, level, bool(number & HAS_TOKEN))


def _pairs(numbers: Sequence[int]) -> dict[tuple[int, int], int]:
    """What one seat knows of another, as a number, for all pairs of seats where this is not 0."""
    if not any(numbers):
        return {}
    return {divmod(pair, 3): number for pair, number in enumerate(numbers) if number}


def _offer_of(card: int, number: int) -> SwapCard | None:
    if card == NONE:
        return None
    return SwapCard(HIDDEN if card == UNKNOWN else PATTERNS[card], number)


@lru_cache(maxsize=256)  # of a position, several views, effects and changes are made
def view_of(row_bytes: bytes) -> View:
    """The view of a row."""
    row = _read(row_bytes)
    rules = rules_with(*[row[name] for name in OPTIONS])
    seats = rules.seats
    phase = PHASES[row["phase"]]
    viewer, partner = row["viewer"], row["partner"]
    known, said = _pairs(row["known"]), _pairs(row["said"])
    return View(
        rules,
        None if viewer == NOBODY else viewer,
        phase,
        None if phase in ("start", "over") else row["seat"],
        row["starter"],
        tuple([None if kind == NONE else KINDS[kind] for kind in row["kinds"][:seats]]),
        row["tokens"][:seats],
        tuple([names_in(row["hands"][s]) + (HIDDEN,) * row["unseen"][s] for s in range(seats)]),
        None if row["unseen_left"] else counts(row["stack"]),
        row["left"],
        tuple(map(_card_of, row["cards"][: row["laid"]])),
        row["passes"],
        tuple([_masked(bar, PATTERNS) for bar in row["barred"][:seats]]),
        _masked(row["asked"], range(seats)),
        bool(row["swapped"]),
        None if partner == NOBODY else partner,
        _offer_of(row["offered"], row["offered_number"]),
        _offer_of(row["answered"], row["answered_number"]),
        {pair: names_in(pile) for pair, pile in known.items()},
        {pair: _masked(mask, ANNOUNCEMENT_NAMES) for pair, mask in said.items()},
        ENDINGS[row["ended"]],
    )


def _number_of(card: Card) -> int:
    second = IS_SECOND if card.level == 2 else 0
    return place_at(card.x, card.y) << 8 | second | (HAS_TOKEN if card.token else 0) | LAID_AS[card.pieces]


def _pack_swap(row: Any, view: View) -> None:
    row["partner"] = NOBODY if view.partner is None else view.partner
    for name, pending in (("offered", view.offer), ("answered", view.answer)):
        row[name] = NONE
        if pending:
            row[name] = UNKNOWN if pending.card == HIDDEN else PATTERNS.index(pending.card)
            row[f"{name}_number"] = pending.number
    for pair, names in view.known.items():
        row["known"][pair] = packed(names)
    for pair, announcements in view.said.items():
        row["said"][pair] = sum(1 << ANNOUNCEMENT_NAMES.index(announcement) for announcement in announcements)


def row_of(view: View) -> bytes:
    """The row of a view; derived fields are computed."""
    fields = np.zeros(1, dtype=ROW)
    row = fields[0]
    for name, option in zip(OPTIONS, view.rules.options, strict=True):
        row[name] = option
    row["viewer"] = NOBODY if view.viewer is None else view.viewer
    row["phase"] = next(number for number, name in PHASES.items() if name == view.phase)
    row["ended"] = ENDINGS.index(view.ended_by)
    row["seat"] = view.seat or 0
    row["starter"] = view.starter
    row["kinds"] = NONE
    row["left"] = view.left
    if view.stack is None:
        row["unseen_left"] = view.left
    else:
        row["stack"] = sum(number << BITS * card for card, number in enumerate(view.stack))
    for seat, kind in enumerate(view.kinds):
        row["kinds"][seat] = NONE if kind is None else KINDS.index(kind)
        row["tokens"][seat] = view.tokens[seat]
        row["hands"][seat] = packed(view.hands[seat])
        row["held"][seat] = len(view.hands[seat])
        row["unseen"][seat] = view.hands[seat].count(HIDDEN)
        row["barred"][seat] = sum(1 << PATTERNS.index(name) for name in view.barred[seat])
    row["passes"] = view.passes
    row["asked"] = sum(1 << seat for seat in view.asked)
    row["swapped"] = view.swapped
    _pack_swap(row, view)
    row["laid"] = len(view.table)
    row["cards"][: len(view.table)] = sorted(map(_number_of, view.table))
    rows = fields.view(np.uint8).reshape(1, -1)
    entries.derive_fields(rows, 0)
    return rows.tobytes()


def viewer_of(row: bytes) -> int | None:
    """The seat (or SPECTATOR) whose view a row is, None for a whole position."""
    viewer = int(np.frombuffer(row, dtype=ROW)[0]["viewer"])
    return None if viewer == NOBODY else viewer
