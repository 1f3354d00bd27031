"""Placing on the first level: SC-20 to SC-23."""

from __future__ import annotations

import pytest

import tilery
from tests.notation import texts

from .positions import (
    PATTERNS,
    all_lays,
    drawn,
    lays_of,
    lying,
    play,
    position,
    random_game,
    rotations,
    rule_against,
)

# Eight cards around a hole with room for one more; all pieces that look into the hole are dark.
RING = drawn("MMMMWW/WMDDWM/WD..DM/WD..DM/WMDDMM/WWMMMW")


def single(card: str = "DDDM", hand: str = "WWDM.MMWW.DDDM.WWWM") -> tilery.Position:
    """Only the first card lies; seat 2 is to place one."""
    return position("2", "place:2", table=f"{card}@0,0", hands=["", hand])


def places(at: tilery.Position) -> set[str]:
    """All places where some card may lie on the first level."""
    return {move.partition("@")[2] for move in texts(at) if "@" in move and "^" not in move}


def test_the_examples_of_the_page() -> None:
    """SC-20, SC-21: right with two edges and one pair of equal kinds; wrong with one edge, or without such a pair."""
    at = single()
    assert "MWWD@2,0" in texts(at)
    assert "MWWD@2,0" in lying(at.play("MWWD@2,0"))
    assert rule_against(at, "DMWW@2,1") == "SC-20"
    assert rule_against(at, "MWWM@2,0") == "SC-21"


def test_beside_a_single_card_there_are_four_places() -> None:
    """SC-20: each side as a whole; every other place shares one edge or none."""
    at = single(hand="DDDM.MMMD.WWWD.DDMW")
    assert places(at) == {"2,0", "-2,0", "0,2", "0,-2"}
    for x in range(-3, 4):
        for y in range(-3, 4):
            if f"{x},{y}" not in places(at):
                assert rule_against(at, f"DDDM@{x},{y}") == "SC-20"


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("2,2", "fewer than two edges"),  # a corner touches
        ("-2,-2", "fewer than two edges"),
        ("-2,2", "fewer than two edges"),
        ("2,-2", "fewer than two edges"),
        ("2,1", "fewer than two edges"),  # one edge
        ("1,2", "fewer than two edges"),
        ("-1,-2", "fewer than two edges"),
        ("3,0", "fewer than two edges"),  # a column between them
        ("0,4", "fewer than two edges"),
        ("0,0", "not all empty"),
        ("1,1", "not all empty"),  # one of four cells is taken
        ("-1,-1", "not all empty"),
        ("1,0", "not all empty"),
    ],
)
def test_corners_and_single_edges_are_too_few_and_taken_cells_are_taken(place: str, why: str) -> None:
    """SC-20: what a common corner or a single edge is worth, and that cards do not overlap."""
    at = single(hand="DDDM.MMMD.WWWD.DDMW")
    for laid in rotations("DDDM"):
        assert rule_against(at, f"{laid}@{place}") == "SC-20"
        assert why in str(at.refusal(f"{laid}@{place}"))


def test_the_two_edges_may_lead_to_two_cards() -> None:
    """SC-20: one edge each, in a corner between them or across both; one of them alone would be too few."""
    at = position(table="DDDM@0,0 DDDM@2,0 DDDW@0,2", hands=["DDDW.MMMD.WWWD.DDMW"])
    assert "1,-2" in places(at)  # above both of the upper cards
    assert "-2,1" in places(at)  # on the left of both of the left ones
    assert "2,2" in places(at)  # in the corner: one edge above and two on the left
    assert "3,2" not in places(at)  # one edge above, and a gap on the left
    assert rule_against(at, "DDDW@3,2") == "SC-20"
    alone = single(hand="DDDW.MMMD.WWWD.DDMW")
    assert rule_against(alone, "DDDW@1,-2") == "SC-20"


def test_a_single_edge_on_either_side_is_enough() -> None:
    """SC-20: under an arch of five cards, one edge on the left and one on the right; below that there is none."""
    arch = "DDDM@0,0 DDDM@0,-2 DDDM@2,-2 DDDW@4,-2 DDDW@4,0"
    at = position(table=arch, hands=["DDMM.MMMD.WWWD.DDMW"])
    assert {"2,0", "2,1"} <= places(at)
    assert rule_against(at, "DDMM@2,2") == "SC-20"
    half = position(table=arch.replace(" DDDW@4,0", ""), hands=["DDMM.MMMD.WWWD.DDMW"])
    assert rule_against(half, "DDMM@2,1") == "SC-20"
    with pytest.raises(tilery.BadText, match="SC-20"):
        position(table="DDDM@0,0 DDDW@2,1")


@pytest.mark.parametrize("kinds", ["D/M", "M/W", "W/D"])
def test_any_kind_will_do_for_the_equal_edge(kinds: str) -> None:
    """SC-21: what the players play does not matter, nor whose turn it is."""
    table, hands = "DDMW@0,0", ["", "WWWM.MMMW.DDDM.DDDW"]
    at = position("2", "place:2", table=table, kinds=kinds, hands=hands)
    assert lays_of(at) == lays_of(position("2", "place:2", table=table, kinds="D/W", hands=hands)) == all_lays(at)
    # White below white, milk below milk, dark above dark.
    assert {"WMWW@0,2", "MMWM@0,2", "WDDD@0,-2"} <= lays_of(at)


