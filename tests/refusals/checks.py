"""Checks of cases of refusals, the same for the library, the games and tables."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from tests.refusals.cases import Case, refusal_of
from tests.refusals.codes import PART_NAMES, TABLES, phrases, sentence
from tilery import BadText
from tilery.core.refusals import Refused, Sentences
from tilery.core.sentences import LIBRARY


def phrases_of(refused: Refused) -> dict[str, str]:
    """The arguments of a refusal whose values are codes of phrases."""
    return {name: str(value) for name, value in refused.arguments.items() if name in phrases()}


def table_of(name: str, refused: Refused) -> Sentences:
    """The table that a refusal was made from: what a record contains is refused with the sentences of its game."""
    for table in (TABLES[name], *TABLES.values()):
        used = phrases_of(refused).items()
        if refused.code in table.texts and all(value in table.phrases.get(key, ()) for key, value in used):
            return table
    raise AssertionError(f"no table has {refused.code} for {refused.arguments}")


def check_case(name: str, case: Case) -> None:
    """Code, arguments, rule and place are as said, and the sentence has a placeholder for each argument."""
    refused = refusal_of(case.request)
    assert (refused.code, refused.arguments, refused.rule) == (case.code, case.arguments, case.rule)
    if case.place:
        assert isinstance(refused, BadText)
        assert (refused.line, refused.column) == case.place
    own = {key: value for key, value in refused.arguments.items() if key not in PART_NAMES}
    table = table_of(name, refused)
    assert set(own) == sentence(table, refused.code, phrases_of(refused)).arguments
    assert refused.reason.endswith(table.write(refused.code, own))
    assert str(refused).endswith(f" ({refused.rule})" if refused.rule else refused.reason)


def check_coverage(name: str, cases: Iterable[Case]) -> None:
    """There is a case for every code and every phrase of a table that is not one of the library in general."""
    table = TABLES[name]
    cases = list(cases)
    own = table.texts.keys() - (set() if name == "library" else LIBRARY.texts.keys())
    assert own <= {case.code for case in cases}
    met = {(argument, value) for case in cases for argument, value in case.arguments.items()}
    named = {(argument, value) for argument, values in table.phrases.items() for value in values}
    general = {(argument, value) for argument, values in LIBRARY.phrases.items() for value in values}
    assert (named if name == "library" else named - general) <= met


def check_source(path: Path) -> None:
    """No refusal is put together where it is raised; the codes of those of a table are in its table."""
    prose = {"Refused", "NotAMove", "NotLegal", "NotYourTurn", "BadText"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            where = f"line {node.lineno}: {ast.unparse(node)}"
            assert node.func.id not in prose, where
            if node.func.id == "TableRefused" and not isinstance(node.args[1], ast.Subscript):
                assert isinstance(node.args[1], ast.Constant), where
                assert node.args[1].value in TABLES["table"].texts, where
