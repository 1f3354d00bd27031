"""Information: SC-60 and SC-61. Where cards are swapped, seat 1 plays dark, seat 2 milk and seat 3 white."""

from __future__ import annotations

from collections import Counter

import pytest

import tilery
from tests.notation import texts

from .positions import (
    GAME,
    PATTERNS,
    cards_in_all,
    dealt,
    hand,
    hand_of,
    held,
    play,
    position,
    position_text,
    random_game,
    rule_against,
    seen_text,
)

TABLE = "DDDM@0,0 DDDM@2,0 MMMW@0,2"
HANDS = ("DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD", "WWWM.DDMM.DDWW.WWDM")


def swapping(seat: int = 1, *, hands: tuple[str, ...] = HANDS, more: str = "") -> tilery.Position:
    """A seat (from 1) is to offer or to place a card."""
    return position("3,swap", f"place:{seat}", table=TABLE, hands=hands, more=more)


def known(at: tilery.Position | tilery.Seen) -> dict[tuple[int, int], list[str]]:
    """Who (from 1) knows of which cards in whose hand."""
    return {(one["viewer"] + 1, one["holder"] + 1): list(one["known"]) for one in at.view["known"]}


def said(at: tilery.Position | tilery.Seen) -> dict[tuple[int, int], list[str]]:
    """Who (from 1) has heard which numbers about whose hand."""
    return {(one["viewer"] + 1, one["holder"] + 1): list(one["said"]) for one in at.view["said"]}


# Two worlds that a seat cannot tell apart.


def cannot_tell(one: tilery.Position, other: tilery.Position, seat: int) -> bool:
    """Whether a seat (from 0) sees exactly the same in two worlds: in bytes, in words, in all that may follow."""
    mine, yours = one.seen_by(seat), other.seen_by(seat)
    same = mine.row == yours.row
    assert same == (mine.text == yours.text) == (mine == yours)
    assert not same or (mine.view, texts(mine), str(mine)) == (yours.view, texts(yours), str(yours))
    return same


@pytest.mark.parametrize("variant", ["2", "3", "4", "3,swap", "2,large", "4,large"])
@pytest.mark.parametrize("phase", ["place:1", "place:2", "secure:1", "draw:2"])
def test_another_hand_and_the_stack_cannot_be_told_apart(variant: str, phase: str) -> None:
    """SC-60: cards of seat 2 are exchanged with cards of the stack; nobody else notices, not even a partner."""
    seats = int(variant[0])
    mine = "DDDM.MMMW.WWWD" if phase == "secure:1" else "DDDM.MMMW.WWWD.DDMW"
    fixed = ["WWWM.DDMM.DDWW.WWDM", "DDMM.DDWW.MMWD.DDDW"][: seats - 2]
    one, other = (
        position(variant, phase, table=TABLE, hands=[mine, cards + ("" if phase == "draw:2" else ".MMWW"), *fixed])
        for cards in ("DDDW.MMMD.WWWM", "MMWW.MMWD.WWDM")
    )
    assert one.view["hands"][1] != other.view["hands"][1]
    for seat in range(seats):
        assert cannot_tell(one, other, seat) == (seat != 1)


def test_two_hands_of_others_cannot_be_told_apart() -> None:
    """SC-60: seats 2 and 3 exchange their hands."""
    one = position("3", table=TABLE, hands=HANDS)
    other = position("3", table=TABLE, hands=[HANDS[0], HANDS[2], HANDS[1]])
    assert [cannot_tell(one, other, seat) for seat in range(3)] == [True, False, False]


def test_moves_teach_the_same_in_both_worlds() -> None:
    """SC-60: a whole round later, after cards were laid and drawn in secret, they still look the same."""
    one = position(table=TABLE, hands=["DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD"])
    other = position(table=TABLE, hands=["DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.MMWW.WWDM"])
    for mine, yours in (
        ("DDDM@4,0", "DDDM@4,0"),
        ("token@0,0", "token@0,0"),
        ("+WWWD", "+WWWD"),
        ("DDDW@-2,0", "DDDW@-2,0"),
        ("no-token", "no-token"),
        ("+DDWW", "+MMWD"),
    ):
        one, other = one.play(mine), other.play(yours)
        assert cannot_tell(one, other, 0)
        assert not cannot_tell(one, other, 1)


