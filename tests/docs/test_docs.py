"""The documentation is right: every example runs, and every rule id and link resolves.

Blocks of one file run in order, in one namespace and one empty folder. A `python` block is a doctest, or plain
code that must print the `text` block right behind it. In a `console` block every `$ tilery ...` is run and the lines
below it must appear in its output, `...` standing for any lines and `(exit code 2)` for how it ends; a file is made
with `$ cat > FILE <<'END'`. Other blocks are only read.
"""

from __future__ import annotations

import ast
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
from tests.variants import EVERY

PAGES = sorted(
    path for pattern in ("docs/*.md", "docs/rules/*.md", "README.md", "CONTRIBUTING.md") for path in ROOT.glob(pattern)
)
NOTATION = ROOT / "docs" / "notation.md"
RULES = {"azul": ("AZ", "MC"), "schokoly": ("SC",)}  # the pages under docs/rules, and what the ids there begin with
RULE_ID = re.compile(r"\b(?:AZ|MC|SC)-\d+\b")
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
    """Whether the expected lines are adjacent in what was printed; `...` stands for any number of lines."""
    runs: list[list[str]] = [[]]
    for line in expected:
        if line.strip() == "...":
            runs.append([])
        else:
            runs[-1].append(line.rstrip())
    printed = [line.rstrip() for line in printed]
    at = 0
    for run in runs:
        start = next((k for k in range(at, len(printed) - len(run) + 1) if printed[k : k + len(run)] == run), None)
        if start is None:
            return False
        at = start + len(run)
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
    transcript = f"{where}: $ tilery {words}\n{run.stdout}{run.stderr}"
    assert run.returncode == code, transcript
    # As in a terminal, where a refusal is seen too.
    assert appears(expected, [*run.stdout.splitlines(), *run.stderr.splitlines()]), transcript


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


def rules_page(name: str) -> str:
    return page(ROOT / "docs" / "rules" / f"{name}.md")


def written_rules(name: str) -> list[str]:
    """The ids of all rules of a page, in the order in which they are written down."""
    return re.findall(r"^- \*\*([A-Z]{2}-\d+)\*\* ", rules_page(name), re.MULTILINE)


def cited_in(*folders: str) -> dict[str, str]:
    """Every id that Python files cite, with a file that does."""
    cited: dict[str, str] = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            cited |= dict.fromkeys(RULE_ID.findall(page(path)), name_of(path))
    return cited


def cited_in_tests_of(folder: str) -> set[str]:
    """Every id that the docstring of a test cites."""
    tests = (
        node
        for path in (ROOT / folder).rglob("test_*.py")
        for node in ast.walk(ast.parse(page(path)))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )
    return {rule for test in tests for rule in RULE_ID.findall(ast.get_docstring(test) or "")}


