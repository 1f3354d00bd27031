"""`tilery analyse`, `tilery bots` and `tilery engine`, as somebody at a keyboard or a program meets them."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from rich.console import Console

from tests.cli.test_errors import one_line
from tests.cli.test_play import tilery
from tests.engine.fake import FAKE, FakeSearch, press_when_thinking
from tilery import CHANCE, Record, Stream, game
from tilery.cli import analysing, thinking
from tilery.engine.bots import BOTS
from tilery.engine.limits import Limit

AZUL = game("azul").new().settle(Stream("analyse"))
CHANCES = game("azul").new()
SCHOKOLY = game("schokoly").new(seats=2).settle(Stream("analyse")).play("dark").settle(Stream("analyse"))


@pytest.fixture
def _fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("tilery.engine.family._found", lambda _: FAKE)
    FakeSearch.made.clear()
    yield
    FakeSearch.made.clear()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A record of five deals, of all moves of the first round, and of the next round's first deal."""
    record = Record(game("azul").new(), (), ("Ann", "Bob"))
    while len(record.plies) < 6 or record.last.actor >= 0:
        last = record.last
        record = record.play(last.draw(Stream(len(record.plies))) if last.actor == CHANCE else last.actions()[0])
    path = tmp_path / "game.tilery"
    path.write_text(record.text, encoding="utf-8")
    return path


pytestmark = pytest.mark.usefixtures("_fake")


def test_the_best_moves_are_listed_with_what_they_are_worth() -> None:
    ran = tilery("analyse", AZUL.text, "--limit", "20n", "--lines", "3")
    assert (ran.code, ran.err) == (0, "")
    first, second, third, *moves = ran.out.splitlines()
    assert first == "Seat 1 to move in Azul (2), round 1"
    assert second == "Win 75.0 %, margin +4.5"
    assert third.startswith("fake 1: depth 7, 20 nodes, ")
    assert "solved to the end of the round, 25 % of the moves solved" in " ".join([*third.split(), *moves[0].split()])
    assert " 10 " in moves[2]  # nodes
    found = [line.split() for line in moves if line.strip()[:1].isdigit()]
    assert [words[:2] for words in found] == [[str(n + 1), move] for n, move in enumerate(AZUL.moves()[:3])]
    assert "✓" in found[0]
    assert "✓" not in found[1]
    assert found[1][2:5] == ["74.9", "%", "+3.5"]
    assert AZUL.tell(AZUL.moves()[0]).split()[0] in ran.out
    assert "then this" in " ".join(ran.out.split())
    assert max(map(len, ran.out.splitlines())) <= 80


def test_json_has_the_shape_of_the_engine_process() -> None:
    answer = json.loads(tilery("analyse", AZUL.text, "--limit", "20n", "--json").out)
    assert list(answer) == ["turnNumber", "isDuringSearch", "position", "seat", "rootInfo", "moveInfos"]
    assert len(answer["moveInfos"]) == 5
    assert answer["rootInfo"]["method"] == "fake"


def test_options_reach_the_search() -> None:
    words = ("--limit", "30n+3d", "--lines", "2", "--method", "finite", "--threads", "2", "--seed", "s")
    assert tilery("analyse", AZUL.text, *words, "--json").code == 0
    question = FakeSearch.made[0].question
    assert question.limit == Limit(nodes=30, depth=3)
    assert (question.lines, question.threads, question.stream.name) == (2, 2, ("engine", "s"))
    assert type(FakeSearch.made[0]).__name__ == "FiniteSearch"


def test_of_a_record_it_is_the_last_decision(file: Path) -> None:
    plies = json.loads(tilery("verify", str(file), "--json").out)["records"][0]["plies"]
    answer = json.loads(tilery("analyse", str(file), "--limit", "5n", "--json").out)
    assert answer["turnNumber"] == plies - 1
    ran = tilery("analyse", str(file), "--ply", "6", "--limit", "5n")
    assert "to move in Azul (2), round 1, after ply 6 of" in ran.out
    assert ran.out.startswith(("Ann", "Bob"))


def test_only_what_the_seat_sees_is_thought_about() -> None:
    ran = tilery("analyse", SCHOKOLY.text, "--limit", "5n", "--json")
    seen = SCHOKOLY.seen_by(SCHOKOLY.actor)
    assert json.loads(ran.out)["position"] == seen.text
    assert FakeSearch.made[0].question.seen == seen


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
        (["AZUL", "--limit", "soon"], "'soon' is no limit: expected one like 10ms"),
        (["AZUL", "--method", "magic"], "Azul is not searched by 'magic': expected fake"),
        (["AZUL", "--lines", "0"], "Invalid value for '--lines'"),
        (["AZUL", "--threads", "x"], "Invalid value for '--threads'"),
        (["nothing"], "'nothing' is neither a file nor a position"),
        (["azul:2"], "the position, column 7: expected ' round='"),
    ],
)
def test_what_cannot_be_analysed_is_refused_in_one_line(words: list[str], message: str, file: Path) -> None:
    places = {"CHANCE": CHANCES.text, "FILE": str(file), "AZUL": AZUL.text}
    if "SAME" in words:
        answer = json.loads(tilery("analyse", str(file), "--ply", "6", "--limit", "5n", "--json").out)
        places["SAME"] = str(3 - answer["seat"])
    assert message in one_line(tilery("analyse", *(places.get(word, word) for word in words)))


