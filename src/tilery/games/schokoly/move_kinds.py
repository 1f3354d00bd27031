"""The kinds of moves, as values with named parts. A card that the viewer cannot see is None."""

from __future__ import annotations

from functools import lru_cache

from tilery.core.move import Move

from .actions import LAID_AS, PIECES_AS, cell_at, lay_of
from .kernel.cards import CARDS, KINDS, PATTERNS, UNKNOWN
from .kernel.layout import AGREE, ANSWER_WITH, DECLINE, LAY, LEARN, NO_TOKEN, OFFER, PASS, START_AT, TAKE, TOKEN
from .moves import write_move


class Kind(Move, frozen=True, eq=False, tag="kind"):
    """SC-12, SC-13: the choice of a kind."""

    of: str  # D, M or W


class Lay(Move, frozen=True, eq=False, tag="lay"):
    """SC-20, SC-31: a card laid on the table."""

    card: str  # its name
    turns: int  # quarter turns clockwise from the card as it is named
    x: int  # of its top left piece
    y: int
    level: int  # 1 or 2

    @property
    def pieces(self) -> str:
        """Its pieces as it lies, clockwise from the top left."""
        return PIECES_AS[4 * PATTERNS.index(self.card) + self.turns]


class Token(Move, frozen=True, eq=False, tag="token"):
    """SC-35: a token for the card whose top left piece is at x, y."""

    x: int
    y: int


class NoToken(Move, frozen=True, eq=False, tag="no-token"):
    """SC-35: no token in this turn."""


class Pass(Move, frozen=True, eq=False, tag="pass"):
    """SC-41: no card can be placed."""


class Start(Move, frozen=True, eq=False, tag="start"):
    """SC-12: the seat that starts is drawn."""

    seat: int


class Draw(Move, frozen=True, eq=False, tag="draw"):
    """SC-11, SC-14: chance gives a card to the seat."""

    card: str | None


class Offer(Move, frozen=True, eq=False, tag="offer"):
    """SC-50: a card is offered to an opponent."""

    seat: int  # the opponent
    card: str | None
    number: int | None  # the pieces said; None if the card says it


class Answer(Move, frozen=True, eq=False, tag="answer"):
    """SC-51: a card in answer to an offer."""

    card: str | None
    number: int | None  # the pieces said; None if the card says it


class Accept(Move, frozen=True, eq=False, tag="accept"):
    """SC-52: the swap is accepted."""

    card: str | None  # the card that the viewer gets; None if it does not take part in the swap


class Decline(Move, frozen=True, eq=False, tag="decline"):
    """SC-51, SC-52: the swap is declined."""


SchokolyMove = Kind | Lay | Token | NoToken | Pass | Start | Draw | Offer | Answer | Accept | Decline

_PLAIN: dict[int, type[Pass | NoToken | Decline]] = {PASS: Pass, NO_TOKEN: NoToken, DECLINE: Decline}


def _said(code: int) -> tuple[str | None, int | None]:
    """The card of an offer or an answer, or the number said of a hidden one."""
    return (PATTERNS[code], None) if code < CARDS else (None, code - CARDS)


@lru_cache(maxsize=1 << 15)  # independent of the position, and most moves of a turn were legal in the turn before
def _move(action: int) -> SchokolyMove:
    text = write_move(b"", action)
    if action >= TOKEN:
        return Token(text, action, *cell_at(action - TOKEN))
    if action >= LAY:
        pieces, x, y, level = lay_of(action)
        card, turns = divmod(LAID_AS[pieces], 4)
        return Lay(text, action, PATTERNS[card], turns, x, y, level)
    if action >= OFFER:
        seat, code = divmod(action - OFFER, 16)
        return Offer(text, action, seat, *_said(code))
    if action >= ANSWER_WITH:
        return Answer(text, action, *_said(action - ANSWER_WITH))
    if action >= TAKE:
        card = action - TAKE
        return Draw(text, action, None if card == UNKNOWN else PATTERNS[card])
    if action >= LEARN or action == AGREE:
        return Accept(text, action, None if action == AGREE else PATTERNS[action - LEARN])
    if action >= START_AT:
        return Start(text, action, action - START_AT)
    return _PLAIN[action](text, action) if action in _PLAIN else Kind(text, action, KINDS[action])


def move_of(row: bytes, action: int) -> SchokolyMove:  # noqa: ARG001
    """The value of an action that is legal in the row."""
    return _move(action)


def group_key(move: Move) -> str:
    """The card as it lies, or the kind of another move."""
    return move.pieces if isinstance(move, Lay) else move.kind
