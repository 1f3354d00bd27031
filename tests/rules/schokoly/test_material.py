"""Material: SC-1 to SC-5. (That the table has no borders is tried in test_unbounded_table.py.)"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest

import tilery
from tests.notation import texts

from .positions import GAME, KINDS, PATTERNS, all_lays, dealt, lays_of, play, position, rotations, rule_against

THREE_KINDS = ("DDMW", "MMWD", "WWDM")


def game_with_hand(*cards: str) -> tilery.Position:
    """A game in which seat 1 holds these cards and is to lay the first one."""
    return play(dealt("2", ".".join(cards), "DDDM.MMMD.WWWD.WWWM"), "dark")


@pytest.mark.parametrize("card", PATTERNS)
def test_a_card_lies_in_any_of_its_four_rotations(card: str) -> None:
    """SC-1: for every pattern these are four different ones, and the first card may lie in each."""
    assert len(set(rotations(card))) == 4
    others = [other for other in ("MMMW", "DDMM", "DDWW", "MMWW", "DDMW") if other != card][:3]
    moves = [move for move in texts(game_with_hand(card, *others)) if sorted(move[:4]) == sorted(card)]
    assert sorted(moves) == sorted(f"{laid}@0,0" for laid in rotations(card))


@pytest.mark.parametrize(
    ("laid", "upper", "lower"),
    [("DDMW", "D D", "W M"), ("WDDM", "W D", "M D"), ("MWDD", "M W", "D D"), ("DMWD", "D M", "D W")],
)
def test_the_pieces_are_read_clockwise_from_the_top_left(laid: str, upper: str, lower: str) -> None:
    """SC-1, SC-2: the four pictures of DDMW on the page of the rules."""
    rows = str(game_with_hand("DDMW", "MMWD", "WWDM", "DDMM").play(f"{laid}@0,0")).splitlines()
    assert [row for row in rows if f"[{upper}]" in row and row.split()[0] == "0"]
    assert [row for row in rows if f"[{lower}]" in row and row.split()[0] == "1"]


@pytest.mark.parametrize("card", THREE_KINDS)
def test_no_card_is_turned_over(card: str) -> None:
    """SC-1, SC-2: the mirror image of a card with three kinds is no card of the game in any rotation."""
    at = game_with_hand(*THREE_KINDS, "DDMM")
    for mirrored in rotations(card[::-1]):
        assert f"{mirrored}@0,0" not in texts(at)
        with pytest.raises(tilery.NotAMove, match="SC-2"):
            at.play(f"{mirrored}@0,0")


@pytest.mark.parametrize("card", sorted(set(PATTERNS) - set(THREE_KINDS)))
def test_a_card_of_two_kinds_is_its_own_mirror_image(card: str) -> None:
    """SC-1: turned over it looks like one of its rotations, so nothing is lost there."""
    assert card[::-1] in rotations(card)


def test_the_classic_set_has_three_copies_of_twelve_patterns() -> None:
    """SC-2: 36 cards and 48 pieces of each kind, and each pattern has the same probabilities to be dealt first."""
    first = GAME.new()
    assert first.rules.text == "2"
    assert list(first.probabilities()) == [f"+{card}" for card in PATTERNS]
    assert first.probabilities() == pytest.approx({f"+{card}": 1 / 12 for card in PATTERNS})
    assert first.view["stack"] == (3,) * 12
    assert Counter("".join(PATTERNS * 3)) == {"D": 48, "M": 48, "W": 48}


def test_there_is_one_pattern_for_each_mix_of_two_or_three_kinds() -> None:
    """SC-2: twelve mixes of four pieces, and two of a kind lie side by side."""
    cards = [move[1:] for move in texts(GAME.new())]
    mixes = ["".join(mix) for mix in combinations_with_replacement(KINDS, 4) if len(set(mix)) > 1]
    assert sorted("".join(sorted(card)) for card in cards) == sorted(mixes)
    for card in cards:
        for kind in KINDS:
            if card.count(kind) == 2:
                assert any(laid.startswith(kind * 2) for laid in rotations(card))


@pytest.mark.parametrize("pieces", ["DDDD", "MMMM", "WWWW", "DMDM", "MDMD", "DMDW", "MWMD", "DDWM"])
def test_what_is_no_pattern_cannot_be_laid_or_written_down(pieces: str) -> None:
    """SC-2: one kind alone, two of a kind across a corner, a mirror image."""
    with pytest.raises(tilery.NotAMove, match="SC-2"):
        game_with_hand("DDMW", "MMWD", "WWDM", "DDMM").play(f"{pieces}@0,0")
    with pytest.raises(tilery.NotAMove):
        GAME.new().play(f"+{pieces}")
    text = position(table="DDDM@0,0 DDDM@2,0").text
    with pytest.raises(tilery.BadText, match=r"there is no card .*SC-2"):
        tilery.read_position(text.replace("DDDM@2,0", f"{pieces}@2,0"))


def test_copies_of_a_pattern_cannot_be_told_apart() -> None:
    """SC-2 (ruling): hands are counts, so the order in which cards came does not matter, to the last byte."""
    one = dealt("2", "DDDM.MMMD.DDDM.WWWM", "DDMM.DDMM.DDWW.MMWW")
    other = dealt("2", "WWWM.DDDM.DDDM.MMMD", "MMWW.DDMM.DDWW.DDMM")
    assert one == other
    assert one.row == other.row
    assert texts(one.play("dark")).count("DDDM@0,0") == 1


@pytest.mark.parametrize("variant", ["2,large", "3,large", "4,large", "3,large,swap"])
def test_the_large_set_has_four_copies_of_the_same_patterns(variant: str) -> None:
    """SC-3: 48 cards and 64 pieces of each kind, as an option."""
    first = GAME.new(variant)
    assert first.view["stack"] == (4,) * 12
    assert first.probabilities() == pytest.approx({f"+{card}": 1 / 12 for card in PATTERNS})
    assert Counter("".join(PATTERNS * 4)) == {"D": 64, "M": 64, "W": 64}
    assert GAME.new(variant[0] + variant[7:]).view["stack"] == (3,) * 12


def test_there_are_no_other_sets() -> None:
    """SC-2, SC-3: classic or large; a fourth copy exists in the large set alone."""
    for wrong in ("huge", "", None, 3):
        with pytest.raises(tilery.Refused, match=r"SC-2, SC-3"):
            GAME.new(set=wrong)
    large = play(GAME.new("2,large"), *["+DDDM"] * 4)
    classic = play(GAME.new(), *["+DDDM"] * 3)
    assert rule_against(classic, "+DDDM") == "SC-61"
    assert rule_against(large, "+DDDM") == "SC-61"


@pytest.mark.parametrize(("seats", "tokens"), [(2, 6), (3, 4), (4, 3)])
@pytest.mark.parametrize("cards", ["classic", "large"])
def test_twelve_tokens_are_shared_out_equally(seats: int, tokens: int, cards: str) -> None:
    """SC-4: 6, 4 or 3 for each, whichever set is played."""
    assert GAME.new(seats=seats, set=cards).view["tokens"] == (tokens,) * seats


def test_there_are_twelve_tokens_wherever_they_are() -> None:
    """SC-4: with those on the table; nobody has more than it began with."""
    position(table="DDDM@0,0! DDDM@2,0!", tokens="5/5")
    for tokens in ("6/5", "4/5", "5/6"):
        with pytest.raises(tilery.BadText, match="SC-4"):
            position(table="DDDM@0,0! DDDM@2,0!", tokens=tokens)
    with pytest.raises(tilery.BadText, match="tokens from 0 to 6"):
        position(table="DDDM@0,0 DDDM@2,0", tokens="7/5")


def test_a_card_may_be_shifted_by_a_whole_piece() -> None:
    """SC-5: beside two cards that lie one above the other, in the middle between them."""
    at = position(table="DDDM@0,0 DDDM@0,2", hands=["DDDM.MMMW.WWWM.WWWD"])
    for y in (0, 1, 2):
        assert f"DDDM@2,{y}" in texts(at)
    assert "DDDM@2,1" in play(at, "DDDM@2,1", "no-token").text
    assert lays_of(at) == all_lays(at)


@pytest.mark.parametrize(
    "move", ["DDDM@2,0.5", "DDDM@2,1/2", "DDDM@2,½", "DDDM@2", "DDDM@2,00", "DDDM@2,-0", "DDDM@2,+1"]
)
def test_no_card_is_shifted_by_half_a_piece(move: str) -> None:
    """SC-5: every piece fills exactly one cell, and there are no cells between cells."""
    with pytest.raises(tilery.NotAMove):
        position(table="DDDM@0,0 DDDM@0,2", hands=["DDDM.MMMW.WWWM.WWWD"]).play(move)
