"""The kernel against the naive referee: whole positions and whole sets of moves, at every ply."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.oracle.azul_comparison import compare_game
from tests.variants import AZUL
from tilery.games.azul import Rules

STYLES = ("uniform", "builder", "hoarder", "spoiler")
LIMITS = ((None, 10), (None, 1), (5, 3), (None, 4), (2, None))


def _games(rules: Rules, first: int, count: int) -> Counter[str]:
    endings: Counter[str] = Counter()
    for seed in range(first, first + count):
        rounds, stall = LIMITS[seed % len(LIMITS)]
        tried = replace(rules, round_limit=rounds, stall_limit=stall, start=(0, None, 1)[seed % 3])
        endings[compare_game(tried, seed, STYLES[seed % len(STYLES)])] += 1
    return endings


@pytest.mark.parametrize("rules", AZUL, ids=lambda rules: rules.text)
def test_the_kernel_agrees_with_the_referee(rules: Rules) -> None:
    """AZ-1 to AZ-61, MC-1 to MC-11."""
    endings = _games(rules, 0, 20)
    assert {"row", "stall", "rounds"} <= set(endings), endings


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_the_kernel_agrees_when_nothing_limits_the_game(wall: str) -> None:
    """AZ-34: bare rules; four hoarders keep so many tiles on their lines that factories stay partly filled (AZ-32)."""
    assert {compare_game(Rules(4, wall), seed, "hoarder") for seed in (1, 2)} == {"row"}


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
@pytest.mark.parametrize("rules", AZUL, ids=lambda rules: rules.text)
def test_the_kernel_agrees_with_the_referee_in_thousands_of_games(rules: Rules, block: int) -> None:
    """2,000 games in each of the 18 combinations of seats, wall and special discs."""
    assert _games(rules, 1000 + 100 * block, 100).total() == 100
