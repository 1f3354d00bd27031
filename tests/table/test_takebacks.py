"""Take-backs: with everybody's agreement, never past a deal or a revealed secret; freely against bots."""

from __future__ import annotations

import pytest

from tests.notation import texts
from tests.table.table_driver import TableDriver, dealt, event_types
from tilery.games import GAMES
from tilery.table.commands import Answer, Leave, Offer, Play, Resign, Say

TABLES = [(name, seats) for name in GAMES for seats in ("ab", "abc", "abcd")]


def take_back(driver: TableDriver, person: str, people: str = "") -> None:
    driver.agree(person, "takeback", people)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_everybody_else_has_to_agree(name: str, seats: str) -> None:
    driver = TableDriver(seats, name)
    before, plies = driver.table.position, driver.table.plies
    mover = driver.turn_of
    driver.move_without_chance()
    offer = driver.offer(mover, "takeback")
    assert driver.table.position != before
    others = seats.replace(mover, "")
    for letter in others[:-1]:
        assert event_types(driver.answer(letter, offer)) == ["agreed"]
    assert driver.table.position != before
    assert event_types(driver.answer(others[-1], offer)) == ["agreed", "taken-back"]
    assert (driver.table.position, driver.table.plies) == (before, plies)
    assert driver.table.offer is None
    assert driver.turn_of == mover
    driver.move()


def test_a_take_back_undoes_ones_last_move_and_everything_after_it() -> None:
    driver = TableDriver("abc")
    before = driver.table.position
    for _ in range(3):
        driver.move_without_chance()
    take_back(driver, "a", "bc")
    assert driver.table.position == before


def test_a_reply_to_a_move_is_taken_back_alone() -> None:
    driver = TableDriver("ab")
    driver.move_without_chance()
    before = driver.table.position
    driver.move_without_chance()
    take_back(driver, "b", "a")
    assert driver.table.position == before
    assert driver.turn_of == "b"


@pytest.mark.parametrize("name", GAMES)
def test_a_player_who_has_not_moved_has_nothing_to_take_back(name: str) -> None:
    driver = TableDriver("ab", name)
    driver.refused("a", Offer, "not-now", what="takeback")
    driver.refused("b", Offer, "not-now", what="takeback")
    driver.refused("x", Offer, "not-seated", what="takeback")
    mover = driver.turn_of
    driver.move_without_chance()
    if driver.turn_of != mover:
        driver.refused(driver.turn_of, Offer, "not-now", what="takeback")


def test_an_offer_for_another_step_is_stale() -> None:
    driver = TableDriver("ab")
    driver.move_without_chance()
    driver.refused("a", Offer, "stale", what="takeback", step=driver.table.step - 1)


@pytest.mark.parametrize("name", GAMES)
def test_with_other_people_nothing_is_taken_back_past_a_deal(name: str) -> None:
    driver = TableDriver("ab", name)
    driver.move_until_chance()
    for letter in "ab":
        problem = driver.refused(letter, Offer, "not-allowed|not-now", what="takeback")
        assert "dealt" in str(problem) or "no move" in str(problem)
    mover = "ab"[next(ply.actor for ply in reversed(driver.table.record().plies) if ply.actor >= 0)]
    driver.refused(mover, Offer, "not-allowed", what="takeback")


def driver_with_offer() -> TableDriver:
    """A game in which a card has just been offered."""
    driver = TableDriver("abc", "schokoly", variant="swap")
    while True:
        for which, move in enumerate(texts(driver.table.position)):
            if move.startswith("offer"):
                driver.move(which)
                return driver
        driver.move()


def answered_swap() -> TableDriver:
    driver = driver_with_offer()
    moves = texts(driver.table.position)
    driver.move(next(which for which, move in enumerate(moves) if move.startswith("answer")))
    return driver


