"""The end of the game, exactly: the stack is empty and all worlds that the seat cannot exclude are listed.

In every world the rest of the game is searched to its end, everybody knowing everything there: a seat takes what brings
it the largest share of the win, then the largest margin, then the first of equal actions. A move is worth the mean over
the worlds. Between two sides that is alpha-beta; with three, each looks after itself (max^n) and nothing is cut off.

There is no recursion: a frame for each ply, so that the search can pause anywhere.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit
from tilery.games.schokoly.kernel.entries import actor_of, apply, copy_row, legal
from tilery.games.schokoly.kernel.layout import ENDED, LAY, NONE, PLACE, ROW, SECURE

from .evaluation import judge
from .final import is_last, judge_final
from .rating import margin_of, rate

# A frame: where its actions begin in the list, how many there are (NONE: not listed yet), the next one.
BEGIN, COUNT, NEXT, FRAME = range(4)
# What a frame has found: the best values of its seat so far, and the bounds between two sides (from side 0).
BEST, ALPHA, BETA, FOUND = 0, 8, 9, 10
FRAMES = 40

# The numbers of a solver: the deepest open frame (NONE: between two worlds), the move and the world at hand, how many
# there are, nodes, and whether all is done, or too deep.
LEVEL, MOVE, WORLD, MOVES, WORLDS, DONE, STATE, PRUNES, NUMBERS = range(9)
SOLVING, SOLVED, TOO_DEEP = range(3)

# What is known of a root move: its action, how it stands; the weighted sums of 8 values.
ACTION, PROVEN, KNOWN = range(3)
OPEN, EXACT, REFUTED = range(3)

WIN = 1 << 20  # half a win outweighs all points
MOST = 2 * WIN + 1000
_ROOM = 10_000  # for the actions of one frame


@inlined
def _for_first(values: Any, at: int, seats: int) -> float:
    """What values are worth to side 0 of two: shares first, then points."""
    share = float(values[at]) * (2.0 if seats == 4 else 1.0)
    return 2.0 * WIN * share + float(values[at + 4])


@inlined
def _is_better(values: Any, new: int, old: int, seat: int) -> bool:
    """Whether values are better for a seat than others: its share first, then its margin."""
    more = float(values[new + seat]) - float(values[old + seat])
    if abs(more) > 1e-9:
        return more > 0
    return float(values[new + 4 + seat]) > float(values[old + 4 + seat])


@inlined
def _sort_by_points(actions: Any, rated: Any, begin: int, count: int) -> None:
    """The best by one ply first."""
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
    """Where the placements begin in a list of actions."""
    at = begin
    while at < begin + count and int(actions[at]) < LAY:
        at += 1
    return at


@inlined
def _order(actions: Any, rated: Any, begin: int, lays: int, end: int) -> None:
    """Between two sides an order that cuts off much: what scores best at once first, what is no placement last."""
    for k in range(begin, end):
        rated[k] = margin_of(float(rated[k])) if k >= lays else -1000.0
    _sort_by_points(actions, rated, begin, end - begin)


@inlined
def _open_frame(frames: Any, found: Any, level: int, begin: int, alpha: float, beta: float) -> None:
    frames[level, BEGIN] = begin
    frames[level, COUNT] = NONE
    frames[level, NEXT] = 0
    found[FOUND * level + ALPHA] = alpha
    found[FOUND * level + BETA] = beta


@inlined
def _take_up(row: Any, frames: Any, found: Any, level: int) -> None:
    """A frame is done: its best values go to the frame above, whose row is given."""
    seat, seats = actor_of(row), int(row["seats"])
    above, below = FOUND * (level - 1), FOUND * level
    if int(frames[level - 1, NEXT]) == 1 or _is_better(found, below, above, seat):
        for k in range(8):
            found[above + k] = found[below + k]
    if seats != 3:
        worth = _for_first(found, above, seats)
        if seat & 1 == 0:
            found[above + ALPHA] = max(float(found[above + ALPHA]), worth)
        else:
            found[above + BETA] = min(float(found[above + BETA]), worth)


@inlined
def _threshold(moves: Any, sums: Any, weights: Any, numbers: Any, side: int, seats: int) -> float:
    """What the move at hand must be worth in the world at hand to become the best; all or nothing for three sides."""
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
    if world > 0 and side == 1:  # the share of the worlds to come does not count yet
        so_far -= 2.0 * WIN * (rest + float(weights[world]))
    return (best - so_far - rest * MOST) / float(weights[world])


@inlined
def own_worth(sums: Any, at: int, side: int, seats: int) -> float:
    """What values are worth to one of two sides."""
    worth = _for_first(sums, at, seats)
    return worth if side == 0 else 2.0 * WIN - worth


@inlined
def _begin_world(row: Any, moves: Any, sums: Any, weights: Any, frames: Any, found: Any, numbers: Any) -> int:
    """Open the first frame for the move at hand in the world at hand (its row is given); returns the action."""
    move = int(numbers[MOVE])
    seat, seats = actor_of(row), int(row["seats"])
    if int(numbers[WORLD]) == 0:
        for k in range(8):
            sums[8 * move + k] = 0.0
    bound = _threshold(moves, sums, weights, numbers, seat & 1, seats)
    first = seat & 1 == 0
    level = int(numbers[LEVEL]) + 1
    _open_frame(frames, found, level, level, bound if first else -1e18, 1e18 if first else 2.0 * WIN - bound)
    numbers[LEVEL] = level
    return int(moves[move, ACTION])


@inlined
def _end_world(row: Any, moves: Any, sums: Any, weights: Any, found: Any, numbers: Any) -> None:
    """Add what the move is worth in this world; go on to the next world, or the next move."""
    move, world = int(numbers[MOVE]), int(numbers[WORLD])
    seat, seats = actor_of(row), int(row["seats"])
    bound = _threshold(moves, sums, weights, numbers, seat & 1, seats)
    refuted = seats != 3 and own_worth(found, 0, seat & 1, seats) <= bound
    for k in range(8):
        sums[8 * move + k] = float(sums[8 * move + k]) + float(weights[world]) * float(found[k])
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
    """Whether only one card is left to be placed, at once or after the choice of a token."""
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
    found: Any,
    numbers: Any,
    actions: Any,
    rated: Any,
    nodes: int,
) -> None:
    """So many nodes more: a node is one step into a frame or out of it."""
    for _ in range(nodes):
        if int(numbers[STATE]) != SOLVING:
            return
        numbers[DONE] = int(numbers[DONE]) + 1
        level = int(numbers[LEVEL])
        if level == NONE:
            copy_row(rows, 0, worlds, int(numbers[WORLD]))
            row = rows[0].view(ROW)[0]
            apply(rows, 0, _begin_world(row, moves, sums, weights, frames, found, numbers))
            continue
        row = rows[level].view(ROW)[0]
        begin, count, at = int(frames[level, BEGIN]), int(frames[level, COUNT]), int(frames[level, NEXT])
        here = FOUND * level
        if count == NONE and (level + 3 >= FRAMES or begin + _ROOM > len(actions)):
            numbers[STATE] = TOO_DEEP
            return
        finished = False
        if count == NONE:  # just opened
            if int(row["phase"]) == ENDED:
                judge(rows, level, found[here : here + 8])
                finished = True
            elif _is_near_end(row):
                values, other = found[here : here + 8], found[here + FOUND : here + FOUND + 8]
                trial = found[here + 2 * FOUND : here + 2 * FOUND + 8]
                finished = judge_final(rows, level, actions[begin:], rated, values, other, trial)
            if not finished:
                count = legal(rows, level, actions[begin:])
                frames[level, COUNT] = count
                if int(row["phase"]) == PLACE and int(row["seats"]) != 3:
                    lays = _first_lay(actions, begin, count)
                    rate(rows, level, actions, rated, lays)
                    _order(actions, rated, begin, lays, begin + count)
        elif at == count or float(found[here + ALPHA]) >= float(found[here + BETA]):
            finished = True
        else:
            copy_row(rows, level + 1, rows, level)
            apply(rows, level + 1, int(actions[begin + at]))
            frames[level, NEXT] = at + 1
            _open_frame(frames, found, level + 1, begin + count, float(found[here + ALPHA]), float(found[here + BETA]))
            numbers[LEVEL] = level + 1
        if finished and level > 0:
            _take_up(rows[level - 1].view(ROW)[0], frames, found, level)
            numbers[LEVEL] = level - 1
        elif finished:
            _end_world(worlds[int(numbers[WORLD])].view(ROW)[0], moves, sums, weights, found, numbers)


SIGNATURES = {solve: "rows rows table floats floats table floats ints list floats int"}
