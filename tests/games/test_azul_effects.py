"""The reported effects of moves in Azul: small positions computed by hand, and whole games tiled a second time."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Any

import pytest

from tests.games.refusals import check_refused_as_by_playing
from tests.rules.azul.positions import LETTERS, WALL, board, last_take, position
from tests.variants import AZUL
from tilery import CHANCE, OVER, NotLegal, Position, Stream, game
from tilery.core.effects import Effect
from tilery.core.position import BasePosition
from tilery.games.azul import Rules
from tilery.games.azul import effects as kinds

Step = dict[str, Any]
Board = dict[str, Any]

COSTS = (0, *accumulate((1, 1, 2, 2, 2, 3, 3)))  # AZ-3, AZ-22: by the number of items on the floor line
NO_CELL = "B..../.B.../..B../...B./....R"  # on a grey wall: no cell of row 5 is left for blue


def take_effects(
    placed: int = 0,
    fallen: int = 0,
    *,
    marker: bool = False,
    penalty: int = 0,
    completes: bool = False,
    points: int | None = 0,
) -> dict[str, Any]:
    """The effects of a take after which the offer goes on."""
    return {
        "placed": placed,
        "fallen": fallen,
        "marker": marker,
        "penalty": penalty,
        "completes": completes,
        "points": points,
    }


def summary(at: BasePosition, move: str | int) -> dict[str, Any]:
    """The effects of a move in the form in which these tests count them."""
    effects = at.effects(move)
    assert all(isinstance(effect, Effect) for effect in effects)
    steps: list[Step] = []
    for effect in effects:
        if isinstance(effect, kinds.Tiled):
            assert effect.points == max(1, effect.across + effect.down)
            steps.append(tile(effect.seat, effect.line, effect.column, effect.colour, effect.points))
        elif isinstance(effect, kinds.FloorScored) and effect.floor:
            steps.append(floor(effect.seat, effect.points))
    for what in ("row", "column", "colour"):
        bonuses = [effect for effect in effects if isinstance(effect, kinds.Bonus) and effect.what == what]
        steps += [bonus(effect.seat, what, effect.points) for effect in bonuses]
    taken = [effect for effect in effects if isinstance(effect, kinds.Taken)]
    if not taken:
        return {"points": steps[0]["points"], "tiling": steps}
    placed = [effect for effect in effects if isinstance(effect, kinds.Placed)]
    fell = [effect for effect in effects if isinstance(effect, kinds.Fell) and effect.line is None]
    marker = [effect for effect in effects if isinstance(effect, kinds.MarkerTaken)]
    done = take_effects(
        sum(effect.number for effect in placed),
        sum(effect.floor + effect.lid for effect in fell),
        marker=bool(marker),
        penalty=-sum(effect.cost for effect in fell) - sum(effect.cost for effect in marker),
        completes=any(effect.full for effect in placed),
        points=next((effect.points for effect in placed if effect.full), 0),
    )
    return done if at.play(move).view["phase"] == "offer" else {**done, "tiling": steps}


def tile(seat: int, line: int, column: int, colour: str, points: int) -> Step:
    """A tile that comes to a wall."""
    return {"seat": seat, "line": line, "column": column, "colour": colour, "points": points}


def floor(seat: int, points: int) -> Step:
    """A floor line that is paid for."""
    return {"seat": seat, "floor": points}


def bonus(seat: int, what: str, points: int) -> Step:
    """Points at the end of the game."""
    return {"seat": seat, "bonus": what, "points": points}


def last(*boards: str, variant: str = "2", **parts: Any) -> Position:
    """Seat 2 has the last tile of a round to take, a white one from the centre."""
    return position(variant, "offer:2", centre="W", boards=boards, **parts)


# A take


def test_tiles_that_fit_are_placed() -> None:
    """AZ-14, AZ-15: two blue tiles fill line 2 and leave line 3 one short."""
    at = position(discs="BBYR")
    assert summary(at, "1B2") == take_effects(2, completes=True, points=1)
    assert summary(at, "1B3") == take_effects(2)
    assert summary(at, "1R1") == take_effects(1, completes=True, points=1)


def test_tiles_that_do_not_fit_fall() -> None:
    """AZ-17: one of four fits on line 1, and the others cost 1 + 1 + 2; on line 3 there is room for one more."""
    at = position(discs="BBBB/YYYY", boards=[board(lines="-/-/BB")])
    assert summary(at, "1B1") == take_effects(1, 3, penalty=-4, completes=True, points=1)
    assert summary(at, "1B3") == take_effects(1, 3, penalty=-4, completes=True, points=1)


def test_on_the_floor_line_all_tiles_fall() -> None:
    """AZ-17: three for 1 + 1 + 2 points; no line is completed, and what is full already scores nothing more."""
    at = position(discs="BBBY/YYYY", boards=[board(lines="R")])
    assert summary(at, "1BF") == take_effects(0, 3, penalty=-4)


@pytest.mark.parametrize(("lying", "penalty"), [*enumerate((-1, -1, -2, -2, -2, -3, -3, 0))])
def test_a_tile_costs_what_its_space_is_worth(lying: int, penalty: int) -> None:
    """AZ-3, AZ-22: -1 -1 -2 -2 -2 -3 -3; AZ-18: a full floor line costs no more, though the tile falls all the same."""
    at = position(discs="BYYY", boards=[board(floor="RRRRKKK"[:lying]), board(floor="m")])
    assert summary(at, "1BF") == take_effects(0, 1, penalty=penalty)


@pytest.mark.parametrize("lying", range(8))
def test_several_tiles_cost_what_their_spaces_are_worth(lying: int) -> None:
    """AZ-3, AZ-18: four more spaces, or as many as there are."""
    spaces = (1, 1, 2, 2, 2, 3, 3)[lying : lying + 4]
    at = position(discs="BBBB/Y", boards=[board(floor="RRRRKKK"[:lying]), board(floor="m")])
    assert summary(at, "1BF") == take_effects(0, 4, penalty=-sum(spaces))


def test_the_marker_falls_before_the_tiles() -> None:
    """AZ-13: the marker takes the first free space; with six taken the tile behind it finds none."""
    at = position(centre="YKK")
    assert summary(at, "CK2") == take_effects(2, marker=True, penalty=-1, completes=True, points=1)
    assert summary(at, "CK1") == take_effects(1, 1, marker=True, penalty=-2, completes=True, points=1)
    six = position(centre="YKK", boards=[board(floor="RRRBBB")])
    assert summary(six, "CK1") == take_effects(1, 1, marker=True, penalty=-3, completes=True, points=1)


def test_only_the_first_take_from_the_centre_brings_the_marker() -> None:
    """AZ-13: not a later one, and none from a factory."""
    at = position(discs="YKKK", centre="YKK", boards=[board(), board(floor="m")])
    assert summary(at, "CK2") == take_effects(2, completes=True, points=1)
    assert summary(position(discs="YYKK", centre="YKK"), "1K2") == take_effects(2, completes=True, points=1)


def test_a_full_floor_line_has_no_space_for_the_marker() -> None:
    """AZ-18 (ruling): it is taken, and costs nothing."""
    at = position(centre="YKK", boards=[board(floor="RRRBBBW")])
    assert summary(at, "CKF") == take_effects(0, 2, marker=True)


def test_what_stays_on_the_keeper_or_goes_to_neighbours_is_not_the_players() -> None:
    """MC-6, MC-7: only tiles that were taken are reported, wherever the others go."""
    keeper = position("2,specials", discs="keeper:BBBY/extra:-")
    assert summary(keeper, "1B2") == take_effects(2, 1, penalty=-1, completes=True, points=1)
    spreader = position("2,specials", discs="-/extra:-/spreader:BBYR")
    for way in ("<YR", ">YR", "<Y>R", "<R>Y"):
        assert summary(spreader, f"3B1{way}") == take_effects(1, 1, penalty=-1, completes=True, points=1)


def test_the_last_tile_of_a_keeper_or_a_spreader_ends_the_offer() -> None:
    """MC-6, MC-7, AZ-19: the tiling is reported then, and not while a tile is left."""
    for kind in ("keeper", "spreader"):
        ends = summary(position("2,specials", discs=f"{kind}:BB/extra:-"), "1B2")
        assert ends == {**take_effects(2, completes=True, points=1), "tiling": [tile(0, 1, 1, "B", 1)]}
    goes_on = summary(position("2,specials", discs="keeper:BBY/extra:-"), "1B2")
    assert goes_on == take_effects(2, completes=True, points=1)


def test_a_tile_on_the_saucer_is_neither_placed_nor_fallen() -> None:
    """MC-8: of three blue tiles one fits, one is caught, one falls. A saucer that is used or another's catches none."""
    discs = "saucer:gone/extra:BBB/YY"
    free = position("2,specials", discs=discs, boards=[board(saucer=""), board(floor="m")])
    assert summary(free, "2B1") == take_effects(1, 1, penalty=-1, completes=True, points=1)
    assert summary(free, "2B2") == take_effects(2, 0, completes=True, points=1)
    assert summary(free, "2BF") == take_effects(0, 2, penalty=-2)
    used = position("2,specials", discs=discs, boards=[board(saucer="K"), board(floor="m")])
    assert summary(used, "2B1") == take_effects(1, 2, penalty=-2, completes=True, points=1)
    others = position("2,specials", discs=discs, boards=[board(), board(saucer="", floor="m")])
    assert summary(others, "2B1") == take_effects(1, 2, penalty=-2, completes=True, points=1)


