"""Owning tables: taking them up, carrying out commands, storing what follows, then telling. Never the other way round.

All that concerns one table happens one after the other, under the table's lock. A table in memory may only be looked
at under its lock, and then it is exactly what the store holds: when a batch could not be written, or nobody knows
whether it was, the table is thrown away and read again.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from tilery.core.game import Game, Rules
from tilery.server.counting import Counts
from tilery.server.keeping.live import Answer, Bots, Live, NoTable, Overloaded, Unavailable, summary_of
from tilery.server.store.interface import Batch, Claim, Founding, Store, StoreDown, StoreError, StoreFull
from tilery.table.commands import AnyCommand
from tilery.table.events import Event, read_event, write_event
from tilery.table.fairness import Dealer
from tilery.table.founding import New
from tilery.table.handling import Asking, handle, resume, tick
from tilery.table.refusing import TableRefused
from tilery.table.state import Table, fold
from tilery.table.telling import Telling


class Owning(ABC):
    """What a process does with the tables that are its own."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float],
        fresh: Callable[[], tuple[str, bytes]],
        find: Callable[[str], Game],
        check_bot: Callable[[Game, Rules, str], object],
        bots: Bots,
        most_pending: int = 300,
        counts: Counts | None = None,
        log: Callable[..., None] = lambda *_, **__: None,
    ) -> None:
        self.store = store
        self.now = now
        self.counts = counts or Counts()
        self._fresh = fresh
        self._find = find
        self._check_bot = check_bot
        self._bots = bots
        self._most_pending = most_pending
        self._log = log
        self._lives: dict[str, Live] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    @abstractmethod
    def _wake(self, live: Live) -> None:
        """Something has changed at a table."""

    def _admit(self) -> None:
        if self._closing or self.counts.pending >= self._most_pending:
            self.counts.overloaded += 1
            raise Overloaded

    def _live(self, name: str) -> Live:
        live = self._lives.get(name)
        if live is None:
            live = self._lives[name] = Live(name)
        live.used = self.now()
        return live

    async def _ready(self, live: Live) -> Table:
        """Under the lock: the table is here, and it is known who owns it. Who owns a table has it as the store has it;
        who follows it may be a moment behind."""
        if self._closing:
            raise Overloaded
        if live.table is None:
            try:
                await self._read(live)
            except StoreError as error:
                raise Unavailable from error
        assert live.table is not None
        return live.table

    async def _refresh(self, live: Live) -> None:
        """Ask the store again who owns a table, and what has happened there."""
        async with live.lock:
            await self._ready(live)
            if live.lease is None:
                await self._make_sure(live)

    async def _make_sure(self, live: Live) -> Table:
        """Under the lock: the table as the store holds it now. Who owned it may own it no more, and not know."""
        if live.lease is not None:
            await self._is_owner_still(live)
            return await self._ready(live)
        try:
            await self._follow(live)
        except StoreError as error:
            raise Unavailable from error
        assert live.table is not None
        return live.table

    async def _read(self, live: Live) -> None:
        claim = await self.store.claim(live.name)
        if claim is None:
            self._lives.pop(live.name, None)
            raise NoTable(live.name)
        await self._own(live, claim)
        log = await self.store.events(live.name)
        assert log
        known = max(1, live.told)
        table = fold(live.name, log[:known], self._find)
        live.untold = [table.apply(read_event(text)) for text in log[known:]]
        live.table = table
        if live.lease is not None:
            await self._take_up(live)
        self._tell(live)
        self._wake(live)

    async def _own(self, live: Live, claim: Claim) -> None:
        """Note whose table it is. The secret is read by its owner alone."""
        if claim.lease is not None and live.dealer is None:
            live.dealer = Dealer(await self.store.secret_of(live.name))
        live.lease, live.owner = claim.lease, claim.owner
        if claim.lease is None:
            live.dealer = None

    async def _take_up(self, live: Live) -> None:
        """The first thing that a new owner does: nobody loses time because the server was away."""
        assert live.table is not None
        if live.taken_up == live.lease:
            return  # it was only read again
        events = resume(live.table, self.now())
        if events:
            await self._store(live, events, None)
        live.taken_up = live.lease

    async def _follow(self, live: Live) -> None:
        """Ask again who owns a table of others, and read what has happened there. If that fails in any way, the table
        in memory is not what the store holds: it is dropped."""
        table, live.table = live.table, None
        assert table is not None
        claim = await self.store.claim(live.name)
        if claim is None:
            raise NoTable(live.name)
        became_owner = claim.lease is not None
        await self._own(live, claim)
        log = await self.store.events(live.name, table.number) or ()
        live.untold = [table.apply(read_event(text)) for text in log]
        live.table = table
        if became_owner:
            await self._take_up(live)
        self._tell(live)
        self._wake(live)

    async def _carry_out(self, live: Live, key: str, command: AnyCommand, bot: int | None) -> Answer | None:
        """Under the lock, as the owner. None: it turned out that somebody else owns the table."""
        table = await self._pass_time(live)
        if table is None:
            return None
        assert live.dealer is not None
        ask = Asking(
            table=table,
            command=command,
            key=key,
            bot=bot,
            now=self.now(),
            dealer=live.dealer,
            fresh=self._fresh,
            check_bot=lambda name: self._check_at(table, name),
        )
        try:
            handled = handle(ask)
        except TableRefused as refused:
            if not await self._is_owner_still(live):
                return None
            self.counts.refused += 1
            return Answer(refused=refused)
        if handled.repeated is not None:
            self.counts.repeated += 1
            return Answer(handled.repeated)
        number = table.number + 1
        if not await self._write(live, handled.events, handled.new):
            return None
        self.counts.accepted += 1
        return Answer(number)

    async def _is_owner_still(self, live: Live) -> bool:
        """Nothing is written with a refusal, so that nobody would notice that it comes from an owner who was away for
        a while, and from a table that has moved on since."""
        try:
            claim = await self.store.claim(live.name)
        except StoreError as error:
            raise Unavailable from error
        if claim and claim.lease == live.lease:
            return True
        live.table = None
        return False

    def _check_at(self, table: Table, bot: str) -> None:
        self._check_bot(table.game, table.rules, bot)

    async def _pass_time(self, live: Live) -> Table | None:
        """What is due at the table happens first."""
        table, dealer = live.table, live.dealer
        assert table is not None
        assert dealer is not None
        events = tick(table, self.now(), dealer)
        if events and not await self._write(live, events, None):
            return None
        return live.table

    async def _write(self, live: Live, events: Sequence[Event], new: New | None) -> bool:
        """Store, then tell. False: this process does not own the table any more, and nothing has happened."""
        try:
            await self._store(live, events, new)
        except StoreFull:
            raise Overloaded from None
        except StoreDown as error:
            raise Unavailable from error
        except StoreError:
            return False
        self._tell(live)
        self._wake(live)
        return True

    async def _store(self, live: Live, events: Sequence[Event], new: New | None) -> None:
        """Have a batch written. If that fails in any way, the table in memory is not to be trusted: it is dropped."""
        table = live.table
        assert table is not None
        assert live.lease is not None
        after = table.number
        texts = tuple(map(write_event, events))
        live.table = None
        happenings = [table.apply(event) for event in events]
        founded = (self._founding(new),) if new else ()
        await self.store.append(Batch(live.name, live.lease, after, texts, summary_of(table), founded))
        live.table = table
        live.untold += happenings

    def _founding(self, new: New) -> Founding:
        table = Table(new.table, new.event, self._find)
        table.apply(new.event)
        return Founding(new.table, new.secret, (write_event(new.event),), summary_of(table))

    def _tell(self, live: Live) -> None:
        """Tell the listeners what they do not know yet: all of it, however much that is."""
        table = live.table
        assert table is not None
        news, live.untold = live.untold, []
        if news and live.listeners:
            telling = Telling(table, self.now())
            for listener in tuple(live.listeners):
                listener.tell(telling.update(news, listener.who, chat=listener.chat))
        live.told = table.number

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            self._log("failed", error=repr(task.exception()))
