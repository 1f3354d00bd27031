"""What a legal move does, in plain values: tiles placed and fallen, points, and the wall tiling step by step.

Nothing is counted here. The kernel plays, on copies in which only one thing is left to happen, and the boards before
and after are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tilery.core.game import Game, Rows

from .actions import take_of
from .kernel.boards import PENALTY
from .kernel.layout import CENTRE, CHOOSE, FLOOR, LINES, NOBODY, OFFER, ROW, START_AT, TILING
from .kernel.piles import BITS, COLOURS
from .scoring import breakdown
from .view import LETTERS, Board, view_of

Step = dict[str, Any]
_BONUSES = ("row", "column", "colour")  # in the order of a breakdown
_WALL = ("wall", "wall_columns", "wall_of", "shown")  # the fields that are a wall
_LAST_TAKE = FLOOR  # the action: a tile of the first colour from the centre to the floor line


def effects(game: Game, row: bytes, action: int) -> dict[str, Any]:
    """What a legal action does; of what chance does there is nothing to tell."""
    if action >= START_AT:
        return {}
    before = np.frombuffer(bytearray(row), dtype=np.uint8).reshape(1, -1)
    after = before.copy()
    game.kernel.apply(after, 0, action)
    if action >= CHOOSE:
        steps = _tiling(game, before, before, after, _field(before, "seat"))
        return {"points": steps[0]["points"], "tiling": steps}  # the chosen tile is that of the topmost full line
    taken = _taken(game, before, action)
    told = _take(game, before, taken, action)
    if _field(after, "phase") != OFFER:
        told["tiling"] = _tiling(game, before, taken, after, _field(before, "starter"))
    return told


def _field(rows: Rows, name: str) -> int:
    return int(rows.view(ROW)[0, 0][name])


# A take


def _with_a_stranger(rows: Rows, colour: int) -> Rows:
    """The same with one tile of this colour more in the centre, so that the offer is not over without it."""
    more = rows.copy()
    fields = more.view(ROW)[0, 0]
    fields["piles"][CENTRE] += 1 << BITS * colour
    fields["sources"] |= 1 << (BITS * colour + CENTRE)
    return more


def _taken(game: Game, rows: Rows, action: int) -> Rows:
    """The boards after a take, before anything is tiled."""
    colour = take_of(action, 0).colour
    taken = _with_a_stranger(rows, (colour + 1) % COLOURS)
    game.kernel.apply(taken, 0, action)
    return taken


def _take(game: Game, before: Rows, taken: Rows, action: int) -> dict[str, Any]:
    old, new = view_of(before.tobytes()), view_of(taken.tobytes())
    assert old.seat is not None
    seat = old.seat
    spreader = old.discs.index("spreader") + 1 if "spreader" in old.discs else 0
    colour, source, line, _ = take_of(action, spreader)
    number = (old.centre if source == CENTRE else old.factories[source - 1]).count(LETTERS[colour])
    mine, then = old.boards[seat], new.boards[seat]
    placed = 0 if line == FLOOR else len(then.lines[line]) - len(mine.lines[line])
    caught = (then.saucer or "") != (mine.saucer or "") and then.saucer != "m"
    completes = line != FLOOR and len(then.lines[line]) == line + 1
    penalty = int(PENALTY[len(mine.floor)]) - int(PENALTY[len(then.floor)])
    return {
        "placed": placed,
        "fallen": number - placed - caught,
        "marker": old.marker is None and new.marker == seat,
        "penalty": penalty,
        "completes": completes,
        "points": _gain(game, before, taken, seat) if completes else 0,
    }


def _gain(game: Game, before: Rows, taken: Rows, seat: int) -> int | None:
    """What tiling the seat's wall would score more after a take than before it; None where a column is to be chosen."""
    then, now = (_worth(game, rows, seat) for rows in (before, taken))
    return None if then is None or now is None else now - then


