"""Texts of positions that contradict the rules: every problem with its words, and the rule that is broken."""

from __future__ import annotations

import pytest

import tilery

from .positions import DARK_BLOCK, GAME, position, position_text

TABLE = "DDDM@0,0 DDDM@2,0"
HANDS = ("DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD", "WWWM.DDMM.DDWW.WWDM")

# Texts that are right, to be spoiled.
NEW = GAME.new("3,swap").text
START = GAME.new("2,start=drawn").text
DRAWN = GAME.new("2,start=drawn").play("start=2").play("+DDDM").text
KIND = position_text("2", "kind:1", kinds="-/-")
PLACE = position_text("2", table=TABLE, hands=["DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD"])
LATE = position_text("2", hands=["DDDM.MMMW", "MMMD"], stack="")
SWAP = position_text("3,swap", table=TABLE, hands=HANDS)
SEEN = tilery.read_position(PLACE).seen_by(0).text
ANSWER = tilery.read_position(SWAP).play("offer:DDDM>2").text
ACCEPT = tilery.read_position(ANSWER).play("answer:MMMD").text
SEEN_ANSWER = tilery.read_position(ANSWER).seen_by(2).text
SEEN_KNOWN = (  # seat 3 knows the only card of seat 1, which lies on offer
    position("3,swap", hands=["DDDM", "DDDW", "MMMW"], stack="", more="known=3>1:DDDM")
    .play("offer:DDDM>2")
    .seen_by(2)
    .text
)


def spoiled(text: str, *changes: tuple[str, str]) -> str:
    """A text with something in it replaced."""
    for old, new in changes:
        assert old in text, f"{old} in {text}"
        text = text.replace(old, new, 1)
    return text


def with_table(table: str, tokens: str | None = None, phase: str = "place:1") -> str:
    """A text with this table."""
    return position_text("2", phase, table=table, tokens=tokens)


