"""Group commit: requests that arrive while a group is being processed wait, and form the next group."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from tilery.server.store.interface import StoreError, StoreFull

Request = TypeVar("Request")
Result = TypeVar("Result")


class GroupQueue(Generic[Request, Result]):
    """Processes requests in groups. `process` takes a group and returns one result for each request, in order; a
    result that is a `StoreError` is raised for that request alone. A cancelled caller does not interrupt the group.
    `gather`: after a group of several requests, wait for so many seconds, or until so many requests are waiting."""

    def __init__(
        self,
        process: Callable[[list[Request]], Awaitable[Sequence[Result | StoreError]]],
        max_waiting: int,
        group_size: int,
        *,
        gather: tuple[float, int] = (0.0, 0),
    ) -> None:
        self._process = process
        self._max_waiting = max_waiting
        self._group_size = group_size
        self._gather_seconds, self._gather_requests = gather
        self._is_busy = False  # the last group had more than one request
        self._gathering: asyncio.Future[None] | None = None
        self._count = 0  # requests without a result yet
        self._waiting: deque[tuple[Request, asyncio.Future[Result]]] = deque()
        self._task: asyncio.Task[None] | None = None

    async def submit(self, request: Request) -> Result:
        """Add a request to the next group, and wait for its result."""
        if self._count >= self._max_waiting:
            raise StoreFull(f"{self._count} requests are waiting for the store")
        self._count += 1
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._task is None:
            self._task = asyncio.create_task(self._drain())
        elif len(self._waiting) >= self._gather_requests:
            self._end_gathering()
        return await future

    async def finish(self) -> None:
        """Wait until every accepted request has its result."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _drain(self) -> None:
        try:
            while self._waiting:
                if self._is_busy and len(self._waiting) < self._gather_requests:
                    await self._gather()
                group = [self._waiting.popleft() for _ in range(min(self._group_size, len(self._waiting)))]
                self._is_busy = len(group) > 1
                await self._process_group(group)
        finally:
            self._task = None

    async def _gather(self) -> None:
        loop = asyncio.get_running_loop()
        self._gathering = loop.create_future()
        timer = loop.call_later(self._gather_seconds, self._end_gathering)
        try:
            await self._gathering
        finally:
            timer.cancel()
            self._gathering = None

    def _end_gathering(self) -> None:
        if self._gathering and not self._gathering.done():
            self._gathering.set_result(None)

    async def _process_group(self, group: list[tuple[Request, asyncio.Future[Result]]]) -> None:
        results: Sequence[Result | BaseException]
        try:
            results = await self._process([request for request, _ in group])
        except BaseException as error:
            results = [error] * len(group)
            if not isinstance(error, Exception):
                raise
        finally:
            self._count -= len(group)
            for (_, future), result in zip(group, results, strict=True):
                _resolve(future, result)


def _resolve(future: asyncio.Future[Result], result: Result | BaseException) -> None:
    if future.done():  # the caller was cancelled
        return
    if isinstance(result, asyncio.CancelledError):
        future.cancel()
    elif isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)
