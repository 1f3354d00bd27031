"""A slow, plain referee for Schokoly, written from the rules text alone.

It exists to be compared with the real rules code, so it works differently on purpose: the only record of the
table is the list of cards as they were laid; whatever is needed (what is seen from above, who lies beneath, the
groups) is computed from that list every time, with dictionaries of cells and a flood fill. The ids (SC-..) are those
of the rules text. Seats count from 0; x grows to the right, y downward; a card is named by its top-left cell.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

KINDS = "DMW"  # dark, milk, white
CARDS = (  # SC-2: read clockwise from the top left
    *("DDDM", "DDDW", "MMMD", "MMMW", "WWWD", "WWWM"),
    *("DDMM", "DDWW", "MMWW"),
    *("DDMW", "MMWD", "WWDM"),
)
TOKENS = {2: 6, 3: 4, 4: 3}  # SC-4
HAND = 4  # SC-11
NEUTRAL_LEAST = 6  # SC-44: smaller neutral groups are worth nothing

Step = tuple[Any, ...]
Cell = tuple[int, int]
Group = tuple[str, int, int, int, int]


def rotations(card: str) -> list[str]:
    """SC-1: the four ways to lay a card; a quarter clockwise turns abcd into dabc, and there is no flipping."""
    ways = [card]
    for _ in range(3):
        ways.append(ways[-1][-1] + ways[-1][:-1])
    return ways


NAME = {pieces: card for card in CARDS for pieces in rotations(card)}  # the pieces as laid: which card it is


def card_cells(x: int, y: int) -> list[Cell]:
    """The cells of a card, in the order of its letters: clockwise from the top left."""
    return [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]


def neighbours(cell: Cell) -> list[Cell]:
    """SC-20: the four cells that share an edge; a corner is no contact."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


@dataclass
class Laid:
    """One card on the table."""

    pieces: str
    x: int
    y: int
    level: int
    token: bool

    def cells(self) -> list[Cell]:
        return card_cells(self.x, self.y)


@dataclass
class Offer:
    """A swap that is under way (SC-50 to SC-52); its cards are not in the hands."""

    offerer: int
    asked: int
    offered: str
    answering: str | None = None


