"""The simulation finds every planted bug, and soon."""

from __future__ import annotations

import pytest

from tests.server.simulation.planted import MAX_SEEDS, Planted
from tests.server.simulation.planted_bugs import PLANTED
from tests.server.simulation.planted_outage_bugs import PLANTED_OUTAGE_BUGS


@pytest.mark.parametrize("planted", PLANTED + PLANTED_OUTAGE_BUGS, ids=lambda planted: planted.name)
def test_a_planted_bug_is_found(planted: Planted) -> None:
    found = planted.seeds_needed()
    assert found, f"not found in {MAX_SEEDS} runs: {planted.name}"
    print(f"{planted.name}: found in {found[0]} runs, because {found[1]}")
