"""Swapping chocolate: SC-50 to SC-53. Seat 1 plays dark, seat 2 milk and seat 3 white."""

from __future__ import annotations

import pytest

import tilery
from tests.notation import texts

from .positions import GAME, all_lays, dealt, hand_of, lays_of, play, position, random_game, rule_against

TABLE = "DDDM@0,0 DDDM@2,0 MMMW@0,2"
HANDS = ("DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD", "WWWM.DDMM.DDWW.WWDM")
KIND = "DMW"  # by seat


def at_place(seat: int = 1, **parts: object) -> tilery.Position:
    """A seat (from 1) is to place a card, or to offer one first."""
    return position("3,swap", f"place:{seat}", **{"table": TABLE, "hands": HANDS, **parts})


def offers(at: tilery.Position) -> set[str]:
    """The offers among the legal moves."""
    return {move for move in texts(at) if move.startswith("offer")}


def cards(seat: int) -> list[str]:
    """The cards of a seat (from 0)."""
    return HANDS[seat].split(".")


# SC-50: offering.


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_any_card_may_be_offered_to_any_opponent(seat: int) -> None:
    """SC-50: before placing; and placing without an offer stays possible."""
    at = at_place(seat + 1)
    others = [other for other in range(3) if other != seat]
    assert offers(at) == {f"offer:{card}>{other + 1}" for card in cards(seat) for other in others}
    assert lays_of(at) == all_lays(at) != set()
    assert rule_against(at, f"offer:{cards(seat)[0]}>{seat + 1}") == "SC-50"


def test_two_copies_of_a_card_are_one_offer() -> None:
    """SC-50, SC-2: they cannot be told apart."""
    at = at_place(hands=["WWWD.WWWD.WWWD.DDMW", *HANDS[1:]])
    assert len(offers(at)) == 4


@pytest.mark.parametrize("other", [1, 2])
@pytest.mark.parametrize("card", cards(0))
def test_the_number_is_that_of_the_opponents_kind(card: str, other: int) -> None:
    """SC-50: it is counted on the card, and heard by all."""
    at = at_place().play(f"offer:{card}>{other + 1}")
    number = card.count(KIND[other])
    assert (at.actor, at.view["phase"], at.view["seat"], at.view["partner"]) == (other, "answer", 0, other)
    assert at.view["offer"] == {"card": card, "number": number}
    assert f" offer={card}:{number}>{other + 1}" in at.text
    for seat in (1, 2):
        assert at.seen_by(seat).view["offer"] == {"card": "?", "number": number}
    assert at.seen_by(0).view["offer"] == {"card": card, "number": number}


def test_there_is_no_way_to_lie() -> None:
    """SC-50: an offer names a card, not a number; a text with a wrong number is refused."""
    at = at_place()
    for number in range(4):
        assert rule_against(at, f"offer:?{number}>2") == "SC-60"
    pending = at.play("offer:DDDM>2").text
    for number in (0, 2, 3):
        with pytest.raises(tilery.BadText, match="SC-50"):
            tilery.read_position(pending.replace("offer=DDDM:1>2", f"offer=DDDM:{number}>2"))


def test_only_a_card_of_the_own_hand_is_offered() -> None:
    """SC-50, SC-14: others, or none, are refused."""
    for card in ("DDDW", "MMWD", "WWDM", "MMWW"):
        assert rule_against(at_place(), f"offer:{card}>2") == "SC-14"
    for text in ("offer:DDDM", "offer:DDDM>4", "offer:DDDM>0", "offer:DMDD>2", "offer:DDDM>22", "offer:>2"):
        with pytest.raises(tilery.NotAMove):
            at_place().play(text)


@pytest.mark.parametrize("hands", [("DDDM", "", "MMMW"), ("DDDM.DDDW", "", "MMMW")])
def test_the_opponent_must_hold_a_card(hands: tuple[str, ...]) -> None:
    """SC-50 (ruling): whoever has none is not asked."""
    at = position("3,swap", hands=hands, stack="")
    assert rule_against(at, "offer:DDDM>2") == "SC-50"
    assert at.play("offer:DDDM>3").actor == 2


def test_cards_on_offer_lie_on_the_table_until_it_is_settled() -> None:
    """SC-50 (ruling): meanwhile nothing can be done with them, and only the seat that is asked acts."""
    asked = at_place().play("offer:DDDM>2")
    for move in ("DDDM@4,0", "offer:MMMW>3", "offer:DDDM>3", "pass", "accept", "no-token"):
        assert rule_against(asked, move) == "SC-51"
    with pytest.raises(tilery.NotYourTurn):
        asked.play("decline", by=0)
    answered = asked.play("answer:MMMD")
    for move in ("DDDM@4,0", "offer:MMMW>3", "answer:WWWM", "pass"):
        assert rule_against(answered, move) == "SC-52"
    with pytest.raises(tilery.NotYourTurn):
        answered.play("accept", by=1)


