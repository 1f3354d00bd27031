"""Refusals of tables are facts: every code has a sentence for its arguments, and a case that is refused with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.refusals.cases import Case
from tests.refusals.checks import check_case, check_coverage, check_source
from tests.refusals.codes import codes, tables_in
from tests.table.refusal_cases import CASES
from tilery.games import GAMES
from tilery.table.refusals import TableRefused, error_of, from_rules

SOURCE = ROOT / "src" / "tilery" / "table"
MODULES = sorted(path for path in SOURCE.glob("*.py") if path.name != "refusals.py")


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{n}-{case.code}") for n, case in enumerate(CASES)])
def test_a_request_is_refused_with_a_fact(case: Case) -> None:
    check_case("table", case)


def test_every_code_and_phrase_has_a_case() -> None:
    check_coverage("table", CASES)


def test_every_table_of_sentences_is_known() -> None:
    for name, table in tables_in("tilery.table"):
        assert table.texts.keys() <= codes().keys(), name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_refusal_is_made_of_prose(path: Path) -> None:
    check_source(path)


def test_a_refusal_of_the_rules_stays_the_same_fact() -> None:
    refused = GAMES["azul"].new().refusal("3R2")
    assert refused
    told = error_of(from_rules(refused))
    assert (told.kind, told.code, told.arguments, told.rule) == ("not-legal", "not-now", {"due": "fill"}, "AZ-10")
    assert told.text == str(refused)
    again = TableRefused.of("bad-text", refused)
    assert (again.kind, again.code, str(again)) == ("bad-text", "not-now", str(refused))
