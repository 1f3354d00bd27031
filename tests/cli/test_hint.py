"""Hints, bots with limits and external programs in `tilery play`."""

from __future__ import annotations

import io
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from rich.console import Console

from tests.cli.test_errors import one_line
from tests.cli.test_play import FIRST, moves_of, saved, tilery
from tests.conftest import ROOT
from tests.engine.fake import FAKE, FakeSearch, forced, press_when_thinking
from tests.notation import texts
from tilery import Position, Refused, Stream, game
from tilery.cli import hint, search_output
from tilery.engine.limits import Limit

PROGRAM = f"cmd:{shlex.join([sys.executable, str(ROOT / 'examples' / 'random_bot.py')])}"


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("tilery.engine.family._load_family", lambda _: FAKE)
    monkeypatch.setattr(hint, "LIMIT", Limit(nodes=20))
    FakeSearch.made.clear()
    yield
    FakeSearch.made.clear()


def test_a_hint_prints_the_three_best_moves_and_plays_nothing() -> None:
    ran = tilery("play", "--seed", "1", "-s", "person,random", typed="hint\nquit\n")
    assert (ran.code, ran.err) == (0, "")
    position = FakeSearch.made[0].request.seen
    lines = [line.split() for line in ran.out.splitlines() if "then this" in line]
    assert [words[:5] for words in lines] == [
        ["1", texts(position)[0], "75.0", "%", "+4.5"],
        ["2", texts(position)[1], "74.9", "%", "+3.5"],
        ["3", texts(position)[2], "74.8", "%", "+2.5"],
    ]
    assert "✓" in lines[0]
    assert "fake 1: depth 7, 20 nodes, " in ran.out
    assert "solved to the end of the round" in ran.out
    assert "Nothing was played" in ran.out


def test_a_hint_only_knows_what_the_person_sees() -> None:
    tilery("play", "schokoly", "--seed", "1", "-s", "person,person", typed=f"\n{FIRST}\n{FIRST}\nhint\n")
    (search,) = FakeSearch.made
    seen = search.request.seen
    assert "seen=" in seen.text
    assert seen.seat == seen.actor


def test_there_is_no_hint_for_a_deal() -> None:
    ran = tilery("play", "--deals", "typed", typed="hint\n")
    assert "There is nothing to decide here: type the deal." in ran.out
    assert FakeSearch.made == []


def test_a_single_legal_move_needs_no_search(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(file=io.StringIO())
    monkeypatch.setattr(hint, "console", screen)
    position: Position = forced()
    hint.print_hint(position, "1")
    assert screen.file.getvalue() == f"There is only one move: {texts(position)[0]}.\n"  # type: ignore[attr-defined]
    assert FakeSearch.made == []
    assert capsys.readouterr().out == ""


def test_a_refused_search_is_reported_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Refused("nothing is known")

    monkeypatch.setattr(hint, "think_interruptibly", refuse)
    ran = tilery("play", "-s", "person,random", typed=f"hint\n{FIRST}")
    assert "No hint: nothing is known" in ran.out
    assert moves_of(saved())


def test_an_interruption_stops_the_search_and_not_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint, "LIMIT", Limit(time=1000))
    monkeypatch.setattr(FakeSearch, "pause", 0.002)
    press_when_thinking()
    began = time.perf_counter()
    ran = tilery("play", "-s", "person,random", typed=f"hint\n{FIRST}quit\n")
    assert time.perf_counter() - began < 60
    assert "Stopped early. fake 1" in ran.out
    assert len(moves_of(saved())) == 2


def test_hints_are_the_same_for_the_same_seed() -> None:
    for _ in range(2):
        tilery("play", "--seed", "7", "-s", "person,random", typed="hint\n")
    first, second = (search.request.stream.name for search in FakeSearch.made)
    assert first == second == ("hint", "7")


def test_bots_with_a_limit_and_searches_by_name_take_a_seat() -> None:
    ran = tilery("play", "-s", "person,Tilery@50n,finite@5n,level-3", typed=f"{FIRST}quit\n")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Azul (4,stall=10): You, tilery@50n, finite@5n, level-3.")
    assert [type(search).__name__ for search in FakeSearch.made][:2] == ["FakeSearch", "FiniteSearch"]
    assert "resume" in ran.out
    assert tilery("resume", typed="quit\n").code == 0


