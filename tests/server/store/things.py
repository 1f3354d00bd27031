"""What the tests of stores write, and how they run."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tilery.server.store.interface import Batch, Founding, Store, StoreDown, Summary

Answer = TypeVar("Answer")

PLAYING = Summary("playing", False, None, "{}")
SECRET = bytes(range(256))
PATIENCE = 30.0  # seconds; for what should take a moment


def founding(table: str, *events: str, summary: Summary = PLAYING, secret: bytes = SECRET) -> Founding:
    return Founding(table, secret, events or ('{"n":1}',), summary)


def numbered(first: int, last: int) -> tuple[str, ...]:
    """Events that say which number they have to get."""
    return tuple(f'{{"n":{number}}}' for number in range(first, last + 1))


def batch(
    table: str, lease: int, after: int, *events: str, summary: Summary = PLAYING, founded: tuple[Founding, ...] = ()
) -> Batch:
    return Batch(table, lease, after, events or numbered(after + 1, after + 1), summary, founded)


async def lease_of(store: Store, table: str) -> int:
    """Claim a table that must be free."""
    claim = await store.claim(table)
    assert claim is not None
    assert claim.lease is not None
    assert claim.owner == store.name
    return claim.lease


async def founded(store: Store, *tables: str) -> list[int]:
    """Make tables with one event each, and claim them: their leases."""
    await asyncio.gather(*(store.found(founding(table)) for table in tables))
    return list(await asyncio.gather(*(lease_of(store, table) for table in tables)))


async def events(store: Store, table: str, after: int = 0) -> list[str]:
    found = await store.events(table, after)
    assert found is not None
    return list(found)


def run(work: Callable[..., Awaitable[Answer]], *stores: Store) -> Answer:
    """Open the stores, do the work, close them."""

    async def whole() -> Answer:
        opened = []
        try:
            for store in stores:
                await store.open()
                opened.append(store)
            return await work(*stores)
        finally:
            for store in opened:
                await store.close()

    return asyncio.run(whole())


async def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it has not happened"
        await asyncio.sleep(0.01)


async def until_down(ask: Callable[[], Awaitable[object]]) -> None:
    """The news that the database is lost may need a moment."""
    end = time.monotonic() + PATIENCE
    with contextlib.suppress(StoreDown):
        while time.monotonic() < end:
            await ask()
        raise AssertionError("the store does not notice")
