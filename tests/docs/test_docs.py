"""The documents tell the truth: every example runs, every rule id and every link leads somewhere.

Blocks of one file run in order, in one namespace and one empty folder. A `python` block is a doctest, or plain
code that must print the `text` block right behind it. In a `console` block every `$ tilery ...` is run and the lines
below it must appear in its output, `...` standing for any lines and `(exit code 2)` for how it ends; a file is made
with `$ cat > FILE <<'END'`. Other blocks are only read.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tilery
from tests.conftest import ROOT
from tests.variants import AZUL

PAGES = sorted(
    path for pattern in ("docs/*.md", "docs/rules/*.md", "README.md", "CONTRIBUTING.md") for path in ROOT.glob(pattern)
)
NOTATION = ROOT / "docs" / "notation.md"
RULES = ROOT / "docs" / "rules" / "azul.md"
RULE_ID = re.compile(r"\b(?:AZ|MC)-\d+\b")
COMMAND = re.compile(r"\$ ((?:[A-Z_]+=\S* )*)tilery( .*)?")
HERE_TEXT = re.compile(r"\$ cat > (\S+) <<'(\w+)'")


class Block(NamedTuple):
    """A fenced block: its language, its lines, and the line of the file that its text begins on."""

    language: str
    lines: list[str]
    first: int
    follows: bool  # only blank lines stand between the block before and this one

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def blocks_of(text: str) -> Iterator[Block]:
    """All fenced blocks of a Markdown text."""
    language, fence, indent, first, follows = "", "", 0, 0, False
    held: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if fence:
            if line.strip() == fence:
                yield Block(language, held, first, follows)
                fence, follows = "", True
            else:
                held.append(line[indent:] if not line[:indent].strip() else line)
        elif opening := re.match(r"( *)(`{3,})(\w*)", line):
            indent, fence, language = len(opening[1]), opening[2], opening[3]
            first, held = number + 1, []
        elif line.strip():
            follows = False
    assert not fence, f"a block is never closed: line {first}"


def prose_of(text: str) -> str:
    """A Markdown text without its fenced blocks and its code."""
    outside = re.sub(r"^ *(`{3,}).*?^ *\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", outside)


def page(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run_python(block: Block, printed: str | None, names: dict[str, Any], where: str) -> None:
    """Run a block of Python: a doctest, or plain code that prints the given text (None: anything)."""
    if ">>> " in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, {}, where, where, block.first - 1)
        test.globs = names
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(test, out=report.write, clear_globs=False)
        assert not report.getvalue(), report.getvalue()
        return
    output = io.StringIO()
    code = compile("\n" * (block.first - 1) + block.text, where, "exec")
    with contextlib.redirect_stdout(output):
        exec(code, names)
    if printed is not None:
        assert output.getvalue() == printed, f"{where}:{block.first}"


def appears(expected: list[str], printed: list[str]) -> bool:
    """Whether the expected lines stand together in what was printed; `...` stands for any number of lines."""
    runs: list[list[str]] = [[]]
    for line in expected:
        if line.strip() == "...":
            runs.append([])
        else:
            runs[-1].append(line.rstrip())
    printed = [line.rstrip() for line in printed]
    at = 0
    for run in runs:
        found = next((k for k in range(at, len(printed) - len(run) + 1) if printed[k : k + len(run)] == run), None)
        if found is None:
            return False
        at = found + len(run)
    return True


def run_command(settings: str, words: str, expected: list[str], folder: Path, where: str) -> None:
    """Run one `$ tilery ...` and compare what it prints."""
    arguments = shlex.split(words)
    assert not {"|", ">", ">>", "&&", ";", "&"} & set(arguments), f"{where}: only simple commands are run"
    given = ""
    if "<" in arguments:
        at = arguments.index("<")
        given = (folder / arguments[at + 1]).read_text(encoding="utf-8")
        del arguments[at : at + 2]
    code = 0
    if expected and (ends := re.fullmatch(r"\(exit code (\d+)\)", expected[-1].strip())):
        code, expected = int(ends[1]), expected[:-1]
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    extra = {"TILERY_DATA": str(folder.parent / "data"), "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    own = dict(word.split("=", 1) for word in shlex.split(settings))
    run = subprocess.run(
        [sys.executable, "-m", "tilery", *arguments],
        cwd=folder,
        env={**kept, **extra, **own},
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    told = f"{where}: $ tilery {words}\n{run.stdout}{run.stderr}"
    assert run.returncode == code, told
    # As in a terminal, where a refusal is seen too.
    assert appears(expected, [*run.stdout.splitlines(), *run.stderr.splitlines()]), told


def run_console(block: Block, folder: Path, where: str) -> None:
    """Run the commands of a console block one after the other."""
    at = 0
    while at < len(block.lines):
        line, here = block.lines[at], f"{where}:{block.first + at}"
        at += 1
        if made := HERE_TEXT.fullmatch(line):
            end = block.lines.index(made[2], at)
            (folder / made[1]).write_text("".join(f"{text}\n" for text in block.lines[at:end]), encoding="utf-8")
            at = end + 1
            continue
        while line.startswith("$ ") and line.endswith("\\"):
            line = line[:-1] + block.lines[at].strip()
            at += 1
        expected: list[str] = []
        while at < len(block.lines) and not block.lines[at].startswith("$ "):
            expected.append(block.lines[at])
            at += 1
        while expected and not expected[-1].strip():
            expected.pop()
        if command := COMMAND.fullmatch(line):
            run_command(command[1], command[2] or "", expected, folder, here)


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_example_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {"__name__": "__main__"}
    blocks = list(blocks_of(page(path)))
    for number, block in enumerate(blocks):
        if block.language == "python":
            behind = blocks[number + 1] if number + 1 < len(blocks) else None
            shown = behind.text if behind and behind.follows and behind.language == "text" else None
            run_python(block, shown, names, name_of(path))
        elif block.language == "console":
            run_console(block, folder, name_of(path))


@pytest.mark.parametrize(
    "wrong",
    [
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\nprint(2)\n```\n\n```text\n3\n```\n",
        "```python\nraise AssertionError\n```\n",
        "```console\n$ tilery --version\ntilery of yesterday\n```\n",
        "```console\n$ tilery --version\n(exit code 3)\n```\n",
    ],
)
def test_a_wrong_example_is_noticed(wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wrong.md"
    path.write_text(wrong, encoding="utf-8")
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    with pytest.raises(AssertionError):
        test_every_example_runs(path, tmp_path, monkeypatch)


def test_lines_left_out_of_an_output() -> None:
    printed = ["a", "b", "c  ", "d"]
    for right in (["b", "c"], ["a", "...", "d"], ["...", "c", "..."], []):
        assert appears(right, printed)
    for wrong in (["a", "c"], ["d", "...", "a"], ["e"]):
        assert not appears(wrong, printed)


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_link_leads_to_a_file(path: Path) -> None:
    prose = prose_of(page(path))
    targets = re.findall(r"\]\(([^)\s]+)[^)]*\)", prose) + re.findall(r'\b(?:src|href)="([^"]*)"', prose)
    for target in targets:
        if not re.match(r"[a-z]+:|#", target):
            assert not target.startswith("/"), target
            assert (path.parent / target.partition("#")[0]).exists(), f"{name_of(path)} links to {target}"


# Rule ids.


def written_rules() -> list[str]:
    """The ids of all rules, in the order in which they are written down."""
    return re.findall(r"^- \*\*((?:AZ|MC)-\d+)\*\* ", page(RULES), re.MULTILINE)


def cited_in(*folders: str) -> dict[str, str]:
    """Every id that Python files cite, with a file that does."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            found |= dict.fromkeys(RULE_ID.findall(page(path)), name_of(path))
    return found


