"""Tokens: SC-30 to SC-36."""

from __future__ import annotations

import pytest

import tilery
from tests.notation import texts

from .positions import all_lays, dealt, drawn, group_sizes, lays_of, lying, play, position, rotations, rule_against

# The two cards of the example of the page, D D M W above M D D W; four cards in a row; two rows of three.
PAIR = "DDDM@0,0 MWWD@2,0"
ROW = "DDDM@0,0 MWWD@2,0 WWMM@4,0 MDDD@6,0"
BLOCK = drawn("DDMWWW/MDDWDD/MMWWDD/WMWMMD")


def why(at: tilery.Position, move: str) -> str:
    """The words of a refusal, and its rule."""
    return f"{rule_against(at, move)}: {at.refusal(move)}"


def test_the_example_of_the_page() -> None:
    """SC-31, SC-32, SC-33, SC-42: MMMW in the middle of two cards; then milk has 4, white 3 and dark 1."""
    at = position("3", table=PAIR, hands=["MMMW.DDDM.WWWD.DDWW"])
    after = at.play("MMWM@1,0^")
    assert lying(after) == {"DDDM@0,0", "MWWD@2,0", "MMWM@1,0^"}
    assert after.scores() == (1, 4, 3)
    assert [group_sizes(after, kind) for kind in "DMW"] == [[1], [4], [3]]
    for place in ("0,0", "2,0"):
        assert "at least two different cards" in why(at, f"MMWM@{place}^")
    for place in ("1,-1", "1,1"):
        assert "no overhang, no hole" in why(at, f"MMWM@{place}^")
    assert {move.partition("@")[2] for move in texts(at) if "^" in move} == {"1,0^"}


def test_stacking_costs_a_token_which_lies_on_the_card() -> None:
    """SC-31: the tokens of the others stay as they are."""
    after = position("3", table=PAIR, hands=["MMMW.DDDM.WWWD.DDWW"]).play("MMWM@1,0^")
    assert after.view["tokens"] == (3, 4, 4)
    assert [(card["level"], card["token"]) for card in after.view["table"]] == [(1, False), (2, True), (1, False)]
    assert after.view["hands"][0] == ("DDDM", "WWWD", "DDWW")


def test_a_seat_without_tokens_does_not_stack() -> None:
    """SC-31: though others have some; the same move with a last token is legal."""
    hands = ["MMMW.DDDM.WWWD.DDWW"]
    table = "DDDM@0,0 MWWD@2,0 DDDW@4,0! DDDW@6,0! DDWW@8,0! MMWW@10,0! WWWM@12,0! WWWM@14,0!"
    at = position("2", table=table, hands=hands, tokens="0/6")
    assert "none is left" in why(at, "MMWM@1,0^")
    assert not any("^" in move for move in texts(at))
    last = position("2", table=table, hands=hands, tokens="1/5")
    assert last.play("MMWM@1,0^").view["tokens"] == (0, 5)


def test_whoever_stacks_does_not_secure_in_the_same_turn() -> None:
    """SC-30 (ruling): a card is drawn at once."""
    after = position(table=PAIR, hands=["MMMW.DDDM.WWWD.DDWW"]).play("MMWM@1,0^")
    assert after.view["phase"] == "draw"
    assert rule_against(after, "token@0,0") == "SC-14"


def test_one_token_secures_one_card_in_a_turn() -> None:
    """SC-30 (ruling): after it the turn goes on with drawing."""
    at = position(table=PAIR, hands=["MMMW.DDDM.WWWD.DDWW"]).play("DDDM@0,-2")
    after = at.play("token@0,0")
    assert (after.view["phase"], after.view["tokens"]) == ("draw", (5, 6))
    assert rule_against(after, "token@2,0") == "SC-14"


