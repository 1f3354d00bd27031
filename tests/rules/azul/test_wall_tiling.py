"""B. Wall tiling: AZ-20 to AZ-24. Seat 1 has the board, seat 2 takes the last tile of the round."""

from __future__ import annotations

import pytest

import tilery
from tests.notation import texts

from .positions import board, board_of, counts, last_take

COSTS = (0, 1, 2, 4, 6, 8, 11, 14)


def test_a_full_line_sends_one_tile_to_the_wall_and_the_others_to_the_lid() -> None:
    """AZ-20: of three red tiles one is laid and two go to the lid (the white one fell from seat 2)."""
    after = last_take(board(lines="-/-/RRR"))
    assert board_of(after, 0)["wall"] == (".....", ".....", "....R", ".....", ".....")
    assert board_of(after, 0)["lines"] == ("",) * 5
    assert after.view["lid"] == (0, 0, 2, 0, 1)


def test_lines_that_are_not_full_stay() -> None:
    """AZ-20: one tile short is not full."""
    after = last_take(board(lines="-/B/YY/RRR/KKKK"))
    assert board_of(after, 0)["lines"] == ("", "B", "YY", "RRR", "KKKK")
    assert board_of(after, 0)["wall"] == (".....",) * 5
    assert after.scores()[0] == 0


def test_lines_are_tiled_top_to_bottom_and_each_scores_at_once() -> None:
    """AZ-20: over black in row 3, row 1 first is a lone tile (1) and row 2 then joins all three (3).

    Bottom to top it would be 2 + 3, and both at once 3 + 3.
    """
    after = last_take(board(lines="B/WW", wall="...../...../K...."))
    assert after.scores()[0] == 4


def test_five_full_lines_of_one_column_score_one_to_five() -> None:
    """AZ-20, AZ-21: 1 + 2 + 3 + 4 + 5, and the ten other tiles go to the lid."""
    after = last_take(board(lines="B/WW/KKK/RRRR/YYYYY"))
    assert after.scores()[0] == 15
    assert after.view["lid"] == (0, 4, 3, 2, 2)


@pytest.mark.parametrize(
    ("wall", "points"),
    [
        ("B...W/W...K/...../R...Y/Y...B", 1),  # only tiles that do not touch it
        (".Y.K./.B.R./...../.K.B./.R.W.", 1),  # still none
        ("...../...../.W...", 2),  # one neighbour to the left
        ("...../...../...Y.", 2),  # one to the right
        ("...../...../KW.YR", 5 + 2),  # a whole row, with its bonus
        ("...../...../K..Y.", 2),  # a gap ends the run
        ("..R../..Y../...../..W../..K..", 5),  # a whole column
        ("..R../...../...../..W../..K..", 3),  # a gap in the column
        ("...../..Y../.W...", 4),  # 2 across and 2 down
        ("..R../..Y../KW.YR/..W../..K..", 10 + 2 + 7),  # a whole cross, with both bonuses
        ("...../.BY../.W.Y.", 3 + 2),  # diagonal neighbours count for nothing
    ],
)
def test_a_tile_scores_its_row_run_and_its_column_run(wall: str, points: int) -> None:
    """AZ-21: a blue tile in the middle of the wall; runs of length 1 count for nothing beside another."""
    assert last_take(board(lines="-/-/BBB", wall=wall)).scores()[0] == points


@pytest.mark.parametrize("tiles", range(8))
def test_every_occupied_space_of_the_floor_costs_its_value(tiles: int) -> None:
    """AZ-22, AZ-3: -1 -1 -2 -2 -2 -3 -3, added up."""
    after = last_take(board(score=20, floor="BYRKBYR"[:tiles]))
    assert after.scores()[0] == 20 - COSTS[tiles]
    assert board_of(after, 0)["floor"] == ""


@pytest.mark.parametrize("place", range(7))
def test_the_marker_costs_as_much_as_a_tile_in_its_place(place: int) -> None:
    """AZ-22: wherever it lies; the tiles go to the lid without it (and a white one of seat 2), its owner starts."""
    floor = "BYRKBYR"[:place] + "m" + "BYRKBYR"[place + 1 :]
    after = last_take(board(score=20, floor=floor), starter=2)
    assert after.scores()[0] == 6
    assert after.view["lid"] == counts(floor + "W")
    assert (after.view["starter"], after.view["marker"]) == (0, None)


@pytest.mark.parametrize(("score", "left"), [(0, 0), (5, 0), (14, 0), (15, 1)])
def test_a_score_never_goes_below_0(score: int, left: int) -> None:
    """AZ-22: a full floor costs 14, or all there is."""
    assert last_take(board(score=score, floor="BYRKBYR")).scores()[0] == left


def test_the_floor_is_subtracted_after_the_wall_was_scored() -> None:
    """AZ-22: 0 + 1 - 2 is 0, 0 + 3 - 2 is 1, and 1 + 1 - 2 is 0: never 0 first and then the wall."""
    assert last_take(board(score=0, lines="B", floor="RR")).scores()[0] == 0
    assert last_take(board(score=0, lines="B/WW", floor="RR")).scores()[0] == 1
    assert last_take(board(score=1, lines="B", floor="RR")).scores()[0] == 0


def test_a_full_line_is_tiled_whether_its_owner_likes_it_or_not() -> None:
    """AZ-23: nobody is asked on the coloured wall; on the grey one every answer lays the tile."""
    after = last_take(board(lines="-/RR"))
    assert after.actor == tilery.CHANCE
    assert board_of(after, 0)["wall"][1] == "...R."
    asked = last_take(board(lines="-/RR"), variant="2,grey")
    assert texts(asked) == ["2:1", "2:2", "2:3", "2:4", "2:5"]
    for move in texts(asked):
        assert board_of(asked.play(move), 0)["wall"][1].count("R") == 1


def test_example_four_tiles_and_the_marker_on_the_floor_cost_8() -> None:
    """AZ-24: 1 + 1 + 2 + 2 + 2, in whichever space the marker lies."""
    for floor in ("mBBYR", "BBmYR", "BBYRm"):
        assert last_take(board(score=10, floor=floor)).scores()[0] == 2


@pytest.mark.parametrize(
    ("wall", "points"),
    [
        (".....", 1),  # a lone tile
        ("...../...../KW...", 3),  # a horizontal three: at its right end,
        ("...../...../...YR", 3),  # its left end
        ("...../...../.W.Y.", 3),  # and in the middle
        ("..R../..Y..", 3),  # a vertical three: at its lower end,
        ("...../...../...../..W../..K..", 3),  # its upper end
        ("...../..Y../...../..W..", 3),  # and in the middle
        ("...../..Y../KW.Y./..W..", 7),  # a horizontal four and a vertical three
    ],
)
def test_the_examples_of_the_books_for_a_placed_tile(wall: str, points: int) -> None:
    """AZ-24: 1, 3, 3 and 7 points, for a blue tile in the middle of the wall."""
    assert last_take(board(lines="-/-/BBB", wall=wall)).scores()[0] == points
