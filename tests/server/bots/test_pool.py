"""The pool with workers that misbehave: every request gets a move or an error."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.notation import texts
from tests.server.bots import fake
from tests.server.bots.bot_helpers import SECONDS, command, is_running, new_game, seen_in, until
from tilery import Seen
from tilery.core.refusals import NotYourTurn, Refused
from tilery.server.bots import BotFailed, BotPool, BotsBusy, Cancelled, worker_process

SEEN = seen_in(new_game())
MOVE = texts(SEEN)[0]


def counted(pool: BotPool) -> bool:
    """Whether every request is counted."""
    return pool.requested == pool.completed + pool.failed + pool.cancelled + pool.waiting + pool.running


def test_workers_are_started_when_they_are_needed() -> None:
    async def play() -> None:
        pool = BotPool(2, command=command(fake.obedient, SEEN))
        await pool.open()
        assert pool.pids == []
        assert await pool.move(SEEN, "greedy", "a") == MOVE
        assert len(pool.pids) == 1
        first = pool.pids
        assert await pool.move(SEEN, "greedy", "b") == MOVE
        assert pool.pids == first
        assert (pool.requested, pool.completed, pool.failed, pool.replaced, pool.cancelled) == (2, 2, 0, 0, 0)
        assert (pool.waiting, pool.running, pool.searching, pool.rejected) == (0, 0, 0, 0)
        await pool.close()
        assert not is_running(*first)

    asyncio.run(play())


def test_there_are_never_more_workers_than_allowed() -> None:
    async def play() -> None:
        async with BotPool(2, command=command(fake.obedient, SEEN)) as pool:
            moves = await asyncio.gather(*(pool.move(SEEN, "greedy", str(key)) for key in range(20)))
            assert moves == [MOVE] * 20
            assert len(pool.pids) == 2
            assert counted(pool)

    asyncio.run(play())


BAD: list[tuple[Callable[[fake.Request], None], str]] = [
    (fake.stuck, "within 0.2 seconds"),
    (fake.silent, "within 0.2 seconds"),
    (fake.garbage, "not a reply"),
    (fake.nested, "not a reply"),
    (fake.endless, "bytes"),
    (fake.chatty, "it (wrote|returned)"),
    (fake.crashed, "ended"),
    (fake.other, "not a reply"),
    (fake.illegal, "not legal"),
    (fake.numeric, "'move': 7"),
    (fake.failing, "ZeroDivisionError: by 0"),
    (fake.lazy, "'cancelled': True"),
]


@pytest.mark.parametrize("behaviour", [behaviour for behaviour, _ in BAD])
def test_a_bad_worker_is_replaced(behaviour: Callable[[fake.Request], None], tmp_path: Path) -> None:
    async def play() -> None:
        patience = 0.5 if behaviour is fake.stuck else SECONDS
        first = 2.0 if behaviour is fake.silent else SECONDS  # long enough for the next one to start
        fakes = command(behaviour, SEEN, tmp_path / "mark")
        async with BotPool(1, command=fakes, timeout=patience, startup_timeout=first) as pool:
            assert await pool.move(SEEN, "greedy", "a") == MOVE
            assert (pool.completed, pool.failed, pool.replaced) == (1, 0, 1)
            [pid] = pool.pids
            assert await pool.move(SEEN, "greedy", "a") == MOVE
            assert pool.pids == [pid]

    asyncio.run(play())


@pytest.mark.parametrize(("behaviour", "problem"), BAD)
def test_after_three_bad_workers_the_request_fails(behaviour: Callable[[fake.Request], None], problem: str) -> None:
    lines: list[str] = []

    async def play() -> None:
        patience = 0.2 if behaviour is fake.stuck else SECONDS
        first = 0.2 if behaviour is fake.silent else SECONDS
        pool = BotPool(1, command=command(behaviour, SEEN), timeout=patience, startup_timeout=first, log=lines.append)
        async with pool:
            with pytest.raises(BotFailed, match=problem) as failed:
                await pool.move(SEEN, "level-3", "a")
            assert "level-3" in str(failed.value)
            assert (pool.requested, pool.failed, pool.replaced) == (1, 1, 3)
            assert pool.pids == []

    asyncio.run(play())
    assert sum(" failed: it " in line for line in lines) == 3


def test_a_refused_request_is_not_repeated() -> None:
    async def play() -> None:
        async with BotPool(1, command=command(fake.refusing, SEEN)) as pool:
            with pytest.raises(BotFailed, match="there is no such game"):
                await pool.move(SEEN, "greedy", "a")
            assert (pool.failed, pool.replaced, len(pool.pids)) == (1, 0, 1)

    asyncio.run(play())


def test_a_worker_that_cannot_start_fails() -> None:
    async def play() -> None:
        async with BotPool(1, command=["/nowhere/to/be/found"]) as pool:
            with pytest.raises(BotFailed, match="cannot be started"):
                await pool.move(SEEN, "greedy", "a")
            assert counted(pool)

    asyncio.run(play())


def test_a_worker_that_died_while_idle_is_replaced() -> None:
    async def play() -> None:
        async with BotPool(1, command=command(fake.obedient, SEEN)) as pool:
            await pool.move(SEEN, "greedy", "a")
            [pid] = pool.pids
            os.kill(pid, signal.SIGKILL)
            assert await pool.move(SEEN, "greedy", "a") == MOVE
            assert (pool.replaced, pool.completed) == (1, 2)
            assert pool.pids != [pid]

    asyncio.run(play())


def test_a_waiting_request_is_cancelled() -> None:
    async def play() -> None:
        async with BotPool(1, command=command(fake.patient, SEEN)) as pool:
            thought = asyncio.create_task(pool.move(SEEN, "greedy", "a"))
            waiting = [asyncio.create_task(pool.move(SEEN, "greedy", key)) for key in ("b", "b", "c")]
            await until(lambda: pool.searching == 1)
            assert (pool.waiting, pool.running) == (3, 1)
            assert pool.cancel("b") == 2
            assert pool.waiting == 1
            for one in waiting[:2]:
                with pytest.raises(Cancelled):
                    await one
            waiting[2].cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting[2]
            assert (pool.waiting, pool.running, pool.cancelled) == (0, 1, 3)
            assert pool.cancel("nobody") == 0
            assert pool.cancel("a") == 1
            with pytest.raises(Cancelled):
                await thought
            assert pool.cancel("a") == 0
            assert (pool.cancelled, pool.requested) == (4, 4)

    asyncio.run(play())


def test_a_request_is_cancelled_before_it_has_a_worker() -> None:
    async def play() -> None:
        async with BotPool(1, command=command(fake.patient, SEEN)) as pool:
            thought = asyncio.create_task(pool.move(SEEN, "greedy", "a"))
            await until(lambda: pool.running == 1)
            pool.cancel("a")
            with pytest.raises(Cancelled):
                await thought
            await until(lambda: pool.pids != [])
            second = asyncio.create_task(pool.move(SEEN, "greedy", "a"))
            await until(lambda: pool.searching == 1)
            assert (pool.replaced, len(pool.pids)) == (0, 1)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            assert counted(pool)

    asyncio.run(play())


def test_a_worker_that_does_not_stop_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "CANCEL_TIMEOUT", 0.2)

    async def play() -> None:
        async with BotPool(1, command=command(fake.stuck, SEEN, tmp_path / "mark")) as pool:
            thought = asyncio.create_task(pool.move(SEEN, "greedy", "a"))
            await until(lambda: pool.searching == 1)
            [stuck] = pool.pids
            pool.cancel("a")
            with pytest.raises(Cancelled):
                await thought
            assert await pool.move(SEEN, "greedy", "a") == MOVE
            assert pool.replaced == 1
            assert not is_running(stuck)

    asyncio.run(play())


def test_the_queue_is_limited() -> None:
    async def play() -> None:
        async with BotPool(1, command=command(fake.patient, SEEN), max_waiting=2) as pool:
            tasks = [asyncio.create_task(pool.move(SEEN, "greedy", "a")) for _ in range(3)]
            await until(lambda: pool.requested == 3)
            assert pool.waiting == 2
            with pytest.raises(BotsBusy, match="2 requests"):
                await pool.move(SEEN, "greedy", "b")
            assert (pool.requested, pool.rejected, pool.waiting) == (3, 1, 2)
            assert pool.cancel("a") == 3
            assert all(isinstance(end, Cancelled) for end in await asyncio.gather(*tasks, return_exceptions=True))

    asyncio.run(play())


def test_the_queue_is_in_order_with_one_request_for_each_key(tmp_path: Path) -> None:
    async def play() -> None:
        file = tmp_path / "notes"
        async with BotPool(2, command=command(fake.orderly, SEEN, file)) as pool:
            keys = ["a", "a", "b", "a", "b"]
            await asyncio.gather(*(pool.move(SEEN, f"level-{n}", key) for n, key in enumerate(keys, start=1)))
        lines = file.read_text().splitlines()
        # level-1 waits for level-3, which is of another table and therefore starts before level-2.
        for earlier, later in ((1, 2), (2, 4), (3, 5)):
            assert lines.index(f"end level-{earlier}") < lines.index(f"begin level-{later}")
        assert len(lines) == 10

    asyncio.run(play())


def test_a_worker_gets_what_the_seat_sees_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILERY_SECRET", "of the server")
    monkeypatch.setenv("DATABASE_URL", "of the server")
    position = new_game("schokoly", "3,swap")
    seen = seen_in(position)
    file = tmp_path / "requests"

    async def play() -> None:
        async with BotPool(1, command=command(fake.recording, seen, file), cpu_limit=7) as pool:
            for _ in range(2):
                await pool.move(seen, "tilery@0.01s", "the secret name of a table")

    asyncio.run(play())
    text = file.read_text()
    assert "secret name" not in text
    assert "of the server" not in text
    requests = [json.loads(line) for line in text.splitlines()]
    seeds = {each["request"].pop("seed") for each in requests}
    assert len(seeds) == 2
    asked = {"position": seen.text, "seat": seen.seat, "bot": "tilery@10ms", "cpu": 7}
    assert [each["request"] for each in requests] == [{"id": 1, **asked}, {"id": 2, **asked}]
    assert seen.text != position.text
    assert "PATH" in requests[0]["environment"]


def test_only_a_seen_position_of_the_seat_to_move_is_accepted() -> None:
    position = new_game("schokoly")
    asked: list[tuple[object, type[Exception]]] = [
        (position, TypeError),
        (position.text, TypeError),
        (Seen(position.game, position.row, position.actor), Refused),  # not wiped at all
        (position.seen_by(1 - position.actor), NotYourTurn),
    ]

    async def play() -> None:
        async with BotPool(1, command=["/nowhere/to/be/found"]) as pool:
            for thing, error in asked:
                with pytest.raises(error):
                    await pool.move(thing, "greedy", "a")  # type: ignore[arg-type]
            with pytest.raises(Refused, match="programs"):
                await pool.move(SEEN, "cmd:true", "a")
            assert pool.requested == 0

    asyncio.run(play())


def test_the_stderr_of_a_worker_is_logged() -> None:
    lines: list[str] = []

    async def play() -> None:
        async with BotPool(1, command=command(fake.talking, SEEN), log=lines.append) as pool:
            assert await pool.move(SEEN, "greedy", "a") == MOVE

    asyncio.run(play())
    assert lines[0] == "Compiling \\x1b[31m ..."
    assert lines[1] == "y" * worker_process.MAX_STDERR_CHARACTERS
    assert lines[2:] == ["last words"]


def test_closing_ends_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "EXIT_TIMEOUT", 0.2)

    async def play() -> None:
        pool = BotPool(2, command=command(fake.stuck, SEEN))
        await pool.open()
        tasks = [asyncio.create_task(pool.move(SEEN, "greedy", key)) for key in "abc"]
        await until(lambda: pool.searching == 2)
        pids = pool.pids
        assert len(pids) == 2
        await pool.close()
        assert not any(map(is_running, pids))
        assert (pool.pids, pool.waiting, pool.running, pool.cancelled, pool.replaced) == ([], 0, 0, 3, 0)
        assert all(isinstance(end, Cancelled) for end in await asyncio.gather(*tasks, return_exceptions=True))
        with pytest.raises(BotFailed, match="not open"):
            await pool.move(SEEN, "greedy", "a")
        await pool.close()

    asyncio.run(play())


def test_closing_while_a_worker_is_being_started_leaves_nothing() -> None:
    async def play() -> None:
        pool = BotPool(1, command=command(fake.obedient, SEEN))
        await pool.open()
        task = asyncio.create_task(pool.move(SEEN, "greedy", "a"))
        await until(lambda: pool.running == 1)
        await pool.close()
        assert pool.pids == []
        with pytest.raises(Cancelled):
            await task

    asyncio.run(play())


def test_a_pool_needs_a_worker() -> None:
    with pytest.raises(Refused, match="at least 1"):
        BotPool(0)
