"""What names look like: the data of Unicode, and the rules of its technical standard 39."""

from __future__ import annotations

import random
import sys
import unicodedata

import pytest

from tests import unicode_tables
from tilery.core.confusables import (
    invisible_in,
    is_name_of_bot,
    looks_of,
    mixes_scripts,
    skeleton,
    with_visible_characters,
)

BOTS = ("random", "greedy", "plain-uct", "tilery", "level-1", "level-3")


def short(value: object) -> str:
    return ascii(value)[:24]


@pytest.mark.parametrize(
    "word",
    [
        *("Anna", "Zoë", "Ștefan", "Пётр", "Їжак", "Ґалаґан", "Δημήτρης", "דוד", "שָׁלוֹם", "علی", "٣علی", "हिन्दी", "ไทย"),
        *(
            "日本",
            "さくら",
            "日本さくら",
            "Tシャツ",
            "김철수",
            "金철수",
            "Kim김",
            "O'Neil",
            "R2D2",
            "Пётр2",
            "Anna🦊",
            "🦊",
            "2026",
        ),
    ],
    ids=short,
)
def test_a_word_in_one_writing_system_is_fine(word: str) -> None:
    assert not mixes_scripts(word)
    assert invisible_in(unicodedata.normalize("NFC", word)) is None


@pytest.mark.parametrize(
    "word", ["Аnna", "Annа", "pаypal", "Ελλάda", "ꓐob", "Вob2", "日本Б", "Їvan", "аβ", "Anna-Петрова"], ids=short
)
def test_a_word_that_mixes_scripts_is_noticed(word: str) -> None:
    assert mixes_scripts(word)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *((letter, letter) for letter in "\u3164\u2800\u034f\u115f\u1160\uffa0\u17b4\ufe00\u180b\u00ad\U0001d159"),
        ("\U000e0100", "\U000e0100"),
        ("An\u3164na", "\u3164"),
        ("a\ufe0f", "\ufe0f"),
        ("\ufe0f", "\ufe0f"),
        ("❤\ufe0f\ufe0f", "\ufe0f"),
        ("e\u0323\u0301\u0302\u0303\u0304", "\u0304"),  # stacked
        ("x\u0301\u0301", "\u0301"),
        ("a \u0301", "\u0301"),  # without a letter
        ("❤\ufe0f", None),
        ("1\ufe0f\u20e3", None),
        ("x\u0323\u0301", None),
    ],
    ids=short,
)
def test_what_nobody_sees_is_found(text: str, found: str | None) -> None:
    assert invisible_in(text) == found
    shown = with_visible_characters(text)
    assert invisible_in(shown) is None
    assert ("\ufffd" in shown) is (found is not None)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Anna", "anna", True),
        ("Anna", "Аnnа", True),
        ("Anna", "𝐀𝐧𝐧𝐚", True),
        ("Anna", "Ａｎｎａ", True),
        ("Вова", "Boвa", True),
        ("Ivan", "lvan", True),
        ("IVAN", "ivan", True),
        ("Bob", "B0b", True),
        ("Karn", "Kam", True),
        ("Anna Lena", "AnnaLena", True),
        ("Anna-Lena", "Anna Lena", True),
        ("Heart ❤", "heart ❤\ufe0f", True),
        ("Anna", "Anne", False),
        ("Zoe", "Zoë", False),
        ("Player 1", "Player 2", False),
        ("Вера", "Вира", False),
        ("Anna", "Анна", False),
    ],
    ids=short,
)
def test_names_look_alike_by_the_data_of_unicode(one: str, other: str, alike: bool) -> None:
    assert bool(looks_of(one) & looks_of(other)) is alike


@pytest.mark.parametrize(
    ("name", "is_bots"),
    [
        *(
            (name, True)
            for name in ("greedy", "Greedy", "GRЕEDY", "Level 3", "LEVEL-3", "Leve1 3", "Tilery", "TiIery@1s")
        ),
        *((name, False) for name in ("Greta", "Level 33", "Tiler", "Anna", "ran dom2", "@", "")),
    ],
    ids=short,
)
def test_names_of_bots_are_known_in_every_form(name: str, is_bots: bool) -> None:
    assert is_name_of_bot(name, BOTS) is is_bots


def test_the_tables_are_those_of_icu() -> None:
    """The library of the Unicode consortium says the same, as far as it is installed in the same version."""
    library = unicode_tables.icu()
    text = unicode_tables.PATH.read_text(encoding="ascii")
    if library is None or f"Unicode {library.unicode_version()} " not in text:
        pytest.skip("ICU is not installed, or has the data of another version of Unicode")
    dice = random.Random(1)
    letters = [chr(code) for code in range(sys.maxunicode + 1) if _is_letter(chr(code))]
    for _ in range(3000):
        word = "".join(dice.choices(letters, k=4))
        assert skeleton(word) == library.skeleton(word), ascii(word)


def _is_letter(letter: str) -> bool:
    return letter.isprintable() and unicodedata.category(letter)[0] in "LN" and invisible_in(letter) is None


@pytest.mark.long
def test_the_table_is_what_the_script_writes() -> None:
    library = unicode_tables.icu()
    text = unicode_tables.PATH.read_text(encoding="ascii")
    if library is None or f"Unicode {library.unicode_version()} " not in text:
        pytest.skip("ICU is not installed, or has the data of another version of Unicode")
    assert unicode_tables.table(library) == text
