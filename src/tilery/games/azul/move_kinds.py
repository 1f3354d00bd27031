"""The kinds of moves, as values with named parts. Sources count from 1, source 0 is the centre."""

from __future__ import annotations

from functools import lru_cache

from tilery.core.move import Move

from .actions import cell_of, take_of
from .kernel.layout import ADD, CHOOSE, DEAL, FLOOR, LAY, ROW, SPREAD, START_AT
from .kernel.piles import BITS, COUNT
from .moves import laid_left, letters_in, spreader_of, write_move
from .view import KINDS, LETTERS


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


@lru_cache(maxsize=1 << 12)
def _plain_take(action: int, number: int) -> Take:
    take = take_of(action, 0)
    line = None if take.line == FLOOR else take.line
    return Take(write_move(b"", action), action, take.source, LETTERS[take.colour], number, line)


def _number(row: bytes, source: int, colour: int) -> int:
    """How many tiles of a colour lie at a source."""
    pile = int.from_bytes(row[_PILES_AT + 8 * source : _PILES_AT + 8 * source + 8], "little")
    return pile >> BITS * colour & COUNT


def _spreader_take(row: bytes, action: int) -> Take:
    spreader, shown = spreader_of(row)
    take = take_of(action, spreader)
    return Take(
        write_move(row, action),
        action,
        take.source,
        LETTERS[take.colour],
        _number(row, take.source, take.colour),
        None if take.line == FLOOR else take.line,
        letters_in(laid_left(take, shown)),
        letters_in(take.right),
    )


@lru_cache(maxsize=1 << 11)
def _other(action: int) -> AzulMove:
    """A move that does not depend on the position."""
    text = write_move(b"", action)
    if action < START_AT:
        return Cell(text, action, *cell_of(action))
    if action < LAY:
        return Start(text, action, action - START_AT)
    if action < ADD:
        source, kind = divmod(action - LAY, 10)
        return Disc(text, action, source, KINDS[kind])
    if action < DEAL:
        return Extra(text, action, LETTERS[action - ADD])
    return Deal(text, action, text[1:])


def move_of(row: bytes, action: int) -> AzulMove:
    """The value of an action that is legal in the row."""
    if 0 <= action < SPREAD:
        return _plain_take(action, _number(row, action // 6 % 10, action // 60))
    return _spreader_take(row, action) if SPREAD <= action < CHOOSE else _other(action)


def group_key(move: Move) -> str:
    """Source and colour; from the spreader also the pattern line, because there are many such moves."""
    if not isinstance(move, Take):
        return move.kind
    place = f"{move.source} {move.colour}"
    return f"{place} {move.line}" if move.left or move.right else place
