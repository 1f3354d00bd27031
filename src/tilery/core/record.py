"""Records of games: the first position, the plies, the players, tags and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, Self, SupportsIndex, TypeVar

import numpy as np

from tilery.core.game import Game, as_rows
from tilery.core.kernel.actors import CHANCE
from tilery.core.move import Move
from tilery.core.position import Position, Seen
from tilery.core.sentences import LIBRARY, within


class Ply(NamedTuple):
    """One recorded step: the actor (a seat or CHANCE) and its action."""

    actor: int
    action: int


OWN_TAGS = re.compile(r"Tilery|Game|Rules|Seen|Position|Result|Seat[0-9]+", re.ASCII)  # written by the record itself
MAX_TAG_CHARACTERS = 32  # of the name of a tag
_TAG = re.compile(rf"[A-Za-z][A-Za-z0-9]{{0,{MAX_TAG_CHARACTERS - 1}}}", re.ASCII)


def check_tag(name: str) -> None:
    """Raise `Refused` for the name of a tag that could not be read back."""
    if not _TAG.fullmatch(name):
        raise LIBRARY.refused("tag-name", most=MAX_TAG_CHARACTERS, found=name[:40])
    if OWN_TAGS.fullmatch(name):
        raise LIBRARY.refused("own-tag", tag=name)


S = TypeVar("S", Position, Seen)


@dataclass(frozen=True)
class BaseRecord(Generic[S]):
    """What `Record` and `SeenRecord` have in common."""

    start: S
    plies: tuple[Ply, ...] = ()
    players: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[int, str] = field(default_factory=dict)  # by the number of plies before the comment
    _last: S | None = field(default=None, init=False, repr=False, compare=False)  # computed on first use

    def __post_init__(self) -> None:
        names = tuple(self.players)
        names += tuple(f"Seat {seat + 1}" for seat in range(len(names), self.start.seats))
        if len(names) > self.start.seats:
            raise LIBRARY.refused("too-many-players", players=len(names), seats=self.start.seats)
        for name in self.tags:
            check_tag(name)
        for at in self.comments:
            if not 0 <= at <= len(self.plies):
                raise LIBRARY.refused("comment-place", ply=at, plies=len(self.plies))
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

    def moves(self) -> Iterator[Move]:
        """The move of every ply, with its notation and its parts."""
        for position, ply in zip(self.positions(), self.plies, strict=False):
            yield position.game.move_of(position.row, ply.action)

    def position(self, ply: int | None = None) -> S:
        """The position after `ply` plies, by default after all of them."""
        count = len(self.plies) if ply is None else ply
        if not 0 <= count <= len(self.plies):
            raise LIBRARY.refused("no-such-ply", ply=count, plies=len(self.plies))
        kernel = self.game.kernel
        rows = as_rows(self.start.row)
        actions = np.array([ply.action for ply in self.plies[:count]], dtype=np.int64)
        played = kernel.replay(rows, 0, actions, np.empty((count, 2), dtype=np.int64))
        if played < count:
            action = self.plies[played].action
            refused = self.game.explain_refusal(rows.tobytes(), action, kernel.refusal(rows, 0, action))
            raise within(refused, "in_ply", played)
        return self.start.at(rows.tobytes())

    @property
    def last(self) -> S:
        """The position after the last ply."""
        if self._last is None:
            object.__setattr__(self, "_last", self.position())
        assert self._last is not None
        return self._last

    def replayed_to(self, row: bytes) -> None:
        """Take over the last position from a caller who has just replayed all plies."""
        object.__setattr__(self, "_last", self.start.at(row))

    def play(self, move: str | SupportsIndex, *, by: int | None = None) -> Self:
        """The record with one more ply."""
        position = self.last
        action = position.action(move)
        after = position.play(action, by=by)
        longer = replace(self, plies=(*self.plies, Ply(position.actor, action)))
        object.__setattr__(longer, "_last", after)
        return longer

    def upto(self, count: int) -> Self:
        """The record of the first `count` plies."""
        if not 0 <= count <= len(self.plies):
            raise LIBRARY.refused("no-such-ply", ply=count, plies=len(self.plies))
        comments = {at: text for at, text in self.comments.items() if at <= count}
        return replace(self, plies=self.plies[:count], comments=comments)

    def comment(self, text: str) -> Self:
        """The record with a comment after its last ply; it replaces an existing one."""
        return replace(self, comments={**self.comments, len(self.plies): text})

    @property
    def chance_plies(self) -> int:
        """The number of plies of chance."""
        return sum(ply.actor == CHANCE for ply in self.plies)

    @property
    def result(self) -> str:
        """The final scores such as `45-38`, `*` while the game goes on."""
        outcome = self.last.outcome
        return "-".join(map(str, outcome.scores)) if outcome else "*"

    @property
    def text(self) -> str:
        """The record as text, as it is written to a file."""
        from tilery.core.record_text import write_record

        return write_record(self)

    def __str__(self) -> str:
        return self.text

    def svg(self, ply: int | None = None, *, counts: bool = False) -> str:
        """A picture of the position after `ply` plies (by default all), the last one highlighted."""
        count = len(self.plies) if ply is None else ply
        position = self.position(count)
        while count > 1 and self.game.hidden_information and self.plies[count - 1].actor == CHANCE:
            count -= 1  # hidden outcomes of chance show nothing: highlight the move before them
        return position.svg(self.plies[count - 1] if count else None, self.players, counts=counts)

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True)
class Record(BaseRecord[Position]):
    """A game with nothing hidden, finished or not: the only form in which games are stored."""

    __hash__ = BaseRecord.__hash__

    def seen_by(self, seat: int) -> SeenRecord:
        """The record as one seat (or SPECTATOR) saw it. Comments and the seed are left out: they could reveal hidden
        cards."""
        plies = []
        position = self.start
        for ply in self.plies:
            plies.append(Ply(ply.actor, position.veiled(ply.action, seat)))
            position = position.play(ply.action)
        tags = {name: value for name, value in self.tags.items() if name != "Seed"}
        return SeenRecord(self.start.seen_by(seat), tuple(plies), self.players, tags)


@dataclass(frozen=True)
class SeenRecord(BaseRecord[Seen]):
    """A game as one seat saw it. `record.seen_by(seat).position(n)` is `record.position(n).seen_by(seat)`."""

    __hash__ = BaseRecord.__hash__

    @property
    def seat(self) -> int:
        """The viewer whose record this is: a seat or SPECTATOR."""
        return self.start.seat
