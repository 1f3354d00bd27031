"""A handful of games in every variant against the referee: short enough for plain Python and a thousand mutants."""

from __future__ import annotations

import pytest

from tests.oracle.test_azul_referee import _games
from tests.variants import AZUL
from tilery.games.azul import Rules


@pytest.mark.parametrize("rules", AZUL, ids=lambda rules: rules.text)
def test_a_few_games_agree(rules: Rules) -> None:
    assert _games(rules, 0, 5).total() == 5
