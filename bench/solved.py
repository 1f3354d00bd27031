"""`python -m bench.solved`: the share of its moves that the engine solves to the end of the round, in self-play."""

from __future__ import annotations

import argparse
import statistics

from rich.console import Console
from rich.progress import track

from tilery import CHANCE, OVER, Stream, game
from tilery.engine.limits import Limit
from tilery.engine.search import think

CONSOLE = Console()


def solved_moves(variant: str, limit: Limit, stream: Stream) -> tuple[int, int]:
    """Play one game of the engine against itself; return the number of solved moves, and of all moves."""
    position = game("azul").new(variant)
    solved = moves = 0
    while position.actor != OVER:
        if position.actor == CHANCE:
            position = position.settle(stream)
            continue
        info = think(position.seen_by(position.actor), limit, stream=stream.child(moves))
        solved += info.solved
        moves += 1
        position = position.play(info.action)
    return solved, moves


def main() -> None:
    """Play the games and print the share, with one standard error over games."""
    parser = argparse.ArgumentParser(prog="python -m bench.solved", description=__doc__)
    parser.add_argument("-n", "--games", type=int, default=20)
    parser.add_argument("-v", "--variant", default="2,stall=10")
    parser.add_argument("--limit", default="100ms")
    options = parser.parse_args()
    limit = Limit.read(options.limit)
    numbers = track(range(options.games), description="Playing", console=CONSOLE, transient=True)
    games = [solved_moves(options.variant, limit, Stream("solved", number)) for number in numbers]
    solved, moves = (sum(column) for column in zip(*games, strict=True))
    error = statistics.stdev(part / whole for part, whole in games) / len(games) ** 0.5 if len(games) > 1 else 0.0
    CONSOLE.print(f"{solved:,} of {moves:,} moves solved: {100 * solved / moves:.1f} ± {100 * error:.1f} %")


if __name__ == "__main__":
    main()
