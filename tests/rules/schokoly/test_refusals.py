"""Why a move is refused: every reason with its words and its rule; and what is not refused is what is legal."""

from __future__ import annotations

import pytest

import tilery
from tests.notation import texts
from tilery.core.game import as_rows
from tilery.games.schokoly.kernel import cards, layout, legality

from .positions import DARK_BLOCK, GAME, dealt, play, position, rotations

TABLE = "DDDM@0,0 DDDM@2,0 MMMW@0,2"
HANDS = ("DDDM.MMMW.WWWD.DDMW", "DDDW.MMMD.WWWM.MMWD", "WWWM.DDMM.DDWW.WWDM")

START = tilery.game("schokoly").new("3,swap,start=drawn")
NEW = GAME.new("3,swap")
KIND = dealt("3,swap", *HANDS)
FIRST = KIND.play("dark")
SECOND_KIND = play(FIRST, "DDDM@0,0", "no-token", "+WWWD")
PLACE = position("3,swap", table=TABLE, hands=HANDS)
SECURE = position("3,swap", "secure:1", table=TABLE + " MMWM@1,0^", hands=["DDDM.MMMW.WWWD"], tokens="3/4/4")
DRAW = position("3,swap", "draw:1", table=TABLE + " DDDM@4,0", hands=["MMMW.WWWD.DDMW"])
ANSWER = PLACE.play("offer:DDDM>2")
ACCEPT = ANSWER.play("answer:MMMD")
LATE = position("3,swap", hands=["DDDM", "", "MMMW"], stack="")
LAST_DRAW = position("2", "draw:1", hands=["DDDM.MMMW.WWWD", "DDDW.MMMD.WWWM.MMWD"], stack="MMWW")
OVER = position("3,swap", hands=["DDDM", "", ""], stack="").play("MDDD@-2,0")
PASSED = position("2", "over:passes", table=DARK_BLOCK, more="passes=2")
STACKED = position(table="DDDM@0,0 MWWD@2,0! WWMM@4,0 MDDD@6,0", hands=["MMMW.DDDM.WWWD.DDWW"])
COVERED = position("2", "secure:1", table="DDDM@0,0 MWWD@2,0 WWMM@4,0 MMWM@1,0^ DDDM@3,0^", tokens="5/5")
PLAIN = position("2", table="DDDM@0,0 DDDM@2,0", hands=["DDDM.MMMW.WWWD.DDMW"])
POOR = position(
    "2",
    table="DDDM@0,0 MWWD@2,0 DDDW@4,0! DDDW@6,0! DDWW@8,0! MMWW@10,0! WWWM@12,0! WWWM@14,0!",
    hands=["MMMW.DDDM.WWWD.DDWW"],
    tokens="0/6",
)

BasePosition = tilery.Position | tilery.Seen

