"""Fitting the evaluation of Azul: the features of the fit are those of the compiled evaluation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.test_play import tilery
from tests.conftest import ROOT
from tilery import CHANCE, OVER, Position, Stream, game
from tilery.core.game import Rows
from tilery.engine.azul.kernel.evaluation import evaluate
from tilery.engine.azul.weights import PARTS, WEIGHTS, WIDTH, model_of_blocks, split
from tilery.engine.evaluator import MARGINS, VALUES
from tilery.engine.family import family_of
from tilery.engine.schokoly.weights import weights_of
from tilery.games.azul.kernel.layout import ROW
from tilery.lab.fit import SelfPlay, blocks_of, features, fit, fitted_text, self_play

AZUL = game("azul")


def between_rounds(variant: str, games: int) -> list[Position]:
    """Positions of random games, after tiling and before the next deal."""
    positions = []
    for number in range(games):
        stream = Stream("between", variant, number)
        position = AZUL.new(f"{variant},stall=10")
        while position.actor != OVER:
            if position.actor == CHANCE:
                if position.round > 1 and not any(position._rows[0].view(ROW)[0]["piles"]):
                    positions.append(position)
                position = position.settle(stream)
            else:
                position = position.play(stream.choice(position.actions()))
    return positions


def rows_of(positions: list[Position]) -> Rows:
    return np.concatenate([position._rows for position in positions])


@pytest.mark.parametrize("variant", ["2", "2,grey", "3", "4,grey"])
def test_features_give_the_values_of_the_compiled_evaluation(variant: str) -> None:
    family_of(AZUL, "evaluation")
    positions = between_rounds(variant, 6)
    rows = rows_of(positions)
    numbers = np.random.default_rng(1)
    vectors = numbers.normal(size=(10, WIDTH))
    # A complete row never occurs here, so its entry in the table of rows is not fitted.
    model = model_of_blocks(vectors, np.full(10, 9.0), WEIGHTS)
    blocks = blocks_of(rows)
    seats = int(variant[0])
    assert len(rows) > 20
    for i, position in enumerate(positions):
        expected = [
            position.scores()[seat] + features(rows[i : i + 1], seat)[0] @ vectors[blocks[i]] for seat in range(seats)
        ]
        out = np.zeros(VALUES)
        evaluate(rows, i, model, out)
        for seat in range(seats):
            margin = expected[seat] - max(expected[:seat] + expected[seat + 1 :])
            assert out[MARGINS + seat] == pytest.approx(margin), position.text


def test_a_fit_predicts_the_value_of_boards() -> None:
    """Final scores computed from known weights are predicted for boards that were not used for the fit.

    The weights themselves may differ: a tile counts in its row, its column and its colour.
    """
    positions = between_rounds("2", 80)
    rows, others = rows_of(positions[: len(positions) // 2]), rows_of(positions[len(positions) // 2 :])
    truth = np.zeros(WIDTH)
    truth[: PARTS["rows"]] = np.tile([0, 1, 2, 4, 7], 5)
    truth[-1] = 3.0
    scores = rows.view(ROW)[:, 0]["score"]
    finals = np.stack([scores[:, seat] + features(rows, seat) @ truth for seat in range(2)], axis=1)
    fitted = fit(SelfPlay(rows, np.round(finals).astype(np.int64)), 2, ridge=0.01)
    most = int(np.bincount(blocks_of(rows), minlength=10).argmax())
    part = split(np.array(fitted["vectors"][most]))
    assert part["marker"][0] == pytest.approx(3.0, abs=0.2)
    others = others[blocks_of(others) == most]
    assert len(others) > 30
    difference = features(others, 0) - features(others, 1)
    off = np.abs(difference @ np.array(fitted["vectors"][most]) - difference @ truth)
    assert np.median(off) < 0.2
    assert (off > 1).mean() < 0.1  # boards of a kind that never occurred


def test_weights_without_data_keep_their_prior() -> None:
    """Features that never occur in the games, such as empty rows, keep the weights of the prior."""
    positions = between_rounds("2", 40)
    rows = rows_of(positions)
    seen = np.concatenate([features(rows, seat) for seat in range(2)])
    prior = np.arange(WIDTH) / 10
    finals = rows.view(ROW)[:, 0]["score"][:, :2].astype(np.int64)
    vectors = np.array(fit(SelfPlay(rows, finals), 2, prior)["vectors"])
    never = ~seen.any(axis=0)
    assert never.any()
    assert vectors[:, never] == pytest.approx(np.tile(prior[never], (10, 1)), abs=1e-3)
    assert np.abs(vectors[:, ~never] - prior[~never]).max() > 0.5


def test_self_play_does_not_depend_on_the_number_of_workers() -> None:
    one, two = self_play("2", 4, 22, "x", 1), self_play("2", 4, 22, "x", 2)
    assert (one.rows == two.rows).all()
    assert (one.finals == two.finals).all()


def test_the_command_writes_models_and_keeps_others(tmp_path: Path) -> None:
    path = tmp_path / "fitted.json"
    path.write_text(fitted_text({"3": {"vectors": [[1.0]], "spreads": [2.0]}}), encoding="utf-8")
    ran = tilery("lab", "fit", "-v", "2", "-n", "20", "--nodes", "2", "--seed", "a", "-w", "1", "-o", str(path))
    assert (ran.code, ran.err) == (0, "")
    models = json.loads(path.read_text(encoding="utf-8"))["models"]
    assert models["3"] == {"vectors": [[1.0]], "spreads": [2.0]}
    assert np.array(models["2"]["vectors"]).shape == (10, WIDTH)
    assert models["2"]["how"] == "tilery lab fit -v 2 -n 20 --nodes 2 --seed a"


def test_invalid_arguments_are_refused(tmp_path: Path) -> None:
    assert "'5' has no model: expected 2, 3, 4" in tilery("lab", "fit", "-v", "5").err
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    ran = tilery("lab", "fit", "-n", "20", "-o", str(tmp_path / "other.json"))
    assert "is not a file of fitted models" in ran.err


def stored_run(name: str) -> dict[str, float]:
    """The result of a stored tuning run: the weights after its last iteration, rounded to four digits."""
    run = ROOT / "docs" / "tuning" / name
    weights: dict[str, float] = json.loads((run / "weights.json").read_text(encoding="utf-8"))
    lines = (run / "tune.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == json.loads((run / "tune.json").read_text(encoding="utf-8"))["iterations"]
    assert json.loads(lines[-1])["weights"] == weights
    return {name: round(value, 4) for name, value in weights.items()}


def test_tuned_weights_are_those_of_the_stored_runs() -> None:
    """The engine plays with the weights of the last iterations of the stored tuning runs."""
    fitted = json.loads((ROOT / "src/tilery/engine/azul/fitted.json").read_text(encoding="utf-8"))["models"]["2"]
    assert fitted["tuned"] == stored_run("azul-2")
    stored = stored_run("schokoly-2")
    weights = weights_of(game("schokoly").variant("2"))
    assert {name: weights[name] for name in stored} == stored
