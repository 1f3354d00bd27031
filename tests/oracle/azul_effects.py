"""Applies the effects of a ply to what the referee says of the position before it, knowing no rule of the game.

If the effects are complete and right, the result is what the referee says of the position after the ply.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.oracle.azul_referee import COLOURS
from tilery.core.effects import Effect
from tilery.games.azul import effects as kinds

# What effects do not tell: whose turn it is follows from the position.
LEFT_OUT = ("phase", "actor", "stalled", "winners")

Counts = list[int]


class Sums:
    """A snapshot of the referee that effects are applied to."""

    def __init__(self, snapshot: dict[str, Any]) -> None:
        self.seen = {name: value for name, value in snapshot.items() if name not in LEFT_OUT}
        self.bag, self.lid = list(snapshot["bag"]), list(snapshot["lid"])
        self.sources = [list(snapshot["centre"]), *map(list, snapshot["factories"])]
        self.discs = list(snapshot["discs"])
        self.boards = [
            dict(board, lines=list(board["lines"]), wall=list(board["wall"])) for board in snapshot["boards"]
        ]

    def snapshot(self) -> dict[str, Any]:
        """The position after all effects, as the referee describes it."""
        return {
            **self.seen,
            "bag": tuple(self.bag),
            "lid": tuple(self.lid),
            "centre": tuple(self.sources[0]),
            "factories": tuple(map(tuple, self.sources[1:])),
            "discs": tuple(self.discs),
            "saucer_gone": any(board["saucer"] is not None for board in self.boards),
            "boards": tuple(
                dict(board, lines=tuple(board["lines"]), wall=tuple(board["wall"])) for board in self.boards
            ),
        }

    def _move(self, tiles: str, source: Counts | None, to: Counts | None) -> None:
        for tile in tiles:
            if source is not None:
                source[COLOURS.index(tile)] -= 1
            if to is not None:
                to[COLOURS.index(tile)] += 1

    def apply(self, effect: Effect) -> None:
        match effect:
            case kinds.Taken(seat=_, source=source, colour=colour, number=number):
                self._move(colour * number, self.sources[source], None)
                assert self.sources[source][COLOURS.index(colour)] == 0
            case kinds.RestMoved(source=source, to=to, tiles=tiles):
                self._move(tiles, self.sources[source], self.sources[to])
            case kinds.SaucerTaken(seat=seat):
                self.boards[seat]["saucer"] = ""
            case kinds.SaucerReturned(seat=seat):
                assert self.boards[seat]["saucer"] == ""
                self.boards[seat]["saucer"] = None
            case kinds.MarkerTaken(seat=seat, to=place):
                self.seen["marker"] = seat
                if place:
                    self.boards[seat][place] += "m"
            case kinds.Placed(seat=seat, line=line, colour=colour, number=number, full=full):
                _, held = self.boards[seat]["lines"][line]
                self.boards[seat]["lines"][line] = (COLOURS.index(colour), held + number)
                assert full == (held + number == line + 1)
            case kinds.Fell():
                self._fell(effect)
            case kinds.OfferEnded(round=number):
                assert number == self.seen["round"]
                assert not any(map(sum, self.sources))
            case kinds.Tiled():
                self._tiled(effect)
            case kinds.FloorScored(seat=seat, floor=floor, saucer=saucer, points=points):
                board = self.boards[seat]
                assert (floor, saucer) == (board["floor"], board["saucer"] or "")
                self._move((floor + saucer).replace("m", ""), None, self.lid)
                board["floor"] = ""
                if saucer:
                    board["saucer"] = ""
                board["score"] += points
            case kinds.Bonus(seat=seat, points=points):
                self.boards[seat]["score"] += points
            case kinds.RoundBegun(round=number, starter=starter, discs_removed=removed):
                self.seen.update(round=number, starter=starter, marker="centre")
                if removed:
                    self.discs = ["plain"] * len(self.discs)
            case kinds.Ended(by=by):
                self.seen["ended_by"] = by
            case kinds.Refilled(tiles=tiles):
                self._move(tiles, self.lid, self.bag)
            case kinds.Dealt(source=source, tiles=tiles):
                self._move(tiles, self.bag, self.sources[source])
            case kinds.Attracted(source=source, to=to, colour=colour):
                self._move(colour, self.sources[source], self.sources[to])
            case kinds.DiscLaid(source=source, disc=disc):
                self.discs[source - 1] = disc
            case _:
                raise AssertionError(f"an effect that is not counted here: {effect}")

    def _fell(self, fell: kinds.Fell) -> None:
        board = self.boards[fell.seat]
        if fell.line is not None:
            assert board["lines"][fell.line] == (COLOURS.index(fell.colour), fell.saucer + fell.floor + fell.lid)
            board["lines"][fell.line] = (None, 0)
        if fell.saucer:
            board["saucer"] += fell.colour
        board["floor"] += fell.colour * fell.floor
        self._move(fell.colour * fell.lid, None, self.lid)

    def _tiled(self, tiled: kinds.Tiled) -> None:
        board = self.boards[tiled.seat]
        assert board["lines"][tiled.line] == (COLOURS.index(tiled.colour), tiled.line + 1)
        assert tiled.points == max(1, tiled.across + tiled.down)
        board["lines"][tiled.line] = (None, 0)
        row = board["wall"][tiled.line]
        assert row[tiled.column] == "."
        board["wall"][tiled.line] = row[: tiled.column] + tiled.colour + row[tiled.column + 1 :]
        board["score"] += tiled.points
        self._move(tiled.colour * tiled.line, None, self.lid)


def apply_effects(snapshot: dict[str, Any], effects: Sequence[Effect]) -> dict[str, Any]:
    """What the referee should say of the position after these effects, but for `LEFT_OUT`."""
    sums = Sums(snapshot)
    for effect in effects:
        sums.apply(effect)
    return sums.snapshot()