def test_a_decision_nearby_is_named(file: Path) -> None:
    last = json.loads(tilery("analyse", str(file), "--limit", "5n", "--json").out)["turnNumber"]
    assert one_line(tilery("analyse", str(file), "--ply", str(last + 1))).endswith(f"chance acts (see --ply {last})")


def test_on_a_terminal_the_table_grows_better(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=100, highlight=False, markup=False)
    monkeypatch.setattr(analysing, "console", screen)
    monkeypatch.setattr(thinking, "_FRAME", 0.02)
    ran = tilery("analyse", AZUL.text, "--limit", "300wms", "--method", "slow")
    assert ran.code == 0
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    assert 3 <= shown.count("margin +4.5") <= 20
    assert "\x1b[2K" in shown  # what was shown before is wiped


def test_an_interruption_ends_the_thought_and_tells_what_was_found() -> None:
    press_when_thinking()
    began = time.perf_counter()
    ran = tilery("analyse", AZUL.text, "--limit", "1000ws", "--method", "slow")
    assert time.perf_counter() - began < 60
    assert ran.code == 0
    assert "margin +4.5" in ran.out
    assert ran.out.endswith("Stopped early.\n")


def test_an_interrupted_answer_in_json_says_so() -> None:
    press_when_thinking()
    ran = tilery("analyse", AZUL.text, "--limit", "1000ws", "--method", "slow", "--json")
    assert json.loads(ran.out)["cancelled"] is True


def test_bots_are_listed() -> None:
    ran = tilery("bots")
    assert [line.split()[0] for line in ran.out.splitlines()][: len(BOTS)] == list(BOTS)
    assert all(each.about in ran.out for each in BOTS.values())
    names = [each["name"] for each in json.loads(tilery("bots", "--json").out)["bots"]]
    assert names == list(BOTS)


def test_a_game_has_levels_and_searches_of_its_own() -> None:
    found = {each["name"]: each["about"] for each in json.loads(tilery("bots", "-g", "azul", "--json").out)["bots"]}
    assert found["level-3"] == "fake step 3"
    assert found["slow@LIMIT"] == "the search slow, such as slow@100ms"
    assert "level-9" in found
    assert "level-10" not in found  # the ladder of the fake ends there
    assert one_line(tilery("bots", "--game", "chess")).startswith("there is no game 'chess'")


def engine(*words: str) -> subprocess.Popen[bytes]:
    """The real process."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-m", "tilery", "engine", *words], stdin=pipe, stdout=pipe, stderr=pipe)


def test_the_engine_answers_in_this_process_too() -> None:
    typed = json.dumps({"id": "a", "position": AZUL.text}) + '\nhello\n{"id": "v", "action": "query_version"}'
    ran = tilery("engine", "--limit", "20n", typed=typed)
    assert (ran.code, ran.err) == (0, "")
    answers = {answer["id"]: answer for answer in map(json.loads, ran.out.splitlines())}
    assert answers["a"]["rootInfo"]["nodes"] == 20
    assert answers[None]["error"].startswith("the line is not JSON")
    assert answers["v"]["name"] == "tilery"


def test_the_engine_refuses_a_limit_that_is_none() -> None:
    assert "'x' is no limit" in one_line(tilery("engine", "--limit", "x"))


def test_the_engine_ends_with_its_input() -> None:
    with engine() as process:
        out, err = process.communicate(b'\xff\n\n{"id": "v", "action": "query_version"}\n{', timeout=60)
    assert process.returncode == 0
    assert err == b""
    assert [json.loads(line)["id"] for line in out.splitlines()] == [None, "v", None]


def test_the_engine_ends_quietly_when_interrupted() -> None:
    with engine() as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b'{"id": "v", "action": "query_version"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "v"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == (b"", b"tilery: interrupted\n")


def test_the_engine_ends_quietly_when_nobody_reads_any_more() -> None:
    with engine() as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(b'{"id": "v", "action": "query_version"}\n')
        process.stdin.flush()
        assert process.wait(60) == 141  # while its input is still open
        assert process.stderr.read() == b""
        process.stdin.close()


def test_no_standard_input_is_refused() -> None:
    with patch.object(sys, "argv", ["tilery", "engine"]), patch.object(sys, "stdin", None):
        from tilery.cli.serving import serve_engine
        from tilery.core.refusals import Refused

        with pytest.raises(Refused, match="needs a standard input"):
            serve_engine("1s", workers=1, wait=True)
