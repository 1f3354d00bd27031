"""The bots that are allowed at tables of the server. Checking a name compiles nothing."""

from __future__ import annotations

from tilery.core.game import Game, Rules
from tilery.core.refusals import Argument
from tilery.core.sentences import word_list
from tilery.engine.bots import BOTS
from tilery.engine.external import PREFIX
from tilery.engine.family import family_of, methods_for
from tilery.engine.limits import Limit
from tilery.engine.refusals import SENTENCES

BOT_NAMES = tuple(BOTS)
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
        raise SENTENCES.refused("bot-type", value=repr(name)[:40])
    if name.startswith(PREFIX):
        raise SENTENCES.refused("table-program", **_allowed(game, rules))
    if any(name == bot["name"] for bot in table_bots(game, rules)):
        return name
    plain, at, limit = name.partition("@")
    if at and plain in _searches(game, rules):
        return f"{plain}@{_read_limit(limit).text}"
    raise SENTENCES.refused("table-bot", text=name[:40], game=game.title, **_allowed(game, rules))


def _searches(game: Game, rules: Rules) -> tuple[str, ...]:
    """The names of bots that take a limit."""
    return ("tilery", *methods_for(game, rules))


def _allowed(game: Game, rules: Rules) -> dict[str, Argument]:
    """What is allowed, as arguments of a refusal."""
    names, searches = (*_WEAKEST, *_STRONGEST), _searches(game, rules)
    levels = len(family_of(game).levels(rules))
    return {"options": word_list(names), "levels": levels, "words": word_list(searches), **_BOUNDS}


_BOUNDS: dict[str, Argument] = {"seconds": f"{MAX_CPU_SECONDS:g}", "nodes": MAX_NODES}


def _read_limit(text: str) -> Limit:
    """Read a limit; refused if it is too long for a table."""
    limit = Limit.read(text)
    if limit.cpu is None and limit.nodes is None:
        raise SENTENCES.refused("table-limit", text=text[:40], **_BOUNDS)
    if (limit.cpu or 0) > MAX_CPU_SECONDS or (limit.nodes or 0) > MAX_NODES:
        raise SENTENCES.refused("table-time", text=text[:40], **_BOUNDS)
    return limit
