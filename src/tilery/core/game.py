"""The interface that every game implements: the rules kernel, texts, views and pictures.

To add a game, subclass `Game`, override every abstract method and list the instance in `tilery.games.GAMES`;
`tests/contract/test_game_class.py` lists these methods. A position is one row of bytes, which includes the variant
(`Rules`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from tilery.core.effects import Effect
from tilery.core.jit import prepare
from tilery.core.move import Move
from tilery.core.outcome import Outcome
from tilery.core.refusals import Argument, Refused, Sentences
from tilery.core.sentences import LIBRARY, actor_argument, word_list
from tilery.core.text import Reader
from tilery.core.view import View, ViewChanges, view_changes

if TYPE_CHECKING:
    from tilery.core.position import Position, Seen

Rows = NDArray[np.uint8]
Ints = NDArray[np.int64]
Actions = NDArray[np.int32]  # a list of actions
Floats = NDArray[np.float64]

MAX_POSITION_CHARACTERS = 4000

# A line of a printed board: spans of text, each with a style ("" for plain).
Span = tuple[str, str]
StyledLine = list[Span]


def as_rows(row: bytes, other: bytes = b"") -> Rows:
    """A writable copy of one row or two, in the shape (rows, width) that kernels work on."""
    return np.ndarray((2 if other else 1, len(row)), np.uint8, bytearray(row + other))


@dataclass(frozen=True, eq=False)
class Kernel:
    """The compiled functions of a game. Each works in place on row i of `rows: uint8[n, width]`."""

    name: str  # for messages
    width: int  # bytes of a row
    max_legal: int  # the length of an array for any list of legal actions
    setup: Callable[[Rows, int, Ints], None]  # (rows, i, options): the first position of a variant
    actor: Callable[[Rows, int], int]  # the seat whose turn it is, CHANCE or OVER
    round_number: Callable[[Rows, int], int]  # the round being played, from 1
    legal: Callable[[Rows, int, Actions], int]  # (rows, i, out): writes all legal actions, sorted; returns their number
    refusal: Callable[[Rows, int, int], int]  # (rows, i, action): 0 if legal, else the code of a reason
    probabilities: Callable[[Rows, int, Actions, Floats], int]  # (rows, i, out, p): writes all outcomes of chance
    draw: Callable[[Rows, int, Ints], int]  # (rows, i, rng): a random outcome of chance
    apply: Callable[[Rows, int, int], None]  # (rows, i, action): plays a legal action
    replay: Callable[[Rows, int, Ints, Ints], int]  # (rows, i, actions, plies): plays actions while they are legal
    settle: Callable[[Rows, int, Ints], None]  # (rows, i, rng): lets chance act until it is a seat's turn
    scores: Callable[[Rows, int, Ints], None]  # (rows, i, out): writes the current scores
    result: Callable[[Rows, int, Floats], int]  # (rows, i, shares): writes shares of the win; returns the ending, or 0
    hide: Callable[[Rows, int, int], None]  # (rows, i, viewer): removes what the viewer cannot know
    guess: Callable[[Rows, int, int, Ints], None]  # (rows, i, viewer, rng): fills in at random what `hide` removed
    veil: Callable[[Rows, int, int, int], int]  # (rows, i, action, viewer): the action as the viewer sees it
    playout: Callable[[Rows, int, int, Ints, int, Actions], int]  # (rows, first, last, rng, max_moves, out): at random
    signatures: Mapping[Any, str] = field(repr=False)  # function: its argument types, see `jit.prepare`

    @cached_property
    def ready(self) -> Kernel:
        """This kernel, compiled. The first thread that needs it compiles it."""
        prepare(self.name, self.signatures)
        return self

    def new_list(self) -> Actions:
        """An uninitialised array, long enough for any list of legal actions."""
        return np.empty(self.max_legal, dtype=np.int32)

    def new_rows(self, count: int) -> Rows:
        """Rows of zeros for `count` positions."""
        return np.zeros((count, self.width), dtype=np.uint8)


class Rules(Protocol):
    """A variant of a game: immutable, comparable, and written as one short text."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        ...

    @property
    def sides(self) -> int:
        """The number of sides. Seat s plays for side `s % sides`; the seats of a side win together."""
        ...

    @property
    def text(self) -> str:
        """The variant as text, such as `2,grey`; equal variants have equal texts."""
        ...

    @property
    def options(self) -> Sequence[int]:
        """The numbers that the kernel's `setup` expects."""
        ...


