"""Every error of the command line is one clear line, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.cli.test_play import Ran, tilery
from tilery import Stream, game
from tilery.cli.arguments import OPPONENT

START = game("azul").new().settle(Stream("errors"))
HUGE = "9" * 5000
COMMANDS = (
    *("play", "resume", "show", "replay", "analyse", "bots", "engine", "perft", "simulate", "verify"),
    *("bench", "arena", "lab"),
)


def one_line(ran: Ran) -> str:
    """The message of a command that was refused."""
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("tilery: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")
    assert len(ran.err) < 400
    return ran.err.removeprefix("tilery: ").rstrip("\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("dance", "No such command 'dance'"),
        ("--dance", "No such option: --dance"),
        ("play --dance", "(see tilery play --help)"),
        ("play chess", "there is no game 'chess': expected azul, chocolatier or schokoly"),
        ("play \u2603", "there is no game '\\u2603'"),
        ("play -v green", "the variant '2,green': expected an option, in this order: grey"),
        ("play -v grey,grey", "the variant '2,grey,grey'"),
        ("play -v 7", "expected the number of seats from 2 to 4, found 7"),
        (f"play -v {HUGE}", "a variant has at most 200 characters"),
        ("play -v rounds=99999999999999", "expected the limit of rounds"),
        ("play -v 3 -s person,greedy", "the variant is for 3 seats, but 2 players are named"),
        ("play -s me,you", "'me' cannot take a seat: expected person or a bot such as greedy (tilery bots lists them)"),
        ("play -s ,", "'' cannot take a seat"),
        ("play -s person", "Azul is for 2 to 4 seats, not 1"),
        ("play -s person,person,person,person,person", "Azul is for 2 to 4 seats, not 5"),
        ("play --deals guessed", "--deals is drawn or typed, not 'guessed'"),
        (f"play --seed {HUGE}9", "a seed has at most 5,000 characters"),
        ("play --seed \x07", "a seed cannot contain '\\x07'"),
        ("play --seed \udcff", "a seed cannot contain '\\udcff'"),
        ("play --save FILE/game", "cannot write "),
        ("play --save FOLDER", "Is a directory; choose another file"),
        (f"play --save {HUGE}", "File name too long"),
        ("resume MISSING", "there is no file "),
        ("resume -", "resume needs a file, not standard input"),
        ("resume EMPTY", "line 1, column 1: expected the tag [Tilery"),
        ("show", "Missing argument"),
        ("show MISSING", "is neither a file nor a position (which starts with azul:, chocolatier: or schokoly:)"),
        ("show FOLDER", "is a folder, not a record"),
        ("show BINARY", "is not UTF-8 text (byte 0)"),
        ("show EMPTY", "line 1, column 1: expected the tag [Tilery"),
        ("show FILE", "line 1, column 1: expected the tag [Tilery"),
        (f"show {HUGE}", "is neither a file nor a position"),
        (f"show azul:{HUGE}", "the position, column 4001: a position has at most 4,000 characters"),
        ("show azul:2", "the position, column 7: expected ' round='"),
        ("show chess:2", "is neither a file nor a position"),
        ("show \udcff\U0001f600", "is neither a file nor a position"),
        ("show POSITION --ply 1", "--ply is for a record file"),
        ("show POSITION --svg FILE/x.svg", "cannot write "),
        ("show POSITION --svg FOLDER", "Is a directory"),
        ("show RECORD --ply 99999", "there is no ply 99999: this record has 5"),
        ("show RECORD --ply -1", "there is no ply -1: this record has 5"),
        ("show RECORD --ply 999999999999999999999999999999", "there is no ply 999"),
        ("show RECORD --ply x", "Invalid value for '--ply'"),
        ("replay RECORD --ply 99999", "there is no ply 99999: this record has 5"),
        ("replay MISSING", "there is no file "),
        ("replay FOLDER", "is a folder"),
        ("replay BINARY", "is not UTF-8 text"),
        ("perft --depth 21", "Invalid value for '--depth'"),
        ("perft --depth 99999999999999999999", "Invalid value for '--depth'"),
        ("perft azul:", "the position, column 6: expected the number of seats"),
        ("perft MISSING", "is neither a file nor a position"),
        ("simulate chess", "there is no game 'chess'"),
        ("simulate -s person,greedy", "'person' cannot take a seat: expected a bot such as greedy"),
        ("simulate -s greedy,greedy,greedy,greedy,greedy", "Azul is for 2 to 4 seats, not 5"),
        ("simulate -n 0", "Invalid value for '--games'"),
        ("simulate -n 99999999999999999999", "Invalid value for '--games'"),
        ("simulate --threads 0", "Invalid value for '--threads'"),
        ("simulate --threads 99999999999999999999", "Invalid value for '--threads'"),
        ("simulate --seed \udcff", "a seed cannot contain"),
        ("simulate --save FILE/games", "there is no folder "),
        ("verify", "Missing argument"),
    ],
    ids=lambda value: ascii(value)[:50],
)
def test_invalid_arguments_are_refused_in_one_line_that_says_what_to_do(
    tmp_path: Path, words: str, message: str
) -> None:
    (tmp_path / "file").write_text("hello\n", encoding="utf-8")
    (tmp_path / "binary").write_bytes(bytes(range(255, -1, -1)))
    (tmp_path / "empty").touch()
    tilery("play", "--save", str(tmp_path / "record"))
    for name in ("FILE", "BINARY", "EMPTY", "RECORD", "MISSING"):
        words = words.replace(name, str(tmp_path / name.lower()))
    arguments = [{"POSITION": START.text, "FOLDER": str(tmp_path)}.get(word, word) for word in words.split(" ")]
    assert message in one_line(tilery(*arguments))


def test_a_binary_file_on_standard_input_is_refused_too() -> None:
    message = one_line(tilery("show", "-", typed=bytes(range(256))))
    assert message == "standard input is not UTF-8 text (byte 128)"


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ("person,ghost", "in the tag Players: 'ghost' cannot take a seat"),
        ("person,greedy,greedy", "the tag Players names 3 seats, the game has 2"),
    ],
)
def test_a_game_for_other_players_is_not_resumed(tmp_path: Path, players: str, message: str) -> None:
    path = tmp_path / "game"
    tilery("play", "--save", str(path))
    path.write_text(path.read_text(encoding="utf-8").replace(f"person,{OPPONENT}", players), encoding="utf-8")
    assert message in one_line(tilery("resume", str(path)))


def test_invalid_input_is_answered_and_the_game_goes_on() -> None:
    lines = [
        "[/]",
        "[bold]",
        "\U0001f600" * 50,
        "<" * 3000,
        "3" * 5000,
        "\u0663\u0664",
        "save",
        "/",
        "3R2<",
        "+",
        "=",
        "1=",
        ":",
        "\x1b[A",
    ]
    ran = tilery("play", typed="".join(f"{line}\n" for line in lines))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("You > ") == len(lines) + 1


def test_a_system_error_is_printed_in_one_line() -> None:
    with patch("tilery.cli.show.print", side_effect=OSError(28, "No space left on device"), create=True):
        assert one_line(tilery("show", START.text, "--text")) == "No space left on device"


def test_without_a_command_the_help_is_printed() -> None:
    ran = tilery()
    assert (ran.code, ran.err) == (0, "")
    for command in COMMANDS:
        assert f"│ {command} " in ran.out


@pytest.mark.parametrize("command", ["", *COMMANDS, "lab ladder", "lab tune"])
def test_every_command_has_help(command: str) -> None:
    ran = tilery(*command.split(), "--help")
    assert ran.code == 0
    assert f"Usage: tilery {command}".rstrip() in ran.out


def test_the_version_is_printed() -> None:
    assert tilery("--version").out.startswith("tilery ")


def test_an_interruption_ends_with_one_line() -> None:
    with patch("tilery.cli.simulate.simulate", side_effect=KeyboardInterrupt):
        ran = tilery("simulate", "-n", "2")
    assert (ran.code, ran.err) == (130, "tilery: interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_closed_pipes_and_streams_cause_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "game"
    tilery("play", "-s", "greedy,greedy", "--save", str(path))
    command = f"'{sys.executable}' -m tilery"
    lines = [
        f"{command} replay '{path}' | head -1",
        f"{command} show '{path}' --json | true",
        f"{command} show '{path}' --json >&-",
        f"{command} play --save '{tmp_path}/other' <&- >/dev/null",
        f"PYTHONIOENCODING=ascii {command} show '{path}' >/dev/null",
    ]
    running = [
        subprocess.Popen(line, shell=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=dict(os.environ))
        for line in lines
    ]
    for process in running:
        _, err = process.communicate(timeout=60)
        assert err == b""
