"""Atomic file writes."""

from __future__ import annotations

import os
from pathlib import Path


def temporary_path(path: Path) -> Path:
    """The temporary file next to `path` that replaces it once it is complete."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def write_atomically(path: Path, text: str) -> None:
    """Write a file atomically: at any moment either the old or the new content is there."""
    part = temporary_path(path)
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
