"""What all tests share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("tilery", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("tilery")

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels once, before workers start and would all do it; each family in a process of its own."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # A shell that starts a job in the background makes it deaf to Ctrl-C, which some tests press.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        code = "import sys, tilery; from tilery.engine.family import prepare_all; prepare_all(tilery.game(sys.argv[1]))"
        compiling = [subprocess.Popen([sys.executable, "-c", code, family]) for family in ("azul", "schokoly")]
        codes = [process.wait() for process in compiling]
        if any(codes):
            pytest.exit("the kernels could not be compiled", 1)


@pytest.fixture(autouse=True)
def _test_timeout() -> Iterator[None]:
    """Where TEST_SECONDS is set, a test that takes longer ends the run (`tests/mutants.py` wants that)."""
    seconds = int(os.environ.get("TEST_SECONDS", "0"))
    if seconds:
        signal.alarm(seconds)
    yield
    if seconds:
        signal.alarm(0)


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the games of whoever runs it, and `tilery` is found as after an installation."""
    monkeypatch.setenv("TILERY_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
