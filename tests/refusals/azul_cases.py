"""Refusals of Azul and Master Chocolatier: variants, positions that are badly written or cannot occur, moves."""

from __future__ import annotations

from functools import partial
from typing import Any

import tilery
from tests.refusals.cases import Case, changed
from tests.rules.azul.positions import board, position, position_text, wall_without_column
from tilery.core.refusals import Argument
from tilery.games import GAMES
from tilery.games.azul.kernel.layout import SPREAD

AZUL, CHOCOLATIER = GAMES["azul"], GAMES["chocolatier"]
NEW = position_text("2", "fill", bag=None)
FULL = position_text("2,stall=5", discs="BBBB")
COLOURS = "BYRKW"


def _options() -> list[Case]:
    cases = []
    for game in (AZUL, CHOCOLATIER):
        new = game.new
        cases += [
            Case(partial(new, seats=3.0), "whole-number", {"value": "3.0"}),
            Case(partial(new, seats=7), "seats-number", {"numbers": "2 3 4", "value": "7"}, "AZ-1"),
            Case(
                partial(new, wall="red"),
                "option-value",
                {"option": "wall", "values": "coloured grey", "value": "'red'"},
                "AZ-5",
            ),
            Case(
                partial(new, specials="all"),
                "option-value",
                {"option": "specials", "values": "none round game", "value": "'all'"},
                "MC-2",
            ),
            Case(partial(new, start=2), "start-range", {"last": 1, "index": 2}, "AZ-4"),
            Case(partial(new, round_limit=-1), "limit-range", {"most": 1_000_000, "number": -1}, "AZ-34"),
            Case(partial(new, stall_limit=-1), "limit-range", {"most": 1_000_000, "number": -1}, "AZ-35"),
        ]
    return cases


def _variant(text: str, code: str, column: int, arguments: dict[str, Argument]) -> list[Case]:
    return [Case(partial(game.variant, text), code, arguments, "", (1, column)) for game in (AZUL, CHOCOLATIER)]


WORDS = "grey specials=game specials start= rounds= stall="
VARIANTS = [
    *_variant(
        "2,x",
        "expected-word",
        3,
        {"what": "option", "words": WORDS, "found": "x"},
    ),
    *_variant(
        "2,specials,grey", "expected-word", 12, {"what": "option", "words": "start= rounds= stall=", "found": "grey"}
    ),
    *_variant("2,stall=5,", "expected", 11, {"what": "end-of-variant", "found": "end-of-text"}),
    *_variant("2,start=x", "expected-number", 9, {"what": "starting-seat", "low": 2, "high": 2, "found": "x"}),
    *_variant("2,rounds=0", "number-range", 10, {"what": "round-limit", "low": 1, "high": 1_000_000, "number": 0}),
    *_variant("2,stall=05", "number-form", 9, {"what": "stall-limit", "low": 1, "high": 1_000_000, "digits": "05"}),
]


def _written(before: str, after: str, code: str, arguments: dict[str, Argument], rule: str = "") -> Case:
    return Case(lambda: tilery.read_position(changed(FULL, (before, after))), code, arguments, rule)


def _expected(before: str, after: str, found: str, what: str, **arguments: Argument) -> Case:
    return _written(before, after, "expected", {"what": what, "found": found, **arguments})


def _number(before: str, after: str, number: int, what: str, low: int, high: int) -> Case:
    return _written(before, after, "number-range", {"what": what, "low": low, "high": high, "number": number})