def test_the_saucer_catches_in_the_move_that_takes_it() -> None:
    """MC-9 (ruling)."""
    at = position("2,specials", discs="saucer:BBBY/extra:KKKK")
    assert summary(at, "1B1") == take_effects(1, 1, penalty=-1, completes=True, points=1)
    assert summary(at, "1BF") == take_effects(0, 2, penalty=-2)
    assert summary(at, "1B3") == take_effects(3, 0, completes=True, points=1)


def test_a_marker_on_the_saucer_costs_nothing_and_leaves_the_tiles_to_fall() -> None:
    """MC-9 (ruling): it comes first."""
    at = position("2,specials", discs="saucer:gone/extra:-", centre="YKK", boards=[board(saucer="")])
    assert summary(at, "CK2") == take_effects(2, marker=True, completes=True, points=1)
    assert summary(at, "CK1") == take_effects(1, 1, marker=True, penalty=-1, completes=True, points=1)
    used = position("2,specials", discs="saucer:gone/extra:-", centre="YKK", boards=[board(saucer="B")])
    assert summary(used, "CK1") == take_effects(1, 1, marker=True, penalty=-2, completes=True, points=1)


def test_a_free_saucer_comes_before_a_full_floor_line() -> None:
    """MC-9 (ruling): one of two tiles is caught, the other falls to the lid and costs nothing."""
    boards = [board(floor="RRRRKKK", saucer=""), board(floor="m")]
    at = position("2,specials", discs="saucer:gone/extra:BB/Y", boards=boards)
    assert summary(at, "2BF") == take_effects(0, 1)


