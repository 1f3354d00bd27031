"""Principal-variation search for two players, to the end of the round: iterative deepening, a transposition table.

The search has its own stack, so that it can pause after any node and continue later. Values in a frame are from the
perspective of the seat that moves there; values passed up are from the perspective of seat 0. A value is *complete* if
nothing below it was cut off by the depth: then it is proven to the end of the round, whatever the depth.
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, jit, outlined
from tilery.engine.azul.kernel.evaluation import utility, write_values
from tilery.engine.azul.kernel.search_moves import key_of, list_distinct, quick_move_score
from tilery.games.azul.kernel.entries import copy_row, play_move
from tilery.games.azul.kernel.layout import CHOOSE, OFFER, ROW, TILING

MAX_PLIES = 64  # in a round, tiling included
INFINITE = 30_000

# The state of a search between steps.
NODES, PLY, ENTERING, VALUE, COMPLETE, DEPTH, FINISHED, GENERATION, MASK, VARIATIONS, MAX_DEPTH, OFFSET = range(12)
BEST_MOVE, BEST_VALUE, BEST_COMPLETE, REACHED = range(12, 16)
STATE = 16

# A frame of the stack.
(
    COUNT,
    NEXT,
    ALPHA,
    BETA,
    LOWEST,
    BEST,
    MOVE,
    LEFT,  # depth left
    WHOLE,  # everything below so far is complete
    TRIED,  # the move being searched
    HOW,  # how it is searched
    LESS,  # by how much its depth is reduced
    KEY,
    KILLER,
    OTHER_KILLER,
    SEEN_BY,
) = range(16)
FRAME = 16
FULL, NULL = 0, 1

# A move at the root: the action; its last value, whether it is complete, and the depth of that search; the value and
# whether it was complete at the last depth that was finished, at which all of the variations asked for were valued.
ROOT_MOVE, ROOT_VALUE, ROOT_COMPLETE, ROOT_DEPTH, SETTLED_VALUE, SETTLED_COMPLETE = range(6)
ROOT = 6

# An entry of the table: key; value (20 bits), move (12), depth (7), bound (2), complete (1), generation (20).
EXACT, AT_LEAST, AT_MOST = range(1, 4)


@inlined
def _pack(value: int, move: int, depth: int, bound: int, complete: int, generation: int) -> int:
    return (value + 32768) | move << 20 | depth << 32 | bound << 39 | complete << 41 | generation << 42


@inlined
def _order(row: Any, seat: int, frame: Any, first: int, history: Any, moves: Any, scores: Any, count: int) -> None:
    """Write the score of every move by which the moves are ordered."""
    for k in range(count):
        action = int(moves[k])
        score = quick_move_score(row, seat, action) * 64 + min(int(history[seat * CHOOSE + action % CHOOSE]), 4096)
        if action == first:
            score = 1 << 30
        elif action == int(frame[KILLER]):
            score += 8000
        elif action == int(frame[OTHER_KILLER]):
            score += 6000
        scores[k] = score


@inlined
def _pick(moves: Any, scores: Any, at: int, count: int) -> int:
    """The remaining move with the highest score, swapped to index `at`."""
    best = at
    for k in range(at + 1, count):
        if int(scores[k]) > int(scores[best]):
            best = k
    move, score = int(moves[best]), int(scores[best])
    moves[best] = moves[at]
    scores[best] = scores[at]
    moves[at] = move
    scores[at] = score
    return move


@inlined
def _utility(row: Any, model: Any, values: Any) -> int:
    """The utility of a position for seat 0."""
    write_values(row, model, values)
    return utility(float(values[0]), float(values[4]))


@inlined
def _remember(state: Any, frame: Any, table: Any, history: Any) -> None:
    """Store a finished node in the table, and its best move in the killers and the history."""
    best, seat = int(frame[BEST]), int(frame[SEEN_BY])
    bound = EXACT
    if best >= int(frame[BETA]):
        bound = AT_LEAST
        move = int(frame[MOVE])
        if move != int(frame[KILLER]):
            frame[OTHER_KILLER] = frame[KILLER]
            frame[KILLER] = move
        at = seat * CHOOSE + move % CHOOSE
        history[at] = int(history[at]) + int(frame[LEFT]) * int(frame[LEFT])
    elif best <= int(frame[LOWEST]):
        bound = AT_MOST
    key = int(frame[KEY])
    at = key & int(state[MASK])
    generation = int(state[GENERATION])
    old = int(table[at, 1])
    depth, complete = max(0, int(frame[LEFT])), int(frame[WHOLE])
    # Keep the entry of another position if it is much deeper.
    if old >> 42 != generation or int(table[at, 0]) == key or depth + 3 >= (old >> 32 & 127) or complete:
        table[at, 0] = key
        table[at, 1] = _pack(best, int(frame[MOVE]) + 1, depth, bound, complete, generation)


@inlined
def _enter(
    state: Any,
    ply: int,
    rows: Any,
    frame: Any,
    moves: Any,
    scores: Any,
    table: Any,
    history: Any,
    model: Any,
    values: Any,
) -> bool:
    """Enter a new node. True if its value is known at once (in the state), False if its moves must be searched."""
    row = rows[ply].view(ROW)[0]
    phase = int(row["phase"])
    is_leaf = phase not in (OFFER, TILING)
    if is_leaf or (int(frame[LEFT]) <= 0 and phase == OFFER):
        state[VALUE] = _utility(row, model, values)
        state[COMPLETE] = int(is_leaf)
        return True
    seat = int(row["seat"])
    frame[SEEN_BY] = seat
    first, key = -1, key_of(row)
    at = key & int(state[MASK])
    entry = int(table[at, 1])
    if int(table[at, 0]) == key and entry >> 42 == int(state[GENERATION]):
        value, bound, complete = (entry & 0xFFFFF) - 32768, entry >> 39 & 3, entry >> 41 & 1
        first = (entry >> 20 & 4095) - 1
        if (complete or (entry >> 32 & 127) >= int(frame[LEFT])) and (
            bound == EXACT
            or (bound == AT_LEAST and value >= int(frame[BETA]))
            or (bound == AT_MOST and value <= int(frame[ALPHA]))
        ):
            state[VALUE] = value if seat == 0 else -value
            state[COMPLETE] = complete
            return True
    count = list_distinct(row, moves)
    _order(row, seat, frame, first, history, moves, scores, count)
    frame[COUNT] = count
    frame[NEXT] = 0
    frame[LOWEST] = frame[ALPHA]
    frame[BEST] = -INFINITE
    frame[MOVE] = moves[0]
    frame[WHOLE] = 1
    frame[KEY] = key
    return False


@inlined
def _go_down(state: Any, ply: int, rows: Any, frames: Any, how: int, less: int) -> None:
    """Play the move being searched and prepare the frame below."""
    frame, below = frames[ply], frames[ply + 1]
    copy_row(rows, ply + 1, rows, ply)
    row = rows[ply + 1].view(ROW)[0]
    play_move(row, int(frame[TRIED]))
    alpha, beta = int(frame[ALPHA]), int(frame[BETA])
    if how == NULL:
        beta = alpha + 1
    frame[HOW] = how
    frame[LESS] = less
    if int(row["seat"]) == int(frame[SEEN_BY]):  # irrelevant at a leaf
        below[ALPHA], below[BETA] = alpha, beta
    else:
        below[ALPHA], below[BETA] = -beta, -alpha
    # The choice of a cell does not count as a ply: tiling is always searched to its end.
    below[LEFT] = int(frame[LEFT]) - less - int(int(frame[TRIED]) < CHOOSE)
    state[PLY] = ply + 1
    state[ENTERING] = 1


@inlined
def _update(frame: Any, value: int, complete: int) -> None:
    """Update a node with the value of the move that was searched."""
    if value > int(frame[BEST]):
        frame[BEST] = value
        frame[MOVE] = frame[TRIED]
        if value >= int(frame[BETA]):
            frame[WHOLE] = complete  # this move alone proves it
    if int(frame[BEST]) < int(frame[BETA]):
        frame[WHOLE] = int(frame[WHOLE]) & complete
    frame[ALPHA] = max(int(frame[ALPHA]), value)


@outlined
def _ranked(roots: Any, count: int, rank: int) -> int:
    """The value of this rank (from 1) among the first `count` moves at the root."""
    for k in range(count):
        above = equal = 0
        for other in range(count):
            above += int(int(roots[other, ROOT_VALUE]) > int(roots[k, ROOT_VALUE]))
            equal += int(int(roots[other, ROOT_VALUE]) == int(roots[k, ROOT_VALUE]))
        if above < rank <= above + equal:
            return int(roots[k, ROOT_VALUE])
    return -INFINITE


@outlined
def _note_at_root(state: Any, frame: Any, roots: Any, value: int, complete: int) -> None:
    """Store the value of a move at the root; alpha becomes the value of the last variation asked for."""
    at = int(frame[NEXT]) - 1
    roots[at, ROOT_VALUE] = value
    roots[at, ROOT_COMPLETE] = complete
    roots[at, ROOT_DEPTH] = int(state[DEPTH])
    wanted = int(state[VARIATIONS])
    if wanted == 1:
        frame[ALPHA] = max(int(frame[ALPHA]), value)
    elif at + 1 >= wanted:
        frame[ALPHA] = _ranked(roots, at + 1, wanted)
    if value > int(frame[BEST]) or at == 0:
        frame[BEST] = value
        frame[MOVE] = frame[TRIED]
        state[BEST_MOVE] = frame[TRIED]
        state[BEST_VALUE] = value
        state[BEST_COMPLETE] = complete
    frame[WHOLE] = int(frame[WHOLE]) & complete


@outlined
def _begin_depth(state: Any, frame: Any, roots: Any) -> None:
    """Start a search that is one ply deeper; moves at the root are ordered by the values of the last one."""
    count = int(frame[COUNT])
    for k in range(1, count):
        at = k
        while at > 0 and int(roots[at, ROOT_VALUE]) > int(roots[at - 1, ROOT_VALUE]):
            for field in range(ROOT):
                kept = int(roots[at, field])
                roots[at, field] = roots[at - 1, field]
                roots[at - 1, field] = kept
            at -= 1
    for k in range(count):
        roots[k, SETTLED_VALUE] = roots[k, ROOT_VALUE]
        roots[k, SETTLED_COMPLETE] = roots[k, ROOT_COMPLETE]
    state[DEPTH] = int(state[DEPTH]) + 1
    frame[LEFT] = int(state[DEPTH]) + int(state[OFFSET])
    frame[NEXT] = 0
    frame[ALPHA] = -INFINITE
    frame[LOWEST] = -INFINITE
    frame[BETA] = INFINITE
    frame[BEST] = -INFINITE
    frame[WHOLE] = 1


@jit
def begin(rows: Any, state: Any, frames: Any, roots: Any, moves: Any, history: Any) -> None:
    """Set up a search of row 0: list the moves at the root, the promising ones first; clear history and killers."""
    for k in range(history.shape[0]):
        history[k] = 0
    for ply in range(frames.shape[0]):
        frames[ply, KILLER] = -1
        frames[ply, OTHER_KILLER] = -1
    row = rows[0].view(ROW)[0]
    count = list_distinct(row, moves[0])
    for k in range(count):
        roots[k, ROOT_MOVE] = moves[0, k]
        roots[k, ROOT_VALUE] = quick_move_score(row, int(row["seat"]), int(moves[0, k])) - INFINITE
        roots[k, ROOT_COMPLETE] = 0
        roots[k, ROOT_DEPTH] = 0
    frame = frames[0]
    frame[COUNT] = count
    frame[SEEN_BY] = int(row["seat"])
    state[NODES] = 0
    state[PLY] = 0
    state[ENTERING] = 0
    state[DEPTH] = 0
    state[FINISHED] = 0
    state[REACHED] = 0
    _begin_depth(state, frame, roots)
    state[BEST_MOVE] = roots[0, ROOT_MOVE]
    state[BEST_VALUE] = 0
    state[BEST_COMPLETE] = 0


@jit
def search(
    rows: Any,
    state: Any,
    frames: Any,
    roots: Any,
    moves: Any,
    scores: Any,
    table: Any,
    history: Any,
    model: Any,
    values: Any,
    budget: int,
) -> None:
    """Search `budget` more nodes."""
    stop = int(state[NODES]) + budget
    while int(state[FINISHED]) == 0:
        ply = int(state[PLY])
        frame = frames[ply]
        if int(state[ENTERING]):
            if int(state[NODES]) >= stop:
                return
            state[NODES] = int(state[NODES]) + 1
            state[ENTERING] = 0
            if _enter(state, ply, rows, frame, moves[ply], scores[ply], table, history, model, values):
                # The value is known: pass it up.
                state[PLY] = ply - 1
                up = frames[ply - 1]
                _pass_up(state, ply - 1, rows, frames, up, roots)
                continue
        if int(frame[NEXT]) < int(frame[COUNT]) and int(frame[ALPHA]) < int(frame[BETA]):
            at = int(frame[NEXT])
            frame[NEXT] = at + 1
            if ply == 0:
                frame[TRIED] = roots[at, ROOT_MOVE]
                how = FULL if at < int(state[VARIATIONS]) else NULL
            else:
                frame[TRIED] = _pick(moves[ply], scores[ply], at, int(frame[COUNT]))
                how = FULL if at == 0 else NULL
            less = 0
            if at >= 4 and how == NULL and int(frame[LEFT]) >= 3:
                less = 1 + int(at >= 12)
            _go_down(state, ply, rows, frames, how, less)
        elif ply > 0:
            _remember(state, frame, table, history)
            state[VALUE] = int(frame[BEST]) if int(frame[SEEN_BY]) == 0 else -int(frame[BEST])
            state[COMPLETE] = frame[WHOLE]
            state[PLY] = ply - 1
            _pass_up(state, ply - 1, rows, frames, frames[ply - 1], roots)
        else:
            state[REACHED] = state[DEPTH]
            if int(frame[WHOLE]) or int(state[DEPTH]) >= int(state[MAX_DEPTH]):
                state[FINISHED] = 1
            else:
                _begin_depth(state, frame, roots)


@inlined
def _pass_up(state: Any, ply: int, rows: Any, frames: Any, frame: Any, roots: Any) -> None:
    """Use the value of the move being searched, or search it again if window or depth were too small."""
    value = int(state[VALUE]) if int(frame[SEEN_BY]) == 0 else -int(state[VALUE])
    complete = int(state[COMPLETE])
    if int(frame[HOW]) == NULL and value > int(frame[ALPHA]):
        if int(frame[LESS]) > 0 and not complete:
            _go_down(state, ply, rows, frames, NULL, 0)
            return
        if value < int(frame[BETA]):
            _go_down(state, ply, rows, frames, FULL, 0)
            return
    if ply == 0:
        _note_at_root(state, frame, roots, value, complete)
    else:
        _update(frame, value, complete)


@jit
def key(rows: Any, i: int) -> int:
    """The key of row i in the transposition table."""
    return key_of(rows[i].view(ROW)[0])


SIGNATURES = {
    key: "rows int",
    begin: "rows ints table table lists ints",
    search: "rows ints table table lists lists table ints floats floats int",
}
