"""Refusals of a table, with a code for programs and a text for people."""

from __future__ import annotations

from typing import Literal

from tilery.core.refusals import NotAMove, NotLegal, NotYourTurn, Refused

Code = Literal[
    "stale",  # the game has moved on: look at the current state
    "not-seated",  # this needs a seat at the table
    "not-your-turn",
    "not-a-move",
    "not-legal",
    "not-now",  # not in this state of the table
    "not-allowed",  # not for this person
    "taken",  # the seat
    "bad-text",  # an invalid name, chat message or setting
    "full",  # the table has reached a limit
    "late",  # the time is up
]


class TableRefused(Refused):
    """A command that a table refuses; nothing has changed."""

    def __init__(self, code: Code, text: str, rule: str = "") -> None:
        super().__init__(text)
        self.code: Code = code
        self.rule = rule


def from_rules(refused: Refused) -> TableRefused:
    """The refusal of a move by the rules, as a refusal of the table."""
    if isinstance(refused, NotLegal):
        return TableRefused("not-legal", str(refused), refused.rule)
    if isinstance(refused, NotYourTurn):
        return TableRefused("not-your-turn", str(refused))
    if isinstance(refused, NotAMove):
        return TableRefused("not-a-move", str(refused))
    return TableRefused("bad-text", str(refused))