PROBLEMS: list[tuple[str, str, str]] = [
    # SC-61: every card exactly once.
    (spoiled(PLACE, ("stack=0/", "stack=1/")), "there must be 3 cards DDDM, not 4", "SC-61"),
    (spoiled(PLACE, ("MMMW.WWWD.", "MMMD.WWWD.")), "there must be 3 cards MMMD, not 4", "SC-61"),
    (spoiled(PLACE, ("DDDM@2,0", "MMWW@2,0")), "there must be 3 cards DDDM, not 2", "SC-61"),
    (spoiled(SEEN, ("stack=?26", "stack=?25")), "stack, hands and table must hold 36 cards, not 35", "SC-61"),
    (spoiled(SEEN, ("DDDM.MMMW", "DDDM.DDDM")), "there must be 3 cards DDDM, not 4", "SC-61"),
    # SC-60: who sees what.
    (
        spoiled(PLACE, ("DDDW.MMMD.WWWM.MMWD", "DDDW.MMMD.WWWM.?")),
        "a whole position must not have hidden cards",
        "SC-60",
    ),
    (spoiled(PLACE, (":2 ", ":2 seen=1 ")), "nobody may see the stack", "SC-60"),
    (spoiled(SEEN, ("DDDM.MMMW.WWWD.DDMW", "MMMW.WWWD.DDMW.?")), "every seat must see its own hand", "SC-60"),
    (
        spoiled(SEEN, ("?.?.?.?", "DDDW.?.?.?")),
        "seat 1 must see of the hand of seat 2 just what it knows from swaps",
        "SC-60",
    ),
    (spoiled(SEEN, ("seen=1", "seen=-")), "a spectator must not see cards of the hand of seat 1", "SC-60"),
    # SC-11 to SC-14: hands, kinds and phase.
    (spoiled(NEW, ("deal:1", "deal:2")), "cards must be dealt seat by seat", "SC-11"),
    (spoiled(KIND, ("kind:1", "deal:2")), "cards must be dealt seat by seat", "SC-11"),
    (spoiled(PLACE, ("place:1", "deal:1"), ("kinds=D/M", "kinds=-/-")), "cards must be dealt seat by seat", "SC-11"),
    (spoiled(PLACE, ("place:1", "draw:1")), "seat 1 must hold 3 cards while the stack lasts, not 4", "SC-14"),
    (
        spoiled(PLACE, ("DDDM.MMMW.WWWD", "DDDM.MMMW"), ("stack=0/2/2/2/2/", "stack=0/2/2/2/3/")),
        "seat 1 must hold 4 cards while the stack lasts, not 3",
        "SC-14",
    ),
    (spoiled(LATE, ("place:1", "draw:1")), "there is no card left to draw", "SC-14"),
    (spoiled(LATE, ("place:1", "over:cards")), "the game is over when the last card has been played", "SC-40"),
    (position_text("2", hands=["", ""], stack=""), "the game is over when the last card has been played", "SC-40"),
    (PLACE + " passes=2", "the game is over when all have passed in a row", "SC-41"),
    (spoiled(PLACE, ("place:1", "over:passes")), "the game is over when all have passed in a row", "SC-41"),
    (
        position_text("2", "place:1", kinds="D/-") + " passes=1",
        "the first player must place a card first",
        "SC-12",
    ),
    (position_text("2", "place:2", kinds="D/-"), "the first player must place a card first", "SC-12"),
    (spoiled(PLACE, ("kinds=D/M", "kinds=D/-")), "the first two players must choose their kinds", "SC-12, SC-13"),
    (spoiled(KIND, ("kinds=-/-", "kinds=D/-")), "the first two players must choose their kinds", "SC-12, SC-13"),
    (spoiled(PLACE, ("kinds=D/M", "kinds=D/D")), "each side must have a different kind", "SC-13"),
    (
        position_text("4", table=TABLE, kinds="D/M/M/D"),
        "each side must have a different kind, and partners the same",
        "SC-13",
    ),
    (
        position_text("2", "kind:1", table=TABLE, kinds="-/-"),
        "kinds are chosen in the first turns of the first two players",
        "SC-12, SC-13",
    ),
    # SC-12: who starts.
    (spoiled(START, ("start=drawn", "start=2")), "the starting seat is only drawn before the deal", "SC-12"),
    (spoiled(DRAWN, ("deal:2 starter=2", "start")), "the starting seat is only drawn before the deal", "SC-12"),
    (spoiled(DRAWN, ("starter=2", "starter=1")), "cards must be dealt seat by seat", "SC-11"),
    # SC-4, SC-35: tokens.
    (spoiled(PLACE, ("tokens=6/6", "tokens=6/5")), "there must be 12 tokens, not 11", "SC-4"),
    (with_table("DDDM@0,0! DDDM@2,0", "6/6"), "there must be 12 tokens, not 13", "SC-4"),
    (
        with_table("DDDM@0,0! DDDM@2,0! DDDW@4,0! DDDW@6,0! DDMM@8,0! DDMM@10,0!", "0/6", phase="secure:1"),
        "a seat without tokens is not asked for one",
        "SC-35",
    ),
    # SC-12, SC-20: the first level.
    (with_table("DDDM@0,0 DDDM@1,0"), "two cards lie at 1,0 on the first level", "SC-20"),
    (with_table("DDDM@0,0^ DDDM@2,0^"), "no card lies on the first level", "SC-12"),
    (with_table("DDDM@2,0 DDDM@4,0"), "the first card must lie at 0,0", "SC-12"),
    (with_table("DDDM@0,0 DDDM@2,1"), "the card at 2,1 shares fewer than two edges with cards laid before it", "SC-20"),
    (with_table("DDDM@0,0 DDDM@4,0"), "the card at 4,0 shares fewer than two edges with cards laid before it", "SC-20"),
    # SC-31, SC-34, SC-35: the second level.
    (
        with_table("DDDM@0,0 DDDM@2,0 DDDW@3,0^"),
        "the second-level card at 3,0 must lie on four first-level pieces",
        "SC-31",
    ),
    (
        with_table("DDDM@0,0 DDDM@2,0 DDDW@9,9^"),
        "the second-level card at 9,9 must lie on four first-level pieces",
        "SC-31",
    ),
    (with_table("DDDM@0,0 DDDM@2,0 DDDW@1,0^ DDMM@2,2^"), "the second-level card at 2,2", "SC-31"),
    (
        with_table(DARK_BLOCK + " DDMM@0,1^ DDWW@2,1^ MMWW@1,1^"),
        "the second-level card at 1,1 lies on another one",
        "SC-34",
    ),
    (
        with_table("DDDM@0,0 DDDM@2,0! DDDW@4,0 DDDW@1,0^ DDMM@3,0^"),
        "the card at 2,0 has a token, but shows no piece",
        "SC-35",
    ),
    # SC-50 to SC-53: offers.
    (spoiled(SWAP, ("place:1", "answer:1")), "cards must be on offer while a swap is pending", "SC-50, SC-51"),
    (spoiled(ANSWER, ("answer:1", "place:1")), "cards must be on offer while a swap is pending", "SC-50, SC-51"),
    (spoiled(ANSWER, ("answer:1", "accept:1")), "cards must be on offer while a swap is pending", "SC-50, SC-51"),
    (spoiled(ACCEPT, ("accept:1", "answer:1")), "cards must be on offer while a swap is pending", "SC-50, SC-51"),
    (
        position_text("3,swap", "draw:1", table=TABLE, more="asked=2"),
        "offers of a turn are only kept until a card is placed",
        "SC-53",
    ),
    (spoiled(ANSWER, (" asked=2", " asked=3")), "the partner must have been asked, with no swap yet", "SC-53"),
    (spoiled(ANSWER, (" asked=2", "")), "the partner must have been asked, with no swap yet", "SC-53"),
    (spoiled(ANSWER, (" asked=2", " asked=2 swapped")), "the partner must have been asked, with no swap yet", "SC-53"),
    (SWAP + " asked=1", "only opponents may be asked, once all kinds are chosen", "SC-53"),
    (SWAP + " swapped", "only opponents may be asked, once all kinds are chosen", "SC-53"),
    (
        position_text("3,swap", "place:1", kinds="D/-/-", more="asked=2"),
        "only opponents may be asked, once all kinds are chosen",
        "SC-53",
    ),
    (spoiled(ANSWER, ("offer=DDDM:", "offer=?:")), "a card on offer must be seen by its owner alone", "SC-60"),
    (spoiled(SEEN_ANSWER, ("offer=?:", "offer=DDDM:")), "a card on offer must be seen by its owner alone", "SC-60"),
    (spoiled(ACCEPT, ("answer=MMMD:", "answer=?:")), "a card on offer must be seen by its owner alone", "SC-60"),
    (spoiled(ANSWER, ("offer=DDDM:1", "offer=DDDW:0")), "seat 1 holds no DDDW to offer", "SC-50"),
    (spoiled(ACCEPT, ("answer=MMMD:1", "answer=DDDM:3")), "seat 2 holds no DDDM to offer", "SC-50"),
    (spoiled(ANSWER, ("offer=DDDM:1", "offer=DDDM:2")), "DDDM has 1 pieces of milk, not 2", "SC-50"),
    (spoiled(ACCEPT, ("answer=MMMD:1", "answer=MMMD:0")), "MMMD has 1 pieces of dark, not 0", "SC-50"),
    (spoiled(SEEN_KNOWN, ("offer=?:1", "offer=?:2")), "seat 1 holds no such card", "SC-50"),
    # SC-60: what is known.
    (SWAP + " known=1>1:DDDM", "only the two players of a swap may know its cards", "SC-60"),
    (SWAP + " known=1>2:DDDM", "seat 2 does not hold what seat 1 knows of", "SC-60"),
    (SWAP + " known=1>2:DDDW.DDDW", "seat 2 does not hold what seat 1 knows of", "SC-60"),
    (SWAP + " said=2>2:D3", "a number must be said of another hand", "SC-60"),
    (SWAP + " said=1>2:D2", "seat 2 holds no card with 2 dark pieces", "SC-60"),
    (spoiled(SEEN_ANSWER, ("said=3>1:M1", "said=1>2:M1")), "a number must be said of another hand", "SC-60"),
    (PLACE + " barred=1:DDDM", "seat 1 has passed, so it cannot hold DDDM", "SC-60"),
    (KIND + " barred=1:WWDM", "nobody has passed yet", "SC-41"),
]


