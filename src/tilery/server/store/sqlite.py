"""A store in one SQLite file, owned by one process: a thread that writes, a thread that reads."""

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
from tilery.server.store.asks import MOST_WAITING, Ask, check_mail, own_name
from tilery.server.store.interface import Batch, Claim, Fenced, Founding, ShownStatus, StoreDown, StoreError, StoreFull
from tilery.server.store.locking import lock
from tilery.server.store.migrations import migrate_sqlite, version_of_sqlite
from tilery.server.store.sqlite_writer import Answers, Waiting, Writer

BUSY_SECONDS = 10  # a backup may hold a lock for a moment
CHECKPOINT_PAGES = 4_000  # 16 MB of log before it is worked into the file
LOG_BYTES = 64 << 20  # kept of a log that a long backup has made grow
OLDEST = (3, 38)  # of SQLite: JSON is always there
GATHER = 0.01  # seconds: a commit costs as much for many as for one, and each one interrupts everything else
LEASES_AN_OPENING = 1 << 32

# Each answers with one row, a list: fetching many rows would wait for Python's lock at each.
NUMBER = "SELECT json_group_array(number) FROM tables WHERE name = ?"
EVENTS = """
    SELECT json_group_array(text) FROM (SELECT e.text FROM tables t JOIN events e ON e.number = t.number
    WHERE t.name = ?1 AND e.seq > ?2 ORDER BY e.seq)"""
SECRET = "SELECT json_group_array(hex(secret)) FROM tables WHERE name = ?"
LOBBY = """
    SELECT json_group_array(json_array(name, card)) FROM (SELECT name, card FROM tables
    WHERE public = 1 AND status = 'open' ORDER BY number DESC LIMIT ?)"""
RUNNING = LOBBY.replace("'open'", "'playing'")  # not asked as a value: each has an index of its own
DUE = "SELECT json_group_array(name) FROM (SELECT name FROM tables WHERE wake <= ? ORDER BY wake, number)"


def make_private(path: Path) -> None:
    """The file holds secrets: it and a folder made for it are for their owner alone. SQLite gives the files that it
    makes beside it the same rights."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def connect(path: Path) -> sqlite3.Connection:
    """A connection that commits by itself, unless told to BEGIN."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise Refused(
            f"SQLite {'.'.join(map(str, OLDEST))} or later is needed, and this Python has {sqlite3.sqlite_version}"
        )
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        version_of_sqlite(connection)  # before anything is changed in a file that is not ours
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {setting}").close()
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}").close()
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}").close()
    except BaseException:
        connection.close()
        raise
    return connection


@dataclass(frozen=True)
class Owned:
    """A table that has been claimed. No other process can write, so this need not be in the file."""

    lease: int
    number: int


