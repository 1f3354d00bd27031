"""A spectator: by SC-60 it knows what everybody knows. Seat 1 plays dark, seat 2 milk and seat 3 white."""

from __future__ import annotations

from collections import Counter

import pytest

import tilery
from tests.notation import texts
from tilery import SPECTATOR

from .positions import GAME, PATTERNS, cards_in_all, dealt, play, position, random_game

TABLE = "DDDM@0,0 DDDM@2,0 MMMW@0,2"
HANDS = ("DDDM.WWWM.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD", "MMMW.DDMM.DDWW.WWDM")
KNOWN = "known=1>2:DDDW,2>1:DDMW,3>1:DDDM,3>2:WWWM said=1>2:M0,3>2:M0"


def swapping(more: str = "") -> tilery.Position:
    """Seat 1 is to offer or to place a card."""
    return position("3,swap", "place:1", table=TABLE, hands=HANDS, more=more)


def look_alike(*worlds: tilery.Position) -> bool:
    """Whether a spectator sees exactly the same in all of them."""
    seen = [world.seen_by(SPECTATOR) for world in worlds]
    same = len({one.row for one in seen}) == 1
    assert same == (len({one.text for one in seen}) == 1) == (len({one.json() for one in seen}) == 1)
    return same


@pytest.mark.parametrize("variant", ["2", "3", "4", "3,swap", "4,large"])
def test_a_spectator_sees_no_hand_and_no_stack_and_all_the_rest(variant: str) -> None:
    """SC-60: what a spectator gets contains no cards but those on the table, at any moment of a game."""
    for at in random_game(variant, 70):
        view, seen = at.view, at.seen_by(SPECTATOR).view
        assert seen["viewer"] == SPECTATOR
        assert seen["hands"] == tuple(("?",) * len(hand) for hand in view["hands"])
        assert seen["stack"] is None or not view["left"]
        assert seen["known"] == seen["said"] == ()
        for name in ("rules", "phase", "seat", "kinds", "tokens", "left", "table", "passes", "barred", "ended_by"):
            assert seen[name] == view[name]
        for name in ("asked", "swapped", "partner"):
            assert seen[name] == view[name]
        for name in ("offer", "answer"):
            assert seen[name] == (view[name] and {"card": "?", "number": view[name]["number"]})


@pytest.mark.parametrize("last", [0, 1, 2])
def test_what_seats_know_of_each_other_is_hidden_from_a_spectator(last: int) -> None:
    """SC-60: whoever knows something, a spectator sees the same as if nobody did; this includes the last seat."""
    known = [f"{last + 1}>{other + 1}:{HANDS[other].split('.')[0]}" for other in range(3) if other != last]
    assert look_alike(swapping(), swapping(KNOWN), swapping(f"known={','.join(known)}"))


def test_a_spectator_hears_numbers_and_sees_no_card_of_a_swap() -> None:
    """SC-50 to SC-52, SC-60: DDDM and WWWM have one milk piece, MMMD and MMWD one dark one."""
    at = swapping(KNOWN)
    offers = at.play("offer:DDDM>2"), at.play("offer:WWWM>2")
    assert look_alike(*offers)
    assert " offer=?:1>2" in offers[0].seen_by(SPECTATOR).text
    assert not look_alike(offers[0], at.play("offer:DDMW>3"))
    answers = offers[0].play("answer:MMMD"), offers[1].play("answer:MMWD")
    assert look_alike(*answers)
    assert " answer=?:1" in answers[0].seen_by(SPECTATOR).text
    assert look_alike(answers[0].play("accept"), answers[1].play("accept"))


def test_a_spectator_follows_a_swap_from_veiled_moves() -> None:
    """SC-60: none of them names a card, and each leads to what a spectator sees of the true position."""
    at = swapping(KNOWN)
    seen, moves = at.seen_by(SPECTATOR), []
    for move in ("offer:DDDM>2", "answer:MMMD", "accept", "DDMW@4,0", "no-token", "+WWWD"):
        veiled = at.veiled(move, SPECTATOR)
        assert veiled in seen.actions()
        moves.append(seen.move_text(veiled))
        assert (seen.refusal(move) is None) == (moves[-1] == move)
        at, seen = at.play(move), seen.play(veiled)
        assert seen == at.seen_by(SPECTATOR)
        assert seen.row == at.seen_by(SPECTATOR).row
    assert moves == ["offer:?1>2", "answer:?1", "accept", "DDMW@4,0", "no-token", "+?"]


def test_the_deal_is_secret_for_a_spectator() -> None:
    """SC-11, SC-60: of a card that is dealt it sees that it was."""
    one = dealt("3", "DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD", "WWWM.DDMM.DDWW.WWDM")
    other = dealt("3", "MMWW.MMWW.MMWW.DDDM", "DDWW.DDWW.WWDM.WWDM", "DDMW.WWWD.MMMW.DDDM")
    assert look_alike(one, other)
    deal = GAME.new("3")
    assert texts(deal.seen_by(SPECTATOR)) == ["+?"]
    assert {deal.veiled(move, SPECTATOR) for move in texts(deal)} == {deal.action("+?")}


