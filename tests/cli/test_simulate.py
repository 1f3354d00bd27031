"""`tilery simulate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_play import tilery
from tilery import read_records


def statistics(*words: str) -> dict[str, Any]:
    """The output of `simulate --json` without the time it took."""
    ran = tilery("simulate", "--json", *words)
    assert (ran.code, ran.err) == (0, "")
    listing: dict[str, Any] = json.loads(ran.out)
    assert listing.pop("seconds") > 0
    return listing


def test_simulate_prints_a_table() -> None:
    ran = tilery("simulate", "-s", "greedy,random,random", "-n", "40", "--seed", "1")
    assert ran.err == ""
    assert ran.out.lstrip().startswith("Azul, 3,stall=10: 40 games")
    for words in ("wins", "score", "deviation", "highest", "moves and ", "ended by: row", "games a second; seed 1"):
        assert words in ran.out
    assert [line.split()[3] for line in ran.out.splitlines() if line.startswith("│")] == ["greedy", "random", "random"]
    assert max(map(len, ran.out.splitlines())) <= 80


def test_simulate_of_one_game_uses_the_singular(tmp_path: Path) -> None:
    out = tilery("simulate", "-n", "1", "--save", str(tmp_path / "a")).out
    assert ": 1 game\n" in "".join(line.rstrip() + "\n" for line in out.splitlines())
    assert "Wrote 1 record to " in out


def test_the_same_seed_gives_the_same_statistics_for_any_number_of_threads() -> None:
    words = ("chocolatier", "-v", "grey,specials", "-s", "greedy,random", "-n", "300", "--seed", "word")
    first = statistics(*words)
    assert first["seed"] == "word"
    for threads in ("1", "2", "7"):
        assert statistics(*words, "--threads", threads) == first
    assert statistics(*words[:-1], "other") != first


def test_without_a_seed_simulations_differ_and_can_be_repeated() -> None:
    first, second = statistics("-n", "50"), statistics("-n", "50")
    assert first["seed"] != second["seed"]
    assert statistics("-n", "50", "--seed", first["seed"]) == first


@pytest.mark.parametrize("name", ["azul", "chocolatier"])
def test_greedy_nearly_always_beats_random(name: str) -> None:
    listing = statistics(name, "-s", "random,greedy", "-n", "500", "--seed", "1")
    random, greedy = listing["seats"]
    assert greedy["wins"] > 0.98
    assert random["wins"] + greedy["wins"] == pytest.approx(1)
    assert greedy["score"] > 30 > random["score"]


def test_statistics_are_plausible() -> None:
    listing = statistics("-s", "greedy,greedy,greedy,greedy", "-n", "256", "--seed", "2")
    assert (listing["games"], listing["unfinished"], sum(listing["endings"].values())) == (256, 0, 256)
    assert sum(seat["wins"] for seat in listing["seats"]) == pytest.approx(1)
    assert 5 <= listing["rounds_a_game"] < 7
    for seat in listing["seats"]:
        assert 0.1 < seat["wins"] < 0.5
        assert 0 < seat["score_deviation"] < seat["score"] < seat["highest"]
        assert seat["wins_error"] == pytest.approx((seat["wins"] * (1 - seat["wins"]) / 256) ** 0.5)


def test_saved_games_verify_and_agree_with_the_statistics(tmp_path: Path) -> None:
    path = tmp_path / "games"
    words = ("chocolatier", "-s", "greedy,random,greedy", "-n", "130", "--seed", "3")
    listing = statistics(*words, "--save", str(path))
    assert listing == statistics(*words)
    assert tilery("verify", str(path)).out == "130 valid, 0 invalid\n"
    again = tilery("simulate", "--save", str(path))
    assert again.err == f"tilery: {path} already exists: choose another file\n"
    records = list(read_records(path.read_text(encoding="utf-8")))
    assert records[0].players == ("greedy 1", "random 2", "greedy 3")
    for seat, summary in enumerate(listing["seats"]):
        scores = [record.last.scores()[seat] for record in records]
        assert summary["highest"] == max(scores)
        assert summary["score"] == pytest.approx(sum(scores) / 130)


def test_a_file_that_cannot_be_written_is_refused_before_the_games_are_played(tmp_path: Path) -> None:
    ran = tilery("simulate", "-n", "10000000", "--save", str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"tilery: cannot write {tmp_path}: Is a directory; choose another file\n"


def test_devices_are_written_to_and_not_replaced() -> None:
    assert tilery("simulate", "-n", "2", "--save", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def test_bare_games_have_no_stall_limit() -> None:
    assert statistics("-n", "20", "--bare")["variant"] == "2"
    assert statistics("-n", "20", "-v", "grey,rounds=3")["endings"].keys() <= {"row", "rounds"}