@pytest.mark.parametrize("variant", ["2", "3", "4"])
def test_without_the_option_nobody_swaps(variant: str) -> None:
    """SC-50: it is an option, and one for three players only."""
    at = position(variant, table="DDDM@0,0 DDDM@2,0", hands=["DDDM.MMMW.WWWD.DDMW"])
    assert not offers(at)
    assert rule_against(at, "offer:DDDM>2") == "SC-50"
    if variant != "3":
        with pytest.raises(tilery.Refused, match="SC-50"):
            GAME.new(seats=int(variant), swap=True)
        with pytest.raises(tilery.BadText, match="SC-50"):
            GAME.variant(f"{variant},swap")
    with pytest.raises(tilery.Refused, match="SC-50"):
        GAME.new(seats=3, swap=1)


def test_offers_come_before_placing() -> None:
    """SC-50, SC-14: after the card of the turn it is too late."""
    placed = at_place().play("DDDM@4,0")
    assert rule_against(placed, "offer:MMMW>2") == "SC-35"
    assert rule_against(placed.play("no-token"), "offer:MMMW>2") == "SC-14"


# SC-51: answering.


def test_the_opponent_refuses_or_answers_with_a_card() -> None:
    """SC-51: any of its own hand."""
    at = at_place().play("offer:DDDM>2")
    assert texts(at) == ["decline", *(f"answer:{card}" for card in cards(1))]
    assert rule_against(at, "answer:DDDM") == "SC-14"
    assert "seat 2 holds no DDDM" in str(at.refusal("answer:DDDM"))
    assert rule_against(at, "answer:?1") == "SC-60"


@pytest.mark.parametrize("card", cards(1))
def test_the_number_of_the_answer_is_that_of_the_offerers_kind(card: str) -> None:
    """SC-51: as true as the first one."""
    at = play(at_place(), "offer:DDDM>2", f"answer:{card}")
    assert (at.actor, at.view["phase"]) == (0, "accept")
    assert at.view["answer"] == {"card": card, "number": card.count("D")}
    assert f" offer=DDDM:1>2 answer={card}:{card.count('D')}" in at.text
    assert at.seen_by(0).view["answer"] == at.seen_by(2).view["answer"] == {"card": "?", "number": card.count("D")}
    assert at.seen_by(1).view["answer"]["card"] == card


# SC-52: agreeing.


def test_agreeing_exchanges_the_cards() -> None:
    """SC-52: each takes the other's card; the third hand, the table and the stack stay as they are."""
    at = at_place()
    after = play(at, "offer:DDDM>2", "answer:MMMD")
    assert texts(after) == ["decline", "accept"]
    after = after.play("accept")
    assert hand_of(after, 0) == "MMMD.MMMW.WWWD.DDMW"
    assert hand_of(after, 1) == "DDDM.DDDW.WWWM.MMWD"
    assert hand_of(after, 2) == HANDS[2]
    assert (after.view["stack"], after.view["table"]) == (at.view["stack"], at.view["table"])
    assert (after.actor, after.view["phase"], after.view["partner"], after.view["offer"]) == (0, "place", None, None)
    # The card that came may be placed, the one that went may not.
    assert rule_against(after, "DDDM@4,0") == "SC-14"
    assert "DMMM@4,0" in texts(after)


def test_two_equal_cards_may_change_hands() -> None:
    """SC-52: nothing is different but what the two know."""
    hands = ("DDMW.MMMW.WWWD.DDWW", "DDMW.MMMD.WWWM.MMWD", HANDS[2].replace("DDWW", "DDDW"))
    at = at_place(hands=hands)
    after = play(at, "offer:DDMW>2", "answer:DDMW", "accept")
    assert after.view["hands"] == at.view["hands"]
    assert after.view["swapped"]


def test_the_third_player_sees_neither_card() -> None:
    """SC-52: it hears two numbers and sees that the cards changed hands."""
    at = play(at_place(), "offer:DDDM>2", "answer:MMMD")
    for now in (at, at.play("accept"), at.play("decline")):
        hands = now.seen_by(2).view["hands"]
        assert hands[:2] == (("?",) * 4, ("?",) * 4)
        assert "DDDM" not in now.seen_by(2).text.partition("hands=")[2].partition(" ")[0]
    assert at.move_text(at.veiled("accept", 2)) == "accept"


