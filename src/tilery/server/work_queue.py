"""A queue of CPU work that must not hold up the event loop: rendering and reading games, drawing pictures.

One thread does the work, because threads would only take the interpreter's lock from each other and from the event
loop. Addresses take turns; each may have only a few jobs waiting, and use only so much CPU time (`Buckets` of CPU
seconds, charged with what its jobs have really used).
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from tilery.server.metrics import Metrics
from tilery.server.rate_limits import Buckets

T = TypeVar("T")
MAX_WAITING = 200  # jobs
MAX_WAITING_PER_ADDRESS = 8  # jobs


class QueueFull(Exception):
    """Too many jobs are waiting: the work was not begun, and may be requested again later."""


class CpuSpent(Exception):
    """The address has used up its CPU time; there will be some again in `retry_delay` seconds."""

    def __init__(self, retry_delay: float) -> None:
        super().__init__(retry_delay)
        self.retry_delay = retry_delay


class Abandoned(Exception):
    """The client hung up before its result was there."""


@dataclass(eq=False)
class _Job:
    address: str
    work: Callable[[], Any]
    result: asyncio.Future[Any]


class WorkQueue:
    """Computes results in a thread, for one address after the other."""

    def __init__(self, cpu: Buckets, metrics: Metrics) -> None:
        self._cpu = cpu  # seconds
        self._metrics = metrics
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="work")
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()  # by address, the next one first
        self._is_working = False
        self.seconds = 0.0  # of CPU time; no metric, because it could depend on hidden cards

    async def run(self, address: str, work: Callable[[], T], hung_up: Callable[[], Coroutine[Any, Any, object]]) -> T:
        """The result of `work`. Raises `QueueFull`, `CpuSpent`, or `Abandoned` once `hung_up` returns."""
        self._check_cpu(address)
        is_long = len(self._waiting.get(address, ())) >= MAX_WAITING_PER_ADDRESS
        if is_long or self._metrics.work_waiting >= MAX_WAITING:
            self._metrics.work_busy += 1
            raise QueueFull
        job = _Job(address, work, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(address, deque()).append(job)
        self._metrics.work_waiting += 1
        self._work()
        watching = asyncio.ensure_future(hung_up())
        try:
            await asyncio.wait((job.result, watching), return_when=asyncio.FIRST_COMPLETED)
            if not job.result.done():
                self._metrics.work_abandoned += 1
                raise Abandoned
            result: T = job.result.result()
            return result
        finally:
            watching.cancel()
            self._drop(job)

    def _check_cpu(self, address: str) -> None:
        delay = self._cpu.wait(address, 0.0)
        if delay:
            self._metrics.work_limited += 1
            raise CpuSpent(delay)

    def _drop(self, job: _Job) -> None:
        """Forget a job that is not wanted any more, unless it is done or being worked on."""
        jobs = self._waiting.get(job.address)
        if jobs and job in jobs:
            jobs.remove(job)
            self._metrics.work_waiting -= 1
            if not jobs:
                del self._waiting[job.address]
        job.result.cancel()

    def _work(self) -> None:
        """Start the next job, unless one is being worked on: the first one of the address whose turn it is."""
        while self._waiting and not self._is_working:
            address, jobs = self._waiting.popitem(last=False)
            job = jobs.popleft()
            self._metrics.work_waiting -= 1
            if jobs:
                self._waiting[address] = jobs  # the last one from now on
            try:
                self._check_cpu(address)
            except CpuSpent as spent:  # while it was waiting
                job.result.set_exception(spent)
                continue
            self._is_working = True
            task = asyncio.get_running_loop().run_in_executor(self._thread, _timed, job.work)
            task.add_done_callback(lambda task, job=job: self._done(job, task))  # type: ignore[misc]

    def _done(self, job: _Job, task: asyncio.Future[tuple[Any, BaseException | None, float]]) -> None:
        self._is_working = False
        if task.cancelled():  # the loop is being closed
            job.result.cancel()
            return
        result, error, seconds = task.result()
        self._cpu.charge(job.address, seconds)
        self.seconds += seconds
        if not job.result.done():
            self._metrics.work_done += 1
            if error:
                job.result.set_exception(error)
            else:
                job.result.set_result(result)
        self._work()


def _timed(work: Callable[[], T]) -> tuple[T | None, BaseException | None, float]:
    """Called in the thread: the result or what was raised, and the CPU seconds that it took."""
    began = time.thread_time()
    try:
        return work(), None, time.thread_time() - began
    except Exception as error:
        return None, error, time.thread_time() - began
