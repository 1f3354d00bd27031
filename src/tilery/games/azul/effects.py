"""What a legal move does, in plain values: tiles placed and fallen, points, and the wall tiling step by step.

No rule is implemented here. The kernel plays on copies of the row in which only one thing is left to happen, and the
boards before and after are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tilery.core.game import Game, Rows, as_rows

from .actions import take_of
from .kernel.boards import PENALTY
from .kernel.layout import CENTRE, CHOOSE, FLOOR, LINES, NOBODY, OFFER, ROW, START_AT, TILING
from .kernel.piles import BITS, COLOURS
from .scoring import breakdown
from .view import LETTERS, Board, view_of

Step = dict[str, Any]
_BONUSES = ("row", "column", "colour")  # in the order of a breakdown
_WALL = ("wall", "wall_columns", "wall_of", "shown")  # the fields that describe a wall
_LAST_TAKE = FLOOR  # the action: a tile of the first colour from the centre to the floor line


def effects(game: Game, row: bytes, action: int) -> dict[str, Any]:
    """What a legal action does; empty for outcomes of chance."""
    if action >= START_AT:
        return {}
    before = as_rows(row)
    after = before.copy()
    game.kernel.apply(after, 0, action)
    if action >= CHOOSE:
        steps = _tiling(game, before, before, after, _field(before, "seat"))
        return {"points": steps[0]["points"], "tiling": steps}  # the chosen tile is that of the topmost full line
    taken = _taken(game, before, action)
    result = _take(game, before, taken, action)
    if _field(after, "phase") != OFFER:
        result["tiling"] = _tiling(game, before, taken, after, _field(before, "starter"))
    return result


def _field(rows: Rows, name: str) -> int:
    return int(rows.view(ROW)[0, 0][name])


# A take


def _with_extra_tile(rows: Rows, colour: int) -> Rows:
    """The same position with one more tile of this colour in the centre, so that the offer does not end."""
    more = rows.copy()
    fields = more.view(ROW)[0, 0]
    fields["piles"][CENTRE] += 1 << BITS * colour
    fields["sources"] |= 1 << (BITS * colour + CENTRE)
    return more


def _taken(game: Game, rows: Rows, action: int) -> Rows:
    """The boards after a take, before anything is tiled."""
    colour = take_of(action, 0).colour
    taken = _with_extra_tile(rows, (colour + 1) % COLOURS)
    game.kernel.apply(taken, 0, action)
    return taken


def _take(game: Game, before: Rows, taken: Rows, action: int) -> dict[str, Any]:
    old, new = view_of(before.tobytes()), view_of(taken.tobytes())
    assert old.seat is not None
    seat = old.seat
    spreader = old.discs.index("spreader") + 1 if "spreader" in old.discs else 0
    colour, source, line, _ = take_of(action, spreader)
    number = (old.centre if source == CENTRE else old.factories[source - 1]).count(LETTERS[colour])
    old_board, new_board = old.boards[seat], new.boards[seat]
    placed = 0 if line == FLOOR else len(new_board.lines[line]) - len(old_board.lines[line])
    caught = (new_board.saucer or "") != (old_board.saucer or "") and new_board.saucer != "m"
    completes = line != FLOOR and len(new_board.lines[line]) == line + 1
    penalty = int(PENALTY[len(old_board.floor)]) - int(PENALTY[len(new_board.floor)])
    return {
        "placed": placed,
        "fallen": number - placed - caught,
        "marker": old.marker is None and new.marker == seat,
        "penalty": penalty,
        "completes": completes,
        "points": _gain(game, before, taken, seat) if completes else 0,
    }


def _gain(game: Game, before: Rows, taken: Rows, seat: int) -> int | None:
    """How many more points tiling the seat's wall would score after a take than before; None if a column must be
    chosen."""
    old, new = (_worth(game, rows, seat) for rows in (before, taken))
    return None if old is None or new is None else new - old


def _worth(game: Game, rows: Rows, seat: int) -> int | None:
    """What tiling one wall now would score. The kernel tiles it in a copy where no other seat has a full line and the
    next seat takes the last tile from the centre to its floor line."""
    alone = rows.copy()
    fields = alone.view(ROW)[0, 0]
    fields["piles"] = 0
    fields["sources"] = 0
    fields["lines"][[other for other in range(len(fields["lines"])) if other != seat]] = 0
    fields["seat"] = (seat + 1) % int(fields["seats"])
    alone = _with_extra_tile(alone, 0)
    game.kernel.apply(alone, 0, _LAST_TAKE)
    if _field(alone, "phase") == TILING:
        return None
    return sum(int(step["points"]) for step in _tiles(game, rows, alone, seat))


# The tiling


def _tiling(game: Game, before: Rows, full: Rows, after: Rows, first: int) -> list[Step]:
    """All steps between two positions, starting with seat `first`: tiles on walls, floor lines, bonuses. `full` has
    the boards as they were when the tiling began or resumed."""
    seats = _field(before, "seats")
    scores = before.view(ROW)[0, 0]["score"]
    items = breakdown(game, after.tobytes())
    boards = view_of(full.tobytes()).boards
    goes_on = _field(after, "phase") == TILING
    steps: list[Step] = []
    for seat in ((first + k) % seats for k in range(seats)):
        tiles = list(_tiles(game, before, after, seat))
        steps += tiles
        if goes_on and seat == _field(after, "seat"):
            return steps  # this seat must choose a column
        lost = items[0].points[seat] - int(scores[seat]) - sum(step["points"] for step in tiles)
        if boards[seat].floor or _falls(boards[seat], tiles):
            steps.append({"seat": seat, "floor": lost})
    for bonus, item in zip(_BONUSES, items[1:-1], strict=False):
        steps += [{"seat": seat, "bonus": bonus, "points": won} for seat, won in enumerate(item.points) if won]
    return steps


def _falls(board: Board, tiles: Sequence[Step]) -> bool:
    """AZ-51, MC-9: whether a full line has no cell on the wall and falls to the floor line. A free saucer catches one
    of its tiles."""
    laid = {step["line"] for step in tiles}
    fallen = sum(len(held) for line, held in enumerate(board.lines) if len(held) > line and line not in laid)
    return fallen > (1 if board.saucer == "" else 0)


def _tiles(game: Game, before: Rows, after: Rows, seat: int) -> Iterator[Step]:
    """The tiles placed on a wall, top to bottom, each with its points."""
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
    """Let the kernel put one tile on a wall, in a copy where nothing else is left to do; returns the row with the new
    wall, and the points."""
    alone = rows.copy()
    fields = alone.view(ROW)[0, 0]
    fields["phase"], fields["seat"], fields["ended"] = TILING, seat, 0
    fields["lines"] = 0
    fields["lines"][seat, line] = (line + 1) << 3 | colour
    fields["floor"] = 0
    fields["saucer_seat"] = NOBODY
    fields["score"] = 0
    game.kernel.apply(alone, 0, CHOOSE + 5 * line + column)
    points = breakdown(game, alone.tobytes())[0].points[seat]  # without the bonuses of a game that ends here
    result = rows.copy()
    for name in _WALL:
        result.view(ROW)[0, 0][name] = fields[name]
    return result, points
