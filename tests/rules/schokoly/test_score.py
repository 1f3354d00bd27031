"""The score: SC-42 to SC-48. Tables are drawn from above; games are over by passes, so that small tables will do."""

from __future__ import annotations

import pytest

import tilery

from .positions import DARK_BLOCK, drawn, group_sizes, outcome_of, position

# SC-45, with the colours of the book: three cards above three; milk is neutral and has the form of an H.
EXAMPLE = "DWWWWW/DDMWMD/DWMMMD/DDMDMD"


def ended(variant: str, picture: str, kinds: str, **parts: str) -> tilery.Position:
    """A game that is over, with this table."""
    return position(variant, "over:passes", table=drawn(picture), kinds=kinds, more=f"passes={variant[0]}", **parts)


def sizes(at: tilery.Position) -> dict[str, list[int]]:
    """The sizes of all groups by kind, the largest first."""
    return {kind: group_sizes(at, kind) for kind in "DMW"}


def winners(variant: str, picture: str, kinds: str) -> tuple[int, ...]:
    """Who wins with this table."""
    return outcome_of(ended(variant, picture, kinds)).winners


def test_a_group_hangs_together_by_edges() -> None:
    """SC-42: across cards, but not across corners."""
    across = position("3", table=drawn("DDDD/DMMM"), kinds="D/M/W")
    assert (sizes(across), across.scores()) == ({"D": [5], "M": [3], "W": []}, (5, 3, 0))
    corners = position("3", table=drawn("DDMM/DMDD"), kinds="D/M/W")
    assert (sizes(corners), corners.scores()) == ({"D": [3, 2], "M": [2, 1], "W": []}, (3, 2, 0))


def test_a_group_goes_over_both_levels() -> None:
    """SC-42: seen from above, level does not matter: one milk piece below and three above are four."""
    at = position("3", table="DDDM@0,0 MWWD@2,0 MMWM@1,0^", kinds="D/M/W")
    assert sizes(at) == {"D": [1], "M": [4], "W": [3]}
    assert at.scores() == (1, 4, 3)


def test_a_second_level_card_can_part_a_group_and_join_others() -> None:
    """SC-42, SC-33: white in the middle parts the dark block's frame nowhere, on its edge it does."""
    whole = position("3", table=DARK_BLOCK, kinds="D/M/W")
    assert (sizes(whole), whole.scores()) == ({"D": [12], "M": [2], "W": [2]}, (12, 2, 2))
    parted = position("3", table=DARK_BLOCK + " MWWM@1,0^ WWMM@1,2^", kinds="D/M/W")
    # D M W D / D M W D / D W W D / D M M D
    assert sizes(parted) == {"D": [4, 4], "M": [2, 2], "W": [4]}
    assert parted.scores() == (4, 2, 4)


@pytest.mark.parametrize("kinds", ["D/M/W", "M/W/D", "W/D/M"])
def test_each_player_gets_the_size_of_its_largest_group(kinds: str) -> None:
    """SC-43, SC-46: smaller groups add nothing, and with three players that is all."""
    at = ended("3", EXAMPLE, kinds)
    assert sizes(at) == {"D": [6, 3, 1], "M": [7], "W": [6, 1]}
    largest = {"D": 6, "M": 7, "W": 6}
    assert at.scores() == tuple(largest[kind] for kind in kinds.split("/"))


def test_a_side_without_a_piece_has_no_points() -> None:
    """SC-43: no group at all."""
    assert position("3", table=drawn("DDMM/DMDD"), kinds="W/M/D").scores() == (0, 2, 3)


@pytest.mark.parametrize(
    ("variant", "kinds", "scores"),
    [("2", "D/W", (13, 6)), ("2", "W/D", (6, 13)), ("4", "D/W/D/W", (13, 6, 13, 6)), ("4", "W/D/W/D", (6, 13, 6, 13))],
)
def test_the_example_of_the_rulebook(variant: str, kinds: str, scores: tuple[int, ...]) -> None:
    """SC-45, SC-44: 6 edges to white and 8 to dark, so dark gets the 7 pieces of milk."""
    at = ended(variant, EXAMPLE, kinds)
    assert at.scores() == outcome_of(at).scores == scores
    assert outcome_of(at).winners == tuple(seat for seat, kind in enumerate(kinds.split("/")) if kind == "D")
    assert f"7 at 2,1 (edges {'8:6' if kinds[0] == 'D' else '6:8'}" in str(at)
    lines = at.game.breakdown(at.row)
    seven = tuple(7 if kind == "D" else 0 for kind in kinds.split("/"))
    assert [line.points for line in lines] == [(6,) * at.seats, seven, scores]


