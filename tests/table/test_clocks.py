"""Clocks: time for a game and for each move, days, and what happens at zero. The time always comes from outside."""

from __future__ import annotations

import ast

import pytest

from tests.conftest import ROOT
from tests.table.driving import Room, kinds
from tilery.games import GAMES
from tilery.table.commands import Answer, Leave, Offer, Play, Resign, Say, Start
from tilery.table.handling import wakes_at

QUICK = {"base": 60, "increment": 2}
DAYS = {"days": 2}
DAY = 86_400.0


def move_at(room: Room, now: float) -> None:
    room.now = now
    room.move_without_chance()


def test_nothing_in_the_room_asks_for_the_time_or_does_anything_outside() -> None:
    allowed = {"__future__", "array", "collections", "dataclasses", "functools", "hashlib", "hmac", "json", "re"}
    allowed |= {"typing", "unicodedata", "numpy", "tilery"}
    for path in (ROOT / "src" / "tilery" / "table").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] in allowed, f"{path.name} imports {name}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("open", "print", "input", "exec", "eval"), path.name


def test_a_move_costs_its_time_and_earns_the_increment() -> None:
    room = Room("ab", clock=QUICK)
    assert room.table.left == [60, 60]
    assert room.table.deadline == 60
    move_at(room, 10.5)
    assert room.table.left == [51.5, 60]
    assert room.table.deadline == 70.5
    move_at(room, 11)
    assert room.table.left == [51.5, 61.5]
    move_at(room, 62.25)
    assert room.table.left == [2.25, 61.5]


def test_the_clock_begins_with_the_game() -> None:
    room = Room("ab", clock=QUICK, start=False)
    assert room.table.deadline is None
    room.now = 1000
    room.do("a", Start)
    assert room.table.deadline == 1060


def test_every_decision_of_a_turn_is_a_move() -> None:
    room = Room("ab", "schokoly", clock=QUICK)
    seat = room.actor
    room.now = 1
    room.move_without_chance()
    assert room.actor == seat
    room.now = 2
    room.move_without_chance()
    assert room.table.left[seat] == 62


def test_days_are_there_anew_for_every_move() -> None:
    room = Room("ab", clock=DAYS)
    assert room.table.deadline == 2 * DAY
    move_at(room, 1.9 * DAY)
    assert room.table.left == [2 * DAY, 2 * DAY]
    assert room.table.deadline == pytest.approx(3.9 * DAY)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("clock", "end"), [(QUICK, 60.0), (DAYS, 2 * DAY)])
def test_of_two_who_is_out_of_time_loses(name: str, clock: dict[str, int], end: float) -> None:
    room = Room("ab", name, clock=clock)
    late = room.actor
    assert wakes_at(room.table) == end
    room.now = end - 0.001
    assert room.tick() == []
    room.now = end
    happenings = room.tick()
    assert kinds(happenings) == ["resigned", "revealed"]
    assert (happenings[0].event.by, happenings[0].event.id, happenings[0].event.at) == ("", "", end)
    result = room.table.result
    assert result is not None
    assert (result.winners, result.ended_by) == ((1 - late,), "time")
    assert room.table.seats[late].lost == "time"
    assert room.table.left == [0.0 if seat == late else end for seat in range(2)]
    assert room.table.record().tags["Ended"] == "time"
    assert room.table.deadline is None
    assert room.tick() == []
    assert wakes_at(room.table) is None


def test_partners_are_out_of_time_together() -> None:
    room = Room("abcd", "schokoly", clock=QUICK)
    room.now = 60
    room.tick()
    assert room.table.result is not None
    assert room.table.result.winners == (1, 3)


@pytest.mark.parametrize("name", GAMES)
def test_of_three_a_bot_plays_on_and_has_all_the_time(name: str) -> None:
    room = Room("abc", name, clock=QUICK)
    late = room.actor
    room.now = 60
    assert kinds(room.tick()) == ["resigned"]
    assert (room.table.seats[late].kind, room.table.seats[late].lost) == ("bot", "time")
    assert room.table.status == "playing"
    assert room.actor == late
    assert wakes_at(room.table) == 0.0
    room.now = 10_000
    assert room.tick() == []
    room.move_until_chance()
    room.now += 1
    room.finish(3)
    assert room.table.result is not None
    assert late not in room.table.result.winners


def test_a_move_at_the_deadline_is_late_even_if_nobody_has_looked_at_the_clock() -> None:
    room = Room("ab", clock=QUICK)
    move = room.table.position.moves()[0]
    for now in (60.0, 61.0, 1e9):
        room.now = now
        room.refused("a", Play, "late", move=move)
        room.refused("a", Offer, "late", what="draw")
        room.refused("b", Offer, "late", what="draw")
    room.now = 59.999
    room.do("a", Play, move=move)
    assert room.table.left[0] == pytest.approx(2.001)


def test_an_answer_at_the_deadline_is_late() -> None:
    room = Room("ab", clock=QUICK)
    offer = room.offer("a", "draw")
    room.now = 60
    room.refused("b", Answer, "late", offer=offer, yes=True)
    room.do("b", Say, text="too late")
    assert kinds(room.tick()) == ["resigned", "revealed"]


