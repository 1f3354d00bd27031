"""What the PostgreSQL store says to the database: the statements, and groups of asks as their arguments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tilery.server.store.asks import Ask
from tilery.server.store.interface import Batch, Founding

NEWS = "tilery_news"
SILENT_SECONDS = 3  # an owner that has not been heard of for so long is dead

# Every statement finds its few tables by their names: no plan is ever better than that one, and it should not change
# with what the database happens to believe about the sizes. So there is no other way to join, and where `owner` must
# be ours it is asked for as IS NOT DISTINCT FROM, which no index answers.
SESSION = """
    SET search_path = tilery; SET synchronous_commit = on; SET jit = off; SET enable_seqscan = off;
    SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off;
    SET plan_cache_mode = force_generic_plan; SET default_transaction_isolation = 'read committed';
    SET client_min_messages = error; SET application_name = 'tilery'"""

NOW = "extract(epoch FROM clock_timestamp())"
LIVING = f"SELECT o.name FROM owners o WHERE o.beat > {NOW} - {SILENT_SECONDS}"

BEAT = f"""
    INSERT INTO owners (name, beat) VALUES (%(me)s, {NOW})
    ON CONFLICT (name) DO UPDATE SET beat = excluded.beat"""
ENTER = f"DELETE FROM owners WHERE beat < {NOW} - 3600 OR (name = %(me)s AND beat <= {NOW} - {SILENT_SECONDS})"
IS_LIVING = f"SELECT EXISTS ({LIVING} AND o.name = %(me)s)"
GIVE_BACK = "UPDATE tables SET owner = NULL WHERE owner = %(me)s"
LEAVE = "DELETE FROM owners WHERE name = %(me)s"

# The whole group is this one statement: one way there and back, one transaction. A batch moves its table on only from
# where its writer knew it and only with the newest lease; whatever hangs on it (events, new tables, news) comes from
# `moved` and `ready`. A name that somebody else takes at the same moment makes the whole statement fail, and the
# store then tries halves of the group. Rows travel as JSON, which Python writes far faster than arrays; the events of a
# table are a list in its row, so that nothing has to be joined.
WRITE = f"""
    WITH batch AS (
        SELECT * FROM json_to_recordset(%(batches)s::json) AS b (k int, name text, lease bigint, after bigint,
            last bigint, status text, public smallint, wake float8, card text, texts json)
    ), newborn AS (
        SELECT * FROM json_to_recordset(%(newborn)s::json) AS f (k int, alone boolean, name text, secret text,
            last bigint, status text, public smallint, wake float8, card text, texts json)
    ), taken AS MATERIALIZED (
        SELECT f.k FROM newborn f JOIN tables t ON t.name = f.name
    ), moved AS (
        UPDATE tables t SET seq = b.last, status = b.status, public = b.public, wake = b.wake, card = b.card
        FROM batch b
        WHERE t.name = b.name AND t.seq = b.after AND t.lease = b.lease AND t.owner IS NOT DISTINCT FROM %(me)s
            AND b.k NOT IN (SELECT k FROM taken)
        RETURNING b.k, t.number, t.name, b.after, b.last, b.texts
    ), ready AS MATERIALIZED (
        SELECT nextval('tilery.tables_number_seq') AS number, f.* FROM newborn f
        WHERE (f.alone OR f.k IN (SELECT k FROM moved)) AND f.k NOT IN (SELECT k FROM taken)
    ), made AS (
        INSERT INTO tables (number, name, secret, seq, status, public, wake, card)
        SELECT number, name, decode(secret, 'hex'), last, status, public, wake, card FROM ready
    ), done AS (
        SELECT k, number, name, after, last, texts FROM moved
        UNION ALL SELECT k, number, name, 0, last, texts FROM ready
    ), noted AS (
        INSERT INTO events (number, seq, text)
        SELECT d.number, d.after + e.place, e.text
        FROM done d, json_array_elements_text(d.texts) WITH ORDINALITY AS e (text, place)
    ), piece AS (
        SELECT json_build_array(name, last)::text AS text, k FROM done
    ), sheet AS (
        SELECT text, sum(octet_length(text) + 1) OVER (ORDER BY k, text) / 7000 AS page FROM piece
    ), told AS MATERIALIZED (
        SELECT pg_notify('{NEWS}', %(tag)s || string_agg(text, ',')) AS nothing FROM sheet GROUP BY floor(page)
    )
    SELECT coalesce(array_agg(DISTINCT k), '{{}}'), (SELECT count(nothing::text) FROM told) FROM done"""

WHY_NOT = "SELECT name, seq, lease, owner FROM tables WHERE name = ANY(%(names)s::text[])"

CLAIM = f"""
    UPDATE tables t SET owner = %(me)s, lease = t.lease + 1
    WHERE t.name = ANY(%(names)s::text[]) AND t.owner IS DISTINCT FROM %(me)s
        AND (t.owner IS NULL OR t.owner NOT IN ({LIVING}))
    RETURNING t.name, t.lease"""
OWNERS = "SELECT name, lease, owner FROM tables WHERE name = ANY(%(names)s::text[])"
RELEASE = """
    UPDATE tables t SET owner = NULL FROM unnest(%(names)s::text[], %(leases)s::bigint[]) AS given (name, lease)
    WHERE t.name = given.name AND t.lease = given.lease AND t.owner IS NOT DISTINCT FROM %(me)s"""

EVENTS = """
    SELECT array(SELECT e.text FROM events e WHERE e.number = t.number AND e.seq > %(after)s ORDER BY e.seq)
    FROM tables t WHERE t.name = %(name)s"""
SECRET = "SELECT secret FROM tables WHERE name = %(name)s"
LOBBY = "SELECT name, card FROM tables WHERE public = 1 AND status = 'open' ORDER BY number DESC LIMIT %(most)s"
RUNNING = LOBBY.replace("'open'", "'playing'")  # not asked as a value: each has an index of its own
DUE = f"""
    SELECT t.name FROM tables t
    WHERE t.wake <= %(before)s AND (t.owner IS NULL OR t.owner = %(me)s OR t.owner NOT IN ({LIVING}))
    ORDER BY t.wake, t.number"""
MAIL = "SELECT count(pg_notify(c, t)::text) FROM unnest(%(channels)s::text[], %(texts)s::text[]) AS m (c, t)"


def write_arguments(asks: Sequence[Ask]) -> dict[str, str]:
    """The rows for `WRITE`; `k` is the place of an ask in the group."""
    batches: list[dict[str, Any]] = [
        {"k": k, "name": ask.batch.table, "lease": ask.batch.lease, "after": ask.batch.after}
        | _told(ask.batch, ask.batch.after)
        for k, ask in enumerate(asks)
        if ask.batch
    ]
    # In the order of names, as a claim walks along its index: two processes never wait for each other in a circle.
    batches.sort(key=lambda row: row["name"])
    newborn: list[dict[str, Any]] = [
        {"k": k, "alone": ask.batch is None, "name": founding.table, "secret": founding.secret.hex()}
        | _told(founding, 0)
        for k, ask in enumerate(asks)
        for founding in ask.founded
    ]
    return {"batches": _as_json(batches), "newborn": _as_json(newborn)}


def _told(given: Batch | Founding, after: int) -> dict[str, Any]:
    summary = given.summary
    return {
        "last": after + len(given.events),
        "status": summary.status,
        "public": int(summary.public),
        "wake": summary.wake,
        "card": summary.card,
        "texts": given.events,
    }


def _as_json(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
