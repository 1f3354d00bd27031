"""The value of the last card: the best placement for its holder, and the best token to place before it.

Points decide, and are computed for all placements at once; only a tie for the win needs a closer look (SC-47).
"""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined, outlined
from tilery.games.schokoly.kernel.actions import is_second_level
from tilery.games.schokoly.kernel.entries import apply, copy_row
from tilery.games.schokoly.kernel.layout import HAS_TOKEN, LAY, NO_TOKEN, NONE, ROW, SECURE, UP

from .evaluation import write_result
from .placements import margin_of, rate_placements


@inlined
def is_last(row: Any, seat: int) -> bool:
    """Whether this seat holds the only card left."""
    if int(row["left"]) != 0:
        return False
    for other in range(int(row["seats"])):
        if int(row["held"][other]) != int(other == seat):
            return False
    return True


@inlined
def _covers(action: int, place: int) -> bool:
    """Whether a placement is on the second level and would cover a part of the card at a place."""
    if place == NONE or (action - LAY) & UP == 0:
        return False
    at = (action - LAY) >> 6 & 0xFFFF
    return abs((at & 255) - (place & 255)) <= 1 and abs((at >> 8) - (place >> 8)) <= 1


@inlined
def _first_best(count: int, actions: Any, rated: Any, guarded: int) -> int:
    """The first of the placements with the most points, if the card at a place is secured."""
    chosen = NONE
    for k in range(count):
        if not _covers(int(actions[k]), guarded) and (chosen == NONE or float(rated[k]) > float(rated[chosen])):
            chosen = k
    return chosen


@inlined
def _is_better(values: Any, other: Any, seat: int) -> bool:
    """Whether the other values are better for a seat: by its share, then by its margin."""
    more = float(other[seat]) - float(values[seat])
    return more > 1e-9 or (abs(more) <= 1e-9 and float(other[4 + seat]) > float(values[4 + seat]))


@outlined
def value_last_card(rows: Any, i: int, actions: Any, rated: Any, values: Any, guarded: Any, trial: Any) -> bool:
    """Write the values of the last placement, or of the token decision before it (SC-35); False if impossible.

    Only a token on a card under the best placement changes anything, so only those are tried, in the order of places.
    With a margin of 0 the share of the win decides between placements (SC-47). Uses the two rows after row i.
    """
    row = rows[i].view(ROW)[0]
    seat, at = int(row["seat"]), i
    if int(row["phase"]) == SECURE:
        at = i + 1
        copy_row(rows, at, rows, i)
        apply(rows, at, NO_TOKEN)
    count = rate_placements(rows, at, actions, rated, 0)
    if count == 0 or is_second_level(int(actions[0])):
        return False  # the holder may pass
    for k in range(count):
        rated[k] = margin_of(float(rated[k]))
    last = int(rows[at].view(ROW)[0]["seat"])
    feared = NONE
    for card in range(-1, int(row["laid"]) if at > i else 0):
        place = NONE if card < 0 else int(row["cards"][card]) >> 8
        if card >= 0 and (int(row["cards"][card]) & HAS_TOKEN or not _covers(feared, place)):
            continue
        first = _first_best(count, actions, rated, place)
        is_set, best = False, first
        for k in range(first, count):
            equal = float(rated[k]) == 0.0 and float(rated[first]) == 0.0 and not _covers(int(actions[k]), place)
            if k == first or equal:
                copy_row(rows, at + 1, rows, at)
                apply(rows, at + 1, int(actions[k]))
                write_result(rows, at + 1, trial)
                if not is_set or _is_better(guarded, trial, last):
                    is_set = True
                    best = k
                    for part in range(8):
                        guarded[part] = trial[part]
        if card < 0:
            feared = int(actions[best])
        if card < 0 or _is_better(values, guarded, seat):
            for part in range(8):
                values[part] = guarded[part]
    return True
