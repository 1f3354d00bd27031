"""Interrupted runs: finished pairs are never lost, and nothing is counted twice."""

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
from tilery.lab.run_folder import RunFolder
from tilery.lab.settings import Settings, settings_in
from tilery.lab.summary import summary

CHOSEN = settings("random", "first", games=8)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    path = tmp_path_factory.mktemp("run")
    run(CHOSEN, path)
    return path


def copy_of(finished: Path, path: Path) -> Path:
    path.mkdir(exist_ok=True)
    for file in finished.iterdir():
        (path / file.name).write_bytes(file.read_bytes())
    return path


def equal(one: Path, other: Path) -> bool:
    """Whether two folders have the same games and the same results."""
    texts = [sorted(record.text for record in records_in(path)) for path in (one, other)]
    lines = []
    for path in (one, other):
        results = [json.loads(line) for line in (path / "results.jsonl").read_text().splitlines()]
        for pair in results:
            del pair["end"]
            for game in pair["games"]:
                del game["cpu"], game["slowest"]
        lines.append(sorted(results, key=lambda pair: pair["pair"]))
    return texts[0] == texts[1] and lines[0] == lines[1]


@pytest.mark.parametrize("name", ["results.jsonl", "games.tilery"])
@pytest.mark.parametrize("trial", range(12))
def test_truncated_files_lose_only_the_incomplete_pair(finished: Path, tmp_path: Path, name: str, trial: int) -> None:
    path = copy_of(finished, tmp_path / "torn")
    data = (path / name).read_bytes()
    ends = [json.loads(line)["end"] for line in (finished / "results.jsonl").read_text().splitlines()]
    if trial < 3:
        cut = (0, 1, (ends[2] if name == "games.tilery" else len(data)) - 1)[trial]
    else:
        cut = Stream("cut", name, trial).below(len(data))
    (path / name).write_bytes(data[:cut])
    expected = data[:cut].count(b"\n") if name == "results.jsonl" else sum(end <= cut for end in ends)
    with RunFolder(path) as folder:
        assert len(folder.pairs) == expected
    assert len(records_in(path) if expected else []) == 2 * expected  # complete records only
    played: list[int] = []
    standings = run_arena(CHOSEN, path, workers=1, find=find, progress=lambda standings: played.append(standings.games))
    assert played[0] == 2 * expected
    assert standings.games == 8
    assert equal(path, finished)


@pytest.mark.parametrize("tail", [b'{"pairing": 0', b"\x00\x00\x00\n", b"[]\n", b"{}}\n", b"\xff\xfe\n"])
def test_garbage_at_the_end_of_the_results_is_cut_off(finished: Path, tmp_path: Path, tail: bytes) -> None:
    path = copy_of(finished, tmp_path / "torn")
    with (path / "results.jsonl").open("ab") as file:
        file.write(tail)
    with (path / "games.tilery").open("ab") as file:
        file.write(b'[Tilery "1"]\n[Game "azul')
    run(CHOSEN, path)
    assert equal(path, finished)


def test_garbage_in_the_middle_is_refused_and_not_changed(finished: Path, tmp_path: Path) -> None:
    path = copy_of(finished, tmp_path / "torn")
    lines = (path / "results.jsonl").read_bytes().splitlines(keepends=True)
    lines[1] = lines[1][:30] + b"\n"
    (path / "results.jsonl").write_bytes(b"".join(lines))
    with pytest.raises(Refused, match="line 2, cannot be read"):
        run(CHOSEN, path)
    assert (path / "results.jsonl").read_bytes() == b"".join(lines)
    for wrong in (b'{"pairing": 0}\n', b'{"pairing": 0, "pair": 0, "games": [{"x": 1}], "end": 0}\n'):
        (path / "results.jsonl").write_bytes(wrong)
        with pytest.raises(Refused, match="is not a file of the arena"):
            run(CHOSEN, path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_can_be_resumed(tmp_path: Path, workers: int) -> None:
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
    count = results.read_text().count("\n")
    assert 1 <= count < 4
    reported: list[int] = []
    standings = run_arena(
        chosen, path, workers=1, find=find, progress=lambda standings: reported.append(standings.games)
    )
    assert reported[0] == 2 * count
    assert standings.games == 8
    run(chosen, tmp_path / "whole")
    assert equal(path, tmp_path / "whole")
    if workers > 1:
        # No process is left: the workers end with the process that started them.
        until = time.monotonic() + 20
        while _session_processes(killed.pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert _session_processes(killed.pid) == []


def _session_processes(leader: int) -> list[int]:
    """The living processes of a session; none on systems without /proc."""
    processes = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if words[3] == str(leader) and words[0] != "Z":
            processes.append(int(entry.parent.name))
    return processes


def test_other_settings_are_refused_except_for_more_games(finished: Path, tmp_path: Path) -> None:
    path = copy_of(finished, tmp_path / "run")
    for other, message in (
        (settings("random", "greedy", games=8), "started with pairings random - first, not random - greedy"),
        (settings("random", "first", games=6), "started with games 8, not 6"),
        (settings("random", "first", games=8, sprt=(0, 5)), "started with sprt None, not"),
        (settings("random", "first", games=8, variant="2"), "started with variant 2,stall=10, not 2"),
        (Settings("azul", AZUL, (("random", "first"),), 8, "other"), "started with seed seed, not other"),
        (Settings("azul", AZUL, (("random", "first"),), 8, "seed", tilery="0.0.1"), "started with tilery "),
    ):
        with pytest.raises(Refused, match=message):
            run(other, path)
    longer = run(settings("random", "first", games=10), path)
    assert longer.games == 10
    assert settings_in(path).games == 10
    fresh = run(settings("random", "first", games=10), tmp_path / "fresh")
    assert without_cpu(summary(longer)) == without_cpu(summary(fresh))


def test_a_folder_with_other_files_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("hello")
    with pytest.raises(Refused, match="contains other files but no run"):
        run(CHOSEN, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(Refused, match="cannot store a run in"):
        run(CHOSEN, tmp_path / "letter.txt")
    with pytest.raises(Refused, match="there is no run in"):
        settings_in(tmp_path)
    for wrong in ("{", "[]", "{}", '{"pairings": 3}'):
        (tmp_path / "arena.json").write_text(wrong)
        with pytest.raises(Refused, match=r"is not a (settings )?file of the arena"):
            settings_in(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs locks")
def test_two_processes_cannot_use_the_same_folder(finished: Path, tmp_path: Path) -> None:
    path = copy_of(finished, tmp_path / "run")
    with RunFolder(path), pytest.raises(Refused, match="another process is using the run"):
        RunFolder(path)
    with RunFolder(path) as folder:
        assert len(folder.pairs) == 4
