"""All legal actions of a position, sorted. For a view, all actions that the viewer cannot exclude."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import count_ones, inlined, lowest, outlined, write_pair

from .cards import CARDS, CARDS_FITTING, FITS, LAID, TURNS, UNKNOWN
from .layout import (
    ACCEPT,
    AGREE,
    ANSWER,
    ANSWER_WITH,
    DECLINE,
    HAND,
    HAS_TOKEN,
    KIND,
    LAID_BITS,
    LAY,
    LEARN,
    NO_TOKEN,
    NOBODY,
    OFFER,
    PASS,
    PLACE,
    SEATS,
    SECURE,
    START,
    START_AT,
    TAKE,
    TOKEN,
    UP,
)
from .piles import cards_in, full_set, nibbles_in, single_card, spread
from .plane import shows_a_piece
from .turns import is_taken, may_ask, placeable


@outlined
def unseen_pool(row: Any) -> int:
    """SC-60, SC-61: the cards that the viewer sees nowhere, as a pile."""
    pool = full_set(int(row["copies"])) - int(row["stack"])
    for seat in range(SEATS):
        pool -= int(row["hands"][seat])
    for k in range(int(row["laid"])):
        pool -= single_card((int(row["cards"][k]) & LAID_BITS) >> 2)
    return pool


@inlined
def is_hidden(row: Any, holder: int) -> bool:
    """Whether this is the view of somebody who does not see the holder's hand."""
    viewer = int(row["viewer"])
    return viewer != NOBODY and viewer != holder


@outlined
def cards_of(row: Any, seat: int) -> int:
    """The cards a seat holds, as a mask; for a viewer, those it may hold."""
    held = cards_in(int(row["hands"][seat]))
    if int(row["unseen"][seat]) > 0:
        held |= cards_in(unseen_pool(row)) & ~int(row["barred"][seat])
    return held


@outlined
def may_pass(row: Any) -> bool:
    """SC-41: nothing in the hand has a place on the first level; in a hidden hand, perhaps."""
    seat = int(row["seat"])
    if placeable(row, cards_in(int(row["hands"][seat]))) != 0:
        return False
    hidden = cards_in(unseen_pool(row)) if int(row["unseen"][seat]) > 0 else 0
    return hidden == 0 or placeable(row, hidden) != hidden


@inlined
def _fits(place: int) -> int:
    """SC-21, SC-32: the laid cards that fit an open place, as a mask."""
    return int(FITS[0, place & 63]) | int(FITS[1, place >> 6 & 63])


@inlined
def _write_two(out: Any, n: int, place: int, fits: int, one: int, two: int) -> int:
    """Write two cards (as 4 * card) in all turns in which they fit; returns the new length of the list."""
    turns = fits >> one & 15 | (fits >> two & 15) << 4
    write_pair(out, n, place, one, two - 4, TURNS, turns)
    return n + count_ones(turns)


@inlined
def _list_level(entries: Any, count: int, level: int, held: int, out: Any, n: int) -> int:
    """Each of at most four cards (bit 4 * card) in every turn, on every open place of a level where it fits."""
    one = lowest(held)
    held &= held - 1
    two = lowest(held) if held != 0 else LAID
    held &= held - 1
    three = lowest(held) if held > 0 else LAID
    held &= held - 1
    four = lowest(held) if held > 0 else LAID
    for k in range(count):
        entry = int(entries[k])
        fits = _fits(entry)
        place = level + (entry >> 12 << 6)
        n = _write_two(out, n, place, fits, one, two)
        n = _write_two(out, n, place, fits, three, four)
    return n


@outlined
def _list_many(entries: Any, count: int, level: int, held: int, out: Any, n: int) -> int:
    """The same for any number of cards, as a viewer needs it."""
    for k in range(count):
        entry = int(entries[k])
        fits = _fits(entry)
        cards = held
        while cards != 0:
            n = _write_two(out, n, level + (entry >> 12 << 6), fits, lowest(cards), LAID)
            cards &= cards - 1
    return n


@inlined
def _list_lays(row: Any, held: int, out: Any, n: int) -> int:
    """SC-20, SC-21, SC-31, SC-32: every card in every turn, on every open place where it fits."""
    spots, tops = int(row["open_spots"]), int(row["open_tops"])
    if int(row["tokens"][int(row["seat"])]) == 0:
        tops = 0
    if held == 0:
        return n
    if count_ones(held) <= HAND:
        n = _list_level(row["spots"], spots, LAY, held, out, n)
        return _list_level(row["tops"], tops, LAY + UP, held, out, n)
    n = _list_many(row["spots"], spots, LAY, held, out, n)
    return _list_many(row["tops"], tops, LAY + UP, held, out, n)


