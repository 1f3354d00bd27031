"""The sequential test, compared with closed forms and published runs."""

from __future__ import annotations

import math

import pytest

from tilery import Refused, Stream
from tilery.lab.ratings import elo_of, score_of, score_over
from tilery.lab.sprt import PENTANOMIAL, Sprt


def pentanomial(*counts: int) -> dict[float, float]:
    return dict(zip(PENTANOMIAL, map(float, counts), strict=True))


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert Sprt(0, 5, alpha=0.05, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ((99, 3323, 8399, 3606, 109), 0, 2, 2.98),
        ((291, 10353, 21899, 10175, 306), 0, 2, -3.08),
        ((900, 30596, 67292, 30899, 809), 0, 2, -2.96),
        ((45, 8506, 25934, 8883, 57), 0.5, 2.5, 2.94),
        ((19, 4020, 10316, 4215, 24), -1.75, 0.25, 2.94),
    ],
)
def test_published_runs_of_fishtest(counts: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    """Fishtest uses normalised Elo (347.4 Elo per standard deviation of a game); ours is logistic."""
    outcomes = pentanomial(*counts)
    score = score_over(outcomes)
    deviation = score.error * math.sqrt(2 * score.pairs)  # of one game
    logistic = [elo_of(0.5 + elo * math.log(10) / 800 * deviation) for elo in (elo0, elo1)]
    assert Sprt(*logistic).llr(outcomes) == pytest.approx(llr, abs=0.01)


def test_with_two_outcomes_it_is_the_plain_likelihood_ratio() -> None:
    s0, s1 = score_of(-5), score_of(5)
    plain = 250 * math.log(s1 / s0) + 100 * math.log((1 - s1) / (1 - s0))
    assert Sprt(-5, 5).llr({0.0: 100, 1.0: 250}, seats=3) != pytest.approx(plain)
    assert Sprt(-5, 5).llr({0.0: 100, 1.0: 250}) == pytest.approx(plain, abs=1e-3)


def test_the_distributions_have_maximum_likelihood() -> None:
    """A random search finds no distribution with the same mean and a higher likelihood."""
    counts = (30, 40, 100, 60, 35)
    share = [count / sum(counts) for count in counts]
    best = {}
    for elo in (0.0, 40.0):
        top = -math.inf
        stream = Stream("trial", int(elo))
        best_so_far = list(share)
        for _ in range(20_000):
            # A step that leaves the sum at 1; then the outer two outcomes correct the mean.
            a, b = stream.below(5), stream.below(5)
            step = (stream.below(2001) - 1000) / 1000 * 0.01
            trial = list(best_so_far)
            trial[a] += step
            trial[b] -= step
            wrong = sum(p * s for p, s in zip(trial, PENTANOMIAL, strict=True)) - score_of(elo)
            trial[0] += wrong
            trial[4] -= wrong
            if min(trial) <= 0:
                continue
            likelihood = sum(count * math.log(p) for count, p in zip(counts, trial, strict=True))
            if likelihood > top:
                top, best_so_far = likelihood, trial
        best[elo] = top
    assert Sprt(0, 40).llr(pentanomial(*counts)) == pytest.approx(best[40.0] - best[0.0], abs=0.01)


def test_it_is_antisymmetric() -> None:
    counts = (10, 40, 120, 70, 25)
    assert Sprt(-10, 30).llr(pentanomial(*counts)) == pytest.approx(-Sprt(-30, 10).llr(pentanomial(*counts[::-1])))
    assert Sprt(-7, 7).llr(pentanomial(20, 30, 90, 30, 20)) == pytest.approx(0, abs=1e-9)
    assert Sprt(0, 10).llr({}) == 0


def test_the_llr_grows_with_better_results_and_with_more_of_them() -> None:
    test = Sprt(0, 10)
    ladder = [pentanomial(30 - k, 40, 100, 40, 30 + k) for k in range(-25, 26, 5)]
    values = [test.llr(outcomes) for outcomes in ladder]
    assert values == sorted(values)
    assert values[0] < 0 < values[-1]
    once, twice = pentanomial(10, 20, 60, 30, 20), pentanomial(20, 40, 120, 60, 40)
    assert test.llr(twice) == pytest.approx(2 * test.llr(once))


def test_outcomes_that_never_occurred_are_handled() -> None:
    assert Sprt(0, 50).llr({1.0: 40}) > 2.9444
    assert Sprt(0, 50).llr({0.0: 40}) < -2.9444
    assert Sprt(-1000, -500).llr({0.0: 1}) < 0  # a single pair proves little
    assert Sprt(-1000, -500).llr({0.0: 1}) > -1


def test_the_error_rate_is_at_most_alpha() -> None:
    """150 matches of two equal bots: "50 Elo better" is accepted in about 5 % of them."""
    test = Sprt(0, 50)
    wrong = length = 0
    for match in range(150):
        stream = Stream("equal", match)
        outcomes: dict[float, float] = {}
        verdict = ""
        while not verdict:
            share = stream.choice([0.0, 0.25, 0.5, 0.5, 0.5, 0.5, 0.75, 1.0])
            outcomes[share] = outcomes.get(share, 0) + 1
            length += 1
            if length % 8 == 0:
                verdict = test.verdict(test.llr(outcomes))
        wrong += verdict == "H1"
    assert 1 <= wrong <= 15
    assert length / 150 < 400


@pytest.mark.parametrize(("elo0", "elo1"), [(5, 5), (10, 0), (0, math.inf), (math.nan, 1)])
def test_hypotheses_in_the_wrong_order_are_refused(elo0: float, elo1: float) -> None:
    with pytest.raises(Refused, match="the first Elo must be below the second"):
        Sprt(elo0, elo1)


def test_a_verdict_comes_at_a_bound() -> None:
    test = Sprt(0, 10)
    assert [test.verdict(llr) for llr in (-2.95, -2.94, 0, 2.94, 2.95)] == ["H0", "", "", "", "H1"]
