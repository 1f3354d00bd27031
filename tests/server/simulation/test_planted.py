"""The simulation would notice: every fault that is planted is found, and soon."""

from __future__ import annotations

import pytest

from tests.server.simulation.planted import MOST_SEEDS, PLANTED, Planted


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_a_planted_fault_is_found(planted: Planted) -> None:
    found = planted.seeds_needed()
    assert found, f"not found in {MOST_SEEDS} runs: {planted.name}"
    print(f"{planted.name}: found in {found[0]} runs, because {found[1]}")
