"""The behaviour of the engine as one number, computed from searches of some positions with fixed numbers of nodes.

A change that is not meant to change play must not change the number; a commit that changes play says so.
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

# The variants of each family, and the number of nodes for each method.
VARIANTS = {
    "azul": ("2", "2,grey", "2,specials", "3", "4,grey,specials"),
    "schokoly": ("2", "3,swap", "4"),
}
NODES = {"pvs": 20_000, "uct": 2_000, "plain-uct": 100}
DEFAULT_NODES = 300
POSITIONS = 4  # of each variant


@dataclass
class SearchEffort:
    """The nodes and the CPU time of a method."""

    nodes: int = 0
    seconds: float = 0.0


def positions(game: Game, variant: str) -> Iterator[Position]:
    """Some positions with a decision, from a game between greedy bots; always the same."""
    stream = Stream("signature", game.name, variant)
    position = game.new(game.with_table_limits(game.variant(variant)))
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


def bench_signature(
    families: tuple[str, ...] = tuple(VARIANTS), progress: Callable[[str], None] = lambda _: None
) -> tuple[int, dict[str, SearchEffort]]:
    """The signature, and the effort of each method (by `family method`)."""
    digest = hashlib.sha256()
    efforts: dict[str, SearchEffort] = {}
    for name in families:
        game = GAMES[name]
        for method in family_of(game).methods:
            method_of(game, method)  # compiled before the clock runs
            for variant in VARIANTS[name]:
                if method == "pvs" and not variant.startswith("2"):
                    continue
                progress(f"{name} {variant}: {method}")
                effort = efforts.setdefault(f"{name} {method}", SearchEffort())
                limit = Limit(nodes=NODES.get(method, DEFAULT_NODES))
                for position in positions(game, variant):
                    began = time.thread_time()
                    seen = position.seen_by(position.actor)
                    info = think(seen, limit, stream=Stream("signature"), method=method)
                    effort.seconds += time.thread_time() - began
                    effort.nodes += info.nodes
                    answer = (name, variant, method, info.action, info.nodes, info.depth, info.solved)
                    digest.update(repr(answer).encode())
    return int.from_bytes(digest.digest()[:5], "big"), efforts
