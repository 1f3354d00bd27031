"""Scores with error bars, and Elo ratings of a pool of bots.

A score is the share of the wins, a shared win counting in part. Its error is computed from *pairs*, the games on the
same deals with the seats exchanged: they share their luck, so they are one observation, not several.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tilery.core.refusals import Refused

ELO_SCALE = 400 / math.log(10)  # Elo points per unit of the logistic curve
Z_95 = 1.959964  # standard errors on either side that cover 95 % of a normal distribution


def score_of(elo: float, seats: int = 2) -> float:
    """The expected score of a bot that is `elo` stronger than each of the other bots in its game."""
    return 1 / (1 + (seats - 1) * math.exp(-elo / ELO_SCALE))


def elo_of(score: float, seats: int = 2) -> float:
    """The Elo difference behind a score; infinite for a score of 0 or 1, and 0 for par (1 in `seats`)."""
    if not 0 <= score <= 1:
        raise Refused(f"a score is a share from 0 to 1, not {score}")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return ELO_SCALE * math.log(score * (seats - 1) / (1 - score))


@dataclass(frozen=True)
class Score:
    """The share of the wins that a bot has taken, over a number of pairs."""

    pairs: int
    mean: float
    error: float  # one standard error of the mean; infinite for a single pair
    seats: int = 2

    @property
    def elo(self) -> float:
        """The Elo difference to the other bots in the game."""
        return elo_of(self.mean, self.seats)

    @property
    def elo_error(self) -> float:
        """One standard error of `elo`."""
        if self.mean in (0, 1):
            return math.inf
        return ELO_SCALE * self.error / (self.mean * (1 - self.mean))

    @property
    def elo_range(self) -> tuple[float, float]:
        """The 95 % confidence interval of `elo`; bounded only below if every game was won, only above if lost."""
        if self.mean in (0, 1):
            bound = elo_of(0.05 ** (1 / self.pairs), self.seats) if self.mean else 0.0
            return (bound, math.inf) if self.mean else (-math.inf, elo_of(1 - 0.05 ** (1 / self.pairs), self.seats))
        low, high = self.mean - Z_95 * self.error, self.mean + Z_95 * self.error
        return elo_of(max(0.0, low), self.seats), elo_of(min(1.0, high), self.seats)

    @property
    def superiority(self) -> float:
        """The likelihood of superiority (LOS): the probability that the bot is stronger than the others."""
        ahead = self.mean - 1 / self.seats
        if ahead == 0 or math.isinf(self.error):
            return 0.5
        return 0.5 * math.erfc(-ahead / self.error / math.sqrt(2)) if self.error else float(ahead > 0)


def score_over(outcomes: Mapping[float, float], seats: int = 2) -> Score:
    """The score over pairs, given how often each outcome of a pair (a share from 0 to 1) occurred."""
    pairs = sum(outcomes.values())
    if pairs <= 0:
        raise Refused("a score needs at least one pair of games")
    mean = sum(share * count for share, count in outcomes.items()) / pairs
    if pairs < 2:
        return Score(int(pairs), mean, math.inf, seats)
    variance = sum(count * (share - mean) ** 2 for share, count in outcomes.items()) / (pairs - 1)
    return Score(int(pairs), mean, math.sqrt(variance / pairs), seats)


@dataclass(frozen=True)
class DirectMatch:
    """All games between two bots. The first plays alone among `seats` sides; `share` is its share of the wins."""

    first: str
    second: str
    games: int
    share: float
    seats: int = 2


@dataclass(frozen=True)
class Rating:
    """The rating of a bot in a pool, with one standard error (0 for the anchor)."""

    elo: float
    error: float


def _pool_names(matches: Sequence[DirectMatch], anchor: str) -> list[str]:
    """The bots of a pool, the anchor first; refuse a pool in which games do not connect every bot to the anchor."""
    names = list(dict.fromkeys(name for match in matches for name in (match.first, match.second)))
    if anchor not in names:
        raise Refused(f"the anchor {anchor[:40]!a} has not played in this pool")
    connected = {anchor}
    while True:
        more = {
            name for match in matches for name in (match.first, match.second) if {match.first, match.second} & connected
        }
        if more <= connected:
            break
        connected |= more
    for name in names:
        if name not in connected:
            raise Refused(f"no games connect {name[:40]!a} to {anchor[:40]!a}: they have no opponents in common")
    return [anchor, *(name for name in names if name != anchor)]


def rate(matches: Sequence[DirectMatch], anchor: str, at: float = 1000.0) -> dict[str, Rating]:
    """Maximum-likelihood ratings of the Bradley-Terry model, with the anchor fixed at `at`.

    Standard errors come from the Fisher information. A bot of strength a, alone against seats - 1 bots of strength b,
    wins with probability e^a / (e^a + (seats - 1) e^b) (Luce's choice axiom). If one bot won every game of a match, the
    likelihood has no maximum; its opponent is then given half a game.
    """
    names = _pool_names(matches, anchor)
    number = {name: k for k, name in enumerate(names)}
    first = np.array([number[match.first] for match in matches])
    second = np.array([number[match.second] for match in matches])
    games = np.array([float(match.games) for match in matches])
    points = np.array([match.games * match.share for match in matches])
    for k in range(len(matches)):
        if points[k] <= 0 or points[k] >= games[k]:
            points[k] += 0.5 * (points[k] <= 0)
            games[k] += 0.5
    log_opponents = np.log(np.array([match.seats - 1.0 for match in matches]))
    strength = np.zeros(len(names))
    for _ in range(200):
        probabilities = 1 / (1 + np.exp(log_opponents - strength[first] + strength[second]))
        slope = np.zeros(len(names))
        np.add.at(slope, first, points - games * probabilities)
        np.add.at(slope, second, games * probabilities - points)
        information = np.zeros((len(names), len(names)))
        weight = games * probabilities * (1 - probabilities)
        for here, there in ((first, second), (second, first)):
            np.add.at(information, (here, here), weight)
            np.add.at(information, (here, there), -weight)
        step = np.linalg.solve(information[1:, 1:], slope[1:])
        # Far from the maximum a full Newton step may overshoot.
        step *= min(1.0, 3.0 / max(1e-300, float(np.abs(step).max())))
        strength[1:] += step
        if float(np.abs(step).max()) < 1e-10:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(information[1:, 1:])))
    ratings = {anchor: Rating(at, 0.0)}
    for k, name in enumerate(names[1:]):
        ratings[name] = Rating(at + ELO_SCALE * float(strength[k + 1]), ELO_SCALE * float(errors[k]))
    return ratings
