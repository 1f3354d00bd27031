"""Faults that somebody could have written, each as small as the mistake would be. The simulation has to find all."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, cast
from unittest.mock import patch

from tests.server.simulation.planted_store import Greedy, Unfenced, Unordered
from tests.server.simulation.world import Broken, Fault, World
from tilery.core.game import Game
from tilery.server.keeper import Answer, Keeper, Listener, Live, Overloaded, Unavailable
from tilery.server.keeping import live as living
from tilery.server.keeping import owning
from tilery.server.store.interface import Batch, Claim, StoreDown, StoreError
from tilery.table import handling, telling
from tilery.table.commands import AnyCommand, Play
from tilery.table.events import Event, write_event
from tilery.table.founding import New
from tilery.table.state import Table, fold
from tilery.table.telling import Telling, Told

MOST_SEEDS = 2_000
Welcome = Callable[[Telling], Told]


class TellsFirst(Keeper):
    async def _store(self, live: Live, events: Sequence[Event], new: New | None) -> None:
        table = live.table
        assert table is not None
        assert live.lease is not None
        after = table.number
        live.untold = [table.apply(event) for event in events]
        self._tell(live)
        live.table = None
        founded = (self._founding(new),) if new else ()
        texts = tuple(map(write_event, events))
        await self.store.append(Batch(live.name, live.lease, after, texts, living.summary_of(table), founded))
        live.table = table


class AnswersFirst(Keeper):
    async def _write(self, live: Live, events: Sequence[Event], new: New | None) -> bool:
        self._begin(super()._write(live, events, new))
        return True


class KeepsWhatFailed(Keeper):
    async def _store(self, live: Live, events: Sequence[Event], new: New | None) -> None:
        table = live.table
        try:
            await super()._store(live, events, new)
        finally:
            live.table = table


class TakesDownForUndone(Keeper):
    """A store that does not answer has written nothing, has it?"""

    async def _store(self, live: Live, events: Sequence[Event], new: New | None) -> None:
        try:
            await super()._store(live, events, new)
        except StoreDown:
            raise Overloaded from None


class KeepsItsLease(Keeper):
    """Reads the table again when it was fenced off, but goes on with the lease that it had."""

    async def _own(self, live: Live, claim: Claim) -> None:
        if live.lease is None:
            await super()._own(live, claim)


class FoundsApart(Keeper):
    async def _store(self, live: Live, events: Sequence[Event], new: New | None) -> None:
        await super()._store(live, events, None)
        if new:
            await self.store.found(self._founding(new))


class RegistersFirst(Keeper):
    async def join(self, name: str, listener: Listener, welcome: Welcome) -> None:
        self._live(name).listeners.add(listener)
        await super().join(name, listener, welcome)


class WelcomesWithoutLock(Keeper):
    async def join(self, name: str, listener: Listener, welcome: Welcome) -> None:
        def see(table: Table, now: float) -> Told:
            return welcome(Telling(table, now))

        message = await self.look(name, see, anew=True)
        await asyncio.sleep(0.02)  # something else that is waited for
        listener.tell(message)
        self._live(name).listeners.add(listener)


class IgnoresNews(Keeper):
    def _news(self, name: str, number: int) -> None:
        pass


class ForgetsWhatItTold(Keeper):
    def _tell(self, live: Live) -> None:
        news = live.untold
        super()._tell(live)
        live.untold = news


class _OpenDoor:
    """A lock that holds nobody back."""

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(self, *_: object) -> None:
        return None

    def locked(self) -> bool:
        return False


class Unlocked(Keeper):
    def _live(self, name: str) -> Live:
        live = super()._live(name)
        live.lock = cast("asyncio.Lock", _OpenDoor())
        return live


class TicksTwice(Keeper):
    async def _pass_time(self, live: Live) -> Table | None:
        def twice(table: Table, now: float, dealer: Any) -> tuple[Event, ...]:
            return handling.tick(table, now, dealer) * 2

        with patch.object(owning, "tick", twice):
            return await super()._pass_time(live)


class TicksWithoutLock(Keeper):
    async def _on_time(self, live: Live) -> None:
        with contextlib.suppress(Unavailable, Overloaded):
            if live.lease is not None and live.table is not None:
                await self._pass_time(live)


class PlaysOldThoughts(Keeper):
    """A bot's move is made whatever has happened while it thought."""

    def _rest(self, live: Live) -> None:
        live.thinking = None
        super()._rest(live)

    async def _play_for_bot(self, live: Live, turn: living.Turn, move: str) -> bool:
        async with live.lock:
            table = await self._ready(live)
            if live.lease is not None:
                command = Play(id=f"bot-{turn.step}", step=table.step, move=move)
                await self._carry_out(live, "", command, turn.seat)
            return True


