"""The exact solution of an endgame: the stack is empty, and all worlds that the seat cannot exclude are listed.

In every world the rest of the game is searched to its end with open cards: a seat prefers the largest share of the win,
then the largest margin, then the first of equal actions. The value of a move is the mean over the worlds. Between two
sides this is alpha-beta; with three, each seat maximises its own value (max^n) and nothing is cut off.

Each ply has a frame instead of a recursive call, so that the search can pause anywhere.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit
from tilery.games.schokoly.kernel.entries import actor_of, apply, copy_row, legal
from tilery.games.schokoly.kernel.layout import ENDED, LAY, NONE, PLACE, ROW, SECURE

from .evaluation import write_result
from .last_card import is_last, value_last_card
from .placements import margin_of, rate_placements

# A frame: the index of its first action in the list, the number of actions (NONE: not listed yet), the next one.
BEGIN, COUNT, NEXT, FRAME = range(4)
# The values of a frame: the best ones for its seat so far, and alpha and beta from the perspective of side 0.
BEST, ALPHA, BETA, VALUES_SIZE = 0, 8, 9, 10
FRAMES = 40

# The numbers of a solver: the deepest open frame (NONE: between two worlds), the current move and world, the numbers of
# moves and worlds, nodes so far, whether it is solved or too deep, and whether moves may be pruned.
LEVEL, MOVE, WORLD, MOVES, WORLDS, DONE, STATE, PRUNES, NUMBERS = range(9)
SOLVING, SOLVED, TOO_DEEP = range(3)

# A move at the root: its action and its state; `sums` has the weighted sums of its 8 values.
ACTION, PROVEN, KNOWN = range(3)
OPEN, EXACT, REFUTED = range(3)

WIN = 1 << 20  # half a win counts more than all points
MAX_VALUE = 2 * WIN + 1000
_MAX_ACTIONS = 10_000  # of one frame


@inlined
def _for_first(values: Any, at: int, seats: int) -> float:
    """The worth of values to side 0 of two: shares first, then points."""
    share = float(values[at]) * (2.0 if seats == 4 else 1.0)
    return 2.0 * WIN * share + float(values[at + 4])


@inlined
def _is_better(values: Any, new: int, old: int, seat: int) -> bool:
    """Whether the new values are better for a seat than the old ones: by its share, then by its margin."""
    more = float(values[new + seat]) - float(values[old + seat])
    if abs(more) > 1e-9:
        return more > 0
    return float(values[new + 4 + seat]) > float(values[old + 4 + seat])


@inlined
def _sort_by_points(actions: Any, rated: Any, begin: int, count: int) -> None:
    """Sort by one-ply value, the best first."""
    for k in range(begin + 1, begin + count):
        action, value = int(actions[k]), float(rated[k])
        at = k
        while at > begin and float(rated[at - 1]) < value:
            actions[at] = actions[at - 1]
            rated[at] = rated[at - 1]
            at -= 1
        actions[at] = action
        rated[at] = value


@inlined
def _first_lay(actions: Any, begin: int, count: int) -> int:
    """The index at which the placements begin in a list of actions."""
    at = begin
    while at < begin + count and int(actions[at]) < LAY:
        at += 1
    return at


@inlined
def _order(actions: Any, rated: Any, begin: int, lays: int, end: int) -> None:
    """Order for many cut-offs between two sides: the best immediate score first, all but placements last."""
    for k in range(begin, end):
        rated[k] = margin_of(float(rated[k])) if k >= lays else -1000.0
    _sort_by_points(actions, rated, begin, end - begin)


@inlined
def _open_frame(frames: Any, frame_values: Any, level: int, begin: int, alpha: float, beta: float) -> None:
    frames[level, BEGIN] = begin
    frames[level, COUNT] = NONE
    frames[level, NEXT] = 0
    frame_values[VALUES_SIZE * level + ALPHA] = alpha
    frame_values[VALUES_SIZE * level + BETA] = beta


@inlined
def _pass_up(row: Any, frames: Any, frame_values: Any, level: int) -> None:
    """Pass the best values of a finished frame to the frame above, whose row is given."""
    seat, seats = actor_of(row), int(row["seats"])
    above, below = VALUES_SIZE * (level - 1), VALUES_SIZE * level
    if int(frames[level - 1, NEXT]) == 1 or _is_better(frame_values, below, above, seat):
        for k in range(8):
            frame_values[above + k] = frame_values[below + k]
    if seats != 3:
        worth = _for_first(frame_values, above, seats)
        if seat & 1 == 0:
            frame_values[above + ALPHA] = max(float(frame_values[above + ALPHA]), worth)
        else:
            frame_values[above + BETA] = min(float(frame_values[above + BETA]), worth)


@inlined
def _threshold(moves: Any, sums: Any, weights: Any, numbers: Any, side: int, seats: int) -> float:
    """What the current move must be worth in the current world to become the best one; no bound with three sides."""
    if seats == 3 or int(numbers[PRUNES]) == 0:
        return -1e18
    best = -1e18
    for k in range(int(numbers[MOVES])):
        if int(moves[k, PROVEN]) == EXACT:
            best = max(best, own_worth(sums, 8 * k, side, seats))
    world = int(numbers[WORLD])
    rest = 0.0
    for k in range(world + 1, int(numbers[WORLDS])):
        rest += float(weights[k])
    so_far = 0.0 if world == 0 else own_worth(sums, 8 * int(numbers[MOVE]), side, seats)
    if world > 0 and side == 1:  # the share of the worlds still to come does not count yet
        so_far -= 2.0 * WIN * (rest + float(weights[world]))
    return (best - so_far - rest * MAX_VALUE) / float(weights[world])


@inlined
def own_worth(sums: Any, at: int, side: int, seats: int) -> float:
    """The worth of values to one of two sides."""
    worth = _for_first(sums, at, seats)
    return worth if side == 0 else 2.0 * WIN - worth


@inlined
def _begin_world(row: Any, moves: Any, sums: Any, weights: Any, frames: Any, frame_values: Any, numbers: Any) -> int:
    """Open the first frame for the current move in the current world (its row is given); return the action."""
    move = int(numbers[MOVE])
    seat, seats = actor_of(row), int(row["seats"])
    if int(numbers[WORLD]) == 0:
        for k in range(8):
            sums[8 * move + k] = 0.0
    bound = _threshold(moves, sums, weights, numbers, seat & 1, seats)
    first = seat & 1 == 0
    level = int(numbers[LEVEL]) + 1
    _open_frame(frames, frame_values, level, level, bound if first else -1e18, 1e18 if first else 2.0 * WIN - bound)
    numbers[LEVEL] = level
    return int(moves[move, ACTION])


@inlined
def _end_world(row: Any, moves: Any, sums: Any, weights: Any, frame_values: Any, numbers: Any) -> None:
    """Add the values of the move in this world; continue with the next world, or the next move."""
    move, world = int(numbers[MOVE]), int(numbers[WORLD])
    seat, seats = actor_of(row), int(row["seats"])
    bound = _threshold(moves, sums, weights, numbers, seat & 1, seats)
    refuted = seats != 3 and own_worth(frame_values, 0, seat & 1, seats) <= bound
    for k in range(8):
        sums[8 * move + k] = float(sums[8 * move + k]) + float(weights[world]) * float(frame_values[k])
    numbers[LEVEL] = NONE
    numbers[WORLD] = world + 1
    if refuted or world + 1 == int(numbers[WORLDS]):
        moves[move, PROVEN] = REFUTED if refuted else EXACT
        numbers[WORLD] = 0
        numbers[MOVE] = move + 1
        if move + 1 == int(numbers[MOVES]):
            numbers[STATE] = SOLVED


@inlined
def _is_near_end(row: Any) -> bool:
    """Whether only one card is left to be placed, immediately or after a decision about a token."""
    phase, seat = int(row["phase"]), int(row["seat"])
    if phase == SECURE:
        return is_last(row, (seat + 1) % int(row["seats"]))
    return phase == PLACE and is_last(row, seat)


@jit
def solve(
    rows: Any,
    worlds: Any,
    moves: Any,
    sums: Any,
    weights: Any,
    frames: Any,
    frame_values: Any,
    numbers: Any,
    actions: Any,
    rated: Any,
    nodes: int,
) -> None:
    """Search `nodes` more nodes: a node is one step into a frame or out of it."""
    for _ in range(nodes):
        if int(numbers[STATE]) != SOLVING:
            return
        numbers[DONE] = int(numbers[DONE]) + 1
        level = int(numbers[LEVEL])
        if level == NONE:
            copy_row(rows, 0, worlds, int(numbers[WORLD]))
            row = rows[0].view(ROW)[0]
            apply(rows, 0, _begin_world(row, moves, sums, weights, frames, frame_values, numbers))
            continue
        row = rows[level].view(ROW)[0]
        begin, count, at = int(frames[level, BEGIN]), int(frames[level, COUNT]), int(frames[level, NEXT])
        here = VALUES_SIZE * level
        if count == NONE and (level + 3 >= FRAMES or begin + _MAX_ACTIONS > len(actions)):
            numbers[STATE] = TOO_DEEP
            return
        finished = False
        if count == NONE:  # just opened
            if int(row["phase"]) == ENDED:
                write_result(rows, level, frame_values[here : here + 8])
                finished = True
            elif _is_near_end(row):
                values, other = frame_values[here : here + 8], frame_values[here + VALUES_SIZE : here + VALUES_SIZE + 8]
                trial = frame_values[here + 2 * VALUES_SIZE : here + 2 * VALUES_SIZE + 8]
                finished = value_last_card(rows, level, actions[begin:], rated, values, other, trial)
            if not finished:
                count = legal(rows, level, actions[begin:])
                frames[level, COUNT] = count
                if int(row["phase"]) == PLACE and int(row["seats"]) != 3:
                    lays = _first_lay(actions, begin, count)
                    rate_placements(rows, level, actions, rated, lays)
                    _order(actions, rated, begin, lays, begin + count)
        elif at == count or float(frame_values[here + ALPHA]) >= float(frame_values[here + BETA]):
            finished = True
        else:
            copy_row(rows, level + 1, rows, level)
            apply(rows, level + 1, int(actions[begin + at]))
            frames[level, NEXT] = at + 1
            _open_frame(
                frames,
                frame_values,
                level + 1,
                begin + count,
                float(frame_values[here + ALPHA]),
                float(frame_values[here + BETA]),
            )
            numbers[LEVEL] = level + 1
        if finished and level > 0:
            _pass_up(rows[level - 1].view(ROW)[0], frames, frame_values, level)
            numbers[LEVEL] = level - 1
        elif finished:
            _end_world(worlds[int(numbers[WORLD])].view(ROW)[0], moves, sums, weights, frame_values, numbers)


SIGNATURES = {solve: "rows rows table floats floats table floats ints list floats int"}
