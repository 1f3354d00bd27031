"""C. Next round: AZ-30 to AZ-35."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import pytest

import tilery
from tests.notation import texts

from .positions import (
    board,
    board_of,
    counts,
    in_order,
    last_take,
    outcome_of,
    play,
    position,
    rule_against,
    wall_without_column,
)

AZUL = tilery.game("azul")
COLUMN = "B..../W..../K..../R..../Y...."  # the first column of the coloured wall, worth 7 at the end

# Three boards that hold 89 tiles: 60 on walls, the rest on lines that are not full.
HOARD = (
    board(lines="-/W/K/RRR/YYYY", wall=wall_without_column(1)),
    board(lines="-/B/WW/KKK/RRRR", wall=wall_without_column(2)),
    board(lines="-/Y/BB/WWW/KKKK", wall=wall_without_column(3)),
)


def test_a_complete_row_ends_the_game_after_the_tiling() -> None:
    """AZ-30: seat 1 completes row 1; seat 2 still tiles and pays for its floor; then nobody moves any more."""
    after = last_take(board(lines="W", wall="BYRK."), board(score=10, lines="-/BB"))
    result = outcome_of(after)
    assert (result.rule, result.truncated) == ("AZ-30", False)
    assert result.scores == (5 + 2, 10 + 1 - 2)
    assert board_of(after, 1)["wall"][1] == ".B..."
    assert texts(after) == []
    for move in ("1B1", "CWF", "+BBYR", "1:1"):
        assert rule_against(after, move) == "AZ-30"


def test_neither_a_column_nor_four_of_a_row_end_the_game() -> None:
    """AZ-30: only a row of five does."""
    after = last_take(board(lines="-/-/-/-/YYYYY", wall="BYR../W..../K..../R...."), board(lines="K", wall="BYR.."))
    assert board_of(after, 0)["wall"][4] == "Y...."
    assert board_of(after, 1)["wall"][0] == "BYRK."
    assert (after.outcome, after.actor, after.view["round"]) == (None, tilery.CHANCE, 2)


@pytest.mark.parametrize(("floors", "starter"), [(("m", "", ""), 0), (("", "m", ""), 1), (("", "", "m"), 2)])
def test_whoever_holds_the_marker_starts_the_next_round(floors: tuple[str, str, str], starter: int) -> None:
    """AZ-31: neither the player who started this one nor the one who moved last."""
    after = last_take(*(board(floor=floor) for floor in floors), variant="3", starter=3)
    assert (after.view["starter"], after.view["marker"]) == (starter, None)
    assert after.settle(tilery.Stream("next")).actor == starter


def test_the_same_player_starts_again_if_nobody_took_the_marker() -> None:
    """AZ-31 (ruling): factories of one colour, or a keeper, leave the centre empty."""
    plain = position(phase="offer:1", discs="BBBB", starter=2).play("1BF")
    assert (plain.view["starter"], plain.view["marker"], plain.view["round"]) == (1, None, 2)
    keeper = play(position("2,specials", "offer:2", discs="keeper:BBYR/extra:-", starter=2), "1BF", "1YF", "1RF")
    assert (keeper.view["starter"], keeper.view["marker"], keeper.view["round"]) == (1, None, 2)


def test_the_lid_is_poured_in_only_when_the_next_tile_is_needed() -> None:
    """AZ-32: the last four tiles of the bag fill the last factory, and the lid stays as it is."""
    at = position(phase="fill", discs="BBBB/YYYY/RRRR/KKKK/-", bag="BRWW")
    assert texts(at) == ["+BRWW"]
    after = at.play("+BRWW")
    assert after.view["bag"] == (0, 0, 0, 0, 0)
    assert after.view["lid"] == (15, 16, 15, 16, 18)
    assert (after.view["phase"], after.actor) == ("offer", 0)


def test_factories_are_filled_in_order_and_an_empty_bag_is_refilled_between_them() -> None:
    """AZ-32: the fourth factory empties the bag, the fifth is drawn from the lid."""
    at = position(phase="fill", discs="BBBB/YYYY/RRRR", bag="KKKK").play("+KKKK")
    assert at.view["factories"] == ("BBBB", "YYYY", "RRRR", "KKKK", "")
    assert at.view["bag"] == (0, 0, 0, 0, 0)
    assert at.view["lid"] == (16, 16, 16, 16, 20)
    after = at.play("+BBWW")
    assert after.view["bag"] == (14, 16, 16, 16, 18)
    assert after.view["lid"] == (0, 0, 0, 0, 0)


def test_a_factory_may_get_the_last_of_the_bag_and_the_first_of_the_lid() -> None:
    """AZ-32: blue and white are certain, the two others are drawn from the lid with the right probabilities."""
    at = position(phase="fill", discs="BBBB/YYYY/RRRR/KKKK/-", bag="BW")
    lid = at.view["lid"]
    assert lid == (15, 16, 16, 16, 19)
    probabilities = at.probabilities()
    pairs = {"+" + in_order("BW" + x + y): counts(x + y) for x, y in combinations_with_replacement("BYRKW", 2)}
    assert set(texts(at)) == set(probabilities) == set(pairs)
    for text, pair in pairs.items():
        ways = 1
        for there, drawn in zip(lid, pair, strict=True):
            ways *= comb(there, drawn)
        assert probabilities[text] == pytest.approx(ways / comb(82, 2))
    after = at.play("+BYYW")
    assert after.view["bag"] == (15, 14, 16, 16, 19)
    assert after.view["lid"] == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("move", ["+YYYY", "+BBYY", "+WWWW"])
def test_no_tile_of_the_lid_is_drawn_before_the_last_of_the_bag(move: str) -> None:
    """AZ-32: a deal without both tiles of the bag is impossible."""
    assert rule_against(position(phase="fill", discs="BBBB", bag="BW"), move) == "AZ-32"


def test_what_the_bag_does_not_hold_is_not_drawn() -> None:
    """AZ-32: five tiles are enough for a factory, so the lid waits."""
    at = position(phase="fill", discs="BBBB", bag="BBBYY")
    assert set(texts(at)) == {"+BBBY", "+BBYY"}
    assert rule_against(at, "+BBBB") == "AZ-32"
    assert rule_against(at, "+BBYR") == "AZ-32"


def test_a_round_starts_with_what_there_is() -> None:
    """AZ-32: eleven tiles for seven factories: 4, 4, 3 and nothing."""
    at = position("3", "fill", discs="BBBB/YYYR", bag="BWW", lid="", boards=HOARD, starter=2)
    assert texts(at) == ["+BWW"]
    assert rule_against(at, "+BBWW") == "AZ-32"
    assert rule_against(at, "+WW") == "AZ-32"
    after = at.play("+BWW")
    assert after.view["factories"] == ("BBBB", "YYYR", "BWW", "", "", "", "")
    assert (after.view["phase"], after.actor) == ("offer", 1)


def test_the_game_ends_if_not_one_tile_can_be_dealt() -> None:
    """AZ-33 (ruling): all tiles lie on walls and unfinished lines; with one in the lid there is another round."""
    boards = [
        board(10, "-/-/-/-/YYYY", wall_without_column(1)),
        board(10, "-/-/-/-/RRRR", wall_without_column(2)),
        board(10, "-/-/-/-/KKKK", wall_without_column(3)),
        board(10, "-/-/-/BBB/WWWW", wall_without_column(4)),
    ]
    last = position("4", "offer:3", centre="B", boards=boards, bag="", lid="")
    result = outcome_of(last.play("CB3"))
    assert (result.rule, result.truncated) == ("AZ-33", False)
    assert result.scores == (38, 38, 37, 38)  # four columns each; the marker cost seat 3 a point
    assert result.winners == (0, 1, 3)
    goes_on = last.play("CBF")
    assert (goes_on.outcome, texts(goes_on), goes_on.view["round"]) == (None, ["+B"], 2)
    assert goes_on.play("+B").view["factories"] == ("B", *[""] * 8)


def test_players_who_only_fill_the_floor_play_for_ever() -> None:
    """AZ-34: the bare rules end no such game; thirty rounds later it still goes on."""
    at, chance = AZUL.new(), tilery.Stream("for ever")
    while at.round <= 30:
        at = at.settle(chance)
        assert at.outcome is None
        at = at.play(next(move for move in texts(at) if move.endswith("F")))
    assert at.scores() == (0, 0)


def test_reaching_the_round_limit_is_a_truncation() -> None:
    """AZ-34: no winner, no bonus for a column; but a row in the last round is a result after all (AZ-30)."""
    parts = {"variant": "2,rounds=3"}
    result = outcome_of(last_take(board(20, wall=COLUMN), board(30), round_number=3, **parts))
    assert (result.rule, result.truncated, result.winners) == ("AZ-34", True, ())
    assert result.scores == (20, 28)
    before = last_take(board(20, wall=COLUMN), board(30), round_number=2, **parts)
    assert (before.outcome, before.actor, before.view["round"]) == (None, tilery.CHANCE, 3)
    result = outcome_of(last_take(board(lines="W", wall="BYRK."), round_number=3, **parts))
    assert (result.rule, result.truncated, result.winners) == ("AZ-30", False, (0,))


def test_the_stall_limit_ends_and_scores_a_game() -> None:
    """AZ-35 (ruling): the second round without a tile on a wall; bonuses count and somebody wins."""
    first = last_take(board(20, wall=COLUMN), board(25), variant="2,stall=2")
    assert (first.outcome, first.view["stalled"]) == (None, 1)
    result = outcome_of(last_take(board(20, wall=COLUMN), board(25), variant="2,stall=2", stalled=1))
    assert (result.rule, result.truncated) == ("AZ-35", False)
    assert (result.scores, result.winners) == ((27, 23), (0,))


def test_a_tile_on_any_wall_restarts_the_count() -> None:
    """AZ-35: whoever places it."""
    for boards in ((board(lines="B"), board()), (board(), board(lines="-/RR"))):
        after = last_take(*boards, variant="2,stall=2", stalled=1)
        assert (after.outcome, after.view["stalled"]) == (None, 0)


def test_a_line_that_finds_no_cell_is_no_tile_on_a_wall() -> None:
    """AZ-35, AZ-51: on the grey wall five tiles fall instead, and the round counts as stalled."""
    wall = "B..../.B.../..B../...B./....R"
    after = last_take(board(lines="-/-/-/-/BBBBB", wall=wall), variant="2,grey,stall=1")
    assert outcome_of(after).rule == "AZ-35"


def test_only_tables_have_a_stall_limit_by_themselves() -> None:
    """AZ-34, AZ-35: no limit in the bare rules, 10 rounds at tables, and what was agreed on stays."""
    assert AZUL.new().rules.text == "2"
    assert AZUL.with_table_limits(AZUL.variant("3,grey")).text == "3,grey,stall=10"
    assert AZUL.with_table_limits(AZUL.variant("3,stall=4")).text == "3,stall=4"
    for option, rule in (("round_limit", "AZ-34"), ("stall_limit", "AZ-35")):
        with pytest.raises(tilery.Refused, match=rule):
            AZUL.new(**{option: 0})
