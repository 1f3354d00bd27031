"""The queue of CPU work: turns, bounds, budgets, and clients that hang up."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tilery.server.metrics import Metrics
from tilery.server.rate_limits import Buckets
from tilery.server.work_queue import MAX_WAITING, MAX_WAITING_PER_ADDRESS, Abandoned, CpuSpent, QueueFull, WorkQueue


class Bench:
    """A queue, a clock, and a job that blocks the thread until it is released."""

    def __init__(self, rate: float = 1e6, burst: float = 1e6) -> None:
        self.time = 0.0
        self.metrics = Metrics()
        self.queue = WorkQueue(Buckets(rate, burst, lambda: self.time), self.metrics)
        self.released = threading.Event()
        self.done: list[str] = []

    def run(self, address: str, name: str = "", hung_up: asyncio.Event | None = None) -> asyncio.Future[str]:
        def work() -> str:
            self.done.append(name)
            return name

        return self.start(address, work, hung_up)

    def start(self, address: str, work: Callable[[], str], hung_up: asyncio.Event | None = None) -> asyncio.Future[str]:
        return asyncio.ensure_future(self.queue.run(address, work, (hung_up or asyncio.Event()).wait))

    async def block(self) -> asyncio.Future[str]:
        """Keep the thread busy until `released` is set."""
        blocking = self.start("blocker", lambda: str(self.released.wait(30)))
        await asyncio.sleep(0.01)
        return blocking


def story(tell: Callable[[Bench], Coroutine[Any, Any, None]], bench: Bench | None = None) -> Bench:
    bench = bench or Bench()
    asyncio.run(tell(bench))
    return bench


def test_addresses_take_turns() -> None:
    async def tell(bench: Bench) -> None:
        first = await bench.block()
        jobs = [bench.run("hostile", f"h{number}") for number in range(6)]
        jobs += [bench.run("anna", f"a{number}") for number in range(2)] + [bench.run("ben", "b0")]
        await asyncio.sleep(0.01)
        assert bench.metrics.work_waiting == 9
        bench.released.set()
        await asyncio.gather(first, *jobs)

    bench = story(tell)
    assert bench.done[:6] == ["h0", "a0", "b0", "h1", "a1", "h2"]
    assert (bench.metrics.work_done, bench.metrics.work_waiting) == (10, 0)


def test_one_address_and_all_together_may_have_only_so_many_jobs_waiting() -> None:
    async def tell(bench: Bench) -> None:
        first = await bench.block()
        own = [bench.run("hostile") for _ in range(MAX_WAITING_PER_ADDRESS + 3)]
        others = [bench.run(f"other-{number}") for number in range(MAX_WAITING)]
        await asyncio.sleep(0.01)
        assert bench.metrics.work_waiting == MAX_WAITING
        bench.released.set()
        results = await asyncio.gather(*own, *others, return_exceptions=True)
        await first
        full = [isinstance(result, QueueFull) for result in results]
        assert (
            full
            == [False] * MAX_WAITING_PER_ADDRESS
            + [True] * 3
            + [False] * (MAX_WAITING - MAX_WAITING_PER_ADDRESS)
            + [True] * MAX_WAITING_PER_ADDRESS
        )

    bench = story(tell)
    assert bench.metrics.work_busy == 3 + MAX_WAITING_PER_ADDRESS


def test_a_job_is_dropped_when_its_client_hangs_up() -> None:
    async def tell(bench: Bench) -> None:
        first = await bench.block()
        hung_up = asyncio.Event()
        job = bench.run("anna", "abandoned", hung_up)
        cancelled = bench.run("anna", "cancelled")
        other = bench.run("anna", "wanted")
        await asyncio.sleep(0.01)
        hung_up.set()
        cancelled.cancel()
        with pytest.raises(Abandoned):
            await job
        assert bench.metrics.work_waiting == 1
        bench.released.set()
        assert (await first, await other) == ("True", "wanted")

    bench = story(tell)
    assert bench.done == ["wanted"]
    assert bench.metrics.work_abandoned == 1


def test_what_a_job_raises_is_raised_and_the_next_one_is_done() -> None:
    def fail() -> str:
        raise ValueError("as told")

    async def tell(bench: Bench) -> None:
        failing, next_one = bench.start("anna", fail), bench.run("anna", "next")
        with pytest.raises(ValueError, match="as told"):
            await failing
        assert await next_one == "next"

    story(tell)


def test_each_address_has_a_budget_of_cpu_time() -> None:
    def burn() -> str:
        end = time.thread_time() + 0.03
        while time.thread_time() < end:
            pass
        return "burnt"

    async def tell(bench: Bench) -> None:
        results = await asyncio.gather(*(bench.start("hostile", burn) for _ in range(8)), return_exceptions=True)
        burnt = results.count("burnt")
        assert 1 <= burnt <= 4  # 0.1 s
        assert all(isinstance(result, CpuSpent) for result in results[burnt:])
        with pytest.raises(CpuSpent) as spent:
            await bench.start("hostile", burn)
        assert 0.1 <= spent.value.retry_delay < 1
        assert await bench.start("anna", burn) == "burnt"
        bench.time += spent.value.retry_delay + 0.01
        assert await bench.start("hostile", burn) == "burnt"
        assert bench.metrics.work_limited == 8 - burnt + 1
        assert 0.03 * (burnt + 2) <= bench.queue.seconds

    story(tell, Bench(rate=0.1, burst=0.1))