def test_the_deal_is_secret() -> None:
    """SC-60, SC-11: other hands and another order of the deal look the same to a seat that got the same cards."""
    one = dealt("3", "DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD", "WWWM.DDMM.DDWW.WWDM")
    other = dealt("3", "DDMW.WWWD.MMMW.DDDM", "MMWW.MMWW.MMWW.DDDM", "DDWW.DDWW.WWDM.WWDM")
    assert [cannot_tell(one, other, seat) for seat in range(3)] == [True, False, False]


def test_which_card_is_on_offer_stays_hidden() -> None:
    """SC-60, SC-50: both DDDM and WWWM have one milk piece; the seat that is asked and the third hear just that."""
    at = swapping(hands=("DDDM.WWWM.WWWD.DDMW", HANDS[1], "MMMW.DDMM.DDWW.WWDM"))
    one, other = at.play("offer:DDDM>2"), at.play("offer:WWWM>2")
    assert [cannot_tell(one, other, seat) for seat in range(3)] == [False, True, True]
    one_answered, other_answered = one.play("answer:MMWD"), other.play("answer:MMWD")
    assert [cannot_tell(one_answered, other_answered, seat) for seat in range(3)] == [False, True, True]
    # After a refusal even the offerer's card is back in its hand, so the two worlds are one.
    assert one.play("decline") == other.play("decline")


def test_which_card_is_the_answer_stays_hidden() -> None:
    """SC-60, SC-51: MMMD and MMWD have one dark piece each."""
    at = swapping().play("offer:DDDM>2")
    one, other = at.play("answer:MMMD"), at.play("answer:MMWD")
    assert [cannot_tell(one, other, seat) for seat in range(3)] == [True, False, True]
    assert one.play("decline") == other.play("decline")


def test_the_third_player_cannot_tell_which_cards_were_swapped() -> None:
    """SC-60, SC-52: two swaps with the same numbers; the partners know theirs."""
    at = swapping(hands=("DDDM.WWWM.WWWD.DDMW", HANDS[1], "MMMW.DDMM.DDWW.WWDM"))
    one = play(at, "offer:DDDM>2", "answer:MMMD", "accept")
    other = play(at, "offer:WWWM>2", "answer:MMWD", "accept")
    assert one.view["hands"] != other.view["hands"]
    assert [cannot_tell(one, other, seat) for seat in range(3)] == [False, False, True]


def test_what_two_others_know_of_each_other_is_hidden() -> None:
    """SC-60: the knowledge of seats 1 and 2 differs, seat 3 sees the same."""
    one = swapping(more="known=1>2:DDDW,2>1:MMMW")
    other = swapping(more="known=1>2:MMWD,2>1:DDMW")
    assert [cannot_tell(one, other, seat) for seat in range(3)] == [False, False, True]
    assert known(one.seen_by(2)) == {}
    assert known(one.seen_by(0)) == {(1, 2): ["DDDW"], (2, 1): ["MMMW"]}


# What is open, and what is not.


@pytest.mark.parametrize("variant", ["2", "3", "4", "3,swap"])
def test_all_but_hands_and_stack_is_open(variant: str) -> None:
    """SC-60: the table, the tokens, the kinds, the phase, and how many cards each hand and the stack have."""
    for number, at in enumerate(random_game(variant, 60)):
        if number % 6:
            continue
        view = at.view
        for seat in range(at.seats):
            seen = at.seen_by(seat).view
            for name in ("rules", "phase", "seat", "kinds", "tokens", "left", "table", "passes", "barred", "ended_by"):
                assert seen[name] == view[name]
            assert list(map(len, seen["hands"])) == list(map(len, view["hands"]))
            assert seen["hands"][seat] == view["hands"][seat]
            assert seen["stack"] is None or not view["left"]
            for other, cards in enumerate(seen["hands"]):
                if other != seat:
                    sure = [card for card in cards if card != "?"]
                    assert sure == known(at.seen_by(seat)).get((seat + 1, other + 1), [])
                    assert not Counter(sure) - Counter(view["hands"][other])


def test_the_stack_has_no_order() -> None:
    """SC-60: a position holds counts only; read back from its text it is the same to the last byte."""
    for number, at in enumerate(random_game("3,swap", 61)):
        if number % 9 == 0:
            assert tilery.read_position(at.text).row == at.row
            for seat in range(3):
                seen = at.seen_by(seat)
                again = GAME.read_seen(seen.text, seat)
                assert (again, again.row) == (seen, seen.row)
    deal = GAME.new("3")
    assert deal.play("+DDDM").play("+WWDM") == deal.play("+WWDM").play("+DDDM")


