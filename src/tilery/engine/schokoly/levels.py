"""The ladder: nine levels, from a kind beginner to full strength."""

from __future__ import annotations

from tilery.core.game import Rules
from tilery.engine.family import Level
from tilery.engine.schokoly.kernel.looking import MARGIN, OWN_POINTS, SAFETY, TOKENS

_LOOKING = (
    Level("level-1", "sees its own points, and often takes less", looks=OWN_POINTS, spread=4.0, window=8.0),
    Level("level-2", "sees the points of all", looks=MARGIN, spread=0.4, window=2.0),
    Level("level-3", "saves its tokens for when they count", looks=TOKENS),
    Level("level-4", "sees contacts, and cuts that threaten", looks=SAFETY),
)
# With three players nothing is neutral and tokens count for less: the steps between points are finer instead.
_LOOKING_OF_THREE = (
    Level("level-1", "sees its own points, and often takes less", looks=OWN_POINTS, spread=4.0, window=8.0),
    Level("level-2", "sees its own points, and misses some", looks=OWN_POINTS, spread=1.0, window=3.0),
    Level("level-3", "sees the points of all", looks=MARGIN, spread=0.4, window=2.0),
    Level("level-4", "sees cuts that threaten, and saves its tokens", looks=SAFETY),
)
_THINKING = (
    Level("level-5", "knows what a position is worth", method="worlds", limit="5n", spread=0.002, window=0.01),
    Level("level-6", "thinks a little ahead", method="worlds", limit="150n"),
    Level("level-7", "thinks ahead", method="worlds", limit="480n"),
    Level("level-8", "thinks far ahead", method="worlds", limit="1600n"),
    Level("level-9", "full strength", method="worlds", limit="5200n"),
)


def levels(rules: Rules) -> tuple[Level, ...]:
    """The levels of a variant."""
    return (*(_LOOKING_OF_THREE if rules.seats == 3 else _LOOKING), *_THINKING)
