"""Time for tables: nobody loses it while the server or its store is away, and a pause is noticed before a clock is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.http_and_websocket.in_process import Socket, World, create_table, run
from tilery.server.hosting.clocks import BEAT_INTERVAL, MIN_PAUSE, Pauses, SteadyClock
from tilery.server.store.interface import Batch, StoreDown

BASE = 60


def test_a_clock_that_is_set_changes_no_time() -> None:
    wall, elapsed = 1_000_000.0, 5.0
    clock = SteadyClock(lambda: wall, lambda: elapsed)
    assert clock() == 1_000_000.0
    wall += 3600
    assert clock() == 1_000_000.0
    elapsed += 2.5
    wall -= 7200
    assert clock() == 1_000_002.5


def test_the_server_uses_such_a_clock(tmp_path: Path) -> None:
    from tilery.server.bots import BotPool
    from tilery.server.logs import Log
    from tilery.server.run import build_context
    from tilery.server.settings import Settings
    from tilery.server.store.sqlite import SqliteStore

    pool = BotPool(1, log=lambda _: None)
    context = build_context(SqliteStore(tmp_path / "t.db"), Settings(), Log("error"), pool)
    assert isinstance(context.table_host.now, SteadyClock)


def test_pauses_are_counted_once() -> None:
    pauses = Pauses()
    assert pauses.count_at(1000.0) == 0  # nobody has begun to beat
    assert not pauses.beat(1000.0)
    assert not pauses.beat(1000.0 + BEAT_INTERVAL)
    assert pauses.count_at(1000.0 + BEAT_INTERVAL + MIN_PAUSE) == 0
    assert pauses.count_at(1014.0) == 1
    assert pauses.count_at(1014.1) == 1
    assert not pauses.beat(1014.1)  # somebody has noticed it before the beat
    assert pauses.beat(1020.0)
    assert pauses.count_at(1020.0) == 2


def at_a_table(story: Callable[[World, str, Socket, Socket], Any]) -> Callable[[World], Any]:
    """Run a story at a table where two people play with a clock; it is the first one's turn."""

    async def whole(world: World) -> None:
        async with world.client() as ann, world.client() as bob:
            seated = await create_table(ann, clock={"base": BASE})
            name, token = seated["table"], seated["token"]
            other = (await bob.post(f"/api/tables/{name}/seat", json={"name": "Bob"})).json()["token"]
            first = await world.open_socket(name, token)
            second = await world.open_socket(name, other)
            world.table_host.beat()
            assert (await first.ask("start", id="s", step=1))["ok"]
            await first.until_step(3)
            if not first.state.get("moves"):
                first, second = second, first
                await first.until_step(3)
            await story(world, name, first, second)

    return whole


def left(socket: Socket) -> float:
    """The time that the seat to move has left."""
    return float(socket.state["clock"]["left"][socket.state["actor"]])


async def play(socket: Socket, number: str) -> dict[str, Any]:
    state = socket.state
    return await socket.ask("play", id=number, step=state["step"], move=state["moves"][0][1])


def keep_beating(world: World, seconds: float) -> None:
    """Let time pass while the process is alive."""
    for _ in range(int(seconds / BEAT_INTERVAL)):
        world.time += BEAT_INTERVAL
        world.table_host.beat()


@pytest.mark.parametrize("missing", [14.0, 3600.0])
def test_a_frozen_process_costs_nobody_time(tmp_path: Path, missing: float) -> None:
    async def story(world: World, _: str, first: Socket, second: Socket) -> None:
        world.time += missing
        reply = await play(first, "m1")
        assert reply["ok"], reply
        await second.until_step(reply["seq"])
        assert second.state["clock"]["left"][first.state["you"][0]] == BASE

    run(tmp_path, at_a_table(story))


def test_a_frozen_process_resumes_its_clocks_by_itself(tmp_path: Path) -> None:
    async def story(world: World, _: str, first: Socket, second: Socket) -> None:
        world.time += BASE + 1
        world.table_host.beat()
        await second.receive("update")
        assert second.state["status"] == "playing"
        assert left(second) == BASE
        keep_beating(world, BASE - 1)
        assert (await play(first, "m1"))["ok"]

    run(tmp_path, at_a_table(story))


def test_without_a_pause_the_time_runs_out(tmp_path: Path) -> None:
    async def story(world: World, _: str, first: Socket, second: Socket) -> None:
        keep_beating(world, BASE + 1)
        assert (await play(first, "m1"))["error"]["code"] == "game-over"
        while second.state["status"] != "over":
            await second.receive("update")
        assert second.state["result"]["ended_by"] == "time"

    run(tmp_path, at_a_table(story))


@pytest.mark.parametrize("caller", ["append", "claim"])
def test_a_store_that_is_away_costs_nobody_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caller: str) -> None:
    async def story(world: World, _: str, first: Socket, second: Socket) -> None:
        store = world.table_host.store
        real = getattr(store, caller)

        async def fail(*_: object) -> None:
            raise StoreDown

        monkeypatch.setattr(store, caller, fail)
        if caller == "claim":  # a refusal asks the store
            assert (await second.ask("play", id="x", step=3, move="1R1"))["error"]["kind"] == "unavailable"
        else:
            assert (await play(first, "m1"))["error"]["kind"] == "unavailable"
        keep_beating(world, BASE + 5)
        monkeypatch.setattr(store, caller, real)
        reply = await play(first, "m1")
        assert reply["ok"], reply

    run(tmp_path, at_a_table(story))


def test_what_is_stored_after_a_pause_is_stored_once(tmp_path: Path) -> None:
    written: list[Batch] = []

    async def story(world: World, _: str, first: Socket, second: Socket) -> None:
        store = world.table_host.store
        append = store.append

        async def note(batch: Batch) -> None:
            written.append(batch)
            await append(batch)

        store.append = note  # type: ignore[method-assign]
        world.time += 5
        world.table_host.beat()
        world.table_host.beat()
        await second.receive("update")
        assert (await play(first, "m1"))["ok"]

    run(tmp_path, at_a_table(story))
    assert sum('"resumed"' in text for batch in written for text in batch.events) == 1


def test_a_pause_while_the_clock_is_being_resumed_costs_nobody_time(tmp_path: Path) -> None:
    async def story(world: World, _: str, first: Socket, second: Socket) -> None:
        store = world.table_host.store
        append, frozen = store.append, [7.0]

        async def freeze_after(batch: Batch) -> None:
            await append(batch)
            if frozen:
                world.time += frozen.pop()

        store.append = freeze_after  # type: ignore[method-assign]
        world.time += 5
        reply = await play(first, "m1")
        assert reply["ok"], reply
        await second.until_step(reply["seq"])
        assert not frozen
        assert second.state["clock"]["left"][first.state["you"][0]] == BASE

    run(tmp_path, at_a_table(story))
