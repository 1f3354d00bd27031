"""A run survives whatever ends it: nothing that was finished is lost, nothing is counted twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lab.bots import find
from tests.lab.test_arena import AZUL, records_in, run, settings, without_cpu
from tilery import Refused, Stream
from tilery.lab.arena import run_arena
from tilery.lab.folder import Folder
from tilery.lab.settings import Settings, settings_in
from tilery.lab.summary import summary

CHOSEN = settings("random", "first", games=8)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    path = tmp_path_factory.mktemp("run")
    run(CHOSEN, path)
    return path


def copied(whole: Path, path: Path) -> Path:
    path.mkdir(exist_ok=True)
    for file in whole.iterdir():
        (path / file.name).write_bytes(file.read_bytes())
    return path


def same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same games and the same results."""
    texts = [sorted(record.text for record in records_in(path)) for path in (one, other)]
    lines = []
    for path in (one, other):
        found = [json.loads(line) for line in (path / "results.jsonl").read_text().splitlines()]
        for line in found:
            del line["end"]
            for played in line["games"]:
                del played["cpu"], played["slowest"]
        lines.append(sorted(found, key=lambda line: line["pair"]))
    return texts[0] == texts[1] and lines[0] == lines[1]


@pytest.mark.parametrize("name", ["results.jsonl", "games.tilery"])
@pytest.mark.parametrize("trial", range(12))
def test_files_that_end_anywhere_lose_only_what_is_torn(whole: Path, tmp_path: Path, name: str, trial: int) -> None:
    path = copied(whole, tmp_path / "torn")
    data = (path / name).read_bytes()
    ends = [json.loads(line)["end"] for line in (whole / "results.jsonl").read_text().splitlines()]
    if trial < 3:
        cut = (0, 1, (ends[2] if name == "games.tilery" else len(data)) - 1)[trial]
    else:
        cut = Stream("cut", name, trial).below(len(data))
    (path / name).write_bytes(data[:cut])
    expected = data[:cut].count(b"\n") if name == "results.jsonl" else sum(end <= cut for end in ends)
    with Folder(path) as folder:
        assert len(folder.pairs) == expected
    assert len(records_in(path) if expected else []) == 2 * expected  # whole records only
    played: list[int] = []
    standings = run_arena(CHOSEN, path, workers=1, find=find, tell=lambda now: played.append(now.games))
    assert played[0] == 2 * expected
    assert standings.games == 8
    assert same(path, whole)


@pytest.mark.parametrize("tail", [b'{"pairing": 0', b"\x00\x00\x00\n", b"[]\n", b"{}}\n", b"\xff\xfe\n"])
def test_rubbish_at_the_end_of_the_results_is_a_torn_line(whole: Path, tmp_path: Path, tail: bytes) -> None:
    path = copied(whole, tmp_path / "torn")
    with (path / "results.jsonl").open("ab") as file:
        file.write(tail)
    with (path / "games.tilery").open("ab") as file:
        file.write(b'[Tilery "1"]\n[Game "azul')
    run(CHOSEN, path)
    assert same(path, whole)


def test_rubbish_in_the_middle_is_refused_and_left_alone(whole: Path, tmp_path: Path) -> None:
    path = copied(whole, tmp_path / "torn")
    lines = (path / "results.jsonl").read_bytes().splitlines(keepends=True)
    lines[1] = lines[1][:30] + b"\n"
    (path / "results.jsonl").write_bytes(b"".join(lines))
    with pytest.raises(Refused, match="line 2, cannot be read"):
        run(CHOSEN, path)
    assert (path / "results.jsonl").read_bytes() == b"".join(lines)
    for wrong in (b'{"pairing": 0}\n', b'{"pairing": 0, "pair": 0, "games": [{"x": 1}], "end": 0}\n'):
        (path / "results.jsonl").write_bytes(wrong)
        with pytest.raises(Refused, match="is not what this arena writes"):
            run(CHOSEN, path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_killed_goes_on(tmp_path: Path, workers: int) -> None:
    chosen = settings("slow", "first", games=8)
    code = (
        "import sys\nfrom pathlib import Path\nfrom tests.lab.test_arena import run, settings\n"
        "if __name__ == '__main__':\n"
        f"    run(settings('slow', 'first', games=8), Path(sys.argv[1]), workers={workers})\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    path = tmp_path / "run"
    results = path / "results.jsonl"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.Popen([sys.executable, str(script), str(path)], env=environment, start_new_session=True)
    try:
        until = time.monotonic() + 60
        while not (results.exists() and results.stat().st_size) and time.monotonic() < until:
            time.sleep(0.02)
    finally:
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    finished = results.read_text().count("\n")
    assert 1 <= finished < 4
    told: list[int] = []
    standings = run_arena(chosen, path, workers=1, find=find, tell=lambda now: told.append(now.games))
    assert told[0] == 2 * finished
    assert standings.games == 8
    run(chosen, tmp_path / "whole")
    assert same(path, tmp_path / "whole")
    if workers > 1:
        # Nobody is left behind: the workers end with the process that started them.
        until = time.monotonic() + 20
        while _of_session(killed.pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert _of_session(killed.pid) == []


def _of_session(leader: int) -> list[int]:
    """The living processes of a session (nothing where the system does not say)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if words[3] == str(leader) and words[0] != "Z":
            found.append(int(entry.parent.name))
    return found


def test_other_settings_are_refused_and_more_games_are_welcome(whole: Path, tmp_path: Path) -> None:
    path = copied(whole, tmp_path / "run")
    for other, message in (
        (settings("random", "greedy", games=8), "begun with pairings random - first, not random - greedy"),
        (settings("random", "first", games=6), "begun with games 8, not 6"),
        (settings("random", "first", games=8, sprt=(0, 5)), "begun with sprt None, not"),
        (settings("random", "first", games=8, variant="2"), "begun with variant 2,stall=10, not 2"),
        (Settings("azul", AZUL, (("random", "first"),), 8, "other"), "begun with seed seed, not other"),
        (Settings("azul", AZUL, (("random", "first"),), 8, "seed", tilery="0.0.1"), "begun with tilery "),
    ):
        with pytest.raises(Refused, match=message):
            run(other, path)
    longer = run(settings("random", "first", games=10), path)
    assert longer.games == 10
    assert settings_in(path).games == 10
    fresh = run(settings("random", "first", games=10), tmp_path / "fresh")
    assert without_cpu(summary(longer)) == without_cpu(summary(fresh))


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("hello")
    with pytest.raises(Refused, match="holds other things and no run"):
        run(CHOSEN, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(Refused, match="cannot keep a run in"):
        run(CHOSEN, tmp_path / "letter.txt")
    with pytest.raises(Refused, match="there is no run in"):
        settings_in(tmp_path)
    for wrong in ("{", "[]", "{}", '{"pairings": 3}'):
        (tmp_path / "arena.json").write_text(wrong)
        with pytest.raises(Refused, match=r"not what (an|this) arena writes"):
            settings_in(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs locks")
def test_two_runs_do_not_share_a_folder(whole: Path, tmp_path: Path) -> None:
    path = copied(whole, tmp_path / "run")
    with Folder(path), pytest.raises(Refused, match="another run is at work"):
        Folder(path)
    with Folder(path) as folder:
        assert len(folder.pairs) == 4