def test_a_token_stays_where_it_was_laid() -> None:
    """SC-30: nothing takes it away until the game is over."""
    at = play(position(table=PAIR, hands=["MMMW.DDDM.WWWD.DDWW"]), "DDDM@0,-2", "token@0,0")
    players, chance = tilery.Stream("tokens"), tilery.Stream("tokens, chance")
    while at.actor != tilery.OVER:
        assert "DDDM@0,0!" in lying(at)
        assert at.refusal("token@0,0") is not None
        at = at.play(at.draw(chance) if at.actor == tilery.CHANCE else players.choice(at.actions()))
    assert "DDDM@0,0!" in lying(at)


@pytest.mark.parametrize(
    "place", ["-1,0", "3,0", "1,-1", "1,1", "0,-1", "2,1", "-1,-1", "3,1", "4,0", "20,0", "-94,94"]
)
def test_a_second_level_card_does_not_hang_over(place: str) -> None:
    """SC-31: one cell without a piece beneath is enough, far away it is four."""
    at = position(table=PAIR, hands=["MMMW.DDDM.WWWD.DDWW"])
    for laid in rotations("MMMW"):
        assert "SC-31: all four pieces of a second-level card lie on first-level pieces" in why(at, f"{laid}@{place}^")


@pytest.mark.parametrize("place", ["1,2", "2,2", "1,1", "2,1", "1,3", "2,3"])
def test_a_second_level_card_does_not_bridge_a_hole(place: str) -> None:
    """SC-31: a hole one column wide and two rows high, closed all around."""
    hole = "DDDM@0,0 DDDM@2,0 DDDW@4,0 MMMD@0,2 MMMD@3,2 WWWM@0,4 WWWM@2,4"
    at = position(table=hole, hands=["MMMW.DDDM.WWWD.DDWW"])
    for laid in rotations("MMMW"):
        assert "no overhang, no hole" in why(at, f"{laid}@{place}^")
    assert lays_of(at) == all_lays(at)


def test_a_second_level_card_lies_on_two_three_or_four_cards() -> None:
    """SC-31: on a block of six, everywhere but right on top of one of them."""
    at = position(table=BLOCK, hands=["MMMW.DDDM.WWWD.DDDW"])
    tops = {move.partition("@")[2] for move in texts(at) if "^" in move}
    assert tops == {"1,0^", "3,0^", "0,1^", "1,1^", "2,1^", "3,1^", "4,1^", "1,2^", "3,2^"}
    for x, y in ((0, 0), (2, 0), (4, 0), (0, 2), (2, 2), (4, 2)):
        for laid in rotations("MMMW"):
            assert "at least two different cards" in why(at, f"{laid}@{x},{y}^")
    shifted = position(table="DDDM@0,0 MWWD@2,0 MMMW@1,2", hands=["MMMW.DDDM.WWWD.DDDW"])
    assert any("@1,1^" in move for move in texts(shifted))  # on two cards above and one below
    assert lays_of(shifted) == all_lays(shifted)


@pytest.mark.parametrize("secured", ["0,0", "2,0", "4,0"])
def test_no_piece_of_a_card_with_a_token_is_covered(secured: str) -> None:
    """SC-31, SC-35: not even one of four; where no such card lies below, stacking is as legal as before."""
    table = BLOCK.replace(f"@{secured}", f"@{secured}!")
    plain, at = (position(table=cards, hands=["MMMW.DDDM.WWWD.DDDW"]) for cards in (BLOCK, table))
    x, y = map(int, secured.split(","))
    for move in lays_of(plain):
        if move[-1] == "^":
            column, row = map(int, move[5:-1].split(","))
            if abs(column - x) < 2 and abs(row - y) < 2:
                assert "with a token cannot be covered, not even in part" in why(at, move)
            else:
                assert at.refusal(move) is None
    assert lays_of(at) == all_lays(at)


