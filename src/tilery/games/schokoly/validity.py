"""Checks whether a position can occur in a game; a problem is a refusal with the rule that it breaks."""

from __future__ import annotations

from collections.abc import Iterator

from tilery.core.kernel.actors import SPECTATOR
from tilery.core.refusals import Refused

from .kernel.cards import PATTERNS
from .kernel.layout import HAND, TOKENS
from .sentences import TEXTS
from .view import HIDDEN, Card, View, name_of

Cells = dict[tuple[int, int], Card]

_refuse = TEXTS.refused


def _stock(view: View) -> Iterator[Refused]:
    """SC-61: as many copies of each card as the set has."""
    rules = view.rules
    unseen = sum(hand.count(HIDDEN) for hand in view.hands) + (0 if view.stack else view.left)
    for k, name in enumerate(PATTERNS):
        seen = sum(hand.count(name) for hand in view.hands) + sum(name_of(c.pieces) == name for c in view.table)
        seen += view.stack[k] if view.stack else 0
        if seen > rules.copies or (not unseen and seen != rules.copies):
            yield _refuse("copies", "SC-61", right=rules.copies, card=name, number=seen)
    if view.stack is not None and sum(view.stack) != view.left:
        yield _refuse("stack-sum", "SC-61", right=view.left, number=sum(view.stack))
    total = view.left + len(view.table) + sum(map(len, view.hands))
    if total != rules.cards:
        yield _refuse("card-sum", "SC-61", right=rules.cards, number=total)
    if view.viewer is None and unseen:
        yield _refuse("hidden-in-whole", "SC-60")


def _visibility(view: View) -> Iterator[Refused]:
    """SC-60: a viewer sees its own hand, if it has one, and of other hands the cards it knows from swaps."""
    viewer = view.viewer
    if viewer is None:
        return
    if view.stack is not None and view.left:
        yield _refuse("stack-seen", "SC-60")
    if viewer != SPECTATOR and HIDDEN in view.hands[viewer]:
        yield _refuse("own-hand-hidden", "SC-60")
    for seat, hand in enumerate(view.hands):
        shown = tuple(name for name in hand if name != HIDDEN)
        if seat != viewer and shown != view.known.get((viewer, seat), ()):
            if viewer == SPECTATOR:
                yield _refuse("seen-by-spectator", "SC-60", seat=seat)
            else:
                yield _refuse("seen-by-seat", "SC-60", by=viewer, seat=seat)


def _turn(view: View) -> Iterator[Refused]:
    """SC-11 to SC-14, SC-40, SC-41: hands, kinds and phase fit together."""
    rules, phase, seat = view.rules, view.phase, view.seat
    turn = [(s - view.starter) % rules.seats for s in range(rules.seats)]  # in the order of the first turns
    now = 0 if seat is None else turn[seat]
    held = [len(hand) for hand in view.hands]
    laid = len(view.table)
    if phase == "start":
        if any(held) or laid or rules.start is not None:
            yield _refuse("start-before-deal", "SC-12")
    elif phase == "deal":
        dealt = [HAND if turn[s] < now else held[s] if s == seat else 0 for s in range(rules.seats)]
        if held != dealt or held[seat or 0] == HAND or laid:
            yield _refuse("deal-order", "SC-11")
    elif view.left:
        for s, number in enumerate(held):
            due = HAND - (s == seat and phase in ("secure", "draw"))
            if number != due:
                yield _refuse("hand-size", "SC-14", seat=s, right=due, number=number)
    elif max(held) > HAND:
        yield _refuse("more-than-four", "SC-14")
    if phase == "draw" and not view.left:
        yield _refuse("no-card-to-draw", "SC-14")
    over = not view.left and not any(held)
    if over != (view.ended_by == "cards"):
        yield _refuse("last-card", "SC-40")
    if (view.passes == rules.seats) != (view.ended_by == "passes") or view.passes > rules.seats:
        yield _refuse("all-passed", "SC-41")
    setting_up = phase in ("start", "deal")
    if laid == 0 and (view.passes or phase in ("secure", "draw", "over") or (not setting_up and now != 0)):
        yield _refuse("no-first-card", "SC-12")
    chosen = [kind is not None for kind in view.kinds]
    first = not setting_up and not (phase == "kind" and now == 0)
    second = first and laid > 0 and not (laid == 1 and (now == 0 or (phase == "kind" and now == 1)))
    due_kinds = [first, second, second if rules.seats == 3 else first, second]
    if chosen != [due_kinds[turn[s]] for s in range(rules.seats)]:
        yield _refuse("kinds-chosen", "SC-12, SC-13")
    sides = [kind for kind in view.kinds[: rules.sides] if kind]
    if len(set(sides)) != len(sides) or (rules.seats == 4 and view.kinds[:2] != view.kinds[2:]):
        yield _refuse("same-kinds", "SC-13")
    if phase == "kind" and (now, laid) not in ((0, 0), (1, 1)):
        yield _refuse("kinds-late", "SC-12, SC-13")


def _tokens(view: View) -> Iterator[Refused]:
    """SC-4, SC-34: twelve tokens, on the table and in hands."""
    rules = view.rules
    if max(view.tokens) > rules.tokens:
        yield _refuse("tokens-of-seat", "SC-4", most=rules.tokens)
    lying = sum(card.token for card in view.table)
    if sum(view.tokens) + lying != TOKENS:
        yield _refuse("token-count", "SC-4", right=TOKENS, number=sum(view.tokens) + lying)
    if view.phase == "secure" and not view.tokens[view.seat or 0]:
        yield _refuse("no-token-to-lay", "SC-35")


