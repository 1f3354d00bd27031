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


@pytest.mark.parametrize("seed", range(12))
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


KINDS = (
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
)
ENDS = {("azul", "time"), ("azul", "resigned"), ("azul", "draw"), ("schokoly", "resigned"), ("", "rematch")}


def test_the_trouble_that_the_other_tests_rely_on_really_happens() -> None:
    notes: list[str] = []
    ends = set()
    for seed in range(150):
        world = World(seed, traces=True)
        world.run()
        notes += world.trace or ()
        tables = [truth.table for truth in world.watch.truths.values()]
        ends |= {(table.game.name, table.result.ended_by if table.result else table.status) for table in tables}
        ends |= {("", "rematch") for table in tables if table.rematch}
    assert ends >= ENDS
    assert [kind for kind in KINDS if not any(kind in note for note in notes)] == []
