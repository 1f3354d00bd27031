"""A store in PostgreSQL, shared by any number of processes.

One process owns a table, by a lease. An owner without a heartbeat for three seconds, by the clock of the database,
counts as dead, and any other process can claim its tables. Safety never depends on clocks: a batch is written only if
its lease is still the newest one. Clocks only decide how soon another process may take over.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import random
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

import psycopg

from tilery.core.refusals import Refused
from tilery.server.store.batching import GroupQueue
from tilery.server.store.interface import (
    EVENTS_IN_PAGE,
    Batch,
    Claim,
    DiskFull,
    LeaseLost,
    LogDigest,
    NewTableRow,
    ShownStatus,
    StaleWrite,
    StoreDown,
    StoreError,
    StoreHealth,
)
from tilery.server.store.message_parts import PartsReader, parts_of
from tilery.server.store.postgres_connection import Address, Connections, in_one_line, message_channel, raise_store_down
from tilery.server.store.postgres_sql import (
    CHANGES_CHANNEL,
    CLAIM,
    CURRENT,
    DIGEST,
    DUE,
    EVENTS,
    IS_ALIVE,
    LOBBY,
    OWNERS,
    RELEASE,
    RELEASE_ALL,
    REMOVE_DEAD_OWNERS,
    RUNNING,
    SECRET,
    SEND_MESSAGES,
    SILENT_SECONDS,
    UNREGISTER,
    WRITE,
    write_arguments,
)
from tilery.server.store.write_requests import (
    GATHER_REQUESTS,
    GATHER_SECONDS,
    MAX_WAITING,
    WriteRequest,
    rounds,
    unique_process_name,
)

LOG = logging.getLogger(__name__)
MAX_IN_GROUP = 2_000  # so that the heartbeat never waits long for a group
MAX_RETRY_DELAY = 5.0  # seconds between two attempts to connect again

# Errors of one request, not of the database.
BAD_DATA = (psycopg.DataError, psycopg.IntegrityError, ValueError, TypeError, OverflowError)

Query = tuple[str, dict[str, Any]]


class PostgresStore:
    """See `interface.Store`. The database has its own metrics of its disk: `health` says nothing about it."""

    health: StoreHealth = "ok"

    def __init__(self, url: str, *, name: str | None = None, max_waiting: int = MAX_WAITING) -> None:
        self._address = Address(url)
        self.name = name or unique_process_name()
        self._tag = secrets.token_hex(6)  # marks notifications of this process
        self._count = itertools.count()
        self._on_change: Callable[[str, int], None] = lambda table, last: None  # noqa: ARG005
        self._on_message: Callable[[str], None] = lambda text: None  # noqa: ARG005
        self._parts = PartsReader()
        self._connections: Connections | None = None
        self._is_open = False
        self._running: asyncio.Task[None] | None = None
        self._writes: GroupQueue[WriteRequest, None] = GroupQueue(
            self._write, max_waiting, MAX_IN_GROUP, gather=(GATHER_SECONDS, GATHER_REQUESTS)
        )
        self._claims: GroupQueue[str, Claim | None] = GroupQueue(self._claim, max_waiting, MAX_IN_GROUP)
        self._releases: GroupQueue[tuple[str, int], None] = GroupQueue(self._release, max_waiting, MAX_IN_GROUP)
        self._messages: GroupQueue[tuple[str, str], None] = GroupQueue(self._send_messages, max_waiting, MAX_IN_GROUP)
        self._reads: GroupQueue[Query, list[Any]] = GroupQueue(self._run_queries, max_waiting, 1)

    # --- connecting

    async def open(self) -> None:
        await asyncio.to_thread(self._address.migrate)
        try:
            connections = await Connections.connect(self._address, self.name)
            try:
                await self._register(connections)
            except BaseException:
                await connections.close()
                raise
        except psycopg.Error as error:
            raise self._address.refusal(error) from None
        self._connections = connections
        self._is_open = True
        self._running = asyncio.create_task(self._stay_connected(connections))

    async def _register(self, connections: Connections) -> None:
        """Register this process; refused if a live process has the same name. The tables of a dead one are released,
        which ends its leases."""
        me = {"me": self.name}
        end = time.monotonic() + SILENT_SECONDS + 1
        while True:
            await connections.writer.execute(REMOVE_DEAD_OWNERS, me)
            row = await (await connections.writer.execute(IS_ALIVE, me)).fetchone()
            if row and not row[0]:
                break
            if time.monotonic() > end:
                raise Refused(f"another process named {self.name!r} is using this store: each needs its own name")
            await asyncio.sleep(0.2)
        await connections.writer.execute(RELEASE_ALL, me)
        await connections.heartbeat()

    async def close(self) -> None:
        self._is_open = False  # accept no more requests
        for queue in (self._writes, self._claims, self._releases, self._messages, self._reads):
            await queue.finish()
        running, self._running = self._running, None
        connections, self._connections = self._connections, None
        if connections:
            with contextlib.suppress(psycopg.Error):  # if the database is gone, other processes notice by themselves
                await connections.writer.execute(RELEASE_ALL, {"me": self.name})
                await connections.writer.execute(UNREGISTER, {"me": self.name})
        if running:
            running.cancel()
            await asyncio.wait([running])
        if connections:
            await connections.close()

    async def _stay_connected(self, connections: Connections) -> None:
        """Send heartbeats, listen, and reconnect, as long as the store is open."""
        while True:
            try:
                await connections.run(self._on_notify, self._report_unknown_changes)
            except psycopg.Error as error:
                LOG.warning("lost the connection to the database: %s", in_one_line(error))
            self._connections = None
            self._parts = PartsReader()  # the rest of a message is lost with the connection
            await connections.close()
            connections = await self._reconnect()
            self._connections = connections
            self._report_unknown_changes()

    async def _reconnect(self) -> Connections:
        pause = 0.1
        while True:
            with contextlib.suppress(psycopg.Error):
                connections = await Connections.connect(self._address, self.name)
                try:
                    await connections.heartbeat()
                except BaseException:
                    await connections.close()
                    raise
                LOG.warning("connected to the database again")
                return connections
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # so that processes do not reconnect all at once
            pause = min(2 * pause, MAX_RETRY_DELAY)

    def _require_open(self) -> None:
        """Raise `StoreDown` unless the store is open and connected."""
        if not self._is_open:
            raise StoreDown("the store is not open")
        self._connected()

    def _connected(self) -> Connections:
        if self._connections is None:
            raise StoreDown("the database is not connected")
        return self._connections

    # --- writing

    async def create(self, new_table: NewTableRow) -> None:
        self._require_open()
        await self._writes.submit(WriteRequest(None, (new_table,)))

    async def append(self, batch: Batch) -> None:
        self._require_open()
        if time.monotonic() > self._connected().trusted_until:
            raise LeaseLost("this process was silent for so long that others may own its tables")
        await self._writes.submit(WriteRequest(batch, batch.new_tables))

    async def _write(self, requests: list[WriteRequest]) -> list[StoreError | None]:
        """Write a group: usually in one round, which is one statement; two batches for one table need two."""
        results: list[StoreError | None] = [None] * len(requests)
        for indexes in rounds(requests):
            for index, result in zip(indexes, await self._round([requests[index] for index in indexes]), strict=True):
                results[index] = result
        return results

    async def _round(self, requests: list[WriteRequest]) -> list[StoreError | None]:
        """Write a round. A request that the database rejects is isolated by bisection; the others are written."""
        try:
            return await self._statement(requests)
        except BAD_DATA as error:
            if len(requests) == 1:
                return [_refusal(error)]
        except (StoreDown, psycopg.Error) as error:
            kind = DiskFull if isinstance(error, psycopg.errors.DiskFull) else StoreDown
            return [kind(f"the database cannot write: {in_one_line(error)}") for _ in requests]
        half = len(requests) // 2
        return await self._round(requests[:half]) + await self._round(requests[half:])

    async def _statement(self, requests: list[WriteRequest]) -> list[StoreError | None]:
        writer = self._connected().writer
        arguments = {**write_arguments(requests), "me": self.name, "tag": self._tag}
        row = await (await writer.execute(WRITE, arguments, prepare=True)).fetchone()
        done = set(row[0]) if row else set()
        if len(done) == len(requests):
            return [None] * len(requests)
        names = [request.batch.table for index, request in enumerate(requests) if index not in done and request.batch]
        rows = await (await writer.execute(CURRENT, {"names": names})).fetchall()
        known = {name: (seq, lease, owner) for name, seq, lease, owner in rows}
        return [None if index in done else self._error_of(request, known) for index, request in enumerate(requests)]

    def _error_of(self, request: WriteRequest, known: dict[str, tuple[int, int, str | None]]) -> StoreError:
        if batch := request.batch:
            seq, lease, owner = known.get(batch.table, (0, -1, None))
            if (lease, owner) != (batch.lease, self.name):
                return LeaseLost(f"{batch.lease} is not the lease of table {batch.table}")
            if seq != batch.after:
                return StaleWrite(f"event {batch.after} is not the last one of table {batch.table}")
        return StaleWrite("a table with this name exists already")

    # --- owning

    async def claim(self, table: str) -> Claim | None:
        self._require_open()
        return await self._claims.submit(table)

    async def _claim(self, tables: list[str]) -> list[Claim | StoreError | None]:
        claims: dict[str, Claim] = {}
        remaining = set(tables)
        while remaining:  # again for those that were released between the two queries
            remaining = await self._claim_once(sorted(remaining), claims)
        return [claims.get(table) for table in tables]

    async def _claim_once(self, names: list[str], claims: dict[str, Claim]) -> set[str]:
        """Add what is known to `claims`; returns the names to try again."""
        coordinator = self._connected().coordinator
        arguments = {"me": self.name, "names": names}
        with raise_store_down():
            rows = await (await coordinator.execute(CLAIM, arguments, prepare=True)).fetchall()
            claims.update({name: Claim(lease, self.name) for name, lease in rows})
            if len(rows) == len(names):
                return set()
            rows = await (await coordinator.execute(OWNERS, arguments, prepare=True)).fetchall()
        others = [row for row in rows if row[0] not in claims]
        claims.update(
            {name: Claim(lease if owner == self.name else None, owner) for name, lease, owner in others if owner}
        )
        return {name for name, _, owner in others if not owner}

    async def release(self, table: str, lease: int) -> None:
        self._require_open()
        await self._releases.submit((table, lease))

    async def _release(self, leased: list[tuple[str, int]]) -> list[StoreError | None]:
        leased = sorted(leased)
        names, leases = [name for name, _ in leased], [lease for _, lease in leased]
        with raise_store_down():
            await self._connected().coordinator.execute(RELEASE, {"me": self.name, "names": names, "leases": leases})
        return [None] * len(leased)

    # --- reading

    async def events(self, table: str, after: int = 0) -> Sequence[str] | None:
        texts: list[str] = []
        while rows := await self._read(EVENTS, name=table, after=after + len(texts), most=EVENTS_IN_PAGE):
            texts += rows[0][0]
            if len(rows[0][0]) < EVENTS_IN_PAGE:
                return texts
        return None

    async def digest_of(self, table: str) -> LogDigest:
        rows = await self._read(DIGEST, name=table)
        if not rows:
            raise StoreError(f"there is no table {table}")
        return LogDigest(*rows[0])

    async def secret_of(self, table: str) -> bytes:
        rows = await self._read(SECRET, name=table)
        if not rows:
            raise StoreError(f"there is no table {table}")
        return bytes(rows[0][0])

    async def lobby(self, limit: int, status: ShownStatus = "open") -> Sequence[tuple[str, str]]:
        return [(name, card) for name, card in await self._read(LOBBY if status == "open" else RUNNING, limit=limit)]

    async def due(self, before: float) -> Sequence[str]:
        return [name for (name,) in await self._read(DUE, before=before, me=self.name)]

    async def _read(self, query: str, **arguments: object) -> list[Any]:
        self._require_open()
        return await self._reads.submit((query, arguments))

    async def _run_queries(self, queries: list[Query]) -> list[list[Any] | StoreError]:
        with raise_store_down():
            cursors = [await self._connected().reader.execute(*query, prepare=True) for query in queries]
            return [await cursor.fetchall() for cursor in cursors]

    # --- messages and notifications

    async def send_message(self, process: str, text: str) -> None:
        self._require_open()
        await self._messages.submit((process, text))

    async def _send_messages(self, messages: list[tuple[str, str]]) -> list[StoreError | None]:
        """Send messages, long ones in parts; PostgreSQL delivers what one statement sends in order, and with nothing in
        between. A number makes each part unique: of identical notifications, it delivers only one."""
        channels: list[str] = []
        texts: list[str] = []
        for process, text in messages:
            parts = parts_of(text)
            channels += [message_channel(process)] * len(parts)
            texts += [f"{self._tag}{next(self._count)} {part}" for part in parts]
        with raise_store_down():
            coordinator = self._connected().coordinator
            await coordinator.execute(SEND_MESSAGES, {"channels": channels, "texts": texts}, prepare=True)
        return [None] * len(messages)

    def listen(self, on_change: Callable[[str, int], None], on_message: Callable[[str], None]) -> None:
        self._on_change, self._on_message = on_change, on_message

    def _on_notify(self, channel: str, payload: str) -> None:
        try:
            if channel != CHANGES_CHANNEL:
                if (text := self._parts.add(payload.split(" ", 1)[1])) is not None:
                    self._on_message(text)
            elif not payload.startswith(self._tag):
                for table, last in json.loads(f"[{payload[len(self._tag) :]}]"):
                    self._on_change(table, last)
        except Exception:
            LOG.exception("a notification could not be processed")

    def _report_unknown_changes(self) -> None:
        try:
            self._on_change("", 0)
        except Exception:
            LOG.exception("a notification could not be processed")


def _refusal(error: Exception) -> StoreError:
    if isinstance(error, psycopg.errors.UniqueViolation):
        return StaleWrite(f"the table or event exists already: {in_one_line(error)}")
    return StoreError(f"the request cannot be stored: {in_one_line(error)}")
