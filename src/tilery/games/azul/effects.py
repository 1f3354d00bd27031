"""What an action does, as typed values in the order in which it happens.

The kernel itself writes them down while it plays the action (`kernel/journal.py`); here numbers become values. Seats,
lines and columns count from 0; source 0 is the centre, sources from 1 are the discs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from tilery.core.effects import Effect
from tilery.core.game import as_rows
from tilery.core.kernel.journal import empty_journal, notes_of

from .edition import Edition
from .kernel import entries, journal
from .kernel.layout import COLOUR_BONUS, COLUMN_BONUS, FLOOR, ROW_BONUS
from .view import ENDINGS, floor_of, tiles_in

if TYPE_CHECKING:
    from .game import AzulGame


Completed = Literal["row", "column", "colour"]


class Taken(Effect, frozen=True, tag="taken"):
    """AZ-12, AZ-13: a seat takes all tiles of a colour from a source."""

    seat: int
    source: int
    colour: str
    number: int


class RestMoved(Effect, frozen=True, tag="rest-moved"):
    """AZ-12, MC-7: other tiles move from a source to the centre or to a neighbour."""

    source: int
    to: int
    tiles: str


class SaucerTaken(Effect, frozen=True, tag="saucer-taken"):
    """MC-8: the saucer comes to lie beside the seat's board."""

    seat: int


class MarkerTaken(Effect, frozen=True, tag="marker-taken"):
    """AZ-13, MC-9: a seat takes the starting player marker; it lies nowhere if the floor line is full (AZ-18)."""

    seat: int
    to: Literal["floor", "saucer", ""]
    cost: int  # how much more the floor line costs


class Placed(Effect, frozen=True, tag="placed"):
    """AZ-14, AZ-15: tiles come to lie on a pattern line."""

    seat: int
    line: int
    colour: str
    number: int
    full: bool  # whether the line is full now
    points: int | None  # what a full line adds to the seat's tiling as the board stands; None if a column is chosen


class Fell(Effect, frozen=True, tag="fell"):
    """AZ-17, AZ-18, AZ-51, MC-8: tiles fall: on a free saucer, to the floor line, to the lid."""

    seat: int
    colour: str
    line: int | None  # the full line that they fall from; None if they were just taken
    saucer: int
    floor: int
    lid: int
    cost: int  # how much more the floor line costs


class OfferEnded(Effect, frozen=True, tag="offer-ended"):
    """AZ-19: no tile is left to be taken; the wall tiling begins."""

    round: int


class Tiled(Effect, frozen=True, tag="tiled"):
    """AZ-20, AZ-21: a tile of a full line goes to the wall, the others to the lid."""

    seat: int
    line: int
    column: int
    colour: str
    across: int  # points for the row
    down: int  # points for the column
    points: int


class FloorScored(Effect, frozen=True, tag="floor-scored"):
    """AZ-22, MC-8: the floor line costs points, and it and the saucer are cleared: the tiles go to the lid."""

    seat: int
    floor: str  # what lay there, left to right
    saucer: str  # what lay on the seat's saucer
    points: int  # 0 or less: a score never falls below 0


class SaucerReturned(Effect, frozen=True, tag="saucer-returned"):
    """MC-8: the saucer goes back from a seat's board to the circle."""

    seat: int


class Bonus(Effect, frozen=True, tag="bonus"):
    """AZ-40: points for complete rows, columns or colours when the game ends."""

    seat: int
    what: Completed
    number: int
    points: int


class RoundBegun(Effect, frozen=True, tag="round-begun"):
    """AZ-4, AZ-31: a round begins, with the marker in the centre."""

    round: int
    starter: int
    discs_removed: bool  # MC-2: the special discs leave the circle


class Ended(Effect, frozen=True, tag="ended"):
    """AZ-30, AZ-33 to AZ-35: the game ends."""

    by: str


class Refilled(Effect, frozen=True, tag="refilled"):
    """AZ-32: the tiles of the lid go into the bag."""

    tiles: str


class Dealt(Effect, frozen=True, tag="dealt"):
    """AZ-10, MC-3: tiles from the bag come to lie on a disc."""

    source: int
    tiles: str


class Attracted(Effect, frozen=True, tag="attracted"):
    """MC-4: a magnet takes a tile from a neighbour."""

    source: int
    to: int
    colour: str


class DiscLaid(Effect, frozen=True, tag="disc-laid"):
    """MC-2: a special disc is laid in the circle."""

    source: int
    disc: str


