"""Leaving a game and coming back, bots that take over, and rematches."""

from __future__ import annotations

from typing import Any

import pytest

from tests.notation import texts
from tests.table.table_driver import TableDriver, dealt, event_types, key_of, who_of
from tilery.games import GAMES, game
from tilery.table.commands import Answer, AnyCommand, Leave, Offer, Play, Rename, Resign, Say, Start
from tilery.table.creation import rematch_of
from tilery.table.state import Table

DAY = 86_400.0


# --- leaving


def test_a_player_who_leaves_keeps_the_seat() -> None:
    driver = TableDriver("ab")
    assert event_types(driver.do("b", Leave)) == ["left"]
    assert (driver.table.seats[1].kind, driver.table.seats[1].gone) == ("person", True)
    assert driver.table.status == "playing"
    assert "already left" in str(driver.refused("b", Leave, "not-now"))
    assert driver.table.people() == {who_of("a")}


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(Say, {"text": "back"}), (Rename, {"name": "Bea"}), (Offer, {"what": "draw"}), (Resign, {}), (Play, {})],
)
def test_any_command_brings_a_player_back(kind: type[AnyCommand], fields: dict[str, Any]) -> None:
    driver = TableDriver("abc")
    while driver.turn_of != "b":
        driver.move()
    driver.do("b", Leave)
    if kind is Play:
        fields = {"move": texts(driver.table.position)[0]}
    assert event_types(driver.do("b", kind, **fields))[0] == "returned"
    assert driver.table.seats[1].gone is False
    assert driver.handled.events[0].by == who_of("b")


def test_a_refused_command_does_not_bring_a_player_back() -> None:
    driver = TableDriver("ab")
    driver.do("b", Leave)
    driver.refused("b", Say, "bad-text", text="")
    assert driver.table.seats[1].gone


def test_all_seats_of_a_person_leave_and_come_back() -> None:
    driver = TableDriver("aba")
    driver.do("a", Leave)
    assert [seat.gone for seat in driver.table.seats] == [True, False, True]
    driver.do("a", Say, text="here")
    assert [seat.gone for seat in driver.table.seats] == [False, False, False]


def test_everybody_may_leave() -> None:
    driver = TableDriver("ab")
    driver.do("a", Leave)
    driver.do("b", Leave)
    assert driver.table.status == "playing"
    driver.do("a", Say, text="hm")
    assert [seat.gone for seat in driver.table.seats] == [False, True]


# --- bots that take over


def test_a_bot_takes_over_from_a_player_who_has_left() -> None:
    driver = TableDriver("ab")
    driver.do("b", Leave)
    applied = driver.do("a", Offer, what="replace", seat=1, bot="random")
    assert event_types(applied) == ["offered", "replaced"]
    seat = driver.table.seats[1]
    assert (seat.kind, seat.bot, seat.name, seat.lost) == ("bot", "random", "B", "")
    driver.refused("b", Say, "not-seated", text="hey")
    driver.refused("b", Resign, "not-seated")
    driver.finish(3)


def test_a_bot_can_win_after_taking_over() -> None:
    winners: set[int] = set()
    for step in range(8):
        driver = TableDriver("ab")
        driver.do("b", Leave)
        driver.do("a", Offer, what="replace", seat=1, bot="greedy")
        driver.finish(step)
        assert driver.table.result is not None
        winners.update(driver.table.result.winners)
    assert 1 in winners


def test_the_others_have_to_agree_to_a_bot() -> None:
    driver = TableDriver("abc")
    driver.do("c", Leave)
    offer = driver.offer("a", "replace", seat=2, bot="greedy")
    driver.refused("a", Answer, "not-allowed", offer=offer, yes=True)
    assert event_types(driver.answer("b", offer)) == ["agreed", "replaced"]


def test_a_player_who_comes_back_in_time_is_not_replaced() -> None:
    driver = TableDriver("abc")
    driver.do("c", Leave)
    offer = driver.offer("a", "replace", seat=2, bot="greedy")
    driver.do("c", Say, text="I am here")
    assert driver.table.offer is None
    driver.refused("b", Answer, "stale", offer=offer, yes=True)
    driver.refused("a", Offer, "not-now", what="replace", seat=2, bot="greedy")


