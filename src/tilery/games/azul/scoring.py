"""The outcome of a game (AZ-41) and the breakdown of its score (AZ-40)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilery.core.game import ScoreItem, as_rows
from tilery.core.outcome import Outcome

from .kernel.layout import COLOUR_BONUS, COLUMN_BONUS, ROW_BONUS, SEATS
from .view import ENDINGS, Board, view_of

if TYPE_CHECKING:
    from .game import AzulGame

RULES = {
    "row": ("a complete row", "AZ-30"),
    "tiles": ("no tile left to deal", "AZ-33"),
    "stall": ("the stall limit", "AZ-35"),
    "rounds": ("the round limit", "AZ-34"),
}


def complete_rows(board: Board) -> int:
    """The number of complete rows of the wall."""
    return sum("." not in cells for cells in board.wall)


def _complete_columns(board: Board) -> int:
    return sum(all(cells[column] != "." for cells in board.wall) for column in range(5))


def _complete_colours(board: Board) -> int:
    first, *others = map(set, board.wall)
    return len(first.intersection(*others) - {"."})


def outcome_of(game: AzulGame, row: bytes) -> Outcome | None:
    """How the game ended; None while it goes on. AZ-34: a game that was cut off has no winner."""
    rows = as_rows(row)
    shares = np.zeros(SEATS, dtype=np.float64)
    ended = game.kernel.result(rows, 0, shares)
    if not ended:
        return None
    what, rule = RULES[ENDINGS[ended]]
    scores = tuple(board.score for board in view_of(game.edition, row).boards)
    winners = tuple(seat for seat in range(len(scores)) if shares[seat] > 0)
    return Outcome(scores, winners, what, rule, truncated=not winners, code=ENDINGS[ended])


def breakdown(game: AzulGame, row: bytes) -> list[ScoreItem]:
    """What the points of each seat are for; the bonuses are listed once they have been scored."""
    view = view_of(game.edition, row)
    boards = view.boards
    counted = view.phase == "over" and view.ended_by != "rounds"
    bonuses = [
        ScoreItem(what, f"complete {what}, {worth} each", tuple(worth * complete(board) for board in boards))
        for what, worth, complete in (
            ("rows", ROW_BONUS, complete_rows),
            ("columns", COLUMN_BONUS, _complete_columns),
            ("colours", COLOUR_BONUS, _complete_colours),
        )
    ]
    scores = tuple(board.score for board in boards)
    added = [sum(bonus.points[seat] for bonus in bonuses) if counted else 0 for seat in range(len(boards))]
    played = tuple(score - extra for score, extra in zip(scores, added, strict=True))
    wall, floor = game.words["wall"], game.words["floor"]
    items = [ScoreItem("tiling", f"{wall} tiling, less the {floor}", played)]
    if counted:
        items += bonuses
    return [*items, ScoreItem("total", "total", scores)]
