"""What an action does, as typed values in the order in which it happens.

The kernel plays the action, and the views before and after it are compared. Played on a viewer's row, this says what
that viewer learns: a card that it cannot see is None. Seats count from 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilery.core.effects import Effect
from tilery.core.game import Game, as_rows

from .groups import ScoredGroup, changed_groups, pieces_of
from .move_kinds import Accept, Answer, Decline, Draw, Kind, Lay, Offer, Pass, Start, Token, move_of
from .scoring import points_of
from .view import HIDDEN, Card, View, view_of

# The two outer edges of each piece of a card, clockwise from the top left one.
_OUTSIDE = (("up", "left"), ("up", "right"), ("right", "down"), ("down", "left"))
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class KindChosen(Effect, frozen=True, tag="kind-chosen"):
    """SC-12, SC-13: a seat plays a kind: its own choice, or what another choice leaves or settles."""

    seat: int
    kind: str


class StarterDrawn(Effect, frozen=True, tag="starter-drawn"):
    """SC-12: the seat that starts is drawn."""

    seat: int


class Laid(Effect, frozen=True, tag="laid"):
    """SC-14, SC-20, SC-31: a seat lays a card; x and y are those of its top left piece."""

    seat: int
    card: str
    pieces: str  # as it lies, clockwise from the top left
    x: int
    y: int
    level: int


class TokenSpent(Effect, frozen=True, tag="token-spent"):
    """SC-31: a card on the second level costs a token, which lies on it; x and y are those of its top left piece."""

    seat: int
    x: int
    y: int


class Covered(Effect, frozen=True, tag="covered"):
    """SC-31: a visible piece is covered."""

    x: int
    y: int
    kind: str  # of the piece


class Touched(Effect, frozen=True, tag="touched"):
    """SC-20, SC-21, SC-32: an edge at which the card touches a visible piece; x and y are those of its own piece."""

    x: int
    y: int
    side: str
    same: bool  # both pieces are of the same kind


class GroupsChanged(Effect, frozen=True, tag="groups-changed"):
    """SC-42 to SC-44: groups that are no longer there as they were, and those that are there now."""

    old: tuple[ScoredGroup, ...]
    new: tuple[ScoredGroup, ...]


class PointsChanged(Effect, frozen=True, tag="points-changed"):
    """SC-43 to SC-46: the points of every seat, as the table stands now."""

    points: tuple[int, ...]


class Secured(Effect, frozen=True, tag="secured"):
    """SC-35: a seat puts a token on the card whose top left piece is at x, y."""

    seat: int
    x: int
    y: int


class Drawn(Effect, frozen=True, tag="drawn"):
    """SC-11, SC-14: a seat gets a card from the stack."""

    seat: int
    card: str | None


class Passed(Effect, frozen=True, tag="passed"):
    """SC-41, SC-60: a seat passes, so that its hand cannot hold any of the `barred` cards."""

    seat: int
    barred: tuple[str, ...]


class Offered(Effect, frozen=True, tag="offered"):
    """SC-50: a seat offers a card to an opponent, and says how many pieces of the opponent's kind are on it."""

    seat: int
    to: int
    card: str | None
    number: int


class Answered(Effect, frozen=True, tag="answered"):
    """SC-51: a seat answers with a card, and says how many pieces of the other's kind are on it."""

    seat: int
    to: int
    card: str | None
    number: int


class Declined(Effect, frozen=True, tag="declined"):
    """SC-51, SC-52: a seat declines the swap."""

    seat: int


class Swapped(Effect, frozen=True, tag="swapped"):
    """SC-52: a seat and its partner have swapped cards."""

    seat: int
    partner: int
    given: str | None  # by the seat
    got: str | None


class Ended(Effect, frozen=True, tag="ended"):
    """SC-40, SC-41: the game ends."""

    by: str


SchokolyEffect = (
    StarterDrawn
    | KindChosen
    | Laid
    | TokenSpent
    | Covered
    | Touched
    | GroupsChanged
    | PointsChanged
    | Secured
    | Drawn
    | Passed
    | Offered
    | Answered
    | Declined
    | Swapped
    | Ended
)


def effects(game: Game, row: bytes, action: int) -> tuple[Effect, ...]:
    """What a legal action does."""
    rows = as_rows(row)
    game.kernel.apply(rows, 0, action)
    after = rows.tobytes()
    return tuple(_effects(game, row, after, action))


def _effects(game: Game, row: bytes, after_row: bytes, action: int) -> Iterator[SchokolyEffect]:
    move = move_of(row, action)
    before, after = view_of(row), view_of(after_row)
    if isinstance(move, Lay):
        yield from _laid(game, row, before, move)
        yield from _scored(game, row, after_row, before, after)
    elif isinstance(move, Kind):
        for seat, kind in enumerate(after.kinds):
            if kind is not None and kind != before.kinds[seat]:
                yield KindChosen(seat, kind)
        yield from _scored(game, row, after_row, before, after)
    else:
        yield from _small(move, before, after)
    if after.phase == "over":
        yield Ended(after.ended_by)


def _small(move: object, before: View, after: View) -> Iterator[SchokolyEffect]:
    """What a move does that changes nothing on the table but a token."""
    seat, partner = before.seat or 0, before.partner or 0
    if isinstance(move, Token):
        yield Secured(seat, move.x, move.y)
    elif isinstance(move, Draw):
        yield Drawn(seat, move.card)
    elif isinstance(move, Start):
        yield StarterDrawn(move.seat)
    elif isinstance(move, Pass):
        yield Passed(seat, after.barred[seat])
    elif isinstance(move, Offer):
        assert after.offer is not None
        yield Offered(seat, move.seat, move.card, after.offer.number)
    elif isinstance(move, Answer):
        assert after.answer is not None
        yield Answered(partner, seat, move.card, after.answer.number)
    elif isinstance(move, Decline):
        yield Declined(before.actor or 0)
    elif isinstance(move, Accept):
        yield _swapped(move, before, seat, partner)


def _swapped(move: Accept, before: View, seat: int, partner: int) -> Swapped:
    assert before.offer is not None
    assert before.answer is not None
    given, got = (None if card == HIDDEN else card for card in (before.offer.card, before.answer.card))
    if move.card is not None and before.viewer == seat:
        got = move.card
    elif move.card is not None:
        given = move.card
    return Swapped(seat, partner, given, got)


def _laid(game: Game, row: bytes, before: View, lay: Lay) -> Iterator[SchokolyEffect]:
    seat = before.seat or 0
    yield Laid(seat, lay.card, lay.pieces, lay.x, lay.y, lay.level)
    if lay.level == 2:
        yield TokenSpent(seat, lay.x, lay.y)
    kinds = pieces_of(game.kernel, row, before)
    card = Card(lay.pieces, lay.x, lay.y, lay.level, token=False)
    for x, y in card.cells:
        if (x, y) in kinds:
            yield Covered(x, y, kinds[x, y])
    for piece, (x, y), outside in zip(card.pieces, card.cells, _OUTSIDE, strict=True):
        for side in outside:
            right, down = _STEPS[side]
            beside = kinds.get((x + right, y + down))
            if beside is not None:
                yield Touched(x, y, side, beside == piece)


def _scored(game: Game, row: bytes, after_row: bytes, before: View, after: View) -> Iterator[SchokolyEffect]:
    old, new = changed_groups(game.kernel, row, after_row, before, after)
    if old or new:
        yield GroupsChanged(old, new)
    points = points_of(game, after_row)
    if points != points_of(game, row):
        yield PointsChanged(points)