def test_a_player_who_has_left_is_not_asked_about_the_bot() -> None:
    driver = TableDriver("abcd")
    driver.do("c", Leave)
    offer = driver.offer("a", "replace", seat=2, bot="greedy")
    driver.refused("c", Answer, "not-allowed", offer=offer, yes=False)
    driver.refused("c", Answer, "not-allowed", offer=offer, yes=True)


def test_a_player_who_has_not_left_is_not_replaced() -> None:
    driver = TableDriver("abc")
    for seat in (1, 2):
        driver.refused("a", Offer, "not-now", what="replace", seat=seat, bot="greedy")


def test_a_player_who_is_a_day_late_can_be_replaced() -> None:
    driver = TableDriver("ab")
    driver.move_without_chance()
    driver.now = DAY - 0.001
    driver.refused("a", Offer, "not-now", what="replace", seat=1, bot="greedy")
    driver.now = DAY
    assert event_types(driver.do("a", Offer, what="replace", seat=1, bot="greedy")) == ["offered", "replaced"]


def test_a_day_counts_from_the_last_move_and_for_the_seat_to_move() -> None:
    driver = TableDriver("abc")
    driver.now = DAY
    driver.move_without_chance()
    driver.refused("a", Offer, "not-now", what="replace", seat=1, bot="greedy")
    driver.now = 2 * DAY
    driver.refused("a", Offer, "not-now", what="replace", seat=2, bot="greedy")
    driver.offer("a", "replace", seat=1, bot="greedy")


@pytest.mark.parametrize("seat", [None, -1, -2, 3, 2, 10**30])
def test_only_a_persons_seat_can_be_taken_over(seat: int | None) -> None:
    driver = TableDriver("ab*")
    driver.do("b", Leave)
    driver.refused("a", Offer, "bad-text", what="replace", seat=seat, bot="greedy")


@pytest.mark.parametrize("bot", [None, "", "nonsense"])
def test_only_an_allowed_bot_takes_over(bot: str | None) -> None:
    driver = TableDriver("ab")
    driver.do("b", Leave)
    driver.refused("a", Offer, "bad-text", what="replace", seat=1, bot=bot)


def test_players_cannot_replace_themselves() -> None:
    driver = TableDriver("ab")
    driver.do("a", Leave)
    driver.refused("a", Offer, "not-allowed", what="replace", seat=0, bot="greedy")


# --- rematches


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", ["ab", "abc", "abcd", "a*b"])
def test_a_rematch_has_the_same_people_one_seat_further_on(name: str, seats: str) -> None:
    clock = {"base": 60, "increment": 1}
    driver = TableDriver(seats, name, clock=clock, public=True, chat=False)
    if "*" in seats:
        driver.finish(3)
    else:
        driver.agree("a", "draw", seats[1:])
    offer = driver.offer("b", "rematch")
    others = [letter for letter in seats if letter not in "b*"]
    for letter in others:
        applied = driver.answer(letter, offer)
    assert event_types(applied) == ["agreed", "rematched"]
    new = driver.handled.new
    assert new is not None
    assert driver.table.rematch == new.table == "U"
    further = seats[-1] + seats[:-1]
    event = new.event
    assert event.keys == tuple("" if letter == "*" else key_of(letter) for letter in further)
    assert event.bots == tuple("greedy" if letter == "*" else "" for letter in further)
    assert event.names == tuple(driver.table.seats[seats.index(letter)].name for letter in further)
    assert (event.game, event.rules, event.clock) == (name, driver.table.rules.text, clock)
    assert (event.public, event.chat, event.before) == (False, False, "T")
    assert event.host == next(key for key in event.keys if key)
    assert new.secret != driver.new.secret
    assert event.commitment != driver.table.commitment
    once_more = TableDriver(new=new)
    assert once_more.table.status == "open"
    once_more.do(next(letter for letter in further if letter != "*"), Start)
    assert dealt(once_more) != dealt(driver)
    assert once_more.state("a")["before"] == "T"


def test_there_is_only_one_rematch() -> None:
    driver = TableDriver("a*")
    driver.do("a", Resign)
    assert event_types(driver.do("a", Offer, what="rematch")) == ["offered", "rematched"]
    assert "table U" in str(driver.refused("a", Offer, "not-now", what="rematch"))
    assert driver.state("a")["rematch"] == "U"


