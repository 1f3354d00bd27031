"""The ladder measured: neighbours play each other in the arena, the pool is rated, and the moves are judged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tilery.core.game import Rules
from tilery.core.position import Seen
from tilery.core.streams import Stream
from tilery.core.writing import write_whole
from tilery.engine.family import Level
from tilery.engine.info import Info
from tilery.engine.limits import Limit
from tilery.engine.search import think
from tilery.lab.arena import Standings
from tilery.lab.folder import GAMES, refusals
from tilery.lab.loss import Judge, Loss, mean_loss, records_of
from tilery.lab.ratings import rate, score_over
from tilery.lab.settings import Settings
from tilery.lab.summary import directs, outcomes_of
from tilery.lab.workers import Workers

ANCHOR, ANCHORED_AT = "greedy", 1000.0
ANCHORS = (ANCHOR, "plain-uct")
BOTTOM, TOP = "random", "tilery@100ms"
GAMES_EACH = 200
_LOSSES = "losses.json"


def steps_of(levels: Sequence[Level]) -> tuple[str, ...]:
    """The bots of a ladder from the bottom to the top; every one meets the one before it."""
    return (BOTTOM, *(level.name for level in levels), TOP)


def neighbours(steps: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The pairings of a ladder: each step against the one below, and the anchors against some of them."""
    climbing = [(upper, lower) for lower, upper in pairwise(steps)]
    # Nobody knows where the anchors stand, so they meet many, but nobody near the top: that would say nothing.
    met = steps[2 : 2 * len(steps) // 3 + 1 : 3]
    return (*climbing, *((name, other) for name in ANCHORS for other in met))


@dataclass(frozen=True)
class Thinking:
    """The judge of the ladder: the strongest search, with so many nodes, every move with a value of its own."""

    nodes: int

    def __call__(self, seen: Seen, stream: Stream) -> Info:
        return think(seen, Limit(nodes=self.nodes), stream=stream, lines=1000)


def _judged(task: tuple[Path, str, Judge, int, str]) -> tuple[str, Loss]:
    path, name, judge, sample, label = task
    texts = records_of((path / GAMES).read_text(encoding="utf-8"))
    return name, mean_loss(texts, name, judge, most=sample, seed=label)


def losses(
    path: Path, bots: Sequence[str], judge: Judge, workers: Workers, *, sample: int, label: str
) -> dict[str, Loss]:
    """The loss of every bot of a run; what has been judged before under the same label is kept in its folder."""
    with refusals(path):
        games = len(records_of((path / GAMES).read_text(encoding="utf-8")))
        try:
            kept = json.loads((path / _LOSSES).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            kept = {}
        label = f"{label}, {sample} moves of {games} games"
        missing = [name for name in bots if kept.get(name, {}).get("label") != label]
        for name, loss in workers.spread(_judged, ((path, name, judge, sample, label) for name in missing)):
            kept[name] = {"label": label, "loss": asdict(loss)}
            write_whole(path / _LOSSES, json.dumps(kept, indent=1) + "\n")
    return {name: Loss(**kept[name]["loss"]) for name in bots}


def _thinks(level: Level) -> str:
    """How a level thinks, in short."""
    how = f"{level.method} {level.limit}".strip() if level.method else "one ply"
    if level.spread <= 0:
        return f"{level.about} ({how}, always the best move)"
    return f"{level.about} ({how}, also moves up to {level.window:g} points worse, spread {level.spread:g})"


def section(
    standings: Standings, steps: Sequence[str], abouts: Mapping[str, str], losses: Mapping[str, Loss], nodes: int
) -> dict[str, Any]:
    """What the page says about one variant, in plain values: a row for every bot, the weakest first."""
    settings = standings.settings
    ratings = rate(directs(standings), ANCHOR, ANCHORED_AT)
    below = {}
    for lower, upper in pairwise(steps):
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


def abouts_of(levels: Sequence[Level], others: Mapping[str, str]) -> dict[str, str]:
    """How every bot of the ladder thinks."""
    return {**others, **{level.name: _thinks(level) for level in levels}}


def ladder_settings(game: str, rules: Rules, steps: Sequence[str], games: int, seed: str) -> Settings:
    """The run that measures a ladder."""
    return Settings(game, rules.text, neighbours(steps), games, seed)
