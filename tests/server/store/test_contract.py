"""Every promise of `interface.py`, tested for both kinds of stores, and for PostgreSQL with partitioned events."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest

from tests.server.store.builders import batch, events, lease_of, new_table, new_tables, numbered, run
from tests.server.store.conftest import Make
from tilery.server.store.digests import extend_digest
from tilery.server.store.interface import Batch, LeaseLost, StaleWrite, Store, StoreDown, StoreError, StoreFull, Summary

pytestmark = pytest.mark.parametrize("address", ["sqlite", "postgres", "partitioned"], indirect=True)

OPEN = Summary("open", True, None, '{"seats":2}')


def test_events_are_in_order_also_after_reopening(make: Make) -> None:
    async def write(store: Store) -> None:
        await store.create(new_table("red", *numbered(1, 3)))
        lease = await lease_of(store, "red")
        await store.append(batch("red", lease, 3, *numbered(4, 5)))
        await store.append(batch("red", lease, 5))
        assert await store.events("red") == list(numbered(1, 6))
        assert await store.events("red", 4) == list(numbered(5, 6))
        assert await store.events("red", 6) == []
        assert await store.events("red", 99) == []

    async def read(store: Store) -> None:
        assert await store.events("red") == list(numbered(1, 6))

    run(write, make())
    run(read, make())


def test_unknown_tables(make: Make) -> None:
    async def work(store: Store) -> None:
        assert await store.events("nowhere") is None
        assert await store.claim("nowhere") is None
        await store.release("nowhere", 1)
        with pytest.raises(StoreError):
            await store.secret_of("nowhere")
        with pytest.raises(LeaseLost):
            await store.append(batch("nowhere", 1, 0))
        assert await store.events("nowhere") is None

    run(work, make())


def test_a_name_can_be_used_once(make: Make) -> None:
    async def work(store: Store) -> None:
        await store.create(new_table("red", secret=b"first"))
        with pytest.raises(StaleWrite):
            await store.create(new_table("red", "{}", "{}", secret=b"second"))
        requests = (store.create(new_table("blue", secret=bytes([number]))) for number in range(5))
        results = await asyncio.gather(*requests, return_exceptions=True)
        assert [type(result) for result in results].count(type(None)) == 1
        assert [type(result) for result in results].count(StaleWrite) == 4
        assert await store.events("red") == ['{"n":1}']
        assert await store.secret_of("red") == b"first"
        assert await store.secret_of("blue") == bytes([results.index(None)])

    run(work, make())


def test_a_lease_stays_the_same_until_it_is_released_then_grows(make: Make) -> None:
    async def first(store: Store) -> int:
        (lease,) = await new_tables(store, "red")
        assert await lease_of(store, "red") == lease
        assert set(await asyncio.gather(*(lease_of(store, "red") for _ in range(5)))) == {lease}
        await store.release("red", lease - 1)
        assert await lease_of(store, "red") == lease
        await store.release("red", lease)
        with pytest.raises(LeaseLost):
            await store.append(batch("red", lease, 1))
        later = await lease_of(store, "red")
        assert later > lease
        with pytest.raises(LeaseLost):
            await store.append(batch("red", lease, 1))
        await store.append(batch("red", later, 1))
        return later

    async def second(store: Store, lease: int) -> None:
        with pytest.raises(LeaseLost):
            await store.append(batch("red", lease, 2))
        later = await lease_of(store, "red")
        assert later > lease
        with pytest.raises(LeaseLost):
            await store.append(batch("red", lease, 2))
        await store.append(batch("red", later, 2))
        assert await store.events("red") == list(numbered(1, 3))

    lease = run(first, make())
    run(lambda store: second(store, lease), make())


def test_a_writer_that_does_not_know_the_last_event_writes_nothing(make: Make) -> None:
    async def work(store: Store) -> None:
        (lease,) = await new_tables(store, "red")
        for after in (0, 2, 100):
            with pytest.raises(StaleWrite):
                await store.append(batch("red", lease, after, summary=OPEN, new_tables=(new_table("blue"),)))
        with pytest.raises(LeaseLost):
            await store.append(batch("red", lease + 1, 0))
        assert await store.events("red") == ['{"n":1}']
        assert await store.events("blue") is None
        assert await store.lobby(9) == []
        await store.append(batch("red", lease, 1))

    run(work, make())


def test_concurrent_batches_of_a_table_are_written_in_order(make: Make) -> None:
    """A writer need not wait for one batch before sending the next; if one fails, those after it fail too."""

    async def work(store: Store) -> None:
        (lease,) = await new_tables(store, "red")
        await asyncio.gather(*(store.append(batch("red", lease, after)) for after in range(1, 40)))
        assert await store.events("red") == list(numbered(1, 40))
        late = [batch("red", lease, after) for after in (40, 42, 43, 41)]
        results = await asyncio.gather(*map(store.append, late), return_exceptions=True)
        assert [type(result) for result in results] == [type(None), StaleWrite, StaleWrite, type(None)]
        assert await store.events("red") == list(numbered(1, 42))

    run(work, make())


def test_a_batch_and_its_new_tables_are_all_or_nothing(make: Make) -> None:
    async def work(store: Store) -> None:
        (lease,) = await new_tables(store, "red")
        children = (new_table("child 1", "{}", "{}", secret=b"1"), new_table("child 2", summary=OPEN, secret=b"2"))
        with pytest.raises(LeaseLost):
            await store.append(batch("red", lease + 1, 1, new_tables=children))
        assert await store.events("child 1") is None
        await store.append(batch("red", lease, 1, new_tables=children))
        assert await store.events("child 1") == ["{}", "{}"]
        assert await store.secret_of("child 2") == b"2"
        assert await store.lobby(9) == [("child 2", '{"seats":2}')]
        for taken in ((new_table("child 3"), new_table("child 1")), (new_table("same"), new_table("same"))):
            with pytest.raises(StaleWrite):
                await store.append(batch("red", lease, 2, new_tables=taken))
        assert [await store.events(table) for table in ("child 3", "same")] == [None, None]
        assert await store.events("red") == list(numbered(1, 2))
        child = await lease_of(store, "child 1")
        await store.append(batch("child 1", child, 2))

    run(work, make())


def test_one_bad_batch_among_good_ones_fails_alone(make: Make) -> None:
    def bad_ones(lease: int) -> list[tuple[Batch, type[StoreError]]]:
        at = "bad"
        return [
            (batch(at, lease + 7, 1), LeaseLost),
            (batch(at, lease, 5), StaleWrite),
            (batch("nowhere", lease, 5), LeaseLost),
            (batch(at, lease, 1, new_tables=(new_table("good 3"),)), StaleWrite),
            (batch(at, lease, 1, '{"n":"\0"}'), StoreError),
            (batch(at, lease, 1, "\ud800"), StoreError),
            (batch(at, lease, 1, summary=Summary("open", True, math.nan, "{}")), StoreError),
        ]

    async def work(store: Store) -> None:
        names = [f"good {number}" for number in range(20)]
        *leases, bad = await new_tables(store, *names, "bad")
        after = 1
        for wrong, error in bad_ones(bad):
            good = [batch(name, lease, after) for name, lease in zip(names, leases, strict=True)]
            requests = [*good[:10], wrong, *good[10:]]
            results = await asyncio.gather(*map(store.append, requests), return_exceptions=True)
            failed = results.pop(10)
            assert isinstance(failed, error), failed
            assert not isinstance(failed, StoreDown)
            assert results == [None] * 20
            after += 1
        assert await store.events("bad") == ['{"n":1}']
        for name in names:
            assert await store.events(name) == list(numbered(1, after))

    run(work, make())


def test_many_writers_at_once(make: Make) -> None:
    async def writer(store: Store, table: str, lease: int) -> None:
        for after in range(1, 11):
            await store.append(batch(table, lease, after))
            last = await events(store, table, after)
            assert last == list(numbered(after + 1, after + 1))  # a durable event is also visible

    async def work(store: Store) -> None:
        names = [f"table {number}" for number in range(200)]
        leases = await new_tables(store, *names)
        await asyncio.gather(*(writer(store, name, lease) for name, lease in zip(names, leases, strict=True)))
        for name in names:
            assert await store.events(name) == list(numbered(1, 11))

    run(work, make())


def test_of_many_writers_with_the_same_last_event_one_succeeds(make: Make) -> None:
    async def work(store: Store) -> None:
        (lease,) = await new_tables(store, "red")
        requests = (store.append(batch("red", lease, 1, f'"{number}"', '"x"')) for number in range(30))
        results = await asyncio.gather(*requests, return_exceptions=True)
        assert [type(result) for result in results].count(StaleWrite) == 29
        assert await store.events("red") == ['{"n":1}', f'"{results.index(None)}"', '"x"']

    run(work, make())


def test_the_lobby_shows_public_open_tables_the_newest_first(make: Make) -> None:
    async def work(store: Store) -> None:
        for number in range(4):
            await store.create(new_table(f"open {number}", summary=Summary("open", True, None, f'"card {number}"')))
        await store.create(new_table("hidden", summary=Summary("open", False, None, "{}")))
        await store.create(new_table("playing", summary=Summary("playing", True, None, "{}")))
        newest_first = [(f"open {number}", f'"card {number}"') for number in (3, 2, 1, 0)]
        assert list(await store.lobby(50, "open")) == newest_first
        assert list(await store.lobby(50)) == newest_first
        assert list(await store.lobby(2)) == newest_first[:2]
        await store.append(batch("open 2", await lease_of(store, "open 2"), 1))
        changed = Summary("open", True, None, '"changed"')
        await store.append(batch("open 0", await lease_of(store, "open 0"), 1, summary=changed))
        assert list(await store.lobby(50)) == [newest_first[0], newest_first[2], ("open 0", '"changed"')]

    run(work, make())


def test_the_lobby_shows_public_games_in_progress_the_newest_first(make: Make) -> None:
    async def play(store: Store, table: str, *summaries: Summary) -> None:
        lease = await lease_of(store, table)
        for after, summary in enumerate(summaries, 1):
            await store.append(batch(table, lease, after, summary=summary))

    async def work(store: Store) -> None:
        for number in range(5):
            await store.create(new_table(f"table {number}", summary=OPEN))
        await store.create(new_table("hidden"))
        for status in ("open", "over", "closed"):
            await store.create(new_table(status, summary=Summary(status, True, None, "{}")))
        assert list(await store.lobby(50, "playing")) == []
        for number in (3, 0, 4, 1):  # started in another order than created
            await play(store, f"table {number}", Summary("playing", True, 7.0, f'"card {number}"'))
        running = [(f"table {number}", f'"card {number}"') for number in (4, 3, 1, 0)]
        assert list(await store.lobby(50, "playing")) == running
        assert list(await store.lobby(2, "playing")) == running[:2]
        assert [name for name, _ in await store.lobby(50)] == ["open", "table 2"]
        over, changed = Summary("over", True, None, "{}"), Summary("playing", True, 8.0, '"changed"')
        await store.append(batch("table 4", await lease_of(store, "table 4"), 2, summary=over))
        await store.append(batch("table 3", await lease_of(store, "table 3"), 2, summary=changed))
        assert list(await store.lobby(50, "playing")) == [("table 3", '"changed"'), *running[2:]]
        assert [name for name, _ in await store.lobby(50)] == ["open", "table 2"]

    run(work, make())


def test_tables_that_are_due_the_most_urgent_first(make: Make) -> None:
    async def work(store: Store) -> None:
        for name, wake in {"late": 300.5, "never": None, "soon": 100.25, "at once": 0.0, "middle": 200.0}.items():
            await store.create(new_table(name, summary=Summary("playing", False, wake, "{}")))
        assert list(await store.due(0)) == ["at once"]
        assert list(await store.due(200)) == ["at once", "soon", "middle"]
        assert list(await store.due(1e10)) == ["at once", "soon", "middle", "late"]
        lease = await lease_of(store, "soon")
        assert list(await store.due(100.25)) == ["at once", "soon"]
        await store.append(batch("soon", lease, 1, summary=Summary("playing", False, 250.0, "{}")))
        await store.append(batch("soon", lease, 2, summary=Summary("over", False, None, "{}")))
        assert list(await store.due(1e10)) == ["at once", "middle", "late"]

    run(work, make())


def test_only_secret_of_returns_a_secret(make: Make) -> None:
    secret = b"\0\xff secret \x00"

    async def work(store: Store) -> None:
        await store.create(new_table("red", summary=OPEN, secret=secret))
        lease = await lease_of(store, "red")
        results: list[Any] = [await store.events("red"), await store.lobby(9), await store.due(1e10), lease]
        assert b"secret" not in repr(results).encode()
        assert await store.secret_of("red") == secret
        await store.append(batch("red", lease, 1))
        assert await store.secret_of("red") == secret

    run(work, make())


def test_texts_are_stored_unchanged(make: Make) -> None:
    texts = (
        '{"a":"Zug für Zug — 手 🀄 \\u0000 \\\\ \\" \'"}',
        '{"b":"%s {x} $1 ? :k"}',
        "",
        " \t\r\n\x7f\u2028",
        "[" * 99,
    )

    async def work(store: Store) -> None:
        name = 'Tisch "ß" [1], {2} \\ 🀄'
        await store.create(new_table(name, *texts, summary=Summary("open", True, None, texts[0])))
        lease = await lease_of(store, name)
        await store.append(batch(name, lease, 5, *texts, summary=Summary("open", True, None, texts[3])))
        assert await store.events(name) == [*texts, *texts]
        assert list(await store.lobby(9)) == [(name, texts[3])]

    run(work, make())


def test_a_thousand_events_in_one_batch_and_a_long_one(make: Make) -> None:
    async def work(store: Store) -> None:
        (lease,) = await new_tables(store, "red")
        await store.append(batch("red", lease, 1, *numbered(2, 1001)))
        await store.append(batch("red", lease, 1001, "x" * 1_000_000))
        assert await store.events("red") == [*numbered(1, 1001), "x" * 1_000_000]
        assert await store.events("red", 995) == [*numbered(996, 1001), "x" * 1_000_000]

    run(work, make())


def test_a_batch_without_events_changes_the_summary(make: Make) -> None:
    async def work(store: Store) -> None:
        (lease,) = await new_tables(store, "red")
        await store.append(Batch("red", lease, 1, (), OPEN, ""))
        assert list(await store.lobby(9)) == [("red", OPEN.card)]
        await store.append(batch("red", lease, 1))

    run(work, make())


def test_the_digest_is_stored_with_every_write(make: Make) -> None:
    async def work(store: Store) -> None:
        await store.create(new_table("red", "ä", "b"))
        assert await store.digest_of("red") == (2, extend_digest("", ["ä", "b"]))
        lease = await lease_of(store, "red")
        child = new_table("child", "c")
        await store.append(batch("red", lease, 2, *numbered(3, 5), digest="0123", new_tables=(child,)))
        assert await store.digest_of("red") == (5, "0123")
        assert await store.digest_of("child") == (1, child.digest)
        with pytest.raises(StaleWrite):
            await store.append(batch("red", lease, 2, digest="4567"))
        assert await store.digest_of("red") == (5, "0123")
        with pytest.raises(StoreError):
            await store.digest_of("nowhere")

    run(work, make())


def test_close_writes_everything_accepted(make: Make) -> None:
    async def write() -> None:
        store = make()
        await store.open()
        names = [f"table {number}" for number in range(50)]
        leases = await new_tables(store, *names)
        requests = [
            asyncio.create_task(store.append(batch(name, lease, 1))) for name, lease in zip(names, leases, strict=True)
        ]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*requests) == [None] * 50
        with pytest.raises(StoreDown):
            await store.append(batch("table 0", leases[0], 2))
        with pytest.raises(StoreDown):
            await store.create(new_table("new"))
        for request in (store.claim("table 0"), store.events("table 0"), store.lobby(1), store.send_message("x", "y")):
            with pytest.raises(StoreDown):
                await request
        await store.close()

    async def read(store: Store) -> None:
        for number in range(50):
            assert await store.events(f"table {number}") == list(numbered(1, 2))

    asyncio.run(write())
    run(read, make())


def test_a_full_store_raises_store_full_and_accepts_more_later(make: Make) -> None:
    async def work(store: Store) -> None:
        names = [f"table {number}" for number in range(30)]
        leases = [(await new_tables(store, name))[0] for name in names]
        requests = [batch(name, lease, 1) for name, lease in zip(names, leases, strict=True)]
        results = await asyncio.gather(*map(store.append, requests), return_exceptions=True)
        assert [type(result) for result in results] == [type(None)] * 10 + [StoreFull] * 20
        for again in requests[10:]:
            await store.append(again)
        for name in names:
            assert await store.events(name) == list(numbered(1, 2))

    run(work, make(max_waiting=10))


def test_a_cancelled_caller_disturbs_nobody(make: Make) -> None:
    async def work(store: Store) -> None:
        red, blue = await new_tables(store, "red", "blue")
        gone = asyncio.create_task(store.append(batch("red", red, 1)))
        stays = asyncio.create_task(store.append(batch("blue", blue, 1)))
        await asyncio.sleep(0)
        gone.cancel()
        await stays
        assert await store.events("blue") == list(numbered(1, 2))
        last = len(await events(store, "red"))
        await store.append(batch("red", red, last))
        assert await store.events("red") == list(numbered(1, last + 1))

    run(work, make())
