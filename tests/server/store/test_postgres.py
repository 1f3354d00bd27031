"""PostgreSQL only: several processes, heartbeats, notifications and messages."""

from __future__ import annotations

import asyncio
import re
import signal
import time

import psycopg
import pytest

from tests.server.postgres import PASSWORD
from tests.server.store.builders import (
    TIMEOUT,
    batch,
    events,
    lease_of,
    new_table,
    new_tables,
    numbered,
    run,
    until,
    until_down,
)
from tests.server.store.test_crashes import read_lines, started
from tilery import Refused
from tilery.server.store.interface import Claim, LeaseLost, Store, Summary
from tilery.server.store.postgres import PostgresStore
from tilery.server.store.postgres_sql import (
    CLAIM,
    EVENTS,
    LOBBY,
    OWNERS,
    RELEASE,
    RUNNING,
    SESSION,
    WRITE,
    write_arguments,
)
from tilery.server.store.write_requests import WriteRequest


async def claim_in_time(store: Store, table: str) -> int:
    """Claim a table as soon as its owner is considered dead."""
    end = time.monotonic() + TIMEOUT
    while True:
        claim = await store.claim(table)
        assert claim
        if claim.lease is not None:
            return claim.lease
        assert time.monotonic() < end, "the dead owner is still considered alive"
        await asyncio.sleep(0.05)


def test_a_table_has_one_owner(database: str) -> None:
    async def work(one: PostgresStore, two: PostgresStore) -> None:
        await one.create(new_table("red", summary=Summary("playing", False, 5.0, "{}")))
        requests = [store.claim("red") for store in (one, two, one, two)]
        claims = await asyncio.gather(*requests)
        assert {claim.lease is None for claim in claims if claim} == {True, False}
        owner, other = (one, two) if claims[0] and claims[0].lease else (two, one)
        lease = await lease_of(owner, "red")
        assert await other.claim("red") == Claim(None, owner.name)
        with pytest.raises(LeaseLost):
            await other.append(batch("red", lease, 1))
        assert list(await owner.due(9)) == ["red"]
        assert list(await other.due(9)) == []
        await owner.append(batch("red", lease, 1, summary=Summary("playing", False, 5.0, "{}")))
        await other.release("red", lease)
        assert await other.claim("red") == Claim(None, owner.name)
        await owner.release("red", lease)
        assert list(await other.due(9)) == ["red"]
        assert await lease_of(other, "red") > lease
        with pytest.raises(LeaseLost):
            await owner.append(batch("red", lease, 2))
        assert await events(owner, "red") == list(numbered(1, 2))

    run(work, PostgresStore(database), PostgresStore(database))


def test_closing_a_store_releases_its_tables(database: str) -> None:
    async def work(one: PostgresStore) -> None:
        two = PostgresStore(database)
        await two.open()
        (lease,) = await new_tables(two, "red")
        await two.close()
        assert await lease_of(one, "red") > lease

    run(work, PostgresStore(database))


