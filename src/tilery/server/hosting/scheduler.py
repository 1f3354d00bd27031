"""What happens at tables without a command: clocks run out, bots move, idle tables are unloaded."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial

from tilery.server.hosting.live_tables import (
    BackgroundTasks,
    Bots,
    BotTurn,
    Busy,
    LiveTable,
    LiveTables,
    NoTable,
    TableDamaged,
    TableError,
    Unavailable,
)
from tilery.server.hosting.ownership import Ownership
from tilery.server.logs import Log, error_fields
from tilery.server.metrics import Metrics
from tilery.server.store.interface import Store, StoreError
from tilery.table.commands import Play
from tilery.table.handler import wakes_at

LOOK_AHEAD = 5.0  # seconds: a sweep finds the tables that are due by then; timers are set for twice as long
UNLOAD_DELAY = 60.0  # seconds without use after which a table is unloaded


class Scheduler:
    """Timers, bots' turns, and the sweep every few seconds."""

    def __init__(
        self,
        store: Store,
        tables: LiveTables,
        ownership: Ownership,
        bots: Bots,
        *,
        now: Callable[[], float],
        tasks: BackgroundTasks,
        metrics: Metrics,
        log: Log,
        unload_delay: float = UNLOAD_DELAY,
    ) -> None:
        self._bots = bots
        self._store = store
        self._tables = tables
        self._ownership = ownership
        self._now = now
        self._tasks = tasks
        self._metrics = metrics
        self._log = log
        self._idle_timeout = unload_delay
        ownership.on_change = self.schedule

    def schedule(self, live: LiveTable) -> None:
        """Under the lock: set the timer of a table, and let its bot think if it is a bot's turn."""
        table = live.table
        assert table is not None
        if live.thinking and live.thinking[0] == table.step and live.lease is not None and not live.thinking[1].done():
            return
        self.unschedule(live)
        if live.lease is None or self._tables.is_closing:
            return
        at = wakes_at(table)
        if at == 0.0:
            assert table.actor is not None
            turn = BotTurn(table.position.seen_by(table.actor), table.seats[table.actor].bot, table.actor, table.step)
            live.thinking = (table.step, self._tasks.start(self._run_bot(live, turn)))
        elif at is not None and at - self._now() <= LOOK_AHEAD * 2:
            live.timer = asyncio.get_running_loop().call_later(max(0.0, at - self._now()), self._on_timer, live)

    def unschedule(self, live: LiveTable) -> None:
        """Cancel the timer and the bot's search."""
        if live.timer:
            live.timer.cancel()
            live.timer = None
        if live.thinking:
            live.thinking[1].cancel()
            self._bots.cancel(live.name)
            live.thinking = None

    def _on_timer(self, live: LiveTable) -> None:
        live.timer = None
        self._tasks.start(self._check_clock(live))

    def check_clocks(self) -> None:
        """After a pause of the process: resume the clocks of all tables in memory."""
        for live in self._tables.all():
            if live.table is not None and live.table.deadline is not None:
                self._tasks.start(self._check_clock(live))

    async def _check_clock(self, live: LiveTable) -> None:
        with contextlib.suppress(TableError):
            async with live.lock:
                await self._ownership.load(live)
                if live.lease is not None:
                    await self._ownership.apply_due_events(live)
                if live.table is not None:
                    self.schedule(live)

    async def _run_bot(self, live: LiveTable, turn: BotTurn) -> None:
        """Play a bot's turn: the bot gets what its seat sees, and its move is a command like any other."""
        pause = 0.1
        while True:
            try:
                move = await self._bots.move(turn.seen, turn.bot, live.name)
                if await self._play_for_bot(live, turn, move):
                    return
            except (Unavailable, Busy):
                self._metrics.bots_waited += 1
            except (NoTable, TableDamaged):
                return
            except Exception as error:  # whatever it is, the game must go on
                self._metrics.bots_failed += 1
                self._log.warning("bot failed", table=live.name, bot=turn.bot, **error_fields(error))
            await asyncio.sleep(pause)
            pause = min(5.0, pause * 2)

    async def _play_for_bot(self, live: LiveTable, turn: BotTurn, move: str) -> bool:
        """Play a bot's move; returns whether the turn is settled."""
        async with live.lock:
            await self._ownership.load(live)
            if live.lease is None or live.table is None or live.table.step != turn.step:
                return True
            thinking, live.thinking = live.thinking, None  # the write below schedules the table again
            command = Play(id=f"bot-{turn.step}", step=turn.step, move=move)
            result = None
            try:
                result = await self._ownership.execute(live, "", command, turn.seat)
            finally:
                if result is None or result.refused:
                    live.thinking = thinking
            if result and result.refused and result.refused.kind != "stale":
                self._log.warning("bot refused", table=live.name, bot=turn.bot, why=result.refused.code)
                return False
            return True

    async def sweep(self) -> None:
        """Take over tables that are due and that no other live process owns, read dropped tables again for their
        listeners, and unload idle ones; to be called every few seconds."""
        with contextlib.suppress(StoreError):
            for name in await self._store.due(self._now() + LOOK_AHEAD):
                live = self._tables.find(name)
                if not (live and (live.timer or live.is_bot_thinking)):
                    await self._guard(name, partial(self._take_over, name))
        for live in self._tables.all():
            # What has happened at a dropped table must be published.
            if live.listeners and live.table is None and not live.lock.locked():
                await self._guard(live.name, partial(self._read_again, live))
        await self._unload_idle_tables()

    async def _guard(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do something at a table; if it fails, whatever the reason, the other tables are not affected."""
        try:
            await work()
        except TableError:
            pass  # the next sweep tries again
        except Exception as error:
            self._log.error("sweep failed", table=name, **error_fields(error))

    async def _take_over(self, name: str) -> None:
        self._tables.check_damage(name)
        live = self._tables.use(name)
        async with live.lock:
            await self._ownership.load(live)
            if live.lease is None:
                await self._ownership.reload(live)
            self.schedule(live)

    async def _read_again(self, live: LiveTable) -> None:
        async with live.lock:
            await self._ownership.load(live)

    async def _unload_idle_tables(self) -> None:
        """Unload and release the tables that have not been used for a while."""
        before = self._now() - self._idle_timeout
        idle = [live for live in self._tables.all() if self._is_idle(live, before) and not live.lock.locked()]
        await asyncio.gather(*(self._guard(live.name, partial(self._unload, live, before)) for live in idle))

    async def _unload(self, live: LiveTable, before: float) -> None:
        async with live.lock:
            if not self._is_idle(live, before):
                return
            self.unschedule(live)
            is_released = await self._ownership.unload(live)
            # Whoever asked for the table meanwhile waits for this lock, and will read it again into the same entry. A
            # table that could not be released stays, too: the next sweep tries again.
            if is_released and self._is_idle(live, before):
                self._tables.remove(live.name)

    def _is_idle(self, live: LiveTable, before: float) -> bool:
        table = live.table
        # A clock of minutes would be set back; one of days is read from the store when its time has come.
        clock_runs = table is not None and table.deadline is not None and not (table.clock and table.clock.days)
        return not (live.listeners or live.is_bot_thinking or clock_runs or live.last_used > before)
