"""Applies the effects of a ply to what the referee says of the position before it, knowing no rule of the game.

If the effects are complete and right, the result is what the referee says of the position after the ply.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from tilery import Position
from tilery.core.effects import Effect
from tilery.core.kernel.actors import SPECTATOR
from tilery.games.schokoly import effects as kinds

# What effects do not tell: whose turn it is, and what may still be offered in it, follow from the position.
LEFT_OUT = ("phase", "actor", "asked", "swapped", "passes", "winners")


def told(snapshot: dict[str, Any]) -> dict[str, Any]:
    """The part of a snapshot that effects tell. Of the groups only kind and size: edges are told for neutral ones."""
    seen = {name: value for name, value in snapshot.items() if name not in LEFT_OUT}
    return {**seen, "groups": sorted(group[:2] for group in snapshot["groups"])}


class Sums:
    """A snapshot of the referee that effects are applied to."""

    def __init__(self, snapshot: dict[str, Any]) -> None:
        self.seen = told(snapshot)
        self.kinds, self.tokens = list(snapshot["kinds"]), list(snapshot["tokens"])
        self.hands = [list(hand) for hand in snapshot["hands"]]
        self.stack = dict(snapshot["stack"])
        self.table = set(snapshot["table"])
        self.covered: set[tuple[int, int]] = set()

    def snapshot(self) -> dict[str, Any]:
        """The position after all effects, as `told` shortens it."""
        return {
            **self.seen,
            "kinds": tuple(self.kinds),
            "tokens": tuple(self.tokens),
            "hands": tuple(tuple(sorted(hand)) for hand in self.hands),
            "stack": self.stack,
            "table": frozenset(self.table),
        }

    def apply(self, effect: Effect) -> None:
        match effect:
            case kinds.StarterDrawn():
                pass  # who starts shows in whose turn it is
            case kinds.KindChosen(seat=seat, kind=kind):
                assert self.kinds[seat] is None
                self.kinds[seat] = kind
            case kinds.Laid(seat=seat, card=card, pieces=pieces, x=x, y=y, level=level):
                self.hands[seat].remove(card)
                self.table.add((pieces, x, y, level, False))
            case kinds.TokenSpent(seat=seat, x=x, y=y):
                self._put_token(seat, (x, y, 2))
            case kinds.Covered(x=x, y=y):
                assert (x, y) not in self.covered
                self.covered.add((x, y))
            case kinds.Touched():
                pass
            case kinds.GroupsChanged(old=old, new=new):
                for group in old:
                    self.seen["groups"].remove((group.kind, group.size))
                self.seen["groups"] = sorted([*self.seen["groups"], *((group.kind, group.size) for group in new)])
            case kinds.PointsChanged(points=points):
                assert points != self.seen["scores"]
                self.seen["scores"] = points
            case kinds.Secured(seat=seat, x=x, y=y):
                self._put_token(seat, (x, y, 1))
            case kinds.Drawn(seat=seat, card=card):
                assert card is not None
                self.stack[card] -= 1
                self.hands[seat].append(card)
            case kinds.Passed():
                pass
            case kinds.Offered(seat=seat, to=to, card=card):
                self.hands[seat].remove(card)
                self.seen["pending"] = (seat, to, card, None)
            case kinds.Answered(seat=seat, to=to, card=card):
                self.hands[seat].remove(card)
                assert self.seen["pending"][:2] == (to, seat)
                self.seen["pending"] = (*self.seen["pending"][:3], card)
            case kinds.Declined():
                seat, partner, offered, answered = self.seen["pending"]
                self._end_offer(seat, offered, partner, answered)
            case kinds.Swapped(seat=seat, partner=partner, given=given, got=got):
                assert self.seen["pending"] == (seat, partner, given, got)
                assert got is not None
                self._end_offer(seat, got, partner, given)
            case kinds.Ended(by=by):
                self.seen["ended_by"] = by
            case _:
                raise AssertionError(f"an effect that is not counted here: {effect}")

    def _put_token(self, seat: int, where: tuple[int, int, int]) -> None:
        self.tokens[seat] -= 1
        (card,) = [each for each in self.table if each[1:4] == where]
        self.table.remove(card)
        self.table.add((*card[:4], True))

    def _end_offer(self, seat: int, mine: str, partner: int, theirs: str | None) -> None:
        self.hands[seat].append(mine)
        if theirs:
            self.hands[partner].append(theirs)
        self.seen["pending"] = None


def apply_effects(snapshot: dict[str, Any], effects: Sequence[Effect]) -> dict[str, Any]:
    """What the referee should say of the position after these effects, shortened as by `told`."""
    sums = Sums(snapshot)
    for effect in effects:
        sums.apply(effect)
    return sums.snapshot()


def masked(effect: Effect, viewer: int) -> Effect:
    """SC-60: an effect as a viewer may learn of it, said a second time."""
    match effect:
        case kinds.Drawn(seat=seat) | kinds.Offered(seat=seat) | kinds.Answered(seat=seat):
            return effect if viewer == seat else replace(effect, card=None)
        case kinds.Swapped(seat=seat, partner=partner):
            return effect if viewer in (seat, partner) else replace(effect, given=None, got=None)
    return effect


def check_viewers(position: Position, action: int, effects: Sequence[Effect]) -> None:
    """Every viewer learns what it may, and nothing else."""
    for viewer in (*range(position.seats), SPECTATOR):
        seen, veiled = position.seen_by(viewer), position.veiled(action, viewer)
        assert position.game.effects(seen.row, veiled) == tuple(masked(effect, viewer) for effect in effects)
