"""End: AZ-40 and AZ-41. Seat 1 completes row 1 with a white tile, worth 5 and the bonus of 2."""

from __future__ import annotations

import pytest

from .positions import board, last_take, outcome_of, wall_without_column

ROW = board(lines="W", wall="BYRK.")


@pytest.mark.parametrize(
    ("lines", "wall", "points"),
    [
        ("W", "BYRK.", 5 + 2),
        ("W/KK", "BYRK./WBYR.", 5 + 7 + 2 * 2),  # two rows, the second tile also below the first
        ("W", "BYRK./W..../K..../R..../Y....", 5 + 2 + 7),  # the first column
        ("W", "BYRK./WB.../KW.../RK.../YR...", 5 + 2 + 2 * 7),
        ("W", "BYRK./.B.../..B../...B./....B", 5 + 2 + 10),  # all blue ones
        ("W", "BYRK./.B.../..B../...B.", 5 + 2),  # four blue ones
        ("W", "BYRK./.BY../..BY./...BY/Y...B", 5 + 2 + 2 * 10),
        ("W", "BYRK./W..../.W.../..W../...W.", 5 + 2 + 10),  # the last tile completes row and colour
        ("W", "BYRK./....K/....R/....Y/....B", 5 + 5 + 2 + 7),  # the last tile completes row and column
        ("W/KK/RRR/YYYY/BBBBB", wall_without_column(5), 5 + 7 + 8 + 9 + 10 + 5 * 2 + 5 * 7 + 5 * 10),
    ],
)
def test_rows_columns_and_colours_bring_2_7_and_10(lines: str, wall: str, points: int) -> None:
    """AZ-40: each complete one counts, on top of the points of the last tiling."""
    assert outcome_of(last_take(board(3, lines, wall))).scores[0] == 3 + points


def test_colours_count_wherever_a_grey_wall_shows_them() -> None:
    """AZ-40: five white tiles in other columns than the coloured wall has."""
    wall = "BYRK./..W../W..../.W.../...W."
    assert outcome_of(last_take(board(0, "W", wall), variant="2,grey")).scores[0] == 5 + 2 + 10


def test_everybody_gets_bonuses_not_only_the_player_who_ended_the_game() -> None:
    """AZ-40: seat 2 has a column and a colour."""
    other = board(10, wall="B..../WB.../K.B../R..B./Y...B")
    assert outcome_of(last_take(ROW, other)).scores == (7, 10 - 2 + 7 + 10)


def test_bonuses_come_after_the_floor_line() -> None:
    """AZ-22, AZ-40: a score that the floor took to 0 still gets all of them."""
    other = board(1, wall="B..../W..../K..../R..../Y....", floor="BBRRKK")
    assert outcome_of(last_take(ROW, other)).scores == (7, 7)


def test_most_points_win_and_a_tie_goes_to_whoever_has_more_rows() -> None:
    """AZ-41: a row alone does not win; at 20 to 20 it does, and the column of the other breaks no tie."""
    assert outcome_of(last_take(ROW, board(10))).winners == (1,)
    assert outcome_of(last_take(ROW, board(8))).winners == (0,)
    winner = board(13, "W", "BYRK.")
    column = board(15, wall="B..../W..../K..../R..../Y....")
    for other in (board(22), column):
        result = outcome_of(last_take(winner, other))
        assert (result.scores, result.winners) == ((20, 20), (0,))


def test_two_rows_beat_one_in_a_tie() -> None:
    """AZ-41: 16 to 16, and the two rows are those of seat 2."""
    result = outcome_of(last_take(board(9, "W", "BYRK."), board(2, "W/KK", "BYRK./WBYR.")))
    assert (result.scores, result.winners) == ((16, 16), (1,))


def test_players_who_are_tied_in_rows_too_share_the_win() -> None:
    """AZ-41: same points, one row each; or none, when a game ended by AZ-35."""
    result = outcome_of(last_take(ROW, board(2, "W", "BYRK.")))
    assert (result.scores, result.winners) == ((7, 7), (0, 1))
    result = outcome_of(last_take(board(8), board(10), variant="2,stall=1"))
    assert (result.scores, result.winners) == ((8, 8), (0, 1))


def test_only_the_best_share_a_win() -> None:
    """AZ-41: of four players two lead with a row each; one has the points but no row, one has a row only."""
    first, third = board(3, "W", "BYRK."), board(3, "W", "BYRK.")
    result = outcome_of(last_take(first, board(12), third, board(0, "W", "BYRK."), variant="4"))
    assert (result.scores, result.winners) == ((10, 10, 10, 7), (0, 2))
