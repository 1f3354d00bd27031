"""A real disk with little room."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Mount a file system of some megabytes. Skips the test without the right to mount one, and fails in CI."""
    folder.mkdir()
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    options = f"size={megabytes}m,uid={os.getuid()},mode=700"
    mount = [*sudo, "mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if shutil.which(mount[0]) is None or subprocess.run(mount, check=False, capture_output=True).returncode:
        text = "no small file system can be mounted: this needs root, or sudo without a password"
        if os.environ.get("CI"):
            pytest.fail(text)
        pytest.skip(text)
    try:
        yield folder
    finally:
        subprocess.run([*sudo, "umount", "--lazy", str(folder)], check=True)


def fill(folder: Path, left: int) -> Path:
    """Write a file that leaves only some bytes of a disk."""
    file = folder / "ballast"
    with file.open("ab") as out:
        while (free := shutil.disk_usage(folder).free - left) > 0:
            try:
                os.write(out.fileno(), bytes(min(free, 1 << 20)))
            except OSError:
                break
    return file
