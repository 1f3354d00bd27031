"""Every code of a refusal of the library, of tables and of the engine, with its sentences and arguments."""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import string
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tilery.core.refusals import Sentences
from tilery.core.sentences import LIBRARY, PARTS
from tilery.engine.refusals import SENTENCES as ENGINE
from tilery.games import GAMES
from tilery.table.refusals import SENTENCES as TABLE

# All others contain those of the library.
TABLES: dict[str, Sentences] = {
    "library": LIBRARY,
    **{game.family: game.sentences for game in reversed(GAMES.values())},  # of a family the first game
    "table": TABLE,
    "engine": ENGINE,
}
PART_NAMES = frozenset(PARTS.texts)  # arguments that any refusal may have


def placeholders(text: str) -> set[str]:
    """The names in braces in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


class Sentence(NamedTuple):
    """A sentence with its phrases put in; `phrases` are the values of the arguments that have phrases."""

    code: str
    phrases: Mapping[str, str]
    text: str
    arguments: frozenset[str]


def sentence(table: Sentences, code: str, phrases: Mapping[str, str]) -> Sentence:
    """The sentence of a code for these values of its arguments that have phrases."""
    text = table.texts[code]
    arguments = placeholders(text)
    for name, value in phrases.items():
        text = text.replace("{" + name + "}", table.phrases[name][value])
        arguments |= placeholders(table.phrases[name][value])
    return Sentence(code, phrases, text, frozenset(arguments))


def sentences(table: Sentences) -> Iterator[Sentence]:
    """Every sentence of a table, with every phrase that it may have."""
    for code, text in table.texts.items():
        names = sorted(placeholders(text) & table.phrases.keys())
        for values in itertools.product(*(table.phrases[name] for name in names)):
            yield sentence(table, code, dict(zip(names, values, strict=True)))


def codes() -> dict[str, str]:
    """The English text of every code, from all tables."""
    return {code: text for table in TABLES.values() for code, text in table.texts.items()}


def phrases() -> dict[str, dict[str, str]]:
    """The English phrases, by argument and value, from all tables."""
    merged: dict[str, dict[str, str]] = {}
    for table in TABLES.values():
        for name, values in table.phrases.items():
            merged.setdefault(name, {}).update(values)
    return merged


def tables_in(package: str) -> Iterator[tuple[str, Sentences]]:
    """Every table of sentences that a module of a package defines or imports, with its name."""
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Sentences):
                yield f"{module.name}.{name}", value
