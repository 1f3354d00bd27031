"""A process that is behind catches up before it passes on the reply of the owner."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.server.several_processes.table_owner import TableOwner
from tilery.server.hosting.host import TableDamaged
from tilery.table.commands import Rename
from tilery.table.views import ClientMessage


class Notes:
    """A listener that notes the numbers of the states that it was sent."""

    def __init__(self) -> None:
        self.who, self.chat = "", True
        self.numbers: list[int] = []

    def send(self, message: ClientMessage) -> None:
        words = json.loads(message.data)
        self.numbers.append(words.get("state", words.get("changes"))["seq"])

    def table_damaged(self) -> None:
        raise AssertionError


def test_what_the_sender_has_missed_arrives_before_a_refusal(database: str) -> None:
    """The process of the sender is not notified of changes: it learns of them from the reply."""

    async def story() -> None:
        listener = Notes()
        async with TableOwner(database).opened() as owner, TableOwner(database).opened() as other:
            await owner.create()
            await owner.read()
            other.table, other.key = owner.table, owner.key
            other.store.listen(lambda *_: None, other.store._on_message)
            await other.host.subscribe(
                owner.table, listener, lambda views: views.welcome("", after=None, chat=True, heartbeat=9.0)
            )
            for number in range(1, 6):
                renamed = (await owner.rename(number)).number
                assert listener.numbers[-1] < renamed
                refused = (await other.host.submit(owner.table, other.key, Rename(id="-", step=0, name=""))).refused
                assert refused is not None
                assert refused.code == "empty-text"
                assert listener.numbers[-1] == renamed

    asyncio.run(story())


def test_a_process_does_not_take_over_a_table_whose_secret_is_damaged(database: str) -> None:
    """It follows the table of another process, and so does not read it from the beginning when it becomes the owner."""

    async def story() -> None:
        async with TableOwner(database).opened() as owner, TableOwner(database).opened() as other:
            await owner.create()
            await owner.read()
            other.table, other.key = owner.table, owner.key
            await other.read()
            owner.execute("UPDATE tables SET secret = sha256(secret)")
            await owner.idle()
            with pytest.raises(TableDamaged):
                await other.host.read(other.table, lambda *_: None, refresh=True)

    asyncio.run(story())
