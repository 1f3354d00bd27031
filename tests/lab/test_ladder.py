"""The ladder: its pairings, the losses of its bots, and the page that is generated from stored data."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.lab.bots import find
from tilery import Refused, Seen, Stream, game
from tilery.engine.family import Level, family_of
from tilery.engine.info import Info, Variation
from tilery.games import read_record
from tilery.lab.arena import Standings, run_arena
from tilery.lab.ladder import SearchJudge, descriptions, ladder_bots, ladder_pairings, mean_losses, section
from tilery.lab.ladder_page import check_page, page, read_data, update_page
from tilery.lab.loss import Judge, Loss, decisions, loss_of, mean_loss, record_texts
from tilery.lab.settings import Settings
from tilery.lab.workers import Workers

TINY = ("random", "first", "greedy")


def judge(seen: Seen, stream: Stream) -> Info:
    """A judge for whom each move is 0.01 in win probability and half a point worse than the move before."""
    del stream
    variations = [Variation((move,), *_values(seen, at), nodes=1, solved=False) for at, move in enumerate(seen.moves())]
    return Info("judge 1", seen.seat, tuple(variations), 1, 1, "round", False, 0.0, 0.0, 0.0)


def _values(seen: Seen, at: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    own = [0.0] * seen.seats
    margin = [0.0] * seen.seats
    own[seen.seat], margin[seen.seat] = 1 - at / 100, -at / 2
    return tuple(own), tuple(margin)


def measured(path: Path, variant: str = "2,stall=10", games: int = 12) -> Standings:
    chosen = Settings("azul", variant, ladder_pairings(TINY)[: len(TINY) - 1], games, "tiny")
    return run_arena(chosen, path, workers=1, find=find)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Standings, Path]:
    path = tmp_path_factory.mktemp("ladder")
    return measured(path), path


def test_each_bot_plays_the_one_below_and_anchors_play_some() -> None:
    anchored = (("greedy", "c"), ("plain-uct", "c"))
    assert ladder_pairings(("a", "b", "c", "d")) == (("b", "a"), ("c", "b"), ("d", "c"), *anchored)
    for name in ("azul", "schokoly"):
        levels = family_of(game(name)).levels(game(name).rules)
        assert [level.name for level in levels] == [f"level-{number + 1}" for number in range(len(levels))]
        assert len(levels) >= 8
        bots = ladder_bots(levels)
        pairings = ladder_pairings(bots)
        assert len(set(pairings)) == len(pairings)
        for lower, upper in pairwise(bots):
            assert (upper, lower) in pairings
        assert {each for pairing in pairings for each in pairing} == {*bots, "greedy", "plain-uct"}
        assert (bots[0], bots[-1]) == ("random", "tilery@100ms")


def test_the_loss_is_the_difference_to_the_best_move() -> None:
    position = game("azul").new().settle(Stream("loss"))
    seen = position.seen_by(position.actor)
    info = judge(seen, Stream())
    for at, action in enumerate(seen.actions()):
        assert loss_of(seen, action, info) == pytest.approx((at / 100, at / 2))
    assert loss_of(seen, -1, info) is None


def test_the_mean_loss_of_a_bot(tiny: tuple[Standings, Path]) -> None:
    texts = record_texts((tiny[1] / "games.tilery").read_text(encoding="utf-8"))
    assert len(texts) == 24
    first = mean_loss(texts, "first", judge, sample=20, seed="s")
    assert (first.moves, first.win, first.win_error, first.points) == (20, 0, 0, 0)
    some = mean_loss(texts, "random", judge, sample=30, seed="s")
    assert some.moves == 30
    assert some.points == pytest.approx(50 * some.win)
    assert some.win > 2 * some.win_error > 0
    assert some.judge == "judge 1"
    assert mean_loss(texts, "random", judge, sample=30, seed="s") == some
    assert mean_loss(texts, "random", judge, sample=30, seed="t") != some
    every = mean_loss(texts, "random", judge, sample=10**6, seed="s")
    assert every.moves == 4 * 12  # four from each of its twelve games
    with pytest.raises(Refused, match="no move of nobody to judge"):
        mean_loss(texts, "nobody", judge, sample=5, seed="s")
    assert record_texts("\n") == []


def test_forced_moves_do_not_count(tiny: tuple[Standings, Path]) -> None:
    forced = 0
    for text in record_texts((tiny[1] / "games.tilery").read_text(encoding="utf-8")):
        record = read_record(text)
        for name in record.players:
            choices = decisions(record, name)
            assert choices
            for at, (ply, position) in enumerate(zip(record.plies, record.positions(), strict=False)):
                own = ply.actor == record.players.index(name)
                forced += own and len(position.actions()) == 1
                assert (at in choices) == (own and len(position.actions()) > 1)
    assert forced


def losses_of(path: Path, bots: Sequence[str], judge: Judge, sample: int = 6) -> dict[str, Loss]:
    with Workers(1, "azul", "2", (), find) as processes:
        return mean_losses(path, bots, judge, processes, sample=sample, label="tiny")


def test_losses_are_stored_and_judged_once(tiny: tuple[Standings, Path]) -> None:
    path = tiny[1]
    first = losses_of(path, TINY, judge)
    assert losses_of(path, TINY, _never) == first  # nothing is judged again
    more = losses_of(path, TINY[:1], judge, sample=7)
    assert more["random"].moves == 7
    (path / "losses.json").write_text("{")
    assert losses_of(path, TINY, judge) == first


def test_the_judge_can_be_pickled_for_workers() -> None:
    assert pickle.loads(pickle.dumps(SearchJudge(500))) == SearchJudge(500)


def _never(seen: Seen, stream: Stream) -> Info:
    raise AssertionError((seen, stream))


def tiny_section(standings: Standings, path: Path) -> dict[str, Any]:
    levels = [
        Level("level-1", "looks at points", one_ply=1, spread=0.5, window=2),
        Level("level-2", "searches", method="uct", limit="50n"),
    ]
    abouts = descriptions(levels, {"random": "anything", "greedy": "at once"})
    assert abouts["level-1"] == "looks at points (one ply, also moves up to 2 points worse, spread 0.5)"
    assert abouts["level-2"] == "searches (uct 50n, always the best move)"
    return section(standings, TINY, abouts, losses_of(path, TINY, judge), 20_000)


def test_a_section_has_the_measured_values(tiny: tuple[Standings, Path]) -> None:
    measured_section = tiny_section(*tiny)
    rows = {row["bot"]: row for row in measured_section["rows"]}
    assert set(rows) == set(TINY)
    assert [row["elo"] for row in measured_section["rows"]] == sorted(row["elo"] for row in measured_section["rows"])
    assert (rows["greedy"]["elo"], rows["greedy"]["elo_error"]) == (1000, 0)
    assert rows["greedy"]["below"]["bot"] == "first"
    assert rows["first"]["below"]["bot"] == "random"
    assert rows["random"]["below"] is None
    assert rows["greedy"]["below"]["score"] > 0.9
    assert rows["first"]["loss"]["win"] == 0
    assert json.loads(json.dumps(measured_section)) == measured_section


def test_the_page_keeps_other_sections(tiny: tuple[Standings, Path], tmp_path: Path) -> None:
    file = tmp_path / "ladder.md"
    update_page(file)
    assert "Nothing has been measured yet." in file.read_text(encoding="utf-8")
    measured_section = tiny_section(*tiny)
    update_page(file, {**measured_section, "variant": "3,grey", "seats": 3, "sides": 3})
    update_page(file, measured_section)
    text = file.read_text(encoding="utf-8")
    assert text.index("## Azul, 2 seats\n") < text.index("## Azul, 3 seats, grey\n")
    assert "par for one among 3 is 33.3 %" in text
    assert "| `greedy` | at once | 1000 (anchor) | " in text
    assert "moves judged by judge 1" in text
    update_page(file, {**measured_section, "games": 4444})
    changed = file.read_text(encoding="utf-8")
    assert "4,444 games" in changed
    assert changed.count("## Azul, 2 seats\n") == 1
    assert "## Azul, 3 seats, grey\n" in changed
    assert changed == page(read_data(file))
    update_page(file)
    assert file.read_text(encoding="utf-8") == changed


def test_three_seats(tmp_path: Path) -> None:
    standings = measured(tmp_path, "3,stall=10", 6)
    measured_section = tiny_section(standings, tmp_path)
    assert (measured_section["seats"], measured_section["sides"]) == (3, 3)
    assert {row["bot"]: row for row in measured_section["rows"]}["greedy"]["below"]["score"] > 1 / 3


def test_pages_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no folder"):
        check_page(tmp_path / "nowhere" / "ladder.md")
    with pytest.raises(Refused, match=r"must end in \.md"):
        check_page(tmp_path / "ladder.json")
    for wrong in ("{", "[]", "{}", '{"sections": {"azul:2": {}}}', '{"sections": {"x": 1}}'):
        (tmp_path / "ladder.json").write_text(wrong)
        with pytest.raises(Refused, match="cannot be read: it is not a file of"):
            update_page(tmp_path / "ladder.md")
        assert not (tmp_path / "ladder.md").exists()


def test_the_page_in_the_docs_is_generated_from_its_data() -> None:
    file = ROOT / "docs" / "ladder.md"
    assert file.with_suffix(".json").is_file()
    assert file.read_text(encoding="utf-8") == page(read_data(file))
