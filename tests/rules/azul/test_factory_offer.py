"""A. Factory offer: AZ-10 to AZ-19."""

from __future__ import annotations

from math import comb

import pytest

import tilery
from tests.notation import texts

from .positions import board, board_of, counts, last_take, play, position, rule_against

AZUL = tilery.game("azul")
HELD = board(floor="m")  # the board of somebody who has the marker already


def test_a_round_begins_with_four_tiles_on_each_factory_and_the_marker_in_the_centre() -> None:
    """AZ-10: 20 tiles leave the bag of two players."""
    at = play(AZUL.new(), "+BBYR", "+YYYY", "+RKKW", "+BYRK", "+BBWW")
    assert at.view["factories"] == ("BBYR", "YYYY", "RKKW", "BYRK", "BBWW")
    assert at.view["bag"] == (15, 14, 17, 17, 17)
    assert (at.view["centre"], at.view["marker"], at.actor) == ("", None, 0)


def test_every_draw_of_four_has_the_probability_of_drawing_blindly() -> None:
    """AZ-10: each as likely as it is by hand, from a bag with few red tiles and no white one."""
    bag = "B" * 8 + "Y" * 4 + "R" * 2 + "K" * 7
    probabilities = position(phase="fill", bag=bag, discs="-").probabilities()
    draws = {text: counts(text) for text in probabilities}
    assert sum(probabilities.values()) == pytest.approx(1)
    assert len(probabilities) == 35 - 4  # four of four colours, but not three or four red ones
    for text, (b, y, r, k, _) in draws.items():
        ways = comb(8, b) * comb(4, y) * comb(2, r) * comb(7, k)
        assert probabilities[text] == pytest.approx(ways / comb(21, 4))


def test_nobody_takes_before_all_factories_are_filled() -> None:
    """AZ-10: with four tiles each and no fewer; the moves come after the last deal, and no deal among them."""
    filling = AZUL.new().play("+BBBB")
    assert rule_against(filling, "+BBB") == "AZ-10"
    assert rule_against(filling, "1B1") == "AZ-10"
    assert filling.actor == tilery.CHANCE
    assert rule_against(position(discs="BBBB"), "+BBYR") == "AZ-12"


def test_turns_go_clockwise_from_the_starting_player() -> None:
    """AZ-11: with seat 2 of 3 to begin: 2, 3, 1, 2."""
    at = position("3", "offer:2", discs="BBBB/YYYY/RRRR/KKKK/WWWW", starter=2)
    actors = [at.actor]
    for move in ("1B1", "2Y1", "3R1"):
        at = at.play(move)
        actors.append(at.actor)
    assert actors == [1, 2, 0, 1]


def test_only_the_player_whose_turn_it_is_moves() -> None:
    """AZ-11: the others, and chance, are refused."""
    at = position(discs="BBBB/YYYY")
    for somebody in (1, tilery.CHANCE):
        with pytest.raises(tilery.NotYourTurn):
            at.play("1B1", by=somebody)
    assert at.play("1B1", by=0).actor == 1
    with pytest.raises(tilery.NotYourTurn):
        AZUL.new().play("+BBBB", by=0)


@pytest.mark.parametrize("text", ["", "0B1", "1G1", "1B6", "1B0", "1B", "b", "1b1", "CBF ", "10B1", "+BBBBB", "+YB"])
def test_a_text_that_is_no_move_has_its_own_error(text: str) -> None:
    """AZ-12, AZ-13: a place, a colour and a line or the floor; anything else is not a move."""
    with pytest.raises(tilery.NotAMove):
        position(discs="BBBB").play(text)
    for number in (-1, 10**9):
        with pytest.raises(tilery.NotAMove):
            position(discs="BBBB").play(number)


