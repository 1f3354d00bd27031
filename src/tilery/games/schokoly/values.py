"""A position in plain values and as JSON, with the points and groups of the current table.

Points and groups are visible to everybody, so they are the same in every seat's view.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from tilery.core.game import Game

from .groups import scored_groups
from .scoring import points_of
from .view import view_of

Values = dict[str, Any]


def _pair_values(name: str, pairs: dict[tuple[int, int], tuple[str, ...]]) -> list[Values]:
    return [{"viewer": viewer, "holder": holder, name: words} for (viewer, holder), words in pairs.items()]


def plain_values(game: Game, row: bytes) -> Values:
    """The view in plain values, ready for `json.dumps`, with points and groups."""
    view = view_of(row)
    return {
        **vars(view),
        "rules": view.rules.text,
        "table": tuple([{**vars(card)} for card in view.table]),
        "offer": {**vars(view.offer)} if view.offer else None,
        "answer": {**vars(view.answer)} if view.answer else None,
        "known": _pair_values("known", view.known),
        "said": _pair_values("said", view.said),
        "points": list(points_of(game, row)),
        "groups": [msgspec.structs.asdict(group) for group in scored_groups(game.kernel, row, view)],
    }


def json_of(game: Game, row: bytes) -> str:
    """The same as JSON."""
    return json.dumps(plain_values(game, row))
