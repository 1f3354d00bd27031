"""Fitting the evaluation of Azul: self-play games, then a regression on the points that were still to come.

After every round, the board of each seat gives a vector of features (see `engine/azul/weights.py`); the target is the
points that the seat scored from there to the end. The regression uses differences between two seats, stage by stage.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np

from tilery.core.game import Floats, Ints, Rows
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import Position
from tilery.core.streams import Stream
from tilery.engine.azul.weights import AROUND, COUNT, MISSING, PARTS, WIDTH
from tilery.engine.limits import Limit
from tilery.engine.search import think
from tilery.games.azul import AZUL
from tilery.games.azul.kernel.boards import RUN
from tilery.games.azul.kernel.layout import OFFER, ROW

VARIANTS = ("2", "3", "4", "2,grey", "3,grey", "4,grey")
_RANDOM_MOVES = 0.08  # the share of random moves, for more varied boards


@dataclass
class SelfPlay:
    """The rounds of many games: the row after each round, and the final scores of its game."""

    rows: Rows
    finals: Ints  # [n, seats]


def _play(variant: str, nodes: int, seed: str, number: int, random_moves: float) -> tuple[list[bytes], tuple[int, ...]]:
    """Play one game; return the rows between its rounds, and the final scores."""
    stream = Stream("fit", seed, variant, number)
    position: Position = AZUL.new(f"{variant},stall=10")
    rows = []
    while position.actor != OVER:
        if position.actor == CHANCE:
            if position.round > 1 and not any(position._rows[0].view(ROW)[0]["piles"]):
                rows.append(position.row)
            position = position.settle(stream)
            continue
        actions = position.actions()
        if len(actions) == 1 or stream.below(1000) < 1000 * random_moves:
            action = stream.choice(actions)
        else:
            seen = position.seen_by(position.actor)
            action = think(seen, Limit(nodes=nodes), stream=stream.child("move", len(rows), position.row.hex())).action
        position = position.play(action)
    return rows, position.scores()


def _play_some(variant: str, nodes: int, seed: str, numbers: Sequence[int]) -> tuple[bytes, list[tuple[int, ...]]]:
    all_rows, finals = [], []
    for number in numbers:
        rows, scores = _play(variant, nodes, seed, number, _RANDOM_MOVES)
        all_rows += rows
        finals += [scores] * len(rows)
    return b"".join(all_rows), finals


def self_play(
    variant: str, nodes: int, games: int, seed: str, workers: int, progress: Callable[[int], None] = lambda _: None
) -> SelfPlay:
    """Play games of the engine against itself in worker processes."""
    parts = [range(first, min(first + 20, games)) for first in range(0, games, 20)]
    rows, finals = [], []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_play_some, variant, nodes, seed, part) for part in parts]
        for part, job in zip(parts, jobs, strict=True):
            part_rows, scores = job.result()
            rows.append(part_rows)
            finals += scores
            progress(len(part))
    width = AZUL.kernel.width
    return SelfPlay(np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, width), np.array(finals))


def blocks_of(rows: Rows) -> Ints:
    """The block of the model for each row: rounds played, and whether a wall row lacks just one tile."""
    fields = rows.view(ROW)[:, 0]
    played = np.clip(fields["round"] - (fields["phase"] < OFFER), 1, 5) - 1
    lines = np.stack([fields["wall"] >> 5 * line & 31 for line in range(5)])
    nearly = (COUNT[lines] == 4).any(axis=(0, 2))
    blocks: Ints = (2 * played + nearly).astype(np.int64)
    return blocks


def _shares(fields: Any) -> Floats:
    """[n, 5]: the share of each colour in the tiles to be dealt, in fifths, minus one."""
    bag, lid = fields["bag"].astype(np.int64), fields["lid"].astype(np.int64)

    def counts(pile: Ints) -> Ints:
        return np.stack([pile >> 12 * colour & 4095 for colour in range(5)], axis=1)

    few = counts(bag).sum(axis=1) < 20
    number = counts(bag) + np.where(few[:, None], counts(lid), 0)
    shares: Floats = 5.0 * number / np.maximum(1, number.sum(axis=1))[:, None] - 1.0
    return shares


def features(rows: Rows, seat: int) -> Floats:
    """[n, WIDTH]: the features of a seat's board in the order of `PARTS`, for rows between two rounds."""
    fields = rows.view(ROW)[:, 0]
    n = len(rows)
    wall, turned = fields["wall"][:, seat], fields["wall_columns"][:, seat]
    shown = np.stack([fields["shown"][:, seat] >> 8 * colour & 31 for colour in range(5)])
    by_row = np.stack([wall >> 5 * line & 31 for line in range(5)])
    by_column = np.stack([turned >> 5 * column & 31 for column in range(5)])
    part = {name: np.zeros((n, size)) for name, size in PARTS.items()}
    each = np.arange(n)
    for line in range(5):
        part["rows"][each, 5 * line + np.minimum(COUNT[by_row[line]], 4)] = 1
        part["across"][:, line] = AROUND[by_row[line]]
        for name, masks in (("columns", by_column[line]), ("colours", shown[line])):
            part[name][each, COUNT[masks]] += 1
            for k, lack in enumerate((2, 1)):
                part[f"{name}_missing"][:, k] += np.where(COUNT[masks] == 5 - lack, MISSING[masks], 0)
        part["down"][:, 0] += AROUND[by_column[line]]
    shares = _shares(fields)
    grey = fields["grey"] == 1
    index = 0
    for line in range(1, 5):
        held = fields["lines"][:, seat, line].astype(np.int64)
        number, colour = held >> 3, held & 7
        points = _points(fields, seat, line, colour, grey, by_row[line], by_column)
        for filled in range(1, line + 1):
            matches = number == filled
            part["begun"][:, index] = matches
            part["worth"][:, line - 1] += matches * points * filled / (line + 1)
            part["share"][:, line - filled] += matches * shares[each, colour]
            index += 1
    part["marker"][:, 0] = fields["starter"] == seat
    return np.concatenate([part[name] for name in PARTS], axis=1)


