"""A simulated server process: a keeper with its store and its bots, which may be paused, cut off, stopped or killed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from tests.server.simulation.loop import PLACE, Deed
from tilery.core.game import Game, Rules
from tilery.core.position import Seen
from tilery.games import game
from tilery.server.keeper import Keeper, NoTable, Overloaded, Unavailable
from tilery.server.store.interface import StoreError
from tilery.table.state import WHO
from tilery.table.telling import Telling, Told

if TYPE_CHECKING:
    from tests.server.simulation.line import Copy, Line
    from tests.server.simulation.world import World

EPOCH = 1_000_000.0
SWEEP = 3.0  # seconds between rounds through the house


class BotTrouble(Exception):
    """A bot that does not know what to do."""


class SimBots:
    """Bots that take a while, and sometimes fail."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def move(self, seen: Seen, bot: str, key: str) -> str:  # noqa: ARG002
        world = self._world
        await asyncio.sleep(world.delay() * world.random.choice((1, 1, 1, 20)))
        if world.weather.happens(world.weather.bot_fails):
            raise BotTrouble
        return world.random.choice(seen.moves())

    async def hint(self, seen: Seen, key: str) -> dict[str, Any]:  # noqa: ARG002
        raise BotTrouble  # nobody asks for any

    def cancel(self, key: str) -> None:
        """Whoever waits for the move is cancelled as well."""


class Process:
    """All that is begun here stands still while it is paused, and is lost when it dies."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.is_up = True
        self.is_paused = False
        self.is_cut_off = False  # from the store
        self.is_leaving = False
        self.lines: dict[Line, asyncio.Task[None]] = {}
        self.serving: dict[Copy, asyncio.Task[None]] = {}
        self._silent_since: float | None = None
        self._parked: list[Deed] = []
        self._skew = world.random.uniform(-0.05, 0.05)
        self._context = world.context.copy()
        self._context.run(PLACE.set, self)
        self.store = world.fault.store(self)
        self.keeper: Keeper = world.fault.keeper(
            self.store,
            now=lambda: EPOCH + world.loop.time() + self._skew,
            fresh=world.fresh,
            find=game,
            check_bot=_check_bot,
            bots=SimBots(world),
            log=self._log,
        )
        self.begin(self._live())

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return self.world.loop.create_task(work, context=self._context.copy())

    def do(self, deed: Callable[..., object], *args: Any) -> None:
        self.world.loop.call_soon(deed, *args, context=self._context.copy())

    async def _live(self) -> None:
        with contextlib.suppress(StoreError):
            await self.keeper.open()
        while True:
            await asyncio.sleep(SWEEP)
            try:
                await self.keeper.look_round()
            except Exception as error:
                self.world.watch.blame(f"look_round raised {error!r}")

    def _log(self, what: str, **words: Any) -> None:
        self.world.note("{} logs: {} {}", self.name, what, words)
        if what == "failed" or (what == "bot failed" and "BotTrouble" not in words["error"]):
            self.world.watch.blame(f"{self.name} logs a failure: {words}")

    # How it fares

    def takes(self, deed: Deed) -> bool:
        if self.is_paused and self.is_up:
            self._parked.append(deed)
        return self.is_up and not self.is_paused

    @property
    def is_silent(self) -> bool:
        return self._silent_since is not None

    def heard(self) -> float:
        """When it last gave a sign of life."""
        return self.world.loop.time() if self._silent_since is None else self._silent_since

    def _hush(self) -> None:
        if self._silent_since is None:
            self._silent_since = self.world.loop.time() - self.world.random.random()

    def _speak(self) -> None:
        """It is back: if others could think it dead, it learns that anything may have happened."""
        if self.is_up and not self.is_paused and not self.is_cut_off:
            self._silent_since = None

    def pause(self, seconds: float) -> None:
        if not self.is_paused:
            self.is_paused = True
            self._hush()
            self.world.later(seconds, self.resume)

    def resume(self) -> None:
        if self.is_paused:
            self.is_paused = False
            self.world.loop.ready += self._parked
            self._parked.clear()
            self._speak()
            self.world.later(self.world.random.uniform(0.0, 1.0), self.hear, "", 0)

    def cut_off(self, seconds: float) -> None:
        if not self.is_cut_off:
            self.is_cut_off = True
            self._hush()
            self.world.later(seconds, self.reconnect)

    def reconnect(self) -> None:
        if self.is_cut_off:
            self.is_cut_off = False
            self._speak()
            self.world.later(self.world.random.uniform(1.5, 2.5), self.hear, "", 0)

    def die(self) -> None:
        self.is_up = False
        self._hush()
        for line in self.lines:
            line.cut()

    async def stop(self) -> None:
        """As an operator does it."""
        self.is_leaving = True
        await self.keeper.close()
        await asyncio.sleep(self.world.random.choice((0.0, 0.5, 5.0)))  # the last answers go out
        self.world.later(0.0, self.world.bury, self)

    def hear(self, table: str, last: int) -> None:
        """News from the store; lost where the connection is."""
        if self.is_up and not self.is_cut_off:
            self.do(self.store.news, table, last)

    def receive(self, text: str) -> None:
        if self.is_up and not self.is_cut_off:
            self.do(self.store.post, text)

    # What clients want

    def welcome(self, line: Line, after: int | None) -> None:
        if self.is_up:
            self.lines[line] = self.begin(self._welcome(line, after))

    async def _welcome(self, line: Line, after: int | None) -> None:
        def welcome(telling: Telling) -> Told:
            known = telling.table.seats_of(line.key[:WHO]) or line.key[:WHO] == telling.table.host
            line.who = line.key[:WHO] if known else ""
            line.after = after
            return telling.welcome(line.who, after=after, chat=True, heartbeat=20.0)

        try:
            await self.keeper.join(line.table, line, welcome)
        except (NoTable, Unavailable, Overloaded):
            line.cut()
        except Exception as error:
            self.world.watch.blame(f"join raised {error!r}")

    def miss(self, line: Line) -> None:
        """The other side has gone."""
        if self.is_up:
            self.do(self._part, line)

    def _part(self, line: Line) -> None:
        joining = self.lines.pop(line, None)
        if joining:
            joining.cancel()
            self.keeper.part(line.table, line)
            for copy, task in self.serving.items():
                if copy.line is line and self.world.random.random() < 0.5:
                    copy.was_broken_off = True
                    task.cancel()

    def ask(self, copy: Copy) -> None:
        if self.is_up:
            self.serving[copy] = self.begin(self._ask(copy))

    async def _ask(self, copy: Copy) -> None:
        watch = self.world.watch
        watch.asked(copy, self)
        reply: dict[str, Any]
        try:
            answer = await self.keeper.ask(copy.table, copy.key, copy.command)
            watch.answered(copy, answer)
            reply = {"ok": answer.number}
            if answer.refused:
                reply = {"refused": answer.refused.code}
                if answer.refused.code == "stale":
                    reply["seq"] = await self.keeper.look(copy.table, lambda table, _: table.number, anew=True)
        except (Unavailable, Overloaded, NoTable) as error:
            reply = {"trouble": type(error).__name__}
            if isinstance(error, Overloaded) and not copy.outcome:
                watch.not_taken_on(copy)
        except Exception as error:
            watch.blame(f"{copy} was answered with {error!r}")
            reply = {"trouble": "fault"}
        self.serving.pop(copy)
        self.world.note("{} answers {}: {}", self.name, copy, reply)
        copy.answer(reply)


def _check_bot(_: Game, __: Rules, ___: str) -> None:
    """Every bot may play."""
