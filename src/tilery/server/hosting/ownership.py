"""Ownership of tables: claim a table, execute commands, store the events, publish them, always in this order.

Everything that concerns one table happens under its lock, one thing after another. A table in memory is used under its
lock only, and then it is exactly what the store holds: if a batch could not be written, or it is not known whether it
was, the table in memory is dropped and read again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import Any, NoReturn

from tilery.core.game import Game, Rules
from tilery.server.hosting.clocks import Pauses
from tilery.server.hosting.live_tables import (
    UNLIMITED,
    Busy,
    CommandResult,
    LiveTable,
    LiveTables,
    NoTable,
    OwnedElsewhere,
    Sender,
    TableDamaged,
    Unavailable,
    summary_of,
)
from tilery.server.hosting.reading import apply_stored, digest_after, read_table
from tilery.server.logs import Log, error_fields
from tilery.server.metrics import Metrics
from tilery.server.rate_limits import limit_reached
from tilery.server.store.digests import extend_digest
from tilery.server.store.interface import Batch, Claim, NewTableRow, Store, StoreDown, StoreError, StoreFull, Unreadable
from tilery.server.store.write_requests import name_at_proxy
from tilery.table.commands import AnyCommand
from tilery.table.creation import NewTable
from tilery.table.events import write_event
from tilery.table.fairness import Dealer
from tilery.table.handler import CommandContext, Handled, handle, resume, tick
from tilery.table.refusals import TableRefused
from tilery.table.state import Table
from tilery.table.views import TableViews


def size_of(texts: Iterable[str]) -> int:
    """The bytes of texts as UTF-8."""
    return sum(len(text) if text.isascii() else len(text.encode()) for text in texts)


def _refuse_table(seconds: float) -> NoReturn:
    raise limit_reached("too-many-tables", seconds)


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
        bot_names: Collection[str],
        pauses: Pauses,
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
        self._bot_names = bot_names
        self._pauses = pauses
        self._metrics = metrics
        self._log = log

    async def load(self, live: LiveTable, *, only_as_owner: bool = False) -> Table:
        """Under the lock: the table, read from the store if it is not in memory. The owner's copy matches the
        store; that of another process may be a moment behind. `only_as_owner` raises `OwnedElsewhere` if clients can
        be sent to the owner."""
        if self._tables.is_closing:
            raise Busy
        if only_as_owner and live.table is not None and live.lease is None:
            await self.reload(live)
            self._check_owner(live)
        if live.table is None:
            self._tables.check_damage(live.name)
            try:
                await self._read(live, only_as_owner=only_as_owner)
            except StoreError as error:
                live.resumed = None
                raise Unavailable(error) from error
        assert live.table is not None
        return live.table

    async def refresh(self, live: LiveTable) -> None:
        """Take the lock; if another process owns the table, ask the store for the current owner and the new events."""
        async with live.lock:
            await self.load(live)
            if live.lease is None:
                await self.reload(live)

    async def catch_up(self, live: LiveTable, last: int) -> None:
        """Take the lock, and bring the table and its listeners up to an event that is stored."""
        async with live.lock:
            table = await self.load(live)
            if table.number < last:
                await self.reload(live)

    async def reload(self, live: LiveTable) -> Table:
        """Under the lock: the table as the store holds it now. This process may have lost it without noticing."""
        if live.lease is not None:
            await self._is_still_owner(live)
            return await self.load(live)
        try:
            await self.follow(live)
        except StoreError as error:
            raise Unavailable(error) from error
        assert live.table is not None
        return live.table

    async def follow(self, live: LiveTable) -> None:
        """Under the lock: ask again who owns a table of another process, and read its new events. If that fails, the
        table in memory is dropped, because it may not match the store."""
        table, live.table = live.table, None
        assert table is not None
        resumed, live.resumed = live.resumed, None  # no time is charged if the store is away
        await self._claim(live)
        became_owner = live.lease is not None
        with self._setting_aside(live):
            await self._read_secret(live)
            noted = await self._store.digest_of(live.name) if became_owner else None
            texts = await self._store.events(live.name, table.number) or ()
            live.digest = await digest_after(texts, noted, table.number, live.digest)
            live.unpublished = [applied async for applied in apply_stored(table, texts)]
            _check_secret(live, table)
        live.table, live.resumed = table, resumed
        if became_owner:
            await self._resume_clock(live)
        self._publish(live)
        self.on_change(live)

    async def execute(
        self, live: LiveTable, key: str, command: AnyCommand, bot: int | None, sender: Sender = UNLIMITED
    ) -> CommandResult | None:
        """Under the lock, as the owner: execute a command. Returns None if another process owns the table by now. What
        a bot does is charged to the last sender, whom it answers."""
        table = await self.apply_due_events(live)
        if table is None:
            return None
        assert live.dealer is not None
        if bot is None:
            live.charge = sender.charge
        context = CommandContext(
            table=table,
            command=command,
            key=key,
            bot=bot,
            now=self._now(),
            dealer=live.dealer,
            new_table_id=partial(_refuse_table, sender.table_wait) if sender.table_wait else self._new_table_id,
            check_bot=lambda name: self._check_bot(table.game, table.rules, name),
            bot_names=self._bot_names,
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
        return CommandResult(number, created=handled.new is not None)

    async def apply_due_events(self, live: LiveTable) -> Table | None:
        """Under the lock, as the owner: write what the clock has made due. None: another process owns the table."""
        table, dealer = live.table, live.dealer
        assert table is not None
        assert dealer is not None
        # Again if there was a pause while the events were written.
        while live.resumed != (resumption := self._resumption(live, now := self._now())):
            events = resume(table, now)
            if events and not await self._write(live, Handled(events)):
                return None
            live.resumed = resumption
        events = tick(table, now, dealer)
        if events and not await self._write(live, Handled(events)):
            return None
        return live.table

    async def unload(self, live: LiveTable) -> bool:
        """Under the lock: drop a table from memory, and release it so that any process may claim it. Returns whether
        it is released: otherwise try again, because no other process can own the table until then."""
        live.table = live.dealer = None
        try:
            if not live.owner:  # a claim may have been carried out although it failed
                claim = await self._store.claim(live.name)
                live.lease = claim.lease if claim else None
            if live.lease is not None:
                await self._store.release(live.name, live.lease)
        except StoreError as error:
            self._log.debug("release failed", table=live.name, **error_fields(error))
            return False
        live.lease, live.owner = None, ""
        return True

    def new_table(self, new: NewTable) -> tuple[Table, NewTableRow]:
        """A new table, and the row to insert for it."""
        table = Table(new.table, new.event, self._find_game)
        table.apply(new.event)
        return table, NewTableRow(new.table, new.secret, (write_event(new.event),), summary_of(table))

    async def _read(self, live: LiveTable, *, only_as_owner: bool) -> None:
        await self._claim(live)
        if only_as_owner:
            self._check_owner(live)
        with self._setting_aside(live):
            await self._read_secret(live)
            noted = await self._store.digest_of(live.name)
            texts = await self._store.events(live.name)
            assert texts
            live.digest = await digest_after(texts, noted)
            known = max(1, live.published)
            table = await read_table(live.name, texts[:known], self._find_game)
            live.unpublished = [applied async for applied in apply_stored(table, texts[known:])]
            _check_secret(live, table)
        self._tables.set_right(live.name)
        live.table = table
        if live.lease is not None:
            await self._resume_clock(live)
        self._publish(live)
        self.on_change(live)

    @contextlib.contextmanager
    def _setting_aside(self, live: LiveTable) -> Iterator[None]:
        """Set the table aside if its events cannot be read; damaged events may raise anything."""
        try:
            yield
        except Exception as error:
            if isinstance(error, StoreError) and not isinstance(error, Unreadable):
                raise  # nothing is known about the table
            live.dealer = live.resumed = None  # when the table is repaired, nothing is left of the damage
            if self._tables.set_aside(live.name):
                self._log.error("table damaged", table=live.name, **error_fields(error))
            for listener in tuple(live.listeners):
                listener.table_damaged()
            raise TableDamaged(live.name) from error

    async def _claim(self, live: LiveTable) -> None:
        """Claim the table, unless another process owns it. If that fails, it is not known who owns it."""
        live.owner = ""
        claim = await self._store.claim(live.name)
        if claim is None:
            self._tables.remove(live.name)
            raise NoTable(live.name)
        self._set_owner(live, claim)

    def _set_owner(self, live: LiveTable, claim: Claim) -> None:
        live.lease, live.owner = claim.lease, claim.owner
        if claim.lease is None:
            live.dealer = None

    async def _read_secret(self, live: LiveTable) -> None:
        """Read the secret, which only the owner does."""
        if live.lease is not None and live.dealer is None:
            live.dealer = Dealer(await self._store.secret_of(live.name))

    def _check_owner(self, live: LiveTable) -> None:
        """Raise `OwnedElsewhere` if another process owns the table, and clients can be sent to it."""
        process_name = name_at_proxy(live.owner)
        if live.lease is None and process_name not in ("", name_at_proxy(self._store.name)):
            raise OwnedElsewhere(process_name)

    def _resumption(self, live: LiveTable, now: float) -> tuple[int | None, int]:
        """What `live.resumed` is while the clock need not be resumed."""
        return live.lease, self._pauses.count_at(now)

    async def _resume_clock(self, live: LiveTable) -> None:
        """Restart the current turn, unless that was done: players lose no time while no server is running, and none
        while the store is away."""
        assert live.table is not None
        now = self._now()
        if live.resumed == (resumption := self._resumption(live, now)):
            return  # the table was only read again
        events = resume(live.table, now)
        if events:
            await self._append(live, Handled(events))
        live.resumed = resumption

    async def _is_still_owner(self, live: LiveTable) -> bool:
        """Ask the store whether this process still owns the table; otherwise drop the table. Asked before a refusal: a
        refusal writes nothing, so the store could not reject one that is based on an outdated state."""
        try:
            claim = await self._store.claim(live.name)
        except StoreError as error:
            live.resumed = None
            raise Unavailable(error) from error
        if claim and claim.lease == live.lease:
            return True
        live.table, live.owner = None, ""
        return False

    async def _write(self, live: LiveTable, handled: Handled) -> bool:
        """Store, then publish. Returns False, with nothing written, if this process no longer owns the table."""
        try:
            await self._append(live, handled)
        except StoreFull:
            raise Busy from None
        except StoreDown as error:
            live.resumed = None  # no time is charged while the store is away
            raise Unavailable(error) from error
        except StoreError:
            live.resumed, live.owner = None, ""
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
        new_tables = (self.new_table(handled.new)[1],) if handled.new else ()
        digest = extend_digest(live.digest, texts)
        await self._store.append(Batch(live.name, live.lease, after, texts, summary_of(table), digest, new_tables))
        live.charge(size_of(texts) + sum(size_of(new.texts) for new in new_tables))
        live.table, live.digest = table, digest
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


def _check_secret(live: LiveTable, table: Table) -> None:
    """Raise `ValueError` if the owner would deal from another secret than the one that was committed to."""
    if live.dealer is not None and not live.dealer.keeps(table.commitment):
        raise ValueError("the secret is not the one that was committed to")
