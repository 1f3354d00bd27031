"""Expensive requests: every endpoint has a budget of CPU time, and one address that sends as much as it may does not
disturb a player at another one."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import Route

from tests.server.attacks.expensive_requests import attacks, longest_record, longest_study
from tests.server.attacks.stranger import Measured, percentile, play
from tests.server.http_and_websocket.in_process import World, create_table, play_random_moves, start_game
from tests.server.http_and_websocket.in_process import run as run_in_process
from tests.server.server_process import GENEROUS, ServerProcess, start_server
from tests.wire_client import legal_texts
from tilery.core.streams import Stream
from tilery.server.http.app import http_app
from tilery.server.http.qr import MAX_BYTES
from tilery.server.http.records import MAX_POSITIONS
from tilery.server.settings import Settings

TABLE = "/api/tables/{name}"
MOVE, REPLAY = 0.050, 1.0  # seconds: the p99 of a stranger's moves, and the worst of its replays


@dataclass(frozen=True)
class Budget:
    """Milliseconds of CPU time for the most expensive request: on the event loop, and with its job in the queue."""

    loop: float = 5.0
    total: float = 10.0


# Every route, by method and path; one without a budget fails.
BUDGETS = {
    "GET /healthz": Budget(),
    "GET /readyz": Budget(),
    "GET /metrics": Budget(),
    "GET /api": Budget(total=30),
    "GET /api/openapi.json": Budget(total=30),
    "GET /api/server": Budget(),
    "GET /api/qr": Budget(total=30),
    "GET /api/games": Budget(),
    "GET /api/lobby": Budget(),
    "POST /api/tables": Budget(),
    f"GET {TABLE}": Budget(),
    f"POST {TABLE}/seat": Budget(),
    f"POST {TABLE}/claim": Budget(),
    f"POST {TABLE}/follow": Budget(),
    f"POST {TABLE}/commands": Budget(),
    f"GET {TABLE}/record": Budget(),
    f"GET {TABLE}/replay": Budget(total=30),
    f"GET {TABLE}/positions/{{ply}}": Budget(),
    f"GET {TABLE}/preview": Budget(total=30),
    f"POST {TABLE}/hint": Budget(),
    "POST /api/study": Budget(total=50),
    "POST /api/records": Budget(total=150),  # all positions of 2,000 plies
}


async def requests_of(client: httpx.AsyncClient) -> dict[str, list[httpx.Request]]:
    """The most expensive requests for each route, at the end of a long game, with a full lobby."""
    for _ in range(60):
        await create_table(client)
    where = await start_game(client, game="schokoly", variant="large")
    state = await play_random_moves(client, where, Stream("budgets"), most=20)
    while not state.get("moves"):  # the bot moves
        state = (await client.get(where)).json()
    token = (await create_table(client))["token"]
    moves = "&".join(f"move={text}" for text in legal_texts(state)[:40])
    longest = longest_record("chocolatier", "4,grey,specials").text
    longest_replay = longest_record("chocolatier", "4,grey,specials", max_plies=MAX_POSITIONS).text
    stale = {"type": "play", "id": "stale", "step": 1, "move": legal_texts(state)[0]}
    table = {"game": "azul", "seats": [{"kind": "me", "name": "Anna"}, *[{"kind": "bot", "bot": "random"}] * 3]}

    def get(path: str) -> httpx.Request:
        return client.build_request("GET", path)

    def post(path: str, value: object = None) -> httpx.Request:
        content = value if isinstance(value, str) else json.dumps(value or {})
        return client.build_request("POST", path, content=content)

    return {
        "GET /healthz": [get("/healthz")],
        "GET /readyz": [get("/readyz")],
        "GET /metrics": [get("/metrics")],
        "GET /api": [get("/api")],
        "GET /api/openapi.json": [get("/api/openapi.json")],
        "GET /api/server": [get("/api/server")],
        "GET /api/qr": [get(f"/api/qr?text={'x' * MAX_BYTES}"), get(f"/api/qr?text={'%F0%9F%98%80' * 300}")],
        "GET /api/games": [get("/api/games")],
        "GET /api/lobby": [get("/api/lobby")],
        "POST /api/tables": [post("/api/tables", table)],
        f"GET {TABLE}": [get(where)],
        f"POST {TABLE}/seat": [post(f"{where}/seat", {"name": "Ben"})],
        f"POST {TABLE}/claim": [post(f"{where}/claim", {"token": token})],
        f"POST {TABLE}/follow": [post(f"{where}/follow")],
        f"POST {TABLE}/commands": [post(f"{where}/commands", stale)],
        f"GET {TABLE}/record": [get(f"{where}/record")],
        f"GET {TABLE}/replay": [get(f"{where}/replay")],
        f"GET {TABLE}/positions/{{ply}}": [get(f"{where}/positions/60?as={kind}") for kind in ("svg", "text", "json")],
        f"GET {TABLE}/preview": [get(f"{where}/preview?{moves}")],
        f"POST {TABLE}/hint": [post(f"{where}/hint")],
        "POST /api/study": [post("/api/study", longest_study("chocolatier", "4,grey,specials"))],
        "POST /api/records": [
            post("/api/records", longest),
            post("/api/records?as=svg", longest),
            post("/api/records?all=1", longest_replay),
        ],
    }


async def cost_of(world: World, client: httpx.AsyncClient, request: httpx.Request) -> Budget:
    """The least that a request costs in some attempts, in milliseconds."""
    loop, total = [], []
    for _ in range(4):
        queued = world.context.work_queue.seconds
        began = time.thread_time()
        response = await client.send(request)
        loop.append(1000 * (time.thread_time() - began))
        total.append(loop[-1] + 1000 * (world.context.work_queue.seconds - queued))
        assert response.status_code < 500, response.text
        assert response.status_code != 429, response.text
        await asyncio.sleep(0)
    return Budget(min(loop), min(total))


@pytest.mark.parametrize("margin", [2, pytest.param(1, marks=pytest.mark.long)])
def test_every_endpoint_keeps_its_budget(tmp_path: Path, margin: int) -> None:
    spent: dict[str, Budget] = {}

    async def story(world: World) -> None:
        assert routes_of(http_app(world.context, world.log)) == BUDGETS.keys()
        async with world.client() as client:
            requests = await requests_of(client)
            assert requests.keys() == BUDGETS.keys()
            for name, some in requests.items():
                costs = [await cost_of(world, client, request) for request in some]
                spent[name] = Budget(max(cost.loop for cost in costs), max(cost.total for cost in costs))

    gc.disable()  # as the server does
    try:
        run_in_process(tmp_path, story)
    finally:
        gc.enable()
    for name, cost in spent.items():
        print(f"{name}: {cost.loop:.1f} ms on the event loop, {cost.total:.1f} ms in total")
    for name, cost in spent.items():
        assert cost.loop < margin * BUDGETS[name].loop, name
        assert cost.total < margin * BUDGETS[name].total, name


def routes_of(app: FastAPI) -> set[str]:
    """All routes, by method and path: those that are described, and those that are not."""
    paths = app.openapi()["paths"]
    described = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    own = [route for route in app.routes if isinstance(route, Route)]
    return described | {f"{method} {route.path}" for route in own for method in (route.methods or set()) - {"HEAD"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the limits that it has by default."""
    limits = {name: getattr(Settings(), name) for name in GENEROUS}
    running = start_server(tmp_path_factory.mktemp("server"), **limits)
    yield running
    running.kill()


