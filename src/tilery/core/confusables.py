"""What names look like: characters that look alike, scripts, and characters that nobody sees.

The data are those of Unicode (`unicode.txt`), the rules those of its technical standard 39, "Unicode security
mechanisms". They are read when the first name is.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

_PATH = Path(__file__).with_name("unicode.txt")
_EMOJI_STYLE = "\ufe0f"  # after a character that is no letter: show it as an emoji
_BLANK = "\u2800\U0001d159"  # drawn as nothing, although Unicode does not call them ignorable
_REPLACEMENT = "\ufffd"
# Writing systems that consist of several scripts, which therefore may be mixed in a word (UTS #39, 5.1).
_SYSTEMS = {
    "Jpan": frozenset({"Latn", "Hani", "Hira", "Kana"}),
    "Kore": frozenset({"Latn", "Hani", "Hang"}),
    "Hanb": frozenset({"Latn", "Hani", "Bopo"}),
}
MAX_MARKS = 4  # of accents and other marks in a row (UTS #39, 5.4)


class _Tables(NamedTuple):
    prototypes: dict[int, str]  # by code: what a character looks like
    starts: list[int]  # of ranges of characters with the same scripts
    ranges: list[tuple[int, frozenset[str]]]  # the last character of each range, and the scripts
    ignorable: frozenset[int]


def _codes(text: str) -> Iterator[tuple[int, int]]:
    for part in text.split():
        first, _, last = part.partition("-")
        yield int(first, 16), int(last or first, 16)


@cache
def _tables() -> _Tables:
    sections: dict[str, list[str]] = {}
    for line in _PATH.read_text(encoding="ascii").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            section.append(line)
    prototypes: dict[int, str] = {}
    for line in sections["confusables"]:
        looks, _, codes = line.partition(":")
        text = "".join(chr(code) for code, _ in _codes(looks))
        prototypes |= {code: text for code, _ in _codes(codes)}
    ranges = []
    for line in sections["scripts"]:
        names, _, codes = line.partition(":")
        scripts = frozenset(names.split())
        ranges += [(first, last, scripts) for first, last in _codes(codes)]
    ranges.sort(key=lambda each: each[0])
    ignorable = [code for first, last in _codes(sections["ignorable"][0]) for code in range(first, last + 1)]
    return _Tables(
        prototypes,
        [first for first, _, _ in ranges],
        [(last, names) for _, last, names in ranges],
        frozenset(ignorable),
    )


def _scripts_of(letter: str) -> frozenset[str]:
    """The scripts that a character is used in; none for what all of them use, such as digits and punctuation."""
    tables = _tables()
    at = bisect_right(tables.starts, ord(letter)) - 1
    last, scripts = tables.ranges[at] if at >= 0 else (-1, frozenset())
    return scripts if ord(letter) <= last else frozenset()


def mixes_scripts(word: str) -> bool:
    """Whether no writing system has all the characters of a word."""
    if word.isascii():
        return False
    used = [scripts for letter in word if (scripts := _scripts_of(letter))]
    if not used or frozenset.intersection(*used):
        return False
    return not any(all(scripts & system for scripts in used) for system in _SYSTEMS.values())


def invisible_in(text: str) -> str | None:
    """The first character that nobody sees, or mark that goes beyond what any writing system needs; None if there is
    none. Text is in the normal form NFC."""
    if text.isascii():
        return None
    ignorable = _tables().ignorable
    before, marks = " ", 0
    for letter in text:
        category = unicodedata.category(letter)
        is_mark = category in ("Mn", "Me")
        marks = marks + 1 if is_mark else 0 if category != "Mc" else marks
        if is_mark and (marks > MAX_MARKS or before.isspace() or letter == before):
            return letter
        if letter in _BLANK:
            return letter
        if ord(letter) in ignorable and not (letter == _EMOJI_STYLE and unicodedata.category(before)[0] in "SPN"):
            return letter
        before = letter
    return None


def with_visible_characters(text: str) -> str:
    """A text in which a sign stands for what nobody would see."""
    while letter := invisible_in(text):
        text = text.replace(letter, _REPLACEMENT)
    return text


def skeleton(text: str) -> str:
    """What a text looks like: texts with the same skeleton look alike (UTS #39, 4)."""
    tables = _tables()
    letters = unicodedata.normalize("NFD", text)
    looks = [tables.prototypes.get(ord(letter), letter) for letter in letters if ord(letter) not in tables.ignorable]
    return unicodedata.normalize("NFD", "".join(looks))


@cache
def _looks_of_bot(name: str) -> frozenset[str]:
    return looks_of(name)


def looks_of(name: str) -> frozenset[str]:
    """What a name looks like, whatever its case, blanks and hyphens. Names that have something in common look alike."""
    plain = "".join(name.replace("-", " ").replace("_", " ").split())
    return frozenset({skeleton(plain).casefold(), skeleton(plain.casefold()), skeleton(plain.upper()).casefold()})


def is_name_of_bot(name: str, bots: Collection[str]) -> bool:
    """Whether a name looks like that of a bot, or of one with a limit, such as `tilery@500ms`."""
    looks = looks_of(name.partition("@")[0])
    return any(looks & _looks_of_bot(bot) for bot in bots)
