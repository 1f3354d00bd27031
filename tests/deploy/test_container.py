"""deploy/Containerfile: built and run where a container engine is; else its steps are replayed in a clean folder."""

from __future__ import annotations

import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.conftest import ROOT
from tests.deploy.containerfile import PATH, Replay, Stage, copied, copy_sources, stages
from tests.packaging.packages import build_package
from tests.ports import free_port
from tests.wire_client import legal_texts
from tilery.server.settings import PREFIX, Settings, read_settings

Test = TypeVar("Test", bound=Callable[..., None])
SECONDS = 300.0  # to start, and to compile the rules once
STAGES = stages(PATH.read_text(encoding="utf-8"))
FINAL = STAGES[""]


# What can be read in it


def test_it_runs_the_server_and_not_as_root() -> None:
    assert FINAL.last("USER") == "tilery"
    assert FINAL.command("ENTRYPOINT") + FINAL.command("CMD") == ["tilery", "serve"]
    (volume,) = FINAL.command("VOLUME")
    variables = FINAL.variables()
    assert variables["TILERY_DATA"] == FINAL.last("WORKDIR") == volume
    assert Path(variables["TILERY_CACHE"]).is_relative_to(volume)
    settings = read_settings(None, {}, variables)
    assert (settings.host, settings.port) == ("0.0.0.0", int(FINAL.last("EXPOSE")))
    assert FINAL.last("STOPSIGNAL") == "SIGTERM"


def test_it_sets_nothing_but_where_to_listen_and_where_to_write() -> None:
    """Everything else is left to the settings of whoever runs it."""
    settings = {f"{PREFIX}{name.upper()}" for name in Settings.__dataclass_fields__}
    assert settings & FINAL.variables().keys() == {"TILERY_HOST", "TILERY_PORT"}


def test_both_stages_have_the_same_python() -> None:
    assert {stage.base for stage in STAGES.values()} == {"python:3.13-slim"}


def test_a_missing_file_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="README"):
        copy_sources(Stage("", [("COPY", "LICENSE README.txt ./")]), tmp_path)
    with pytest.raises(FileNotFoundError, match="node_modules"):
        copy_sources(Stage("", [("COPY", "web/node_modules web/node_modules")]), tmp_path)


def test_it_copies_all_that_the_build_needs(tmp_path: Path) -> None:
    source, static = tmp_path / "source", Path("src/tilery/server/static")
    copy_sources(STAGES["build"], source)
    shutil.copytree(ROOT / static, source / static)  # built already, so that this takes no minute
    assert [sources for sources, _, origin in copied(FINAL) if origin] == [["/opt/tilery"]]
    names = zipfile.ZipFile(build_package("wheel", tmp_path / "wheel", source)).namelist()
    assert "tilery/server/static/index.html" in names
    assert any(name.endswith("/licenses/LICENSE") for name in names)


class Ready(BaseHTTPRequestHandler):
    """Answers /readyz, and nothing else."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/readyz" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_its_health_check_asks_the_server_and_no_proxy(status: int, code: int) -> None:
    handler = type("Handler", (Ready,), {"status": status})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        _, *arguments = FINAL.command("HEALTHCHECK")
        environment = {**os.environ, "TILERY_PORT": str(server.server_port), "http_proxy": "http://127.0.0.1:9"}
        done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=False)
        server.shutdown()
    assert done.returncode == code, done.stderr


# In use


def ask(url: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
    """One request, answered in JSON."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=SECONDS) as response:
        return json.load(response)


def until(is_true: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.2)


def play(url: str) -> tuple[str, int]:
    """A table against a bot, one move at it; returns its address and the number of its plies."""
    with urllib.request.urlopen(f"{url}/", timeout=SECONDS) as page:
        assert b"<!doctype html>" in page.read().lower()
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": "random"}]
    mine = ask(f"{url}/api/tables", {"game": "azul", "seats": seats})
    path = f"/api/tables/{mine['table']}"

    def state() -> Any:
        return ask(url + path, token=mine["token"])

    start = {"type": "start", "id": "s", "step": state()["step"], "entropy": "5eed"}
    assert ask(f"{url}{path}/commands", start, mine["token"])["ok"]
    until(lambda: bool(legal_texts(state())))
    now = state()
    move = {"type": "play", "id": "p", "step": now["step"], "move": legal_texts(now)[0]}
    assert ask(f"{url}{path}/commands", move, mine["token"])["ok"]
    until(lambda: bool(state()["plies"] >= now["plies"] + 2))  # the bot has answered
    return path, state()["plies"]


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    return Replay(tmp_path_factory.mktemp("container"))


@pytest.mark.long
def test_its_steps_in_a_clean_folder_give_a_server(replay: Replay) -> None:
    stage = replay.stage
    (volume,) = stage.command("VOLUME")
    before = replay.files_outside(volume)
    # A proxy in the environment, as containers inherit it, that answers nothing.
    environment = {**replay.environment, "TILERY_PORT": str(free_port()), "http_proxy": "http://127.0.0.1:9"}
    url = f"http://127.0.0.1:{environment['TILERY_PORT']}"
    health = replay.program(stage.command("HEALTHCHECK"))

    def is_healthy() -> bool:
        return subprocess.run(health, env=environment, capture_output=True, check=False).returncode == 0

    @contextmanager
    def running() -> Iterator[None]:
        command = replay.program(stage.command("ENTRYPOINT") + stage.command("CMD"))
        with subprocess.Popen(command, env=environment, cwd=replay.inside(stage.last("WORKDIR"))) as server:
            try:
                until(is_healthy)
                yield
                server.send_signal(signal.Signals[stage.last("STOPSIGNAL")])
                assert server.wait(SECONDS) == 0
            finally:
                server.kill()

    assert not is_healthy()
    with running():
        path, plies = play(url)
    with running():
        assert ask(url + path)["plies"] >= plies
    assert not is_healthy()
    assert replay.files_outside(volume) == before, "only the volume is written"
    assert (replay.inside(volume) / "tilery.db").exists()


@functools.cache
def engine() -> str:
    """A container engine that works, or ""."""
    for name in ("podman", "docker"):
        if shutil.which(name) and not subprocess.run([name, "info"], capture_output=True, check=False).returncode:
            return name
    return ""


def in_ci_or_long(test: Test) -> Test:
    return test if os.environ.get("CI") else pytest.mark.long(test)


@in_ci_or_long
def test_the_container_builds_and_serves() -> None:
    name = engine()
    if not name:
        pytest.skip("no container engine is running: test_its_steps_in_a_clean_folder_give_a_server replays the steps")

    def run(*words: str) -> str:
        done = subprocess.run([name, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.strip()

    tag = f"tilery-test-{os.getpid()}"
    form = ["--format", "docker"] if name == "podman" else []
    run("build", *form, "-t", tag, "-f", str(PATH), str(ROOT))
    try:
        run("run", "-d", "--name", tag, "--read-only", "-p", "127.0.0.1::8000", tag)

        def url() -> str:
            return f"http://{run('port', tag, '8000/tcp').splitlines()[0]}"

        def is_healthy() -> bool:
            return run("inspect", "-f", "{{.State.Health.Status}}", tag) == "healthy"

        until(is_healthy)
        path, plies = play(url())
        run("stop", "-t", "20", tag)
        assert run("inspect", "-f", "{{.State.ExitCode}}", tag) == "0"
        run("start", tag)
        until(is_healthy)
        assert ask(url() + path)["plies"] >= plies
    finally:
        subprocess.run([name, "rm", "-f", "-v", tag], capture_output=True, check=False)
        subprocess.run([name, "rmi", tag], capture_output=True, check=False)
