"""Wheels and source distributions, built as `pip` does it but without its isolation."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT


def build_package(kind: str, folder: Path, root: Path = ROOT) -> Path:
    """Build a `wheel` or `sdist` of a checkout into a folder; returns its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    done = subprocess.run(command, cwd=root, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (package,) = folder.iterdir()
    return package
