"""Moves taken back: with everybody's consent, never past what chance or a secret has shown; freely against bots."""

from __future__ import annotations

import pytest

from tests.table.driving import Room, dealt, kinds
from tilery.games import GAMES
from tilery.table.commands import Answer, Leave, Offer, Play, Resign, Say

TABLES = [(name, seats) for name in GAMES for seats in ("ab", "abc", "abcd")]


def take_back(room: Room, person: str, people: str = "") -> None:
    room.agree(person, "takeback", people)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_everybody_else_has_to_agree(name: str, seats: str) -> None:
    room = Room(seats, name)
    before, plies = room.table.position, room.table.plies
    mover = room.turn_of
    room.move_without_chance()
    offer = room.offer(mover, "takeback")
    assert room.table.position != before
    others = seats.replace(mover, "")
    for letter in others[:-1]:
        assert kinds(room.answer(letter, offer)) == ["agreed"]
    assert room.table.position != before
    assert kinds(room.answer(others[-1], offer)) == ["agreed", "taken-back"]
    assert (room.table.position, room.table.plies) == (before, plies)
    assert room.table.offer is None
    assert room.turn_of == mover
    room.move()


def test_the_last_own_move_is_meant_with_all_that_came_after_it() -> None:
    room = Room("abc")
    before = room.table.position
    for _ in range(3):
        room.move_without_chance()
    take_back(room, "a", "bc")
    assert room.table.position == before


def test_an_answer_to_a_move_is_taken_back_alone() -> None:
    room = Room("ab")
    room.move_without_chance()
    before = room.table.position
    room.move_without_chance()
    take_back(room, "b", "a")
    assert room.table.position == before
    assert room.turn_of == "b"


@pytest.mark.parametrize("name", GAMES)
def test_who_has_not_moved_has_nothing_to_take_back(name: str) -> None:
    room = Room("ab", name)
    room.refused("a", Offer, "not-now", what="takeback")
    room.refused("b", Offer, "not-now", what="takeback")
    room.refused("x", Offer, "not-seated", what="takeback")
    mover = room.turn_of
    room.move_without_chance()
    if room.turn_of != mover:
        room.refused(room.turn_of, Offer, "not-now", what="takeback")


def test_an_offer_for_another_step_is_stale() -> None:
    room = Room("ab")
    room.move_without_chance()
    room.refused("a", Offer, "stale", what="takeback", step=room.table.step - 1)


@pytest.mark.parametrize("name", GAMES)
def test_among_people_nothing_is_taken_back_past_a_deal(name: str) -> None:
    room = Room("ab", name)
    room.move_until_chance()
    for letter in "ab":
        problem = room.refused(letter, Offer, "not-allowed|not-now", what="takeback")
        assert "dealt" in str(problem) or "no move" in str(problem)
    mover = "ab"[next(ply.actor for ply in reversed(room.table.record().plies) if ply.actor >= 0)]
    room.refused(mover, Offer, "not-allowed", what="takeback")


def swap_room() -> Room:
    """A game in which somebody has just been offered a card."""
    room = Room("abc", "schokoly", variant="swap")
    while True:
        for which, move in enumerate(room.table.position.moves()):
            if move.startswith("offer"):
                room.move(which)
                return room
        room.move()


def answered_swap() -> Room:
    room = swap_room()
    moves = room.table.position.moves()
    room.move(next(which for which, move in enumerate(moves) if move.startswith("answer")))
    return room


def test_nothing_is_taken_back_past_a_card_offered() -> None:
    room = swap_room()
    offerer = room.events[-1].by[0]
    room.refused(offerer, Offer, "not-allowed", what="takeback")
    room.do(room.turn_of, Play, move="decline")
    room.refused(offerer, Offer, "not-allowed", what="takeback")


@pytest.mark.parametrize("last", ["accept", "decline"])
def test_nothing_is_taken_back_past_a_swap(last: str) -> None:
    room = answered_swap()
    answerer = room.events[-1].by[0]
    room.refused(answerer, Offer, "not-allowed", what="takeback")
    offerer = room.turn_of
    room.do(offerer, Play, move=last)
    problem = room.refused(answerer, Offer, "not-allowed", what="takeback")
    assert "seen" in str(problem)
    if last == "accept":
        room.refused(offerer, Offer, "not-allowed", what="takeback")


def test_a_refusal_that_shows_nothing_can_be_taken_back() -> None:
    room = swap_room()
    partner = room.turn_of
    room.do(partner, Play, move="decline")
    others = "abc".replace(partner, "")
    before = room.table.position
    take_back(room, partner, others)
    assert room.table.position != before
    assert room.turn_of == partner


def test_against_bots_a_swap_can_be_taken_back() -> None:
    room = Room("a**", "schokoly", variant="swap")
    while True:
        offers = [move for move in room.table.position.moves() if move.startswith("offer")]
        if room.turn_of == "a" and offers:
            break
        room.move()
    before = room.table.position
    room.do("a", Play, move=offers[0])
    moves = room.table.position.moves()
    room.move(next(which for which, move in enumerate(moves) if move.startswith("answer")))
    room.do("a", Play, move="accept")
    take_back(room, "a")
    assert room.turn_of == "a"
    take_back(room, "a")
    assert room.table.position == before


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", ["a*", "a**", "*a**"])
def test_against_bots_moves_are_taken_back_freely_and_the_same_is_dealt_again(name: str, seats: str) -> None:
    room = Room(seats, name)
    for turn in range(20):
        room.move(turn * 5)
    moves, deals, end = room.table.record(), dealt(room), room.table.position
    backs = 0
    while any(ply.actor == seats.index("a") for ply in room.table.record().plies):
        assert kinds(room.do("a", Offer, what="takeback")) == ["offered", "taken-back"]
        assert room.turn_of == "a"
        backs += 1
    assert backs > 1
    assert room.table.deals < len(deals)
    # The very same moves lead to the very same deals.
    while room.table.plies < len(moves.plies):
        action = moves.plies[room.table.plies].action
        room.move(room.table.position.actions().index(action))
    assert (dealt(room), room.table.position) == (deals, end)
    assert room.table.record().plies == moves.plies


