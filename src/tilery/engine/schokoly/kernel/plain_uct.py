"""`plain-uct`, the anchor: UCT with random games to the end, in a newly guessed world each time.

It is frozen, because ratings depend on it. The tree is one of actions, not of positions (chance and hidden hands differ
from world to world); children are found by a hash of node and action. Every seat maximises its own share of the win.
"""

from __future__ import annotations

import math
from typing import Any

from tilery.core.jit import inlined, jit, outlined
from tilery.core.kernel.generator import below
from tilery.games.schokoly.kernel.entries import actor_of, apply, copy_row, guess, legal, playout, settle
from tilery.games.schokoly.kernel.layout import DRAW, ENDED, NONE, ROW

from .evaluation import write_result

# A node: its parent, the action that leads to it, its visits ...
PARENT, ACTION, VISITS, NODE = range(4)
# ... and the sums of shares and margins of four seats.
SUMS = 8

# The numbers of a search: nodes of the tree, simulations so far, the root (0).
GROWN, DONE, ROOT, NUMBERS = range(4)

_WORLD = 1  # row and generator of the world
_ONE_OF = 2  # generator for the choice of new nodes
GENERATORS = 3
_MAX_MOVES = 1000  # of a random game; none is this long


@inlined
def _slot_of(slots: Any, tree: Any, node: int, action: int) -> int:
    """The slot of a child in the hash table, or the free slot for it."""
    mask = len(slots) - 1
    at = (node * 0x9E3779B1 + action * 0x85EBCA6B >> 7) & mask
    while int(slots[at]) != 0:
        child = int(slots[at])
        if int(tree[child, PARENT]) == node and int(tree[child, ACTION]) == action:
            break
        at = (at + 1) & mask
    return at


@inlined
def _grow_one(tree: Any, sums: Any, slots: Any, numbers: Any, node: int, action: int) -> int:
    """Add a child to a node; return its number."""
    grown = int(numbers[GROWN])
    slots[_slot_of(slots, tree, node, action)] = grown
    tree[grown, PARENT] = node
    tree[grown, ACTION] = action
    tree[grown, VISITS] = 0
    for k in range(SUMS):
        sums[SUMS * grown + k] = 0.0
    numbers[GROWN] = grown + 1
    return grown


@outlined
def _pick(seat: int, count: int, tree: Any, sums: Any, slots: Any, numbers: Any, rng: Any, out: Any, node: int) -> int:
    """The child with the highest bound, or a new one if some are untried; NONE if the tree is full."""
    log = math.log(int(tree[node, VISITS]) + 1.0)
    best, chosen, new, untried = -1.0, NONE, NONE, 0
    for k in range(count):
        action = int(out[k])
        child = int(slots[_slot_of(slots, tree, node, action)])
        if child == 0:
            untried += 1
            if below(rng, _ONE_OF, untried) == 0:
                new = action
        elif untried == 0:
            visits = int(tree[child, VISITS])
            bound = float(sums[SUMS * child + seat]) / visits + math.sqrt(2.0 * log / visits)
            if bound > best:
                best, chosen = bound, child
    if untried > 0 and int(numbers[GROWN]) < len(tree):
        return _grow_one(tree, sums, slots, numbers, node, new)
    return chosen


@inlined
def _back_up(tree: Any, sums: Any, leaf: int, values: Any) -> None:
    """Add the values of a simulation to a node and all its ancestors."""
    node = leaf
    while node >= 0:
        tree[node, VISITS] = int(tree[node, VISITS]) + 1
        for k in range(SUMS):
            sums[SUMS * node + k] = float(sums[SUMS * node + k]) + float(values[k])
        node = int(tree[node, PARENT])


@jit
def grow(
    rows: Any, tree: Any, sums: Any, slots: Any, numbers: Any, rng: Any, out: Any, values: Any, nodes: int
) -> None:
    """Run `nodes` more simulations. `rows[0]` is the view, `rows[1]` is scratch; node 0 of the tree is the root."""
    row = rows[_WORLD].view(ROW)[0]
    viewer = actor_of(rows[0].view(ROW)[0])
    for _ in range(nodes):
        copy_row(rows, _WORLD, rows, 0)
        guess(rows, _WORLD, viewer, rng)
        node, inside = int(numbers[ROOT]), True
        while inside:
            if int(row["phase"]) <= DRAW:
                settle(rows, _WORLD, rng)
            if int(row["phase"]) == ENDED:
                break
            before = int(numbers[GROWN])
            count = legal(rows, _WORLD, out)
            child = _pick(actor_of(row), count, tree, sums, slots, numbers, rng, out, node)
            if child == NONE:
                break
            apply(rows, _WORLD, int(tree[child, ACTION]))
            node, inside = child, int(numbers[GROWN]) == before
        playout(rows, _WORLD, _WORLD + 1, rng, _MAX_MOVES, out)
        write_result(rows, _WORLD, values)
        _back_up(tree, sums, node, values)
        numbers[DONE] = int(numbers[DONE]) + 1


SIGNATURES = {grow: "rows table floats ints ints ints list floats int"}
