"""Bots by name. A bot takes a `Seen` and a stream and returns an action; every bot plays every game.

A name may include a limit for each move, as in `tilery@10ms` or `uct@500n` (see `Limit.read`). An external program is
a bot too, named by its command: `cmd:python3 my_bot.py` (see `external.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from tilery.core.game import Game, Rules, as_rows
from tilery.core.position import Seen
from tilery.core.sentences import word_list
from tilery.core.streams import Stream
from tilery.engine.external import PREFIX, read_command
from tilery.engine.family import Level, family_of, method_of
from tilery.engine.kernel.bot_codes import GREEDY, RANDOM
from tilery.engine.limits import Limit
from tilery.engine.refusals import SENTENCES
from tilery.engine.search import think


@dataclass(frozen=True)
class Bot:
    """A program that plays."""

    name: str
    about: str
    choose: Callable[[Seen, Stream], int]
    code: int | None = None  # its code in compiled games (`kernel/bot_codes.py`), if it can play there
    close: Callable[[], None] | None = None  # ends the process that the bot keeps running, if any


def _random(seen: Seen, stream: Stream) -> int:
    return stream.choice(seen.actions())


def _greedy(seen: Seen, stream: Stream) -> int:
    rows = as_rows(seen.row)
    kernel = seen.game.kernel
    greedy = family_of(seen.game, "greedy").greedy
    return greedy(rows, 0, stream.generators(), kernel.new_list(), kernel.new_rows(1))


def _search_bot(method: str | None, limit: Limit) -> Callable[[Seen, Stream], int]:
    """A bot that always plays the best move of a search."""

    def choose(seen: Seen, stream: Stream) -> int:
        actions = seen.actions()
        if len(actions) == 1:
            return actions[0]
        return think(seen, limit, stream=stream, method=method).action

    return choose


def pick(losses: Sequence[float], level: Level, stream: Stream) -> int:
    """The index of a move whose loss is within the level's window; the smaller the loss, the more likely."""
    best = min(losses)
    weights = []
    for loss in losses:
        behind = loss - best
        if behind <= 1e-9:
            weights.append(1.0)
        elif behind > level.window or level.spread <= 0:
            weights.append(0.0)
        else:
            weights.append(math.exp(-behind / level.spread))
    at = stream.below(1 << 53) / (1 << 53) * sum(weights)
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0 < weight:
            return index
    return losses.index(best)


def _level(game: Game, rules: Rules, number: int) -> Level:
    levels = family_of(game).levels(rules)
    if number > len(levels):
        raise SENTENCES.refused("no-such-level", game=game.title, level=number, levels=len(levels))
    return levels[number - 1]


def _level_bot(number: int) -> Callable[[Seen, Stream], int]:
    """The bot of one level of the ladder; what a level does depends on the variant."""

    def choose(seen: Seen, stream: Stream) -> int:
        level = _level(seen.game, seen.rules, number)
        if level.method:
            limit = Limit.read(level.limit)
            count = 1 if level.spread == 0 else 1_000
            info = think(seen, limit, stream=stream.child("search"), method=level.method, variations=count)
            losses = [-variation.margins[seen.seat] for variation in info.variations]
            return info.variations[pick(losses, level, stream)].action
        kernel = seen.game.kernel
        out, values = kernel.new_list(), np.empty(kernel.max_legal)
        rows = as_rows(seen.row)
        count = family_of(seen.game, "one-ply").one_ply(rows, 0, level.one_ply, out, values, kernel.new_rows(1))
        return int(out[pick((-values[:count]).tolist(), level, stream)])

    return choose


LEVELS = 14  # of the longest ladder
# The limits of bots whose name includes none; the limit of the anchor never changes.
_DEFAULT, _ANCHOR = "100ms", "1000n"

BOTS = {
    bot.name: bot
    for bot in (
        Bot("random", "a random legal move", _random, RANDOM),
        Bot("greedy", "the best move by one ply", _greedy, GREEDY),
        *(
            Bot(f"level-{number}", f"level {number} of the ladder", _level_bot(number))
            for number in range(1, LEVELS + 1)
        ),
        Bot(
            "plain-uct",
            "a tree search with random playouts",
            _search_bot("plain-uct", Limit.read(_ANCHOR)),
        ),
        Bot(
            "tilery",
            "the strongest search for the variant and the limit",
            _search_bot(None, Limit.read(_DEFAULT)),
        ),
    )
}


@cache
def bot(name: str) -> Bot:
    """The bot with this name.

    `name`, `name@limit`, `method@limit` for any search, or `cmd:command` for an external program.
    """
    if name.startswith(PREFIX):
        program = read_command(name, Limit.read(_DEFAULT))
        return Bot(name, f"the program {program.command}", program.choose, close=program.close)
    plain, at, limit = name.partition("@")
    if (at and plain in ("random", "greedy")) or (plain.startswith("level-") and at):
        raise SENTENCES.refused("bot-without-limit", bot=plain)
    if at:
        chosen = Limit.read(limit)
        method = None if plain == "tilery" else plain
        about = BOTS[plain].about if plain in BOTS else f"the search {plain}"
        return Bot(name, about, _search_bot(method, chosen))
    if plain not in BOTS:
        raise SENTENCES.refused("no-such-bot", text=name[:40], options=word_list(list(BOTS)))
    return BOTS[plain]


def load_bot(game: Game, name: str, rules: Rules | None = None) -> Bot:
    """The bot with this name; raises `Refused` if it cannot play the game.

    Compiles everything that the bot needs, so that no move has to wait for the compiler.
    """
    chosen = bot(name)
    if name.startswith(PREFIX):
        return chosen
    variants = [rules] if rules else [game.new(seats=seats).rules for seats in game.seats]
    plain = name.partition("@")[0]
    family = family_of(game)
    if plain == "greedy":
        family_of(game, "greedy")
    elif plain.startswith("level-"):
        for each in variants:
            family_of(game, _level(game, each, int(plain[6:])).method or "one-ply")
    elif plain == "tilery":
        for each in variants:
            family_of(game, family.strongest(each, Limit.read(name.partition("@")[2] or _DEFAULT)))
    elif plain not in BOTS or plain in family.methods:
        method_of(game, plain)
    return chosen


def prepare_bots(game: Game, names: Sequence[str], rules: Rules | None = None) -> None:
    """Compile what these bots need; names that are not bots are ignored."""
    for name in names:
        if name.partition("@")[0] in BOTS or "@" in name:
            load_bot(game, name, rules)
