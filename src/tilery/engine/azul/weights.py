"""The evaluation of Azul: named weights, fitted to games that the engine played against itself.

For each number of seats and each side of the wall there are ten blocks (see `kernel/model.py`), each with the same
parts. `WEIGHTS` scales whole parts up and down; this is what `tilery lab tune` changes. Its results are in
`fitted.json` under "tuned", the records of its runs in `docs/tuning/`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from tilery.core.game import Floats, Rules
from tilery.engine.azul.kernel import model
from tilery.engine.azul.kernel.evaluation import evaluate
from tilery.engine.evaluator import Evaluator
from tilery.games.azul.kernel.boards import RUN

NAME = "azul-knowledge 1"

# The parts of a block and how many numbers each has.
PARTS = {
    "rows": 25,  # [line, tiles in the row]: progress towards a complete row
    "across": 5,  # [line]: for each point that the empty cells of the row would score across
    "columns": 6,  # [tiles in the column]
    "columns_missing": 2,  # columns that lack two tiles or one: for each space of the missing pattern lines
    "down": 1,  # for each point that the empty cells of a column would score down
    "colours": 6,  # [tiles of the colour on the wall]
    "colours_missing": 2,
    "begun": 10,  # pattern lines begun: 2 with 1, 3 with 1 and 2, 4 with 1 to 3, 5 with 1 to 4
    "worth": 4,  # [line 2 to 5]: for each point that the cell scores, times the filled share of the line
    "share": 4,  # [missing tiles]: for the colour's share of the bag above a fifth, in fifths
    "marker": 1,  # for the seat that starts the next round
}
WIDTH = sum(PARTS.values())

# The factor of each part, on top of the tuned one. A `spread` above 1 makes win probabilities less extreme.
WEIGHTS: dict[str, float] = {
    "rows": 1.0,
    "across": 1.0,
    "columns": 1.0,
    "down": 1.0,
    "colours": 1.0,
    "begun": 1.0,
    "worth": 1.0,
    "share": 1.0,
    "marker": 1.0,
    "spread": 1.0,
}

_BEGUN = [(line, number) for line in range(1, 5) for number in range(1, line + 1)]


def _run_points(mask: int, at: int) -> int:
    """AZ-21 in one direction: the points of a tile placed in an empty cell."""
    run = int(RUN[mask | 1 << at, at])
    return run if run > 1 else 0


# For each mask of five cells: its tiles, the points of its empty cells, the spaces of the missing pattern lines.
COUNT = np.array([mask.bit_count() for mask in range(32)])
AROUND = np.array([sum(_run_points(mask, at) for at in range(5) if not mask >> at & 1) for mask in range(32)])
MISSING = np.array([sum(at + 1 for at in range(5) if not mask >> at & 1) for mask in range(32)])


def split(vector: Floats) -> dict[str, Floats]:
    """The numbers of a block by part."""
    parts, at = {}, 0
    for name, size in PARTS.items():
        parts[name] = vector[at : at + size]
        at += size
    return parts


def block_of(vector: Floats, spread: float, weights: Mapping[str, float]) -> Floats:
    """A block of a model: the numbers of a vector, expanded into tables."""
    part = split(vector)
    scale = {**WEIGHTS, **weights}
    block = np.zeros(model.BLOCK)
    for line in range(5):
        at = model.ROWS + 32 * line
        counted = part["rows"][5 * line + np.minimum(COUNT, 4)]
        block[at : at + 32] = scale["rows"] * counted + scale["across"] * part["across"][line] * AROUND
    missing = np.zeros((2, 32))
    for k, lack in enumerate((2, 1)):
        missing[k] = np.where(5 - lack == COUNT, MISSING, 0)
    columns = part["columns"][COUNT] + part["columns_missing"] @ missing
    block[model.COLUMNS : model.COLUMNS + 32] = scale["columns"] * columns + scale["down"] * part["down"][0] * AROUND
    colours = part["colours"][COUNT] + part["colours_missing"] @ missing
    block[model.COLOURS : model.COLOURS + 32] = scale["colours"] * colours
    for k, (line, number) in enumerate(_BEGUN):
        block[model.BEGUN + 5 * line + number] = scale["begun"] * part["begun"][k]
        block[model.WORTH + 5 * line + number] = scale["worth"] * part["worth"][line - 1] * number / (line + 1)
    block[model.SHARE + 1 : model.SHARE + 5] = scale["share"] * part["share"]
    block[model.MARKER] = scale["marker"] * part["marker"][0]
    block[model.SPREAD] = scale["spread"] * spread
    return block


def model_of_blocks(vectors: Floats, spreads: Floats, weights: Mapping[str, float]) -> Floats:
    """A model: `vectors: float64[10, WIDTH]`, `spreads: float64[10]`."""
    array = np.zeros(model.SIZE)
    array[model.KIND] = model.WEIGHTED
    for k in range(model.BLOCKS):
        at = model.FIRST_BLOCK + k * model.BLOCK
        array[at : at + model.BLOCK] = block_of(vectors[k], float(spreads[k]), weights)
    return array


@cache
def _fitted() -> dict[str, Any]:
    text = files("tilery.engine.azul").joinpath("fitted.json").read_text(encoding="utf-8")
    fitted: dict[str, Any] = json.loads(text)
    return fitted


def mean_vector(variant: str) -> Floats:
    """The mean of the ten vectors of a variant such as `3,grey`."""
    mean: Floats = np.array(_fitted()["models"][variant]["vectors"]).mean(axis=0)
    return mean


def _model(seats: int, grey: int, weights: Mapping[str, float]) -> Floats:
    fitted = _fitted()["models"][f"{seats}{',grey' if grey else ''}"]
    tuned = {name: factor * weights.get(name, 1.0) for name, factor in fitted.get("tuned", WEIGHTS).items()}
    return model_of_blocks(np.array(fitted["vectors"]), np.array(fitted["spreads"]), tuned)


def weights_of(_: Rules) -> dict[str, float]:
    """The weights by name, the same for every variant."""
    return dict(WEIGHTS)


def model_of(rules: Rules, weights: Mapping[str, float] | None = None) -> Floats:
    """The model of a variant, optionally with other weights."""
    return _model(rules.seats, rules.options[1], weights or WEIGHTS)


@cache
def _evaluator(seats: int, grey: int) -> Evaluator:
    return Evaluator(NAME, evaluate, _model(seats, grey, WEIGHTS))


def evaluator_for(rules: Rules) -> Evaluator:
    """The evaluation of a variant."""
    return _evaluator(rules.seats, rules.options[1])


def points_only() -> Evaluator:
    """An evaluation that counts only present points and bonuses: the baseline for measuring `evaluator_for`."""
    array = np.zeros(model.SIZE)
    array[model.KIND] = model.POINTS
    array[model.POINTS_SPREAD] = 12.0
    return Evaluator("azul-points 1", evaluate, array)
