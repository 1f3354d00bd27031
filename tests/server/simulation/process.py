"""A simulated server process: a table host with its store and its bots. It can be paused, disconnected, stopped or
killed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, cast

from tests.notation import texts
from tests.server.simulation.clocks import MachineClock
from tests.server.simulation.loop import RUNNER, Handle
from tilery.core.game import Game, Rules
from tilery.core.position import Seen
from tilery.games import game
from tilery.server.hosting.clocks import BEAT_INTERVAL
from tilery.server.hosting.host import Busy, NoTable, TableDamaged, TableHost, Unavailable
from tilery.server.logs import Log
from tilery.server.store.interface import StoreError
from tilery.table.state import WHO
from tilery.table.views import ClientMessage, TableViews

if TYPE_CHECKING:
    from tests.server.simulation.network import Connection, Copy
    from tests.server.simulation.world import World

SWEEP = 3.0  # seconds between sweeps
LONGEST_THOUGHT = 5.0  # seconds of a bot


class BotError(Exception):
    """A bot has failed."""


class SimBots:
    """Bots that take a while, and sometimes fail."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def move(self, seen: Seen, bot: str, key: str) -> str:  # noqa: ARG002
        world = self._world
        await asyncio.sleep(min(LONGEST_THOUGHT, world.delay() * world.random.choice((1, 1, 1, 20))))
        if world.failures.happens(world.failures.bot_fails):
            raise BotError
        return world.random.choice(texts(seen))

    async def hint(self, seen: Seen, key: str) -> dict[str, Any]:  # noqa: ARG002
        raise BotError  # no client requests one

    def cancel(self, key: str) -> None:
        """The task that awaits the move is cancelled as well."""


class _ProcessLog:
    """The log of a simulated process: all levels alike."""

    def __init__(self, process: Process) -> None:
        self.debug = self.info = self.warning = self.error = process.log