def test_tables_of_a_hanging_process_can_be_claimed(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        await store.create(new_table("red"))
        with started(database, "--once", "red") as process:
            await asyncio.to_thread(read_lines, process, 1)
            claim = await store.claim("red")
            assert claim
            assert claim.lease is None
            process.send_signal(signal.SIGSTOP)
            lease = await claim_in_time(store, "red")
            await store.append(batch("red", lease, 1))
            process.send_signal(signal.SIGCONT)
            assert process.stdin
            process.stdin.write("now\n")
            process.stdin.flush()
            assert await asyncio.to_thread(read_lines, process, 2) == ["LeaseLost\n", f"{store.name}\n"]
        assert await store.events("red") == list(numbered(1, 2))

    run(work, PostgresStore(database))


def test_a_process_without_heartbeat_does_not_trust_its_leases(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        (lease,) = await new_tables(store, "red")
        assert store._connections
        store._connections.trusted_until = 0.0
        with pytest.raises(LeaseLost, match="silent"):
            await store.append(batch("red", lease, 1))
        await until(lambda: bool(store._connections and store._connections.trusted_until))
        await until(lambda: ("", 0) in changes)
        await store.append(batch("red", lease, 1))  # no other process has claimed it

    changes: list[tuple[str, int]] = []
    store = PostgresStore(database)
    store.listen(lambda table, last: changes.append((table, last)), print)
    run(work, store)


def test_other_processes_are_notified_of_changes(database: str) -> None:
    received: list[tuple[str, int]] = []
    own: list[tuple[str, int]] = []

    async def work(one: PostgresStore, _: PostgresStore) -> None:
        long = "long " * 20
        names = [f'"ä" {long}{number}' for number in range(300)]  # too many for one notification
        leases = await new_tables(one, *names)
        requests = [batch(name, lease, 1, "{}", "{}") for name, lease in zip(names, leases, strict=True)]
        await asyncio.gather(*map(one.append, requests))
        await one.append(batch(names[0], leases[0], 3, new_tables=(new_table("child"),)))
        await until(lambda: ("child", 1) in received)
        assert set(received) == {(name, last) for name in names for last in (1, 3)} | {(names[0], 4), ("child", 1)}
        assert len(received) == 602
        assert own == []

    one, two = PostgresStore(database), PostgresStore(database)
    one.listen(lambda table, last: own.append((table, last)), print)
    two.listen(lambda table, last: received.append((table, last)), print)
    run(work, one, two)


def test_a_fenced_batch_sends_no_notification(database: str) -> None:
    received: list[tuple[str, int]] = []

    async def work(one: PostgresStore, _: PostgresStore) -> None:
        (lease,) = await new_tables(one, "red")
        with pytest.raises(LeaseLost):
            await one.append(batch("red", lease + 1, 1))
        await one.append(batch("red", lease, 1))
        await until(lambda: ("red", 2) in received)
        assert received == [("red", 1), ("red", 2)]

    two = PostgresStore(database)
    two.listen(lambda table, last: received.append((table, last)), print)
    run(work, PostgresStore(database), two)


def test_a_message_arrives_once_and_unchanged(database: str) -> None:
    received: list[str] = []

    def fails_first(text: str) -> None:
        received.append(text)
        assert len(received) > 1, "a listener may fail"

    async def work(one: PostgresStore, two: PostgresStore) -> None:
        texts = ["same", "same", "", " ä 🀄 \\ ' \n", "ü" * 3_500, *(f"{number}" for number in range(200))]
        texts += ["+" * 7_001, "ü" * 3_501, "🀄" * 9_000, "." * 40_000]  # in parts
        await asyncio.gather(*(one.send_message(two.name, text) for text in texts))
        await one.send_message("somebody else", "not for this process")
        await one.send_message(two.name, "end")
        await until(lambda: "end" in received)
        assert received == [*texts, "end"]

    two = PostgresStore(database, name="two " * 50)
    two.listen(lambda table, last: None, fails_first)  # noqa: ARG005
    run(work, PostgresStore(database), two)


def test_processes_that_start_together_create_one_schema(database: str) -> None:
    async def work() -> None:
        stores = [PostgresStore(database) for _ in range(5)]
        await asyncio.gather(*(store.open() for store in stores))
        await new_tables(stores[0], "red")
        assert await stores[4].events("red") == ['{"n":1}']
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(work())


def test_two_processes_with_one_name_are_refused(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        with pytest.raises(Refused, match="'me'"):
            await PostgresStore(database, name="me").open()
        await new_tables(store, "red")

    run(work, PostgresStore(database, name="me"))


def test_a_restarted_process_with_the_same_name_gets_greater_leases(database: str) -> None:
    async def work() -> None:
        dead = PostgresStore(database, name="me")
        await dead.open()
        (lease,) = await new_tables(dead, "red")
        assert dead._running
        assert dead._connections
        dead._running.cancel()
        living = PostgresStore(database, name="me")
        await living.open()
        later = await lease_of(living, "red")
        assert later > lease
        await living.append(batch("red", later, 1))
        await living.close()
        await dead.close()

    asyncio.run(work())


def test_synchronous_commit_is_on(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        assert store._connections
        row = await (await store._connections.writer.execute("SHOW synchronous_commit")).fetchone()
        assert row == ("on",)

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("ALTER ROLE tilery SET synchronous_commit = off")
        try:
            run(work, PostgresStore(database))
        finally:
            connection.execute("ALTER ROLE tilery RESET synchronous_commit")


def test_a_lost_connection_is_restored(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        (lease,) = await new_tables(store, "red")
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tilery'"
            )
        await until_down(lambda: store.events("red"))
        await until(lambda: ("", 0) in changes)
        await store.append(batch("red", lease, len(await events(store, "red"))))
        texts = await events(store, "red")
        assert tuple(texts) == numbered(1, len(texts))

    changes: list[tuple[str, int]] = []
    store = PostgresStore(database)
    store.listen(lambda table, last: changes.append((table, last)), print)
    run(work, store)


@pytest.mark.parametrize(
    "change",
    [
        ("G%C3%A4nse", "Enten"),
        ("@/postgres", "@/nowhere"),
        ("host=/tmp", "host=/nowhere"),
        ("@/postgres", "@127.0.0.1:1/postgres"),
        ("@/postgres", "@host:port/postgres"),
        ("@/postgres", "@[/postgres"),
    ],
)
def test_a_wrong_address_is_refused_without_showing_the_password(database: str, change: tuple[str, str]) -> None:
    url = database.replace(*change)
    if "127" in url or "[" in url:
        url = url.split("?")[0]
    with pytest.raises(Refused, match="database") as caught:
        asyncio.run(PostgresStore(url).open())
    for secret in (PASSWORD, "nse", "Enten", "home"):
        assert secret not in str(caught.value)
    assert caught.value.__suppress_context__


def test_statements_use_the_indexes_whatever_the_planners_statistics(database: str) -> None:
    """With another plan, a group of a thousand would compare all pairs, or read all tables."""

    async def fill(store: PostgresStore) -> None:
        await new_tables(store, *(f"table {number}" for number in range(300)))

    run(fill, PostgresStore(database))
    rows = write_arguments([WriteRequest(batch("table 1", 1, 1, new_tables=(new_table("new"),)), (new_table("new"),))])
    arguments = {
        **rows,
        "me": "me",
        "tag": "",
        "names": ["table 1", "table 2"],
        "leases": [1, 1],
        "name": "x",
        "after": 0,
        "most": 500,
    }
    with psycopg.connect(database, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(SESSION)
        for statistics in ("", "ANALYZE"):
            connection.execute(statistics.encode())
            for statement in (WRITE, CLAIM, OWNERS, RELEASE, EVENTS):
                plan = [row[0] for row in connection.execute(f"EXPLAIN (COSTS off) {statement}".encode(), arguments)]
                scans = [index for index, line in enumerate(plan) if re.search(r"Scan .*on (tables|events)", line)]
                assert scans
                for index in scans:
                    assert re.search(r"using (tables_name_key|events_pkey)", plan[index]), "\n".join(plan)
                    assert "Index Cond" in plan[index + 1], "\n".join(plan)


def test_the_lobby_reads_no_more_tables_than_it_shows(database: str) -> None:
    async def fill(store: PostgresStore) -> None:
        await new_tables(store, *(f"table {number}" for number in range(300)))
        shown = Summary("playing", True, None, "{}")
        await asyncio.gather(*(store.create(new_table(f"shown {number}", summary=shown)) for number in range(60)))

    run(fill, PostgresStore(database))
    with psycopg.connect(database, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(SESSION)
        for statistics in ("", "ANALYZE"):
            connection.execute(statistics.encode())
            for statement, index in ((LOBBY, "tables_in_lobby"), (RUNNING, "tables_running")):
                explained = connection.execute(f"EXPLAIN (COSTS off) {statement}".encode(), {"limit": 50})
                plan = "\n".join(row[0] for row in explained)
                assert f"Index Scan Backward using {index}" in plan, plan
                assert "Sort" not in plan
                assert "Filter" not in plan
