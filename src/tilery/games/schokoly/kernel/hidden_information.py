"""SC-60: what a seat may know. `hide` removes the rest, `guess` fills it in at random, `veil` masks an action."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined
from tilery.core.kernel.actors import SPECTATOR
from tilery.core.kernel.generator import below

from .cards import ANNOUNCEMENTS, CARDS, CARDS_FITTING, UNKNOWN
from .knowledge import record_announcement
from .layout import AGREE, ANSWER_WITH, HAND, LEARN, NOBODY, NONE, OFFER, SEATS, TAKE
from .legal_actions import unseen_pool
from .piles import cards_in, nth, single_card, size, without_cards
from .turns import said_of

MAX_TRIES = 1 << 21  # for a view that fits no world; it does not occur in games


@inlined
def _has_learned(row: Any, viewer: int) -> bool:
    """Whether the viewer may have learned something from a swap: a spectator learns nothing."""
    return int(row["swap"]) == 1 and viewer != SPECTATOR


@inlined
def _seen_hand(row: Any, viewer: int, seat: int) -> int:
    """The cards that a viewer knows to be in another hand, as a pile."""
    return int(row["known"][viewer, seat]) if _has_learned(row, viewer) else 0


@outlined
def hide_from(row: Any, viewer: int) -> None:
    """Remove what a seat cannot know: other hands, the stack, cards on offer, and what two others know of each other.

    A spectator has no hand: it knows what everybody knows, and of the numbers said only those of cards that are on
    offer now.
    """
    for seat in range(int(row["seats"])):
        if seat != viewer:
            row["hands"][seat] = _seen_hand(row, viewer, seat)
            row["unseen"][seat] = int(row["held"][seat]) - size(int(row["hands"][seat]))
    row["stack"] = 0
    row["unseen_left"] = int(row["left"])
    for seat in range(3):
        for other in range(3):
            if viewer != seat and viewer != other:
                row["known"][seat, other] = 0
                row["said"][seat, other] = 0
    if int(row["offered"]) != NONE and viewer != int(row["seat"]):
        row["offered"] = UNKNOWN
    if int(row["answered"]) != NONE and viewer != int(row["partner"]):
        row["answered"] = UNKNOWN
    row["viewer"] = viewer


@inlined
def veiled(row: Any, action: int, viewer: int) -> int:
    """What a seat sees of a legal action: of a hidden card nothing, or the number said."""
    seat = int(row["seat"])
    if TAKE <= action < ANSWER_WITH:
        return action if viewer == seat else TAKE + UNKNOWN
    if OFFER <= action < OFFER + 64 and viewer != seat:
        card = (action - OFFER) % 16
        other = (action - OFFER) // 16
        return action if card >= CARDS else action - card + CARDS + said_of(row, card, other)
    if ANSWER_WITH <= action < OFFER and viewer != int(row["partner"]):
        card = action - ANSWER_WITH
        return action if card >= CARDS else ANSWER_WITH + CARDS + said_of(row, card, seat)
    if action == AGREE and viewer == seat:
        return LEARN + int(row["answered"])
    if action == AGREE and viewer == int(row["partner"]):
        return LEARN + int(row["offered"])
    return action


@inlined
def _is_possible(row: Any, viewer: int, seat: int) -> bool:
    """SC-60: whether a hand fits everything that the viewer has heard of it."""
    cards = cards_in(int(row["hands"][seat]))
    if cards & int(row["barred"][seat]):
        return False
    if _has_learned(row, viewer):
        said = int(row["said"][viewer, seat])
        for announcement in range(ANNOUNCEMENTS):
            if said >> announcement & 1 and cards & int(CARDS_FITTING[announcement]) == 0:
                return False
    return True


@inlined
def _pick(row: Any, seat: int, announcement: int, rng: Any, i: int) -> int:
    """Which card of a hand is on offer: each of four places equally likely, UNKNOWN if the card there does not fit."""
    hand = int(row["hands"][seat])
    at = below(rng, i, HAND)
    if at < size(hand):
        card = nth(hand, at)
        if int(CARDS_FITTING[announcement]) >> card & 1:
            return card
    return UNKNOWN


@inlined
def _deal_hand(row: Any, viewer: int, seat: int, pool: int, rest: int, rng: Any, i: int) -> int:
    """Deal the unseen cards of a hand from the rest of the pool; returns what is left of it, -1 if that fails.

    Cards that the hand cannot hold are left out. That would favour arrangements in which other hands have taken few of
    the cards it can hold; so a card is drawn from all that were there before the deal, and if it is gone, the deal
    starts again.
    """
    barred = int(row["barred"][seat])
    hand = _seen_hand(row, viewer, seat)
    at_first = size(without_cards(pool if barred != 0 else rest, barred))
    for _ in range(int(row["unseen"][seat])):
        possible = without_cards(rest, barred)
        number = below(rng, i, at_first)
        at_first -= 1
        if number >= size(possible):
            return -1
        card = nth(possible, number)
        rest -= single_card(card)
        hand += single_card(card)
    row["hands"][seat] = hand
    return rest if _is_possible(row, viewer, seat) else -1


@inlined
def _redeal(row: Any, viewer: int, pool: int, rng: Any, i: int) -> bool:
    """Deal the unseen cards into the other hands and the stack; returns whether that fits what the viewer knows."""
    rest = pool
    for with_bars in range(1, -1, -1):  # hands with barred cards first, because they fail more often
        for seat in range(int(row["seats"])):
            if rest >= 0 and seat != viewer and int(int(row["barred"][seat]) != 0) == with_bars:
                rest = _deal_hand(row, viewer, seat, pool, rest, rng, i)
    row["stack"] = max(rest, 0)
    return rest >= 0


@inlined
def _pick_pending(row: Any, viewer: int, rng: Any, i: int) -> bool:
    """Pick the cards on offer that the viewer does not know; returns whether fitting cards were found."""
    seat, partner = int(row["seat"]), int(row["partner"])
    if int(row["offered"]) != NONE and viewer != seat:
        announcement = 4 * int(row["kinds"][partner]) + int(row["offered_number"])
        row["offered"] = _pick(row, seat, announcement, rng, i)
    if int(row["answered"]) != NONE and viewer != partner:
        announcement = 4 * int(row["kinds"][seat]) + int(row["answered_number"])
        row["answered"] = _pick(row, partner, announcement, rng, i)
    return int(row["offered"]) != UNKNOWN and int(row["answered"]) != UNKNOWN


@outlined
def _hear_pending(row: Any) -> None:
    """Let all seats hear of the cards on offer; a spectator does not know what else they have heard."""
    seat, partner = int(row["seat"]), int(row["partner"])
    if int(row["offered"]) != NONE:
        record_announcement(row, seat, 4 * int(row["kinds"][partner]) + int(row["offered_number"]))
    if int(row["answered"]) != NONE:
        record_announcement(row, partner, 4 * int(row["kinds"][seat]) + int(row["answered_number"]))


@inlined
def fill_in(row: Any, viewer: int, rng: Any, i: int) -> None:
    """One of the worlds that the viewer cannot exclude; every arrangement of the unseen cards is equally likely.

    Arrangements are dealt until one fits, which makes all of them equally likely. What two others know of each other
    from a swap between them is not filled in beyond what everybody heard; a spectator has heard of the cards on offer.
    """
    pool = unseen_pool(row)
    for _ in range(MAX_TRIES):
        if _redeal(row, viewer, pool, rng, i) and _pick_pending(row, viewer, rng, i):
            break
    for seat in range(SEATS):
        row["unseen"][seat] = 0
    row["unseen_left"] = 0
    if _has_learned(row, viewer):
        for seat in range(3):
            for other in range(3):
                if viewer != seat and viewer != other and seat != other:
                    row["said"][seat, other] = row["said"][viewer, other]
    elif int(row["swap"]) == 1:
        _hear_pending(row)
    row["viewer"] = NOBODY
