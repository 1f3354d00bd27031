"""The connections of one process to its PostgreSQL database: they live and die together.

writer   groups of batches, and the heartbeat: who cannot write is not heard of either
keeper   claims, releases, mail
reader   everything that is only read
ear      news and mail from others
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
from tilery.server.store.postgres_sql import BEAT, NEWS, SESSION, SILENT_SECONDS

LOG = logging.getLogger(__name__)
BEAT_SECONDS = 1.0
# A connection that is dead without having said so is found out in some ten seconds, not in two hours.
PATIENCE = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}


def in_one_line(error: Exception) -> str:
    """What the database says, fit for a log."""
    return " ".join(str(error).split())


class Address:
    """Where the database is, with a text that may be shown to anybody."""

    def __init__(self, url: str) -> None:
        try:
            given = {key: str(value) for key, value in conninfo.conninfo_to_dict(url).items() if value is not None}
        except psycopg.Error:  # its text may hold the password
            raise Refused(
                "the address of the database cannot be read; it looks like postgresql://user:password@host:port/name "
                "(write special characters of the password as %40 and so on)"
            ) from None
        self._password = given.get("password", "")
        self.conninfo = conninfo.make_conninfo("", **{**PATIENCE, **given})
        self.shown = f"{given.get('host', 'this machine')}, database {given.get('dbname', '')!r}"

    def refusal(self, error: Exception) -> Refused:
        """What went wrong, without the password."""
        text = in_one_line(error)
        if self._password:
            text = text.replace(self._password, "***")
        return Refused(f"the database cannot be opened ({self.shown}): {text}")

    def migrate(self) -> None:
        """To be called in a thread."""
        try:
            with psycopg.connect(self.conninfo, autocommit=True) as connection:
                migrate_postgres(connection)
                row = connection.execute("SHOW fsync").fetchone()
        except psycopg.Error as error:
            raise self.refusal(error) from None
        if row and row[0] != "on":
            LOG.warning("the database runs with fsync = %s: a power failure can lose what was promised", row[0])


def mail_channel(name: str) -> str:
    """Names of channels are short, names of processes need not be."""
    return f"tilery_mail_{hashlib.sha256(name.encode()).hexdigest()[:32]}"


@contextlib.contextmanager
def down_if_lost() -> Iterator[None]:
    """What the database says in its own words is `StoreDown` for who asked."""
    try:
        yield
    except psycopg.Error as error:
        raise StoreDown(f"the database does not do it: {in_one_line(error)}") from None


class Link:
    """Four connections; if one is lost, all are given up."""

    def __init__(self, connections: list[psycopg.AsyncConnection], name: str) -> None:
        self.writer, self.keeper, self.reader, self.ear = connections
        self._all = connections
        self._name = name
        self.trusted_until = 0.0

    @classmethod
    async def connect(cls, address: Address, name: str) -> Link:
        """Connect, say that we are there, begin to listen."""
        connections: list[psycopg.AsyncConnection] = []
        link: Link | None = None
        try:
            for _ in range(4):
                connection = await psycopg.AsyncConnection.connect(address.conninfo, autocommit=True)
                connections.append(connection)
                await connection.execute(SESSION)
            link = cls(connections, name)
            for channel in (NEWS, mail_channel(name)):
                await link.ear.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        finally:
            if link is None:
                for connection in connections:
                    await connection.close()
        return link

    async def beat(self) -> None:
        """Counted from before it was sent: nobody else takes us for dead before `trusted_until`."""
        sent = time.monotonic()
        watchdog = asyncio.get_running_loop().call_later(SILENT_SECONDS, self.cut)
        try:
            await self.writer.execute(BEAT, {"me": self._name}, prepare=True)
        finally:
            watchdog.cancel()
        self.trusted_until = sent + SILENT_SECONDS

    async def live(self, heard: Callable[[psycopg.Notify], None], lapsed: Callable[[], None]) -> None:
        """Beat and listen until the connection is lost (`psycopg.Error`)."""
        hearing = asyncio.create_task(self._hear(heard))
        try:
            while not hearing.done():
                await asyncio.wait([hearing], timeout=BEAT_SECONDS)
                late = time.monotonic() > self.trusted_until
                await self.beat()
                if late:  # others may have taken over while we slept
                    lapsed()
            await hearing
        finally:
            self.cut()
            hearing.cancel()
            await asyncio.wait([hearing])

    async def _hear(self, heard: Callable[[psycopg.Notify], None]) -> None:
        async for notify in self.ear.notifies():
            heard(notify)

    def cut(self) -> None:
        """End whatever is on its way, at once: a plug pulled from below makes everybody who waits for an answer fail.
        (Cancelling would ask the server to cancel, and wait for its answer; it may be the server that is gone.)"""
        for connection in self._all:
            with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as plug:
                plug.shutdown(socket.SHUT_RDWR)

    async def close(self) -> None:
        """Disconnect in peace."""
        for connection in self._all:
            await connection.close()
