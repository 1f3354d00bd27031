"""Several processes that share a store: commands are forwarded to the table's owner, and its events are followed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable

import msgspec

from tilery.server.hosting.live_tables import (
    BackgroundTasks,
    Busy,
    CommandResult,
    LiveTable,
    LiveTables,
    NoTable,
    Unavailable,
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


class Outcome(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="outcome"):
    """What became of a forwarded command."""

    number: int  # of the message with the command
    seq: int = 0  # of its first event
    refused: wire.ErrorInfo | None = None
    again: bool = False  # it was not executed here: find the owner again


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
        self._waiting: dict[int, asyncio.Future[CommandResult]] = {}
        self._numbers = itertools.count(1)
        store.listen(self._on_change, self._on_message)

    async def forward(self, owner: str, name: str, key: str, command: AnyCommand) -> CommandResult | None:
        """Forward a command to the owner of its table; None if no reply came."""
        number = next(self._numbers)
        message = Forwarded(number, self._store.name, name, key, command)
        waiting: asyncio.Future[CommandResult] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            await self._store.send_message(owner, _write(message))
            return await asyncio.wait_for(waiting, FORWARD_TIMEOUT)
        except (StoreError, TimeoutError):
            return None
        finally:
            del self._waiting[number]

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
            refused = message.refused
            waiting.set_result(CommandResult(message.seq, refusal_in(refused) if refused else None))

    async def _execute(self, message: Forwarded) -> None:
        """Execute a command that another process has forwarded, and reply."""
        number = message.number
        reply = Outcome(number=number, again=True)
        try:
            live = self._tables.use(message.table)
            async with live.lock:
                await self._ownership.load(live)
                result = None
                if live.lease is not None:
                    result = await self._ownership.execute(live, message.key, message.command, None)
            if result is not None and result.refused:
                reply = Outcome(number=number, refused=error_of(result.refused))
            elif result is not None:
                reply = Outcome(number=number, seq=result.number)
        except (Unavailable, Busy, NoTable):
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
        with contextlib.suppress(Unavailable, Busy, NoTable, StoreError):
            async with live.lock:
                if live.table is not None and live.table.number < (number or live.table.number + 1):
                    await self._ownership.follow(live)
                elif live.listeners:
                    await self._ownership.load(live)
