"""An event loop without a clock, sockets or threads: time jumps to the next timer, and callbacks of the same moment run
in an order drawn from a seed.

Every callback belongs to a process (which may be paused or dead), or to none. A context variable holds it, so that
whatever a process starts belongs to that process.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context, ContextVar, copy_context
from math import ceil
from random import Random
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")
MOMENTS_PER_SECOND = 256  # few, so that much happens in the same moment
MAX_CALLBACKS = 100_000  # of one run; more means an endless loop


class Runner(Protocol):
    """A process that runs callbacks."""

    def accepts(self, handle: Handle) -> bool:
        """Whether it can run now; a paused process keeps it for later, a dead one drops it."""


RUNNER: ContextVar[Runner] = ContextVar("RUNNER")


class Handle(asyncio.TimerHandle):
    """A callback and its process; faster than that of `asyncio`."""

    __slots__ = ("args", "callback", "context", "is_cancelled", "moment", "runner")

    def __init__(self, when: float, callback: Callable[..., object], args: tuple[Any, ...], context: Context) -> None:
        self.moment = when
        self.callback = callback
        self.args = args
        self.context = context
        self.runner = context.get(RUNNER)
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True

    def cancelled(self) -> bool:
        return self.is_cancelled

    def when(self) -> float:
        return self.moment


class SimTask(asyncio.Task[Any]):
    """A task whose hash is the same in every run."""

    def __init__(self, work: Coroutine[Any, Any, Any], loop: SimLoop, context: Context | None, number: int) -> None:
        self.number = number
        super().__init__(work, loop=loop, context=context)
        self.work = work

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class SimLoop(asyncio.AbstractEventLoop):
    """Implements only what coroutines need."""

    def __init__(self, random: Random) -> None:
        self.ready: list[Handle] = []
        self.callbacks = 0
        self._random = random
        self._now = 0.0
        self._timers: list[tuple[float, int, Handle]] = []
        self._count = 0
        self._tasks: list[SimTask] = []  # all of them, so that none is garbage-collected
        self._is_closed = False
        self._is_stopped = False

    def time(self) -> float:
        return self._now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return self._is_closed

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Generator[Any, None, Result] | Coroutine[Any, Any, Result],
        *,
        name: object = None,  # noqa: ARG002
        context: Context | None = None,
    ) -> asyncio.Task[Result]:
        assert asyncio.iscoroutine(coro)
        work = SimTask(coro, self, context, len(self._tasks))
        self._tasks.append(work)
        return work

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        handle = Handle(self._now, callback, args, copy_context() if context is None else context)
        if not self._is_closed:
            self.ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        when = ceil(when * MOMENTS_PER_SECOND) / MOMENTS_PER_SECOND
        handle = Handle(when, callback, args, copy_context() if context is None else context)
        self._count += 1
        heapq.heappush(self._timers, (when, self._count, handle))
        return handle

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Ignored: whoever starts a task handles its errors."""

    def run(self, main: Coroutine[Any, Any, None]) -> None:
        """Run until `main` is done or `stop` was called."""
        asyncio._set_running_loop(self)
        try:
            task = self.create_task(main)
            while not task.done() and not self._is_stopped:
                self._do_next()
            if task.done():
                task.result()
        finally:
            self._close()
            asyncio._set_running_loop(None)

    def stop(self) -> None:
        self._is_stopped = True

    def _do_next(self) -> None:
        if not self.ready:
            self._now = max(self._now, self._timers[0][0])
        while self._timers and self._timers[0][0] <= self._now:
            self.ready.append(heapq.heappop(self._timers)[2])
        index = int(self._random.random() * len(self.ready))
        handle, self.ready[index] = self.ready[index], self.ready[-1]
        self.ready.pop()
        if handle.is_cancelled or not (handle.runner is None or handle.runner.accepts(handle)):
            return
        self.callbacks += 1
        if self.callbacks > MAX_CALLBACKS:
            raise RuntimeError(f"{MAX_CALLBACKS} callbacks were run, and there is no end")
        handle.context.run(handle.callback, *handle.args)

    def _close(self) -> None:
        """End unfinished tasks silently."""
        self._is_closed = True
        for work in self._tasks:
            if not work.done():
                work._log_destroy_pending = False  # type: ignore[attr-defined]
                _end(work.work)


def _end(work: Coroutine[Any, Any, Any]) -> None:
    try:
        work.close()
    except Exception:  # errors during cleanup do not matter
        return
