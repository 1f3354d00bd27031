"""Clocks: base time and increment, days, and running out of time. Tests pass the time explicitly."""

from __future__ import annotations

import ast

import pytest

from tests.conftest import ROOT
from tests.notation import texts
from tests.table.table_driver import TableDriver, event_types
from tilery.games import GAMES
from tilery.table.commands import Answer, Leave, Offer, Play, Resign, Say, Start
from tilery.table.handler import wakes_at

QUICK = {"base": 60, "increment": 2}
DAYS = {"days": 2}
DAY = 86_400.0


def move_at(driver: TableDriver, now: float) -> None:
    driver.now = now
    driver.move_without_chance()


def test_the_table_package_reads_no_clock_and_does_no_io() -> None:
    allowed = {
        "__future__",
        "array",
        "collections",
        "dataclasses",
        "functools",
        "hashlib",
        "hmac",
        "json",
        "msgspec",
        "re",
    }
    allowed |= {"typing", "unicodedata", "numpy", "tilery"}
    for path in (ROOT / "src" / "tilery" / "table").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] in allowed, f"{path.name} imports {name}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("open", "print", "input", "exec", "eval"), path.name


def test_a_move_uses_time_and_adds_the_increment() -> None:
    driver = TableDriver("ab", clock=QUICK)
    assert driver.table.time_left == [60, 60]
    assert driver.table.deadline == 60
    move_at(driver, 10.5)
    assert driver.table.time_left == [51.5, 60]
    assert driver.table.deadline == 70.5
    move_at(driver, 11)
    assert driver.table.time_left == [51.5, 61.5]
    move_at(driver, 62.25)
    assert driver.table.time_left == [2.25, 61.5]


def test_the_clock_starts_with_the_game() -> None:
    driver = TableDriver("ab", clock=QUICK, start=False)
    assert driver.table.deadline is None
    driver.now = 1000
    driver.do("a", Start)
    assert driver.table.deadline == 1060


def test_every_decision_of_a_turn_is_a_move() -> None:
    driver = TableDriver("ab", "schokoly", clock=QUICK)
    seat = driver.actor
    driver.now = 1
    driver.move_without_chance()
    assert driver.actor == seat
    driver.now = 2
    driver.move_without_chance()
    assert driver.table.time_left[seat] == 62


def test_every_move_has_the_full_number_of_days() -> None:
    driver = TableDriver("ab", clock=DAYS)
    assert driver.table.deadline == 2 * DAY
    move_at(driver, 1.9 * DAY)
    assert driver.table.time_left == [2 * DAY, 2 * DAY]
    assert driver.table.deadline == pytest.approx(3.9 * DAY)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("clock", "end"), [(QUICK, 60.0), (DAYS, 2 * DAY)])
def test_running_out_of_time_loses_a_game_of_two(name: str, clock: dict[str, int], end: float) -> None:
    driver = TableDriver("ab", name, clock=clock)
    late = driver.actor
    assert wakes_at(driver.table) == end
    driver.now = end - 0.001
    assert driver.tick() == []
    driver.now = end
    applied = driver.tick()
    assert event_types(applied) == ["resigned", "revealed"]
    assert (applied[0].event.by, applied[0].event.id, applied[0].event.at) == ("", "", end)
    result = driver.table.result
    assert result is not None
    assert (result.winners, result.ended_by) == ((1 - late,), "time")
    assert driver.table.seats[late].lost == "time"
    assert driver.table.time_left == [0.0 if seat == late else end for seat in range(2)]
    assert driver.table.record().tags["Ended"] == "time"
    assert driver.table.deadline is None
    assert driver.tick() == []
    assert wakes_at(driver.table) is None


def test_partners_run_out_of_time_together() -> None:
    driver = TableDriver("abcd", "schokoly", clock=QUICK)
    driver.now = 60
    driver.tick()
    assert driver.table.result is not None
    assert driver.table.result.winners == (1, 3)


@pytest.mark.parametrize("name", GAMES)
def test_in_a_game_of_three_a_bot_takes_over_without_a_deadline(name: str) -> None:
    driver = TableDriver("abc", name, clock=QUICK)
    late = driver.actor
    driver.now = 60
    assert event_types(driver.tick()) == ["resigned"]
    assert (driver.table.seats[late].kind, driver.table.seats[late].lost) == ("bot", "time")
    assert driver.table.status == "playing"
    assert driver.actor == late
    assert wakes_at(driver.table) == 0.0
    driver.now = 10_000
    assert driver.tick() == []
    driver.move_until_chance()
    driver.now += 1
    driver.finish(3)
    assert driver.table.result is not None
    assert late not in driver.table.result.winners


def test_a_move_at_the_deadline_is_late_even_before_a_tick() -> None:
    driver = TableDriver("ab", clock=QUICK)
    move = texts(driver.table.position)[0]
    for now in (60.0, 61.0, 1e9):
        driver.now = now
        driver.refused("a", Play, "late", move=move)
        driver.refused("a", Offer, "late", what="draw")
        driver.refused("b", Offer, "late", what="draw")
    driver.now = 59.999
    driver.do("a", Play, move=move)
    assert driver.table.time_left[0] == pytest.approx(2.001)


def test_an_answer_at_the_deadline_is_late() -> None:
    driver = TableDriver("ab", clock=QUICK)
    offer = driver.offer("a", "draw")
    driver.now = 60
    driver.refused("b", Answer, "late", offer=offer, yes=True)
    driver.do("b", Say, text="too late")
    assert event_types(driver.tick()) == ["resigned", "revealed"]


