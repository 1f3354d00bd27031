"""The exceptions for invalid input. All are subclasses of `Refused`; the message says what was expected.

A refusal is a fact: a code, its arguments and, where a rule forbids the request, the id of the rule. The message is the
English sentence for it; the web client has the sentences of other languages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Self

Argument = int | str | None


class Refused(ValueError):
    """The request cannot be carried out; nothing has changed. `reason` is the message without the rule."""

    def __init__(
        self, reason: str, code: str = "refused", arguments: Mapping[str, Argument] | None = None, rule: str = ""
    ) -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.code = code
        self.arguments = dict(arguments or {})
        self.rule = rule


class NotAMove(Refused):
    """The text or number does not denote any move of this game."""


class NotLegal(Refused):
    """A move of this game that is not legal in this position; `rule` is the id of the rule that forbids it."""

    def __init__(
        self, reason: str, rule: str = "", code: str = "not-legal", arguments: Mapping[str, Argument] | None = None
    ) -> None:
        super().__init__(reason, code, arguments, rule)


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
        rule: str = "",
    ) -> None:
        super().__init__(f"line {line}, column {column}: {problem}", code, arguments, rule)
        self.line = line
        self.column = column
        self.reason = problem
        self.problem = f"{problem} ({rule})" if rule else problem

    @classmethod
    def at(cls, line: int, column: int, refused: Refused) -> Self:
        """The same refusal, with its place in a text."""
        return cls(line, column, refused.reason, refused.code, refused.arguments, refused.rule)


class Sentences:
    """The English sentences of refusals by code.

    Placeholders are the names of the arguments. `shown` says how an argument is written: arguments count from 0, texts
    from 1. The values of an argument in `phrases` are codes themselves, each with a phrase that may contain other
    arguments: `{"what": {"line": "line {line} of {lines}"}}`.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        shown: Mapping[str, Callable[[Argument], str]],
        phrases: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.texts = texts
        self.shown = shown
        self.phrases = phrases or {}

    def extended(
        self,
        texts: Mapping[str, str],
        shown: Mapping[str, Callable[[Argument], str]],
        phrases: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Sentences:
        """These sentences and more, for a part of the program that has codes of its own."""
        added = phrases or {}
        names = {*self.phrases, *added}
        merged = {name: {**self.phrases.get(name, {}), **added.get(name, {})} for name in names}
        return Sentences({**self.texts, **texts}, {**self.shown, **shown}, merged)

    def write(self, code: str, arguments: Mapping[str, Argument]) -> str:
        """The sentence for a refusal."""
        words = {name: self.shown.get(name, str)(value) for name, value in arguments.items()}
        for name in self.phrases.keys() & arguments.keys():
            words[name] = self.phrases[name][str(arguments[name])].format(**words)
        return self.texts[code].format(**words)

    def refused(self, code: str, rule: str = "", /, **arguments: Argument) -> Refused:
        """A refusal of any other kind than the following."""
        return Refused(self.write(code, arguments), code, arguments, rule)

    def not_legal(self, code: str, rule: str, /, **arguments: Argument) -> NotLegal:
        """The refusal of a move that a rule forbids."""
        return NotLegal(self.write(code, arguments), rule, code, arguments)

    def not_a_move(self, code: str, rule: str = "", /, **arguments: Argument) -> NotAMove:
        """The refusal of what is not a move."""
        return NotAMove(self.write(code, arguments), code, arguments, rule)

    def not_your_turn(self, code: str, /, **arguments: Argument) -> NotYourTurn:
        """The refusal of a move by an actor whose turn it is not."""
        return NotYourTurn(self.write(code, arguments), code, arguments)


def from_one(value: Argument) -> str:
    """A number that counts from 0, as people count."""
    return str(int(value or 0) + 1)
