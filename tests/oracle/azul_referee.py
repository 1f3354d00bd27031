"""A slow, plain referee for Azul, written from the rules text alone.

It exists to be compared with the real rules code, so it works differently on purpose: tiles are letters
in lists, a wall is a dictionary from (row, column) to a letter, and every rule is a straightforward loop.
The ids in the comments (AZ-.., MC-..) are those of the rules text. Seats, places, lines and columns count
from 0.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any

COLOURS = "BYRKW"  # blue, yellow, red, black, white: indices 0..4
KINDS = (
    "plain",
    "extra",
    "magnetB",
    "magnetY",
    "magnetR",
    "magnetK",
    "magnetW",
    "keeper",
    "spreader",
    "saucer",
)
MARKER = "m"
CENTRE = -1  # the source number of the centre
FLOOR = 5  # the line number that means "all to the floor line"
PLACES = {2: 5, 3: 7, 4: 9}  # AZ-1: factories in the circle for each number of players
PENALTIES = (1, 1, 2, 2, 2, 3, 3)  # AZ-3: what the spaces of the floor line cost, left to right

Step = tuple[Any, ...]


def counts(tiles: list[str]) -> tuple[int, ...]:
    """How many tiles of each colour a heap holds, in the order of COLOURS."""
    return tuple(tiles.count(colour) for colour in COLOURS)


@dataclass
class Board:
    """What lies in front of one player (AZ-3)."""

    score: int = 0
    lines: list[list[str]] = field(default_factory=lambda: [[] for _ in range(5)])
    wall: dict[tuple[int, int], str] = field(default_factory=dict)
    floor: list[str] = field(default_factory=list)
    saucer: str | None = None  # None: not here; "": here and free; else what lies on it

    def run(self, row: int, column: int, down: int, right: int) -> int:
        """Length of the unbroken run of wall tiles through a cell along one direction, both ways."""
        length = 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while (r, c) in self.wall:
                length += 1
                r, c = r + sign * down, c + sign * right
        return length

    def worth(self, row: int, column: int) -> int:
        """AZ-21: points for the tile just placed on this cell."""
        across = self.run(row, column, 0, 1)
        along = self.run(row, column, 1, 0)
        points = 0
        if across > 1:
            points += across
        if along > 1:
            points += along
        return points if points > 0 else 1

    def full_rows(self) -> int:
        return sum(all((row, column) in self.wall for column in range(5)) for row in range(5))

    def full_columns(self) -> int:
        return sum(all((row, column) in self.wall for row in range(5)) for column in range(5))

    def full_colours(self) -> int:
        return sum(list(self.wall.values()).count(colour) == 5 for colour in COLOURS)


class Referee:
    """One game, from the first chance step to the end."""

    def __init__(
        self,
        seats: int,
        wall: str = "coloured",
        specials: str = "none",
        start: int | None = 0,
        round_limit: int | None = None,
        stall_limit: int | None = None,
    ) -> None:
        if seats not in PLACES:
            raise ValueError("2, 3 or 4 seats")
        if wall not in ("coloured", "grey"):
            raise ValueError("wall: coloured or grey")
        if specials not in ("none", "round", "game"):
            raise ValueError("specials: none, round or game")
        if start is not None and start not in range(seats):
            raise ValueError("start: a seat, or None")
        self.seats = seats
        self.wall_side = wall
        self.specials = specials
        self.round_limit = round_limit
        self.stall_limit = stall_limit
        self.places = PLACES[seats]

        self.bag: list[str] = list(COLOURS * 20)  # AZ-2
        self.lid: list[str] = []
        self.centre: list[str] = []
        self.factories: list[list[str]] = [[] for _ in range(self.places)]
        self.discs: list[str] = ["plain"] * self.places
        self.saucer_gone = False
        self.boards = [Board() for _ in range(seats)]

        self.round = 1
        self.stalled = 0
        self.holder: int | None = None  # who has the marker; None: it lies in the centre
        self.starter = 0
        self.turn = 0  # whose turn it is in the factory offer
        self.next_fill = 0  # the next factory to be filled
        self.effects: list[int] = []  # places whose set-up effect is still to come, in order
        self.tilers: list[int] = []  # seats that have not finished tiling, in order
        self.phase = "start"
        self.ended_by: str | None = None
        self.winners: tuple[int, ...] = ()

        if start is not None:  # AZ-4
            self.starter = start
            self._set_up_round()

    # ---------------------------------------------------------------- what the outside sees

    def actor(self) -> int | str:
        if self.phase == "over":
            return "over"
        if self.phase == "offer":
            return self.turn
        if self.phase == "tiling":
            return self.tilers[0]
        return "chance"

    def legal(self) -> set[Step]:
        if self.phase == "start":
            return {("start", seat) for seat in range(self.seats)}
        if self.phase == "discs":
            return set(self._disc_probabilities())
        if self.phase == "fill":
            return {("fill", outcome) for outcome in self._possible_fills()}
        if self.phase == "extra":
            pool = self.bag or self.lid
            return {("extra", index) for index, colour in enumerate(COLOURS) if colour in pool}
        if self.phase == "offer":
            return self._takes()
        if self.phase == "tiling":
            board = self.boards[self.tilers[0]]
            row = self._topmost_full_line(board)
            assert row is not None
            return {("choose", row, column) for column in self._open_columns(board, row)}
        return set()

    def probabilities(self) -> dict[Step, Fraction]:
        if self.phase == "start":
            return {("start", seat): Fraction(1, self.seats) for seat in range(self.seats)}
        if self.phase == "discs":
            return self._disc_probabilities()
        if self.phase == "fill":
            return {("fill", outcome): chance for outcome, chance in self._draw_probabilities(4).items()}
        if self.phase == "extra":
            return {("extra", one.index(1)): chance for one, chance in self._draw_probabilities(1).items()}
        raise ValueError("it is not chance's turn")

    def play(self, step: Step) -> None:
        try:
            allowed = step in self.legal()
        except TypeError:  # not hashable, so certainly not one of ours
            allowed = False
        if not allowed:
            raise ValueError(f"not legal now: {step!r}")
        name = step[0]
        if name == "start":
            self.starter = step[1]
            self._set_up_round()
        elif name == "disc":
            self.discs[step[1]] = step[2]
            if self._special_count() == self.seats:
                self._begin_filling()
        elif name == "fill":
            for colour, number in zip(COLOURS, step[1], strict=True):
                self.factories[self.next_fill] += [colour] * number
            self._remove_drawn(step[1])
            self.next_fill += 1
            self._after_fill()
        elif name == "extra":
            colour = COLOURS[step[1]]
            self.factories[self.effects[0]].append(colour)
            self._remove_drawn(counts([colour]))
            self.effects.pop(0)
            self._carry_out_effects()
        elif name == "take":
            self._take(*step[1:])
        else:
            self._place(self.boards[self.tilers[0]], step[1], step[2])
            self._tile()

    def copy(self) -> Referee:
        return copy.deepcopy(self)

    def snapshot(self) -> dict[str, Any]:
        return {
            "round": self.round,
            "phase": self.phase,
            "actor": self.actor(),
            "starter": self.starter,
            "marker": "centre" if self.holder is None else self.holder,
            "stalled": self.stalled,
            "bag": counts(self.bag),
            "lid": counts(self.lid),
            "centre": counts(self.centre),
            "factories": tuple(counts(factory) for factory in self.factories),
            "discs": tuple(self.discs),
            "saucer_gone": self.saucer_gone,
            "boards": tuple(
                {
                    "score": board.score,
                    "lines": tuple((COLOURS.index(line[0]) if line else None, len(line)) for line in board.lines),
                    "wall": tuple("".join(board.wall.get((r, c), ".") for c in range(5)) for r in range(5)),
                    "floor": "".join(board.floor),
                    "saucer": board.saucer,
                }
                for board in self.boards
            ),
            "ended_by": self.ended_by,
            "winners": self.winners,
        }

    # ---------------------------------------------------------------- setting up a round

    def _set_up_round(self) -> None:
        self.holder = None  # AZ-10: the marker lies in the centre
        if self.specials == "round":
            self.discs = ["plain"] * self.places  # MC-2: all are shuffled blue side up again
        if self.specials != "none" and self._special_count() == 0:
            self.phase = "discs"
        else:
            self._begin_filling()

    def _special_count(self) -> int:
        return self.places - self.discs.count("plain")

    def _disc_probabilities(self) -> dict[Step, Fraction]:
        """MC-2: as many discs as players are turned, which and what being uniform over all layouts.

        The discs come in order of place, so what is equally likely is each way to finish: list the sets of
        places that can still follow, then count how many of them begin with each place.
        """
        turned = [place for place, kind in enumerate(self.discs) if kind != "plain"]
        first = turned[-1] + 1 if turned else 0
        finishes = list(combinations(range(first, self.places), self.seats - len(turned)))
        firsts = Counter(finish[0] for finish in finishes)
        kinds = [kind for kind in KINDS[1:] if kind not in self.discs]  # MC-1: one of each
        return {
            ("disc", place, kind): Fraction(number, len(finishes) * len(kinds))
            for place, number in firsts.items()
            for kind in kinds
        }

    def _begin_filling(self) -> None:
        self.phase = "fill"
        self.next_fill = 0
        self._after_fill()

    def _after_fill(self) -> None:
        # AZ-32: go on while there is a factory to fill and any tile to fill it with.
        if self.next_fill < self.places and (self.bag or self.lid):
            return
        # MC-5: only now the set-up effects, clockwise from the first disc.
        self.effects = list(range(self.places))
        self._carry_out_effects()

    def _possible_fills(self) -> set[tuple[int, ...]]:
        """AZ-32: every multiset the next factory can get."""
        if len(self.bag) >= 4:
            sure, pool, wanted = [], self.bag, 4
        else:  # the whole bag comes out, the rest from the lid that is poured in
            sure, pool, wanted = self.bag, self.lid, min(4 - len(self.bag), len(self.lid))
        there = Counter(pool)
        outcomes = set()
        for drawn in combinations_with_replacement(COLOURS, wanted):
            if all(drawn.count(colour) <= there[colour] for colour in drawn):
                outcomes.add(counts(sure + list(drawn)))
        return outcomes

    def _draw_probabilities(self, number: int) -> dict[tuple[int, ...], Fraction]:
        """AZ-32: exact probabilities of drawing, tile by tile."""
        bag, lid = counts(self.bag), counts(self.lid)
        chances: dict[tuple[int, ...], Fraction] = {(0, 0, 0, 0, 0): Fraction(1)}
        for already in range(min(number, len(self.bag) + len(self.lid))):
            longer: dict[tuple[int, ...], Fraction] = {}
            for drawn, chance in chances.items():
                left = [there - gone for there, gone in zip(bag, drawn, strict=True)]
                if already >= len(self.bag):  # the bag is empty and one more is needed: pour the lid in
                    left = [there + more for there, more in zip(left, lid, strict=True)]
                for index in range(5):
                    if left[index] > 0:
                        now = tuple(n + (i == index) for i, n in enumerate(drawn))
                        more_chance = chance * Fraction(left[index], sum(left))
                        longer[now] = longer.get(now, Fraction(0)) + more_chance
            chances = longer
        return chances

    def _remove_drawn(self, drawn: tuple[int, ...]) -> None:
        """Take tiles out of the bag; AZ-32: the lid is poured in only when the bag is not enough."""
        wanted = [colour for colour, number in zip(COLOURS, drawn, strict=True) for _ in range(number)]
        if len(wanted) > len(self.bag):
            self.bag += self.lid
            self.lid = []
        for colour in wanted:
            self.bag.remove(colour)

    def _carry_out_effects(self) -> None:
        while self.effects:
            place = self.effects[0]
            kind = self.discs[place]
            if kind == "extra" and (self.bag or self.lid):  # MC-3
                self.phase = "extra"
                return
            if kind.startswith("magnet"):  # MC-4: one of its colour from each neighbour that has one
                for neighbour in (self._neighbour(place, -1), self._neighbour(place, 1)):
                    if kind[-1] in self.factories[neighbour]:
                        self.factories[neighbour].remove(kind[-1])
                        self.factories[place].append(kind[-1])
            self.effects.pop(0)
        self.phase = "offer"
        self.turn = self.starter  # AZ-11

    def _neighbour(self, place: int, way: int) -> int:
        """The next disc in the circle; MC-10: a saucer that has left is passed over."""
        other = (place + way) % self.places
        while self.saucer_gone and self.discs[other] == "saucer":
            other = (other + way) % self.places
        return other

    # ---------------------------------------------------------------- factory offer

    def _takes(self) -> set[Step]:
        board = self.boards[self.turn]
        steps: set[Step] = set()
        for source in range(CENTRE, self.places):
            heap = self.centre if source == CENTRE else self.factories[source]
            for index, colour in enumerate(COLOURS):
                if colour not in heap:
                    continue
                rights = [frozenset[int]()]
                if source != CENTRE and self.discs[source] == "spreader":  # MC-7
                    for i, other in enumerate(COLOURS):
                        if other != colour and other in heap:
                            rights += [right | {i} for right in rights]
                for line in range(6):
                    if line == FLOOR or self._line_accepts(board, line, colour):
                        for right in rights:
                            steps.add(("take", source, index, line, right))
        return steps

    def _line_accepts(self, board: Board, line: int, colour: str) -> bool:
        held = board.lines[line]
        if len(held) == line + 1:  # AZ-15: a full line takes none
            return False
        if any(tile != colour for tile in held):  # AZ-15: one colour only
            return False
        # AZ-16: the wall row must not show the colour. AZ-53: the grey wall asks for nothing more.
        return all(board.wall.get((line, column)) != colour for column in range(5))

    def _take(self, source: int, index: int, line: int, right: frozenset[int]) -> None:
        board = self.boards[self.turn]
        colour = COLOURS[index]
        heap = self.centre if source == CENTRE else self.factories[source]
        taken = [tile for tile in heap if tile == colour]
        rest = [tile for tile in heap if tile != colour]
        if source == CENTRE:  # AZ-13
            self.centre = rest
            if self.holder is None:
                self.holder = self.turn
                self._drop(board, MARKER)
        elif self.discs[source] == "keeper":  # MC-6
            self.factories[source] = rest
        elif self.discs[source] == "spreader":  # MC-7, MC-10
            self.factories[source] = []
            for tile in rest:
                way = 1 if COLOURS.index(tile) in right else -1
                self.factories[self._neighbour(source, way)].append(tile)
        else:  # AZ-12
            self.factories[source] = []
            self.centre += rest
            if self.discs[source] == "saucer":  # MC-8; MC-9: it is there before the taken tiles are laid
                self.saucer_gone = True
                board.saucer = ""

        for tile in taken:  # AZ-14, AZ-17
            if line != FLOOR and len(board.lines[line]) < line + 1:
                board.lines[line].append(tile)
            else:
                self._drop(board, tile)

        if self.centre or any(self.factories):
            self.turn = (self.turn + 1) % self.seats  # AZ-11
        else:  # AZ-19
            self._begin_tiling()

    def _drop(self, board: Board, piece: str) -> None:
        """A tile or the marker falls to the floor line."""
        if board.saucer == "":  # MC-8, MC-9: a free saucer comes first, even before a full floor line
            board.saucer = piece
        elif len(board.floor) < 7:  # AZ-17
            board.floor.append(piece)
        elif piece != MARKER:  # AZ-18: tiles to the lid; the marker is just kept (self.holder knows)
            self.lid.append(piece)

    # ---------------------------------------------------------------- wall tiling

    def _begin_tiling(self) -> None:
        self.phase = "tiling"
        if self.stall_limit is not None:
            self.stalled += 1  # AZ-35: taken back as soon as a tile is placed
        self.tilers = [(self.starter + i) % self.seats for i in range(self.seats)]  # AZ-52
        self._tile()

    def _topmost_full_line(self, board: Board) -> int | None:
        for row in range(5):
            if len(board.lines[row]) == row + 1:
                return row
        return None

    def _open_columns(self, board: Board, row: int) -> list[int]:
        """The columns where the tile of a full line may go."""
        colour = board.lines[row][0]
        if self.wall_side == "coloured":
            return [(COLOURS.index(colour) + row) % 5]  # AZ-6
        return [  # AZ-50
            column
            for column in range(5)
            if (row, column) not in board.wall and all(board.wall.get((other, column)) != colour for other in range(5))
        ]

    def _tile(self) -> None:
        """Go on with the tiling until a player has a choice or everybody is done."""
        while self.tilers:
            board = self.boards[self.tilers[0]]
            row = self._topmost_full_line(board)  # AZ-20: top to bottom
            if row is None:
                self._clear_floor(board)
                self.tilers.pop(0)
                continue
            columns = self._open_columns(board, row)
            if len(columns) > 1:
                return  # AZ-50: the player chooses
            if columns:
                self._place(board, row, columns[0])  # AZ-23; AZ-52: a single cell is no choice
            else:  # AZ-51
                fallen, board.lines[row] = board.lines[row], []
                for tile in fallen:
                    self._drop(board, tile)
        self._end_round()

    def _place(self, board: Board, row: int, column: int) -> None:
        """AZ-20: one tile to the wall, scored at once, the others to the lid."""
        tile, *others = board.lines[row]
        board.lines[row] = []
        assert (row, column) not in board.wall
        board.wall[row, column] = tile
        self.lid += others
        board.score += board.worth(row, column)
        self.stalled = 0  # AZ-35

    def _clear_floor(self, board: Board) -> None:
        """AZ-22, and MC-8: what lies on the saucer costs nothing and leaves with the floor tiles."""
        penalty = sum(PENALTIES[: len(board.floor)])
        board.score = max(0, board.score - penalty)
        self.lid += [piece for piece in board.floor if piece != MARKER]
        board.floor = []
        if board.saucer:
            if board.saucer != MARKER:
                self.lid.append(board.saucer)
            board.saucer = ""

    # ---------------------------------------------------------------- end of a round, end of the game

    def _end_round(self) -> None:
        for board in self.boards:  # MC-8: the saucer returns to its place
            board.saucer = None
        self.saucer_gone = False

        if any(board.full_rows() for board in self.boards):
            self._end_game("row")  # AZ-30
        elif self.stall_limit is not None and self.stalled >= self.stall_limit:
            self._end_game("stall")  # AZ-35
        elif self.round_limit is not None and self.round >= self.round_limit:
            self._end_game("rounds")  # AZ-34
        elif not self.bag and not self.lid:
            self._end_game("tiles")  # AZ-33
        else:
            self.round += 1
            if self.holder is not None:
                self.starter = self.holder  # AZ-31; nobody took it: the same starter again
            self._set_up_round()

    def _end_game(self, reason: str) -> None:
        self.phase = "over"
        self.ended_by = reason
        if reason == "rounds":
            return  # AZ-34: cut off, no bonuses, no result
        for board in self.boards:  # AZ-40
            board.score += 2 * board.full_rows() + 7 * board.full_columns() + 10 * board.full_colours()
        ranks = [(board.score, board.full_rows()) for board in self.boards]  # AZ-41
        self.winners = tuple(seat for seat in range(self.seats) if ranks[seat] == max(ranks))
