"""Positions: immutable, hashable, without a past. `Seen` is what one seat (or a spectator) knows of a position."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, Self, SupportsIndex

import numpy as np

from tilery.core.game import Game, Rows, Rules
from tilery.core.kernel.actors import CHANCE, OVER, SPECTATOR
from tilery.core.outcome import Outcome
from tilery.core.refusals import NotAMove, NotYourTurn, Refused
from tilery.core.streams import Stream

NAMES = {CHANCE: "chance", OVER: "nobody: the game is over", SPECTATOR: "a spectator"}


def actor_name(actor: int) -> str:
    """`seat 1`, or who else acts or looks on. Texts count seats from 1, as people do."""
    return NAMES.get(actor) or f"seat {actor + 1}"


def _whole(move: SupportsIndex) -> int:
    try:
        number = index(move)
    except TypeError:
        raise NotAMove(f"a move is a text or a whole number, not {move!r}") from None
    if abs(number) >> 31:
        raise NotAMove(f"{number} is not the number of an action")  # and would not fit a compiled function
    return number


class Standing:
    """What positions and seen positions have in common: all that can be read off a row."""

    __slots__ = ("_rows", "game", "row")

    game: Game
    row: bytes
    _rows: Rows

    def __init__(self, game: Game, row: bytes) -> None:
        if len(row) != game.kernel.width:
            raise Refused(f"a row of {game.name} has {game.kernel.width} bytes, this one has {len(row)}")
        keep = object.__setattr__
        keep(self, "game", game)
        keep(self, "row", row)
        # Kernels want writable arrays; this copy is only ever read.
        keep(self, "_rows", np.frombuffer(bytearray(row), dtype=np.uint8).reshape(1, -1))

    def at(self, row: bytes) -> Self:
        """The same kind of thing with another row."""
        return type(self)(self.game, row)

    def _with(self, rows: Rows) -> Self:
        """The same kind of thing with other rows, which nobody else has."""
        made = object.__new__(type(self))
        keep = object.__setattr__
        keep(made, "game", self.game)
        keep(made, "row", rows.tobytes())
        keep(made, "_rows", rows)
        return made

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
        """The variant that is played."""
        return self.game.rules_of(self.row)

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self.rules.seats

    @property
    def actor(self) -> int:
        """Whose turn it is: a seat (from 0), CHANCE or OVER."""
        return self.game.kernel.actor(self._rows, 0)

    def actions(self) -> list[int]:
        """All legal actions, sorted: the numbers behind the moves."""
        out = self.game.kernel.new_list()
        count = self.game.kernel.legal(self._rows, 0, out)
        actions: list[int] = out[:count].tolist()
        return actions

    def moves(self) -> list[str]:
        """All legal moves, in the game's notation (for chance: all outcomes)."""
        row, write = self.row, self.game.write_move
        return [write(row, action) for action in self.actions()]

    def scores(self) -> tuple[int, ...]:
        """The score of each seat now; after the end with all bonuses."""
        out = np.zeros(self.seats, dtype=np.int64)
        self.game.kernel.scores(self._rows, 0, out)
        return tuple(out.tolist())

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.game.outcome_of(self.game, self.row)

    @property
    def round(self) -> int:
        """The round being played, from 1."""
        return self.game.round_of(self.row)

    @property
    def text(self) -> str:
        """The position as one line of text; two positions are equal exactly when their texts are."""
        return self.game.write_row(self.game, self.row)

    @property
    def view(self) -> dict[str, Any]:
        """The position in plain values, as JSON would have it."""
        return dict(self.game.view(self.row))

    def json(self) -> str:
        """The view as one line of JSON."""
        return self.game.json(self.row)

    def action(self, move: str | SupportsIndex) -> int:
        """The number of a move, whether it is legal or not."""
        return self.game.read_move(self.row, move) if isinstance(move, str) else _whole(move)

    def move_text(self, action: int) -> str:
        """The notation of a legal action."""
        return self.game.write_move(self.row, action)

    def _legal(self, move: str | SupportsIndex) -> int:
        """The number of a legal move; any other is refused."""
        action = self.action(move)
        code = self.game.kernel.refusal(self._rows, 0, action)
        if code:
            raise self.game.why_not(self.row, action, code)
        return action

    def tell(self, move: str | SupportsIndex) -> str:
        """A legal move in words."""
        return self.game.tell_move(self.game, self.row, self._legal(move))

    def effects(self, move: str | SupportsIndex) -> dict[str, Any]:
        """What a legal move does, in plain values: points, what is placed and what is lost. It differs from game to
        game; of what chance does there is nothing to tell."""
        return self.game.effects(self.game, self.row, self._legal(move))

    def refusal(self, move: str | SupportsIndex) -> Refused | None:
        """Why a move is not legal here, None if it is."""
        try:
            action = self.action(move)
        except Refused as refused:
            return refused
        code = self.game.kernel.refusal(self._rows, 0, action)
        return self.game.why_not(self.row, action, code) if code else None

    def play(self, move: str | SupportsIndex, *, by: int | None = None) -> Self:
        """What it is after a move (text or action); `by` says whose it is, if that is to be checked."""
        kernel = self.game.kernel
        if by is not None and by != self.actor:
            raise NotYourTurn(f"it is not the turn of {actor_name(by)}: {actor_name(self.actor)} acts")
        action = self.game.read_move(self.row, move) if isinstance(move, str) else _whole(move)
        code = kernel.refusal(self._rows, 0, action)
        if code:
            raise self.game.why_not(self.row, action, code)
        rows = self._rows.copy()
        kernel.apply(rows, 0, action)
        return self._with(rows)

    def __str__(self) -> str:
        lines = self.game.board(self.game, self.row, ())
        return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text}>"

    def svg(self, last: tuple[int, int] | None = None, names: Sequence[str] = (), *, counts: bool = False) -> str:
        """A picture; `last` is the ply (actor, action) that led here, to be highlighted. With `counts` it shows what
        people would have to count (in Schokoly the sizes of groups and the edges of neutral ones)."""
        return self.game.svg(self.game, self.row, last, names, counts)

    def _repr_svg_(self) -> str:
        return self.svg()