WRITTEN = [
    _number("round=1", "round=0", 0, "round", 1, 2_000_000_000),
    _number("offer:1", "offer:3", 3, "turn", 1, 2),
    _number("starter=1", "starter=3", 3, "starting-seat", 1, 2),
    _number("marker=C", "marker=3", 3, "marker", 1, 2),
    _number("stalled=0", "stalled=6", 6, "stalled", 0, 5),
    _number("bag=16/", "bag=21/", 21, "tiles", 0, 20),
    _number(" 0|", " 30001|", 30001, "score", 0, 30_000),
    _written(
        "offer:1",
        "dawn",
        "expected-word",
        {"what": "phase", "words": "start discs fill extra offer tiling over", "found": "dawn"},
    ),
    _written("offer:1", "over:x", "expected-word", {"what": "ending", "words": "row tiles stall rounds", "found": "x"}),
    _written("|- 0|", "|-|saucer:x 0|", "expected-word", {"what": "saucer", "words": "- B Y R K W m", "found": "x"}),
    _expected("bag=16/", "bag=16,", ",", "next-count"),
    _expected("centre=-", "centre=b", "b", "centre"),
    _expected("discs=BBBB", "discs=b", "b", "disc"),
    _expected("discs=BBBB/", "discs=BBBB,", ",", "next-disc", place=1, factories=5),
    _expected(" 0|", ";0|", ";", "board", seat=0),
    _expected(" 0|", " 0;", ";", "lines"),
    _expected("0|-/", "0|b/", "b", "line", line=0),
    _expected("0|-/", "0|-,", ",", "next-line", line=1),
    _expected("-|.", "-;.", ";", "wall"),
    _expected("...../", "....b/", "b", "cell"),
    _expected("...../", ".....,", ",", "next-wall-row", line=1),
    _expected(".....|- 0", ".....;- 0", ";", "floor"),
    _expected(".....|- 0", ".....|x 0", "x", "floor-tiles"),
    _written("discs=BBBB", "discs=YB", "tile-order", {"letters": COLOURS}),
    _written("|-/-/", "|-/BY/", "line-colours", {}, "AZ-15"),
    _written("|-/-/", "|-/BBB/", "line-length", {"line": 1, "most": 2, "number": 3}, "AZ-3"),
    _written("|- 0|", "|BBBBBBBB 0|", "floor-length", {"most": 7, "number": 8}, "AZ-3"),
]


def _cannot_be(
    code: str, rule: str, variant: str, phase: str, arguments: dict[str, Argument] | None = None, **parts: Any
) -> Case:
    text = position_text(variant, phase, **parts)
    return Case(partial(tilery.read_position, text), code, arguments or {}, rule)


NOTHING_LEFT = [  # a hundred tiles on four boards, with no line full
    board(0, "-/-/-/-/YYYY", wall_without_column(1)),
    board(0, "-/B/-/-/RRRR", wall_without_column(2)),
    board(0, "-/-/BB/-/KKKK", wall_without_column(3)),
    board(0, "-/-/-/B/WWWW", wall_without_column(4)),
]