# Points of a line that is completed


@pytest.mark.parametrize(
    ("wall", "points"),
    [
        ("B...W/W...K/...../R...Y/Y...B", 1),  # nothing beside it
        ("...../...../.W...", 2),  # a run of 2 across
        ("...../...../K..Y.", 2),  # a gap ends the run
        ("..R../..Y../...../..W..", 4),  # a run of 4 down
        ("...../..Y../.W...", 4),  # 2 across and 2 down
        ("...../..Y../KW.Y./..W..", 7),  # AZ-24: 4 across and 3 down
        ("...../...../KW.YR", 5),  # a whole row: its bonus comes at the end of the game (AZ-40)
        ("..R../..Y../KW.YR/..W../..K..", 10),  # a whole cross, without its bonuses
    ],
)
def test_a_completed_line_scores_the_runs_of_its_tile(wall: str, points: int) -> None:
    """AZ-21: a blue tile in the middle of the wall; two of three are there already."""
    at = position(discs="BYYY", boards=[board(score=30, lines="-/-/BB", wall=wall)])
    assert summary(at, "1B3") == take_effects(1, completes=True, points=points)


def test_a_completed_line_may_help_a_full_one_below() -> None:
    """AZ-20, AZ-21: white in row 2 has scored 2 over the black tile; under a blue one (1) it scores 3."""
    at = position(discs="BYYY", boards=[board(lines="-/WW", wall="...../...../K....")])
    assert summary(at, "1B1") == take_effects(1, completes=True, points=1 + 3 - 2)


def test_the_points_of_others_and_of_lines_that_are_full_already_are_not_reported_again() -> None:
    """AZ-20: far from each other, the blue tile scores 1 whatever else is full."""
    at = position(discs="BYYY", boards=[board(lines="-/-/-/-/BBBBB"), board(lines="R/RR/RRR", floor="m")])
    assert summary(at, "1B1") == take_effects(1, completes=True, points=1)


def test_on_the_grey_wall_points_wait_for_the_choice() -> None:
    """AZ-50: with several cells nobody knows; AZ-52: with one the tile goes there; AZ-51: with none all tiles fall."""
    several = position("2,grey", discs="BYYY", boards=[board(lines="-/-/-/-/BBBB")])
    assert summary(several, "1B5") == take_effects(1, completes=True, points=None)
    assert summary(several, "1B3") == take_effects(1)
    wall = "B..../.B.../..B../...../....R"
    one = position("2,grey", discs="BYYY", boards=[board(lines="-/-/-/-/BBBB", wall=wall)])
    assert summary(one, "1B5") == take_effects(1, completes=True, points=2)  # in column 4, beside the red one
    none = position("2,grey", discs="BYYY", boards=[board(lines="-/-/-/-/BBBB", wall=NO_CELL)])
    assert summary(none, "1B5") == take_effects(1, completes=True, points=0)


