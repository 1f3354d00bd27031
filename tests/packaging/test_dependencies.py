"""Imports and pyproject.toml agree: every imported package is declared, every declared package is imported."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT

PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(PYPROJECT)["project"]
OURS = {"tilery", "tests", "bench"}


def _module_of(requirement: str) -> str:
    """The top-level module that a requirement installs: here always its name, with underscores."""
    return Requirement(requirement).name.lower().replace("-", "_")


def _declared(requirements: Iterable[str]) -> set[str]:
    return {_module_of(requirement) for requirement in requirements} - OURS


REQUIRED = _declared(PROJECT["dependencies"])
EXTRAS = {name: _declared(listed) for name, listed in PROJECT["optional-dependencies"].items()}
FOR_USERS = {name: modules for name, modules in EXTRAS.items() if name != "test"}


def _has_reason(module: str) -> bool:
    """Whether a comment follows the requirement on its line of pyproject.toml."""
    name = module.replace("_", "[-_]")
    return re.search(rf'^  "{name}(?![-\w])[^"]*",  # \w', PYPROJECT, re.MULTILINE | re.IGNORECASE) is not None


def _imported_by(source: str) -> set[str]:
    """The third-party top-level modules that a source imports, anywhere in it."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module.partition(".")[0])
    return modules - sys.stdlib_module_names - OURS


def _imported(*places: str) -> dict[str, str]:
    """Third-party modules imported by the files in these folders, each with one file that imports it."""
    files = [path for place in places for path in _python_files(ROOT / place)]
    return {module: str(path) for path in files for module in _imported_by(path.read_text(encoding="utf-8"))}


def _python_files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


SOURCE = _imported("src")
DEVELOPMENT = _imported("tests", "bench", "examples", "hatch_build.py", "web/build_page.py")


def test_whatever_the_package_imports_is_declared() -> None:
    declared = REQUIRED.union(*FOR_USERS.values())
    assert {module: path for module, path in SOURCE.items() if module not in declared} == {}


def test_whatever_is_declared_is_imported_or_has_a_reason() -> None:
    assert {module for module in REQUIRED - SOURCE.keys() if not _has_reason(module)} == set()


@pytest.mark.parametrize("extra", sorted(FOR_USERS))
def test_an_extra_is_imported_by_the_package_and_not_required_without_it(extra: str) -> None:
    assert FOR_USERS[extra] <= SOURCE.keys()
    assert not FOR_USERS[extra] & REQUIRED


def test_whatever_the_tests_import_is_declared() -> None:
    declared = REQUIRED.union(*EXTRAS.values())
    assert {module: path for module, path in DEVELOPMENT.items() if module not in declared} == {}


def test_whatever_is_declared_for_the_tests_is_imported_or_has_a_reason() -> None:
    assert {module for module in EXTRAS["test"] - DEVELOPMENT.keys() if not _has_reason(module)} == set()
    assert not EXTRAS["test"] & REQUIRED


def test_the_tests_have_every_extra() -> None:
    included = [Requirement(each) for each in PROJECT["optional-dependencies"]["test"]]
    assert {extra for each in included if each.name == "tilery" for extra in each.extras} == FOR_USERS.keys()


def test_uvicorn_has_an_upper_bound_because_the_server_subclasses_its_protocol() -> None:
    (uvicorn,) = [each for each in map(Requirement, PROJECT["dependencies"]) if each.name == "uvicorn"]
    assert "<" in {specifier.operator for specifier in uvicorn.specifier}


def test_imports_are_recognised_wherever_they_are() -> None:
    source = (
        "import os\nfrom . import near\nif x:\n    def f():\n        import a.b, c as d\n        from e.f import g\n"
    )
    assert _imported_by(source) == {"a", "c", "e"}


def test_a_reason_is_a_comment_on_the_same_line() -> None:
    assert _has_reason("uvloop")
    assert _has_reason("pytest_xdist")
    assert not _has_reason("numpy")
    assert not _has_reason("pytest")