def test_one_person_at_several_seats_asks_nobody() -> None:
    room = Room("aa")
    before = room.table.position
    room.move_without_chance()
    assert kinds(room.do("a", Offer, what="takeback")) == ["offered", "taken-back"]
    assert room.table.position == before


def test_several_seats_at_one_device_take_back_the_last_move_of_any_of_them() -> None:
    room = Room("aab")
    first = room.table.position
    room.move_without_chance()
    second = room.table.position
    room.move_without_chance()
    take_back(room, "a", "b")
    assert room.table.position == second
    take_back(room, "a", "b")
    assert room.table.position == first


def test_people_at_one_device_play_by_the_same_rule() -> None:
    room = Room("aa")
    room.move_until_chance()
    room.refused("a", Offer, "not-allowed", what="takeback")


def test_an_offer_lapses_when_a_move_is_made() -> None:
    room = Room("abc")
    room.move_without_chance()
    offer = room.offer("a", "takeback")
    room.answer("c", offer)
    room.move()
    assert room.table.offer is None
    room.refused("b", Answer, "stale", offer=offer, yes=True)


@pytest.mark.parametrize("end", ["leave", "resign"])
def test_an_offer_lapses_when_somebody_leaves_or_resigns(end: str) -> None:
    room = Room("abc")
    room.move_without_chance()
    offer = room.offer("a", "takeback")
    room.do("c", Leave if end == "leave" else Resign)
    assert room.table.offer is None
    room.refused("b", Answer, "stale", offer=offer, yes=True)


def test_an_offer_outlives_a_chat() -> None:
    room = Room("ab")
    room.move_without_chance()
    offer = room.offer("a", "takeback")
    room.do("b", Say, text="why?")
    room.answer("b", offer)
    assert room.table.plies == room.table.deals


def test_one_who_declines_ends_an_offer() -> None:
    room = Room("abc")
    room.move_without_chance()
    offer = room.offer("a", "takeback")
    room.answer("b", offer)
    assert kinds(room.answer("c", offer, yes=False)) == ["declined"]
    assert room.table.offer is None
    room.refused("c", Answer, "stale", offer=offer, yes=True)
    assert room.offer("a", "takeback") != offer


def test_who_made_an_offer_withdraws_it() -> None:
    room = Room("ab")
    room.move_without_chance()
    offer = room.offer("a", "takeback")
    room.refused("a", Answer, "not-allowed", offer=offer, yes=True)
    assert kinds(room.answer("a", offer, yes=False)) == ["declined"]
    room.refused("b", Answer, "stale", offer=offer, yes=True)


def test_only_who_is_asked_answers_and_only_once() -> None:
    room = Room("abc")
    room.move_without_chance()
    offer = room.offer("a", "takeback")
    for yes in (True, False):
        room.refused("x", Answer, "not-seated", offer=offer, yes=yes)
        for wrong in (offer - 1, offer + 1, -1, 10**30, 0):
            room.refused("b", Answer, "stale", offer=wrong, yes=yes)
    room.answer("b", offer)
    room.refused("b", Answer, "not-now", offer=offer, yes=True)
    assert kinds(room.answer("b", offer, yes=False)) == ["declined"]  # minds may change


def test_one_offer_at_a_time() -> None:
    room = Room("ab")
    room.move_without_chance()
    room.offer("a", "takeback")
    for letter in "ab":
        for what in ("takeback", "draw"):
            assert "takeback" in str(room.refused(letter, Offer, "not-now", what=what))


def test_who_has_left_is_not_asked() -> None:
    room = Room("abc")
    room.move_without_chance()
    room.do("c", Leave)
    take_back(room, "a", "b")
    assert room.turn_of == "a"


def test_who_has_left_comes_back_by_answering() -> None:
    room = Room("abc")
    room.move_without_chance()
    room.do("c", Leave)
    offer = room.offer("a", "takeback")
    assert kinds(room.answer("c", offer)) == ["returned", "agreed"]
    assert kinds(room.answer("b", offer)) == ["agreed", "taken-back"]


def test_who_comes_back_has_to_be_asked() -> None:
    room = Room("abc")
    room.move_without_chance()
    room.do("c", Leave)
    offer = room.offer("a", "takeback")
    room.do("c", Say, text="back")
    assert kinds(room.answer("b", offer)) == ["agreed"]
    assert kinds(room.answer("c", offer)) == ["agreed", "taken-back"]


def test_what_an_offer_does_not_need_is_not_kept() -> None:
    room = Room("ab")
    room.move_without_chance()
    room.offer("a", "takeback", seat=10**30, bot="\u202e" * 10**6)
    assert room.table.offer is not None
    assert (room.table.offer.seat, room.table.offer.bot) == (None, "")
    assert len(room.log[-1]) < 300