def test_a_guess_of_a_spectator_fits_what_everybody_heard() -> None:
    """SC-50, SC-60, SC-61: cards with the numbers said lie on offer, and all seats have heard them."""
    at = play(swapping(), "offer:DDDM>2", "answer:MMMD")
    seen = at.seen_by(SPECTATOR)
    worlds = [seen.guess(tilery.Stream("spectator", number)) for number in range(200)]
    assert len(set(worlds)) > 190
    offered = Counter(world.view["offer"]["card"] for world in worlds)
    assert set(offered) == {card for card in PATTERNS if card.count("M") == 1}
    assert {world.view["answer"]["card"] for world in worlds} == {card for card in PATTERNS if card.count("D") == 1}
    for world in worlds:
        assert world.seen_by(SPECTATOR) == seen
        assert cards_in_all(world) == cards_in_all(at)
        assert " said=1>2:D1,2>1:M1,3>1:M1,3>2:D1" in world.text
        assert tilery.read_position(world.text).row == world.row


def test_a_pass_shows_a_spectator_what_a_hand_cannot_hold() -> None:
    """SC-41, SC-60: a guess respects it."""
    passed = tilery.read_position(
        "schokoly:2 place:2 kinds=D/M tokens=6/6 hands=MMMW.WWWM.MMWW.MMWW/MMMW.MMMW.WWWM.MMWW "
        "stack=1/1/3/0/3/1/3/3/0/3/3/3 table=DDMD@0,0;DDDW@2,0;DMDD@0,2;WDDD@2,2 "
        "passes=1 barred=1:DDDM.DDDW.MMMD.WWWD.DDMM.DDWW.DDMW.MMWD.WWDM"
    )
    seen = passed.seen_by(SPECTATOR)
    assert seen.view["barred"] == passed.view["barred"]
    for number in range(50):
        assert set(seen.guess(tilery.Stream("barred", number)).view["hands"][0]) <= {"MMMW", "WWWM", "MMWW"}


SEEN = swapping().play("offer:DDDM>2").seen_by(SPECTATOR).text


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("hands=?.?.?.?", "hands=DDDM.?.?.?", "a spectator must not see cards of the hand of seat 1 (SC-60)"),
        ("hands=?.?.?.?/?.?.?.?/?", "hands=?.?.?.?/?.?.?.?/WWDM", "a spectator must not see cards of the hand"),
        ("offer=?", "offer=DDDM", "a card on offer must be seen by its owner alone (SC-60)"),
        (">2", ">2 known=1>2:DDDW", "only the two players of a swap may know its cards (SC-60)"),
        (">2", ">2 said=1>2:M0", "a number must be said of another hand (SC-60)"),
        ("stack=?21", "stack=1/2/2/2/2/1/2/2/2/2/2/1", "nobody may see the stack (SC-60)"),
        ("seen=-", "seen=1", "every seat must see its own hand (SC-60)"),
        ("seen=-", "seen=--", "a blank and the phase"),
        ("seen=-", "seen=0", "the seat that sees this"),
        (" seen=-", "", "a whole position must not have hidden cards (SC-60)"),
    ],
)
def test_a_text_that_shows_a_spectator_too_much_is_refused(before: str, after: str, words: str) -> None:
    """SC-60: it is read strictly."""
    assert GAME.read_seen(SEEN, SPECTATOR).text == SEEN
    assert before in SEEN
    with pytest.raises(tilery.BadText) as caught:
        GAME.read_any(SEEN.replace(before, after, 1))
    assert words in caught.value.problem


def test_what_a_spectator_saw_is_read_for_a_spectator_only() -> None:
    """SC-60: it is no position, and not what a seat sees."""
    with pytest.raises(tilery.Refused, match="this is only what a spectator sees: a whole position was expected"):
        tilery.read_position(SEEN)
    with pytest.raises(tilery.Refused, match="this is what a spectator sees, not seat 1"):
        GAME.read_seen(SEEN, 0)
    at = swapping()
    with pytest.raises(tilery.Refused, match="this is what seat 1 sees, not a spectator"):
        GAME.read_seen(at.seen_by(0).text, SPECTATOR)
    record = tilery.Record(at).play("offer:DDDM>2").seen_by(SPECTATOR)
    assert record.seat == SPECTATOR
    assert '[Seen "-"]' in record.text
    assert tilery.read_seen_record(record.text) == record
    with pytest.raises(tilery.Refused, match="this is the game as a spectator saw it: a complete record was expected"):
        tilery.read_record(record.text)
