"""A table with thousands of events, made by taking moves back again and again, does not hold up the others."""

from __future__ import annotations

import asyncio
import gc
import time
from pathlib import Path

import pytest

from tests.server.attacks.long_tables import TOKEN, long_table, write_store
from tests.server.http_and_websocket.in_process import World
from tests.server.http_and_websocket.in_process import run as run_in_process
from tilery.games import game
from tilery.server.store.interface import NewTableRow
from tilery.table.handler import MAX_EVENTS
from tilery.table.state import fold

NAME = "longtable234"
EVENTS = 20_000
CPU = 0.3  # seconds to open it
SLICE = 0.020  # seconds for which it may hold up the event loop


@pytest.fixture(scope="module")
def row() -> NewTableRow:
    return long_table(NAME, EVENTS)


def test_the_number_of_events_is_bounded_but_not_for_people_who_play() -> None:
    assert MAX_EVENTS == EVENTS  # a game has a few hundred, and 1,000 chat messages


def test_reading_it_takes_time_in_proportion_to_its_length(row: NewTableRow) -> None:
    long, short = (min(cost_of(row, events) for _ in range(3)) for events in (EVENTS, EVENTS // 4))
    assert long < 6 * short + 0.05


def cost_of(row: NewTableRow, events: int) -> float:
    """The CPU seconds to fold the first events."""
    began = time.process_time()
    fold(NAME, row.events[:events], game)
    return time.process_time() - began


async def read_while_another_task_waits(world: World) -> list[float]:
    """Open the table; returns the CPU seconds for which another task had to wait, each time."""
    waits: list[float] = []

    async def wait() -> None:
        while True:
            began = time.thread_time()
            await asyncio.sleep(0)
            waits.append(time.thread_time() - began)

    waiting = asyncio.ensure_future(wait())
    await asyncio.sleep(0.1)
    waits.clear()
    socket = await world.open_socket(NAME, TOKEN)
    waiting.cancel()
    assert socket.state["seq"] >= EVENTS
    assert (await socket.ask("resign", id="r", step=0))["ok"]
    return waits


@pytest.mark.parametrize("margin", [5, pytest.param(1, marks=pytest.mark.long)])
def test_it_is_read_in_slices(tmp_path: Path, row: NewTableRow, margin: int) -> None:
    waits: list[float] = []

    async def story(world: World) -> None:
        waits.extend(await read_while_another_task_waits(world))

    write_store(tmp_path / "t.db", row)
    gc.disable()  # as the server does
    try:
        run_in_process(tmp_path, story)
    finally:
        gc.enable()
    print(f"{len(row.events)} events: another task waited {1000 * max(waits):.1f} ms at most")
    assert max(waits) < margin * SLICE


@pytest.mark.parametrize("margin", [5, pytest.param(1, marks=pytest.mark.long)])
def test_it_is_read_within_its_budget(row: NewTableRow, margin: int) -> None:
    spent = min(cost_of(row, EVENTS) for _ in range(3))
    print(f"{len(row.events)} events: {spent:.3f} s of CPU")
    assert spent < margin * CPU
