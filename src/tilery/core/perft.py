"""Perft: count all sequences of a given number of plies. The counts identify a kernel's rules."""

from __future__ import annotations

import numpy as np

from tilery.core.game import Actions, Game, Rows
from tilery.core.position import Position
from tilery.core.sentences import LIBRARY

MAX_DEPTH = 20


def perft(position: Position, depth: int) -> int:
    """Count the sequences of `depth` plies from this position; an outcome of chance counts as a ply."""
    if not 0 <= depth <= MAX_DEPTH:
        raise LIBRARY.refused("depth", most=MAX_DEPTH, depth=depth)
    if depth == 0:
        return 1
    kernel = position.game.kernel
    rows = kernel.new_rows(depth)
    rows[0] = np.frombuffer(position.row, dtype=np.uint8)
    lists = [kernel.new_list() for _ in range(depth)]
    return _count(position.game, rows, 0, depth, lists)


def _count(game: Game, rows: Rows, level: int, depth: int, lists: list[Actions]) -> int:
    kernel = game.kernel
    count = kernel.legal(rows, level, lists[level])
    if level == depth - 1:
        return count
    total = 0
    for action in lists[level][:count].tolist():
        rows[level + 1] = rows[level]
        kernel.apply(rows, level + 1, action)
        total += _count(game, rows, level + 1, depth, lists)
    return total


def divide(position: Position, depth: int) -> dict[str, int]:
    """The perft count of each move, by its notation; they sum to `perft(position, depth)`."""
    return {position.move_text(action): perft(position.play(action), depth - 1) for action in position.actions()}
