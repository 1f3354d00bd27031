"""`tilery analyse`."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from tests.cli.test_errors import one_line
from tests.cli.test_play import tilery
from tests.engine.fake import FAKE, FakeSearch, press_when_thinking
from tests.notation import texts
from tilery import CHANCE, Record, Stream, game
from tilery.cli import analyse, search_output
from tilery.engine.limits import Limit

AZUL = game("azul").new().settle(Stream("analyse"))
CHANCES = game("azul").new()
SCHOKOLY = game("schokoly").new(seats=2).settle(Stream("analyse")).play("dark").settle(Stream("analyse"))


@pytest.fixture
def _fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("tilery.engine.family._load_family", lambda _: FAKE)
    FakeSearch.made.clear()
    yield
    FakeSearch.made.clear()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A record: five deals, all moves of the first round, and the first deal of the next round."""
    record = Record(game("azul").new(), (), ("Ann", "Bob"))
    while len(record.plies) < 6 or record.last.actor >= 0:
        last = record.last
        record = record.play(last.draw(Stream(len(record.plies))) if last.actor == CHANCE else last.actions()[0])
    path = tmp_path / "game.tilery"
    path.write_text(record.text, encoding="utf-8")
    return path


pytestmark = pytest.mark.usefixtures("_fake")


def test_the_best_moves_are_listed_with_what_they_are_worth() -> None:
    ran = tilery("analyse", AZUL.text, "--limit", "20n", "--variations", "3")
    assert (ran.code, ran.err) == (0, "")
    first, second, third, *moves = ran.out.splitlines()
    assert first == "Seat 1 to move in Azul (2), round 1"
    assert second == "Win 75.0 %, margin +4.5"
    assert third.startswith("fake 1: depth 7, 20 nodes, ")
    assert "solved to the end of the round, 25 % of the moves solved" in " ".join([*third.split(), *moves[0].split()])
    assert " 10 " in moves[2]  # nodes
    rows = [line.split() for line in moves if line.strip()[:1].isdigit()]
    assert [words[:2] for words in rows] == [[str(n + 1), move] for n, move in enumerate(texts(AZUL)[:3])]
    assert "✓" in rows[0]
    assert "✓" not in rows[1]
    assert rows[1][2:5] == ["74.9", "%", "+3.5"]
    assert AZUL.describe(texts(AZUL)[0]).split()[0] in ran.out
    assert "then this" in " ".join(ran.out.split())
    assert max(map(len, ran.out.splitlines())) <= 80


def test_json_has_the_shape_of_the_engine_process() -> None:
    answer = json.loads(tilery("analyse", AZUL.text, "--limit", "20n", "--json").out)
    assert list(answer) == ["turnNumber", "isDuringSearch", "position", "seat", "rootInfo", "moveInfos"]
    assert len(answer["moveInfos"]) == 5
    assert answer["rootInfo"]["method"] == "fake"


def test_options_reach_the_search() -> None:
    words = ("--limit", "30n+3d", "--variations", "2", "--method", "finite", "--threads", "2", "--seed", "s")
    assert tilery("analyse", AZUL.text, *words, "--json").code == 0
    question = FakeSearch.made[0].request
    assert question.limit == Limit(nodes=30, depth=3)
    assert (question.variations, question.threads, question.stream.name) == (2, 2, ("engine", "s"))
    assert type(FakeSearch.made[0]).__name__ == "FiniteSearch"


@pytest.mark.parametrize("old", ["--lines", "-l"])
def test_the_former_name_of_variations_is_accepted_but_hidden(old: str) -> None:
    assert len(json.loads(tilery("analyse", AZUL.text, "--limit", "20n", old, "2", "--json").out)["moveInfos"]) == 2
    assert "--lines" not in tilery("analyse", "--help").out