@pytest.mark.parametrize(
    ("picture", "scores"),
    [
        # White is neutral, dark is seat 1 and milk seat 2.
        ("DDDDDD/WWWWMM/DDWMDM/WDWMDM", (6 + 6, 4)),  # a group of 6 with 8 edges to dark and 4 to milk
        ("MMWWDM/DDWDDW/MWMMDW/MWDWWW", (4, 2)),  # a group of 5 with 4 and 2 is too small
        ("DDWWDM/WDWDDM/MMDDWD/MWWWWW", (5 + 6, 3)),  # 6 and 2 at a group of 6
        ("WWMMMW/WMDMMM/WDDWMW/WWDWMW", (4, 8)),  # a group of 6, but 3 edges to either
        ("MWWMDW/DWMMWW/MMWDWM/DDDDWW", (5, 3)),  # 4 to either
        ("DMWMMM/WWMMDD/DWMMDD/WWMDMM", (4, 8)),  # 4 to either, and too small as well
        ("WDMDDW/DDDDWW/DDDDWW/WWDWDW", (12 + 6, 1)),  # 6 edges to dark and none to milk
        ("DWWWDWMM/WWMWDDDM/WDMMWMMM/WDDWWWWW", (4 + 8, 6 + 6)),  # one of 8 (7 to 4) and one of 6 (2 to 6)
    ],
)
def test_neutral_groups_go_to_the_side_with_more_edges(picture: str, scores: tuple[int, int]) -> None:
    """SC-44: from 6 pieces on, each group by itself; nobody gets one with as many edges to either side."""
    assert ended("2", picture, "D/M").scores() == scores
    assert ended("2", picture, "M/D").scores() == scores[::-1]
    assert ended("4", picture, "D/M/D/M").scores() == scores * 2
    assert ended("3", picture, "D/M/W").scores()[:2] == tuple(
        group_sizes(ended("3", picture, "D/M/W"), kind)[0] for kind in "DM"
    )


def test_a_neutral_group_counts_as_soon_as_it_has_six_pieces() -> None:
    """SC-44: one white piece joins five others."""
    at = position(table=drawn("MMWWDM/DDWDDW/MWMMDW/MWDWWW"), hands=["DDDW.DDDM.WWWD.DDMW"], kinds="D/M")
    assert (sizes(at)["W"], at.scores()) == ([5, 3, 2], (4, 2))
    after = at.play("WDDD@6,2")
    assert (sizes(after)["W"], after.scores()) == ([6, 3, 2], (4 + 6, 2))


def test_only_visible_pieces_count_for_a_neutral_group() -> None:
    """SC-44, SC-33: a second-level card takes pieces from the group, and its own pieces are what touches it."""
    plain = position(table=drawn(EXAMPLE), kinds="D/W")
    assert plain.scores() == (13, 6)
    covered = position(table=drawn(EXAMPLE) + " DDDW@1,2^", kinds="D/W")
    # Row 2 is D D D M M D and row 3 is D W D D M D now: milk has fallen apart into groups of 4 and 1.
    assert sizes(covered)["M"] == [4, 1]
    assert covered.scores()[0] == max(group_sizes(covered, "D"))


def test_before_both_sides_have_chosen_no_kind_is_neutral() -> None:
    """SC-13, SC-44: after the first card only seat 1 has points, if anybody."""
    at = position("2", "kind:2", table="DDDM@0,0", kinds="D/-")
    assert at.scores() == (3, 0)


@pytest.mark.parametrize(
    ("picture", "groups", "won"),
    [
        ("MMWM/MDWM/DMDD/WWWD", ([3, 1, 1], [3, 2, 1]), (1,)),  # the second largest decides
        ("MWDWWM/MWDDWW/DMWWDM/DMMWDW", ([3, 2, 2], [3, 2, 1, 1]), (0,)),  # the third, not how many there are
        ("DDMMWW/DWDWWD/WWMWDM/MMDDMM", ([3, 2, 1, 1, 1], [3, 2, 2, 1]), (1,)),
        ("MMMW/DDDD/WDWM/MMMM", ([5], [5, 3]), (1,)),  # a group that dark does not have counts as 0
        ("MMMD/MWDD/DMDW/WWWW", ([4, 1], [4, 1]), (0, 1)),  # nothing tells them apart
    ],
)
def test_a_tie_goes_to_the_larger_next_group(picture: str, groups: tuple[list[int], ...], won: tuple[int, ...]) -> None:
    """SC-47 (ruling): dark against milk with the same points; for teams it is the same."""
    at = ended("2", picture, "D/M")
    assert (sizes(at)["D"], sizes(at)["M"]) == groups
    assert at.scores() == (groups[0][0], groups[1][0])
    assert outcome_of(at).winners == won
    assert winners("2", picture, "M/D") == tuple(sorted(1 - seat for seat in won))
    assert winners("4", picture, "D/M/D/M") == tuple(seat for seat in range(4) if seat % 2 in won)
    assert winners("4", picture, "M/D/M/D") == tuple(seat for seat in range(4) if 1 - seat % 2 in won)


