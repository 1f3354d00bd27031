"""Who looks after the tables of a process: takes commands, stores what follows, then tells.

Of several processes that share a store one owns each table; the others pass commands on to it and follow its events.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from tilery.core.game import Game, Rules
from tilery.core.position import Seen
from tilery.server.keeping.live import Answer, Bots, Listener, Live, NoTable, Overloaded, Unavailable
from tilery.server.keeping.passing import Passing
from tilery.server.keeping.waking import Waking
from tilery.server.store.interface import StoreError, StoreFull
from tilery.table.commands import AnyCommand
from tilery.table.founding import Setup, found
from tilery.table.state import Table
from tilery.table.telling import Telling, Told

__all__ = ["Answer", "Bots", "Keeper", "Listener", "Live", "NoTable", "Overloaded", "Unavailable"]

T = TypeVar("T")
TRIES = 4  # to get a command to the owner of its table


class Keeper(Waking, Passing):
    """All tables of a process."""

    async def open(self) -> None:
        await self.store.open()

    async def close(self) -> None:
        """Finish what was taken on, then let go of everything."""
        self._closing = True
        for live in self._lives.values():
            self._rest(live)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for live in list(self._lives.values()):
            async with live.lock:
                live.table = None
        await self.store.close()

    @property
    def tables_in_memory(self) -> int:
        return len(self._lives)

    async def found(self, setup: Setup, key: str) -> str:
        """Make a table; returns its name."""
        self._admit()

        def check(game: Game, rules: Rules, bot: str) -> None:
            self._check_bot(game, rules, bot)

        new = found(setup, key, self.now(), self._fresh(), self._find, check)
        try:
            await self.store.found(self._founding(new))
        except StoreFull:
            raise Overloaded from None
        except StoreError as error:
            raise Unavailable from error
        self.counts.tables_founded += 1
        return new.table

    async def ask(self, name: str, key: str, command: AnyCommand) -> Answer:
        """Have a command carried out; the answer comes when it is stored, or refused."""
        self._admit()
        self.counts.pending += 1
        passed_on = False
        try:
            for attempt in range(TRIES):
                live = self._live(name)
                async with live.lock:
                    await self._ready(live)
                    if live.lease is not None:
                        answer = await self._carry_out(live, key, command, None)
                        if answer is not None:
                            return answer
                        continue  # somebody else owns it by now
                    owner = live.owner
                passed_on = True
                answer = await self._forward(owner, name, key, command)
                if answer is not None:
                    return answer
                await asyncio.sleep(0.05 * 2**attempt)
                await self._refresh(live)  # the owner may have died
            raise Unavailable
        except Overloaded as error:
            if passed_on:  # it may have been carried out elsewhere
                raise Unavailable from error
            raise
        finally:
            self.counts.pending -= 1

    async def look(self, name: str, see: Callable[[Table, float], T], *, anew: bool = False) -> T:
        """Read something off a table; `anew` asks the store first, where another process owns it."""
        live = self._live(name)
        if anew and live.table is not None and live.lease is None:
            await self._refresh(live)
        async with live.lock:
            await self._ready(live)
            assert live.table is not None
            return see(live.table, self.now())

    async def hint(self, name: str, seen: Seen) -> dict[str, Any]:
        """What the engine thinks of a turn at a table, as who is to move sees it."""
        return await self._bots.hint(seen, f"{name}/hint")

    async def join(self, name: str, listener: Listener, welcome: Callable[[Telling], Told]) -> None:
        """Tell somebody how the table stands, and from now on what happens."""
        live = self._live(name)
        async with live.lock:
            was_here = live.table is not None
            message = welcome(Telling(await self._ready(live), self.now()))
            if was_here and not listener.who:
                # Somebody who took a seat a moment ago, in another process, is no spectator.
                message = welcome(Telling(await self._make_sure(live), self.now()))
            listener.tell(message)
            live.listeners.add(listener)

    def part(self, name: str, listener: Listener) -> None:
        """Somebody does not look any more."""
        live = self._lives.get(name)
        if live:
            live.listeners.discard(listener)

    def listeners(self, name: str) -> set[Listener]:
        """Who looks at a table in this process."""
        live = self._lives.get(name)
        return live.listeners if live else set()
