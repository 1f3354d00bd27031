"""The ladder of Azul: how each level chooses. By matches, a level scores 60 to 75 % against the one below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilery.core.game import Rules
from tilery.engine.azul.kernel.one_ply import PLANS, POINTS, WITH_FLOOR
from tilery.engine.family import Level

_OnePly = tuple[str, int, float, float]  # description, what it takes into account, spread and window

_PLANS_LOOSELY: _OnePly = ("plans on its own board, loosely", PLANS, 2.2, 7)
_PLANS_MODERATELY: _OnePly = ("plans on its own board", PLANS, 1.6, 5)
_PLANS_STRICTLY: _OnePly = ("plans on its own board, strictly", PLANS, 0, 0)
_PLANS_CAREFULLY: _OnePly = ("plans on its own board with care", PLANS, 1.1, 4)
_BY_ONE_PLY: dict[int, tuple[_OnePly, ...]] = {
    2: (
        ("sees the points of its next tiling", POINTS, 1.0, 3),
        ("sees the floor line too", WITH_FLOOR, 1.2, 3),
        _PLANS_LOOSELY,
        _PLANS_MODERATELY,
        _PLANS_CAREFULLY,
        _PLANS_STRICTLY,
    ),
    3: (
        ("sees the points of its next tiling, and misses some", POINTS, 1.5, 4.5),
        ("sees the points of its next tiling", POINTS, 1.0, 3),
        ("sees the floor line too", WITH_FLOOR, 1.0, 3),
        ("plans on its own board, very loosely", PLANS, 2.9, 9),
        _PLANS_LOOSELY,
        _PLANS_MODERATELY,
        _PLANS_CAREFULLY,
        _PLANS_STRICTLY,
    ),
    4: (
        ("sees the points of its next tiling", POINTS, 1.0, 3),
        ("sees the floor line too", WITH_FLOOR, 1.2, 3),
        ("has some plan on its own board", PLANS, 3.75, 11.3),
        ("plans on its own board, very loosely", PLANS, 2.97, 9.1),
        _PLANS_LOOSELY,
        _PLANS_MODERATELY,
        ("plans on its own board with care", PLANS, 0.8, 3),
        _PLANS_STRICTLY,
    ),
}
_BY_ONE_PLY_ON_GREY: tuple[_OnePly, ...] = (
    ("sees the points of its next tiling, and misses some", POINTS, 1.6, 5),
    *_BY_ONE_PLY[2][:2],
    _PLANS_MODERATELY,
    ("plans on its own board with care", PLANS, 1.0, 3.6),
    _PLANS_STRICTLY,
)
# Nodes of `pvs` for two players, simulations of `uct` for more.
_NODES = {
    2: (45, 115, 290, 720, 1_800, 4_800, 13_500, 42_000),
    3: (50, 150, 500, 1_700, 6_000, 20_000),
    4: (300, 1_100, 4_000, 15_000),
}
_NODES_ON_GREY = (60, 150, 380, 950, 2_400, 6_000, 16_000, 45_000)
_ABOUT = (
    "looks at some replies",
    "looks one move ahead",
    "looks some moves ahead",
    "thinks a little",
    "thinks",
    "thinks longer",
    "thinks hard",
    "full strength",
)


def levels_for(rules: Rules) -> Sequence[Level]:
    """The levels of a variant: fourteen, with four players twelve."""
    one_ply, counts, method = _BY_ONE_PLY[rules.seats], _NODES[rules.seats], "uct"
    if rules.seats == 2:
        method = "pvs"
        if rules.options[1]:
            one_ply, counts = _BY_ONE_PLY_ON_GREY, _NODES_ON_GREY
    abouts = _ABOUT[-len(counts) :]
    simple = (Level("", about, one_ply=scope, spread=spread, window=window) for about, scope, spread, window in one_ply)
    searching = (Level("", about, method=method, limit=f"{n}n") for about, n in zip(abouts, counts, strict=True))
    return [replace(level, name=f"level-{number}") for number, level in enumerate((*simple, *searching), start=1)]