def test_counting_reveals_the_last_hand() -> None:
    """SC-60: with one card missing everywhere, the other hand is certain, and so is what it can do."""
    at = position("2", "place:2", hands=["DDDM.MMMW", "DDDW"], stack="")
    seen = at.seen_by(0)
    assert seen.view["hands"][1] == ("?",)
    assert seen.guess(tilery.Stream("certain")) == at
    assert texts(seen) == texts(at)


def test_a_seat_does_not_see_what_another_one_may_do() -> None:
    """SC-60: of a hidden hand every card that is not seen elsewhere may be played; a number may be offered."""
    at = swapping()
    mine, other = at.seen_by(0), at.seen_by(1)
    assert texts(mine) == texts(at)
    assert set(texts(at)) & {move for move in texts(at) if "@" in move} <= set(texts(other))
    assert {move for move in texts(other) if "offer" in move} == {
        *(f"offer:?{number}>2" for number in range(4)),
        *(f"offer:?{number}>3" for number in range(4)),
    }
    for move in ("offer:DDDM>2", "answer:DDDM", "+DDDM"):
        assert move not in texts(other)


# (a) Swapped cards.


def swapped() -> tilery.Position:
    """Seat 1 gave DDDM to seat 2 and got MMMD; seat 1 is to place a card."""
    return play(swapping(), "offer:DDDM>2", "answer:MMMD", "accept")


def test_a_swap_teaches_both_partners_which_cards_they_gave() -> None:
    """SC-60 (a): each sees the card it gave in the other hand; the third player knows of neither."""
    at = swapped()
    assert known(at) == {(1, 2): ["DDDM"], (2, 1): ["MMMD"]}
    assert " known=1>2:DDDM,2>1:MMMD" in at.text
    assert at.seen_by(0).view["hands"] == (("MMMD", "MMMW", "WWWD", "DDMW"), ("DDDM", "?", "?", "?"), ("?",) * 4)
    assert at.seen_by(1).view["hands"] == (("MMMD", "?", "?", "?"), ("DDDM", "DDDW", "WWWM", "MMWD"), ("?",) * 4)
    assert at.seen_by(2).view["hands"] == (("?",) * 4, ("?",) * 4, ("WWWM", "DDMM", "DDWW", "WWDM"))
    assert known(at.seen_by(2)) == {}


def turn_of_seat_2() -> tilery.Position:
    """After the swap seat 1 has placed another card and drawn; seat 2 is to move."""
    at = play(swapped(), "DDMW@4,0", "no-token", "+WWWD")
    assert known(at) == {(1, 2): ["DDDM"], (2, 1): ["MMMD"]}
    return at


def test_playing_the_pattern_ends_what_was_known() -> None:
    """SC-60 (a): seat 2 plays DDDM; what seat 2 knows of seat 1 stays."""
    at = turn_of_seat_2().play("MDDD@0,-2")
    assert known(at) == {(2, 1): ["MMMD"]}
    assert at.seen_by(0).view["hands"][1] == ("?",) * 3


def test_playing_another_pattern_does_not_end_it() -> None:
    """SC-60 (a): seat 2 plays DDDW; DDDM must still be there."""
    at = turn_of_seat_2().play("DDDW@0,-2")
    assert known(at) == {(1, 2): ["DDDM"], (2, 1): ["MMMD"]}
    assert at.seen_by(0).view["hands"][1] == ("DDDM", "?", "?")


def test_one_of_two_known_cards_is_forgotten_when_one_is_played() -> None:
    """SC-60 (a): seat 2 holds two DDDM, both known; after one is played seat 1 knows of the other."""
    at = position(
        "3,swap",
        "place:2",
        table="DDMM@0,0 DDMM@2,0 MMMW@0,2",
        hands=[HANDS[0], "DDDM.DDDM.MMMD.WWWM", "WWWM.DDMM.DDWW.WWDM"],
        more="known=1>2:DDDM.DDDM",
    )
    after = at.play("MDDD@0,-2")
    assert known(after) == {(1, 2): ["DDDM"]}
    assert after.seen_by(0).view["hands"][1] == ("DDDM", "?", "?")