@pytest.mark.parametrize("moves", [("decline",), ("answer:MMMD", "decline")])
def test_after_a_refusal_the_cards_go_back(moves: tuple[str, ...]) -> None:
    """SC-53, SC-51, SC-52: by either of the two; the turn goes on with placing, or with the other opponent."""
    at = at_place()
    after = play(at, "offer:DDDM>2", *moves)
    assert after.view["hands"] == at.view["hands"]
    assert (after.actor, after.view["phase"], after.view["offer"], after.view["answer"]) == (0, "place", None, None)
    assert lays_of(after) == lays_of(at)
    assert offers(after) == {f"offer:{card}>3" for card in cards(0)}


# SC-53: how often.


def test_each_opponent_is_asked_at_most_once_in_a_turn() -> None:
    """SC-53 (ruling): also with another card; after both there are no more offers."""
    first = play(at_place(), "offer:DDDM>2", "decline")
    assert first.view["asked"] == (1,)
    assert " asked=2" in first.text
    assert rule_against(first, "offer:MMMW>2") == "SC-53"
    second = play(first, "offer:DDDM>3", "decline")
    assert second.view["asked"] == (1, 2)
    assert not offers(second)
    assert rule_against(second, "offer:MMMW>3") == "SC-53"
    assert lays_of(second) == all_lays(second) != set()


@pytest.mark.parametrize(("first", "second", "answer"), [(2, 3, "WWWM"), (3, 2, "WWWM")])
def test_after_a_swap_there_are_no_more_offers(first: int, second: int, answer: str) -> None:
    """SC-53 (ruling): not even to the other opponent; the turn goes on with placing."""
    after = play(at_place(), f"offer:DDDM>{first}", f"answer:{answer}", "accept")
    assert after.view["swapped"]
    assert not offers(after)
    for other in (first, second):
        assert rule_against(after, f"offer:MMMW>{other}") == "SC-53"
    assert lays_of(after) == all_lays(after) != set()


def test_a_swap_may_follow_a_refusal() -> None:
    """SC-53 (ruling): with the other opponent."""
    after = play(at_place(), "offer:DDDM>2", "decline", "offer:DDDM>3", "answer:DDMM", "accept")
    assert hand_of(after, 2) == "DDDM.WWWM.DDWW.WWDM"
    assert (after.view["asked"], after.view["swapped"]) == ((1, 2), True)


@pytest.mark.parametrize("rest", ["DMMM@4,0 no-token +WWWD", "DMMM@1,0^ +WWWD"])
def test_the_next_turn_begins_with_new_offers(rest: str) -> None:
    """SC-53 (ruling): what was asked in a turn matters only in that turn."""
    after = play(at_place(), "offer:DDDM>2", "answer:MMMD", "accept", *rest.split())
    assert (after.actor, after.view["asked"], after.view["swapped"]) == (1, (), False)
    assert "asked" not in after.text
    assert "swapped" not in after.text
    assert offers(after) == {f"offer:{card}>{other}" for card in after.view["hands"][1] for other in (1, 3)}


def test_a_pass_ends_the_offers_of_a_turn_too() -> None:
    """SC-53, SC-41: the next seat may ask everybody."""
    at = position("3,swap", "place:1", hands=["", "DDDM", "MMMW"], stack="", more="").play("pass")
    assert offers(at) == {"offer:DDDM>3"}
    assert (at.view["asked"], at.view["swapped"]) == ((), False)


def test_nobody_offers_before_all_kinds_are_settled() -> None:
    """SC-53 (ruling): the first turn of the first player has no offers, that of the second may have them."""
    at = dealt("3,swap", "DDDM.DDDW.MMMD.MMMW", "DDDM.WWWD.DDMM.MMWD", "MMMD.WWWD.WWWM.DDWW")
    assert rule_against(at, "offer:DDDM>2") == "SC-12"
    at = at.play("dark")
    assert not offers(at)
    assert rule_against(at, "offer:DDDM>2") == "SC-53"
    at = play(at, "DDDM@0,0", "no-token", "+DDMW")
    assert rule_against(at, "offer:DDDM>1") == "SC-12"
    at = at.play("white")
    assert offers(at) == {f"offer:{card}>{other}" for card in ("DDDM", "WWWD", "DDMM", "MMWD") for other in (1, 3)}
    asked = at.play("offer:MMWD>3")
    assert asked.view["offer"] == {"card": "MMWD", "number": 2}  # the third player got milk
    assert play(asked, "answer:DDWW", "accept").view["hands"][2] == ("MMMD", "WWWD", "WWWM", "MMWD")


def test_swaps_never_lose_a_card() -> None:
    """SC-52, SC-53: in random games, hands keep their sizes whatever is offered, refused or agreed on."""
    for seed in range(3):
        before: tuple[int, ...] | None = None
        for at in random_game("3,swap", seed):
            held = tuple(map(len, at.view["hands"]))
            if at.view["phase"] in ("answer", "accept") or at.view["asked"]:
                assert held == before
            before = held
