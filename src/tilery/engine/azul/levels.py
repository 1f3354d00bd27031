"""The ladder of Azul: how each level thinks. The arena chose the numbers, neighbours being 60 to 75 % apart."""

from __future__ import annotations

from collections.abc import Sequence

from tilery.core.game import Rules
from tilery.engine.azul.kernel.look import FLOOR_TOO, PLANS, POINTS
from tilery.engine.family import Level

_BY_ONE_PLY = (
    Level("level-1", "sees the points of its next tiling", looks=POINTS, spread=1.0, window=3),
    Level("level-2", "sees the floor line too", looks=FLOOR_TOO, spread=1.2, window=3),
    Level("level-3", "plans on its own board, loosely", looks=PLANS, spread=2.2, window=7),
    Level("level-4", "plans on its own board", looks=PLANS, spread=1.6, window=5),
    Level("level-5", "plans on its own board with care", looks=PLANS, spread=1.1, window=4),
    Level("level-6", "plans on its own board, strictly", looks=PLANS),
)
_ABOUT = (
    "looks at some answers",
    "looks a move ahead",
    "looks some moves ahead",
    "thinks a little",
    "thinks",
    "thinks longer",
    "thinks hard",
    "full strength",
)
# Nodes of alpha-beta for two players, simulations for more.
_TWO = (60, 150, 350, 800, 1_800, 4_500, 14_000, 50_000)
_MORE = (100, 200, 400, 800, 1_600, 3_500, 9_000, 30_000)


def levels_for(rules: Rules) -> Sequence[Level]:
    """The fourteen levels of a variant."""
    method, counts = ("pvs", _TWO) if rules.seats == 2 else ("uct", _MORE)
    searching = (
        Level(f"level-{number}", about, method=method, limit=f"{nodes}n")
        for number, (about, nodes) in enumerate(zip(_ABOUT, counts, strict=True), start=len(_BY_ONE_PLY) + 1)
    )
    return (*_BY_ONE_PLY, *searching)
