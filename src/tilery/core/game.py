"""A game is a value: its kernel, its texts and its pictures. Variants are values too, written into the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tilery.core.jit import prepare
from tilery.core.outcome import Outcome
from tilery.core.refusals import Refused
from tilery.core.text import Reader, listed

if TYPE_CHECKING:
    from tilery.core.position import Position, Seen

Rows = NDArray[np.uint8]
Ints = NDArray[np.int64]
Actions = NDArray[np.int32]  # a list of actions
Floats = NDArray[np.float64]

# A line of a printed board: pieces of text, each with a style ("" for plain).
Span = tuple[str, str]
Line = list[Span]


@dataclass(frozen=True, eq=False)
class Kernel:
    """The compiled functions of a game. All work in place on row i of `rows: uint8[n, width]`."""

    name: str
    width: int
    most_legal: int
    setup: Callable[[Rows, int, Ints], None]
    actor: Callable[[Rows, int], int]
    legal: Callable[[Rows, int, Actions], int]
    refusal: Callable[[Rows, int, int], int]
    odds: Callable[[Rows, int, Actions, Floats], int]
    draw: Callable[[Rows, int, Ints], int]
    apply: Callable[[Rows, int, int], None]
    settle: Callable[[Rows, int, Ints], None]
    scores: Callable[[Rows, int, Ints], None]
    result: Callable[[Rows, int, Floats], int]
    hide: Callable[[Rows, int, int], None]
    guess: Callable[[Rows, int, int, Ints], None]
    veil: Callable[[Rows, int, int, int], int]
    playout: Callable[[Rows, int, int, Ints, int, Actions], int]
    signatures: Mapping[Any, str] = field(repr=False)

    @cached_property
    def ready(self) -> Kernel:
        """The same kernel, compiled (by the first thread that asks)."""
        prepare(self.name, self.signatures)
        return self

    def new_list(self) -> Actions:
        """Room for a list of legal actions."""
        return np.empty(self.most_legal, dtype=np.int32)

    def new_rows(self, count: int) -> Rows:
        """Room for so many positions."""
        return np.zeros((count, self.width), dtype=np.uint8)


class Rules(Protocol):
    """A variant of a game: frozen, comparable, and written as one short text."""

    @property
    def seats(self) -> int: ...
    @property
    def sides(self) -> int:
        """How many sides share a win; seat s plays for side s modulo this."""
        ...

    @property
    def text(self) -> str: ...
    @property
    def options(self) -> Sequence[int]:
        """The numbers that the kernel's `setup` takes."""
        ...


@dataclass(frozen=True)
class Count:
    """One line of a final score's breakdown: what it is for, and the points of each seat."""

    what: str
    points: tuple[int, ...]


def _at_home(home: str) -> Any:
    module, name = home.split(":")
    return getattr(import_module(module), name)


