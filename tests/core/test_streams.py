"""Randomness from outside: named, reproducible, fair."""

from __future__ import annotations

from collections import Counter

import pytest

from tilery import CHANCE, NotLegal, Position, Stream, game, read_position
from tilery.core.game import as_rows
from tilery.core.kernel.generator import MULTIPLIER, STATES
from tilery.core.streams import fresh_seed

AZUL = game("azul")


def test_a_name_always_gives_the_same_numbers() -> None:
    one, other = Stream(1, "deals", 3), Stream(1, "deals", 3)
    assert [one.below(100) for _ in range(8)] == [other.below(100) for _ in range(8)]
    assert Stream("a").child("b").bits(64) == Stream("a", "b").bits(64)
    # Pinned: a change here would change every game that somebody replays from a seed.
    assert Stream("tilery").bits(64) == 0x23CE7521EEF1C4D7


def test_different_names_give_different_numbers() -> None:
    names: list[tuple[int | str, ...]] = [("a", "b"), ("ab",), ("a", 1), ("a", "1"), (1,), ("1",)]
    assert len({Stream(*name).bits(128) for name in names}) == len(names)


def test_numbers_below_a_bound_are_uniform() -> None:
    stream = Stream("uniform")
    counts = Counter(stream.below(6) for _ in range(60_000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 10_000) < 5 * 100 for count in counts.values())
    assert {Stream(k).below(1) for k in range(10)} == {0}
    with pytest.raises(ValueError, match="at least 1"):
        stream.below(0)


def test_generators_stay_within_63_bits() -> None:
    states = Stream("states").generators(1000)
    assert states.min() > 0
    assert states.max() < STATES < 2**63
    assert MULTIPLIER * (2**32 - 1) + (2**31 - 1) < 2**63


def test_fresh_seeds_differ() -> None:
    assert len({fresh_seed() for _ in range(100)}) == 100


NEARLY_EMPTY = (
    "azul:2 round=5 fill starter=1 marker=C bag=2/0/1/0/0 lid=14/12/18/19/20 centre=- discs=-/-/-/-/- "
    "0|-/-/-/-/BBB|BYRK./...../...../...../.....|- 0|-/-/-/-/YYYY|.Y.../..Y../...Y./...../.....|-"
)
ONE_LAID = (
    "azul:3,specials round=1 discs starter=1 marker=C bag=20/20/20/20/20 lid=0/0/0/0/0 centre=- "
    "discs=-/keeper:-/-/-/-/-/-" + " 0|-/-/-/-/-|...../...../...../...../.....|-" * 3
)
FRESH = AZUL.new(start=None, seats=4).play("start=3")


@pytest.mark.parametrize(
    "position", [read_position(NEARLY_EMPTY), read_position(ONE_LAID), FRESH], ids=["pour", "discs", "bag"]
)
def test_random_outcomes_follow_the_exact_probabilities(position: Position) -> None:
    """AZ-32, MC-2: drawn without replacement, as from a real bag."""
    assert position.actor == CHANCE
    kernel = position.game.kernel
    rows = as_rows(position.row)
    probabilities = position.probabilities()
    rng = Stream("probabilities").generators()
    draws = 40_000
    drawn = Counter(position.move_text(kernel.draw(rows, 0, rng)) for _ in range(draws))
    assert set(drawn) <= set(probabilities)
    chi = sum((drawn[move] - draws * p) ** 2 / (draws * p) for move, p in probabilities.items())
    freedom = len(probabilities) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5, (chi, freedom)


def test_a_game_can_be_dealt_by_hand() -> None:
    """A deal is typed in ply by ply, and an impossible one is refused with the reason."""
    position = AZUL.new()
    for move in ("+BBBB", "+BBBB", "+BBBB", "+BBBB"):
        position = position.play(move)
    with pytest.raises(NotLegal, match="gets 4 tiles"):
        position.play("+BBB")
    position = position.play("+BBBB")
    assert position.actor == 0
    assert position.view["bag"] == (0, 20, 20, 20, 20)