def test_every_page_of_rules_is_known() -> None:
    assert {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")} == set(RULES)


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_written_once_and_in_order(name: str) -> None:
    rules = written_rules(name)
    assert len(rules) > 30
    assert {rule[:2] for rule in rules} == set(RULES[name])
    for family in RULES[name]:
        numbers = [int(rule[3:]) for rule in rules if rule.startswith(family)]
        assert numbers == sorted(set(numbers))


def test_every_rule_that_is_cited_is_written() -> None:
    rules = {rule for name in RULES for rule in written_rules(name)}
    for rule, where in cited_in("src", "tests").items():
        assert rule in rules, f"{where} cites {rule}"
    for path in PAGES:
        assert set(RULE_ID.findall(page(path))) <= rules, name_of(path)


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_tested(name: str) -> None:
    written = set(written_rules(name)) | set(RULE_ID.findall(rules_page(name)))
    assert written <= cited_in_tests_of(f"tests/rules/{name}")


@pytest.mark.parametrize("name", RULES)
def test_the_code_and_the_tests_of_a_game_cite_its_own_rules(name: str) -> None:
    cited = cited_in(f"src/tilery/games/{name}", f"tests/rules/{name}")
    assert set(cited) <= set(written_rules(name))


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


def grammar(family: str) -> dict[str, str]:
    """All rules of the grammars that hold for a family of games: name and right side."""
    others = [other.capitalize() for other in EVERY if other != family]
    parts = re.split(r"^## ", page(NOTATION), flags=re.MULTILINE)
    assert {part.partition("\n")[0] for part in parts} > {family.capitalize(), *others}
    blocks = [block for part in parts if part.partition("\n")[0] not in others for block in blocks_of(part)]
    text = "".join(block.text for block in blocks if block.language == "ebnf")
    text = re.sub(r"\(\*.*?\*\)", "", text)
    rules = re.findall(r"^(\w+) += (.*?) ;\s*$", text, re.MULTILINE | re.DOTALL)
    assert len(rules) == len(dict(rules)) == len(re.findall(r";\s*$", text, re.MULTILINE))
    return dict(rules)


def grammar_of(game: tilery.Game) -> dict[str, str]:
    """The grammars that hold for a game: those of its family, for Chocolatier in its own letters."""
    rules = grammar(game.family)
    if game.name == "chocolatier":
        letters = str.maketrans("BYRKW", "BNWKR")
        rules |= {name: rules[name].translate(letters) for name in ("colour", "colours", "tiles")}
    return rules


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


@pytest.mark.parametrize(("family", "number"), [(name, k) for name, every in EVERY.items() for k in range(len(every))])
def test_the_grammars_describe_what_is_written(family: str, number: int) -> None:
    editions = [game for game in tilery.GAMES.values() if game.family == family]
    game = editions[number % len(editions)]
    rules = grammar_of(game)
    read = {name: re.compile(pattern_of(name, rules)) for name in ("variant", "move", "ply", "position", "record")}
    stream = tilery.Stream("grammar", number)
    start = position = game.new(EVERY[family][number])
    plies: list[tilery.Ply] = []
    assert read["variant"].fullmatch(position.rules.text)
    while position.actor != tilery.OVER and len(plies) < 400:
        # The first ones half of the time: offers, which are few among many cards that could be laid.
        actions = position.actions()[: None if stream.below(2) else 8]
        action = position.draw(stream) if position.actor == tilery.CHANCE else stream.choice(actions)
        assert read["move"].fullmatch(position.move_text(action)), position.move_text(action)
        assert read["position"].fullmatch(position.text), position.text
        for seen in map(position.seen_by, range(position.seats)):
            veiled = position.veiled(action, seen.seat)
            assert read["ply"].fullmatch(seen.move_text(veiled)), seen.move_text(veiled)
            assert read["position"].fullmatch(seen.text), seen.text
        plies.append(tilery.Ply(position.actor, action))
        position = position.play(action)
    assert read["position"].fullmatch(position.text), position.text
    record = tilery.Record(start, tuple(plies[:40]), ('"Ann" \\',), {"Place": "дом"}, {0: "now", 7: "seven"})
    assert read["record"].fullmatch(record.text)
    later = tilery.Record(record.last, tuple(plies[40:60]))
    for seat in range(position.seats):
        assert read["record"].fullmatch(record.seen_by(seat).text)
        assert read["record"].fullmatch(later.seen_by(seat).comment("seen").text)


@pytest.mark.parametrize(
    "words",
    [
        "passes=1 barred=1:DDDM.DDDW,2:WWDM",
        "asked=1 swapped known=1>2:WWDM,2>1:DDMW.DDMW said=3>1:D2,3>2:M0.W2",
        "asked=13 offer=?:0>3 answer=MMWD:1",
    ],
)
def test_the_grammar_of_schokoly_has_all_that_a_position_may_say(words: str) -> None:
    position = re.compile(pattern_of("position", grammar("schokoly")))
    text = "schokoly:3,swap seen=1 accept:2 kinds=D/-/M tokens=0/4/3 hands=DDDM.?/-/? stack=?19 table=WDDM@-10,3^"
    assert position.fullmatch(f"{text} {words}")
    assert not position.fullmatch(f"{text} {words} ")
    assert not position.fullmatch(f"{text} " + " ".join(reversed(words.split())))


@pytest.mark.parametrize(
    ("family", "name", "text"),
    [
        ("azul", "variant", "2,specials,grey"),
        ("azul", "variant", "2,start=1"),
        ("azul", "variant", "2,rounds=07"),
        ("azul", "move", "3r2"),
        ("azul", "move", "+RB"),
        ("azul", "move", "4R2>Y<B"),
        ("azul", "move", "4R2<BB"),
        ("azul", "move", "4:6"),
        ("azul", "move", "3=butler"),
        ("azul", "position", "azul:2 round=1"),
        ("azul", "record", '[Tilery "1"] 1.\n'),
        ("azul", "record", '[Tilery "1"]\n\n1. 3r2\n'),
        ("azul", "record", '[Tilery "1"]\n\n1. +?\n'),
        ("schokoly", "variant", "2,swap"),
        ("schokoly", "variant", "3,swap,large"),
        ("schokoly", "variant", "2,classic"),
        ("schokoly", "move", "Dark"),
        ("schokoly", "move", "wddm@3,-2"),
        ("schokoly", "move", "WDDM@3,-02"),
        ("schokoly", "move", "WDDM@-0,0"),
        ("schokoly", "move", "WDDM@100,0"),
        ("schokoly", "move", "WDDM@3,-2!"),
        ("schokoly", "move", "+WDDM"),
        ("schokoly", "move", "+?"),
        ("schokoly", "move", "accept:DDDM"),
        ("schokoly", "ply", "offer:?4>3"),
        ("schokoly", "ply", "offer:?DDDM>3"),
        ("schokoly", "ply", "answer:WDDM"),
        ("schokoly", "position", "schokoly:2 place:1"),
        ("schokoly", "record", '[Tilery "1"]\n\n1. WDDM@0,0!\n'),
    ],
)
def test_the_grammars_refuse_what_is_not_written_like_that(family: str, name: str, text: str) -> None:
    assert not re.compile(pattern_of(name, grammar(family))).fullmatch(text)
