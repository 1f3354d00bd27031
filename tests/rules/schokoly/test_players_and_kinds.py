"""Players and kinds: SC-10 to SC-14."""

from __future__ import annotations

import pytest

import tilery
from tests.notation import texts

from .positions import (
    GAME,
    KINDS,
    PATTERNS,
    WORDS,
    dealt,
    hand_of,
    held,
    lying,
    play,
    position,
    random_game,
    rotations,
    rule_against,
)

HANDS = ("DDDM.DDDW.MMMD.MMMW", "DDDM.WWWD.DDMM.MMWD", "MMMD.WWWD.WWWM.DDWW", "DDDM.MMMW.DDMW.WWDM")


def new(variant: str) -> tilery.Position:
    """A game in which everybody has these hands and seat 1 is to choose."""
    return dealt(variant, *HANDS[: int(variant[0])])


@pytest.mark.parametrize("seats", [0, 1, 5, "2", 2.0, True])
def test_two_three_or_four_play(seats: object) -> None:
    """SC-10: nobody plays alone, nor with four others."""
    with pytest.raises(tilery.Refused, match="SC-10"):
        GAME.new(seats=seats)


def test_partners_share_a_kind_and_a_score() -> None:
    """SC-10: seats 1 and 3 against seats 2 and 4."""
    at = position("4", table="DDDM@0,0 DDDM@2,0 MMMW@0,2", kinds="D/W/D/W")
    assert at.view["kinds"] == ("D", "W", "D", "W")
    assert at.scores() == (6, 1, 6, 1)
    for kinds in ("D/W/W/D", "D/D/W/W", "D/W/D/M", "D/D/D/D"):
        with pytest.raises(tilery.BadText, match="SC-13"):
            position("4", table="DDDM@0,0 DDDM@2,0 MMMW@0,2", kinds=kinds)


def test_two_or_three_players_play_each_for_itself() -> None:
    """SC-10: nobody shares its kind, and each has its own score."""
    assert position("2", table="DDDM@0,0 DDDM@2,0 MMMW@0,2", kinds="D/W").scores() == (6, 1)
    assert position("3", table="DDDM@0,0 DDDM@2,0 MMMW@0,2", kinds="W/D/M").scores() == (1, 6, 4)


def test_partners_share_neither_cards_nor_tokens() -> None:
    """SC-10: a partner's hand is as hidden as any other, and each pays with its own tokens."""
    at = play(new("4"), "dark", "DDDM@0,0", "token@0,0")
    assert at.view["tokens"] == (2, 3, 3, 3)
    for seat in range(4):
        hands = at.seen_by(seat).view["hands"]
        assert [set(cards) == {"?"} for cards in hands] == [other != seat for other in range(4)]


