"""The steps of a turn (SC-11 to SC-14, SC-30 to SC-36, SC-40, SC-41) and of a swap (SC-50 to SC-53)."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined

from .cards import CARDS, PIECES, SHOWS, UNKNOWN
from .knowledge import record_announcement, see_played, see_swap_as_third, see_swapped
from .layout import (
    ACCEPT,
    ANSWER,
    BESIDE,
    BY_CARDS,
    BY_PASSES,
    DEAL,
    DRAW,
    ENDED,
    HAND,
    KIND,
    NOBODY,
    NONE,
    PLACE,
    SEATS,
    SECURE,
    START,
    TOKENS,
)
from .piles import count_of, full_set, single_card
from .plane import begin_table, close_all, lay_card, secure


@inlined
def start_at(row: Any, seat: int) -> None:
    """SC-12: this seat starts; the cards are dealt to it first."""
    row["starter"] = row["seat"] = seat
    row["phase"] = DEAL


@outlined
def set_up(row: Any, options: Any) -> None:
    """SC-2 to SC-4, SC-11, SC-12: the stack is full, the tokens are shared out, the starting seat is dealt to first."""
    seats, copies = int(options[0]), int(options[1])
    row["seats"], row["copies"], row["swap"] = seats, copies, int(options[2])
    row["stack"] = full_set(copies)
    row["left"] = CARDS * copies
    for seat in range(SEATS):
        row["kinds"][seat] = NONE
        row["tokens"][seat] = TOKENS // seats if seat < seats else 0
    row["partner"] = row["viewer"] = NOBODY
    row["offered"] = row["answered"] = NONE
    row["start"] = options[3]
    begin_table(row)
    if int(options[3]) == NOBODY:
        row["phase"] = START
    else:
        start_at(row, int(options[3]))


@inlined
def _enter_hand(row: Any, seat: int, card: int) -> None:
    """Add a card to a hand; the viewer may see it or not. What a pass revealed no longer holds (SC-60)."""
    if card == UNKNOWN:
        row["unseen"][seat] = int(row["unseen"][seat]) + 1
    else:
        row["hands"][seat] = int(row["hands"][seat]) + single_card(card)
    row["held"][seat] = int(row["held"][seat]) + 1
    row["barred"][seat] = 0


@inlined
def _take_from_stack(row: Any, card: int) -> None:
    """A card from the stack into the hand of the seat; a viewer may not see which."""
    seat = int(row["seat"])
    row["left"] = int(row["left"]) - 1
    if int(row["unseen_left"]) > 0:
        row["unseen_left"] = int(row["unseen_left"]) - 1
    else:
        row["stack"] = int(row["stack"]) - single_card(card)
    _enter_hand(row, seat, card)


@inlined
def _leave_hand(row: Any, seat: int, card: int) -> None:
    """Remove a card from a hand; the viewer may see it there or not."""
    hand = int(row["hands"][seat])
    if card != UNKNOWN and count_of(hand, card) > 0:
        row["hands"][seat] = hand - single_card(card)
    else:
        row["unseen"][seat] = int(row["unseen"][seat]) - 1
    row["held"][seat] = int(row["held"][seat]) - 1


@inlined
def _next_turn(row: Any) -> None:
    seat = int(row["seat"]) + 1
    if seat == int(row["seats"]):
        seat = 0
    row["seat"] = seat
    row["phase"] = KIND if int(row["kinds"][seat]) == NONE else PLACE


@outlined
def take(row: Any, card: int) -> None:
    """SC-11, SC-14: chance gives the seat a card: in the deal until all have four, else at the end of its turn."""
    _take_from_stack(row, card)
    if int(row["phase"]) == DRAW:
        _next_turn(row)
    elif int(row["held"][int(row["seat"])]) == HAND:
        _next_turn(row)
        if int(row["seat"]) != int(row["starter"]):
            row["phase"] = DEAL


@inlined
def choose_kind(row: Any, kind: int) -> None:
    """SC-12, SC-13: the seat says its kind; partners play the same one, a third player gets the one left."""
    seat, seats, starter = int(row["seat"]), int(row["seats"]), int(row["starter"])
    row["kinds"][seat] = kind
    if seats == 4:
        row["kinds"][(seat + 2) % 4] = kind
    elif seats == 3 and seat != starter:
        row["kinds"][3 - seat - starter] = 3 - kind - int(row["kinds"][starter])
    row["phase"] = PLACE


@inlined
def is_taken(row: Any, kind: int) -> bool:
    """SC-13: somebody plays this kind."""
    for seat in range(SEATS):
        if int(row["kinds"][seat]) == kind:
            return True
    return False


@inlined
def _are_kinds_chosen(row: Any) -> bool:
    """SC-53: every seat has its kind."""
    for seat in range(int(row["seats"])):
        if int(row["kinds"][seat]) == NONE:
            return False
    return True


@inlined
def _end_game(row: Any, by: int) -> None:
    row["phase"] = ENDED
    row["ended"] = by
    row["seat"] = 0  # nobody's turn
    close_all(row)


@inlined
def _end_offers(row: Any) -> None:
    """SC-53: what was offered in this turn matters only until the card is placed."""
    row["asked"] = 0
    row["swapped"] = 0


@inlined
def _end_turn(row: Any) -> None:
    """SC-14: draw a card while the stack lasts."""
    if int(row["left"]) > 0:
        row["phase"] = DRAW
    else:
        _next_turn(row)


@inlined
def _are_hands_empty(row: Any) -> bool:
    """SC-40: the last card has been played."""
    if int(row["left"]) != 0:
        return False
    for seat in range(SEATS):
        if int(row["held"][seat]) != 0:
            return False
    return True


@outlined
def place(row: Any, place: int, laid: int, second: bool) -> None:
    """SC-14, SC-31: the card of the turn; on the second level it costs a token."""
    seat = int(row["seat"])
    _leave_hand(row, seat, laid >> 2)
    if int(row["swap"]) == 1:
        see_played(row, seat, laid >> 2)
    lay_card(row, place, laid, second)
    row["passes"] = 0
    _end_offers(row)
    if second:
        row["tokens"][seat] = int(row["tokens"][seat]) - 1
    if _are_hands_empty(row):
        _end_game(row, BY_CARDS)
    elif not second and int(row["tokens"][seat]) > 0:
        row["phase"] = SECURE
    else:
        _end_turn(row)


@outlined
def put_token(row: Any, place: int) -> None:
    """SC-30, SC-35: the one token of this turn, on a card that can then never be covered."""
    seat = int(row["seat"])
    row["tokens"][seat] = int(row["tokens"][seat]) - 1
    secure(row, place)
    _end_turn(row)


@inlined
def put_no_token(row: Any) -> None:
    """SC-35: no token; putting one is optional."""
    _end_turn(row)


@outlined
def can_lie(row: Any, card: int) -> bool:
    """SC-20, SC-21: the card has a place on the first level."""
    for turns in range(4):
        shows = int(SHOWS[4 * card + turns])
        for k in range(int(row["open_spots"])):
            if int(row["spots"][k]) & shows & BESIDE:
                return True
    return False


@outlined
def placeable(row: Any, cards: int) -> int:
    """SC-41: those cards of a mask that have a place on the first level."""
    mask = 0
    for card in range(CARDS):
        if cards >> card & 1 and can_lie(row, card):
            mask |= 1 << card
    return mask


@outlined
def pass_turn(row: Any) -> None:
    """SC-41: nothing is drawn; everybody learns what this hand cannot hold; when all pass in a row the game ends."""
    seat = int(row["seat"])
    row["barred"][seat] = int(row["barred"][seat]) | placeable(row, (1 << CARDS) - 1)
    row["passes"] = int(row["passes"]) + 1
    _end_offers(row)
    if int(row["passes"]) == int(row["seats"]):
        _end_game(row, BY_PASSES)
    else:
        _next_turn(row)


@inlined
def may_ask(row: Any, other: int) -> bool:
    """SC-50, SC-53: this opponent may be offered a card now."""
    seat = int(row["seat"])
    if int(row["swap"]) == 0 or int(row["swapped"]) == 1 or not _are_kinds_chosen(row):
        return False
    if other == seat or int(row["asked"]) >> other & 1:
        return False
    return int(row["held"][other]) > 0 and int(row["held"][seat]) > 0


@outlined
def offer(row: Any, other: int, card: int, number: int) -> None:
    """SC-50: one card of the hand for one opponent, and how many pieces of its kind are on it."""
    row["partner"] = other
    row["offered"] = card
    row["offered_number"] = number
    row["asked"] = int(row["asked"]) | 1 << other
    record_announcement(row, int(row["seat"]), 4 * int(row["kinds"][other]) + number)
    row["phase"] = ANSWER


@outlined
def answer(row: Any, card: int, number: int) -> None:
    """SC-51: the opponent answers with a card, and the number of pieces of the offerer's kind on it."""
    row["answered"] = card
    row["answered_number"] = number
    record_announcement(row, int(row["partner"]), 4 * int(row["kinds"][int(row["seat"])]) + number)
    row["phase"] = ACCEPT


