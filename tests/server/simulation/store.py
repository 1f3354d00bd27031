"""A simulated store: what a process asks takes its time to the disk and back, and may be lost on either way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tilery.server.store.interface import Batch, Claim, Founding, ShownStatus, StoreDown, StoreError, StoreFull

if TYPE_CHECKING:
    from tests.server.simulation.process import Process

Result = TypeVar("Result")


class SimStore:
    """See `interface.Store` for what is promised."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.world = process.world
        self.disk = process.world.disk
        self.name = process.name
        self._is_closed = False
        self.news: Callable[[str, int], None] = lambda *_: None
        self.post: Callable[[str], None] = lambda *_: None

    def listen(self, news: Callable[[str, int], None], mail: Callable[[str], None]) -> None:
        self.news, self.post = news, mail

    async def open(self) -> None:
        await self._ask("open", lambda: None)

    async def close(self) -> None:
        self.disk.give_back(self.name)
        self._is_closed = True

    async def found(self, founding: Founding) -> None:
        await self._ask(f"found {founding.table}", lambda: self.disk.found(founding))

    async def claim(self, table: str) -> Claim | None:
        return await self._ask(f"claim {table}", lambda: self.claim_now(table))

    def claim_now(self, table: str) -> Claim | None:
        return self.disk.claim(self.name, table)

    async def release(self, table: str, lease: int) -> None:
        await self._ask(f"release {table}", lambda: self.disk.release(self.name, table, lease))

    async def append(self, batch: Batch) -> None:
        words = f"append {batch.table} {batch.after}+{len(batch.events)} lease {batch.lease}"
        await self._ask(words, lambda: self.write_now(batch))

    def write_now(self, batch: Batch) -> None:
        """At the disk: either all of it happens, or nothing."""
        if problem := self.why_not(batch):
            raise problem
        self.disk.write(self.name, batch)
        self.world.publish(self.name, batch.table, batch.after + len(batch.events))
        for founding in batch.founded:
            self.world.publish(self.name, founding.table, len(founding.events))

    def why_not(self, batch: Batch) -> StoreError | None:
        return self.disk.why_not(self.name, batch)

    async def events(self, table: str, after: int = 0) -> Sequence[str] | None:
        return await self._ask(f"events {table} {after}", lambda: self._events_now(table, after))

    def _events_now(self, table: str, after: int) -> Sequence[str] | None:
        kept = self.disk.tables.get(table)
        return kept.log[after:] if kept else None

    async def secret_of(self, table: str) -> bytes:
        return await self._ask(f"secret {table}", lambda: self.disk.tables[table].secret)

    async def lobby(self, most: int, status: ShownStatus = "open") -> Sequence[tuple[str, str]]:
        kept = reversed(self.disk.tables.items())
        return [(name, one.summary.card) for name, one in kept if one.summary[:2] == (status, True)][:most]

    async def due(self, before: float) -> Sequence[str]:
        return await self._ask("due", lambda: self.disk.due(self.name, before))

    async def mail(self, owner: str, text: str) -> None:
        await self._ask(f"mail to {owner}", lambda: self.world.post(owner, text))

    # There and back

    async def _ask(self, words: str, deed: Callable[[], Result]) -> Result:
        if self._is_closed:
            raise StoreDown("the store is closed")
        world = self.world
        fate = world.weather.fate_of(self.process.is_cut_off)
        if fate != "well":
            world.note("{} {}: {}", self.name, words, fate)
        if fate == "full":
            raise StoreFull
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        there, back = world.delay(), world.delay()
        if fate == "lost":
            world.later(there + back, self._answer, answer, None, StoreDown("the question was lost"))
        elif fate == "late":
            world.later(there, self._answer, answer, None, StoreDown("the answer is late"))
            world.later(there + world.random.random(), self._arrive, words, deed, None, back)
            known = there + back + 1.0 + world.random.random()
            world.later(known, self.process.hear, "", 0)
            world.watch.doubt(known + 1.0)
        else:
            world.later(there, self._arrive, words, deed, None if fate == "done" else answer, back)
            if fate == "done":
                world.later(there + back, self._answer, answer, None, StoreDown("the answer was lost"))
        return await answer

    def _arrive(
        self, words: str, deed: Callable[[], Result], answer: asyncio.Future[Result] | None, back: float
    ) -> None:
        """At the disk. What somebody has sent who is cut off or dead by now may still come in."""
        world = self.world
        if self.process.is_silent and world.random.random() < 0.5:
            return self._answer(answer, None, StoreDown("the question was lost on its way"))
        result: Result | None = None
        error: StoreError | None = None
        try:
            result = deed()
        except StoreError as refusal:
            error = refusal
        world.note("{} {}: {}", self.name, words, error or "done")
        world.later(back, self._answer, answer, result, error)

    def _answer(self, answer: asyncio.Future[Any] | None, result: object, error: StoreError | None) -> None:
        if self.process.is_cut_off:
            error = StoreDown("the connection is gone")
        if answer is None or answer.done():
            return
        if error is None:
            answer.set_result(result)
        else:
            answer.set_exception(error)
