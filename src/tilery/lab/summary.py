"""The summary of a run in plain values: for every bot and for every pairing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from tilery.lab.arena import Standings
from tilery.lab.match import GameResult, Pair
from tilery.lab.ratings import DirectMatch, Score, rate, score_over
from tilery.lab.sprt import PENTANOMIAL, Sprt


def outcomes_of(pairs: Iterable[Pair], *, of_second: bool = False) -> dict[float, float]:
    """How often each outcome of a pair occurred: the share of the first bot, or of the second."""
    counts: dict[float, float] = {}
    for pair in pairs:
        share = round(1 - pair.share, 9) if of_second else pair.share
        counts[share] = counts.get(share, 0.0) + 1
    return counts


def _finite(number: float, digits: int = 6) -> float | None:
    """A rounded number; None for infinity, which JSON does not have."""
    return round(number, digits) if math.isfinite(number) else None


def score_as_dict(score: Score) -> dict[str, Any]:
    """A score in plain values."""
    low, high = score.elo_range
    return {
        "score": _finite(score.mean),
        "error": _finite(score.error),
        "elo": _finite(score.elo, 2),
        "elo_error": _finite(score.elo_error, 2),
        "elo_range": [_finite(low, 2), _finite(high, 2)],
        "superiority": _finite(score.superiority),
    }


def placement(game: GameResult) -> float:
    """The share of the other seats that the first bot, alone among them, beats on points; a tie counts half."""
    (seat,) = (seat for seat, who in enumerate(game.seats) if who == 0)
    if game.lost_by is not None:
        return float(game.lost_by != seat)
    others = [points for other, points in enumerate(game.points) if other != seat]
    mine = game.points[seat]
    return sum((mine > points) + (mine == points) / 2 for points in others) / len(others)


def _totals(games: Sequence[tuple[GameResult, int]], par: float) -> dict[str, Any]:
    """Totals and means over games, each given with the bot (0 or 1) whose results count."""
    wins = draws = losses = forfeits = moves = seats = points = 0
    cpu = slowest = 0.0
    for game, who in games:
        share = game.share(who)
        wins += share == 1
        losses += share == 0
        draws += 0 < share < 1
        own = [seat for seat, bot in enumerate(game.seats) if bot == who]
        forfeits += game.lost_by in own
        seats += len(own)
        points += sum(game.points[seat] for seat in own)
        moves += sum(game.moves[seat] for seat in own)
        cpu += sum(game.cpu[seat] for seat in own)
        slowest = max(slowest, *(game.slowest[seat] for seat in own))
    return {
        "games": len(games),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "forfeits": forfeits,
        "par": par,
        "points": points / max(1, seats),
        "moves": moves,
        "cpu_ms": 1000 * cpu / max(1, moves),
        "cpu_ms_most": 1000 * slowest,
    }


def _pairing(standings: Standings, number: int, pairs: Sequence[Pair]) -> dict[str, Any]:
    """One pairing, from the point of view of its first bot."""
    first, second = standings.settings.pairings[number]
    outcomes = outcomes_of(pairs)
    result: dict[str, Any] = {
        "first": first,
        "second": second,
        **_totals([(game, 0) for pair in pairs for game in pair.games], 1 / standings.sides),
        **score_as_dict(score_over(outcomes, standings.sides)),
    }
    if standings.sides == 2:
        result["pairs"] = [int(outcomes.get(share, 0)) for share in PENTANOMIAL]
    else:
        placements: dict[float, float] = {}
        for pair in pairs:
            mean = round(sum(map(placement, pair.games)) / len(pair.games), 9)
            placements[mean] = placements.get(mean, 0.0) + 1
        result["placement"] = score_as_dict(score_over(placements))
        result["others"] = _totals([(game, 1) for pair in pairs for game in pair.games], 1 / standings.sides)
    return result


def _bots(standings: Standings, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Every bot over all its pairings (two sides only)."""
    rows = []
    for name in standings.settings.bots:
        games: list[tuple[GameResult, int]] = []
        outcomes: dict[float, float] = {}
        for pair in pairs:
            names = standings.settings.pairings[pair.pairing]
            if name in names:
                who = names.index(name)
                games += [(game, who) for game in pair.games]
                for share, count in outcomes_of([pair], of_second=who == 1).items():
                    outcomes[share] = outcomes.get(share, 0.0) + count
        if games:
            counts = [int(outcomes.get(share, 0)) for share in PENTANOMIAL]
            rows.append({"bot": name, **_totals(games, 0.5), **score_as_dict(score_over(outcomes)), "pairs": counts})
    return rows


def direct_matches(standings: Standings) -> list[DirectMatch]:
    """The direct matches of a run, for rating its bots."""
    matches = []
    for number, (first, second) in enumerate(standings.settings.pairings):
        pairs = [pair for pair in standings.pairs if pair.pairing == number]
        if pairs:
            games = len(pairs) * standings.games_per_pair
            matches.append(DirectMatch(first, second, games, score_over(outcomes_of(pairs)).mean, standings.sides))
    return matches


def summary(standings: Standings) -> dict[str, Any]:
    """The summary that `tilery arena --json` prints."""
    settings, pairs = standings.settings, standings.pairs
    result: dict[str, Any] = {
        "game": settings.game,
        "variant": settings.variant,
        "seed": settings.seed,
        "games": len(pairs) * standings.games_per_pair,
        "done": standings.done,
        "pairings": [
            _pairing(standings, number, own)
            for number in range(len(settings.pairings))
            if (own := [pair for pair in pairs if pair.pairing == number])
        ],
        "bots": _bots(standings, pairs) if standings.sides == 2 else [],
        "remarks": _remarks(standings, pairs),
    }
    if len(settings.bots) > 2 and standings.done:
        anchor = "greedy" if "greedy" in settings.bots else settings.bots[0]
        ratings = rate(direct_matches(standings), anchor)
        result["ratings"] = {name: [round(one.elo, 2), round(one.error, 2)] for name, one in ratings.items()}
    if settings.sprt is not None:
        low, high = Sprt(*settings.sprt).bounds
        result["sprt"] = {
            "elo0": settings.sprt[0],
            "elo1": settings.sprt[1],
            "llr": round(standings.llr, 4),
            "bounds": [round(low, 4), round(high, 4)],
            "verdict": standings.verdict or None,
        }
    return result


def _remarks(standings: Standings, pairs: Sequence[Pair]) -> list[str]:
    """The distinct reasons for forfeits, each with the number of games."""
    counts: dict[str, int] = {}
    for pair in pairs:
        for game in pair.games:
            if game.lost_by is not None:
                name = standings.settings.pairings[pair.pairing][game.seats[game.lost_by]]
                remark = f"{name}: {game.remark}"
                counts[remark] = counts.get(remark, 0) + 1
    return [f"{remark} ({count} {'game' if count == 1 else 'games'})" for remark, count in counts.items()]
