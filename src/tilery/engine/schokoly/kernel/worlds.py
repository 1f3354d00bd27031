"""`worlds`, the strong search: moves are tried in many worlds that the seat cannot exclude, followed by rollouts.

A simulation takes one move and one world: the k-th try of every move is in the same world with the same draws, so that
moves are compared by their effect and not by luck. Upper confidence bounds choose the move to try next.
"""

from __future__ import annotations

import math
from typing import Any

from tilery.core.jit import inlined, jit, stack_array
from tilery.core.kernel.generator import STATES, next_bits
from tilery.games.schokoly.kernel.cards import MAX_CARDS
from tilery.games.schokoly.kernel.entries import actor_of, apply, copy_row, guess, legal, settle
from tilery.games.schokoly.kernel.layout import (
    DRAW,
    ENDED,
    HAND,
    MAX_SPOTS,
    MAX_TOPS,
    NO_TOKEN,
    NONE,
    ROW,
    SECURE,
    TOKEN,
)
from tilery.games.schokoly.kernel.plane import card_at

from .evaluation import estimate, evaluate
from .points import side_of
from .rollout import choose, cost_of_cuts

# The most moves of a seat with its own hand: placements, and offers, answers and so on.
MAX_MOVES = (MAX_SPOTS + MAX_TOPS) * 4 * HAND + 72

# A move: its action, the number of its tries ...
ACTION, TRIES, MOVE = 0, 1, 2
# ... and sums over its tries: the utility, win probabilities and margins of four seats; then the same of the first
# estimate.
UTILITY, SUMS, PRIOR, WORTH = 0, 1, 9, 18

# The numbers of a search: the number of moves, the most moves to try, nodes and simulations so far, the seed of its
# worlds, the cards laid before a position is estimated, the utility of a point and the factor of the bound, both in
# thousandths; the move being tried (NONE between simulations), and the number of laid cards at which that ends.
MOVES, WIDTH, DONE, TRIED, SEED, TURNS, POINT, BOUND, TRYING, UNTIL, NUMBERS = range(11)

# Generators: ties between equal moves; the world in row 1 and its draws.
_TIES, _WORLD, GENERATORS = range(3)


@inlined
def _seed(rng: Any, which: int, seed: int, number: int) -> None:
    """Seed a generator for one world of one search."""
    rng[which] = (seed + (3 * number + which + 1) * 0x9E3779B97F5) % (STATES - 2) + 1
    for _ in range(4):
        next_bits(rng, which)


@inlined
def _utility(row: Any, seat: int, values: Any, at: int, point: int) -> float:
    """The utility of a move: the win probability of the seat's side, and a little for every point."""
    share = 2.0 if int(row["seats"]) == 4 else 1.0
    margin = max(-20.0, min(float(values[at + 4 + seat]), 20.0))
    return share * float(values[at + seat]) + point / 1000.0 * margin


@inlined
def _swap_moves(moves: Any, sums: Any, a: int, b: int) -> None:
    action = int(moves[a, ACTION])
    moves[a, ACTION] = moves[b, ACTION]
    moves[b, ACTION] = action
    for k in range(WORTH):
        kept = float(sums[WORTH * a + k])
        sums[WORTH * a + k] = sums[WORTH * b + k]
        sums[WORTH * b + k] = kept


@inlined
def _rank_tokens(row: Any, seat: int, count: int, moves: Any, sums: Any) -> int:
    """SC-35: only cards whose covering would cost something deserve a token; return the most moves to try."""
    losses = stack_array(MAX_CARDS)
    cost_of_cuts(row, side_of(row, seat), losses)
    worth_it = 1
    for k in range(count):
        action = int(moves[k, ACTION])
        if action == NO_TOKEN:
            sums[WORTH * k] = 1e6
        else:
            loss = int(losses[card_at(row, action - TOKEN)])
            sums[WORTH * k] = loss
            worth_it += int(loss > 0)
    return worth_it


