"""The refusals that the unit tests of the web client put into words: one for each code and phrase."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from tests.refusals import azul_cases, library_cases, schokoly_cases
from tests.refusals.cases import refusal_of
from tests.refusals.checks import phrases_of, table_of
from tests.refusals.codes import PART_NAMES, TABLES
from tests.table import refusal_cases
from tilery.games import GAMES
from tilery.table.refusals import error_of

CASES = {
    "library": library_cases.CASES,
    "azul": azul_cases.CASES,
    "schokoly": schokoly_cases.CASES,
    "table": refusal_cases.CASES,
}


def sentences() -> list[dict[str, Any]]:
    """For each: the family of games whose words it has ("" for none), and the refusal as clients get it."""
    found: dict[str, dict[str, Any]] = {}
    for name, cases in CASES.items():
        for case in cases:
            refused = refusal_of(case.request)
            table = table_of(name, refused)
            family = next(key for key, known in TABLES.items() if known is table)
            parts = sorted(PART_NAMES & refused.arguments.keys())
            key = json.dumps([refused.code, phrases_of(refused), parts])
            if key not in found:
                game = family if family in GAMES else ""
                found[key] = {"game": game, "error": msgspec.to_builtins(error_of(refused))}
    return list(found.values())
