"""The result of a search: `Info` and its variations, from the perspective of the seat that has to decide."""

from __future__ import annotations

from dataclasses import dataclass

from tilery.core.move import Move


@dataclass(frozen=True)
class Variation:
    """A move, its value, and the moves expected to follow."""

    moves: tuple[Move, ...]  # the move itself, then the expected replies
    wins: tuple[float, ...]  # of each seat: the win probability (they sum to 1)
    margins: tuple[float, ...]  # of each seat: its expected points less those of the best other side
    nodes: int  # nodes spent on this move (for `worlds`: tries); 0 if the search does not count by moves
    solved: bool  # exact up to the horizon (see `Info`)

    @property
    def move(self) -> Move:
        """The move itself."""
        return self.moves[0]

    @property
    def action(self) -> int:
        """The action of the move."""
        return self.moves[0].action


@dataclass(frozen=True)
class Info:
    """The final result of a search, or, in a report, its result so far.

    `horizon` says what "solved" means: "round" (all play to the end of the round is searched; what follows is
    estimated) or "game" (nothing is estimated at all).
    """

    engine: str  # name and version of the search and of its evaluation
    seat: int  # the perspective of `win` and `margin`
    variations: tuple[Variation, ...]  # best first
    depth: int
    nodes: int
    horizon: str
    solved: bool  # the best move is proven
    share_solved: float  # the share of the legal moves that are proven
    seconds: float
    cpu: float

    @property
    def action(self) -> int:
        """The action of the best move."""
        return self.variations[0].action

    @property
    def win(self) -> float:
        """The win probability of `seat` with the best move."""
        return self.variations[0].wins[self.seat]

    @property
    def margin(self) -> float:
        """The points by which `seat` is expected to lead over the best other side."""
        return self.variations[0].margins[self.seat]
