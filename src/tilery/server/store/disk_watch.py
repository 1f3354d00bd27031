"""Whether a SQLite store can be written: room on the disk, and the files that were opened still in place."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Sequence

from tilery.server.store.checkpoints import WriteAheadLog, free_bytes
from tilery.server.store.interface import DiskFull, StoreDown, StoreError, StoreHealth
from tilery.server.store.locking import StoreLock
from tilery.server.store.store_files import StoreFiles

LOG = logging.getLogger(__name__)
LOOK_INTERVAL = 2.0  # seconds between looks while nothing is written
LOOK_INTERVAL_WRITING = 0.25  # seconds; no look for every group, because each call may wait for a busy event loop
IDLE_SECONDS = 30.0  # without writing, after which the write-ahead log is emptied
# What writing to a full disk raises; a quota, too, is an error while writing.
FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
REPLACED = "the files of the store were deleted or replaced while the server was running"


def write_error(error: sqlite3.Error) -> StoreDown:
    """Why SQLite could not write."""
    is_full = getattr(error, "sqlite_errorcode", 0) in FULL
    return (DiskFull if is_full else StoreDown)(f"the store cannot write: {error}")


class DiskWatch:
    """Used by the writer thread; any thread may read `health`."""

    def __init__(
        self, lock: StoreLock, connection: sqlite3.Connection, probe: Callable[[sqlite3.Connection], object]
    ) -> None:
        self.health: StoreHealth = "ok"
        self._connection = connection
        self._probe = probe  # writes a few bytes
        self._files = StoreFiles(lock)
        self._log = WriteAheadLog(connection, lock.path, self._is_unchanged, self._files.note_version)
        self._is_rescued = False
        self._wrote_at = time.monotonic()
        self.look()

    def refusal(self) -> StoreError | None:
        """Before a write: why nothing can be written now; None if it may be tried."""
        if self.health == "full" and time.monotonic() >= self._looked_at + LOOK_INTERVAL_WRITING:
            self.look()
        if self.health == "ok":
            return None
        return DiskFull("the disk is full") if self.health == "full" else StoreDown(REPLACED)

    def wrote(self, results: Sequence[StoreError | None]) -> Sequence[StoreError | None]:
        """After a write, before its results are reported: nothing is acknowledged that went to replaced files."""
        for result in results:
            if isinstance(result, DiskFull):
                self._begin_full(str(result))
                break
        now = self._wrote_at = time.monotonic()
        if now >= self._looked_at + LOOK_INTERVAL_WRITING:
            self._look()
        if self.health == "replaced":
            return [StoreDown(REPLACED) for _ in results]
        return results

    def reported(self, requests: int) -> None:
        """After the results were reported: time for what takes longer."""
        if self.health == "ok":
            try:
                self._log.wrote(requests)
            except (OSError, sqlite3.Error) as error:
                self._failed(error)
        if self.health == "replaced":
            self._rescue()

    def look(self) -> None:
        """Look at the files and at the free space. To be called every `LOOK_INTERVAL` while nothing is written."""
        self._look()
        if self.health == "replaced":
            self._rescue()

    def _look(self) -> None:
        self._looked_at = time.monotonic()
        if self.health == "replaced" or not self._is_unchanged():
            return
        try:
            self._look_at_space()
            if self.health == "ok" and self._looked_at > self._wrote_at + IDLE_SECONDS and not self._log.is_empty:
                self._log.copy("TRUNCATE")
        except (OSError, sqlite3.Error) as error:
            self._failed(error)

    def _look_at_space(self) -> None:
        if self.health == "full":
            self._log.copy("TRUNCATE")
        free = free_bytes(self._files.database)
        self._log.fit(free)
        needed = self._log.bytes_needed()
        if free < needed:
            self._begin_full(f"{free >> 20} MB are free, {needed >> 20} MB are needed")
        elif self.health == "full":
            self._probe(self._connection)
            self.health = "ok"
            LOG.warning("there is room on the disk of the store again: commands are carried out")

    def _failed(self, error: OSError | sqlite3.Error) -> None:
        if isinstance(error, sqlite3.Error) and isinstance(write_error(error), DiskFull):
            self._begin_full(str(error))
        else:
            LOG.warning("the disk of the store cannot be used: %s", error)

    def _begin_full(self, why: str) -> None:
        if self.health == "ok":
            self.health = "full"
            LOG.error(
                "the disk of the store is full (%s): commands are refused until there is room; make some, the server "
                "then goes on by itself",
                why,
            )

    def _is_unchanged(self) -> bool:
        """Whether all files are still the ones that were opened; once they are not, nothing is ever written again."""
        if self.health == "replaced":
            return False
        names = self._files.replaced()
        if not names and not self._files.is_overwritten():
            return True
        self._set_log_aside()
        self.health = "replaced"
        names = names or [self._files.database.name]
        LOG.error(
            "files of the store were deleted or replaced while the server was running (%s): from now on it refuses "
            "everything. Stop the server, put the files right, start it",
            ", ".join(names),
        )
        return False

    def _set_log_aside(self) -> None:
        try:
            self._files.set_log_aside()
        except OSError as error:
            LOG.error("remove the write-ahead log before you restore a backup, it could not be set aside: %s", error)

    def _rescue(self) -> None:
        """Copy what is still open, once."""
        if self._is_rescued:
            return
        self._is_rescued = True
        try:
            copy = self._files.rescue(self._connection)
        except (OSError, sqlite3.Error) as error:
            LOG.error("what the server had stored could not be rescued: %s", error)
        else:
            if copy is not None:
                LOG.error("everything that the server had stored was copied to %s", copy.name)
