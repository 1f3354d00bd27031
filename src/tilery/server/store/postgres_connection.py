"""The connections of one process to its PostgreSQL database; when one is lost, all are closed.

writer       groups of batches, and the heartbeat: a process that cannot write sends no heartbeat either
coordinator  claims, releases, messages to other processes
reader       queries
listener     notifications from other processes
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator

import psycopg
from psycopg import conninfo, sql

from tilery.core.refusals import Refused
from tilery.server.store.interface import StoreDown
from tilery.server.store.migrations import migrate_postgres
from tilery.server.store.postgres_sql import CHANGES_CHANNEL, HEARTBEAT, SESSION, SILENT_SECONDS

LOG = logging.getLogger(__name__)
HEARTBEAT_SECONDS = 1.0
# A dead connection is detected within about ten seconds, not two hours.
TIMEOUTS = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}


def in_one_line(error: Exception) -> str:
    """The text of an error on one line, for the log."""
    return " ".join(str(error).split())


class Address:
    """The address of a database; `shown` is a text without the password."""

    def __init__(self, url: str) -> None:
        try:
            parameters = {key: str(value) for key, value in conninfo.conninfo_to_dict(url).items() if value is not None}
        except psycopg.Error:  # its text may hold the password
            raise Refused(
                "the address of the database cannot be read; it looks like postgresql://user:password@host:port/name "
                "(percent-encode special characters of the password, such as %40 for @)"
            ) from None
        self._password = parameters.get("password", "")
        self.conninfo = conninfo.make_conninfo("", **{**TIMEOUTS, **parameters})
        self.shown = f"{parameters.get('host', 'this machine')}, database {parameters.get('dbname', '')!r}"

    def refusal(self, error: Exception) -> Refused:
        """A refusal with the text of an error, without the password."""
        text = in_one_line(error)
        if self._password:
            text = text.replace(self._password, "***")
        return Refused(f"the database cannot be opened ({self.shown}): {text}")

    def migrate(self) -> None:
        """Migrate the schema. Blocks: call it in a thread."""
        try:
            with psycopg.connect(self.conninfo, autocommit=True) as connection:
                migrate_postgres(connection)
                row = connection.execute("SHOW fsync").fetchone()
        except psycopg.Error as error:
            raise self.refusal(error) from None
        if row and row[0] != "on":
            LOG.warning("the database runs with fsync = %s: a power failure can lose committed events", row[0])


def message_channel(name: str) -> str:
    """The channel of a process; a hash, because names of channels are short."""
    return f"tilery_message_{hashlib.sha256(name.encode()).hexdigest()[:32]}"


@contextlib.contextmanager
def raise_store_down() -> Iterator[None]:
    """Turn errors of the database into `StoreDown`."""
    try:
        yield
    except psycopg.Error as error:
        raise StoreDown(f"the database failed: {in_one_line(error)}") from None


class Connections:
    """Four connections; if one is lost, all are closed."""

    def __init__(self, connections: list[psycopg.AsyncConnection], name: str) -> None:
        self.writer, self.coordinator, self.reader, self.listener = connections
        self._all = connections
        self._name = name
        self.trusted_until = 0.0

    @classmethod
    async def connect(cls, address: Address, name: str) -> Connections:
        """Connect, and start listening."""
        connections: list[psycopg.AsyncConnection] = []
        try:
            for _ in range(4):
                connection = await psycopg.AsyncConnection.connect(address.conninfo, autocommit=True)
                connections.append(connection)
                await connection.execute(SESSION)
            made = cls(connections, name)
            for channel in (CHANGES_CHANNEL, message_channel(name)):  # fails on a replica
                await made.listener.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        except BaseException:
            for connection in connections:
                await connection.close()
            raise
        return made

    async def heartbeat(self) -> None:
        """Send a heartbeat. No other process considers this one dead before `trusted_until`, which counts from the
        moment before the heartbeat was sent."""
        sent = time.monotonic()
        watchdog = asyncio.get_running_loop().call_later(SILENT_SECONDS, self.abort)
        try:
            await self.writer.execute(HEARTBEAT, {"me": self._name}, prepare=True)
        finally:
            watchdog.cancel()
        self.trusted_until = sent + SILENT_SECONDS

    async def run(self, on_notify: Callable[[str, str], None], on_lapse: Callable[[], None]) -> None:
        """Send heartbeats and listen until the connection is lost (`psycopg.Error`). `on_lapse` is called when a
        heartbeat was late."""
        listening = asyncio.create_task(self._listen(on_notify))
        try:
            while not listening.done():
                await asyncio.wait([listening], timeout=HEARTBEAT_SECONDS)
                late = time.monotonic() > self.trusted_until
                await self.heartbeat()
                if late:  # other processes may have taken over
                    on_lapse()
            await listening
        finally:
            self.abort()
            listening.cancel()
            await asyncio.wait([listening])

    async def _listen(self, on_notify: Callable[[str, str], None]) -> None:
        """Receive notifications until the connection is lost (`psycopg.Error`). Each process receives those of all:
        reading them directly costs a tenth of what `notifies()` of psycopg does."""
        loop, pgconn = asyncio.get_running_loop(), self.listener.pgconn
        lost: asyncio.Future[None] = loop.create_future()

        def read() -> None:
            try:
                pgconn.consume_input()
                while notify := pgconn.notifies():
                    on_notify(notify.relname.decode(), notify.extra.decode())
            except psycopg.Error as error:
                loop.remove_reader(socket_number)
                if not lost.done():
                    lost.set_exception(error)

        socket_number = self.listener.fileno()
        loop.add_reader(socket_number, read)
        try:
            read()  # what has arrived before
            await lost
        finally:
            loop.remove_reader(socket_number)

    def abort(self) -> None:
        """End all pending operations at once with an error, by shutting down the sockets. (Cancelling would send a
        request to the server and wait for its reply, but the server may be gone.)"""
        for connection in self._all:
            with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as raw:
                raw.shutdown(socket.SHUT_RDWR)

    async def close(self) -> None:
        """Close all connections."""
        for connection in self._all:
            await connection.close()
