"""`tilery perft`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_play import tilery
from tests.notation import texts
from tilery import Stream, game, read_records
from tilery.core.perft import perft

START = game("azul").new("3,grey").settle(Stream("counting"))


def test_perft_counts_the_lines_of_a_position() -> None:
    out = tilery("perft", START.text, "--depth", "2").out
    assert out.startswith(f"depth 2: {perft(START, 2):,} lines in ")


def test_perft_without_a_position_prints_its_starting_position() -> None:
    out = tilery("perft", "-d", "1").out
    text = out.splitlines()[1].removeprefix("from ")
    assert f"depth 1: {len(texts(game('azul').read(text)))} lines in " in out


def test_perft_of_depth_0_is_one_line() -> None:
    assert tilery("perft", "-d", "0", "--divide").out.startswith("depth 0: 1 line in ")


def test_perft_divides_by_moves() -> None:
    *parts, total = tilery("perft", START.text, "-d", "2", "--divide").out.splitlines()
    counts = {line.split()[0]: int(line.split()[1].replace(",", "")) for line in parts}
    assert list(counts) == texts(START)
    assert total.startswith(f"depth 2: {sum(counts.values()):,} lines")
    assert counts[texts(START)[0]] == perft(START.play(texts(START)[0]), 1)


def test_perft_as_json() -> None:
    listing = json.loads(tilery("perft", START.text, "-d", "2", "--divide", "--json").out)
    assert listing["position"] == START.text
    assert (listing["depth"], listing["lines"]) == (2, perft(START, 2))
    assert sum(listing["divide"].values()) == listing["lines"]
    assert "divide" not in json.loads(tilery("perft", START.text, "-d", "1", "--json").out)


def test_perft_of_a_record_after_some_plies(tmp_path: Path) -> None:
    path = tmp_path / "game"
    tilery("simulate", "-n", "1", "--save", str(path))
    (record,) = read_records(path.read_text(encoding="utf-8"))
    assert f" {len(texts(record.position(9)))} lines" in tilery("perft", str(path), "--ply", "9", "-d", "1").out
    assert " 0 lines" in tilery("perft", str(path), "-d", "1").out
