"""The clocks of the machines that processes run on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.server.simulation.world import World

EPOCH = 1_000_000.0
UPTIME = 5_000.0  # seconds that every machine has run for when a run begins


class MachineClock:
    """The clock of a machine, which anybody can set, and the time since it was started, which nobody can."""

    def __init__(self, world: World, error: float) -> None:
        self._world = world
        self.error = error  # seconds by which the clock is fast

    def wall(self) -> float:
        return EPOCH + self._world.loop.time() + self.error

    def elapsed(self) -> float:
        return UPTIME + self._world.loop.time()
