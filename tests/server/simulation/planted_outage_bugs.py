"""Planted bugs that only outages show: frozen processes, clocks that are set, full disks, damaged tables."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from tests.server.simulation.planted import Planted
from tests.server.simulation.store import SimStore
from tests.server.simulation.world import Parts
from tilery.server.hosting import host, live_tables, ownership, reading
from tilery.server.hosting.clocks import Pauses, SteadyClock
from tilery.server.hosting.host import LiveTable, TableDamaged, TableError
from tilery.server.hosting.live_tables import LiveTables
from tilery.server.hosting.ownership import Ownership
from tilery.server.hosting.scheduler import Scheduler
from tilery.server.store.digests import NO_EVENTS, extend_digest
from tilery.server.store.interface import Batch, StoreDown, StoreError, Unreadable
from tilery.table.events import read_event
from tilery.table.fairness import Dealer
from tilery.table.handler import Handled, resume, tick
from tilery.table.state import AppliedEvent, Table

# Frozen processes


class NoticesNoPause(Pauses):
    def count_at(self, now: float) -> int:  # noqa: ARG002
        return 0


class NoticesPausesLate(Pauses):
    """Only a beat notices a pause, but expired timers and commands may run before it."""

    def count_at(self, now: float) -> int:
        del now
        return self._count

    def beat(self, now: float) -> bool:
        super().count_at(now)
        return super().beat(now)


class BeatsFirst(Pauses):
    """The beat hides the pause that it ends."""

    def beat(self, now: float) -> bool:
        self._last_beat = now
        return super().beat(now)


class NoticesOnePause(Pauses):
    def count_at(self, now: float) -> int:
        return min(1, super().count_at(now))


def _pauses(planted: type[Pauses]) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(host, "Pauses", planted)


class ChecksTheTimeFirst(Ownership):
    """The deadline is checked before the clock is resumed."""

    async def apply_due_events(self, live: LiveTable) -> Table | None:
        assert live.table is not None
        assert live.dealer is not None
        events = tick(live.table, self._now(), live.dealer)
        if events and not await self._write(live, Handled(events)):
            return None
        return await super().apply_due_events(live)


class ResumesAgainAndAgain(Ownership):
    """It forgets that it has resumed the clock."""

    async def apply_due_events(self, live: LiveTable) -> Table | None:
        table = await super().apply_due_events(live)
        live.resumed = None
        return table


class ResumesInMemory(Ownership):
    """The clock is resumed in memory, but that is not stored."""

    async def _resume_clock(self, live: LiveTable) -> None:
        assert live.table is not None
        for event in resume(live.table, self._now()):
            live.table.turn_began = event.at
        live.resumed = self._resumption(live, self._now())


# Clocks that are set


class Resynchronised(SteadyClock):
    """It follows the system's clock when that was set."""

    def __init__(self, wall: Callable[[], float], elapsed: Callable[[], float]) -> None:
        super().__init__(wall, elapsed)
        self._wall = wall

    def __call__(self) -> float:
        if abs(self._wall() - super().__call__()) > 60:
            self._offset = self._wall() - self._elapsed()
        return super().__call__()


def _wall_clock(wall: Callable[[], float], elapsed: Callable[[], float]) -> Callable[[], float]:
    del elapsed
    return wall


# Full disks


class AcknowledgesWithoutRoom(Ownership):
    async def _append(self, live: LiveTable, handled: Handled) -> None:
        table = live.table
        try:
            await super()._append(live, handled)
        except StoreDown as error:
            if "room" not in str(error):
                raise
            live.table = table


class ChargesWhileTheDiskIsFull(Ownership):
    """The clock goes on although no move can be stored."""

    async def _write(self, live: LiveTable, handled: Handled) -> bool:
        resumed = live.resumed
        try:
            return await super()._write(live, handled)
        finally:
            live.resumed = resumed


class GivesTheDiskUp(SimStore):
    """A disk that was full once is taken for full for ever."""

    is_given_up = False

    def require_room(self) -> None:
        try:
            super().require_room()
        except StoreDown:
            self.is_given_up = True
        if self.is_given_up:
            raise StoreDown("there was no room on the disk")