def test_a_known_card_is_forgotten_though_another_copy_was_played() -> None:
    """SC-60 (a): seat 2 holds two DDDM, one of them known; nobody can say which one it played."""
    at = position(
        "3,swap",
        "place:2",
        table="DDMM@0,0 DDMM@2,0 MMMW@0,2",
        hands=["DDDW.MMMW.WWWD.DDMW", "DDDM.DDDM.MMMD.WWWM", "WWWM.DDMM.DDWW.WWDM"],
        more="known=1>2:DDDM",
    )
    after = at.play("MDDD@0,-2")
    assert known(after) == {}
    assert "DDDM" in after.view["hands"][1]


@pytest.mark.parametrize(
    ("card", "ends"),
    [
        ("DDDM", True),  # no white piece: it could be the DDDM that seat 1 gave, and it is
        ("MMMD", True),  # no white piece either: seat 1 cannot tell
        ("DDDW", False),  # one white piece: it cannot be DDDM
        ("WWWM", False),  # three
    ],
)
def test_giving_away_what_could_be_the_card_ends_it(card: str, ends: bool) -> None:
    """SC-60 (a): seat 2 swaps with seat 3, and seat 1 hears only how many white pieces the card has."""
    hands = ("MMMW.WWWD.DDMW.DDWW", "DDDM.DDDW.MMMD.WWWM", "WWWM.DDMM.DDWW.WWDM")
    at = swapping(2, hands=hands, more="known=1>2:DDDM,3>2:WWWM")
    after = play(at, f"offer:{card}>3", "answer:DDWW", "accept")
    assert known(after).get((1, 2), []) == ([] if ends else ["DDDM"])
    # Seat 3 sees which card it gets, and knows the one it gave.
    assert known(after)[3, 2] == (["DDWW"] if card == "WWWM" else ["WWWM", "DDWW"])
    assert known(after)[2, 3] == [card]


def test_an_offer_that_is_refused_ends_nothing() -> None:
    """SC-60 (a): the card went back to the hand."""
    hands = ("MMMW.WWWD.DDMW.DDWW", "DDDM.DDDW.MMMD.WWWM", "WWWM.DDMM.DDWW.WWDM")
    at = swapping(2, hands=hands, more="known=1>2:DDDM")
    for moves in (("decline",), ("answer:DDWW", "decline")):
        assert known(play(at, "offer:DDDM>3", *moves)) == {(1, 2): ["DDDM"]}


@pytest.mark.parametrize(("answer", "left"), [("DDDM", ["WWWD"]), ("DDDW", ["WWWD", "DDDM"])])
def test_the_partner_who_gets_a_card_sees_its_pattern(answer: str, left: list[str]) -> None:
    """SC-60 (a): seat 1 knew of DDDM at seat 2; it forgets it when it gets DDDM, and learns of what it gives."""
    hands = ("MMMW.WWWD.DDMW.DDWW", "DDDM.DDDW.MMMD.WWWM", "WWWM.DDMM.DDWW.WWDM")
    at = swapping(1, hands=hands, more="known=1>2:DDDM")
    after = play(at, "offer:WWWD>2", f"answer:{answer}", "accept")
    assert sorted(known(after)[1, 2]) == sorted(left)
    assert known(after)[2, 1] == [answer]


def test_seats_remember_several_swapped_cards() -> None:
    """SC-60 (a): the one from before and the one of now."""
    hands = ("MMMW.WWWD.DDMW.DDWW", "DDDM.DDDW.MMMD.WWWM", "WWWM.DDMM.DDWW.WWDM")
    at = swapping(1, hands=hands, more="known=1>2:DDDM,1>3:DDMM,2>1:DDMW")
    after = play(at, "offer:MMMW>2", "answer:MMMD", "accept")
    assert known(after) == {(1, 2): ["DDDM", "MMMW"], (1, 3): ["DDMM"], (2, 1): ["MMMD", "DDMW"]}


# (b) Numbers.


def test_a_number_is_heard_by_all() -> None:
    """SC-60 (b): the offerer holds a card with that number of pieces of the kind, and still does after a refusal."""
    at = swapping().play("offer:DDDM>2")
    assert said(at) == {(2, 1): ["M1"], (3, 1): ["M1"]}
    assert " said=2>1:M1,3>1:M1" in at.text
    assert said(at.seen_by(2)) == {(3, 1): ["M1"]}
    assert said(at.play("decline")) == {(2, 1): ["M1"], (3, 1): ["M1"]}
    answered = at.play("answer:DDDW")
    both = {(1, 2): ["D3"], (2, 1): ["M1"], (3, 1): ["M1"], (3, 2): ["D3"]}
    assert said(answered) == both
    assert said(answered.play("decline")) == both
    assert said(answered.seen_by(0)) == {(1, 2): ["D3"], (2, 1): ["M1"], (3, 1): ["M1"]}


