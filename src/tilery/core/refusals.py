"""The exceptions for invalid input. All are subclasses of `Refused`; the message says what was expected.

A refusal is a fact: a code, its arguments and, where a rule forbids the request, the id of the rule. The message is the
English sentence for it; the web client has the sentences of other languages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Argument = int | str | None


class Refused(ValueError):
    """The request cannot be carried out; nothing has changed."""

    rule = ""

    def __init__(self, text: str, code: str = "refused", arguments: Mapping[str, Argument] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.arguments = dict(arguments or {})


class NotAMove(Refused):
    """The text or number does not denote any move of this game."""


class NotLegal(Refused):
    """A move of this game that is not legal in this position; `rule` is the id of the rule that forbids it."""

    def __init__(
        self, reason: str, rule: str = "", code: str = "not-legal", arguments: Mapping[str, Argument] | None = None
    ) -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason, code, arguments)
        self.reason = reason
        self.rule = rule


class NotYourTurn(Refused):
    """A move by an actor whose turn it is not."""


class BadText(Refused):
    """A text that cannot be parsed: the place, and what was expected there. Lines and columns count from 1."""

    def __init__(
        self,
        line: int,
        column: int,
        problem: str,
        code: str = "bad-text",
        arguments: Mapping[str, Argument] | None = None,
    ) -> None:
        super().__init__(f"line {line}, column {column}: {problem}", code, arguments)
        self.line = line
        self.column = column
        self.problem = problem


class Sentences:
    """The English sentences of refusals by code. Arguments count from 0; `shown` says how each is written."""

    def __init__(self, texts: Mapping[str, str], shown: Mapping[str, Callable[[Argument], str]]) -> None:
        self.texts = texts
        self._shown = shown

    def write(self, code: str, arguments: Mapping[str, Argument]) -> str:
        """The sentence for a refusal."""
        words = {name: self._shown.get(name, str)(value) for name, value in arguments.items()}
        return self.texts[code].format(**words)

    def not_legal(self, code: str, rule: str, **arguments: Argument) -> NotLegal:
        """The refusal of a move that a rule forbids."""
        return NotLegal(self.write(code, arguments), rule, code, arguments)

    def not_a_move(self, code: str, **arguments: Argument) -> NotAMove:
        """The refusal of what is not a move."""
        return NotAMove(self.write(code, arguments), code, arguments)


def from_one(value: Argument) -> str:
    """A number that counts from 0, as people count."""
    return str(int(value or 0) + 1)
