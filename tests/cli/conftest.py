"""Record files for the tests of commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.games import PART, WHOLE


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.tilery"
    path.write_text(WHOLE.text, encoding="utf-8")
    return path


@pytest.fixture
def part(tmp_path: Path) -> Path:
    path = tmp_path / "part.tilery"
    path.write_text(PART.text, encoding="utf-8")
    return path
