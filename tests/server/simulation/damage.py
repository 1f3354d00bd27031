"""A table whose stored events or secret are damaged for a while. No other table may suffer; who watches it is told."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from tilery.server.store.interface import Unreadable

if TYPE_CHECKING:
    from tests.server.simulation.network import Connection
    from tests.server.simulation.process import Process
    from tests.server.simulation.world import World

KINDS = ("unreadable", "no JSON", "no event", "cut", "empty", "secret")
DAMAGED_FOR = 4.0  # seconds until a process reads a damaged table again; the real time is longer than a run
TOLD_WITHIN = 7.0  # seconds, in which there are two sweeps


class DamagedTexts(list[str]):
    """Events of which one is damaged."""


class DamagedSecret(bytes):
    """Another secret."""


class Damage:
    """The damage to one table. What the disk holds is not changed, only what is read from it."""

    def __init__(self, world: World, random: Random) -> None:
        self._world = world
        self._kind = random.choice(KINDS)
        self._place = random.random()
        self._table = ""
        self._is_there = False
        self._event = 0  # the number of the damaged event
        self._repaired = 0.0
        self._found_by: set[str] = set()  # names of processes

    def begin(self, table: str) -> None:
        self._table, self._is_there = table, True
        self._event = 1 + int(self._place * len(self._world.disk.tables[table].log))
        self._world.note("{} is damaged: {} at event {}", table, self._kind, self._event)

    def repair(self) -> None:
        if self._is_there:
            self._is_there, self._repaired = False, self._world.loop.time()
            if self._world.disk.tables[self._table].owner in self._found_by:
                self._world.charged_time.interrupted(self._table)
            self._world.note("{} is repaired", self._table)

    def is_at(self, table: str) -> bool:
        return self._is_there and table == self._table

    def excuses(self, table: str) -> bool:
        """Whether it may be said that this table is damaged: it is, or it has not been read again since."""
        known_until = self._repaired + DAMAGED_FOR + TOLD_WITHIN
        return bool(self._table) and table == self._table and (self._is_there or self._world.loop.time() < known_until)

    # Reading

    def events(self, table: str, texts: Sequence[str], after: int) -> Sequence[str]:
        """The events after a number, as they are read."""
        index = self._event - after - 1
        if not self.is_at(table) or self._kind == "secret" or not 0 <= index < len(texts):
            return texts
        if self._kind == "unreadable":
            raise Unreadable("this page is damaged")
        damaged = {"no JSON": "{", "no event": '{"type":"x"}', "cut": texts[index][: len(texts[index]) // 2]}
        return DamagedTexts([*texts[:index], damaged.get(self._kind, ""), *texts[index + 1 :]])

    def secret(self, table: str, secret: bytes) -> bytes:
        return DamagedSecret(32) if self.is_at(table) and self._kind == "secret" else secret

    def read(self, process: Process, result: object) -> None:
        """A process has received something from the store, or the store's error."""
        if isinstance(result, (DamagedTexts, DamagedSecret, Unreadable)):
            self._found_by.add(process.name)
            self._world.charged_time.may_restart(self._table)
            if not isinstance(result, DamagedSecret):  # that is compared when the events are there
                self._must_tell(process)

    # Whoever listens is told

    def _must_tell(self, process: Process) -> None:
        watching = [each for each in process.connections if each.table == self._table and each.seq and each.is_open]
        if watching:
            self._world.later(TOLD_WITHIN, self._check_told, process, watching, process.pauses)

    def _check_told(self, process: Process, watching: list[Connection], pauses: int) -> None:
        if self._is_there and process.is_up and not process.is_stopping and process.pauses == pauses:
            for connection in watching:
                self._world.invariants.check(not connection.is_open, "{} was not told of the damage", connection)
