"""Perft: the number of sequences of plies from known positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.azul_comparison import step_of
from tests.oracle.azul_referee import Referee
from tests.oracle.schokoly_comparison import step_of as schokoly_step_of
from tests.oracle.schokoly_referee import Referee as SchokolyReferee
from tilery import Position, Refused, read_position
from tilery.core.perft import divide, perft
from tilery.games.azul import AZUL, Rules
from tilery.games.schokoly import SCHOKOLY
from tilery.games.schokoly import Rules as SchokolyRules

COUNTS = [
    (int(depth), int(lines), text)
    for depth, lines, text in (
        line.split(" ", 2)
        for line in (Path(__file__).parent / "counts.txt").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
]


@pytest.mark.parametrize(("depth", "lines", "text"), COUNTS)
def test_the_number_of_lines_is_known(depth: int, lines: int, text: str) -> None:
    position = read_position(text)
    assert perft(position, depth) == lines
    if lines < 200_000:
        assert sum(divide(position, depth).values()) == lines


def _referee_perft(referee: Referee | SchokolyReferee, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for step in referee.legal():
        after = referee.copy()
        after.play(step)
        total += _referee_perft(after, depth - 1)
    return total


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(3, "grey", "round", None), Rules(4, "coloured", "game")], ids=lambda rules: rules.text
)
def test_the_referee_counts_the_same(rules: Rules) -> None:
    position: Position = AZUL.new(rules)
    referee = Referee(rules.seats, rules.wall, rules.specials, rules.start)
    assert perft(position, 2) == _referee_perft(referee, 2)
    while position.actor < 0:
        action = position.actions()[len(position.actions()) // 2]
        referee.play(step_of(action, -1))
        position = position.play(action)
    assert perft(position, 2) == _referee_perft(referee, 2)


@pytest.mark.parametrize(
    "rules",
    [SchokolyRules(), SchokolyRules(2, start=1), SchokolyRules(3, swap=True, start=None), SchokolyRules(4, start=3)],
    ids=lambda rules: rules.text,
)
def test_the_referee_of_schokoly_counts_the_same(rules: SchokolyRules) -> None:
    position: Position = SCHOKOLY.new(rules)
    referee = SchokolyReferee(rules.seats, rules.set == "large", rules.swap, rules.start)
    for _ in range(4 * rules.seats + 12):
        assert perft(position, 1) == _referee_perft(referee, 1)
        if position.actor < 0 or position.view["phase"] == "kind":
            assert perft(position, 2) == _referee_perft(referee, 2)
        actions = position.actions()
        action = actions[len(actions) // 2]
        referee.play(schokoly_step_of(action))
        position = position.play(action)


def test_depths_have_bounds() -> None:
    assert perft(AZUL.new(), 0) == 1
    for depth in (-1, 21):
        with pytest.raises(Refused):
            perft(AZUL.new(), depth)