def test_all_tiles_of_a_colour_leave_the_factory_and_the_rest_goes_to_the_centre() -> None:
    """AZ-12: two blue ones are taken, yellow and red join the white one in the centre."""
    after = position(discs="BBYR/KKKK", centre="W").play("1B2")
    assert after.view["factories"] == ("", "KKKK", "", "", "")
    assert after.view["centre"] == "YRW"
    assert board_of(after, 0)["lines"] == ("", "BB", "", "", "")
    assert after.view["marker"] is None


@pytest.mark.parametrize(("move", "rule"), [("1K1", "AZ-12"), ("2BF", "AZ-12"), ("CB1", "AZ-13"), ("CWF", "AZ-13")])
def test_a_colour_cannot_be_taken_where_it_does_not_lie(move: str, rule: str) -> None:
    """AZ-12, AZ-13: not from other tiles, from an empty factory or from the centre."""
    assert rule_against(position(discs="BBYR", centre="K"), move) == rule


def test_the_first_to_take_from_the_centre_also_takes_the_marker() -> None:
    """AZ-13: all black tiles and the marker; the next one gets tiles only."""
    first = position(discs="BBBB", centre="YKKW").play("CK2")
    assert board_of(first, 0)["lines"][1] == "KK"
    assert board_of(first, 0)["floor"] == "m"
    assert (first.view["centre"], first.view["marker"]) == ("YW", 0)
    second = first.play("CY1")
    assert board_of(second, 1)["floor"] == ""
    assert second.view["marker"] == 0


@pytest.mark.parametrize(
    ("move", "before", "floor"),
    [("CKF", "", "mKKK"), ("CK1", "", "mKK"), ("CKF", "RY", "RYmKKK"), ("CK1", "RY", "RYmKK")],
)
def test_the_marker_lies_down_before_the_tiles_of_the_turn(move: str, before: str, floor: str) -> None:
    """AZ-13: leftmost free space first for the marker, then for what falls."""
    after = position(discs="BBBB", centre="KKK", boards=[board(floor=before)]).play(move)
    assert board_of(after, 0)["floor"] == floor


def test_a_take_goes_to_one_line_or_to_the_floor() -> None:
    """AZ-14: on an empty board three colours can go to six places each; all tiles stay together."""
    at = position(discs="BBYR", boards=[board(), HELD])
    assert sorted(texts(at)) == sorted(f"1{colour}{to}" for colour in "BYR" for to in "12345F")
    on_a_line, on_the_floor = board_of(at.play("1B4"), 0), board_of(at.play("1BF"), 0)
    assert (on_a_line["lines"], on_a_line["floor"]) == (("", "", "", "BB", ""), "")
    assert (on_the_floor["lines"], on_the_floor["floor"]) == (("",) * 5, "BB")


def test_a_line_with_tiles_takes_only_their_colour_and_a_full_one_takes_none() -> None:
    """AZ-15: line 1 is full, line 2 holds red, line 3 holds blue."""
    at = position(discs="BBBB/K", boards=[board(lines="B/R/B"), HELD])
    assert set(texts(at)) == {"1B3", "1B4", "1B5", "1BF", "2K4", "2K5", "2KF"}
    assert rule_against(at, "1B1") == "AZ-15"
    assert rule_against(at, "1B2") == "AZ-15"
    assert board_of(at.play("1B3"), 0)["lines"][2] == "BBB"
    assert board_of(at.play("1B3"), 0)["floor"] == "BB"
    with pytest.raises(tilery.BadText, match="AZ-15"):
        position(discs="BBBB", boards=[board(lines="-/BY")])


def test_a_line_takes_no_colour_that_its_wall_row_shows() -> None:
    """AZ-16: blue is on rows 1 and 4; row 2 shows other colours only."""
    wall = "B..../W...K/...../...B./....."
    at = position(discs="BBBB/WWWW", boards=[board(wall=wall), HELD])
    assert set(texts(at)) == {"1B2", "1B3", "1B5", "1BF", "2W1", "2W3", "2W4", "2W5", "2WF"}
    assert rule_against(at, "1B1") == "AZ-16"
    assert rule_against(at, "1B4") == "AZ-16"
    assert rule_against(at, "2W2") == "AZ-16"
    with pytest.raises(tilery.BadText, match="AZ-16"):
        position(discs="BBBB", boards=[board(lines="-/B", wall="...../.B...")])


