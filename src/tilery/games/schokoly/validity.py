"""Checks whether a position can occur in a game; a problem is described in words, with the rule it breaks."""

from __future__ import annotations

from collections.abc import Iterator

from tilery.core.kernel.actors import SPECTATOR

from .kernel.cards import PATTERNS
from .kernel.layout import HAND, TOKENS
from .view import HIDDEN, Card, View, name_of

NAMES = {"D": "dark", "M": "milk", "W": "white"}
Cells = dict[tuple[int, int], Card]


def _stock(view: View) -> Iterator[str]:
    """SC-61: as many copies of each card as the set has."""
    rules = view.rules
    unseen = sum(hand.count(HIDDEN) for hand in view.hands) + (0 if view.stack else view.left)
    for k, name in enumerate(PATTERNS):
        seen = sum(hand.count(name) for hand in view.hands) + sum(name_of(c.pieces) == name for c in view.table)
        seen += view.stack[k] if view.stack else 0
        if seen > rules.copies or (not unseen and seen != rules.copies):
            yield f"there must be {rules.copies} cards {name}, not {seen} (SC-61)"
    if view.stack is not None and sum(view.stack) != view.left:
        yield f"the stack must hold {view.left} cards, not {sum(view.stack)} (SC-61)"
    total = view.left + len(view.table) + sum(map(len, view.hands))
    if total != rules.cards:
        yield f"stack, hands and table must hold {rules.cards} cards, not {total} (SC-61)"
    if view.viewer is None and unseen:
        yield "a whole position must not have hidden cards (SC-60)"


def _visibility(view: View) -> Iterator[str]:
    """SC-60: a viewer sees its own hand, if it has one, and of other hands the cards it knows from swaps."""
    viewer = view.viewer
    if viewer is None:
        return
    if view.stack is not None and view.left:
        yield "nobody may see the stack (SC-60)"
    if viewer != SPECTATOR and HIDDEN in view.hands[viewer]:
        yield "every seat must see its own hand (SC-60)"
    for seat, hand in enumerate(view.hands):
        shown = tuple(name for name in hand if name != HIDDEN)
        if seat != viewer and shown != view.known.get((viewer, seat), ()):
            whose = f"the hand of seat {seat + 1}"
            if viewer == SPECTATOR:
                yield f"a spectator must not see cards of {whose} (SC-60)"
            else:
                yield f"seat {viewer + 1} must see of {whose} just what it knows from swaps (SC-60)"


def _turn(view: View) -> Iterator[str]:
    """SC-11 to SC-14, SC-40, SC-41: hands, kinds and phase fit together."""
    rules, phase, seat = view.rules, view.phase, view.seat
    held = [len(hand) for hand in view.hands]
    laid = len(view.table)
    if phase == "deal":
        dealt = [HAND if s < (seat or 0) else held[s] if s == seat else 0 for s in range(rules.seats)]
        if held != dealt or held[seat or 0] == HAND or laid:
            yield "cards must be dealt seat by seat, four each, before anything else (SC-11)"
    elif view.left:
        for s, number in enumerate(held):
            due = HAND - (s == seat and phase in ("secure", "draw"))
            if number != due:
                yield f"seat {s + 1} must hold {due} cards while the stack lasts, not {number} (SC-14)"
    elif max(held) > HAND:
        yield "nobody may hold more than four cards (SC-14)"
    if phase == "draw" and not view.left:
        yield "there is no card left to draw (SC-14)"
    over = not view.left and not any(held)
    if over != (view.ended_by == "cards"):
        yield "the game is over when the last card has been played, and only then (SC-40)"
    if (view.passes == rules.seats) != (view.ended_by == "passes") or view.passes > rules.seats:
        yield "the game is over when all have passed in a row, and only then (SC-41)"
    if laid == 0 and (view.passes or phase in ("secure", "draw", "over") or (phase != "deal" and seat != 0)):
        yield "the first player must place a card first (SC-12)"
    chosen = [kind is not None for kind in view.kinds]
    first = phase != "deal" and not (phase == "kind" and seat == 0)
    second = first and laid > 0 and not (laid == 1 and (seat == 0 or (phase == "kind" and seat == 1)))
    due_kinds = [first, second, second if rules.seats == 3 else first, second][: rules.seats]
    if chosen != due_kinds:
        yield "the first two players must choose their kinds in their first turns (SC-12, SC-13)"
    sides = [kind for kind in view.kinds[: rules.sides] if kind]
    if len(set(sides)) != len(sides) or (rules.seats == 4 and view.kinds[:2] != view.kinds[2:]):
        yield "each side must have a different kind, and partners the same (SC-13)"
    if phase == "kind" and (seat, laid) not in ((0, 0), (1, 1)):
        yield "kinds are chosen in the first turns of the first two players (SC-12, SC-13)"


def _tokens(view: View) -> Iterator[str]:
    """SC-4, SC-34: twelve tokens, on the table and in hands."""
    rules = view.rules
    if max(view.tokens) > rules.tokens:
        yield f"no seat may have more than {rules.tokens} tokens (SC-4)"
    lying = sum(card.token for card in view.table)
    if sum(view.tokens) + lying != TOKENS:
        yield f"there must be {TOKENS} tokens, not {sum(view.tokens) + lying} (SC-4)"
    if view.phase == "secure" and not view.tokens[view.seat or 0]:
        yield "a seat without tokens is not asked for one (SC-35)"


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


