"""Grey wall: AZ-50 to AZ-53. Seat 1 has the board, seat 2 takes the last tile of the round."""

from __future__ import annotations

from typing import Any

import tilery
from tests.notation import texts

from .positions import board, board_of, last_take, play, position, rule_against

# Blue is in four columns, and the cell of row 5 in the last one is taken: no blue tile fits there.
NO_CELL = "B..../.B.../..B../...B./....R"


def tiled(*boards: str, **parts: Any) -> tilery.Position:
    """After the last take of a round on the grey wall."""
    return last_take(*boards, variant="2,grey", **parts)


def test_a_tile_goes_to_any_free_cell_whose_column_does_not_show_its_colour() -> None:
    """AZ-50: row 3 has a tile in column 2, blue is in columns 1 and 4."""
    at = tiled(board(lines="-/-/BBB", wall="B..../...B./.K..."))
    assert (at.actor, at.view["phase"]) == (0, "tiling")
    assert texts(at) == ["3:3", "3:5"]
    after = at.play("3:5")
    assert board_of(after, 0)["wall"] == ("B....", "...B.", ".K..B", ".....", ".....")
    assert board_of(after, 0)["lines"] == ("",) * 5
    assert after.view["lid"] == (2, 0, 0, 0, 1)


def test_cells_that_are_taken_or_whose_column_shows_the_colour_are_refused() -> None:
    """AZ-50: so is every line but the one whose turn it is, and a take."""
    at = tiled(board(lines="-/RR/BBB", wall="R..../.K.../....."))
    assert texts(at) == ["2:3", "2:4", "2:5"]
    assert rule_against(at, "2:2") == "AZ-50"  # there is a tile
    assert rule_against(at, "2:1") == "AZ-50"  # the column shows red
    assert rule_against(at, "3:3") == "AZ-50"  # line 3 comes later
    assert rule_against(at, "1:1") == "AZ-50"  # line 1 is not full
    assert rule_against(at, "CWF") == "AZ-50"
    assert rule_against(position("2,grey", discs="BBBB"), "1:1") == "AZ-12"


def test_choices_go_top_to_bottom_and_each_is_scored_before_the_next() -> None:
    """AZ-50: 1 for the tile of row 1; that of row 2 below it joins a run of 2 and one of 3."""
    at = tiled(board(lines="R/BB/-/-/-", wall="...../K..Y."))
    assert {move[0] for move in texts(at)} == {"1"}
    second = at.play("1:2")
    assert second.scores()[0] == 1
    assert texts(second) == ["2:2", "2:3", "2:5"]
    assert second.play("2:2").scores()[0] == 1 + 2 + 2
    assert second.play("2:3").scores()[0] == 1 + 2
    assert second.play("2:5").scores()[0] == 1 + 2


def test_a_choice_closes_its_column_to_the_colour_for_the_lines_below() -> None:
    """AZ-50: two blue lines cannot use the same column."""
    second = tiled(board(lines="B/BB")).play("1:3")
    assert texts(second) == ["2:1", "2:2", "2:4", "2:5"]
    assert rule_against(second, "2:3") == "AZ-50"


def test_a_row_of_the_grey_wall_still_shows_each_colour_once() -> None:
    """AZ-16, AZ-50: the line is closed to a colour that stands anywhere in its row."""
    at = position("2,grey", discs="BBBB", boards=[board(wall="....B/...../.B..."), board(floor="m")])
    assert texts(at) == ["1B2", "1B4", "1B5", "1BF"]
    assert rule_against(at, "1B1") == "AZ-16"


def test_a_complete_row_ends_the_game_on_the_grey_wall_too() -> None:
    """AZ-30, AZ-50: in the order the player likes; the rest of the tiling goes on first."""
    at = tiled(board(lines="W/BB", wall="KYB.R"))
    assert at.actor == 0  # line 1 had one cell, line 2 is asked for
    assert texts(at) == ["2:1", "2:2", "2:4", "2:5"]
    after = at.play("2:4")
    assert after.actor == tilery.OVER
    assert after.scores()[0] == 5 + 2 + 2