def _worth(game: Game, rows: Rows, seat: int) -> int | None:
    """What tiling one wall now would score. The kernel tiles it: nobody else has a full line, and the next seat takes
    the last tile, which lies in the centre, to its floor line."""
    alone = rows.copy()
    fields = alone.view(ROW)[0, 0]
    fields["piles"] = 0
    fields["sources"] = 0
    fields["lines"][[other for other in range(len(fields["lines"])) if other != seat]] = 0
    fields["seat"] = (seat + 1) % int(fields["seats"])
    alone = _with_a_stranger(alone, 0)
    game.kernel.apply(alone, 0, _LAST_TAKE)
    if _field(alone, "phase") == TILING:
        return None
    return sum(int(step["points"]) for step in _tiles(game, rows, alone, seat))


# The tiling


def _tiling(game: Game, before: Rows, full: Rows, after: Rows, first: int) -> list[Step]:
    """Everything between two positions, from a seat on: tiles on walls, floor lines, bonuses. `full` has the boards as
    they were when the tiling began or went on."""
    seats = _field(before, "seats")
    scores = before.view(ROW)[0, 0]["score"]
    counts = breakdown(game, after.tobytes())
    boards = view_of(full.tobytes()).boards
    goes_on = _field(after, "phase") == TILING
    steps: list[Step] = []
    for seat in ((first + k) % seats for k in range(seats)):
        tiles = list(_tiles(game, before, after, seat))
        steps += tiles
        if goes_on and seat == _field(after, "seat"):
            return steps  # a column is to be chosen
        lost = counts[0].points[seat] - int(scores[seat]) - sum(step["points"] for step in tiles)
        if boards[seat].floor or _falls(boards[seat], tiles):
            steps.append({"seat": seat, "floor": lost})
    for bonus, count in zip(_BONUSES, counts[1:-1], strict=False):
        steps += [{"seat": seat, "bonus": bonus, "points": won} for seat, won in enumerate(count.points) if won]
    return steps


def _falls(board: Board, tiles: Sequence[Step]) -> bool:
    """AZ-51, MC-9: whether a full line that brought no tile to the wall has come to the floor line. A free saucer
    catches one of its tiles."""
    laid = {step["line"] for step in tiles}
    fallen = sum(len(held) for line, held in enumerate(board.lines) if len(held) > line and line not in laid)
    return fallen > (1 if board.saucer == "" else 0)


def _tiles(game: Game, before: Rows, after: Rows, seat: int) -> Iterator[Step]:
    """The tiles that have come to a wall, top to bottom, each with what it scored."""
    old, new = (view_of(rows.tobytes()).boards[seat].wall for rows in (before, after))
    rows = before
    for line, column in _changes(old, new):
        colour = LETTERS.index(new[line][column])
        rows, points = _put(game, rows, seat, line, column, colour)
        yield {"seat": seat, "line": line, "column": column, "colour": new[line][column], "points": points}


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    for line in range(LINES):
        for column in range(LINES):
            if old[line][column] != new[line][column]:
                yield line, column


def _put(game: Game, rows: Rows, seat: int, line: int, column: int, colour: int) -> tuple[Rows, int]:
    """Let the kernel put one tile on a wall, on a table where nothing else is left to do: the wall after that, and the
    points."""
    alone = rows.copy()
    fields = alone.view(ROW)[0, 0]
    fields["phase"], fields["seat"], fields["ended"] = TILING, seat, 0
    fields["lines"] = 0
    fields["lines"][seat, line] = (line + 1) << 3 | colour
    fields["floor"] = 0
    fields["saucer_seat"] = NOBODY
    fields["score"] = 0
    game.kernel.apply(alone, 0, CHOOSE + 5 * line + column)
    points = breakdown(game, alone.tobytes())[0].points[seat]  # without a bonus, should that have ended the game
    then = rows.copy()
    for name in _WALL:
        then.view(ROW)[0, 0][name] = fields[name]
    return then, points
