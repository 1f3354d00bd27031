"""The outcome of a game (AZ-41) and the breakdown of its score (AZ-40)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilery.core.game import ScoreItem, as_rows
from tilery.core.outcome import Outcome

from .effects import WORTH, bonuses_of
from .kernel.layout import SEATS
from .view import ENDINGS, view_of

if TYPE_CHECKING:
    from .game import AzulGame

RULES = {
    "row": ("a complete row", "AZ-30"),
    "tiles": ("no tile left to deal", "AZ-33"),
    "stall": ("the stall limit", "AZ-35"),
    "rounds": ("the round limit", "AZ-34"),
}


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
    scores = tuple(board.score for board in view.boards)
    counted = view.phase == "over" and view.ended_by != "rounds"
    bonuses = {what: [0] * len(scores) for what in WORTH} if counted else {}
    played = list(scores)
    for bonus in bonuses_of(game, row) if counted else ():
        bonuses[bonus.what][bonus.seat] = bonus.points
        played[bonus.seat] -= bonus.points
    wall, floor = game.words["wall"], game.words["floor"]
    return [
        ScoreItem("tiling", f"{wall} tiling, less the {floor}", tuple(played)),
        *(
            ScoreItem(f"{what}s", f"complete {what}s, {WORTH[what]} each", tuple(points))
            for what, points in bonuses.items()
        ),
        ScoreItem("total", "total", scores),
    ]
