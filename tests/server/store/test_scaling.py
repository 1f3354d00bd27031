"""What docs/scaling.md says of PostgreSQL, tried: partitions of the events, replicas, the cost of a notification."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.server.postgres import Server
from tests.server.store.builders import batch, lease_of, new_table, numbered, run
from tests.server.store.conftest import make_store, partition
from tilery.core.refusals import Refused
from tilery.server.store.backup import backup
from tilery.server.store.inspection import walk
from tilery.server.store.interface import Store
from tilery.server.store.postgres_connection import Address
from tilery.server.store.postgres_sql import EVENTS, SESSION

MILLION = 1_000_000
TIMEOUT = 30.0


def partitions(url: str) -> dict[str, int]:
    """The partitions with events, and how many."""
    query = """
        SELECT relname, count(*) FROM tilery.events e JOIN pg_class c ON c.oid = e.tableoid GROUP BY relname"""
    with psycopg.connect(url) as connection:
        return dict(connection.execute(query).fetchall())


def test_events_from_before_are_kept_and_later_tables_are_in_later_partitions(database: str, tmp_path: Path) -> None:
    async def before(store: Store) -> None:
        await store.create(new_table("old", *numbered(1, 3)))

    async def after(store: Store) -> None:
        assert await store.events("old") == list(numbered(1, 3))
        await store.append(batch("old", await lease_of(store, "old"), 3, *numbered(4, 5)))
        for name in ("new", "much later"):
            await store.create(new_table(name, *numbered(1, 2)))
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("SELECT setval('tilery.tables_number_seq', %s)", (20 * MILLION,))
        assert await store.events("old") == list(numbered(1, 5))
        assert await store.events("much later") == list(numbered(1, 2))

    run(before, make_store(database))
    partition(database)
    run(after, make_store(database))
    assert partitions(database) == {
        "events_first": 5,
        "events_from_2": 2,
        "events_beyond": 2,
    }
    backup(database, tmp_path / "copy.db")
    assert {name: len(log) for name, _, log in walk(str(tmp_path / "copy.db"))} == {"old": 5, "new": 2, "much later": 2}


def test_a_table_is_read_from_its_partition_alone(database: str) -> None:
    async def fill(store: Store) -> None:
        await store.create(new_table("red", *numbered(1, 3)))

    run(fill, make_store(database))
    partition(database)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(SESSION)
        query = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + EVENTS
        given = {"name": "red", "after": 0, "most": 9}
        plan = [row[0] for row in connection.execute(query.encode(), given)]
    scans = [line for line in plan if "Index Scan" in line and "events" in line]
    assert len([line for line in scans if "never executed" not in line]) == 1, plan
    assert "events_first" in next(line for line in scans if "never executed" not in line)


@contextmanager
def never_confirmed(server: Server) -> Iterator[None]:
    """Every commit waits for a replica that is not there, as it otherwise waits for the disk."""

    def configure(*statements: str) -> None:
        with psycopg.connect(server.url, autocommit=True) as connection:
            for statement in (*statements, "SELECT pg_reload_conf()"):
                connection.execute(statement.encode())
            time.sleep(0.3)

    configure("ALTER SYSTEM SET synchronous_standby_names = 'nowhere'")
    try:
        yield
    finally:
        configure("ALTER SYSTEM RESET synchronous_standby_names")


@pytest.mark.parametrize(("notifies", "waits"), [(True, {"SyncRep", "object"}), (False, {"SyncRep"})])
def test_commits_with_notifications_go_one_at_a_time(
    postgres_server: Server, database: str, notifies: bool, waits: set[str]
) -> None:
    """While one is being confirmed, the next one waits for a lock; without a notification, both are confirmed at
    once. This is why docs/scaling.md counts commits of all processes as one queue."""
    Address(database).migrate()
    notify = "SELECT pg_notify('tilery_test', 'x');" if notifies else ""
    with psycopg.connect(database, autocommit=True) as watching, ThreadPoolExecutor(2) as pool:

        def commit(name: str) -> None:
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute(f"SET application_name = 'committing'; SET search_path = {name}")
                connection.execute(f"BEGIN; INSERT INTO tilery.owners VALUES ('{name}', 0); {notify} COMMIT".encode())

        found: set[str] = set()
        with never_confirmed(postgres_server):
            running = [pool.submit(commit, name) for name in ("a", "b")]
            end = time.monotonic() + TIMEOUT
            while time.monotonic() < end:
                rows = watching.execute("SELECT wait_event FROM pg_stat_activity WHERE application_name = 'committing'")
                events = [row[0] for row in rows]
                found = set(events)
                if len(events) == 2 and found == waits:
                    break
                time.sleep(0.05)
        for each in running:
            each.result(TIMEOUT)
    assert found == waits


def test_a_replica_has_all_that_a_replay_needs_and_can_be_backed_up(
    postgres_server: Server, database: str, tmp_path: Path
) -> None:
    async def fill(store: Store) -> None:
        await store.create(new_table("red", *numbered(1, 3)))

    async def more(store: Store) -> None:
        await store.append(batch("red", await lease_of(store, "red"), 3, *numbered(4, 5)))

    run(fill, make_store(database))
    with postgres_server.replica() as replica:
        run(more, make_store(database))
        end = time.monotonic() + TIMEOUT
        with psycopg.connect(replica, autocommit=True) as connection:
            connection.execute(SESSION)
            events: list[str] = []
            while len(events) < 5 and time.monotonic() < end:
                row = connection.execute(EVENTS.encode(), {"name": "red", "after": 0, "most": 9}).fetchone()
                assert row is not None
                events = row[0]
        assert events == list(numbered(1, 5))
        assert [len(log) for _, _, log in walk(replica)] == [5]  # as `tilery db check` reads it
        backup(replica, tmp_path / "copy.db")
        with pytest.raises(Refused, match="during recovery"):
            run(fill, make_store(replica))
        with psycopg.connect(replica) as connection:  # none of its connections is left
            query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tilery'"
            assert connection.execute(query).fetchone() == (0,)
    assert [len(log) for _, _, log in walk(str(tmp_path / "copy.db"))] == [5]
