"""Hints of the workers: the requests, the check of the replies, and priorities."""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.notation import texts
from tests.server.bots import fake
from tests.server.bots.bot_helpers import command, new_game, seen_in
from tests.server.bots.test_pool import counted
from tilery.core.refusals import NotYourTurn
from tilery.core.streams import Stream
from tilery.engine.limits import Limit
from tilery.engine.report import method_for
from tilery.engine.search import think
from tilery.server.bots import BotFailed, BotPool, BotsBusy
from tilery.server.bots.hints import MAX_VARIATIONS, hint_of, is_hint
from tilery.server.bots.worker_process import MAX_REPLY_BYTES

SEEN = seen_in(new_game())
MOVE = texts(SEEN)[0]


def found(name: str = "azul", variant: str = "2") -> dict[str, Any]:
    seen, limit = seen_in(new_game(name, variant)), Limit(nodes=300)
    method = method_for(seen, limit, None)
    return hint_of(seen, think(seen, limit, stream=Stream("hint"), method=method, variations=MAX_VARIATIONS), method)


@pytest.mark.parametrize(
    ("name", "variant"), [("azul", "2"), ("azul", "4,grey"), ("chocolatier", "3"), ("schokoly", "2")]
)
def test_the_result_of_the_engine_is_a_valid_hint(name: str, variant: str) -> None:
    hint = found(name, variant)
    assert is_hint(seen_in(new_game(name, variant)), json.loads(json.dumps(hint)))
    assert len(json.dumps(hint)) < MAX_REPLY_BYTES / 4
    assert not is_hint(
        seen_in(new_game("azul", "2").play(MOVE)), hint | {"variations": [{**hint["variations"][0], "move": MOVE}]}
    )


BROKEN: list[tuple[str, Any]] = [
    ("variations", []),
    ("variations", None),
    ("variations", "1B1"),
    ("variations", [{}]),
    ("variations", [None]),
    ("engine", None),
    ("depth", "9"),
    ("depth", True),
    ("nodes", 1.5),
    ("more", 1),
    ("secret", "x"),
]
BROKEN_VARIATIONS: list[tuple[str, Any]] = [
    ("move", "nonsense"),
    ("move", 7),
    ("win", "1"),
    ("win", None),
    ("moves", []),
    ("moves", [1]),
    ("moves", ["1B1"] * 13),
    ("solved", 1),
    ("more", 1),
]


@pytest.mark.parametrize(("name", "value"), BROKEN)
def test_an_invalid_hint_is_rejected(name: str, value: Any) -> None:
    assert not is_hint(SEEN, found() | {name: value})


@pytest.mark.parametrize(("name", "value"), BROKEN_VARIATIONS)
def test_a_hint_with_an_invalid_variation_is_rejected(name: str, value: Any) -> None:
    hint = copy.deepcopy(found())
    hint["variations"][-1][name] = value
    assert not is_hint(SEEN, hint)


@pytest.mark.parametrize("hint", [None, [], "x", {}, 5])
def test_other_values_are_not_hints(hint: Any) -> None:
    assert not is_hint(SEEN, hint)
    assert not is_hint(SEEN, found() | {"variations": found()["variations"] * 6})


def test_a_worker_gives_hints_and_moves() -> None:
    async def ask() -> None:
        async with BotPool(1, command=command(fake.advising, SEEN)) as pool:
            hint = await pool.hint(SEEN, "a/hint")
            assert hint["variations"][0]["moves"][0] == MOVE
            assert await pool.move(SEEN, "greedy", "a") == MOVE
            assert (pool.requested, pool.completed) == (2, 2)
            assert counted(pool)

    asyncio.run(ask())


@pytest.mark.parametrize("behaviour", [fake.obedient, fake.illegal, fake.failing, fake.crashed, fake.garbage])
def test_workers_that_give_no_hint_are_replaced_until_the_request_fails(behaviour: Any) -> None:
    async def ask() -> None:
        async with BotPool(1, command=command(behaviour, SEEN), log=lambda _: None) as pool:
            with pytest.raises(BotFailed, match="there was no hint"):
                await pool.hint(SEEN, "a/hint")
            assert (pool.failed, pool.replaced) == (1, 3)

    asyncio.run(ask())


