"""The end of a game in plain values: who won (SC-47), and what the points were for (SC-43, SC-44)."""

from __future__ import annotations

import numpy as np

from tilery.core.game import Count, Game
from tilery.core.outcome import Outcome

from .groups import groups_of, side_of
from .kernel.layout import SEATS
from .validity import NAMES
from .view import ENDINGS, view_of

RULES = {"cards": ("the last card", "SC-40"), "passes": ("passes all round", "SC-41")}


def points_of(game: Game, row: bytes) -> tuple[int, ...]:
    """The points of every seat as the table lies."""
    rows = np.frombuffer(bytearray(row), dtype=np.uint8).reshape(1, -1)
    points = np.zeros(SEATS, dtype=np.int64)
    game.kernel.scores(rows, 0, points)
    return tuple(points[: view_of(row).rules.seats].tolist())


def outcome_of(game: Game, row: bytes) -> Outcome | None:
    """How the game ended, None while it goes on."""
    rows = np.frombuffer(bytearray(row), dtype=np.uint8).reshape(1, -1)
    shares = np.zeros(SEATS, dtype=np.float64)
    ended = game.kernel.result(rows, 0, shares)
    if not ended:
        return None
    what, rule = RULES[ENDINGS[ended]]
    scores = points_of(game, row)
    winners = tuple(seat for seat in range(len(scores)) if shares[seat] > 0)
    return Outcome(scores, winners, what, rule)


def breakdown(game: Game, row: bytes) -> list[Count]:
    """SC-43, SC-44: the largest group of the own kind, then every neutral group that somebody gets."""
    view = view_of(row)
    seats = view.rules.seats
    groups = groups_of(game.kernel, row, view)
    largest = [max((group.size for group in groups if group.kind == kind), default=0) for kind in view.kinds]
    lines = [Count("largest group of the own kind", tuple(largest))]
    for group in groups:
        side = side_of(view, group) if group.kind == view.neutral else None
        if side is not None:
            x, y = group.cells[0]
            points = tuple(group.size if seat % 2 == side else 0 for seat in range(seats))
            lines.append(Count(f"neutral group of {NAMES[group.kind]} at {x},{y}", points))
    return [*lines, Count("total", points_of(game, row))]
