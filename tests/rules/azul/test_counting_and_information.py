"""Counting and information: AZ-60 and AZ-61."""

from __future__ import annotations

from math import comb

import pytest

import tilery

from .positions import board, counts, position, random_game, tiles_in_all

AZUL = tilery.game("azul")
VARIANTS = [
    "2",
    "3,grey",
    "4",
    "2,specials",
    "2,grey,specials",
    "3,specials=game,start=drawn",
    "4,grey,specials,stall=10",
    "4,grey,specials=game,rounds=5",
]


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_tile_and_no_marker_is_ever_lost_or_added(variant: str) -> None:
    """AZ-60: at every step of random games, with the steps of chance."""
    for seed in range(3):
        for at in random_game(variant, seed):
            assert tiles_in_all(at) == (20, 20, 20, 20, 20), at.text
            markers = ["m" in mine["floor"] + (mine["saucer"] or "") for mine in at.view["boards"]]
            on_board = [seat for seat, here in enumerate(markers) if here]
            assert on_board in ([], [at.view["marker"]]), at.text


def test_other_numbers_of_tiles_cannot_be_written_down() -> None:
    """AZ-60: 19 or 21 tiles of a colour are refused."""
    most = "B" * 16 + "Y" * 20 + "R" * 20 + "K" * 20 + "W" * 20
    assert tiles_in_all(position(discs="BBBB", bag=most, lid="")) == (20,) * 5
    for bag in (most + "B", most[1:], most[:-1]):
        with pytest.raises(tilery.BadText, match="AZ-60"):
            position(discs="BBBB", bag=bag, lid="")


def test_there_is_one_marker() -> None:
    """AZ-60: not two on boards, nor one that its owner does not hold."""
    with pytest.raises(tilery.BadText, match="AZ-60"):
        position(discs="BBBB", boards=[board(floor="m"), board(floor="m")])
    with pytest.raises(tilery.BadText, match="AZ-60"):
        position(discs="BBBB", boards=[board(floor="m")], marker="C")
    with pytest.raises(tilery.BadText, match="AZ-13"):
        position(discs="BBBB", marker="1")


@pytest.mark.parametrize("variant", ["2", "3,grey,specials"])
def test_a_position_holds_nothing_that_its_text_does_not_show(variant: str) -> None:
    """AZ-61: no order of the bag and no seed is in it: read back from its text it is the same to the last byte."""
    for number, at in enumerate(random_game(variant, 7)):
        if number % 5 == 0:
            again = tilery.read_position(at.text)
            assert again == at
            assert again.row == at.row


def test_every_seat_knows_the_contents_of_the_bag() -> None:
    """AZ-61: they are public, so all seats see the same, and what they see is all there is."""
    at = AZUL.new(seats=3).settle(tilery.Stream("information"))
    for seat in range(3):
        seen = at.seen_by(seat)
        assert seen.view == at.view
        assert sum(seen.view["bag"]) == 100 - 28
        assert seen.guess(tilery.Stream("a guess")) == at
    with pytest.raises(tilery.Refused):
        at.seen_by(3)


def test_the_next_deal_is_not_settled_before_it_is_drawn() -> None:
    """AZ-61: the same position deals differently with other randomness, and equally with the same."""
    at = position(discs="BBBB", boards=[board(), board(floor="m")]).play("1BF")
    deals = {at.settle(tilery.Stream("deal", n)).view["factories"] for n in range(5)}
    assert len(deals) == 5
    assert at.settle(tilery.Stream("deal", 0)) == at.settle(tilery.Stream("deal", 0))


def test_the_probabilities_of_a_deal_follow_from_public_contents_alone() -> None:
    """AZ-61: in the middle of a round's deal, from the counts that everybody sees."""
    at = AZUL.new().play("+BBYR").play("+KKKK")
    bag = at.view["bag"]
    assert bag == (18, 19, 19, 16, 20)
    probabilities = at.probabilities()
    assert len(probabilities) == 70
    for text, chance in probabilities.items():
        ways = 1
        for there, drawn in zip(bag, counts(text), strict=True):
            ways *= comb(there, drawn)
        assert chance == pytest.approx(ways / comb(92, 4))
