"""Ownership of tables: claim a table, execute commands, store the events, publish them, always in this order.

Everything that concerns one table happens under its lock, one thing after another. A table in memory is used under its
lock only, and then it is exactly what the store holds: if a batch could not be written, or it is not known whether it
was, the table in memory is dropped and read again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilery.core.game import Game, Rules
from tilery.server.hosting.live_tables import (
    Busy,
    CommandResult,
    LiveTable,
    LiveTables,
    NoTable,
    Unavailable,
    summary_of,
)
from tilery.server.logs import Log, error_fields
from tilery.server.metrics import Metrics
from tilery.server.store.interface import Batch, Claim, NewTableRow, Store, StoreDown, StoreError, StoreFull
from tilery.table.commands import AnyCommand
from tilery.table.creation import NewTable
from tilery.table.events import read_event, write_event
from tilery.table.fairness import Dealer
from tilery.table.handler import CommandContext, Handled, handle, resume, tick
from tilery.table.refusals import TableRefused
from tilery.table.state import Table, fold
from tilery.table.views import TableViews


class Ownership:
    """Keeps the tables in memory equal to the store. `on_change` is called, under the lock, whenever a table has
    changed or was read."""

    def __init__(
        self,
        store: Store,
        tables: LiveTables,
        *,
        now: Callable[[], float],
        new_table_id: Callable[[], tuple[str, bytes]],
        find_game: Callable[[str], Game],
        check_bot: Callable[[Game, Rules, str], Any],
        metrics: Metrics,
        log: Log,
    ) -> None:
        self.on_change: Callable[[LiveTable], None] = lambda _: None
        self._store = store
        self._tables = tables
        self._now = now
        self._new_table_id = new_table_id
        self._find_game = find_game
        self._check_bot = check_bot
        self._metrics = metrics
        self._log = log

    async def load(self, live: LiveTable) -> Table:
        """Under the lock: the table, read from the store if it is not in memory. The owner's copy matches the
        store; that of another process may be a moment behind."""
        if self._tables.is_closing:
            raise Busy
        if live.table is None:
            try:
                await self._read(live)
            except StoreError as error:
                raise Unavailable from error
        assert live.table is not None
        return live.table

    async def refresh(self, live: LiveTable) -> None:
        """Take the lock; if another process owns the table, ask the store for the current owner and the new events."""
        async with live.lock:
            await self.load(live)
            if live.lease is None:
                await self.reload(live)

    async def reload(self, live: LiveTable) -> Table:
        """Under the lock: the table as the store holds it now. This process may have lost it without noticing."""
        if live.lease is not None:
            await self._is_still_owner(live)
            return await self.load(live)
        try:
            await self.follow(live)
        except StoreError as error:
            raise Unavailable from error
        assert live.table is not None
        return live.table

    async def follow(self, live: LiveTable) -> None:
        """Under the lock: ask again who owns a table of another process, and read its new events. If that fails, the
        table in memory is dropped, because it may not match the store."""
        table, live.table = live.table, None
        assert table is not None
        claim = await self._store.claim(live.name)
        if claim is None:
            raise NoTable(live.name)
        became_owner = claim.lease is not None
        await self._set_owner(live, claim)
        texts = await self._store.events(live.name, table.number) or ()
        live.unpublished = [table.apply(read_event(text)) for text in texts]
        live.table = table
        if became_owner:
            await self._resume_clocks(live)
        self._publish(live)
        self.on_change(live)

    async def execute(self, live: LiveTable, key: str, command: AnyCommand, bot: int | None) -> CommandResult | None:
        """Under the lock, as the owner: execute a command. Returns None if another process owns the table by now."""
        table = await self.apply_due_events(live)
        if table is None:
            return None
        assert live.dealer is not None
        context = CommandContext(
            table=table,
            command=command,
            key=key,
            bot=bot,
            now=self._now(),
            dealer=live.dealer,
            new_table_id=self._new_table_id,
            check_bot=lambda name: self._check_bot(table.game, table.rules, name),
        )
        try:
            handled = handle(context)
        except TableRefused as refused:
            if not await self._is_still_owner(live):
                return None
            self._metrics.refused += 1
            return CommandResult(refused=refused)
        if handled.repeated is not None:
            self._metrics.repeated += 1
            return CommandResult(handled.repeated)
        number = table.number + 1
        if not await self._write(live, handled):
            return None
        self._metrics.accepted += 1
        return CommandResult(number)

    async def apply_due_events(self, live: LiveTable) -> Table | None:
        """Under the lock, as the owner: write what the clock has made due. None: another process owns the table."""
        table, dealer = live.table, live.dealer
        assert table is not None
        assert dealer is not None
        events = tick(table, self._now(), dealer)
        if events and not await self._write(live, Handled(events)):
            return None
        return live.table

    async def unload(self, live: LiveTable) -> None:
        """Under the lock: drop a table from memory, and release it so that any process may claim it. A release that
        fails does no harm: this process is still the owner, or another one takes over when this one ends."""
        lease = live.lease
        live.table = live.lease = live.dealer = None
        if lease is not None:
            try:
                await self._store.release(live.name, lease)
            except StoreError as error:
                self._log.debug("release failed", table=live.name, **error_fields(error))

    def new_table_row(self, new: NewTable) -> NewTableRow:
        table = Table(new.table, new.event, self._find_game)
        table.apply(new.event)
        return NewTableRow(new.table, new.secret, (write_event(new.event),), summary_of(table))

    async def _read(self, live: LiveTable) -> None:
        claim = await self._store.claim(live.name)
        if claim is None:
            self._tables.remove(live.name)
            raise NoTable(live.name)
        await self._set_owner(live, claim)
        texts = await self._store.events(live.name)
        assert texts
        known = max(1, live.published)
        table = fold(live.name, texts[:known], self._find_game)
        live.unpublished = [table.apply(read_event(text)) for text in texts[known:]]
        live.table = table
        if live.lease is not None:
            await self._resume_clocks(live)
        self._publish(live)
        self.on_change(live)

    async def _set_owner(self, live: LiveTable, claim: Claim) -> None:
        """Note who owns the table. Only the owner reads the secret."""
        if claim.lease is not None and live.dealer is None:
            live.dealer = Dealer(await self._store.secret_of(live.name))
        live.lease, live.owner = claim.lease, claim.owner
        if claim.lease is None:
            live.dealer = None

    async def _resume_clocks(self, live: LiveTable) -> None:
        """Restart the current turn under a new lease: players lose no time while no server is running."""
        assert live.table is not None
        if live.resumed_lease == live.lease:
            return  # the table was only read again
        events = resume(live.table, self._now())
        if events:
            await self._append(live, Handled(events))
        live.resumed_lease = live.lease

    async def _is_still_owner(self, live: LiveTable) -> bool:
        """Ask the store whether this process still owns the table; otherwise drop the table. Asked before a refusal: a
        refusal writes nothing, so the store could not reject one that is based on an outdated state."""
        try:
            claim = await self._store.claim(live.name)
        except StoreError as error:
            raise Unavailable from error
        if claim and claim.lease == live.lease:
            return True
        live.table = None
        return False

    async def _write(self, live: LiveTable, handled: Handled) -> bool:
        """Store, then publish. Returns False, with nothing written, if this process no longer owns the table."""
        try:
            await self._append(live, handled)
        except StoreFull:
            raise Busy from None
        except StoreDown as error:
            raise Unavailable from error
        except StoreError:
            return False
        self._publish(live)
        self.on_change(live)
        return True

    async def _append(self, live: LiveTable, handled: Handled) -> None:
        """Append a batch to the store. If that fails in any way, the table in memory cannot be trusted: it is
        dropped."""
        table = live.table
        assert table is not None
        assert live.lease is not None
        after = table.number
        texts = tuple(map(write_event, handled.events))
        live.table = None
        applied = [table.apply(event, handled.played) for event in handled.events]
        new_tables = (self.new_table_row(handled.new),) if handled.new else ()
        await self._store.append(Batch(live.name, live.lease, after, texts, summary_of(table), new_tables))
        live.table = table
        live.unpublished += applied

    def _publish(self, live: LiveTable) -> None:
        """Send the listeners all events that they do not know yet."""
        table = live.table
        assert table is not None
        applied, live.unpublished = live.unpublished, []
        if applied and not live.listeners:
            live.shown = None
        elif applied:
            views = TableViews(table, self._now(), live.shown, applied)
            for listener in tuple(live.listeners):
                listener.send(views.update(listener.who, chat=listener.chat))
            live.shown = views.shown()
        live.published = table.number