def _edges(card: Card, cells: Cells) -> int:
    x, y = card.x, card.y
    sides = [
        (x, y - 1),
        (x + 1, y - 1),
        (x + 2, y),
        (x + 2, y + 1),
        (x + 1, y + 2),
        (x, y + 2),
        (x - 1, y + 1),
        (x - 1, y),
    ]
    return sum(cell in cells for cell in sides)


def _first_level(view: View) -> Iterator[Refused]:
    """SC-12, SC-20: cards beside each other."""
    waiting = [card for card in view.table if card.level == 1]
    cells: Cells = {}
    for card in waiting:
        for cell in card.cells:
            if cell in cells:
                yield _refuse("cell-twice", "SC-20", x=cell[0], y=cell[1])
            cells[cell] = card
    if not waiting:
        if view.table:
            yield _refuse("no-first-level", "SC-12")
        return
    lying: Cells = {}
    reached = [card for card in waiting if (card.x, card.y) == (0, 0)]
    if not reached:
        yield _refuse("origin-empty", "SC-12")
        return
    while reached:
        for card in reached:
            lying |= dict.fromkeys(card.cells, card)
        waiting = [card for card in waiting if card not in reached]
        reached = [card for card in waiting if _edges(card, lying) >= 2]
    if waiting:
        yield _refuse("not-connected", "SC-20", x=waiting[0].x, y=waiting[0].y)


def _second_level(view: View) -> Iterator[Refused]:
    """SC-31, SC-34, SC-35: cards on top of others."""
    below: Cells = {cell: card for card in view.table if card.level == 1 for cell in card.cells}
    covered: set[tuple[int, int]] = set()
    for card in view.table:
        if card.level == 1:
            continue
        if not card.token:
            yield _refuse("token-missing", "SC-34", x=card.x, y=card.y)
        under = [below.get(cell) for cell in card.cells]
        if None in under:
            yield _refuse("no-four-pieces", "SC-31", x=card.x, y=card.y)
        elif len(set(under)) < 2:
            yield _refuse("one-card-below", "SC-31", x=card.x, y=card.y)
        if covered & set(card.cells):
            yield _refuse("third-level", "SC-34", x=card.x, y=card.y)
        covered |= set(card.cells)
    for card in set(below.values()):
        if card.token and covered >= set(card.cells):
            yield _refuse("token-covered", "SC-35", x=card.x, y=card.y)


def _may_be_true(view: View, holder: int, announcement: str) -> bool:
    """Whether some card of a hand has (or may have) the announced number of pieces of a kind."""
    return any(name == HIDDEN or name.count(announcement[0]) == int(announcement[1]) for name in view.hands[holder])


def _swaps(view: View) -> Iterator[Refused]:
    """SC-50 to SC-53, SC-60: offers, and what seats learned from them."""
    asking = view.phase in ("answer", "accept")
    if asking != (view.offer is not None) or (view.phase == "accept") != (view.answer is not None):
        yield _refuse("offer-and-phase", "SC-50, SC-51")
    if (view.asked or view.swapped) and view.phase not in ("place", "answer", "accept"):
        yield _refuse("offers-kept", "SC-53")
    if asking and (view.swapped or view.partner not in view.asked):
        yield _refuse("partner-not-asked", "SC-53")
    if view.seat in view.asked or (view.asked and None in view.kinds) or (view.swapped and not view.asked):
        yield _refuse("asked-too-early", "SC-53")
    for giver, taker, pending in ((view.seat, view.partner, view.offer), (view.partner, view.seat, view.answer)):
        if pending is None or giver is None or taker is None:
            continue
        hidden = view.viewer not in (None, giver)
        if hidden != (pending.card == HIDDEN):
            yield _refuse("offer-seen", "SC-60")
        kind = view.kinds[taker] or ""
        if not hidden and pending.card not in view.hands[giver]:
            yield _refuse("offer-not-held", "SC-50", seat=giver, card=pending.card)
        elif not hidden and pending.card.count(kind) != pending.number:
            right, number = pending.card.count(kind), pending.number
            yield _refuse("offer-number", "SC-50", card=pending.card, right=right, kind=kind, number=number)
        elif hidden and not _may_be_true(view, giver, f"{kind}{pending.number}"):
            yield _refuse("offer-cannot-be", "SC-50", seat=giver)
    for (viewer, holder), names in view.known.items():
        if viewer == holder or view.viewer not in (None, viewer, holder):
            yield _refuse("known-by-others", "SC-60")
        if any(names.count(name) > view.hands[holder].count(name) for name in names) and view.viewer != viewer:
            yield _refuse("known-not-held", "SC-60", seat=holder, by=viewer)
    for (viewer, holder), announcements in view.said.items():
        if viewer == holder or view.viewer not in (None, viewer, holder):
            yield _refuse("said-of-own", "SC-60")
        for announcement in announcements:
            if not _may_be_true(view, holder, announcement):
                kind, number = announcement[0], int(announcement[1])
                yield _refuse("said-not-held", "SC-60", seat=holder, kind=kind, number=number)


def _barred(view: View) -> Iterator[Refused]:
    """SC-41, SC-60: what a pass has revealed."""
    for seat, names in enumerate(view.barred):
        for name in names:
            if name in view.hands[seat]:
                yield _refuse("passed-with-card", "SC-60", seat=seat, card=name)
    if any(view.barred) and not view.table:
        yield _refuse("nobody-passed", "SC-41")


def check(view: View) -> Refused | None:
    """The first problem of a view, None if there is none."""
    for part in (_stock, _visibility, _turn, _tokens, _first_level, _second_level, _swaps, _barred):
        for problem in part(view):
            return problem
    return None
