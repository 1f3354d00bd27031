"""Moves in the words of an edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kernel.layout import CENTRE
from .move_kinds import Cell, Disc, Extra, Start, Take, move_of
from .view import view_of

if TYPE_CHECKING:
    from .game import AzulGame


def _describe_take(game: AzulGame, row: bytes, take: Take) -> str:
    words, names = game.words, game.edition.names
    where = f"the {words['centre']}" if take.source == CENTRE else f"{words['factory']} {take.source}"
    to = f"the {words['floor']}" if take.line is None else f"line {take.line + 1}"
    described = f"{take.number} {names[take.colour]} from {where} to {to}"
    if take.source == CENTRE and view_of(game.edition, row).marker is None:
        described += ", with the marker"
    for letters, side in ((take.left, "left"), (take.right, "right")):
        if letters:
            described += f"; {' and '.join(names[letter] for letter in letters)} to the {side}"
    return described


def describe_move(game: AzulGame, row: bytes, action: int) -> str:
    """A legal action in words."""
    move = move_of(game.edition, row, action)
    factory, tile = game.words["factory"], game.words["tile"]
    if isinstance(move, Take):
        return _describe_take(game, row, move)
    if isinstance(move, Cell):
        return f"the {tile} of line {move.line + 1} to column {move.column + 1} of the {game.words['wall']}"
    if isinstance(move, Start):
        return f"seat {move.seat + 1} starts"
    if isinstance(move, Disc):
        return f"{factory} {move.source} is the {move.disc}"
    if isinstance(move, Extra):
        return f"the extra gets a {game.edition.names[move.colour]} {tile}"
    return f"the next {factory} gets {move.tiles}"
