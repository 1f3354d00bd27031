"""Strict reading of texts: one pass, no going back, and an error that says where and what was expected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from tilery.core.refusals import BadText

DIGITS = "0123456789"


def shown(text: str, at: int) -> str:
    """What stands at a place of a text, for an error message."""
    if at >= len(text):
        return "the end of the text"
    if text[at] == "\n":
        return "the end of the line"
    return ascii(text[at])


def listed(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class Reader:
    """A place in a text that only moves forward."""

    def __init__(self, text: str, *, longest: int, what: str, line: int = 1, column: int = 1) -> None:
        self.text = text
        self.at = 0
        self.line = line
        self._line_began = 1 - column
        if len(text) > longest:
            self.at = longest
            self._line_began = text.rfind("\n", 0, longest) + 1
            self.line += text.count("\n", 0, longest)
            self.fail(f"{what} has at most {longest:,} characters, this one has {len(text):,}")

    def fail(self, problem: str, at: int | None = None) -> NoReturn:
        """Stop: the text is wrong here (or at an earlier place of the same line)."""
        place = self.at if at is None else at
        raise BadText(self.line, place - self._line_began + 1, problem)

    def expected(self, what: str) -> NoReturn:
        """Stop: something else was expected here."""
        self.fail(f"expected {what}, found {shown(self.text, self.at)}")

    @property
    def done(self) -> bool:
        return self.at >= len(self.text)

    def peek(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    def skip(self, exact: str, what: str = "") -> None:
        """Go past a text that must stand here."""
        if not self.skip_if(exact):
            self.expected(what or repr(exact))

    def skip_if(self, exact: str) -> bool:
        """Go past a text if it stands here."""
        if not self.text.startswith(exact, self.at):
            return False
        self.at += len(exact)
        if "\n" in exact:
            self.line += exact.count("\n")
            self._line_began = self.at - (len(exact) - exact.rfind("\n") - 1)
        return True

    def run(self, allowed: str) -> str:
        """All characters from here on that are allowed (perhaps none)."""
        begin = self.at
        while self.at < len(self.text) and self.text[self.at] in allowed:
            self.at += 1
        return self.text[begin : self.at]

    def number(self, what: str, low: int, high: int) -> int:
        """A number in plain digits, without a leading zero."""
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
        """The longest of the words that stands here."""
        for word in sorted(words, key=len, reverse=True):
            if self.skip_if(word):
                return word
        found = re.match(r"\w{2,20}", self.text[self.at : self.at + 20])
        if found:
            self.fail(f"expected {what}: {listed(list(words))}, found {found[0]!a}")
        self.expected(f"{what}: {listed(list(words))}")

    def end(self) -> None:
        """Nothing may follow."""
        if not self.done:
            self.expected("the end of the text")