def test_one_may_resign_and_talk_when_somebodys_time_is_up() -> None:
    room = Room("ab", clock=QUICK)
    room.now = 60
    room.do("b", Say, text="hello?")
    room.do("b", Leave)
    room.do("b", Resign)
    assert room.table.result is not None
    assert room.table.result.winners == (0,)


@pytest.mark.parametrize("clock", [QUICK, DAYS])
@pytest.mark.parametrize("who", "ab")
def test_the_clocks_stop_where_they_are_when_somebody_resigns(who: str, clock: dict[str, int]) -> None:
    room = Room("ab", clock=clock)
    whole = room.table.left[0]
    room.now = 25
    room.do(who, Resign)
    assert room.table.left == [whole - 25, whole]


def test_the_clocks_stop_where_they_are_at_a_draw() -> None:
    room = Room("ab", clock=QUICK)
    room.now = 25
    room.agree("a", "draw", "b")
    assert room.table.left == [35, 60]


def test_a_server_that_was_away_costs_nobody_time() -> None:
    room = Room("ab", clock=QUICK)
    move_at(room, 10)
    room.now = 5000
    assert kinds(room.resume()) == ["resumed"]
    assert room.table.deadline == 5060
    assert room.tick() == []
    room.now = 5001
    room.move_without_chance()
    assert room.table.left == [52, 61]


def test_days_go_on_while_a_server_is_away() -> None:
    room = Room("ab", clock=DAYS)
    room.now = 3 * DAY
    assert room.resume() == []
    assert kinds(room.tick()) == ["resigned", "revealed"]


def test_there_is_nothing_to_resume_without_a_clock_or_a_game() -> None:
    assert Room("ab").resume() == []
    assert Room("ab", clock=QUICK, start=False).resume() == []
    room = Room("ab", clock=QUICK)
    room.do("a", Resign)
    assert room.resume() == []


def test_a_turn_that_is_broken_off_by_a_take_back_has_taken_its_time() -> None:
    room = Room("ab", clock=QUICK)
    move_at(room, 5)
    assert room.table.left == [57, 60]
    room.now = 25
    room.agree("a", "takeback", "b")
    assert room.table.left == [57, 40]
    assert room.table.deadline == 25 + 57
    move_at(room, 26)
    assert room.table.left == [58, 40]
    assert room.table.deadline == 66


def test_nobody_stops_the_own_clock_by_taking_back() -> None:
    room = Room("a*", clock=QUICK)
    room.move_without_chance()
    room.move_without_chance()
    left = room.table.left[0]
    room.now = 61
    room.do("a", Offer, what="takeback")
    assert room.table.left[0] == left - 61
    room.now = 62
    assert kinds(room.tick()) == ["resigned", "revealed"]


def test_days_are_not_spent_by_a_take_back() -> None:
    room = Room("ab", clock=DAYS)
    room.move_without_chance()
    room.now = DAY
    room.agree("a", "takeback", "b")
    assert room.table.left == [2 * DAY, 2 * DAY]
    assert room.table.deadline == 3 * DAY


def test_somebody_elses_end_does_not_stop_the_clock_of_whose_turn_it_is() -> None:
    room = Room("abcd", clock=QUICK)
    room.now = 50
    room.do("c", Resign)
    assert room.table.deadline == 60
    room.do("d", Leave)
    room.agree("a", "replace", "b", seat=3, bot="greedy")
    assert room.table.deadline == 60
    room.do("b", Say, text="hurry")
    assert room.table.deadline == 60


def test_a_bot_that_takes_over_begins_its_turn() -> None:
    room = Room("abc", clock=QUICK)
    room.now = 59
    room.do("a", Leave)
    room.agree("b", "replace", "c", seat=0, bot="greedy")
    assert room.table.deadline == 119
    room.now = 60
    room.do("b", Resign)
    assert room.table.deadline == 119


def test_a_bot_has_a_clock_like_everybody() -> None:
    room = Room("*a", clock=QUICK)
    assert room.table.deadline == 60
    room.now = 60
    assert kinds(room.tick()) == ["resigned", "revealed"]
    assert room.table.result is not None
    assert room.table.result.winners == (1,)


def test_a_clock_that_is_set_back_gives_nobody_time() -> None:
    room = Room("ab", clock=QUICK)
    room.now = 100
    room.resume()
    move_at(room, 50)
    assert room.table.left == [62, 60]
    assert room.state("a")["clock"]["left"] == [62, 60]


def test_who_looks_sees_the_time_that_is_left_now() -> None:
    room = Room("ab", clock=QUICK)
    room.now = 12.3456
    assert room.state("b")["clock"] == {"base": 60, "increment": 2, "left": [47.654, 60.0]}
    room.now = 1000
    assert room.state("")["clock"]["left"] == [0.0, 60.0]
    assert Room("ab", clock=DAYS).state("a")["clock"] == {"days": 2, "left": [2 * DAY, 2 * DAY]}
    assert Room("ab").state("a")["clock"] is None


def test_without_a_clock_nobody_is_late() -> None:
    room = Room("ab")
    assert room.table.deadline is None
    assert wakes_at(room.table) is None
    room.now = 1e9
    assert room.tick() == []
    room.move()
