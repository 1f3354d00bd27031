"""Special factories: MC-1 to MC-11."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

import tilery
from tests.notation import texts

from .positions import (
    LETTERS,
    board,
    board_of,
    in_order,
    last_take,
    play,
    position,
    rule_against,
    wall_without_column,
)

AZUL = tilery.game("azul")
KINDS = ["extra", "magnetB", "magnetY", "magnetR", "magnetK", "magnetW", "keeper", "spreader", "saucer"]

# With these three boards and six full factories only four white tiles are left to deal.
HOARD = tuple(
    board(lines=f"-/-/-/-/{colour * 4}", wall=wall_without_column(column))
    for column, colour in ((1, "Y"), (2, "R"), (3, "K"))
)


def caught(at: tilery.Position, seat: int = 0) -> tuple[str | None, str]:
    """What lies on the saucer and on the floor line of a seat."""
    mine = board_of(at, seat)
    return mine["saucer"], mine["floor"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_special_disc_exists_once(kind: str) -> None:
    """MC-1: nine kinds and no more; one that lies in the circle cannot be laid or written down again."""
    laid = AZUL.new(specials="round").play(f"1={kind}")
    assert {move.partition("=")[2] for move in texts(laid)} == set(KINDS) - {kind}
    assert rule_against(laid, f"3={kind}") == "MC-1"
    with pytest.raises(tilery.NotAMove):
        laid.play("3=butler")
    with pytest.raises(tilery.BadText, match="MC-1"):
        position("2,specials", discs=f"{kind}:BBBB/{kind}:-")


def test_every_layout_is_possible_and_equally_likely() -> None:
    """MC-1, MC-2: two of nine special discs on any two of five places: 10 * 9 * 8 layouts."""
    first = AZUL.new(specials="round")
    layouts = {}
    for one, chance in first.probabilities().items():
        for two, then in first.play(one).probabilities().items():
            layouts[one, two] = chance * then
    wanted = {
        (f"{one}={kind}", f"{two}={other}")
        for one, two in combinations(range(1, 6), 2)
        for kind, other in permutations(KINDS, 2)
    }
    assert set(layouts) == wanted
    assert list(layouts.values()) == pytest.approx([1 / 720] * 720)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_discs_are_turned_as_there_are_players(seats: int) -> None:
    """MC-2: then the factories are filled; one more, or one less in a text, is refused."""
    at = AZUL.new(seats=seats, specials="round")
    for place, kind in enumerate(KINDS[:seats], 1):
        assert at.view["phase"] == "discs"
        at = at.play(f"{place}={kind}")
    assert at.view["phase"] == "fill"
    assert at.view["discs"] == (*KINDS[:seats], *["plain"] * (seats + 1))
    assert rule_against(at, f"{seats + 1}=saucer") == "AZ-10"
    with pytest.raises(tilery.BadText, match="MC-2"):
        position(f"{seats},specials", discs="keeper:BBBB")


def test_special_discs_are_laid_clockwise_where_there_is_room_for_all() -> None:
    """MC-2: this is how a layout is written: each one behind the last."""
    first = AZUL.new(specials="round")
    assert rule_against(first, "5=keeper") == "MC-2"
    second = first.play("3=keeper")
    assert {move[0] for move in texts(second)} == {"4", "5"}
    for move in ("2=saucer", "3=saucer", "6=saucer"):
        assert rule_against(second, move) == "MC-2"


def test_the_discs_are_shuffled_before_every_round() -> None:
    """MC-2: after a round all lie blue side up and chance lays new ones; the default where discs are special."""
    after = position("2,specials", discs="keeper:BBBB/saucer:-").play("1BF")
    assert (after.view["phase"], after.view["discs"]) == ("discs", ("plain",) * 5)
    assert len(texts(after)) == 4 * 9
    assert tilery.game("chocolatier").new().rules.text == "2,specials"
    assert AZUL.new().view["phase"] == "fill"


def test_by_an_option_the_discs_stay_for_the_whole_game() -> None:
    """MC-2: drawn before round 1 and never again."""
    first = AZUL.new(specials="game")
    assert first.view["phase"] == "discs"
    after = position("2,specials=game", discs="keeper:BBBB/-/saucer:-").play("1BF")
    assert (after.view["phase"], after.view["round"]) == ("fill", 2)
    assert after.view["discs"] == ("keeper", "plain", "saucer", "plain", "plain")
    with pytest.raises(tilery.Refused, match="MC-2"):
        AZUL.new(specials="weekly")


def test_the_extra_gets_a_fifth_tile_from_the_bag() -> None:
    """MC-3: after the last factory was filled, with the probabilities given by the bag; then the offer begins."""
    at = position("2,specials", "fill", discs="BBBB/extra:YYRR/keeper:BBBB/KKKK/-", bag="KKKKRRRW")
    assert rule_against(at, "extra=R") == "AZ-10"
    filled = at.play("+KKKK")
    assert (filled.view["phase"], filled.actor) == ("extra", tilery.CHANCE)
    assert filled.probabilities() == pytest.approx({"extra=R": 0.75, "extra=W": 0.25})
    assert rule_against(filled, "extra=B") == "AZ-32"
    after = filled.play("extra=W")
    assert after.view["factories"] == ("BBBB", "YYRRW", "BBBB", "KKKK", "KKKK")
    assert after.view["bag"] == (0, 0, 3, 0, 0)
    assert (after.view["phase"], after.actor) == ("offer", 0)


def test_for_the_extra_tile_the_lid_is_poured_in_if_the_bag_is_empty() -> None:
    """MC-3, AZ-32: the deal took the last of the bag; where one tile is left, the lid is left alone."""
    discs = "BBBB/extra:YYRR/keeper:BBBB/KKKK/-"
    at = position("2,specials", "fill", discs=discs, bag="WWWW").play("+WWWW")
    assert at.view["lid"] == (12, 18, 18, 16, 16)
    assert at.probabilities()["extra=B"] == pytest.approx(12 / 80)
    after = at.play("extra=B")
    assert after.view["bag"] == (11, 18, 18, 16, 16)
    assert after.view["lid"] == (0, 0, 0, 0, 0)
    assert after.view["factories"][1] == "BYYRR"
    enough = play(position("2,specials", "fill", discs=discs, bag="WWWWW"), "+WWWW", "extra=W")
    assert enough.view["bag"] == (0, 0, 0, 0, 0)
    assert enough.view["lid"] == (12, 18, 18, 16, 15)


def test_without_any_tile_left_the_extra_goes_without() -> None:
    """MC-3, AZ-32: bag and lid are empty; the offer begins."""
    discs = "extra:BBBB/keeper:BBBB/saucer:YYYY/RRRR/KKKK/WWWW/-"
    at = position("3,specials", "fill", discs=discs, bag="WWWW", lid="", boards=HOARD)
    after = at.play("+WWWW")
    assert (after.view["phase"], after.actor) == ("offer", 0)
    assert after.view["factories"][0] == "BBBB"


@pytest.mark.parametrize("k", range(5))
def test_a_magnet_takes_one_tile_of_its_colour_from_each_neighbour(k: int) -> None:
    """MC-4: only one of two from disc 2, and one from disc 5, the neighbour across the end of the circle."""
    own, a, b, c, _ = (LETTERS[(k + step) % 5] for step in range(5))
    discs = f"magnet{own}:{a * 4}/keeper:{in_order(own * 2 + b * 2)}/{in_order(own + b * 3)}/{c * 4}/-"
    after = position("2,specials", "fill", discs=discs).play("+" + in_order(own + c * 3))
    assert after.view["factories"] == (
        in_order(own * 2 + a * 4),
        in_order(own + b * 2),
        in_order(own + b * 3),  # not a neighbour
        c * 4,
        c * 3,
    )
    assert after.actor == 0


def test_magnets_beside_empty_discs_stay_as_they_are() -> None:
    """MC-4, AZ-32: after a short deal; an empty magnet still draws from the one neighbour that has its colour."""
    boards = (
        board(lines="-/W/K/RRR/YYYY", wall=wall_without_column(1)),
        board(lines="-/B/WW/KKK/RRRR", wall=wall_without_column(2)),
        board(lines="-/Y/BB/WWW/KKKK", wall=wall_without_column(3)),
    )
    discs = "BBBB/YYYR/-/magnetB:-/-/magnetW:-/magnetK:-"
    after = position("3,specials", "fill", discs=discs, bag="BWW", lid="", boards=boards).play("+BWW")
    assert after.view["factories"] == ("BBBB", "YYYR", "WW", "B", "", "", "")


@pytest.mark.parametrize(
    ("discs", "piles"),
    [
        ("extra:BBBB/magnetW:YYYY/RRRR/KKKK/-", ("BBBB", "YYYYW", "RRRR", "KKKK", "BBYY")),
        ("magnetW:BBBB/extra:YYYY/RRRR/KKKK/-", ("BBBB", "YYYYW", "RRRR", "KKKK", "BBYY")),
        ("extra:BBBB/YYYY/RRRR/KKKK/magnetW:-", ("BBBB", "YYYY", "RRRR", "KKKK", "BBYYW")),
        ("magnetW:BBBB/YYYY/RRRR/KKKK/extra:-", ("BBBB", "YYYY", "RRRR", "KKKK", "BBYYW")),
    ],
)
def test_set_up_effects_go_clockwise_from_the_first_disc(discs: str, piles: tuple[str, ...]) -> None:
    """MC-5 (ruling): a magnet behind the extra gets its tile, one before it comes too early."""
    after = play(position("2,specials", "fill", discs=discs), "+BBYY", "extra=W")
    assert after.view["factories"] == piles


def test_a_magnet_before_the_extra_has_acted_when_the_extra_draws() -> None:
    """MC-5 (ruling): and one behind it has not; none acts before all discs are filled."""
    discs = "magnetB:YYYY/extra:BBRR/magnetR:KKKK/WWWW/YYYY/-/-"
    filling = position("3,specials", "fill", discs=discs).play("+YYYY")
    assert filling.view["factories"][:3] == ("YYYY", "BBRR", "KKKK")
    at = filling.play("+BWWW")
    assert at.view["phase"] == "extra"
    assert at.view["factories"][:3] == ("BBYYYY", "BRR", "KKKK")
    assert at.view["factories"][6] == "WWW"
    assert at.play("extra=R").view["factories"][:3] == ("BBYYYY", "BRR", "RKKKK")


def test_a_keeper_keeps_the_rest() -> None:
    """MC-6: the centre gets nothing, the marker stays there, and the offer lasts until it is empty."""
    at = position("2,specials", discs="keeper:BBYR/extra:-")
    one = at.play("1B2")
    assert (one.view["factories"][0], one.view["centre"], one.actor) == ("YR", "", 1)
    two = one.play("1R1")
    assert (two.view["factories"][0], two.view["centre"], two.actor) == ("Y", "", 0)
    assert two.view["marker"] is None
    assert two.play("1Y1").view["round"] == 2


def test_the_rest_of_a_spreader_goes_left_and_right_colour_by_colour() -> None:
    """MC-7: every colour that stays behind has its own way, so two of them have four."""
    at = position("2,specials", discs="-/BBBB/extra:-/spreader:BYYR/W", boards=[board(lines="Y/Y/Y/Y/Y")])
    takes = {move for move in texts(at) if move[0] == "4"}
    ways_of_blue = {"4BF<YR", "4BF<Y>R", "4BF<R>Y", "4BF>YR"}
    ways_of_red = {"4RF<BY", "4RF<B>Y", "4RF<Y>B", "4RF>BY"}
    ways_of_yellow = {f"4Y{to}{way}" for to in "2345F" for way in ("<BR", "<B>R", "<R>B", ">BR")}
    assert takes == ways_of_blue | ways_of_red | ways_of_yellow


@pytest.mark.parametrize(
    ("way", "left", "right"),
    [("<YYR", "YYR", "KK"), ("<YY>R", "YY", "RKK"), ("<R>YY", "R", "YYKK"), (">YYR", "", "YYRKK")],
)
def test_tiles_of_one_colour_go_the_same_way(way: str, left: str, right: str) -> None:
    """MC-7: both yellow ones together, onto what lies there; nothing comes to the centre."""
    at = position("2,specials", discs="BBBB/extra:-/spreader:BYYR/KK/WWWW")
    after = at.play("3B1" + way.replace("YY", "Y"))
    assert after.view["factories"] == ("BBBB", left, "", right, "WWWW")
    assert (after.view["centre"], after.view["marker"]) == ("", None)


@pytest.mark.parametrize(
    ("discs", "move", "piles"),
    [
        ("spreader:BYR/extra:-/-/-/K", "1B1<Y>R", ("", "R", "", "", "YK")),
        ("K/extra:-/-/-/spreader:BYR", "5B1<Y>R", ("RK", "", "", "Y", "")),
    ],
)
def test_the_circle_has_no_end(discs: str, move: str, piles: tuple[str, ...]) -> None:
    """MC-7: left of the first disc lies the last, right of the last the first."""
    assert position("2,specials", discs=discs).play(move).view["factories"] == piles


@pytest.mark.parametrize("move", ["3B1", "3B1<Y", "3B1>R", "3B1<YR>R", "3B1<Y>YR", "3B1<YR>K", "3B1<BY>R"])
def test_each_colour_left_on_the_spreader_goes_exactly_one_way(move: str) -> None:
    """MC-7: none may be forgotten, split or invented."""
    assert rule_against(position("2,specials", discs="BBBB/extra:-/spreader:BYR/KK"), move) == "MC-7"


def test_only_the_spreader_has_directions() -> None:
    """MC-7: a take from another disc or the centre says nothing about the rest."""
    at = position("2,specials", discs="BBYR/extra:-/spreader:BYR", centre="KW")
    assert rule_against(at, "1B1<Y>R") == "MC-7"
    assert rule_against(at, "CK1>W") == "MC-7"
    with pytest.raises(tilery.NotAMove):
        at.play("3B1<RY")  # colours have their order


def test_a_spreader_of_one_colour_has_no_rest_to_lay() -> None:
    """MC-7: the move is like that from any other disc, and legality of lines is the same."""
    mine = board(wall="B....", lines="-/R")
    at = position("2,specials", discs="W/extra:-/spreader:BB", boards=[mine])
    assert {move for move in texts(at) if move[0] == "3"} == {"3B3", "3B4", "3B5", "3BF"}
    assert rule_against(at, "3B1") == "AZ-16"
    assert rule_against(at, "3B2") == "AZ-15"
    assert rule_against(at, "3B3>B") == "MC-7"
    assert at.play("3B3").view["factories"] == ("W", "", "", "", "")


def test_the_saucer_goes_to_whoever_takes_from_it() -> None:
    """MC-8: the rest moves to the centre, the disc leaves the circle and nothing can be taken from it."""
    after = position("2,specials", discs="saucer:BBYR/extra:KKKK").play("1B2")
    assert after.view["centre"] == "YR"
    assert board_of(after, 0)["saucer"] == ""
    assert board_of(after, 1)["saucer"] is None
    assert "discs=saucer:gone/extra:KKKK/-/-/-" in after.text
    assert rule_against(after, "1Y1") == "AZ-12"


def test_the_saucer_catches_the_next_tile_that_falls_and_only_one() -> None:
    """MC-8: of three blue tiles for line 1 one lands on it, one on the floor; used up it catches none."""
    discs, held = "saucer:gone/extra:BBB/YY", board(floor="m")
    after = position("2,specials", discs=discs, boards=[board(saucer=""), held]).play("2B1")
    assert board_of(after, 0)["lines"][0] == "B"
    assert caught(after) == ("B", "B")
    assert caught(position("2,specials", discs=discs, boards=[board(saucer="K"), held]).play("2BF")) == ("K", "BBB")
    others = position("2,specials", discs=discs, boards=[board(), board(saucer="", floor="m")]).play("2BF")
    assert (caught(others), caught(others, 1)) == ((None, "BBB"), ("", "m"))


@pytest.mark.parametrize(("floor", "cost"), [("", 0), ("RR", 2), ("RRRRRRR", 14)])
def test_the_tile_on_the_saucer_costs_nothing_and_goes_to_the_lid(floor: str, cost: int) -> None:
    """MC-8: only the floor line is paid for."""
    mine = board(score=20, floor=floor, saucer="K")
    after = last_take(mine, variant="2,specials", discs="saucer:gone/extra:-")
    assert after.scores()[0] == 20 - cost
    assert after.view["lid"] == (0, 0, len(floor), 1, 1)


@pytest.mark.parametrize("saucer", ["", "K", "m"])
def test_the_saucer_comes_back_for_the_next_round(saucer: str) -> None:
    """MC-8: at its place if discs stay for the game, with all others if they are shuffled."""
    mine = board(saucer=saucer)
    stays = last_take(mine, variant="2,specials=game", discs="-/saucer:gone/extra:-")
    assert stays.view["discs"] == ("plain", "saucer", "extra", "plain", "plain")
    assert "saucer:-/extra:-" in stays.text
    assert board_of(stays, 0)["saucer"] is None
    shuffled = last_take(mine, variant="2,specials", discs="-/saucer:gone/extra:-")
    assert shuffled.view["discs"] == ("plain",) * 5
    assert board_of(shuffled, 0)["saucer"] is None


def test_the_saucer_works_for_the_move_that_took_it() -> None:
    """MC-9 (ruling): one of two tiles that do not fit lands on it."""
    at = position("2,specials", discs="saucer:BBBY/extra:KKKK")
    assert caught(at.play("1B1")) == ("B", "B")
    assert caught(at.play("1BF")) == ("B", "BB")


def test_the_saucer_catches_the_marker_if_that_comes_first() -> None:
    """MC-9 (ruling): the tiles then fall; it costs nothing, its owner starts. A used saucer catches no marker."""
    mine = board(score=5, saucer="")
    at = position("2,specials", discs="saucer:gone/extra:-", centre="KK", boards=[mine], starter=2)
    after = at.play("CKF")
    assert after.scores()[0] == 5 - 2
    assert (after.view["starter"], after.view["round"]) == (0, 2)
    at = position("2,specials", discs="saucer:gone/extra:-", centre="YKK", boards=[mine]).play("CK1")
    assert (caught(at), at.view["marker"]) == (("m", "K"), 0)
    at = position("2,specials", discs="saucer:gone/extra:-", centre="YKK", boards=[board(saucer="B")])
    assert caught(at.play("CK1")) == ("B", "mK")


def test_the_saucer_catches_what_falls_from_a_line_without_a_cell() -> None:
    """MC-9 (ruling), AZ-51: one of five tiles, so that the floor costs 6 and not 8."""
    wall = "B..../.B.../..B../...B./....R"
    mine = board(score=20, lines="-/-/-/-/BBBBB", wall=wall, saucer="")
    after = last_take(mine, variant="2,grey,specials", discs="saucer:gone/extra:-")
    assert after.scores()[0] == 14
    assert after.view["lid"] == (5, 0, 0, 0, 1)


def test_a_free_saucer_comes_before_a_full_floor_line() -> None:
    """MC-9 (ruling): the first tile lands on it, the second in the lid; the marker too would lie on it."""
    mine = board(floor="RRRRKKK", saucer="")
    discs = "saucer:gone/extra:BB/Y"
    tile = position("2,specials", discs=discs, boards=[mine, board(floor="m")]).play("2BF")
    assert (board_of(tile, 0)["saucer"], tile.view["lid"]) == ("B", (1, 0, 0, 0, 0))
    marker = position("2,specials", discs=discs, centre="WW", boards=[mine]).play("CWF")
    assert (board_of(marker, 0)["saucer"], marker.view["lid"]) == ("m", (0, 0, 0, 0, 2))
    assert board_of(marker, 0)["floor"] == "RRRRKKK"


@pytest.mark.parametrize(
    ("discs", "move", "piles"),
    [
        ("-/saucer:gone/spreader:BYR/-/KK", "3B1<Y>R", ("Y", "", "", "R", "KK")),
        ("KK/-/spreader:BYR/saucer:gone/-", "3B1<Y>R", ("KK", "Y", "", "", "R")),
        ("spreader:BYR/-/-/K/saucer:gone", "1B1<Y>R", ("", "R", "", "YK", "")),
        ("saucer:gone/-/-/K/spreader:BYR", "5B1<Y>R", ("", "R", "", "YK", "")),
    ],
)
def test_a_saucer_that_left_is_no_neighbour(discs: str, move: str, piles: tuple[str, ...]) -> None:
    """MC-10 (ruling): the next disc behind its place is one, empty or not, also across the end of the circle."""
    at = position("2,specials", discs=discs, boards=[board(), board(saucer="")])
    assert at.play(move).view["factories"] == piles


def test_a_saucer_still_in_the_circle_is_a_neighbour_even_when_it_is_empty() -> None:
    """MC-10: only leaving makes it none; tiles can be laid on it, and it goes to whoever takes them."""
    at = position("2,specials", discs="-/saucer:-/spreader:BYR/-/KK").play("3B1<Y>R")
    assert at.view["factories"] == ("", "Y", "", "R", "KK")
    after = at.play("2Y1")
    assert board_of(after, 1)["saucer"] == ""


def test_a_disc_that_gets_tiles_keeps_its_special() -> None:
    """MC-11: the keeper keeps what a spreader laid on it; a plain disc and a magnet send their rest to the centre."""
    for discs in ("-/keeper:K/spreader:BYRW/K", "-/magnetY:K/spreader:BYRW/K"):
        assert position("2,specials", discs=discs).play("3B1<YR>W").view["factories"] == ("", "YRK", "", "KW", "")
    magnet = play(position("2,specials", discs="-/magnetY:K/spreader:BYRW/K"), "3B1<YR>W", "2Y1")
    assert (magnet.view["factories"][1], magnet.view["centre"]) == ("", "RK")
    at = position("2,specials", discs="-/keeper:K/spreader:BYRW/K").play("3B1<YR>W")
    kept = at.play("2Y1")
    assert (kept.view["factories"][1], kept.view["centre"]) == ("RK", "")
    sent = at.play("4K1")
    assert (sent.view["factories"][3], sent.view["centre"]) == ("", "W")
