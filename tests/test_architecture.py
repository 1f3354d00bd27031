"""Imports only go down, numba is known in one module, compiled code is in hashed files, documented call paths exist."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SOURCE = ROOT / "src" / "tilery"


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def _section(heading: str) -> str:
    """A section of docs/architecture.md, without its heading."""
    return ARCHITECTURE.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def _layers() -> dict[str, set[str]]:
    """The table of layers: package, and the packages it may import."""
    layers: dict[str, set[str]] = {}
    for line in _section("Layers").splitlines():
        if match := re.fullmatch(r"\| `(\w+)` \|[^|]*\| ([^|]*) \|", line):
            layers[match[1]] = set(re.findall(r"`(\w+)`", match[2])) | {match[1]}
    return layers


def _imports(path: Path) -> set[str]:
    """Modules of ours that a file imports, with their full names (type checking and lazy imports too)."""
    found: set[str] = set()
    package = ["tilery", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_only_go_down(path: Path) -> None:
    layers = _layers()
    parts = path.relative_to(SOURCE).parts
    if len(parts) == 1:
        return  # the top-level package re-exports names
    package = parts[0]
    assert package in layers, f"docs/architecture.md does not list the package {package}"
    for name in _imports(path):
        if name.startswith("tilery.") and name.split(".")[1] in layers:
            assert name.split(".")[1] in layers[package], f"{package} may not import {name}"


CALL_PATHS = re.findall(r"`(tilery[\w.]*):([\w.]+)`", _section("Call paths"))


def test_every_call_path_is_documented() -> None:
    headings = re.findall(r"^### (.*)$", _section("Call paths"), re.MULTILINE)
    assert headings == ["A move", "A bot's move", "A batch of games", "An analysis", "A replay"]
    assert len(CALL_PATHS) >= 5 * len(headings)


@pytest.mark.parametrize(("module", "name"), CALL_PATHS, ids=lambda part: str(part))
def test_functions_of_call_paths_exist(module: str, name: str) -> None:
    found: object = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    assert callable(found)


@pytest.mark.parametrize(("heading", "package"), [("The lab", "lab"), ("Tables and the server", "server")])
def test_modules_of_a_package_are_documented(heading: str, package: str) -> None:
    lists = re.findall(r"^    (\w[\w, ]*?)  +\S", _section(heading), re.MULTILINE)
    documented = sorted(name for names in lists for name in names.split(", "))
    assert documented == sorted(module.name for module in pkgutil.iter_modules([str(SOURCE / package)]))


def test_numba_is_known_in_one_module() -> None:
    knowing = [path for path in FILES if any(name.split(".")[0] in ("numba", "llvmlite") for name in _imports(path))]
    assert [str(path.relative_to(SOURCE)) for path in knowing] == ["core/jit.py"]


def test_compiled_code_stands_only_in_files_that_the_cache_is_named_after() -> None:
    from tilery.core.jit import _family_of, _sources

    for path in FILES:
        text = path.read_text(encoding="utf-8")
        hashed = set(_sources(_family_of(path)))
        if re.search(r"^@(jit|inlined|outlined)$", text, re.MULTILINE):
            assert path in hashed, f"{path} has compiled code but is not hashed"
            for name in _imports(path):
                own = SOURCE.parent / (name.replace(".", "/") + ".py")
                if name.startswith("tilery.") and own.exists():
                    assert own in hashed, f"{path} compiles constants of {own}, which is not hashed"


def test_kernels_know_nothing_of_texts_and_pictures() -> None:
    for path in FILES:
        if path.parent.name == "kernel":
            for name in _imports(path):
                if name.startswith("tilery."):
                    assert ".kernel" in name or name.startswith("tilery.core.jit"), f"{path} imports {name}"


def test_modules_stay_small() -> None:
    for path in FILES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 450, f"{path} is too long: split it"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from tilery.cli.app import app; "
        "print([m for m in ('numba', 'numpy', 'tilery.games', 'tilery.engine') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    import tilery

    for name in tilery.__all__:
        assert getattr(tilery, name) is not None
    assert set(tilery.__all__) <= set(dir(tilery))
    with pytest.raises(AttributeError):
        _ = tilery.nonsense


def test_nothing_names_the_machine_it_was_made_on() -> None:
    """Sources, docs and settings stand alone: no address of a package registry, no home folder."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert listed.stdout
    for name in listed.stdout.split():
        path = ROOT / name
        if path.suffix in (".py", ".md", ".toml", ".c", ".yml", "") and path.is_file() and path != Path(__file__):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not re.search(r"/simple/|/(?:root|home/\w+)/", text), name
