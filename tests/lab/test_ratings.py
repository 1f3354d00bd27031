"""Elo, its error bars, and the ratings of a pool, compared with known values."""

from __future__ import annotations

import math

import pytest

from tilery import Refused
from tilery.lab.ratings import DirectMatch, elo_of, rate, score_of, score_over
from tilery.lab.sprt import PENTANOMIAL


@pytest.mark.parametrize(
    ("score", "elo"),
    [(0.5, 0.0), (0.64, 99.95), (0.75, 190.85), (10 / 11, 400.0), (100 / 101, 800.0), (0.36, -99.95)],
)
def test_elo_of_known_scores(score: float, elo: float) -> None:
    assert elo_of(score) == pytest.approx(elo, abs=0.01)
    assert score_of(elo) == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_par_is_no_difference_and_elo_and_score_are_inverse(seats: int) -> None:
    assert elo_of(1 / seats, seats) == pytest.approx(0)
    for elo in (-700.0, -3.0, 0.0, 55.0, 1200.0):
        assert elo_of(score_of(elo, seats), seats) == pytest.approx(elo)
    assert (elo_of(1, seats), elo_of(0, seats)) == (math.inf, -math.inf)


def test_an_invalid_score_is_refused() -> None:
    for wrong in (-0.1, 1.1, math.nan):
        with pytest.raises(Refused, match="from 0 to 1"):
            elo_of(wrong)
    with pytest.raises(Refused, match="at least one pair"):
        score_over({0.5: 0})


def test_a_match_has_the_same_result_as_in_another_program() -> None:
    """fastchess, issue 807: pairs 30 6 18 0 6 are 27.50 %, -168.40 Elo ± 73.37 at 95 % (divided by n, not n - 1)."""
    score = score_over(dict(zip(PENTANOMIAL, (30, 6, 18, 0, 6), strict=True)))
    assert score.mean == pytest.approx(0.275)
    assert score.elo == pytest.approx(-168.40, abs=0.01)
    low, high = score.elo_range
    assert (high - low) / 2 * math.sqrt(59 / 60) == pytest.approx(73.37, abs=0.1)
    assert score.superiority < 1e-6


def test_the_error_is_smaller_if_pairs_are_split() -> None:
    split, taken = score_over({0.5: 98, 0.0: 1, 1.0: 1}), score_over({0.0: 50, 1.0: 50})
    assert (split.mean, taken.mean) == (0.5, 0.5)
    assert taken.error == pytest.approx(math.sqrt(0.25 / 99))
    assert split.error == pytest.approx(math.sqrt(0.5 / 99 / 100))
    assert split.error < taken.error / 5


def test_superiority_is_the_normal_distribution_of_the_lead() -> None:
    for sign in (1, -1):
        score = score_over({0.5 + sign * 0.25: 60, 0.5 - sign * 0.25: 40})
        lead = sign * 0.05 / score.error
        assert score.superiority == pytest.approx(0.5 * (1 + math.erf(lead / math.sqrt(2))))
    assert score_over({0.5: 9}).superiority == 0.5
    assert score_over({1.0: 9}).superiority == 1
    assert score_over({0.75: 1}).superiority == 0.5  # one pair is not enough


def test_a_bot_that_won_everything_gets_a_bound() -> None:
    won, lost = score_over({1.0: 30}), score_over({0.0: 30})
    low, high = won.elo_range
    assert (won.elo, high) == (math.inf, math.inf)
    assert score_of(low) ** 30 == pytest.approx(0.05)
    assert lost.elo_range[0] == -math.inf
    assert lost.elo_range[1] == pytest.approx(-low)


def test_two_bots_are_as_far_apart_as_their_score_says() -> None:
    ratings = rate([DirectMatch("a", "b", 100, 0.75)], "b", 1500)
    assert ratings["b"].elo == 1500
    assert ratings["b"].error == 0
    assert ratings["a"].elo == pytest.approx(1500 + elo_of(0.75))
    # Fisher information: 1 / sqrt(n p (1 - p)), in Elo.
    assert ratings["a"].error == pytest.approx(400 / math.log(10) / math.sqrt(100 * 0.75 * 0.25))


def test_a_chain_of_matches_adds_up_and_errors_grow_along_it() -> None:
    ratings = rate(
        [DirectMatch("a", "b", 100, 0.6), DirectMatch("b", "c", 100, 0.7), DirectMatch("c", "d", 400, 0.8)], "a", 0
    )
    steps = [-elo_of(0.6), -elo_of(0.7), -elo_of(0.8)]
    assert [ratings[name].elo for name in "bcd"] == pytest.approx([sum(steps[: k + 1]) for k in range(3)])
    assert 0 < ratings["b"].error < ratings["c"].error < ratings["d"].error


def test_contradicting_matches_are_weighted_by_their_games() -> None:
    """With the most likely ratings, the expected points of each bot equal its points."""
    matches = [DirectMatch("a", "b", 300, 0.6), DirectMatch("b", "c", 80, 0.65), DirectMatch("c", "a", 120, 0.55)]
    ratings = rate(matches, "a")
    for name in "abc":
        points = expected = 0.0
        for match in matches:
            probability = score_of(ratings[match.first].elo - ratings[match.second].elo)
            if name in (match.first, match.second):
                own = name == match.first
                points += match.games * (match.share if own else 1 - match.share)
                expected += match.games * (probability if own else 1 - probability)
        assert expected == pytest.approx(points)


def test_alone_among_several_par_is_no_difference() -> None:
    ratings = rate([DirectMatch("a", "b", 300, 0.25, seats=4), DirectMatch("c", "b", 300, 0.5, seats=4)], "b", 0)
    assert ratings["a"].elo == pytest.approx(0, abs=1e-6)
    assert ratings["c"].elo == pytest.approx(elo_of(0.5, 4))


def test_a_bot_that_won_everything_is_still_rated() -> None:
    ratings = rate([DirectMatch("a", "b", 100, 1.0), DirectMatch("b", "c", 100, 0.5)], "b", 1000)
    assert ratings["a"].elo == pytest.approx(1000 + elo_of(100 / 100.5))
    assert ratings["c"].elo == pytest.approx(1000)
    assert ratings["a"].error > 200
    swapped = rate([DirectMatch("b", "a", 100, 0.0), DirectMatch("b", "c", 100, 0.5)], "b", 1000)
    assert swapped["a"].elo == pytest.approx(ratings["a"].elo)


def test_a_pool_without_games_between_its_parts_is_refused() -> None:
    with pytest.raises(Refused, match="no games connect 'c' to 'a'"):
        rate([DirectMatch("a", "b", 10, 0.5), DirectMatch("c", "d", 10, 0.5)], "a")
    with pytest.raises(Refused, match="the anchor 'x' has not played in this pool"):
        rate([DirectMatch("a", "b", 10, 0.5)], "x")
