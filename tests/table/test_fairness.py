"""Deals that anybody can verify afterwards: with our own check, and with a few lines that need none of it."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from itertools import accumulate, pairwise

import pytest

from tests.table.driving import Room, dealt
from tilery import CHANCE, Record, Refused, game, read_record
from tilery.games import GAMES
from tilery.table.commands import Offer, Resign, Start
from tilery.table.fairness import Dealer, check_fairness, commitment_of, joined, outcome_at, share_of

GAMES_PLAYED = [
    ("azul", "ab", ""),
    ("azul", "a*b", "grey,specials,start=drawn"),
    ("chocolatier", "abcd", "specials=game"),
    ("schokoly", "ab", ""),
    ("schokoly", "a**", "swap"),
    ("schokoly", "abcd", "large"),
]


def finished(name: str, seats: str, variant: str, step: int = 3) -> Room:
    room = Room(seats, name, variant=variant)
    room.finish(step)
    return room


def verified(record: Record) -> int:
    """The check as a stranger would write it: the standard library, and the odds that the rules give."""
    secret = bytes.fromhex(record.tags["Secret"])
    assert hashlib.sha256(secret).hexdigest() == record.tags["Commitment"]
    number = 0
    position = record.start
    for ply in record.plies:
        if ply.actor == CHANCE:
            message = f"{record.tags['Entropy']}/{number}".encode()
            digest = hmac.new(secret, message, hashlib.sha256).digest()
            place = (int.from_bytes(digest[:8], "big") >> 11) / 2**53
            ends = zip(position.odds(), accumulate(position.odds().values()), strict=True)
            assert next(move for move, end in ends if end > place) == position.move_text(ply.action)
            number += 1
        position = position.play(ply.action)
    return number


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_a_finished_game_is_verified_also_from_its_text(name: str, seats: str, variant: str) -> None:
    room = finished(name, seats, variant)
    record = room.table.record()
    assert room.table.deals > 0
    for each in (record, read_record(record.text)):
        assert check_fairness(each) == verified(each) == room.table.deals


@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_moves_taken_back_is_verified_too(name: str) -> None:
    room = Room("a*", name)
    backs = 0
    while room.table.status == "playing":
        room.move(3 * room.table.number)
        if room.table.status == "playing" and room.table.number % 7 == 0 and room.table.plies > room.table.deals + 1:
            room.do("a", Offer, what="takeback")
            backs += 1
    assert backs > 2
    record = read_record(room.table.record().text)
    assert check_fairness(record) == verified(record) == room.table.deals


def test_a_game_that_was_given_up_is_verified_as_far_as_it_went() -> None:
    room = Room("ab", "schokoly")
    room.move_until_chance()
    room.do("a", Resign)
    record = read_record(room.table.record().text)
    assert check_fairness(record) == verified(record) == room.table.deals


def test_a_game_without_entropy_is_verified_too() -> None:
    room = Room("aa", start=False)
    room.do("a", Start)
    room.do("a", Resign, seat=0)
    record = read_record(room.table.record().text)
    assert record.tags["Entropy"] == ""
    assert check_fairness(record) == verified(record) > 0


def with_tag(record: Record, name: str, value: str | None) -> Record:
    tags = {tag: text for tag, text in record.tags.items() if tag != name}
    if value is not None:
        tags[name] = value
    return replace(record, tags=tags)


@pytest.mark.parametrize("name", GAMES)
def test_what_was_changed_afterwards_is_found_out(name: str) -> None:
    record = finished(name, "ab", "").table.record()
    other = bytes(32)
    with pytest.raises(Refused, match="promised"):
        check_fairness(with_tag(record, "Secret", other.hex()))
    with pytest.raises(Refused, match="promised"):
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
def test_another_deal_is_found_out(name: str) -> None:
    record = finished(name, "ab", "").table.record()
    at = max(at for at, ply in enumerate(record.plies) if ply.actor == CHANCE)
    position = record.position(at)
    short = record.upto(at)
    others = [action for action in position.actions() if action != record.plies[at].action]
    if not others:  # the last cards of the stack leave no choice
        at = min(at for at, ply in enumerate(record.plies) if ply.actor == CHANCE)
        position, short = record.position(at), record.upto(at)
        others = [action for action in position.actions() if action != record.plies[at].action]
    assert check_fairness(short) == sum(ply.actor == CHANCE for ply in short.plies)
    for action in others:
        with pytest.raises(Refused, match=f"ply {at + 1}, deal {check_fairness(short) + 1}: "):
            check_fairness(short.play(action))


def test_before_the_end_there_is_nothing_to_verify_with() -> None:
    room = Room("ab")
    assert set(room.table.record().tags) == {"Table", "Commitment", "Entropy"}
    with pytest.raises(Refused, match="Secret"):
        check_fairness(room.table.record())


def test_a_deal_depends_on_number_entropy_and_secret_and_on_nothing_else() -> None:
    base = share_of(b"s" * 32, "e", 0)
    assert base == share_of(b"s" * 32, "e", 0)
    others = {share_of(b"t" * 32, "e", 0), share_of(b"s" * 32, "f", 0), share_of(b"s" * 32, "e", 1)}
    assert len(others | {base}) == 4
    assert joined(["a", "b"]) == "a,b"
    assert share_of(b"s" * 32, joined(["a", "b"]), 0) != share_of(b"s" * 32, joined(["ab"]), 0)


def test_two_tables_deal_alike_only_with_the_same_secret_and_entropy() -> None:
    first, second = Room("ab"), Room("ab")
    assert dealt(first) == dealt(second)
    assert dealt(Room("ab", dealer=Dealer(b"x" * 32))) != dealt(first)


def test_a_known_deal_stays_what_it_is() -> None:
    """Pinned: games that are stored must be verifiable for ever."""
    secret = bytes(range(32))
    assert share_of(secret, "01,cafe", 0) == 0.6350930451698708
    assert share_of(secret, "", 41) == 0.909739712035004


def test_outcomes_stand_in_a_row_each_as_wide_as_its_odds() -> None:
    for name in GAMES:
        position = game(name).new()
        begin = 0.0
        for move, width in position.odds().items():
            assert position.move_text(outcome_at(position, begin + width / 1000)) == move
            assert position.move_text(outcome_at(position, begin + width * 0.999)) == move
            begin += width
        last = list(position.odds())[-1]
        for share in (1 - 2**-53, 1.0, 1.5):
            assert position.move_text(outcome_at(position, share)) == last


@pytest.mark.parametrize("name", ["azul", "schokoly"])
def test_deals_have_their_odds(name: str) -> None:
    """Chi-square over many secrets; the bound lies five standard deviations out."""
    position = game(name).new()
    odds = position.odds()
    number = 6000
    counts = Counter(
        position.move_text(Dealer(hashlib.sha256(f"{k}".encode()).digest()).deal(position, "ab,cd", 0))
        for k in range(number)
    )
    assert set(counts) <= set(odds)
    chi = sum((counts[move] - number * p) ** 2 / (number * p) for move, p in odds.items())
    free = len(odds) - 1
    assert abs(chi - free) < 5 * (2 * free) ** 0.5


def test_deals_of_one_game_are_independent() -> None:
    shares = [share_of(b"s" * 32, "e", number) for number in range(4000)]
    pairs = Counter((int(4 * one), int(4 * two)) for one, two in pairwise(shares))
    chi = sum((pairs[x, y] - 250) ** 2 / 250 for x in range(4) for y in range(4))
    assert chi < 15 + 5 * 30**0.5


def test_a_dealer_shows_its_secret_to_nobody_by_accident() -> None:
    dealer = Dealer(b"\xab" * 32)
    assert "ab" * 4 not in repr(dealer)
    assert "ab" * 4 not in str(dealer)
    assert not hasattr(dealer, "__dict__")
    assert dealer.reveal() == "ab" * 32
