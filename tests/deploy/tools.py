"""Programs that are not Python packages: a test that needs one is skipped without it, and fails in CI."""

from __future__ import annotations

import os
import shutil

import pytest

SYSTEM_FOLDERS = "/usr/sbin:/sbin"  # where Debian has nginx, not on the PATH of every user


def tool(name: str) -> str:
    """The path of a program."""
    found = shutil.which(name) or shutil.which(name, path=SYSTEM_FOLDERS)
    if found is None:
        text = f"{name} is not installed"
        if os.environ.get("CI"):
            pytest.fail(text)
        pytest.skip(text)
    return found