def test_on_the_grey_wall_points_wait_for_the_choice_of_another_line() -> None:
    """AZ-50: line 5 has one cell, but a cell for line 1 is chosen first, and it may be in the same column."""
    wall = "...../.B.../..B../...B./....R"
    at = position("2,grey", discs="BYYY", boards=[board(lines="R/-/-/-/BBBB", wall=wall)])
    assert summary(at, "1B5") == take_effects(1, completes=True, points=None)


# The tiling


@pytest.mark.parametrize("colour", LETTERS)
def test_the_last_take_of_a_round_tells_the_tiling(colour: str) -> None:
    """AZ-19, AZ-20: the tile goes where its colour belongs in row 1 (AZ-6); the marker costs 1 of 7 points."""
    at = position(centre=colour, boards=[board(score=7)])
    takes = take_effects(1, marker=True, penalty=-1, completes=True, points=1)
    steps = [tile(0, 0, LETTERS.index(colour), colour, 1), floor(0, -1)]
    assert summary(at, f"C{colour}1") == {**takes, "tiling": steps}


def test_seats_tile_one_after_the_other_from_the_starter_and_top_to_bottom() -> None:
    """AZ-20, AZ-22, AZ-52: seat 2 began. It has 1 point and pays no more than that; seat 3 only pays for the marker;
    of seat 1 the second tile joins the first and a black one."""
    boards = [
        board(score=5, lines="B/WW/-", wall="...../...../K....", floor="RR"),
        board(lines="-/-/RRR", floor="KK"),
        board(score=3, lines="-/B", floor="m"),
    ]
    at = position("3", "offer:1", centre="W", boards=boards, starter=2)
    assert summary(at, "CW3") == {
        **take_effects(1),
        "tiling": [
            tile(1, 2, 4, "R", 1),
            floor(1, -1),
            floor(2, -1),
            tile(0, 0, 0, "B", 1),
            tile(0, 1, 0, "W", 3),
            floor(0, -2),
        ],
    }
    assert at.play("CW3").scores() == (7, 0, 2)


def test_an_empty_floor_line_is_no_step_and_one_without_points_to_pay_is() -> None:
    """AZ-22: seat 1 has nothing there; seat 2 has the marker and a tile, and no points."""
    assert summary(last(board(score=4)), "CWF")["tiling"] == [floor(1, 0)]


def test_a_tile_that_falls_with_the_last_take_is_paid_for_at_once() -> None:
    """AZ-17, AZ-22: the penalty of the take and the cost of the whole floor line are reported side by side."""
    at = position(centre="BBB", boards=[board(score=20, floor="RR")])
    assert summary(at, "CB1") == {
        **take_effects(1, 2, marker=True, penalty=-6, completes=True, points=1),
        "tiling": [tile(0, 0, 0, "B", 1), floor(0, -8)],
    }


def test_what_lies_on_the_saucer_costs_nothing() -> None:
    """MC-8, MC-9: neither a tile nor the marker."""
    discs = "saucer:gone/extra:-"
    tiled = last(board(score=5, saucer="K"), board(score=5, floor="m"), variant="2,specials", discs=discs)
    assert summary(tiled, "CWF")["tiling"] == [floor(1, -2)]
    marker = summary(last(board(), board(score=5, saucer=""), variant="2,specials", discs=discs), "CWF")
    assert marker == {**take_effects(0, 1, marker=True, penalty=-1), "tiling": [floor(1, -1)]}


def test_bonuses_come_last() -> None:
    """AZ-40: row, column and colour, for all seats; the points of the tiles are reported without them."""
    cross = board(lines="-/-/BBB", wall="..R../..Y../KW.YR/..W../..K..")
    blue = board(score=4, lines="-/-/-/-/BBBBB", wall="B..../.B.../..B../...B.")
    at = last(cross, blue)
    assert summary(at, "CWF")["tiling"] == [
        tile(0, 2, 2, "B", 10),
        tile(1, 4, 4, "B", 1),
        floor(1, -2),
        bonus(0, "row", 2),
        bonus(0, "column", 7),
        bonus(1, "colour", 10),
    ]
    assert at.play("CWF").scores() == (19, 13)


