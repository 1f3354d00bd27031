"""A lock file for one process at a time, which the operating system releases however the process ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tilery.core.refusals import Refused

if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(path: Path) -> int:
    """Lock `<path>.lock`; returns a file descriptor, and `os.close` releases the lock."""
    file = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _try_lock(file)
    except OSError:
        os.close(file)
        raise Refused(
            f"another process is using {path}: stop it first (several processes can share a store in PostgreSQL)"
        ) from None
    return file
