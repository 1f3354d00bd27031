"""Endpoints without a table: external records and positions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from tests.notation import texts
from tests.server.http_and_websocket.in_process import RunInWorld, World, kind_of, play_random_moves, start_game
from tests.server.http_and_websocket.test_http import BROKEN
from tests.table.test_rendering import views_of
from tests.table.test_views import plain
from tests.wire_client import legal_texts, text_of
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import Position, Seen
from tilery.core.record import Record
from tilery.core.streams import Stream
from tilery.games import game, read_any_position, read_position
from tilery.server.http.study import deals

FIELDS = {"game", "variant", "start", "steps", "text", "actor", "moves", "previews", "result", "breakdown"}
DEALS = ["+KKWW", "+RRRW", "+BYKK", "+BRRK", "+BKKW"]


@pytest.mark.parametrize(
    ("name", "variant"), [("azul", "2"), ("azul", "3,grey"), ("chocolatier", "2,specials"), ("schokoly", "3,swap")]
)
def test_a_game_is_played_on_from_any_of_its_positions(name: str, variant: str, run_in_world: RunInWorld) -> None:
    position, stream, line = game(name).new(variant), Stream("study", name), list[tuple[Position, str]]()
    while position.actor != OVER:
        move = stream.choice(texts(position))
        line.append((position, move))
        position = position.play(move)

    async def story(world: World) -> None:
        async with world.client() as anna:
            for at in range(0, len(line), 7):
                part = line[at : at + 7]
                asked = {"position": part[0][0].text, "moves": [move for _, move in part], "preview": [part[0][1], "?"]}
                response = await anna.post("/api/study", json=asked)
                assert response.status_code == 200, response.text
                body = response.json()
                after = line[at + 7][0] if at + 7 < len(line) else position
                assert set(body) == FIELDS
                assert (body["game"], body["text"]) == (name, after.text)
                assert body["variant"] == after.rules.text
                assert views_of(body) == [json.loads(at.json()) for at in (*(at for at, _ in part), after)]
                assert [step["text"] for step in body["steps"]] == [*(at.text for at, _ in part[1:]), after.text]
                assert legal_texts(body) == texts(after)
                assert body["actor"] == (None if after.actor == OVER else after.actor)
                for step, (before, move) in zip(body["steps"], part, strict=True):
                    assert (step["actor"], text_of(step["move"])) == (before.actor, move)
                    assert step["effects"] == plain(before.effects(move))
                assert ["move" in one for one in body["previews"]] == [part[0][1] in texts(after), False]
                assert (body["result"] is None) is (body["breakdown"] is None) is (after.actor != OVER)
            outcome = position.outcome
            assert outcome is not None
            assert body["result"] == {
                "scores": list(outcome.scores),
                "winners": list(outcome.winners),
                "ended_by": outcome.code,
                "rule": outcome.rule,
            }
            assert body["breakdown"][-1] == {"code": "total", "points": list(outcome.scores)}

    run_in_world(story)


def test_a_position_without_moves(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            start = game("azul").new()
            body = (await anna.post("/api/study", json={"position": f"  {start.text}\n"})).json()
            assert (body["text"], body["actor"], body["steps"]) == (start.text, CHANCE, [])
            assert len(body["moves"]) == 70
            body = (await anna.post("/api/study", json={"position": start.text, "moves": DEALS})).json()
            assert (body["actor"], views_of(body)[-1]["phase"]) == (0, "offer")
            assert [effect["type"] for step in body["steps"] for effect in step["effects"]] == ["dealt"] * 5

    run_in_world(story)


def test_a_seen_position_can_be_studied_too(run_in_world: RunInWorld) -> None:
    whole = game("schokoly").new().settle(Stream("seen"))
    for move in ("dark", texts(whole.play("dark"))[0], "no-token"):
        whole = whole.play(move)
    mine = whole.seen_by(0)

    async def story(world: World) -> None:
        async with world.client() as anna:
            body = (await anna.post("/api/study", json={"position": mine.text})).json()
            assert body["start"]["hands"][1] == ["?"] * 4
            assert (body["actor"], "+?" in legal_texts(body)) == (CHANCE, False)
            card = legal_texts(body)[0]
            body = (await anna.post("/api/study", json={"position": mine.text, "moves": [card]})).json()
            assert read_any_position(body["text"]) == mine.play(card)
            assert (body["actor"], body["moves"]) == (1, [])  # what another one holds is not known

    run_in_world(story)


def test_an_error_names_the_move_and_the_rule(run_in_world: RunInWorld) -> None:
    start = game("azul").new().text

    async def story(world: World) -> None:
        async with world.client() as anna:
            for moves, text, code, rule in (
                ([*DEALS, "9R1"], "there is no factory 9", "no-factory", "AZ-1"),
                ([*DEALS, "1B1"], "factory 1 holds no blue tile", "no-such-tile", "AZ-12"),
                (["nonsense"], "'nonsense' is not a move", "not-a-move", None),
                ([*DEALS, ""], "'' is not a move", "not-a-move", None),
            ):
                response = await anna.post("/api/study", json={"position": start, "moves": moves})
                assert kind_of(response) == (400, "bad-text"), response.text
                error = response.json()["error"]
                assert error["text"].startswith(text)
                assert (error["code"], error.get("rule"), error["move"]) == (code, rule, len(moves) - 1)
            for position in (
                "",
                "x",
                "chess:2 ...",
                "azul",
                "azul:2",
                start + " x",
                start.replace("20", "21", 1),
                "💥",
            ):
                response = await anna.post("/api/study", json={"position": position})
                assert kind_of(response) == (400, "bad-text"), position

    run_in_world(story)


WRONG: list[Any] = [
    {},
    {"position": 5},
    {"position": None},
    {"position": "x" * 4001},
    {"position": "x", "moves": "1B1"},
    {"position": "x", "moves": [1]},
    {"position": "x", "moves": ["x" * 41]},
    {"position": "x", "moves": ["x"] * 201},
    {"position": "x", "preview": ["x"] * 41},
    {"position": "x", "preview": None},
    {"position": "x", "more": 1},
    [],
]


def test_an_invalid_study_request_is_refused(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            for wrong in WRONG:
                assert kind_of(await anna.post("/api/study", json=wrong)) == (422, "not-understood"), wrong
            for body, kind in product(BROKEN, ("application/json", "text/plain")):
                response = await anna.post("/api/study", content=body, headers={"content-type": kind})
                assert kind_of(response) == (422, "not-understood"), body[:20]
            assert kind_of(await anna.post("/api/study", content=b" " * 8193)) == (413, "too-long")

    run_in_world(story)


def test_an_external_record_is_returned_with_all_its_positions(run_in_world: RunInWorld) -> None:
    record = Record(game("azul").new(), players=("Ann", "Ben"), tags={"Place": "the kitchen table"})
    for move in [*DEALS, "5B1", "3Y1"]:
        record = record.play(move)

    async def story(world: World) -> None:
        async with world.client() as anna:
            body = (await anna.post("/api/records?all=true", content=record.text)).json()
            positions = [json.loads(position.json()) for position in record.positions()]
            assert views_of(body) == positions
            assert (body["steps"][-1]["actor"], text_of(body["steps"][-1]["move"])) == (1, "3Y1")
            assert (body["players"], body["tags"]) == (["Ann", "Ben"], {"Place": "the kitchen table"})
            assert (body["result"], body["breakdown"]) == ("*", None)
            for wrong in ("all=true&ply=3", "all=true&as=svg", "all=maybe", "as=png", "ply=3&as="):
                response = await anna.post(f"/api/records?{wrong}", content=record.text)
                assert kind_of(response) == (422, "not-understood"), wrong
            one = (await anna.post("/api/records?all=false&ply=3&as=json", content=record.text)).json()
            assert (one["ply"], one["position"]) == (3, positions[3])
            last = await anna.post("/api/records?as=text", content=record.text)
            assert last.text == record.last.text
            for kind in ("all=true", "as=text", "as=svg"):
                for weird in (b"", b"\xff\xfe", b"[" * 60_000, record.text.encode() + b" 9R1"):
                    assert kind_of(await anna.post(f"/api/records?{kind}", content=weird)) == (400, "bad-text")

    run_in_world(story)


def test_a_finished_record_has_its_breakdown(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            where = await start_game(anna, game="schokoly")
            state = await play_random_moves(anna, where, Stream("finished"))
            record = (await anna.get(f"{where}/record")).text
            body = (await anna.post("/api/records?all=true", content=record)).json()
            assert body["breakdown"] == state["breakdown"]

    run_in_world(story)


def test_deals_have_the_probabilities_of_the_kernel() -> None:
    """Also where the bag runs out inside a deal: the rest of it is drawn first."""
    position = game("azul").new().play("+BBBB").play("+YYYY").play("+RRRR").play("+KKKK")
    short = list(_with_a_short_bag())
    assert short
    for start in (position, *short[:2]):
        probabilities = start.probabilities()
        drawn = Counter(next(deals(start, Stream("deals", number)))[1] for number in range(4000))
        far = sum(abs(drawn[start.action(move)] / 4000 - p) for move, p in probabilities.items()) / 2
        assert far < 0.06, start.text
        assert {start.move_text(action) for action in drawn} <= set(probabilities)


def _with_a_short_bag() -> Iterator[Position]:
    """Positions of a game in which the next factory needs more tiles than the bag has."""
    at, stream = game("azul").new("2"), Stream("short bag")
    while at.actor != OVER:
        if at.view["phase"] == "fill" and 0 < sum(at.view["bag"]) < 4:
            yield at
        at = at.play(at.draw(stream) if at.actor == CHANCE else stream.choice(at.actions()))


def test_a_viewer_is_dealt_what_fits_what_it_knows() -> None:
    at = game("schokoly").new("3").seen_by(0)
    steps = list(deals(at, Stream("seen")))
    assert steps[-1][2].actor == 0
    assert [before.move_text(action) for before, action, _ in steps].count("+?") == 8
    assert all(isinstance(after, Seen) for _, _, after in steps)


def test_chance_acts_until_it_is_somebodys_turn(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            start = game("chocolatier").new().text
            body = (await anna.post("/api/study", json={"position": start, "deal": True})).json()
            at = read_position(start)
            for step in body["steps"]:
                at = at.play(text_of(step["move"]))
                assert (step["actor"], at.text) == (CHANCE, step["text"])
                assert step["effects"]
            assert (at.text, at.actor) == (body["text"], body["actor"])
            assert body["actor"] == 0
            again = (await anna.post("/api/study", json={"position": body["text"], "deal": True})).json()
            assert (again["steps"], again["text"]) == ([], body["text"])

    run_in_world(story)


def test_moves_are_read_as_people_type_them(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            start = game("azul").new().text
            wish = {"position": start, "moves": [*DEALS, "5 b 1"], "preview": ["3 y 1", "9 r 1"]}
            body = (await anna.post("/api/study", json=wish)).json()
            assert text_of(body["steps"][-1]["move"]) == "5B1"
            assert [one["typed"] for one in body["previews"]] == ["3 y 1", "9 r 1"]
            assert text_of(body["previews"][0]["move"]) == "3Y1"
            assert body["previews"][1]["error"]["code"] == "no-factory"

    run_in_world(story)
