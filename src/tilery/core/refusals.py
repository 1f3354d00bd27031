"""The exceptions for invalid input. All are subclasses of `Refused`; the message says what was expected."""

from __future__ import annotations


class Refused(ValueError):
    """The request cannot be carried out; nothing has changed."""


class NotAMove(Refused):
    """The text or number does not denote any move of this game."""


class NotLegal(Refused):
    """A move of this game that is not legal in this position; `rule` is the id of the rule that forbids it."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


class NotYourTurn(Refused):
    """A move by an actor whose turn it is not."""


class BadText(Refused):
    """A text that cannot be parsed: the place, and what was expected there. Lines and columns count from 1."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.line = line
        self.column = column
        self.problem = problem
