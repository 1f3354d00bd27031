"""What a card does when it is laid, in plain values: the points and groups after it, and the edges it touches.

All of it is visible to everybody, so it is the same in every seat's view.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilery.core.game import Game, as_rows

from .actions import lay_of
from .groups import groups_of
from .kernel.layout import LAY, TOKEN
from .scoring import points_of
from .values import Values, group_values
from .view import Card, view_of

# The two outer edges of each piece of a card, clockwise from the top left one.
_OUTSIDE = (("up", "left"), ("up", "right"), ("right", "down"), ("down", "left"))
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _touching(kinds: dict[tuple[int, int], str], card: Card) -> Iterator[Values]:
    """SC-20, SC-21, SC-32: the edges of a card that touch visible pieces of others, and whether the kind is the same.
    `kinds` maps each cell to the kind visible there before the card is laid."""
    for piece, (x, y), outside in zip(card.pieces, card.cells, _OUTSIDE, strict=True):
        for side in outside:
            right, down = _STEPS[side]
            beside = kinds.get((x + right, y + down))
            if beside is not None:
                yield {"x": x, "y": y, "side": side, "same": beside == piece}


def effects(game: Game, row: bytes, action: int) -> Values:
    """What laying a card does: points and groups after it, and the edges at which it touches other cards. Empty for
    all other actions: they change nothing on the table (choosing a kind only says whose groups they are)."""
    if not LAY <= action < TOKEN:
        return {}
    kernel = game.kernel
    rows = as_rows(row)
    kernel.apply(rows, 0, action)
    after = rows.tobytes()
    before, then = view_of(row), view_of(after)
    seen = {cell: group.kind for group in groups_of(kernel, row, before) for cell in group.cells}
    card = Card(*lay_of(action), token=False)
    return {
        "points": list(points_of(game, after)),
        "touching": list(_touching(seen, card)),
        "groups": list(group_values(then, groups_of(kernel, after, then))),
    }
