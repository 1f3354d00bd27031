"""What a ply did, in sentences and as points, made from its effects. A card that the viewer cannot see is "a card"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilery.core.effects import Effect
from tilery.core.english import Clause, as_object, as_sentences, counted, joined
from tilery.core.game import Game, ScoreItem

from . import effects as kinds
from .groups import ScoredGroup
from .scoring import RULES, points_of
from .sentences import NAMES
from .view import View, view_of

_TABLE = "the table"  # the subject of clauses about no player


def describe_effects(game: Game, row: bytes, effects: Sequence[Effect], names: Sequence[str]) -> list[str]:
    """Effects of one ply in sentences, with numbers and points; `row` is the position before them."""
    view, points = view_of(row), points_of(game, row)
    clauses: list[Clause] = []
    touched = [effect for effect in effects if isinstance(effect, kinds.Touched)]
    covered = [effect.kind for effect in effects if isinstance(effect, kinds.Covered)]
    for effect in effects:
        clauses += _clauses_of_card(effect, names, covered, touched)
        clauses += _clauses_of_swap(view, effect, names)
        clauses += _clauses_of_table(view, points, effect, names)
    return as_sentences(clauses)


def score_changes(game: Game, row: bytes, effects: Sequence[Effect]) -> list[ScoreItem]:
    """The points that effects brought each seat: only a total, because one card can change several groups."""
    before = points_of(game, row)
    last = [effect.points for effect in effects if isinstance(effect, kinds.PointsChanged)][-1:] or [before]
    return [ScoreItem("total", "total", tuple(new - old for old, new in zip(before, last[0], strict=True)))]


def _clauses_of_card(
    effect: Effect, names: Sequence[str], covered: Sequence[str], touched: Sequence[kinds.Touched]
) -> Iterator[Clause]:
    """SC-11 to SC-14, SC-31, SC-35, SC-41: kinds, cards and tokens."""
    match effect:
        case kinds.KindChosen(seat, kind):
            yield Clause(names[seat], "play", NAMES[kind])
        case kinds.Laid(seat, _, pieces, x, y, level):
            up = " on the second level" if level == 2 else ""
            same = sum(edge.same for edge in touched)
            edges = f" ({counted(len(touched), 'edge')}, {same} of the same kind)" if touched else ""
            yield Clause(names[seat], "lay", f"{pieces} at {x},{y}{up}{edges}")
        case kinds.TokenSpent(seat):
            pieces = joined([f"{covered.count(kind)} {NAMES[kind]}" for kind in NAMES if kind in covered])
            yield Clause(names[seat], "cover", pieces)
            yield Clause(names[seat], "spend", "a token")
        case kinds.Secured(seat, x, y):
            yield Clause(names[seat], "put", f"a token on the card at {x},{y}")
        case kinds.StarterDrawn(seat):
            yield Clause(names[seat], "start", "")
        case kinds.Drawn(seat, drawn):
            yield Clause(names[seat], "draw", drawn or "a card")
        case kinds.Passed(seat, barred):
            yield Clause(names[seat], "pass", f"with none of {joined(barred)} in hand" if barred else "")


def _clauses_of_swap(view: View, effect: Effect, names: Sequence[str]) -> Iterator[Clause]:
    """SC-50 to SC-53: swapping."""
    match effect:
        case kinds.Offered(seat, to, card, number):
            yield Clause(names[seat], "offer", f"{as_object(names[to])} {_said(view, card, number, to)}")
        case kinds.Answered(seat, to, card, number):
            yield Clause(names[seat], "answer", f"with {_said(view, card, number, to)}")
        case kinds.Declined(seat):
            yield Clause(names[seat], "decline", "the swap")
        case kinds.Swapped(seat, partner, given, got):
            yield Clause(names[seat], "swap", f"a card with {as_object(names[partner])}")
            for verb, card in (("give", given), ("get", got)):
                if card is not None:
                    yield Clause(names[seat], verb, card)


def _said(view: View, card: str | None, number: int, to: int) -> str:
    """A card on offer and what is said of it: how many pieces of the kind of seat `to` it has."""
    kind = view.kinds[to]
    assert kind is not None  # SC-53: nobody offers before all kinds are chosen
    return f"{card or 'a card'} ({number} {NAMES[kind]})"


def _clauses_of_table(view: View, points: Sequence[int], effect: Effect, names: Sequence[str]) -> Iterator[Clause]:
    """SC-40 to SC-46: groups, points and the end."""
    match effect:
        case kinds.GroupsChanged(old, new):
            changes = [text for change in _matched(old, new) if (text := _change(view, *change, names))]
            if changes:
                yield Clause("", "", f"groups: {', '.join(changes)}")
        case kinds.PointsChanged(now):
            sides = range(view.rules.sides)
            changes = [f"{_side(view, s, names)} ({points[s]} -> {now[s]})" for s in sides if now[s] != points[s]]
            yield Clause("", "", f"points: {', '.join(changes)}")
        case kinds.Ended(by):
            what, rule = RULES[by]
            yield Clause(_TABLE, "", f"the game ends by {what} ({rule})")


def _side(view: View, side: int, names: Sequence[str]) -> str:
    """The names of the seats of a side."""
    return joined([names[seat] for seat in range(side, view.rules.seats, view.rules.sides)])


_Groups = list[ScoredGroup]


def _matched(old: Sequence[ScoredGroup], new: Sequence[ScoredGroup]) -> list[tuple[_Groups, _Groups]]:
    """Old and new groups that have pieces in common: one each if a group grew, several old ones if they were joined,
    several new ones if a group was cut."""
    matched: list[tuple[_Groups, _Groups]] = []
    for group in (*old, *new):
        cells = set(group.cells)
        found: tuple[_Groups, _Groups] = ([], [])
        others = []
        for pair in matched:
            same = any(group.kind == other.kind and cells & set(other.cells) for side in pair for other in side)
            if same:
                found[0].extend(pair[0])
                found[1].extend(pair[1])
            else:
                others.append(pair)
        found[0 if any(group is one for one in old) else 1].append(group)
        matched = [*others, found]
    return matched


def _change(view: View, old: _Groups, new: _Groups, names: Sequence[str]) -> str:
    """Such as `dark 4 + 3 -> 8`; empty for single pieces that come and go, and for what nobody counts."""
    kind = (old or new)[0].kind
    sizes = [" + ".join(str(group.size) for group in side) for side in (old, new)]
    owners = [{group.seat for group in side if group.contacts and group.scores} for side in (old, new)]
    owner = ""
    if owners[0] != owners[1]:
        seats = sorted(seat for seat in owners[1] if seat is not None)
        owner = f" for {joined([as_object(_side(view, seat, names)) for seat in seats]) if seats else 'nobody'}"
    before, now = (size or "0" for size in sizes)
    if before == now:
        return f"{NAMES[kind]} {now} now{owner}" if owner else ""
    if {before, now} == {"0", "1"}:
        return ""
    return f"{NAMES[kind]} {before} -> {now}{owner}"