def test_a_line_without_a_possible_cell_falls_to_the_floor() -> None:
    """AZ-51: all five tiles, for 1 + 1 + 2 + 2 + 2 points; nothing is laid on the wall."""
    after = tiled(board(score=20, lines="-/-/-/-/BBBBB", wall=NO_CELL))
    assert after.scores()[0] == 12
    assert board_of(after, 0)["wall"] == tuple(NO_CELL.split("/"))
    assert board_of(after, 0)["lines"] == ("",) * 5
    assert after.view["lid"] == (5, 0, 0, 0, 1)
    assert after.actor == tilery.CHANCE


def test_fallen_lines_fill_the_floor_and_then_the_lid() -> None:
    """AZ-51, AZ-18: next to the five tiles already there two fit, three go to the lid; it costs 14."""
    after = tiled(board(score=20, lines="-/-/-/-/BBBBB", wall=NO_CELL, floor="RRRKK"))
    assert after.scores()[0] == 6
    assert after.view["lid"] == (5, 0, 3, 2, 1)


def test_a_line_falls_at_once_and_before_the_lines_below_are_tiled() -> None:
    """AZ-51: while line 4 is chosen for, the three tiles of line 3 lie on the floor already."""
    wall = "B..../.B.../..RKY/...../....."
    at = tiled(board(score=9, lines="-/-/BBB/WWWW", wall=wall, floor="K"))
    assert texts(at) == ["4:1", "4:2", "4:3", "4:4", "4:5"]
    assert board_of(at, 0)["floor"] == "KBBB"
    assert board_of(at, 0)["lines"] == ("", "", "", "WWWW", "")
    assert at.scores()[0] == 9
    assert at.play("4:1").scores()[0] == 9 + 1 - 6


def test_a_choice_may_leave_a_later_line_without_a_cell() -> None:
    """AZ-51: blue to column 5 of row 1 takes the last column that row 2 had for it."""
    at = tiled(board(score=9, lines="B/BB", wall="...../YRK../...B."))
    assert at.play("1:5").scores()[0] == 9 + 1 - 2
    assert board_of(at.play("1:1"), 0)["wall"][1] == "YRK.B"


def test_a_single_possible_cell_is_taken_without_asking() -> None:
    """AZ-52 (ruling): only column 4 is left for blue in row 5."""
    after = tiled(board(lines="-/-/-/-/BBBBB", wall="B..../.B.../..B../...../....R"))
    assert after.actor == tilery.CHANCE
    assert board_of(after, 0)["wall"][4] == "...BR"
    assert after.scores()[0] == 2


def test_players_choose_in_turn_order_from_the_starting_player_of_the_round() -> None:
    """AZ-52 (ruling): seat 2 started, so 2, 3, 1, although seat 1 holds the marker for the next one."""
    boards = [board(lines="B", floor="m"), board(lines="Y/YY"), board(lines="-/-/RRR")]
    at = last_take(*boards, variant="3,grey", starter=2)
    actors = []
    for move in ("1:1", "2:2", "3:3", "1:4"):
        actors.append(at.actor)
        at = at.play(move, by=at.actor)
    assert actors == [1, 1, 2, 0]
    assert (at.actor, at.view["starter"]) == (tilery.CHANCE, 0)
    assert [board_of(at, seat)["wall"][0] for seat in range(3)] == ["...B.", "Y....", "....."]


def test_a_player_without_a_choice_is_passed_over() -> None:
    """AZ-52: seat 1 starts but has nothing to choose, seat 2 has."""
    at = tiled(board(lines="-/B"), board(score=5, lines="B/-/KKK"))
    assert at.actor == 1
    after = play(at, "1:2", "3:2")
    assert after.scores() == (0, 5 + 1 + 1 - 2)


def test_a_line_may_be_filled_although_no_cell_will_be_possible() -> None:
    """AZ-53: only the colours of the row forbid a line; the five tiles then fall."""
    mine = board(score=20, lines="-/-/-/-/B", wall=NO_CELL)
    at = position("2,grey", discs="BBBB", boards=[mine, board(floor="m")])
    assert at.refusal("1B5") is None
    after = at.play("1B5")
    assert after.scores()[0] == 12
    assert after.view["lid"] == (5, 0, 0, 0, 0)
    empty = position("2,grey", discs="BBBB", boards=[board(wall=NO_CELL), board(floor="m")])
    assert texts(empty) == ["1B5", "1BF"]
