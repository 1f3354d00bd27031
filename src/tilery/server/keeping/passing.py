"""Other processes that share the store: commands are passed on to who owns the table, and its events are followed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from typing import Any

from tilery.server.keeping.live import Answer, Live, NoTable, Overloaded, Unavailable
from tilery.server.keeping.owning import Owning
from tilery.server.store.interface import StoreDown, StoreError
from tilery.server.wire import read_command
from tilery.table.commands import AnyCommand
from tilery.table.refusing import TableRefused

FORWARD_FOR = 3.0  # seconds to wait for another process's answer


class Passing(Owning):
    """Mail between processes, and news."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._numbers = itertools.count(1)
        self.store.listen(self._news, self._mail)

    async def _forward(self, owner: str, name: str, key: str, command: AnyCommand) -> Answer | None:
        """Pass a command on to the owner of its table; None if no answer came."""
        number = next(self._numbers)
        words = {name: value for name, value in vars(command).items() if value is not None}
        mail = {"re": number, "from": self.store.name, "table": name, "key": key, "command": words}
        waiting: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            await self.store.mail(owner, json.dumps(mail, ensure_ascii=False))
            return await asyncio.wait_for(waiting, FORWARD_FOR)
        except (StoreError, TimeoutError):
            return None
        finally:
            del self._waiting[number]

    def _mail(self, text: str) -> None:
        """Another process passes a command on, or answers one."""
        mail = json.loads(text)
        if "command" in mail:
            self._begin(self._serve(mail))
            return
        waiting = self._waiting.get(mail["answer"])
        if waiting and not waiting.done():
            if mail.get("again"):
                waiting.set_exception(StoreDown())
                return
            refused = mail.get("refused")
            waiting.set_result(Answer(mail.get("number", 0), TableRefused(*refused) if refused else None))

    async def _serve(self, mail: dict[str, Any]) -> None:
        """Carry out a command that another process has passed on."""
        reply: dict[str, Any] = {"answer": mail["re"]}
        try:
            command = read_command(mail["command"])
            live = self._live(mail["table"])
            async with live.lock:
                await self._ready(live)
                answer = None
                if live.lease is not None:
                    answer = await self._carry_out(live, mail["key"], command, None)
            if answer is None:
                reply["again"] = True
            elif answer.refused:
                reply["refused"] = [answer.refused.code, str(answer.refused), answer.refused.rule]
            else:
                reply["number"] = answer.number
        except (Unavailable, Overloaded, NoTable):
            reply["again"] = True
        with contextlib.suppress(StoreError):
            await self.store.mail(mail["from"], json.dumps(reply, ensure_ascii=False))

    def _news(self, name: str, number: int) -> None:
        """Another process has written; "" means that anything may have happened."""
        lives = [self._lives[name]] if name in self._lives else [] if name else list(self._lives.values())
        for live in lives:
            if not name or number > live.told:
                self._begin(self._catch_up(live, number))

    async def _catch_up(self, live: Live, number: int) -> None:
        with contextlib.suppress(Unavailable, Overloaded, NoTable, StoreError):
            async with live.lock:
                if live.table is not None and live.table.number < (number or live.table.number + 1):
                    await self._follow(live)
                elif live.listeners:
                    await self._ready(live)
