"""A table host on a real PostgreSQL, inside the test: one of several processes."""

from __future__ import annotations

import contextlib
import io
from collections.abc import AsyncIterator

import psycopg

from tests.server.http_and_websocket.in_process import Thinker
from tilery.games import game
from tilery.server.auth import key_of, new_table_id, new_token
from tilery.server.hosting.host import CommandResult, TableHost
from tilery.server.hosting.scheduler import UNLOAD_DELAY
from tilery.server.logs import Log
from tilery.server.run import check_bot
from tilery.server.store.postgres import PostgresStore
from tilery.table.commands import Rename
from tilery.table.creation import SeatPlan, Setup

SETUP = Setup(game="azul", seats=(SeatPlan(kind="me", name="Anna"), SeatPlan(kind="open")))


class TableOwner:
    """A process that creates a table, and is the first to use it."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.time = 1_800_000_000.0
        self.store = PostgresStore(database)
        self.host = TableHost(
            self.store,
            now=lambda: self.time,
            new_table_id=new_table_id,
            find_game=game,
            check_bot=check_bot,
            bots=Thinker(),
            log=Log("error", io.StringIO()),
        )
        self.key = key_of(new_token())
        self.table = ""

    async def create(self) -> None:
        self.table = (await self.host.create(SETUP, self.key)).name

    async def read(self) -> int:
        return await self.host.read(self.table, lambda table, _: table.number)

    async def rename(self, number: int = 1) -> CommandResult:
        return await self.host.submit(self.table, self.key, Rename(id=f"r{number}", step=0, name="Ann"))

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.database, autocommit=True) as connection:
            connection.execute(f"SET search_path = tilery; {statement}".encode())

    async def idle(self) -> None:
        """Nobody uses the table for a while."""
        self.time += UNLOAD_DELAY + 1
        await self.host.sweep()

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[TableOwner]:
        await self.host.open()
        try:
            yield self
        finally:
            await self.host.close()
