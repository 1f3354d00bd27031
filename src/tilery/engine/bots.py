"""Bots by name: the roster. A bot gets a `Seen` and a stream, and answers with an action; it is at home in every game.

A name may carry a limit for each move, as in `tilery@10ms` or `uct@500n` (see `Limit.read`). A program of somebody
else is a bot too, by its command: `cmd:python3 my_bot.py` (see `external.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from tilery.core.game import Game, Rules
from tilery.core.position import Seen
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.core.text import listed
from tilery.engine.external import PREFIX, read_command
from tilery.engine.family import Level, family_of, method_of
from tilery.engine.kernel.codes import GREEDY, RANDOM
from tilery.engine.limits import Limit
from tilery.engine.search import think


@dataclass(frozen=True)
class Bot:
    """A program that plays."""

    name: str
    about: str
    choose: Callable[[Seen, Stream], int]
    code: int | None = None  # what compiled games call it, where they know it
    close: Callable[[], None] | None = None  # ends what it keeps running, if anything


def _random(seen: Seen, stream: Stream) -> int:
    return stream.choice(seen.actions())


def _greedy(seen: Seen, stream: Stream) -> int:
    rows = np.frombuffer(bytearray(seen.row), dtype=np.uint8).reshape(1, -1)
    kernel = seen.game.kernel
    greedy = family_of(seen.game, "greedy").greedy
    return greedy(rows, 0, stream.generators(), kernel.new_list(), kernel.new_rows(1))


def _searching(method: str | None, limit: Limit) -> Callable[[Seen, Stream], int]:
    """The player that always makes the best move it finds."""

    def choose(seen: Seen, stream: Stream) -> int:
        actions = seen.actions()
        if len(actions) == 1:
            return actions[0]
        return think(seen, limit, stream=stream, method=method).action

    return choose


def pick(losses: Sequence[float], level: Level, stream: Stream) -> int:
    """The index of a move whose loss lies within the level's window: the smaller the loss, the more often."""
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
        raise Refused(f"{game.title} has no level-{number}: its ladder goes from level-1 to level-{len(levels)}")
    return levels[number - 1]


def _at_level(number: int) -> Callable[[Seen, Stream], int]:
    """The player of a level of the ladder, which differs from variant to variant."""

    def choose(seen: Seen, stream: Stream) -> int:
        level = _level(seen.game, seen.rules, number)
        if level.method:
            limit = Limit.read(level.limit)
            lines = 1 if level.spread == 0 else 1_000
            found = think(seen, limit, stream=stream.child("search"), method=level.method, lines=lines)
            losses = [-line.margins[seen.seat] for line in found.lines]
            return found.lines[pick(losses, level, stream)].action
        kernel = seen.game.kernel
        out, values = kernel.new_list(), np.empty(kernel.most_legal)
        rows = np.frombuffer(bytearray(seen.row), dtype=np.uint8).reshape(1, -1)
        count = family_of(seen.game, "look").look(rows, 0, level.looks, out, values, kernel.new_rows(1))
        return int(out[pick((-values[:count]).tolist(), level, stream)])

    return choose


LEVELS = 14  # of the longest ladder
# How long is thought where no limit is named; that of the anchor never changes.
_DEFAULT, _ANCHOR = "100ms", "1000n"

BOTS = {
    bot.name: bot
    for bot in (
        Bot("random", "any legal move, all alike", _random, RANDOM),
        Bot("greedy", "the move that leaves it best off at once, looking no further", _greedy, GREEDY),
        *(Bot(f"level-{number}", f"step {number} of the ladder", _at_level(number)) for number in range(1, LEVELS + 1)),
        Bot(
            "plain-uct",
            "a tree search with random games to the end: the anchor",
            _searching("plain-uct", Limit.read(_ANCHOR)),
        ),
        Bot(
            "tilery",
            "the strongest: the best search for the variant and the time",
            _searching(None, Limit.read(_DEFAULT)),
        ),
    )
}


@cache
def bot(name: str) -> Bot:
    """A bot by its name, or by name@limit; also any search by its own name, and any program by cmd:command."""
    if name.startswith(PREFIX):
        program = read_command(name, Limit.read(_DEFAULT))
        return Bot(name, f"the program {program.command}", program.choose, close=program.close)
    plain, at, limit = name.partition("@")
    if (at and plain in ("random", "greedy")) or (plain.startswith("level-") and at):
        raise Refused(f"{plain} takes no limit")
    if at:
        chosen = Limit.read(limit)
        method = None if plain == "tilery" else plain
        about = BOTS[plain].about if plain in BOTS else f"the search {plain}"
        return Bot(name, about, _searching(method, chosen))
    if plain not in BOTS:
        raise Refused(f"there is no bot {name[:40]!a}: expected {listed(list(BOTS))}")
    return BOTS[plain]


def check_bot(game: Game, name: str, rules: Rules | None = None) -> Bot:
    """A bot that can play this game; compiles what it needs, so that nobody waits in the middle of a game."""
    found = bot(name)
    if name.startswith(PREFIX):
        return found
    some = [rules] if rules else [game.new(seats=seats).rules for seats in game.seats]
    plain = name.partition("@")[0]
    family = family_of(game)
    if plain == "greedy":
        family_of(game, "greedy")
    elif plain.startswith("level-"):
        for each in some:
            family_of(game, _level(game, each, int(plain[6:])).method or "look")
    elif plain == "tilery":
        for each in some:
            family_of(game, family.strongest(each, Limit.read(name.partition("@")[2] or _DEFAULT)))
    elif plain != "random":
        method_of(game, plain)
    return found


def prepare_bots(game: Game, names: Sequence[str], rules: Rules | None = None) -> None:
    """Compile what these bots need (others in the list are no bots)."""
    for name in names:
        if name.partition("@")[0] in BOTS or "@" in name:
            check_bot(game, name, rules)
