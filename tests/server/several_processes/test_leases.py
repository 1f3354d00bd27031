"""Whatever happens to a table, the process that owned it releases it when nobody uses it any more, so that any other
process can own it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.server.several_processes.table_owner import TableOwner
from tilery.server.hosting.host import TableError
from tilery.server.store.interface import Claim, StoreDown
from tilery.server.store.postgres import PostgresStore


async def _read_only(owner: TableOwner) -> None:
    await owner.read()


async def _written(owner: TableOwner) -> None:
    await owner.rename()


async def _damaged(owner: TableOwner) -> None:
    owner.execute("UPDATE events SET text = '{}'")
    with pytest.raises(TableError):
        await owner.read()


async def _secret_unreadable(owner: TableOwner) -> None:
    async def fail(_: str) -> bytes:
        raise StoreDown

    secret_of, owner.store.secret_of = owner.store.secret_of, fail  # type: ignore[method-assign, assignment]
    with pytest.raises(TableError):
        await owner.read()
    owner.store.secret_of = secret_of  # type: ignore[method-assign]


async def _reply_to_claim_lost(owner: TableOwner) -> None:
    claim = owner.store.claim

    async def fail(table: str) -> Claim | None:
        await claim(table)
        raise StoreDown

    owner.store.claim = fail  # type: ignore[method-assign]
    with pytest.raises(TableError):
        await owner.read()
    owner.store.claim = claim  # type: ignore[method-assign]


async def _asker_gone_during_the_claim(owner: TableOwner) -> None:
    asking = asyncio.ensure_future(owner.read())
    await asyncio.sleep(0.001)
    asking.cancel()
    await asyncio.wait([asking])


async def _dropped_after_a_failed_write(owner: TableOwner) -> None:
    await owner.read()
    owner.execute("ALTER TABLE events RENAME TO elsewhere")
    with pytest.raises(TableError):
        await owner.rename()
    owner.execute("ALTER TABLE elsewhere RENAME TO events")


async def _owned_again_with_another_lease(owner: TableOwner) -> None:
    await owner.read()
    owner.execute("UPDATE tables SET lease = lease + 7, owner = NULL")
    await owner.rename()


async def _release_failed(owner: TableOwner) -> None:
    async def fail(_: str, __: int) -> None:
        raise StoreDown

    await owner.read()
    release, owner.store.release = owner.store.release, fail  # type: ignore[method-assign, assignment]
    await owner.idle()
    owner.store.release = release  # type: ignore[method-assign]


PATHS = (
    _read_only,
    _written,
    _damaged,
    _secret_unreadable,
    _reply_to_claim_lost,
    _asker_gone_during_the_claim,
    _dropped_after_a_failed_write,
    _owned_again_with_another_lease,
    _release_failed,
)


@pytest.mark.parametrize("happens", PATHS, ids=lambda happens: happens.__name__.strip("_"))
def test_a_table_that_is_unloaded_is_released(database: str, happens: Callable[[TableOwner], Awaitable[None]]) -> None:
    async def story() -> None:
        other = PostgresStore(database)
        await other.open()
        async with TableOwner(database).opened() as owner:
            await owner.create()
            await happens(owner)
            await owner.idle()
            claim = await other.claim(owner.table)
            assert claim is not None
            assert claim.owner == other.name
            assert owner.host.tables_in_memory == 0
        await other.close()

    asyncio.run(story())


def test_a_table_that_was_created_has_no_owner(database: str) -> None:
    async def story() -> None:
        other = PostgresStore(database)
        await other.open()
        async with TableOwner(database).opened() as owner:
            await owner.create()
            claim = await other.claim(owner.table)
            assert claim is not None
            assert claim.owner == other.name
        await other.close()

    asyncio.run(story())


def test_a_process_that_closes_releases_its_tables(database: str) -> None:
    async def story() -> None:
        other = PostgresStore(database)
        await other.open()
        async with TableOwner(database).opened() as owner:
            await owner.create()
            await owner.read()
        claim = await other.claim(owner.table)
        assert claim is not None
        assert claim.owner == other.name
        await other.close()

    asyncio.run(story())
