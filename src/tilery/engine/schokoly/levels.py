"""The ladder of Schokoly: how each level chooses. The numbers were chosen by short matches."""

from __future__ import annotations

from dataclasses import replace

from tilery.core.game import Rules
from tilery.engine.family import Level
from tilery.engine.schokoly.kernel.one_ply import MARGIN, OWN_POINTS, SAFETY, TOKENS


def _one_ply(about: str, scope: int, spread: float = 0.0, window: float = 0.0) -> Level:
    return Level("", about, one_ply=scope, spread=spread, window=window)


def _search(about: str, nodes: int, spread: float = 0.0, window: float = 0.0) -> Level:
    return Level("", about, method="worlds", limit=f"{nodes}n", spread=spread, window=window)


_SEES_ALL_POINTS = _one_ply("sees the points of all seats", MARGIN, 0.4, 2.0)
_SAVES_TOKENS = "saves its tokens for when they count"
_SEES_CONTACTS = _one_ply("sees contacts and threatening cuts", SAFETY)
_KNOWS_ROUGHLY = "knows roughly what a position is worth"
_KNOWS_VALUE = _search("knows what a position is worth", 12)  # too few nodes for a whole simulation: no lookahead
_LEVELS = {
    2: (
        _one_ply("sees its own points, and often takes less", OWN_POINTS, 3.6, 8.0),
        _SEES_ALL_POINTS,
        _one_ply(_SAVES_TOKENS, TOKENS, 0.6, 2.0),
        _SEES_CONTACTS,
        _search(_KNOWS_ROUGHLY, 5, 0.8, 3.0),
        _KNOWS_VALUE,
        _search("thinks ahead", 55),
        _search("full strength", 1500),
    ),
    # With three players nothing is neutral and tokens matter less; instead, more levels differ in accuracy.
    3: (
        _one_ply("sees its own points, and often takes less", OWN_POINTS, 3.2, 7.0),
        _one_ply("sees its own points, and sometimes takes less", OWN_POINTS, 1.7, 4.7),
        _one_ply("sees its own points, and misses some", OWN_POINTS, 1.0, 3.0),
        _one_ply("sees the points of all seats, and misses some", MARGIN, 1.0, 3.8),
        _one_ply("sees threatening cuts, and saves its tokens", SAFETY),
        _search("has an idea of what a position is worth", 5, 0.22, 0.9),
        _search(_KNOWS_ROUGHLY, 5, 0.12, 0.5),
        _KNOWS_VALUE,
        _search("thinks ahead", 130),
        _search("full strength", 1500),
    ),
    4: (
        _one_ply("sees its own points, and often takes less", OWN_POINTS, 3.5, 8.0),
        _SEES_ALL_POINTS,
        _one_ply(_SAVES_TOKENS, TOKENS),
        _SEES_CONTACTS,
        _search(_KNOWS_ROUGHLY, 5, 1.1, 3.7),
        _KNOWS_VALUE,
        _search("thinks ahead", 80),
        _search("full strength", 1200),
    ),
}


def levels_for(rules: Rules) -> tuple[Level, ...]:
    """The levels for a number of seats: eight, with three players ten."""
    return tuple(replace(level, name=f"level-{n}") for n, level in enumerate(_LEVELS[rules.seats], start=1))
