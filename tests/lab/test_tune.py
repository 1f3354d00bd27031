"""Tuning by SPSA: on a toy problem whose best weights are known, and with fake bots."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tilery import Refused, Stream, game
from tilery.lab import weighted_bots
from tilery.lab.settings import Settings
from tilery.lab.tune import Iteration, Plan, Weights, iterate, run_tuning, select_weights
from tilery.lab.weighted_bots import SpsaMatch, WeightedBots, weighted_evaluation
from tilery.lab.workers import Workers

START = {"large": 100.0, "small": 0.5, "none": 0.0, "minus": -20.0}
BEST = {"large": 140.0, "small": 0.35, "none": 12.0, "minus": -30.0}


def quality(weights: Weights) -> float:
    """The quality of weights: the closer to the best ones, relative to their sizes, the better."""
    sizes = {**START, "none": 40.0}
    return -sum(((weights[name] - best) / sizes[name]) ** 2 for name, best in BEST.items())


def toy(plus: Weights, minus: Weights, number: int) -> float:
    """Eight games that the better weights win more often."""
    probability = 1 / (1 + math.exp(-4 * (quality(plus) - quality(minus))))
    stream = Stream("toy", number)
    return sum(stream.below(1 << 30) < probability * (1 << 30) for _ in range(8)) / 8


def test_the_best_weights_of_a_toy_problem_are_found() -> None:
    *_, last = iterate(START, toy, Plan(3000, "seed", nudge=0.2, step=0.02))
    assert quality(last.weights) > quality(START) / 20
    for name, best in BEST.items():
        size = abs(START[name]) or 40.0
        assert abs(last.weights[name] - best) < 0.12 * size, name


def test_weights_follow_the_winner_and_do_not_change_after_a_draw() -> None:
    plan = Plan(1, "seed", nudge=0.2, step=0.02)
    seen: list[tuple[Weights, Weights]] = []

    def iteration_with(score: float) -> Iteration:
        def match(plus: Weights, minus: Weights, number: int) -> float:
            assert number == 0
            seen.append((plus, minus))
            return score

        (one,) = iterate(START, match, plan)
        return one

    assert iteration_with(0.5).weights == START
    won, lost = iteration_with(1.0).weights, iteration_with(0.0).weights
    plus, minus = seen[0]
    for name, value in START.items():
        size = abs(value) or (100 + 0.5 + 20) / 3
        assert abs(plus[name] - value) == pytest.approx(0.2 * size)
        assert plus[name] + minus[name] == pytest.approx(2 * value)
        towards = math.copysign(1, plus[name] - value)
        assert won[name] - value == pytest.approx(towards * 0.02 * size)
        assert lost[name] - value == pytest.approx(-towards * 0.02 * size)


def test_nudges_are_up_and_down_equally_often_and_depend_on_the_seed() -> None:
    def signs(seed: str) -> list[tuple[bool, ...]]:
        result: list[tuple[bool, ...]] = []

        def match(plus: Weights, minus: Weights, number: int) -> float:
            del number
            result.append(tuple(plus[name] > minus[name] for name in START))
            return 0.5

        list(iterate(START, match, Plan(200, seed)))
        return result

    first = signs("a")
    assert first == signs("a")
    assert first != signs("b")
    for column in zip(*first, strict=True):
        assert 70 <= sum(column) <= 130
    assert len(set(first)) == 16


def test_a_run_resumes_after_the_last_complete_line(tmp_path: Path) -> None:
    plan = Plan(40, "seed")
    whole = run_tuning(START, toy, plan, tmp_path / "whole", {"game": "toy"})
    lines = (tmp_path / "whole" / "tune.jsonl").read_bytes()
    assert lines.count(b"\n") == 40
    assert json.loads((tmp_path / "whole" / "weights.json").read_text()) == whole
    for trial in range(6):
        path = tmp_path / str(trial)
        path.mkdir()
        (path / "tune.json").write_bytes((tmp_path / "whole" / "tune.json").read_bytes())
        cut = Stream("torn", trial).below(len(lines))
        (path / "tune.jsonl").write_bytes(lines[:cut])
        numbers: list[int] = []
        tuned = run_tuning(START, toy, plan, path, {"game": "toy"}, lambda one, seen=numbers: seen.append(one.number))  # type: ignore[misc]
        assert tuned == whole
        assert numbers == list(range(lines[:cut].count(b"\n"), 40))
        assert (path / "tune.jsonl").read_bytes() == lines


def test_a_run_with_other_settings_is_refused(tmp_path: Path) -> None:
    run_tuning(START, toy, Plan(2, "seed"), tmp_path, {"game": "toy"})
    for plan, start, message in (
        (Plan(3, "seed"), START, "started with iterations 2, not 3"),
        (Plan(2, "other"), START, "started with seed seed, not other"),
        (Plan(2, "seed"), {**START, "small": 0.6}, "started with start"),
    ):
        with pytest.raises(Refused, match=message):
            run_tuning(start, toy, plan, tmp_path, {"game": "toy"})
    for text, message in (('{"iteration": 1}\n', "is not a file of"), ("{}\n{}\n", "is not a file of")):
        (tmp_path / "tune.jsonl").write_text(text)
        with pytest.raises(Refused, match=message):
            run_tuning(START, toy, Plan(2, "seed"), tmp_path, {"game": "toy"})
    (tmp_path / "tune.jsonl").write_text('{"iteration": 1, "score": 0, "weights": {}}\n')
    with pytest.raises(Refused, match="expected iteration 0, found 1"):
        run_tuning(START, toy, Plan(2, "seed"), tmp_path, {"game": "toy"})


def test_invalid_plans_and_names_are_refused() -> None:
    for wrong in ({"iterations": 0}, {"nudge": 0.0}, {"nudge": math.nan}, {"step": -1.0}, {"step": 2.0}):
        with pytest.raises(Refused, match=r"at least one iteration|above 0 and at most 1"):
            Plan(**{"iterations": 5, "seed": "", **wrong})  # type: ignore[arg-type]
    assert select_weights(START, None) == START
    assert select_weights(START, ["small", "none"]) == {"small": 0.5, "none": 0.0}
    with pytest.raises(Refused, match="there is no weight 'huge': expected large, small, none or minus"):
        select_weights(START, ["huge"])


def test_a_family_without_named_weights_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted_bots, "import_module", lambda _: ModuleType("empty"))
    with pytest.raises(Refused, match="Azul has no named weights to tune"):
        weighted_evaluation(game("azul"))


def test_two_sets_of_weights_play_paired_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """With fake bots: the set with the larger weight plays greedily, the other one at random."""
    from tilery.engine.bots import Bot, bot

    azul = game("azul")
    created: list[tuple[str, dict[str, float]]] = []

    def called(self: WeightedBots, name: str) -> Bot:
        weights = dict(dict(self.sets)[name])
        created.append((name, weights))
        return Bot(name, "", bot("greedy" if weights["a"] > 1 else "random").choose)

    monkeypatch.setattr(WeightedBots, "__call__", called)
    settings = Settings("azul", "2,stall=10", (("plus", "minus"),), 4, "seed")
    bots = WeightedBots.of(azul, azul.variant("2,stall=10"), "10n", None, plus={"a": 1.0}, minus={"a": 1.0})
    with Workers(1, "azul", settings.variant, settings.bots, bots) as workers:
        match: Any = SpsaMatch(settings, workers, bots)
        assert match({"a": 1.5}, {"a": 0.5}, 0) == 1
        assert match({"a": 0.5}, {"a": 1.5}, 1) == 0
        assert 0 <= match({"a": 2.0}, {"a": 2.0}, 2) <= 1
    assert ("plus", {"a": 1.5}) in created
    assert ("minus", {"a": 0.5}) in created
