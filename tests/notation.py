"""Moves as texts, for tests that are about the notation or compare with texts."""

from __future__ import annotations

from tilery.core.position import BasePosition


def texts(position: BasePosition) -> list[str]:
    """All legal moves of a position in notation."""
    return [move.text for move in position.moves()]
