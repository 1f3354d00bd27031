"""`tilery lab fit`: fit the evaluation of Azul to games of the engine against itself."""

from __future__ import annotations

import json
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tilery.cli.arguments import seed_or_fresh
from tilery.cli.files import check_writable, write_safely
from tilery.cli.output import console
from tilery.core.refusals import Refused
from tilery.core.text import listed
from tilery.engine.azul.weights import mean_vector
from tilery.engine.family import prepare_all
from tilery.games import game
from tilery.lab.fit import VARIANTS, fit, fitted_text, self_play
from tilery.lab.workers import cores

_BARS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


def fit_evaluation(
    *, variants: list[str], games: int, nodes: int, seed: str | None, workers: int | None, out: Path
) -> None:
    """Play, fit and write the models; those of other variants in the file are not changed."""
    wanted = variants or list(VARIANTS)
    for variant in wanted:
        if variant not in VARIANTS:
            raise Refused(f"{variant[:40]!a} has no model: expected {listed(list(VARIANTS))}")
    check_writable(out)
    models = {}
    if out.exists():
        try:
            models = dict(json.loads(out.read_text(encoding="utf-8"))["models"])
        except (ValueError, KeyError, TypeError, OSError):
            raise Refused(f"{out} is not a file of fitted models: choose another one") from None
    seed = seed_or_fresh(seed)
    prepare_all(game("azul"))  # compiled before workers start
    for variant in wanted:
        with Progress(*_BARS, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task(f"Playing {variant}", total=games)
            played = self_play(
                variant,
                nodes,
                games,
                seed,
                cores() if workers is None else workers,
                lambda done: bar.advance(task, done),  # noqa: B023
            )
        models[variant] = {
            "how": f"tilery lab fit -v {variant} -n {games} --nodes {nodes} --seed {seed}",
            **fit(played, int(variant[0]), mean_vector(variant)),
        }
        write_safely(out, fitted_text(models))
        console.print(f"{variant}: {len(played.rows):,} rounds of {games:,} games; wrote {out}", soft_wrap=True)
