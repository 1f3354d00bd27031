"""The SQL statements of the PostgreSQL store, and the arguments of `WRITE`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tilery.server.store.interface import Batch, NewTableRow
from tilery.server.store.write_requests import WriteRequest

CHANGES_CHANNEL = "tilery_changes"
SILENT_SECONDS = 3  # an owner without a heartbeat for this long is considered dead

# Every statement looks up its few tables by name: no other plan is ever better, and the plan should not change with the
# planner's statistics. So all other kinds of join are disabled, and `owner` is compared by IS NOT DISTINCT FROM, for
# which no index can be used.
SESSION = """
    SET search_path = tilery; SET synchronous_commit = on; SET jit = off; SET enable_seqscan = off;
    SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off;
    SET plan_cache_mode = force_generic_plan; SET default_transaction_isolation = 'read committed';
    SET client_min_messages = error; SET application_name = 'tilery'"""

NOW = "extract(epoch FROM clock_timestamp())"
LIVE_OWNERS = f"SELECT o.name FROM owners o WHERE o.beat > {NOW} - {SILENT_SECONDS}"

HEARTBEAT = f"""
    INSERT INTO owners (name, beat) VALUES (%(me)s, {NOW})
    ON CONFLICT (name) DO UPDATE SET beat = excluded.beat"""
REMOVE_DEAD_OWNERS = f"""
    DELETE FROM owners WHERE beat < {NOW} - 3600 OR (name = %(me)s AND beat <= {NOW} - {SILENT_SECONDS})"""
IS_ALIVE = f"SELECT EXISTS ({LIVE_OWNERS} AND o.name = %(me)s)"
RELEASE_ALL = "UPDATE tables SET owner = NULL WHERE owner = %(me)s"
UNREGISTER = "DELETE FROM owners WHERE name = %(me)s"

# One statement writes a whole group: one round trip, one transaction. A batch updates its table only if its writer knew
# the last event and holds the newest lease; everything that depends on it (events, new tables, notifications) is read
# from `updated` and `ready`. If another process takes a name at the same moment, the whole statement fails, and the
# store tries halves of the group. Rows are sent as JSON, which Python writes far faster than arrays; the events of a
# table are a list in its row, so that nothing has to be joined.
WRITE = f"""
    WITH batch AS (
        SELECT * FROM json_to_recordset(%(batches)s::json) AS b (k int, name text, lease bigint, after bigint,
            last bigint, digest text, status text, public smallint, wake float8, card text, texts json)
    ), new_table AS (
        SELECT * FROM json_to_recordset(%(new_tables)s::json) AS n (k int, alone boolean, name text, secret text,
            last bigint, digest text, status text, public smallint, wake float8, card text, texts json)
    ), taken AS MATERIALIZED (
        SELECT n.k FROM new_table n JOIN tables t ON t.name = n.name
    ), updated AS (
        UPDATE tables t
        SET seq = b.last, digest = b.digest, status = b.status, public = b.public, wake = b.wake, card = b.card
        FROM batch b
        WHERE t.name = b.name AND t.seq = b.after AND t.lease = b.lease AND t.owner IS NOT DISTINCT FROM %(me)s
            AND b.k NOT IN (SELECT k FROM taken)
        RETURNING b.k, t.number, t.name, b.after, b.last, b.texts
    ), ready AS MATERIALIZED (
        SELECT nextval('tilery.tables_number_seq') AS number, n.* FROM new_table n
        WHERE (n.alone OR n.k IN (SELECT k FROM updated)) AND n.k NOT IN (SELECT k FROM taken)
    ), inserted_tables AS (
        INSERT INTO tables (number, name, secret, seq, digest, status, public, wake, card)
        SELECT number, name, decode(secret, 'hex'), last, digest, status, public, wake, card FROM ready
    ), done AS (
        SELECT k, number, name, after, last, texts FROM updated
        UNION ALL SELECT k, number, name, 0, last, texts FROM ready
    ), inserted_events AS (
        INSERT INTO events (number, seq, text)
        SELECT d.number, d.after + e.ordinal, e.text
        FROM done d, json_array_elements_text(d.texts) WITH ORDINALITY AS e (text, ordinal)
    ), change AS (
        SELECT json_build_array(name, last)::text AS text, k FROM done
    ), payload AS (
        SELECT text, sum(octet_length(text) + 1) OVER (ORDER BY k, text) / 7000 AS page FROM change
    ), notified AS MATERIALIZED (
        SELECT pg_notify('{CHANGES_CHANNEL}', %(tag)s || string_agg(text, ',')) AS nothing
        FROM payload GROUP BY floor(page)
    )
    SELECT coalesce(array_agg(DISTINCT k), '{{}}'), (SELECT count(nothing::text) FROM notified) FROM done"""

CURRENT = "SELECT name, seq, lease, owner FROM tables WHERE name = ANY(%(names)s::text[])"

CLAIM = f"""
    UPDATE tables t SET owner = %(me)s, lease = t.lease + 1
    WHERE t.name = ANY(%(names)s::text[]) AND t.owner IS DISTINCT FROM %(me)s
        AND (t.owner IS NULL OR t.owner NOT IN ({LIVE_OWNERS}))
    RETURNING t.name, t.lease"""
OWNERS = "SELECT name, lease, owner FROM tables WHERE name = ANY(%(names)s::text[])"
RELEASE = """
    UPDATE tables t SET owner = NULL FROM unnest(%(names)s::text[], %(leases)s::bigint[]) AS given (name, lease)
    WHERE t.name = given.name AND t.lease = given.lease AND t.owner IS NOT DISTINCT FROM %(me)s"""

EVENTS = """
    SELECT array(
        SELECT e.text FROM events e WHERE e.number = t.number AND e.seq > %(after)s ORDER BY e.seq LIMIT %(most)s)
    FROM tables t WHERE t.name = %(name)s"""
DIGEST = "SELECT seq, digest FROM tables WHERE name = %(name)s"
SECRET = "SELECT secret FROM tables WHERE name = %(name)s"
LOBBY = "SELECT name, card FROM tables WHERE public = 1 AND status = 'open' ORDER BY number DESC LIMIT %(limit)s"
RUNNING = LOBBY.replace("'open'", "'playing'")  # not a parameter: each status has its own index
DUE = f"""
    SELECT t.name FROM tables t
    WHERE t.wake <= %(before)s AND (t.owner IS NULL OR t.owner = %(me)s OR t.owner NOT IN ({LIVE_OWNERS}))
    ORDER BY t.wake, t.number"""
SEND_MESSAGES = "SELECT count(pg_notify(c, t)::text) FROM unnest(%(channels)s::text[], %(texts)s::text[]) AS m (c, t)"


def write_arguments(requests: Sequence[WriteRequest]) -> dict[str, str]:
    """The rows for `WRITE`; `k` is the index of a request in the group."""
    batches: list[dict[str, Any]] = [
        {"k": k, "name": request.batch.table, "lease": request.batch.lease, "after": request.batch.after}
        | _values(request.batch, request.batch.after)
        for k, request in enumerate(requests)
        if request.batch
    ]
    # Sorted by name, the order in which `CLAIM` locks rows too: two processes never deadlock.
    batches.sort(key=lambda row: row["name"])
    new_tables: list[dict[str, Any]] = [
        {"k": k, "alone": request.batch is None, "name": new_table.table, "secret": new_table.secret.hex()}
        | _values(new_table, 0)
        for k, request in enumerate(requests)
        for new_table in request.new_tables
    ]
    return {"batches": _as_json(batches), "new_tables": _as_json(new_tables)}


def _values(given: Batch | NewTableRow, after: int) -> dict[str, Any]:
    summary = given.summary
    return {
        "last": after + len(given.events),
        "digest": given.digest,
        "status": summary.status,
        "public": int(summary.public),
        "wake": summary.wake,
        "card": summary.card,
        "texts": given.events,
    }


def _as_json(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
