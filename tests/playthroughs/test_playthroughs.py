"""The golden games are still played as recorded."""

from __future__ import annotations

import pytest

from tests.playthroughs import GOLDEN, golden_file, playthrough


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_game_is_the_same(name: str) -> None:
    assert playthrough(name) == golden_file(name).read_text(encoding="utf-8")
