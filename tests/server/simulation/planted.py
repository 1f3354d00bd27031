"""A planted bug, and the search for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from tests.server.simulation.world import Broken, Parts, World
from tilery.server.hosting import host

MAX_SEEDS = 2_000


@dataclass(frozen=True)
class Planted:
    """A planted bug: a part of the table host (`part` replaces its base class), the host, the store, or a patch."""

    name: str
    part: type[Any] | None = None
    parts: Parts = dataclasses.field(default_factory=Parts)
    patching: Callable[[], AbstractContextManager[Any]] = nullcontext

    def seeds_needed(self, max_seeds: int = MAX_SEEDS) -> tuple[int, str] | None:
        """The number of runs until it is found, and the broken invariant; None if it is not found."""
        with self.patching(), self._planted_part():
            for seed in range(max_seeds):
                try:
                    World(seed, self.parts).run()
                except Broken as broken:
                    return seed + 1, str(broken)
        return None

    def _planted_part(self) -> AbstractContextManager[Any]:
        if self.part is None:
            return nullcontext()
        return patch.object(host, self.part.mro()[1].__name__, self.part)
