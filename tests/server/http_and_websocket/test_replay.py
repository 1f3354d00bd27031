"""Replays, positions in every format, and previews of moves."""

from __future__ import annotations

import gzip
import json
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from tests.server.http_and_websocket.in_process import (
    RunInWorld,
    World,
    create_table,
    kind_of,
    play_random_moves,
    start_game,
)
from tests.table.test_rendering import views_of
from tests.wire_client import legal_texts, text_of
from tilery.core.streams import Stream
from tilery.games import read_any_position, read_any_record
from tilery.server.http import records

THREE = [{"kind": "me", "name": "Anna"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}]
TWICE = [{"kind": "me", "name": "Anna"}, {"kind": "me", "name": "Ben"}]


@pytest.mark.parametrize("game", ["azul", "chocolatier", "schokoly"])
def test_a_whole_game_is_replayed_position_by_position(game: str, run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as eve:
            where = await start_game(anna, game=game)
            state = await play_random_moves(anna, where, Stream("replay", game))
            assert state["status"] == "over"
            replay = (await eve.get(f"{where}/replay")).json()
            assert set(replay) == {"game", "variant", "players", "tags", "result", "start", "steps", "breakdown"}
            assert (replay["game"], replay["variant"]) == (game, state["variant"])
            assert replay["players"] == ["Anna", "random"]
            assert replay["breakdown"] == state["breakdown"]
            assert replay["tags"]["Secret"] == state["secret"]
            positions = views_of(replay)
            assert len(positions) == state["plies"] + 1
            assert positions[-1] == state["position"]
            for ply in (0, 1, state["plies"] // 2, state["plies"]):
                assert (await eve.get(f"{where}/positions/{ply}")).json() == positions[ply]
            record = (await eve.get(f"{where}/record")).text
            again = await eve.post("/api/records?all=true", content=record)
            assert again.json() == replay

    run_in_world(story)


def test_players_and_spectators_see_their_own_replays_of_a_running_game(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as eve:
            where = await start_game(anna, game="schokoly")
            state = await play_random_moves(anna, where, Stream("watching"), most=6)
            for client, viewer in ((anna, 0), (eve, -3)):
                replay = (await client.get(f"{where}/replay")).json()
                record = read_any_record((await client.get(f"{where}/record")).text)
                positions = views_of(replay)
                assert positions == [json.loads(position.json()) for position in record.positions()]
                assert {position["viewer"] for position in positions} == {viewer}
                assert len(replay["steps"]) >= state["plies"]
                assert replay["breakdown"] is None
                assert "Secret" not in replay["tags"]

    run_in_world(story)


def test_a_table_before_its_game_has_one_position(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            where = f"/api/tables/{(await create_table(anna))['table']}"
            replay = (await anna.get(f"{where}/replay")).json()
            assert replay["steps"] == []
            assert replay["start"] == (await anna.get(f"{where}/positions/0")).json()

    run_in_world(story)


def test_a_replay_that_is_too_long_is_refused(run_in_world: RunInWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_POSITIONS", 4)

    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await start_game(anna)
            assert kind_of(await anna.get(f"{where}/replay")) == (413, "too-long")
            record = (await anna.get(f"{where}/record")).text
            assert kind_of(await anna.post("/api/records?all=true", content=record)) == (413, "too-long")
            assert (await anna.get(f"{where}/positions/5")).status_code == 200

    run_in_world(story)


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_a_position_as_text_and_as_svg(game: str, run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as eve:
            where = await start_game(anna, game=game)
            state = await play_random_moves(anna, where, Stream("forms"), most=4)
            for client in (anna, eve):
                seen = read_any_record((await client.get(f"{where}/record")).text)
                for ply in (0, state["plies"]):
                    there = f"{where}/positions/{ply}"
                    text = await client.get(there, params={"as": "text"})
                    assert text.headers["content-type"] == "text/plain; charset=utf-8"
                    assert text.text == read_any_position(text.text).text == seen.position(ply).text
                    picture = await client.get(there, params={"as": "svg"})
                    _is_safe_picture(picture)
                    assert picture.text == seen.svg(ply)
                    same = await client.post("/api/records", params={"ply": ply, "as": "svg"}, content=seen.text)
                    assert (same.text, same.headers) == (picture.text, picture.headers)
                    same = await client.post("/api/records", params={"ply": ply, "as": "text"}, content=seen.text)
                    assert same.text == text.text
                    plain = (await client.get(there)).json()
                    assert (await client.get(there, params={"as": "json"})).json() == plain
            for wrong in ("png", "", "TEXT"):
                assert kind_of(await eve.get(f"{where}/positions/1", params={"as": wrong})) == (422, "not-understood")
            for kind in ("text", "svg"):
                asked = {"as": kind, "ply": 90_000}
                assert kind_of(await eve.get(f"{where}/positions/90000", params=asked)) == (400, "bad-text")
                assert kind_of(await eve.post("/api/records", params=asked, content=seen.text)) == (400, "bad-text")

    run_in_world(story)


def _is_safe_picture(picture: httpx.Response) -> None:
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "default-src 'none'" in picture.headers["content-security-policy"]
    assert picture.headers["x-content-type-options"] == "nosniff"
    elements = list(ElementTree.fromstring(picture.text).iter())
    tags = {element.tag.rpartition("}")[2] for element in elements}
    assert "svg" in tags
    assert not tags & {"script", "foreignObject", "a", "image", "iframe", "animate", "set", "style"}
    attributes = [(name.rpartition("}")[2], value) for element in elements for name, value in element.items()]
    assert not any(name.startswith("on") for name, _ in attributes)
    assert all(value.startswith("#") for name, value in attributes if name == "href")


def test_a_name_in_an_svg_is_text(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            seats = [{"kind": "me", "name": "<script>x</script>"}, {"kind": "me", "name": "\"'&]]>--"}]
            where = await start_game(anna, seats=seats)
            picture = await anna.get(f"{where}/positions/5?as=svg")
            _is_safe_picture(picture)
            assert "&lt;script&gt;" in picture.text

    run_in_world(story)


def test_long_responses_are_compressed_if_the_client_accepts_it(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await start_game(anna)
            await play_random_moves(anna, where, Stream("long"), most=4)
            for path, is_long in ((f"{where}/replay", True), (f"{where}/positions/0?as=text", False)):
                plain = await anna.get(path, headers={"accept-encoding": "identity"})
                assert "content-encoding" not in plain.headers
                assert (len(plain.content) > 2000) is is_long
                for accepted in ("gzip", "br, gzip;q=0.5", "*, GZIP"):
                    request = anna.build_request("GET", path, headers={"accept-encoding": accepted})
                    response = await anna.send(request, stream=True)
                    raw = b"".join([part async for part in response.aiter_raw()])
                    assert (response.headers.get("content-encoding") == "gzip") is is_long
                    assert (response.headers.get("vary") == "accept-encoding") is is_long
                    assert int(response.headers["content-length"]) == len(raw)
                    assert (gzip.decompress(raw) if is_long else raw) == plain.content
                refused = await anna.get(path, headers={"accept-encoding": "gzip;q=0"})
                assert "content-encoding" not in refused.headers

    run_in_world(story)


def test_a_preview_says_what_the_move_then_does(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await start_game(anna, seats=TWICE)
            state = (await anna.get(where)).json()
            before = [
                one
                for moves in (legal_texts(state)[:40], legal_texts(state)[40:80])
                for one in (await anna.get(f"{where}/preview", params={"move": moves})).json()["previews"]
            ]
            after = await play_random_moves(anna, where, Stream("effects"), most=1)
            steps = (await anna.get(f"{where}/replay")).json()["steps"]
            step = steps[after["plies"] - 1]
            (expected,) = [one for one in before if one["typed"] == text_of(step["move"])]
            assert (step["actor"], step["move"], step["effects"]) == (0, expected["move"], expected["effects"])
            (dealt,) = steps[4]["effects"]
            assert (steps[4]["actor"], dealt["type"], dealt["source"]) == (-1, "dealt", 5)

    run_in_world(story)


def test_previews_are_for_the_player_to_move(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as ben, world.client() as eve:
            table = (await create_table(anna, seats=THREE))["table"]
            where = f"/api/tables/{table}"
            await ben.post(f"{where}/seat", json={"name": "Ben"})
            asked = {"move": ["1B1", "nonsense", "9R1", "+BBYR"]}
            assert kind_of(await anna.get(f"{where}/preview", params=asked)) == (409, "not-now")
            await anna.post(f"{where}/commands", json={"type": "start", "id": "s", "step": 1})
            state = (await anna.get(where)).json()
            legal = legal_texts(state)[:30]
            body = (await anna.get(f"{where}/preview", params={"move": [*legal, *asked["move"][1:]]})).json()
            assert body["step"] == state["step"]
            assert [one["typed"] for one in body["previews"]] == [*legal, *asked["move"][1:]]
            assert all(set(one) == {"typed", "move", "effects"} for one in body["previews"][:-3])
            errors = [one["error"] for one in body["previews"][-3:]]
            assert [error["kind"] for error in errors] == ["not-a-move", "not-legal", "not-legal"]
            assert [error.get("rule") for error in errors] == [None, "AZ-1", "AZ-12"]
            assert all(error["text"] for error in errors)
            assert kind_of(await ben.get(f"{where}/preview", params=asked)) == (409, "not-your-turn")
            assert kind_of(await eve.get(f"{where}/preview", params=asked)) == (403, "not-seated")
            await anna.post(f"{where}/commands", json={"type": "resign", "id": "r", "step": 1})
            assert kind_of(await anna.get(f"{where}/preview", params=asked)) == (403, "not-seated")

    run_in_world(story)


WRONG_PREVIEWS: list[Any] = [
    {},
    {"move": []},
    {"move": ["1B1"] * 41},
    {"move": "x" * 41},
    {"move": ""},
    {"moves": "1B1"},
]


def test_a_preview_needs_moves_and_not_too_many(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await start_game(anna)
            for wrong in WRONG_PREVIEWS:
                assert kind_of(await anna.get(f"{where}/preview", params=wrong)) == (422, "not-understood"), wrong
            most = await anna.get(f"{where}/preview", params={"move": ["1B1"] * 40})
            assert len(most.json()["previews"]) == 40
            for weird in ("\0", "%00", "💥", "\u202e", "' OR 1=1", "<b>"):
                (body,) = (await anna.get(f"{where}/preview", params={"move": weird})).json()["previews"]
                assert (body["typed"], "move" in body, body["error"]["kind"]) == (weird, False, "not-a-move")
            broken = await anna.get(f"{where}/preview?move=%ff%fe")
            assert "error" in broken.json()["previews"][0]

    run_in_world(story)


def test_an_unknown_table_has_no_positions(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            for path in ("replay", "preview?move=1B1", "positions/0?as=svg"):
                assert kind_of(await anna.get(f"/api/tables/nosuchtable1/{path}")) == (404, "no-table")
                assert kind_of(await anna.get(f"/api/tables/NOTANAME/{path}")) == (422, "not-understood")

    run_in_world(story)