def test_what_does_not_fit_falls_behind_what_lies_on_the_floor_already() -> None:
    """AZ-17: two of four tiles fit, two fall, left to right."""
    after = position(discs="BBBB/Y", boards=[board(lines="-/-/B", floor="RK"), HELD]).play("1B3")
    assert board_of(after, 0)["lines"][2] == "BBB"
    assert board_of(after, 0)["floor"] == "RKBB"


def test_the_floor_can_always_be_chosen() -> None:
    """AZ-17: even when lines are free, when none is, and when the floor line is full."""
    shut = board(lines="Y/Y/Y/Y/Y", floor="RRRRKKK")
    at = position(discs="BBBB", boards=[shut, HELD])
    assert texts(at) == ["1BF"]
    assert at.refusal("1BF") is None


def test_tiles_beyond_the_seventh_space_go_to_the_lid() -> None:
    """AZ-18: of four fallen tiles one fits; with a full floor no tile of a line's overflow does."""
    after = position(discs="BBBB/Y", boards=[board(floor="RRRKKK"), HELD]).play("1BF")
    assert board_of(after, 0)["floor"] == "RRRKKKB"
    assert after.view["lid"] == (3, 0, 0, 0, 0)
    after = position(discs="BBBB/Y", boards=[board(floor="RRRKKKK"), HELD]).play("1B2")
    assert (board_of(after, 0)["lines"][1], board_of(after, 0)["floor"]) == ("BB", "RRRKKKK")
    assert after.view["lid"] == (2, 0, 0, 0, 0)


def test_the_marker_takes_the_seventh_space_before_a_tile_does() -> None:
    """AZ-13, AZ-18: the marker lies down, both tiles go to the lid."""
    after = position(discs="BBBB", centre="WW", boards=[board(floor="RRRKKK")]).play("CWF")
    assert board_of(after, 0)["floor"] == "RRRKKKm"
    assert after.view["lid"] == (0, 0, 0, 0, 2)


def test_with_a_full_floor_the_marker_is_kept_beside_it() -> None:
    """AZ-18 (ruling): it pushes nothing out, costs nothing, and its taker still starts the next round."""
    full = board(score=30, floor="RRRKKKY")
    taken = position(discs="BBBB", centre="WW", boards=[board(), full], phase="offer:2").play("CW2")
    assert board_of(taken, 1)["floor"] == "RRRKKKY"
    assert taken.view["marker"] == 1
    assert taken.view["lid"] == (0, 0, 0, 0, 0)
    after = last_take(board(), full)
    assert after.scores() == (0, 30 - 14)
    assert (after.view["starter"], after.view["lid"]) == (1, (0, 1, 3, 3, 1))


def test_the_offer_lasts_until_centre_and_factories_are_empty() -> None:
    """AZ-19: one tile in the centre is enough to go on, and so is one factory."""
    mine = board(lines="Y/-/-/-/-")
    in_the_centre = position(discs="BBBK", boards=[mine, HELD]).play("1B3")
    assert (in_the_centre.view["phase"], in_the_centre.actor) == ("offer", 1)
    on_a_factory = position(discs="BBBB/K", boards=[mine, HELD]).play("1B4")
    assert (on_a_factory.view["phase"], on_a_factory.actor) == ("offer", 1)
    assert board_of(on_a_factory, 0)["lines"][0] == "Y"
    at_the_end = position(discs="BBBB", boards=[mine, HELD]).play("1B5")
    assert (at_the_end.view["phase"], at_the_end.view["round"]) == ("fill", 2)
    assert board_of(at_the_end, 0)["wall"][0] == ".Y..."
    with pytest.raises(tilery.BadText, match="AZ-19"):
        position(discs="-")