@dataclass(frozen=True, eq=False)
class Game:
    """Everything the house needs to know about one game. Listed in `tilery.games.GAMES`."""

    name: str
    family: str  # games of one family share their kernel
    title: str
    version: int
    home: str  # module:name of this value, by which pickles find it
    seats: tuple[int, ...]
    rules: Rules  # the variant a newcomer gets
    words: Mapping[str, str]  # what the edition calls its things
    theme: str  # of its pictures
    styles: Mapping[str, str]  # of a printed board, in the words of rich
    help: str  # the rules in short, for the terminal
    secret: bool  # whether seats see different things
    typed: tuple[str, str]  # what a player types for a move, and what may be typed instead
    kernel_source: Kernel = field(repr=False)
    read_rules: Callable[[Reader], Rules] = field(repr=False)
    rules_of: Callable[[bytes], Rules] = field(repr=False)
    read_row: Callable[[Game, Reader], bytes] = field(repr=False)
    write_row: Callable[[Game, bytes], str] = field(repr=False)
    viewer_of: Callable[[bytes], int | None] = field(repr=False)  # the seat (or SPECTATOR) whose view a row is
    read_move: Callable[[bytes, str], int] = field(repr=False)
    write_move: Callable[[bytes, int], str] = field(repr=False)
    tidy_move: Callable[[str], str] = field(repr=False)  # what a person typed, as notation would have it
    listed_by: Callable[[str], str] = field(repr=False)  # the part of a move by which long lists are broken
    tell_move: Callable[[Game, bytes, int], str] = field(repr=False)  # in words
    effects: Callable[[Game, bytes, int], dict[str, Any]] = field(repr=False)  # what a legal move does, as JSON would
    why_not: Callable[[bytes, int, int], Refused] = field(repr=False)
    round_of: Callable[[bytes], int] = field(repr=False)
    outcome_of: Callable[[Game, bytes], Outcome | None] = field(repr=False)
    tidy_variant: Callable[[str], str] = field(repr=False)  # what a person typed behind the number of seats
    at_table: Callable[[Any], Rules] = field(repr=False)  # a variant with the limits that tables play with
    variants: Sequence[tuple[str, str]] = field(repr=False)  # for menus: text, what it is
    endings: Sequence[str] = field(repr=False)  # what the numbers of `kernel.result` mean
    breakdown: Callable[[Game, bytes], Sequence[Count]] = field(repr=False)
    view: Callable[[bytes], Mapping[str, Any]] = field(repr=False)
    json: Callable[[bytes], str] = field(repr=False)  # the view as JSON
    board: Callable[[Game, bytes, Sequence[str]], list[Line]] = field(repr=False)
    svg: Callable[[Game, bytes, tuple[int, int] | None, Sequence[str], bool], str] = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _at_home, (self.home,)

    @property
    def kernel(self) -> Kernel:
        """The compiled rules; the first use may compile them, and says so."""
        return self.kernel_source.ready

    def variant(self, text: str) -> Rules:
        """Read a variant such as `2,grey`."""
        reader = Reader(text, longest=200, what="a variant")
        rules = self.read_rules(reader)
        reader.end()
        return rules

    def new(self, rules: Rules | str | None = None, /, **changes: Any) -> Position:
        """The first position of a game: `game.new()`, `game.new("3,grey")`, `game.new(seats=3, wall="grey")`."""
        from tilery.core.position import Position

        base = self.variant(rules) if isinstance(rules, str) else rules or self.rules
        known = [option.name for option in fields(base)]  # type: ignore[arg-type]
        for name in changes:
            if name not in known:
                raise Refused(f"{self.name} has no option {name}: expected {listed(known)}")
        chosen: Rules = replace(base, **changes)  # type: ignore[type-var]
        rows = self.kernel.new_rows(1)
        self.kernel.setup(rows, 0, np.array(chosen.options, dtype=np.int64))
        return Position(self, rows.tobytes())

    def read_any(self, text: str) -> Position | Seen:
        """Read a position, or what a seat sees of one."""
        from tilery.core.position import Position, Seen

        reader = Reader(text, longest=4000, what="a position")
        row = self.read_row(self, reader)
        reader.end()
        viewer = self.viewer_of(row)
        return Position(self, row) if viewer is None else Seen(self, row, viewer)

    def read(self, text: str) -> Position:
        """Read a position."""
        from tilery.core.position import Seen, actor_name

        found = self.read_any(text)
        if isinstance(found, Seen):
            raise Refused(f"this is only what {actor_name(found.seat)} sees: a whole position was expected")
        return found

    def read_seen(self, text: str, seat: int) -> Seen:
        """Read what a seat (or SPECTATOR) sees of a position; of a whole position, it is the part that it sees."""
        from tilery.core.position import Seen, actor_name

        found = self.read_any(text)
        if not isinstance(found, Seen):
            return found.seen_by(seat)
        if found.seat != seat:
            raise Refused(f"this is what {actor_name(found.seat)} sees, not {actor_name(seat)}")
        return found