def test_a_second_level_card_carries_on_a_kind_at_its_side() -> None:
    """SC-32: one edge is enough; beside it lie dark and milk on the left, white on the right, nothing else."""
    at = position(table=PAIR, hands=["MMMW.DDDM.WWWD.DDMM"])
    for card in ("MMMW", "DDDM", "WWWD", "DDMM"):
        for laid in rotations(card):
            touches = [laid[0] == "D", laid[3] == "M", laid[1] == "W", laid[2] == "W"]
            if any(touches):
                assert at.refusal(f"{laid}@1,0^") is None
            else:
                assert rule_against(at, f"{laid}@1,0^") == "SC-32"


def test_what_a_second_level_card_covers_does_not_matter_for_its_kind() -> None:
    """SC-32: milk on milk and dark on dark beneath, but no equal kind beside."""
    at = position(table=PAIR, hands=["DDMM.DDDM.WWWD.MMMW"])
    assert "no side of the card touches a visible piece of the same kind" in why(at, "MMDD@1,0^")
    assert at.refusal("DMMD@1,0^") is None  # dark beside dark at 0,0


def test_only_the_visible_piece_beside_counts_for_a_second_level_card() -> None:
    """SC-32, SC-33: at 2,1 white is laid on dark: first dark fits at the lower left of the card, then white does."""
    hand = ["DDDW.DDDM.WWWD.MMMW"]
    plain, covered = position(table=ROW, hands=hand), position(table=ROW + " MMWM@1,0^", hands=hand)
    assert plain.refusal("WDDD@3,0^") is None
    assert rule_against(covered, "WDDD@3,0^") == "SC-32"
    assert rule_against(plain, "DDDW@3,0^") == "SC-32"
    assert covered.refusal("DDDW@3,0^") is None
    for at in (plain, covered):
        assert lays_of(at) == all_lays(at)


def test_a_covered_piece_is_out_of_the_game() -> None:
    """SC-33: it is in no group, gives no points and joins nothing: nine dark pieces fall apart into four and one."""
    at = position(table=drawn("DDDDDD/MDDMDW"), hands=["WWWM.DDDM.WWWD.DDWW"])
    assert group_sizes(at, "D") == [9]
    assert at.scores() == (9, 1)
    after = at.play("WWWM@1,0^")
    assert group_sizes(after, "D") == [4, 1]
    assert after.scores() == (4, 2)


def test_nothing_is_laid_on_a_second_level_card() -> None:
    """SC-34: not on it, and not on a part of it."""
    at = position(table=BLOCK + " MMWM@1,0^", hands=["MMMW.DDDM.WWWD.DDDW"])
    for place in ("1,0", "0,1", "1,1", "2,1"):
        for laid in rotations("DDDM"):
            assert "with a token cannot be covered" in why(at, f"{laid}@{place}^")
    with pytest.raises(tilery.BadText, match="SC-34"):
        position(table=BLOCK + " MMWM@1,0^ DDDM@2,1^")
    assert lays_of(at) == all_lays(at)


def test_a_card_that_is_covered_in_part_may_be_covered_again() -> None:
    """SC-36: on the pieces it still shows, but not where something lies on it."""
    at = position(table=ROW + " MMWM@1,0^", hands=["MMMW.DDDM.WWWD.DDDW"])
    # The second card still shows its right half; at 3,0 it is covered together with the third one.
    again = [move for move in texts(at) if move.endswith("@3,0^")]
    assert again
    after = at.play(again[0])
    assert {card for card in lying(after) if "^" in card} == {"MMWM@1,0^", again[0]}
    assert rule_against(at, "DDDM@2,0^") == "SC-31"


def test_securing_a_card_that_is_covered_in_part_saves_the_rest_of_it() -> None:
    """SC-35, SC-36: its covered half stays covered, the other half cannot be covered any more."""
    at = position("2", "secure:2", table=ROW + " MMWM@1,0^", hands=["MMMW.DDDM.WWWD.DDDW"], tokens="6/5")
    assert at.refusal("token@2,0") is None
    secured = at.play("token@2,0").settle(tilery.Stream("draw"))
    assert "MWWD@2,0!" in lying(secured)
    assert secured.actor == 0
    for laid in rotations("DDDM"):
        assert "with a token cannot be covered" in why(secured, f"{laid}@3,0^")


