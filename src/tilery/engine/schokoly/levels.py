"""The ladder: nine levels, from a kind beginner to full strength."""

from __future__ import annotations

from tilery.core.game import Rules
from tilery.engine.family import Level
from tilery.engine.schokoly.kernel.looking import MARGIN, OWN_POINTS, SAFETY, TOKENS

_LEVELS = (
    Level("level-1", "sees its own points, and often takes less", looks=OWN_POINTS, spread=4.0, window=8.0),
    Level("level-2", "sees the points of all", looks=MARGIN, spread=0.4, window=2.0),
    Level("level-3", "saves its tokens for when they count", looks=TOKENS),
    Level("level-4", "sees contacts, and cuts that threaten", looks=SAFETY),
    Level("level-5", "tries a few moves in its mind", method="worlds", limit="20n"),
    Level("level-6", "thinks a little ahead", method="worlds", limit="80n"),
    Level("level-7", "thinks ahead", method="worlds", limit="300n"),
    Level("level-8", "thinks far ahead", method="worlds", limit="1300n"),
    Level("level-9", "full strength", method="worlds", limit="8000n"),
)


def levels(_: Rules) -> tuple[Level, ...]:
    """The levels of a variant."""
    return _LEVELS
