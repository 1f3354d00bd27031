"""Outages: frozen processes, machines whose clock is set, disks without room, a damaged table. They have random numbers
of their own, so that runs without them are not affected."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.server.simulation.process import Process
    from tests.server.simulation.world import World

KINDS = ("freeze", "set clock", "no room", "damage")
HOUR = 3600.0


class Outages:
    """The outages of a run: half of all runs have some."""

    def __init__(self, world: World, seed: int) -> None:
        self._world = world
        self.random = random = Random(f"outages of {seed}")
        some = random.random() < 0.5
        self.kinds = [kind for kind in KINDS if some and random.random() < 0.5]
        self.every = random.choice((1.0, 2.0, 4.0))  # seconds between outages
        self._full: dict[str, float] = {}  # until when the disk of a process has no room

    @property
    def damages(self) -> bool:
        return "damage" in self.kinds

    def clock_error(self) -> float:
        """By how many seconds the clock of a machine is fast when the run begins."""
        return self.random.choice((0.0, 0.0, HOUR, -HOUR)) if "set clock" in self.kinds else 0.0

    def has_room(self, process: str) -> bool:
        return self._world.loop.time() >= self._full.get(process, 0.0)

    async def run(self) -> None:
        """Cause outages until failures end."""
        world, random = self._world, self.random
        kinds = [kind for kind in self.kinds if kind != "damage"]
        if self.damages:
            world.later(random.uniform(0.5, world.failures.until), self._damage)
        while kinds and not world.failures.has_ended:
            await asyncio.sleep(random.expovariate(1 / self.every))
            if not world.failures.has_ended:
                self._cause(random.choice(kinds))

    def end(self) -> None:
        """There is room again; the damaged table is repaired later, so that the others first have to do without."""
        self._full.clear()
        self._world.later(self.random.uniform(0.0, 20.0), self._world.damage.repair)

    def _victim(self) -> Process | None:
        """A process, often the one that owns the first table."""
        world, random = self._world, self.random
        able = [process for process in world.processes.values() if process.is_up]
        owner = world.processes.get(next(iter(world.disk.tables.values())).owner)
        if owner in able and random.random() < 0.7:
            return owner
        return random.choice(able) if able else None

    def _cause(self, kind: str) -> None:
        world, random = self._world, self.random
        process = self._victim()
        if process is None:
            return
        world.note("{} hits {}", kind, process.name)
        if kind == "freeze":
            self._freeze(process, random.choice((1, 1, 1, 2, 3)))
        elif kind == "set clock":
            process.clock.error += random.choice((-HOUR, -5.0, 5.0, HOUR))
        else:
            everywhere = random.random() < 0.5
            until = world.loop.time() + random.choice((0.5, 3.0, 12.0))
            for each in world.processes if everywhere else [process.name]:
                self._full[each] = until

    def _freeze(self, process: Process, times: int) -> None:
        """Freeze a process, once or several times in a row."""
        world, random = self._world, self.random
        if not world.failures.has_ended and process.is_up:
            seconds = random.choice((0.4, 0.9, 2.0, 5.0, 11.0))
            process.pause(seconds)
            if times > 1:
                world.later(seconds + random.choice((0.0, 0.1, 1.0)), self._freeze, process, times - 1)

    def _damage(self) -> None:
        """Damage the table, and often kill its owner, so that somebody has to read it."""
        world = self._world
        table = world.clients[-1].table
        if table and not world.failures.has_ended:
            world.damage.begin(table)
            owner = world.processes.get(world.disk.tables[table].owner)
            if owner and owner.is_up and self.random.random() < 0.7:
                world.note("crash hits {}", owner.name)
                world.on_exit(owner)
