"""Refusals of limits, searches and bots."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, cast

from tests.refusals.cases import Case
from tilery.core.position import Seen
from tilery.core.refusals import Argument
from tilery.core.sentences import word_list
from tilery.core.streams import Stream
from tilery.engine.bots import BOTS, bot, load_bot
from tilery.engine.family import family_of, method_of
from tilery.engine.limits import Limit
from tilery.engine.search import think
from tilery.games import GAMES
from tilery.server.bots import check_table_bot

AZUL, _, SCHOKOLY = GAMES.values()
UNKNOWN = replace(AZUL, family="chess")
LIMITS = {"cpu": "limit-seconds", "time": "limit-seconds", "nodes": "limit-whole", "depth": "limit-whole"}


def _seen(variant: str) -> Seen:
    position = AZUL.new(variant).settle(Stream("engine refusals"))
    return position.seen_by(position.actor)


def _table(name: object, code: str, **arguments: Argument) -> Case:
    request = partial(check_table_bot, SCHOKOLY, SCHOKOLY.variant("3"), cast("str", name))
    return Case(request, code, arguments)


BOUNDS: dict[str, Argument] = {"seconds": "1", "nodes": 200_000}
ALLOWED: dict[str, Argument] = {
    "options": "random greedy plain-uct tilery",
    "levels": 10,
    "words": "tilery worlds plain-uct",
    **BOUNDS,
}
CASES = [
    Case(partial(Limit.read, "10xs"), "limit-form", {"text": "10xs"}),
    Case(partial(Limit.read, "1d+2d"), "limit-twice", {"text": "1d+2d", "limit": "depth"}),
    Case(partial(Limit.read, "1.5n"), "limit-whole", {"limit": "nodes", "value": "1.5n"}),
    *(
        Case(partial(Limit, **{name: cast("Any", "1")}), code, {"limit": name, "value": "'1'"})
        for name, code in LIMITS.items()
    ),
    *(Case(partial(Limit, **{name: 0}), "limit-positive", {"limit": name, "value": "0"}) for name in LIMITS),
    Case(partial(family_of, UNKNOWN), "no-engine", {"game": "Azul"}),
    Case(
        partial(method_of, SCHOKOLY, "pvs"),
        "no-such-search",
        {"game": "Schokoly", "text": "pvs", "options": "worlds plain-uct"},
    ),
    Case(
        partial(bot, "genius"),
        "no-such-bot",
        {"text": "genius", "options": word_list(list(BOTS))},
    ),
    Case(
        partial(load_bot, AZUL, "level-14", AZUL.variant("4")),
        "no-such-level",
        {"game": "Azul", "level": 14, "levels": 12},
    ),
    Case(partial(bot, "greedy@10n"), "bot-without-limit", {"bot": "greedy"}),
    Case(
        partial(think, _seen("3"), Limit(nodes=10), stream=Stream("x"), method="pvs"), "two-players", {"search": "pvs"}
    ),
    _table(7, "bot-type", value="7"),
    _table("cmd:true", "table-program", **ALLOWED),
    _table("level-11", "table-bot", text="level-11", game="Schokoly", **ALLOWED),
    _table("tilery@2d", "table-limit", text="2d", **BOUNDS),
    _table("tilery@2s", "table-time", text="2s", **BOUNDS),
]
