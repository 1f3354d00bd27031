"""UCT for any number of players: a vector of values, cut off at the end of the round, with proofs.

A simulation goes down the tree, plays on to the end of the round and calls the evaluation, so chance is never in the
tree. A node whose round is over is *proven*, and so is a node all of whose children are. In the plain mode (the anchor)
random games are played to the end of the game instead, deals included, and nothing is proven.
"""

from __future__ import annotations

import math
from typing import Any

from tilery.core.jit import inlined, jit
from tilery.core.kernel.generator import below
from tilery.engine.azul.kernel.evaluation import MAX_MARGIN, POINT_WEIGHT, WIN_WEIGHT, write_values
from tilery.engine.azul.kernel.search_moves import list_distinct, quick_move_score
from tilery.games.azul.kernel.entries import copy_row, let_chance_act, play_move
from tilery.games.azul.kernel.layout import ENDED, OFFER, ROW, TILING
from tilery.games.azul.kernel.offer import list_takes
from tilery.games.azul.kernel.rounds import share_win
from tilery.games.azul.kernel.tiling import list_choices

MAX_PATH = 80

# A node: its children are adjacent; BEST_PROVEN is the best of its proven children (0: none). `sums` has the summed
# values of each seat; of a proven node, the value itself.
FIRST, CHILDREN, ACTION, VISITS, PROVEN, SEAT, HINT, BEST_PROVEN = range(8)
NODE = 8

# The state of a search between steps.
USED, SIMULATIONS, REACHED_DEPTH = range(3)
STATE = 4

# The settings of a search.
EXPLORE, FIRST_PLAY, LOOK, MIX, PLAIN, TRIES = range(6)
SETTINGS = 8


@inlined
def _values(row: Any, model: Any, values: Any) -> None:
    """Write the values of all seats, from 0 to 1: mostly the win probability, and a little of the margin."""
    write_values(row, model, values)
    for seat in range(int(row["seats"])):
        margin = min(max(float(values[4 + seat]), -float(MAX_MARGIN)), float(MAX_MARGIN))
        values[seat] = 0.5 + (WIN_WEIGHT * (2.0 * float(values[seat]) - 1.0) + POINT_WEIGHT * margin) / 20000.0


@inlined
def _play_out(row: Any, rng: Any, settings: Any, out: Any) -> None:
    """Play to the end of the round: each time the most promising of a few random moves."""
    tries = int(settings[TRIES])
    while int(row["phase"]) in (OFFER, TILING):
        is_offer = int(row["phase"]) == OFFER
        count = list_takes(row, out) if is_offer else list_choices(row, out)
        action = int(out[below(rng, 0, count)])
        if tries > 1:
            seat = int(row["seat"])
            best = quick_move_score(row, seat, action)
            for _ in range(1, tries):
                other = int(out[below(rng, 0, count)])
                score = quick_move_score(row, seat, other)
                if score > best:
                    action, best = other, score
        play_move(row, action)


@inlined
def _play_to_the_end(row: Any, rng: Any, out: Any, values: Any) -> None:
    """Plain mode: random moves and deals to the end of the game; values are shares of the win."""
    moves = 0
    while int(row["phase"]) != ENDED and moves < 2000:
        if int(row["phase"]) < OFFER:
            let_chance_act(row, rng, 0)
            continue
        count = list_takes(row, out) if int(row["phase"]) == OFFER else list_choices(row, out)
        play_move(row, int(out[below(rng, 0, count)]))
        moves += 1
    share_win(row, values)


@inlined
def _expand(row: Any, node: int, tree: Any, sums: Any, state: Any, out: Any) -> None:
    """Add the children of a node, unless the tree is full."""
    count = list_distinct(row, out)
    first = int(state[USED])
    if first + count > tree.shape[0]:
        return
    state[USED] = first + count
    seat = int(row["seat"])
    tree[node, FIRST] = first
    tree[node, CHILDREN] = count
    tree[node, SEAT] = seat
    tree[node, BEST_PROVEN] = 0
    for k in range(count):
        child = first + k
        action = int(out[k])
        tree[child, FIRST] = 0
        tree[child, CHILDREN] = 0
        tree[child, ACTION] = action
        tree[child, VISITS] = 0
        tree[child, PROVEN] = 0
        tree[child, HINT] = quick_move_score(row, seat, action)
        for other in range(4):
            sums[child, other] = 0.0


@inlined
def _select(node: int, tree: Any, sums: Any, settings: Any) -> int:
    """The child to visit, among those not proven: the one with the highest upper confidence bound for the mover."""
    first, seat = int(tree[node, FIRST]), int(tree[node, SEAT])
    visits = int(tree[node, VISITS])
    mean = 0.5
    if visits > 0 and int(tree[node, PROVEN]) == 0:
        mean = float(sums[node, seat]) / visits
    log = math.log(visits + 1.0)
    explore = float(settings[EXPLORE])
    unknown = mean - float(settings[FIRST_PLAY]) + explore * math.sqrt(log)
    best, chosen = -1e9, first
    for child in range(first, first + int(tree[node, CHILDREN])):
        seen = int(tree[child, VISITS])
        if int(tree[child, PROVEN]) == 1:
            continue  # nothing to learn
        if seen == 0:
            worth = unknown + float(settings[LOOK]) * int(tree[child, HINT])
        else:
            worth = float(sums[child, seat]) / seen + explore * math.sqrt(log / seen)
        if worth > best:
            best, chosen = worth, child
    return chosen


