"""The ladder of Schokoly: how each level thinks. Short matches chose the numbers."""

from __future__ import annotations

from dataclasses import replace

from tilery.core.game import Rules
from tilery.engine.family import Level
from tilery.engine.schokoly.kernel.looking import MARGIN, OWN_POINTS, SAFETY, TOKENS


def _looking(about: str, what: int, spread: float = 0.0, window: float = 0.0) -> Level:
    return Level("", about, looks=what, spread=spread, window=window)


def _thinking(about: str, nodes: int, spread: float = 0.0, window: float = 0.0) -> Level:
    return Level("", about, method="worlds", limit=f"{nodes}n", spread=spread, window=window)


_POINTS_OF_ALL = _looking("sees the points of all", MARGIN, 0.4, 2.0)
_SAVING = "saves its tokens for when they count"
_CONTACTS = _looking("sees contacts, and cuts that threaten", SAFETY)
_ROUGHLY = "knows roughly what a position is worth"
_ESTIMATING = _thinking("knows what a position is worth", 12)  # fewer nodes than a simulation takes: no look ahead
_LEVELS = {
    2: (
        _looking("sees its own points, and often takes less", OWN_POINTS, 3.6, 8.0),
        _POINTS_OF_ALL,
        _looking(_SAVING, TOKENS, 0.6, 2.0),
        _CONTACTS,
        _thinking(_ROUGHLY, 5, 0.8, 3.0),
        _ESTIMATING,
        _thinking("thinks ahead", 55),
        _thinking("full strength", 1500),
    ),
    # With three players nothing is neutral and tokens count for less: the steps between points are finer instead.
    3: (
        _looking("sees its own points, and often takes less", OWN_POINTS, 3.2, 7.0),
        _looking("sees its own points, and now and then takes less", OWN_POINTS, 1.7, 4.7),
        _looking("sees its own points, and misses some", OWN_POINTS, 1.0, 3.0),
        _looking("sees the points of all, and misses some", MARGIN, 1.0, 3.8),
        _looking("sees cuts that threaten, and saves its tokens", SAFETY),
        _thinking("has an idea of what a position is worth", 5, 0.22, 0.9),
        _thinking(_ROUGHLY, 5, 0.12, 0.5),
        _ESTIMATING,
        _thinking("thinks ahead", 130),
        _thinking("full strength", 1500),
    ),
    4: (
        _looking("sees its own points, and often takes less", OWN_POINTS, 3.5, 8.0),
        _POINTS_OF_ALL,
        _looking(_SAVING, TOKENS),
        _CONTACTS,
        _thinking(_ROUGHLY, 5, 1.1, 3.7),
        _ESTIMATING,
        _thinking("thinks ahead", 80),
        _thinking("full strength", 1200),
    ),
}


def levels(rules: Rules) -> tuple[Level, ...]:
    """The levels for a number of seats: eight, with three players ten."""
    return tuple(replace(level, name=f"level-{n}") for n, level in enumerate(_LEVELS[rules.seats], start=1))