@inlined
def _clear_offer(row: Any) -> None:
    row["partner"] = NOBODY
    row["offered"] = row["answered"] = NONE
    row["offered_number"] = row["answered_number"] = 0
    row["phase"] = PLACE


@outlined
def decline(row: Any) -> None:
    """SC-51, SC-52: no swap; the turn goes on."""
    _clear_offer(row)


@outlined
def agree(row: Any) -> None:
    """SC-52: the two cards change hands, unseen by the third player."""
    seat, partner = int(row["seat"]), int(row["partner"])
    given, got = int(row["offered"]), int(row["answered"])
    given_announcement = 4 * int(row["kinds"][partner]) + int(row["offered_number"])
    got_announcement = 4 * int(row["kinds"][seat]) + int(row["answered_number"])
    see_swap_as_third(row, seat, partner, given_announcement, got_announcement)
    if given != UNKNOWN and got != UNKNOWN:
        see_swapped(row, seat, partner, given, got)
    _leave_hand(row, seat, given)
    _leave_hand(row, partner, got)
    _enter_hand(row, seat, got)
    _enter_hand(row, partner, given)
    row["swapped"] = 1
    _clear_offer(row)


@inlined
def said_of(row: Any, card: int, seat: int) -> int:
    """SC-50: how many pieces of a seat's kind are on a card."""
    return int(PIECES[card, int(row["kinds"][seat])])
