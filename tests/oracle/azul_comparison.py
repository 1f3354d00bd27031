"""Puts the kernel and the naive referee side by side: the same steps, the same positions, the same moves."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests.oracle.azul_effects import LEFT_OUT, apply_effects
from tests.oracle.azul_referee import COLOURS, KINDS, Referee
from tilery import CHANCE, OVER, Position
from tilery.core.game import as_rows
from tilery.games.azul import AZUL, Rules
from tilery.games.azul.edition import CERAMIC
from tilery.games.azul.kernel import layout
from tilery.games.azul.view import View, view_of

MAX_PLIES = 30_000  # plies; a planted bug that makes games endless must not hang the run


def step_of(action: int, spreader: int) -> tuple[Any, ...]:
    """An action of the kernel as a step of the referee."""
    if action < layout.SPREAD:
        return ("take", action // 6 % 10 - 1, action // 60, action % 6, frozenset())
    if action < layout.CHOOSE:
        how = action - layout.SPREAD
        right = frozenset(c for c in range(5) if how % 32 >> c & 1)
        return ("take", spreader, how // 192, how // 32 % 6, right)
    if action < layout.START_AT:
        return ("choose", *divmod(action - layout.CHOOSE, 5))
    if action < layout.LAY:
        return ("start", action - layout.START_AT)
    if action < layout.ADD:
        disc, kind = divmod(action - layout.LAY, 10)
        return ("disc", disc - 1, KINDS[kind])
    if action < layout.DEAL:
        return ("extra", action - layout.ADD)
    return ("fill", tuple(action - layout.DEAL >> 3 * c & 7 for c in range(5)))


def snapshot_of(position: Position, view: View) -> dict[str, Any]:
    """A position as the referee describes it."""

    def counts(letters: str) -> tuple[int, ...]:
        return tuple(letters.count(letter) for letter in COLOURS)

    outcome = position.outcome
    return {
        "round": view.round,
        "phase": view.phase,
        "actor": {CHANCE: "chance", OVER: "over"}.get(position.actor, position.actor),
        "starter": view.starter,
        "marker": "centre" if view.marker is None else view.marker,
        "stalled": view.stalled,
        "bag": view.bag,
        "lid": view.lid,
        "centre": counts(view.centre),
        "factories": tuple(counts(tiles) for tiles in view.factories),
        "discs": view.discs,
        "saucer_gone": view.saucer_gone,
        "boards": tuple(
            {
                "score": board.score,
                "lines": tuple((COLOURS.index(line[0]) if line else None, len(line)) for line in board.lines),
                "wall": board.wall,
                "floor": board.floor,
                "saucer": board.saucer,
            }
            for board in view.boards
        ),
        "ended_by": view.ended_by or None,
        "winners": outcome.winners if outcome else (),
    }


def steps_of(view: View, actions: list[int]) -> list[tuple[Any, ...]]:
    """The referee's steps for actions of a position."""
    spreader = view.discs.index("spreader") if "spreader" in view.discs else -1
    return [step_of(action, spreader) for action in actions]


def compare_probabilities(position: Position, referee: Referee) -> None:
    """The exact probabilities of every outcome agree."""
    kernel = position.game.kernel
    out, p = kernel.new_list(), np.empty(kernel.max_legal, np.float64)
    rows = as_rows(position.row)
    count = kernel.probabilities(rows, 0, out, p)
    theirs = referee.probabilities()
    steps = steps_of(view_of(CERAMIC, position.row), out[:count].tolist())
    assert set(steps) == set(theirs)
    for k, step in enumerate(steps):
        assert abs(p[k] - float(theirs[step])) < 1e-12, (position.text, step)


def _pick(style: str, steps: list[tuple[Any, ...]], chance: random.Random) -> int:
    """Which step to play: styles of play reach different corners of the rules."""
    takes = [k for k, step in enumerate(steps) if step[0] == "take"]
    if takes and style == "builder":
        takes = [k for k in takes if steps[k][3] != 5] or takes
    elif takes and style == "spoiler":
        takes = [k for k in takes if steps[k][3] == 5] or takes
    elif takes and style == "hoarder":
        takes = [k for k in takes if steps[k][3] in (3, 4)] or takes
    return chance.choice(takes or range(len(steps)))


def compare_game(rules: Rules, seed: int, style: str) -> str:
    """Play one random game on both sides, comparing everything at every ply; returns how it ended."""
    chance = random.Random(f"{rules.text} {seed} {style}")
    position = AZUL.new(rules)
    referee = Referee(rules.seats, rules.wall, rules.specials, rules.start, rules.round_limit, rules.stall_limit)
    for ply in range(MAX_PLIES):
        view = view_of(CERAMIC, position.row)
        assert snapshot_of(position, view) == referee.snapshot(), (ply, position.text)
        actions = position.actions()
        steps = steps_of(view, actions)
        assert len(set(steps)) == len(steps)
        assert set(steps) == referee.legal(), (ply, position.text)
        if position.actor == OVER:
            return view.ended_by
        if position.actor == CHANCE and chance.random() < 0.1:
            compare_probabilities(position, referee)
        k = _pick(style, steps, chance)
        expected = apply_effects(referee.snapshot(), position.effects(actions[k]))
        position = position.play(actions[k])
        referee.play(steps[k])
        told = {name: value for name, value in referee.snapshot().items() if name not in LEFT_OUT}
        assert told == expected, (ply, position.text)
    raise AssertionError(f"a game of {MAX_PLIES} plies: {position.text}")