@pytest.mark.parametrize("card", PATTERNS)
@pytest.mark.parametrize("lies", ["DDDM", "WWDM"])
def test_one_equal_edge_is_enough_and_none_is_too_few(card: str, lies: str) -> None:
    """SC-21: every card in every rotation on the right of another one, looked at piece by piece."""
    hand = ".".join([card, *[other for other in ("MMMW", "DDDW", "WWWM", "MMWD") if other != card][:3]])
    at = position("2", "place:2", table=f"{lies}@0,0", hands=["", hand])
    for laid in rotations(card):
        if laid[0] == lies[1] or laid[3] == lies[2]:
            assert at.refusal(f"{laid}@2,0") is None
        else:
            assert rule_against(at, f"{laid}@2,0") == "SC-21"


def test_equal_kinds_at_a_corner_do_not_count() -> None:
    """SC-21: dark touches dark only across the corner, and the shared edges differ."""
    at = position("2", "place:2", table="WWDM@0,0 MMWW@2,0", hands=["", "DDMM.DDDM.DDDW.MMMD"])
    # Below the second card lie white pieces; the dark one of the first touches the new card at a corner only.
    assert rule_against(at, "DDMM@2,2") == "SC-21"
    assert at.refusal("DDMM@1,2") is None


def test_a_hole_may_be_left_and_filled_later() -> None:
    """SC-22: eight cards in a ring, then one in its middle, by the same rules."""
    at = position(table=RING, hands=["DDDM.DDDW.MMWW.WWWM"])
    for laid in rotations("DDDM"):
        assert at.refusal(f"{laid}@2,2") is None
    for laid in (*rotations("MMWW"), *rotations("WWWM")):
        assert rule_against(at, f"{laid}@2,2") == "SC-21"
    filled = play(at, "DDDM@2,2", "no-token")
    assert filled.scores()[0] == 8 + 3


def test_closing_a_ring_leaves_its_hole_open() -> None:
    """SC-22: the place in the middle is there before and after the last card of the ring is laid."""
    at = position(table=RING.replace("DMMD@4,2 ", ""), hands=["DDMM.DDDM.DDDW.WWWD", "DDDM.DDDW.WWWD.DDMW"])
    assert {"4,2", "2,2"} <= places(at)
    closed = play(at, "DMMD@4,2", "no-token", "+WWWD")
    assert "2,2" in places(closed)
    assert "4,2" not in places(closed)


@pytest.mark.parametrize("gap", [1, 2])
def test_a_gap_is_filled_only_by_a_card_that_fits_in(gap: int) -> None:
    """SC-20, SC-22: between two cards one column wide nothing fits, two columns wide one card does."""
    first, last = "DDDM@0,0 DDDM@2,0 DDDW@4,0 DDMM@0,2", f"DDDW@{2 + gap},2"
    at = position(table=f"{first} {last}", hands=["DDMM.MMMD.WWWD.DDMW"])
    assert ("2,2" in places(at)) == (gap == 2)
    if gap == 1:
        for place in ("1,2", "2,2"):
            assert rule_against(at, f"DDMM@{place}") == "SC-20"
    assert lays_of(at) == all_lays(at)


def test_beside_a_second_level_card_its_pieces_count() -> None:
    """SC-23 (ruling): milk lies on dark at the edge of the table: milk fits there now, and dark no longer does."""
    before = position(table="MDDD@0,0 DDDM@2,0", hands=["MMMW.DDDW.WWWD.WWDM"])
    after = position(table="MDDD@0,0 DDDM@2,0 MMMW@1,0^", hands=["MMMW.DDDW.WWWD.WWDM"])
    # Above the middle, the two pieces below the new card are dark first and milk afterwards.
    assert before.refusal("WDDD@1,-2") is None
    assert rule_against(after, "WDDD@1,-2") == "SC-21"
    assert rule_against(before, "MWMM@1,-2") == "SC-21"
    assert after.refusal("MWMM@1,-2") is None
    assert lays_of(after) == all_lays(after)


def test_an_upper_piece_is_an_edge_like_any_other() -> None:
    """SC-23 (ruling): two edges at second-level pieces are two edges."""
    at = position(table="MDDD@0,0 DDDM@2,0 MMMW@1,0^", hands=["MMMW.DDDW.WWWD.WWDM"])
    assert "1,-2" in places(at)
    assert "1,2" in places(at)


@pytest.mark.parametrize("variant", ["2", "3", "4,large"])
def test_every_lay_is_found_and_no_other(variant: str) -> None:
    """SC-20, SC-21, SC-22, SC-23, SC-31, SC-32: in whole games of random moves, against trying every cell."""
    for number, at in enumerate(random_game(variant, 20)):
        if at.view["phase"] == "place" and number % 2:
            assert lays_of(at) == all_lays(at), at.text