@inlined
def _prove(node: int, child: int, tree: Any, sums: Any) -> bool:
    """Update a node after a child was proven; return whether the node is proven, which it is if all children are.

    Its value is then that of the child that is best for the mover.
    """
    first, seat = int(tree[node, FIRST]), int(tree[node, SEAT])
    best = int(tree[node, BEST_PROVEN])
    if best == 0 or float(sums[child, seat]) > float(sums[best, seat]):
        best = child
        tree[node, BEST_PROVEN] = child
    for other in range(first, first + int(tree[node, CHILDREN])):
        if int(tree[other, PROVEN]) == 0:
            return False
    tree[node, PROVEN] = 1
    for other in range(4):
        sums[node, other] = sums[best, other]
    return True


@inlined
def _prefer_proven(node: int, tree: Any, sums: Any, values: Any) -> None:
    """Pass up the value of the best proven child if it is better for the mover: the mover would choose that child."""
    best, seat = int(tree[node, BEST_PROVEN]), int(tree[node, SEAT])
    if best != 0 and float(sums[best, seat]) > float(values[seat]):
        for other in range(4):
            values[other] = sums[best, other]


@inlined
def _go_down(rows: Any, tree: Any, sums: Any, state: Any, settings: Any, path: Any, out: Any) -> int:
    """Descend from the root, with row 1, to a node without children or a proven one; return the length of the path."""
    row = rows[1].view(ROW)[0]
    node, length = 0, 1
    path[0] = 0
    while int(tree[node, PROVEN]) == 0 and int(row["phase"]) in (OFFER, TILING):
        if int(tree[node, CHILDREN]) == 0:
            if node != 0 and int(tree[node, VISITS]) == 0:
                break
            _expand(row, node, tree, sums, state, out)
            if int(tree[node, CHILDREN]) == 0:
                break
        node = _select(node, tree, sums, settings)
        play_move(row, int(tree[node, ACTION]))
        path[length] = node
        length += 1
    return length


@inlined
def _simulate(
    rows: Any, tree: Any, sums: Any, state: Any, settings: Any, model: Any, values: Any, path: Any, rng: Any, out: Any
) -> None:
    copy_row(rows, 1, rows, 0)
    row = rows[1].view(ROW)[0]
    length = _go_down(rows, tree, sums, state, settings, path, out)
    last = int(path[length - 1])
    is_plain = settings[PLAIN] != 0.0
    proven = int(tree[last, PROVEN])
    if proven:
        for seat in range(4):
            values[seat] = sums[last, seat]
    elif is_plain:
        _play_to_the_end(row, rng, out, values)
    elif int(row["phase"]) not in (OFFER, TILING):
        _values(row, model, values)
        tree[last, PROVEN] = proven = 1
        for seat in range(4):
            sums[last, seat] = values[seat]
    else:
        share = float(settings[MIX])
        if share > 0.0:
            _values(row, model, values)
            for seat in range(4):
                values[8 + seat] = values[seat]
        _play_out(row, rng, settings, out)
        _values(row, model, values)
        for seat in range(4):
            values[seat] += share * (values[8 + seat] - values[seat]) if share > 0.0 else 0.0
    state[REACHED_DEPTH] = max(int(state[REACHED_DEPTH]), length - 1)
    for k in range(length - 1, -1, -1):
        node = int(path[k])
        tree[node, VISITS] = int(tree[node, VISITS]) + 1
        if int(tree[node, PROVEN]) == 1:
            continue
        if proven and k < length - 1 and _prove(node, int(path[k + 1]), tree, sums):
            continue
        proven = 0
        if k < length - 1:
            _prefer_proven(node, tree, sums, values)
        for seat in range(4):
            sums[node, seat] += values[seat]


@jit
def simulate(
    rows: Any,
    tree: Any,
    sums: Any,
    state: Any,
    settings: Any,
    model: Any,
    values: Any,
    path: Any,
    rng: Any,
    out: Any,
    budget: int,
) -> None:
    """Run `budget` simulations from row 0, whose node is the root (0); stop when the root is proven."""
    for _ in range(budget):
        if int(tree[0, PROVEN]) == 1:
            return
        _simulate(rows, tree, sums, state, settings, model, values, path, rng, out)
        state[SIMULATIONS] = int(state[SIMULATIONS]) + 1


SIGNATURES = {simulate: "rows lists sums ints floats floats floats list ints list int"}
