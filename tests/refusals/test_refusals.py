"""Refusals are facts: every code has a sentence for its arguments, and a case that is refused with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.refusals import azul_cases, engine_cases, library_cases, schokoly_cases
from tests.refusals.cases import Case
from tests.refusals.checks import check_case, check_coverage, check_source
from tests.refusals.codes import PART_NAMES, TABLES, codes, phrases, placeholders, sentences, tables_in
from tilery.core.sentences import PARTS

CASES: dict[str, list[Case]] = {
    "library": library_cases.CASES,
    "azul": azul_cases.CASES,
    "schokoly": schokoly_cases.CASES,
    "engine": engine_cases.CASES,
}
EVERY = [
    pytest.param(name, case, id=f"{name}-{number}-{case.code}")
    for name, cases in CASES.items()
    for number, case in enumerate(cases)
]


@pytest.mark.parametrize(("name", "case"), EVERY)
def test_a_request_is_refused_with_a_fact(name: str, case: Case) -> None:
    check_case(name, case)


@pytest.mark.parametrize("name", CASES)
def test_every_code_and_phrase_has_a_case(name: str) -> None:
    every = [case for cases in CASES.values() for case in cases]
    check_coverage(name, every if name == "library" else CASES[name])


def test_every_table_of_sentences_is_known() -> None:
    known = {*codes(), *PARTS.texts}
    found = [*tables_in("tilery.core"), *tables_in("tilery.games")]
    assert len(found) > len(TABLES)
    for name, table in found:
        assert table.texts.keys() <= known, name


@pytest.mark.parametrize("name", TABLES)
def test_a_sentence_can_be_written_for_every_code_and_phrase(name: str) -> None:
    """All placeholders are arguments, and one that has phrases is always replaced by one."""
    table = TABLES[name]
    assert len(table.texts) > 30
    for one in sentences(table):
        assert placeholders(one.text) <= one.arguments
        assert not placeholders(one.text) & set(one.phrases)
        assert not one.arguments & PART_NAMES


def test_a_code_means_the_same_everywhere() -> None:
    for table in TABLES.values():
        for code, text in table.texts.items():
            assert codes()[code] == text
        for name, values in table.phrases.items():
            for value, phrase in values.items():
                assert phrases()[name][value] == phrase, (name, value)


def test_a_part_of_something_larger_is_named() -> None:
    for name, text in PARTS.texts.items():
        assert placeholders(text) == {name}
    met = {name for case in library_cases.CASES for name in case.arguments}
    assert met & PART_NAMES == PART_NAMES - {"in_variant"}  # which only tables have


MAKERS = ("core/refusals.py", "core/sentences.py")  # where refusals are made from sentences
SOURCE = ROOT / "src" / "tilery"
MODULES = [
    path
    for package in ("core", "games")
    for path in sorted((SOURCE / package).rglob("*.py"))
    if path.relative_to(SOURCE).as_posix() not in MAKERS
] + [SOURCE / "engine" / "limits.py", SOURCE / "server" / "bots" / "allowed.py"]  # what reaches the web client


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_refusal_is_made_of_prose(path: Path) -> None:
    check_source(path)
