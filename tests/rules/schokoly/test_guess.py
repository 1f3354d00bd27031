"""SC-60: a guess is a world that a seat cannot exclude; all arrangements of the unseen cards are equally likely.

Late in a game few cards are unseen, so all arrangements can be listed. Copies of a pattern are different cards here,
and so are the cards of a hand of which one lies on offer: each of them may be the one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb, sqrt

import pytest

import tilery
from tests.notation import texts
from tilery.core.jit import ENABLED

from .positions import CARD_OF, DARK_BLOCK, LIGHT, PATTERNS, dealt, in_order, play, position

# With this many guesses every world of the cases below is met, and unlikely ones often enough to be counted.
GUESSES = 20_000 if ENABLED else 2_000

# Hands of the others, what is left in the stack, the card on offer and the one that answers.
World = tuple[tuple[tuple[str, ...], ...], tuple[str, ...], str | None, str | None]


def world_of(at: tilery.Position) -> World:
    """A position reduced to what a seat may have to guess."""
    view = at.view
    stack = tuple(card for card, number in zip(PATTERNS, view["stack"], strict=True) for _ in range(number))
    offer, answer = view["offer"], view["answer"]
    return view["hands"], stack, offer and offer["card"], answer and answer["card"]


def deals(cards: list[str], sizes: list[int]) -> Iterator[list[list[str]]]:
    """Every way to deal cards to places of such sizes; what is left comes last. Equal cards are different cards."""
    if not sizes:
        yield [cards]
        return
    numbers = range(len(cards))
    for chosen in combinations(numbers, sizes[0]):
        rest = [cards[k] for k in numbers if k not in chosen]
        for others in deals(rest, sizes[1:]):
            yield [[cards[k] for k in chosen], *others]


def on_offer(pending: dict[str, object] | None, hand: list[str], kind: str, *, own: bool) -> list[str | None]:
    """The cards of a hand that may lie on offer: the one that is seen, or each that has the number said."""
    if pending is None:
        return [None]
    if own:
        return [str(pending["card"])]
    return [card for card in hand if card.count(kind) == pending["number"]]


def every_world(seen: tilery.Seen) -> Counter[World]:
    """All worlds that a seat cannot exclude, and how many arrangements of cards make each of them."""
    view, me = seen.view, seen.seat
    copies = 4 if "large" in view["rules"] else 3
    sure = [[card for card in cards if card != "?"] for cards in view["hands"]]
    left = Counter(dict.fromkeys(PATTERNS, copies))
    left.subtract(CARD_OF[card["pieces"]] for card in view["table"])
    left.subtract(card for cards in sure for card in cards)
    heard = {one["holder"]: one["said"] for one in view["said"] if one["viewer"] == me}
    worlds: Counter[World] = Counter()
    for *dealt_cards, stack in deals(sorted(left.elements()), [cards.count("?") for cards in view["hands"]]):
        assert len(stack) == view["left"]
        hands = [in_order([*known, *cards]) for known, cards in zip(sure, dealt_cards, strict=True)]
        if any(card in view["barred"][seat] for seat, cards in enumerate(hands) for card in cards):
            continue
        if any(
            not any(card.count(announcement[0]) == int(announcement[1]) for card in hands[seat])
            for seat, announcements in heard.items()
            for announcement in announcements
        ):
            continue
        giver, taker = view["seat"], view["partner"]
        offers = on_offer(view["offer"], hands[giver], view["kinds"][taker or 0], own=me == giver)
        answers = on_offer(view["answer"], hands[taker or 0], view["kinds"][giver], own=me == taker)
        for offer in offers:
            for answer in answers:
                worlds[tuple(map(tuple, hands)), tuple(in_order(stack)), offer, answer] += 1
    return worlds


def far_quantile(degrees: int) -> float:
    """What chi squared exceeds less than once in a thousand (Wilson and Hilferty), rounded up a little."""
    return 1.02 * degrees * (1 - 2 / (9 * degrees) + 3.0902 * sqrt(2 / (9 * degrees))) ** 3


def chi_squared(counted: Counter[World], probabilities: Counter[World]) -> tuple[float, int]:
    """How far counts are from what is expected, and the degrees of freedom; rare worlds are taken together."""
    total, number = sum(probabilities.values()), sum(counted.values())
    cells: list[tuple[float, int]] = []
    rare, rare_counted = 0.0, 0
    for world, ways in probabilities.items():
        expected = ways / total * number
        if expected < 5:
            rare, rare_counted = rare + expected, rare_counted + counted[world]
        else:
            cells.append((expected, counted[world]))
    if rare:
        cells.append((rare, rare_counted))
    return sum((seen - expected) ** 2 / expected for expected, seen in cells), len(cells) - 1


def test_the_bound_of_chi_squared_is_the_one_of_the_tables() -> None:
    """SC-60: 0.999 quantiles, from a printed table; the bound is above them and not far above."""
    for degrees, value in ((1, 10.828), (2, 13.816), (5, 20.515), (10, 29.588), (30, 59.703), (100, 149.449)):
        assert value < far_quantile(degrees) < 1.06 * value


def late(variant: str, hands: tuple[str, ...], stack: str, more: str = "") -> tilery.Position:
    """A position late in the game, seat 1 to move: all cards that are not mentioned lie on the table."""
    return position(variant, "place:1", hands=hands, stack=stack, more=more)


MINE = "MMWD.WWDM.MMWW.DDWW"
PLAIN = late("2", ("DDMW.DDMW.MMWD.WWDM", "DDDM.DDDM.MMMW.WWWD"), "DDDM.MMMW.WWWD")
TAUGHT = (MINE, "DDDM.DDDW.MMMD.MMMD", "DDDM.DDDM.WWWD.WWWD"), "WWWD"
BARRED = (MINE, "MMMW.MMMW.WWWD.WWWD", "DDDM.DDDM.WWWM.WWWM"), "DDDM.MMMW"
PASSED = late("2", (MINE, "MMMW.MMMW.WWWD.WWWD"), "DDDM.MMMW.WWWD", "barred=2:DDDM")

# Seat 1 offers DDDM to seat 2, saying one milk piece, and gets WWWD in answer, saying one dark piece.
FEW = ("DDDM.MMMW.WWWM", "DDDM.WWWD", "DDDM.WWWM.MMWW")
MANY = ("DDDM.MMMW.WWWM.DDWW", "DDDM.WWWD.DDWW.DDWW", "WWWM.MMMW.MMWW.MMWW"), "DDDM"
OFFERED = late("3,swap", FEW, "").play("offer:DDDM>2")
ANSWERED = OFFERED.play("answer:WWWD")
AGREED = ANSWERED.play("accept")

# With other kinds, and seat 3 (milk) offering DDDM to seat 1 (white), saying no white piece; DDDW says no milk piece.
TURNED = position("3,swap", "place:3", hands=("WWWD.DDDW", "DDDM.WWWM", "DDDM.WWWD.MMMD"), stack="", kinds="W/D/M")
TURNED_OFFER = TURNED.play("offer:DDDM>1")
TURNED_ANSWER = TURNED_OFFER.play("answer:DDDW")

CASES = {
    "plain": PLAIN.seen_by(0),
    "plain, seen by seat 2": PLAIN.seen_by(1),
    "three players": late("3", ("DDMW", "DDDM.DDDM", "DDDM.WWWD.WWWM"), "").seen_by(0),
    "four players": late("4", ("DDMW.MMWD", "DDDM.WWWD", "DDDM.MMMW", "DDDM.DDMM"), "").seen_by(0),
    "a known card": late("3,swap", *TAUGHT, "known=1>2:DDDW").seen_by(0),
    "numbers": late("3,swap", *TAUGHT, "said=1>2:M3,1>3:D1").seen_by(0),
    "a known card and numbers": late("3,swap", *TAUGHT, "known=1>2:DDDW said=1>2:M3,1>3:D1").seen_by(0),
    "a number that the known card fits": late("3,swap", *TAUGHT, "known=1>2:DDDW said=1>2:D3").seen_by(0),
    "numbers that one card may fit": late(
        "3,swap", (MINE, "DDDM.DDMW", "WWWD.DDDM.WWWD"), "", "said=1>2:D2.M1"
    ).seen_by(0),
    "after a pass": PASSED.seen_by(0),
    "after a pass, with a known card and numbers": late(
        "3,swap", *BARRED, "barred=2:DDDM known=1>2:MMMW said=1>2:W3,1>3:D3"
    ).seen_by(0),
    "after two passes, with a stack": late("3,swap", *BARRED, "barred=2:DDDM,3:MMMW.WWWD").seen_by(0),
    "after two passes, with numbers": late("3,swap", *BARRED, "barred=2:DDDM,3:WWWD said=1>2:W3,1>3:M1").seen_by(0),
    "after two passes": late("3", ("DDMW", "MMMW.WWWD", "DDDM.WWWM"), "", "barred=2:DDDM,3:MMMW").seen_by(0),
    "an offer, seen by the seat that is asked": OFFERED.seen_by(1),
    "an offer, seen by the third": OFFERED.seen_by(2),
    "an offer, seen by its owner": OFFERED.seen_by(0),
    "an offer with a stack, seen by the seat that is asked": late("3,swap", *MANY).play("offer:DDDM>2").seen_by(1),
    "an offer that may be a known card": late("3,swap", FEW, "", "known=2>1:WWWM").play("offer:WWWM>2").seen_by(1),
    "an offer of somebody who has passed": late("3,swap", FEW, "", "barred=1:WWWD").play("offer:DDDM>2").seen_by(2),
    "an answer, seen by who gets it": ANSWERED.seen_by(0),
    "an answer, seen by its owner": ANSWERED.seen_by(1),
    "an answer, seen by the third": ANSWERED.seen_by(2),
    "an offer of milk to white, seen by the seat that is asked": TURNED_OFFER.seen_by(0),
    "an offer of milk to white, seen by the third": TURNED_OFFER.seen_by(1),
    "an answer of white to milk, seen by who gets it": TURNED_ANSWER.seen_by(2),
    "an answer of white to milk, seen by the third": TURNED_ANSWER.seen_by(1),
    "after a refusal, seen by the third": ANSWERED.play("decline").seen_by(2),
    "after a swap, seen by who offered": AGREED.seen_by(0),
    "after a swap, seen by who answered": AGREED.seen_by(1),
    "after a swap, seen by the third": AGREED.seen_by(2),
}


@pytest.mark.parametrize("name", CASES)
def test_guesses_are_as_frequent_as_their_arrangements(name: str) -> None:
    """SC-60: all worlds that fit what the seat knows are met, no others, and each as often as it should be."""
    seen = CASES[name]
    probabilities = every_world(seen)
    stream = tilery.Stream("guesses", name)
    rows = Counter(seen.guess(stream).row for _ in range(GUESSES))
    counted: Counter[World] = Counter()
    for row, number in rows.items():
        world = tilery.Position(seen.game, row)
        counted[world_of(world)] += number
        assert world.seen_by(seen.seat) == seen
        assert tilery.read_position(world.text) == world
    assert set(counted) <= set(probabilities)
    if min(probabilities.values()) / sum(probabilities.values()) * GUESSES > 12:
        assert set(counted) == set(probabilities)
    distance, degrees = chi_squared(counted, probabilities)
    assert distance < far_quantile(degrees), f"{distance:.1f} at {degrees} degrees of freedom"


def test_the_cases_can_tell_a_wrong_guess() -> None:
    """SC-60: patterns instead of cards, or equally likely hands, would be noticed at once."""
    for name, seen in CASES.items():
        probabilities = every_world(seen)
        assert len(probabilities) > 1, name
        if len(set(probabilities.values())) > 1:
            even = Counter({world: GUESSES // len(probabilities) for world in probabilities})
            distance, degrees = chi_squared(even, probabilities)
            assert distance > far_quantile(degrees), name


def test_a_guess_keeps_what_is_open() -> None:
    """SC-60: all that the seat sees is the same in every world, and the acting seat has the same moves."""
    for name, seen in CASES.items():
        world = seen.guess(tilery.Stream("open", name))
        assert world.actor == seen.actor
        for field in ("table", "tokens", "kinds", "phase", "left", "asked", "passes", "barred"):
            assert world.view[field] == seen.view[field]
        if world.actor == seen.seat:
            assert texts(world) == texts(seen)


def test_the_same_stream_gives_the_same_guess() -> None:
    """SC-60: a guess depends on what is seen and on the stream, and on nothing that is hidden."""
    one = late("2", ("DDMW.DDMW.MMWD.WWDM", "DDDM.DDDM.MMMW.WWWD"), "DDDM.MMMW.WWWD").seen_by(0)
    other = late("2", ("DDMW.DDMW.MMWD.WWDM", "DDDM.MMMW.MMMW.WWWD"), "DDDM.DDDM.WWWD").seen_by(0)
    assert one == other
    for number in range(20):
        assert one.guess(tilery.Stream("same", number)) == other.guess(tilery.Stream("same", number))


def test_after_a_real_pass_only_light_hands_are_guessed() -> None:
    """SC-60 (c), SC-41: of 28 unseen cards five have no dark piece, and four of these five are the hand."""
    at = position(table=DARK_BLOCK, hands=["MMMW.MMMW.WWWM.MMWW", "MMMW.WWWM.WWWM.MMWW"]).play("pass")
    seen = at.seen_by(1)
    hands = Counter(seen.guess(tilery.Stream("a pass", number)).view["hands"][0] for number in range(100))
    fits = {
        ("MMMW", "MMMW", "WWWM", "MMWW"): 2,  # one of two MMWW is not in it
        ("MMMW", "MMMW", "MMWW", "MMWW"): 1,
        ("MMMW", "WWWM", "MMWW", "MMWW"): 2,
    }
    assert sum(fits.values()) == comb(5, 4)
    assert set(hands) == set(fits)


def test_after_two_passes_of_three_a_guess_is_still_a_possible_world() -> None:
    """SC-60 (c), SC-61: seats 2 and 3 have passed beside dark cards, and seat 1 holds four of the twelve light ones.

    The other eight are in the two other hands, for certain: there are only 70 arrangements of them.
    """
    at = dealt("3,large", "DDDM.DDDW.MMMW.WWWM", "DDDW.MMMW.WWWM.MMWW", "DDDM.MMMW.WWWM.MMWW")
    at = play(at, "dark", "DDMD@0,0", "no-token", "+MMWW", "milk", "DDDW@2,0", "no-token", "+MMMW")
    at = play(at, "DMDD@0,2", "no-token", "+WWWM", "WDDD@2,2", "no-token", "+MMWW", "pass", "pass")
    assert at.actor == 0
    seen = at.seen_by(0)
    world = seen.guess(tilery.Stream("two passes"))
    assert set(world.view["hands"][1]) | set(world.view["hands"][2]) <= set(LIGHT)
    assert tilery.read_position(world.text) == world
    assert world.seen_by(0) == seen
