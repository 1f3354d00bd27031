"""Writing that never leaves half a file."""

from __future__ import annotations

import os
from pathlib import Path


def part_of(path: Path) -> Path:
    """Where a file is written before it takes its place."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that at any moment either the old or the new one is there."""
    part = part_of(path)
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