class WritesWhatFits(SimStore):
    """A batch is written as far as there is room."""

    def write_now(self, batch: Batch) -> None:
        try:
            super().write_now(batch)
        except StoreDown:
            if len(batch.events) > 1 and self.explain_refusal(batch) is None:
                short = batch._replace(events=batch.events[: len(batch.events) // 2], new_tables=())
                self.world.charged_time.sent(short)
                self.disk.write(self.name, short)
            raise


class IgnoresTheFullDisk(SimStore):
    """What does not fit is lost, and nobody is told."""

    def write_now(self, batch: Batch) -> None:
        with contextlib.suppress(StoreDown):
            super().write_now(batch)


class LosesTimers(Scheduler):
    """A table in memory is taken for one with a timer, but after a failed write it has none."""

    async def _take_over(self, name: str) -> None:
        live = self._tables.find(name)
        if live is None or live.lease is None:
            await super()._take_over(name)

    async def _read_again(self, live: LiveTable) -> None:
        with patch.object(self._ownership, "on_change", lambda _: None):
            await super()._read_again(live)


# Damaged tables


class EndsTheRound(Scheduler):
    """A damaged table ends the round of all tables that come after it."""

    async def sweep(self) -> None:
        with contextlib.suppress(TableError):
            await super().sweep()

    async def _guard(self, name: str, work: Any) -> None:
        del name
        await work()


class FirstOnly(SimStore):
    """A table that cannot be read stays the most urgent one."""

    async def due(self, before: float) -> Sequence[str]:
        return (await super().due(before))[:1]


class SetsAsideForEver(LiveTables):
    def check_damage(self, name: str) -> None:
        if name in self._damaged:
            raise TableDamaged(name)


class TellsNobody(Ownership):
    @contextlib.contextmanager
    def _setting_aside(self, live: LiveTable) -> Iterator[None]:
        listeners, live.listeners = live.listeners, set()
        try:
            with super()._setting_aside(live):
                yield
        finally:
            live.listeners = listeners


class TakesEveryErrorForDamage(Ownership):
    """Found: a store that has too much to do says nothing about the table."""

    @contextlib.contextmanager
    def _setting_aside(self, live: LiveTable) -> Iterator[None]:
        def busy(error: StoreError) -> Exception:
            return error if isinstance(error, StoreDown) else Unreadable(str(error))

        with super()._setting_aside(live):
            try:
                yield
            except StoreError as error:
                raise busy(error) from error


class KeepsTheDamagedSecret(Ownership):
    """Found: a repaired table is still dealt from the damaged secret."""

    @contextlib.contextmanager
    def _setting_aside(self, live: LiveTable) -> Iterator[None]:
        try:
            with super()._setting_aside(live):
                yield
        finally:
            self.kept = live.dealer = live.dealer or self.kept

    kept: Dealer | None = None

    async def _read_secret(self, live: LiveTable) -> None:
        await super()._read_secret(live)
        self.kept = live.dealer


class ChargesWhileItFollows(Ownership):
    """Found: time is charged if the owner could not read its table again."""

    async def follow(self, live: LiveTable) -> None:
        resumed = live.resumed
        try:
            await super().follow(live)
        except StoreError:
            live.resumed = resumed
            raise


async def _skipping(table: Table, texts: Sequence[str]) -> AsyncIterator[AppliedEvent]:
    """Events that cannot be read are left out."""
    for text in texts:
        with contextlib.suppress(Exception):
            yield table.apply(read_event(text))


async def _not_compared(texts: Sequence[str], *_: object) -> str:
    return extend_digest(NO_EVENTS, texts)


@contextlib.contextmanager
def _skips_damaged_events() -> Iterator[None]:
    """Without the digest, too: it would show that events are missing."""
    with patch.object(reading, "apply_stored", _skipping), patch.object(ownership, "digest_after", _not_compared):
        yield


def _accepts_any_secret() -> AbstractContextManager[Any]:
    return patch.object(ownership, "_check_secret", lambda *_: None)


def _damage_of_one_is_damage_of_all() -> AbstractContextManager[Any]:
    def check_damage(self: LiveTables, name: str) -> None:
        if any(self._now() - since < live_tables.DAMAGED_FOR for since in self._damaged.values()):
            raise TableDamaged(name)

    return patch.object(LiveTables, "check_damage", check_damage)


PLANTED_OUTAGE_BUGS = (
    Planted("no pause is noticed", patching=_pauses(NoticesNoPause)),
    Planted("a pause is noticed at the next beat, which may be late", patching=_pauses(NoticesPausesLate)),
    Planted("a beat hides the pause that it ends", patching=_pauses(BeatsFirst)),
    Planted("only the first pause is noticed", patching=_pauses(NoticesOnePause)),
    Planted("the deadline is checked before the clock is resumed", ChecksTheTimeFirst),
    Planted("a turn is restarted again and again", ResumesAgainAndAgain),
    Planted("a clock is resumed in memory only", ResumesInMemory),
    Planted("the time is that of the system's clock", parts=Parts(clock=_wall_clock)),
    Planted("the steady clock follows the system's clock when that is set", parts=Parts(clock=Resynchronised)),
    Planted("what does not fit on the disk is acknowledged", AcknowledgesWithoutRoom),
    Planted("time is charged while the disk is full", ChargesWhileTheDiskIsFull),
    Planted("a disk that was full is never tried again", parts=Parts(store=GivesTheDiskUp)),
    Planted("half a batch is written to a full disk", parts=Parts(store=WritesWhatFits)),
    Planted("the store ignores that the disk is full", parts=Parts(store=IgnoresTheFullDisk)),
    Planted("after a failed write a table has no timer", LosesTimers),
    Planted("a damaged table ends the round of all others", EndsTheRound),
    Planted("only the most urgent table is woken", parts=Parts(store=FirstOnly)),
    Planted("a damaged table is set aside for ever", SetsAsideForEver),
    Planted("who listens to a damaged table is not told", TellsNobody),
    Planted("damaged events are left out", patching=_skips_damaged_events),
    Planted("any secret is dealt from", patching=_accepts_any_secret),
    Planted("one damaged table closes all", patching=_damage_of_one_is_damage_of_all),
    Planted("found: a busy store is taken for a damaged table", TakesEveryErrorForDamage),
    Planted("found: a repaired table keeps the damaged secret", KeepsTheDamagedSecret),
    Planted("found: time is charged if the owner could not read its table again", ChargesWhileItFollows),
)
