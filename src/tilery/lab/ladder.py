"""Measuring the ladder: neighbours play each other in the arena, all are rated together, and moves are judged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tilery.core.atomic_write import write_atomically
from tilery.core.game import Rules
from tilery.core.position import Seen
from tilery.core.streams import Stream
from tilery.engine.family import Level
from tilery.engine.info import Info
from tilery.engine.limits import Limit
from tilery.engine.search import think
from tilery.lab.arena import Standings
from tilery.lab.loss import Judge, Loss, mean_loss, record_texts
from tilery.lab.ratings import rate, score_over
from tilery.lab.run_folder import GAMES_FILE, refuse_os_errors
from tilery.lab.settings import Settings
from tilery.lab.summary import direct_matches, outcomes_of
from tilery.lab.workers import Workers

ANCHOR, ANCHOR_ELO = "greedy", 1000.0
ANCHORS = (ANCHOR, "plain-uct")
BOTTOM, TOP = "random", "tilery@100ms"
GAMES_PER_PAIRING = 200
_LOSSES_FILE = "losses.json"


def ladder_bots(levels: Sequence[Level]) -> tuple[str, ...]:
    """The bots of a ladder from bottom to top; each plays against the one before it."""
    return (BOTTOM, *(level.name for level in levels), TOP)


def ladder_pairings(bots: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The pairings of a ladder: each bot against the one below, and the anchors against some of them."""
    neighbours = [(upper, lower) for lower, upper in pairwise(bots)]
    # The strength of the anchors is unknown, so each plays many levels, but not the top ones: it would lose every game.
    opponents = bots[2 : 2 * len(bots) // 3 + 1 : 3]
    return (*neighbours, *((name, other) for name in ANCHORS for other in opponents))


@dataclass(frozen=True)
class SearchJudge:
    """The judge of the ladder: the strongest search with `nodes` nodes and a variation for every move."""

    nodes: int

    def __call__(self, seen: Seen, stream: Stream) -> Info:
        return think(seen, Limit(nodes=self.nodes), stream=stream, variations=1000)


def _judged(task: tuple[Path, str, Judge, int, str]) -> tuple[str, Loss]:
    path, name, judge, sample, label = task
    texts = record_texts((path / GAMES_FILE).read_text(encoding="utf-8"))
    return name, mean_loss(texts, name, judge, sample=sample, seed=label)


def mean_losses(
    path: Path, bots: Sequence[str], judge: Judge, workers: Workers, *, sample: int, label: str
) -> dict[str, Loss]:
    """The mean loss of every bot of a run. Losses are stored in its folder and reused under the same label."""
    with refuse_os_errors(path):
        games = len(record_texts((path / GAMES_FILE).read_text(encoding="utf-8")))
        try:
            stored = json.loads((path / _LOSSES_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            stored = {}
        label = f"{label}, {sample} moves of {games} games"
        missing = [name for name in bots if stored.get(name, {}).get("label") != label]
        for name, loss in workers.map_unordered(_judged, ((path, name, judge, sample, label) for name in missing)):
            stored[name] = {"label": label, "loss": asdict(loss)}
            write_atomically(path / _LOSSES_FILE, json.dumps(stored, indent=1) + "\n")
    return {name: Loss(**stored[name]["loss"]) for name in bots}


def _description(level: Level) -> str:
    """How a level chooses its moves, in short."""
    how = f"{level.method} {level.limit}".strip() if level.method else "one ply"
    if level.spread <= 0:
        return f"{level.about} ({how}, always the best move)"
    return f"{level.about} ({how}, also moves up to {level.window:g} points worse, spread {level.spread:g})"


def section(
    standings: Standings, bots: Sequence[str], abouts: Mapping[str, str], losses: Mapping[str, Loss], nodes: int
) -> dict[str, Any]:
    """The section of one variant for the page, in plain values: a row for every bot, the weakest first."""
    settings = standings.settings
    ratings = rate(direct_matches(standings), ANCHOR, ANCHOR_ELO)
    below = {}
    for lower, upper in pairwise(bots):
        number = settings.pairings.index((upper, lower))
        score = score_over(outcomes_of(pair for pair in standings.pairs if pair.pairing == number), standings.sides)
        below[upper] = {"bot": lower, "score": round(score.mean, 4), "error": _rounded(score.error, 4)}
    rows = []
    for name in sorted(ratings, key=lambda name: ratings[name].elo):
        loss = losses.get(name)
        rows.append(
            {
                "bot": name,
                "about": abouts.get(name, ""),
                "elo": round(ratings[name].elo),
                "elo_error": round(ratings[name].error),
                "below": below.get(name),
                "loss": None
                if loss is None
                else {
                    "moves": loss.moves,
                    "win": round(loss.win, 4),
                    "win_error": _rounded(loss.win_error, 4),
                    "points": round(loss.points, 2),
                    "points_error": _rounded(loss.points_error, 2),
                },
            }
        )
    return {
        "game": settings.game,
        "variant": settings.variant,
        "seats": settings.rules.seats,
        "sides": settings.rules.sides,
        "games": settings.games,
        "seed": settings.seed,
        "tilery": settings.tilery,
        "judge": f"{next(iter(losses.values())).judge} with {nodes:,} nodes" if losses else "",
        "rows": rows,
    }


def _rounded(number: float, digits: int) -> float | None:
    return round(number, digits) if number < float("inf") else None


def descriptions(levels: Sequence[Level], others: Mapping[str, str]) -> dict[str, str]:
    """The description of every bot of the ladder, by name."""
    return {**others, **{level.name: _description(level) for level in levels}}


def ladder_settings(game: str, rules: Rules, bots: Sequence[str], games: int, seed: str) -> Settings:
    """The settings of the run that measures a ladder."""
    return Settings(game, rules.text, ladder_pairings(bots), games, seed)
