"""What an update costs: bytes for each viewer, and the time of a view and of what a move did.

    python -m bench.updates

It plays random games at tables of two, of which the deals and moves follow from the seed. `bytes` is the mean length of
the update after a move, for a spectator and for the player who moves next. The time is the mean for a viewer, over all
seats of a table of three and a spectator, of hiding what the viewer cannot know, making the view, and working out what
the move did; each position is seen once.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import time

from tilery.core.game import Game
from tilery.core.kernel.actors import OVER, SPECTATOR
from tilery.core.streams import Stream
from tilery.games import GAMES, game
from tilery.table import commands
from tilery.table.creation import SeatPlan, Setup, create_table
from tilery.table.fairness import Dealer
from tilery.table.handler import CommandContext, handle
from tilery.table.state import Table
from tilery.table.views import TableViews

ANN, BOB = ("a" * 64, "b" * 64)  # the hashes of their tokens


def bytes_of_updates(chosen: Game, seed: int) -> tuple[list[int], list[int]]:
    """The lengths of the updates of one game: for a spectator, and for the player to move."""
    secret = hashlib.sha256(f"{chosen.name} {seed}".encode()).digest()
    seats = (SeatPlan(kind="me", name="Ann"), SeatPlan(kind="open"))
    new = create_table(Setup(game=chosen.name, seats=seats), ANN, 0.0, ("k7vq2m9xwp3d", secret), game, lambda *_: None)
    table = Table(new.table, new.event, game)
    table.apply(new.event)
    dealer, stream = Dealer(secret), Stream("updates", chosen.name, str(seed))
    spectator: list[int] = []
    mover: list[int] = []

    def do(command: commands.AnyCommand, key: str) -> None:
        shown, now = TableViews(table, 0.0).shown(), float(table.number)
        context = CommandContext(table, command, key, None, now, dealer, lambda: ("", b""), lambda _: None)
        handled = handle(context)
        applied = [table.apply(event, handled.played) for event in handled.events]
        if isinstance(command, commands.Play) and table.actor is not None:
            views = TableViews(table, now, shown, applied)
            spectator.append(len(views.update("", chat=True).data))
            mover.append(len(views.update(table.seats[table.actor].who, chat=True).data))

    do(commands.Sit(id="sit", step=0, name="Bob"), BOB)
    do(commands.Start(id="start", step=0), ANN)
    while table.actor is not None:
        move = stream.choice(table.position.moves()).text
        do(commands.Play(id=f"m{table.step}", step=table.step, move=move), table.seats[table.actor].key)
    return spectator, mover


def time_of_views(chosen: Game, seed: int) -> tuple[float, float]:
    """Microseconds for a viewer: of the views, and of what the moves did."""
    position, stream = chosen.new("3"), Stream("views", chosen.name, str(seed))
    views: list[float] = []
    effects: list[float] = []
    while position.actor != OVER:
        action = stream.choice(position.actions()) if position.actor >= 0 else position.draw(stream)
        after = position.play(action)
        for viewer in (0, 1, 2, SPECTATOR) if position.actor >= 0 else ():
            began = time.perf_counter()
            chosen.view(after.seen_by(viewer).row)
            viewed = time.perf_counter()
            chosen.effects(position.seen_by(viewer).row, position.veiled(action, viewer))
            views.append(viewed - began)
            effects.append(time.perf_counter() - viewed)
        position = after
    return 1e6 * statistics.fmean(views), 1e6 * statistics.fmean(effects)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=14, help="games of each kind")
    options = parser.parse_args()
    for chosen in GAMES.values():
        time_of_views(chosen, -1)  # compiled, and the code is warm
        told = [bytes_of_updates(chosen, seed) for seed in range(options.games)]
        times = [time_of_views(chosen, seed) for seed in range(options.games)]
        result = {
            "game": chosen.name,
            "updates": sum(len(spectator) for spectator, _ in told),
            "bytes for a spectator": round(statistics.fmean([size for spectator, _ in told for size in spectator])),
            "bytes for the player to move": round(statistics.fmean([size for _, mover in told for size in mover])),
            "view (us)": round(statistics.fmean([view for view, _ in times]), 1),
            "what the move did (us)": round(statistics.fmean([effect for _, effect in times]), 1),
        }
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