class RenamesWhatItPassesOn(Keeper):
    async def _forward(self, owner: str, name: str, key: str, command: AnyCommand) -> Answer | None:
        again = dataclasses.replace(command, id=f"{command.id}-{next(self._numbers)}")
        return await super()._forward(owner, name, key, again)


class TakesNoTimeBack(Keeper):
    async def _take_up(self, live: Live) -> None:
        pass


class BotGivesUp(Keeper):
    """A bot that fails once never moves again: the thought is still in its place."""

    async def _let_think(self, live: Live, turn: living.Turn) -> None:
        with contextlib.suppress(Exception):
            move = await self._bots.move(turn.seen, turn.bot, live.name)
            await self._play_for_bot(live, turn, move)
            return
        await asyncio.sleep(3600)


# What the simulation has found in the keeper itself


class StaysBehind(Keeper):
    """News that could not be followed at once are never followed."""

    async def _follow(self, live: Live) -> None:
        table = live.table
        try:
            await super()._follow(live)
        except StoreError:
            live.table = table
            raise


class ReadsNothingAgain(Keeper):
    """A table that was dropped is read by the next who asks, but who listens does not ask."""

    async def _read_again(self) -> None:
        pass


class TellsWhatIsAtHand(Keeper):
    """Who missed more than the last events misses them for ever."""

    def _tell(self, live: Live) -> None:
        assert live.table is not None
        live.untold = [each for each in live.untold if each in live.table.recent]
        super()._tell(live)


class SaysNothingWasDone(Keeper):
    """A command that was passed on, before there was too much to do, may have been carried out."""

    async def ask(self, name: str, key: str, command: AnyCommand) -> Answer:
        try:
            return await super().ask(name, key, command)
        except Unavailable as error:
            raise error.__cause__ if isinstance(error.__cause__, Overloaded) else error from None


class ShrugsAtTakingUp(Keeper):
    async def _take_up(self, live: Live) -> None:
        with contextlib.suppress(StoreError):
            await super()._take_up(live)


class KeepsItsTimer(Keeper):
    """A timer that has rung is taken for one that will."""

    def _ring(self, live: Live) -> None:
        timer = live.timer
        super()._ring(live)
        live.timer = timer


class TrustsItsMemory(Keeper):
    """A fenced owner refuses what has been carried out long since."""

    async def _is_owner_still(self, live: Live) -> bool:
        return live.table is not None


class SeatsNobodyAnew(Keeper):
    """Who has just sat down, in another process, is a spectator here."""

    async def join(self, name: str, listener: Listener, welcome: Welcome) -> None:
        live = self._live(name)
        async with live.lock:
            listener.tell(welcome(Telling(await self._ready(live), self.now())))
            live.listeners.add(listener)


# Patches of rooms below


def _no_dedupe() -> AbstractContextManager[Any]:
    return patch.object(Table, "answered", lambda *_: None)


def _dedupe_forgotten() -> AbstractContextManager[Any]:
    def forgetful(name: str, log: Sequence[str], find: Callable[[str], Game]) -> Table:
        table = fold(name, log, find)
        del table._marks[:], table._answers[:]
        return table

    return patch.object(owning, "fold", forgetful)


