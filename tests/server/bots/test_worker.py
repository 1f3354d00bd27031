"""Real workers: they play, can be killed and cancelled during a search, and exit with their server."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from itertools import cycle
from types import FrameType
from typing import Any

import pytest

from tests.notation import texts
from tests.server.bots.bot_helpers import LONG, is_running, new_game, seen_in, until
from tilery import OVER, Position, Stream
from tilery.server.bots import BotFailed, BotPool, Cancelled
from tilery.server.bots.worker import NICENESS, _is_fragile

THINKER = seen_in(new_game("schokoly"))
Run = Callable[[Coroutine[Any, Any, None]], None]


async def whole_game(pool: BotPool, position: Position, names: list[str]) -> Position:
    stream = Stream("deals")
    for name in cycle(names):
        if position.actor == OVER:
            break
        move = await pool.move(seen_in(position), name, "a table")
        position = position.play(move).settle(stream)
    return position


@pytest.mark.parametrize(
    ("game", "variant", "names"),
    [
        ("azul", "2", ["greedy", "level-2", "level-8", "random", "tilery@50n"]),
        ("schokoly", "3,swap", ["level-1", "greedy", "tilery@5n", "plain-uct@20n", "level-7", "random"]),
    ],
)
def test_a_whole_game_is_played_from_seen_positions(game: str, variant: str, names: list[str]) -> None:
    lines: list[str] = []

    async def play() -> None:
        async with BotPool(1, log=lines.append) as pool:
            position = await whole_game(pool, new_game(game, variant), names)
            assert position.outcome is not None
            assert pool.completed == pool.requested > 20
            assert (pool.failed, pool.replaced, pool.greedy_fallbacks) == (0, 0, 0)
            [pid] = pool.pids
            assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        assert not is_running(pid)

    asyncio.run(play())
    assert not [line for line in lines if "Compil" not in line]


def test_a_request_survives_a_worker_that_is_killed() -> None:
    async def play() -> None:
        async with BotPool(1, cpu_limit=60) as pool:
            thought = asyncio.create_task(pool.move(THINKER, LONG, "a"))
            await until(lambda: pool.searching == 1)
            [pid] = pool.pids
            pool.cpu_limit = 0.1  # the next one is soon done
            os.kill(pid, signal.SIGKILL)
            assert await thought in texts(THINKER)
            assert pool.pids != [pid]
            assert (pool.completed, pool.replaced, pool.failed) == (1, 1, 0)

    asyncio.run(play())


async def _cancel_twice() -> None:
    async with BotPool(1, cpu_limit=60) as pool:
        thought = asyncio.create_task(pool.move(THINKER, LONG, "a"))
        await until(lambda: pool.searching == 1)
        pids = pool.pids
        assert pool.cancel("a") == 1
        with pytest.raises(Cancelled):
            await thought
        thought = asyncio.create_task(pool.move(THINKER, LONG, "a"))
        await until(lambda: pool.searching == 1 and pool.running == 1)
        thought.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thought
        assert await pool.move(THINKER, "level-2", "a") in texts(THINKER)
        assert pool.pids == pids
        assert (pool.requested, pool.completed, pool.cancelled, pool.replaced, pool.running) == (3, 1, 2, 0, 0)


def test_a_cancelled_search_leaves_the_worker_alive() -> None:
    asyncio.run(_cancel_twice())


def test_the_pool_works_under_uvloop() -> None:
    uvloop = pytest.importorskip("uvloop")
    uvloop.run(_cancel_twice())


def test_cancelling_at_any_moment_loses_nothing() -> None:
    """The signal reaches the worker while it reads, compiles, searches and replies."""

    async def play() -> None:
        async with BotPool(1) as pool:
            await pool.move(THINKER, "tilery@20n", "a")
            pids = pool.pids
            for number in range(60):
                thought = asyncio.create_task(pool.move(THINKER, "tilery@20n", "a"))
                await asyncio.sleep(number / 5000)
                pool.cancel("a")
                [end] = await asyncio.gather(thought, return_exceptions=True)
                assert isinstance(end, Cancelled | str)
            assert await pool.move(THINKER, "tilery@20n", "a") in texts(THINKER)
            assert (pool.pids, pool.replaced, pool.failed) == (pids, 0, 0)
            assert pool.requested == pool.completed + pool.cancelled

    asyncio.run(play())


def test_a_bot_that_uses_up_its_cpu_time_makes_a_greedy_move() -> None:
    lines: list[str] = []

    async def play() -> None:
        async with BotPool(1, cpu_limit=0.1, log=lines.append) as pool:
            for count in (1, 2):
                assert await pool.move(THINKER, LONG, "a") in texts(THINKER)
                assert (pool.completed, pool.greedy_fallbacks, pool.replaced) == (count, count, 0)
            assert await pool.move(THINKER, "greedy", "a") in texts(THINKER)
            assert (pool.completed, pool.greedy_fallbacks) == (3, 2)

    asyncio.run(play())
    assert sum("greedy move" in line for line in lines) == 2


def with_random(choose: str) -> list[str]:
    """The command of a worker in which the bot `random` is replaced."""
    code = f"""
