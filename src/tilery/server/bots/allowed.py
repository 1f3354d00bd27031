"""The bots that are allowed at tables of the server. Checking a name compiles nothing."""

from __future__ import annotations

from tilery.core.game import Game, Rules
from tilery.core.refusals import Refused
from tilery.core.text import listed
from tilery.engine.bots import BOTS
from tilery.engine.external import PREFIX
from tilery.engine.family import family_of
from tilery.engine.limits import Limit

MAX_CPU_SECONDS = 1.0  # for a move
MAX_NODES = 200_000
_WEAKEST, _STRONGEST = ("random", "greedy"), ("plain-uct", "tilery")  # the levels are between them


def table_bots(game: Game, rules: Rules) -> list[dict[str, str]]:
    """The list of bots for a menu, as `{"name": ..., "about": ...}`, the weakest first."""
    levels = [{"name": level.name, "about": level.about} for level in family_of(game).levels(rules)]
    weakest, strongest = (
        [{"name": name, "about": BOTS[name].about} for name in names] for names in (_WEAKEST, _STRONGEST)
    )
    return [*weakest, *levels, *strongest]


def check_table_bot(game: Game, rules: Rules, name: str) -> str:
    """The normalised name of a bot that may play at a table; refused if it is not allowed there."""
    if not isinstance(name, str):
        raise Refused(f"the name of a bot is a string, not {name!r:.40}")
    if name.startswith(PREFIX):
        raise Refused(f"programs cannot play at tables of a server: expected {_expected(game, rules)}")
    if any(name == bot["name"] for bot in table_bots(game, rules)):
        return name
    plain, at, limit = name.partition("@")
    if at and plain in _searches(game):
        return f"{plain}@{_read_limit(limit).text}"
    raise Refused(f"no bot {name[:40]!a} plays {game.title} at a table: expected {_expected(game, rules)}")


def _searches(game: Game) -> tuple[str, ...]:
    """The names of bots that take a limit."""
    return ("tilery", *family_of(game).methods)


def _expected(game: Game, rules: Rules) -> str:
    top = len(family_of(game).levels(rules))
    names = [*_WEAKEST, f"level-1 to level-{top}", *_STRONGEST]
    return f"{listed(names)}; or {listed(_searches(game))} with a limit such as @500ms or @1000n, {_BOUNDS}"


_BOUNDS = f"at most {MAX_CPU_SECONDS:g}s or {MAX_NODES}n"


def _read_limit(text: str) -> Limit:
    """Read a limit; refused if it is too long for a table."""
    limit = Limit.read(text)
    if limit.cpu is None and limit.nodes is None:
        raise Refused(f"{text[:40]!a} limits neither CPU time nor nodes: expected 500ms or 1000n, {_BOUNDS}")
    if (limit.cpu or 0) > MAX_CPU_SECONDS or (limit.nodes or 0) > MAX_NODES:
        raise Refused(f"{text[:40]!a} takes too long for a table: expected {_BOUNDS}")
    return limit