@jit
def list_moves(rows: Any, moves: Any, sums: Any, numbers: Any, model: Any, out: Any) -> None:
    """List all moves of the seat, the promising ones first, each with its first estimate. `rows[1]` is scratch."""
    row = rows[0].view(ROW)[0]
    seat = actor_of(row)
    count = legal(rows, 0, out)
    for k in range(count):
        moves[k, ACTION] = out[k]
        moves[k, TRIES] = 0
        copy_row(rows, 1, rows, 0)
        after = rows[1].view(ROW)[0]
        apply(rows, 1, int(out[k]))
        at = WORTH * k + PRIOR
        estimate(after, model, sums[at + SUMS : at + PRIOR])
        sums[at] = _utility(row, seat, sums, at + SUMS, int(numbers[POINT]))
        sums[WORTH * k] = sums[at]
    width = min(count, int(numbers[WIDTH]))
    if int(row["phase"]) == SECURE:
        width = min(width, _rank_tokens(row, seat, count, moves, sums))
    for k in range(width):
        best = k
        for other in range(k + 1, count):
            if float(sums[WORTH * other]) > float(sums[WORTH * best]):
                best = other
        if best != k:
            _swap_moves(moves, sums, k, best)
    for k in range(count):
        for part in range(PRIOR):
            sums[WORTH * k + part] = 0.0
    numbers[MOVES] = count
    numbers[WIDTH] = width
    numbers[TRYING] = NONE


@inlined
def _next_move(moves: Any, sums: Any, numbers: Any) -> int:
    """The move to try next: each of the first ones once, then the one with the highest bound."""
    tried = int(numbers[TRIED])
    width = min(int(numbers[WIDTH]), 4 + tried // 4)
    bound = int(numbers[BOUND]) / 1000.0 * math.sqrt(math.log(tried + 1.0))
    best, chosen = -1e9, 0
    for k in range(width):
        tries = int(moves[k, TRIES])
        if tries == 0:
            return k
        value = float(sums[WORTH * k]) / tries + bound / math.sqrt(tries)
        if value > best:
            best, chosen = value, k
    return chosen


@inlined
def _begin(moves: Any, sums: Any, numbers: Any, rng: Any) -> int:
    """Choose a move to try and seed the generators of its next world; return its action."""
    move = _next_move(moves, sums, numbers)
    for which in range(GENERATORS):
        _seed(rng, which, int(numbers[SEED]), int(moves[move, TRIES]))
    numbers[TRYING] = move
    return int(moves[move, ACTION])


@inlined
def _end(root: Any, seat: int, moves: Any, sums: Any, numbers: Any, values: Any) -> None:
    """Add the values of a simulation to its move."""
    move = int(numbers[TRYING])
    moves[move, TRIES] = int(moves[move, TRIES]) + 1
    at = WORTH * move
    sums[at] = float(sums[at]) + _utility(root, seat, values, 0, int(numbers[POINT]))
    for k in range(8):
        sums[at + SUMS + k] = float(sums[at + SUMS + k]) + float(values[k])
    numbers[TRYING] = NONE
    numbers[TRIED] = int(numbers[TRIED]) + 1


@jit
def explore(
    rows: Any, moves: Any, sums: Any, numbers: Any, model: Any, rng: Any, out: Any, rated: Any, nodes: int
) -> None:
    """Search `nodes` more nodes: moves of simulations. `rows[0]` is the view; `list_moves` must have been called."""
    root, row = rows[0].view(ROW)[0], rows[_WORLD].view(ROW)[0]
    seat = actor_of(root)
    values = sums[len(sums) - 8 :]
    for _ in range(nodes):
        starts = int(numbers[TRYING]) == NONE
        if starts:
            action = _begin(moves, sums, numbers, rng)
            copy_row(rows, _WORLD, rows, 0)
            guess(rows, _WORLD, seat, rng)
            numbers[UNTIL] = int(row["laid"]) + int(numbers[TURNS])
        else:
            action = choose(rows, _WORLD, model, rng, _TIES, out, rated)
        apply(rows, _WORLD, action)
        if int(row["phase"]) <= DRAW:
            settle(rows, _WORLD, rng)
        phase = int(row["phase"])
        if phase == ENDED or (phase != SECURE and int(row["laid"]) >= int(numbers[UNTIL])):
            evaluate(rows, _WORLD, model, values)
            _end(root, seat, moves, sums, numbers, values)
        numbers[DONE] = int(numbers[DONE]) + 1


NAME = "the search for Schokoly"
SIGNATURES = {
    list_moves: "rows table floats ints floats list",
    explore: "rows table floats ints floats ints list floats int",
}