def test_after_a_swap_the_third_player_expects_the_numbers_in_the_new_hands() -> None:
    """SC-60 (b): the two partners know the cards themselves."""
    at = play(swapping(), "offer:DDDM>2", "answer:DDDW", "accept")
    assert said(at) == {(3, 1): ["D3"], (3, 2): ["M1"]}
    assert known(at) == {(1, 2): ["DDDM"], (2, 1): ["DDDW"]}


def test_several_numbers_are_remembered() -> None:
    """SC-60 (b): of two offers in one turn, with what was heard before."""
    at = swapping(more="said=2>1:W3,3>1:W3")
    after = play(at, "offer:DDDM>2", "decline", "offer:MMMW>3", "decline")
    assert said(after) == {(2, 1): ["M1", "W1", "W3"], (3, 1): ["M1", "W1", "W3"]}


@pytest.mark.parametrize(
    ("move", "left"),
    [
        ("MDDD@4,0", ["W3"]),  # DDDM has one milk piece, and three dark ones
        ("DDMW@4,0", ["D3", "W3"]),  # DDMW has one milk piece, but two dark ones
        ("DWWW@4,0", ["D3", "M1"]),  # WWWD has neither one milk nor three dark pieces
        ("MMMW@0,4", ["D3", "M1", "W3"]),  # nothing of all that
    ],
)
def test_playing_such_a_card_ends_what_was_heard(move: str, left: list[str]) -> None:
    """SC-60 (b): all numbers that are true of the card played, for everybody who heard them."""
    at = swapping(more="said=2>1:D3.M1.W3,3>1:D3.M1.W3")
    assert said(at.play(move)) == {(2, 1): left, (3, 1): left}


@pytest.mark.parametrize(
    ("offered", "left"),
    [
        # Seat 1 gives a card to seat 2, saying how much milk it has. Seat 3 has heard D1, M1 and W3 of seat 1.
        ("DDDM", []),  # one milk piece: that may have been WWWM (W3), MMWD would be D1, and M1 it is for sure
        (
            "MMMW",
            ["M1", "W3"],
        ),  # three milk pieces: it may have been MMMD (D1), but has neither one milk nor three white
        ("WWWD", ["M1"]),  # no milk: it may be WWWD itself
        ("DDMW", []),
    ],
)
def test_the_third_player_forgets_numbers_that_the_card_given_could_have(offered: str, left: list[str]) -> None:
    """SC-60 (b): it only knows the number said about that card."""
    at = swapping(more="said=2>1:M1,3>1:D1.M1.W3")
    after = play(at, f"offer:{offered}>2", "answer:DDDW", "accept")
    assert said(after)[3, 1] == sorted([*left, "D3"])
    assert f"M{offered.count('M')}" in said(after)[3, 2]


@pytest.mark.parametrize(
    ("offered", "left"),
    [
        ("DDDM", {"W3"}),  # it sees DDDM: three dark pieces and one milk, but no white
        ("MMMW", {"D3", "M1", "W3"}),
        ("WWWD", {"D3", "M1"}),
        ("DDMW", {"D3", "W3"}),
    ],
)
def test_the_partner_forgets_numbers_that_are_true_of_the_card_it_gets(offered: str, left: set[str]) -> None:
    """SC-60 (b): it sees the pattern, so no other number is in doubt."""
    at = swapping(more="said=2>1:D3.M1.W3")
    after = play(at, f"offer:{offered}>2", "answer:MMWD", "accept")
    assert set(said(after).get((2, 1), [])) == left


def test_numbers_outlive_drawing() -> None:
    """SC-60 (b): a new card takes nothing away."""
    at = swapping(more="said=2>1:D3,3>1:D3")
    after = play(at, "MMMW@0,4", "no-token", "+WWWD")
    assert said(after) == {(2, 1): ["D3"], (3, 1): ["D3"]}


def test_a_number_narrows_what_a_seat_holds_possible() -> None:
    """SC-60 (b): seat 3 guesses a hand of seat 1 with at least one card of three dark pieces."""
    seen = swapping(more="said=2>1:D3,3>1:D3").seen_by(2)
    for number in range(30):
        world = seen.guess(tilery.Stream("a number", number))
        assert any(card.count("D") == 3 for card in world.view["hands"][0])


