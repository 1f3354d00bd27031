"""A game as it was played: the first position, the plies, the players, tags and comments. Replay is a fold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, Self, SupportsIndex, TypeVar

import numpy as np

from tilery.core.game import Game
from tilery.core.kernel.actors import CHANCE
from tilery.core.position import Position, Seen
from tilery.core.refusals import Refused


class Ply(NamedTuple):
    """One recorded step: who acted (a seat or CHANCE), and what it did."""

    actor: int
    action: int


OWN_TAGS = re.compile(r"Tilery|Game|Rules|Seen|Position|Result|Seat[0-9]+", re.ASCII)  # a record writes these itself
_TAG = re.compile(r"[A-Za-z][A-Za-z0-9]{0,31}", re.ASCII)


def check_tag(name: str) -> None:
    """Refuse the name of a tag that could not be read back."""
    if not _TAG.fullmatch(name):
        raise Refused(f"the name of a tag is up to 32 letters and digits, not {name[:40]!a}")
    if OWN_TAGS.fullmatch(name):
        raise Refused(f"the tag {name} is written by the record itself")


S = TypeVar("S", Position, Seen)


@dataclass(frozen=True)
class Log(Generic[S]):
    """What a record of a whole game and one seat's record of it have in common."""

    start: S
    plies: tuple[Ply, ...] = ()
    players: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[int, str] = field(default_factory=dict)  # after so many plies
    _last: S | None = field(default=None, init=False, repr=False, compare=False)  # once it is known

    def __post_init__(self) -> None:
        names = tuple(self.players)
        names += tuple(f"Seat {seat + 1}" for seat in range(len(names), self.start.seats))
        if len(names) > self.start.seats:
            raise Refused(f"{len(names)} players for {self.start.seats} seats")
        for name in self.tags:
            check_tag(name)
        for at in self.comments:
            if not 0 <= at <= len(self.plies):
                raise Refused(f"a comment after ply {at} of a record of {len(self.plies)} plies")
        object.__setattr__(self, "players", names)
        object.__setattr__(self, "tags", dict(self.tags))
        object.__setattr__(self, "comments", dict(self.comments))

    def __hash__(self) -> int:
        return hash((self.start, self.plies, self.players))

    @property
    def game(self) -> Game:
        return self.start.game

    def positions(self) -> Iterator[S]:
        """Every position, from the first to the last: one more than there are plies."""
        position = self.start
        yield position
        for ply in self.plies:
            position = position.play(ply.action)
            yield position

    def position(self, ply: int | None = None) -> S:
        """The position after so many plies, by default after all of them."""
        count = len(self.plies) if ply is None else ply
        if not 0 <= count <= len(self.plies):
            raise Refused(f"this record has {len(self.plies)} plies, not {count}")
        kernel = self.game.kernel
        rows = np.frombuffer(bytearray(self.start.row), dtype=np.uint8).reshape(1, -1)
        for at, (_, action) in enumerate(self.plies[:count]):
            code = kernel.refusal(rows, 0, action)
            if code:
                raise Refused(f"ply {at + 1}: {self.game.why_not(rows.tobytes(), action, code)}")
            kernel.apply(rows, 0, action)
        return self.start.at(rows.tobytes())

    @property
    def last(self) -> S:
        """The position that the record has come to."""
        if self._last is None:
            object.__setattr__(self, "_last", self.position())
        assert self._last is not None
        return self._last

    def play(self, move: str | SupportsIndex, *, by: int | None = None) -> Self:
        """The record with one ply more."""
        position = self.last
        action = position.action(move)
        after = position.play(action, by=by)
        longer = replace(self, plies=(*self.plies, Ply(position.actor, action)))
        object.__setattr__(longer, "_last", after)
        return longer

    def upto(self, count: int) -> Self:
        """The record of the first so many plies."""
        if not 0 <= count <= len(self.plies):
            raise Refused(f"this record has {len(self.plies)} plies, not {count}")
        comments = {at: text for at, text in self.comments.items() if at <= count}
        return replace(self, plies=self.plies[:count], comments=comments)

    def comment(self, text: str) -> Self:
        """The record with a comment after its last ply (in place of the one there)."""
        return replace(self, comments={**self.comments, len(self.plies): text})

    @property
    def chance_plies(self) -> int:
        """How many steps chance has taken."""
        return sum(ply.actor == CHANCE for ply in self.plies)

    @property
    def result(self) -> str:
        """The final scores such as `45-38`, `*` while the game goes on."""
        outcome = self.last.outcome
        return "-".join(map(str, outcome.scores)) if outcome else "*"

    @property
    def text(self) -> str:
        """The record as a file's text."""
        from tilery.core.record_text import write_record

        return write_record(self)

    def __str__(self) -> str:
        return self.text

    def svg(self, ply: int | None = None, *, counts: bool = False) -> str:
        """A picture of the position after so many plies, the last one highlighted."""
        count = len(self.plies) if ply is None else ply
        position = self.position(count)
        while count > 1 and self.game.secret and self.plies[count - 1].actor == CHANCE:
            count -= 1  # what chance does in secret shows nothing: the move before it is marked
        return position.svg(self.plies[count - 1] if count else None, self.players, counts=counts)

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True)
class Record(Log[Position]):
    """The only thing that is ever stored of a game."""

    __hash__ = Log.__hash__

    def seen_by(self, seat: int) -> SeenRecord:
        """The record as one seat (or SPECTATOR) saw it: hidden cards stay hidden. Comments and seed would tell more."""
        plies = []
        position = self.start
        for ply in self.plies:
            plies.append(Ply(ply.actor, position.veiled(ply.action, seat)))
            position = position.play(ply.action)
        tags = {name: value for name, value in self.tags.items() if name != "Seed"}
        return SeenRecord(self.start.seen_by(seat), tuple(plies), self.players, tags)


@dataclass(frozen=True)
class SeenRecord(Log[Seen]):
    """A game as one seat saw it. `record.seen_by(seat).position(n)` is `record.position(n).seen_by(seat)`."""

    __hash__ = Log.__hash__

    @property
    def seat(self) -> int:
        """Whose record it is: a seat or SPECTATOR."""
        return self.start.seat
