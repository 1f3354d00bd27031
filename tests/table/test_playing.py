"""Moves, resigning and draws."""

from __future__ import annotations

import pytest

from tests.notation import texts
from tests.table.table_driver import TableDriver, event_types, short
from tilery.games import GAMES
from tilery.table.commands import Offer, Play, Resign, Say
from tilery.table.handler import SUBSTITUTE, wakes_at
from tilery.table.refusals import TableRefused

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
    driver = TableDriver(seats, name, variant=variant)
    while driver.table.status == "playing":
        number, plies, position = driver.table.number, driver.table.plies, driver.table.position
        applied = driver.move(driver.table.plies * 7)
        assert driver.table.step == number + 1
        assert driver.table.plies > plies
        assert driver.table.position != position
    assert event_types(applied) == ["played", "revealed"]
    assert driver.table.result is not None
    outcome = driver.table.position.outcome
    assert outcome is not None
    assert (driver.table.result.scores, driver.table.result.winners) == (outcome.scores, outcome.winners)
    assert driver.table.result.rule == outcome.rule
    assert driver.table.actor is None
    assert driver.table.secret == driver.new.secret.hex()
    for letter in seats:
        assert "over" in str(driver.refused(letter, Play, "not-now", move="1B1"))
        driver.refused(letter, Resign, "not-now")
        driver.refused(letter, Offer, "not-now", what="takeback")
        driver.refused(letter, Offer, "not-now", what="draw")
        driver.refused(letter, Offer, "not-now", what="replace", seat=0, bot="greedy")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_only_the_seat_to_move_can_move(name: str, seats: str) -> None:
    driver = TableDriver(seats, name)
    move = texts(driver.table.position)[0]
    for letter in seats:
        if letter != driver.turn_of:
            problem = driver.refused(letter, Play, "not-your-turn", move=move)
            assert driver.table.seats[driver.actor].name in str(problem)
    driver.refused("x", Play, "not-seated", move=move)
    driver.refused("", Play, "not-seated", move=move)
    driver.do(driver.turn_of, Play, move=move)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("off", [-1, 1, 10**30, -(10**30)])
def test_a_move_for_another_step_is_stale(name: str, off: int) -> None:
    driver = TableDriver("ab", name)
    move = texts(driver.table.position)[0]
    problem = driver.refused(driver.turn_of, Play, "stale", move=move, step=driver.table.step + off)
    assert "moved on" in str(problem)


def test_chat_does_not_make_a_move_stale() -> None:
    driver = TableDriver("ab")
    step = driver.table.step
    driver.do("b", Say, text="hello")
    assert driver.table.step == step
    driver.move()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "move",
    ["", " ", "nonsense", "1B1 ", "9" * 10**6, "\ud800", "\x00", "+BBBB", "-1", "0", "\u202e", "accept"],
    ids=short,
)
def test_invalid_and_illegal_moves_are_refused(name: str, move: str) -> None:
    driver = TableDriver("ab", name)
    problem = driver.refused(driver.turn_of, Play, "not-a-move|not-legal", move=move)
    assert len(str(problem)) < 300
    str(problem).encode()


def test_an_illegal_move_is_refused_with_its_rule() -> None:
    driver = TableDriver("ab", "azul")
    missing = next(
        f"C{letter}1" for letter in "BYRKW" if f"C{letter}1" not in texts(driver.table.position)
    )  # the centre is still empty
    assert driver.refused("a", Play, "not-legal", move=missing).rule.startswith("AZ-")
    driver = TableDriver("ab", "schokoly")
    driver.move()
    assert driver.refused(driver.turn_of, Play, "not-legal", move="pass").rule.startswith("SC-")


def test_only_the_table_deals() -> None:
    for name in GAMES:
        driver = TableDriver("ab", name)
        for deal in ("+BBBB", "+DDDM", "+?", "start=2"):
            driver.refused(driver.turn_of, Play, "not-a-move|not-legal", move=deal)


def test_hidden_cards_cannot_be_played_as_hidden() -> None:
    driver = TableDriver("abc", "schokoly", variant="swap")
    while not any(move.startswith("offer") for move in texts(driver.table.position)):
        driver.move()
    for move in ("offer:?0>1", "offer:?1>2", "offer:?2>3", "accept:DDDM", "answer:?1"):
        driver.refused(driver.turn_of, Play, "not-a-move|not-legal", move=move)


def test_a_bot_plays_only_for_its_seat() -> None:
    driver = TableDriver("a*")
    driver.move_without_chance()
    assert driver.actor == 1
    move = texts(driver.table.position)[0]
    driver.refused("a", Play, "not-your-turn", move=move)
    driver.do("", Play, by_bot=1, move=move)
    assert driver.events[-1].by == ""
    with pytest.raises(TableRefused, match="turn"):
        driver.do("", Play, by_bot=1, move=texts(driver.table.position)[0])


