"""`tilery replay`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.cli.games import PART, WHOLE
from tests.cli.test_play import Ran, tilery


def test_replay_prints_everything_if_there_is_no_terminal(whole: Path) -> None:
    out = tilery("replay", str(whole)).out
    for count, ply in enumerate(WHOLE.plies, start=1):
        assert f"Ply {count} of {len(WHOLE.plies)}: {WHOLE.position(count - 1).move_text(ply.action)} (" in out
    assert "(chance)\n  factory " in out
    assert re.search(r"\(Ada\)\n  Ada takes \d \w+ from ", out)
    assert re.search(r"^  Grace tiles line \d: ", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("Final score") == 1


def test_replay_starts_after_a_ply_and_prints_comments(part: Path) -> None:
    out = tilery("replay", str(part), "--ply", "11").out
    assert "Ply 10 of 12" not in out
    assert out.index("Ply 11 of 12") < out.index("Ply 12 of 12") < out.index("a comment [b] of mine")
    assert "Final score" not in out
    assert tilery("replay", "-", "--ply", "11", typed=PART.text).out == out


def by_keys(path: Path, *keys: str) -> tuple[Ran, list[int]]:
    """Replay a file with these keys; also the plies shown, in order."""
    with patch("tilery.cli.replay.sys") as system, patch("tilery.cli.replay.ask", side_effect=[*keys, EOFError]):
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


def test_replay_does_not_print_the_score_before_the_end(whole: Path) -> None:
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
            pass  # how a terminal reports that the program has ended
        os.close(ours)
    assert process.returncode == 0
    assert b"\x1b[" in seen  # colours
    assert b"[0/12] Enter: next" in seen
    assert b"[1/12] Enter: next" in seen
    assert b"[5/12] Enter: next" in seen
    assert b"[6/12]" not in seen
