"""What people would have to count, in plain values: points and groups as the table lies, and what a card does to them.

All of it is seen from above by everybody, so it is the same in every seat's view.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tilery.core.game import Game, Kernel

from .groups import Group, groups_of, side_edges, side_of
from .kernel.layout import LAY, SEATS, TOKEN
from .view import Card, View, card_of, plain_values, view_of

Values = dict[str, Any]

# The two outer edges of each piece of a card, clockwise from the top left one.
_OUTSIDE = (("up", "left"), ("up", "right"), ("right", "down"), ("down", "left"))
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _points(kernel: Kernel, row: bytes, seats: int) -> list[int]:
    rows = np.frombuffer(bytearray(row), dtype=np.uint8).reshape(1, -1)
    points = np.zeros(SEATS, dtype=np.int64)
    kernel.scores(rows, 0, points)
    counted: list[int] = points[:seats].tolist()
    return counted


def _told(view: View, groups: Sequence[Group]) -> Iterator[Values]:
    """SC-43, SC-44: every group, whose it is, and whether it counts now."""
    counted = set()  # kinds whose largest group was told already
    for group in groups:
        is_neutral = group.kind == view.neutral
        owner = view.kinds.index(group.kind) if group.kind in view.kinds else None
        seat = side_of(view, group) if is_neutral else owner
        is_first = group.kind not in counted
        counted.add(group.kind)
        contacts = dict(zip(view.kinds[:2], side_edges(view, group), strict=True)) if is_neutral else {}
        yield {
            "kind": group.kind,
            "size": group.size,
            "cells": group.cells,
            "seat": seat,
            "scores": seat is not None and (is_neutral or is_first),
            "contacts": contacts,
        }


def counted_values(kernel: Kernel, row: bytes) -> Values:
    """The view as JSON would have it, with points and groups."""
    ready = kernel.ready
    view = view_of(row)
    values = plain_values(row)
    values["points"] = _points(ready, row, view.rules.seats)
    values["groups"] = list(_told(view, groups_of(ready, row, view)))
    return values


def counted_json(kernel: Kernel, row: bytes) -> str:
    """The same as JSON."""
    return json.dumps(counted_values(kernel, row))


def _touching(kinds: dict[tuple[int, int], str], card: Card) -> Iterator[Values]:
    """SC-20, SC-21, SC-32: the edges of a card that touch visible pieces of others, and whether the kind is the same.
    `kinds` is what was seen from above before it was laid."""
    for piece, (x, y), outside in zip(card.pieces, card.cells, _OUTSIDE, strict=True):
        for side in outside:
            right, down = _STEPS[side]
            beside = kinds.get((x + right, y + down))
            if beside is not None:
                yield {"x": x, "y": y, "side": side, "same": beside == piece}


def effects(game: Game, row: bytes, action: int) -> Values:
    """What a card does that is laid: points and groups after it, and the edges at which it touches others. Nothing
    else changes what can be seen; who chooses a kind only says whose its groups are."""
    if not LAY <= action < TOKEN:
        return {}
    kernel = game.kernel
    rows = np.frombuffer(bytearray(row), dtype=np.uint8).reshape(1, -1)
    kernel.apply(rows, 0, action)
    after = rows.tobytes()
    before, then = view_of(row), view_of(after)
    seen = {cell: group.kind for group in groups_of(kernel, row, before) for cell in group.cells}
    card = Card(*card_of(action), token=False)
    return {
        "points": _points(kernel, after, then.rules.seats),
        "touching": list(_touching(seen, card)),
        "groups": list(_told(then, groups_of(kernel, after, then))),
    }
