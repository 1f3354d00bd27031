"""The policy of rollouts: every seat plays the card that scores most immediately, and secures threatened cards."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined, stack_array
from tilery.core.kernel.generator import next_bits
from tilery.games.schokoly.kernel.actions import is_second_level
from tilery.games.schokoly.kernel.cards import CARDS, MAX_CARDS, PIECES
from tilery.games.schokoly.kernel.layout import (
    AGREE,
    ANSWER,
    ANSWER_WITH,
    CORNER,
    DECLINE,
    KIND,
    NO_TOKEN,
    NONE,
    PASS,
    PLACE,
    ROW,
    SECURE,
    TOKEN,
)
from tilery.games.schokoly.kernel.piles import cards_in, count_of
from tilery.games.schokoly.kernel.plane import card_at, cell, corner, index_of
from tilery.games.schokoly.kernel.turns import is_taken

from .model import CONTACT, GROWTH, GUARD, LATE_GUARD, PRICE, block_of
from .placements import contacts_of, grown_of, margin_of, rate_placements
from .points import SUMMARY, best_other, points_now, points_of, side_of, summarise_without, turns_left

_TIE = 1 / 256  # times 0 to 63: a random choice among equals


@inlined
def pieces_in_hand(row: Any, seat: int, kind: int) -> int:
    """The number of pieces of a kind in the hand of a seat."""
    pieces = 0
    for card in range(CARDS):
        pieces += count_of(int(row["hands"][seat]), card) * int(PIECES[card, kind])
    return pieces


@inlined
def is_scarce(row: Any, seat: int) -> bool:
    """SC-30: whether a seat has fewer tokens than turns left; if not, a token that is saved is wasted."""
    return int(row["tokens"][seat]) < turns_left(row, seat) + int(int(row["phase"]) == SECURE)


@inlined
def _best_place(row: Any, model: Any, bits: int, count: int, out: Any, rated: Any) -> int:
    """The placement with the best immediate score, including tokens, contacts and growth; a random one among equals."""
    seat, block = int(row["seat"]), block_of(int(row["seats"]))
    price, contact, growth = float(model[block + PRICE]), float(model[block + CONTACT]), float(model[block + GROWTH])
    if not is_scarce(row, seat):
        price = 0.0
    if turns_left(row, seat) == 1:
        contact = growth = 0.0  # the last card of the seat: only points matter
    best, action = -1e9, PASS
    if count == 0 or is_second_level(int(out[0])):  # SC-41: only then may it pass
        best = float(margin_of(points_now(row, side_of(row, seat))))
    for k in range(count):
        packed = float(rated[k])
        value = margin_of(packed) + contact * contacts_of(packed) + growth * grown_of(packed)
        value += ((k + 1) * bits >> 9 & 63) * _TIE
        if is_second_level(int(out[k])):
            value -= price
        if value > best:
            best, action = value, int(out[k])
    return action


@inlined
def choose_kind_of_hand(row: Any) -> int:
    """SC-12, SC-13: the free kind with the most pieces in the hand."""
    seat = int(row["seat"])
    best, chosen = -1, NONE
    for kind in range(3):
        pieces = pieces_in_hand(row, seat, kind)
        if not is_taken(row, kind) and pieces > best:
            best, chosen = pieces, kind
    return chosen


@inlined
def card_under(row: Any, place: int, piece: int) -> int:
    """The card on the table with a first-level piece under one of the four cells of a place."""
    x = int(piece in (1, 2))
    y = int(piece >= 2)
    own = cell(row, corner(index_of(place), piece)) >> CORNER
    return card_at(row, place + x + (y << 8) - int(own in (1, 2)) - (int(own >= 2) << 8))


@outlined
def cost_of_cuts(row: Any, side: int, losses: Any) -> int:
    """Write for every card on the table the points at stake if it is covered; return the highest cost of one cut."""
    summary = stack_array(SUMMARY)
    now = margin_of(points_now(row, side))
    for k in range(int(row["laid"])):
        losses[k] = 0
    most = 0
    for k in range(int(row["open_tops"])):
        place = int(row["tops"][k]) >> 12
        summarise_without(row, summary, index_of(place))
        loss = now - points_of(row, summary, side) + best_other(row, summary, side)
        if loss <= 0:
            continue
        most = max(most, loss)
        seen = 0
        for piece in range(4):
            card = card_under(row, place, piece)
            if seen >> card & 1 == 0:
                seen |= 1 << card
                losses[card] = int(losses[card]) + loss * loss
    return most


@inlined
def others_have_tokens(row: Any, side: int) -> bool:
    """Whether any other side can still stack a card."""
    for seat in range(int(row["seats"])):
        if side_of(row, seat) != side and int(row["tokens"][seat]) > 0 and int(row["held"][seat]) > 0:
            return True
    return False


@inlined
def choose_token(row: Any, model: Any) -> int:
    """SC-35: secure the card whose covering would cost most, if the cost is high; else keep the token."""
    seat = int(row["seat"])
    side = side_of(row, seat)
    if int(row["open_tops"]) == 0 or not others_have_tokens(row, side):
        return NO_TOKEN
    losses = stack_array(MAX_CARDS)
    block = block_of(int(row["seats"]))
    least = float(model[block + GUARD]) if is_scarce(row, seat) else float(model[block + LATE_GUARD])
    if cost_of_cuts(row, side, losses) < least:
        return NO_TOKEN
    best = 0
    for k in range(1, int(row["laid"])):
        if int(losses[k]) > int(losses[best]):
            best = k
    return TOKEN + (int(row["cards"][best]) >> 8)


@inlined
def choose_in_swap(row: Any) -> int:
    """SC-51, SC-52: swap for a card with more pieces of the seat's kind."""
    seat, partner = int(row["seat"]), int(row["partner"])
    own, other = int(row["kinds"][seat]), int(row["kinds"][partner])
    if int(row["phase"]) != ANSWER:
        gain = int(PIECES[int(row["answered"]), own]) - int(PIECES[int(row["offered"]), own])
        return AGREE if gain > 0 else DECLINE
    held = cards_in(int(row["hands"][partner]))
    best, action = int(row["offered_number"]) * 4, DECLINE
    for card in range(CARDS):
        # Give away few pieces of the partner's own kind, but many of the kind of the seat that offers.
        worth = int(PIECES[card, other]) * 4 - int(PIECES[card, own])
        if held >> card & 1 and worth < best and int(PIECES[card, other]) < int(row["offered_number"]):
            best, action = worth, ANSWER_WITH + card
    return action


@outlined
def choose(rows: Any, i: int, model: Any, rng: Any, ties: int, out: Any, rated: Any) -> int:
    """The action of the seat that acts."""
    row = rows[i].view(ROW)[0]
    phase = int(row["phase"])
    if phase == PLACE:
        return _best_place(row, model, next_bits(rng, ties), rate_placements(rows, i, out, rated, 0), out, rated)
    if phase == SECURE:
        return choose_token(row, model)
    if phase == KIND:
        return choose_kind_of_hand(row)
    return choose_in_swap(row)
