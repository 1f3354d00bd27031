"""An event loop without a clock, sockets or threads: time jumps to the next thing that happens, and what could happen
at the same moment happens in an order drawn from a seed.

Everything is done at some place: in a process (which may be paused, or dead) or outside of all processes. The place
travels in a context variable, so that whatever a process has begun belongs to it.
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
A_SECOND = 256  # moments: so few that much happens in the same one
MOST_DEEDS = 100_000  # of one run; more means that something goes round in circles


class Place(Protocol):
    """Where something is done."""

    def takes(self, deed: Deed) -> bool:
        """Whether it can be done now; a place that is paused keeps it for later, a dead one loses it."""


PLACE: ContextVar[Place] = ContextVar("PLACE")


class Deed(asyncio.TimerHandle):
    """Something to be called, and where. (`asyncio` would make it with much ado.)"""

    __slots__ = ("args", "callback", "context", "is_cancelled", "moment", "place")

    def __init__(self, when: float, callback: Callable[..., object], args: tuple[Any, ...], context: Context) -> None:
        self.moment = when
        self.callback = callback
        self.args = args
        self.context = context
        self.place = context.get(PLACE)
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True

    def cancelled(self) -> bool:
        return self.is_cancelled

    def when(self) -> float:
        return self.moment


class Work(asyncio.Task[Any]):
    """A task that sorts into a set the same way in every run."""

    def __init__(self, work: Coroutine[Any, Any, Any], loop: SimLoop, context: Context | None, number: int) -> None:
        self.number = number
        super().__init__(work, loop=loop, context=context)
        self.work = work

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class SimLoop(asyncio.AbstractEventLoop):
    """Only what coroutines need."""

    def __init__(self, random: Random) -> None:
        self.ready: list[Deed] = []
        self.deeds = 0
        self._random = random
        self._now = 0.0
        self._timers: list[tuple[float, int, Deed]] = []
        self._count = 0
        self._works: list[Work] = []  # all of them: nothing may end because memory is tidied up
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
        work = Work(coro, self, context, len(self._works))
        self._works.append(work)
        return work

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Deed:
        deed = Deed(self._now, callback, args, copy_context() if context is None else context)
        if not self._is_closed:
            self.ready.append(deed)
        return deed

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Deed:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Deed:
        when = ceil(when * A_SECOND) / A_SECOND
        deed = Deed(when, callback, args, copy_context() if context is None else context)
        self._count += 1
        heapq.heappush(self._timers, (when, self._count, deed))
        return deed

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Whoever begins a task looks after it."""

    def run(self, main: Coroutine[Any, Any, None]) -> None:
        """Until `main` is done, or it was told to `stop`."""
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
        place = int(self._random.random() * len(self.ready))
        deed, self.ready[place] = self.ready[place], self.ready[-1]
        self.ready.pop()
        if deed.is_cancelled or not (deed.place is None or deed.place.takes(deed)):
            return
        self.deeds += 1
        if self.deeds > MOST_DEEDS:
            raise RuntimeError(f"{MOST_DEEDS} deeds were done, and there is no end")
        deed.context.run(deed.callback, *deed.args)

    def _close(self) -> None:
        """What is left undone is ended without a word."""
        self._is_closed = True
        for work in self._works:
            if not work.done():
                work._log_destroy_pending = False  # type: ignore[attr-defined]
                _end(work.work)


def _end(work: Coroutine[Any, Any, Any]) -> None:
    try:
        work.close()
    except Exception:  # whatever it wanted to do last, nobody is there any more
        return
