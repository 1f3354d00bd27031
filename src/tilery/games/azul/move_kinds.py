"""The kinds of moves, as values with named parts. Sources count from 1, source 0 is the centre."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from struct import Struct

from tilery.core.move import Move

from .actions import cell_of, take_of
from .edition import Edition
from .kernel.layout import ADD, CHOOSE, DEAL, FLOOR, LAY, ROW, SOURCES, SPREAD, START_AT
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
_PLACE = [(action // 6 % SOURCES, BITS * (action // 60)) for action in range(SPREAD)]  # source and bits of each take


def _plain_take(edition: Edition, action: int, number: int) -> Take:
    take = take_of(action, 0)
    line = None if take.line == FLOOR else take.line
    return Take(write_move(edition, b"", action), action, take.source, edition.letters[take.colour], number, line)


# For each action the takes by the number of tiles, as far as they were needed.
_TAKES: defaultdict[Edition, list[dict[int, Take]]] = defaultdict(lambda: [{} for _ in range(SPREAD)])


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
    takes, piles = _TAKES[edition], _piles(row, _PILES_AT)
    moves: list[AzulMove] = []
    for action in actions:
        if 0 <= action < SPREAD:
            source, bits = _PLACE[action]
            number = piles[source] >> bits & COUNT
            move = takes[action].get(number)
            if move is None:
                move = takes[action][number] = _plain_take(edition, action, number)
            moves.append(move)
        else:
            moves.append(_spreader_take(edition, row, action) if SPREAD <= action < CHOOSE else _other(edition, action))
    return moves


def move_of(edition: Edition, row: bytes, action: int) -> AzulMove:
    """The value of an action that is legal in the row."""
    return moves_of(edition, row, (action,))[0]


def group_key(move: Move) -> str:
    """Source and colour; from the spreader also the pattern line, because there are many such moves."""
    if not isinstance(move, Take):
        return move.kind
    place = f"{move.source} {move.colour}"
    return f"{place} {move.line}" if move.left or move.right else place