@pytest.mark.parametrize(
    ("seat", "message"),
    [
        ("greedy@5n", "greedy takes no limit"),
        ("level-3@5n", "level-3 takes no limit"),
        ("tilery@", "'' is not a limit"),
        ("tilery@soon", "'soon' is not a limit: expected one like 10ms"),
        ("magic@5n", "Azul has no search 'magic': expected fake"),
        ("person@5n", "Azul has no search 'person'"),
        ("magic", "'magic' cannot take a seat"),
        ("level-10", "Azul has no level-10: its ladder goes from level-1 to level-9"),
        ("cmd:no-such-program", "there is no program 'no-such-program' to start"),
    ],
)
def test_unknown_bots_are_refused(seat: str, message: str) -> None:
    assert message in one_line(tilery("play", "-s", f"person,{seat}"))


def test_an_external_program_plays_under_the_name_program() -> None:
    ran = tilery("play", "--seed", "1", "-s", f"person,{PROGRAM}", typed=f"{FIRST}quit\n")
    assert (ran.code, ran.err) == (0, "")
    assert "Azul (2,stall=10): You, program." in ran.out
    assert ": program takes " in ran.out
    assert saved().tags["Players"] == f"person,{PROGRAM}"


def test_a_program_that_fails_ends_the_session_and_the_game_is_saved() -> None:
    ran = tilery("play", "-s", f"person,cmd:{shlex.quote(sys.executable)} -c 'raise SystemExit(3)'", typed=FIRST)
    assert (ran.code, ran.err) == (0, "")
    assert "exited with code 3" in " ".join(ran.out.split())  # a long path wraps the line
    assert "Saved. Resume with: tilery resume" in ran.out
    assert len(moves_of(saved())) == 1


def test_a_file_cannot_start_a_program(tmp_path: Path) -> None:
    made = tmp_path / "made"
    path = tmp_path / "game"
    tilery("play", "-s", "random,random,person", "--save", str(path), typed=f"{FIRST}quit\n")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("random,random,person", f"person,person,cmd:touch {made}"), encoding="utf-8")
    output = one_line(tilery("resume", str(path)))
    assert output.endswith("was played against a program: name the players, such as --seats person,cmd:COMMAND")
    assert not made.exists()
    ran = tilery("resume", str(path), "--seats", "person,person,random", typed="quit\n")
    assert ran.code == 0
    assert one_line(tilery("resume", str(path), "--seats", "person,random")).endswith(
        "--seats names 2 seats, the game has 3"
    )
    assert one_line(tilery("resume", str(path), "--seats", "me,you,us")).startswith("'me' cannot take a seat")


def test_the_players_of_a_resumed_game_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "game"
    tilery("play", "-s", "person,random", "--save", str(path), typed=f"{FIRST}quit\n")
    tilery("resume", str(path), "-s", "random,person", typed=FIRST)
    assert saved(path).tags["Players"] == "random,person"


def test_a_terminal_shows_a_spinner_during_a_long_search(monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds, patience, turned in ((0.3, 0.05, True), (0.0, 5.0, False)):
        screen = Console(file=io.StringIO(), force_terminal=True, width=60)
        monkeypatch.setattr(search_output, "console", screen)
        monkeypatch.setattr(search_output, "SPINNER_DELAY", patience)
        with search_output.spinner("[level-9] is thinking ..."):
            time.sleep(seconds)
        shown = screen.file.getvalue()  # type: ignore[attr-defined]
        assert ("[level-9] is thinking ..." in shown) == turned
        assert (shown == "") != turned


def test_there_is_no_spinner_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Console(file=io.StringIO())
    monkeypatch.setattr(search_output, "console", screen)
    monkeypatch.setattr(search_output, "SPINNER_DELAY", 0.0)
    with search_output.spinner("thinking"):
        time.sleep(0.05)
    assert screen.file.getvalue() == ""  # type: ignore[attr-defined]


def test_an_exception_of_the_search_is_raised_by_think_interruptibly() -> None:
    seen = game("azul").new().settle(Stream("x")).seen_by(0)
    with pytest.raises(ZeroDivisionError):
        search_output.think_interruptibly(seen, Limit(nodes=5), stream=Stream("x"), method="broken")


class InterruptedStart(Thread):
    """A thread whose `start` is interrupted after the thread has started."""

    def start(self) -> None:
        super().start()
        raise KeyboardInterrupt


def test_an_interruption_stops_a_search_that_has_just_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_output, "Thread", InterruptedStart)
    monkeypatch.setattr(FakeSearch, "pause", 0.002)
    seen = game("azul").new().settle(Stream("x")).seen_by(0)
    info, was_stopped = search_output.think_interruptibly(seen, Limit(time=1000), stream=Stream("x"), method="fake")
    assert was_stopped
    assert info.action in seen.actions()