def test_resigning_and_chat_are_possible_when_the_time_is_up() -> None:
    driver = TableDriver("ab", clock=QUICK)
    driver.now = 60
    driver.do("b", Say, text="hello?")
    driver.do("b", Leave)
    driver.do("b", Resign)
    assert driver.table.result is not None
    assert driver.table.result.winners == (0,)


@pytest.mark.parametrize("clock", [QUICK, DAYS])
@pytest.mark.parametrize("who", "ab")
def test_the_clocks_stop_when_somebody_resigns(who: str, clock: dict[str, int]) -> None:
    driver = TableDriver("ab", clock=clock)
    whole = driver.table.time_left[0]
    driver.now = 25
    driver.do(who, Resign)
    assert driver.table.time_left == [whole - 25, whole]


def test_the_clocks_stop_at_a_draw() -> None:
    driver = TableDriver("ab", clock=QUICK)
    driver.now = 25
    driver.agree("a", "draw", "b")
    assert driver.table.time_left == [35, 60]


def test_nobody_loses_time_while_the_server_is_away() -> None:
    driver = TableDriver("ab", clock=QUICK)
    move_at(driver, 10)
    driver.now = 5000
    assert event_types(driver.resume()) == ["resumed"]
    assert driver.table.deadline == 5060
    assert driver.tick() == []
    driver.now = 5001
    driver.move_without_chance()
    assert driver.table.time_left == [52, 61]


def test_days_keep_counting_while_the_server_is_away() -> None:
    driver = TableDriver("ab", clock=DAYS)
    driver.now = 3 * DAY
    assert driver.resume() == []
    assert event_types(driver.tick()) == ["resigned", "revealed"]


def test_there_is_nothing_to_resume_without_a_clock_or_a_game() -> None:
    assert TableDriver("ab").resume() == []
    assert TableDriver("ab", clock=QUICK, start=False).resume() == []
    driver = TableDriver("ab", clock=QUICK)
    driver.do("a", Resign)
    assert driver.resume() == []


def test_a_turn_ended_by_a_take_back_has_used_time() -> None:
    driver = TableDriver("ab", clock=QUICK)
    move_at(driver, 5)
    assert driver.table.time_left == [57, 60]
    driver.now = 25
    driver.agree("a", "takeback", "b")
    assert driver.table.time_left == [57, 40]
    assert driver.table.deadline == 25 + 57
    move_at(driver, 26)
    assert driver.table.time_left == [58, 40]
    assert driver.table.deadline == 66


def test_taking_back_does_not_stop_ones_own_clock() -> None:
    driver = TableDriver("a*", clock=QUICK)
    driver.move_without_chance()
    driver.move_without_chance()
    left = driver.table.time_left[0]
    driver.now = 61
    driver.do("a", Offer, what="takeback")
    assert driver.table.time_left[0] == left - 61
    driver.now = 62
    assert event_types(driver.tick()) == ["resigned", "revealed"]


def test_a_take_back_uses_no_days() -> None:
    driver = TableDriver("ab", clock=DAYS)
    driver.move_without_chance()
    driver.now = DAY
    driver.agree("a", "takeback", "b")
    assert driver.table.time_left == [2 * DAY, 2 * DAY]
    assert driver.table.deadline == 3 * DAY


def test_the_clock_of_the_seat_to_move_runs_on_when_another_seat_resigns() -> None:
    driver = TableDriver("abcd", clock=QUICK)
    driver.now = 50
    driver.do("c", Resign)
    assert driver.table.deadline == 60
    driver.do("d", Leave)
    driver.agree("a", "replace", "b", seat=3, bot="greedy")
    assert driver.table.deadline == 60
    driver.do("b", Say, text="hurry")
    assert driver.table.deadline == 60


def test_a_bot_that_takes_over_starts_its_turn() -> None:
    driver = TableDriver("abc", clock=QUICK)
    driver.now = 59
    driver.do("a", Leave)
    driver.agree("b", "replace", "c", seat=0, bot="greedy")
    assert driver.table.deadline == 119
    driver.now = 60
    driver.do("b", Resign)
    assert driver.table.deadline == 119


def test_a_bot_has_a_clock() -> None:
    driver = TableDriver("*a", clock=QUICK)
    assert driver.table.deadline == 60
    driver.now = 60
    assert event_types(driver.tick()) == ["resigned", "revealed"]
    assert driver.table.result is not None
    assert driver.table.result.winners == (1,)


def test_nobody_gains_time_when_the_servers_clock_is_set_back() -> None:
    driver = TableDriver("ab", clock=QUICK)
    driver.now = 100
    driver.resume()
    move_at(driver, 50)
    assert driver.table.time_left == [62, 60]
    assert driver.state("a")["clock"]["left"] == [62, 60]


def test_the_view_shows_the_time_left_now() -> None:
    driver = TableDriver("ab", clock=QUICK)
    driver.now = 12.3456
    assert driver.state("b")["clock"] == {"base": 60, "increment": 2, "left": [47.654, 60.0]}
    driver.now = 1000
    assert driver.state("")["clock"]["left"] == [0.0, 60.0]
    assert TableDriver("ab", clock=DAYS).state("a")["clock"] == {"days": 2, "left": [2 * DAY, 2 * DAY]}
    assert TableDriver("ab").state("a")["clock"] is None


def test_without_a_clock_there_is_no_deadline() -> None:
    driver = TableDriver("ab")
    assert driver.table.deadline is None
    assert wakes_at(driver.table) is None
    driver.now = 1e9
    assert driver.tick() == []
    driver.move()
