"""`--help`: its examples are commands that exist, with options that exist."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.test_play import tilery
from tilery.cli.options import help_text

COMMANDS = (
    *("play", "resume", "show", "replay", "analyse", "bots", "engine", "perft", "simulate", "arena", "serve", "verify"),
    *("bench", "lab ladder", "lab tune", "lab fit", "db backup", "db restore", "db check"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples_with_options_that_it_has(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = tilery(*command.split(), "--help").out
    examples = [line.strip(" │").removeprefix("$ ") for line in shown.splitlines() if line.strip().startswith("$ ")]
    assert examples
    options = set(re.findall(r"│ +(--[\w-]+)", shown))
    for example in examples:
        words = shlex.split(example.rpartition("| ")[2])
        assert words[: 1 + len(command.split())] == ["tilery", *command.split()]
        assert {word for word in words if word.startswith("-")} <= options, example


def test_paragraphs_of_a_help_text_are_one_line_each() -> None:
    docstring = "Play.\n\nOne line\nand another.\n\nExamples:\n$ tilery play\n$ tilery play schokoly"
    assert help_text(docstring) == "Play.\n\nOne line and another.\n\nExamples:\n$ tilery play\n$ tilery play schokoly"
