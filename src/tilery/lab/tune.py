"""Tuning weights by playing: simultaneous perturbation stochastic approximation (SPSA).

Every iteration changes all weights at once, each up or down at random, and plays the result against the opposite
change on the same deals. Then each weight moves a little in the winner's direction. Changes are relative to the size of
a weight, so that large and small weights adapt equally fast. All randomness comes from the seed and the number of the
iteration: a resumed run has the same result as an uninterrupted one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilery.core.atomic_write import write_atomically
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.core.text import listed
from tilery.lab.run_folder import complete_lines, read_settings, refuse_os_errors

Weights = Mapping[str, float]
# Plays the games of an iteration (by its number) and returns the share of the first set of weights, 0 to 1.
Match = Callable[[Weights, Weights, int], float]

SETTINGS_FILE, ITERATIONS_FILE, WEIGHTS_FILE = "tune.json", "tune.jsonl", "weights.json"
# How nudges and steps shrink with the iterations (the exponents gamma and alpha, and the stability constant), as
# recommended by Spall.
_NUDGE_DECAY, _STEP_DECAY, _STABILITY = 0.101, 0.602, 0.1


@dataclass(frozen=True)
class Plan:
    """The parameters of SPSA."""

    iterations: int
    seed: str
    nudge: float = 0.2  # the first change of a weight, as a share of its size
    step: float = 0.02  # how far the first iterations move a weight at most, as a share of its size

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise Refused(f"at least one iteration was expected, not {self.iterations}")
        for name, value in (("nudge", self.nudge), ("step", self.step)):
            if not 0 < value <= 1:
                raise Refused(f"the {name} must be above 0 and at most 1, not {value:g}")


@dataclass(frozen=True)
class Iteration:
    """One iteration: the score of the first set, and the weights afterwards."""

    number: int
    score: float
    weights: dict[str, float]


def select_weights(known: Weights, names: Sequence[str] | None) -> dict[str, float]:
    """The weights with these names; all weights if `names` is None."""
    for name in names or ():
        if name not in known:
            raise Refused(f"there is no weight {name[:40]!a}: expected {listed(list(known))}")
    return {name: float(value) for name, value in known.items() if names is None or name in names}


def _sizes(start: Weights) -> dict[str, float]:
    """The size of each weight: its absolute initial value; for 0 the mean size of the others."""
    sizes = [abs(value) for value in start.values() if value]
    mean = sum(sizes) / len(sizes) if sizes else 1.0
    return {name: abs(value) or mean for name, value in start.items()}


def iterate(start: Weights, match: Match, plan: Plan, done: Sequence[Iteration] = ()) -> Iterator[Iteration]:
    """Yield the iterations that follow those in `done`."""
    sizes = _sizes(start)
    weights = dict(done[-1].weights if done else start)
    stability = _STABILITY * plan.iterations + 1
    for number in range(len(done), plan.iterations):
        stream = Stream("tune", plan.seed, number)
        sign = {name: 1 - 2 * stream.child(name).below(2) for name in sorted(start)}
        nudge = plan.nudge / (number + 1) ** _NUDGE_DECAY
        step = plan.step * (stability / (number + stability)) ** _STEP_DECAY
        plus = {name: value + sign[name] * nudge * sizes[name] for name, value in weights.items()}
        minus = {name: value - sign[name] * nudge * sizes[name] for name, value in weights.items()}
        score = match(plus, minus, number)
        lead = 2 * score - 1  # from -1 to 1
        # The slope along the nudge is lead / (2 nudge): the smaller the nudge, the steeper the slope for the same lead.
        gain = step * lead * plan.nudge / nudge
        weights = {name: value + gain * sign[name] * sizes[name] for name, value in weights.items()}
        yield Iteration(number, score, dict(weights))


def _read(path: Path) -> list[Iteration]:
    """Read the finished iterations; cut off an incomplete last line."""
    file = path / ITERATIONS_FILE
    if not file.is_file():
        return []
    done: list[Iteration] = []
    end_of_done = 0
    for end, line in complete_lines(file.read_bytes(), file):
        try:
            one = Iteration(int(line["iteration"]), float(line["score"]), dict(line["weights"]))
        except (KeyError, TypeError, ValueError):
            raise Refused(f"{str(file)[:200]} is not a file of `tilery lab tune`") from None
        if one.number != len(done):
            raise Refused(f"{str(file)[:200]}: expected iteration {len(done)}, found {one.number}")
        done.append(one)
        end_of_done = end
    with file.open("r+b") as opened:
        opened.truncate(end_of_done)
    return done


def run_tuning(
    start: Weights,
    match: Match,
    plan: Plan,
    path: Path,
    settings: Mapping[str, Any],
    progress: Callable[[Iteration], None] = lambda _: None,
) -> dict[str, float]:
    """Tune weights, or resume the run in the folder; every iteration is stored there. Returns the last weights."""
    wanted = {
        **settings,
        "iterations": plan.iterations,
        "seed": plan.seed,
        "nudge": plan.nudge,
        "step": plan.step,
        "start": dict(start),
    }
    with refuse_os_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        before = read_settings(path, SETTINGS_FILE)
        if before is None:
            write_atomically(path / SETTINGS_FILE, json.dumps(wanted, indent=1) + "\n")
        else:
            for name, value in wanted.items():
                if before.get(name) != value:
                    raise Refused(
                        f"the run in {str(path)[:120]} was started with {name} {str(before.get(name))[:60]}, "
                        f"not {str(value)[:60]}: use the same settings, or name another folder"
                    )
        done = _read(path)
        with (path / ITERATIONS_FILE).open("ab") as file:
            for one in iterate(start, match, plan, done):
                line = {"iteration": one.number, "score": one.score, "weights": one.weights}
                file.write(json.dumps(line).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
                done.append(one)
                progress(one)
        final = done[-1].weights
        write_atomically(path / WEIGHTS_FILE, json.dumps(final, indent=1) + "\n")
    return final