IMPOSSIBLE = [
    Case(
        lambda: tilery.read_position(changed(FULL, ("bag=16/", "bag=15/"))),
        "tile-count",
        {"number": 19, "colour": "B"},
        "AZ-60",
        (1, len(FULL) + 1),
    ),
    _cannot_be(
        "marker-not-held", "AZ-60", "2", "offer:1", {"seat": 0}, discs="BBBB", boards=[board(floor="m")], marker="2"
    ),
    _cannot_be("marker-not-on-floor", "AZ-13", "2", "offer:1", {"seat": 0}, discs="BBBB", marker="1"),
    _cannot_be("marker-not-in-centre", "AZ-10", "2", "fill", marker="1"),
    _cannot_be("disc-twice", "MC-1", "2,specials", "offer:1", discs="keeper:BBBB/keeper:-"),
    _cannot_be("special-discs", "MC-2", "3,specials", "offer:1", {"number": 1, "right": 3}, discs="keeper:BBBB"),
    _cannot_be("no-room-for-discs", "MC-2", "2,specials", "discs", discs="-/-/-/-/keeper:-"),
    _cannot_be(
        "saucer-twice",
        "MC-1",
        "2,specials",
        "offer:1",
        discs="keeper:BBBB/saucer:gone",
        boards=[board(saucer=""), board(saucer="")],
    ),
    _cannot_be("saucer-away", "MC-8", "2,specials", "fill", discs="keeper:BBBB/saucer:gone", boards=[board(saucer="")]),
    _cannot_be("saucer-places", "MC-8", "2,specials", "offer:1", discs="keeper:BBBB/saucer:gone"),
    _cannot_be(
        "wrong-cell",
        "AZ-6",
        "2",
        "offer:1",
        {"seat": 0, "letter": "Y", "column": 0, "line": 0},
        discs="BBBB",
        boards=[board(wall="Y....")],
    ),
    _cannot_be(
        "row-twice",
        "AZ-16",
        "2,grey",
        "offer:1",
        {"seat": 1, "line": 0, "letter": "B"},
        discs="BBBB",
        boards=[board(), board(wall="BB...")],
    ),
    _cannot_be(
        "column-twice",
        "AZ-50",
        "2,grey",
        "offer:1",
        {"seat": 0, "column": 2, "letter": "B"},
        discs="BBBB",
        boards=[board(wall="..B../..B..")],
    ),
    _cannot_be("row-complete", "AZ-30", "2", "offer:1", {"seat": 0}, discs="BBBB", boards=[board(wall="BYRKW")]),
    _cannot_be(
        "line-shown",
        "AZ-16",
        "2",
        "offer:1",
        {"seat": 0, "line": 1},
        discs="BBBB",
        boards=[board(0, "-/B", "...../.B...")],
    ),
    _cannot_be("after-round-limit", "AZ-34", "2,rounds=3", "offer:1", {"rounds": 3}, discs="BBBB", round_number=4),
    _cannot_be("after-stall-limit", "AZ-35", "2,stall=2", "offer:1", {"rounds": 2}, discs="BBBB", stalled=2),
    _cannot_be("nothing-offered", "AZ-19", "2", "offer:1"),
    _cannot_be("tiles-left", "AZ-19", "2,grey", "tiling:1", discs="BBBB"),
    _cannot_be("start-drawn", "AZ-4", "2", "start"),
    _cannot_be("no-special-discs", "MC-2", "2", "discs"),
    _cannot_be("discs-laid", "MC-2", "2,specials=game", "discs", round_number=2),
    _cannot_be("boards-not-tiled", "AZ-20, AZ-22", "2", "fill", boards=[board(floor="B")]),
    _cannot_be("nothing-to-deal", "AZ-33", "4", "fill", round_number=5, boards=NOTHING_LEFT),
    _cannot_be("centre-not-empty", "AZ-10", "2", "fill", centre="B"),
    _cannot_be("discs-not-in-order", "AZ-32", "2", "fill", discs="BB"),
    _cannot_be("no-extra", "MC-3", "2,specials", "extra", discs="keeper:BBBB/saucer:-"),
    _cannot_be("discs-not-empty", "AZ-10", "2,specials", "discs", discs="BBBB"),
    _cannot_be("no-cell-chosen", "AZ-50", "2", "tiling:1"),
    _cannot_be("no-full-line", "AZ-52", "2,grey", "tiling:1", {"seat": 0}),
    _cannot_be("no-two-cells", "AZ-52", "2,grey", "tiling:1", boards=[board(0, "B", "YRKW.")]),
    _cannot_be(
        "tiles-first", "AZ-52", "2,grey", "tiling:2", {"seat": 0, "choosing": 1}, boards=[board(0, "B"), board(0, "Y")]
    ),
    _cannot_be("end-not-tiled", "AZ-20, AZ-22", "2", "over:row", boards=[board(floor="B", wall="BYRKW")]),
    _cannot_be(
        "other-ending", "", "2", "over:tiles", {"ending": "row", "claimed": "tiles"}, boards=[board(wall="BYRKW")]
    ),
]