class Position(Standing):
    """Everything about a moment of a game but its past."""

    __slots__ = ()

    def odds(self) -> dict[str, float]:
        """For a step of chance: the exact odds of every outcome."""
        kernel = self.game.kernel
        if self.actor != CHANCE:
            raise Refused(f"chance has nothing to decide here: {actor_name(self.actor)} acts")
        out = kernel.new_list()
        p = np.empty(kernel.most_legal, dtype=np.float64)
        count = kernel.odds(self._rows, 0, out, p)
        return {self.move_text(int(out[k])): float(p[k]) for k in range(count)}

    def draw(self, stream: Stream) -> int:
        """For a step of chance: one outcome, drawn with its odds."""
        if self.actor != CHANCE:
            raise Refused(f"chance has nothing to decide here: {actor_name(self.actor)} acts")
        return self.game.kernel.draw(self._rows, 0, stream.generators())

    def settle(self, stream: Stream) -> Position:
        """Let chance act until a seat has to, or the game is over."""
        rows = self._rows.copy()
        self.game.kernel.settle(rows, 0, stream.generators())
        return Position(self.game, rows.tobytes())

    def _check_viewer(self, seat: int) -> None:
        if seat != SPECTATOR and not 0 <= seat < self.seats:
            raise Refused(f"there is no seat {seat}: seats are 0 to {self.seats - 1}")

    def seen_by(self, seat: int) -> Seen:
        """What a seat knows of this position; SPECTATOR is somebody without a seat, who knows what all know."""
        self._check_viewer(seat)
        rows = self._rows.copy()
        self.game.kernel.hide(rows, 0, seat)
        return Seen(self.game, rows.tobytes(), seat)

    def veiled(self, move: str | SupportsIndex, seat: int) -> int:
        """What a seat (or SPECTATOR) sees of a legal move, as an action: without cards that are hidden from it."""
        self._check_viewer(seat)
        action = self.action(move)
        refused = self.refusal(action)
        if refused:
            raise refused
        return self.game.kernel.veil(self._rows, 0, action, seat)


class Seen(Standing):
    """A position as one seat or a spectator knows it: the only thing a bot or a browser receives."""

    __slots__ = ("seat",)

    seat: int  # or SPECTATOR

    def __init__(self, game: Game, row: bytes, seat: int) -> None:
        super().__init__(game, row)
        object.__setattr__(self, "seat", seat)

    def at(self, row: bytes) -> Self:
        return type(self)(self.game, row, self.seat)

    def _with(self, rows: Rows) -> Self:
        made = super()._with(rows)
        object.__setattr__(made, "seat", self.seat)
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and self.seat == other.seat and super().__eq__(other)

    def __hash__(self) -> int:
        return hash((self.seat, self.game.name, self.row))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.row, self.seat)

    def guess(self, stream: Stream) -> Position:
        """One of the worlds this could be, each with the odds it has for this seat (or a spectator)."""
        rows = self._rows.copy()
        self.game.kernel.guess(rows, 0, self.seat, stream.generators())
        world = Position(self.game, rows.tobytes())
        if world.seen_by(self.seat) != self:
            raise Refused(f"no world was found in which {actor_name(self.seat)} would see this")
        return world
