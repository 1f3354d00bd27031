"""Run the simulation by hand.

python -m tests.server.simulation             the number of runs to find each planted bug, as a table
python -m tests.server.simulation 17          the trace of the run of seed 17
python -m tests.server.simulation 0 5000      the runs of many seeds, and their speed
"""

from __future__ import annotations

import sys
import time

from tests.server.simulation.planted import MAX_SEEDS
from tests.server.simulation.planted_bugs import PLANTED
from tests.server.simulation.planted_outage_bugs import PLANTED_OUTAGE_BUGS
from tests.server.simulation.world import Broken, World


def show_planted() -> None:
    print("| planted bug | seeds needed | broken invariant |\n| --- | ---: | --- |")
    for planted in PLANTED + PLANTED_OUTAGE_BUGS:
        number, shown = planted.seeds_needed() or (f"not in {MAX_SEEDS}", "")
        print(f"| {planted.name} | {number} | {shown.partition(': ')[2][:100]} |", flush=True)


def show_run(seed: int) -> None:
    world = World(seed, traces=True)
    try:
        world.run()
    except Broken as broken:
        print(broken)
    for line in world.trace or ():
        print(line)


def show_many(first: int, last: int) -> None:
    began, broken = time.process_time(), 0
    for seed in range(first, last):
        try:
            World(seed).run()
        except Broken as problem:
            broken += 1
            print(str(problem)[:300], flush=True)
    took = time.process_time() - began
    print(f"{last - first} seeds, {broken} broken, {took:.1f} s of CPU time, {(last - first) / took:.0f} a second")


def main(arguments: list[int]) -> None:
    if not arguments:
        show_planted()
    elif len(arguments) == 1:
        show_run(arguments[0])
    else:
        show_many(*arguments[:2])


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]])
