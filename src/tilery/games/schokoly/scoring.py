"""The outcome of a game (SC-47) and the breakdown of its score (SC-43, SC-44)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from tilery.core.game import Game, ScoreItem, as_rows
from tilery.core.outcome import Outcome

from .groups import Table, groups_of, side_of
from .kernel.layout import SEATS
from .sentences import NAMES
from .view import ENDINGS, view_of

RULES = {"cards": ("the last card", "SC-40"), "passes": ("passes all round", "SC-41")}


def points_of(game: Game, row: bytes) -> tuple[int, ...]:
    """The points of every seat for the current table."""
    view = view_of(row)
    return _points(Table(game.kernel, row, view), view.kinds)


@lru_cache(maxsize=256)  # the same for all viewers of a position
def _points(table: Table, kinds: tuple[str | None, ...]) -> tuple[int, ...]:
    rows = as_rows(table.row)
    points = np.zeros(SEATS, dtype=np.int64)
    table.kernel.scores(rows, 0, points)
    return tuple(points[: len(kinds)].tolist())


def outcome_of(game: Game, row: bytes) -> Outcome | None:
    """How the game ended; None while it goes on."""
    rows = as_rows(row)
    shares = np.zeros(SEATS, dtype=np.float64)
    ended = game.kernel.result(rows, 0, shares)
    if not ended:
        return None
    what, rule = RULES[ENDINGS[ended]]
    scores = points_of(game, row)
    winners = tuple(seat for seat in range(len(scores)) if shares[seat] > 0)
    return Outcome(scores, winners, what, rule, code=ENDINGS[ended])


def breakdown(game: Game, row: bytes) -> list[ScoreItem]:
    """SC-43, SC-44: each seat's largest group of its own kind, then every neutral group that a side gets."""
    view = view_of(row)
    seats = view.rules.seats
    groups = groups_of(game.kernel, row, view)
    largest = [max((group.size for group in groups if group.kind == kind), default=0) for kind in view.kinds]
    items = [ScoreItem("largest-group", "largest group of its own kind", tuple(largest))]
    for group in groups:
        side = side_of(view.kinds, group) if group.kind == view.neutral else None
        if side is not None:
            x, y = group.cells[0]
            points = tuple(group.size if seat % 2 == side else 0 for seat in range(seats))
            what = f"neutral group of {NAMES[group.kind]} at {x},{y}"
            items.append(ScoreItem("neutral-group", what, points, {"kind": group.kind, "x": x, "y": y}))
    return [*items, ScoreItem("total", "total", points_of(game, row))]
