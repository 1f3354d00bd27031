"""`tilery show`, `tilery replay` and `tilery verify`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import pytest

from tests.cli.test_play import Ran, tilery
from tilery import Record, Stream, game, read_record
from tilery.cli.printing import board_text

START = game("azul").new().settle(Stream("looking"))
NAMES = ["[bold]", "[/]", "[/bold] [red", ":heart:", "x" * 4000, "", "漢字" * 40, 'quo"te\\']


def random_game(plies: int, names: tuple[str, ...] = ("Ada", "Grace")) -> Record:
    """A game by chance, so far; all moves of all seats are random."""
    record = Record(game("azul").new(), (), names)
    for ply in range(plies):
        position = record.last
        if position.outcome:
            break
        stream = Stream("looking", ply)
        record = record.play(position.draw(stream) if position.actor < 0 else stream.choice(position.actions()))
    return record


WHOLE = random_game(10_000)
PART = random_game(12).comment("a comment [b] of mine")


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.tilery"
    path.write_text(WHOLE.text, encoding="utf-8")
    return path


@pytest.fixture
def part(tmp_path: Path) -> Path:
    path = tmp_path / "part.tilery"
    path.write_text(PART.text, encoding="utf-8")
    return path


def plain(board: str) -> str:
    """A board without the blanks at the ends of its lines."""
    return "\n".join(line.rstrip() for line in board.splitlines())


def test_show_prints_a_position_given_as_text() -> None:
    ran = tilery("show", f"  {START.text}\n")
    assert (ran.code, ran.err) == (0, "")
    assert plain(ran.out) == str(START)
    assert max(map(len, ran.out.splitlines())) <= 80


def test_show_prints_the_last_position_of_a_record_with_the_names(part: Path) -> None:
    out = tilery("show", str(part)).out
    assert plain(out) == plain(board_text(PART.last, PART.players).plain)
    assert "Ada" in out


def test_show_prints_the_position_after_so_many_plies(whole: Path) -> None:
    for ply in (0, 7, len(WHOLE.plies)):
        assert tilery("show", str(whole), "--ply", str(ply), "--text").out == WHOLE.position(ply).text + "\n"


def test_show_reads_a_record_from_standard_input() -> None:
    assert tilery("show", "-", "--text", typed=PART.text).out == PART.last.text + "\n"


def test_show_reads_files_of_other_systems(tmp_path: Path) -> None:
    path = tmp_path / "windows"
    path.write_bytes(b"\xef\xbb\xbf" + PART.text.replace("\n", "\r\n").encode())
    assert tilery("show", str(path), "--text").out == PART.last.text + "\n"


def test_show_ends_a_finished_game_with_its_score(whole: Path) -> None:
    out = tilery("show", str(whole)).out
    assert "the game is over" in out
    assert "Final score" in out
    assert "Ada" in out[out.index("Final score") :]


def test_show_lists_the_moves_in_words() -> None:
    out = tilery("show", START.text, "--moves").out
    assert f"{len(START.moves())} legal moves" in out
    for move in START.moves():
        assert f" {move} " in out
    assert START.tell(START.moves()[0]) in out


def test_show_lists_the_odds_of_chance() -> None:
    fill = game("azul").new()
    out = tilery("show", fill.text, "--odds").out
    assert all(deal in out for deal in fill.odds())
    percents = [float(line.split("│")[2].split()[0]) for line in out.splitlines() if "│ +" in line]
    assert sum(percents) == pytest.approx(100, abs=0.1)
    assert percents == sorted(percents, reverse=True)


def test_show_refuses_odds_where_chance_has_nothing_to_decide() -> None:
    ran = tilery("show", START.text, "--odds")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "tilery: chance has nothing to decide here: seat 1 acts\n"


def test_show_as_json_has_everything() -> None:
    listing = json.loads(tilery("show", START.text, "--json").out)
    assert listing["text"] == START.text
    assert listing["moves"] == START.moves()
    assert listing.items() >= json.loads(START.json()).items()
    fill = game("chocolatier").new()
    assert json.loads(tilery("show", fill.text, "--json").out)["odds"] == fill.odds()


def test_show_writes_a_picture(part: Path, tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "[red]board.svg"
    ran = tilery("show", str(part), "--svg", str(path))
    assert ran.out == f"Wrote {path}\n"
    assert path.read_text(encoding="utf-8") == PART.svg()
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert tilery("show", str(part), "--ply", "6", "--svg", "-").out == PART.svg(6) + "\n"


def test_replay_prints_everything_where_nobody_presses_keys(whole: Path) -> None:
    out = tilery("replay", str(whole)).out
    for count, ply in enumerate(WHOLE.plies, start=1):
        assert f"Ply {count} of {len(WHOLE.plies)}: {WHOLE.position(count - 1).move_text(ply.action)} (" in out
    assert "(chance: " in out
    assert "(Ada: " in out
    assert out.count("Final score") == 1


def test_replay_begins_where_it_is_told_to_and_prints_comments(part: Path) -> None:
    out = tilery("replay", str(part), "--ply", "11").out
    assert "Ply 10 of 12" not in out
    assert out.index("Ply 11 of 12") < out.index("Ply 12 of 12") < out.index("a comment [b] of mine")
    assert "Final score" not in out
    assert tilery("replay", "-", "--ply", "11", typed=PART.text).out == out


def by_keys(path: Path, *keys: str) -> tuple[Ran, list[int]]:
    """Replay a file with keys pressed; also the plies that were shown, one after the other."""
    with patch("tilery.cli.looking.sys") as system, patch("tilery.cli.looking.ask", side_effect=[*keys, EOFError]):
        system.stdin.isatty.return_value = True
        ran = tilery("replay", str(path))
    return ran, [int(line.split()[1]) for line in ran.out.splitlines() if line.startswith("Ply ")]


def test_replay_steps_by_keys(whole: Path) -> None:
    last = len(WHOLE.plies)
    _, shown = by_keys(whole, "", "", "b", "b", "b", "7", "B", "nonsense", "9" * 30, "", "never reached")
    assert shown == [0, 1, 2, 1, 0, 0, 7, 6, 6, last]
    ran, shown = by_keys(whole, "e", "q", "never reached")
    assert shown == [0, last]
    assert "Final score" in ran.out


def test_replay_does_not_tell_the_end_to_those_who_leave_before(whole: Path) -> None:
    ran, _ = by_keys(whole, "", "q")
    assert "Final score" not in ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_replay_works_in_a_real_terminal(part: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tilery", "replay", str(part)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        os.write(ours, b"\n5\nq\n")
        seen = b""
        try:
            while chunk := os.read(ours, 4096):
                seen += chunk
        except OSError:
            pass  # that is how a terminal says that the program has gone
        os.close(ours)
    assert process.returncode == 0
    assert b"\x1b[" in seen  # colours
    assert b"[0/12] Enter: on" in seen
    assert b"[1/12] Enter: on" in seen
    assert b"[5/12] Enter: on" in seen
    assert b"[6/12]" not in seen


def test_verify_finds_right_files_right(whole: Path, part: Path, tmp_path: Path) -> None:
    several = tmp_path / "several"
    several.write_text("\n".join([WHOLE.text, PART.text, WHOLE.text]), encoding="utf-8")
    ran = tilery("verify", str(whole), str(part), str(several))
    assert ran == (0, "5 right, 0 wrong\n", "")
    assert tilery("verify", "-", typed=WHOLE.text).out == "1 right, 0 wrong\n"


def test_verify_says_file_line_column_and_what_is_wrong(whole: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "[red]wrong.tilery"
    bad = PART.text.replace("+", "+Q", 1)
    wrong.write_text("\n".join([WHOLE.text, bad, PART.text]), encoding="utf-8")
    line = WHOLE.text.count("\n") + 2 + bad[: bad.index("+Q")].count("\n")
    ran = tilery("verify", str(whole), str(wrong), str(tmp_path / "missing"), str(tmp_path))
    assert ran.code == 1
    first, second, third, last = ran.out.splitlines()
    assert first.startswith(f"{wrong}: line {line}, column 4: '+Q")
    assert "is not a move" in first
    assert second.endswith(f"there is no file {tmp_path / 'missing'}")
    assert third.endswith("is a folder, not a record")
    assert last == "3 right, 3 wrong"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('[Tilery "1"]', '[Tilery "2"]', "line 1, column 1: this is format '2', expected 1"),
        ('[Game "azul"]', '[Game "chess"]', "line 2, column 8: in the tag Game: there is no game 'chess'"),
        ('[Rules "2"]', '[Rules "5"]', "line 3, column 9: in the tag Rules:"),
        ('[Seat2 "Grace"]\n', "", 'expected the tag [Seat2 "..."]'),
        ('[Result "*"]', '[Result "9-9"]', "the plies give the result *, not '9-9'"),
        ("1. ", "2. ", "line 8, column 1: expected the round 1., found '2.'"),
        ("{a comment", "{{a comment", "a comment is one line without braces"),
    ],
)
def test_verify_says_what_is_wrong(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = tmp_path / "wrong"
    assert PART.text.count(old) == 1
    path.write_text(PART.text.replace(old, new), encoding="utf-8")
    ran = tilery("verify", str(path))
    assert ran.code == 1
    assert problem in ran.out


def test_verify_as_json_tells_records_and_places(tmp_path: Path) -> None:
    path = tmp_path / "two"
    path.write_text(WHOLE.text + "\n" + PART.text.replace("+", "+Q", 1), encoding="utf-8")
    ran = tilery("verify", "--json", str(path), str(tmp_path / "missing"))
    listing = json.loads(ran.out)
    assert (ran.code, listing["right"], listing["wrong"]) == (1, 1, 2)
    right, wrong, missing = listing["records"]
    assert right == {
        "file": str(path),
        "record": 1,
        "line": 1,
        "ok": True,
        "plies": len(WHOLE.plies),
        "result": WHOLE.result,
    }
    assert wrong["record"] == 2
    assert wrong["at"] == {"line": WHOLE.text.count("\n") + 9, "column": 4}
    assert not missing["ok"]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:12] or "nothing")
def test_odd_names_break_nothing(tmp_path: Path, name: str) -> None:
    for record in (random_game(12, (name, name)), random_game(10_000, (name, name))):
        path = tmp_path / str(len(record.plies))
        path.write_text(record.text, encoding="utf-8")
        shown = name[:10] if name.isascii() and name else "Seat 1" if not name else "漢字"
        for words in (["show"], ["show", "--moves"], ["replay", "--ply", "11"], ["resume"]):
            ran = tilery(*words, str(path), typed="score\nmoves\n1\n")
            assert ran.code == 0, ran.err
            assert shown in ran.out
            assert len(max(ran.out.splitlines(), key=len)) < 300
        assert read_record(path.read_text(encoding="utf-8")).players == (name, name)


def test_odd_names_of_bots_break_nothing(tmp_path: Path) -> None:
    record = random_game(12, ("[/]", "[bold]bot"))
    path = tmp_path / "game"
    record = Record(record.start, record.plies, record.players, {"Players": "greedy,person"})
    path.write_text(record.text, encoding="utf-8")
    ran = tilery("resume", str(path), typed="moves\n1\nmoves\n1\n")
    assert ran.code == 0
    assert "[/] plays " in ran.out
    assert "[bold]bot > " in ran.out


def test_each_game_of_a_file_can_be_reached(tmp_path: Path) -> None:
    file = tmp_path / "several.tilery"
    tilery("simulate", "--games", "3", "--seed", "1", "--save", str(file))
    texts = [tilery("show", str(file), "--record", str(number), "--text").out for number in (1, 2, 3)]
    assert len(set(texts)) == 3
    assert tilery("show", str(file), "--text").out == texts[0]
    wrong = tilery("show", str(file), "--record", "4")
    assert wrong.code == 2
    assert "holds 3 games, there is no number 4" in wrong.err
