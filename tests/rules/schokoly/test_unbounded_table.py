"""The table has no borders: SC-5. Internally, the plane is rolled up; that must never be noticeable."""

from __future__ import annotations

from itertools import product

import pytest

import tilery

from .positions import (
    CARD_OF,
    GAME,
    PATTERNS,
    Cell,
    all_lays,
    group_sizes,
    lays_of,
    lying,
    outcome_of,
    place_of,
    position,
    rotations,
)

# For each direction: the step from one card to the next, and which two pieces face which two of the next card.
DIRECTIONS = {
    "right": ((2, 0), (1, 2), (0, 3)),
    "left": ((-2, 0), (0, 3), (1, 2)),
    "down": ((0, 2), (3, 2), (0, 1)),
    "up": ((0, -2), (0, 1), (3, 2)),
}


def fitting_string(cards: list[str], facing: tuple[int, int], faced: tuple[int, int]) -> list[str]:
    """The cards as they lie in a legal string, in an order in which each carries on a kind of the one before."""

    def fits(one: str, next_one: str) -> bool:
        return any(one[a] == next_one[b] for a, b in zip(facing, faced, strict=True))

    laid = [cards[0]]
    left = cards[1:]
    while left:
        card, way = next((card, way) for card in left for way in rotations(card) if fits(laid[-1], way))
        laid.append(way)
        left.remove(card)
    return laid


