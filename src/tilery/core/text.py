"""A strict one-pass parser without backtracking; its errors say where it stopped and what was expected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from tilery.core.refusals import BadText

DIGITS = "0123456789"


def shown(text: str, at: int) -> str:
    """The character at an index of a text, for an error message."""
    if at >= len(text):
        return "the end of the text"
    if text[at] == "\n":
        return "the end of the line"
    return ascii(text[at])


def listed(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class Reader:
    """A cursor in a text that only moves forward."""

    def __init__(self, text: str, *, max_length: int, what: str, line: int = 1, column: int = 1) -> None:
        self.text = text
        self.at = 0
        self.line = line
        self._line_start = 1 - column
        if len(text) > max_length:
            self.at = max_length
            self._line_start = text.rfind("\n", 0, max_length) + 1
            self.line += text.count("\n", 0, max_length)
            self.fail(f"{what} has at most {max_length:,} characters, this one has {len(text):,}")

    def fail(self, problem: str, at: int | None = None) -> NoReturn:
        """Raise `BadText` for this place (or for an earlier one in the same line)."""
        place = self.at if at is None else at
        raise BadText(self.line, place - self._line_start + 1, problem)

    def expected(self, what: str) -> NoReturn:
        """Raise `BadText`: something else was expected here."""
        self.fail(f"expected {what}, found {shown(self.text, self.at)}")

    @property
    def done(self) -> bool:
        return self.at >= len(self.text)

    def peek(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    def skip(self, exact: str, what: str = "") -> None:
        """Skip a text that must be here."""
        if not self.skip_if(exact):
            self.expected(what or repr(exact))

    def skip_if(self, exact: str) -> bool:
        """Skip a text if it is here; returns whether it was."""
        if not self.text.startswith(exact, self.at):
            return False
        self.at += len(exact)
        if "\n" in exact:
            self.line += exact.count("\n")
            self._line_start = self.at - (len(exact) - exact.rfind("\n") - 1)
        return True

    def run(self, allowed: str) -> str:
        """Read the longest run of allowed characters (perhaps none)."""
        begin = self.at
        while self.at < len(self.text) and self.text[self.at] in allowed:
            self.at += 1
        return self.text[begin : self.at]

    def number(self, what: str, low: int, high: int) -> int:
        """Read a number in plain digits, without a leading zero."""
        begin = self.at
        digits = self.run(DIGITS)
        if not digits:
            self.expected(f"{what} ({low} to {high})")
        if (len(digits) > 1 and digits[0] == "0") or len(digits) > len(str(high)):
            self.fail(f"expected {what} ({low} to {high}, no leading zero), found {digits[:12]}", begin)
        if not low <= int(digits) <= high:
            self.fail(f"expected {what} from {low} to {high}, found {digits}", begin)
        return int(digits)

    def one_of(self, words: Sequence[str], what: str) -> str:
        """Read the longest of the words that matches here."""
        for word in sorted(words, key=len, reverse=True):
            if self.skip_if(word):
                return word
        other = re.match(r"\w{2,20}", self.text[self.at : self.at + 20])
        if other:
            self.fail(f"expected {what}: {listed(list(words))}, found {other[0]!a}")
        self.expected(f"{what}: {listed(list(words))}")

    def end(self) -> None:
        """Require the end of the text."""
        if not self.done:
            self.expected("the end of the text")