def test_nothing_is_taken_back_past_an_offered_card() -> None:
    driver = driver_with_offer()
    offerer = driver.events[-1].by[0]
    driver.refused(offerer, Offer, "not-allowed", what="takeback")
    driver.do(driver.turn_of, Play, move="decline")
    driver.refused(offerer, Offer, "not-allowed", what="takeback")


@pytest.mark.parametrize("last", ["accept", "decline"])
def test_nothing_is_taken_back_past_a_swap(last: str) -> None:
    driver = answered_swap()
    answerer = driver.events[-1].by[0]
    driver.refused(answerer, Offer, "not-allowed", what="takeback")
    offerer = driver.turn_of
    driver.do(offerer, Play, move=last)
    problem = driver.refused(answerer, Offer, "not-allowed", what="takeback")
    assert "seen" in str(problem)
    if last == "accept":
        driver.refused(offerer, Offer, "not-allowed", what="takeback")


def test_declining_a_swap_can_be_taken_back() -> None:
    driver = driver_with_offer()
    partner = driver.turn_of
    driver.do(partner, Play, move="decline")
    others = "abc".replace(partner, "")
    before = driver.table.position
    take_back(driver, partner, others)
    assert driver.table.position != before
    assert driver.turn_of == partner


def test_against_bots_a_swap_can_be_taken_back() -> None:
    driver = TableDriver("a**", "schokoly", variant="swap")
    while True:
        offers = [move for move in texts(driver.table.position) if move.startswith("offer")]
        if driver.turn_of == "a" and offers:
            break
        driver.move()
    before = driver.table.position
    driver.do("a", Play, move=offers[0])
    moves = texts(driver.table.position)
    driver.move(next(which for which, move in enumerate(moves) if move.startswith("answer")))
    driver.do("a", Play, move="accept")
    take_back(driver, "a")
    assert driver.turn_of == "a"
    take_back(driver, "a")
    assert driver.table.position == before


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", ["a*", "a**", "*a**"])
def test_against_bots_moves_are_taken_back_freely_and_deals_repeat(name: str, seats: str) -> None:
    driver = TableDriver(seats, name)
    for turn in range(20):
        driver.move(turn * 5)
    moves, deals, end = driver.table.record(), dealt(driver), driver.table.position
    backs = 0
    while any(ply.actor == seats.index("a") for ply in driver.table.record().plies):
        assert event_types(driver.do("a", Offer, what="takeback")) == ["offered", "taken-back"]
        assert driver.turn_of == "a"
        backs += 1
    assert backs > 1
    assert driver.table.history.deals < len(deals)
    # The same moves lead to the same deals.
    while driver.table.plies < len(moves.plies):
        action = moves.plies[driver.table.plies].action
        driver.move(driver.table.position.actions().index(action))
    assert (dealt(driver), driver.table.position) == (deals, end)
    assert driver.table.record().plies == moves.plies


def test_one_person_at_all_seats_needs_no_agreement() -> None:
    driver = TableDriver("aa")
    before = driver.table.position
    driver.move_without_chance()
    assert event_types(driver.do("a", Offer, what="takeback")) == ["offered", "taken-back"]
    assert driver.table.position == before


def test_a_person_with_several_seats_takes_back_the_last_move_of_any() -> None:
    driver = TableDriver("aab")
    first = driver.table.position
    driver.move_without_chance()
    second = driver.table.position
    driver.move_without_chance()
    take_back(driver, "a", "b")
    assert driver.table.position == second
    take_back(driver, "a", "b")
    assert driver.table.position == first


def test_people_who_share_a_device_follow_the_same_rule() -> None:
    driver = TableDriver("aa")
    driver.move_until_chance()
    driver.refused("a", Offer, "not-allowed", what="takeback")


def test_an_offer_lapses_when_a_move_is_made() -> None:
    driver = TableDriver("abc")
    driver.move_without_chance()
    offer = driver.offer("a", "takeback")
    driver.answer("c", offer)
    driver.move()
    assert driver.table.offer is None
    driver.refused("b", Answer, "stale", offer=offer, yes=True)


