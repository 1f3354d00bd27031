"""Games shown again: all positions, what moves did and what they would do, with the eyes of everybody."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.table.driving import Room, who_of
from tests.table.test_telling import GAMES_PLAYED
from tilery.core.kernel.actors import CHANCE
from tilery.core.refusals import Refused
from tilery.games import game, read_position
from tilery.table.commands import Play, Resign
from tilery.table.refusing import TableRefused
from tilery.table.showing import effects_of, previews_of, replay_of
from tilery.table.telling import Sight, history_of, own_turn, practice_turn, seen_record


def replay(room: Room, person: str) -> dict[str, Any]:
    sight = Sight(room.table, who_of(person))
    words: dict[str, Any] = json.loads(replay_of(sight.record(), is_over=sight.is_over))
    return words


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_a_replay_has_every_position_as_its_viewer_saw_it(name: str, seats: str, variant: str) -> None:
    room = Room(seats, name, variant=variant)
    for number in range(12):
        room.move(7 * number)
    for person in ("a", "b", "x", ""):
        words = replay(room, person)
        seen = seen_record(room.table, who_of(person))
        assert words["positions"] == [json.loads(position.json()) for position in seen.positions()]
        assert words["positions"][-1] == room.state(person)["position"]
        assert words["history"] == [list(ply) for ply in history_of(seen)]
        assert len(words["positions"]) == len(words["history"]) + 1 == room.table.plies + 1
        assert (words["result"], words["breakdown"]) == ("*", None)


@pytest.mark.parametrize(("name", "seats", "variant"), [("azul", "ab", ""), ("schokoly", "abc", "swap")])
def test_when_it_is_over_everybody_sees_everything_and_where_the_points_come_from(
    name: str, seats: str, variant: str
) -> None:
    room = Room(seats, name, variant=variant)
    room.finish(5)
    words = replay(room, "")
    assert words == replay(room, "a")
    assert words["positions"] == [json.loads(position.json()) for position in room.table.record().positions()]
    assert words["breakdown"] == room.state()["breakdown"]
    assert words["result"] == "-".join(map(str, room.state()["result"]["scores"]))
    assert "?" not in json.dumps(words["positions"])


def test_a_game_that_was_given_up_has_a_breakdown_but_no_result() -> None:
    room = Room("ab", "schokoly")
    room.do("a", Resign)
    words = replay(room, "b")
    assert words["result"] == "*"
    assert words["breakdown"] == room.state()["breakdown"]


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_what_every_move_did_is_what_the_position_before_it_says(name: str, seats: str, variant: str) -> None:
    room = Room(seats, name, variant=variant)
    room.finish(3)
    whole = room.table.record()
    told = [effects_of(whole, ply) for ply in range(1, len(whole.plies) + 1)]
    assert [(one["actor"], one["move"]) for one in told] == history_of(whole)
    for one, position in zip(told, whole.positions(), strict=False):
        assert one["effects"] == position.effects(one["move"])
        if one["actor"] == CHANCE:
            assert one["effects"] == {}
    assert any(one["effects"] for one in told)
    json.dumps(told)
    for viewer in range(len(seats)):  # what happens on the table is the same for all
        seen = whole.seen_by(viewer)
        assert [effects_of(seen, one["ply"])["effects"] for one in told] == [one["effects"] for one in told]


@pytest.mark.parametrize("ply", [0, -1, 6, 1000])
def test_a_ply_that_is_not_there_is_refused(ply: int) -> None:
    with pytest.raises(Refused, match="plies 1 to 5, not"):
        effects_of(Room("ab").table.record(), ply)


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_a_preview_is_right_about_every_move_that_the_table_takes_or_refuses(
    name: str, seats: str, variant: str
) -> None:
    room = Room(seats, name, variant=variant)
    texts = {
        "1B1",
        "CKF",
        "9R1",
        "2:2",
        "pass",
        "dark",
        "no-token",
        "accept",
        "accept:DDDM",
        "decline",
        "+?",
        "DDDM@0,0",
    }
    for number in range(60):
        if room.table.status == "over":
            break
        if not room.turn_of:
            room.move(number)
            continue
        moves = room.table.position.moves()
        texts |= set(moves[:: max(1, len(moves) // 5)])
        asked = [*moves[:20], *sorted(texts)[:60]]
        seen = own_turn(room.table, who_of(room.turn_of))
        for move, told in zip(asked, previews_of(seen, asked), strict=True):
            assert told["move"] == move
            assert told["legal"] is (move in moves)
            if told["legal"]:
                assert told["effects"] == room.table.position.effects(move)
            else:
                refused = room.refused(room.turn_of, Play, told["error"]["code"], move=move)
                if not move.startswith("accept:"):  # of a card that may come with a swap the table says more
                    assert told["error"].get("rule", "") == refused.rule
        room.move(11 * number)


def test_a_preview_of_a_swap_neither_wants_to_hear_which_card_comes_nor_takes_its_name() -> None:
    room = Room("abc", "schokoly", variant="swap")
    while room.table.position.view["phase"] != "accept":
        swaps = ("offer:", "answer:", "accept")
        moves = room.table.position.moves()
        room.move(next((at for at, move in enumerate(moves) if move.startswith(swaps)), 0))
    seen = own_turn(room.table, who_of(room.turn_of))
    assert previews_of(seen, ["accept"]) == [{"move": "accept", "legal": True, "effects": {}}]
    cards = [f"accept:{card}" for card in ("DDDM", "DDDW", "MMMD", "MMMW", "WWWD", "WWWM", "DDMM", "DDWW", "MMWW")]
    assert any(seen.refusal(card) is None for card in cards)  # some could come
    for card, told in zip(cards, previews_of(seen, cards), strict=True):
        assert (told["legal"], told["error"]["code"]) == (False, "not-legal")
        room.refused(room.turn_of, Play, "not-legal", move=card)


def test_after_the_end_nothing_is_legal() -> None:
    over = read_position(
        "azul:2 round=5 over:row starter=2 marker=2 bag=0/0/0/0/0 lid=13/10/13/14/13 centre=- discs=-/-/-/-/- "
        "48|-/-/-/-/YYY|BYRKW/WBYRK/..BYR/..WB./.....|- 62|-/-/-/-/-|BYRKW/WBYRK/K..YR/R.WBY/..KW.|-"
    )
    (told,) = previews_of(over, ["1B1"])
    assert (told["legal"], told["error"]["code"]) == (False, "not-legal")


def test_chance_has_previews_without_effects() -> None:
    assert previews_of(game("azul").new(), ["+BBYR"]) == [{"move": "+BBYR", "legal": True, "effects": {}}]


def code(room: Room, person: str, *, practice: bool) -> str:
    look = practice_turn if practice else own_turn
    try:
        assert look(room.table, who_of(person)) == room.table.position.seen_by(room.actor)
    except TableRefused as refused:
        return refused.code
    return ""


def test_only_who_is_to_move_has_a_turn() -> None:
    room = Room("ab", "schokoly", start=False)
    assert [code(room, person, practice=False) for person in ("a", "x", "")] == ["not-now", "not-seated", "not-seated"]
    room = Room("ab", "schokoly")
    assert [code(room, person, practice=False) for person in "abx"] == ["", "not-your-turn", "not-seated"]
    room.do("a", Resign)
    assert [code(room, person, practice=False) for person in "ab"] == ["not-now", "not-now"]


def test_practice_is_where_all_others_are_bots() -> None:
    for seats, expected in (
        ("a*", ""),
        ("a**", ""),
        ("ab", "not-allowed"),
        ("ab*", "not-allowed"),
        ("aa", "not-allowed"),
    ):
        room = Room(seats, "schokoly")
        assert code(room, "a", practice=True) == expected, seats
        assert code(room, "x", practice=True) == "not-seated"
    room = Room("a*", "azul")
    room.move()
    assert code(room, "a", practice=True) == "not-your-turn"
    room.move()
    assert code(room, "a", practice=True) == ""
    assert code(Room("a*", start=False), "a", practice=True) == "not-now"


def test_who_has_given_up_gets_no_hints_for_the_bot_that_plays_on() -> None:
    room = Room("a**", "azul")
    room.do("a", Resign)
    assert room.table.status == "playing"
    assert code(room, "a", practice=True) == "not-allowed"
    assert code(room, "a", practice=False) == "not-your-turn"
