"""A lane: asks that come while others are on their way wait, and then go together as one group."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from tilery.server.store.interface import StoreError, StoreFull

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Lane(Generic[Asked, Answer]):
    """`work` gets a group and answers each of it, in order; an answer may be the error that this one gets. Who asks
    may go away: the work is never interrupted by that."""

    def __init__(
        self, work: Callable[[list[Asked]], Awaitable[Sequence[Answer | StoreError]]], most: int, group: int
    ) -> None:
        self._work = work
        self._most = most
        self._group = group
        self._count = 0  # asks that have no answer yet
        self._waiting: deque[tuple[Asked, asyncio.Future[Answer]]] = deque()
        self._task: asyncio.Task[None] | None = None

    async def ask(self, asked: Asked) -> Answer:
        """Wait for the answer."""
        if self._count >= self._most:
            raise StoreFull(f"{self._count} asks are waiting for the store")
        self._count += 1
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, future))
        if self._task is None:
            self._task = asyncio.create_task(self._drain())
        return await future

    async def finish(self) -> None:
        """Wait until everything that was taken on has its answer."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _drain(self) -> None:
        try:
            while self._waiting:
                group = [self._waiting.popleft() for _ in range(min(self._group, len(self._waiting)))]
                await self._serve(group)
        finally:
            self._task = None

    async def _serve(self, group: list[tuple[Asked, asyncio.Future[Answer]]]) -> None:
        answers: Sequence[Answer | BaseException]
        try:
            answers = await self._work([asked for asked, _ in group])
        except BaseException as error:
            answers = [error] * len(group)
            if not isinstance(error, Exception):
                raise
        finally:
            self._count -= len(group)
            for (_, future), answer in zip(group, answers, strict=True):
                _settle(future, answer)


def _settle(future: asyncio.Future[Answer], answer: Answer | BaseException) -> None:
    if future.done():  # who asked has gone
        return
    if isinstance(answer, asyncio.CancelledError):
        future.cancel()
    elif isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)
