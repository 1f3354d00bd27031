"""Set-up: AZ-1 to AZ-6."""

from __future__ import annotations

import pytest

import tilery

from .positions import WALL, board, board_of, last_take, position, position_text, rule_against

AZUL = tilery.game("azul")


@pytest.mark.parametrize(("seats", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_the_circle_grows_with_the_number_of_players(seats: int, factories: int) -> None:
    """AZ-1: 5, 7 and 9 factories, and one board each; nobody plays alone or with four others."""
    view = AZUL.new(seats=seats).view
    assert len(view["factories"]) == factories
    assert len(view["boards"]) == seats
    for wrong in (1, 5):
        with pytest.raises(tilery.Refused, match="AZ-1"):
            AZUL.new(seats=wrong)


@pytest.mark.parametrize(("variant", "move"), [("2", "6B1"), ("2", "9B1"), ("3", "8B1")])
def test_nobody_takes_from_a_factory_that_is_not_in_the_circle(variant: str, move: str) -> None:
    """AZ-1: the factory has a number, but not in this game."""
    assert rule_against(position(variant, discs="BBBB"), move) == "AZ-1"


def test_a_hundred_tiles_are_in_the_bag_and_none_in_the_lid() -> None:
    """AZ-2: 20 of each colour."""
    view = AZUL.new(seats=3).view
    assert view["bag"] == (20, 20, 20, 20, 20)
    assert view["lid"] == (0, 0, 0, 0, 0)


def test_boards_begin_empty_and_without_points() -> None:
    """AZ-3: five lines, a wall of 25 cells, a floor line and 0 points for everybody."""
    first = AZUL.new(seats=4)
    for seat in range(4):
        mine = board_of(first, seat)
        assert mine["lines"] == ("", "", "", "", "")
        assert mine["wall"] == (".....",) * 5
        assert mine["floor"] == ""
    assert first.scores() == (0, 0, 0, 0)


@pytest.mark.parametrize("line", [1, 2, 3, 4, 5])
def test_line_n_has_room_for_n_tiles(line: int) -> None:
    """AZ-3: of six tiles the line keeps its capacity, the rest falls."""
    after = position(centre="BBBBBB", discs="Y", boards=[board(), board(floor="m")]).play(f"CB{line}")
    assert board_of(after, 0)["lines"][line - 1] == "B" * line
    assert board_of(after, 0)["floor"] == "B" * (6 - line)


def test_the_floor_line_has_seven_spaces() -> None:
    """AZ-3: the seventh tile still fits, the eighth does not; longer floors cannot be written down."""
    after = position(centre="BBBBBBBB", discs="Y", boards=[board(), board(floor="m")]).play("CBF")
    assert board_of(after, 0)["floor"] == "BBBBBBB"
    with pytest.raises(tilery.BadText, match="AZ-3"):
        position(discs="Y", boards=[board(floor="BBBBBBBB")])


@pytest.mark.parametrize("start", [0, 1, 2])
def test_an_option_says_who_starts_round_1(start: int) -> None:
    """AZ-4: any seat that plays; seat 0 by default."""
    at = AZUL.new(seats=3, start=start).settle(tilery.Stream("start"))
    assert (at.actor, at.view["starter"]) == (start, start)
    assert AZUL.new(seats=3).settle(tilery.Stream("start")).actor == 0
    with pytest.raises(tilery.Refused, match="AZ-4"):
        AZUL.new(seats=3, start=3)


def test_the_first_starting_player_may_be_drawn() -> None:
    """AZ-4: every seat has the same probability, and the one drawn moves first."""
    first = AZUL.new(seats=3, start=None)
    assert first.actor == tilery.CHANCE
    assert first.probabilities() == pytest.approx({"start=1": 1 / 3, "start=2": 1 / 3, "start=3": 1 / 3})
    assert first.play("start=3").settle(tilery.Stream("start")).actor == 2
    assert rule_against(first, "start=4") == "AZ-4"


def test_all_boards_show_the_same_side_of_the_wall() -> None:
    """AZ-5: the side belongs to the game; what only a grey wall can show is refused on a coloured one."""
    odd = [board(), board(wall="Y....")]
    assert board_of(position("2,grey", discs="BBBB", boards=odd), 1)["wall"][0] == "Y...."
    with pytest.raises(tilery.BadText, match="AZ-6"):
        position("2", discs="BBBB", boards=odd)
    with pytest.raises(tilery.Refused, match="AZ-5"):
        AZUL.new(wall="mixed")


@pytest.mark.parametrize("row", range(5))
@pytest.mark.parametrize("colour", "BYRKW")
def test_a_tile_of_the_coloured_wall_has_its_own_column(row: int, colour: str) -> None:
    """AZ-6: every row is the one above, moved by one column; no other column can be written down."""
    lines = "/".join(["-"] * row + [colour * (row + 1)])
    cells = board_of(last_take(board(lines=lines)), 0)["wall"]
    home = WALL[row].index(colour)
    assert cells[row] == "." * home + colour + "." * (4 - home)
    for column in set(range(5)) - {home}:
        wall = "...../" * row + "." * column + colour + "." * (4 - column)
        with pytest.raises(tilery.BadText, match="AZ-6"):
            tilery.read_position(position_text(discs="BBBB", boards=[board(wall=wall)]))
