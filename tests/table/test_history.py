"""`History`: earlier positions are the same whether they are replayed from the start or from the base."""

from __future__ import annotations

import random

import pytest

from tilery import game
from tilery.core.position import Position
from tilery.table.history import BASE_DISTANCE, History
from tilery.table.plies import PlayedPly


def play_randomly(history: History, position: Position, plies: int, dice: random.Random) -> list[Position]:
    """Play random plies; returns the position after each."""
    positions = []
    for _ in range(plies):
        actions = position.actions()
        if not actions:
            break
        action = dice.choice(actions)
        history.append([PlayedPly(position, position.actor, action)])
        position = position.play(action)
        positions.append(position)
    return positions


@pytest.mark.parametrize("variant", ["azul", "chocolatier", "schokoly"])
def test_going_back_and_playing_on_at_random(variant: str) -> None:
    dice = random.Random(f"history {variant}")
    start = game(variant).new(game(variant).variant("2"))
    history = History(start)
    positions = [start]
    for _ in range(60):
        positions += play_randomly(history, positions[-1], dice.randint(0, 3 * BASE_DISTANCE), dice)
        for _ in range(5):
            at = dice.randint(0, len(history))
            assert history.position(at) == positions[at]
        back = max(0, len(history) - dice.choice((0, 1, 2, BASE_DISTANCE, 5 * BASE_DISTANCE)))
        assert history.take_back(back) == positions[back]
        del positions[back + 1 :]
        assert len(history) == back == len(positions) - 1
    assert len(history.plies()) == len(history)


def test_many_takebacks_replay_few_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilery.core.record import Record

    replayed = 0
    original = Record.position

    def counting(self: Record, ply: int | None = None) -> Position:
        nonlocal replayed
        replayed += len(self.plies)
        return original(self, ply)

    start = game("azul").new(game("azul").variant("4"))
    history = History(start)
    dice = random.Random(5)
    position = play_randomly(history, start, 90, dice)[-1]
    monkeypatch.setattr(Record, "position", counting)
    for _ in range(100):
        position = history.take_back(len(history) - 2)
        position = play_randomly(history, position, 2, dice)[-1]
    assert replayed <= 90 + 100 * 3 * BASE_DISTANCE
