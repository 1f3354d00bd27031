"""Hints of the workers: what is asked, what is taken for an answer, and who goes first."""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.bots import fake
from tests.server.bots.table import beginning, command, seen_in
from tests.server.bots.test_pool import counted
from tilery.core.refusals import NotYourTurn
from tilery.core.streams import Stream
from tilery.engine.limits import Limit
from tilery.engine.report import method_for
from tilery.engine.search import think
from tilery.server.bots import BotFailed, BotPool, BotsBusy
from tilery.server.bots.child import LONGEST_LINE
from tilery.server.bots.hints import LINES, hint_of, is_hint

SEEN = seen_in(beginning())
MOVE = SEEN.moves()[0]


def found(name: str = "azul", variant: str = "2") -> dict[str, Any]:
    seen, limit = seen_in(beginning(name, variant)), Limit(nodes=300)
    method = method_for(seen, limit, None)
    return hint_of(seen, think(seen, limit, stream=Stream("hint"), method=method, lines=LINES), method)


@pytest.mark.parametrize(
    ("name", "variant"), [("azul", "2"), ("azul", "4,grey"), ("chocolatier", "3"), ("schokoly", "2")]
)
def test_what_the_engine_finds_is_a_hint(name: str, variant: str) -> None:
    hint = found(name, variant)
    assert is_hint(seen_in(beginning(name, variant)), json.loads(json.dumps(hint)))
    assert len(json.dumps(hint)) < LONGEST_LINE / 4
    assert not is_hint(
        seen_in(beginning("azul", "2").play(MOVE)), hint | {"lines": [{**hint["lines"][0], "move": MOVE}]}
    )


BROKEN: list[tuple[str, Any]] = [
    ("lines", []),
    ("lines", None),
    ("lines", "1B1"),
    ("lines", [{}]),
    ("lines", [None]),
    ("engine", None),
    ("depth", "9"),
    ("depth", True),
    ("nodes", 1.5),
    ("more", 1),
    ("secret", "x"),
]
BROKEN_LINES: list[tuple[str, Any]] = [
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
def test_what_is_no_hint_is_not_passed_on(name: str, value: Any) -> None:
    assert not is_hint(SEEN, found() | {name: value})


@pytest.mark.parametrize(("name", "value"), BROKEN_LINES)
def test_a_hint_with_a_line_that_is_none_is_not_passed_on(name: str, value: Any) -> None:
    hint = copy.deepcopy(found())
    hint["lines"][-1][name] = value
    assert not is_hint(SEEN, hint)


@pytest.mark.parametrize("hint", [None, [], "x", {}, 5])
def test_other_values_are_no_hints(hint: Any) -> None:
    assert not is_hint(SEEN, hint)
    assert not is_hint(SEEN, found() | {"lines": found()["lines"] * 6})


def test_a_worker_gives_hints_and_moves() -> None:
    async def ask() -> None:
        async with BotPool(1, command=command(fake.advising, SEEN)) as pool:
            hint = await pool.hint(SEEN, "a/hint")
            assert hint["lines"][0]["move"] == MOVE
            assert await pool.move(SEEN, "greedy", "a") == MOVE
            assert (pool.asked, pool.answered) == (2, 2)
            assert counted(pool)

    asyncio.run(ask())


@pytest.mark.parametrize("behaviour", [fake.obedient, fake.illegal, fake.faulty, fake.crashed, fake.garbage])
def test_a_worker_that_gives_no_hint_is_replaced_and_then_it_has_failed(behaviour: Any) -> None:
    async def ask() -> None:
        async with BotPool(1, command=command(behaviour, SEEN), log=lambda _: None) as pool:
            with pytest.raises(BotFailed, match="there was no hint"):
                await pool.hint(SEEN, "a/hint")
            assert (pool.failed, pool.replaced) == (1, 3)

    asyncio.run(ask())


def test_a_refusal_to_give_a_hint_is_told() -> None:
    async def ask() -> None:
        async with BotPool(1, command=command(fake.refusing, SEEN)) as pool:
            with pytest.raises(BotFailed, match="there is no such game"):
                await pool.hint(SEEN, "a/hint")

    asyncio.run(ask())


def test_a_worker_learns_what_the_seat_sees_and_no_more(tmp_path: Path) -> None:
    seen = seen_in(beginning("schokoly"))

    async def ask() -> None:
        async with BotPool(1, command=command(fake.telling, seen, tmp_path / "told"), log=lambda _: None) as pool:
            with pytest.raises(BotFailed):
                await pool.hint(seen, "a/hint")

    asyncio.run(ask())
    question = json.loads((tmp_path / "told").read_text().splitlines()[0])["question"]
    assert set(question) == {"id", "position", "seat", "hint", "seed", "cpu"}
    assert (question["position"], question["seat"]) == (seen.text, seen.seat)


def test_only_what_a_seat_sees_that_has_to_decide_may_be_asked() -> None:
    async def ask() -> None:
        pool = BotPool(1, command=command(fake.advising, SEEN))
        with pytest.raises(BotFailed, match="not open"):
            await pool.hint(SEEN, "a/hint")
        async with pool:
            whole = beginning("schokoly")
            with pytest.raises(TypeError):
                await pool.hint(whole, "a/hint")  # type: ignore[arg-type]
            with pytest.raises(NotYourTurn):
                await pool.hint(whole.seen_by(1), "a/hint")
            assert pool.asked == 0

    asyncio.run(ask())


def test_moves_go_before_hints() -> None:
    async def ask() -> None:
        order: list[str] = []

        async def wait(name: str, question: Any) -> None:
            await question
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


def test_too_many_questions_are_too_many_with_hints_too() -> None:
    async def ask() -> None:
        async with BotPool(1, command=command(fake.patient, SEEN), most_waiting=1) as pool:
            tasks = [asyncio.ensure_future(pool.hint(SEEN, key)) for key in "ab"]
            await asyncio.sleep(0)
            with pytest.raises(BotsBusy):
                await pool.hint(SEEN, "c")
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert counted(pool)

    asyncio.run(ask())


def test_real_workers_think_for_a_second_and_stop_when_nobody_wants_to_know() -> None:
    async def ask() -> None:
        async with BotPool(1) as pool:
            for name in ("azul", "schokoly"):
                seen = seen_in(beginning(name))
                hint = await pool.hint(seen, "a/hint")
                assert is_hint(seen, hint)
                assert hint["nodes"] > 100
            task = asyncio.ensure_future(pool.hint(SEEN, "a/hint"))
            while not pool.thinking:
                await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert await pool.move(SEEN, "greedy", "a") in SEEN.moves()
            assert (pool.replaced, pool.failed, pool.cancelled) == (0, 0, 1)

    asyncio.run(ask())


def test_a_worker_that_uses_up_the_cpu_time_says_so() -> None:
    async def ask() -> None:
        async with BotPool(1, cpu=0.1) as pool:
            with pytest.raises(BotFailed, match=r"more than 0.1 seconds"):
                await pool.hint(seen_in(beginning("schokoly")), "a/hint")
            assert pool.replaced == 0

    asyncio.run(ask())
