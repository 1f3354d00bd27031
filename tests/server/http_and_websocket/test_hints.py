"""Hints: who gets them, what they are computed from, and what happens if there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.http_and_websocket.clients import AGAINST_BOT, Person
from tests.server.http_and_websocket.in_process import (
    WIDE,
    RunInWorld,
    Thinker,
    World,
    create_table,
    kind_of,
    play_random_moves,
    run,
    start_game,
)
from tests.server.http_and_websocket.test_hidden_information import dealing
from tests.wire_client import legal_texts, text_of
from tilery.core.kernel.actors import CHANCE
from tilery.core.position import Seen
from tilery.core.streams import Stream
from tilery.games import game
from tilery.server.bots import BotFailed, BotsBusy, Cancelled
from tilery.server.http import hints
from tilery.table.fairness import Dealer

LINE = {"win", "margin", "moves", "nodes", "solved"}
HINT = {"step", "engine", "variations", "horizon", "solved", "depth", "nodes"}


@dataclass
class Adviser(Thinker):
    """Records the requests; it can be made to wait or to fail."""

    asked: list[tuple[Seen, str]] = field(default_factory=list)
    error: Exception | None = None
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.may_answer.set()

    async def hint(self, seen: Seen, key: str) -> dict[str, Any]:
        self.asked.append((seen, key))
        await self.may_answer.wait()
        if self.error:
            raise self.error
        return await super().hint(seen, key)


def use_adviser(world: World) -> Adviser:
    adviser = Adviser()
    world.table_host.bots = adviser
    return adviser


async def hint(client: httpx.AsyncClient, where: str) -> httpx.Response:
    return await client.post(f"{where}/hint", json={})


@pytest.mark.parametrize("name", ["azul", "chocolatier", "schokoly"])
def test_hints_are_about_what_the_seat_sees(name: str, run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        adviser = use_adviser(world)
        async with world.client() as anna:
            where = await start_game(anna, game=name)
            for number in range(3):
                state = await play_random_moves(anna, where, Stream("hints", number), most=number)
                body = (await hint(anna, where)).json()
                assert set(body) == HINT
                assert body["step"] == state["step"]
                assert all(
                    set(line) == LINE and text_of(line["moves"][0]) in legal_texts(state) for line in body["variations"]
                )
                seen, key = adviser.asked[-1]
                assert key == f"{where.rpartition('/')[2]}/hint"
                assert (seen.seat, seen.view["rules"]) == (0, state["variant"])
                if name == "schokoly":
                    assert seen.view == seen.view | {"viewer": 0, "stack": None}
                    assert set(seen.view["hands"][1]) == {"?"}

    run_in_world(story)


def test_hints_are_refused_outside_of_practice(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        adviser = use_adviser(world)
        async with world.client() as anna, world.client() as eve:
            practice = await start_game(anna)
            assert kind_of(await hint(eve, practice)) == (403, "not-seated")
            assert kind_of(await hint(anna, "/api/tables/nosuchtable1")) == (404, "no-table")
            assert kind_of(await hint(anna, "/api/tables/x")) == (422, "not-understood")
            assert (await anna.get(f"{practice}/hint")).status_code == 405
            mine = [{"kind": "me", "name": "Anna"}]
            waiting = (
                f"/api/tables/{(await create_table(anna, seats=[*mine, {'kind': 'bot', 'bot': 'random'}]))['table']}"
            )
            assert kind_of(await hint(anna, waiting)) == (409, "not-now")
            both = await start_game(anna, seats=[*mine, *mine])
            assert kind_of(await hint(anna, both)) == (403, "not-allowed")
            table = (await create_table(anna))["table"]
            await eve.post(f"/api/tables/{table}/seat", json={"name": "Eve"})
            start = {"type": "start", "id": "s", "step": 1}
            await anna.post(f"/api/tables/{table}/commands", json=start)
            for client in (anna, eve):
                assert kind_of(await hint(client, f"/api/tables/{table}")) == (403, "not-allowed")
            await anna.post(f"{practice}/commands", json={"type": "resign", "id": "r", "step": 1})
            assert kind_of(await hint(anna, practice)) == (409, "not-now")
            foreign = await anna.post(f"{practice}/hint", headers={"origin": "https://elsewhere.example"})
            assert kind_of(foreign) == (403, "not-allowed")
        assert adviser.asked == []

    run_in_world(story)


def test_there_is_no_hint_during_the_turn_of_a_bot(run_in_world: RunInWorld) -> None:
    class Slow(Adviser):
        async def move(self, seen: Seen, bot: str, key: str) -> str:
            await asyncio.sleep(1000)
            return await super().move(seen, bot, key)

    async def story(world: World) -> None:
        world.bots.move = Slow().move  # type: ignore[method-assign]
        async with world.client() as anna:
            where = await start_game(anna)
            state = (await anna.get(where)).json()
            play = {"type": "play", "id": "m", "step": state["step"], "move": legal_texts(state)[0]}
            await anna.post(f"{where}/commands", json=play)
            assert kind_of(await hint(anna, where)) == (409, "not-your-turn")

    run_in_world(story)


def test_one_hint_at_a_time_is_computed_for_each_table(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        adviser = use_adviser(world)
        adviser.may_answer.clear()
        async with world.client() as anna:
            first, other = await start_game(anna), await start_game(anna)
            asked = asyncio.ensure_future(hint(anna, first))
            while not adviser.asked:
                await asyncio.sleep(0)
            assert kind_of(await hint(anna, first)) == (409, "not-now")
            beside = asyncio.ensure_future(hint(anna, other))
            while len(adviser.asked) < 2:
                await asyncio.sleep(0)
            adviser.may_answer.set()
            assert [response.status_code for response in await asyncio.gather(asked, beside)] == [200, 200]
            assert (await hint(anna, first)).status_code == 200

    run_in_world(story)


def test_concurrent_hints_are_limited(run_in_world: RunInWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "MAX_CONCURRENT_HINTS", 1)

    async def story(world: World) -> None:
        adviser = use_adviser(world)
        adviser.may_answer.clear()
        async with world.client() as anna:
            first, other = await start_game(anna), await start_game(anna)
            asked = asyncio.ensure_future(hint(anna, first))
            while not adviser.asked:
                await asyncio.sleep(0)
            assert kind_of(await hint(anna, other)) == (503, "busy")
            adviser.may_answer.set()
            assert (await asked).status_code == 200

    run_in_world(story)


def test_hints_of_one_address_are_limited(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await start_game(anna)
            responses = [(await hint(anna, where)).status_code for _ in range(22)]
            assert responses == [200] * 20 + [429] * 2
            assert kind_of(await hint(anna, where)) == (429, "too-many-requests")
            world.time += 4
            assert [(await hint(anna, where)).status_code for _ in range(3)] == [200, 200, 429]

    run_in_world(story)


@pytest.mark.parametrize("error", [BotFailed("it wrote nonsense"), BotsBusy("full"), Cancelled("closing")])
def test_a_failed_hint_can_be_requested_again(error: Exception, run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        adviser = use_adviser(world)
        async with world.client() as anna:
            where = await start_game(anna)
            adviser.error = error
            assert kind_of(await hint(anna, where)) == (503, "busy")
            adviser.error = None
            assert (await hint(anna, where)).status_code == 200

    logged = run_in_world(story).written.getvalue()
    assert ("hint failed" in logged) is isinstance(error, BotFailed)


def test_a_hint_times_out(run_in_world: RunInWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "HINT_TIMEOUT", 0.05)

    async def story(world: World) -> None:
        adviser = use_adviser(world)
        adviser.may_answer.clear()
        async with world.client() as anna:
            where = await start_game(anna)
            assert kind_of(await hint(anna, where)) == (503, "busy")
            adviser.may_answer.set()
            assert (await hint(anna, where)).status_code == 200

    run_in_world(story)


def _deals(choose: Callable[[list[int]], int]) -> list[int]:
    """The first deals of a game; only the cards of the bot differ."""
    position, dealt = game("schokoly").new(), list[int]()
    while position.actor == CHANCE:
        actions = position.actions()
        is_mine = position.veiled(actions[0], 0) == actions[0]
        dealt.append(actions[2 if is_mine else choose(actions)])
        position = position.play(dealt[-1])
    return dealt


def test_hints_do_not_depend_on_the_hands_of_the_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[list[tuple[int, Any, bytes]]] = []
    hands = []

    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await start_game(anna, game="schokoly")
            heard.append([])
            responses = [
                await hint(anna, where),
                await anna.get(f"{where}/replay"),
                await anna.get(f"{where}/preview", params={"move": ["dark", "pass", "+?", "+DDDM", "DDDM@0,0"]}),
                *[await anna.get(f"{where}/positions/8?as={kind}") for kind in ("text", "svg", "json")],
            ]
            heard[-1] += [(one.status_code, sorted(one.headers.items()), one.content) for one in responses]
            hands.append(
                await world.table_host.read(where.rpartition("/")[2], lambda table, _: table.position.view["hands"])
            )

    for number, choose in enumerate((lambda _: 0, lambda _: -1)):
        deals = _deals(choose)
        monkeypatch.setattr(Dealer, "deal", dealing(deals))
        run(tmp_path / str(number), story, WIDE)
    assert hands[0][0] == hands[1][0]
    assert hands[0][1] != hands[1][1]
    assert heard[0] == heard[1]
    assert {status for status, _, _ in heard[0]} == {200}


@pytest.mark.parametrize("name", ["azul", "schokoly"])
def test_a_real_engine_gives_a_hint_in_a_worker_process(name: str, anna: Person) -> None:
    anna.make(name, AGAINST_BOT)
    tab = anna.tab()
    tab.done("start")
    while not tab.state.get("moves"):
        tab.receive()
    for _ in range(20):  # the engine may have to be compiled first
        response = anna.http.post(f"/api/tables/{anna.table}/hint", json={})
        if response.status_code != 503:
            break
    assert response.status_code == 200, response.text
    body = response.json()
    assert 1 <= len(body["variations"]) <= 5
    assert all(0 <= line["win"] <= 1 and line["moves"] for line in body["variations"])
    wins = [line["win"] for line in body["variations"]]
    assert wins[0] == max(wins)
    assert body["horizon"] in ("round", "game")
    tab.done("play", move=text_of(body["variations"][0]["moves"][0]))
    tab.close()
