"""The end of the game: SC-40 and SC-41."""

from __future__ import annotations

import pytest

import tilery
from tests.notation import texts

from .positions import (
    DARK_BLOCK,
    LIGHT,
    PATTERNS,
    all_lays,
    hand_of,
    lays_of,
    lying,
    outcome_of,
    play,
    position,
    random_game,
    rule_against,
    seen_text,
)

# Hands without dark, and everything that has dark.
FIRST, SECOND = "MMMW.MMMW.WWWM.MMWW", "MMMW.WWWM.WWWM.MMWW"
DARK = tuple(card for card in PATTERNS if card not in LIGHT)
SECURED = DARK_BLOCK.replace(" ", "! ") + "!"  # nothing can be stacked on it


def stuck(table: str = DARK_BLOCK, **parts: object) -> tilery.Position:
    """Both seats hold nothing that fits beside the cards on the table."""
    return position("2", "place:1", table=table, **{"hands": [FIRST, SECOND], **parts})


# SC-40: the last card.


@pytest.mark.parametrize("last", ["MDDD@-2,0", "DDDM@0,-2", "MDDD@1,0^"])
def test_the_game_is_over_with_the_last_card(last: str) -> None:
    """SC-40, SC-35: at once, on either level, and nobody is asked for a token any more."""
    at = position(hands=["DDDM", ""], stack="")
    assert at.view["tokens"] == (6, 6)
    after = at.play(last)
    result = outcome_of(after)
    assert (result.rule, result.ended_by, result.truncated) == ("SC-40", "the last card", False)
    assert result.scores == after.scores()
    assert after.view["ended_by"] == "cards"
    assert len(lying(after)) == 36
    assert texts(after) == []
    for move in ("pass", "no-token", "token@0,0", "DDDM@0,-2", "+DDDM", "dark"):
        assert rule_against(after, move) == "SC-40"


def test_the_game_goes_on_while_anybody_holds_a_card() -> None:
    """SC-40: the stack is empty and so is one hand."""
    after = position(hands=["DDDM", "MMMW"], stack="").play("MDDD@-2,0")
    assert after.outcome is None
    assert (after.actor, after.view["phase"]) == (0, "secure")
    assert play(after, "no-token").actor == 1
    with pytest.raises(tilery.BadText, match="SC-40"):
        position("2", "over:cards", hands=["DDDM", ""], stack="")
    with pytest.raises(tilery.BadText, match="SC-40"):
        position("2", "place:1", hands=["", ""], stack="")


@pytest.mark.parametrize("variant", ["2", "2,large", "3", "3,swap", "4", "4,large"])
def test_every_game_ends(variant: str) -> None:
    """SC-40, SC-41: with all cards on the table, or with passes all round."""
    for seed in range(3):
        after = list(random_game(variant, seed))[-1]
        result = outcome_of(after)
        if result.rule == "SC-40":
            assert len(lying(after)) == (48 if "large" in variant else 36)
            assert not after.view["left"]
            assert not any(after.view["hands"])
        else:
            assert result.rule == "SC-41"
            assert after.view["passes"] == int(variant[0])


# SC-41: passing.


def test_a_player_who_cannot_place_on_the_first_level_may_stack_or_pass() -> None:
    """SC-41 (ruling): all outer pieces are dark, and the hand has no dark piece."""
    at = stuck()
    assert "pass" in texts(at)
    assert lays_of(at) == all_lays(at) != set()
    assert all(move.endswith("^") for move in lays_of(at))
    for place in ("4,0", "-2,1", "0,4", "1,-2"):
        assert rule_against(at, f"MMMW@{place}") == "SC-21"


def test_a_player_who_can_neither_place_nor_stack_can_only_pass() -> None:
    """SC-41 (ruling): every card is secured, or the seat has no token left."""
    assert texts(stuck(SECURED)) == ["pass"]
    table = "DDMD@0,0! DDDW@2,0! DMDD@0,2 WDDD@2,2 DDMM@1,0^"
    spent, last = (position("4", table=table, hands=[FIRST], tokens=tokens) for tokens in ("0/3/3/3", "1/3/3/2"))
    assert texts(spent) == ["pass"]
    assert {move.partition("@")[2] for move in texts(last)} == {"", "1,2^"}


def test_a_player_who_can_place_on_the_first_level_may_stack_but_not_pass() -> None:
    """SC-41 (ruling): one card with one dark piece is enough."""
    at = stuck(hands=["MMMW.MMMW.WWWM.MMMD", SECOND])
    assert "pass" not in texts(at)
    assert {move[-1] == "^" for move in texts(at)} == {True, False}
    assert rule_against(at, "pass") == "SC-41"
    assert at.play("MWMM@1,0^").view["tokens"] == (5, 6)


