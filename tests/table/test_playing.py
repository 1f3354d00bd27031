"""Moves, resigning and draws."""

from __future__ import annotations

import pytest

from tests.table.driving import Room, kinds, short
from tilery.games import GAMES
from tilery.table.commands import Offer, Play, Resign, Say
from tilery.table.handling import SUBSTITUTE, wakes_at
from tilery.table.refusing import TableRefused

TABLES = [(name, seats) for name in GAMES for seats in ("ab", "abc", "abcd")]
VARIANTS = [
    ("azul", "ab", "grey"),
    ("azul", "abc", "specials,start=drawn"),
    ("chocolatier", "abcd", "grey,specials=game"),
    ("schokoly", "ab", "large"),
    ("schokoly", "abc", "swap"),
    ("schokoly", "abcd", ""),
]


@pytest.mark.parametrize(("name", "seats", "variant"), VARIANTS)
def test_people_play_a_game_to_its_end(name: str, seats: str, variant: str) -> None:
    room = Room(seats, name, variant=variant)
    while room.table.status == "playing":
        number, plies, position = room.table.number, room.table.plies, room.table.position
        happenings = room.move(room.table.plies * 7)
        assert room.table.step == number + 1
        assert room.table.plies > plies
        assert room.table.position != position
    assert kinds(happenings) == ["played", "revealed"]
    assert room.table.result is not None
    outcome = room.table.position.outcome
    assert outcome is not None
    assert (room.table.result.scores, room.table.result.winners) == (outcome.scores, outcome.winners)
    assert room.table.result.rule == outcome.rule
    assert room.table.actor is None
    assert room.table.secret == room.new.secret.hex()
    for letter in seats:
        assert "over" in str(room.refused(letter, Play, "not-now", move="1B1"))
        room.refused(letter, Resign, "not-now")
        room.refused(letter, Offer, "not-now", what="takeback")
        room.refused(letter, Offer, "not-now", what="draw")
        room.refused(letter, Offer, "not-now", what="replace", seat=0, bot="greedy")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_move_is_made_by_whose_turn_it_is(name: str, seats: str) -> None:
    room = Room(seats, name)
    move = room.table.position.moves()[0]
    for letter in seats:
        if letter != room.turn_of:
            problem = room.refused(letter, Play, "not-your-turn", move=move)
            assert room.table.seats[room.actor].name in str(problem)
    room.refused("x", Play, "not-seated", move=move)
    room.refused("", Play, "not-seated", move=move)
    room.do(room.turn_of, Play, move=move)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("off", [-1, 1, 10**30, -(10**30)])
def test_a_move_for_another_step_is_stale(name: str, off: int) -> None:
    room = Room("ab", name)
    move = room.table.position.moves()[0]
    problem = room.refused(room.turn_of, Play, "stale", move=move, step=room.table.step + off)
    assert "moved on" in str(problem)


def test_chat_makes_no_move_stale() -> None:
    room = Room("ab")
    step = room.table.step
    room.do("b", Say, text="hello")
    assert room.table.step == step
    room.move()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "move",
    ["", " ", "nonsense", "1B1 ", "9" * 10**6, "\ud800", "\x00", "+BBBB", "-1", "0", "\u202e", "accept"],
    ids=short,
)
def test_what_is_not_a_move_or_not_legal_is_refused(name: str, move: str) -> None:
    room = Room("ab", name)
    problem = room.refused(room.turn_of, Play, "not-a-move|not-legal", move=move)
    assert len(str(problem)) < 300
    str(problem).encode()


def test_what_the_rules_forbid_is_refused_with_the_rule() -> None:
    room = Room("ab", "azul")
    missing = next(
        f"C{letter}1" for letter in "BYRKW" if f"C{letter}1" not in room.table.position.moves()
    )  # nothing lies in the centre yet
    assert room.refused("a", Play, "not-legal", move=missing).rule.startswith("AZ-")
    room = Room("ab", "schokoly")
    room.move()
    assert room.refused(room.turn_of, Play, "not-legal", move="pass").rule.startswith("SC-")


def test_nobody_deals_but_the_table() -> None:
    for name in GAMES:
        room = Room("ab", name)
        for deal in ("+BBBB", "+DDDM", "+?", "start=2"):
            room.refused(room.turn_of, Play, "not-a-move|not-legal", move=deal)


def test_what_is_hidden_cannot_be_played_as_hidden() -> None:
    room = Room("abc", "schokoly", variant="swap")
    while not any(move.startswith("offer") for move in room.table.position.moves()):
        room.move()
    for move in ("offer:?0>1", "offer:?1>2", "offer:?2>3", "accept:DDDM", "answer:?1"):
        room.refused(room.turn_of, Play, "not-a-move|not-legal", move=move)


def test_a_bot_plays_for_its_seat_only() -> None:
    room = Room("a*")
    room.move_without_chance()
    assert room.actor == 1
    move = room.table.position.moves()[0]
    room.refused("a", Play, "not-your-turn", move=move)
    room.do("", Play, by_bot=1, move=move)
    assert room.events[-1].by == ""
    with pytest.raises(TableRefused, match="turn"):
        room.do("", Play, by_bot=1, move=room.table.position.moves()[0])