def test_every_rule_is_written_once_and_in_order() -> None:
    rules = written_rules()
    assert len(rules) > 40
    for family in ("AZ", "MC"):
        numbers = [int(rule[3:]) for rule in rules if rule.startswith(family)]
        assert numbers == sorted(set(numbers))


def test_every_rule_that_is_cited_is_written() -> None:
    rules = set(written_rules())
    for rule, where in cited_in("src", "tests").items():
        assert rule in rules, f"{where} cites {rule}"
    for path in PAGES:
        assert set(RULE_ID.findall(page(path))) <= rules, name_of(path)


def test_every_rule_is_tested() -> None:
    assert set(RULE_ID.findall(page(RULES))) <= set(cited_in("tests/rules/azul"))


# The grammars of docs/notation.md. They have no recursion, so each one is a regular expression.

DESCRIBED = {
    "printable character but { and }": r"[^{}\n]",
    'printable character but " and \\': r'[^"\\\n]',
    'the character "': '"',
    "A to Z, a to z": "[A-Za-z]",
    "the end of a line": r"\n",
    "tab": r"\t",
}
GRAMMAR_SIGNS = {"[": "(?:", "]": ")?", "{": "(?:", "}": ")*", "(": "(?:", ")": ")", "|": "|"}
GRAMMAR_TOKEN = re.compile(r'\s*(?:"([^"]*)"|\? (.*?) \?|([\w-]+)|([][{}()|]))')


