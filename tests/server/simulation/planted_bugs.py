"""Planted bugs: mistakes that somebody could make, each as small as possible. The simulation has to find them all."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, cast
from unittest.mock import patch

import msgspec

from tests.server.simulation.planted import Planted
from tests.server.simulation.planted_store_bugs import Greedy, Unfenced, Unordered
from tests.server.simulation.world import Parts
from tilery.core.game import Game
from tilery.server.hosting import ownership
from tilery.server.hosting.forwarding import Forwarding
from tilery.server.hosting.host import Busy, CommandResult, Listener, LiveTable, Sender, TableHost, Unavailable
from tilery.server.hosting.live_tables import UNLIMITED, BotTurn, LiveTables, summary_of
from tilery.server.hosting.ownership import Ownership
from tilery.server.hosting.reading import read_table
from tilery.server.hosting.scheduler import Scheduler
from tilery.server.store.digests import extend_digest
from tilery.server.store.interface import Batch, Claim, StoreDown, StoreError
from tilery.table import handler, views, wire
from tilery.table.commands import AnyCommand, Play
from tilery.table.events import Event, write_event
from tilery.table.handler import Handled
from tilery.table.state import Table
from tilery.table.views import ClientMessage, TableViews

Welcome = Callable[[TableViews], ClientMessage]


class PublishesFirst(Ownership):
    async def _append(self, live: LiveTable, handled: Handled) -> None:
        table = live.table
        assert table is not None
        assert live.lease is not None
        after = table.number
        live.unpublished = [table.apply(event) for event in handled.events]
        self._publish(live)
        live.table = None
        new_tables = (self.new_table(handled.new)[1],) if handled.new else ()
        texts = tuple(map(write_event, handled.events))
        digest = extend_digest(live.digest, texts)
        await self._store.append(Batch(live.name, live.lease, after, texts, summary_of(table), digest, new_tables))
        live.table, live.digest = table, digest


class RepliesFirst(Ownership):
    async def _write(self, live: LiveTable, handled: Handled) -> bool:
        self.writing = asyncio.ensure_future(super()._write(live, handled))
        return True


class KeepsTableAfterFailure(Ownership):
    async def _append(self, live: LiveTable, handled: Handled) -> None:
        table = live.table
        try:
            await super()._append(live, handled)
        finally:
            live.table = table


class TakesTimeoutForFailure(Ownership):
    """It assumes that a store that does not respond has written nothing."""

    async def _append(self, live: LiveTable, handled: Handled) -> None:
        try:
            await super()._append(live, handled)
        except StoreDown:
            raise Busy from None


class KeepsItsLease(Ownership):
    """It reads the table again when it was fenced, but goes on with the old lease."""

    def _set_owner(self, live: LiveTable, claim: Claim) -> None:
        if live.lease is None:
            super()._set_owner(live, claim)


class CreatesRematchApart(Ownership):
    async def _append(self, live: LiveTable, handled: Handled) -> None:
        await super()._append(live, handled._replace(new=None))
        if handled.new:
            await self._store.create(self.new_table(handled.new)[1])


class SubscribesBeforeWelcome(TableHost):
    async def subscribe(self, name: str, listener: Listener, welcome: Welcome, **_: Any) -> None:
        self.live_tables.use(name).listeners.add(listener)
        await super().subscribe(name, listener, welcome)


class WelcomesWithoutLock(TableHost):
    async def subscribe(self, name: str, listener: Listener, welcome: Welcome, **_: Any) -> None:
        def see(table: Table, now: float) -> ClientMessage:
            return welcome(TableViews(table, now))

        message = await self.read(name, see, refresh=True)
        await asyncio.sleep(0.02)  # anything else that is awaited
        listener.send(message)
        self.live_tables.use(name).listeners.add(listener)


class IgnoresChanges(Forwarding):
    def _on_change(self, name: str, number: int) -> None:
        pass


class PublishesTwice(Ownership):
    def _publish(self, live: LiveTable) -> None:
        applied = live.unpublished
        super()._publish(live)
        live.unpublished = applied


class _NoLock:
    """A lock that blocks nobody."""

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(self, *_: object) -> None:
        return None

    def locked(self) -> bool:
        return False


class Unlocked(LiveTables):
    def use(self, name: str) -> LiveTable:
        live = super().use(name)
        live.lock = cast("asyncio.Lock", _NoLock())
        return live


class TicksTwice(Ownership):
    async def apply_due_events(self, live: LiveTable) -> Table | None:
        def twice(table: Table, now: float, dealer: Any) -> tuple[Event, ...]:
            return handler.tick(table, now, dealer) * 2

        with patch.object(ownership, "tick", twice):
            return await super().apply_due_events(live)


class TicksWithoutLock(Scheduler):
    async def _check_clock(self, live: LiveTable) -> None:
        with contextlib.suppress(Unavailable, Busy):
            if live.lease is not None and live.table is not None:
                await self._ownership.apply_due_events(live)


class PlaysOutdatedMoves(Scheduler):
    """A bot's move is made whatever has happened during the search."""

    def unschedule(self, live: LiveTable) -> None:
        live.thinking = None
        super().unschedule(live)

    async def _play_for_bot(self, live: LiveTable, turn: BotTurn, move: str) -> bool:
        async with live.lock:
            table = await self._ownership.load(live)
            if live.lease is not None:
                command = Play(id=f"bot-{turn.step}", step=table.step, move=move)
                await self._ownership.execute(live, "", command, turn.seat)
            return True


