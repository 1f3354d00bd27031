"""The levels of the ladder: from an easy beginner to full strength, without random blunders."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.variants import EVERY
from tilery import Refused, Stream, game
from tilery.core.game import Rules
from tilery.engine.azul.kernel.one_ply import OTHERS, PLANS, POINTS, WITH_BONUSES, WITH_FLOOR
from tilery.engine.bots import BOTS, LEVELS, Bot, bot, load_bot, pick
from tilery.engine.family import Level, family_of
from tilery.engine.limits import Limit
from tilery.engine.search import think

AZUL = game("azul")
START = AZUL.new().settle(Stream("levels"))


def test_a_pick_stays_within_the_window_and_prefers_small_losses() -> None:
    level = Level("x", "", spread=1.0, window=2.0)
    counts = Counter(pick([0.5, 0.0, 1.0, 2.5], level, Stream("pick", k)) for k in range(3000))
    assert set(counts) == {0, 1, 2}
    weights = {0: np.exp(-0.5), 1: 1.0, 2: np.exp(-1.0)}
    for index, weight in weights.items():
        assert counts[index] / 3000 == pytest.approx(weight / sum(weights.values()), abs=0.04)


def test_without_a_spread_the_best_is_picked_and_equals_share() -> None:
    level = Level("x", "")
    assert {pick([3.0, 0.0, 1.0], level, Stream(k)) for k in range(50)} == {1}
    assert {pick([0.0, 1.0, 0.0], level, Stream(k)) for k in range(50)} == {0, 2}


@pytest.mark.parametrize(
    ("name", "rules"),
    [(name, rules) for name, every in EVERY.items() for rules in every],
    ids=lambda part: part if isinstance(part, str) else part.text,
)
def test_every_variant_has_a_ladder(name: str, rules: Rules) -> None:
    levels = family_of(game(name)).levels(rules)
    assert 8 <= len(levels) <= LEVELS
    assert [level.name for level in levels] == [f"level-{number + 1}" for number in range(len(levels))]
    methods = family_of(game(name)).methods
    for level in levels:
        assert level.about
        if level.method:
            assert level.method in methods
            assert Limit.read(level.limit).nodes, "a level plays the same on every machine"
        assert level.window >= level.spread >= 0


def test_every_level_is_a_bot() -> None:
    for number in range(1, LEVELS + 1):
        assert BOTS[f"level-{number}"].name == f"level-{number}"


def test_a_bot_that_was_added_can_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    added = Bot("first", "always the first move", lambda seen, _: seen.actions()[0])
    monkeypatch.setitem(BOTS, "first", added)
    assert load_bot(AZUL, "first", AZUL.rules) is added
    with pytest.raises(Refused, match="there is no bot 'second'"):
        load_bot(AZUL, "second", AZUL.rules)


def test_a_level_that_a_game_does_not_have_is_refused() -> None:
    schokoly = game("schokoly")
    count = len(family_of(schokoly).levels(schokoly.rules))
    if count < LEVELS:
        with pytest.raises(Refused, match=f"goes from level-1 to level-{count}"):
            load_bot(schokoly, f"level-{count + 1}", schokoly.rules)
    with pytest.raises(Refused, match="there is no bot"):
        bot(f"level-{LEVELS + 1}")
    with pytest.raises(Refused, match="takes no limit"):
        bot("level-1@10ms")


def one_ply(text: str, scope: int) -> dict[str, float]:
    position = AZUL.read(text)
    kernel = AZUL.kernel
    out, values = kernel.new_list(), np.empty(kernel.max_legal)
    count = family_of(AZUL, "one-ply").one_ply(position._rows, 0, scope, out, values, kernel.new_rows(1))
    assert out[:count].tolist() == position.actions()
    return {position.move_text(int(out[k])): float(values[k]) for k in range(count)}


EMPTY = "...../...../...../...../....."
LATE = (
    "azul:2 round=5 offer:1 starter=1 marker=C bag=14/14/15/15/16 lid=0/0/0/0/0 centre=WWW "
    f"discs=YYRW/BYRK/BYRK/BBKK/- 20|-/-/-/-/-|BYRK./...../...../...../.....|- 20|-/-/-/-/-|BYR../{EMPTY[6:]}|-"
)


def test_points_takes_only_points_into_account() -> None:
    seen = one_ply(LATE, POINTS)
    assert seen["1W1"] == 5  # a row of five
    assert seen["CW1"] == 5  # falling tiles and the marker are ignored
    assert seen["CWF"] == 0


def test_floor_too_takes_the_floor_line_into_account() -> None:
    seen = one_ply(LATE, WITH_FLOOR)
    assert seen["1W1"] == 5
    assert seen["CW1"] == 5 - 4  # the marker and two tiles
    assert seen["CWF"] == -6


def test_bonuses_too_takes_bonuses_into_account() -> None:
    assert one_ply(LATE, WITH_BONUSES)["1W1"] == pytest.approx(5 + 2)


def test_plans_and_others_use_the_evaluation() -> None:
    own, both = one_ply(LATE, PLANS), one_ply(LATE, OTHERS)
    # By one ply the boards of the others stay the same, unless the game ends or the marker is taken.
    assert own["2B2"] - own["2BF"] == pytest.approx(both["2B2"] - both["2BF"])
    assert own["2B2"] != pytest.approx(both["2B2"])


def test_levels_play_legal_moves_and_depend_on_their_stream_only() -> None:
    for number in (1, 3, 6):
        moves = {bot(f"level-{number}").choose(START.seen_by(0), Stream("m", k)) for k in range(30)}
        assert moves <= set(START.actions())
        if number == 1:
            assert len(moves) > 3, "a beginner does not always play the same"
        for _ in range(2):
            assert bot(f"level-{number}").choose(START.seen_by(0), Stream("m", 1)) in moves


def test_a_level_that_estimates_gives_away_few_points() -> None:
    schokoly = game("schokoly")
    position = schokoly.new().settle(Stream("levels"))
    ply = 0
    while len(position.actions()) < 40:
        ply += 1
        seen = position.seen_by(position.actor)
        position = position.play(bot("greedy").choose(seen, Stream("g", ply))).settle(Stream("s", ply))
    seen = position.seen_by(position.actor)
    level = family_of(schokoly).levels(schokoly.rules)[4]
    assert level.method
    assert 0 < level.spread < level.window
    variations = think(
        seen, Limit.read(level.limit), stream=Stream("m"), method=level.method, variations=1000
    ).variations
    points = {variation.action: variation.margins[seen.seat] for variation in variations}
    moves = {bot(level.name).choose(seen, Stream("m", k)) for k in range(40)}
    assert len(moves) > 2, "it does not always play the same"
    assert len(moves) < len(points)
    assert min(points[move] for move in moves) >= max(points.values()) - level.window
