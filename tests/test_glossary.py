"""Names that were replaced by standard terms do not come back: identifiers, file names, wire names and metaphors.

The list is the tables "old name, new name" of CHANGELOG.md. It lists names; it does not police ordinary English.
"""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

# Old names may be mentioned where they are replaced by new ones, and where earlier versions are still read.
EXCEPTIONS = (
    "CHANGELOG.md",
    "tests/compatibility/",
    "tests/test_glossary.py",
    "src/tilery/table/events.py",
    "src/tilery/server/store/migrations.py",
)
SUFFIXES = {".py", ".ts", ".svelte", ".md", ".toml", ".json", ".js"}


def retired() -> list[str]:
    """What is in backticks in the first columns of the tables, exactly as it is searched for."""
    tables = re.findall(r"^\| old name \| new name \|\n\| --- \| --- \|\n((?:\|.*\n)*)", CHANGELOG, re.MULTILINE)
    return [name for row in "".join(tables).splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])]


@functools.cache
def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in listed.splitlines()]


@functools.cache
def texts() -> dict[str, str]:
    """The tracked source files and pages in which retired names are searched for, by path."""
    return {
        path.as_posix(): (ROOT / path).read_text(encoding="utf-8")
        for path in tracked()
        if path.suffix in SUFFIXES and not path.as_posix().startswith(EXCEPTIONS)
    }


def test_the_list_is_read() -> None:
    assert {"Position.odds", "Told", "House", "server/house.py", "server/doors/", "/api/house"} <= set(retired())


@pytest.mark.parametrize("name", retired())
def test_retired_names_do_not_come_back(name: str) -> None:
    if "/" in name and not name.startswith("/"):
        ending = "" if name.endswith("/") else "$"
        files = [path.as_posix() for path in tracked() if re.search(rf"/{re.escape(name)}{ending}", path.as_posix())]
        assert not files, f"{name} is retired (CHANGELOG.md): {', '.join(files)}"
        return
    pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    used = [path for path, text in texts().items() if pattern.search(text)]
    assert not used, f"{name} is retired (CHANGELOG.md): {', '.join(used)}"
