"""A position in plain values and as JSON, with the points and groups of the current table.

Points and groups are visible to everybody, so they are the same in every seat's view.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tilery.core.game import Game

from .groups import Group, groups_of, side_edges, side_of
from .scoring import points_of
from .view import View, view_of

Values = dict[str, Any]


def group_values(view: View, groups: Sequence[Group]) -> Iterator[Values]:
    """SC-43, SC-44: every group, whose it is, and whether it scores now."""
    seen_kinds = set()  # groups are sorted: the first one of a kind is the largest
    for group in groups:
        is_neutral = group.kind == view.neutral
        owner = view.kinds.index(group.kind) if group.kind in view.kinds else None
        seat = side_of(view, group) if is_neutral else owner
        is_largest = group.kind not in seen_kinds
        seen_kinds.add(group.kind)
        contacts = dict(zip(view.kinds[:2], side_edges(view, group), strict=True)) if is_neutral else {}
        yield {
            "kind": group.kind,
            "size": group.size,
            "cells": group.cells,
            "seat": seat,
            "scores": seat is not None and (is_neutral or is_largest),
            "contacts": contacts,
        }


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
        "groups": list(group_values(view, groups_of(game.kernel, row, view))),
    }


def json_of(game: Game, row: bytes) -> str:
    """The same as JSON."""
    return json.dumps(plain_values(game, row))