def test_two_rows_are_one_bonus() -> None:
    """AZ-40: 2 points each."""
    at = last(board(lines="W/KK", wall="BYRK./WBYR."), board(floor="m"))
    tiles = [tile(0, 0, 4, "W", 5), tile(0, 1, 4, "K", 7)]
    assert summary(at, "CWF")["tiling"] == [*tiles, floor(1, 0), bonus(0, "row", 4)]


COLUMN = "..R../..Y../..B../..W../..K.."


def test_a_game_that_was_cut_off_has_no_bonuses() -> None:
    """AZ-34, AZ-40: the column is complete but scores nothing."""
    at = last(board(wall=COLUMN), variant="2,rounds=1")
    assert summary(at, "CWF")["tiling"] == [floor(1, 0)]
    assert at.play("CWF").actor == OVER


def test_a_game_that_stalls_has_its_bonuses() -> None:
    """AZ-35, AZ-40."""
    at = last(board(wall=COLUMN), variant="2,stall=1")
    assert summary(at, "CWF")["tiling"] == [floor(1, 0), bonus(0, "column", 7)]


def test_a_game_that_goes_on_has_no_bonuses() -> None:
    """AZ-40: a column alone ends nothing."""
    assert summary(last(board(wall=COLUMN)), "CWF")["tiling"] == [floor(1, 0)]


# The tiling of a grey wall


def test_the_tiling_is_given_up_to_a_choice() -> None:
    """AZ-50, AZ-52: line 1 has one cell, line 2 needs a choice, and seat 2 follows after that."""
    at = last(board(lines="W/BB", wall="KYB.R"), board(lines="-/RR"), variant="2,grey")
    assert summary(at, "CWF") == {**take_effects(0, 1, marker=True, penalty=-2), "tiling": [tile(0, 0, 3, "W", 5)]}
    assert summary(last(board(lines="-/BB"), variant="2,grey"), "CWF")["tiling"] == []


def test_a_seat_without_a_choice_comes_before_the_choice_of_another() -> None:
    """AZ-52: seat 1 pays for its floor line, seat 2 has to choose."""
    at = last(board(score=5, lines="-/B", floor="KK"), board(lines="B"), variant="2,grey")
    assert summary(at, "CWF")["tiling"] == [floor(0, -2)]


def test_a_choice_is_told_with_its_points() -> None:
    """AZ-50, AZ-21: red in row 1 scores 1; blue below it 2 down and 2 across; then seat 2 pays."""
    at = last_take(board(lines="R/BB", wall="...../K..Y."), variant="2,grey")
    assert summary(at, "1:2") == {"points": 1, "tiling": [tile(0, 0, 1, "R", 1)]}
    assert summary(at.play("1:2"), "2:2") == {"points": 4, "tiling": [tile(0, 1, 1, "B", 4), floor(1, 0)]}
    assert summary(at.play("1:2"), "2:5") == {"points": 2, "tiling": [tile(0, 1, 4, "B", 2), floor(1, 0)]}


def test_what_a_choice_leads_to_is_told_with_it() -> None:
    """AZ-52, AZ-51: after column 1 the blue line below has one cell left, after column 5 none, and falls for 2."""
    at = last_take(board(score=9, lines="B/BB", wall="...../YRK../...B."), variant="2,grey")
    steps = [tile(0, 0, 0, "B", 2), tile(0, 1, 4, "B", 1), floor(1, 0)]
    assert summary(at, "1:1") == {"points": 2, "tiling": steps}
    assert summary(at, "1:5") == {"points": 1, "tiling": [tile(0, 0, 4, "B", 1), floor(0, -2), floor(1, 0)]}


def test_the_seats_behind_a_choice_tile_up_to_the_next_one() -> None:
    """AZ-52: seat 3 chooses last, and seat 2, who began, is done."""
    boards = [board(score=3, lines="-/B", floor="K"), board(lines="Y"), board(lines="-/-/RRR", floor="m")]
    at = last_take(*boards, variant="3,grey", starter=2)
    assert at.actor == 1
    assert summary(at, "1:1") == {"points": 1, "tiling": [tile(1, 0, 0, "Y", 1), floor(1, -1)]}
    assert summary(at.play("1:1"), "3:3") == {
        "points": 1,
        "tiling": [tile(2, 2, 2, "R", 1), floor(2, -1), floor(0, -1)],
    }


def test_a_choice_may_end_the_game() -> None:
    """AZ-30, AZ-40: row 1 was complete before it."""
    at = last_take(board(lines="W/BB", wall="KYB.R"), variant="2,grey")
    steps = [tile(0, 1, 3, "B", 2), floor(1, 0), bonus(0, "row", 2)]
    assert summary(at, "2:4") == {"points": 2, "tiling": steps}


