"""The kernel against the naive referee: whole positions, groups, scores and sets of moves, at every ply."""

from __future__ import annotations

import pytest

from tests.oracle.schokoly_comparison import compare_game
from tests.variants import SCHOKOLY
from tilery.games.schokoly import Rules

STYLES = ("uniform", "stacker", "guard", "trader", "runner")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("rules", SCHOKOLY, ids=lambda rules: rules.text)
def test_the_kernel_agrees_with_the_referee(rules: Rules, style: str) -> None:
    """SC-1 to SC-53, SC-61."""
    for seed in range(2):
        assert compare_game(rules, seed, style) == "cards"


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize("rules", SCHOKOLY, ids=lambda rules: rules.text)
def test_the_kernel_agrees_with_the_referee_in_thousands_of_games(rules: Rules, block: int) -> None:
    """500 games in each of the variants."""
    for seed in range(50):
        compare_game(rules, 1000 + 50 * block + seed, STYLES[seed % len(STYLES)])
