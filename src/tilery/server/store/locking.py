"""One process at a time: a lock file, and a lock on the database file itself. The operating system releases both
however the process ends."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
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


# Elsewhere, such a lock would exclude SQLite's own locks of the same file.
LOCKS_DATABASE = sys.platform == "linux"
MODE = 0o600  # only the owner can read the files: they hold secrets


@dataclass(frozen=True)
class StoreLock:
    """A locked database. Close it after all of SQLite's connections: closing any descriptor of a database file releases
    the locks that SQLite holds on it."""

    path: Path  # without symbolic links: SQLite's other files and the lock file are next to it
    descriptors: tuple[int, ...]

    @property
    def lock_file(self) -> Path:
        return lock_file_of(self.path)

    def close(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)


def lock_file_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def lock(path: Path) -> StoreLock:
    """Lock a database, whatever name it is given: a link leads to the same lock. The database file is created if it is
    missing."""
    try:
        real = path.resolve()
    except RuntimeError:  # Python 3.11 and 3.12: links that lead to each other
        raise Refused(f"the database {path} cannot be opened: its symbolic links form a circle") from None
    descriptors: list[int] = []
    try:
        for file, is_locked in ((lock_file_of(real), True), (real, LOCKS_DATABASE)):
            descriptors.append(os.open(file, os.O_RDWR | os.O_CREAT, MODE))
            if is_locked:
                _lock_or_refuse(descriptors[-1], path)
        return StoreLock(real, tuple(descriptors))
    except BaseException:
        for descriptor in descriptors:
            os.close(descriptor)
        raise


def _lock_or_refuse(descriptor: int, path: Path) -> None:
    try:
        _try_lock(descriptor)
    except OSError:
        raise Refused(
            f"another process is using {path}: stop it first (several processes can share a store in PostgreSQL)"
        ) from None
