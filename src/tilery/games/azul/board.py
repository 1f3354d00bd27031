"""A position as text for a terminal: factories, centre, and the boards side by side. Letters stand for colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tilery.core.game import StyledLine

from .edition import Edition
from .kernel.layout import FLOOR_COSTS, FLOOR_SPACES
from .view import Board, View, view_of

if TYPE_CHECKING:
    from .game import AzulGame

_WIDTH = 30  # of one printed board
_EMPTY = "·"

_STYLES = {
    "m": "bold black on #d7afff",
    "dim": "dim",
    "name": "bold",
    "turn": "bold reverse",
    "special": "bold magenta",
}


def styles_of(edition: Edition) -> dict[str, str]:
    """Rich styles of a printed board. A tile is styled by its letter, an empty space by the letter in lower case."""
    tiles = {colour.letter: colour.style for colour in edition.colours}
    spaces = {colour.letter.lower(): colour.faint for colour in edition.colours}
    return tiles | spaces | _STYLES


def _tile(letter: str) -> tuple[str, str]:
    return (f"{'1' if letter == 'm' else letter} ", letter)


def _tiles(letters: str, none: str = "-") -> StyledLine:
    return [_tile(letter) for letter in letters] if letters else [(none, "dim")]


def _size(line: StyledLine) -> int:
    return sum(len(text) for text, _ in line)


def _padded(line: StyledLine, width: int) -> StyledLine:
    return [*line, (" " * max(0, width - _size(line)), "")]


def _status(edition: Edition, view: View, names: Sequence[str]) -> StyledLine:
    following = next((place for place, tiles in enumerate(view.factories, start=1) if not tiles), 0)
    phases = {
        "start": "the starting seat is drawn",
        "discs": "the special discs are laid",
        "fill": f"{edition.words['factory']} {following} is filled",
        "extra": "the extra gets a tile",
        "over": "the game is over",
    }
    if view.seat is None:
        return [(f"Round {view.round}: {phases[view.phase]}", "name")]
    what = "to take"
    if view.phase == "tiling":
        lines = view.boards[view.seat].lines
        line = next(line for line, tiles in enumerate(lines) if len(tiles) == line + 1)
        what = f"to choose a column for the {edition.names[lines[line][0]]} {edition.words['tile']} of line {line + 1}"
    return [(f"Round {view.round}: {names[view.seat]} {what}", "name")]


def _stock(edition: Edition, view: View) -> StyledLine:
    line: StyledLine = []
    for name, numbers in (("bag", view.bag), ("lid", view.lid)):
        line.append((f"{edition.words[name].capitalize()} {sum(numbers)}: ", ""))
        for letter, number in zip(edition.letters, numbers, strict=True):
            line += [(f"{letter}", letter), (f"{number} ", "")]
        line.append((" ", ""))
    return line


def _factories(view: View, words: Mapping[str, str]) -> list[StyledLine]:
    cells: list[StyledLine] = []
    for place, (kind, tiles) in enumerate(zip(view.discs, view.factories, strict=True)):
        cell: StyledLine = [(f"{place + 1} ", "name")]
        if kind == "saucer" and view.saucer_gone:
            cell.append(("gone ", "dim"))
        else:
            cell += _tiles(tiles)
        if kind != "plain":
            cell.append((f" {kind}", "special"))
        cells.append(cell)
    width = max(14, *(_size(cell) + 3 for cell in cells))
    a_line = max(1, 78 // width)
    lines: list[StyledLine] = []
    for first in range(0, len(cells), a_line):
        line: StyledLine = [(" ", "")]
        for cell in cells[first : first + a_line]:
            line += _padded(cell, width)
        lines.append(line)
    centre: StyledLine = [(" C ", "name"), *_tiles(view.centre)]
    if view.marker is None:
        centre += [(" ", ""), _tile("m")]
    return [[(words["factory"].capitalize() + " offer", "name")], *lines, centre]


def _board_lines(edition: Edition, view: View, seat: int, names: Sequence[str]) -> list[StyledLine]:
    board = view.boards[seat]
    to_act = view.seat == seat
    name = (f"{'>' if to_act else ' '}{names[seat][: _WIDTH - 12]}", "turn" if to_act else "name")
    lines: list[StyledLine] = [[name, (f"  {board.score} point{'' if board.score == 1 else 's'}", "")]]
    if view.starter == seat:
        lines[0].append((", first", "dim"))
    if view.rules.wall == "grey":
        lines.append([(" " * 14 + "1 2 3 4 5", "dim")])  # the columns to choose from
    lines += [_row(edition, board, line, view) for line in range(5)]
    floor: StyledLine = [(" ", "")]
    for space in range(FLOOR_SPACES):
        if space < len(board.floor):
            floor += [_tile(board.floor[space]), (" ", "")]
        else:
            floor.append((f"-{FLOOR_COSTS[space]} ", "dim"))
    lines.append(floor)
    if board.saucer is not None:
        lines.append([(" saucer ", "special"), *_tiles(board.saucer)])
    elif view.saucer_gone:
        lines.append([])
    return [_padded(line, _WIDTH) for line in lines]


def _row(edition: Edition, board: Board, line: int, view: View) -> StyledLine:
    held = board.lines[line]
    spans: StyledLine = [(f"{line + 1} ", "name"), ("  " * (4 - line), "")]
    spans += [(f"{_EMPTY} ", "dim")] * (line + 1 - len(held))
    spans += [_tile(letter) for letter in held]
    spans.append(("> ", "dim"))
    for column, letter in enumerate(board.wall[line]):
        if letter != ".":
            spans.append(_tile(letter))
        elif view.rules.wall == "coloured":
            own = edition.letters[(column - line) % 5].lower()
            spans.append((f"{own} ", own))
        else:
            spans.append((f"{_EMPTY} ", "dim"))
    return spans


def board_lines(game: AzulGame, row: bytes, names: Sequence[str] = ()) -> list[StyledLine]:
    """The printed board, line by line, as styled spans of text."""
    edition = game.edition
    view = view_of(edition, row)
    seats = view.rules.seats
    names = [*names, *(f"Seat {seat + 1}" for seat in range(len(names), seats))]
    lines = [_status(edition, view, names), _stock(edition, view), [], *_factories(view, edition.words), []]
    for first in range(0, seats, 2):
        sides = [_board_lines(edition, view, seat, names) for seat in range(first, min(first + 2, seats))]
        if first:
            lines.append([])
        for parts in zip(*sides, strict=True):
            joined: StyledLine = []
            for part in parts:
                joined += [*part, ("  ", "")]
            lines.append(joined)
    return lines