def test_any_card_without_a_token_that_shows_a_piece_can_be_secured() -> None:
    """SC-35: the one just placed or any other; each keeps its token, and one less is left."""
    at = position(table=ROW, hands=["MMMW.DDDM.WWWD.DDDW"]).play("DDDM@0,-2")
    assert texts(at) == ["no-token", *(f"token@{place}" for place in ("0,-2", "0,0", "2,0", "4,0", "6,0"))]
    for move in texts(at)[1:]:
        after = at.play(move)
        assert [f"token@{card['x']},{card['y']}" for card in after.view["table"] if card["token"]] == [move]
        assert after.view["tokens"] == (5, 6)


def test_what_cannot_be_secured() -> None:
    """SC-35: a card with a token, one of the second level, one that is completely covered, and no card at all."""
    table = "DDDM@0,0 MWWD@2,0 WWMM@4,0 MDDD@6,0 MMWM@1,0^ DDDM@3,0^ WWWM@6,2!"
    at = position("2", "secure:1", table=table, tokens="5/4")
    assert texts(at) == ["no-token", "token@0,0", "token@4,0", "token@6,0"]
    assert "completely covered" in why(at, "token@2,0")
    for place in ("1,0", "3,0", "6,2"):
        assert "already carries a token" in why(at, f"token@{place}")
    for place in ("1,1", "5,0", "7,7", "-94,0"):
        assert "no card has its top left piece at" in why(at, f"token@{place}")
    with pytest.raises(tilery.BadText, match="SC-35"):
        position(table=table.replace("2,0 ", "2,0! "), tokens="5/3")


def test_the_player_is_asked_after_every_first_level_card() -> None:
    """SC-35 (ruling): the very first card included; no token is an answer."""
    at = play(dealt("2", "DDDM.DDDW.MMMD.MMMW", "DDDM.WWWD.DDMM.MMWD"), "dark", "DDDM@0,0")
    assert (at.actor, at.view["phase"], texts(at)) == (0, "secure", ["no-token", "token@0,0"])
    assert at.play("no-token").view["tokens"] == (6, 6)
    assert lying(at.play("token@0,0")) == {"DDDM@0,0!"}
    later = play(at, "no-token", "+DDWW", "milk", "DDDM@2,0")
    assert (later.actor, later.view["phase"]) == (1, "secure")


def test_a_seat_without_tokens_is_not_asked() -> None:
    """SC-35 (ruling): a card is drawn at once, though other seats have tokens."""
    table = "DDDM@0,0! MWWD@2,0! WWMM@4,0! MDDD@6,0! DDDW@8,0! DDDW@10,0!"
    after = position(table=table, hands=["MMMW.DDDM.WWWD.DDWW"], tokens="0/6").play("MDDD@-2,0")
    assert (after.view["phase"], after.view["tokens"]) == ("draw", (0, 6))
    with pytest.raises(tilery.BadText, match="SC-35"):
        position("2", "secure:1", table=table, tokens="0/6")


def test_the_last_token_is_the_last_one() -> None:
    """SC-35: after it the seat is not asked again."""
    table = "DDDM@0,0! MWWD@2,0! WWMM@4,0! MDDD@6,0! DDDW@8,0!"
    at = position(table=table, hands=["MMMW.DDDM.WWWD.DDWW"], tokens="1/6").play("MDDD@-2,0").play("token@-2,0")
    assert at.view["tokens"] == (0, 6)
    assert at.view["phase"] == "draw"


def test_every_seat_may_secure_any_card() -> None:
    """SC-35: cards belong to nobody once they lie: seat 2 secures the card of seat 1."""
    at = play(dealt("2", "DDDM.DDDW.MMMD.MMMW", "DDDM.WWWD.DDMM.MMWD"), "dark", "DDDM@0,0", "no-token", "+DDWW", "milk")
    assert "token@0,0" in texts(at.play("DDDM@2,0"))
