"""Elo, its error bars, and the ratings of a pool, against values that are known."""

from __future__ import annotations

import math

import pytest

from tilery import Refused
from tilery.lab.ratings import Direct, elo_of, rate, score_of, score_over
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


def test_what_is_no_score_is_refused() -> None:
    for wrong in (-0.1, 1.1, math.nan):
        with pytest.raises(Refused, match="from 0 to 1"):
            elo_of(wrong)
    with pytest.raises(Refused, match="at least one pair"):
        score_over({0.5: 0})


def test_a_match_as_another_program_counts_it() -> None:
    """fastchess, issue 807: pairs 30 6 18 0 6 are 27.50 %, -168.40 Elo, 95 % within 73.37 (divided by n, not n - 1)."""
    score = score_over(dict(zip(PENTANOMIAL, (30, 6, 18, 0, 6), strict=True)))
    assert score.mean == pytest.approx(0.275)
    assert score.elo == pytest.approx(-168.40, abs=0.01)
    low, high = score.elo_range
    assert (high - low) / 2 * math.sqrt(59 / 60) == pytest.approx(73.37, abs=0.1)
    assert score.superiority < 1e-6


def test_pairs_that_split_are_surer_than_pairs_that_one_side_takes() -> None:
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
    assert score_over({0.75: 1}).superiority == 0.5  # one pair tells nothing


def test_who_wins_everything_gets_a_bound() -> None:
    won, lost = score_over({1.0: 30}), score_over({0.0: 30})
    low, high = won.elo_range
    assert (won.elo, high) == (math.inf, math.inf)
    assert score_of(low) ** 30 == pytest.approx(0.05)
    assert lost.elo_range[0] == -math.inf
    assert lost.elo_range[1] == pytest.approx(-low)


def test_two_bots_are_as_far_apart_as_their_score_says() -> None:
    found = rate([Direct("a", "b", 100, 0.75)], "b", 1500)
    assert found["b"].elo == 1500
    assert found["b"].error == 0
    assert found["a"].elo == pytest.approx(1500 + elo_of(0.75))
    # Fisher: one over the square root of n p (1 - p), in Elo.
    assert found["a"].error == pytest.approx(400 / math.log(10) / math.sqrt(100 * 0.75 * 0.25))


def test_a_chain_of_matches_adds_up_and_errors_grow_along_it() -> None:
    found = rate([Direct("a", "b", 100, 0.6), Direct("b", "c", 100, 0.7), Direct("c", "d", 400, 0.8)], "a", 0)
    steps = [-elo_of(0.6), -elo_of(0.7), -elo_of(0.8)]
    assert [found[name].elo for name in "bcd"] == pytest.approx([sum(steps[: k + 1]) for k in range(3)])
    assert 0 < found["b"].error < found["c"].error < found["d"].error


def test_matches_that_contradict_are_weighed_by_their_games() -> None:
    """The likeliest ratings make every bot's expected points its points."""
    matches = [Direct("a", "b", 300, 0.6), Direct("b", "c", 80, 0.65), Direct("c", "a", 120, 0.55)]
    found = rate(matches, "a")
    for name in "abc":
        points = expected = 0.0
        for match in matches:
            odds = score_of(found[match.first].elo - found[match.second].elo)
            if name in (match.first, match.second):
                own = name == match.first
                points += match.games * (match.share if own else 1 - match.share)
                expected += match.games * (odds if own else 1 - odds)
        assert expected == pytest.approx(points)


def test_alone_among_several_par_is_no_difference() -> None:
    found = rate([Direct("a", "b", 300, 0.25, seats=4), Direct("c", "b", 300, 0.5, seats=4)], "b", 0)
    assert found["a"].elo == pytest.approx(0, abs=1e-6)
    assert found["c"].elo == pytest.approx(elo_of(0.5, 4))


def test_who_has_won_everything_is_rated_all_the_same() -> None:
    found = rate([Direct("a", "b", 100, 1.0), Direct("b", "c", 100, 0.5)], "b", 1000)
    assert found["a"].elo == pytest.approx(1000 + elo_of(100 / 100.5))
    assert found["c"].elo == pytest.approx(1000)
    assert found["a"].error > 200
    turned = rate([Direct("b", "a", 100, 0.0), Direct("b", "c", 100, 0.5)], "b", 1000)
    assert turned["a"].elo == pytest.approx(found["a"].elo)


def test_a_pool_without_games_between_its_parts_is_refused() -> None:
    with pytest.raises(Refused, match="nothing joins 'c' to 'a'"):
        rate([Direct("a", "b", 10, 0.5), Direct("c", "d", 10, 0.5)], "a")
    with pytest.raises(Refused, match="the anchor 'x' has played no games"):
        rate([Direct("a", "b", 10, 0.5)], "x")
