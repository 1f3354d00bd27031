"""`tilery arena`: matches between bots."""

from __future__ import annotations

import json as json_module
import shlex
from collections.abc import Sequence
from pathlib import Path

from tilery.cli.arguments import seed_or_fresh, variant
from tilery.cli.files import new_run_folder
from tilery.cli.match_output import print_results, run_with_progress, whole_pairs
from tilery.cli.output import console
from tilery.core.refusals import Refused
from tilery.engine.bots import load_bot
from tilery.games import game as game_named
from tilery.lab.run_folder import read_settings
from tilery.lab.settings import Settings, round_robin, settings_in
from tilery.lab.summary import summary

_GAMES = 100  # per pairing, rounded up to whole pairs


def _settings(
    bots: Sequence[str],
    *,
    game: str,
    variant_text: str | None,
    seats: int | None,
    games: int | None,
    seed: str | None,
    sprt: tuple[float, float] | None,
    out: Path | None,
) -> Settings:
    """The settings of a new run, or of the one in the folder `out`."""
    chosen = game_named(game)
    rules = variant(chosen, variant_text, seats)
    existing = read_settings(out) if out else None
    if seed is None and existing is not None and isinstance(existing.get("seed"), str):
        seed = existing["seed"]  # the same command resumes the same run
    pairings = round_robin(bots, rules)
    for name in bots:
        load_bot(chosen, name, rules)
    games_each = whole_pairs(_GAMES, rules) if games is None else games
    return Settings(chosen.name, rules.text, pairings, games_each, seed_or_fresh(seed), sprt)


def play_arena(
    bots: Sequence[str],
    *,
    game: str,
    variant_text: str | None,
    seats: int | None,
    games: int | None,
    seed: str | None,
    workers: int | None,
    sprt: tuple[float, float] | None,
    out: Path | None,
    resume: Path | None,
    json: bool,
) -> None:
    """Play a match or a round robin, and print its results."""
    if resume is not None:
        if bots or variant_text or seats or games or seed or sprt or out:
            raise Refused(
                "a run is resumed with the settings it was started with: give only --resume DIR, --workers and --json"
            )
        settings = settings_in(resume)
    else:
        settings = _settings(
            bots, game=game, variant_text=variant_text, seats=seats, games=games, seed=seed, sprt=sprt, out=out
        )
    path = resume or out or new_run_folder("arena")
    resume_with = f"arena --resume {shlex.quote(str(path))}"
    standings = run_with_progress(settings, path, workers=workers, quiet=json, resume_with=resume_with)
    results = summary(standings)
    if json:
        print(json_module.dumps({**results, "folder": str(path)}))
        return
    print_results(results)
    console.print(f"Seed {settings.seed}; records and results are in {path}", style="dim", soft_wrap=True)