@dataclass(frozen=True)
class ScoreItem:
    """One item of a score breakdown: what the points are for, as a code and in words, and the points of each seat."""

    code: str
    what: str
    points: tuple[int, ...]
    arguments: Mapping[str, Argument] = field(default_factory=dict)  # of the code


def _import_game(path: str) -> Any:
    """Import a game by its `import_path`, such as `tilery.games.azul:AZUL`."""
    module, name = path.split(":")
    return getattr(import_module(module), name)


@dataclass(frozen=True, eq=False)
class Game(ABC):
    """One game: its facts as fields, its behaviour as methods. Games are listed in `tilery.games.GAMES`.

    A subclass (`AzulGame`) implements a family of games; its instances (`AZUL`, `CHOCOLATIER`) are the editions.
    Methods work on a row, the bytes of a position. Those that need nothing but the row are assigned as
    `write_move = staticmethod(write_move)`, which saves a call for every move.
    """

    name: str
    family: str  # games of one family share their kernel
    title: str
    version: int  # of its notation; texts of earlier versions are still read
    import_path: str  # module:name of this instance, used by pickle
    seats: tuple[int, ...]
    rules: Rules  # the default variant
    words: Mapping[str, str]  # what this edition calls its components
    theme: str  # the theme of its pictures
    styles: Mapping[str, str]  # the rich styles of a printed board
    help: str  # a summary of the rules, for the terminal
    hidden_information: bool  # whether some information is hidden from some seats
    move_help: tuple[str, str]  # an entry of the command help: what to type for a move, and a description
    variants: Sequence[tuple[str, str]] = field(repr=False)  # for menus: text, description
    sentences: Sentences = field(repr=False)  # the English sentences of its refusals
    endings: Sequence[str] = field(repr=False)  # names for the endings that `kernel.result` returns
    kernel_source: Kernel = field(repr=False)

    move_type: ClassVar[Any]  # the union of its kinds of moves
    effect_type: ClassVar[Any]  # the union of its kinds of effects
    view_type: ClassVar[type[View]]

    def __reduce__(self) -> tuple[Any, ...]:
        return _import_game, (self.import_path,)

    def in_version(self, version: int) -> Game:  # noqa: ARG002
        """This game with the notation of an earlier version: the rows and actions are the same."""
        return self

    # Rules and variants

    @abstractmethod
    def read_rules(self, reader: Reader) -> Rules:
        """Read a variant as `Rules.text` writes it, such as `2,grey`."""

    @abstractmethod
    def rules_of(self, row: bytes) -> Rules:
        """The variant that a row is played with."""

    @abstractmethod
    def normalise_variant(self, text: str) -> str:
        """Options as a person types them, without the number of seats, in the notation of `Rules.text`."""

    @abstractmethod
    def with_table_limits(self, rules: Any) -> Rules:
        """The variant with the limits that tables and matches add, so that every game ends."""

    # Moves as texts

    @abstractmethod
    def read_move(self, row: bytes, text: str) -> int:
        """The action behind a move in notation, legal or not; raises `NotAMove`."""

    @abstractmethod
    def write_move(self, row: bytes, action: int) -> str:
        """The notation of an action that is legal in this row."""

    @property
    def moves_by_text(self) -> Mapping[str, int]:
        """Moves, by their notation, that need no position to be read or written, perhaps only some or none. Long
        records are read faster by them."""
        return {}

    @abstractmethod
    def normalise_move(self, text: str) -> str:
        """A move as a person types it (`3r2`), in notation (`3R2`)."""

    @abstractmethod
    def move_of(self, row: bytes, action: int) -> Move:
        """An action that is legal in this row, with its notation and its parts."""

    def moves_of(self, row: bytes, actions: Sequence[int]) -> list[Move]:
        """The same for many actions; a game may do this faster."""
        return [self.move_of(row, action) for action in actions]

    @abstractmethod
    def group_key(self, move: Move) -> str:
        """The part of a move by which a long list of moves is grouped."""

    @abstractmethod
    def describe_move(self, row: bytes, action: int) -> str:
        """A legal action in words."""

    @abstractmethod
    def explain_refusal(self, row: bytes, action: int, code: int) -> Refused:
        """The exception for a code that the kernel's `refusal` returned."""

    # Positions as texts and values

    @abstractmethod
    def read_row(self, reader: Reader) -> bytes:
        """Read a position (or what a seat sees of one); raises `BadText` if it contradicts the rules."""

    @abstractmethod
    def write_row(self, row: bytes) -> str:
        """A position as one line of text, see docs/notation.md."""

    @abstractmethod
    def viewer_of(self, row: bytes) -> int | None:
        """The seat (or SPECTATOR) whose view a row is; None for a whole position."""

    def round_of(self, row: bytes) -> int:
        """The round being played, from 1."""
        return self.kernel.round_number(as_rows(row), 0)

    @abstractmethod
    def view(self, row: bytes) -> View:
        """The position as a typed value."""

    def view_changes(self, before: bytes, after: bytes) -> ViewChanges:
        """What leads from the view of one row to that of another; a game may find it without making the views."""
        return view_changes(self.view(before), self.view(after))

    @abstractmethod
    def effects(self, row: bytes, action: int) -> tuple[Effect, ...]:
        """What a legal action does, in the order in which it happens."""

    @abstractmethod
    def describe_effects(self, row: bytes, effects: Sequence[Effect], names: Sequence[str]) -> list[str]:
        """Effects in sentences, with numbers and points: `row` is the position before them, `names` are those of all
        seats. The name `You` is spoken to: `You take 3 red`."""

    # The score

    @abstractmethod
    def score_changes(self, row: bytes, effects: Sequence[Effect]) -> Sequence[ScoreItem]:
        """The points that effects brought each seat, by what they are for; the last item is the total. The effects may
        be those of several plies; `row` is the position before them."""

    @abstractmethod
    def outcome_of(self, row: bytes) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def breakdown(self, row: bytes) -> Sequence[ScoreItem]:
        """What the points of each seat are for; the last item is the total."""

    # Pictures

    @abstractmethod
    def board(self, row: bytes, names: Sequence[str] = ()) -> list[StyledLine]:
        """The position as lines for a terminal."""

    @abstractmethod
    def svg(self, row: bytes, last: tuple[int, int] | None, names: Sequence[str], counts: bool) -> str:
        """The position as an SVG picture; the arguments are those of `Position.svg`."""

    # Shared by all games

    @cached_property
    def kernel(self) -> Kernel:
        """The compiled rules. The first use compiles them if necessary, and then prints a message."""
        return self.kernel_source.ready

    def variant(self, text: str) -> Rules:
        """Read a variant such as `2,grey`."""
        reader = Reader(text, self.sentences, max_length=200, what="variant")
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
                raise LIBRARY.refused("no-such-option", game=self.name, unknown=name, options=word_list(known))
        chosen: Rules = replace(base, **changes)  # type: ignore[type-var]
        rows = self.kernel.new_rows(1)
        self.kernel.setup(rows, 0, np.array(chosen.options, dtype=np.int64))
        return Position(self, rows.tobytes())

    def read_any(self, text: str) -> Position | Seen:
        """Read the text of a position, or of what one seat (or a spectator) sees of it."""
        from tilery.core.position import Position, Seen

        reader = Reader(text, self.sentences, max_length=MAX_POSITION_CHARACTERS, what="position")
        row = self.read_row(reader)
        reader.end()
        viewer = self.viewer_of(row)
        return Position(self, row) if viewer is None else Seen(self, row, viewer)

    def read(self, text: str) -> Position:
        """Read the text of a whole position."""
        from tilery.core.position import Seen

        position = self.read_any(text)
        if isinstance(position, Seen):
            raise LIBRARY.refused("seen-position", viewer=actor_argument(position.seat))
        return position

    def read_seen(self, text: str, seat: int) -> Seen:
        """Read what a seat (or SPECTATOR) sees of a position. A whole position is reduced to what the seat sees."""
        from tilery.core.position import Seen

        position = self.read_any(text)
        if not isinstance(position, Seen):
            return position.seen_by(seat)
        if position.seat != seat:
            viewer, wanted = actor_argument(position.seat), actor_argument(seat)
            raise LIBRARY.refused("seen-by-another", viewer=viewer, wanted=wanted)
        return position
