"""Simulations: the same result for any number of threads, and statistics that match the records."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import pytest

from tilery import Refused, game, read_record
from tilery.engine.simulation import CHUNK, Tally, simulate

AZUL = game("azul")
RULES = AZUL.variant("2,stall=10")
PAIR = ("greedy", "random")


def counts(tally: Tally) -> dict[str, Any]:
    """All statistics, without the records."""
    return {name: value for name, value in asdict(tally).items() if name != "records"}


@pytest.mark.parametrize("games", [1, CHUNK, CHUNK + 1, 3 * CHUNK - 1])
def test_any_number_of_threads_gives_the_same_result(games: int) -> None:
    first = simulate(AZUL, RULES, PAIR, games, seed=1, threads=1)
    assert first.games == games
    for threads in (2, 5, None):
        assert counts(simulate(AZUL, RULES, PAIR, games, seed=1, threads=threads)) == counts(first)


def test_other_seeds_give_other_games() -> None:
    results = [counts(simulate(AZUL, RULES, PAIR, 20, seed=seed)) for seed in (1, 2, "1")]
    assert results[0] != results[1]
    assert results[0] != results[2]  # a text is not a number


def test_all_games_of_a_simulation_are_different() -> None:
    records = simulate(AZUL, RULES, PAIR, 2 * CHUNK, seed=3, keep=True).records
    assert len({record.plies for record in records}) == 2 * CHUNK


def test_more_games_begin_with_the_same_games() -> None:
    few = simulate(AZUL, RULES, PAIR, CHUNK, seed=4, keep=True).records
    many = simulate(AZUL, RULES, PAIR, 2 * CHUNK, seed=4, keep=True).records
    assert many[:CHUNK] == few


@pytest.mark.parametrize(
    "text", ["2,stall=10", "3,grey,stall=10", "4,grey,specials=game,start=drawn,stall=10", "2,rounds=3"]
)
def test_statistics_match_the_records(text: str) -> None:
    rules = AZUL.variant(text)
    players = ("greedy", "random", "greedy", "random")[: rules.seats]
    tally = simulate(AZUL, rules, players, 30, seed=5, keep=True)
    outcomes = [record.last.outcome for record in tally.records]
    assert len(outcomes) == tally.games == 30
    assert tally.unfinished == 0
    assert tally.moves == sum(sum(ply.actor >= 0 for ply in record.plies) for record in tally.records)
    assert tally.rounds == sum(record.last.round for record in tally.records)
    for seat in range(rules.seats):
        scores = [outcome.scores[seat] for outcome in outcomes if outcome]
        assert tally.scores[seat] == sum(scores)
        assert tally.squares[seat] == sum(score * score for score in scores)
        assert tally.highest[seat] == max(scores)
        shares = [1 / len(outcome.winners) for outcome in outcomes if outcome and seat in outcome.winners]
        assert tally.wins[seat] == pytest.approx(sum(shares))
    assert counts(simulate(AZUL, rules, players, 30, seed=5)) == counts(tally)


def test_kept_records_read_back() -> None:
    for record in simulate(
        game("chocolatier"),
        game("chocolatier").variant("3,specials,stall=10"),
        [*PAIR, "greedy"],
        10,
        seed=6,
        keep=True,
    ).records:
        assert record.players == ("greedy 1", "random 2", "greedy 3")
        assert read_record(record.text) == record


def test_records_are_kept_only_when_wanted() -> None:
    assert simulate(AZUL, RULES, PAIR, 5, seed=1).records == []


def test_wins_sum_to_one_and_greedy_beats_random() -> None:
    summary = simulate(AZUL, RULES, ("random", "greedy"), 1000, seed=7).summary(("random", "greedy"))
    random, greedy = summary["seats"]
    assert random["wins"] + greedy["wins"] == pytest.approx(1)
    assert greedy["wins"] > 0.98
    assert greedy["score"] - random["score"] > 20
    assert sum(summary["endings"].values()) == 1000


def test_games_cut_off_by_a_limit_are_won_by_nobody() -> None:
    tally = simulate(AZUL, AZUL.variant("2,rounds=1"), PAIR, 50, seed=8)
    assert tally.endings == {"rounds": 50}
    assert tally.wins == [0, 0]
    assert tally.rounds == 50


def test_the_summary_has_means_and_deviations() -> None:
    tally = simulate(AZUL, RULES, PAIR, 40, seed=9, keep=True)
    scores = [record.last.scores()[0] for record in tally.records]
    mean = sum(scores) / 40
    seat = tally.summary(PAIR)["seats"][0]
    assert seat["player"] == "greedy"
    assert seat["score"] == pytest.approx(mean)
    assert seat["score_deviation"] == pytest.approx(math.sqrt(sum((score - mean) ** 2 for score in scores) / 40))
    assert tally.summary(PAIR)["moves_a_game"] == tally.moves / 40


def test_an_empty_tally_has_a_summary() -> None:
    assert Tally(2).summary(PAIR)["games"] == 0


def test_progress_is_reported_chunk_by_chunk() -> None:
    reported: list[int] = []
    simulate(AZUL, RULES, PAIR, 2 * CHUNK + 3, seed=1, progress=reported.append)
    assert reported == [CHUNK, CHUNK, 3]


def test_invalid_simulations_are_refused() -> None:
    with pytest.raises(Refused, match="2 seats need 2 bots, not 3"):
        simulate(AZUL, RULES, [*PAIR, "greedy"], 1, seed=1)
    with pytest.raises(Refused, match="at least one game was expected, not 0"):
        simulate(AZUL, RULES, PAIR, 0, seed=1)
    with pytest.raises(Refused, match="there is no bot 'genius'"):
        simulate(AZUL, RULES, ("greedy", "genius"), 1, seed=1)
