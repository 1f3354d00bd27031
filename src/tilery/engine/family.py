"""The interface between the engine and a family of games: the package `engine/<family>/` defines `FAMILY`."""

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
from tilery.core.sentences import word_list
from tilery.core.streams import Stream
from tilery.engine.evaluator import Evaluator
from tilery.engine.info import Variation
from tilery.engine.limits import Limit
from tilery.engine.refusals import SENTENCES


@dataclass(frozen=True)
class SearchRequest:
    """A position to search, and how."""

    seen: Seen
    stream: Stream
    threads: int = 1
    variations: int = 1  # how many moves need an exact value
    depth: int | None = None
    evaluator: Evaluator | None = None  # None: the default one of the family
    limit: Limit = field(default_factory=Limit)  # for choosing the size of tables; `think` enforces it


class Search(Protocol):
    """One search of one position, run in short steps so that it can report progress and be cancelled.

    The result depends on the request and on the number of nodes, not on how the nodes are divided into steps.
    """

    engine: str
    horizon: str

    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def done(self) -> bool:
        """Whether further steps cannot change the result."""
        ...

    @property
    def share_solved(self) -> float: ...

    def step(self, worker: int, nodes: int) -> None:
        """Search `nodes` more nodes. Workers 0 to threads - 1 may step at the same time."""
        ...

    def variations(self, count: int) -> list[Variation]:
        """At most `count` variations, the best first; at least one after the first step."""
        ...


@dataclass(frozen=True)
class Level:
    """How a bot of the ladder chooses: a move whose loss is within the window, the smaller the loss the more likely."""

    name: str
    about: str
    method: str = ""  # the name of a search; "": by one-ply values
    one_ply: int = 0  # the scope of one-ply values: a constant of the family's `kernel/one_ply.py`
    limit: str = ""
    spread: float = 0.0  # the loss in points at which a move is e times less likely; 0: always the best move
    window: float = 0.0


Method = Callable[[SearchRequest], Search]


@dataclass(frozen=True, eq=False)
class Family:
    """The searches, bots and evaluations of a family. `family_of` compiles the parts that its caller names."""

    name: str
    # For each part (greedy, batch, one-ply, evaluation, every method): its name in messages, and its signatures.
    kernels: Mapping[str, tuple[str, Mapping[Any, str]]]
    greedy: Callable[[Rows, int, Ints, Actions, Rows], int]
    play_games: Callable[[Rows, int, int, Ints, Ints, int, Ints, Actions, Rows], int]
    # one_ply(rows, i, scope, out, values, scratch) -> n: writes legal actions and their values in points
    one_ply: Callable[[Rows, int, int, Actions, Floats, Rows], int]
    methods: Mapping[str, Method]
    strongest: Callable[[Rules, Limit], str]  # the method to use for a variant and a limit
    levels: Callable[[Rules], Sequence[Level]]
    evaluator: Callable[[Rules], Evaluator]  # the one that searches use by default


@cache
def _load_family(name: str) -> Family:
    family: Family = import_module(f"tilery.engine.{name}").FAMILY
    return family


def family_of(game: Game, *parts: str) -> Family:
    """The family of a game, with these parts compiled."""
    if find_spec(f"tilery.engine.{game.family}") is None:
        raise SENTENCES.refused("no-engine", game=game.title)
    family = _load_family(game.family)
    for part in parts:
        game.kernel  # noqa: B018  the rules are compiled first
        prepare(*family.kernels[part])
    return family


def method_of(game: Game, name: str) -> Method:
    """The search with this name, compiled."""
    methods = family_of(game).methods
    if name not in methods:
        raise SENTENCES.refused("no-such-search", game=game.title, text=name[:40], options=word_list(list(methods)))
    return family_of(game, name).methods[name]


def methods_for(game: Game, rules: Rules) -> tuple[str, ...]:
    """The names of the searches that can play a variant."""
    methods = family_of(game).methods
    return tuple(name for name, method in methods.items() if rules.seats <= getattr(method, "most_seats", rules.seats))


def prepare_all(game: Game) -> None:
    """Compile all parts of the family of a game."""
    family_of(game, *family_of(game).kernels)