def test_every_card_in_every_rotation_is_tried_before_anybody_may_pass() -> None:
    """SC-41 (ruling): with one dark card of any pattern nobody passes, with light cards only everybody may."""
    for card in PATTERNS:
        at = stuck(hands=[f"MMMW.WWWM.MMWW.{card}"])
        assert ("pass" in texts(at)) == (card in LIGHT)


def test_nothing_is_drawn_after_a_pass() -> None:
    """SC-41 (ruling): the hand stays, the stack stays, and the turn goes to the next seat."""
    at = stuck()
    after = at.play("pass")
    assert (after.actor, after.view["phase"]) == (1, "place")
    assert after.view["stack"] == at.view["stack"]
    assert after.view["hands"] == at.view["hands"]
    assert (at.view["passes"], after.view["passes"]) == (0, 1)
    assert "passes=1" in after.text


def test_the_game_ends_when_all_pass_in_a_row() -> None:
    """SC-41 (ruling): with cards in the hands and in the stack; the points are those of the table."""
    after = play(stuck(), "pass", "pass")
    result = outcome_of(after)
    assert (result.rule, result.ended_by) == ("SC-41", "passes all round")
    assert (result.scores, result.winners) == ((12, 2), (0,))
    assert after.view["left"] == 24
    assert texts(after) == []
    for move in ("pass", "MMMW@1,0^", "+DDDM", "no-token"):
        assert rule_against(after, move) == "SC-41"


def test_three_passes_end_a_game_of_three_and_two_do_not() -> None:
    """SC-41 (ruling): there are twelve light cards in the large set, four for each."""
    light = "MMMW.WWWM.MMWW.{}"
    hands = [light.format(card) for card in LIGHT]
    at = position("3,large", table=DARK_BLOCK, hands=hands)
    second = play(at, "pass", "pass")
    assert (second.outcome, second.actor) == (None, 2)
    assert outcome_of(second.play("pass")).rule == "SC-41"


@pytest.mark.parametrize(("passes", "over"), [(0, False), (1, False), (2, False), (3, True)])
def test_a_fourth_pass_ends_a_game_of_four(passes: int, over: bool) -> None:
    """SC-41 (ruling): the last of four players passes."""
    more = f"passes={passes}" if passes else ""
    at = position("4", "place:4", table=DARK_BLOCK, hands=["", "", "", FIRST], more=more)
    assert (at.play("pass").actor == tilery.OVER) == over
    with pytest.raises(tilery.BadText, match="SC-41"):
        position("4", "place:4", table=DARK_BLOCK, hands=["", "", "", FIRST], more="passes=4")


@pytest.mark.parametrize("move", ["DMMM@4,0", "MWMM@1,0^"])
def test_any_placement_ends_a_row_of_passes(move: str) -> None:
    """SC-41 (ruling): on either level; then it takes passes all round again."""
    at = stuck(hands=[FIRST, "MMMW.WWWM.WWWM.MMMD"]).play("pass")
    assert at.view["passes"] == 1
    after = at.play(move)
    assert after.view["passes"] == 0
    assert "passes" not in after.text


def test_offers_do_not_end_a_row_of_passes() -> None:
    """SC-41 (ruling), SC-53: neither one that is declined nor a swap that comes about."""
    at = position("3,swap", table=DARK_BLOCK, hands=[FIRST, "MMMW.WWWM.WWWM.MMWW", "DDDM.DDDW.WWWD.DDWW"])
    at = at.play("pass")
    declined = play(at, "offer:MMMW>1", "decline")
    assert declined.view["passes"] == 1
    swapped = play(declined, "offer:MMMW>3", "answer:DDDM", "accept")
    assert swapped.view["passes"] == 1
    assert rule_against(swapped, "pass") == "SC-41"  # it has a dark card now
    assert declined.play("pass").view["passes"] == 2


def test_a_seat_with_an_empty_hand_can_only_pass() -> None:
    """SC-41 (ruling): whatever lies on the table and whatever tokens it has; another seat plays the last card."""
    at = position("3", "place:2", hands=["DDDM", "", "MMMW"], stack="")
    assert at.view["tokens"] == (4, 4, 4)
    assert texts(at) == ["pass"]
    assert rule_against(at, "DDDM@-2,0") == "SC-14"
    after = at.play("pass")
    assert (after.actor, after.view["passes"]) == (2, 1)
    assert lays_of(after) == all_lays(after) != set()


