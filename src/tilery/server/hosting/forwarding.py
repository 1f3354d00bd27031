"""Several processes that share a store: commands are forwarded to the table's owner, and its events are followed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable

import msgspec

from tilery.server.hosting.live_tables import (
    UNLIMITED,
    BackgroundTasks,
    CommandResult,
    LiveTable,
    LiveTables,
    Sender,
    TableDamaged,
    TableError,
)
from tilery.server.hosting.ownership import Ownership
from tilery.server.store.interface import Store, StoreDown, StoreError
from tilery.table import wire
from tilery.table.commands import AnyCommand
from tilery.table.refusals import error_of, refusal_in

FORWARD_TIMEOUT = 3.0  # seconds to wait for the reply of another process


class Forwarded(msgspec.Struct, frozen=True, tag_field="type", tag="forwarded"):
    """A command for the owner of its table."""

    number: int  # of this message, for the reply
    sender: str  # the name of the process
    table: str
    key: str  # of the person
    command: AnyCommand
    table_wait: float = 0.0  # of the sender


class Outcome(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="outcome"):
    """What became of a forwarded command."""

    number: int  # of the message with the command
    seq: int = 0  # of its first event
    last: int = 0  # of the last event of the table that the owner knew
    refused: wire.ErrorInfo | None = None
    stored: int = 0  # bytes
    created: bool = False  # a table
    again: bool = False  # it was not executed here: find the owner again
    damaged: bool = False  # it was not executed, because the owner cannot read the table


_read: Callable[[str], Forwarded | Outcome] = msgspec.json.Decoder(Forwarded | Outcome).decode


def _write(message: Forwarded | Outcome) -> str:
    return msgspec.json.encode(message).decode()


class Forwarding:
    """Messages between processes, and changes that other processes have written."""

    def __init__(self, store: Store, tables: LiveTables, ownership: Ownership, tasks: BackgroundTasks) -> None:
        self._store = store
        self._tables = tables
        self._ownership = ownership
        self._tasks = tasks
        self._waiting: dict[int, asyncio.Future[Outcome]] = {}
        self._numbers = itertools.count(1)
        store.listen(self._on_change, self._on_message)

    async def forward(
        self, owner: str, name: str, key: str, command: AnyCommand, sender: Sender
    ) -> CommandResult | None:
        """Forward a command to the owner of its table; None if no reply came. When this returns, the listeners here
        have been sent everything that the owner knew when it replied. Raises `TableDamaged` if the owner cannot read
        the table."""
        number = next(self._numbers)
        message = Forwarded(number, self._store.name, name, key, command, sender.table_wait)
        waiting: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            await self._store.send_message(owner, _write(message))
            outcome = await asyncio.wait_for(waiting, FORWARD_TIMEOUT)
        except (StoreError, TimeoutError):
            return None
        finally:
            del self._waiting[number]
        if outcome.damaged:
            raise TableDamaged(name)
        sender.charge(outcome.stored)
        await self._ownership.catch_up(self._tables.use(name), outcome.last)
        refused = refusal_in(outcome.refused) if outcome.refused else None
        return CommandResult(outcome.seq, refused, outcome.created)

    def _on_message(self, text: str) -> None:
        """Handle a message from another process: a forwarded command, or the reply to one."""
        message = _read(text)
        if isinstance(message, Forwarded):
            self._tasks.start(self._execute(message))
            return
        waiting = self._waiting.get(message.number)
        if waiting and not waiting.done():
            if message.again:
                waiting.set_exception(StoreDown())
                return
            waiting.set_result(message)

    async def _execute(self, message: Forwarded) -> None:
        """Execute a command that another process has forwarded, and reply."""
        number = message.number
        reply = Outcome(number=number, again=True)
        sizes: list[int] = []  # of what is stored for the sender, who pays in the other process
        try:
            live = self._tables.use(message.table)
            async with live.lock:
                await self._ownership.load(live)
                result = None
                if live.lease is not None:
                    sender = Sender(sizes.append, message.table_wait)
                    result = await self._ownership.execute(live, message.key, message.command, None, sender)
                    live.charge = UNLIMITED.charge
                if result is not None:
                    assert live.table is not None
                    reply = Outcome(
                        number=number,
                        seq=result.number,
                        last=live.table.number,
                        refused=error_of(result.refused) if result.refused else None,
                        stored=sum(sizes),
                        created=result.created,
                    )
        except TableDamaged:
            reply = Outcome(number=number, damaged=True)
        except TableError:
            pass  # the sender asks again
        with contextlib.suppress(StoreError):
            await self._store.send_message(message.sender, _write(reply))

    def _on_change(self, name: str, number: int) -> None:
        """Catch up with a table to which another process has written; "" stands for all tables."""
        if not name:
            for live in self._tables.all():
                self._tasks.start(self._catch_up(live, number))
        elif (changed := self._tables.find(name)) and number > changed.published:
            self._tasks.start(self._catch_up(changed, number))

    async def _catch_up(self, live: LiveTable, number: int) -> None:
        with contextlib.suppress(TableError, StoreError):
            async with live.lock:
                if live.table is not None and live.table.number < (number or live.table.number + 1):
                    await self._ownership.follow(live)
                elif live.listeners:
                    await self._ownership.load(live)
