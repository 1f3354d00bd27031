"""A position printed: factories, centre, and the boards side by side. Letters tell colours apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilery.core.game import Game, Line

from .kernel.layout import FLOOR_SPACES
from .view import LETTERS, Board, View, view_of

VALUES = (-1, -1, -2, -2, -2, -3, -3)
_WIDTH = 30  # of one printed board
_EMPTY = "·"

# Styles that a printed board uses, in the words of rich; tiles are styled by their letter.
STYLES = {
    "B": "bold white on #1f5fbf",
    "Y": "bold black on #f2c230",
    "R": "bold white on #c4322f",
    "K": "bold white on #2b2b2b",
    "W": "bold black on #e8f1f2",
    "m": "bold black on #d9a5e8",
    "b": "#6f9fe0",
    "y": "#b59420",
    "r": "#d4716f",
    "k": "#8a8a8a",
    "w": "#a9bfc2",
    "dim": "dim",
    "name": "bold",
    "turn": "bold reverse",
    "special": "bold magenta",
}


def _tile(letter: str) -> tuple[str, str]:
    return (f"{'1' if letter == 'm' else letter} ", letter)


def _tiles(letters: str, none: str = "-") -> Line:
    return [_tile(letter) for letter in letters] if letters else [(none, "dim")]


def _size(line: Line) -> int:
    return sum(len(text) for text, _ in line)


def _padded(line: Line, width: int) -> Line:
    return [*line, (" " * max(0, width - _size(line)), "")]


def _status(view: View, words: Mapping[str, str], names: Sequence[str]) -> Line:
    phases = {
        "start": "the starting seat is drawn",
        "discs": "the special discs are laid",
        "fill": f"the next {words['factory']} is filled",
        "extra": "the extra gets a tile",
        "over": "the game is over",
    }
    if view.seat is None:
        return [(f"Round {view.round}: {phases[view.phase]}", "name")]
    what = "take" if view.phase == "offer" else "choose a cell"
    return [(f"Round {view.round}: {names[view.seat]} to {what}", "name")]


def _stock(view: View, words: Mapping[str, str]) -> Line:
    line: Line = []
    for name, numbers in (("bag", view.bag), ("lid", view.lid)):
        line.append((f"{words[name].capitalize()} {sum(numbers)}: ", ""))
        for letter, number in zip(LETTERS, numbers, strict=True):
            line += [(f"{letter}", letter), (f"{number} ", "")]
        line.append((" ", ""))
    return line


def _factories(view: View, words: Mapping[str, str]) -> list[Line]:
    cells: list[Line] = []
    for place, (kind, tiles) in enumerate(zip(view.discs, view.factories, strict=True)):
        cell: Line = [(f"{place + 1} ", "name")]
        if kind == "saucer" and view.saucer_gone:
            cell.append(("gone ", "dim"))
        else:
            cell += _tiles(tiles)
        if kind != "plain":
            cell.append((f" {kind}", "special"))
        cells.append(cell)
    width = max(14, *(_size(cell) + 3 for cell in cells))
    a_line = max(1, 78 // width)
    lines: list[Line] = []
    for first in range(0, len(cells), a_line):
        line: Line = [(" ", "")]
        for cell in cells[first : first + a_line]:
            line += _padded(cell, width)
        lines.append(line)
    centre: Line = [(" C ", "name"), *_tiles(view.centre)]
    if view.marker is None:
        centre += [(" ", ""), _tile("m")]
    return [[(words["factory"].capitalize() + " offer", "name")], *lines, centre]


def _board_lines(view: View, seat: int, names: Sequence[str]) -> list[Line]:
    board = view.boards[seat]
    sign = "*" if view.starter == seat else " "
    name = names[seat][: _WIDTH - 12]
    head: Line = [(f"{sign}{name}", "turn" if view.seat == seat else "name"), (f"  {board.score} points", "")]
    lines = [head]
    lines += [_row(board, line, view) for line in range(5)]
    floor: Line = [(" ", "")]
    for space in range(FLOOR_SPACES):
        if space < len(board.floor):
            floor += [_tile(board.floor[space]), (" ", "")]
        else:
            floor.append((f"{VALUES[space]} ", "dim"))
    lines.append(floor)
    if board.saucer is not None:
        lines.append([(" saucer ", "special"), *_tiles(board.saucer)])
    elif view.saucer_gone:
        lines.append([])
    return [_padded(line, _WIDTH) for line in lines]


def _row(board: Board, line: int, view: View) -> Line:
    held = board.lines[line]
    spans: Line = [(f"{line + 1} ", "name"), ("  " * (4 - line), "")]
    spans += [(f"{_EMPTY} ", "dim")] * (line + 1 - len(held))
    spans += [_tile(letter) for letter in held]
    spans.append(("> ", "dim"))
    for column, letter in enumerate(board.wall[line]):
        if letter != ".":
            spans.append(_tile(letter))
        elif view.rules.wall == "coloured":
            own = LETTERS[(column - line) % 5].lower()
            spans.append((f"{own} ", own))
        else:
            spans.append((f"{_EMPTY} ", "dim"))
    return spans


def board_lines(game: Game, row: bytes, names: Sequence[str] = ()) -> list[Line]:
    """The printed board, line by line, as styled pieces of text."""
    view = view_of(row)
    words = game.words
    seats = view.rules.seats
    names = [*names, *(f"Seat {seat + 1}" for seat in range(len(names), seats))]
    lines = [_status(view, words, names), _stock(view, words), [], *_factories(view, words), []]
    for first in range(0, seats, 2):
        sides = [_board_lines(view, seat, names) for seat in range(first, min(first + 2, seats))]
        if first:
            lines.append([])
        for parts in zip(*sides, strict=True):
            joined: Line = []
            for part in parts:
                joined += [*part, ("  ", "")]
            lines.append(joined)
    return lines