import dataclasses
from tilery.engine.bots import BOTS
from tilery.server.bots import worker

{choose}

BOTS["random"] = dataclasses.replace(BOTS["random"], choose=choose)
worker.main()
"""
    return [sys.executable, "-c", code]


FAILING = """
def choose(seen, stream):
    return 1 // 0
"""

UNSTOPPABLE = """
import time

class Thing:
    def __del__(self):
        end = time.process_time() + 60
        while time.process_time() < end:
            pass

def choose(seen, stream):
    Thing()
    while True:
        pass
"""


def test_an_error_inside_a_bot_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilery.server.bots.pool.MAX_ATTEMPTS", 1)

    async def play() -> None:
        async with BotPool(1, command=with_random(FAILING)) as pool:
            with pytest.raises(BotFailed, match="ZeroDivisionError"):
                await pool.move(THINKER, "random", "a")
            assert pool.replaced == 1

    asyncio.run(play())


def test_a_lost_interruption_is_repeated() -> None:
    """An exception inside `__del__` is only printed."""

    async def play() -> None:
        async with BotPool(1, command=with_random(UNSTOPPABLE), cpu_limit=0.1, timeout=10) as pool:
            assert await pool.move(THINKER, "random", "a") in texts(THINKER)
            assert (pool.greedy_fallbacks, pool.replaced) == (1, 0)
            pool.cpu_limit = 100
            thought = asyncio.create_task(pool.move(THINKER, "random", "a"))
            await until(lambda: pool.searching == 1)
            pool.cancel("a")
            with pytest.raises(Cancelled):
                await thought
            assert await pool.move(THINKER, "greedy", "a") in texts(THINKER)
            assert pool.replaced == 0

    asyncio.run(play())


def test_compilers_are_not_interrupted() -> None:
    def frame_in(module: str) -> FrameType:
        names: dict[str, Any] = {"__name__": module, "sys": sys}
        exec("def here(): return sys._getframe()", names)
        found = names["here"]()
        assert isinstance(found, FrameType)
        return found

    assert _is_fragile(frame_in("llvmlite.binding.ffi"))
    assert _is_fragile(frame_in("numba.core.dispatcher"))
    assert not _is_fragile(frame_in("tilery.engine.search"))
    assert not _is_fragile(sys._getframe())


def test_prints_do_not_disturb_the_replies() -> None:
    code = (
        "import os; from tilery.server.bots import worker; out = worker._reserve_stdout();"
        "print('by print', flush=True); os.system('echo by a program'); out.write(b'an answer')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "an answer"
    assert run.stderr.split("\n") == ["by print", "by a program", ""]


SERVER = """
import asyncio
from tests.server.bots.bot_helpers import LONG, new_game, seen_in, until
from tilery.server.bots import BotPool

async def serve():
    pool = BotPool(1, cpu_limit=100)
    await pool.open()
    thought = asyncio.create_task(pool.move(seen_in(new_game("schokoly")), LONG, "a"))
    await until(lambda: pool.searching == 1)
    print(*pool.pids, flush=True)
    await thought

asyncio.run(serve())
"""


def test_workers_end_with_their_server() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        pid = int(server.stdout.readline())
        assert is_running(pid)
        server.kill()
    asyncio.run(until(lambda: not is_running(pid)))
