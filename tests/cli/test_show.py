"""`tilery show`."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.games import PART, WHOLE, random_game
from tests.cli.test_play import tilery
from tests.notation import texts
from tilery import Position, Record, Stream, game, read_record
from tilery.cli.output import board_text

START = game("azul").new().settle(Stream("looking"))
NAMES = ["[bold]", "[/]", "[/bold] [red", ":heart:", "x" * 4000, "", "漢字" * 40, 'quo"te\\']


def plain(board: str) -> str:
    """A board without trailing blanks."""
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


def test_show_prints_the_position_after_some_plies(whole: Path) -> None:
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
    assert f"{len(texts(START))} legal moves" in out
    for move in texts(START):
        assert f" {move} " in out
    assert START.describe(texts(START)[0]) in out


def test_show_lists_the_probabilities_of_deals() -> None:
    fill = game("azul").new()
    out = tilery("show", fill.text, "--probabilities").out
    assert all(deal in out for deal in fill.probabilities())
    percents = [float(line.split("│")[2].split()[0]) for line in out.splitlines() if "│ +" in line]
    assert sum(percents) == pytest.approx(100, abs=0.1)
    assert percents == sorted(percents, reverse=True)


def test_the_former_name_of_probabilities_is_accepted_but_hidden() -> None:
    fill = game("azul").new()
    assert tilery("show", fill.text, "--odds") == tilery("show", fill.text, "--probabilities")
    assert "--odds" not in tilery("show", "--help").out


@pytest.mark.parametrize(
    ("position", "why"), [(START, "seat 1 is to move"), (WHOLE.last, "the game is over")], ids=["move", "over"]
)
def test_show_refuses_probabilities_if_there_is_no_deal(position: Position, why: str) -> None:
    ran = tilery("show", position.text, "--probabilities")
    assert ran == (2, "", f"tilery: there is no deal to list probabilities for: {why}\n")


def test_show_as_json_has_everything() -> None:
    listing = json.loads(tilery("show", START.text, "--json").out)
    assert listing["text"] == START.text
    assert listing["moves"] == texts(START)
    assert listing.items() >= json.loads(START.json()).items()
    fill = game("chocolatier").new()
    assert json.loads(tilery("show", fill.text, "--json").out)["probabilities"] == fill.probabilities()


def test_show_writes_a_picture(part: Path, tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "[red]board.svg"
    ran = tilery("show", str(part), "--svg", str(path))
    assert ran.out == f"Wrote {path}\n"
    assert path.read_text(encoding="utf-8") == PART.svg()
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert tilery("show", str(part), "--ply", "6", "--svg", "-").out == PART.svg(6) + "\n"


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:12] or "nothing")
def test_unusual_names_are_printed_safely(tmp_path: Path, name: str) -> None:
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


def test_unusual_names_of_bots_are_printed_safely(tmp_path: Path) -> None:
    record = random_game(12, ("[/]", "[bold]bot"))
    path = tmp_path / "game"
    record = Record(record.start, record.plies, record.players, {"Players": "greedy,person"})
    path.write_text(record.text, encoding="utf-8")
    ran = tilery("resume", str(path), typed="moves\n1\nmoves\n1\n")
    assert ran.code == 0
    assert ": [/] takes " in ran.out
    assert "[bold]bot > " in ran.out


def test_each_game_of_a_file_can_be_shown(tmp_path: Path) -> None:
    file = tmp_path / "several.tilery"
    tilery("simulate", "--games", "3", "--seed", "1", "--save", str(file))
    texts = [tilery("show", str(file), "--record", str(number), "--text").out for number in (1, 2, 3)]
    assert len(set(texts)) == 3
    assert tilery("show", str(file), "--text").out == texts[0]
    wrong = tilery("show", str(file), "--record", "4")
    assert wrong.code == 2
    assert "holds 3 games: there is no game 4" in wrong.err