@pytest.mark.parametrize(
    ("text", "words", "rule"), PROBLEMS, ids=[f"{number}-{case[1]}" for number, case in enumerate(PROBLEMS)]
)
def test_a_position_that_cannot_occur_is_refused(text: str, words: str, rule: str) -> None:
    """The text says what is wrong with it, with the rule."""
    with pytest.raises(tilery.BadText) as caught:
        GAME.read_any(text)
    assert f"this position cannot occur: {words}" in caught.value.problem
    assert caught.value.problem.endswith(f"({rule})")
    assert (caught.value.line, caught.value.column) == (1, len(text) + 1)


@pytest.mark.parametrize("text", [NEW, KIND, PLACE, LATE, SWAP, SEEN, ANSWER, ACCEPT, SEEN_ANSWER, SEEN_KNOWN])
def test_the_texts_before_they_were_spoiled_are_read(text: str) -> None:
    """So it was what was changed that is wrong."""
    assert GAME.read_any(text).text == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (spoiled(PLACE, ("DDDM.MMMW.WWWD.DDMW", "DDDM.MMMW.WWWD.DDMW.WWDM")), "at most 4"),
        (spoiled(PLACE, ("DDDM.MMMW", "MMMW.DDDM")), "expected cards of a hand in order"),
        (spoiled(PLACE, ("tokens=6/6", "tokens=7/5")), "expected tokens from 0 to 6, found 7"),
        (spoiled(PLACE, ("stack=0/", "stack=4/")), "expected the number of cards DDDM from 0 to 3, found 4"),
        (spoiled(PLACE, ("DDDM@0,0;DDDM@2,0", "DDDM@2,0;DDDM@0,0")), "cards are listed by rows, then columns"),
        (spoiled(PLACE, ("DDDM@0,0;DDDM@2,0", "DDDM@0,0;DDDM@0,0")), "cards are listed by rows, then columns"),
        (spoiled(PLACE, ("DDDM@0,0", "DMDM@0,0")), "there is no card DMDM"),
        (spoiled(PLACE, ("@2,0", "@95,0")), "expected a coordinate from 0 to 94, found 95"),
        (spoiled(PLACE, ("@2,0", "@-0,0")), "expected a coordinate"),
        (spoiled(PLACE, ("place:1", "place:3")), "the seat whose turn it is from 1 to 2, found 3"),
        (spoiled(PLACE, ("place:1", "over:1")), "the reason why the game ended"),
        (spoiled(PLACE, ("kinds=D/M", "kinds=D/M/W")), "tokens="),
        (PLACE + " passes=0", "passes in a row from 1 to 2, found 0"),
        (PLACE + " known=1>2:DDDW", "the end of the text"),  # nobody swaps in this game
        (PLACE + " barred=2:MMWW,1:MMWW", "a seat that has passed"),
        (PLACE + " barred=1:MMWW.MMWW", "expected cards in order"),
        (SWAP + " asked=32", "the seats asked, in order"),
        (SWAP + " said=1>2:D3,1>2:D3", "pairs of seats are listed in order, each once"),
        (SWAP + " said=1>2:D4", "numbers said"),
        (SWAP + " known=1>4:DDDW", "the seat it knows of from 1 to 3, found 4"),
        (PLACE + " ", "the end of the text"),
        (spoiled(PLACE, ("schokoly:2", "schokoly:2,swap")), "chocolate is swapped among 3 players only (SC-50)"),
        (spoiled(SEEN, ("seen=1", "seen=3")), "the seat that sees this from 1 to 2, found 3"),
        (spoiled(SEEN, ("stack=?26", "stack=?0")), "the number of cards in the stack from 1 to 36, found 0"),
    ],
)
def test_a_text_that_is_not_written_as_it_should_be_is_refused(text: str, words: str) -> None:
    """SC-2, SC-4, SC-50: there is one way to write a position, and what cannot be written is not read."""
    with pytest.raises(tilery.BadText) as caught:
        GAME.read_any(text)
    assert words in caught.value.problem


def test_what_a_seat_saw_is_no_whole_position() -> None:
    """SC-60: it is read as what it is, and only for the seat that saw it."""
    with pytest.raises(tilery.Refused, match="only what seat 1 sees"):
        tilery.read_position(SEEN)
    with pytest.raises(tilery.Refused, match="what seat 1 sees, not seat 2"):
        GAME.read_seen(SEEN, 1)
    assert GAME.read_seen(SEEN, 0) == tilery.read_position(PLACE).seen_by(0)


def test_too_many_cards_lie_on_the_table() -> None:
    """SC-2, SC-3: there are only 36."""
    text = LATE.replace("table=", "table=" + ";".join(f"DDDM@{x},-2" for x in range(0, 94, 2)) + ";", 1)
    with pytest.raises(tilery.BadText, match="there are only 36 cards"):
        GAME.read_any(text)
