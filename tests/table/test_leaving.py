"""Leaving a game and coming back, bots for who is away, and the next game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.driving import Room, dealt, key_of, kinds, who_of
from tilery.games import GAMES, game
from tilery.table.commands import Answer, AnyCommand, Leave, Offer, Play, Rename, Resign, Say, Start
from tilery.table.founding import rematch_of
from tilery.table.state import Table

DAY = 86_400.0


# Leaving


def test_who_leaves_a_game_keeps_the_seat() -> None:
    room = Room("ab")
    assert kinds(room.do("b", Leave)) == ["left"]
    assert (room.table.seats[1].kind, room.table.seats[1].gone) == ("person", True)
    assert room.table.status == "playing"
    assert "left already" in str(room.refused("b", Leave, "not-now"))
    assert room.table.people() == {who_of("a")}


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(Say, {"text": "back"}), (Rename, {"name": "Bea"}), (Offer, {"what": "draw"}), (Resign, {}), (Play, {})],
)
def test_who_does_anything_at_all_is_back(kind: type[AnyCommand], fields: dict[str, Any]) -> None:
    room = Room("abc")
    while room.turn_of != "b":
        room.move()
    room.do("b", Leave)
    if kind is Play:
        fields = {"move": room.table.position.moves()[0]}
    assert kinds(room.do("b", kind, **fields))[0] == "returned"
    assert room.table.seats[1].gone is False
    assert room.handled.events[0].by == who_of("b")


def test_who_is_refused_is_not_back() -> None:
    room = Room("ab")
    room.do("b", Leave)
    room.refused("b", Say, "bad-text", text="")
    assert room.table.seats[1].gone


def test_all_seats_of_a_person_leave_and_come_back() -> None:
    room = Room("aba")
    room.do("a", Leave)
    assert [seat.gone for seat in room.table.seats] == [True, False, True]
    room.do("a", Say, text="here")
    assert [seat.gone for seat in room.table.seats] == [False, False, False]


def test_everybody_may_leave() -> None:
    room = Room("ab")
    room.do("a", Leave)
    room.do("b", Leave)
    assert room.table.status == "playing"
    room.do("a", Say, text="hm")
    assert [seat.gone for seat in room.table.seats] == [False, True]


# Bots for who is away


def test_a_bot_takes_over_from_who_has_left() -> None:
    room = Room("ab")
    room.do("b", Leave)
    happenings = room.do("a", Offer, what="replace", seat=1, bot="random")
    assert kinds(happenings) == ["offered", "replaced"]
    seat = room.table.seats[1]
    assert (seat.kind, seat.bot, seat.name, seat.lost) == ("bot", "random", "B", "")
    room.refused("b", Say, "not-seated", text="hey")
    room.refused("b", Resign, "not-seated")
    room.finish(3)


def test_a_bot_may_win_for_who_has_left() -> None:
    winners: set[int] = set()
    for step in range(8):
        room = Room("ab")
        room.do("b", Leave)
        room.do("a", Offer, what="replace", seat=1, bot="greedy")
        room.finish(step)
        assert room.table.result is not None
        winners.update(room.table.result.winners)
    assert 1 in winners


def test_the_others_have_to_agree_to_a_bot() -> None:
    room = Room("abc")
    room.do("c", Leave)
    offer = room.offer("a", "replace", seat=2, bot="greedy")
    room.refused("a", Answer, "not-allowed", offer=offer, yes=True)
    assert kinds(room.answer("b", offer)) == ["agreed", "replaced"]


def test_who_comes_back_in_time_is_not_replaced() -> None:
    room = Room("abc")
    room.do("c", Leave)
    offer = room.offer("a", "replace", seat=2, bot="greedy")
    room.do("c", Say, text="I am here")
    assert room.table.offer is None
    room.refused("b", Answer, "stale", offer=offer, yes=True)
    room.refused("a", Offer, "not-now", what="replace", seat=2, bot="greedy")


def test_who_has_left_has_no_say_in_it() -> None:
    room = Room("abcd")
    room.do("c", Leave)
    offer = room.offer("a", "replace", seat=2, bot="greedy")
    room.refused("c", Answer, "not-allowed", offer=offer, yes=False)
    room.refused("c", Answer, "not-allowed", offer=offer, yes=True)


def test_who_has_not_left_is_not_replaced() -> None:
    room = Room("abc")
    for seat in (1, 2):
        room.refused("a", Offer, "not-now", what="replace", seat=seat, bot="greedy")


def test_who_is_a_day_late_is_replaced() -> None:
    room = Room("ab")
    room.move_without_chance()
    room.now = DAY - 0.001
    room.refused("a", Offer, "not-now", what="replace", seat=1, bot="greedy")
    room.now = DAY
    assert kinds(room.do("a", Offer, what="replace", seat=1, bot="greedy")) == ["offered", "replaced"]


def test_a_day_is_counted_from_the_last_move_and_for_whose_turn_it_is() -> None:
    room = Room("abc")
    room.now = DAY
    room.move_without_chance()
    room.refused("a", Offer, "not-now", what="replace", seat=1, bot="greedy")
    room.now = 2 * DAY
    room.refused("a", Offer, "not-now", what="replace", seat=2, bot="greedy")
    room.offer("a", "replace", seat=1, bot="greedy")


@pytest.mark.parametrize("seat", [None, -1, -2, 3, 2, 10**30])
def test_only_a_persons_seat_is_given_to_a_bot(seat: int | None) -> None:
    room = Room("ab*")
    room.do("b", Leave)
    room.refused("a", Offer, "bad-text", what="replace", seat=seat, bot="greedy")


@pytest.mark.parametrize("bot", [None, "", "nonsense"])
def test_only_a_bot_that_may_sit_here_takes_over(bot: str | None) -> None:
    room = Room("ab")
    room.do("b", Leave)
    room.refused("a", Offer, "bad-text", what="replace", seat=1, bot=bot)


def test_nobody_gives_up_the_own_seat_in_this_way() -> None:
    room = Room("ab")
    room.do("a", Leave)
    room.refused("a", Offer, "not-allowed", what="replace", seat=0, bot="greedy")


# The next game


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", ["ab", "abc", "abcd", "a*b"])
def test_the_next_game_has_the_same_people_one_seat_further_on(name: str, seats: str) -> None:
    clock = {"base": 60, "increment": 1}
    room = Room(seats, name, clock=clock, public=True, chat=False)
    if "*" in seats:
        room.finish(3)
    else:
        room.agree("a", "draw", seats[1:])
    offer = room.offer("b", "rematch")
    others = [letter for letter in seats if letter not in "b*"]
    for letter in others:
        happenings = room.answer(letter, offer)
    assert kinds(happenings) == ["agreed", "rematched"]
    new = room.handled.new
    assert new is not None
    assert room.table.rematch == new.table == "U"
    further = seats[-1] + seats[:-1]
    event = new.event
    assert event.keys == tuple("" if letter == "*" else key_of(letter) for letter in further)
    assert event.bots == tuple("greedy" if letter == "*" else "" for letter in further)
    assert event.names == tuple(room.table.seats[seats.index(letter)].name for letter in further)
    assert (event.game, event.rules, event.clock) == (name, room.table.rules.text, clock)
    assert (event.public, event.chat, event.before) == (False, False, "T")
    assert event.host == next(key for key in event.keys if key)
    assert new.secret != room.new.secret
    assert event.commitment != room.table.commitment
    once_more = Room(new=new)
    assert once_more.table.status == "open"
    once_more.do(next(letter for letter in further if letter != "*"), Start)
    assert dealt(once_more) != dealt(room)
    assert once_more.state("a")["before"] == "T"


def test_there_is_one_next_game_only() -> None:
    room = Room("a*")
    room.do("a", Resign)
    assert kinds(room.do("a", Offer, what="rematch")) == ["offered", "rematched"]
    assert "table U" in str(room.refused("a", Offer, "not-now", what="rematch"))
    assert room.state("a")["rematch"] == "U"


def test_the_next_game_is_for_who_has_played() -> None:
    room = Room("ab")
    room.refused("a", Offer, "not-now", what="rematch")
    room.do("b", Resign)
    room.refused("x", Offer, "not-seated", what="rematch")
    room.refused("", Offer, "not-seated", what="rematch")
    offer = room.offer("b", "rematch")
    room.refused("x", Answer, "not-seated", offer=offer, yes=True)
    assert kinds(room.answer("a", offer, yes=False)) == ["declined"]
    assert room.table.rematch == ""
    room.agree("a", "rematch", "b")


@pytest.mark.parametrize("by", ["a", "b", "c"])
def test_who_resigned_early_plays_the_next_game_too(by: str) -> None:
    room = Room("abc")
    room.do("b", Resign)
    room.do("c", Resign)
    assert room.table.status == "over"
    offer = room.offer(by, "rematch")
    for letter in "abc".replace(by, ""):
        room.answer(letter, offer)
    assert room.handled.new is not None
    assert room.handled.new.event.keys == (key_of("c"), key_of("a"), key_of("b"))
    assert room.handled.new.event.bots == ("", "", "")


def test_who_resigned_against_bots_only_plays_again() -> None:
    room = Room("a**")
    room.do("a", Resign)
    room.finish(2)
    room.do("a", Offer, what="rematch")
    assert room.handled.new is not None
    assert room.handled.new.event.keys == ("", key_of("a"), "")


def test_bots_sit_for_who_has_left() -> None:
    room = Room("abc")
    room.do("b", Resign)
    room.do("c", Resign)
    room.do("a", Leave)
    offer = room.offer("c", "rematch")
    room.answer("b", offer)
    assert room.handled.new is not None
    assert room.handled.new.event.keys == (key_of("c"), "", key_of("b"))
    assert room.handled.new.event.bots == ("", "greedy", "")


def test_who_left_after_the_game_and_wants_another_one_is_back() -> None:
    room = Room("ab")
    room.do("b", Resign)
    room.do("a", Leave)
    room.do("b", Leave)
    assert kinds(room.do("a", Offer, what="rematch")) == ["returned", "offered", "rematched"]
    assert room.handled.new is not None
    assert room.handled.new.event.keys == ("", key_of("a"))
    assert room.handled.new.event.host == key_of("a")


def test_who_left_after_the_game_agrees_to_another_one() -> None:
    room = Room("abc")
    room.agree("a", "draw", "bc")
    room.do("b", Leave)
    offer = room.offer("a", "rematch")
    assert kinds(room.answer("b", offer)) == ["returned", "agreed"]
    assert kinds(room.answer("c", offer)) == ["agreed", "rematched"]
    assert room.handled.new is not None
    assert room.handled.new.event.keys == (key_of("c"), key_of("a"), key_of("b"))


def test_who_was_replaced_and_comes_back_plays_the_next_game() -> None:
    room = Room("abc")
    room.do("b", Leave)
    room.agree("a", "replace", "c", seat=1, bot="random")
    room.finish(2)
    offer = room.offer("b", "rematch")
    for letter in "ac":
        room.answer(letter, offer)
    assert room.handled.new is not None
    assert room.handled.new.event.keys == (key_of("c"), key_of("a"), key_of("b"))


def test_a_rematch_rotates_back_after_as_many_games_as_there_are_seats() -> None:
    room = Room("abc")
    room.agree("a", "draw", "bc")
    event = room.table
    keys = [seat.key for seat in event.seats]
    for _ in range(3):
        event = Table("V", rematch_of(event, 0.0, ("V", b"v" * 32)).event, game)
    assert [seat.key for seat in event.seats] == keys


def test_nobody_draws_with_who_has_left() -> None:
    room = Room()
    room.do("b", Leave)
    room.refused("a", Offer, "not-now", what="draw")


def test_the_names_of_a_finished_game_stay() -> None:
    room = Room()
    room.do("a", Resign)
    room.refused("b", Rename, "not-now", name="Somebody else")