def _no_step() -> AbstractContextManager[Any]:
    return patch.object(handling, "_check_step", lambda _: None)


@contextlib.contextmanager
def _welcome_off_by(one: int) -> Iterator[None]:
    welcome = Telling.welcome

    def wrong(self: Telling, who: str, *, after: int | None, **others: Any) -> Told:
        return welcome(self, who, after=after + one if after else after, **others)

    with patch.object(Telling, "welcome", wrong):
        yield


def _keys_told() -> AbstractContextManager[Any]:
    return patch.object(telling, "_SECRETS", ("by", "id", "keys", "host", "ahead"))


@dataclass(frozen=True)
class Planted:
    """A fault, and how it is put in."""

    name: str
    fault: Fault = dataclasses.field(default_factory=Fault)
    patching: Callable[[], AbstractContextManager[Any]] = nullcontext

    def seeds_needed(self, most: int = MOST_SEEDS) -> tuple[int, str] | None:
        """How many runs until it is found, and by what; None if it is not."""
        with self.patching():
            for seed in range(most):
                try:
                    World(seed, self.fault).run()
                except Broken as broken:
                    return seed + 1, str(broken)
        return None


PLANTED = (
    Planted("listeners are told before it is stored", Fault(TellsFirst)),
    Planted("the answer is given before it is stored", Fault(AnswersFirst)),
    Planted("the store does not compare the last number", Fault(store=Unordered)),
    Planted("the store does not look at the lease", Fault(store=Unfenced)),
    Planted("a table is claimed from a living owner", Fault(store=Greedy)),
    Planted("a repeated command is carried out again", patching=_no_dedupe),
    Planted("commands are forgotten when a table is read again", patching=_dedupe_forgotten),
    Planted("the table is kept in memory after a failed append", Fault(KeepsWhatFailed)),
    Planted("an append without an answer counts as not written", Fault(TakesDownForUndone)),
    Planted("the step is not checked", patching=_no_step),
    Planted("a listener is registered before its welcome", Fault(RegistersFirst)),
    Planted("the welcome is given without the lock", Fault(WelcomesWithoutLock)),
    Planted("news are ignored", Fault(IgnoresNews)),
    Planted("what was told is not noted", Fault(ForgetsWhatItTold)),
    Planted("who comes back is told one event too many", patching=lambda: _welcome_off_by(-1)),
    Planted("who comes back misses one event", patching=lambda: _welcome_off_by(1)),
    Planted("a bot's move is made whatever has happened", Fault(PlaysOldThoughts)),
    Planted("a bot that fails once is not asked again", Fault(BotGivesUp)),
    Planted("the time is up twice", Fault(TicksTwice)),
    Planted("the clock is looked at without the lock", Fault(TicksWithoutLock)),
    Planted("nothing is locked at all", Fault(Unlocked)),
    Planted("a fenced owner keeps its lease", Fault(KeepsItsLease)),
    Planted("the rematch is founded outside of the batch", Fault(FoundsApart)),
    Planted("a command that is passed on gets another id", Fault(RenamesWhatItPassesOn)),
    Planted("a new owner gives no time back", Fault(TakesNoTimeBack)),
    Planted("the keys of tokens are told", patching=_keys_told),
    Planted("found: news that fail once are never followed", Fault(StaysBehind)),
    Planted("found: a table that could not be taken up is told", Fault(ShrugsAtTakingUp)),
    Planted("found: a timer that has rung stays in its place", Fault(KeepsItsTimer)),
    Planted("found: a fenced owner refuses what was carried out", Fault(TrustsItsMemory)),
    Planted("found: who sat down elsewhere is a spectator", Fault(SeatsNobodyAnew)),
    Planted("found: a dropped table is not read for its listeners", Fault(ReadsNothingAgain)),
    Planted("found: more news than are kept at hand are not told", Fault(TellsWhatIsAtHand)),
    Planted("found: what was passed on is said to be undone", Fault(SaysNothingWasDone)),
)
