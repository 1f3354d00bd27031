"""The endgame of Schokoly: all possible worlds with their probabilities, and the exact solution.

A world is a complete position that the seat cannot exclude.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from tilery.core.game import Floats, Rows
from tilery.core.position import Seen
from tilery.engine.evaluator import VALUES
from tilery.engine.schokoly.kernel import endgame as kernel
from tilery.engine.schokoly.kernel.endgame import ACTION, EXACT, OPEN, PROVEN
from tilery.games.schokoly.kernel.cards import ANNOUNCEMENTS, CARDS, CARDS_FITTING
from tilery.games.schokoly.kernel.layout import LAID_BITS, NOBODY, PLACE, ROW, SECURE

_MAX_WORLDS = 64
_ACTIONS = 60_000  # the total length of the action lists of all frames

Counts = tuple[int, ...]  # of the twelve cards


def _counts(pile: int) -> Counts:
    return tuple(pile >> 4 * card & 15 for card in range(CARDS))


def _pile(counts: Counts) -> int:
    return sum(count << 4 * card for card, count in enumerate(counts))


def _draws(pool: Counts, number: int) -> Iterator[tuple[Counts, int]]:
    """Every selection of `number` cards from a pool, with its number of arrangements."""
    for taken in product(*(range(min(count, number) + 1) for count in pool)):
        if sum(taken) == number:
            ways = 1
            for card in range(CARDS):
                ways *= comb(pool[card], taken[card])
            yield taken, ways


@dataclass(frozen=True)
class _Hand:
    """What the viewer knows about another hand (SC-60)."""

    seat: int
    known: Counts
    unseen: int
    barred: int
    said: int

    def may_hold(self, counts: Counts) -> bool:
        mask = sum(1 << card for card in range(CARDS) if counts[card])
        if mask & self.barred:
            return False
        announcements = (number for number in range(ANNOUNCEMENTS) if self.said >> number & 1)
        return all(mask & int(CARDS_FITTING[announcement]) for announcement in announcements)


def _deals(hands: list[_Hand], pool: Counts) -> Iterator[tuple[dict[int, Counts], int]]:
    """Every deal of the pool into the hands that is consistent with what is known, with its number of arrangements."""
    if not hands:
        yield {}, 1
        return
    first, *others = hands
    for taken, ways in _draws(pool, first.unseen):
        held = tuple(a + b for a, b in zip(first.known, taken, strict=True))
        if first.may_hold(held):
            rest = tuple(a - b for a, b in zip(pool, taken, strict=True))
            for dealt, more in _deals(others, rest):
                yield {first.seat: held, **dealt}, ways * more


def cards_left(seen: Seen) -> int:
    """The number of cards still to be played."""
    row = np.frombuffer(seen.row, dtype=ROW)[0]
    return int(row["left"]) + int(row["held"].sum())


def worlds_of(seen: Seen) -> tuple[Rows, Floats] | None:
    """All possible worlds and their probabilities; None with cards in the stack, a pending swap or too many worlds."""
    view = np.frombuffer(seen.row, dtype=ROW)[0]
    if int(view["left"]) or int(view["phase"]) not in (PLACE, SECURE):
        return None
    seats, viewer = int(view["seats"]), seen.seat
    pool = np.full(CARDS, int(view["copies"]))
    for card in view["cards"][: int(view["laid"])]:
        pool[(int(card) & LAID_BITS) >> 2] -= 1
    for seat in range(seats):
        pool -= _counts(int(view["hands"][seat]))
    hands = [
        _Hand(
            seat,
            _counts(int(view["hands"][seat])),
            int(view["unseen"][seat]),
            int(view["barred"][seat]),
            int(view["said"][viewer, seat]) if int(view["swap"]) else 0,
        )
        for seat in range(seats)
        if seat != viewer
    ]
    worlds: list[Rows] = []
    ways: list[int] = []
    for dealt, count in _deals(hands, tuple(int(number) for number in pool)):
        if len(worlds) == _MAX_WORLDS:
            return None
        rows = np.frombuffer(bytearray(seen.row), dtype=np.uint8)
        row = rows.view(ROW)[0]
        for seat, held in dealt.items():
            row["hands"][seat] = _pile(held)
        row["unseen"][:] = 0
        row["viewer"] = NOBODY
        worlds.append(rows)
        ways.append(count)
    return np.array(worlds), np.array(ways) / sum(ways)


class EndgameSolver:
    """The exact solution of an endgame, computed in steps."""

    def __init__(self, seen: Seen, worlds: Rows, probabilities: Floats, *, all_moves: bool) -> None:
        self.worlds, self.probabilities = worlds, probabilities
        self.rows = seen.game.kernel.new_rows(kernel.FRAMES + 2)
        self.frames = np.empty((kernel.FRAMES + 2, kernel.FRAME), dtype=np.int64)
        self.values = np.empty(kernel.VALUES_SIZE * (kernel.FRAMES + 2))
        self.actions = np.empty(_ACTIONS, dtype=np.int32)
        self.rated = np.empty(_ACTIONS)
        self.numbers = np.zeros(kernel.NUMBERS, dtype=np.int64)
        self.numbers[kernel.LEVEL] = -1
        self.numbers[kernel.WORLDS] = len(worlds)
        self.numbers[kernel.PRUNES] = not all_moves
        self.moves = np.empty((0, kernel.KNOWN), dtype=np.int64)
        self.sums = np.empty(0)

    def begin(self, actions: list[int]) -> None:
        """Set the moves at the root, the promising ones first."""
        self.moves = np.array([(action, OPEN) for action in actions], dtype=np.int64)
        self.sums = np.zeros(VALUES * len(actions))
        self.numbers[kernel.MOVES] = len(actions)

    def step(self, nodes: int) -> None:
        kernel.solve(
            self.rows,
            self.worlds,
            self.moves,
            self.sums,
            self.probabilities,
            self.frames,
            self.values,
            self.numbers,
            self.actions,
            self.rated,
            nodes,
        )

    @property
    def solved(self) -> bool:
        return int(self.numbers[kernel.STATE]) == kernel.SOLVED

    @property
    def exact(self) -> dict[int, Floats]:
        """The proven moves, with the win probabilities and margins of each."""
        return {
            int(move[ACTION]): self.sums[VALUES * k : VALUES * (k + 1)]
            for k, move in enumerate(self.moves)
            if move[PROVEN] == EXACT
        }
