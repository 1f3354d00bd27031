"""From points to Elo: a score with its error bars, and the ratings of a pool of bots.

A score is a share of the games won, a shared win counted in parts. Its error comes from *pairs*, the games played on
the same deals with the seats changed: such games have luck in common, so they are one observation, not several.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tilery.core.refusals import Refused

SCALE = 400 / math.log(10)  # Elo for each step of the logistic curve
WIDE = 1.959964  # standard errors to either side that hold 95 % of a normal distribution


def score_of(elo: float, seats: int = 2) -> float:
    """The score that is expected of a bot that is so much stronger than each of the others at its table."""
    return 1 / (1 + (seats - 1) * math.exp(-elo / SCALE))


def elo_of(score: float, seats: int = 2) -> float:
    """The difference in strength behind a score; infinite for a score of 0 or 1. Par, 1 in `seats`, is 0."""
    if not 0 <= score <= 1:
        raise Refused(f"a score is a share from 0 to 1, not {score}")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return SCALE * math.log(score * (seats - 1) / (1 - score))


@dataclass(frozen=True)
class Score:
    """The share of all points that a bot has taken, over so many pairs."""

    pairs: int
    mean: float
    error: float  # one standard error of the mean; infinite where one pair tells nothing about the spread
    seats: int = 2

    @property
    def elo(self) -> float:
        """The difference to the other bots at the table."""
        return elo_of(self.mean, self.seats)

    @property
    def elo_error(self) -> float:
        """One standard error of it."""
        if self.mean in (0, 1):
            return math.inf
        return SCALE * self.error / (self.mean * (1 - self.mean))

    @property
    def elo_range(self) -> tuple[float, float]:
        """What 95 % of such matches would leave possible. Who has won everything gets a lower bound only."""
        if self.mean in (0, 1):
            bound = elo_of(0.05 ** (1 / self.pairs), self.seats) if self.mean else 0.0
            return (bound, math.inf) if self.mean else (-math.inf, elo_of(1 - 0.05 ** (1 / self.pairs), self.seats))
        low, high = self.mean - WIDE * self.error, self.mean + WIDE * self.error
        return elo_of(max(0.0, low), self.seats), elo_of(min(1.0, high), self.seats)

    @property
    def superiority(self) -> float:
        """The likelihood of superiority: how sure it is that the bot is stronger than the others."""
        ahead = self.mean - 1 / self.seats
        if ahead == 0 or math.isinf(self.error):
            return 0.5
        return 0.5 * math.erfc(-ahead / self.error / math.sqrt(2)) if self.error else float(ahead > 0)


def score_over(outcomes: Mapping[float, float], seats: int = 2) -> Score:
    """The score over pairs: how often each outcome (a share from 0 to 1 of a pair's points) came."""
    pairs = sum(outcomes.values())
    if pairs <= 0:
        raise Refused("a score needs at least one pair of games")
    mean = sum(share * count for share, count in outcomes.items()) / pairs
    if pairs < 2:
        return Score(int(pairs), mean, math.inf, seats)
    variance = sum(count * (share - mean) ** 2 for share, count in outcomes.items()) / (pairs - 1)
    return Score(int(pairs), mean, math.sqrt(variance / pairs), seats)


@dataclass(frozen=True)
class Direct:
    """All direct games of two bots: the first one's share of the points, alone among so many seats."""

    first: str
    second: str
    games: int
    share: float
    seats: int = 2


@dataclass(frozen=True)
class Rating:
    """The strength of a bot in a pool, with one standard error (0 for the anchor)."""

    elo: float
    error: float


def _checked(matches: Sequence[Direct], anchor: str) -> list[str]:
    """The bots of a pool, the anchor first; all of them must be joined to it by games."""
    names = list(dict.fromkeys(name for match in matches for name in (match.first, match.second)))
    if anchor not in names:
        raise Refused(f"the anchor {anchor[:40]!a} has played no games of this pool")
    joined = {anchor}
    while True:
        more = {
            name for match in matches for name in (match.first, match.second) if {match.first, match.second} & joined
        }
        if more <= joined:
            break
        joined |= more
    for name in names:
        if name not in joined:
            raise Refused(
                f"nothing joins {name[:40]!a} to {anchor[:40]!a}: they have no games and no opponents in common"
            )
    return [anchor, *(name for name in names if name != anchor)]


def rate(matches: Sequence[Direct], anchor: str, at: float = 1000.0) -> dict[str, Rating]:
    """Bradley and Terry's ratings of greatest likelihood, the anchor held fast; errors from Fisher's information.

    Alone among several, a bot is first with the odds e^a : (seats - 1) e^b, as Luce's choice has it. Where somebody has
    won everything there is no likeliest rating; half a game is then given to who has none, so that there is one.
    """
    names = _checked(matches, anchor)
    number = {name: k for k, name in enumerate(names)}
    first = np.array([number[match.first] for match in matches])
    second = np.array([number[match.second] for match in matches])
    games = np.array([float(match.games) for match in matches])
    points = np.array([match.games * match.share for match in matches])
    for k in range(len(matches)):
        if points[k] <= 0 or points[k] >= games[k]:
            points[k] += 0.5 * (points[k] <= 0)
            games[k] += 0.5
    par = np.log(np.array([match.seats - 1.0 for match in matches]))
    strength = np.zeros(len(names))
    for _ in range(200):
        odds = 1 / (1 + np.exp(par - strength[first] + strength[second]))
        slope = np.zeros(len(names))
        np.add.at(slope, first, points - games * odds)
        np.add.at(slope, second, games * odds - points)
        information = np.zeros((len(names), len(names)))
        weight = games * odds * (1 - odds)
        for here, there in ((first, second), (second, first)):
            np.add.at(information, (here, here), weight)
            np.add.at(information, (here, there), -weight)
        step = np.linalg.solve(information[1:, 1:], slope[1:])
        step *= min(1.0, 3.0 / max(1e-300, float(np.abs(step).max())))  # a whole one may overshoot far from the top
        strength[1:] += step
        if float(np.abs(step).max()) < 1e-10:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(information[1:, 1:])))
    found = {anchor: Rating(at, 0.0)}
    for k, name in enumerate(names[1:]):
        found[name] = Rating(at + SCALE * float(strength[k + 1]), SCALE * float(errors[k]))
    return found
