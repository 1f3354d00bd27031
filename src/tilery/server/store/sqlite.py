"""A store in one SQLite file, used by one process: one thread writes, another reads."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilery.core.refusals import Refused
from tilery.server.store.checkpoints import BUSY_MILLISECONDS
from tilery.server.store.disk_watch import REPLACED, DiskWatch
from tilery.server.store.interface import (
    EVENTS_IN_PAGE,
    Batch,
    Claim,
    LeaseLost,
    LogDigest,
    NewTableRow,
    ShownStatus,
    StoreDown,
    StoreError,
    StoreFull,
    StoreHealth,
    Unreadable,
)
from tilery.server.store.locking import MODE, lock
from tilery.server.store.migrations import migrate_sqlite, version_of_sqlite
from tilery.server.store.sqlite_writer import PendingWrite, Writer, WriteResults
from tilery.server.store.write_requests import (
    GATHER_REQUESTS,
    GATHER_SECONDS,
    MAX_WAITING,
    WriteRequest,
    unique_process_name,
)

OLDEST_SQLITE = (3, 38)  # the first version with JSON always built in
LEASES_PER_OPENING = 1 << 32
# Reading fails like this at a text that is not UTF-8, at a blob, or at a page that was overwritten.
_DAMAGE = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT)

# Each query returns one row, a list: fetching many rows would wait for the GIL for each.
NUMBER = "SELECT json_group_array(number) FROM tables WHERE name = ?"
EVENTS = """
    SELECT json_group_array(text) FROM (SELECT e.text FROM tables t JOIN events e ON e.number = t.number
    WHERE t.name = ?1 AND e.seq > ?2 ORDER BY e.seq LIMIT ?3)"""
DIGEST = "SELECT json_group_array(json_array(seq, digest)) FROM tables WHERE name = ?"
SECRET = "SELECT json_group_array(hex(secret)) FROM tables WHERE name = ?"
LOBBY = """
    SELECT json_group_array(json_array(name, card)) FROM (SELECT name, card FROM tables
    WHERE public = 1 AND status = 'open' ORDER BY number DESC LIMIT ?)"""
RUNNING = LOBBY.replace("'open'", "'playing'")  # not a parameter: each status has its own index
DUE = "SELECT json_group_array(name) FROM (SELECT name FROM tables WHERE wake <= ? ORDER BY wake, number)"


def make_private(path: Path) -> None:
    """Create a file, and its folder, that only the owner can read: it holds secrets. SQLite creates its other files
    with the same permissions."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, MODE))


def connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode: transactions are explicit (BEGIN)."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise Refused(
            f"SQLite {'.'.join(map(str, OLDEST_SQLITE))} or later is required; this Python has {sqlite3.sqlite_version}"
        )
    connection = sqlite3.connect(path, timeout=BUSY_MILLISECONDS / 1000, isolation_level=None, check_same_thread=False)
    try:
        version_of_sqlite(connection)  # before changing a file that may belong to another program
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {setting}").close()
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write: it does not even empty the write-ahead log when it is closed."""
    address, timeout = f"{path.as_uri()}?mode=ro", BUSY_MILLISECONDS / 1000
    connection = sqlite3.connect(address, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA temp_store = MEMORY").close()
    return connection


@dataclass(frozen=True)
class OwnedTable:
    """A claimed table. No other process can write, so owners and leases are not stored in the file."""

    lease: int
    number: int


class OpenDatabase:
    """The lock, connections and threads of an open store. Created in a thread, because it waits for the disk."""

    def __init__(self, path: Path, on_written: Callable[[WriteResults], None]) -> None:
        with contextlib.ExitStack() as undo:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            locked = undo.enter_context(contextlib.closing(lock(path)))
            connection = undo.enter_context(contextlib.closing(connect(locked.path)))
            migrate_sqlite(connection)
            self.read_connection = undo.enter_context(contextlib.closing(connect_to_read(locked.path)))
            self.leases = _count_opening(connection) * LEASES_PER_OPENING
            self.writer = Writer(connection, DiskWatch(locked, connection, _count_opening), on_written)
            self._undo = undo.pop_all()
        self.read_executor = ThreadPoolExecutor(1, "tilery-store-reader")
        self._thread = threading.Thread(target=self.writer.run, name="tilery-store-writer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until everything is written."""
        self.writer.put(None)
        self._thread.join()
        self.read_executor.shutdown()
        if self.writer.watch.health == "replaced":
            # Otherwise it would be the last one that is closed, which copies the log into the database file, whatever
            # that file is now, and deletes the log.
            self.writer.connection.close()
        self._undo.close()


def _count_opening(connection: sqlite3.Connection) -> int:
    """Count this opening: its leases are greater than those of all earlier ones."""
    connection.execute("UPDATE about SET value = value + 1 WHERE name = 'openings'")
    return int(connection.execute("SELECT value FROM about WHERE name = 'openings'").fetchone()[0])