START = AZUL.new("3,start=drawn")
DISCS = AZUL.new("3,specials").play("2=keeper")
FILL = AZUL.new("2").play("+BBYR")
POUR = position("2", "fill", discs="BBBB", bag="YR")
FEW = position("2", "fill", discs="BBBB", bag="YYYYRR")
EXTRA = position("2,specials", "extra", discs="keeper:BBBB/extra:YYYY/RRRR/KKKK/WWWW", bag="YW")
OFFER = position("2", discs="BYRK/WWWW", centre="BY", boards=[board(3, "B/-/R/-/W", "...../W..../.....")])
SPREADER = position("4,grey,specials", discs="spreader:BYR/keeper:KW/saucer:gone/extra:-/-", boards=[board(saucer="")])
TILING = position("2,grey", "tiling:1", boards=[board(0, "-/BB/YYY", "B..../...../.B...", "K")])
CHOICE = position("2,grey", "tiling:1", boards=[board(0, "-/BB/-", "B..../....K", "K")])
OVER = position("2", "over:row", round_number=5, boards=[board(12, wall="BYRKW")])
PHASES = {
    "start": START,
    "discs": DISCS,
    "fill": FILL,
    "extra": EXTRA,
    "offer": OFFER,
    "spreader": SPREADER,
    "tiling": TILING,
    "over": OVER,
}
DUE = {"start": "AZ-4", "discs": "MC-2", "fill": "AZ-10", "extra": "MC-3", "offer": "AZ-12", "tiling": "AZ-50"}


def _move(at: tilery.Position, move: str | int, code: str, rule: str = "", /, **arguments: Argument) -> Case:
    return Case(partial(at.play, move), code, arguments, rule)


def _texts_of_moves() -> list[Case]:
    cases = []
    for phase, at in PHASES.items():
        told: dict[str, Argument] = {"expected": phase}
        cases += [
            _move(at, "x", "not-a-move", text="x", **told),
            _move(at, "xR2", "no-such-source", text="xR2", letter="x", **told),
            _move(at, "3r2", "no-such-colour", text="3r2", letter="r", **told),
            _move(at, "3R6", "no-such-line", text="3R6", letter="6", **told),
            _move(at, "+X", "not-a-deal", text="+X", **told),
            _move(at, "+RB", "colour-order", text="+RB", right="BR", letters="RB"),
        ]
    for phase, rule in DUE.items():
        cases.append(_move(PHASES[phase], "3=keeper" if phase != "discs" else "+BBYR", "not-now", rule, due=phase))
    return cases


MOVES = [
    *_texts_of_moves(),
    _move(OVER, "3R2", "game-over", "AZ-30"),
    _move(START, "start=4", "no-seat", "AZ-4", seat=3, seats=3),
    _move(DISCS, "3=keeper", "disc-there", "MC-1", disc="keeper"),
    _move(DISCS, "1=extra", "disc-order", "MC-2", first=3, last=6, source=1),
    _move(FILL, "+BB", "wrong-number", "AZ-10", due_tiles=4, number=2),
    _move(POUR, "+BBBB", "bag-first", "AZ-32", colour="Y"),
    _move(
        position("2", "fill", discs="BBBB", bag="YYYYRR"),
        "+RRRR",
        "too-few-tiles",
        "AZ-32",
        left=2,
        colour="R",
        number=4,
    ),
    _move(EXTRA, "extra=B", "no-tile-left", "AZ-32", colour="B"),
    _move(OFFER, "9B1", "no-factory", "AZ-1", source=9, factories=5),
    _move(OFFER, "2B4", "no-such-tile", "AZ-12", **{"from": 2}, colour="B"),
    _move(OFFER, "CR4", "no-such-tile", "AZ-13", **{"from": 0}, colour="R"),
    _move(OFFER, "1B1", "line-full", "AZ-15", line=0),
    _move(OFFER, "2W2", "row-shows-colour", "AZ-16", line=1, colour="W"),
    _move(OFFER, SPREAD, "no-sides", "MC-7"),
    _move(OFFER, "1Y3", "line-holds-other", "AZ-15", line=2, held="R"),
    _move(OFFER, "1B4<Y", "not-the-spreader", "MC-7", **{"from": 1}),
    _move(SPREADER, "1B4", "spreader-sides", "MC-7", rest="YR"),
    _move(SPREADER, "1B4<Y", "spreader-sides", "MC-7", rest="YR"),
    _move(TILING, "3:3", "other-line", "AZ-50", due_line=1, line=2),
    _move(CHOICE, "2:5", "cell-taken", "AZ-50", line=1, column=4),
    _move(CHOICE, "2:1", "column-shows-colour", "AZ-50", column=0, colour="B"),
]

CASES = [*_options(), *VARIANTS, *WRITTEN, *IMPOSSIBLE, *MOVES]