def test_a_seat_with_an_empty_hand_makes_no_offers() -> None:
    """SC-41 (ruling), SC-50: it has nothing to offer, and nothing to answer with."""
    at = position("3,swap", "place:2", hands=["DDDM", "", "MMMW"], stack="")
    assert texts(at) == ["pass"]
    first = position("3,swap", hands=["DDDM", "", "MMMW"], stack="")
    assert {move for move in texts(first) if "offer" in move} == {"offer:DDDM>3"}
    assert rule_against(first, "offer:DDDM>2") == "SC-50"


# SC-41 and SC-60: what a pass reveals.


def test_a_pass_bars_all_that_could_have_been_placed() -> None:
    """SC-41, SC-60: everything with dark, for everybody to see."""
    after = stuck().play("pass")
    assert after.view["barred"] == (DARK, ())
    assert f" barred=1:{'.'.join(DARK)}" in after.text
    assert after.seen_by(1).view["barred"] == (DARK, ())
    both = stuck(SECURED).play("pass")
    assert both.view["barred"] == (DARK, ())  # what could be stacked says nothing


def test_a_pass_of_an_empty_hand_bars_what_could_have_been_placed_too() -> None:
    """SC-41, SC-60: it holds none of them, to be sure."""
    after = position("2", "place:1", hands=["", "DDDM"], stack="").play("pass")
    assert after.view["barred"] == (PATTERNS, ())
    assert hand_of(after, 0) == "-"


def test_drawing_a_card_lifts_the_bar() -> None:
    """SC-60: seat 1 passes, seat 2 lays milk within its reach, seat 1 places and draws."""
    at = play(stuck(hands=[FIRST, "MMMW.WWWM.WWWM.MMMD"]), "pass", "DMMM@4,0", "no-token", "+DDDM")
    assert at.view["barred"] == (DARK, ())
    placed = play(at, "MMMW@6,0", "no-token")
    assert placed.view["barred"] == (DARK, ())
    assert placed.play("+DDWW").view["barred"] == ((), ())


def test_without_a_new_card_the_bar_stays() -> None:
    """SC-60: the stack is empty, so placing a card brings no new one."""
    at = position(hands=["DDDM.MMMW", "MMMD"], stack="", more="barred=1:DDWW.MMWW,2:WWDM")
    after = play(at, "MDDD@-2,0", "no-token")
    assert after.view["barred"] == (("DDWW", "MMWW"), ("WWDM",))
    assert seen_text(after.seen_by(0), "barred") == "1:DDWW.MMWW,2:WWDM"


def test_a_second_pass_adds_to_what_the_first_one_revealed() -> None:
    """SC-60: with the same hand, so both are true."""
    at = position(table=SECURED, hands=[FIRST, SECOND], more="barred=1:MMWD")
    assert at.play("pass").view["barred"] == (DARK, ())
    known = position(table=DARK_BLOCK, hands=["MMMW.MMMW.WWWM.WWWM", ""], more="barred=1:MMWW")
    assert known.play("pass").view["barred"] == (tuple(c for c in PATTERNS if c in DARK or c == "MMWW"), ())


@pytest.mark.parametrize("partner", [1, 3])
def test_a_swap_lifts_the_bar_of_both(partner: int) -> None:
    """SC-60: both have a new card; what the third cannot hold stays known."""
    hands = ["MMMW.WWWM.MMWW.MMWW", "DDDM.DDDW.WWWD.DDWW", "MMMW.WWWM.MMMD.WWWD"]
    more = "barred=1:DDMM,2:MMWD,3:DDMW"
    at = position("3,swap", "place:2", table=DARK_BLOCK, hands=hands, more=more)
    declined = play(at, f"offer:DDDM>{partner}", "answer:MMMW", "decline")
    assert declined.view["barred"] == (("DDMM",), ("MMWD",), ("DDMW",))
    swapped = play(at, f"offer:DDDM>{partner}", "answer:MMMW", "accept")
    assert swapped.view["barred"] == {1: ((), (), ("DDMW",)), 3: (("DDMM",), (), ())}[partner]


def test_a_hand_that_passed_is_not_thought_to_hold_what_is_barred() -> None:
    """SC-41, SC-60: the other seat counts no dark card among what may be played next."""
    at = play(stuck(hands=[FIRST, "MMMW.WWWM.WWWM.MMMD"]), "pass", "DMMM@4,0", "no-token", "+DDDM")
    seen = at.seen_by(1)
    assert {"".join(sorted(move[:4])) for move in texts(seen) if "@" in move} == {
        "".join(sorted(card)) for card in LIGHT
    }
    world = seen.guess(tilery.Stream("passed"))
    assert set(world.view["hands"][0]) <= set(LIGHT)
