"""Every refusal has words in every language of the web client, with the same arguments."""

from __future__ import annotations

import json
import re

import pytest

from tests.conftest import ROOT
from tests.refusals.codes import codes, phrases, placeholders
from tilery.core.sentences import PARTS
from tilery.games import GAMES

FOLDER = ROOT / "web" / "src" / "translations"
LANGUAGES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())

# What the web client needs besides: places, quotes, and what arguments are called.
OTHERS = {
    "place": {"line", "column", "reason"},
    "quoted": {"text"},
    "actor.seat": {"n"},
    "actor.chance": set(),
    "actor.over": set(),
    "actor.spectator": set(),
    "found.end-of-text": set(),
    "found.end-of-line": set(),
}


def _wanted() -> dict[str, set[str]]:
    """The placeholders of every key."""
    wanted: dict[str, set[str]] = dict(OTHERS)
    wanted |= {code: placeholders(text) for code, text in codes().items()}
    wanted |= {name: placeholders(text) | {"reason"} for name, text in PARTS.texts.items()}
    for name, values in phrases().items():
        wanted |= {f"{name}.{value}": placeholders(text) for value, text in values.items()}
    return wanted


def test_all_languages_are_known() -> None:
    assert LANGUAGES == ["en", "ro", "ru", "uk"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_and_phrase_has_words(language: str) -> None:
    """With the placeholders of the English sentence; a game may have words of its own besides."""
    texts = json.loads((FOLDER / language / "refusals.json").read_text(encoding="utf-8"))
    wanted = _wanted()
    general = {}
    for key, text in texts.items():
        name = key.removeprefix("refusals.")
        base, _, game = name.rpartition(".")
        if game in GAMES:
            assert base in wanted, key
            name = base
        else:
            general[name] = text
        assert set(re.findall(r"\{(\w+)\}", text)) == wanted[name], key
    assert general.keys() == wanted.keys()