class Opened:
    """What an open store holds; made in a thread, because it waits for the disk."""

    def __init__(self, path: Path, answer: Callable[[Answers], None]) -> None:
        with contextlib.ExitStack() as undo:
            make_private(path)
            self._lock = lock(path)
            undo.callback(os.close, self._lock)
            connection = undo.enter_context(contextlib.closing(connect(path)))
            migrate_sqlite(connection)
            self.reading = undo.enter_context(contextlib.closing(connect(path)))
            self.reading.execute("PRAGMA query_only = ON").close()
            self.leases = _count_opening(connection) * LEASES_AN_OPENING
            self.writer = Writer(connection, answer)
            self._undo = undo.pop_all()
        self.reader = ThreadPoolExecutor(1, "tilery-store-reader")
        self._thread = threading.Thread(target=self.writer.run, name="tilery-store-writer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Waits until everything is written."""
        self.writer.put(None)
        self._thread.join()
        self.reader.shutdown()
        self._undo.close()


def _count_opening(connection: sqlite3.Connection) -> int:
    """Leases of this opening are greater than those of all openings before."""
    connection.execute("UPDATE about SET value = value + 1 WHERE name = 'openings'")
    return int(connection.execute("SELECT value FROM about WHERE name = 'openings'").fetchone()[0])


class SqliteStore:
    """See `interface.Store` for what is promised."""

    def __init__(self, path: Path | str, *, name: str | None = None, most: int = MOST_WAITING) -> None:
        self.path = Path(path)
        self.name = name or own_name()
        self._most = most
        self._taken = 0  # asks that have no answer yet
        self._leases = 0
        self._owned: dict[str, Owned] = {}
        self._gathered: list[Waiting] = []  # what will be written next
        self._is_writing = False  # or will in a moment
        self._is_busy = False  # the last group was more than one
        self._opened: Opened | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            self._opened = await asyncio.to_thread(Opened, self.path, self._answer_soon)
        except (OSError, sqlite3.Error) as error:
            raise Refused(f"the store {self.path} cannot be opened: {error}") from None
        self._leases = self._opened.leases

    async def close(self) -> None:
        self._hand_over()
        opened, self._opened = self._opened, None
        self._owned.clear()
        if opened:
            await asyncio.to_thread(opened.close)

    async def found(self, founding: Founding) -> None:
        await self._write(Ask(None, (founding,)))

    async def append(self, batch: Batch) -> None:
        owned = self._owned.get(batch.table)
        if self._opened and (owned is None or owned.lease != batch.lease):
            raise Fenced(f"{batch.lease} is not the lease of table {batch.table}")
        await self._write(Ask(batch, batch.founded, owned.number if owned else 0))

    async def _write(self, ask: Ask) -> None:
        self._open()
        if self._taken >= self._most:
            raise StoreFull(f"{self._taken} batches are waiting to be written")
        self._taken += 1
        future: asyncio.Future[None] = self._loop.create_future()
        self._gathered.append((ask, future))
        self._gather()
        await future

    def _gather(self) -> None:
        """Wait a moment for others, then have all written together; whoever comes meanwhile is of the next group.
        Who was alone the last time need not wait."""
        if self._gathered and not self._is_writing:
            self._is_writing = True
            self._loop.call_later(GATHER if self._is_busy else 0.0, self._hand_over)

    def _hand_over(self) -> None:
        if self._opened and self._gathered:
            group, self._gathered = self._gathered, []
            self._is_busy = len(group) > 1
            self._opened.writer.put(group)

    def _answer_soon(self, answers: Answers) -> None:
        """From the writer's thread, once for a whole group."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is waiting
            self._loop.call_soon_threadsafe(self._answer, answers)

    def _answer(self, answers: Answers) -> None:
        self._taken -= len(answers)
        self._is_writing = False
        self._gather()
        for future, error in answers:
            if future.done():  # who asked has gone
                continue
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

    async def claim(self, table: str) -> Claim | None:
        self._open()
        if table not in self._owned:
            numbers = await self._read(NUMBER, table)
            if not numbers:
                return None
            self._own(table, numbers[0])
        return Claim(self._owned[table].lease, self.name)

    def _own(self, table: str, number: int) -> None:
        if table not in self._owned:  # somebody may have asked at the same time
            self._leases += 1
            self._owned[table] = Owned(self._leases, number)

    async def release(self, table: str, lease: int) -> None:
        self._open()
        if (owned := self._owned.get(table)) and owned.lease == lease:
            del self._owned[table]

    async def events(self, table: str, after: int = 0) -> Sequence[str] | None:
        found = await self._read(EVENTS, table, after)
        if not found and not await self._read(NUMBER, table):
            return None
        return found

    async def secret_of(self, table: str) -> bytes:
        found = await self._read(SECRET, table)
        if not found:
            raise StoreError(f"there is no table {table}")
        return bytes.fromhex(found[0])

    async def lobby(self, most: int, status: ShownStatus = "open") -> Sequence[tuple[str, str]]:
        return [(name, card) for name, card in await self._read(LOBBY if status == "open" else RUNNING, most)]

    async def due(self, before: float) -> Sequence[str]:
        return await self._read(DUE, before)

    async def mail(self, owner: str, text: str) -> None:  # noqa: ARG002
        """Nobody else is there."""
        self._open()
        check_mail(text)

    def listen(self, news: Callable[[str, int], None], mail: Callable[[str], None]) -> None:
        """Nobody else will ever write."""

    def _open(self) -> Opened:
        if self._opened is None:
            raise StoreDown("the store is not open")
        return self._opened

    async def _read(self, query: str, *arguments: object) -> list[Any]:
        opened = self._open()
        try:
            return await self._loop.run_in_executor(opened.reader, _rows, opened.reading, query, arguments)
        except sqlite3.Error as error:
            raise StoreDown(f"the store cannot read: {error}") from None


def _rows(connection: sqlite3.Connection, query: str, arguments: tuple[object, ...]) -> list[Any]:
    found: list[Any] = json.loads(connection.execute(query, arguments).fetchone()[0])
    return found
