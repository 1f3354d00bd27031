"""`tilery lab ladder`: measure the levels of the bots and write docs/ladder.md."""

from __future__ import annotations

from pathlib import Path

from tilery.cli.arguments import seed_or_fresh, variant
from tilery.cli.files import data_folder
from tilery.cli.match_output import print_results, run_with_progress, whole_pairs
from tilery.cli.output import console
from tilery.engine.bots import bot
from tilery.engine.family import family_of
from tilery.games import game as game_named
from tilery.lab.ladder import (
    GAMES_PER_PAIRING,
    SearchJudge,
    descriptions,
    ladder_bots,
    ladder_settings,
    mean_losses,
    section,
)
from tilery.lab.ladder_page import check_page, update_page
from tilery.lab.summary import summary
from tilery.lab.workers import Workers, cores


def write_page(out: Path) -> None:
    """Rewrite the page from its saved data."""
    update_page(out)
    console.print(f"Wrote {out}", soft_wrap=True)


def measure_ladder(
    *,
    game: str,
    variant_text: str | None,
    seats: int | None,
    games: int | None,
    out: Path,
    data: Path | None,
    workers: int | None,
    seed: str,
    sample: int,
    nodes: int,
) -> None:
    """Play the matches of the ladder, judge moves, and write the page."""
    chosen = game_named(game)
    rules = variant(chosen, variant_text, seats)
    games_each = whole_pairs(GAMES_PER_PAIRING, rules) if games is None else games
    levels = family_of(chosen).levels(rules)
    steps = ladder_bots(levels)
    settings = ladder_settings(chosen.name, rules, steps, games_each, seed_or_fresh(seed))
    check_page(out)
    path = (data or data_folder() / "ladder") / f"{chosen.name}-{rules.text.replace(',', '-')}"
    standings = run_with_progress(
        settings, path, workers=workers, quiet=False, resume_with="lab ladder with the same options"
    )
    print_results(summary(standings))
    console.print(f"Judging {sample} moves of each bot ...", style="dim")
    with Workers(cores() if workers is None else workers, chosen.name, rules.text, (), bot) as processes:
        measured = mean_losses(
            path, settings.bots, SearchJudge(nodes), processes, sample=sample, label=f"{nodes} nodes"
        )
    abouts = descriptions(levels, {name: bot(name).about for name in settings.bots})
    update_page(out, section(standings, steps, abouts, measured, nodes))
    console.print(f"Wrote {out}", soft_wrap=True)
