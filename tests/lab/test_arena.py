"""The arena: fair pairs, the same result for any number of workers, bots that fail, sequential tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lab.bots import CLOSED, find
from tilery import CHANCE, Record, Refused, game, read_records
from tilery.cli.match_output import pairings_table, results_table
from tilery.cli.output import console
from tilery.lab.arena import Standings, run_arena
from tilery.lab.match import GameResult, Pair, play_pair, seatings
from tilery.lab.settings import Settings, round_robin
from tilery.lab.summary import summary

AZUL = "2,stall=10"
VARIANTS = [("azul", "2"), ("azul", "3"), ("azul", "4"), ("schokoly", "2"), ("schokoly", "3,swap"), ("schokoly", "4")]


def settings(*bots: str, games: int = 8, variant: str = AZUL, name: str = "azul", **others: Any) -> Settings:
    rules = game(name).variant(variant)
    return Settings(name, variant, round_robin(bots, rules), games, "seed", **others)


def run(chosen: Settings, path: Path, workers: int = 1) -> Standings:
    return run_arena(chosen, path, workers=workers, find=find)


def records_in(path: Path) -> list[Record]:
    return list(read_records((path / "games.tilery").read_text(encoding="utf-8")))


def without_cpu(values: dict[str, Any]) -> dict[str, Any]:
    """A summary without the CPU times, which differ from run to run."""
    if isinstance(values, dict):
        return {name: without_cpu(value) for name, value in values.items() if not name.startswith("cpu")}
    return [without_cpu(value) for value in values] if isinstance(values, list) else values


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_each_bot_sits_in_each_seat_equally_often(name: str, variant: str) -> None:
    rules = game(name).variant(variant)
    games = seatings(rules)
    for seat in range(rules.seats):
        alone = [seating[seat] for seating in games].count(0)
        assert alone == 1
    if rules.sides == 2:
        assert games[0] == tuple(1 - who for who in games[1])
    else:
        assert all(seating.count(0) == 1 for seating in games)
    if rules.seats == 4 and name == "schokoly":
        assert games == [(0, 1, 0, 1), (1, 0, 1, 0)]


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_one_bot_under_two_names_plays_the_same_game_from_every_seat(name: str, variant: str) -> None:
    chosen = game(name)
    rules = chosen.variant(variant)
    games = set()
    for number in range(2):
        _, records = play_pair(chosen, rules, ("first", "first "), _same, seed="s", pairing=0, number=number)
        assert len(records) == len(seatings(rules))
        assert len({record.plies for record in records}) == 1
        games.add(records[0].plies)
    assert len(games) == 2


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_all_games_of_a_pair_have_the_same_deals_whatever_is_played(name: str, variant: str) -> None:
    """Until the bag of 100 tiles (AZ-2) is refilled from the lid, the moves do not change the deals."""
    chosen = game(name)
    rules = chosen.variant(variant)
    _, records = play_pair(chosen, rules, ("random", "first"), find, seed="s", pairing=0, number=0)
    assert len({record.plies for record in records}) == len(records)
    deals = [[ply.action for ply in record.plies if ply.actor == CHANCE] for record in records]
    alike = min(25 if name == "azul" else 99, *map(len, deals))
    assert alike > 15
    for other in deals[1:]:
        assert other[:alike] == deals[0][:alike]
    # Deals of a later round occur at different plies, so they cannot depend on the ply.
    places = {[at for at, ply in enumerate(record.plies) if ply.actor == CHANCE][alike - 1] for record in records}
    assert len(places) > 1 or name == "schokoly"


def _same(name: str) -> Any:
    return find(name.strip())


def test_deals_depend_on_the_number_of_the_pair_and_on_the_seed() -> None:
    azul = game("azul")
    openings = set()
    for seed, number in (("a", 0), ("a", 1), ("b", 0)):
        _, records = play_pair(azul, azul.variant(AZUL), ("first", "random"), find, seed=seed, pairing=0, number=number)
        openings.add(records[0].plies[:5])
    assert len(openings) == 3


def test_records_name_the_bot_in_each_seat(tmp_path: Path) -> None:
    run(settings("first", "greedy", games=4), tmp_path)
    records = records_in(tmp_path)
    assert [record.players for record in records] == [("first", "greedy"), ("greedy", "first")] * 2
    assert [(record.tags["Pair"], record.tags["Turn"]) for record in records] == [
        ("1", "1"),
        ("1", "2"),
        ("2", "1"),
        ("2", "2"),
    ]
    assert all(record.tags["Event"] == "arena" and record.tags["Seed"] == "seed" for record in records)
    assert all(record.last.outcome for record in records)


def test_the_summary_agrees_with_the_records(tmp_path: Path) -> None:
    result = summary(run(settings("random", "first", "greedy", games=6), tmp_path))
    records = records_in(tmp_path)
    assert result["games"] == len(records) == 18
    for one in result["bots"]:
        points, wins, moves, games = [], 0.0, 0, 0
        for record in records:
            if one["bot"] in record.players:
                seat = record.players.index(one["bot"])
                outcome = record.last.outcome
                assert outcome
                games += 1
                points.append(outcome.scores[seat])
                wins += (seat in outcome.winners) / len(outcome.winners)
                moves += [ply.actor for ply in record.plies].count(seat)
        assert (one["games"], one["moves"]) == (games, moves)
        assert one["score"] == pytest.approx(wins / games)
        assert one["points"] == pytest.approx(sum(points) / games)
        assert sum(one["pairs"]) == games / 2
        assert 0 < one["cpu_ms"] <= one["cpu_ms_most"]
    assert [(one["first"], one["second"]) for one in result["pairings"]] == [
        ("random", "first"),
        ("random", "greedy"),
        ("first", "greedy"),
    ]
    assert result["ratings"]["greedy"] == [1000, 0]
    assert result["ratings"]["random"][0] < 1000


@pytest.mark.parametrize(("name", "variant", "games"), [("azul", "3,stall=10", 9), ("schokoly", "4", 8)])
def test_more_seats(tmp_path: Path, name: str, variant: str, games: int) -> None:
    result = summary(run(settings("greedy", "random", games=games, variant=variant, name=name), tmp_path))
    (one,) = result["pairings"]
    assert one["games"] == games
    assert one["score"] > 0.7
    if name == "azul":
        assert result["bots"] == []
        assert one["par"] == pytest.approx(1 / 3, abs=1e-6)
        assert one["placement"]["score"] > 0.8
        assert one["others"]["points"] < one["points"]
    else:
        assert sum(one["pairs"]) == games / 2


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    chosen = settings("random", "first", games=12)
    alone, many = run(chosen, tmp_path / "1"), run(chosen, tmp_path / "2", workers=2)
    assert without_cpu(summary(alone)) == without_cpu(summary(many))
    texts = [sorted(record.text for record in records_in(tmp_path / name)) for name in ("1", "2")]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("illegal", "not legal: "),
        ("failing", "RuntimeError: no idea what {to} do ?"),
        ("quitting", "SystemExit: "),
        ("nonsense", "not legal: a move is a text or a whole number"),
    ],
)
def test_a_bot_that_fails_loses_and_the_run_continues(tmp_path: Path, name: str, remark: str) -> None:
    result = summary(run(settings(name, "first", games=6), tmp_path))
    (one,) = result["pairings"]
    assert (one["wins"], one["losses"], one["forfeits"]) == (0, 6, 6)
    assert [each["forfeits"] for each in result["bots"]] == [6, 0]
    assert len(result["remarks"]) >= 1
    assert remark in result["remarks"][0]
    for record in records_in(tmp_path):
        assert record.result == "*"
        assert remark in record.tags["Forfeit"]
        assert record.tags["Forfeit"].startswith(f"seat {record.players.index(name) + 1}: ")
    assert [record.text for record in records_in(tmp_path)]


def test_a_worker_that_dies_is_reported_and_finished_pairs_are_kept(tmp_path: Path) -> None:
    run(settings("random", "first", games=2), tmp_path)
    finished = (tmp_path / "results.jsonl").read_bytes()
    with pytest.raises(Refused, match="a worker process died; every finished pair is saved"):
        run_arena(settings("random", "first", games=6), tmp_path, workers=2, find=_dying)
    assert (tmp_path / "results.jsonl").read_bytes() == finished


def _dying(name: str) -> Any:
    return find("dying" if name == "random" else name)


def test_a_bot_may_return_a_move_in_notation(tmp_path: Path) -> None:
    result = summary(run(settings("in_notation", "first", games=2), tmp_path))
    assert result["pairings"][0]["forfeits"] == 0


def test_a_bot_that_fails_among_three_loses_and_the_others_share_the_win(tmp_path: Path) -> None:
    standings = run(settings("failing", "first", games=3, variant="3,stall=10"), tmp_path)
    for result in standings.pairs[0].games:
        seat = result.seats.index(0)
        assert result.lost_by == seat
        assert result.shares == tuple(0.0 if other == seat else 0.5 for other in range(3))
    other = run(settings("first", "failing", games=3, variant="3,stall=10"), tmp_path / "other")
    assert other.pairs[0].share == pytest.approx(0.5)


def test_the_team_of_a_bot_that_fails_loses(tmp_path: Path) -> None:
    standings = run(settings("nonsense", "first", games=2, variant="4", name="schokoly"), tmp_path)
    assert [result.shares for result in standings.pairs[0].games] == [(0, 0.5, 0, 0.5), (0.5, 0, 0.5, 0)]


def test_bots_are_closed_at_the_end(tmp_path: Path) -> None:
    CLOSED.clear()
    run(settings("closing", "random", games=2), tmp_path)
    assert CLOSED == ["closing"]


def pairs(*shares: float) -> list[Pair]:
    """Pairs with these shares."""
    games = [((int(share * 2 + 0.5) / 2), share * 2 - int(share * 2 + 0.5) / 2) for share in shares]
    return [
        Pair(0, number, tuple(GameResult(turn, _split(own, turn), (0, 0), (1, 1), (0, 0), (0, 0)) for own, turn in two))
        for number, two in enumerate(zip(pair, ((0, 1), (1, 0)), strict=True) for pair in games)
    ]


def _split(own: float, turn: tuple[int, int]) -> tuple[float, float]:
    return (own, 1 - own) if turn == (0, 1) else (1 - own, own)


def test_a_sequential_test_counts_pairs_in_order_and_none_after_the_verdict() -> None:
    chosen = settings("random", "greedy", games=200, sprt=(0, 50))
    played = pairs(*[0.75, 1.0, 0.5, 1.0] * 25)
    assert [pair.share for pair in played[:4]] == [0.75, 1.0, 0.5, 1.0]
    in_order, reversed_order = Standings(chosen), Standings(chosen)
    for pair in played:
        in_order.add(pair)
        if in_order.verdict:
            break
    for pair in reversed(played):
        reversed_order.add(pair)
    assert in_order.verdict == "H1"
    assert len(in_order.pairs) < 100
    assert reversed_order.verdict == "H1"
    assert reversed_order.pairs == in_order.pairs
    assert reversed_order.llr == in_order.llr
    assert in_order.done


def test_a_sequential_test_waits_for_a_missing_pair() -> None:
    standings = Standings(settings("random", "greedy", games=200, sprt=(0, 50)))
    for pair in pairs(*[1.0] * 60)[1:]:
        standings.add(pair)
    assert (standings.verdict, standings.llr, standings.done) == ("", 0, False)


def test_several_pairings_among_three_are_rated_by_first_places(tmp_path: Path) -> None:
    pairings = (("first", "random"), ("greedy", "first"))
    standings = run(Settings("azul", "3,stall=10", pairings, 6, "seed"), tmp_path)
    result = summary(standings)
    assert result["ratings"]["greedy"] == [1000, 0]
    assert result["ratings"]["first"][0] < 1000
    console.print(results_table(result), pairings_table(result))  # the tables can be printed


def test_a_sequential_test_stops_the_run(tmp_path: Path) -> None:
    reported: list[int] = []
    chosen = settings("greedy", "random", games=400, sprt=(0, 100))
    standings = run_arena(chosen, tmp_path, workers=1, progress=lambda standings: reported.append(standings.games))
    assert standings.verdict == "H1"
    assert standings.games < 100
    assert reported == [2 * k for k in range(len(reported))]
    test = summary(standings)["sprt"]
    assert test["verdict"] == "H1"
    assert test["llr"] >= test["bounds"][1]
    again = run_arena(chosen, tmp_path, workers=1)
    assert without_cpu(summary(again)) == without_cpu(summary(standings))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 7}, "ask for 8, not 7"),
        ({"games": 0}, "ask for 2, not 0"),
        ({"games": 4, "variant": "3"}, "3 on the same deals: ask for 6, not 4"),
        ({"sprt": (5, 0)}, "the first Elo must be below the second"),
        ({"variant": "5"}, "number of seats"),
    ],
)
def test_invalid_settings_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message):
        settings("random", "greedy", **change)


def test_invalid_pairings_are_refused(tmp_path: Path) -> None:
    two, three = game("azul").variant("2"), game("azul").variant("3")
    for bots, rules, message in (
        (["greedy"], two, "at least two bots"),
        (["greedy", "random", "greedy"], two, "greedy is named twice"),
        (["greedy", "random", "level-1"], three, "with 3 seats, name two bots"),
    ):
        with pytest.raises(Refused, match=message):
            round_robin(bots, rules)
    with pytest.raises(Refused, match="between two bots"):
        settings("random", "greedy", "first", sprt=(0, 5))
    with pytest.raises(Refused, match="at least one worker"):
        run_arena(settings("random", "greedy"), tmp_path / "run", workers=0, find=_never)
    assert not (tmp_path / "run").exists()


def _never(name: str) -> Any:
    raise AssertionError(name)
