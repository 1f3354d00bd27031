"""A handful of games in every variant against the referees: short enough for plain Python and a thousand mutants."""

from __future__ import annotations

import pytest

from tests.oracle.schokoly_comparison import compare_game
from tests.oracle.test_azul_referee import _games
from tests.oracle.test_schokoly_referee import STYLES
from tests.variants import AZUL, SCHOKOLY
from tilery.games import azul, schokoly


@pytest.mark.parametrize("rules", AZUL, ids=lambda rules: rules.text)
def test_a_few_games_of_azul_agree(rules: azul.Rules) -> None:
    assert _games(rules, 0, 5).total() == 5


@pytest.mark.parametrize("rules", SCHOKOLY, ids=lambda rules: rules.text)
def test_a_few_games_of_schokoly_agree(rules: schokoly.Rules) -> None:
    for seed, style in enumerate(STYLES):
        assert compare_game(rules, seed, style) == "cards"
