"""What the engine knows of one family of games: its room is `engine/<family>/`, and offers `FAMILY`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from tilery.core.game import Actions, Floats, Game, Ints, Rows, Rules
from tilery.core.jit import prepare
from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.core.text import listed
from tilery.engine.evaluator import Evaluator
from tilery.engine.info import Line
from tilery.engine.limits import Limit


@dataclass(frozen=True)
class Question:
    """What a search is asked."""

    seen: Seen
    stream: Stream
    threads: int = 1
    lines: int = 1  # how many moves need a value of their own
    depth: int | None = None
    evaluator: Evaluator | None = None  # None: the family's own knowledge
    limit: Limit = field(default_factory=Limit)  # to choose the size of tables by; `think` keeps it


class Search(Protocol):
    """One search of one position, made in short steps, so that it can be watched and cancelled.

    The result depends on the question and on the number of nodes, not on how they were cut into steps.
    """

    engine: str
    horizon: str

    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def done(self) -> bool:
        """Whether nothing more can be found out."""
        ...

    @property
    def share_solved(self) -> float: ...

    def step(self, worker: int, nodes: int) -> None:
        """Search so many nodes further. Workers 0 to threads - 1 may step at the same time."""
        ...

    def lines(self, most: int) -> list[Line]:
        """The best moves, best first; at least one after the first step."""
        ...


@dataclass(frozen=True)
class Level:
    """How a bot of the ladder thinks. It plays a move whose loss lies within the window, a smaller loss more often."""

    name: str
    about: str
    method: str = ""  # a search by its name; "": one ply, with so much in view as `looks` says
    looks: int = 0
    limit: str = ""
    spread: float = 0.0  # the loss in points at which a move is e times rarer; 0: always the best move
    window: float = 0.0


Method = Callable[[Question], Search]


@dataclass(frozen=True, eq=False)
class Family:
    """All that the engine knows of a family. `family_of` compiles the part of it that is wanted."""

    name: str
    # For each part (greedy, look, evaluation, every method): what is said while it is compiled, and its signatures.
    kernels: Mapping[str, tuple[str, Mapping[Any, str]]]
    greedy: Callable[[Rows, int, Ints, Actions, Rows], int]
    play_games: Callable[[Rows, int, int, Ints, Ints, int, Ints, Actions, Rows], int]
    # look(rows, i, what, out, values, scratch) -> n: legal actions, and what each is worth by one ply, in points
    look: Callable[[Rows, int, int, Actions, Floats, Rows], int]
    methods: Mapping[str, Method]
    strongest: Callable[[Rules, Limit], str]  # which method is strongest for a variant and a limit
    levels: Callable[[Rules], Sequence[Level]]
    evaluator: Callable[[Rules], Evaluator]  # the knowledge that searches use


@cache
def _found(name: str) -> Family:
    family: Family = import_module(f"tilery.engine.{name}").FAMILY
    return family


def family_of(game: Game, *parts: str) -> Family:
    """What is known of a game, with these parts of it compiled."""
    if find_spec(f"tilery.engine.{game.family}") is None:
        raise Refused(f"nothing is known about playing {game.title} yet")
    family = _found(game.family)
    for part in parts:
        game.kernel  # noqa: B018  the rules are compiled first
        prepare(*family.kernels[part])
    return family


def method_of(game: Game, name: str) -> Method:
    """A way to search by its name, compiled."""
    methods = family_of(game).methods
    if name not in methods:
        raise Refused(f"{game.title} is not searched by {name[:40]!a}: expected {listed(list(methods))}")
    return family_of(game, name).methods[name]


def prepare_all(game: Game) -> None:
    """Compile everything that is known of a game."""
    family_of(game, *family_of(game).kernels)
