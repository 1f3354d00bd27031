"""The vocabulary of the two editions, and moves described in it."""

from __future__ import annotations

from tilery.core.game import Game

from .kernel.layout import CENTRE
from .move_kinds import Cell, Disc, Extra, Start, Take, move_of
from .view import LETTERS, NAMES, view_of

CERAMIC = {
    "factory": "factory",
    "centre": "centre",
    "line": "pattern line",
    "wall": "wall",
    "floor": "floor line",
    "bag": "bag",
    "lid": "lid",
    "tile": "tile",
}
CHOCOLATE = CERAMIC | {"factory": "plate", "wall": "box", "floor": "waste line", "tile": "chocolate"}


def _name(letter: str) -> str:
    return NAMES[LETTERS.index(letter)]


def _describe_take(game: Game, row: bytes, take: Take) -> str:
    words = game.words
    where = f"the {words['centre']}" if take.source == CENTRE else f"{words['factory']} {take.source}"
    to = f"the {words['floor']}" if take.line is None else f"line {take.line + 1}"
    described = f"{take.number} {_name(take.colour)} from {where} to {to}"
    if take.source == CENTRE and view_of(row).marker is None:
        described += ", with the marker"
    for letters, side in ((take.left, "left"), (take.right, "right")):
        if letters:
            described += f"; {' and '.join(map(_name, letters))} to the {side}"
    return described


def describe_move(game: Game, row: bytes, action: int) -> str:
    """A legal action in words."""
    move = move_of(row, action)
    factory = game.words["factory"]
    if isinstance(move, Take):
        return _describe_take(game, row, move)
    if isinstance(move, Cell):
        return f"the tile of line {move.line + 1} to column {move.column + 1} of the {game.words['wall']}"
    if isinstance(move, Start):
        return f"seat {move.seat + 1} starts"
    if isinstance(move, Disc):
        return f"{factory} {move.source} is the {move.disc}"
    if isinstance(move, Extra):
        return f"the extra gets a {_name(move.colour)} tile"
    return f"the next {factory} gets {move.tiles}"