@outlined
def _list_offers(row: Any, held: int, out: Any, count: int) -> int:
    """SC-50: every card of the hand to every opponent who may be asked; of hidden cards only the number."""
    n = count
    for other in range(3):
        if not may_ask(row, other):
            continue
        hidden = is_hidden(row, int(row["seat"]))
        for card in range(CARDS):
            if not hidden and held >> card & 1:
                out[n] = OFFER + 16 * other + card
                n += 1
        for number in range(4):
            if hidden and held & int(CARDS_FITTING[4 * int(row["kinds"][other]) + number]):
                out[n] = OFFER + 16 * other + CARDS + number
                n += 1
    return n


@outlined
def list_places(row: Any, out: Any) -> int:
    """The moves of the main step of a turn."""
    seat = int(row["seat"])
    if int(row["swap"]) == 0 and int(row["unseen"][seat]) == 0:
        n = _list_lays(row, nibbles_in(int(row["hands"][seat])), out, 0)
        if n > 0 and int(out[0]) < LAY + UP:
            return n  # the usual case: there is a place on the first level, so no pass
    held = cards_of(row, seat)
    n = 0
    if may_pass(row):
        out[n] = PASS
        n += 1
    if int(row["swap"]) == 1:
        n = _list_offers(row, held, out, n)
    return _list_lays(row, spread(held), out, n)


@outlined
def list_tokens(row: Any, out: Any) -> int:
    """SC-35: no token, or one on any card that may get it."""
    out[0] = NO_TOKEN
    n = 1
    for k in range(int(row["laid"])):
        card = int(row["cards"][k])
        out[n] = TOKEN + (card >> 8)
        n += int(card & HAS_TOKEN == 0)
    if int(row["stacked"]) == 0:
        return n
    kept = 1
    for k in range(1, n):
        out[kept] = out[k]
        kept += int(shows_a_piece(row, int(out[k]) - TOKEN))
    return kept


@inlined
def list_kinds(row: Any, out: Any) -> int:
    """SC-12, SC-13: any kind that nobody has chosen."""
    n = 0
    for kind in range(3):
        if not is_taken(row, kind):
            out[n] = kind
            n += 1
    return n


@outlined
def _list_answers(row: Any, out: Any) -> int:
    """SC-51: decline, or one of the cards in hand; of hidden cards only the number."""
    partner, seat = int(row["partner"]), int(row["seat"])
    out[0] = DECLINE
    n = 1
    held = cards_of(row, partner)
    hidden = is_hidden(row, partner)
    for card in range(CARDS):
        if not hidden and held >> card & 1:
            out[n] = ANSWER_WITH + card
            n += 1
    for number in range(4):
        if hidden and held & int(CARDS_FITTING[4 * int(row["kinds"][seat]) + number]):
            out[n] = ANSWER_WITH + CARDS + number
            n += 1
    return n


@outlined
def learnable(row: Any) -> int:
    """The cards that the viewer may get if the pending swap is agreed on, as a mask."""
    viewer, seat, partner = int(row["viewer"]), int(row["seat"]), int(row["partner"])
    giver = partner if viewer == seat else seat
    number = int(row["answered_number"]) if viewer == seat else int(row["offered_number"])
    return cards_of(row, giver) & int(CARDS_FITTING[4 * int(row["kinds"][viewer]) + number])


@outlined
def _list_accepts(row: Any, out: Any) -> int:
    """SC-52: decline or agree; a viewer who takes part in the swap will see the card it gets."""
    out[0] = DECLINE
    out[1] = AGREE
    if int(row["viewer"]) != int(row["partner"]):
        return 2
    n = 1
    cards = learnable(row)
    for card in range(CARDS):
        if cards >> card & 1:
            out[n] = LEARN + card
            n += 1
    return n


@outlined
def list_outcomes(row: Any, out: Any) -> int:
    """SC-11, SC-14: the cards that chance may give to the seat; before that the seats that may start (SC-12)."""
    if int(row["phase"]) == START:
        for seat in range(int(row["seats"])):
            out[seat] = START_AT + seat
        return int(row["seats"])
    if int(row["unseen_left"]) == 0:
        cards = cards_in(int(row["stack"]))
    elif int(row["viewer"]) == int(row["seat"]):
        cards = cards_in(unseen_pool(row))
    else:
        cards = 1 << UNKNOWN
    n = 0
    for card in range(CARDS + 1):
        if cards >> card & 1:
            out[n] = TAKE + card
            n += 1
    return n


@inlined
def list_actions(row: Any, out: Any) -> int:
    """Write all legal actions of a row, sorted; returns their number."""
    phase = int(row["phase"])
    if phase == PLACE:
        return list_places(row, out)
    if phase == SECURE:
        return list_tokens(row, out)
    if phase == KIND:
        return list_kinds(row, out)
    if phase < KIND:
        return list_outcomes(row, out)
    if phase == ANSWER:
        return _list_answers(row, out)
    if phase == ACCEPT:
        return _list_accepts(row, out)
    return 0