class Process:
    """Its tasks are suspended while it is paused, and lost when it crashes."""

    def __init__(self, world: World, name: str, clock_error: float) -> None:
        self.world = world
        self.name = name
        self.is_up = True
        self.is_paused = False
        self.is_disconnected = False  # from the store
        self.is_stopping = False
        self.connections: dict[Connection, asyncio.Task[None]] = {}
        self.serving: dict[Copy, asyncio.Task[None]] = {}
        self._silent_since: float | None = None
        self.pauses = 0
        self._paused_at = 0.0
        self._parked: list[Handle] = []
        self.clock = MachineClock(world, clock_error + world.random.uniform(-0.05, 0.05))
        self._context = world.context.copy()
        self._context.run(RUNNER.set, self)
        self.store = world.parts.store(self)
        self.table_host: TableHost = world.parts.table_host(
            self.store,
            now=world.parts.clock(self.clock.wall, self.clock.elapsed),
            new_table_id=world.new_table_id,
            find_game=game,
            check_bot=_check_bot,
            bots=SimBots(world),
            log=cast("Log", _ProcessLog(self)),
            unload_delay=world.unload_delay,
        )
        self.start_task(self._live())
        if world.has_clock:
            self._beat()

    def start_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return self.world.loop.create_task(work, context=self._context.copy())

    def do(self, callback: Callable[..., object], *args: Any) -> None:
        self.world.loop.call_soon(callback, *args, context=self._context.copy())

    def _beat(self) -> None:
        """Like `ServerContext.beat_forever`, but not as a task: that would take most of the time of a run."""
        self.table_host.beat()
        self.world.loop.call_later(BEAT_INTERVAL, self._beat, context=self._context)

    async def _live(self) -> None:
        with contextlib.suppress(StoreError):
            await self.table_host.open()
        while True:
            await asyncio.sleep(SWEEP)
            try:
                await self.table_host.sweep()
            except Exception as error:
                self.world.invariants.fail(f"sweep raised {error!r}")

    def log(self, what: str, **words: Any) -> None:
        self.world.note("{} logs: {} {}", self.name, what, words)
        if what in ("background task failed", "sweep failed") or (
            what == "bot failed" and "BotError" not in words["error"]
        ):
            self.world.invariants.fail(f"{self.name} logs a failure: {words}")

    # Failures

    def accepts(self, handle: Handle) -> bool:
        if self.is_paused and self.is_up:
            self._parked.append(handle)
        return self.is_up and not self.is_paused

    @property
    def is_silent(self) -> bool:
        return self._silent_since is not None

    def last_heartbeat(self) -> float:
        """The time of its last heartbeat."""
        return self.world.loop.time() if self._silent_since is None else self._silent_since

    def _mark_silent(self) -> None:
        if self._silent_since is None:
            self._silent_since = self.world.loop.time() - self.world.random.random()

    def _mark_alive(self) -> None:
        """Heartbeats go on, if nothing prevents them."""
        if self.is_up and not self.is_paused and not self.is_disconnected:
            self._silent_since = None

    def pause(self, seconds: float) -> None:
        if not self.is_paused:
            self.is_paused = True
            self.pauses += 1
            self._paused_at = self.world.loop.time()
            self._mark_silent()
            self.world.later(seconds, self.resume)

    def resume(self) -> None:
        if self.is_paused:
            self.is_paused = False
            self.world.charged_time.resumed(self, self.world.loop.time() - self._paused_at)
            self.world.loop.ready += self._parked
            self._parked.clear()
            self._mark_alive()
            self.world.later(self.world.random.uniform(0.0, 1.0), self.on_news, "", 0)

    def disconnect_store(self, seconds: float) -> None:
        if not self.is_disconnected:
            self.is_disconnected = True
            self._mark_silent()
            self.world.later(seconds, self.reconnect)

    def reconnect(self) -> None:
        if self.is_disconnected:
            self.is_disconnected = False
            self._mark_alive()
            self.world.later(self.world.random.uniform(1.5, 2.5), self.on_news, "", 0)

    def crash(self) -> None:
        self.is_up = False
        self._mark_silent()
        for connection in self.connections:
            connection.cut()

    async def stop(self) -> None:
        """Stop it as an operator does."""
        self.is_stopping = True
        await self.table_host.close()
        await asyncio.sleep(self.world.random.choice((0.0, 0.5, 5.0)))  # the last replies are sent
        self.world.later(0.0, self.world.on_exit, self)

    def on_news(self, table: str, last: int) -> None:
        """News from the store; lost if it is disconnected."""
        if self.is_up and not self.is_disconnected:
            self.do(self.store.on_change, table, last)

    def receive(self, text: str) -> None:
        if self.is_up and not self.is_disconnected:
            self.do(self.store.on_message, text)

    # Requests of clients

    def welcome(self, connection: Connection, after: int | None) -> None:
        if self.is_up:
            self.connections[connection] = self.start_task(self._welcome(connection, after))

    async def _welcome(self, connection: Connection, after: int | None) -> None:
        def welcome(views: TableViews) -> ClientMessage:
            known = views.table.seats_of(connection.key[:WHO]) or connection.key[:WHO] == views.table.host
            connection.who = connection.key[:WHO] if known else ""
            connection.after = after
            return views.welcome(connection.who, after=after, chat=True, heartbeat=20.0)

        try:
            await self.table_host.subscribe(connection.table, connection, welcome)
        except (NoTable, Unavailable, Busy):
            connection.cut()
        except TableDamaged:
            self.world.invariants.called_damaged(connection.table)
            connection.table_damaged()
        except Exception as error:
            self.world.invariants.fail(f"subscribe raised {error!r}")

    def lose(self, connection: Connection) -> None:
        """The client has disconnected."""
        if self.is_up:
            self.do(self._unsubscribe, connection)

    def _unsubscribe(self, connection: Connection) -> None:
        joining = self.connections.pop(connection, None)
        if joining:
            joining.cancel()
            self.table_host.unsubscribe(connection.table, connection)
            for copy, task in self.serving.items():
                if copy.connection is connection and self.world.random.random() < 0.5:
                    copy.was_cancelled = True
                    task.cancel()

    def ask(self, copy: Copy) -> None:
        if self.is_up:
            self.serving[copy] = self.start_task(self._ask(copy))

    async def _ask(self, copy: Copy) -> None:
        invariants = self.world.invariants
        invariants.asked(copy, self)
        reply: dict[str, Any]
        try:
            answer = await self.table_host.submit(copy.table, copy.key, copy.command)
            invariants.answered(copy, answer)
            reply = {"ok": answer.number}
            if answer.refused:
                reply = {"refused": answer.refused.kind}
                if answer.refused.kind == "stale":
                    reply["seq"] = await self.table_host.read(copy.table, lambda table, _: table.number)
        except (Unavailable, Busy, NoTable, TableDamaged) as error:
            if isinstance(error, TableDamaged):
                invariants.called_damaged(copy.table)
            reply = {"error": type(error).__name__}
            if isinstance(error, Busy) and not copy.outcome:
                invariants.rejected_as_busy(copy)
        except Exception as error:
            invariants.fail(f"{copy} was answered with {error!r}")
            reply = {"error": "internal-error"}
        self.serving.pop(copy)
        self.world.note("{} answers {}: {}", self.name, copy, reply)
        copy.answer(reply)


def _check_bot(_: Game, __: Rules, ___: str) -> None:
    """Every bot is allowed."""