def test_the_refusal_of_a_hint_is_reported() -> None:
    async def ask() -> None:
        async with BotPool(1, command=command(fake.refusing, SEEN)) as pool:
            with pytest.raises(BotFailed, match="there is no such game"):
                await pool.hint(SEEN, "a/hint")

    asyncio.run(ask())


def test_a_worker_learns_what_the_seat_sees_and_no_more(tmp_path: Path) -> None:
    seen = seen_in(new_game("schokoly"))

    async def ask() -> None:
        async with BotPool(1, command=command(fake.recording, seen, tmp_path / "requests"), log=lambda _: None) as pool:
            with pytest.raises(BotFailed):
                await pool.hint(seen, "a/hint")

    asyncio.run(ask())
    request = json.loads((tmp_path / "requests").read_text().splitlines()[0])["request"]
    assert set(request) == {"id", "position", "seat", "hint", "seed", "cpu"}
    assert (request["position"], request["seat"]) == (seen.text, seen.seat)


def test_only_a_seen_position_of_the_seat_to_move_is_accepted_for_hints() -> None:
    async def ask() -> None:
        pool = BotPool(1, command=command(fake.advising, SEEN))
        with pytest.raises(BotFailed, match="not open"):
            await pool.hint(SEEN, "a/hint")
        async with pool:
            whole = new_game("schokoly")
            with pytest.raises(TypeError):
                await pool.hint(whole, "a/hint")  # type: ignore[arg-type]
            with pytest.raises(NotYourTurn):
                await pool.hint(whole.seen_by(1), "a/hint")
            assert pool.requested == 0

    asyncio.run(ask())


def test_moves_have_priority_over_hints() -> None:
    async def ask() -> None:
        order: list[str] = []

        async def wait(name: str, request: Any) -> None:
            await request
            order.append(name)

        async with BotPool(1, command=command(fake.advising, SEEN)) as pool:
            await asyncio.gather(
                wait("running", pool.move(SEEN, "greedy", "a")),
                wait("hint 1", pool.hint(SEEN, "a/hint")),
                wait("hint 2", pool.hint(SEEN, "b/hint")),
                wait("move 1", pool.move(SEEN, "greedy", "b")),
                wait("move 2", pool.move(SEEN, "greedy", "c")),
            )
        assert order == ["running", "move 1", "move 2", "hint 1", "hint 2"]

    asyncio.run(ask())


def test_the_queue_limit_holds_for_hints_too() -> None:
    async def ask() -> None:
        async with BotPool(1, command=command(fake.patient, SEEN), max_waiting=1) as pool:
            tasks = [asyncio.ensure_future(pool.hint(SEEN, key)) for key in "ab"]
            await asyncio.sleep(0)
            with pytest.raises(BotsBusy):
                await pool.hint(SEEN, "c")
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert counted(pool)

    asyncio.run(ask())


def test_real_workers_search_for_a_second_and_can_be_cancelled() -> None:
    async def ask() -> None:
        async with BotPool(1) as pool:
            for name in ("azul", "schokoly"):
                seen = seen_in(new_game(name))
                hint = await pool.hint(seen, "a/hint")
                assert is_hint(seen, hint)
                assert hint["nodes"] > 100
            task = asyncio.ensure_future(pool.hint(SEEN, "a/hint"))
            while not pool.searching:
                await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert await pool.move(SEEN, "greedy", "a") in texts(SEEN)
            assert (pool.replaced, pool.failed, pool.cancelled) == (0, 0, 1)

    asyncio.run(ask())


def test_a_hint_that_uses_up_the_cpu_time_fails() -> None:
    async def ask() -> None:
        async with BotPool(1, cpu_limit=0.1) as pool:
            with pytest.raises(BotFailed, match=r"more than 0.1 seconds"):
                await pool.hint(seen_in(new_game("schokoly")), "a/hint")
            assert pool.replaced == 0

    asyncio.run(ask())
