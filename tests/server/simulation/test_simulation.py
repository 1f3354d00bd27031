"""Thousands of runs in which everything goes wrong that can, and no promise is broken."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.server.simulation.world import World

SEEDS, CHUNKS = 5_000, 20


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_promise_is_broken_whatever_goes_wrong(chunk: int) -> None:
    for seed in range(chunk, SEEDS, CHUNKS):
        World(seed).run()


def traced(seed: int) -> list[str]:
    world = World(seed, traces=True)
    world.run()
    assert world.trace
    return [*world.trace, f"{world.random.random()} {world.loop.deeds}"]


@pytest.mark.parametrize("seed", range(20))
def test_the_same_seed_gives_the_same_run(seed: int) -> None:
    assert traced(seed) == traced(seed)


def test_other_processes_run_the_same_seeds_alike() -> None:
    def run(order: str) -> bytes:
        command = [sys.executable, "-m", "tests.server.simulation", "7"]
        env = {**os.environ, "PYTHONHASHSEED": order}
        return subprocess.run(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout

    first = run("1")
    assert b"the weather is fair" in first
    assert run("2") == first


def test_the_runs_are_of_many_kinds() -> None:
    """What the other tests rely on: that the trouble they speak of really happens."""
    notes = [line.split("  ", 1)[1] for seed in range(150) for line in traced(seed)[:-1]]
    for words in (
        "crash strikes",
        "pause strikes",
        "outage strikes",
        "stop strikes",
        "is cut",
        ": lost",
        ": late",
        ": full",
        "but the newest is",
        "the writer knows",
        "bot failed",
        "'trouble': 'Unavailable'",
        "'trouble': 'Overloaded'",
        "'refused': 'stale'",
    ):
        assert any(words in note for note in notes), words


def test_games_come_to_every_kind_of_end() -> None:
    ends = set()
    for seed in range(150):
        world = World(seed)
        world.run()
        tables = [truth.table for truth in world.watch.truths.values()]
        ends |= {(table.game.name, table.result.ended_by if table.result else table.status) for table in tables}
        ends |= {("", "rematch") for table in tables if table.rematch}
    wanted = {("azul", "time"), ("azul", "resigned"), ("azul", "draw"), ("schokoly", "resigned"), ("", "rematch")}
    assert wanted <= ends
