"""The files of an open SQLite store: whether they are still the ones that were opened, and what can be saved if not.

A file that is deleted or replaced stays open: SQLite goes on writing to it, and all of that is lost when the process
ends. So the paths are compared with what was opened.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from pathlib import Path

from tilery.core.atomic_write import temporary_path
from tilery.server.store.locking import MODE, StoreLock

Identity = tuple[int, int]


def _identity(path: Path) -> Identity | None:
    """The device and the inode; None if there is no such file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class StoreFiles:
    """The files of a store, as they are when this is created."""

    def __init__(self, lock: StoreLock) -> None:
        self.database = lock.path
        self.wal = lock.path.with_name(f"{lock.path.name}-wal")
        index = lock.path.with_name(f"{lock.path.name}-shm")
        self._opened = {path: _identity(path) for path in (self.database, self.wal, index, lock.lock_file)}
        self.note_version()

    def note_version(self) -> None:
        """The database file was written by this process."""
        found = self.database.stat()
        self._version = found.st_size, found.st_mtime_ns

    def replaced(self) -> list[str]:
        """The names of the files that were deleted, moved or replaced."""
        return [path.name for path, opened in self._opened.items() if _identity(path) != opened]

    def is_overwritten(self) -> bool:
        """Whether another program has written into the database file. On Windows, times are not exact enough."""
        if os.name != "posix":
            return False
        try:
            found = self.database.stat()
        except OSError:
            return False
        return (found.st_size, found.st_mtime_ns) != self._version

    def rescue(self, connection: sqlite3.Connection) -> Path | None:
        """Copy the store from the files that are still open; None if the database file was overwritten. Raises
        `OSError` or `sqlite3.Error`."""
        if _identity(self.database) == self._opened[self.database] and self.is_overwritten():
            return None
        copy = self.database.with_name(f"{self.database.name}.rescued-{time.strftime('%Y%m%d-%H%M%S')}")
        part = temporary_path(copy)
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, MODE))
        try:
            with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as target:
                connection.backup(target)
                target.execute("PRAGMA journal_mode = DELETE").close()
            os.replace(part, copy)
        finally:
            part.unlink(missing_ok=True)
        return copy

    def set_log_aside(self) -> None:
        """Rename the write-ahead log if the database file beside it is not the one that it belongs to: SQLite would
        apply it to that one, and damage what was restored."""
        replaced = self.replaced()
        if (self.database.name in replaced or self.is_overwritten()) and self.wal.name not in replaced:
            self.wal.rename(self.wal.with_name(f"{self.wal.name}.set-aside-{time.strftime('%Y%m%d-%H%M%S')}"))
