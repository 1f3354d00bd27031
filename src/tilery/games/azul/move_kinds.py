"""The kinds of moves, as values with named parts. Sources count from 1, source 0 is the centre."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from struct import Struct

from tilery.core.move import Move

from .actions import cell_of, take_of
from .edition import Edition
from .kernel.layout import ADD, CHOOSE, DEAL, EACH_COLOUR, FLOOR, LAY, ROW, SOURCES, SPREAD, START_AT
from .kernel.piles import BITS, COUNT
from .moves import laid_left, letters_in, spreader_of, write_move


class Take(Move, frozen=True, eq=False, tag="take"):
    """AZ-12, AZ-13: all tiles of one colour from a source to a pattern line or the floor line."""

    source: int
    colour: str
    number: int
    line: int | None  # None: the floor line
    left: str = ""  # MC-7: the colours that a spreader passes to its left neighbour
    right: str = ""


class Cell(Move, frozen=True, eq=False, tag="cell"):
    """AZ-50: the cell of a grey wall for the tile of a full line."""

    line: int
    column: int


class Start(Move, frozen=True, eq=False, tag="start"):
    """AZ-4: the seat that starts is drawn."""

    seat: int


class Disc(Move, frozen=True, eq=False, tag="disc"):
    """MC-2: a special disc is laid."""

    source: int
    disc: str


class Extra(Move, frozen=True, eq=False, tag="extra"):
    """MC-3: the extra tile is drawn."""

    colour: str


class Deal(Move, frozen=True, eq=False, tag="deal"):
    """AZ-10: the tiles of the next factory are drawn."""

    tiles: str


AzulMove = Take | Cell | Start | Disc | Extra | Deal

_PILES_AT = ROW.fields["piles"][1] if ROW.fields else 0


_piles = Struct(f"={SOURCES}q").unpack_from
_SOURCE = [action // 6 % SOURCES for action in range(SPREAD)]  # of each take
_BITS = [BITS * (action // 60) for action in range(SPREAD)]  # where its colour is counted in a pile


def _plain_take(edition: Edition, action: int, number: int) -> Take:
    take = take_of(action, 0)
    line = None if take.line == FLOOR else take.line
    return Take(write_move(edition, b"", action), action, take.source, edition.letters[take.colour], number, line)


@cache
def _takes_of(edition: Edition) -> list[list[Take]]:
    """All takes: for each action those of 0, 1, 2 ... tiles."""
    return [[_plain_take(edition, action, number) for number in range(EACH_COLOUR + 1)] for action in range(SPREAD)]


def _number(row: bytes, source: int, colour: int) -> int:
    """How many tiles of a colour lie at a source."""
    pile: int = _piles(row, _PILES_AT)[source]
    return pile >> BITS * colour & COUNT


def _spreader_take(edition: Edition, row: bytes, action: int) -> Take:
    spreader, shown = spreader_of(row)
    take = take_of(action, spreader)
    return Take(
        write_move(edition, row, action),
        action,
        take.source,
        edition.letters[take.colour],
        _number(row, take.source, take.colour),
        None if take.line == FLOOR else take.line,
        letters_in(edition, laid_left(take, shown)),
        letters_in(edition, take.right),
    )


@lru_cache(maxsize=1 << 11)
def _other(edition: Edition, action: int) -> AzulMove:
    """A move that does not depend on the position."""
    text = write_move(edition, b"", action)
    if action < START_AT:
        return Cell(text, action, *cell_of(action))
    if action < LAY:
        return Start(text, action, action - START_AT)
    if action < ADD:
        source, kind = divmod(action - LAY, 10)
        return Disc(text, action, source, edition.discs[kind])
    if action < DEAL:
        return Extra(text, action, edition.letters[action - ADD])
    return Deal(text, action, text[1:])


def moves_of(edition: Edition, row: bytes, actions: Sequence[int]) -> list[AzulMove]:
    """The values of actions that are legal in the row."""
    takes, piles = _takes_of(edition), _piles(row, _PILES_AT)
    if not actions or actions[-1] < SPREAD:  # the fast path: plain takes only
        return [takes[action][piles[_SOURCE[action]] >> _BITS[action] & COUNT] for action in actions]
    return [move_of(edition, row, action) for action in actions]


def move_of(edition: Edition, row: bytes, action: int) -> AzulMove:
    """The value of an action that is legal in the row."""
    if action < SPREAD:
        return _takes_of(edition)[action][_number(row, _SOURCE[action], action // 60)]
    return _spreader_take(edition, row, action) if action < CHOOSE else _other(edition, action)


def group_key(move: Move) -> str:
    """Source and colour; from the spreader also the pattern line, because there are many such moves."""
    if not isinstance(move, Take):
        return move.kind
    place = f"{move.source} {move.colour}"
    return f"{place} {move.line}" if move.left or move.right else place
