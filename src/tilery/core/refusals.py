"""What is refused, told apart. Every refusal is a `Refused`, its text says what to do."""

from __future__ import annotations


class Refused(ValueError):
    """Something was asked that cannot be done; nothing has changed."""


class NotAMove(Refused):
    """The text or number is not a move of this game at all."""


class NotLegal(Refused):
    """A move of this game, but not legal here; `rule` is the id of the rule that forbids it."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


class NotYourTurn(Refused):
    """A move by somebody whose turn it is not."""


class BadText(Refused):
    """A text that cannot be read: where, and what was expected there. Line and column count from 1."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.line = line
        self.column = column
        self.problem = problem
