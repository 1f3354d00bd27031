"""`tilery arena` and `tilery lab` on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.cli.test_errors import one_line
from tests.cli.test_play import tilery
from tests.lab.test_arena import without_cpu
from tests.lab.test_ladder import judge
from tilery.cli import ladder, tune
from tilery.cli.files import data_folder
from tilery.core.game import Rules
from tilery.engine.bots import Bot, bot
from tilery.lab import weighted_bots
from tilery.lab.ladder import ladder_pairings
from tilery.lab.settings import Settings

ONE = ("--workers", "1")


def json_of(*words: str) -> dict[str, Any]:
    ran = tilery("arena", "--json", *ONE, *words)
    assert (ran.code, ran.err) == (0, "")
    values: dict[str, Any] = json.loads(ran.out)
    return values


def test_a_match_prints_a_table_and_its_folder() -> None:
    ran = tilery("arena", "greedy", "random", "-n", "20", "--seed", "1", *ONE)
    assert ran.err == ""
    for words in ("Azul, 2,stall=10: 20 games", "score %", "Elo", "points", "CPU ms", "Seed 1; records"):
        assert words in ran.out
    rows = [line.split("│")[1].strip() for line in ran.out.splitlines() if line.startswith("│")]
    assert rows == ["greedy", "random"]
    assert "Pairs in which greedy won 0, ½, 1, 1½ and 2 games: 0 0 0 0 10\n" in ran.out
    assert max(map(len, ran.out.splitlines()[:-1])) <= 80
    (folder,) = (data_folder() / "arena").iterdir()
    assert ran.out.rstrip().endswith(str(folder))
    assert sorted(file.name for file in folder.iterdir()) == ["arena.json", "games.tilery", "results.jsonl"]
    assert tilery("verify", str(folder / "games.tilery")).out == "20 valid, 0 invalid\n"


def test_more_than_two_bots_play_each_other_and_are_rated() -> None:
    out = tilery("arena", "greedy", "--bot", "random", "--bot", "plain-uct@1n", "-n", "2", *ONE).out
    assert "Direct matches" in out
    assert "Ratings: " in out
    assert "greedy 1000" in out
    last = out[out.index("Direct matches") :]
    rows = [line.split("│")[1:3] for line in last.splitlines() if line.startswith("│")]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["greedy", "random"],
        ["greedy", "plain-uct@1n"],
        ["random", "plain-uct@1n"],
    ]


def test_three_seats_print_par() -> None:
    out = tilery("arena", "greedy", "random", "-s", "3", "-n", "6", *ONE).out
    assert "ahead of 50 % of the opponents" in out
    assert "Par: first in 33.3 % of the games" in out
    assert "firsts %" in out


def test_json(tmp_path: Path) -> None:
    printed = json_of("greedy", "random", "-n", "4", "--seed", "x", "-o", str(tmp_path / "run"))
    assert (printed["games"], printed["seed"], printed["variant"]) == (4, "x", "2,stall=10")
    assert printed["folder"] == str(tmp_path / "run")
    assert printed["pairings"][0]["wins"] == 4
    assert printed["pairings"][0]["elo"] is None  # JSON has no infinity
    again = json_of("greedy", "random", "-n", "4", "-o", str(tmp_path / "run"))  # with the seed of the run
    assert again == printed
    resumed = json_of("--resume", str(tmp_path / "run"))
    assert resumed == printed
    other = json_of("greedy", "random", "-n", "4", "--seed", "x")
    assert without_cpu({**other, "folder": ""}) == without_cpu({**printed, "folder": ""})


def test_a_sequential_test_prints_its_verdict() -> None:
    out = tilery("arena", "greedy", "random", "-n", "400", "--sprt", "0", "100", "--seed", "1", *ONE).out
    assert "SPRT: H1 accepted (H0: 0 Elo, H1: 100 Elo); LLR " in out
    assert "bounds -2.94 and 2.94" in out
    out = tilery("arena", "greedy", "random", "-n", "4", "--sprt", "-5", "5", *ONE).out
    assert "SPRT: not decided" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "at least two bots, such as: tilery arena greedy random"),
        ("greedy", "at least two bots"),
        ("greedy nobody", "there is no bot 'nobody'"),
        ("greedy \u2603", "there is no bot '\\u2603'"),
        ("greedy random@5n", "random takes no limit"),
        ("greedy random greedy", "greedy is named twice"),
        ("greedy random -n 3", "2 on the same deals: ask for 4, not 3"),
        ("greedy random -n -4", "ask for 2, not -4"),
        ("greedy random -n 99999999999", "not 99,999,999,999"),
        ("greedy random -s 3 -n 100", "ask for 102, not 100"),
        ("greedy random -s 5", "number of seats"),
        ("greedy random -g chess", "there is no game 'chess'"),
        ("greedy random -v blue", "the variant '2,blue'"),
        ("greedy random --sprt 5 0", "the first Elo must be below the second"),
        ("greedy random --sprt 5", "--sprt"),
        ("greedy random plain-uct --sprt 0 5", "between two bots"),
        ("greedy random -w 0", "Invalid value for '--workers'"),
        ("greedy random --out FILE", "cannot store a run in"),
        ("greedy random --out FOLDER", "contains other files but no run: name another folder"),
        ("--resume FOLDER", "there is no run in"),
        ("--resume MISSING", "there is no run in"),
        ("greedy random --resume RUN", "a run is resumed with the settings it was started with"),
        ("greedy random -n 2 --out RUN", "was started with games 4, not 2"),
        ("random greedy -n 4 --out RUN", "was started with pairings greedy - random, not random - greedy"),
        ("greedy random -n 4 --seed 2 --out RUN", "was started with seed 1, not 2"),
        ("greedy random -g schokoly -n 4 --out RUN", "was started with game azul, not schokoly"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_invalid_arguments_are_refused_in_one_line(tmp_path: Path, words: str, message: str) -> None:
    (tmp_path / "file").write_text("hello")
    for name in ("FILE", "MISSING", "RUN"):
        words = words.replace(name, str(tmp_path / name.lower()))
    if str(tmp_path / "run") in words:
        json_of("greedy", "random", "-n", "4", "--seed", "1", "-o", str(tmp_path / "run"))
    words = words.replace("FOLDER", str(tmp_path))
    with patch.dict(os.environ, {"COLUMNS": "80"}):
        assert message in one_line(tilery("arena", *words.split(" ")) if words else tilery("arena"))
    assert not (data_folder() / "arena").exists()


def test_an_interrupted_run_prints_the_command_that_resumes_it(tmp_path: Path) -> None:
    with patch("tilery.cli.match_output.run_arena", side_effect=KeyboardInterrupt):
        ran = tilery("arena", "greedy", "random", "-o", str(tmp_path / "my run"))
    assert (ran.code, ran.err) == (130, "tilery: interrupted\n")
    assert f"arena --resume '{tmp_path / 'my run'}'" in ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_a_terminal_shows_a_progress_bar_and_a_table(tmp_path: Path) -> None:
    import pty  # not on Windows

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tilery", "arena", "greedy", "random", "-n", "120", "-w", "1", "-o"]
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    printed = bytearray()

    def read() -> None:
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:
                return
            printed.extend(data)

    with subprocess.Popen([*command, str(tmp_path / "run")], stdout=theirs, stderr=theirs, env=environment) as running:
        os.close(theirs)
        reader = threading.Thread(target=read)
        reader.start()
        assert running.wait(60) == 0
        reader.join(10)
    os.close(ours)
    text = printed.decode(errors="replace")
    assert "Playing" in text
    assert "/120" in text
    assert text.count("score %") >= 2  # during the run, and at the end
    assert "records and results are in" in text


def test_the_ladder_is_measured_and_the_page_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = ("random", "greedy")

    def settings(name: str, rules: Any, steps: Any, games: int, seed: str) -> Settings:
        return Settings(name, rules.text, ladder_pairings(steps)[:1], games, seed)

    class Family:
        @staticmethod
        def levels(rules: Any) -> list[Any]:
            assert rules.seats == 2
            return []

    monkeypatch.setattr(ladder, "ladder_bots", lambda _: steps)
    monkeypatch.setattr(ladder, "ladder_settings", settings)
    monkeypatch.setattr(ladder, "family_of", lambda _: Family)
    monkeypatch.setattr(ladder, "SearchJudge", lambda nodes: judge if nodes == 7 else None)
    page, data = tmp_path / "ladder.md", tmp_path / "data"
    words = ("-n", "6", "-o", str(page), "--data", str(data), "--sample", "8", "--nodes", "7", *ONE)
    ran = tilery("lab", "ladder", *words)
    assert (ran.code, ran.err) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert "## Azul, 2 seats" in text
    assert "| `random` | a random legal move | " in text
    tilery("lab", "ladder", *words)
    assert page.read_text(encoding="utf-8") == text
    page.unlink()
    assert tilery("lab", "ladder", "--page", "-o", str(page)).out == f"Wrote {page}\n"
    assert page.read_text(encoding="utf-8") == text


def test_weights_are_tuned_and_play_the_old_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With fake bots: the larger the weight `good`, the better."""

    class Weights:
        @staticmethod
        def weights_of(_: Rules) -> dict[str, float]:
            return {"good": 1.0, "idle": 5.0}

    def called(self: Any, name: str) -> Bot:
        weights = dict(dict(self.sets)[name])
        rivals = [dict(own)["good"] for other, own in self.sets if other != name]
        better = weights["good"] > max(rivals)
        return Bot(name, "", bot("greedy" if better else "random").choose)

    monkeypatch.setattr(tune, "weighted_evaluation", lambda _: Weights)
    monkeypatch.setattr(weighted_bots.WeightedBots, "__call__", called)
    words = ("-i", "12", "--step", "0.1", "-o", str(tmp_path / "run"), "--match", "60", "--sprt", "0", "200", *ONE)
    ran = tilery("lab", "tune", "--weights", "good", *words)
    assert (ran.code, ran.err) == (0, "")
    weights = json.loads((tmp_path / "run" / "weights.json").read_text())
    assert list(weights) == ["good"]
    assert weights["good"] > 1.3
    assert f"{weights['good']:.4g}" in ran.out
    assert "SPRT: H1 accepted" in ran.out
    assert len((tmp_path / "run" / "tune.jsonl").read_text().splitlines()) == 12
    assert tilery("lab", "tune", "--weights", "good", *words).out == ran.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("ladder -o NOWHERE/ladder.md", "there is no folder"),
        ("ladder -o FOLDER/ladder.txt", "must end in .md"),
        ("ladder --page -o NOWHERE/ladder.md", "there is no folder"),
        ("ladder -n 3", "ask for 4, not 3"),
        ("ladder -g chess", "there is no game 'chess'"),
        ("tune -g chess", "there is no game 'chess'"),
        ("tune --limit soon", "'soon' is not a limit"),
        ("tune --nudge 0", "the nudge must be above 0"),
        ("tune -i 0", "Invalid value for '--iterations'"),
        ("dance", "No such command 'dance'"),
    ],
)
def test_invalid_arguments_of_the_lab_are_refused_in_one_line(tmp_path: Path, words: str, message: str) -> None:
    words = words.replace("NOWHERE", str(tmp_path / "nowhere")).replace("FOLDER", str(tmp_path))
    assert message in one_line(tilery("lab", *words.split(" ")))


def test_the_lab_without_a_command_prints_its_help() -> None:
    ran = tilery("lab")
    assert (ran.code, ran.err) == (0, "")
    assert "ladder" in ran.out
