"""A simulated store: requests take time to the disk and back, and can be lost in either direction."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tilery.server.store.interface import (
    Batch,
    Claim,
    LogDigest,
    NewTableRow,
    ShownStatus,
    StoreDown,
    StoreError,
    StoreFull,
    StoreHealth,
)

if TYPE_CHECKING:
    from tests.server.simulation.process import Process

Result = TypeVar("Result")


class SimStore:
    """See `interface.Store`."""

    health: StoreHealth = "ok"

    def __init__(self, process: Process) -> None:
        self.process = process
        self.world = process.world
        self.disk = process.world.disk
        self.name = process.name
        self._is_closed = False
        self.on_change: Callable[[str, int], None] = lambda *_: None
        self.on_message: Callable[[str], None] = lambda *_: None

    def listen(self, on_change: Callable[[str, int], None], on_message: Callable[[str], None]) -> None:
        self.on_change, self.on_message = on_change, on_message

    async def open(self) -> None:
        await self._request("open", lambda: None)

    async def close(self) -> None:
        self.disk.release_all(self.name)
        self._is_closed = True

    async def create(self, new_table: NewTableRow) -> None:
        await self._request(f"create {new_table.table}", lambda: self.create_now(new_table))

    def create_now(self, new_table: NewTableRow) -> None:
        self.require_room()
        self.disk.create(new_table)

    def require_room(self) -> None:
        if not self.world.outages.has_room(self.name):
            raise StoreDown("there is no room on the disk")

    async def claim(self, table: str) -> Claim | None:
        with self._noting_failure(table):
            return await self._request(f"claim {table}", lambda: self.claim_now(table))

    def claim_now(self, table: str) -> Claim | None:
        return self.disk.claim(self.name, table)

    async def release(self, table: str, lease: int) -> None:
        await self._request(f"release {table}", lambda: self.disk.release(self.name, table, lease))

    async def append(self, batch: Batch) -> None:
        label = f"append {batch.table} {batch.after}+{len(batch.events)} lease {batch.lease}"
        self.world.charged_time.sent(batch)
        with self._noting_failure(batch.table):
            await self._request(label, lambda: self.write_now(batch))

    def write_now(self, batch: Batch) -> None:
        """At the disk: all or nothing."""
        self.require_room()
        if problem := self.explain_refusal(batch):
            raise problem
        self.disk.write(self.name, batch)
        self.world.publish(self.name, batch.table, batch.after + len(batch.events))
        for new_table in batch.new_tables:
            self.world.publish(self.name, new_table.table, len(new_table.events))

    def explain_refusal(self, batch: Batch) -> StoreError | None:
        return self.disk.explain_refusal(self.name, batch)

    async def events(self, table: str, after: int = 0) -> Sequence[str] | None:
        with self._noting_failure(table):
            texts = await self._request(f"events {table} {after}", lambda: self._events_now(table, after))
        self.world.damage.read(self.process, texts)
        return texts

    def _events_now(self, table: str, after: int) -> Sequence[str] | None:
        stored = self.disk.tables.get(table)
        return self.world.damage.events(table, stored.log[after:], after) if stored else None

    async def digest_of(self, table: str) -> LogDigest:
        with self._noting_failure(table):
            return await self._request(f"digest {table}", lambda: self.disk.digest_of(table))

    async def secret_of(self, table: str) -> bytes:
        with self._noting_failure(table):
            secret = await self._request(f"secret {table}", lambda: self._secret_now(table))
        self.world.damage.read(self.process, secret)
        return secret

    def _secret_now(self, table: str) -> bytes:
        return self.world.damage.secret(table, self.disk.tables[table].secret)

    async def lobby(self, limit: int, status: ShownStatus = "open") -> Sequence[tuple[str, str]]:
        tables = reversed(self.disk.tables.items())
        return [(name, one.summary.card) for name, one in tables if one.summary[:2] == (status, True)][:limit]

    async def due(self, before: float) -> Sequence[str]:
        return await self._request("due", lambda: self.disk.due(self.name, before))

    async def send_message(self, process: str, text: str) -> None:
        await self._request(f"message to {process}", lambda: self.world.post(process, text))

    # Requests and replies

    @contextlib.contextmanager
    def _noting_failure(self, table: str) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            self.world.charged_time.failed(self.process, table, error)
            self.world.damage.read(self.process, error)
            raise

    async def _request(self, label: str, action: Callable[[], Result]) -> Result:
        if self._is_closed:
            raise StoreDown("the store is closed")
        world = self.world
        outcome = world.failures.outcome_of(self.process.is_disconnected)
        if outcome != "well":
            world.note("{} {}: {}", self.name, label, outcome)
        if outcome == "full":
            raise StoreFull
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        there, back = world.delay(), world.delay()
        if outcome == "lost":
            world.later(there + back, self._reply, future, None, StoreDown("the request was lost"))
        elif outcome == "late":
            world.later(there, self._reply, future, None, StoreDown("the reply is late"))
            world.later(there + world.random.random(), self._arrive, label, action, None, back)
            known = there + back + 1.0 + world.random.random()
            world.later(known, self.process.on_news, "", 0)
            world.invariants.doubt(known + 1.0)
        else:
            world.later(there, self._arrive, label, action, None if outcome == "done" else future, back)
            if outcome == "done":
                world.later(there + back, self._reply, future, None, StoreDown("the reply was lost"))
        return await future

    def _arrive(
        self, label: str, action: Callable[[], Result], future: asyncio.Future[Result] | None, back: float
    ) -> None:
        """At the disk. A request can arrive after its sender was disconnected or killed."""
        world = self.world
        if self.process.is_silent and world.random.random() < 0.5:
            return self._reply(future, None, StoreDown("the request was lost on its way"))
        result: Result | None = None
        error: StoreError | None = None
        try:
            result = action()
        except StoreError as refusal:
            error = refusal
        world.note("{} {}: {}", self.name, label, error or "done")
        world.later(back, self._reply, future, result, error)

    def _reply(self, future: asyncio.Future[Any] | None, result: object, error: StoreError | None) -> None:
        if self.process.is_disconnected:
            error = StoreDown("the connection is lost")
        if future is None or future.done():
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