def test_most_points_win_whatever_the_other_groups_are() -> None:
    """SC-47: 5 and 2 against 4, 3 and 1: the largest group counts first."""
    at = ended("2", "MMMDWW/MDMDMW/DDWWDM/WDDWWM", "D/W")
    assert (sizes(at)["D"], sizes(at)["W"]) == ([5, 2, 1], [4, 3, 1])
    assert outcome_of(at).winners == (0,)


def test_a_tie_with_points_for_a_neutral_group_goes_by_the_own_groups() -> None:
    """SC-47 (ruling): 9 against 3 and 6 neutral ones; then milk has a second group of 2, dark one of 1."""
    at = ended("2", "DWDMWD/DDDWWW/DWDMWM/DDMMWM", "D/M")
    assert (sizes(at)["D"], sizes(at)["M"]) == ([9, 1], [3, 2, 1])
    assert outcome_of(at).scores == (9, 9)
    assert outcome_of(at).winners == (1,)


def test_among_three_the_second_group_leaves_two_who_share() -> None:
    """SC-47 (ruling): 4 points each; white is out with 2 against 3, and its third group of 2 helps no more."""
    at = ended("3", "WMWDDM/WMWDMM/MMDMDW/DDDWWW", "D/M/W")
    assert sizes(at) == {"D": [4, 3, 1], "M": [4, 3, 1], "W": [4, 2, 2]}
    assert outcome_of(at).winners == (0, 1)
    assert winners("3", "WMWDDM/WMWDMM/MMDMDW/DDDWWW", "W/D/M") == (1, 2)


def test_among_three_the_third_group_decides_between_the_two_left() -> None:
    """SC-47 (ruling): white is out after the second groups, milk wins with its third."""
    picture = "WWWWMW/DWMMDW/MMDMWD/DWDDWD/MDMWDD/MMMDMD"
    at = ended("3", picture, "D/M/W")
    assert sizes(at) == {"D": [5, 3, 1, 1, 1, 1, 1], "M": [5, 3, 2, 1, 1], "W": [5, 2, 2, 1, 1]}
    assert outcome_of(at).winners == (1,)


def test_two_of_three_share_and_the_third_has_fewer_points() -> None:
    """SC-47 (ruling): dark and milk have 5, 2 and 1; white has 4 and a larger second group."""
    at = ended("3", "MMMDWW/MDMDMW/DDWWDM/WDDWWM", "D/M/W")
    assert sizes(at) == {"D": [5, 2, 1], "M": [5, 2, 1], "W": [4, 3, 1]}
    assert outcome_of(at).winners == (0, 1)


def test_all_three_share_when_nothing_tells_them_apart() -> None:
    """SC-47 (ruling): 5, 2 and 1 for everybody."""
    at = ended("3", "MMWWDD/WMMWMD/DWMWDD/DWDWMM", "D/M/W")
    assert sizes(at) == {kind: [5, 2, 1] for kind in "DMW"}
    assert outcome_of(at).winners == (0, 1, 2)


def test_partners_win_together() -> None:
    """SC-47, SC-10: dark has more than white; a draw is one of all four."""
    picture = "MMMDWW/MDMDMW/DDWWDM/WDDWWM"
    assert winners("4", picture, "D/W/D/W") == (0, 2)
    assert winners("4", picture, "W/D/W/D") == (1, 3)
    assert winners("4", "MWMW/DWDW/WWDD/DDWD", "D/W/D/W") == (0, 1, 2, 3)


@pytest.mark.parametrize("tokens", ["6/3", "3/6", "5/4"])
def test_unused_tokens_are_worth_nothing(tokens: str) -> None:
    """SC-48: neither a point, nor do they break a tie."""
    table = drawn("MMMD/MWDD/DMDW/WWWW").replace("@0,0", "@0,0!").replace("@2,0", "@2,0!").replace("@0,2", "@0,2!")
    at = position("2", "over:passes", table=table, kinds="D/M", tokens=tokens, more="passes=2")
    assert outcome_of(at).scores == (4, 4)
    assert outcome_of(at).winners == (0, 1)
