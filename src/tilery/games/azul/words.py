"""The vocabulary of the two editions, and moves described in it."""

from __future__ import annotations

from tilery.core.game import Game

from .actions import take_of
from .kernel.layout import ADD, CENTRE, CHOOSE, DEAL, FLOOR, LAY, START_AT
from .moves import write_move
from .validity import NAMES
from .view import KINDS, LETTERS, view_of

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


def _names(letters: str) -> str:
    return " and ".join(NAMES[LETTERS.index(letter)] for letter in letters)


def _describe_take(game: Game, row: bytes, action: int) -> str:
    view = view_of(row)
    text = write_move(row, action)
    spreader = view.discs.index("spreader") + 1 if "spreader" in view.discs else 0
    colour, source, line, _ = take_of(action, spreader)
    held = view.centre if source == CENTRE else view.factories[source - 1]
    number = held.count(LETTERS[colour])
    words = game.words
    where = f"the {words['centre']}" if source == CENTRE else f"{words['factory']} {source}"
    to = f"the {words['floor']}" if line == FLOOR else f"line {line + 1}"
    described = f"{number} {NAMES[colour]} from {where} to {to}"
    if source == CENTRE and view.marker is None:
        described += ", with the marker"
    left, _, right = text[3:].partition(">")
    for letters, side in ((left.lstrip("<"), "left"), (right, "right")):
        if letters:
            described += f"; {_names(letters)} to the {side}"
    return described


def describe_move(game: Game, row: bytes, action: int) -> str:
    """A legal action in words."""
    if action < CHOOSE:
        return _describe_take(game, row, action)
    text = write_move(row, action)
    if action < START_AT:
        return f"the tile of line {text[0]} to column {text[2]} of the {game.words['wall']}"
    if action < LAY:
        return f"seat {text[-1]} starts"
    if action < ADD:
        return f"{game.words['factory']} {text[0]} is the {KINDS[(action - LAY) % 10]}"
    if action < DEAL:
        return f"the extra gets a {NAMES[action - ADD]} tile"
    return f"the next {game.words['factory']} gets {text[1:]}"
