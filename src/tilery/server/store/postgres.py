"""A store in PostgreSQL, shared by any number of processes.

Every table is owned by one process, by a lease; an owner whose heartbeat is silent for three seconds, by the clock of
the database, is dead, and its tables go to who asks. Safety never rests on clocks: each batch is written only if its
lease is still the newest one. Clocks only decide how soon somebody else may take over.
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
from tilery.server.store.asks import MOST_WAITING, Ask, check_mail, own_name, rounds
from tilery.server.store.interface import Batch, Behind, Claim, Fenced, Founding, ShownStatus, StoreDown, StoreError
from tilery.server.store.lanes import Lane
from tilery.server.store.postgres_link import Address, Link, down_if_lost, in_one_line, mail_channel
from tilery.server.store.postgres_sql import (
    CLAIM,
    DUE,
    ENTER,
    EVENTS,
    GIVE_BACK,
    IS_LIVING,
    LEAVE,
    LOBBY,
    MAIL,
    NEWS,
    OWNERS,
    RELEASE,
    RUNNING,
    SECRET,
    SILENT_SECONDS,
    WHY_NOT,
    WRITE,
    write_arguments,
)

LOG = logging.getLogger(__name__)
MOST_IN_GROUP = 2_000  # so that the heartbeat never waits long behind a group
LONGEST_PAUSE = 5.0  # seconds between two attempts to connect again

BAD = (psycopg.DataError, psycopg.IntegrityError, ValueError, TypeError, OverflowError)  # in what was to be written

Question = tuple[str, dict[str, Any]]


class PostgresStore:
    """See `interface.Store` for what is promised."""

    def __init__(self, url: str, *, name: str | None = None, most: int = MOST_WAITING) -> None:
        self._address = Address(url)
        self.name = name or own_name()
        self._tag = secrets.token_hex(6)  # marks what this process has sent itself
        self._count = itertools.count()
        self._news: Callable[[str, int], None] = lambda table, last: None  # noqa: ARG005
        self._mail: Callable[[str], None] = lambda text: None  # noqa: ARG005
        self._link: Link | None = None
        self._is_open = False
        self._keeping: asyncio.Task[None] | None = None
        self._writes: Lane[Ask, None] = Lane(self._write, most, MOST_IN_GROUP)
        self._claims: Lane[str, Claim | None] = Lane(self._claim, most, MOST_IN_GROUP)
        self._releases: Lane[tuple[str, int], None] = Lane(self._release, most, MOST_IN_GROUP)
        self._mails: Lane[tuple[str, str], None] = Lane(self._send, most, MOST_IN_GROUP)
        self._reads: Lane[Question, list[Any]] = Lane(self._look, most, 1)

    # --- coming and going

    async def open(self) -> None:
        await asyncio.to_thread(self._address.migrate)
        try:
            link = await Link.connect(self._address, self.name)
            try:
                await self._enter(link)
            except BaseException:
                await link.close()
                raise
        except psycopg.Error as error:
            raise self._address.refusal(error) from None
        self._link = link
        self._is_open = True
        self._keeping = asyncio.create_task(self._keep(link))

    async def _enter(self, link: Link) -> None:
        """Nobody else of this name may live; what a dead one of the name owned is given back, which ends its leases."""
        me = {"me": self.name}
        end = time.monotonic() + SILENT_SECONDS + 1
        while True:
            await link.writer.execute(ENTER, me)
            row = await (await link.writer.execute(IS_LIVING, me)).fetchone()
            if row and not row[0]:
                break
            if time.monotonic() > end:
                raise Refused(f"another process called {self.name!r} is using this store: give each a name of its own")
            await asyncio.sleep(0.2)
        await link.writer.execute(GIVE_BACK, me)
        await link.beat()

    async def close(self) -> None:
        self._is_open = False  # no more is taken on
        for lane in (self._writes, self._claims, self._releases, self._mails, self._reads):
            await lane.finish()
        keeping, self._keeping = self._keeping, None
        link, self._link = self._link, None
        if link:
            with contextlib.suppress(psycopg.Error):  # if it is gone, others find out by themselves
                await link.writer.execute(GIVE_BACK, {"me": self.name})
                await link.writer.execute(LEAVE, {"me": self.name})
        if keeping:
            keeping.cancel()
            await asyncio.wait([keeping])
        if link:
            await link.close()

    async def _keep(self, link: Link) -> None:
        """Live, and come back to life, for as long as the store is open."""
        while True:
            try:
                await link.live(self._heard, self._anything)
            except psycopg.Error as error:
                LOG.warning("the database is lost: %s", in_one_line(error))
            self._link = None
            await link.close()
            link = await self._reconnect()
            self._link = link
            self._anything()

    async def _reconnect(self) -> Link:
        pause = 0.1
        while True:
            with contextlib.suppress(psycopg.Error):
                link = await Link.connect(self._address, self.name)
                try:
                    await link.beat()
                except BaseException:
                    await link.close()
                    raise
                LOG.warning("the database is back")
                return link
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # not all processes at once
            pause = min(2 * pause, LONGEST_PAUSE)

    def _let_in(self) -> None:
        """Before something is taken on."""
        if not self._is_open:
            raise StoreDown("the store is not open")
        self._linked()

    def _linked(self) -> Link:
        if self._link is None:
            raise StoreDown("the database is not connected")
        return self._link

    # --- writing

    async def found(self, founding: Founding) -> None:
        self._let_in()
        await self._writes.ask(Ask(None, (founding,)))

    async def append(self, batch: Batch) -> None:
        self._let_in()
        if time.monotonic() > self._linked().trusted_until:
            raise Fenced("this process has been silent for so long that others may own its tables")
        await self._writes.ask(Ask(batch, batch.founded))

    async def _write(self, asks: list[Ask]) -> list[StoreError | None]:
        """Mostly one round, which is one statement; two batches for one table have to be two."""
        results: list[StoreError | None] = [None] * len(asks)
        for places in rounds(asks):
            for place, result in zip(places, await self._round([asks[place] for place in places]), strict=True):
                results[place] = result
        return results

    async def _round(self, asks: list[Ask]) -> list[StoreError | None]:
        """What the database cannot take at all is found by halves, so that it harms nobody else."""
        try:
            return await self._statement(asks)
        except BAD as error:
            if len(asks) == 1:
                return [_refusal(error)]
        except (StoreDown, psycopg.Error) as error:
            return [StoreDown(f"the database does not write: {in_one_line(error)}") for _ in asks]
        half = len(asks) // 2
        return await self._round(asks[:half]) + await self._round(asks[half:])

    async def _statement(self, asks: list[Ask]) -> list[StoreError | None]:
        writer = self._linked().writer
        arguments = {**write_arguments(asks), "me": self.name, "tag": self._tag}
        row = await (await writer.execute(WRITE, arguments, prepare=True)).fetchone()
        done = set(row[0]) if row else set()
        if len(done) == len(asks):
            return [None] * len(asks)
        names = [ask.batch.table for place, ask in enumerate(asks) if place not in done and ask.batch]
        rows = await (await writer.execute(WHY_NOT, {"names": names})).fetchall()
        known = {name: (seq, lease, owner) for name, seq, lease, owner in rows}
        return [None if place in done else self._why_not(ask, known) for place, ask in enumerate(asks)]

    def _why_not(self, ask: Ask, known: dict[str, tuple[int, int, str | None]]) -> StoreError:
        if batch := ask.batch:
            seq, lease, owner = known.get(batch.table, (0, -1, None))
            if (lease, owner) != (batch.lease, self.name):
                return Fenced(f"{batch.lease} is not the lease of table {batch.table}")
            if seq != batch.after:
                return Behind(f"event {batch.after} is not the last one of table {batch.table}")
        return Behind("there is a table of this name already")

    # --- owning

    async def claim(self, table: str) -> Claim | None:
        self._let_in()
        return await self._claims.ask(table)

    async def _claim(self, tables: list[str]) -> list[Claim | StoreError | None]:
        claims: dict[str, Claim] = {}
        open_names = set(tables)
        while open_names:  # again for those that were released between the two questions
            open_names = await self._claim_once(sorted(open_names), claims)
        return [claims.get(table) for table in tables]

    async def _claim_once(self, names: list[str], claims: dict[str, Claim]) -> set[str]:
        """Fills in `claims`; the names that have to be asked for again."""
        keeper = self._linked().keeper
        asked = {"me": self.name, "names": names}
        with down_if_lost():
            rows = await (await keeper.execute(CLAIM, asked, prepare=True)).fetchall()
            claims.update({name: Claim(lease, self.name) for name, lease in rows})
            if len(rows) == len(names):
                return set()
            rows = await (await keeper.execute(OWNERS, asked, prepare=True)).fetchall()
        others = [row for row in rows if row[0] not in claims]
        claims.update(
            {name: Claim(lease if owner == self.name else None, owner) for name, lease, owner in others if owner}
        )
        return {name for name, _, owner in others if not owner}

    async def release(self, table: str, lease: int) -> None:
        self._let_in()
        await self._releases.ask((table, lease))

    async def _release(self, given: list[tuple[str, int]]) -> list[StoreError | None]:
        given = sorted(given)
        names, leases = [name for name, _ in given], [lease for _, lease in given]
        with down_if_lost():
            await self._linked().keeper.execute(RELEASE, {"me": self.name, "names": names, "leases": leases})
        return [None] * len(given)

    # --- reading

    async def events(self, table: str, after: int = 0) -> Sequence[str] | None:
        rows = await self._read(EVENTS, name=table, after=after)
        return rows[0][0] if rows else None

    async def secret_of(self, table: str) -> bytes:
        rows = await self._read(SECRET, name=table)
        if not rows:
            raise StoreError(f"there is no table {table}")
        return bytes(rows[0][0])

    async def lobby(self, most: int, status: ShownStatus = "open") -> Sequence[tuple[str, str]]:
        return [(name, card) for name, card in await self._read(LOBBY if status == "open" else RUNNING, most=most)]

    async def due(self, before: float) -> Sequence[str]:
        return [name for (name,) in await self._read(DUE, before=before, me=self.name)]

    async def _read(self, query: str, **arguments: object) -> list[Any]:
        self._let_in()
        return await self._reads.ask((query, arguments))

    async def _look(self, questions: list[Question]) -> list[list[Any] | StoreError]:
        with down_if_lost():
            cursors = [await self._linked().reader.execute(*question, prepare=True) for question in questions]
            return [await cursor.fetchall() for cursor in cursors]

    # --- talking with the other processes

    async def mail(self, owner: str, text: str) -> None:
        self._let_in()
        check_mail(text)
        await self._mails.ask((owner, text))

    async def _send(self, given: list[tuple[str, str]]) -> list[StoreError | None]:
        """The number makes each one different: the database delivers two that are the same only once."""
        channels = [mail_channel(owner) for owner, _ in given]
        texts = [f"{self._tag}{next(self._count)} {text}" for _, text in given]
        with down_if_lost():
            await self._linked().keeper.execute(MAIL, {"channels": channels, "texts": texts}, prepare=True)
        return [None] * len(given)

    def listen(self, news: Callable[[str, int], None], mail: Callable[[str], None]) -> None:
        self._news, self._mail = news, mail

    def _heard(self, notify: psycopg.Notify) -> None:
        try:
            if notify.channel != NEWS:
                self._mail(notify.payload.split(" ", 1)[1])
            elif not notify.payload.startswith(self._tag):
                for table, last in json.loads(f"[{notify.payload[len(self._tag) :]}]"):
                    self._news(table, last)
        except Exception:
            LOG.exception("news could not be taken in")

    def _anything(self) -> None:
        try:
            self._news("", 0)
        except Exception:
            LOG.exception("news could not be taken in")


def _refusal(error: Exception) -> StoreError:
    if isinstance(error, psycopg.errors.UniqueViolation):
        return Behind(f"it is there already: {in_one_line(error)}")
    return StoreError(f"it cannot be stored: {in_one_line(error)}")