REFUSED: list[tuple[BasePosition, str, str, str, int]] = [
    # The game is over, or it is time for something else.
    (OVER, "pass", "the game is over", "SC-40", legality.GAME_OVER),
    (PASSED, "pass", "the game is over", "SC-41", legality.GAME_OVER),
    (NEW, "dark", "the cards are dealt first", "SC-11", legality.NOT_NOW),
    (NEW, "start=2", "the cards are dealt first", "SC-11", legality.NOT_NOW),
    (START, "+DDDM", "the starting seat is drawn first", "SC-12", legality.NOT_NOW),
    (START, "start=4", "there is no seat 4: 3 seats play", "SC-12", legality.NO_SEAT),
    (KIND, "DDDM@0,0", "a kind is chosen first", "SC-12", legality.NOT_NOW),
    (PLACE, "no-token", "it is time to place a card", "SC-14", legality.NOT_NOW),
    (PLACE, "+DDMM", "it is time to place a card", "SC-14", legality.NOT_NOW),
    (SECURE, "pass", "it is time to put a token on a card, or none", "SC-35", legality.NOT_NOW),
    (DRAW, "pass", "a card is drawn first", "SC-14", legality.NOT_NOW),
    (ANSWER, "accept", "the offer waits for an answer", "SC-51", legality.NOT_NOW),
    (ACCEPT, "answer:MMMD", "the swap is to be accepted or declined", "SC-52", legality.NOT_NOW),
    # Kinds and the first card.
    (SECOND_KIND, "dark", "dark is taken: choose one of the two kinds left", "SC-13", legality.TAKEN_KIND),
    (FIRST, "DDDM@2,0", "the first card lies at 0,0 on the first level", "SC-12", legality.NOT_AT_ORIGIN),
    (FIRST, "DDDM@0,0^", "the first card lies at 0,0 on the first level", "SC-12", legality.NOT_AT_ORIGIN),
    # Cards that are not there.
    (PLACE, "WWWM@4,0", "seat 1 holds no WWWM", "SC-14", legality.NOT_IN_HAND),
    (PLACE, "offer:WWWM>2", "seat 1 holds no WWWM", "SC-14", legality.NOT_IN_HAND),
    (ANSWER, "answer:DDDM", "seat 2 holds no DDDM", "SC-14", legality.NOT_IN_HAND),
    (DRAW, "+DDDM", "no DDDM is left in the stack", "SC-61", legality.NOT_LEFT),
    (ACCEPT.seen_by(1), "accept:MMMW", "another number of pieces was said", "SC-60", legality.NOT_AS_SAID),
    # The first level.
    (PLACE, "DDDM@1,0", "the four cells from 1,0 are not all empty", "SC-20", legality.NOT_FREE),
    (PLACE, "DDDM@-2,-2", "DDDM at -2,-2 shares fewer than two edges", "SC-20", legality.TOO_FEW_EDGES),
    (PLACE, "DDDM@60,-60", "DDDM at 60,-60 shares fewer than two edges", "SC-20", legality.TOO_FEW_EDGES),
    (PLACE, "MMMW@4,0", "no edge here joins two pieces of the same kind", "SC-21", legality.NO_SAME_KIND),
    # The second level.
    (POOR, "MMWM@1,0^", "the second level costs a token, and none is left", "SC-31", legality.NO_TOKEN_LEFT),
    (PLACE, "DDDM@1,-1^", "no overhang, no hole", "SC-31", legality.HOLE),
    (PLACE, "DDDM@-60,60^", "no overhang, no hole", "SC-31", legality.HOLE),
    (STACKED, "DDDM@3,0^", "a card with a token cannot be covered, not even in part", "SC-31", legality.CARD_SECURED),
    (PLACE, "DDDM@0,0^", "at least two different cards", "SC-31", legality.ONE_CARD),
    (PLACE, "MMMW@1,0^", "no side of the card touches", "SC-32", legality.NO_SAME_KIND_ABOVE),
    # Forwarding and tokens.
    (PLACE, "pass", "a player who can place a card on the first level may not pass", "SC-41", legality.CAN_PLACE),
    (SECURE, "token@1,1", "no card has its top left piece at 1,1", "SC-35", legality.NO_SUCH_CARD),
    (SECURE, "token@1,0", "this card already carries a token", "SC-35", legality.CARD_HAS_TOKEN),
    (COVERED, "token@2,0", "this card is completely covered", "SC-35", legality.CARD_COVERED),
    # Offers.
    (PLAIN, "offer:DDDM>2", "cards are not swapped in this game", "SC-50", legality.NO_OFFER),
    (FIRST, "offer:DDDM>2", "no offers before all kinds are chosen", "SC-53", legality.NO_OFFER),
    (PLACE, "offer:DDDM>1", "seat 1 is not an opponent", "SC-50", legality.NO_OFFER),
    (ACCEPT.play("accept"), "offer:MMMW>3", "only one swap is allowed in a turn", "SC-53", legality.NO_OFFER),
    (ANSWER.play("decline"), "offer:MMMW>2", "seat 2 was already asked in this turn", "SC-53", legality.NO_OFFER),
    (LATE, "offer:DDDM>2", "both players need a card to swap", "SC-50", legality.NO_OFFER),
    # What is hidden, and what has to be said.
    (PLACE, "offer:?1>2", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (ANSWER, "answer:?1", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (DRAW, "+?", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (ACCEPT, "accept:MMMD", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (PLACE.seen_by(1), "offer:DDDM>2", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (PLACE.seen_by(0), "offer:?1>2", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (ANSWER.seen_by(0), "answer:MMMD", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (ANSWER.seen_by(1), "answer:?1", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (DRAW.seen_by(1), "+MMWW", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (LAST_DRAW.seen_by(1), "+MMWW", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (DRAW.seen_by(0), "+?", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (ACCEPT.seen_by(2), "accept:MMMD", "only those who see a card may name it", "SC-60", legality.HIDDEN),
    (ACCEPT.seen_by(0), "accept", "say which card was received, such as accept:DDDM", "SC-60", legality.UNSAID),
    (ACCEPT.seen_by(1), "accept", "say which card was received, such as accept:DDDM", "SC-60", legality.UNSAID),
    # What a seat can exclude of others.
    (DRAW.seen_by(0), "+DDDM", "no DDDM is left in the stack", "SC-61", legality.NOT_LEFT),
    (DRAW.seen_by(0).play("+MMWW"), "DDDM@6,0", "seat 2 holds no DDDM", "SC-14", legality.NOT_IN_HAND),
]


REASONS = {
    *("NO_ACTION", "GAME_OVER", "NOT_NOW", "TAKEN_KIND", "NOT_IN_HAND", "NOT_AT_ORIGIN", "NOT_FREE", "TOO_FEW_EDGES"),
    *("NO_SAME_KIND", "NO_TOKEN_LEFT", "HOLE", "CARD_SECURED", "ONE_CARD", "NO_SAME_KIND_ABOVE", "CAN_PLACE"),
    *("NO_SUCH_CARD", "CARD_HAS_TOKEN", "CARD_COVERED", "NO_OFFER", "NOT_LEFT", "HIDDEN", "UNSAID", "NOT_AS_SAID"),
    "NO_SEAT",
}


def code_of(at: BasePosition, action: int) -> int:
    """The kernel's answer to an action."""
    rows = as_rows(at.row)
    return at.game.kernel.refusal(rows, 0, action)


@pytest.mark.parametrize(
    ("at", "move", "words", "rule", "code"), REFUSED, ids=[f"{number}-{case[1]}" for number, case in enumerate(REFUSED)]
)
def test_a_refusal_says_why_and_by_which_rule(at: BasePosition, move: str, words: str, rule: str, code: int) -> None:
    """Nothing has changed afterwards."""
    before = at.row
    refused = at.refusal(move)
    assert isinstance(refused, tilery.NotLegal)
    assert words in refused.reason
    assert refused.rule == rule
    assert code_of(at, at.action(move)) == code
    with pytest.raises(tilery.NotLegal) as caught:
        at.play(move)
    assert str(caught.value) == str(refused) == f"{refused.reason} ({rule})"
    assert at.row == before


def test_every_reason_of_the_kernel_has_been_given() -> None:
    """One of the cases above for each code (and one below for numbers that are no actions)."""
    codes = {value for name, value in vars(legality).items() if name in REASONS}
    assert codes == set(range(1, max(codes) + 1))
    assert {case[4] for case in REFUSED} == codes - {legality.NO_ACTION}


def test_no_reason_was_forgotten() -> None:
    """All capital names that the module of legality defines itself are reasons, but for LEGAL."""
    own = {name for name in vars(legality) if name.isupper() and name not in vars(layout) and name not in vars(cards)}
    assert own == REASONS | {"LEGAL"}


@pytest.mark.parametrize(("seat", "card"), [(0, "DDDW"), (1, "MMMW")])
def test_a_card_that_does_not_fit_the_number_said_was_not_received(seat: int, card: str) -> None:
    """SC-60: one piece was said of either card and these have three; the other hand may hold them for all that."""
    assert card in ACCEPT.view["hands"][1 - seat]
    refused = ACCEPT.seen_by(seat).refusal(f"accept:{card}")
    assert isinstance(refused, tilery.NotLegal)
    assert "holds no" not in refused.reason


@pytest.mark.parametrize(
    "text",
    [
        *("", "DDDM", "DDDM@", "DDDM@0", "DDDM@0,", "DDDM@0,0 ", " DDDM@0,0", "dddm@0,0", "DDDM@0,0^^", "DDDM@0,0!"),
        *("DDDM@00,0", "DDDM@01,0", "DDDM@-0,0", "DDDM@100,0", "DDDM@0,-100", "DDDM@٢,0", "DDD@0,0", "DDDMM@0,0"),
        *("Dark", "black", "token", "token@0", "token@0,0^", "no token", "+", "+DDD", "+MDDD", "+DDDM+DDDM", "+??"),
        *("offer:DDDM", "offer:DDDM>4", "offer:MDDD>2", "offer:?4>2", "answer:", "answer:MDDD", "answer:?4"),
        *(
            "start=0",
            "start=5",
            "start=",
            "start=drawn",
            "accept:",
            "accept:?",
            "accept:MDDD",
            "decline:DDDM",
            "pass ",
            "x" * 25,
            "DDDM@0,0" * 100,
        ),
    ],
)
def test_a_text_that_is_no_move_has_its_own_error(text: str) -> None:
    """Whatever the phase."""
    for at in (START, NEW, KIND, PLACE, SECURE, DRAW, ANSWER, ACCEPT, OVER):
        with pytest.raises(tilery.NotAMove):
            at.play(text)
        assert isinstance(at.refusal(text), tilery.NotAMove)


@pytest.mark.parametrize("number", [-1, 7, 12, 15, 28, 31, 45, 47, 128, 2**16 - 1, 2**30, 2**31 - 1, 2**40])
def test_numbers_that_are_no_actions_are_no_moves(number: int) -> None:
    """The gaps between the actions, and what lies beyond them."""
    for at in (START, NEW, KIND, PLACE, SECURE, DRAW, ANSWER, ACCEPT, OVER, PLACE.seen_by(1)):
        with pytest.raises(tilery.NotAMove):
            at.play(number)


# One question asked twice: what is not refused is exactly what is listed as legal, in every phase.

POSITIONS: dict[str, BasePosition] = {
    "start": START,
    "start, seen": START.seen_by(1),
    "deal": NEW,
    "kind": KIND,
    "first card": FIRST,
    "second kind": SECOND_KIND,
    "place": PLACE,
    "plain": PLAIN,
    "no tokens": POOR,
    "secured": STACKED,
    "secure": SECURE,
    "covered": COVERED,
    "draw": DRAW,
    "answer": ANSWER,
    "accept": ACCEPT,
    "asked": ANSWER.play("decline"),
    "swapped": ACCEPT.play("accept"),
    "stuck": position(table=DARK_BLOCK, hands=["MMMW.MMMW.WWWM.MMWW"]),
    "empty": position("3,swap", hands=["", "DDDM", "MMMW"], stack=""),
    "over": OVER,
    "deal, seen": NEW.seen_by(0),
    "deal, seen by another": NEW.seen_by(1),
    "place, seen": PLACE.seen_by(0),
    "place, seen by another": PLACE.seen_by(2),
    "secure, seen by another": SECURE.seen_by(1),
    "draw, seen": DRAW.seen_by(0),
    "draw, seen by another": DRAW.seen_by(1),
    "the last draw, seen": LAST_DRAW.seen_by(0),
    "the last draw, seen by another": LAST_DRAW.seen_by(1),
    "answer, seen": ANSWER.seen_by(1),
    "answer, seen by who offered": ANSWER.seen_by(0),
    "answer, seen by the third": ANSWER.seen_by(2),
    "accept, seen by who answered": ACCEPT.seen_by(1),
    "accept, seen by the third": ACCEPT.seen_by(2),
    "swapped, seen by who answered": ACCEPT.play("accept").seen_by(1),
}


def near_actions(at: BasePosition) -> set[int]:
    """All small numbers, every lay of every card near the table on either level, and tokens at all places there."""
    cells = [(card["x"], card["y"]) for card in at.view["table"]] or [(0, 0)]
    places = {(x + right, y + down) for x, y in cells for right in range(-3, 4) for down in range(-3, 4)}
    tried = {*range(-3, 140), *at.actions()}
    for x, y in places:
        tried |= {at.action(f"token@{x},{y}")}
        for card in ("DDDM", "MMMW", "DDMW", "WWDM"):
            tried |= {at.action(f"{laid}@{x},{y}{up}") for laid in rotations(card)[:2] for up in ("", "^")}
    return tried


@pytest.mark.parametrize("name", POSITIONS)
def test_what_is_not_refused_is_what_is_legal(name: str) -> None:
    """On what a seat sees, too: there it is what the seat cannot exclude."""
    at = POSITIONS[name]
    assert [action for action in sorted(near_actions(at)) if code_of(at, action) == 0] == at.actions()


def test_a_seat_agrees_to_a_swap_before_it_sees_the_card() -> None:
    """SC-52, SC-60: the offerer's choice is to accept or not; what it has seen is named when its view continues."""
    seen = ACCEPT.seen_by(0)
    assert texts(seen) == texts(ACCEPT) == ["decline", "accept"]
    assert seen.play("accept:MMMD") == ACCEPT.play("accept").seen_by(0)
    for card in ("MMMD", "WWWD", "MMWD", "WWDM"):
        assert seen.refusal(f"accept:{card}") is None  # all cards with one dark piece that may be in that hand
    assert texts(ACCEPT.seen_by(1)) == ["decline", *(f"accept:{card}" for card in ("DDDM", "WWWM", "DDMW", "WWDM"))]


@pytest.mark.parametrize("name", POSITIONS)
def test_every_refusal_has_its_words(name: str) -> None:
    """A reason for each, with a rule for each move that is not legal."""
    at = POSITIONS[name]
    legal = set(at.actions())
    for action in range(140):
        refused = at.refusal(action)
        assert (refused is None) == (action in legal)
        assert refused is None or str(refused)
        assert not isinstance(refused, tilery.NotLegal) or refused.rule.startswith("SC-")
