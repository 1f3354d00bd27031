"""Thousands of runs with failures of every kind, and no broken invariant."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.server.simulation.world import World

SEEDS, CHUNKS = 4_000, 20
MORE_SEEDS = 20_000


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_invariant_is_broken_whatever_fails(chunk: int) -> None:
    for seed in range(chunk, SEEDS, CHUNKS):
        World(seed).run()


@pytest.mark.long
def test_no_invariant_is_broken_in_many_more_runs() -> None:
    for seed in range(SEEDS, MORE_SEEDS):
        World(seed).run()


def traced(seed: int) -> list[str]:
    world = World(seed, traces=True)
    world.run()
    assert world.trace
    return [*world.trace, f"{world.random.random()} {world.loop.callbacks}"]


@pytest.mark.parametrize("seed", range(12))
def test_the_same_seed_gives_the_same_run(seed: int) -> None:
    assert traced(seed) == traced(seed)


def test_runs_do_not_depend_on_the_hash_seed() -> None:
    def run(order: str) -> bytes:
        command = [sys.executable, "-m", "tests.server.simulation", "7"]
        env = {**os.environ, "PYTHONHASHSEED": order}
        return subprocess.run(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout

    first = run("1")
    assert b"failures have ended" in first
    assert run("2") == first


KINDS = (
    "crash hits",
    "pause hits",
    "outage hits",
    "stop hits",
    "is cut",
    ": lost",
    ": late",
    ": full",
    "freeze hits",
    "set clock hits",
    "there is no room on the disk",
    "logs: table damaged",
    "is repaired",
    "but the newest is",
    "the writer knows",
    "bot failed",
    "'error': 'Unavailable'",
    "'error': 'Busy'",
    "'refused': 'stale'",
)
ENDS = {("azul", "time"), ("azul", "resigned"), ("azul", "draw"), ("schokoly", "resigned"), ("", "rematch")}


def test_every_kind_of_failure_happens() -> None:
    notes: list[str] = []
    ends = set()
    for seed in range(150):
        world = World(seed, traces=True)
        world.run()
        notes += world.trace or ()
        tables = [actual.table for actual in world.invariants.tables.values()]
        ends |= {(table.game.name, table.result.ended_by if table.result else table.status) for table in tables}
        ends |= {("", "rematch") for table in tables if table.rematch}
    assert ends >= ENDS
    assert [kind for kind in KINDS if not any(kind in note for note in notes)] == []