# (c) Passes are tried in test_end.py, with SC-41.


def test_a_pass_is_forgotten_with_the_next_card_but_not_before() -> None:
    """SC-60 (c): an offer or an answer alone changes nothing."""
    at = swapping(more="barred=1:DDWW,3:MMMD")
    declined = play(at, "offer:DDDM>2", "answer:DDDW", "decline")
    assert declined.view["barred"] == (("DDWW",), (), ("MMMD",))
    assert play(at, "offer:DDDM>2", "answer:DDDW", "accept").view["barred"] == ((), (), ("MMMD",))
    placed = play(at, "DDDM@4,0", "no-token")
    assert placed.view["barred"] == (("DDWW",), (), ("MMMD",))
    assert placed.play("+DDWW").view["barred"] == ((), (), ("MMMD",))


# Moves as a seat sees them.


def shown(at: tilery.Position, move: str) -> list[str]:
    """A move as each of the seats sees it."""
    return [at.move_text(at.veiled(move, seat)) for seat in range(at.seats)]


def test_moves_as_each_seat_sees_them() -> None:
    """SC-60: a card drawn, offered, answered or swapped is seen by those who hold it."""
    at = swapping()
    assert shown(at, "DDDM@4,0") == ["DDDM@4,0"] * 3
    assert shown(at, "offer:DDDM>2") == ["offer:DDDM>2", "offer:?1>2", "offer:?1>2"]
    at = at.play("offer:DDDM>2")
    assert shown(at, "decline") == ["decline"] * 3
    assert shown(at, "answer:DDDW") == ["answer:?3", "answer:DDDW", "answer:?3"]
    at = at.play("answer:DDDW")
    assert shown(at, "decline") == ["decline"] * 3
    assert shown(at, "accept") == ["accept:DDDW", "accept:DDDM", "accept"]
    drawing = play(at, "accept", "WDDD@4,0", "no-token")
    assert shown(drawing, "+WWWD") == ["+WWWD", "+?", "+?"]
    with pytest.raises(tilery.NotLegal):
        drawing.veiled("pass", 0)


@pytest.mark.parametrize("move", ["MDDD@4,0", "pass", "milk", "no-token", "token@0,0"])
def test_open_moves_are_seen_by_all(move: str) -> None:
    """SC-60: cards laid, passes, kinds and tokens."""
    phase = {"milk": "kind:2", "no-token": "secure:1", "token@0,0": "secure:1"}.get(move, "place:1")
    if move == "pass":
        at = position("2", phase, hands=["", "DDDM"], stack="")
    elif move == "milk":
        at = position("2", phase, table="DDDM@0,0", kinds="D/-")
    else:
        at = position("2", phase, table=TABLE, hands=["DDDM.MMMW.WWWD" + ("" if phase[0] == "s" else ".DDMW")])
    assert shown(at, move) == [move, move]


def scripted() -> tilery.Record:
    """The beginning of a game of three with a swap in it."""
    record = tilery.Record(GAME.new("3,swap"), tags={"Seed": "7", "Place": "the kitchen table"})
    for card in (card for cards in HANDS for card in held(cards)):
        record = record.play(f"+{card}")
    for move in (
        *("dark", "DDDM@0,0", "token@0,0", "+DDDM"),
        *("milk", "offer:DDDW>1", "answer:DDDM", "accept", "MDDD@2,0", "no-token", "+MMWW"),
    ):
        record = record.play(move)
    return record.comment("seat 1 has DDDW now")