def test_the_last_decision_of_a_record_is_analysed(file: Path) -> None:
    plies = json.loads(tilery("verify", str(file), "--json").out)["records"][0]["plies"]
    answer = json.loads(tilery("analyse", str(file), "--limit", "5n", "--json").out)
    assert answer["turnNumber"] == plies - 1
    ran = tilery("analyse", str(file), "--ply", "6", "--limit", "5n")
    assert "to move in Azul (2), round 1, after ply 6 of" in ran.out
    assert ran.out.startswith(("Ann", "Bob"))


def test_the_search_gets_only_what_the_seat_sees() -> None:
    ran = tilery("analyse", SCHOKOLY.text, "--limit", "5n", "--json")
    seen = SCHOKOLY.seen_by(SCHOKOLY.actor)
    assert json.loads(ran.out)["position"] == seen.text
    assert FakeSearch.made[0].request.seen == seen


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["CHANCE"], "there is nothing to decide here: chance acts"),
        (["FILE", "--ply", "3"], "after ply 3: there is nothing to decide here: chance acts"),
        (["FILE", "--ply", "6", "--seat", "SAME"], "acts (leave out --seat, or see --ply "),
        (["FILE", "--ply", "999"], "this record has "),
        (["AZUL", "--seat", "2"], "seat 2 has nothing to decide here: seat 1 acts"),
        (["AZUL", "--seat", "3"], "there is no seat 3: seats are 1 to 2"),
        (["AZUL", "--seat", "0"], "there is no seat 0: seats are 1 to 2"),
        (["AZUL", "--limit", "soon"], "'soon' is not a limit: expected one like 10ms"),
        (["AZUL", "--method", "magic"], "Azul has no search 'magic': expected fake"),
        (["AZUL", "--variations", "0"], "Invalid value for '--variations'"),
        (["AZUL", "--threads", "x"], "Invalid value for '--threads'"),
        (["nothing"], "'nothing' is neither a file nor a position"),
        (["azul:2"], "the position, column 7: expected ' round='"),
    ],
)
def test_invalid_arguments_are_refused_in_one_line(words: list[str], message: str, file: Path) -> None:
    places = {"CHANCE": CHANCES.text, "FILE": str(file), "AZUL": AZUL.text}
    if "SAME" in words:
        answer = json.loads(tilery("analyse", str(file), "--ply", "6", "--limit", "5n", "--json").out)
        places["SAME"] = str(2 - answer["seat"])
    assert message in one_line(tilery("analyse", *(places.get(word, word) for word in words)))


def test_the_refusal_names_the_nearest_decision(file: Path) -> None:
    last = json.loads(tilery("analyse", str(file), "--limit", "5n", "--json").out)["turnNumber"]
    assert one_line(tilery("analyse", str(file), "--ply", str(last + 1))).endswith(f"chance acts (see --ply {last})")


def test_a_terminal_shows_the_table_during_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=100, highlight=False, markup=False)
    monkeypatch.setattr(analyse, "console", screen)
    monkeypatch.setattr(search_output, "_REFRESH", 0.02)
    ran = tilery("analyse", AZUL.text, "--limit", "300wms", "--method", "slow")
    assert ran.code == 0
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    assert 3 <= shown.count("margin +4.5") <= 20
    assert "\x1b[2K" in shown  # the previous table is erased


def test_an_interruption_ends_the_search_and_prints_its_latest_result() -> None:
    press_when_thinking()
    began = time.perf_counter()
    ran = tilery("analyse", AZUL.text, "--limit", "1000ws", "--method", "slow")
    assert time.perf_counter() - began < 60
    assert ran.code == 0
    assert "margin +4.5" in ran.out
    assert ran.out.endswith("Stopped early.\n")


def test_json_says_that_the_search_was_interrupted() -> None:
    press_when_thinking()
    ran = tilery("analyse", AZUL.text, "--limit", "1000ws", "--method", "slow", "--json")
    assert json.loads(ran.out)["cancelled"] is True
