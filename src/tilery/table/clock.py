"""Clocks: a time budget for the game with an increment for each move, or a number of days for each move.

A clock never reads the time: callers pass every moment, in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilery.table.refusals import TableRefused

DAY = 86_400.0
MIN_INITIAL_TIME, MAX_INITIAL_TIME = 10, 3 * 3600  # seconds for a whole game
MAX_INCREMENT = 180
MAX_DAYS = 14


@dataclass(frozen=True)
class Clock:
    """Either `base` seconds for all moves and `increment` after each, or `days` for each move."""

    base: int = 0
    increment: int = 0
    days: int = 0

    @property
    def first(self) -> float:
        """The seconds that each seat has at the start of the game."""
        return self.days * DAY if self.days else float(self.base)

    def after_move(self, left: float, used: float) -> float:
        """The seconds left after a move that took `used` seconds."""
        return self.first if self.days else left - used + self.increment

    def write(self) -> dict[str, int]:
        """The clock as plain values."""
        return {"days": self.days} if self.days else {"base": self.base, "increment": self.increment}


def read_clock(value: Any) -> Clock | None:
    """The inverse of `Clock.write`; None stands for no clock."""
    if value is None:
        return None
    problem = TableRefused(
        "bad-text",
        "clock-form",
        least=MIN_INITIAL_TIME,
        base=MAX_INITIAL_TIME,
        increment=MAX_INCREMENT,
        days=MAX_DAYS,
    )
    if not isinstance(value, dict) or not all(type(number) is int for number in value.values()):
        raise problem
    if set(value) == {"days"} and 1 <= value["days"] <= MAX_DAYS:
        return Clock(days=value["days"])
    if (
        set(value) <= {"base", "increment"}
        and MIN_INITIAL_TIME <= value.get("base", 0) <= MAX_INITIAL_TIME
        and 0 <= value.get("increment", 0) <= MAX_INCREMENT
    ):
        return Clock(value["base"], value.get("increment", 0))
    raise problem