class Referee:
    """One game, from the first card dealt to the end."""

    def __init__(self, seats: int, large: bool = False, swap: bool = False, start: int | None = 0) -> None:
        if seats not in TOKENS:
            raise ValueError("2, 3 or 4 seats")
        if swap and seats != 3:
            raise ValueError("swapping needs 3 seats")
        if start is not None and start not in range(seats):
            raise ValueError("start: a seat, or None")
        self.seats = seats
        self.swap = swap
        self.stack: dict[str, int] = dict.fromkeys(CARDS, 4 if large else 3)  # SC-2, SC-3
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.tokens = [TOKENS[seats]] * seats
        self.kinds: list[str | None] = [None] * seats
        self.table: list[Laid] = []
        self.first = start  # SC-12: None until it is drawn
        self.phase = "start" if start is None else "deal"
        self.turn = start or 0
        self.passes = 0  # in a row
        self.pending: Offer | None = None
        self.asked: set[int] = set()  # in this turn
        self.swapped = False  # in this turn
        self.ended_by: str | None = None

    # ---------------------------------------------------------------- what the outside sees

    def copy(self) -> Referee:
        return copy.deepcopy(self)

    def actor(self) -> int | str:
        if self.phase == "over":
            return "over"
        if self.phase in ("start", "deal", "draw"):
            return "chance"
        if self.phase == "answer":
            assert self.pending is not None
            return self.pending.asked
        return self.turn

    def legal(self) -> set[Step]:
        if self.phase in ("start", "deal", "draw"):
            return set(self.probabilities())
        if self.phase == "kind":
            return {("kind", kind) for kind in KINDS if kind not in self.kinds}  # SC-12, SC-13
        if self.phase == "place":
            return self._turn_steps()
        if self.phase == "secure":
            return {("no_token",)} | {("secure", card.x, card.y) for card in self._securable()}
        if self.phase == "answer":
            assert self.pending is not None
            return {("decline",)} | {("answer", card) for card in self.hands[self.pending.asked]}  # SC-51
        if self.phase == "accept":
            return {("accept",), ("decline",)}  # SC-52
        return set()

    def probabilities(self) -> dict[Step, Fraction]:
        """SC-12: each seat may start; SC-60: the stack is in random order, so each card of it is equally likely."""
        if self.phase == "start":
            return {("start", seat): Fraction(1, self.seats) for seat in range(self.seats)}
        if self.phase not in ("deal", "draw"):
            raise ValueError("it is not chance's turn")
        total = sum(self.stack.values())
        return {("draw", card): Fraction(number, total) for card, number in self.stack.items() if number > 0}

    def play(self, step: Step) -> None:
        try:
            allowed = step in self.legal()
        except TypeError:  # not hashable, so certainly not one of ours
            allowed = False
        if not allowed:
            raise ValueError(f"not legal now: {step!r}")
        name = step[0]
        if name == "draw":
            self._draw(step[1])
        elif name == "start":
            self.first, self.phase = step[1], "deal"
        elif name == "kind":
            self._choose_kind(step[1])
        elif name == "place":
            self._place(*step[1:])
        elif name == "secure":
            self._secure(step[1], step[2])
        elif name == "no_token":
            self._after_token()
        elif name == "pass":
            self._pass()
        elif name == "offer":
            self._offer(step[1], step[2])
        elif name == "answer":
            self._answer(step[1])
        else:
            self._close_offer(agreed=name == "accept")

    def snapshot(self) -> dict[str, Any]:
        offer = self.pending
        return {
            "phase": self.phase,
            "actor": self.actor(),
            "kinds": tuple(self.kinds),
            "tokens": tuple(self.tokens),
            "hands": tuple(tuple(sorted(hand)) for hand in self.hands),
            "stack": dict(self.stack),
            "table": frozenset((card.pieces, card.x, card.y, card.level, card.token) for card in self.table),
            "pending": None if offer is None else (offer.offerer, offer.asked, offer.offered, offer.answering),
            "asked": frozenset(self.asked),
            "swapped": self.swapped,
            "passes": self.passes,
            "groups": self.groups(),
            "scores": self.scores(),
            "ended_by": self.ended_by,
            "winners": self.winners(),
        }

    # ---------------------------------------------------------------- looking at the table

    def seen(self) -> dict[Cell, str]:
        """SC-33: the topmost piece of every cell that is not empty."""
        view: dict[Cell, str] = {}
        for level in (1, 2):  # the upper pieces overwrite the lower ones
            for card in self.table:
                if card.level == level:
                    view.update(zip(card.cells(), card.pieces, strict=True))
        return view

    def level_cards(self, level: int) -> dict[Cell, int]:
        """For every cell with a piece on this level, the number of its card in the list of the table."""
        cards = [(number, card) for number, card in enumerate(self.table) if card.level == level]
        return {cell: number for number, card in cards for cell in card.cells()}

    def contacts(self, view: dict[Cell, str], x: int, y: int) -> list[tuple[int, str]]:
        """Each outer edge of a card at (x, y) that touches a visible piece: (place of the letter, kind touched)."""
        own = card_cells(x, y)
        return [
            (place, view[other])
            for place, cell in enumerate(own)
            for other in neighbours(cell)
            if other in view and other not in own
        ]

    def groups(self) -> tuple[Group, ...]:
        """SC-42: flood fill of the view from above; each group with its edges to pieces of D, M and W."""
        view = self.seen()
        done: set[Cell] = set()
        groups: list[Group] = []
        for start in view:
            if start not in done:
                group = self._flood(view, start)
                done |= group
                groups.append(self._describe(view, group))
        return tuple(sorted(groups))

    def _flood(self, view: dict[Cell, str], start: Cell) -> set[Cell]:
        """SC-42: all cells of one kind that are joined to this one by edges."""
        group = {start}
        waiting = [start]
        while waiting:
            for other in neighbours(waiting.pop()):
                if other not in group and view.get(other) == view[start]:
                    group.add(other)
                    waiting.append(other)
        return group

    def _describe(self, view: dict[Cell, str], group: set[Cell]) -> Group:
        """SC-44: edges are counted one by one; a piece touched twice counts twice."""
        edges = Counter(view[other] for cell in group for other in neighbours(cell) if other in view)
        kind = view[next(iter(group))]
        edges[kind] = 0  # those to its own kind are inside the group
        return kind, len(group), edges["D"], edges["M"], edges["W"]

    # ---------------------------------------------------------------- score

    def _sizes(self) -> list[list[int]]:
        """For each seat the sizes of the groups of its kind, largest first."""
        groups = self.groups()
        return [sorted((size for own, size, *_ in groups if own == kind), reverse=True) for kind in self.kinds]

    def scores(self) -> tuple[int, ...]:
        """SC-43 and, with 2 and 4 players, SC-44 (SC-46: not with 3). SC-48: tokens are worth nothing."""
        points = [max(sizes, default=0) for sizes in self._sizes()]
        if self.seats != 3:
            for side, more in enumerate(self._neutral_points()):
                for seat in range(side, self.seats, 2):  # SC-10: seats 0 and 2 against 1 and 3
                    points[seat] += more
        return tuple(points)

    def _neutral_points(self) -> tuple[int, int]:
        """SC-44: what the two sides get for the neutral groups, each decided by itself."""
        first, second = self.kinds[0], self.kinds[1]
        points = [0, 0]
        if first is None or second is None:
            return 0, 0
        for kind, size, *edges in self.groups():
            if kind in (first, second) or size < NEUTRAL_LEAST:
                continue
            to_first, to_second = edges[KINDS.index(first)], edges[KINDS.index(second)]
            if to_first > to_second:
                points[0] += size
            elif to_second > to_first:
                points[1] += size
        return points[0], points[1]

    def winners(self) -> tuple[int, ...]:
        """SC-47: most points, then the second largest group of its own kind, the third, and so on.

        A list that goes on is larger than one that has ended, so a missing group counts as 0.
        """
        if self.phase != "over":
            return ()
        ranks = [(points, sizes[1:]) for points, sizes in zip(self.scores(), self._sizes(), strict=True)]
        return tuple(seat for seat in range(self.seats) if ranks[seat] == max(ranks))

    # ---------------------------------------------------------------- dealing, drawing, turns

    def _draw(self, card: str) -> None:
        """SC-11: four cards to each seat, seat by seat from the first; SC-14: one card at the end of a turn."""
        self.stack[card] -= 1
        if self.phase == "draw":
            self.hands[self.turn].append(card)
            self._begin_turn((self.turn + 1) % self.seats)
            return
        seat = next(seat for seat in self._order() if len(self.hands[seat]) < HAND)
        self.hands[seat].append(card)
        if all(len(hand) == HAND for hand in self.hands):
            self._begin_turn(self._order()[0])

    def _order(self) -> list[int]:
        """SC-11: the seats from the first player on."""
        seats = list(range(self.seats))
        return seats[self.first :] + seats[: self.first]

    def _begin_turn(self, seat: int) -> None:
        """SC-12, SC-13: the first two seats choose a kind in their first turn."""
        self.turn = seat
        self.asked = set()
        self.swapped = False
        self.phase = "kind" if seat in self._order()[:2] and self.kinds[seat] is None else "place"

    def _choose_kind(self, kind: str) -> None:
        """SC-13: partners play the same kind; with 3 players the third gets the kind that is left."""
        self.kinds[self.turn] = kind
        if self.seats == 4:
            self.kinds[(self.turn + 2) % 4] = kind
        elif self.seats == 3 and self.turn == self._order()[1]:
            self.kinds[self._order()[2]] = next(left for left in KINDS if left not in self.kinds)
        self.phase = "place"

    def _pass(self) -> None:
        """SC-41: a pass draws nothing; when all pass in a row the game ends."""
        self.passes += 1
        if self.passes == self.seats:
            self._end("passes")
        else:
            self._begin_turn((self.turn + 1) % self.seats)

    def _end(self, reason: str) -> None:
        self.phase = "over"
        self.ended_by = reason

    # ---------------------------------------------------------------- placing

    def _turn_steps(self) -> set[Step]:
        """SC-41: a player who cannot place on the first level may stack or pass; SC-50: offers come before placing."""
        ways = [pieces for card in set(self.hands[self.turn]) for pieces in rotations(card)]
        steps = self._first_level(ways)
        if not steps:
            steps.add(("pass",))
        return steps | self._second_level(ways) | self._offers()

    def _first_level(self, ways: list[str]) -> set[Step]:
        """SC-20 to SC-23: four empty cells, at least 2 shared edges, at least one of them between equal kinds."""
        if not self.table:
            return {("place", pieces, 0, 0, 1) for pieces in ways}  # SC-12: no condition
        view = self.seen()
        # A card that touches a cell has its top-left cell at most 2 before and 1 behind it, in either direction.
        corners = {(x + right, y + down) for x, y in view for right in range(-2, 2) for down in range(-2, 2)}
        steps: set[Step] = set()
        for x, y in corners:
            if any(cell in view for cell in card_cells(x, y)):
                continue
            touched = self.contacts(view, x, y)
            if len(touched) >= 2:
                steps |= {("place", pieces, x, y, 1) for pieces in ways if self._continues(pieces, touched)}
        return steps

    def _second_level(self, ways: list[str]) -> set[Step]:
        """SC-31, SC-32: stacking, for a player with a token left and a card."""
        if self.tokens[self.turn] == 0 or not ways:
            return set()
        view, lower, upper = self.seen(), self.level_cards(1), self.level_cards(2)
        steps: set[Step] = set()
        for x, y in lower:
            if self._can_bear(x, y, lower, upper):
                touched = self.contacts(view, x, y)
                steps |= {("place", pieces, x, y, 2) for pieces in ways if self._continues(pieces, touched)}
        return steps

    def _can_bear(self, x: int, y: int, lower: dict[Cell, int], upper: dict[Cell, int]) -> bool:
        """SC-31: no hole beneath, two different cards, none with a token; SC-34: no third level."""
        cells = card_cells(x, y)
        if any(cell not in lower or cell in upper for cell in cells):
            return False
        beneath = {lower[cell] for cell in cells}
        return len(beneath) >= 2 and not any(self.table[number].token for number in beneath)

    def _continues(self, pieces: str, touched: list[tuple[int, str]]) -> bool:
        """SC-21, SC-32: at least one shared edge joins two pieces of the same kind."""
        return any(pieces[place] == kind for place, kind in touched)

    def _place(self, pieces: str, x: int, y: int, level: int) -> None:
        """SC-14, SC-31: the card leaves the hand; on the second level a token goes with it."""
        self.hands[self.turn].remove(NAME[pieces])
        self.table.append(Laid(pieces, x, y, level, token=level == 2))
        self.passes = 0
        if level == 2:
            self.tokens[self.turn] -= 1
        if not any(self.hands) and not any(self.stack.values()):
            self._end("cards")  # SC-40
        elif level == 1 and self.tokens[self.turn] > 0:
            self.phase = "secure"  # SC-35; SC-30: not after stacking
        else:
            self._after_token()

    def _securable(self) -> list[Laid]:
        """SC-35: lying cards without a token that still show a piece (SC-34: none of the second level)."""
        covered = self.level_cards(2)
        free = [card for card in self.table if card.level == 1 and not card.token]
        return [card for card in free if any(cell not in covered for cell in card.cells())]

    def _secure(self, x: int, y: int) -> None:
        """SC-35: one token on that card."""
        card = next(card for card in self.table if (card.x, card.y, card.level) == (x, y, 1))
        card.token = True
        self.tokens[self.turn] -= 1
        self._after_token()

    def _after_token(self) -> None:
        """SC-14: draw while the stack lasts, then the next seat."""
        if any(self.stack.values()):
            self.phase = "draw"
        else:
            self._begin_turn((self.turn + 1) % self.seats)

    # ---------------------------------------------------------------- swapping chocolate

    def _offers(self) -> set[Step]:
        """SC-50, SC-53: one offer to each opponent, no more after a swap, none before all kinds are chosen."""
        if not self.swap or self.swapped or None in self.kinds:
            return set()
        others = [seat for seat in range(self.seats) if seat != self.turn and seat not in self.asked]
        return {("offer", seat, card) for seat in others if self.hands[seat] for card in self.hands[self.turn]}

    def _offer(self, seat: int, card: str) -> None:
        """SC-50: the card lies face down before the opponent."""
        self.hands[self.turn].remove(card)
        self.pending = Offer(self.turn, seat, card)
        self.asked.add(seat)
        self.phase = "answer"

    def _answer(self, card: str) -> None:
        """SC-51: the opponent's card lies face down too."""
        assert self.pending is not None
        self.hands[self.pending.asked].remove(card)
        self.pending.answering = card
        self.phase = "accept"

    def _close_offer(self, agreed: bool) -> None:
        """SC-52: the cards change hands or go back; then the turn of the offerer goes on."""
        offer = self.pending
        assert offer is not None
        takers = (offer.asked, offer.offerer) if agreed else (offer.offerer, offer.asked)
        self.hands[takers[0]].append(offer.offered)
        if offer.answering is not None:
            self.hands[takers[1]].append(offer.answering)
        self.swapped = agreed
        self.pending = None
        self.phase = "place"
