"""What happens at tables without anybody asking: clocks run out, bots think, tables that nobody looks at are let go."""

from __future__ import annotations

import asyncio
import contextlib

from tilery.server.keeping.live import Live, NoTable, Overloaded, Turn, Unavailable
from tilery.server.keeping.owning import Owning
from tilery.server.store.interface import StoreError
from tilery.table.commands import Play
from tilery.table.handling import wakes_at

LOOK_AHEAD = 5.0  # seconds: what is due sooner has a timer of its own


class Waking(Owning):
    """Timers and bots."""

    def _rest(self, live: Live) -> None:
        if live.timer:
            live.timer.cancel()
            live.timer = None
        if live.thinking:
            live.thinking[1].cancel()
            self._bots.cancel(live.name)
            live.thinking = None

    def _wake(self, live: Live) -> None:
        """Set the table's timer, and let its bot think, if that is whose turn it is."""
        table = live.table
        assert table is not None
        if live.thinking and live.thinking[0] == table.step and live.lease is not None and not live.thinking[1].done():
            return
        self._rest(live)
        if live.lease is None or self._closing:
            return
        at = wakes_at(table)
        if at == 0.0:
            assert table.actor is not None
            turn = Turn(table.position.seen_by(table.actor), table.seats[table.actor].bot, table.actor, table.step)
            task = asyncio.ensure_future(self._let_think(live, turn))
            live.thinking = (table.step, task)
            self._tasks.add(task)
            task.add_done_callback(self._ended)
        elif at is not None and at - self.now() <= LOOK_AHEAD * 2:
            live.timer = asyncio.get_running_loop().call_later(max(0.0, at - self.now()), self._ring, live)

    def _ring(self, live: Live) -> None:
        live.timer = None
        self._begin(self._on_time(live))

    async def _on_time(self, live: Live) -> None:
        with contextlib.suppress(Unavailable, Overloaded, NoTable):
            async with live.lock:
                await self._ready(live)
                if live.lease is not None:
                    await self._pass_time(live)
                if live.table is not None:
                    self._wake(live)

    async def _let_think(self, live: Live, turn: Turn) -> None:
        """A bot's turn: it gets what its seat sees, and its move is a command like any other."""
        pause = 0.1
        while True:
            try:
                move = await self._bots.move(turn.seen, turn.bot, live.name)
                if await self._play_for_bot(live, turn, move):
                    return
            except (Unavailable, Overloaded):
                self.counts.bots_waited += 1
            except NoTable:
                return
            except Exception as error:  # whatever it is, the table must not stand still
                self.counts.bots_failed += 1
                self._log("bot failed", table=live.name, error=repr(error))
            await asyncio.sleep(pause)
            pause = min(5.0, pause * 2)

    async def _play_for_bot(self, live: Live, turn: Turn, move: str) -> bool:
        """Whether nothing is left to do."""
        async with live.lock:
            await self._ready(live)
            if live.lease is None or live.table is None or live.table.step != turn.step:
                return True
            thinking, live.thinking = live.thinking, None  # what is written now wakes the table anew
            command = Play(id=f"bot-{turn.step}", step=turn.step, move=move)
            answer = None
            try:
                answer = await self._carry_out(live, "", command, turn.seat)
            finally:
                if answer is None or answer.refused:
                    live.thinking = thinking
            if answer and answer.refused and answer.refused.code != "stale":
                self._log("bot refused", table=live.name, bot=turn.bot, why=answer.refused.code)
                return False
            return True

    async def look_round(self) -> None:
        """Take up what is due and nobody looks after, and what people look at but could not be read; to be called
        every few seconds."""
        with contextlib.suppress(StoreError):
            for name in await self.store.due(self.now() + LOOK_AHEAD):
                live = self._lives.get(name)
                if live and (live.timer or (live.thinking and not live.thinking[1].done())):
                    continue
                with contextlib.suppress(Unavailable, Overloaded, NoTable):
                    live = self._live(name)
                    async with live.lock:
                        await self._ready(live)
                        if live.lease is None:
                            await self._make_sure(live)
                        self._wake(live)
        await self._read_again()
        self._forget()

    async def _read_again(self) -> None:
        """Tables that were dropped while people look at them: what has happened there must be told."""
        for live in list(self._lives.values()):
            if live.listeners and live.table is None and not live.lock.locked():
                with contextlib.suppress(Unavailable, Overloaded, NoTable):
                    async with live.lock:
                        await self._ready(live)

    def _forget(self, idle: float = 60.0) -> None:
        """Let go of tables that nobody has asked for in a while."""
        before = self.now() - idle
        for name, live in list(self._lives.items()):
            running = live.table is not None and live.table.deadline is not None
            thinking = live.thinking is not None and not live.thinking[1].done()
            if live.listeners or thinking or live.lock.locked() or running or live.used > before:
                continue
            self._rest(live)
            del self._lives[name]
