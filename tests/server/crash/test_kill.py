"""The real server, killed without warning while people play: no acknowledged move is lost, doubled or moved."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.server.crash.clients import KillableServer, Player, new_table
from tilery.server.integrity import find_problem
from tilery.server.store.inspection import walk

KILLS = 10  # of each run; five runs make fifty
TABLES = 8


async def _play_on(ports: list[int], players: list[Player], chosen: random.Random, stop: asyncio.Event) -> None:
    """Two people who play one game after the other."""
    while not stop.is_set():
        try:
            pair = await asyncio.to_thread(new_table, ports, chosen)
        except OSError:  # this server is dead at the moment
            await asyncio.sleep(0.1)
            continue
        players.extend(pair)
        await asyncio.gather(*(player.play(stop) for player in pair))


async def _play_and_kill(servers: list[KillableServer], players: list[Player], chosen: random.Random) -> None:
    stop = asyncio.Event()
    ports = [server.port for server in servers]
    tasks = [
        asyncio.ensure_future(_play_on(ports, players, random.Random(chosen.random()), stop)) for _ in range(TABLES)
    ]
    for _ in range(KILLS):
        await _until_some_more_is_played(players, chosen)
        victim = chosen.choice(servers)
        victim.kill()
        await asyncio.to_thread(victim.start)
    await _until_some_more_is_played(players, chosen)
    stop.set()
    await asyncio.gather(*tasks)


async def _until_some_more_is_played(players: list[Player], chosen: random.Random) -> None:
    """Wait for a random number of moves, so that the server is killed at any moment of its work."""
    wanted = sum(len(player.acknowledged) for player in players) + chosen.randint(1, 20)
    for _ in range(10_000):
        if sum(len(player.acknowledged) for player in players) >= wanted:
            return
        await asyncio.sleep(chosen.uniform(0.001, 0.02))
    raise AssertionError("nothing was acknowledged for a long time")


def _check(database: str, players: list[Player]) -> tuple[int, int]:
    """Every acknowledged move is stored exactly once, under its number."""
    logs = {}
    for name, secret, log in walk(database):
        assert find_problem(name, secret, log) == ""
        logs[name] = [json.loads(text) for text in log]
    acknowledged = 0
    for player in players:
        ids = Counter(event["id"] for event in logs[player.table] if event["type"] == "played")
        assert max(ids.values(), default=1) == 1, "a move was played twice"
        numbers = [each.number for each in player.acknowledged]
        assert numbers == sorted(set(numbers)), "moves changed their order"
        for each in player.acknowledged:
            assert logs[each.table][each.number - 1]["id"] == each.command
        acknowledged += len(numbers)
    return acknowledged, sum(player.repeated for player in players)


def _run(servers: list[KillableServer], database: str, seed: int) -> None:
    players: list[Player] = []
    for server in servers:
        server.start()
    try:
        asyncio.run(_play_and_kill(servers, players, random.Random(seed)))
    finally:
        for server in servers:
            server.kill()
    acknowledged, repeated = _check(database, players)
    assert acknowledged >= KILLS, "hardly anything was played"
    assert repeated, "no kill came while a move was on its way"
    print(f"{acknowledged} moves acknowledged, {repeated} sent again, {KILLS} kills")


@pytest.mark.parametrize("seed", range(5))
def test_no_acknowledged_move_is_lost_when_the_server_is_killed(seed: int, tmp_path: Path) -> None:
    database = str(tmp_path / "tables.db")
    _run([KillableServer(database, tmp_path / "log")], database, seed)


@pytest.mark.parametrize("seed", range(5))
def test_no_acknowledged_move_is_lost_when_one_of_two_servers_is_killed(
    seed: int, tmp_path: Path, database: str
) -> None:
    _run([KillableServer(database, tmp_path / "log-1"), KillableServer(database, tmp_path / "log-2")], database, seed)