def test_a_rematch_is_only_for_those_who_played() -> None:
    driver = TableDriver("ab")
    driver.refused("a", Offer, "not-now", what="rematch")
    driver.do("b", Resign)
    driver.refused("x", Offer, "not-seated", what="rematch")
    driver.refused("", Offer, "not-seated", what="rematch")
    offer = driver.offer("b", "rematch")
    driver.refused("x", Answer, "not-seated", offer=offer, yes=True)
    assert event_types(driver.answer("a", offer, yes=False)) == ["declined"]
    assert driver.table.rematch == ""
    driver.agree("a", "rematch", "b")


@pytest.mark.parametrize("by", ["a", "b", "c"])
def test_a_player_who_resigned_early_plays_the_rematch(by: str) -> None:
    driver = TableDriver("abc")
    driver.do("b", Resign)
    driver.do("c", Resign)
    assert driver.table.status == "over"
    offer = driver.offer(by, "rematch")
    for letter in "abc".replace(by, ""):
        driver.answer(letter, offer)
    assert driver.handled.new is not None
    assert driver.handled.new.event.keys == (key_of("c"), key_of("a"), key_of("b"))
    assert driver.handled.new.event.bots == ("", "", "")


def test_a_player_who_resigned_against_bots_plays_again() -> None:
    driver = TableDriver("a**")
    driver.do("a", Resign)
    driver.finish(2)
    driver.do("a", Offer, what="rematch")
    assert driver.handled.new is not None
    assert driver.handled.new.event.keys == ("", key_of("a"), "")


def test_bots_replace_players_who_have_left() -> None:
    driver = TableDriver("abc")
    driver.do("b", Resign)
    driver.do("c", Resign)
    driver.do("a", Leave)
    offer = driver.offer("c", "rematch")
    driver.answer("b", offer)
    assert driver.handled.new is not None
    assert driver.handled.new.event.keys == (key_of("c"), "", key_of("b"))
    assert driver.handled.new.event.bots == ("", "greedy", "")


def test_a_player_who_left_after_the_game_can_offer_a_rematch() -> None:
    driver = TableDriver("ab")
    driver.do("b", Resign)
    driver.do("a", Leave)
    driver.do("b", Leave)
    assert event_types(driver.do("a", Offer, what="rematch")) == ["returned", "offered", "rematched"]
    assert driver.handled.new is not None
    assert driver.handled.new.event.keys == ("", key_of("a"))
    assert driver.handled.new.event.host == key_of("a")


def test_a_player_who_left_after_the_game_can_agree_to_a_rematch() -> None:
    driver = TableDriver("abc")
    driver.agree("a", "draw", "bc")
    driver.do("b", Leave)
    offer = driver.offer("a", "rematch")
    assert event_types(driver.answer("b", offer)) == ["returned", "agreed"]
    assert event_types(driver.answer("c", offer)) == ["agreed", "rematched"]
    assert driver.handled.new is not None
    assert driver.handled.new.event.keys == (key_of("c"), key_of("a"), key_of("b"))


def test_a_replaced_player_who_comes_back_plays_the_rematch() -> None:
    driver = TableDriver("abc")
    driver.do("b", Leave)
    driver.agree("a", "replace", "c", seat=1, bot="random")
    driver.finish(2)
    offer = driver.offer("b", "rematch")
    for letter in "ac":
        driver.answer(letter, offer)
    assert driver.handled.new is not None
    assert driver.handled.new.event.keys == (key_of("c"), key_of("a"), key_of("b"))


def test_rematches_rotate_through_all_seats() -> None:
    driver = TableDriver("abc")
    driver.agree("a", "draw", "bc")
    event = driver.table
    keys = [seat.key for seat in event.seats]
    for _ in range(3):
        event = Table("V", rematch_of(event, 0.0, ("V", b"v" * 32)).event, game)
    assert [seat.key for seat in event.seats] == keys


def test_no_draw_with_a_player_who_has_left() -> None:
    driver = TableDriver()
    driver.do("b", Leave)
    driver.refused("a", Offer, "not-now", what="draw")


def test_names_cannot_change_after_the_game() -> None:
    driver = TableDriver()
    driver.do("a", Resign)
    driver.refused("b", Rename, "not-now", name="Somebody else")