# Resigning


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("loser", ["a", "b"])
@pytest.mark.parametrize("moves", [0, 5])
def test_of_two_the_other_wins(name: str, loser: str, moves: int) -> None:
    room = Room("ab", name)
    for _ in range(moves):
        room.move()
    assert kinds(room.do(loser, Resign)) == ["resigned", "revealed"]
    result = room.table.result
    assert result is not None
    assert (result.winners, result.ended_by) == ((1,) if loser == "a" else (0,), "resigned")
    assert [seat.lost for seat in room.table.seats] == (["resigned", ""] if loser == "a" else ["", "resigned"])
    assert room.table.secret == room.new.secret.hex()
    tags = room.table.record().tags
    assert (tags["Ended"], tags["Winners"]) == ("resigned", "2" if loser == "a" else "1")
    for viewer in ("a", "b", ""):
        state = room.state(viewer)
        assert state["result"]["winners"] == list(result.winners)
        assert state["status"] == "over"
        assert state["actor"] is None


def test_one_resigns_also_when_it_is_not_ones_turn_and_the_step_is_old() -> None:
    room = Room("ab")
    room.move()
    room.do("a", Resign, step=0)
    assert room.table.status == "over"


def test_against_a_bot_one_resigns_and_the_bot_wins() -> None:
    room = Room("*a", "schokoly")
    room.do("a", Resign)
    assert room.table.result is not None
    assert room.table.result.winners == (0,)


@pytest.mark.parametrize("name", GAMES)
def test_of_three_a_bot_plays_on_for_who_resigned(name: str) -> None:
    room = Room("abc", name)
    room.move()
    assert kinds(room.do("b", Resign)) == ["resigned"]
    seat = room.table.seats[1]
    assert (seat.kind, seat.bot, seat.lost, seat.name) == ("bot", SUBSTITUTE, "resigned", "B")
    assert room.table.status == "playing"
    room.refused("b", Resign, "not-seated")
    room.refused("b", Play, "not-seated", move="1B1")
    while room.actor != 1:
        room.move()
    assert wakes_at(room.table) == 0.0
    room.move()
    assert kinds(room.do("a", Resign)) == ["resigned", "revealed"]
    assert room.table.result is not None
    assert room.table.result.winners == (2,)


@pytest.mark.parametrize("name", GAMES)
def test_who_resigned_cannot_win_however_well_the_bot_plays_on(name: str) -> None:
    beaten = 0
    for attempt in range(12):
        room = Room("abc", name)
        for _ in range(attempt):
            room.move(attempt)
        loser = "abc"[attempt % 3]
        room.do(loser, Resign)
        room.finish(attempt + 1)
        result, outcome = room.table.result, room.table.position.outcome
        assert result is not None
        assert outcome is not None
        assert "abc".index(loser) not in result.winners
        assert result.winners
        stay = [seat for seat in range(3) if "abc"[seat] != loser]
        assert max(result.scores[seat] for seat in stay) == result.scores[result.winners[0]]
        assert result.scores == outcome.scores
        tags = room.table.record().tags
        assert tags["Winners"] == ",".join(str(seat + 1) for seat in result.winners)
        beaten += outcome.winners == ("abc".index(loser),)
    assert beaten  # the bot had most points at least once, and won nothing


def test_partners_lose_together() -> None:
    for loser, winners in (("a", (1, 3)), ("b", (0, 2)), ("c", (1, 3)), ("d", (0, 2))):
        room = Room("abcd", "schokoly")
        room.move()
        assert kinds(room.do(loser, Resign)) == ["resigned", "revealed"]
        assert room.table.result is not None
        assert room.table.result.winners == winners
        assert [bool(seat.lost) for seat in room.table.seats] == [seat not in winners for seat in range(4)]


def test_of_four_single_players_the_last_one_wins() -> None:
    room = Room("abcd", "azul")
    room.do("d", Resign)
    room.do("a", Resign)
    room.do("c", Resign)
    assert room.table.result is not None
    assert room.table.result.winners == (1,)


def test_who_has_several_seats_says_which_one_resigns() -> None:
    room = Room("aba")
    room.refused("a", Resign, "bad-text")
    room.refused("a", Resign, "not-allowed", seat=1)
    room.refused("a", Resign, "not-allowed", seat=-1)
    room.refused("a", Resign, "not-allowed", seat=10**30)
    room.do("a", Resign, seat=2)
    assert room.table.seats[2].lost
    room.refused("a", Resign, "not-allowed", seat=2)
    room.do("a", Resign)
    assert room.table.result is not None
    assert room.table.result.winners == (1,)


# Draws


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_everybody_has_to_agree_to_a_draw(name: str, seats: str) -> None:
    room = Room(seats, name)
    room.move()
    offer = room.offer("b", "draw")
    others = seats.replace("b", "")
    for letter in others[:-1]:
        assert kinds(room.answer(letter, offer)) == ["agreed"]
        assert room.table.status == "playing"
    assert kinds(room.answer(others[-1], offer)) == ["agreed", "drawn", "revealed"]
    result = room.table.result
    assert result is not None
    assert (result.winners, result.ended_by) == (tuple(range(len(seats))), "draw")
    assert room.table.record().tags["Ended"] == "draw"


def test_bots_agree_to_no_draw() -> None:
    Room("a*").refused("a", Offer, "not-allowed", what="draw")
    room = Room("abc")
    room.do("c", Resign)
    room.refused("a", Offer, "not-allowed", what="draw")