@pytest.mark.parametrize("end", ["leave", "resign"])
def test_an_offer_lapses_when_somebody_leaves_or_resigns(end: str) -> None:
    driver = TableDriver("abc")
    driver.move_without_chance()
    offer = driver.offer("a", "takeback")
    driver.do("c", Leave if end == "leave" else Resign)
    assert driver.table.offer is None
    driver.refused("b", Answer, "stale", offer=offer, yes=True)


def test_chat_does_not_end_an_offer() -> None:
    driver = TableDriver("ab")
    driver.move_without_chance()
    offer = driver.offer("a", "takeback")
    driver.do("b", Say, text="why?")
    driver.answer("b", offer)
    assert driver.table.plies == driver.table.history.deals


def test_one_refusal_ends_an_offer() -> None:
    driver = TableDriver("abc")
    driver.move_without_chance()
    offer = driver.offer("a", "takeback")
    driver.answer("b", offer)
    assert event_types(driver.answer("c", offer, yes=False)) == ["declined"]
    assert driver.table.offer is None
    driver.refused("c", Answer, "stale", offer=offer, yes=True)
    assert driver.offer("a", "takeback") != offer


def test_an_offer_can_be_withdrawn() -> None:
    driver = TableDriver("ab")
    driver.move_without_chance()
    offer = driver.offer("a", "takeback")
    driver.refused("a", Answer, "not-allowed", offer=offer, yes=True)
    assert event_types(driver.answer("a", offer, yes=False)) == ["declined"]
    driver.refused("b", Answer, "stale", offer=offer, yes=True)


def test_only_people_who_are_asked_answer_and_only_once() -> None:
    driver = TableDriver("abc")
    driver.move_without_chance()
    offer = driver.offer("a", "takeback")
    for yes in (True, False):
        driver.refused("x", Answer, "not-seated", offer=offer, yes=yes)
        for wrong in (offer - 1, offer + 1, -1, 10**30, 0):
            driver.refused("b", Answer, "stale", offer=wrong, yes=yes)
    driver.answer("b", offer)
    driver.refused("b", Answer, "not-now", offer=offer, yes=True)
    assert event_types(driver.answer("b", offer, yes=False)) == ["declined"]  # a person may decline after agreeing


def test_one_offer_at_a_time() -> None:
    driver = TableDriver("ab")
    driver.move_without_chance()
    driver.offer("a", "takeback")
    for letter in "ab":
        for what in ("takeback", "draw"):
            refused = driver.refused(letter, Offer, "not-now", what=what)
            assert (refused.code, refused.arguments) == ("offer-pending", {"offer": "takeback"})


def test_a_player_who_has_left_is_not_asked() -> None:
    driver = TableDriver("abc")
    driver.move_without_chance()
    driver.do("c", Leave)
    take_back(driver, "a", "b")
    assert driver.turn_of == "a"


def test_answering_brings_a_player_back() -> None:
    driver = TableDriver("abc")
    driver.move_without_chance()
    driver.do("c", Leave)
    offer = driver.offer("a", "takeback")
    assert event_types(driver.answer("c", offer)) == ["returned", "agreed"]
    assert event_types(driver.answer("b", offer)) == ["agreed", "taken-back"]


def test_a_player_who_comes_back_has_to_agree() -> None:
    driver = TableDriver("abc")
    driver.move_without_chance()
    driver.do("c", Leave)
    offer = driver.offer("a", "takeback")
    driver.do("c", Say, text="back")
    assert event_types(driver.answer("b", offer)) == ["agreed"]
    assert event_types(driver.answer("c", offer)) == ["agreed", "taken-back"]


def test_irrelevant_fields_of_an_offer_are_dropped() -> None:
    driver = TableDriver("ab")
    driver.move_without_chance()
    driver.offer("a", "takeback", seat=10**30, bot="\u202e" * 10**6)
    assert driver.table.offer is not None
    assert (driver.table.offer.seat, driver.table.offer.bot) == (None, "")
    assert len(driver.log[-1]) < 300
