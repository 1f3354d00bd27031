"""The generalised sequential probability ratio test (SPRT) over pairs of games: it stops as soon as it is decided.

It compares two hypotheses: "the bot is `elo0` stronger" (H0) and "it is `elo1` stronger" (H1). Each is represented by
the most likely distribution of pair outcomes with its expected score. The log-likelihood ratio of the results (LLR)
moves up or down with every pair; the test ends when it reaches one of two bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tilery.core.refusals import Refused
from tilery.lab.ratings import score_of

PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)  # the possible shares of a pair of two games: 0, ½, 1, 1½ or 2 wins
_RARE = 1e-3  # the count used for an outcome that has not occurred


@dataclass(frozen=True)
class Sprt:
    """The two hypotheses, and the error probabilities: alpha of accepting H1 wrongly, beta of accepting H0 wrongly."""

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
            raise Refused("alpha and beta must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the LLR: H0 is accepted at the first one or below, H1 at the second one or above."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, outcomes: Mapping[float, float], seats: int = 2) -> float:
        """The log-likelihood ratio of H1 to H0, given how often each outcome of a pair (a share) occurred."""
        if not any(outcomes.values()):
            return 0.0
        counts = dict.fromkeys(PENTANOMIAL if seats == 2 else (0.0, 1.0), 0.0) | dict(outcomes)
        counts = {share: count or _RARE for share, count in sorted(counts.items())}
        divisor0 = _divisors(counts, score_of(self.elo0, seats))
        divisor1 = _divisors(counts, score_of(self.elo1, seats))
        return sum(count * math.log(divisor0[share] / divisor1[share]) for share, count in counts.items())

    def verdict(self, llr: float) -> str:
        """`H0` or `H1` when a bound is reached, "" before."""
        low, high = self.bounds
        return "H1" if llr >= high else "H0" if llr <= low else ""


def _divisors(outcomes: Mapping[float, float], score: float) -> dict[float, float]:
    """By how much each frequency must be divided to get the most likely distribution whose mean is the score.

    With a Lagrange multiplier x this is 1 + x (share - score). x is found by bisection: the mean falls as x grows.
    """
    low, high = -1 / (max(outcomes) - score), 1 / (score - min(outcomes))
    for _ in range(80):
        x = (low + high) / 2
        if sum(count * (share - score) / (1 + x * (share - score)) for share, count in outcomes.items()) > 0:
            low = x
        else:
            high = x
    return {share: 1 + x * (share - score) for share in outcomes}