def _first_level(view: View) -> Iterator[str]:
    """SC-12, SC-20: cards beside each other."""
    waiting = [card for card in view.table if card.level == 1]
    cells: Cells = {}
    for card in waiting:
        for cell in card.cells:
            if cell in cells:
                yield f"two cards lie at {cell[0]},{cell[1]} on the first level (SC-20)"
            cells[cell] = card
    if not waiting:
        if view.table:
            yield "no card lies on the first level (SC-12)"
        return
    lying: Cells = {}
    reached = [card for card in waiting if (card.x, card.y) == (0, 0)]
    if not reached:
        yield "the first card must lie at 0,0 (SC-12)"
        return
    while reached:
        for card in reached:
            lying |= dict.fromkeys(card.cells, card)
        waiting = [card for card in waiting if card not in reached]
        reached = [card for card in waiting if _edges(card, lying) >= 2]
    if waiting:
        yield f"the card at {waiting[0].x},{waiting[0].y} shares fewer than two edges with cards laid before it (SC-20)"


def _second_level(view: View) -> Iterator[str]:
    """SC-31, SC-34, SC-35: cards on top of others."""
    below: Cells = {cell: card for card in view.table if card.level == 1 for cell in card.cells}
    covered: set[tuple[int, int]] = set()
    for card in view.table:
        if card.level == 1:
            continue
        where = f"the second-level card at {card.x},{card.y}"
        if not card.token:
            yield f"{where} must carry a token (SC-34)"
        under = [below.get(cell) for cell in card.cells]
        if None in under:
            yield f"{where} must lie on four first-level pieces (SC-31)"
        elif len(set(under)) < 2:
            yield f"{where} must lie on at least two cards (SC-31)"
        if covered & set(card.cells):
            yield f"{where} lies on another one (SC-34)"
        covered |= set(card.cells)
    for card in set(below.values()):
        if card.token and covered >= set(card.cells):
            yield f"the card at {card.x},{card.y} has a token, but shows no piece (SC-35)"


def _may_be_true(view: View, holder: int, announcement: str) -> bool:
    """Whether some card of a hand has (or may have) the announced number of pieces of a kind."""
    return any(name == HIDDEN or name.count(announcement[0]) == int(announcement[1]) for name in view.hands[holder])


def _swaps(view: View) -> Iterator[str]:
    """SC-50 to SC-53, SC-60: offers, and what seats learned from them."""
    asking = view.phase in ("answer", "accept")
    if asking != (view.offer is not None) or (view.phase == "accept") != (view.answer is not None):
        yield "cards must be on offer while a swap is pending, and only then (SC-50, SC-51)"
    if (view.asked or view.swapped) and view.phase not in ("place", "answer", "accept"):
        yield "offers of a turn are only kept until a card is placed (SC-53)"
    if asking and (view.swapped or view.partner not in view.asked):
        yield "the partner must have been asked, with no swap yet in this turn (SC-53)"
    if view.seat in view.asked or (view.asked and None in view.kinds) or (view.swapped and not view.asked):
        yield "only opponents may be asked, once all kinds are chosen (SC-53)"
    for giver, taker, pending in ((view.seat, view.partner, view.offer), (view.partner, view.seat, view.answer)):
        if pending is None or giver is None or taker is None:
            continue
        hidden = view.viewer not in (None, giver)
        if hidden != (pending.card == HIDDEN):
            yield "a card on offer must be seen by its owner alone (SC-60)"
        kind = view.kinds[taker] or ""
        if not hidden and pending.card not in view.hands[giver]:
            yield f"seat {giver + 1} holds no {pending.card} to offer (SC-50)"
        elif not hidden and pending.card.count(kind) != pending.number:
            yield f"{pending.card} has {pending.card.count(kind)} pieces of {NAMES[kind]}, not {pending.number} (SC-50)"
        elif hidden and not _may_be_true(view, giver, f"{kind}{pending.number}"):
            yield f"seat {giver + 1} holds no such card (SC-50)"
    for (viewer, holder), names in view.known.items():
        if viewer == holder or view.viewer not in (None, viewer, holder):
            yield "only the two players of a swap may know its cards (SC-60)"
        if any(names.count(name) > view.hands[holder].count(name) for name in names) and view.viewer != viewer:
            yield f"seat {holder + 1} does not hold what seat {viewer + 1} knows of (SC-60)"
    for (viewer, holder), announcements in view.said.items():
        if viewer == holder or view.viewer not in (None, viewer, holder):
            yield "a number must be said of another hand (SC-60)"
        for announcement in announcements:
            if not _may_be_true(view, holder, announcement):
                yield f"seat {holder + 1} holds no card with {announcement[1]} {NAMES[announcement[0]]} pieces (SC-60)"


def _barred(view: View) -> Iterator[str]:
    """SC-41, SC-60: what a pass has revealed."""
    for seat, names in enumerate(view.barred):
        for name in names:
            if name in view.hands[seat]:
                yield f"seat {seat + 1} has passed, so it cannot hold {name} (SC-60)"
    if any(view.barred) and not view.table:
        yield "nobody has passed yet (SC-41)"


def check(view: View) -> str:
    """The first problem of a view, empty if there is none."""
    for part in (_stock, _visibility, _turn, _tokens, _first_level, _second_level, _swaps, _barred):
        for problem in part(view):
            return problem
    return ""