def play_during(server: ServerProcess, folder: Path, requests: list[bytes], seconds: float) -> Measured:
    """Play from one address while another one attacks with these requests."""
    files = []
    for number, request in enumerate(requests):
        files.append(folder / str(number))
        files[-1].write_bytes(request)
    command = [sys.executable, "-m", "tests.server.attacks.attacker", str(server.port), str(seconds), *map(str, files)]
    attacker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        measured = play(server.port, lambda: attacker.poll() is None, pause=0.12)
        statuses, _ = attacker.communicate(timeout=60)
    finally:
        attacker.kill()
    print(f"{measured}; the attacker's responses: {statuses.strip()}")
    assert "429" in statuses
    assert "500" not in statuses
    return measured


def test_a_stranger_plays_on_and_sees_replays(server: ServerProcess, tmp_path: Path) -> None:
    measured = play_during(server, tmp_path, attacks()["everything"], 6)
    assert percentile(measured.moves, 50) < 5 * MOVE
    assert percentile(measured.moves, 90) < 10 * MOVE
    assert max(measured.replays) < 3 * REPLAY
    metrics = httpx.get(f"{server.url}/metrics").text
    assert "tilery_work_waiting 0\n" in metrics


@pytest.mark.long
@pytest.mark.parametrize("attack", attacks())
def test_a_stranger_is_not_disturbed(server: ServerProcess, tmp_path: Path, attack: str) -> None:
    measured = play_during(server, tmp_path, attacks()[attack], 30)
    assert percentile(measured.moves, 99) < MOVE
    assert max(measured.replays) < REPLAY
