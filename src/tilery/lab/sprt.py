"""A test that stops as soon as it knows: the generalised sequential probability ratio test over pairs of games.

Two claims are weighed, "the bot is `elo0` stronger" and "it is `elo1` stronger". Each is given the likeliest
distribution of pair outcomes that has its expected score; the logarithm of how much likelier the second one makes the
games (LLR) walks up or down with every pair, and one of two bounds ends the test.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tilery.core.refusals import Refused
from tilery.lab.ratings import score_of

PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)  # the shares a pair of two games can end with: 0, ½, 1, 1½ or 2 points
_RARE = 1e-3  # how often an outcome is taken to have come that has not


@dataclass(frozen=True)
class Sprt:
    """The two claims, and how often each may be accepted wrongly."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise Refused(
                f"the first Elo must be below the second one, as in --sprt 0 10, not {self.elo0:g} {self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise Refused("alpha and beta lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first one the weaker claim is accepted, above the second one the stronger."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, outcomes: Mapping[float, float], seats: int = 2) -> float:
        """How much the outcomes of pairs (a share from 0 to 1: how often) speak for the stronger claim."""
        if not any(outcomes.values()):
            return 0.0
        held = dict.fromkeys(PENTANOMIAL if seats == 2 else (0.0, 1.0), 0.0) | dict(outcomes)
        held = {share: count or _RARE for share, count in sorted(held.items())}
        weaker = _tilt(held, score_of(self.elo0, seats))
        stronger = _tilt(held, score_of(self.elo1, seats))
        return sum(count * math.log(weaker[share] / stronger[share]) for share, count in held.items())

    def verdict(self, llr: float) -> str:
        """`H0` or `H1` once a bound is reached, "" before."""
        low, high = self.bounds
        return "H1" if llr >= high else "H0" if llr <= low else ""


def _tilt(outcomes: Mapping[float, float], score: float) -> dict[float, float]:
    """By what each frequency is divided to give the likeliest distribution whose mean is the score.

    By Lagrange that is 1 + x (share - score), with the one x that makes the mean come out; the mean falls as x grows.
    """
    low, high = -1 / (max(outcomes) - score), 1 / (score - min(outcomes))
    for _ in range(80):
        x = (low + high) / 2
        if sum(count * (share - score) / (1 + x * (share - score)) for share, count in outcomes.items()) > 0:
            low = x
        else:
            high = x
    return {share: 1 + x * (share - score) for share in outcomes}