@pytest.mark.parametrize(("score", "paid"), [(20, -8), (5, -5), (0, 0)])
def test_a_line_without_a_cell_falls_and_is_paid_for(score: int, paid: int) -> None:
    """AZ-51, AZ-22: five tiles for 8 points, or for what there is."""
    at = last(board(score=score, lines="-/-/-/-/BBBBB", wall=NO_CELL), board(floor="m"), variant="2,grey")
    assert summary(at, "CWF")["tiling"] == [floor(0, paid), floor(1, 0)]


def test_a_line_may_be_completed_only_to_fall() -> None:
    """AZ-53, AZ-51: the fifth tile is placed; then all five fall, beside one that lies there."""
    boards = [board(score=20, lines="-/-/-/-/BBBB", wall=NO_CELL, floor="K"), board(floor="m")]
    at = position("2,grey", discs="B", boards=boards)
    steps = [floor(0, -11), floor(1, 0)]
    assert summary(at, "1B5") == {**take_effects(1, completes=True, points=0), "tiling": steps}


def test_a_line_that_has_fallen_is_paid_for_after_the_choices() -> None:
    """AZ-51, AZ-22: three blue tiles fall beside a black one; white in row 4 scores 1, and then 4 spaces cost 6."""
    wall = "B..../.B.../..RKY/...../....."
    boards = board(score=9, lines="-/-/BBB/WWWW", wall=wall, floor="K"), board(floor="m")
    at = last(*boards, variant="2,grey")
    assert summary(at, "CWF")["tiling"] == []
    assert summary(at.play("CWF"), "4:1")["tiling"] == [tile(0, 3, 0, "W", 1), floor(0, -6), floor(1, 0)]


def test_the_saucer_catches_one_tile_of_a_line_that_falls() -> None:
    """MC-9 (ruling), AZ-51: four of five cost 6. A line of one tile is caught whole, so nothing is to be paid."""
    parts: dict[str, Any] = {"variant": "2,grey,specials", "discs": "saucer:gone/extra:-"}
    five = last(board(score=20, lines="-/-/-/-/BBBBB", wall=NO_CELL, saucer=""), board(floor="m"), **parts)
    assert summary(five, "CWF")["tiling"] == [floor(0, -6), floor(1, 0)]
    wall = "R..../.B.../..B../...B./....B"
    one = last(board(score=20, lines="B", wall=wall, saucer=""), board(floor="m"), **parts)
    assert summary(one, "CWF")["tiling"] == [floor(1, 0)]


# Chance, refusals, and what is given


@pytest.mark.parametrize("move", ["3B2", "1B1", "7B2", "CB2", "1:1", "+BBYR", "1B9", "hello", "", -1, 10**6, 10**12])
def test_what_is_no_legal_move_is_refused_as_by_playing_it(move: str | int) -> None:
    """AZ-12, AZ-16 and others: the same words, and the same rule."""
    at = position(discs="BBYR/YYYY", boards=[board(wall="B....")])
    for where in (at, at.seen_by(0)):
        check_refused_as_by_playing(where, move)


def test_when_a_game_is_over_every_move_is_refused() -> None:
    over = last(board(lines="W", wall="BYRK.")).play("CWF")
    assert over.actor == OVER
    with pytest.raises(NotLegal):
        summary(over, "CWF")


def test_a_move_may_be_a_text_or_a_number_and_the_position_stays_as_it_was() -> None:
    at = last(board(lines="B", floor="KK"))
    before = at.text
    assert summary(at, "CWF") == summary(at, at.action("CWF")) == summary(at.seen_by(0), "CWF")
    assert at.text == before


# Whole games


def tile_points(wall: list[str], line: int, column: int) -> int:
    """AZ-21, counted cell by cell."""

    def run(right: int, down: int) -> int:
        length = 1
        for sign in (1, -1):
            y, x = line + sign * down, column + sign * right
            while 0 <= y < 5 and 0 <= x < 5 and wall[y][x] != ".":
                length, y, x = length + 1, y + sign * down, x + sign * right
        return length

    return sum(length for length in (run(1, 0), run(0, 1)) if length > 1) or 1


def drop(mine: Board, things: str) -> str:
    """AZ-17, AZ-18, MC-8: things fall; returns what the saucer has caught."""
    caught = ""
    if mine["saucer"] == "" and things:
        caught, things = things[0], things[1:]
        mine["saucer"] = caught
    mine["floor"] = (mine["floor"] + things)[:7]
    return caught


