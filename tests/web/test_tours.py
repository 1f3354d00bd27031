"""The tours (web/src/learn/tours.json): valid positions, legal moves, correct figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tilery.core.move import Move
from tilery.core.position import BasePosition
from tilery.games import read_any_position
from tilery.games.azul.effects import Fell, MarkerTaken, Placed

Step = dict[str, Any]
TOURS: dict[str, list[Step]] = json.loads(
    (Path(__file__).parents[2] / "web" / "src" / "learn" / "tours.json").read_text(encoding="utf-8")
)
STEPS = [pytest.param(game, step, id=f"{game}-{step['id']}") for game, steps in TOURS.items() for step in steps]
KNOWN = {"id", "position", "focus", "do", "figures"}
CLAIMS = {"placed", "fallen", "penalty", "points", "before", "rival", "neutral"}
every_step = pytest.mark.parametrize(("game", "step"), STEPS)
every_one = pytest.mark.parametrize("step", [pytest.param(one.values[1], id=one.id) for one in STEPS])


def start_of(step: Step) -> BasePosition:
    return read_any_position(step["position"])


def matching_moves(position: BasePosition, wanted: str | dict[str, Any]) -> list[str]:
    """The legal moves that are a wanted one, or have the parts that it must have."""
    return [move.text for move in position.moves() if move == wanted or _has_parts(move, wanted)]


def _has_parts(move: Move, wanted: str | dict[str, Any]) -> bool:
    parts = {"kind": move.kind, **move.parts}
    return isinstance(wanted, dict) and all(parts.get(name) == value for name, value in wanted.items())


def variations(step: Step) -> Iterator[list[tuple[BasePosition, str]]]:
    """All sequences of moves that a step asks for: the positions, and the move made in each."""
    found: list[tuple[BasePosition, list[tuple[BasePosition, str]]]] = [(start_of(step), [])]
    for ply in step.get("do", []):
        found = [
            (position.play(move), [*variation, (position, move)])
            for position, variation in found
            for wanted in ply
            for move in matching_moves(position, wanted)
        ]
    for position, variation in found:
        yield [*variation, (position, "")]


def score(position: BasePosition, seat: int) -> int:
    view = position.view
    return int(view["boards"][seat]["score"] if "boards" in view else view["points"][seat])


def test_there_is_a_tour_of_every_game() -> None:
    assert set(TOURS) == {"azul", "chocolatier", "schokoly"}
    assert all(10 <= len(steps) <= 16 for steps in TOURS.values())


@every_step
def test_a_position_belongs_to_the_game_and_is_in_canonical_form(game: str, step: Step) -> None:
    position = start_of(step)
    assert position.text == step["position"]
    assert position.game.name == game
    assert set(step) <= KNOWN | CLAIMS


@every_one
def test_every_wanted_move_is_legal(step: Step) -> None:
    position = start_of(step)
    for ply in step.get("do", []):
        assert position.actor == 0, "the learner is seat 1"
        for wanted in ply:
            assert matching_moves(position, wanted), f"{wanted} is not legal"
        position = position.play(matching_moves(position, ply[0])[0])


@every_step
def test_what_a_step_claims_is_true(game: str, step: Step) -> None:
    for variation in variations(step):
        (first, move), last = variation[0], variation[-1][0]
        effects = first.effects(move) if move else ()
        fell = [effect for effect in effects if isinstance(effect, Fell)]
        if "placed" in step:
            assert sum(effect.number for effect in effects if isinstance(effect, Placed)) == step["placed"]
        if "fallen" in step:
            assert sum(effect.floor + effect.lid for effect in fell) == step["fallen"]
        if "penalty" in step:
            markers = sum(effect.cost for effect in effects if isinstance(effect, MarkerTaken))
            assert -sum(effect.cost for effect in fell) - markers == step["penalty"]
        if "before" in step:
            assert score(first, 0) == step["before"]
        if "points" in step:
            # in Azul the points that a move adds, in Schokoly the points of the side after it
            gained = score(last, 0) - (0 if game == "schokoly" else score(first, 0))
            assert gained == step["points"]
        if "rival" in step:
            assert score(last, 1) in step["rival"]
            assert score(first, 1) > max(step["rival"])
        if "neutral" in step:
            groups = [group for group in last.view["groups"] if group["kind"] == "W" and group["seat"] == 0]
            assert [group["size"] for group in groups if group["scores"]] == [step["neutral"]]


@every_one
def test_figures_in_the_texts_are_true(step: Step) -> None:
    figures = step.get("figures", {})
    view = start_of(step).view
    largest = {
        kind: max((group["size"] for group in view.get("groups", []) if group["kind"] == letter), default=0)
        for kind, letter in (("dark", "D"), ("milk", "M"), ("neutral", "W"))
    }
    for name, figure in figures.items():
        if name in largest:
            assert figure == largest[name], name
        elif name == "score":
            assert figure == view["points"][0]
        else:
            assert name == "n"
            (announced,) = (variation[-1][0].view["offer"]["number"] for variation in variations(step))
            assert figure == announced