def string_game(variant: str, direction: str) -> tilery.Record:
    """A whole game in which every card is laid at the end of one long string: the deals bring what is needed."""
    step, facing, faced = DIRECTIONS[direction]
    seats = int(variant[0])
    laid = fitting_string(list(PATTERNS) * (4 if "large" in variant else 3), facing, faced)
    hands = [[CARD_OF[way] for way in laid[seat::seats]] for seat in range(seats)]
    record = tilery.Record(GAME.new(variant))
    for own in hands:
        for card in own[:4]:
            record = record.play(f"+{card}")
    for number, way in enumerate(laid):
        if record.last.view["phase"] == "kind":
            record = record.play("white" if number else "dark")
        record = record.play(f"{way}@{number * step[0]},{number * step[1]}", by=number % seats)
        if record.last.view["phase"] == "secure":
            record = record.play("no-token")
        if record.last.view["phase"] == "draw":
            record = record.play(f"+{hands[number % seats][number // seats + 4]}")
    return record


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("variant", "far"), [("2", 70), ("3,large", 94)])
def test_all_cards_in_one_line(variant: str, far: int, direction: str) -> None:
    """SC-5, SC-20: the last of 36 cards lies 70 cells from the first, the last of 48 cards 94 cells."""
    record = string_game(variant, direction)
    placing = [at for at in record.positions() if at.view["phase"] == "place"]
    assert len(placing) == far // 2 + 1
    for number, at in enumerate(placing):
        if number % 9 == 1 or number > len(placing) - 4:
            assert lays_of(at) == all_lays(at), at.text
            assert tilery.read_position(at.text).row == at.row
    after = record.last
    assert outcome_of(after).rule == "SC-40"
    assert tilery.read_position(after.text).row == after.row
    (right, down), *_ = DIRECTIONS[direction]
    assert (down // 2 * far, right // 2 * far) in map(place_of, lying(after))
    again = tilery.read_record(record.text)
    assert again == record
    assert again.last.row == after.row


def path(*legs: tuple[str, int]) -> list[Cell]:
    """Places in a row: a number of cards in one direction, then in another."""
    places = [(0, 0)]
    for direction, cards in legs:
        (right, down), *_ = DIRECTIONS[direction]
        for _ in range(cards):
            places.append((places[-1][0] + right, places[-1][1] + down))
    return places


def both_ways(first: list[Cell], second: list[Cell]) -> list[Cell]:
    """Two paths from the same first card."""
    return [*first, *second[1:]]


SHAPES = {
    **{f"line {way}": path((way, 46)) for way in DIRECTIONS},
    **{
        f"{a} and {b}": path((a, 23), (b, 23))
        for a, b in product(DIRECTIONS, DIRECTIONS)
        if {a, b} in ({"left", "up"}, {"left", "down"}, {"right", "up"}, {"right", "down"})
    },
    **{
        f"{a} and {b}, from the middle": both_ways(path((a, 23)), path((b, 23)))
        for a, b in (
            ("left", "up"),
            ("left", "down"),
            ("right", "up"),
            ("right", "down"),
            ("left", "right"),
            ("up", "down"),
        )
    },
    "a staircase": path(*[("right", 1), ("down", 1)] * 23),
    "a staircase up": path(*[("left", 1), ("up", 1)] * 23),
    "a staircase to the lower left": path(*[("down", 1), ("left", 1)] * 23),
    "a hook": path(("right", 18), ("down", 18), ("left", 10)),
    "a Z": both_ways(path(("right", 12), ("down", 11)), path(("left", 12), ("up", 11))),
    "a long Z": both_ways(path(("down", 20), ("right", 3)), path(("up", 20), ("left", 3))),
}


def shaped(variant: str, shape: str) -> tilery.Position:
    """A table of 47 cards of this shape; the last card is in the hand of seat 1."""
    cards = [card for card in PATTERNS for _ in range(4)]
    cards.remove("MMWD")
    places = SHAPES[shape]
    # The kinds go round differently on each leg, so that ends which must not meet would fit each other.
    turned = [rotations(card)[number % 4] for number, card in enumerate(cards)]
    order = sorted(range(47), key=lambda number: (number * 29) % 47)
    table = " ".join(f"{turned[k]}@{x},{y}" for k, (x, y) in zip(order, places, strict=True))
    return position(variant, table=table, hands=["MMWD"], stack="")


@pytest.mark.parametrize("shape", SHAPES)
def test_far_ends_never_meet(shape: str) -> None:
    """SC-5: 47 cards as far from each other as they can be; every lay of the last card, found by trying every cell."""
    assert len(set(SHAPES[shape])) == 47
    at = shaped("2,large", shape)
    assert lays_of(at) == all_lays(at)
    assert tilery.read_position(at.text).row == at.row
    x, y = SHAPES[shape][-1]
    assert any(abs(row - y) <= 2 and abs(column - x) <= 2 for row, column in map(place_of, lays_of(at)))


@pytest.mark.parametrize("shape", SHAPES)
def test_groups_do_not_reach_around_the_plane(shape: str) -> None:
    """SC-5, SC-42, SC-43: the largest groups, by a flood fill of the open plane."""
    at = shaped("3,large", shape)
    assert at.scores() == tuple(group_sizes(at, kind)[0] for kind in "DMW")


# Steps after which a plane that is rolled up could come back to the same place: the one that is used, and smaller ones.
WRAPS = [
    *((101, -1), (51, 50), (-50, 51)),
    *((r + 1, r) for r in (44, 46, 47, 48, 49)),
    *((-r, r + 1) for r in (44, 46, 47, 48, 49)),
    *((n, 0) for n in (48, 64, 72, 94, 96, 98)),
    *((0, n) for n in (48, 64, 72, 94, 96, 98)),
]


@pytest.mark.parametrize("shape", ["line right", "line up", "right and down", "left and up", "a staircase"])
def test_what_is_legal_here_is_not_legal_far_away(shape: str) -> None:
    """SC-5, SC-20, SC-31: the same lay at a place that some rolled up plane would take for this one."""
    at = shaped("2,large", shape)
    legal = lays_of(at)
    tried = 0
    for move in sorted(legal)[::9]:
        row, column = place_of(move)
        for right, down in WRAPS:
            for sign in (1, -1):
                x, y = column + sign * right, row + sign * down
                far = f"{move[:4]}@{x},{y}{'^' if move[-1] == '^' else ''}"
                if max(abs(x), abs(y)) <= 99:
                    assert (at.refusal(far) is None) == (far in legal), far
                    tried += far not in legal
    assert tried > 300


def test_how_far_a_card_can_lie() -> None:
    """SC-5: a text may have 94 for a coordinate, the most that a string of 48 cards reaches, and no more."""
    at = shaped("2,large", "line right")
    assert "@92,0" in at.text
    with pytest.raises(tilery.BadText, match="a coordinate from 0 to 94"):
        tilery.read_position(at.text.replace("@92,0", "@95,0"))
    with pytest.raises(tilery.NotAMove):
        at.play("MMWD@100,0")