def cells_for(mine: Board, line: int, colour: str, grey: bool) -> list[int]:
    """AZ-6, AZ-50: the columns to which a colour may go."""
    if not grey:
        return [WALL[line].index(colour)]
    return [
        column
        for column in range(5)
        if mine["wall"][line][column] == "." and all(row[column] != colour for row in mine["wall"])
    ]


class Choice(Exception):
    """A seat has to choose a cell."""


def tiles_of(seat: int, mine: Board, grey: bool, chosen: int | None = None) -> Iterator[Step]:
    """AZ-20, AZ-51: a seat tiles its wall, top to bottom; `chosen` is the column for its first full line."""
    for line in range(5):
        tiles = mine["lines"][line]
        if len(tiles) <= line:
            continue
        columns, chosen = (cells_for(mine, line, tiles[0], grey) if chosen is None else [chosen]), None
        if len(columns) > 1:
            raise Choice
        mine["lines"][line] = ""
        if not columns:
            drop(mine, tiles)
            continue
        (column,) = columns
        row = mine["wall"][line]
        mine["wall"][line] = row[:column] + tiles[0] + row[column + 1 :]
        points = tile_points(mine["wall"], line, column)
        mine["score"] += points
        yield tile(seat, line, column, tiles[0], points)


def tiling_of(boards: list[Board], first: int, grey: bool, chosen: int | None = None) -> Iterator[Step]:
    """AZ-20, AZ-22, AZ-52: all seats tile and pay, from one on and as far as nobody has to choose."""
    for seat in [*range(first, len(boards)), *range(first)]:
        mine = boards[seat]
        yield from tiles_of(seat, mine, grey, chosen)
        chosen = None
        if mine["floor"]:
            paid = min(mine["score"], COSTS[len(mine["floor"])])
            mine["score"] -= paid
            yield floor(seat, -paid)


def bonuses_of(boards: list[Board]) -> Iterator[Step]:
    """AZ-40."""
    for what, worth in (("row", 2), ("column", 7), ("colour", 10)):
        for seat, mine in enumerate(boards):
            wall = mine["wall"]
            sets = {"row": wall, "column": ["".join(column) for column in zip(*wall, strict=True)]}
            sets["colour"] = [letter * (5 if all(letter in row for row in wall) else 0) for letter in LETTERS]
            complete = sum(len(cells) == 5 and "." not in cells for cells in sets[what])
            if complete:
                mine["score"] += worth * complete
                yield bonus(seat, what, worth * complete)


def steps_of(boards: list[Board], first: int, after: Position, chosen: int | None = None) -> list[Step]:
    """The tiling between two positions, step by step."""
    steps = []
    try:
        for step in tiling_of(boards, first, is_grey(after), chosen):
            steps.append(step)  # one by one: what comes before a choice is kept
    except Choice:
        assert after.view["phase"] == "tiling"
        return steps
    assert after.view["phase"] != "tiling"
    if after.view["ended_by"] not in ("", "rounds"):
        steps += bonuses_of(boards)
    return steps


def is_grey(at: Position) -> bool:
    """AZ-5: which side of the wall is used."""
    assert isinstance(at.rules, Rules)
    return at.rules.wall == "grey"


def boards_of(at: Position) -> list[Board]:
    """The boards, as something that can be changed."""
    return [{**mine, "lines": [*mine["lines"]], "wall": [*mine["wall"]]} for mine in at.view["boards"]]


def worth_of(mine: Board, grey: bool) -> int | None:
    """What tiling this board would score now; None where there is a choice."""
    mine = {**mine, "lines": [*mine["lines"]], "wall": [*mine["wall"]]}
    try:
        return sum(int(step["points"]) for step in tiles_of(0, mine, grey))
    except Choice:
        return None


def expected(at: Position, action: int) -> tuple[dict[str, Any], int, str]:
    """What a move does by the rules, how many tiles it took, and what the saucer caught."""
    view, move, after = at.view, at.move_text(action), at.play(action)
    grey, seat, boards = is_grey(at), at.actor, boards_of(at)
    if ":" in move:
        steps = steps_of(boards, seat, after, int(move[2]) - 1)
        return {"points": steps[0]["points"], "tiling": steps}, 0, ""
    mine, colour = boards[seat], move[1]
    old = {**mine, "lines": [*mine["lines"]]}
    number = (view["centre"] if move[0] == "C" else view["factories"][int(move[0]) - 1]).count(colour)
    if move[0] != "C" and view["discs"][int(move[0]) - 1] == "saucer":
        mine["saucer"] = ""
    marker = move[0] == "C" and view["marker"] is None
    placed = 0
    if move[2] != "F":
        line = int(move[2]) - 1
        placed = min(number, line + 1 - len(old["lines"][line]))
        mine["lines"][line] += colour * placed
    completes = move[2] != "F" and len(mine["lines"][line]) == line + 1
    caught = drop(mine, "m" * marker + colour * (number - placed))
    points: int | None = 0
    if completes:
        before, now = worth_of(old, grey), worth_of(mine, grey)
        points = None if before is None or now is None else now - before
    effects = take_effects(
        placed,
        number - placed - (caught == colour),
        marker=marker,
        penalty=COSTS[len(old["floor"])] - COSTS[len(mine["floor"])],
        completes=completes,
        points=points,
    )
    if after.view["phase"] != "offer":
        effects["tiling"] = steps_of(boards, view["starter"], after)
    return effects, number, caught