class ChangesForwardedIds(Forwarding):
    _copies = itertools.count(1)

    async def forward(
        self, owner: str, name: str, key: str, command: AnyCommand, sender: Sender
    ) -> CommandResult | None:
        again = msgspec.structs.replace(command, id=f"{command.id}-{next(self._copies)}")
        return await super().forward(owner, name, key, again, sender)


class AnswersBeforeTheUpdate(Ownership):
    """The reply of another process is passed on before the events that it is about were read."""

    async def catch_up(self, live: LiveTable, last: int) -> None:
        pass


class BotGivesUp(Scheduler):
    """A bot that fails once never moves again: `thinking` stays set."""

    async def _run_bot(self, live: LiveTable, turn: BotTurn) -> None:
        with contextlib.suppress(Exception):
            move = await self._bots.move(turn.seen, turn.bot, live.name)
            await self._play_for_bot(live, turn, move)
            return
        await asyncio.sleep(3600)


class UnloadsBusyTables(Scheduler):
    """It unloads a table although somebody has asked for it while it was being released."""

    async def _unload(self, live: LiveTable, before: float) -> None:
        await super()._unload(live, before)
        self._tables.remove(live.name)


# Bugs that the simulation has found in the table host itself


class StaysBehind(Ownership):
    """A change that could not be read at once is never read."""

    async def follow(self, live: LiveTable) -> None:
        table = live.table
        try:
            await super().follow(live)
        except StoreError:
            live.table = table
            raise


class ReadsNothingAgain(Scheduler):
    """A dropped table is read at the next command or request, but listeners send none."""

    async def _read_again(self, live: LiveTable) -> None:
        pass


class PublishesRecentOnly(Ownership):
    """A listener that has missed more than the recent events never gets the others."""

    def _publish(self, live: LiveTable) -> None:
        assert live.table is not None
        recent = {number for number, _ in live.table.recent}
        live.unpublished = [each for each in live.unpublished if each.number in recent]
        super()._publish(live)


class SaysNothingWasDone(TableHost):
    """A command that was forwarded before this process became busy may have been executed."""

    async def submit(self, name: str, key: str, command: AnyCommand, sender: Sender = UNLIMITED) -> CommandResult:
        try:
            return await super().submit(name, key, command, sender)
        except Unavailable as error:
            raise error.__cause__ if isinstance(error.__cause__, Busy) else error from None


class IgnoresFailedResume(Ownership):
    async def _resume_clock(self, live: LiveTable) -> None:
        with contextlib.suppress(StoreError):
            await super()._resume_clock(live)


class KeepsItsTimer(Scheduler):
    """An expired timer is taken for one that is still running."""

    def _on_timer(self, live: LiveTable) -> None:
        timer = live.timer
        super()._on_timer(live)
        live.timer = timer


class TrustsItsMemory(Ownership):
    """A fenced owner refuses what was executed long ago."""

    async def _is_still_owner(self, live: LiveTable) -> bool:
        return live.table is not None


class WelcomesByMemory(TableHost):
    """A player who has just taken a seat through another process is a spectator here."""

    async def subscribe(self, name: str, listener: Listener, welcome: Welcome, **_: Any) -> None:
        live = self.live_tables.use(name)
        async with live.lock:
            listener.send(welcome(TableViews(await self._ownership.load(live), self.now())))
            live.listeners.add(listener)


