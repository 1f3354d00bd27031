"""Why an action is not legal here: a code for each rule that forbids it (words in `games/schokoly/refusals.py`)."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined

from .actions import is_second_level, laid_of, place_of
from .cards import CARDS, CARDS_FITTING, LAID, SHOWS, UNKNOWN
from .layout import (
    ACCEPT,
    AGREE,
    ANSWER,
    ANSWER_WITH,
    DEAL,
    DECLINE,
    DRAW,
    ENDED,
    HAS_TOKEN,
    IS_SECOND,
    KIND,
    LAY,
    LEARN,
    NO_TOKEN,
    NOBODY,
    OFFER,
    ORIGIN,
    PASS,
    PLACE,
    SEATS,
    SECURE,
    START,
    START_AT,
    TAKE,
    TOKEN,
)
from .legal_actions import cards_of, is_hidden, learnable, may_pass, unseen_pool
from .piles import cards_in
from .plane import card_at, edges, index_of, is_filled, is_free, is_one_card, is_secured, neighbour_kinds, shows_a_piece
from .turns import is_taken, may_ask

LEGAL = 0
NO_ACTION, GAME_OVER, NOT_NOW = 1, 2, 3
TAKEN_KIND, NOT_IN_HAND, NOT_AT_ORIGIN = 4, 5, 6
NOT_FREE, TOO_FEW_EDGES, NO_SAME_KIND = 7, 8, 9
NO_TOKEN_LEFT, HOLE, CARD_SECURED, ONE_CARD, NO_SAME_KIND_ABOVE = 10, 11, 12, 13, 14
CAN_PLACE, NO_SUCH_CARD, CARD_HAS_TOKEN, CARD_COVERED = 15, 16, 17, 18
NO_OFFER, NOT_LEFT, HIDDEN, UNSAID, NOT_AS_SAID, NO_SEAT = 19, 20, 21, 22, 23, 24


@inlined
def _second_level_refusal(row: Any, at: int, shows: int) -> int:
    """SC-31, SC-32: why a card may not lie here on top of others."""
    if int(row["tokens"][int(row["seat"])]) == 0:
        return NO_TOKEN_LEFT
    if not is_filled(row, at):
        return HOLE
    if is_secured(row, at):
        return CARD_SECURED
    if is_one_card(row, at):
        return ONE_CARD
    return LEGAL if neighbour_kinds(row, at) & shows else NO_SAME_KIND_ABOVE


@inlined
def _first_level_refusal(row: Any, at: int, shows: int) -> int:
    """SC-20, SC-21: why a card may not lie here beside others."""
    if not is_free(row, at):
        return NOT_FREE
    if edges(row, at) < 2:
        return TOO_FEW_EDGES
    return LEGAL if neighbour_kinds(row, at) & shows else NO_SAME_KIND


@outlined
def _is_near(row: Any, place: int) -> bool:
    """Whether a card could touch another one here: cells far away share their place in the grid with near ones."""
    for k in range(int(row["laid"])):
        other = int(row["cards"][k]) >> 8
        if abs((other & 255) - (place & 255)) <= 2 and abs((other >> 8) - (place >> 8)) <= 2:
            return True
    return False


@inlined
def _lay_refusal(row: Any, action: int) -> int:
    place, laid, second = place_of(action), laid_of(action), is_second_level(action)
    if cards_of(row, int(row["seat"])) >> (laid >> 2) & 1 == 0:
        return NOT_IN_HAND
    if int(row["laid"]) == 0:
        return LEGAL if place == ORIGIN and not second else NOT_AT_ORIGIN
    if not _is_near(row, place):
        return HOLE if second else TOO_FEW_EDGES
    if second:
        return _second_level_refusal(row, index_of(place), int(SHOWS[laid]))
    return _first_level_refusal(row, index_of(place), int(SHOWS[laid]))


@outlined
def _token_refusal(row: Any, place: int) -> int:
    """SC-35: why this card may not get a token."""
    k = card_at(row, place)
    if k < 0:
        return NO_SUCH_CARD
    card = int(row["cards"][k])
    if card & (HAS_TOKEN | IS_SECOND):
        return CARD_HAS_TOKEN
    return LEGAL if shows_a_piece(row, place) else CARD_COVERED


@outlined
def _draw_refusal(row: Any, card: int) -> int:
    """SC-14: why chance cannot give this card."""
    if card > UNKNOWN:
        return NO_ACTION
    hidden = int(row["unseen_left"]) > 0 and int(row["viewer"]) != int(row["seat"])
    if card == UNKNOWN or hidden:
        return LEGAL if card == UNKNOWN and hidden else HIDDEN
    pool = int(row["stack"]) if int(row["unseen_left"]) == 0 else unseen_pool(row)
    return LEGAL if cards_in(pool) >> card & 1 else NOT_LEFT


@outlined
def _hand_refusal(row: Any, holder: int, card: int, kind: int) -> int:
    """SC-50, SC-51: why the holder cannot offer this card or, from a hidden hand, say this number."""
    hidden = is_hidden(row, holder)
    held = cards_of(row, holder)
    if card < CARDS:
        return HIDDEN if hidden else LEGAL if held >> card & 1 else NOT_IN_HAND
    if not hidden:
        return HIDDEN
    return LEGAL if held & int(CARDS_FITTING[4 * kind + card - CARDS]) else NOT_IN_HAND


@outlined
def _offer_refusal(row: Any, other: int, card: int) -> int:
    if other > 2 or not may_ask(row, other):
        return NO_OFFER
    return _hand_refusal(row, int(row["seat"]), card, int(row["kinds"][other]))


@outlined
def _accept_refusal(row: Any, action: int) -> int:
    """SC-52: why a swap cannot be agreed on so; for a viewer who takes part, the action names the card it gets."""
    viewer = int(row["viewer"])
    learns = viewer != NOBODY and (viewer == int(row["seat"]) or viewer == int(row["partner"]))
    if action == AGREE:
        return UNSAID if learns else LEGAL
    if not learns:
        return HIDDEN
    return LEGAL if learnable(row) >> (action - LEARN) & 1 else NOT_AS_SAID


@inlined
def _due_at(action: int) -> int:
    """The phase in which an action belongs, -1 for a number that is no action."""
    if action >= TOKEN:
        return SECURE if action < TOKEN + (1 << 16) else -1
    if action >= LAY:
        return PLACE
    if 0 <= action < 3:
        return KIND
    if action == NO_TOKEN:
        return SECURE
    if action == PASS or OFFER <= action < OFFER + 64:
        return PLACE
    if action in (DECLINE, AGREE) or LEARN <= action < LEARN + CARDS:
        return ACCEPT
    if ANSWER_WITH <= action < OFFER:
        return ANSWER
    if TAKE <= action <= TAKE + UNKNOWN:
        return DEAL
    if START_AT <= action < START_AT + SEATS:
        return START
    return -1


@inlined
def refusal_of(row: Any, action: int) -> int:
    """LEGAL when the action is legal, else the code of what forbids it."""
    due = _due_at(action)
    phase = int(row["phase"])
    if due < 0 or (LAY <= action < TOKEN and laid_of(action) >= LAID):
        return NO_ACTION
    if phase == ENDED:
        return GAME_OVER
    if due == DEAL:
        return _draw_refusal(row, action - TAKE) if phase in (DEAL, DRAW) else NOT_NOW
    if action == DECLINE:
        return LEGAL if phase in (ANSWER, ACCEPT) else NOT_NOW
    if due != phase:
        return NOT_NOW
    if due == START:
        return LEGAL if action - START_AT < int(row["seats"]) else NO_SEAT
    if due == KIND:
        return TAKEN_KIND if is_taken(row, action) else LEGAL
    if due == SECURE:
        return LEGAL if action == NO_TOKEN else _token_refusal(row, action - TOKEN)
    if due == ANSWER:
        return _hand_refusal(row, int(row["partner"]), action - ANSWER_WITH, int(row["kinds"][int(row["seat"])]))
    if due == ACCEPT:
        return _accept_refusal(row, action)
    if action == PASS:
        return LEGAL if may_pass(row) else CAN_PLACE
    if action < LAY:
        return _offer_refusal(row, (action - OFFER) // 16, (action - OFFER) % 16)
    return _lay_refusal(row, action)
