"""English texts of the server that the web client recognises in order to show them in the user's language.

If a text changed on one side only, it would be shown in English, or as the wrong reason.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from tests.variants import EVERY
from tilery.engine.bots import BOTS
from tilery.engine.family import family_of
from tilery.games import GAMES, azul, schokoly

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
LABELS = (WEB / "src" / "lib" / "labels.ts").read_text("utf-8")
SCHOKOLY = (WEB / "src" / "boards" / "schokoly" / "describe.ts").read_text("utf-8")
REASONS = re.findall(r"\[/(.+?)/, '(SC-\d+-\w+)'\]", SCHOKOLY)
FIXTURE = json.loads((WEB / "tests" / "fixtures" / "schokoly-refusals.json").read_text("utf-8"))


def keys(name: str) -> set[str]:
    """The keys of a constant object in labels.ts."""
    _, _, rest = LABELS.partition(f"const {name}: Record<string, string> = {{\n")
    return {
        first or second for first, second in re.findall(r"^  (?:'([^']+)'|(\w+)): ", rest.partition("\n};")[0], re.M)
    }


def texts_in(path: Path) -> list[str]:
    """The string literals of a Python module; a placeholder of an f-string is written as `*`."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    formatted = [node.values for node in nodes if isinstance(node, ast.JoinedStr)]
    parts = {id(part) for values in formatted for part in values}
    plain = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in parts]
    return [
        *(
            "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in values)
            for values in formatted
        ),
        *(node.value for node in plain if isinstance(node.value, str)),
    ]


REFUSALS = [re.sub(r"\{\w+\}", "*", text) for text in {*texts_in(Path(schokoly.__file__).with_name("refusals.py"))}]


def test_every_description_of_a_bot_is_translated() -> None:
    levels = {
        level.about
        for game in GAMES.values()
        for rules in EVERY[game.family]
        for level in family_of(game).levels(rules)
    }
    others = {bot.about for name, bot in BOTS.items() if not name.startswith("level-")}
    assert keys("ABOUT") == levels | others


def test_every_ending_is_translated() -> None:
    endings = {text for rules in (azul.scoring.RULES, schokoly.scoring.RULES) for text, _ in rules.values()}
    assert keys("ENDINGS") == endings | {"resigned", "time", "draw"}


def test_every_score_item_is_translated() -> None:
    items = {
        text
        for family in (azul, schokoly)
        for text in texts_in(Path(family.scoring.__file__))
        if re.match(r"\* tiling|complete \*|largest|neutral|total", text)
    }
    assert items == {
        "* tiling, less the *",
        "complete *, * each",
        "largest group of its own kind",
        "neutral group of * at *,*",
        "total",
    }
    for part in (" tiling, less the ", "complete (", "largest group of its own kind", "neutral group of ", "total"):
        assert part in LABELS


@pytest.mark.parametrize(("pattern", "reason"), REASONS)
def test_a_reason_is_recognised_by_exactly_one_refusal(pattern: str, reason: str) -> None:
    matching = [text for text in REFUSALS if re.search(pattern, text)]
    assert len(matching) == 1, f"{reason}: {matching}"


@pytest.mark.parametrize("refusal", FIXTURE, ids=lambda refusal: refusal["text"][:40])
def test_the_refusals_of_the_unit_tests_are_those_of_the_server(refusal: dict[str, str]) -> None:
    text = refusal["text"].removesuffix(f" ({refusal['rule']})").removeprefix("not now: ")
    templates = [
        ".*".join(re.escape(part) for part in template.split("*")) for template in REFUSALS if len(template) > 8
    ]
    assert any(re.fullmatch(template + r"( \(.*\))?", text) for template in templates)