def test_a_record_as_each_seat_saw_it() -> None:
    """SC-60: the cards of others are question marks; a seed and comments would reveal more and are left out."""
    record = scripted()
    texts = [record.seen_by(seat).text for seat in range(3)]
    body = [text.partition("\n\n")[2].split() for text in texts]
    assert body[0][1:13] == ["+DDDM", "+MMMW", "+WWWD", "+DDMW", *["+?"] * 8]
    assert body[1][1:13] == [*["+?"] * 4, "+DDDW", "+MMMD", "+WWWM", "+MMWD", *["+?"] * 4]
    opened = ["dark", "DDDM@0,0", "token@0,0", "+DDDM", "milk"]
    assert body[0][13:] == [*opened, "offer:?3>1", "answer:DDDM", "accept:DDDW", "MDDD@2,0", "no-token", "+?"]
    assert body[1][16:22] == ["+?", "milk", "offer:DDDW>1", "answer:?1", "accept:DDDM", "MDDD@2,0"]
    assert body[2][16:22] == ["+?", "milk", "offer:?3>1", "answer:?1", "accept", "MDDD@2,0"]
    for text in texts:
        assert "Seed" not in text
        assert "{" not in text
        assert '[Place "the kitchen table"]' in text
    assert [f'[Seen "{seat + 1}"]' in texts[seat] for seat in range(3)] == [True] * 3


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seen_record_replays_to_what_the_seat_saw(seat: int) -> None:
    """SC-60: at every ply, and read back from its text."""
    record = scripted()
    seen = record.seen_by(seat)
    assert seen.seat == seat
    for view, at in zip(seen.positions(), record.positions(), strict=True):
        assert view == at.seen_by(seat)
        assert view.row == at.seen_by(seat).row
    assert tilery.read_seen_record(seen.text) == seen


def test_records_of_two_worlds_look_alike() -> None:
    """SC-60: other hands, another swap and other cards drawn by seats 1 and 2: the record of seat 3 is the same."""
    worlds = [
        ("DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD", "+DDDM", "offer:DDDW>1", "answer:DDDM", "+MMWW"),
        ("DDDM.DDMM.WWWD.WWWM", "DDDM.MMMD.MMWW.MMWD", "+DDMW", "offer:DDDM>1", "answer:WWWM", "+DDWW"),
    ]
    records = []
    for first, second, drawn, offer, answer, drawn_next in worlds:
        record = tilery.Record(GAME.new("3,swap"))
        for card in (card for cards in (first, second, HANDS[2]) for card in held(cards)):
            record = record.play(f"+{card}")
        for move in ("dark", "DDDM@0,0", "token@0,0", drawn, "milk", offer, answer, "accept", "DMMM@2,0", "no-token"):
            record = record.play(move)
        records.append(record.play(drawn_next))
    one, other = records
    assert one.seen_by(2) == other.seen_by(2)
    assert one.seen_by(2).text == other.seen_by(2).text
    for seat in (0, 1):
        assert one.seen_by(seat).text != other.seen_by(seat).text


# SC-61: every card once.


@pytest.mark.parametrize("variant", ["2", "3", "4", "3,swap", "2,large", "4,large", "3,large,swap"])
def test_no_card_is_ever_lost_or_made(variant: str) -> None:
    """SC-61: at every step of random games, with cards on offer."""
    copies = 4 if "large" in variant else 3
    for seed in range(2):
        for at in random_game(variant, seed):
            assert cards_in_all(at) == Counter(dict.fromkeys(PATTERNS, copies)), at.text
            view = at.view
            for pending, owner in ((view["offer"], view["seat"]), (view["answer"], view["partner"])):
                assert pending is None or pending["card"] in view["hands"][owner]


@pytest.mark.parametrize("card", range(12))
def test_other_numbers_of_cards_cannot_be_written_down(card: int) -> None:
    """SC-61: one too few or one too many of any pattern."""
    text = position_text(table="DDDM@0,0 DDDM@2,0 MMWW@0,2", hands=["MMMW.WWWD.WWWM.DDMM", "DDDW.MMMD.WWDM.MMWD"])
    counts = text.partition("stack=")[2].partition(" ")[0].split("/")
    assert tilery.read_position(text).text == text
    for change in (-1, 1):
        number = int(counts[card]) + change
        if 0 <= number <= 3:
            wrong = [*counts[:card], str(number), *counts[card + 1 :]]
            with pytest.raises(tilery.BadText, match="SC-61"):
                tilery.read_position(text.replace("/".join(counts), "/".join(wrong)))


def test_a_card_that_is_nowhere_left_is_not_drawn() -> None:
    """SC-61: three copies lie on the table or in hands."""
    at = position("2", "draw:1", table="DDDM@0,0 DDDM@2,0", hands=["DDDM.MMMW.WWWD"])
    assert rule_against(at, "+DDDM") == "SC-61"
    assert rule_against(at.seen_by(0), "+DDDM") == "SC-61"
    assert hand_of(at.play("+DDDW"), 0) == hand("DDDM", "DDDW", "MMMW", "WWWD")
    assert seen_text(at.play("+DDDW").seen_by(1), "stack") == "?26"
