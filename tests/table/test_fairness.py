"""Deals that anybody can verify: with `check_fairness`, and with a few independent lines."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from itertools import accumulate, pairwise

import pytest

from tests.table.table_driver import TableDriver, dealt
from tilery import CHANCE, Record, Refused, game, read_record
from tilery.games import GAMES
from tilery.table.commands import Offer, Resign, Start
from tilery.table.fairness import Dealer, check_fairness, commitment_of, join_entropy, outcome_at, share_of

GAMES_PLAYED = [
    ("azul", "ab", ""),
    ("azul", "a*b", "grey,specials,start=drawn"),
    ("chocolatier", "abcd", "specials=game"),
    ("schokoly", "ab", ""),
    ("schokoly", "a**", "swap"),
    ("schokoly", "abcd", "large"),
]


def finished(name: str, seats: str, variant: str, step: int = 3) -> TableDriver:
    driver = TableDriver(seats, name, variant=variant)
    driver.finish(step)
    return driver


def verified(record: Record) -> int:
    """An independent verifier: the standard library, and the probabilities that the rules give."""
    secret = bytes.fromhex(record.tags["Secret"])
    assert hashlib.sha256(secret).hexdigest() == record.tags["Commitment"]
    number = 0
    position = record.start
    for ply in record.plies:
        if ply.actor == CHANCE:
            message = f"{record.tags['Entropy']}/{number}".encode()
            digest = hmac.new(secret, message, hashlib.sha256).digest()
            place = (int.from_bytes(digest[:8], "big") >> 11) / 2**53
            ends = zip(position.probabilities(), accumulate(position.probabilities().values()), strict=True)
            assert next(move for move, end in ends if end > place) == position.move_text(ply.action)
            number += 1
        position = position.play(ply.action)
    return number


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_a_finished_game_is_verified_from_memory_and_from_its_text(name: str, seats: str, variant: str) -> None:
    driver = finished(name, seats, variant)
    record = driver.table.record()
    assert driver.table.history.deals > 0
    for each in (record, read_record(record.text)):
        assert check_fairness(each) == verified(each) == driver.table.history.deals


@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_moves_taken_back_is_verified(name: str) -> None:
    driver = TableDriver("a*", name)
    backs = 0
    while driver.table.status == "playing":
        driver.move(3 * driver.table.number)
        if (
            driver.table.status == "playing"
            and driver.table.number % 7 == 0
            and driver.table.plies > driver.table.history.deals + 1
        ):
            driver.do("a", Offer, what="takeback")
            backs += 1
    assert backs > 2
    record = read_record(driver.table.record().text)
    assert check_fairness(record) == verified(record) == driver.table.history.deals


def test_the_deals_before_a_resignation_are_verified() -> None:
    driver = TableDriver("ab", "schokoly")
    driver.move_until_chance()
    driver.do("a", Resign)
    record = read_record(driver.table.record().text)
    assert check_fairness(record) == verified(record) == driver.table.history.deals


def test_a_game_without_entropy_is_verified() -> None:
    driver = TableDriver("aa", start=False)
    driver.do("a", Start)
    driver.do("a", Resign, seat=0)
    record = read_record(driver.table.record().text)
    assert record.tags["Entropy"] == ""
    assert check_fairness(record) == verified(record) > 0


def with_tag(record: Record, name: str, value: str | None) -> Record:
    tags = {tag: text for tag, text in record.tags.items() if tag != name}
    if value is not None:
        tags[name] = value
    return replace(record, tags=tags)


@pytest.mark.parametrize("name", GAMES)
def test_changed_tags_are_detected(name: str) -> None:
    record = finished(name, "ab", "").table.record()
    other = bytes(32)
    with pytest.raises(Refused, match="does not match the commitment"):
        check_fairness(with_tag(record, "Secret", other.hex()))
    with pytest.raises(Refused, match="does not match the commitment"):
        check_fairness(with_tag(record, "Commitment", commitment_of(other)))
    with pytest.raises(Refused, match=r"deal [0-9]+: .* was dealt, but the secret gives"):
        check_fairness(with_tag(with_tag(record, "Commitment", commitment_of(other)), "Secret", other.hex()))
    with pytest.raises(Refused, match="was dealt, but the secret gives"):
        check_fairness(with_tag(record, "Entropy", record.tags["Entropy"] + "0"))
    for tag in ("Secret", "Commitment", "Entropy"):
        with pytest.raises(Refused, match=f"no tag {tag}"):
            check_fairness(with_tag(record, tag, None))
    for secret in ("", "00", "zz" * 32, "AB" * 32, record.tags["Secret"].upper(), record.tags["Secret"] + "\n"):
        with pytest.raises(Refused, match="Secret"):
            check_fairness(with_tag(record, "Secret", secret))


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_deal_is_detected(name: str) -> None:
    record = finished(name, "ab", "").table.record()
    at = max(at for at, ply in enumerate(record.plies) if ply.actor == CHANCE)
    position = record.position(at)
    short = record.upto(at)
    others = [action for action in position.actions() if action != record.plies[at].action]
    if not others:  # there is only one way to deal the last cards of the stack
        at = min(at for at, ply in enumerate(record.plies) if ply.actor == CHANCE)
        position, short = record.position(at), record.upto(at)
        others = [action for action in position.actions() if action != record.plies[at].action]
    assert check_fairness(short) == sum(ply.actor == CHANCE for ply in short.plies)
    for action in others:
        with pytest.raises(Refused, match=f"ply {at + 1}, deal {check_fairness(short) + 1}: "):
            check_fairness(short.play(action))


def test_an_unfinished_game_cannot_be_verified() -> None:
    driver = TableDriver("ab")
    assert set(driver.table.record().tags) == {"Table", "Commitment", "Entropy"}
    with pytest.raises(Refused, match="Secret"):
        check_fairness(driver.table.record())


def test_a_deal_depends_only_on_number_entropy_and_secret() -> None:
    base = share_of(b"s" * 32, "e", 0)
    assert base == share_of(b"s" * 32, "e", 0)
    others = {share_of(b"t" * 32, "e", 0), share_of(b"s" * 32, "f", 0), share_of(b"s" * 32, "e", 1)}
    assert len(others | {base}) == 4
    assert join_entropy(["a", "b"]) == "a,b"
    assert share_of(b"s" * 32, join_entropy(["a", "b"]), 0) != share_of(b"s" * 32, join_entropy(["ab"]), 0)


def test_tables_deal_alike_only_with_the_same_secret_and_entropy() -> None:
    first, second = TableDriver("ab"), TableDriver("ab")
    assert dealt(first) == dealt(second)
    assert dealt(TableDriver("ab", dealer=Dealer(b"x" * 32))) != dealt(first)


def test_deals_never_change_between_versions() -> None:
    """Pinned: stored games must be verifiable for ever."""
    secret = bytes(range(32))
    assert share_of(secret, "01,cafe", 0) == 0.6350930451698708
    assert share_of(secret, "", 41) == 0.909739712035004


def test_the_share_of_an_outcome_is_its_probability() -> None:
    for name in GAMES:
        position = game(name).new()
        begin = 0.0
        for move, width in position.probabilities().items():
            assert position.move_text(outcome_at(position, begin + width / 1000)) == move
            assert position.move_text(outcome_at(position, begin + width * 0.999)) == move
            begin += width
        last = list(position.probabilities())[-1]
        for share in (1 - 2**-53, 1.0, 1.5):
            assert position.move_text(outcome_at(position, share)) == last


@pytest.mark.parametrize("name", ["azul", "schokoly"])
def test_deals_follow_their_probabilities(name: str) -> None:
    """Chi-square over many secrets; the bound is five standard deviations."""
    position = game(name).new()
    probabilities = position.probabilities()
    number = 6000
    counts = Counter(
        position.move_text(Dealer(hashlib.sha256(f"{k}".encode()).digest()).deal(position, "ab,cd", 0))
        for k in range(number)
    )
    assert set(counts) <= set(probabilities)
    chi = sum((counts[move] - number * p) ** 2 / (number * p) for move, p in probabilities.items())
    free = len(probabilities) - 1
    assert abs(chi - free) < 5 * (2 * free) ** 0.5


def test_deals_of_one_game_are_independent() -> None:
    shares = [share_of(b"s" * 32, "e", number) for number in range(4000)]
    pairs = Counter((int(4 * one), int(4 * two)) for one, two in pairwise(shares))
    chi = sum((pairs[x, y] - 250) ** 2 / 250 for x in range(4) for y in range(4))
    assert chi < 15 + 5 * 30**0.5


def test_the_repr_of_a_dealer_hides_its_secret() -> None:
    dealer = Dealer(b"\xab" * 32)
    assert "ab" * 4 not in repr(dealer)
    assert "ab" * 4 not in str(dealer)
    assert not hasattr(dealer, "__dict__")
    assert dealer.reveal() == "ab" * 32
