"""What is counted in Schokoly: points and groups of the current table, and what a card does to them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from tests.games.refusals import check_refused_as_by_playing
from tests.notation import texts
from tests.rules.schokoly.positions import Cell, beside, cells_of, dealt, drawn, play, position
from tests.variants import SCHOKOLY
from tilery import CHANCE, OVER, SPECTATOR, Position, Seen, Stream, game
from tilery.games.schokoly import Rules
from tilery.games.schokoly import effects as kinds
from tilery.games.schokoly.groups import scored_groups
from tilery.games.schokoly.view import view_of

Values = dict[str, Any]

# SC-45: the example of the rulebook. Milk has the form of an H.
EXAMPLE = "DDDDDW/WMDMWW/WMMMDW/WMWMWW"
SIDES = {(0, -1): "up", (1, 0): "right", (0, 1): "down", (-1, 0): "left"}
LAY = re.compile("[DMW]{4}@")


def names(rules: Rules) -> str:
    return rules.text


def brief(groups: list[Values]) -> list[tuple[Any, ...]]:
    """Groups without their cells."""
    return [(group["kind"], group["size"], group["seat"], group["scores"], group["contacts"]) for group in groups]


def edge(x: int, y: int, side: str, same: bool) -> Values:
    """An edge at which a card touches what lies there."""
    return {"x": x, "y": y, "side": side, "same": same}


def summary(at: Position | Seen, move: str) -> Values:
    """What a card does, in the form in which these tests count it: the groups and points after it."""
    effects = at.effects(move)
    groups = [msgspec.structs.asdict(group) for group in scored_groups(at.game.kernel, at.row, view_of(at.row))]
    points = at.view["points"]
    for effect in effects:
        if isinstance(effect, kinds.GroupsChanged):
            groups = [group for group in groups if group not in [msgspec.structs.asdict(old) for old in effect.old]]
            groups += [msgspec.structs.asdict(new) for new in effect.new]
        elif isinstance(effect, kinds.PointsChanged):
            points = list(effect.points)
    touched = [effect for effect in effects if isinstance(effect, kinds.Touched)]
    return {
        "points": points,
        "touching": [msgspec.structs.asdict(effect) for effect in touched],
        "groups": sorted(groups, key=lambda group: (-group["size"], "DMW".index(group["kind"]), group["cells"])),
    }


# Tables worked out by hand


def test_the_example_of_the_rulebook_is_reported_group_by_group() -> None:
    """SC-45, SC-44: the H of 7 has 6 edges to dark and 8 to white; white also has 6 for its largest group."""
    view = position(table=drawn(EXAMPLE), kinds="D/W").view
    assert list(view["points"]) == [6, 13]
    assert brief(view["groups"]) == [
        ("M", 7, 1, True, {"D": 6, "W": 8}),
        ("D", 6, 0, True, {}),
        ("W", 6, 1, True, {}),
        ("W", 3, 1, False, {}),
        ("D", 1, 0, False, {}),
        ("W", 1, 1, False, {}),
    ]
    cells = [group["cells"] for group in view["groups"]]
    assert cells[0] == ((1, 1), (3, 1), (1, 2), (2, 2), (3, 2), (1, 3), (3, 3))  # by rows
    assert cells[3:] == [((0, 1), (0, 2), (0, 3)), ((4, 2),), ((2, 3),)]


def test_the_sides_of_a_neutral_group_stand_in_the_order_of_the_seats() -> None:
    """SC-44: the same table, and seat 1 is white."""
    view = position(table=drawn(EXAMPLE), kinds="W/D").view
    assert list(view["points"]) == [13, 6]
    milk = view["groups"][0]
    assert (milk["seat"], list(milk["contacts"].items())) == (0, [("W", 8), ("D", 6)])


def test_partners_have_the_points_of_their_side_and_groups_name_its_first_seat() -> None:
    """SC-10, SC-43, SC-44: seats 1 and 3 against 2 and 4."""
    view = position("4", table=drawn(EXAMPLE), kinds="D/W/D/W").view
    assert list(view["points"]) == [6, 13, 6, 13]
    assert brief(view["groups"])[:3] == [
        ("M", 7, 1, True, {"D": 6, "W": 8}),
        ("D", 6, 0, True, {}),
        ("W", 6, 1, True, {}),
    ]


def test_with_three_players_every_kind_is_somebodys() -> None:
    """SC-46: the largest group is all that counts, and nothing has contacts."""
    view = position("3", table=drawn(EXAMPLE), kinds="W/D/M").view
    assert list(view["points"]) == [6, 6, 7]
    assert brief(view["groups"])[:4] == [
        ("M", 7, 2, True, {}),
        ("D", 6, 1, True, {}),
        ("W", 6, 0, True, {}),
        ("W", 3, 0, False, {}),
    ]


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        # White is neutral, dark is seat 1 and milk seat 2.
        ("MMWWDM/DDWDDW/MWMMDW/MWDWWW", [(5, None, False), (3, None, False), (2, None, False)]),  # too small
        ("WWMMMW/WMDMMM/WDDWMW/WWDWMW", [(6, None, False), (2, None, False), (2, None, False), (1, None, False)]),
        ("DWWWDWMM/WWMWDDDM/WDMMWMMM/WDDWWWWW", [(8, 0, True), (6, 1, True), (1, None, False)]),
    ],
)
def test_a_neutral_group_counts_from_six_pieces_on_and_where_a_side_has_more_edges(
    picture: str, expected: list[tuple[int, int | None, bool]]
) -> None:
    """SC-44: 4 to 2 edges at a group of 5; 3 to 3 at one of 6; 7 to 4 at one of 8 and 2 to 6 at one of 6."""
    groups = position(table=drawn(picture), kinds="D/M").view["groups"]
    white = [group for group in groups if group["kind"] == "W"]
    assert [(group["size"], group["seat"], group["scores"]) for group in white] == expected
    assert all(set(group["contacts"]) == {"D", "M"} for group in white)


def test_contacts_of_a_neutral_group_are_reported_however_small_it_is() -> None:
    """SC-44: 4 edges to dark and 2 to milk; should it grow, that is what matters."""
    groups = position(table=drawn("MMWWDM/DDWDDW/MWMMDW/MWDWWW"), kinds="D/M").view["groups"]
    assert next(group for group in groups if group["size"] == 5)["contacts"] == {"D": 4, "M": 2}


def test_of_two_largest_groups_one_counts() -> None:
    """SC-43: a side gets the size of its largest group, once."""
    # D M W D / D M W D / D W W D / D M M D
    table = "DDMD@0,0 DDDW@2,0 DMDD@0,2 WDDD@2,2 MWWM@1,0^ WWMM@1,2^"
    view = position("3", table=table, kinds="D/M/W").view
    assert list(view["points"]) == [4, 2, 4]
    dark = [group for group in view["groups"] if group["kind"] == "D"]
    assert [(group["size"], group["scores"]) for group in dark] == [(4, True), (4, False)]


def test_before_a_kind_is_chosen_its_groups_are_nobodys() -> None:
    """SC-13: seat 2 has no kind yet, so none is neutral; then it chooses, and the third one is."""
    at = position("2", "kind:2", table="DDMW@0,0", kinds="D/-")
    assert list(at.view["points"]) == [2, 0]
    assert brief(at.view["groups"]) == [
        ("D", 2, 0, True, {}),
        ("M", 1, None, False, {}),
        ("W", 1, None, False, {}),
    ]
    after = at.play("white")
    assert list(after.view["points"]) == [2, 1]
    assert brief(after.view["groups"]) == [
        ("D", 2, 0, True, {}),
        ("M", 1, None, False, {"D": 1, "W": 1}),
        ("W", 1, 1, True, {}),
    ]


def test_an_empty_table_has_no_groups() -> None:
    view = game("schokoly").new("3").view
    assert (view["points"], view["groups"]) == ((0, 0, 0), ())


# What a card does, by hand


def test_the_first_card_touches_nothing() -> None:
    """SC-12: three dark pieces count for seat 1."""
    at = play(dealt("2", "DDDM.DDMM.MMWD.WWDM", "DDDW.WWWM.MMWW.DDMW"), "dark")
    done = summary(at, "DDDM@0,0")
    assert (done["points"], done["touching"]) == ([3, 0], [])
    assert brief(done["groups"]) == [("D", 3, 0, True, {}), ("M", 1, None, False, {})]


def test_the_edges_of_a_card_are_reported_one_by_one() -> None:
    """SC-20, SC-21: the right example of the rules: milk beside dark, and below it dark beside dark."""
    at = position("2", "place:2", table="DDDM@0,0", hands=["", "WWDM"], kinds="D/W")
    done = summary(at, "MWWD@2,0")
    assert done["touching"] == [edge(2, 0, "left", False), edge(2, 1, "left", True)]
    assert done["points"] == [4, 2]
    assert [(group["kind"], group["size"]) for group in done["groups"]] == [("D", 4), ("W", 2), ("M", 1), ("M", 1)]


def test_a_card_on_the_second_level_touches_what_lies_beside_it() -> None:
    """SC-31 to SC-33: the example of the rules. It carries on milk on its left and white on its right; what it covers
    does not matter. Milk has a group of 4 then, white one of 3, dark a single piece."""
    at = position("3", table="DDDM@0,0 MWWD@2,0", hands=["MMMW"], kinds="D/M/W")
    assert at.scores() == (4, 1, 2)
    done = summary(at, "MMWM@1,0^")
    assert done["touching"] == [
        edge(1, 0, "left", False),
        edge(2, 0, "right", False),
        edge(2, 1, "right", True),
        edge(1, 1, "left", True),
    ]
    assert done["points"] == [1, 4, 3]
    assert brief(done["groups"]) == [("M", 4, 1, True, {}), ("W", 3, 2, True, {}), ("D", 1, 0, True, {})]


def test_beside_a_second_level_card_its_piece_is_touched() -> None:
    """SC-23 (ruling): two white pieces lie on a dark and a milk one; the new card stands above them."""
    at = position(table="DDDM@0,0 MWWD@2,0 WWMM@1,0^", hands=["WWWD"], kinds="D/W")
    done = summary(at, "DWWW@1,-2")
    assert done["touching"] == [edge(2, -1, "down", True), edge(1, -1, "down", True)]


def test_a_hole_is_touched_from_all_sides() -> None:
    """SC-22: all eight edges, piece by piece, clockwise from the top left."""
    at = position(table=drawn("DDDDDD/MDWWWM/WW..DD/MD..WD/MMMMWW/DWWWMW"), hands=["WWWM"], kinds="D/W")
    assert summary(at, "WWWM@2,2")["touching"] == [
        edge(2, 2, "up", True),
        edge(2, 2, "left", True),
        edge(3, 2, "up", True),
        edge(3, 2, "right", False),
        edge(3, 3, "right", True),
        edge(3, 3, "down", False),
        edge(2, 3, "down", True),
        edge(2, 3, "left", False),
    ]


# Refusals


@pytest.mark.parametrize(
    "move",
    ["MWWD@3,0", "MWWD@9,9", "DDDM@2,0", "MWWD@1,0^", "dark", "pass", "+DDDM", "token@0,0", "DMDM@2,0", "x", "", -1, 7],
)
def test_what_is_no_legal_move_is_refused_as_by_playing_it(move: str | int) -> None:
    """SC-20, SC-31, SC-41 and others: the same words, and the same rule."""
    at = position("2", "place:2", table="DDDM@0,0", hands=["", "WWDM.WWWD.WWWM.MMWD"], kinds="D/W")
    for where in (at, at.seen_by(1)):
        check_refused_as_by_playing(where, move)


# Whole games


def seen_from_above(at: Position | Seen) -> dict[Cell, str]:
    """SC-33: of each cell the topmost piece."""
    pieces: dict[Cell, str] = {}
    for card in sorted(at.view["table"], key=lambda card: int(card["level"])):
        pieces.update(zip(cells_of(card["x"], card["y"]), card["pieces"], strict=True))
    return pieces


def flooded(pieces: dict[Cell, str]) -> list[set[Cell]]:
    """SC-42: pieces of one kind that are joined by edges."""
    left, found = set(pieces), []
    while left:
        start = left.pop()
        group, ways = {start}, [start]
        while ways:
            near = {cell for cell in beside(ways.pop()) if cell in left and pieces[cell] == pieces[start]}
            left -= near
            group |= near
            ways += near
        found.append(group)
    return found


def check_counts(values: Values, at: Position) -> None:
    """SC-42 to SC-46: points and groups of this table, against what is found cell by cell."""
    pieces, kinds, seats = seen_from_above(at), at.view["kinds"], at.seats
    groups = values["groups"]
    assert sorted(sorted(group["cells"]) for group in groups) == sorted(map(sorted, flooded(pieces)))
    order = [(-group["size"], "DMW".index(group["kind"]), group["cells"]) for group in groups]
    assert order == sorted(order)
    neutral = next(kind for kind in "DMW" if kind not in kinds) if seats != 3 and None not in kinds else None
    points = [0] * seats
    for seat in range(seats):
        points[seat] = max((group["size"] for group in groups if group["kind"] == kinds[seat]), default=0)
    for group in groups:
        assert {pieces[cell] for cell in group["cells"]} == {group["kind"]}
        assert group["size"] == len(group["cells"])
        assert list(group["cells"]) == sorted(group["cells"], key=lambda cell: (cell[1], cell[0]))
        if group["kind"] != neutral:
            assert group["seat"] == (kinds.index(group["kind"]) if group["kind"] in kinds else None)
            assert group["contacts"] == {}
            continue
        around = Counter(pieces.get(cell) for own in group["cells"] for cell in beside(own))
        assert group["contacts"] == {kind: around[kind] for kind in kinds[:2]}
        first, second = (around[kind] for kind in kinds[:2])
        winner = None if len(group["cells"]) < 6 or first == second else 0 if first > second else 1
        assert (group["seat"], group["scores"]) == (winner, winner is not None)
        for seat in range(seats):
            points[seat] += group["size"] if seat % 2 == winner else 0
    assert list(values["points"]) == points

    # What counts for a side adds up to its points.
    for seat in range(seats):
        side = seat if seats == 3 else seat % 2
        assert sum(group["size"] for group in groups if group["scores"] and group["seat"] == side) == points[seat]
        own = [group["scores"] for group in groups if group["kind"] == kinds[seat]]
        assert own == [True] * len(own[:1]) + [False] * len(own[1:])


def touching(at: Position | Seen, move: str) -> Iterator[tuple[int, int, str, bool]]:
    """SC-20, SC-23, SC-32: the edges between a card that is laid and visible pieces outside it."""
    pieces, where = move.rstrip("^").split("@")
    x, y = map(int, where.split(","))
    before, mine = seen_from_above(at), cells_of(x, y)
    for piece, cell in zip(pieces, mine, strict=True):
        for near in beside(cell):
            if near in before and near not in mine:
                side = SIDES[near[0] - cell[0], near[1] - cell[1]]
                yield *cell, side, before[near] == piece


@cache
def games(rules: Rules) -> list[tuple[Position, int]]:
    """A random game in which cards lie close together and tokens and offers are used: positions, and what is played."""
    stream, at = Stream("counting", rules.text), game("schokoly").new(rules.text)
    plies = []
    while at.actor != OVER:
        if at.actor == CHANCE:
            action = at.draw(stream)
        else:
            moves = texts(at)
            close = [move for move in moves if re.search(r"@-?[0-3],-?[0-3]$", move)]
            above = [move for move in moves if move.endswith("^")]
            offers = [move for move in moves if re.match("offer|answer|accept", move)]
            action = at.action(stream.choice(stream.choice([above, close, close, offers]) or moves))
        plies.append((at, action))
        at = at.play(action)
    plies.append((at, -1))
    return plies


@pytest.mark.parametrize("rules", SCHOKOLY, ids=names)
def test_points_and_groups_are_those_of_the_table(rules: Rules) -> None:
    """SC-42 to SC-46: for every position, and the same for every seat and for spectators."""
    for at, _ in games(rules):
        view = at.view
        check_counts(view, at)
        assert list(view["points"]) == list(at.scores())
        for who in (*range(at.seats), SPECTATOR):
            seen = at.seen_by(who).view
            assert (seen["points"], seen["groups"]) == (view["points"], view["groups"])


@pytest.mark.parametrize("rules", SCHOKOLY, ids=names)
def test_the_view_and_its_json_are_the_same(rules: Rules) -> None:
    for at, _ in games(rules)[::7]:
        for where in (at, at.seen_by(0), at.seen_by(SPECTATOR)):
            assert where.json() == json.dumps(where.view, separators=(",", ":"))


@pytest.mark.parametrize("rules", SCHOKOLY, ids=names)
def test_what_a_card_does_is_what_is_seen_after_it(rules: Rules) -> None:
    """SC-20, SC-32, SC-42 to SC-46: for cards on either level, the same for the acting seat and all others."""
    stream = Stream("cards to try", rules.text)
    for at, played in games(rules)[:-1]:
        lays = [move for move in texts(at) if LAY.match(move)] if at.actor != CHANCE else []
        if not lays:
            continue
        tries = {stream.choice(lays), stream.choice([move for move in lays if move.endswith("^")] or lays)}
        for move in {*tries, at.move_text(played)} & {*lays}:
            done, after = summary(at, move), at.play(move)
            assert (tuple(done["points"]), done["groups"]) == (after.view["points"], list(after.view["groups"]))
            edges = [(found["x"], found["y"], found["side"], found["same"]) for found in done["touching"]]
            assert sorted(edges) == sorted(touching(at, move))
            assert len(edges) >= (0 if not at.view["table"] else 1 if move.endswith("^") else 2)
            json.dumps(done)
            for who in (*range(at.seats), SPECTATOR):
                assert at.seen_by(who).effects(move) == at.effects(move)


def test_all_of_it_has_occurred_in_those_games() -> None:
    """Otherwise the tests above could pass without testing something."""
    moves, neutral = set(), Counter[str]()
    for rules in SCHOKOLY:
        for at, action in games(rules):
            text = at.move_text(action) if action >= 0 else ""
            moves.add("^" if text.endswith("^") else "@" if LAY.match(text) else re.split("[@:+]", text)[0])
            for group in at.view["groups"]:
                if group["contacts"]:
                    neutral["small" if group["size"] < 6 else "large" if group["scores"] else "even"] += 1
    assert moves >= {"^", "@", "dark", "milk", "white", "token", "no-token", "offer", "answer", "accept", "decline"}
    assert set(neutral) == {"small", "large", "even"}
