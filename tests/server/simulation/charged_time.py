"""Invariants about time: nobody loses on time whose clock has not really run for that long, no turn is restarted
without a reason, and what is due happens soon.

Time is counted here by the time of the simulation, from what happens to processes and to the disk. What the table host
says about time is not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tilery.server.hosting.clocks import BEAT_INTERVAL, MIN_PAUSE
from tilery.server.store.interface import Batch, StoreDown, StoreError
from tilery.table import events as happened
from tilery.table.events import Event
from tilery.table.state import Table

if TYPE_CHECKING:
    from tests.server.simulation.process import Process
    from tests.server.simulation.world import World

ROUNDING = 0.02  # seconds
AHEAD = 1000.0  # seconds
SOON = 15.0  # seconds without failures in which whatever is due must happen


@dataclass
class Turns:
    """The clocks of a table. An interruption gives the whole time of the turn back."""

    left: list[float]  # of each seat, at least
    began: float = 0.0  # the turn, by the moves
    interrupted: float = 0.0  # when the last interruption ended
    slept_until: float = 0.0  # when nobody could know for the last time that the table is due
    restarted: float = 0.0  # the turn, by the stored events
    last_event: float = 0.0
    reasons: int = 0  # for restarting a turn
    restarts: int = 0

    def used(self, sent: Sent) -> float:
        """The seconds that the turn can have used, at most, when a process decided on a batch."""
        return max(0.0, sent.at - max(self.began, sent.interrupted))


class Sent(NamedTuple):
    """A batch that a process has decided on; it may reach the disk much later."""

    batch: Batch  # so that its id is not used again
    at: float
    interrupted: float  # the last interruption before


class ChargedTime:
    """The clocks of all tables."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._turns: dict[str, Turns] = {}
        self._sent: dict[int, Sent] = {}

    def _of(self, table: str) -> Turns:
        return self._turns.setdefault(table, Turns([]))

    @property
    def _now(self) -> float:
        return self._world.loop.time()

    # What happens to processes and to the disk

    def sent(self, batch: Batch) -> None:
        """A process has decided on these events."""
        self._sent[id(batch)] = Sent(batch, self._now, self._of(batch.table).interrupted)

    def interrupted(self, table: str) -> None:
        """An interruption of a turn has ended: the table has a new owner, or was repaired."""
        self._of(table).interrupted = self._now
        self.may_restart(table)

    def may_restart(self, table: str) -> None:
        """Something has happened for which the turn may be restarted, once."""
        self._of(table).reasons += 1

    def resumed(self, process: Process, pause: float) -> None:
        """A process runs again after a pause of some seconds."""
        for name, stored in self._world.disk.tables.items():
            if stored.owner == process.name:
                turns = self._of(name)
                if pause > MIN_PAUSE:
                    turns.interrupted = self._now
                if pause > MIN_PAUSE - 2 * BEAT_INTERVAL:  # since the last beat it may have been more
                    turns.reasons += 1

    def failed(self, process: Process, table: str, error: StoreError) -> None:
        """A process has learned that its request about a table has failed."""
        turns = self._of(table)
        turns.reasons += 1
        stored = self._world.disk.tables.get(table)
        if isinstance(error, StoreDown) and stored and stored.owner == process.name:
            turns.interrupted = self._now

    # What is stored

    def written(self, table: Table, batch: Batch, event: Event) -> None:
        """Check an event before it is applied to its table."""
        turns, now = self._of(table.name), self._now
        sent = self._sent[id(batch)]
        turns.last_event = now
        if table.clock is None:
            return
        if isinstance(event, happened.Started):
            turns.left = [table.clock.first] * table.rules.seats
            turns.began = turns.restarted = sent.at
        elif isinstance(event, (happened.Played, happened.TakenBack)):
            assert table.actor is not None
            turns.left[table.actor] -= turns.used(sent)
            turns.began = turns.restarted = sent.at
        elif isinstance(event, happened.Resumed):
            turns.restarts += 1
            turns.restarted = sent.at
            if turns.restarts > turns.reasons:
                self._world.invariants.fail(f"a turn at {table.name} was restarted without a reason")
        elif isinstance(event, happened.Resigned) and event.why == "time":
            used, left = turns.used(sent), turns.left[event.seat]
            if used < left - ROUNDING:
                self._world.invariants.fail(
                    f"seat {event.seat} of {table.name} lost on time after {used:.2f} seconds, but it had {left:.2f}"
                )

    def oversleeps(self, table: str) -> bool:
        """Whether nobody can know that a table is due: it was written by a process whose clock is far ahead of those
        that are left. It wakes late, or when somebody does something there; nobody loses time."""
        actual = self._world.invariants.tables[table].table
        if actual.deadline is None or self._due(actual) > self._now:
            return False
        wake, owner = self._world.disk.tables[table].summary.wake, self._world.disk.tables[table].owner
        running = [process for process in self._world.processes.values() if process.is_up]
        running = [process for process in running if process.name == owner] or running
        return wake is not None and all(wake > each.table_host.now() + AHEAD for each in running)

    def overslept(self, table: str) -> bool:
        """Whether a table oversleeps, or did so until a process with another clock took it over, so that its turn is
        not over yet."""
        actual, turns = self._world.invariants.tables[table].table, self._of(table)
        if self.oversleeps(table):
            return True
        return actual.deadline is not None and turns.slept_until > 0.0 and self._now <= self._due(actual) + SOON

    def _due(self, table: Table) -> float:
        """When the seat to move runs out of time."""
        assert table.actor is not None
        return self._of(table.name).restarted + table.time_left[table.actor]

    def check(self, since: float) -> None:
        """Nothing is overdue, since there are no failures any more."""
        for name, actual in self._world.invariants.tables.items():
            table, turns = actual.table, self._of(name)
            if table.actor is None or self._world.damage.excuses(name):
                continue
            if self.oversleeps(name):
                turns.slept_until = self._now  # somebody else may know better from now on
                continue
            begins = max(since, turns.interrupted, turns.slept_until)
            if table.deadline is not None:
                due = max(begins, self._due(table))
                if self._now > due + SOON:
                    self._world.invariants.fail(f"at {name} the time has been up since second {due:.2f}")
            if table.seats[table.actor].kind == "bot" and self._now > max(begins, turns.last_event) + SOON:
                self._world.invariants.fail(f"at {name} the bot has not moved since second {turns.last_event:.2f}")
