"""A short soak: a kill, a freeze and a full disk while people play, and nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.mark.long
def test_a_short_soak(tmp_path: Path) -> None:
    progress = tmp_path / "progress.jsonl"
    # With this seed the disk gets full first, while the write-ahead log still grows: later it reuses its own room.
    options = ["--minutes", "0.5", "--tables", "100", "--rate", "100", "--seed", "7", "--progress", str(progress)]
    command = [sys.executable, "-m", "bench.soak", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
    summary = json.loads(done.stdout.splitlines()[-1])
    assert summary["problems"] == []
    assert {"kill", "freeze", "full disk", "full disk noticed"} <= summary["outages"].keys()
    assert summary["acknowledged moves"] > 300
    kinds = [json.loads(line)["what"] for line in progress.read_text().splitlines()]
    assert {"memory", "kill", "freeze", "full disk"} <= set(kinds)
    assert kinds[-1] == "summary"
