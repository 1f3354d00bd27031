"""Puts the kernel and the naive referee side by side: the same steps, the same positions, the same moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.schokoly_effects import apply_effects, check_viewers, told
from tests.oracle.schokoly_referee import Referee
from tilery import CHANCE, OVER, Position
from tilery.core.game import as_rows
from tilery.games.schokoly import SCHOKOLY, Rules
from tilery.games.schokoly.actions import cell_at, lay_of
from tilery.games.schokoly.groups import groups_of
from tilery.games.schokoly.kernel import layout
from tilery.games.schokoly.kernel.cards import PATTERNS
from tilery.games.schokoly.view import View, view_of

MAX_PLIES = 1_000  # plies; a planted bug that makes games endless must not hang the run

_WORDS: dict[int, tuple[Any, ...]] = {
    0: ("kind", "D"),
    1: ("kind", "M"),
    2: ("kind", "W"),
    layout.PASS: ("pass",),
    layout.NO_TOKEN: ("no_token",),
    layout.DECLINE: ("decline",),
    layout.AGREE: ("accept",),
}


def step_of(action: int) -> tuple[Any, ...]:
    """An action of the kernel as a step of the referee."""
    if action in _WORDS:
        return _WORDS[action]
    if action >= layout.TOKEN:
        return ("secure", *cell_at(action - layout.TOKEN))
    if action >= layout.LAY:
        return ("place", *lay_of(action))
    if action >= layout.OFFER:
        other, card = divmod(action - layout.OFFER, 16)
        return ("offer", other, PATTERNS[card])
    if action >= layout.ANSWER_WITH:
        return ("answer", PATTERNS[action - layout.ANSWER_WITH])
    if action >= layout.TAKE:
        return ("draw", PATTERNS[action - layout.TAKE])
    return ("start", action - layout.START_AT)


def snapshot_of(position: Position, view: View) -> dict[str, Any]:
    """A position as the referee describes it."""
    outcome = position.outcome
    hands = [list(hand) for hand in view.hands]
    pending = None
    if view.offer and view.seat is not None and view.partner is not None:
        hands[view.seat].remove(view.offer.card)
        if view.answer:
            hands[view.partner].remove(view.answer.card)
        pending = (view.seat, view.partner, view.offer.card, view.answer.card if view.answer else None)
    assert view.stack is not None
    return {
        "phase": view.phase,
        "actor": {CHANCE: "chance", OVER: "over"}.get(position.actor, position.actor),
        "kinds": view.kinds,
        "tokens": view.tokens,
        "hands": tuple(tuple(sorted(hand)) for hand in hands),
        "stack": dict(zip(PATTERNS, view.stack, strict=True)),
        "table": frozenset((card.pieces, card.x, card.y, card.level, card.token) for card in view.table),
        "pending": pending,
        "asked": frozenset(view.asked),
        "swapped": view.swapped,
        "passes": view.passes,
        "groups": tuple(
            sorted((group.kind, group.size, *group.edges) for group in groups_of(SCHOKOLY.kernel, position.row, view))
        ),
        "scores": position.scores(),
        "ended_by": view.ended_by or None,
        "winners": outcome.winners if outcome else (),
    }


def _referee_snapshot(referee: Referee) -> dict[str, Any]:
    """The referee remembers offers to the end of the turn; a position only while they matter (SC-53)."""
    snapshot = referee.snapshot()
    if snapshot["phase"] not in ("place", "answer", "accept"):
        snapshot["asked"], snapshot["swapped"] = frozenset(), False
    return snapshot


def compare_probabilities(position: Position, referee: Referee) -> None:
    """The exact probabilities of every outcome agree."""
    kernel = position.game.kernel
    out, p = kernel.new_list(), np.empty(kernel.max_legal, np.float64)
    rows = as_rows(position.row)
    count = kernel.probabilities(rows, 0, out, p)
    theirs = referee.probabilities()
    steps = [step_of(action) for action in out[:count].tolist()]
    assert set(steps) == set(theirs)
    for k, step in enumerate(steps):
        assert abs(p[k] - float(theirs[step])) < 1e-12, (position.text, step)


_LIKED: dict[str, Callable[[tuple[Any, ...]], bool]] = {
    "stacker": lambda step: step[0] == "no_token" or (step[0] == "place" and step[4] == 2),
    "guard": lambda step: step[0] == "secure" or (step[0] == "place" and step[4] == 1),
    "trader": lambda step: step[0] in ("offer", "answer", "accept", "no_token"),
    "runner": lambda step: step[0] == "no_token" or (step[0] == "place" and step[4] == 1),
}


def _pick(style: str, steps: list[tuple[Any, ...]], chance: random.Random) -> int:
    """Which step to play: styles of play reach different corners of the rules."""
    liked = [k for k, step in enumerate(steps) if style in _LIKED and _LIKED[style](step)]
    if style == "runner":  # as far away as it goes
        lays = [k for k in liked if steps[k][0] == "place"]
        farthest = max((steps[k][2] for k in lays), default=0)
        liked = [k for k in lays if steps[k][2] == farthest] or liked
    if liked and chance.random() < 0.8:
        return chance.choice(liked)
    return chance.choice(range(len(steps)))


def compare_game(rules: Rules, seed: int, style: str) -> str:
    """Play one random game on both sides, comparing everything at every ply; returns how it ended."""
    chance = random.Random(f"{rules.text} {seed} {style}")
    position = SCHOKOLY.new(rules)
    referee = Referee(rules.seats, rules.set == "large", rules.swap, rules.start)
    for ply in range(MAX_PLIES):
        view = view_of(position.row)
        assert snapshot_of(position, view) == _referee_snapshot(referee), (ply, position.text)
        actions = position.actions()
        steps = [step_of(action) for action in actions]
        assert len(set(steps)) == len(steps)
        assert set(steps) == referee.legal(), (ply, position.text)
        if position.actor == OVER:
            return view.ended_by
        if position.actor == CHANCE and chance.random() < 0.1:
            compare_probabilities(position, referee)
        k = _pick(style, steps, chance)
        effects = position.effects(actions[k])
        expected = apply_effects(referee.snapshot(), effects)
        if chance.random() < 0.2:
            check_viewers(position, actions[k], effects)
        position = position.play(actions[k])
        referee.play(steps[k])
        assert told(referee.snapshot()) == expected, (ply, position.text)
    raise AssertionError(f"a game of {MAX_PLIES} plies: {position.text}")