AzulEffect = (
    Taken
    | RestMoved
    | SaucerTaken
    | MarkerTaken
    | Placed
    | Fell
    | OfferEnded
    | Tiled
    | FloorScored
    | SaucerReturned
    | Bonus
    | RoundBegun
    | Ended
    | Refilled
    | Dealt
    | Attracted
    | DiscLaid
)


def effects(game: AzulGame, row: bytes, action: int) -> tuple[Effect, ...]:
    """What a legal action does."""
    _ = game.kernel  # compiled
    notes = empty_journal()
    entries.record(as_rows(row), 0, action, notes)
    return tuple(_read(game.edition, row, action, notes_of(notes)))


def bonuses_of(game: AzulGame, row: bytes) -> list[Bonus]:
    """The bonuses of all seats for their walls as they are."""
    _ = game.kernel  # compiled
    notes = empty_journal()
    entries.list_bonuses(as_rows(row), 0, notes)
    return [bonus for _, *numbers in notes_of(notes) for bonus in _bonuses(*numbers[:4])]


def _read(edition: Edition, row: bytes, action: int, notes: Iterable[list[int]]) -> list[AzulEffect]:
    effects: list[AzulEffect] = []
    for what, *numbers in notes:
        if what == journal.PLACED:
            seat, line, colour, number, full = numbers[:5]
            points = _gain(row, action, seat) if full else None
            effects.append(Placed(seat, line, edition.letters[colour], number, bool(full), points))
        elif what == journal.BONUS:
            effects += _bonuses(*numbers[:4])
        else:
            effects.append(_READ[what](edition, *numbers))
    return effects


_READ: dict[int, Callable[..., AzulEffect]] = {
    journal.TAKEN: lambda edition, seat, source, colour, number, *_: Taken(
        seat, source, edition.letters[colour], number
    ),
    journal.REST_MOVED: lambda edition, source, to, pile, *_: RestMoved(source, to, tiles_in(edition, pile)),
    journal.SAUCER_TAKEN: lambda _, seat, *__: SaucerTaken(seat),
    journal.MARKER_TAKEN: lambda _, seat, saucer, floor, cost, *__: MarkerTaken(
        seat, "saucer" if saucer else "floor" if floor else "", cost
    ),
    journal.FELL: lambda edition, seat, colour, line, *numbers: Fell(
        seat, edition.letters[colour], None if line == FLOOR else line, *numbers
    ),
    journal.OFFER_ENDED: lambda _, number, *__: OfferEnded(number),
    journal.TILED: lambda edition, seat, line, column, colour, *points: Tiled(
        seat, line, column, edition.letters[colour], *points
    ),
    journal.FLOOR_SCORED: lambda edition, seat, floor, caught, points, *_: FloorScored(
        seat, floor_of(edition, floor), edition.symbols[caught].replace("-", ""), points
    ),
    journal.SAUCER_RETURNED: lambda _, seat, *__: SaucerReturned(seat),
    journal.ROUND_BEGUN: lambda _, number, starter, removed, *__: RoundBegun(number, starter, bool(removed)),
    journal.GAME_ENDED: lambda _, by, *__: Ended(ENDINGS[by]),
    journal.REFILLED: lambda edition, pile, *_: Refilled(tiles_in(edition, pile)),
    journal.DEALT: lambda edition, disc, pile, *_: Dealt(disc, tiles_in(edition, pile)),
    journal.ATTRACTED: lambda edition, other, disc, colour, *_: Attracted(other, disc, edition.letters[colour]),
    journal.DISC_LAID: lambda edition, disc, kind, *_: DiscLaid(disc, edition.discs[kind]),
}


# The points of one complete row, column or colour, in the order of the numbers of `journal.BONUS`.
WORTH: dict[Completed, int] = {"row": ROW_BONUS, "column": COLUMN_BONUS, "colour": COLOUR_BONUS}


def _bonuses(seat: int, *complete: int) -> Iterator[Bonus]:
    for (what, worth), number in zip(WORTH.items(), complete, strict=True):
        if number:
            yield Bonus(seat, what, number, worth * number)


def _gain(row: bytes, action: int, seat: int) -> int | None:
    """How many more points tiling the seat's wall would score after a take than before it; None if a column must be
    chosen."""
    points = entries.gain(as_rows(row, row), action, seat)
    return None if points == entries.UNKNOWN else points
