"""A strict one-pass parser without backtracking; its errors say where it stopped and what was expected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from tilery.core.refusals import Argument, BadText, Refused, Sentences

DIGITS = "0123456789"
END_OF_TEXT, END_OF_LINE = "end-of-text", "end-of-line"  # what was found; anything else is the text that was found


def listed(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class Reader:
    """A cursor in a text that only moves forward.

    What was expected is told by a code, `what`, with arguments of its own; `sentences` has the phrase for it.
    """

    def __init__(
        self, text: str, sentences: Sentences, *, max_length: int, what: str, line: int = 1, column: int = 1
    ) -> None:
        self.text = text
        self.sentences = sentences
        self.at = 0
        self.line = line
        self._line_start = 1 - column
        if len(text) > max_length:
            self.at = max_length
            self._line_start = text.rfind("\n", 0, max_length) + 1
            self.line += text.count("\n", 0, max_length)
            self.refuse("text-too-long", what=what, most=max_length, length=len(text))

    def move_to(self, at: int) -> None:
        """Move forward to a place."""
        if "\n" in (skipped := self.text[self.at : at]):
            self.line += skipped.count("\n")
            self._line_start = self.at + skipped.rfind("\n") + 1
        self.at = at

    def fail(self, refused: Refused, at: int | None = None) -> NoReturn:
        """Raise `BadText` for this place (or for an earlier one in the same line)."""
        place = self.at if at is None else at
        raise BadText.at(self.line, place - self._line_start + 1, refused)

    def refuse(self, code: str, at: int | None = None, rule: str = "", /, **arguments: Argument) -> NoReturn:
        """Raise `BadText` with this code for this place (or for an earlier one in the same line)."""
        self.fail(self.sentences.refused(code, rule, **arguments), at)

    def expected(self, what: str, **arguments: Argument) -> NoReturn:
        """Raise `BadText`: something else was expected here."""
        self.refuse("expected", what=what, found=self.found, **arguments)

    @property
    def found(self) -> str:
        """What stands here, as an argument of a refusal: a character, END_OF_LINE or END_OF_TEXT."""
        if self.done:
            return END_OF_TEXT
        return END_OF_LINE if self.peek() == "\n" else self.peek()

    @property
    def done(self) -> bool:
        return self.at >= len(self.text)

    def peek(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    def skip(self, exact: str, what: str = "", **arguments: Argument) -> None:
        """Skip a text that must be here; `what` says what it is or what follows it."""
        if not self.skip_if(exact):
            self.expected(what or "text", **(arguments if what else {"text": exact}))

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

    def number(self, what: str, low: int, high: int, **arguments: Argument) -> int:
        """Read a number in plain digits, without a leading zero."""
        begin = self.at
        digits = self.run(DIGITS)
        if not digits:
            self.refuse("expected-number", what=what, low=low, high=high, found=self.found, **arguments)
        if (len(digits) > 1 and digits[0] == "0") or len(digits) > len(str(high)):
            self.refuse("number-form", begin, what=what, low=low, high=high, digits=digits[:12], **arguments)
        if not low <= int(digits) <= high:
            self.refuse("number-range", begin, what=what, low=low, high=high, number=int(digits), **arguments)
        return int(digits)

    def one_of(self, words: Sequence[str], what: str, **arguments: Argument) -> str:
        """Read the longest of the words that matches here."""
        for word in sorted(words, key=len, reverse=True):
            if self.skip_if(word):
                return word
        other = re.match(r"\w{2,20}", self.text[self.at : self.at + 20])
        found = other[0] if other else self.found
        self.refuse("expected-word", what=what, words=" ".join(words), found=found, **arguments)

    def end(self) -> None:
        """Require the end of the text."""
        if not self.done:
            self.expected(END_OF_TEXT)