# Patches of lower layers


def _no_dedupe() -> AbstractContextManager[Any]:
    return patch.object(Table, "first_event_of", lambda *_: None)


def _dedupe_forgotten() -> AbstractContextManager[Any]:
    async def forgetful(name: str, log: Sequence[str], find: Callable[[str], Game]) -> Table:
        table = await read_table(name, log, find)
        del table._command_hashes[:], table._first_events[:]
        return table

    return patch.object(ownership, "read_table", forgetful)


def _no_resume() -> AbstractContextManager[Any]:
    return patch.object(ownership, "resume", lambda *_: ())


def _no_step() -> AbstractContextManager[Any]:
    return patch.object(handler, "_check_step", lambda _: None)


@contextlib.contextmanager
def _welcome_off_by(one: int) -> Iterator[None]:
    welcome = TableViews.welcome

    def wrong(self: TableViews, who: str, *, after: int | None, **others: Any) -> ClientMessage:
        return welcome(self, who, after=after + one if after else after, **others)

    with patch.object(TableViews, "welcome", wrong):
        yield


class SatWithKey(wire.Sat, frozen=True, kw_only=True, tag="sat"):
    """A type of the wire that lists too much."""

    key: str


def _keys_sent() -> AbstractContextManager[Any]:
    return patch.dict(views._TYPES, sat=SatWithKey)


class ForgetsWhatWasShown(Ownership):
    """It tells what has changed since an earlier event than the last one that was sent."""

    def _publish(self, live: LiveTable) -> None:
        shown = live.shown
        super()._publish(live)
        live.shown = shown or live.shown


PLANTED = (
    Planted("events are published before they are stored", PublishesFirst),
    Planted("the reply is sent before the events are stored", RepliesFirst),
    Planted("the store does not compare the last number", parts=Parts(store=Unordered)),
    Planted("the store does not check the lease", parts=Parts(store=Unfenced)),
    Planted("a table is claimed from a living owner", parts=Parts(store=Greedy)),
    Planted("a repeated command is executed again", patching=_no_dedupe),
    Planted("commands are forgotten when a table is read again", patching=_dedupe_forgotten),
    Planted("the table is kept in memory after a failed append", KeepsTableAfterFailure),
    Planted("an append without a response counts as not written", TakesTimeoutForFailure),
    Planted("the step is not checked", patching=_no_step),
    Planted("a listener is subscribed before its welcome", parts=Parts(SubscribesBeforeWelcome)),
    Planted("the welcome is sent without the lock", parts=Parts(WelcomesWithoutLock)),
    Planted("changes by other processes are ignored", IgnoresChanges),
    Planted("published events are published again", PublishesTwice),
    Planted("a returning client gets one event too many", patching=lambda: _welcome_off_by(-1)),
    Planted("a returning client misses one event", patching=lambda: _welcome_off_by(1)),
    Planted("a bot's move is made whatever has happened", PlaysOutdatedMoves),
    Planted("a bot that fails once is not asked again", BotGivesUp),
    Planted("the time is up twice", TicksTwice),
    Planted("the clock is checked without the lock", TicksWithoutLock),
    Planted("nothing is locked at all", Unlocked),
    Planted("a fenced owner keeps its lease", KeepsItsLease),
    Planted("the rematch is created outside of the batch", CreatesRematchApart),
    Planted("a forwarded command gets another id", ChangesForwardedIds),
    Planted("the reply of another process overtakes its update", AnswersBeforeTheUpdate),
    Planted("a new owner gives no time back", patching=_no_resume),
    Planted("the keys of tokens are sent", patching=_keys_sent),
    Planted("changes are about an earlier state", ForgetsWhatWasShown),
    Planted("a table that is being used again is removed from memory", UnloadsBusyTables),
    Planted("found: a change that could not be read once is never read", StaysBehind),
    Planted("found: a table whose clocks were not resumed is published", IgnoresFailedResume),
    Planted("found: an expired timer stays set", KeepsItsTimer),
    Planted("found: a fenced owner refuses what was executed", TrustsItsMemory),
    Planted("found: a player who sat down elsewhere is a spectator", parts=Parts(WelcomesByMemory)),
    Planted("found: a dropped table is not read for its listeners", ReadsNothingAgain),
    Planted("found: older events than the recent ones are not published", PublishesRecentOnly),
    Planted("found: a forwarded command is said to be not executed", parts=Parts(SaysNothingWasDone)),
)
