"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """Final scores by seat, the winning seats (several share a win), and the rule that ended the game."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ended_by: str
    rule: str
    truncated: bool = False
    code: str = ""  # of `ended_by`, for programs

    def __str__(self) -> str:
        score = "-".join(map(str, self.scores))
        if self.truncated:
            return f"{score}, cut off ({self.ended_by}, {self.rule})"
        who = " and ".join(f"seat {seat + 1}" for seat in self.winners)
        verb = "wins" if len(self.winners) == 1 else "share the win"
        return f"{score}, {who} {verb} ({self.ended_by}, {self.rule})"