def grammar() -> dict[str, str]:
    """All rules of the grammars: name and right side."""
    text = "".join(block.text for block in blocks_of(page(NOTATION)) if block.language == "ebnf")
    text = re.sub(r"\(\*.*?\*\)", "", text)
    rules = re.findall(r"^(\w+) += (.*?) ;\s*$", text, re.MULTILINE | re.DOTALL)
    assert len(rules) == len(dict(rules)) == text.count(";")
    return dict(rules)


def pattern_of(name: str, rules: dict[str, str]) -> str:
    """The regular expression behind a rule of the grammar."""
    parts: list[str] = []
    side, at = rules[name], 0
    while at < len(side):
        token = GRAMMAR_TOKEN.match(side, at)
        assert token, f"{name}: {side[at:]}"
        literal, described, other, sign = token.groups()
        if sign:
            parts.append(GRAMMAR_SIGNS[sign])
        elif other:
            parts.append(pattern_of(other, rules))
        else:
            parts.append(DESCRIBED[described] if described else re.escape(literal))
        at = token.end()
    return f"(?:{''.join(parts)})"


@pytest.mark.parametrize("number", range(len(AZUL)))
def test_the_grammars_describe_what_is_written(number: int) -> None:
    rules = grammar()
    read = {name: re.compile(pattern_of(name, rules)) for name in ("variant", "move", "position", "record")}
    stream = tilery.Stream("grammar", number)
    game = tilery.game(("azul", "chocolatier")[number % 2])
    position = game.new(AZUL[number])
    plies: list[tilery.Ply] = []
    assert read["variant"].fullmatch(position.rules.text)
    while position.actor != tilery.OVER and len(plies) < 400:
        action = position.draw(stream) if position.actor == tilery.CHANCE else stream.choice(position.actions())
        assert read["move"].fullmatch(position.move_text(action)), position.move_text(action)
        assert read["position"].fullmatch(position.text), position.text
        plies.append(tilery.Ply(position.actor, action))
        position = position.play(action)
    assert read["position"].fullmatch(position.text), position.text
    start = game.new(AZUL[number])
    record = tilery.Record(start, tuple(plies[:40]), ('"Ann" \\',), {"Place": "дом"}, {0: "now", 7: "seven"})
    assert read["record"].fullmatch(record.text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("variant", "2,specials,grey"),
        ("variant", "2,start=1"),
        ("variant", "2,rounds=07"),
        ("move", "3r2"),
        ("move", "+RB"),
        ("move", "4R2>Y<B"),
        ("move", "4R2<BB"),
        ("move", "4:6"),
        ("move", "3=butler"),
        ("position", "azul:2 round=1"),
        ("record", '[Tilery "1"] 1.\n'),
        ("record", '[Tilery "1"]\n\n1. 3r2\n'),
    ],
)
def test_the_grammars_refuse_what_is_not_written_like_that(name: str, text: str) -> None:
    assert not re.compile(pattern_of(name, grammar())).fullmatch(text)
