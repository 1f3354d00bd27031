"""Which bots may sit at a table of the server. Nothing is compiled to answer that."""

from __future__ import annotations

from tilery.core.game import Game, Rules
from tilery.core.refusals import Refused
from tilery.core.text import listed
from tilery.engine.bots import BOTS
from tilery.engine.external import PREFIX
from tilery.engine.family import family_of
from tilery.engine.limits import Limit

MOST_CPU = 1.0  # seconds for a move
MOST_NODES = 200_000
_BEFORE, _BEHIND = ("random", "greedy"), ("plain-uct", "tilery")  # the ladder stands between them


def roster(game: Game, rules: Rules) -> list[dict[str, str]]:
    """The bots for a menu, as `{"name": ..., "about": ...}`: the weakest first."""
    levels = [{"name": level.name, "about": level.about} for level in family_of(game).levels(rules)]
    before, behind = ([{"name": name, "about": BOTS[name].about} for name in names] for names in (_BEFORE, _BEHIND))
    return [*before, *levels, *behind]


def check_table_bot(game: Game, rules: Rules, name: str) -> str:
    """The name of a bot that may sit at a table, written in one way; refused where there is no such bot."""
    if not isinstance(name, str):
        raise Refused(f"the name of a bot is a text, not {name!r:.40}")
    if name.startswith(PREFIX):
        raise Refused(f"programs do not sit at tables of a server: expected {_possible(game, rules)}")
    if any(name == bot["name"] for bot in roster(game, rules)):
        return name
    plain, at, limit = name.partition("@")
    if at and plain in _searches(game):
        return f"{plain}@{_checked(limit).text}"
    raise Refused(f"no bot {name[:40]!a} plays {game.title} at a table: expected {_possible(game, rules)}")


def _searches(game: Game) -> tuple[str, ...]:
    """The names that take a limit."""
    return ("tilery", *family_of(game).methods)


def _possible(game: Game, rules: Rules) -> str:
    top = len(family_of(game).levels(rules))
    names = [*_BEFORE, f"level-1 to level-{top}", *_BEHIND]
    return f"{listed(names)}; or {listed(_searches(game))} with a limit such as @500ms or @1000n, {_BOUNDS}"


_BOUNDS = f"at most {MOST_CPU:g}s or {MOST_NODES}n"


def _checked(text: str) -> Limit:
    """A limit that is short enough for a table, whatever else it says."""
    limit = Limit.read(text)
    if limit.cpu is None and limit.nodes is None:
        raise Refused(f"{text[:40]!a} limits neither CPU time nor nodes: expected 500ms or 1000n, {_BOUNDS}")
    if (limit.cpu or 0) > MOST_CPU or (limit.nodes or 0) > MOST_NODES:
        raise Refused(f"{text[:40]!a} is too long a thought for a table: expected {_BOUNDS}")
    return limit
