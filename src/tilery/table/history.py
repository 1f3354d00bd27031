"""The plies of a game so far, in little memory, and the way back to an earlier position."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from tilery.core.kernel.actors import CHANCE
from tilery.core.position import Position
from tilery.core.record import Ply, Record
from tilery.table.plies import PlayedPly

# A position is replayed from the base, which is this many plies before the last one that was asked for, or up to three
# times as many: a table where moves are taken back thousands of times is read as fast as one where games are played.
BASE_DISTANCE = 8


class History:
    """The plies of a game. Positions are not kept, except for one that earlier positions are replayed from."""

    __slots__ = ("_actions", "_actors", "_base", "_base_plies", "start")

    def __init__(self, start: Position) -> None:
        self.start = start
        self._actors = array("b")
        self._actions = array("l")
        self._base = start  # the position after the first `_base_plies` plies
        self._base_plies = 0

    def __len__(self) -> int:
        return len(self._actions)

    def append(self, plies: Iterable[PlayedPly]) -> None:
        for ply in plies:
            self._actors.append(ply.actor)
            self._actions.append(ply.action)

    def plies(self, first: int = 0, last: int | None = None) -> tuple[Ply, ...]:
        """The plies from index `first` on, up to but not including `last`."""
        return tuple(map(Ply, self._actors[first:last], self._actions[first:last]))

    def actors_since(self, plies: int) -> list[int]:
        """The actors of all plies after the first `plies`."""
        return self._actors[plies:].tolist()

    def last_ply_of(self, seats: Sequence[int]) -> int | None:
        """The index of the last ply by one of these seats; None if there is none."""
        return next((at for at in range(len(self) - 1, -1, -1) if self._actors[at] in seats), None)

    @property
    def deals(self) -> int:
        """The number of chance steps so far."""
        return self._actors.count(CHANCE)

    def position(self, plies: int) -> Position:
        """The position after the first `plies` plies."""
        if not 0 <= plies - self._base_plies <= 3 * BASE_DISTANCE:
            at = max(0, plies - BASE_DISTANCE)
            base, known = (self._base, self._base_plies) if self._base_plies <= at else (self.start, 0)
            self._base = Record(base, self.plies(known, at)).position()
            self._base_plies = at
        return Record(self._base, self.plies(self._base_plies, plies)).position()

    def take_back(self, plies: int) -> Position:
        """Go back to the first `plies` plies; returns the position after them."""
        position = self.position(plies)
        del self._actors[plies:], self._actions[plies:]
        return position