def moves_of_games(rules: Rules) -> Iterator[tuple[Position, int]]:
    """Random games by players who seldom choose the floor line: positions, each with moves that are tried there. The
    last one is played."""
    for seed in range(5):
        at, chance, players = game("azul").new(rules.text), Stream("effects", seed), random.Random(seed)
        while at.actor != OVER:
            if at.actor == CHANCE:
                at = at.play(at.draw(chance))
                continue
            actions = at.actions()
            liked = [action for action in actions if at.move_text(action)[2] != "F"]
            action = players.choice(actions if players.random() < 0.1 else liked or actions)
            yield at, players.choice(actions)
            yield at, action
            at = at.play(action)


def names(rules: Rules) -> str:
    return rules.text


@cache
def tried(rules: Rules) -> Counter[str]:
    """Every move of some games against the rules; returns what has occurred in them."""
    seen: Counter[str] = Counter()
    for at, action in moves_of_games(rules):
        effects, after = summary(at, action), at.play(action)
        wanted, number, caught = expected(at, action)
        assert effects == wanted, (at.text, at.move_text(action))
        assert json.loads(json.dumps(effects)) == effects
        steps = effects.get("tiling", [])
        old, new = at.view["boards"], after.view["boards"]

        # The reported effects add up to what has changed.
        for seat in range(at.seats):
            sums = [step.get("floor", step.get("points")) for step in steps if step["seat"] == seat]
            assert sum(sums) == new[seat]["score"] - old[seat]["score"]
            tiles = [step for step in steps if step["seat"] == seat and "line" in step]
            cells = [(step["line"], step["column"], step["colour"]) for step in tiles]
            changed = [
                (line, column, new[seat]["wall"][line][column])
                for line in range(5)
                for column in range(5)
                if new[seat]["wall"][line][column] != old[seat]["wall"][line][column]
            ]
            assert cells == changed
            if seat != at.actor:
                lines = enumerate(zip(old[seat]["lines"], new[seat]["lines"], strict=True))
                emptied = sum(len(tiles) > line and not now for line, (tiles, now) in lines)
                seen["lines that fell"] += emptied - len(cells)
        if "placed" in effects:
            assert effects["placed"] + effects["fallen"] + (caught not in ("", "m")) == number
            seen["placed" if effects["placed"] else "floor"] += 1
            seen["marker"] += effects["marker"]
            seen["caught a marker" if caught == "m" else "caught a tile"] += bool(caught)
            seen["points unknown"] += effects["points"] is None
            seen["points known"] += bool(effects["points"])
            seen["full floor"] += effects["fallen"] > 0 and not effects["penalty"]
        else:
            seen["choice"] += 1
        seen["several tiles"] += sum("line" in step for step in steps) > 1
        seen["nothing to pay with"] += any(step.get("floor") == 0 for step in steps)
        for step in steps:
            seen[step.get("bonus", "tile" if "line" in step else "floor line")] += 1
    return seen


@pytest.mark.parametrize("rules", AZUL, ids=names)
def test_effects_are_what_the_rules_say_and_what_happens(rules: Rules) -> None:
    """AZ-12 to AZ-22, AZ-40, AZ-50 to AZ-52, MC-6 to MC-9: every move of some games, worked out a second time."""
    assert tried(rules)["tile"]


def test_all_of_it_has_occurred_in_those_games() -> None:
    """Otherwise the test above could pass without testing something."""
    seen = sum((tried(rules) for rules in AZUL), Counter[str]())
    takes = {"placed", "floor", "marker", "full floor", "caught a tile", "caught a marker"}
    points = {"points known", "points unknown", "row", "column", "colour", "nothing to pay with"}
    tiling = {"choice", "tile", "several tiles", "floor line", "lines that fell"}
    assert {name for name, number in seen.items() if number > 0} == takes | points | tiling