def _points(fields: Any, seat: int, line: int, colour: Ints, grey: Any, row: Ints, columns: Ints) -> Floats:
    """The points that the tile of a pattern line would score now; on the grey wall, in the best free cell."""
    best = np.zeros(len(row))
    own = np.take_along_axis(fields["wall_of"][:, seat], colour[:, None], axis=1)[:, 0]
    for column in range(5):
        across = RUN[row | 1 << column, column]
        down = RUN[columns[column] | 1 << line, line]
        scored = np.maximum(1, np.where(across > 1, across, 0) + np.where(down > 1, down, 0))
        taken = (row >> column & 1) | ((own >> column | own >> column + 5 | own >> column + 10) & 1)
        taken |= (own >> column + 15 | own >> column + 20) & 1
        here = np.where(grey, taken == 0, (colour + line) % 5 == column)
        best = np.maximum(best, np.where(here, scored, 0))
    return np.maximum(1, best)


def _differences(games: SelfPlay, seats: int) -> tuple[Floats, Floats, Floats]:
    """Features, points to come and total points of each seat, minus those of the next seat."""
    scores = games.rows.view(ROW)[:, 0]["score"].astype(np.int64)
    xs, ys, totals = [], [], []
    for seat in range(seats if seats > 2 else 1):
        other = (seat + 1) % seats
        xs.append(features(games.rows, seat) - features(games.rows, other))
        totals.append((games.finals[:, seat] - games.finals[:, other]).astype(float))
        ys.append(totals[-1] - (scores[:, seat] - scores[:, other]))
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(totals)


def fit(games: SelfPlay, seats: int, prior: Floats | None = None, ridge: float = 60.0) -> dict[str, Any]:
    """The vectors and spreads of the ten blocks, by ridge regression.

    Each block is regularised towards the fit of all stages together, and that fit towards `prior`, the model that
    played the games: some features never occur in games of good players, and without data they must not look better
    than those that do occur.
    """
    base = np.zeros(WIDTH) if prior is None else prior
    x, y, total = _differences(games, seats)
    block = np.tile(blocks_of(games.rows), seats if seats > 2 else 1)
    eye = np.eye(WIDTH)
    common = base + np.linalg.solve(x.T @ x + ridge * eye, x.T @ (y - x @ base))
    vectors, spreads = [], []
    for k in range(10):
        own = block == k
        near = own | (block // 2 == k // 2)
        start = common
        if near.sum() > 200:
            start = common + np.linalg.solve(
                x[near].T @ x[near] + ridge * eye, x[near].T @ (y[near] - x[near] @ common)
            )
        vector = start
        if own.sum() > 200:
            vector = start + np.linalg.solve(x[own].T @ x[own] + ridge * eye, x[own].T @ (y[own] - x[own] @ start))
        vectors.append(vector)
        spreads.append(_spread(x, y, total, vector, own if own.sum() > 200 else near))
    return {
        "vectors": [[round(float(number), 3) for number in vector] for vector in vectors],
        "spreads": [round(spread, 2) for spread in spreads],
        "rounds": len(games.rows),
    }


def _spread(x: Floats, y: Floats, total: Floats, vector: Any, where: Any) -> float:
    """The spread with which the expected margin best predicts the winner."""
    if where.sum() < 50:
        return 12.0
    margin = (x[where] @ vector) + (total[where] - y[where])
    won = np.where(total[where] > 0, 1.0, np.where(total[where] < 0, 0.0, 0.5))
    candidates = np.arange(2.0, 40.0, 0.25)
    loss = []
    for spread in candidates:
        p = np.clip(1 / (1 + np.exp(-margin / spread)), 1e-6, 1 - 1e-6)
        loss.append(float(-(won * np.log(p) + (1 - won) * np.log(1 - p)).mean()))
    return float(candidates[int(np.argmin(loss))])


def fitted_text(models: dict[str, Any]) -> str:
    """The text of `engine/azul/fitted.json`: a line for each block."""
    parts = []
    for name, model in models.items():
        vectors = ",\n   ".join(json.dumps(vector) for vector in model["vectors"])
        rest = json.dumps({key: value for key, value in model.items() if key != "vectors"})
        parts.append(f' "{name}": {rest[:-1]}, "vectors": [\n   {vectors}]}}')
    return '{"models": {\n' + ",\n".join(parts) + "\n}}\n"
