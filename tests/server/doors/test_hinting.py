"""Hints: who gets them, what they are made from, and what happens when there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.doors.inside import WIDE, Inside, Thinker, World, begun, code_of, made, played, run
from tests.server.doors.people import AGAINST_BOT, Person
from tests.server.doors.test_twins import dealing
from tilery.core.kernel.actors import CHANCE
from tilery.core.position import Seen
from tilery.core.streams import Stream
from tilery.games import game
from tilery.server.bots import BotFailed, BotsBusy, Cancelled
from tilery.server.doors import hinting
from tilery.table.fairness import Dealer

LINE = {"move", "win", "margin", "moves", "nodes", "solved"}
HINT = {"step", "engine", "lines", "horizon", "solved", "depth", "nodes"}


@dataclass
class Adviser(Thinker):
    """Notes what it is asked, and waits or fails if it is told to."""

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


def advised(world: World) -> Adviser:
    adviser = Adviser()
    world.keeper._bots = adviser
    return adviser


async def hint(client: httpx.AsyncClient, where: str) -> httpx.Response:
    return await client.post(f"{where}/hint", json={})


@pytest.mark.parametrize("name", ["azul", "chocolatier", "schokoly"])
def test_who_practises_gets_hints_about_what_the_seat_sees(name: str, inside: Inside) -> None:
    async def story(world: World) -> None:
        adviser = advised(world)
        async with world.client() as anna:
            where = await begun(anna, game=name)
            for number in range(3):
                state = await played(anna, where, Stream("hints", number), most=number)
                told = (await hint(anna, where)).json()
                assert set(told) == HINT
                assert told["step"] == state["step"]
                assert all(set(line) == LINE and line["move"] in state["moves"] for line in told["lines"])
                seen, key = adviser.asked[-1]
                assert key == f"{where.rpartition('/')[2]}/hint"
                assert (seen.seat, seen.view["rules"]) == (0, state["variant"])
                if name == "schokoly":
                    assert seen.view == seen.view | {"viewer": 0, "stack": None}
                    assert set(seen.view["hands"][1]) == {"?"}

    inside(story)


def test_hints_are_refused_to_everybody_else(inside: Inside) -> None:
    async def story(world: World) -> None:
        adviser = advised(world)
        async with world.client() as anna, world.client() as eve:
            practice = await begun(anna)
            assert code_of(await hint(eve, practice)) == (403, "not-seated")
            assert code_of(await hint(anna, "/api/tables/nosuchtable1")) == (404, "no-table")
            assert code_of(await hint(anna, "/api/tables/x")) == (422, "not-understood")
            assert (await anna.get(f"{practice}/hint")).status_code == 405
            mine = [{"kind": "me", "name": "Anna"}]
            waiting = f"/api/tables/{(await made(anna, seats=[*mine, {'kind': 'bot', 'bot': 'random'}]))['table']}"
            assert code_of(await hint(anna, waiting)) == (409, "not-now")
            both = await begun(anna, seats=[*mine, *mine])
            assert code_of(await hint(anna, both)) == (403, "not-allowed")
            table = (await made(anna))["table"]
            await eve.post(f"/api/tables/{table}/seat", json={"name": "Eve"})
            start = {"type": "start", "id": "s", "step": 1}
            await anna.post(f"/api/tables/{table}/commands", json=start)
            for client in (anna, eve):
                assert code_of(await hint(client, f"/api/tables/{table}")) == (403, "not-allowed")
            await anna.post(f"{practice}/commands", json={"type": "resign", "id": "r", "step": 1})
            assert code_of(await hint(anna, practice)) == (409, "not-now")
            foreign = await anna.post(f"{practice}/hint", headers={"origin": "https://elsewhere.example"})
            assert code_of(foreign) == (403, "not-allowed")
        assert adviser.asked == []

    inside(story)


def test_while_the_bot_thinks_there_is_no_hint(inside: Inside) -> None:
    class Slow(Adviser):
        async def move(self, seen: Seen, bot: str, key: str) -> str:
            await asyncio.sleep(1000)
            return await super().move(seen, bot, key)

    async def story(world: World) -> None:
        world.keeper._bots = Slow()
        async with world.client() as anna:
            where = await begun(anna)
            state = (await anna.get(where)).json()
            play = {"type": "play", "id": "m", "step": state["step"], "move": state["moves"][0]}
            await anna.post(f"{where}/commands", json=play)
            assert code_of(await hint(anna, where)) == (409, "not-your-turn")

    inside(story)


def test_one_hint_is_thought_about_at_a_time_for_each_table(inside: Inside) -> None:
    async def story(world: World) -> None:
        adviser = advised(world)
        adviser.may_answer.clear()
        async with world.client() as anna:
            first, other = await begun(anna), await begun(anna)
            asked = asyncio.ensure_future(hint(anna, first))
            while not adviser.asked:
                await asyncio.sleep(0)
            assert code_of(await hint(anna, first)) == (409, "not-now")
            beside = asyncio.ensure_future(hint(anna, other))
            while len(adviser.asked) < 2:
                await asyncio.sleep(0)
            adviser.may_answer.set()
            assert [answer.status_code for answer in await asyncio.gather(asked, beside)] == [200, 200]
            assert (await hint(anna, first)).status_code == 200

    inside(story)


def test_only_so_many_tables_wait_for_hints(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hinting, "MOST_AT_ONCE", 1)

    async def story(world: World) -> None:
        adviser = advised(world)
        adviser.may_answer.clear()
        async with world.client() as anna:
            first, other = await begun(anna), await begun(anna)
            asked = asyncio.ensure_future(hint(anna, first))
            while not adviser.asked:
                await asyncio.sleep(0)
            assert code_of(await hint(anna, other)) == (503, "overloaded")
            adviser.may_answer.set()
            assert (await asked).status_code == 200

    inside(story)


def test_hints_of_one_address_are_limited(inside: Inside) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await begun(anna)
            answers = [(await hint(anna, where)).status_code for _ in range(22)]
            assert answers == [200] * 20 + [429] * 2
            assert code_of(await hint(anna, where)) == (429, "too-many")
            world.time += 4
            assert [(await hint(anna, where)).status_code for _ in range(3)] == [200, 200, 429]

    inside(story)


@pytest.mark.parametrize("error", [BotFailed("it wrote nonsense"), BotsBusy("full"), Cancelled("closing")])
def test_where_there_is_no_hint_it_can_be_asked_for_again(error: Exception, inside: Inside) -> None:
    async def story(world: World) -> None:
        adviser = advised(world)
        async with world.client() as anna:
            where = await begun(anna)
            adviser.error = error
            assert code_of(await hint(anna, where)) == (503, "overloaded")
            adviser.error = None
            assert (await hint(anna, where)).status_code == 200

    logged = inside(story).written.getvalue()
    assert ("hint failed" in logged) is isinstance(error, BotFailed)


def test_nobody_waits_for_ever(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hinting, "PATIENCE", 0.05)

    async def story(world: World) -> None:
        adviser = advised(world)
        adviser.may_answer.clear()
        async with world.client() as anna:
            where = await begun(anna)
            assert code_of(await hint(anna, where)) == (503, "overloaded")
            adviser.may_answer.set()
            assert (await hint(anna, where)).status_code == 200

    inside(story)


def _deals(choose: Callable[[list[int]], int]) -> list[int]:
    """The first deals of a game, in which only the bot gets other cards."""
    position, dealt = game("schokoly").new(), list[int]()
    while position.actor == CHANCE:
        actions = position.actions()
        is_mine = position.veiled(actions[0], 0) == actions[0]
        dealt.append(actions[2 if is_mine else choose(actions)])
        position = position.play(dealt[-1])
    return dealt


def test_what_the_bots_hold_makes_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[list[tuple[int, Any, bytes]]] = []
    hands = []

    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await begun(anna, game="schokoly")
            heard.append([])
            answers = [
                await hint(anna, where),
                await anna.get(f"{where}/replay"),
                await anna.get(f"{where}/preview", params={"move": ["dark", "pass", "+?", "+DDDM", "DDDM@0,0"]}),
                *[await anna.get(f"{where}/positions/8?as={kind}") for kind in ("text", "svg", "json")],
                *[await anna.get(f"{where}/effects/{ply}") for ply in range(1, 9)],
            ]
            heard[-1] += [(one.status_code, sorted(one.headers.items()), one.content) for one in answers]
            hands.append(
                await world.keeper.look(where.rpartition("/")[2], lambda table, _: table.position.view["hands"])
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
def test_a_real_engine_gives_a_hint_in_a_process_of_its_own(name: str, anna: Person) -> None:
    anna.make(name, AGAINST_BOT)
    tab = anna.tab()
    tab.done("start")
    while not tab.state.get("moves"):
        tab.hear()
    for _ in range(20):  # the engine may have to be compiled first
        answer = anna.http.post(f"/api/tables/{anna.table}/hint", json={})
        if answer.status_code != 503:
            break
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert 1 <= len(told["lines"]) <= 5
    assert all(0 <= line["win"] <= 1 and line["moves"][0] == line["move"] for line in told["lines"])
    wins = [line["win"] for line in told["lines"]]
    assert wins[0] == max(wins)
    assert told["horizon"] in ("round", "game")
    tab.done("play", move=told["lines"][0]["move"])
    tab.close()
