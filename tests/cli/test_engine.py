"""`tilery engine`: the engine as a process for other programs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from unittest.mock import patch

import pytest

from tests.cli.test_errors import one_line
from tests.cli.test_play import tilery
from tests.engine.fake import FAKE
from tilery import Stream, game

AZUL = game("azul").new().settle(Stream("analyse"))


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilery.engine.family._load_family", lambda _: FAKE)


def engine(*words: str) -> subprocess.Popen[bytes]:
    """The real process."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-m", "tilery", "engine", *words], stdin=pipe, stdout=pipe, stderr=pipe)


def test_the_engine_answers_in_this_process_too() -> None:
    typed = json.dumps({"id": "a", "position": AZUL.text}) + '\nhello\n{"id": "v", "action": "query_version"}'
    ran = tilery("engine", "--limit", "20n", typed=typed)
    assert (ran.code, ran.err) == (0, "")
    answers = {answer["id"]: answer for answer in map(json.loads, ran.out.splitlines())}
    assert answers["a"]["rootInfo"]["nodes"] == 20
    assert answers[None]["error"].startswith("the line is not JSON")
    assert answers["v"]["name"] == "tilery"


def test_the_engine_refuses_an_invalid_limit() -> None:
    assert "'x' is not a limit" in one_line(tilery("engine", "--limit", "x"))


def test_the_engine_ends_with_its_input() -> None:
    with engine() as process:
        out, err = process.communicate(b'\xff\n\n{"id": "v", "action": "query_version"}\n{', timeout=60)
    assert process.returncode == 0
    assert err == b""
    assert [json.loads(line)["id"] for line in out.splitlines()] == [None, "v", None]


def test_the_engine_ends_quietly_when_interrupted() -> None:
    with engine() as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b'{"id": "v", "action": "query_version"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "v"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == (b"", b"tilery: interrupted\n")


def test_the_engine_ends_quietly_when_its_output_is_closed() -> None:
    with engine() as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(b'{"id": "v", "action": "query_version"}\n')
        process.stdin.flush()
        assert process.wait(60) == 141  # while its input is still open
        assert process.stderr.read() == b""
        process.stdin.close()


def test_no_standard_input_is_refused() -> None:
    with patch.object(sys, "argv", ["tilery", "engine"]), patch.object(sys, "stdin", None):
        from tilery.cli.engine import serve_engine
        from tilery.core.refusals import Refused

        with pytest.raises(Refused, match="needs standard input"):
            serve_engine("1s", workers=1, wait=True)