class SqliteStore:
    """See `interface.Store`."""

    def __init__(self, path: Path | str, *, name: str | None = None, max_waiting: int = MAX_WAITING) -> None:
        self.path = Path(path)
        self.name = name or unique_process_name()
        self._max_waiting = max_waiting
        self._accepted = 0  # requests without a result yet
        self._leases = 0
        self._owned: dict[str, OwnedTable] = {}
        self._pending: list[PendingWrite] = []  # the next group
        self._is_writing = False  # a group is being written, or soon will be
        self._timer: asyncio.TimerHandle | None = None  # ends the wait for more requests
        self._is_busy = False  # the last group had more than one request
        self._opened: OpenDatabase | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            self._opened = await asyncio.to_thread(OpenDatabase, self.path, self._resolve_soon)
        except (OSError, sqlite3.Error) as error:
            raise Refused(f"the database {self.path} cannot be opened: {error}") from None
        self._leases = self._opened.leases

    async def close(self) -> None:
        self._submit_group()
        opened, self._opened = self._opened, None
        self._owned.clear()
        if opened:
            await asyncio.to_thread(opened.close)

    async def create(self, new_table: NewTableRow) -> None:
        await self._put(WriteRequest(None, (new_table,)))

    async def append(self, batch: Batch) -> None:
        owned = self._owned.get(batch.table)
        if self._opened and (owned is None or owned.lease != batch.lease):
            raise LeaseLost(f"{batch.lease} is not the lease of table {batch.table}")
        await self._put(WriteRequest(batch, batch.new_tables, owned.number if owned else 0))

    def _put(self, request: WriteRequest) -> asyncio.Future[None]:
        """Add a request to the next group; the result says when it is written."""
        self._require_open()
        if self._accepted >= self._max_waiting:
            raise StoreFull(f"{self._accepted} requests are waiting to be written")
        self._accepted += 1
        future: asyncio.Future[None] = self._loop.create_future()
        self._pending.append((request, future))
        self._schedule_write()
        return future

    def _schedule_write(self) -> None:
        """Write what is pending, as one group; requests that come meanwhile form the next group. If the last group had
        several requests, wait a moment for more."""
        if self._pending and not self._is_writing:
            self._is_writing = True
            wait = self._is_busy and len(self._pending) < GATHER_REQUESTS
            self._timer = self._loop.call_later(GATHER_SECONDS if wait else 0.0, self._submit_group)
        elif self._timer and len(self._pending) >= GATHER_REQUESTS:
            self._submit_group()

    def _submit_group(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._opened and self._pending:
            group, self._pending = self._pending, []
            self._is_busy = len(group) > 1
            self._opened.writer.put(group)

    def _resolve_soon(self, results: WriteResults) -> None:
        """Called in the writer thread, once for a group."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            self._loop.call_soon_threadsafe(self._resolve, results)

    def _resolve(self, results: WriteResults) -> None:
        self._accepted -= len(results)
        self._is_writing = False
        self._schedule_write()
        for future, error in results:
            if future.done():  # the caller was cancelled
                continue
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

    async def claim(self, table: str) -> Claim | None:
        self._require_open()
        if table not in self._owned:
            numbers = await self._read(NUMBER, table)
            if not numbers:
                return None
            self._own(table, numbers[0])
        return Claim(self._owned[table].lease, self.name)

    def _own(self, table: str, number: int) -> None:
        if table not in self._owned:  # unless a concurrent claim was faster
            self._leases += 1
            self._owned[table] = OwnedTable(self._leases, number)

    async def release(self, table: str, lease: int) -> None:
        self._require_open()
        if (owned := self._owned.get(table)) and owned.lease == lease:
            del self._owned[table]

    async def events(self, table: str, after: int = 0) -> Sequence[str] | None:
        texts: list[str] = []
        while page := await self._read(EVENTS, table, after + len(texts), EVENTS_IN_PAGE):
            texts += page
            if len(page) < EVENTS_IN_PAGE:
                return texts
        if not texts and not await self._read(NUMBER, table):
            return None
        return texts

    async def digest_of(self, table: str) -> LogDigest:
        rows = await self._read(DIGEST, table)
        if not rows:
            raise StoreError(f"there is no table {table}")
        return LogDigest(*rows[0])

    async def secret_of(self, table: str) -> bytes:
        secrets = await self._read(SECRET, table)
        if not secrets:
            raise StoreError(f"there is no table {table}")
        return bytes.fromhex(secrets[0])

    async def lobby(self, limit: int, status: ShownStatus = "open") -> Sequence[tuple[str, str]]:
        return [(name, card) for name, card in await self._read(LOBBY if status == "open" else RUNNING, limit)]

    async def due(self, before: float) -> Sequence[str]:
        return await self._read(DUE, before)

    async def send_message(self, process: str, text: str) -> None:  # noqa: ARG002
        """Does nothing: there is no other process."""
        self._require_open()

    def listen(self, on_change: Callable[[str, int], None], on_message: Callable[[str], None]) -> None:
        """Does nothing: no other process writes."""

    @property
    def health(self) -> StoreHealth:
        return self._opened.writer.watch.health if self._opened else "ok"

    def _require_open(self) -> OpenDatabase:
        if self._opened is None:
            raise StoreDown("the store is not open")
        if self._opened.writer.watch.health == "replaced":
            raise StoreDown(REPLACED)
        return self._opened

    async def _read(self, query: str, *arguments: object) -> list[Any]:
        opened = self._require_open()
        try:
            return await self._loop.run_in_executor(
                opened.read_executor, _values, opened.read_connection, query, arguments
            )
        except (sqlite3.Error, ValueError) as error:
            if isinstance(error, ValueError) or getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) in _DAMAGE:
                raise Unreadable(f"the store holds something unreadable: {error}") from None
            raise StoreDown(f"the store cannot read: {error}") from None


def _values(connection: sqlite3.Connection, query: str, arguments: tuple[object, ...]) -> list[Any]:
    values: list[Any] = json.loads(connection.execute(query, arguments).fetchone()[0])
    return values
