"""Weights found by playing: simultaneous perturbation (SPSA).

Every iteration nudges all weights at once, each by chance up or down, and lets the nudged set play the one nudged the
other way, on the same deals. Each weight then follows the winner a little. A weight is measured in its own
size, so that large and small ones learn alike. Everything is drawn from the seed and the iteration's number: a run that
is gone on with goes the way it would have gone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.core.text import listed
from tilery.core.writing import write_whole
from tilery.lab.folder import read_settings, refusals, whole_lines

Weights = Mapping[str, float]
# What the first set of weights takes from the second one in the games of an iteration: at most 1, and a half is even.
Match = Callable[[Weights, Weights, int], float]

TUNING, ITERATIONS, FOUND = "tune.json", "tune.jsonl", "weights.json"
# How nudges and steps shrink with the iterations, as Spall advises.
_NUDGE_FADES, _STEP_FADES, _SLOW_START = 0.101, 0.602, 0.1


@dataclass(frozen=True)
class Plan:
    """How weights are searched for."""

    iterations: int
    seed: str
    nudge: float = 0.2  # by what share of its size a weight is changed to and fro, at first
    step: float = 0.02  # how far the first iterations move it at most, as a share of its size

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise Refused(f"at least one iteration was expected, not {self.iterations}")
        for name, value in (("nudge", self.nudge), ("step", self.step)):
            if not 0 < value <= 1:
                raise Refused(f"the {name} is a share above 0, at most 1, not {value:g}")


@dataclass(frozen=True)
class Iteration:
    """One iteration: the share that the first set took, and the weights after it."""

    number: int
    score: float
    weights: dict[str, float]


def chosen_weights(known: Weights, names: Sequence[str] | None) -> dict[str, float]:
    """Those that are to be tuned; all unless told."""
    for name in names or ():
        if name not in known:
            raise Refused(f"there is no weight {name[:40]!a}: expected {listed(list(known))}")
    return {name: float(value) for name, value in known.items() if names is None or name in names}


def _sizes(start: Weights) -> dict[str, float]:
    """The size of a weight is its first value; one that is 0 has the size of the others on average."""
    sizes = [abs(value) for value in start.values() if value]
    usual = sum(sizes) / len(sizes) if sizes else 1.0
    return {name: abs(value) or usual for name, value in start.items()}


def iterate(start: Weights, match: Match, plan: Plan, done: Sequence[Iteration] = ()) -> Iterator[Iteration]:
    """Iteration by iteration, after those that are done."""
    sizes = _sizes(start)
    weights = dict(done[-1].weights if done else start)
    settle = _SLOW_START * plan.iterations + 1
    for number in range(len(done), plan.iterations):
        stream = Stream("tune", plan.seed, number)
        sign = {name: 1 - 2 * stream.child(name).below(2) for name in sorted(start)}
        nudge = plan.nudge / (number + 1) ** _NUDGE_FADES
        step = plan.step * (settle / (number + settle)) ** _STEP_FADES
        plus = {name: value + sign[name] * nudge * sizes[name] for name, value in weights.items()}
        minus = {name: value - sign[name] * nudge * sizes[name] for name, value in weights.items()}
        score = match(plus, minus, number)
        lead = 2 * score - 1  # from -1 to 1
        # The slope along the nudge is lead / (2 nudge); where nudges are small, the same lead means a steeper slope.
        gain = step * lead * plan.nudge / nudge
        weights = {name: value + gain * sign[name] * sizes[name] for name, value in weights.items()}
        yield Iteration(number, score, dict(weights))


def _read(path: Path) -> list[Iteration]:
    """What is done; a torn last line is cut off."""
    file = path / ITERATIONS
    if not file.is_file():
        return []
    done: list[Iteration] = []
    kept = 0
    for end, line in whole_lines(file.read_bytes(), file):
        try:
            one = Iteration(int(line["iteration"]), float(line["score"]), dict(line["weights"]))
        except (KeyError, TypeError, ValueError):
            raise Refused(f"{str(file)[:200]} is not what `tilery lab tune` writes") from None
        if one.number != len(done):
            raise Refused(f"{str(file)[:200]}: iteration {len(done)} was expected, found {one.number}")
        done.append(one)
        kept = end
    with file.open("r+b") as opened:
        opened.truncate(kept)
    return done


def run_tuning(
    start: Weights,
    match: Match,
    plan: Plan,
    path: Path,
    settings: Mapping[str, Any],
    tell: Callable[[Iteration], None] = lambda _: None,
) -> dict[str, float]:
    """Tune, keeping every iteration in a folder, or go on with what is kept there; gives the last weights."""
    wanted = {
        **settings,
        "iterations": plan.iterations,
        "seed": plan.seed,
        "nudge": plan.nudge,
        "step": plan.step,
        "start": dict(start),
    }
    with refusals(path):
        path.mkdir(parents=True, exist_ok=True)
        before = read_settings(path, TUNING)
        if before is None:
            write_whole(path / TUNING, json.dumps(wanted, indent=1) + "\n")
        else:
            for name, value in wanted.items():
                if before.get(name) != value:
                    raise Refused(
                        f"the run in {str(path)[:120]} was begun with {name} {str(before.get(name))[:60]}, "
                        f"not {str(value)[:60]}: name another folder, or the same settings"
                    )
        done = _read(path)
        with (path / ITERATIONS).open("ab") as file:
            for one in iterate(start, match, plan, done):
                line = {"iteration": one.number, "score": one.score, "weights": one.weights}
                file.write(json.dumps(line).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
                done.append(one)
                tell(one)
        found = done[-1].weights
        write_whole(path / FOUND, json.dumps(found, indent=1) + "\n")
    return found