# --- resigning


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("loser", ["a", "b"])
@pytest.mark.parametrize("moves", [0, 5])
def test_in_a_game_of_two_the_other_wins(name: str, loser: str, moves: int) -> None:
    driver = TableDriver("ab", name)
    for _ in range(moves):
        driver.move()
    assert event_types(driver.do(loser, Resign)) == ["resigned", "revealed"]
    result = driver.table.result
    assert result is not None
    assert (result.winners, result.ended_by) == ((1,) if loser == "a" else (0,), "resigned")
    assert [seat.lost for seat in driver.table.seats] == (["resigned", ""] if loser == "a" else ["", "resigned"])
    assert driver.table.secret == driver.new.secret.hex()
    tags = driver.table.record().tags
    assert (tags["Ended"], tags["Winners"]) == ("resigned", "2" if loser == "a" else "1")
    for viewer in ("a", "b", ""):
        state = driver.state(viewer)
        assert state["result"]["winners"] == list(result.winners)
        assert state["status"] == "over"
        assert state["actor"] is None


def test_resigning_needs_neither_the_turn_nor_the_current_step() -> None:
    driver = TableDriver("ab")
    driver.move()
    driver.do("a", Resign, step=0)
    assert driver.table.status == "over"


def test_a_bot_wins_by_resignation() -> None:
    driver = TableDriver("*a", "schokoly")
    driver.do("a", Resign)
    assert driver.table.result is not None
    assert driver.table.result.winners == (0,)


@pytest.mark.parametrize("name", GAMES)
def test_in_a_game_of_three_a_bot_takes_over_after_a_resignation(name: str) -> None:
    driver = TableDriver("abc", name)
    driver.move()
    assert event_types(driver.do("b", Resign)) == ["resigned"]
    seat = driver.table.seats[1]
    assert (seat.kind, seat.bot, seat.lost, seat.name) == ("bot", SUBSTITUTE, "resigned", "B")
    assert driver.table.status == "playing"
    driver.refused("b", Resign, "not-seated")
    driver.refused("b", Play, "not-seated", move="1B1")
    while driver.actor != 1:
        driver.move()
    assert wakes_at(driver.table) == 0.0
    driver.move()
    assert event_types(driver.do("a", Resign)) == ["resigned", "revealed"]
    assert driver.table.result is not None
    assert driver.table.result.winners == (2,)


@pytest.mark.parametrize("name", GAMES)
def test_a_player_who_resigned_cannot_win_through_the_bot(name: str) -> None:
    beaten = 0
    for attempt in range(12):
        driver = TableDriver("abc", name)
        for _ in range(attempt):
            driver.move(attempt)
        loser = "abc"[attempt % 3]
        driver.do(loser, Resign)
        driver.finish(attempt + 1)
        result, outcome = driver.table.result, driver.table.position.outcome
        assert result is not None
        assert outcome is not None
        assert "abc".index(loser) not in result.winners
        assert result.winners
        stay = [seat for seat in range(3) if "abc"[seat] != loser]
        assert max(result.scores[seat] for seat in stay) == result.scores[result.winners[0]]
        assert result.scores == outcome.scores
        tags = driver.table.record().tags
        assert tags["Winners"] == ",".join(str(seat + 1) for seat in result.winners)
        beaten += outcome.winners == ("abc".index(loser),)
    assert beaten  # at least once the bot had the most points, and did not win


def test_partners_lose_together() -> None:
    for loser, winners in (("a", (1, 3)), ("b", (0, 2)), ("c", (1, 3)), ("d", (0, 2))):
        driver = TableDriver("abcd", "schokoly")
        driver.move()
        assert event_types(driver.do(loser, Resign)) == ["resigned", "revealed"]
        assert driver.table.result is not None
        assert driver.table.result.winners == winners
        assert [bool(seat.lost) for seat in driver.table.seats] == [seat not in winners for seat in range(4)]


def test_the_last_of_four_single_players_wins() -> None:
    driver = TableDriver("abcd", "azul")
    driver.do("d", Resign)
    driver.do("a", Resign)
    driver.do("c", Resign)
    assert driver.table.result is not None
    assert driver.table.result.winners == (1,)


def test_a_person_with_several_seats_names_the_one_that_resigns() -> None:
    driver = TableDriver("aba")
    driver.refused("a", Resign, "bad-text")
    driver.refused("a", Resign, "not-allowed", seat=1)
    driver.refused("a", Resign, "not-allowed", seat=-1)
    driver.refused("a", Resign, "not-allowed", seat=10**30)
    driver.do("a", Resign, seat=2)
    assert driver.table.seats[2].lost
    driver.refused("a", Resign, "not-allowed", seat=2)
    driver.do("a", Resign)
    assert driver.table.result is not None
    assert driver.table.result.winners == (1,)


# --- draws


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_everybody_has_to_agree_to_a_draw(name: str, seats: str) -> None:
    driver = TableDriver(seats, name)
    driver.move()
    offer = driver.offer("b", "draw")
    others = seats.replace("b", "")
    for letter in others[:-1]:
        assert event_types(driver.answer(letter, offer)) == ["agreed"]
        assert driver.table.status == "playing"
    assert event_types(driver.answer(others[-1], offer)) == ["agreed", "drawn", "revealed"]
    result = driver.table.result
    assert result is not None
    assert (result.winners, result.ended_by) == (tuple(range(len(seats))), "draw")
    assert driver.table.record().tags["Ended"] == "draw"


def test_bots_do_not_agree_to_draws() -> None:
    TableDriver("a*").refused("a", Offer, "not-allowed", what="draw")
    driver = TableDriver("abc")
    driver.do("c", Resign)
    driver.refused("a", Offer, "not-allowed", what="draw")
