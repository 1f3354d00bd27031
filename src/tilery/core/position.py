"""Positions: immutable, hashable, without a history. `Seen` is what one seat (or a spectator) knows of a position."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, Self, SupportsIndex

import msgspec
import numpy as np

from tilery.core.effects import Effect
from tilery.core.game import Game, Rows, Rules, as_rows
from tilery.core.kernel.actors import CHANCE, SPECTATOR
from tilery.core.move import Move
from tilery.core.outcome import Outcome
from tilery.core.refusals import Refused
from tilery.core.sentences import LIBRARY, actor_argument, write_actor
from tilery.core.streams import Stream


def actor_name(actor: int) -> str:
    """`seat 1`, `chance` or `a spectator`, for messages. Texts count seats from 1."""
    return write_actor(actor_argument(actor))


def _as_action(move: SupportsIndex) -> int:
    try:
        number = index(move)
    except TypeError:
        raise LIBRARY.not_a_move("move-type", found=repr(move)[:40]) from None
    if abs(number) >> 31:
        raise LIBRARY.not_a_move("not-a-number", number=number)  # it would overflow in a compiled function
    return number


class BasePosition:
    """What `Position` and `Seen` have in common: everything that follows from a row."""

    __slots__ = ("_rows", "game", "row")

    game: Game
    row: bytes
    _rows: Rows

    def __init__(self, game: Game, row: bytes) -> None:
        if len(row) != game.kernel.width:
            raise LIBRARY.refused("row-width", game=game.name, width=game.kernel.width, length=len(row))
        assign = object.__setattr__
        assign(self, "game", game)
        assign(self, "row", row)
        # Kernels require writable arrays; this copy is never written to.
        assign(self, "_rows", as_rows(row))

    def at(self, row: bytes) -> Self:
        """An object of the same class with another row."""
        return type(self)(self.game, row)

    @classmethod
    def _taking(cls, game: Game, rows: Rows) -> Self:
        """An object that takes over `rows` (nothing else may refer to them)."""
        made = object.__new__(cls)
        assign = object.__setattr__
        assign(made, "game", game)
        assign(made, "row", rows.tobytes())
        assign(made, "_rows", rows)
        return made

    def _with(self, rows: Rows) -> Self:
        """An object of the same class that takes over `rows`."""
        return self._taking(self.game, rows)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a position never changes: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a position never changes: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.game is other.game and self.row == other.row

    def __hash__(self) -> int:
        return hash((self.game.name, self.row))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.row)

    @property
    def rules(self) -> Rules:
        """The variant being played."""
        return self.game.rules_of(self.row)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.rules.seats

    @property
    def actor(self) -> int:
        """Whose turn it is: a seat (from 0), CHANCE or OVER."""
        return self.game.kernel.actor(self._rows, 0)

    def actions(self) -> list[int]:
        """All legal actions (the numbers of the moves), sorted."""
        out = self.game.kernel.new_list()
        count = self.game.kernel.legal(self._rows, 0, out)
        actions: list[int] = out[:count].tolist()
        return actions

    def moves(self) -> list[Move]:
        """All legal moves; when chance acts, all outcomes."""
        return self.game.moves_of(self.row, self.actions())

    def scores(self) -> tuple[int, ...]:
        """The current score of each seat; after the end including all bonuses."""
        out = np.zeros(self.seats, dtype=np.int64)
        self.game.kernel.scores(self._rows, 0, out)
        return tuple(out.tolist())

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.game.outcome_of(self.row)

    @property
    def round(self) -> int:
        """The round being played, from 1."""
        return self.game.kernel.round_number(self._rows, 0)

    @property
    def text(self) -> str:
        """The position as one line of text; two positions are equal exactly when their texts are."""
        return self.game.write_row(self.row)

    @property
    def view(self) -> dict[str, Any]:
        """The position in plain values, ready for `json.dumps`."""
        plain: dict[str, Any] = msgspec.to_builtins(self.game.view(self.row))
        return plain

    def json(self) -> str:
        """The view as one line of JSON."""
        return msgspec.json.encode(self.game.view(self.row)).decode()

    def action(self, move: str | SupportsIndex) -> int:
        """The action behind a move, legal or not."""
        return self.game.read_move(self.row, move) if isinstance(move, str) else _as_action(move)

    def move(self, move: str | SupportsIndex) -> Move:
        """A legal move, given as a text or an action, with its notation and its parts."""
        return self.game.move_of(self.row, self._legal(move))

    def read_move(self, typed: str) -> Move:
        """A legal move as a person types it: in lower case, with blanks, the colours in any order."""
        return self.move(self.game.normalise_move(typed))

    def move_text(self, action: int) -> str:
        """The notation of a legal action."""
        return self.game.write_move(self.row, action)

    def _legal(self, move: str | SupportsIndex) -> int:
        """The action behind a legal move; raises `Refused` for any other."""
        action = self.action(move)
        code = self.game.kernel.refusal(self._rows, 0, action)
        if code:
            raise self.game.explain_refusal(self.row, action, code)
        return action

    def describe(self, move: str | SupportsIndex) -> str:
        """A legal move in words."""
        return self.game.describe_move(self.row, self._legal(move))

    def effects(self, move: str | SupportsIndex) -> tuple[Effect, ...]:
        """What a legal move (or outcome of chance) does, in the order in which it happens: tiles taken and placed,
        points, cards laid. A `Seen` says what its viewer learns of it."""
        return self.game.effects(self.row, self._legal(move))

    def describe_effects(self, move: str | SupportsIndex, names: Sequence[str] = ()) -> list[str]:
        """What a legal move does, in sentences with numbers and points. Without `names`, players are called by their
        seats."""
        called = [*names, *(f"Seat {seat + 1}" for seat in range(len(names), self.seats))]
        return self.game.describe_effects(self.row, self.effects(move), called)

    def refusal(self, move: str | SupportsIndex) -> Refused | None:
        """Why a move is not legal here; None if it is legal."""
        try:
            action = self.action(move)
        except Refused as refused:
            return refused
        code = self.game.kernel.refusal(self._rows, 0, action)
        return self.game.explain_refusal(self.row, action, code) if code else None

    def play(self, move: str | SupportsIndex, *, by: int | None = None) -> Self:
        """The position after a move (text or action). With `by`, it must be the turn of that actor."""
        kernel = self.game.kernel
        if by is not None and by != self.actor:
            raise LIBRARY.not_your_turn("not-your-turn", actor=actor_argument(self.actor), by=actor_argument(by))
        action = self.game.read_move(self.row, move) if isinstance(move, str) else _as_action(move)
        code = kernel.refusal(self._rows, 0, action)
        if code:
            raise self.game.explain_refusal(self.row, action, code)
        rows = self._rows.copy()
        kernel.apply(rows, 0, action)
        return self._with(rows)

    def __str__(self) -> str:
        lines = self.game.board(self.row, ())
        return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text}>"

    def svg(self, last: tuple[int, int] | None = None, names: Sequence[str] = (), *, counts: bool = False) -> str:
        """An SVG picture. `last` is the ply (actor, action) that led here, highlighted; `counts` adds what players
        would have to count (in Schokoly the sizes of groups and the edges of neutral ones)."""
        return self.game.svg(self.row, last, names, counts)

    def _repr_svg_(self) -> str:
        return self.svg()


class Position(BasePosition):
    """The complete state of a game, without its history."""

    __slots__ = ()

    def probabilities(self) -> dict[str, float]:
        """The exact probability of every outcome of chance, by move; raises `Refused` unless chance acts."""
        kernel = self.game.kernel
        if self.actor != CHANCE:
            raise LIBRARY.refused("not-chance", actor=actor_argument(self.actor))
        out = kernel.new_list()
        p = np.empty(kernel.max_legal, dtype=np.float64)
        count = kernel.probabilities(self._rows, 0, out, p)
        return {self.move_text(int(out[k])): float(p[k]) for k in range(count)}

    def draw(self, stream: Stream) -> int:
        """One outcome of chance, drawn with its probability; raises `Refused` unless chance acts."""
        if self.actor != CHANCE:
            raise LIBRARY.refused("not-chance", actor=actor_argument(self.actor))
        return self.game.kernel.draw(self._rows, 0, stream.generators())

    def settle(self, stream: Stream) -> Position:
        """The position after chance has acted until it is a seat's turn or the game is over."""
        rows = self._rows.copy()
        self.game.kernel.settle(rows, 0, stream.generators())
        return self._with(rows)

    def _check_viewer(self, seat: int) -> None:
        if seat != SPECTATOR and not 0 <= seat < self.seats:
            raise LIBRARY.refused("no-such-seat", index=seat, last=self.seats - 1)

    def seen_by(self, seat: int) -> Seen:
        """What a seat knows of this position. SPECTATOR, who has no seat, knows what everybody knows."""
        self._check_viewer(seat)
        rows = self._rows.copy()
        self.game.kernel.hide(rows, 0, seat)
        seen = Seen._taking(self.game, rows)
        object.__setattr__(seen, "seat", seat)
        return seen

    def veiled(self, move: str | SupportsIndex, seat: int) -> int:
        """A legal move as a seat (or SPECTATOR) sees it: an action without the cards that are hidden from it."""
        self._check_viewer(seat)
        action = self.action(move)
        refused = self.refusal(action)
        if refused:
            raise refused
        return self.game.kernel.veil(self._rows, 0, action, seat)


class Seen(BasePosition):
    """A position as one seat or a spectator knows it. Bots and browsers receive nothing else."""

    __slots__ = ("seat",)

    seat: int  # or SPECTATOR

    def __init__(self, game: Game, row: bytes, seat: int) -> None:
        super().__init__(game, row)
        object.__setattr__(self, "seat", seat)

    def at(self, row: bytes) -> Self:
        return type(self)(self.game, row, self.seat)

    def _with(self, rows: Rows) -> Self:
        copy = super()._with(rows)
        object.__setattr__(copy, "seat", self.seat)
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and self.seat == other.seat and super().__eq__(other)

    def __hash__(self) -> int:
        return hash((self.seat, self.game.name, self.row))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.row, self.seat)

    def guess(self, stream: Stream) -> Position:
        """A random position that is consistent with what this viewer knows, drawn with its probability (a
        determinization)."""
        rows = self._rows.copy()
        self.game.kernel.guess(rows, 0, self.seat, stream.generators())
        world = Position(self.game, rows.tobytes())
        if world.seen_by(self.seat) != self:
            raise LIBRARY.refused("no-such-world", viewer=actor_argument(self.seat))
        return world
