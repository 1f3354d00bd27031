"""A position as a typed value for programs: what `Position.view` returns, and what tables send.

Points and groups of the current table are part of it. They are visible to everybody, so they are the same in every
seat's view.
"""

from __future__ import annotations

import msgspec

from tilery.core.game import Game
from tilery.core.view import View as BaseView

from .groups import ScoredGroup, scored_groups
from .scoring import points_of
from .view import Card, SwapCard, view_of


class KnownCards(msgspec.Struct, frozen=True):
    """SC-60: cards that a seat knows to be in the hand of another."""

    viewer: int
    holder: int
    known: tuple[str, ...]


class Said(msgspec.Struct, frozen=True):
    """SC-60: what a seat has heard about a card in the hand of another, such as `D2`."""

    viewer: int
    holder: int
    said: tuple[str, ...]


class SchokolyView(BaseView, frozen=True):
    """A position of Schokoly. Seats count from 0; a card that the viewer cannot see is `?`."""

    viewer: int | None  # the seat whose view this is, -3 for a spectator, None for the whole position
    kinds: tuple[str | None, ...]  # of each seat: D, M, W; None before it is chosen
    tokens: tuple[int, ...]  # left to each seat
    hands: tuple[tuple[str, ...], ...]
    stack: tuple[int, ...] | None  # how many of each card are left; None where it is hidden
    left: int  # cards in the stack
    table: tuple[Card, ...]  # by rows, then columns
    passes: int  # in a row
    barred: tuple[tuple[str, ...], ...]  # by seat: cards that the hand cannot hold, as its passes show
    asked: tuple[int, ...]  # seats that were asked for a swap in this turn
    swapped: bool  # whether a swap was made in this turn
    partner: int | None  # the seat that has to answer an offer of a swap
    offer: SwapCard | None
    answer: SwapCard | None
    known: tuple[KnownCards, ...]
    said: tuple[Said, ...]
    ended_by: str  # cards or passes when the game is over
    points: tuple[int, ...]  # of each seat, as the table is now
    groups: tuple[ScoredGroup, ...]  # the largest first


def values_of(game: Game, row: bytes) -> SchokolyView:
    """The typed value of a row."""
    view = view_of(row)
    return SchokolyView(
        view.rules.text,
        view.phase,
        view.seat,
        view.viewer,
        view.kinds,
        view.tokens,
        view.hands,
        view.stack,
        view.left,
        view.table,
        view.passes,
        view.barred,
        view.asked,
        view.swapped,
        view.partner,
        view.offer,
        view.answer,
        tuple([KnownCards(*pair, cards) for pair, cards in view.known.items()]),
        tuple([Said(*pair, words) for pair, words in view.said.items()]),
        view.ended_by,
        points_of(game, row),
        scored_groups(game.kernel, row, view),
    )
