"""Several processes that share a store: commands are forwarded to the table's owner, and its events are followed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from typing import Any

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
from tilery.server.wire import read_command
from tilery.table.commands import AnyCommand
from tilery.table.refusals import TableRefused

FORWARD_TIMEOUT = 3.0  # seconds to wait for the reply of another process


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
        fields = {name: value for name, value in vars(command).items() if value is not None}
        message = {"re": number, "from": self._store.name, "table": name, "key": key, "command": fields}
        waiting: asyncio.Future[CommandResult] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            await self._store.send_message(owner, json.dumps(message, ensure_ascii=False))
            return await asyncio.wait_for(waiting, FORWARD_TIMEOUT)
        except (StoreError, TimeoutError):
            return None
        finally:
            del self._waiting[number]

    def _on_message(self, text: str) -> None:
        """Handle a message from another process: a forwarded command, or the reply to one."""
        message = json.loads(text)
        if "command" in message:
            self._tasks.start(self._execute(message))
            return
        waiting = self._waiting.get(message["answer"])
        if waiting and not waiting.done():
            if message.get("again"):
                waiting.set_exception(StoreDown())
                return
            refused = message.get("refused")
            waiting.set_result(CommandResult(message.get("number", 0), TableRefused(*refused) if refused else None))

    async def _execute(self, message: dict[str, Any]) -> None:
        """Execute a command that another process has forwarded, and reply."""
        reply: dict[str, Any] = {"answer": message["re"]}
        try:
            command = read_command(message["command"])
            live = self._tables.use(message["table"])
            async with live.lock:
                await self._ownership.load(live)
                result = None
                if live.lease is not None:
                    result = await self._ownership.execute(live, message["key"], command, None)
            if result is None:
                reply["again"] = True
            elif result.refused:
                reply["refused"] = [result.refused.code, str(result.refused), result.refused.rule]
            else:
                reply["number"] = result.number
        except (Unavailable, Busy, NoTable):
            reply["again"] = True
        with contextlib.suppress(StoreError):
            await self._store.send_message(message["from"], json.dumps(reply, ensure_ascii=False))

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
