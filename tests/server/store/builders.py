"""Builders of tables and batches for tests of stores, and functions to run them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tilery.server.store.interface import Batch, NewTableRow, Store, StoreDown, Summary

Result = TypeVar("Result")

PLAYING = Summary("playing", False, None, "{}")
SECRET = bytes(range(256))
TIMEOUT = 30.0  # seconds; a timeout for what should take a moment


def new_table(table: str, *events: str, summary: Summary = PLAYING, secret: bytes = SECRET) -> NewTableRow:
    return NewTableRow(table, secret, events or ('{"n":1}',), summary)


def numbered(first: int, last: int) -> tuple[str, ...]:
    """Events that contain the number they must get."""
    return tuple(f'{{"n":{number}}}' for number in range(first, last + 1))


def batch(
    table: str,
    lease: int,
    after: int,
    *events: str,
    summary: Summary = PLAYING,
    digest: str = "not checked by a store",
    new_tables: tuple[NewTableRow, ...] = (),
) -> Batch:
    return Batch(table, lease, after, events or numbered(after + 1, after + 1), summary, digest, new_tables)


async def lease_of(store: Store, table: str) -> int:
    """Claim a table that must be free; returns the lease."""
    claim = await store.claim(table)
    assert claim is not None
    assert claim.lease is not None
    assert claim.owner == store.name
    return claim.lease


async def new_tables(store: Store, *tables: str) -> list[int]:
    """Create tables with one event each, and claim them; returns their leases."""
    await asyncio.gather(*(store.create(new_table(table)) for table in tables))
    return list(await asyncio.gather(*(lease_of(store, table) for table in tables)))


async def events(store: Store, table: str, after: int = 0) -> list[str]:
    texts = await store.events(table, after)
    assert texts is not None
    return list(texts)


def run(work: Callable[..., Awaitable[Result]], *stores: Store) -> Result:
    """Open the stores, run `work`, close the stores."""

    async def run_and_close() -> Result:
        opened = []
        try:
            for store in stores:
                await store.open()
                opened.append(store)
            return await work(*stores)
        finally:
            for store in opened:
                await store.close()

    return asyncio.run(run_and_close())


async def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end, "timed out"
        await asyncio.sleep(0.01)


async def until_down(request: Callable[[], Awaitable[object]]) -> None:
    """Repeat a request until it raises `StoreDown`."""
    end = time.monotonic() + TIMEOUT
    with contextlib.suppress(StoreDown):
        while time.monotonic() < end:
            await request()
        raise AssertionError("the store did not notice that the database is down")
