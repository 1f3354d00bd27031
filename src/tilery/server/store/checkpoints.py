"""Checkpoints of SQLite's write-ahead log (WAL), which copy it into the database file so that it can begin again.

SQLite would do this by itself after a number of pages, whatever room there is on the disk. Here the limit follows the
free space, and only these checkpoints write to the database file, so that a change by anybody else is noticed.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

MAX_PAGES = 4_000  # 16 MB of write-ahead log before a checkpoint
MIN_PAGES = 100
MAX_FILE_BYTES = 64 << 20  # a larger file (after a long backup) is truncated when the log begins again
FREE_SPACE_SHARE = 4  # the log may grow to a fourth of the space that is left
RESERVE_BYTES = 8 << 20  # for what one group of requests writes, and for other programs
BUSY_MILLISECONDS = 10_000  # to wait for a lock of another process, such as a backup


def free_bytes(path: Path) -> int:
    """The free space on the disk of a file."""
    return shutil.disk_usage(path.parent).free


class WriteAheadLog:
    """The log of an open database. `is_unchanged` is asked before a checkpoint: pages must never be copied into a file
    that somebody has replaced. `on_copied` is called after each."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        is_unchanged: Callable[[], bool],
        on_copied: Callable[[], None],
    ) -> None:
        self._connection = connection
        self._path = path
        self._is_unchanged = is_unchanged
        self._on_copied = on_copied
        self.file = path.with_name(f"{path.name}-wal")
        self._page_bytes = int(connection.execute("PRAGMA page_size").fetchone()[0])
        self._max_pages = MAX_PAGES
        self._requests = 0  # written since the last checkpoint
        self._pages = 0  # in the log after the last checkpoint, if a reader still needed it
        self._pages_per_request = 4.0  # measured at each checkpoint
        for setting in ("wal_autocheckpoint = 0", f"busy_timeout = {BUSY_MILLISECONDS}"):
            connection.execute(f"PRAGMA {setting}").close()
        self.fit(free_bytes(path))

    def fit(self, free: int) -> None:
        """Choose the size of the log by the free space."""
        share = max(0, free - RESERVE_BYTES) // FREE_SPACE_SHARE
        self._max_pages = min(MAX_PAGES, max(MIN_PAGES, share // self._page_bytes))
        limit = min(MAX_FILE_BYTES, max(MIN_PAGES * self._page_bytes, share))
        self._connection.execute(f"PRAGMA journal_size_limit = {limit}").close()

    def bytes_needed(self) -> int:
        """The free space below which nothing may be written: the next checkpoint has to fit, too."""
        pages = int(self._connection.execute("PRAGMA page_count").fetchone()[0])
        return RESERVE_BYTES + max(0, pages * self._page_bytes - self._path.stat().st_size)

    def wrote(self, requests: int) -> None:
        """Count requests; time for a checkpoint when the log is as long as it may be."""
        self._requests += requests
        if self._requests * self._pages_per_request >= self._max_pages:
            # With little space, the file is made short again each time, otherwise it is written over.
            self.copy("TRUNCATE" if self._max_pages < MAX_PAGES else "PASSIVE")

    @property
    def is_empty(self) -> bool:
        return not self._requests and not self.file.stat().st_size

    def copy(self, mode: str) -> None:
        """A checkpoint, as far as readers allow: a backup that is being made needs the pages as they were. It never
        waits for them. Raises `sqlite3.Error` if the disk is full."""
        if not self._is_unchanged():
            return
        self._connection.execute("PRAGMA busy_timeout = 0").close()
        try:
            _, pages, copied = self._connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}").close()
            self._on_copied()
        if self._requests and pages > self._pages:
            self._pages_per_request = max(2.0, (pages - self._pages) / self._requests)
        self._pages = pages if copied < pages else 0
        self._requests = 0
