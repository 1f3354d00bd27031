"""`tilery lab tune`: tune weights by playing, then play the new ones against the old ones."""

from __future__ import annotations

from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tilery.cli.arguments import variant
from tilery.cli.files import new_run_folder
from tilery.cli.match_output import print_results, whole_pairs
from tilery.cli.output import console
from tilery.core.game import Game, Rules
from tilery.engine.family import family_of, method_of
from tilery.engine.limits import Limit
from tilery.games import game as game_named
from tilery.lab.arena import run_arena
from tilery.lab.match import seatings
from tilery.lab.settings import Settings
from tilery.lab.summary import summary
from tilery.lab.tune import WEIGHTS_FILE, Iteration, Plan, Weights, run_tuning, select_weights
from tilery.lab.weighted_bots import SpsaMatch, WeightedBots, weighted_evaluation
from tilery.lab.workers import Workers, cores

_BARS = (
    TextColumn("Tuning"),
    BarColumn(),
    MofNCompleteColumn(),
    TimeRemainingColumn(),
    TextColumn("{task.description}"),
)


def _print_weights(start: Weights, tuned: Weights) -> None:
    table = Table(title="Weights")
    table.add_column("weight")
    for heading in ("before", "after"):
        table.add_column(heading, justify="right")
    for name, value in start.items():
        table.add_row(name, f"{value:.4g}", f"{tuned[name]:.4g}")
    console.print(table)


def tune_weights(
    *,
    game: str,
    variant_text: str | None,
    seats: int | None,
    weights: str | None,
    iterations: int,
    games: int | None,
    limit: str,
    method: str | None,
    nudge: float,
    step: float,
    seed: str,
    workers: int | None,
    out: Path | None,
    match: int,
    sprt: tuple[float, float],
) -> None:
    """Tune, print the weights, and with `match` let them play against the old ones."""
    chosen = game_named(game)
    rules = variant(chosen, variant_text, seats)
    plan = Plan(iterations, seed, nudge, step)
    method_of(chosen, method or family_of(chosen).strongest(rules, Limit.read(limit)))  # compiled before workers start
    names = None if weights is None else [name.strip() for name in weights.split(",")]
    start = select_weights(weighted_evaluation(chosen).weights_of(rules), names)
    each = len(seatings(rules)) if games is None else games
    settings = Settings(chosen.name, rules.text, (("plus", "minus"),), each, seed)
    path = out or new_run_folder("tune")
    bots = WeightedBots.of(chosen, rules, limit, method, plus=start, minus=start)
    count = min(cores() if workers is None else workers, settings.pairs)
    about = {"game": chosen.name, "variant": rules.text, "games": each, "limit": limit, "method": method}
    with (
        Progress(*_BARS, console=console, transient=True, disable=not console.is_terminal) as bar,
        Workers(count, chosen.name, rules.text, settings.bots, bots) as processes,
    ):
        task = bar.add_task("", total=iterations)

        def report(iteration: Iteration) -> None:
            bar.update(task, completed=iteration.number + 1, description=f"score {iteration.score:.2f}")

        tuned = run_tuning(start, SpsaMatch(settings, processes, bots), plan, path, about, report)
    _print_weights(start, tuned)
    console.print(f"Wrote {path / WEIGHTS_FILE}", soft_wrap=True)
    if match:
        _compare(chosen, rules, limit, method, start, tuned, path / "match", match, sprt, seed, workers)


def _compare(
    chosen: Game,
    rules: Rules,
    limit: str,
    method: str | None,
    start: Weights,
    tuned: Weights,
    path: Path,
    games: int,
    sprt: tuple[float, float],
    seed: str,
    workers: int | None,
) -> None:
    """Play the new weights against the old ones: a sequential test, as for any change of play."""
    bots = WeightedBots.of(chosen, rules, limit, method, new=tuned, old=start)
    settings = Settings(chosen.name, rules.text, (("new", "old"),), whole_pairs(games, rules), f"{seed}/match", sprt)
    print_results(summary(run_arena(settings, path, workers=workers, find=bots)))
