"""What a search has found: `Info`, with its lines of play, from the point of view of the seat that asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One move and what follows from it."""

    action: int
    moves: tuple[str, ...]  # in notation: the move itself, then the expected answers
    wins: tuple[float, ...]  # of each seat: the odds to win (they sum to 1)
    margins: tuple[float, ...]  # of each seat: expected points more than the best other side
    nodes: int  # spent on it
    solved: bool  # nothing was estimated before the horizon (see `Info`)

    @property
    def move(self) -> str:
        """The move in notation."""
        return self.moves[0]


@dataclass(frozen=True)
class Info:
    """The state of a search. Partial reports are `Info`s as well as the final answer.

    `horizon` says what "solved" means: "round" (all play to the end of the round is searched; what follows is
    estimated) or "game" (nothing is estimated at all).
    """

    engine: str  # name and version of the search and of its evaluation
    seat: int  # the point of view: whose odds and margin `win` and `margin` are
    lines: tuple[Line, ...]  # best first
    depth: int
    nodes: int
    horizon: str
    solved: bool  # the best move is proven
    share_solved: float  # of the moves here: how many are proven
    seconds: float
    cpu: float

    @property
    def action(self) -> int:
        """The best move."""
        return self.lines[0].action

    @property
    def win(self) -> float:
        """The odds to win of the seat that asked, with the best move."""
        return self.lines[0].wins[self.seat]

    @property
    def margin(self) -> float:
        """The points by which that seat is expected to lead over the best other side."""
        return self.lines[0].margins[self.seat]
