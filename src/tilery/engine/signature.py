"""How the engine behaves, as one number: what every search answers about some positions, with so many nodes.

A change that should not change play must not change it; one that does says so.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tilery.core.game import Game
from tilery.core.kernel.actors import CHANCE, OVER
from tilery.core.position import Position
from tilery.core.streams import Stream
from tilery.engine.bots import bot
from tilery.engine.family import family_of, method_of
from tilery.engine.limits import Limit
from tilery.engine.search import think
from tilery.games import GAMES

# Which variants are asked about, and how many nodes are searched for each method.
VARIANTS = {
    "azul": ("2", "2,grey", "2,specials", "3", "4,grey,specials"),
    "schokoly": ("2", "3,swap", "4"),
}
NODES = {"pvs": 20_000, "uct": 2_000, "plain-uct": 100}
OTHERWISE = 300
POSITIONS = 4  # of each variant


@dataclass
class Count:
    """What a method searched."""

    nodes: int = 0
    seconds: float = 0.0


def positions(game: Game, variant: str) -> Iterator[Position]:
    """Some positions of a game between greedy bots in which somebody has to decide, the same ones every time."""
    stream = Stream("signature", game.name, variant)
    position = game.new(game.at_table(game.variant(variant)))
    chosen = []
    while position.actor != OVER:
        if position.actor == CHANCE:
            position = position.settle(stream)
            continue
        if len(position.actions()) > 1:
            chosen.append(position)
        position = position.play(bot("greedy").choose(position.seen_by(position.actor), stream))
    for number in range(POSITIONS):
        yield chosen[(2 * number + 1) * len(chosen) // (2 * POSITIONS)]


def sign(
    families: tuple[str, ...] = tuple(VARIANTS), progress: Callable[[str], None] = lambda _: None
) -> tuple[int, dict[str, Count]]:
    """The number, and what each method searched for it (by `family method`)."""
    digest = hashlib.sha256()
    counts: dict[str, Count] = {}
    for name in families:
        game = GAMES[name]
        for method in family_of(game).methods:
            method_of(game, method)  # compiled before the clock runs
            for variant in VARIANTS[name]:
                if method == "pvs" and not variant.startswith("2"):
                    continue
                progress(f"{name} {variant}: {method}")
                count = counts.setdefault(f"{name} {method}", Count())
                limit = Limit(nodes=NODES.get(method, OTHERWISE))
                for position in positions(game, variant):
                    began = time.thread_time()
                    seen = position.seen_by(position.actor)
                    found = think(seen, limit, stream=Stream("signature"), method=method)
                    count.seconds += time.thread_time() - began
                    count.nodes += found.nodes
                    answer = (name, variant, method, found.action, found.nodes, found.depth, found.solved)
                    digest.update(repr(answer).encode())
    return int.from_bytes(digest.digest()[:5], "big"), counts