@pytest.mark.parametrize("variant", ["2", "3", "4", "3,swap", "4,large"])
def test_cards_are_dealt_seat_by_seat_four_to_each(variant: str) -> None:
    """SC-11 (ruling): one at a time, beginning with seat 1; then seat 1 has the first turn and chooses."""
    seats = int(variant[0])
    at = GAME.new(variant)
    for number in range(4 * seats):
        held_now = [len(cards) for cards in at.view["hands"]]
        assert held_now == [max(0, min(4, number - 4 * seat)) for seat in range(seats)]
        assert (at.actor, at.view["phase"], at.view["seat"]) == (tilery.CHANCE, "deal", number // 4)
        at = at.play(f"+{PATTERNS[number % 12]}")
    assert [len(cards) for cards in at.view["hands"]] == [4] * seats
    assert (at.actor, at.view["phase"]) == (0, "kind")
    assert at.view["left"] == (48 if "large" in variant else 36) - 4 * seats


def test_the_deal_is_from_a_shuffled_stack() -> None:
    """SC-11: every card left has the same probabilities, so a pattern has those of its copies."""
    at = play(GAME.new("3"), "+DDDM", "+DDDM", "+WWDM")
    assert at.probabilities() == pytest.approx({f"+{c}": {"DDDM": 1, "WWDM": 2}.get(c, 3) / 33 for c in PATTERNS})
    gone = at.play("+DDDM")
    assert "+DDDM" not in gone.probabilities()


def test_nobody_looks_at_the_cards_of_another() -> None:
    """SC-11: from the first card dealt, and before anybody has chosen a kind."""
    at = play(GAME.new("3"), "+DDDM", "+DDDW", "+MMMD", "+MMMW", "+WWWD")
    assert at.seen_by(0).view["hands"] == (("DDDM", "DDDW", "MMMD", "MMMW"), ("?",), ())
    assert at.seen_by(1).view["hands"] == (("?",) * 4, ("WWWD",), ())
    assert at.seen_by(2).view["hands"] == (("?",) * 4, ("?",), ())


@pytest.mark.parametrize("move", ["dark", "DDDM@0,0", "pass", "no-token"])
def test_nothing_happens_before_all_have_their_cards(move: str) -> None:
    """SC-11: also when a seat has its four already."""
    at = play(GAME.new(), *(f"+{card}" for card in held(HANDS[0])))
    assert rule_against(at, move) == "SC-11"


@pytest.mark.parametrize("variant", ["2", "3", "4,large", "3,swap"])
def test_the_turn_goes_round_by_number(variant: str) -> None:
    """SC-11 (ruling): from seat 1 upward, and from the last seat to seat 1."""
    seats = int(variant[0])
    for seed in range(3):
        turns: list[int] = []
        for at in random_game(variant, seed):
            if at.view["phase"] == "place" and not at.view["asked"]:
                turns.append(at.view["seat"])
        assert turns == [number % seats for number in range(len(turns))]


def test_only_the_player_whose_turn_it_is_moves() -> None:
    """SC-11: the others, and chance, are refused."""
    at = new("3").play("dark", by=0)
    for somebody in (1, 2, tilery.CHANCE):
        with pytest.raises(tilery.NotYourTurn):
            at.play("DDDM@0,0", by=somebody)
    assert play(at, "DDDM@0,0", "no-token", "+MMWW").actor == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_player_picks_any_kind(kind: str) -> None:
    """SC-12: one of three, which all others see; it does so before it lays a card."""
    at = new("3")
    assert texts(at) == ["dark", "milk", "white"]
    assert rule_against(at, "DDDM@0,0") == "SC-12"
    after = at.play(WORDS[kind])
    assert after.view["kinds"] == (kind, None, None)
    for seat in range(3):
        assert after.seen_by(seat).view["kinds"] == (kind, None, None)
    assert (after.actor, after.view["phase"]) == (0, "place")


def test_the_first_card_has_no_condition_to_meet() -> None:
    """SC-12: any card of the hand in any rotation, also one without the kind that was chosen."""
    at = new("2").play("white")
    assert sorted(texts(at)) == sorted(f"{laid}@0,0" for card in held(HANDS[0]) for laid in rotations(card))
    after = play(at, "DDDM@0,0", "no-token")
    assert (after.actor, after.view["phase"]) == (tilery.CHANCE, "draw")
    assert after.play("+MMWW").view["hands"][0] == ("DDDW", "MMMD", "MMMW", "MMWW")


@pytest.mark.parametrize("move", ["DDDM@1,0", "DDDM@0,1", "DDDM@-1,-1", "DDDM@2,0", "DDDM@0,0^", "DDDM@94,-94"])
def test_the_first_card_lies_at_the_cell_from_which_all_are_counted(move: str) -> None:
    """SC-12 (ruling): its top left piece is 0,0, and there is nothing yet to stack it on."""
    assert rule_against(new("2").play("dark"), move) == "SC-12"
    with pytest.raises(tilery.BadText, match="SC-12"):
        position(table="DDDM@2,0 DDDM@4,0")


def test_columns_grow_to_the_right_and_rows_downward() -> None:
    """SC-12 (ruling): cells to the left and above have negative numbers; what touches what shows the directions.

    The first card is D D above W M. A card with one milk piece and three white ones fits beside it as listed.
    """
    at = position("2", "place:2", table="DDMW@0,0", hands=["", "WWWM.WWWM.WWWM.DDDM"])
    fits = {
        "2,0": {"WWWM"},  # on the right: milk at its lower left
        "-2,0": {"MWWW", "WMWW", "WWWM"},  # on the left: white at its lower right
        "0,2": {"WMWW", "WWMW", "WWWM"},  # below: white at its upper left, or milk at its upper right
        "0,-2": set(),  # above: dark below both
    }
    for place, laid in fits.items():
        assert {way for way in rotations("WWWM") if f"{way}@{place}" in texts(at)} == laid
    shown = [line.split()[0] for line in str(at).splitlines() if line[:4].strip().lstrip("-").isdigit()]
    assert shown == [str(row) for row in range(-2, 4)]


@pytest.mark.parametrize("first", KINDS)
def test_the_second_player_picks_one_of_the_other_two(first: str) -> None:
    """SC-13: the kind that was taken is refused."""
    at = play(new("2"), WORDS[first], "DDDM@0,0", "no-token", "+MMWW")
    assert (at.actor, at.view["phase"]) == (1, "kind")
    assert texts(at) == [WORDS[kind] for kind in KINDS if kind != first]
    assert rule_against(at, WORDS[first]) == "SC-13"
    assert rule_against(at, "DDDM@2,0") == "SC-12"


@pytest.mark.parametrize(("first", "second"), [(a, b) for a in KINDS for b in KINDS if a != b])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_plays_which_kind(seats: int, first: str, second: str) -> None:
    """SC-13: partners play the same, a third player gets what is left, else that kind is neutral; all at once."""
    at = play(new(str(seats)), WORDS[first])
    assert at.view["kinds"] == {2: (first, None), 3: (first, None, None), 4: (first, None, first, None)}[seats]
    at = play(at, "DDDM@0,0", "no-token", "+MMWW", WORDS[second])
    third = next(kind for kind in KINDS if kind not in (first, second))
    assert at.view["kinds"] == {2: (first, second), 3: (first, second, third), 4: (first, second) * 2}[seats]
    assert (at.actor, at.view["phase"]) == (1, "place")
    # Nobody else is ever asked for a kind.
    for move in ("DDDM@2,0", "no-token", "+MMWW"):
        at = at.play(move)
    assert (at.actor, at.view["phase"]) == ((2, "place") if seats > 2 else (0, "place"))


@pytest.mark.parametrize("first", PATTERNS)
@pytest.mark.parametrize("second", PATTERNS)
def test_the_second_player_can_place_whatever_card_it_has(first: str, second: str) -> None:
    """SC-13: by the usual rules; any two cards have a kind in common."""
    at = position("2", "place:2", table=f"{first}@0,0", hands=["", second])
    assert any(move.partition("@")[0] in rotations(second) for move in texts(at))


def test_a_card_is_drawn_after_a_card_is_placed() -> None:
    """SC-14: the hand is four again, and nobody but its holder sees the card."""
    at = position(table="DDDM@0,0 DDDM@2,0", hands=["DDDM.MMMW.WWWM.DDMM"])
    at = play(at, "DDDM@4,0", "no-token")
    assert len(at.view["hands"][0]) == 3
    assert at.probabilities() == pytest.approx(
        {f"+{c}": n / 26 for c, n in zip(PATTERNS, at.view["stack"], strict=True) if n}
    )
    after = at.play("+DDMW")
    assert after.view["hands"][0] == ("MMMW", "WWWM", "DDMM", "DDMW")
    assert (after.actor, after.view["left"]) == (1, 25)


def test_a_card_that_the_stack_does_not_hold_is_not_drawn() -> None:
    """SC-14: three on the table, none in the stack."""
    at = position(table="DDDM@0,0 DDDM@2,0", hands=["DDDM.MMMW.WWWM.DDMM"])
    assert rule_against(play(at, "DDDM@4,0", "no-token"), "+DDDM") == "SC-61"


def test_play_goes_on_without_drawing_when_the_stack_has_run_out() -> None:
    """SC-14: the turn passes at once, and hands get shorter."""
    at = position(hands=["DDDM.DDDW", "MMMD.MMMW"], stack="")
    assert at.view["left"] == 0
    after = play(at, "MDDD@-2,0", "no-token")
    assert (after.actor, after.view["phase"], hand_of(after, 0)) == (1, "place", "DDDW")


def test_the_last_card_of_the_stack_is_certain() -> None:
    """SC-14: whoever counts knows it; after it nothing is drawn."""
    at = position(hands=["DDDM.DDDW.WWWD.WWWM", "MMMD.MMMW.DDWW.DDWW"], stack="MMWW")
    drawing = play(at, "MDDD@-2,0", "no-token")
    assert drawing.probabilities() == {"+MMWW": 1}
    after = drawing.play("+MMWW")
    assert (after.view["left"], len(after.view["hands"][0])) == (0, 4)
    assert "+" not in "".join(texts(play(after, texts(after)[0], "no-token")))


def test_the_order_of_a_turn() -> None:
    """SC-14 (ruling): kind, offers, card, token, drawing; then the next seat."""
    at = play(new("3,swap"), "dark", "DDDM@0,0", "no-token", "+MMWW")
    phases = []
    for move in ("milk", "offer:DDDM>1", "decline", "offer:DDDM>3", "decline", "DDDM@2,0", "token@0,0", "+MMWW"):
        phases.append((at.view["phase"], at.actor))
        at = at.play(move)
    assert phases == [
        ("kind", 1),
        ("place", 1),
        ("answer", 0),
        ("place", 1),
        ("answer", 2),
        ("place", 1),
        ("secure", 1),
        ("draw", tilery.CHANCE),
    ]
    assert (at.view["phase"], at.actor) == ("place", 2)


@pytest.mark.parametrize(
    ("phase", "moves", "rule"),
    [
        ("place:1", ("dark", "no-token", "token@0,0", "decline", "accept", "+MMWW", "answer:DDDM"), "SC-14"),
        ("secure:1", ("dark", "pass", "WWWM@4,0", "WWWM@1,0^", "decline", "+MMWW", "offer:DDDM>2"), "SC-35"),
        ("draw:1", ("dark", "pass", "WWWM@4,0", "no-token", "token@0,0", "accept", "offer:DDDM>2"), "SC-14"),
        ("kind:1", ("pass", "WWWM@0,0", "no-token", "+MMWW", "offer:DDDM>2"), "SC-12"),
    ],
)
def test_each_step_of_a_turn_has_its_time(phase: str, moves: tuple[str, ...], rule: str) -> None:
    """SC-14 (ruling): what belongs to another step is refused."""
    table, kinds = ("", "-/-/-") if phase == "kind:1" else ("DDDM@0,0 MMMW@2,0", "D/M/W")
    at = position("3,swap", phase, table=table, kinds=kinds, hands=["WWWM.MMMW.WWWD"])
    for move in moves:
        assert rule_against(at, move) == rule


def test_each_turn_places_one_card() -> None:
    """SC-14: then it is over, whatever the hand still holds."""
    at = position(table="DDDM@0,0 DDDM@2,0", hands=["DDDM.MMMW.WWWM.DDMM"])
    after = at.play("DDDM@4,0")
    assert len(lying(after)) == 3
    assert rule_against(after, "DDMM@0,2") == "SC-35"
    assert rule_against(after.play("no-token"), "DDMM@0,2") == "SC-14"


# Who starts (SC-12).


@pytest.mark.parametrize("variant", ["2,start=2", "3,start=3", "3,swap,start=2", "4,start=4", "4,large,start=2"])
def test_the_players_agree_on_who_starts(variant: str) -> None:
    """SC-12, SC-11: this seat is dealt to first and has the first turn; then it is the next seat's."""
    seats, starter = int(variant[0]), int(variant[-1]) - 1
    order = [(starter + turn) % seats for turn in range(seats)]
    at = GAME.new(variant)
    for number in range(4 * seats):
        assert (at.view["phase"], at.view["seat"]) == ("deal", order[number // 4])
        at = at.play(f"+{PATTERNS[number % 12]}")
    assert (at.actor, at.view["phase"]) == (starter, "kind")
    at = at.play("dark").play(next(move for move in texts(at.play("dark")) if "@" in move)).play("no-token")
    at = at.play(texts(at)[0])
    assert (at.actor, at.view["phase"]) == (order[1], "kind")
    assert texts(at) == ["milk", "white"]
    assert rule_against(at, "dark") == "SC-13"


@pytest.mark.parametrize("variant", ["2", "3,swap", "4,large"])
def test_the_starting_seat_can_be_drawn(variant: str) -> None:
    """SC-12: all seats are equally likely, everybody sees it, and it is drawn before the deal."""
    seats = int(variant[0])
    at = GAME.new(f"{variant},start=drawn")
    assert (at.actor, at.view["phase"], at.view["seat"]) == (tilery.CHANCE, "start", None)
    assert at.probabilities() == pytest.approx({f"start={seat + 1}": 1 / seats for seat in range(seats)})
    for seat in range(seats):
        after = at.play(f"start={seat + 1}")
        assert (after.view["phase"], after.view["seat"]) == ("deal", seat)
        for viewer in (*range(seats), tilery.SPECTATOR):
            assert at.veiled(f"start={seat + 1}", viewer) == at.action(f"start={seat + 1}")
            assert at.seen_by(viewer).play(f"start={seat + 1}") == after.seen_by(viewer)
        assert at.describe(f"start={seat + 1}") == f"seat {seat + 1} starts"
    drawn = {at.settle(tilery.Stream("who starts", number)).actor for number in range(60)}
    assert drawn == set(range(seats))


@pytest.mark.parametrize(
    ("variant", "moves", "kinds"),
    [
        ("2,start=2", [("dark", (None, "D")), ("white", ("W", "D"))], ("W", "D")),
        ("3,start=2", [("dark", (None, "D", None)), ("milk", ("W", "D", "M"))], ("W", "D", "M")),
        ("3,start=3", [("white", (None, None, "W")), ("dark", ("D", "M", "W"))], ("D", "M", "W")),
        ("4,start=2", [("milk", (None, "M", None, "M")), ("dark", ("D", "M", "D", "M"))], ("D", "M", "D", "M")),
        ("4,start=4", [("milk", (None, "M", None, "M")), ("white", ("W", "M", "W", "M"))], ("W", "M", "W", "M")),
    ],
)
def test_kinds_are_settled_from_the_first_player_on(
    variant: str, moves: list[tuple[str, tuple[str | None, ...]]], kinds: tuple[str | None, ...]
) -> None:
    """SC-13: a partner's kind by the choice of its partner, a third player's by the second choice."""
    at = GAME.new(variant).settle(tilery.Stream(variant))
    for kind, settled in moves:
        at = at.play(kind)
        assert at.view["kinds"] == settled
        assert tilery.read_position(at.text) == at
        while at.view["phase"] != "kind" and at.view["kinds"] != kinds:
            at = at.settle(tilery.Stream("on")) if at.actor == tilery.CHANCE else at.play(at.moves()[0])


def test_a_starting_seat_that_cannot_be() -> None:
    """SC-12."""
    for start in (-1, 2, "1", 1.0, True):
        with pytest.raises(tilery.Refused, match="SC-12"):
            GAME.new(seats=2, start=start)
    assert GAME.new(seats=2, start=0).rules.text == "2"
    assert GAME.normalise_variant("START=drawn, swap,classic") == "swap,start=drawn"
    assert GAME.normalise_variant("start=1") == ""
