"""Can the tests fail? `python -m tests.mutants` plants bugs in the rules kernel, one at a time, and runs the tests.

Each mutant is a copy of the package with one small change in one kernel file: a comparison reversed, a sum turned
into a difference, a constant off by one, a condition forced, a statement left out. It runs as plain Python, so nothing
is compiled. A mutant counts as caught when a test fails, or when the tests do not end in time.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "tilery"
# For each family the tests that must notice, the fastest first: most mutants do not survive the first.
SUITES = {
    "azul": [
        "tests/test_fingerprint.py::test_the_signature_of_the_rules_is_known[azul]",
        "tests/playthroughs",
        "tests/rules/azul",
        "tests/perft",
        "tests/oracle/short_comparison.py::test_a_few_games_of_azul_agree",
    ],
    "schokoly": [
        "tests/test_fingerprint.py::test_the_signature_of_the_rules_is_known[schokoly]",
        "tests/rules/schokoly",
        "tests/oracle/short_comparison.py::test_a_few_games_of_schokoly_agree",
    ],
}
TIMEOUT = 600  # seconds for the whole run of one mutant
A_TEST = 20  # seconds for one test, so that a bug that makes it endless is caught soon

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Mod: ast.FloorDiv,
    ast.FloorDiv: ast.Mod,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """A file with one planted bug."""

    family: str
    file: str
    line: int
    what: str
    source: str


def _variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The bugs that can be planted at one node: a description, and the changed node."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            other = copy.deepcopy(node)
            other.ops[at] = _COMPARISONS[type(operator)]()
            yield f"{type(operator).__name__} -> {type(other.ops[at]).__name__}", other
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        changed = copy.deepcopy(node)
        changed.op = _OPERATORS[type(node.op)]()
        yield f"{type(node.op).__name__} -> {type(changed.op).__name__}", changed
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} -> {node.value + 1}", ast.Constant(node.value + 1)
    elif isinstance(node, ast.BoolOp):
        turned = copy.deepcopy(node)
        turned.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield f"{type(node.op).__name__} -> {type(turned.op).__name__}", turned
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        forced = copy.deepcopy(node)
        forced.test = ast.UnaryOp(ast.Not(), node.test)
        yield "condition turned", forced
    elif isinstance(node, ast.Assign | ast.AugAssign):
        yield "assignment left out", ast.Pass()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call left out", ast.Pass()
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "return 0", ast.Return(ast.Constant(0))


class _Planter(ast.NodeTransformer):
    """Replaces the one node that was chosen."""

    def __init__(self, target: ast.AST, by: ast.AST) -> None:
        self.target = target
        self.by = by

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.target:
            return ast.copy_location(self.by, node)
        self.generic_visit(node)
        return node


def _of_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes inside functions: tables and constants at the top of a file have separate tests."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                yield from ast.walk(statement)


def kernel_files(family: str) -> list[Path]:
    """The files of a family's rules kernel."""
    return sorted((PACKAGE / "games" / family / "kernel").glob("*.py"))


def mutants(family: str) -> list[Mutant]:
    """Every mutant of the rules kernel of a family."""
    result = []
    for path in kernel_files(family):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        clean = ast.unparse(tree)
        for node in list(_of_functions(tree)):
            for what, by in _variants(node):
                source = ast.unparse(ast.fix_missing_locations(_Planter(node, by).visit(tree)))
                if source != clean:
                    result.append(Mutant(family, path.name, getattr(node, "lineno", 0), what, source))
                _Planter(by, node).visit(tree)  # and back again
    return result


def is_caught(mutant: Mutant) -> bool:
    """Whether the tests notice."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE, folder / "src" / "tilery", ignore=ignored)
        shutil.copytree(ROOT / "tests", folder / "tests", ignore=ignored)
        shutil.copy(ROOT / "pyproject.toml", folder)
        target = folder / "src" / "tilery" / "games" / mutant.family / "kernel" / mutant.file
        target.write_text(mutant.source, encoding="utf-8")
        environment = {
            **os.environ,
            "TILERY_JIT": "0",
            "TEST_SECONDS": str(A_TEST),
            "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}",
        }
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *SUITES[mutant.family],
        ]
        try:
            run = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            return True
        return run.returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--family", choices=SUITES, default="azul", help="whose kernel (default azul)")
    parser.add_argument("--sample", type=int, default=160, help="how many mutants to try; 0 tries all (default 160)")
    parser.add_argument("--seed", default="tilery", help="which sample")
    parser.add_argument("--least", type=float, default=0.9, help="the share that must be caught (default 0.9)")
    parser.add_argument("--report", type=Path, help="write what happened to this file, as JSON lines")
    wanted = parser.parse_args()
    files = kernel_files(wanted.family)
    everything = mutants(wanted.family)
    chosen = everything
    if 0 < wanted.sample < len(everything):
        chosen = random.Random(wanted.seed).sample(everything, wanted.sample)
    clean = Mutant(wanted.family, files[0].name, 0, "no bug", files[0].read_text(encoding="utf-8"))
    if is_caught(clean):
        sys.exit("The tests fail without a planted bug: fix that first.")
    print(f"{len(everything)} mutants of {len(files)} files, trying {len(chosen)} ...", flush=True)
    caught = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for number, (mutant, seen) in enumerate(zip(chosen, pool.map(is_caught, chosen), strict=True), start=1):
            caught += seen
            if not seen:
                print(f"  survived: {mutant.file}:{mutant.line} {mutant.what}", flush=True)
            if wanted.report:
                entry = asdict(mutant) | {"caught": seen}
                del entry["source"]
                with wanted.report.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(entry) + "\n")
            if number % 20 == 0:
                print(f"{number} tried, {caught} caught ({100 * caught / number:.1f} %)", flush=True)
    share = caught / len(chosen)
    print(f"{len(chosen)} mutants, {caught} caught: {100 * share:.1f} %")
    sys.exit(share < wanted.least)


if __name__ == "__main__":
    main()
