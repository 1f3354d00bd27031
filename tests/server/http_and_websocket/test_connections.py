"""Connections, sweeps, rate limits and the log."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.server.http_and_websocket.in_process import WIDE, World, run
from tilery.server import context as server_context
from tilery.server.logs import Log, redirect_library_logs
from tilery.server.rate_limits import MAX_ADDRESSES, Bucket, Buckets, address_of

WISH = {"game": "azul", "seats": [{"kind": "me", "name": "Anna"}, {"kind": "open"}]}


async def _made(world: World) -> tuple[str, str]:
    async with world.client() as anna:
        made = (await anna.post("/api/tables", json=WISH)).json()
        return made["table"], made["token"]


def test_a_slow_client_is_disconnected_but_its_command_is_executed(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        table, token = await _made(world)
        slow, other = await world.open_socket(table, token), await world.open_socket(table)
        slow.reads.clear()
        for number in range(20):
            slow.say(type="rename", id=f"r{number}", step=1, name=f"Anna {number}")
        while other.state["seats"][0]["name"] != "Anna 19":
            await other.receive("update")
        assert world.context.metrics.sockets_cut == 1
        waiting = next(one for one in world.context.connections if one.who)
        assert len(waiting._queue) == 0
        slow.reads.set()
        with pytest.raises(ConnectionError):
            await slow.receive("no such thing")
        assert slow.closed == 4408
        await other.receive("presence", here=[], watching=1)
        await other.end()

    run(tmp_path, story, replace(WIDE, max_queued_messages=4))


def test_a_silent_socket_is_closed_at_the_next_sweep_and_sweeps_survive_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_context, "SWEEP_INTERVAL", 0.01)

    async def broken() -> None:
        raise ZeroDivisionError("words")

    async def story(world: World) -> None:
        table, token = await _made(world)
        silent, active = await world.open_socket(table, token), await world.open_socket(table)
        monkeypatch.setattr(world.table_host, "sweep", broken)
        sweeping = asyncio.ensure_future(world.context.sweep_forever())
        while world.written.getvalue().count("sweep failed") < 2:
            await asyncio.sleep(0.01)
        world.time += WIDE.idle_timeout - 1
        active.say(type="ping")
        await active.receive("pong")
        world.time += 2
        with pytest.raises(ConnectionError):
            await silent.receive("no such thing")
        assert silent.closed == 4410
        active.say(type="ping")
        await active.receive("pong")
        sweeping.cancel()
        await active.end()

    logged = run(tmp_path, story).written.getvalue()
    assert "ZeroDivisionError" in logged
    assert "words" not in logged


def test_a_client_that_sends_too_many_messages_is_disconnected(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        table, _ = await _made(world)
        steady, hasty = await world.open_socket(table), await world.open_socket(table)
        for _ in range(3):
            for _ in range(5):
                steady.say(type="ping")
                await steady.receive("pong")
            world.time += 5
        for _ in range(6):
            hasty.say(type="ping")
        with pytest.raises(ConnectionError):
            await hasty.receive("no such thing")
        assert hasty.closed == 1013
        assert world.context.metrics.sockets_cut == 1
        await steady.end()

    run(tmp_path, story, replace(WIDE, messages_per_second=1, messages_burst=5))


def test_the_shutdown_is_announced_and_new_connections_are_rejected(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        table, token = await _made(world)
        sockets = [await world.open_socket(table, token), await world.open_socket(table)]
        world.context.announce_shutdown()
        for socket in sockets:
            assert await socket.receive("closing") == {"type": "closing", "reconnect_delay": 5.0}
        late = world.socket(table)
        with pytest.raises(ConnectionError):
            await late.receive()
        for socket in sockets:
            await socket.end()

    run(tmp_path, story)


def test_the_metrics_count(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        table, token = await _made(world)
        async with world.client() as prometheus:

            async def counts() -> dict[str, int]:
                lines = (await prometheus.get("/metrics")).text.splitlines()
                return {name: int(number) for name, number in (line.split() for line in lines if line[0] != "#")}

            before = await counts()
            sockets = [await world.open_socket(table, token) for _ in range(3)]
            for _ in range(2):
                assert (await sockets[0].ask("say", id="a", step=1, text="hello"))["ok"]
            assert not (await sockets[0].ask("say", id="b", step=1, text=""))["ok"]
            after = await counts()
            change = {name: after[name] - before[name] for name in after if after[name] != before[name]}
            assert change.pop("tilery_messages_out_total") >= 9
            assert change == {
                "tilery_sockets": 3,
                "tilery_sockets_opened_total": 3,
                "tilery_messages_in_total": 3,
                "tilery_accepted_total": 1,
                "tilery_repeated_total": 1,
                "tilery_refused_total": 1,
                "tilery_requests_total": 1,
                "tilery_tables_in_memory": 1,
            }
            for socket in sockets:
                await socket.end()
            assert (await counts())["tilery_sockets"] == 0

    run(tmp_path, story)


def test_a_bucket_refills_slowly_and_never_overflows() -> None:
    bucket = Bucket(3, 100.0)
    assert [bucket.take(100.0, 1, 3) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(90.0, 1, 3)  # a clock that was set back takes nothing away
    assert bucket.take(91.0, 1, 3)
    assert not bucket.take(91.0, 1, 3)
    assert [bucket.take(1000.0, 1, 3) for _ in range(4)] == [True, True, True, False]


def test_the_buckets_of_unused_addresses_are_dropped() -> None:
    buckets = Buckets(1, 1, lambda: 0.0)
    assert buckets.take("first")
    assert not buckets.take("first")
    for number in range(MAX_ADDRESSES):
        buckets.take(str(number))
    assert len(buckets._buckets) == MAX_ADDRESSES
    assert buckets.take("first")


@pytest.mark.parametrize(
    ("client", "forwarded", "behind_proxy", "address"),
    [
        (("1.2.3.4", 5), None, False, "1.2.3.4"),
        (("1.2.3.4", 5), b"9.9.9.9", False, "1.2.3.4"),
        (("1.2.3.4", 5), b"9.9.9.9", True, "9.9.9.9"),
        (("1.2.3.4", 5), b"8.8.8.8, 9.9.9.9", True, "9.9.9.9"),
        (("1.2.3.4", 5), b"9.9.9.9, nonsense", True, "?"),
        (("1.2.3.4", 5), b"", True, "1.2.3.4"),
        (("2001:db8:1:2:3:4:5:6", 5), None, False, "2001:db8:1:2::"),
        (("::ffff:1.2.3.4", 5), None, False, "1.2.3.4"),
        (None, None, False, "?"),
    ],
)
def test_a_client_is_an_address_or_for_ipv6_a_network(
    client: Any, forwarded: bytes | None, behind_proxy: bool, address: str
) -> None:
    headers = [] if forwarded is None else [(b"x-forwarded-for", forwarded)]
    assert address_of({"client": client, "headers": headers}, behind_proxy) == address


@pytest.fixture
def _own_logging() -> Iterator[None]:
    before = logging.root.handlers[:], logging.root.level
    yield
    logging.root.handlers[:], logging.root.level = before


@pytest.mark.usefixtures("_own_logging")
def test_log_entries_of_libraries_have_no_arguments() -> None:
    out = io.StringIO()
    redirect_library_logs(Log("debug", out))
    logger = logging.getLogger("uvicorn.error")
    logger.info("not logged at all")
    logger.warning("from %s", "Anna")
    try:
        raise ValueError("Anna's token")
    except ValueError:
        logger.exception("failed for %s", "Anna")
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(line["level"], line["text"]) for line in lines] == [("debug", "from %s"), ("error", "failed for %s")]
    assert lines[1]["error"] == "ValueError"
    assert "test_connections.py:" in lines[1]["where"]
    assert "Anna" not in out.getvalue()


def test_a_log_has_no_entries_below_its_level() -> None:
    for level, entries in (("debug", 4), ("info", 3), ("warning", 2), ("error", 1)):
        out = io.StringIO()
        log = Log(level, out)
        for write in (log.debug, log.info, log.warning, log.error):
            write("happened", table="x", strange=object())
        assert len(out.getvalue().splitlines()) == entries
