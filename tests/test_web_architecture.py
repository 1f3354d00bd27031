"""The layers of the web client: imports agree with the table in docs/architecture.md, and games with their registry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

SOURCE = ROOT / "web" / "src"
HEADING = "## The web client"
ENTRY_POINTS = {"main.ts", "App.svelte", "vite-env.d.ts"}  # these combine everything, and may import every folder
MAX_LINES = 300  # lines of a file of code
REGISTRY = SOURCE / "boards" / "registry.ts"  # lists the games

FILES = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".ts", ".svelte"))


def layers(text: str) -> dict[str, set[str]]:
    """Which folders each folder may import, itself included, read from the table under HEADING.

    >>> layers("## The web client\\n| `ui` | components | `lib` |")
    {'ui': {'lib', 'ui'}}
    """
    _, _, section = text.partition(f"{HEADING}\n")
    table: dict[str, set[str]] = {}
    for line in section.partition("\n## ")[0].splitlines():
        if match := re.fullmatch(r"\| `(\w+)` \|[^|]*\| ([^|]*) \|", line):
            table[match[1]] = {*re.findall(r"`(\w+)`", match[2]), match[1]}
    return table


def imported(path: Path) -> set[str]:
    """The folders of web/src that a file imports from: static, dynamic and type imports, and globs."""
    text = path.read_text(encoding="utf-8")
    targets = re.findall(r"(?:\bfrom|\bimport|\bglob(?:<[^(]*>)?)\s*\(?\s*\[?\s*['\"](\.[^'\"]+)['\"]", text)
    inside = [(path.parent / target).resolve() for target in targets]
    return {place.relative_to(SOURCE).parts[0] for place in inside if place.is_relative_to(SOURCE)}


def games() -> list[str]:
    """The names of the games in the registry."""
    match = re.search(r"export const GAMES = \[([\w, ]+)\]", REGISTRY.read_text(encoding="utf-8"))
    assert match, "boards/registry.ts has no list GAMES"
    return match[1].split(", ")


def folders() -> list[Path]:
    """The folders of the games: those that the registry imports."""
    imports = re.findall(r"^import {[^}]*} from '\./(\w+)';", REGISTRY.read_text(encoding="utf-8"), re.M)
    return [REGISTRY.parent / name for name in imports]


def code(text: str) -> str:
    """A source without its comments.

    >>> code("a(); // as in Azul\\n/* Azul */ b('https://x');<!-- Azul -->")
    "a(); \\n b('https://x');"
    """
    return re.sub(r"(?<![:\"'])//[^\n]*|/\*.*?\*/|<!--.*?-->", "", text, flags=re.S)


def mentions(text: str, names: list[str]) -> list[str]:
    """The lines of code with the name of a game: in a text, a key, an import or an identifier.

    >>> mentions("if (game === 'azul') go(view as AzulView);\\n// Azul has rounds", ["azul"])
    ["if (game === 'azul') go(view as AzulView);"]
    """
    return [line for line in code(text).splitlines() if re.search("|".join(names), line, re.I)]


def documented() -> dict[str, set[str]]:
    table = layers((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    assert table, f"docs/architecture.md has no table of layers under {HEADING!r}"
    return table


def test_the_table_lists_exactly_the_folders() -> None:
    assert set(documented()) == {path.name for path in SOURCE.iterdir() if path.is_dir()}


def test_only_entry_points_lie_outside_of_a_folder() -> None:
    assert {path.name for path in SOURCE.iterdir() if path.suffix in (".ts", ".svelte")} == ENTRY_POINTS


def test_the_layers_have_no_cycle() -> None:
    left = {folder: below - {folder} for folder, below in documented().items()}
    while left:
        lowest = {folder for folder, below in left.items() if not below & set(left)}
        assert lowest, f"these folders import each other: {sorted(left)}"
        left = {folder: below for folder, below in left.items() if folder not in lowest}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_only_go_down(path: Path) -> None:
    parts = path.relative_to(SOURCE).parts
    if len(parts) > 1:
        assert imported(path) <= documented()[parts[0]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// Written by `make golden`") or len(text.splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", [*FILES, SOURCE / "theme.css"], ids=lambda path: str(path.relative_to(SOURCE)))
def test_games_are_known_by_name_only_in_their_folders(path: Path) -> None:
    """Only the registry and the folders of the games name a game, and no folder names a game of another one.

    Comments may give examples. Catalogues of texts, tours and rules are not code: their files and keys contain the
    names of games, and the code finds them by the name that the server or the registry gives.
    """
    if path == REGISTRY:
        return
    own = next((folder for folder in folders() if path.is_relative_to(folder)), None)
    others = [name for name in games() if own is None or not _is_of(name, own)]
    assert mentions(path.read_text(encoding="utf-8"), others) == []


@pytest.mark.parametrize("line", ["if (game === 'azul') go();", "view as AzulView", "t(`azul.move.${name}`)"])
def test_a_mention_of_a_game_is_found(line: str) -> None:
    assert mentions(f"// Azul has rounds\n{line} // a game\n/* Azul */ b('https://x'); <!-- Azul -->", ["azul"]) == [
        f"{line} "
    ]


def _is_of(game: str, folder: Path) -> bool:
    return f"export const {game}:" in (folder / "index.ts").read_text(encoding="utf-8")


def test_every_game_has_a_folder_with_all_parts() -> None:
    assert all(any(_is_of(game, folder) for folder in folders()) for game in games())
    parts = re.findall(r"`([\w.]+\.(?:ts|svelte))`", REGISTRY.read_text(encoding="utf-8"))
    assert len(parts) == len({*parts}) > 3
    for folder in folders():
        assert {*parts, "index.ts"} <= {path.name for path in folder.iterdir()}


def test_imports_of_every_kind_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_web_architecture.SOURCE", tmp_path)
    file = tmp_path / "table" / "Some.svelte"
    file.parent.mkdir()
    file.write_text(
        "import { a,\n  b } from '../lib/a';\nimport '../ui/b.css';\nexport { c } from '../pages/c';\n"
        "const d = () => import('../learn/d');\nlet e: import('../boards/e').E;\n"
        "const f = import.meta.glob<{ x: 1 }>('../replay/*.json');\nimport g from './g';\n"
        "import { h } from 'svelte';\n",
        encoding="utf-8",
    )
    assert imported(file) == {"lib", "ui", "pages", "learn", "boards", "replay", "table"}
