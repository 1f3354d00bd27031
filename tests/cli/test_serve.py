"""`tilery serve`: what it prints when it listens, which port it takes, and when it opens a browser."""

from __future__ import annotations

import io
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tilery.cli import serve
from tilery.core.refusals import Refused
from tilery.server import addresses, run
from tilery.server.addresses import ServerAddress
from tilery.server.http.qr import qr_lines
from tilery.server.settings import Settings, settings_of

HOME = "192.168.1.7"
TIMEOUT = 120.0
Say = Callable[..., str]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Say:
    """What is printed when the server listens, on a given kind of terminal."""

    def say(place: ServerAddress, address: str = HOME, **terminal: Any) -> str:
        out = io.TextIOWrapper(io.BytesIO(), encoding=terminal.pop("encoding", "utf-8"), write_through=True)
        wide: dict[str, Any] = {"width": 100, "highlight": False, "markup": False, "_environ": {}}
        monkeypatch.setattr(serve, "console", Console(file=out, **(wide | terminal)))
        monkeypatch.setattr(addresses, "lan_address", lambda *_: address)
        serve.announce(place, place.settings)
        out.seek(0)
        return out.read()

    return say


def at(port: int = 8000, /, **words: Any) -> ServerAddress:
    settings = settings_of(words)
    return ServerAddress(settings.host, port, settings)


TERMINAL = {"force_terminal": True, "color_system": "truecolor"}


def test_without_lan_there_is_one_line_with_one_address(said: Say) -> None:
    assert said(at()) == "Tables are open at http://localhost:8000/. Ctrl-C stops.\n"
    assert said(at(host="0.0.0.0")) == "Tables are open at http://localhost:8000/. Ctrl-C stops.\n"


def test_with_lan_the_address_for_others_is_printed_too(said: Say) -> None:
    lines = said(at(lan=True)).splitlines()
    assert lines == [
        "Tables are open at http://localhost:8000/. Ctrl-C stops.",
        f"For phones: http://{HOME}:8000/. Everybody in this network can reach it.",
    ]


def test_a_terminal_shows_the_code_black_on_white(said: Say) -> None:
    lines = said(at(lan=True), **TERMINAL).splitlines()[2:]
    assert len(lines) == 17  # of 33 rows: version 2 and the quiet zone
    for line, drawn in zip(lines, qr_lines(f"http://{HOME}:8000/"), strict=True):
        assert line == f"\x1b[38;2;0;0;0;48;2;255;255;255m{drawn}\x1b[0m"


def test_a_terminal_without_colours_shows_it_light_on_dark(said: Say) -> None:
    lines = said(at(lan=True), force_terminal=True, no_color=True).splitlines()[2:]
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines] == qr_lines(f"http://{HOME}:8000/", inverse=True)


@pytest.mark.parametrize(
    "terminal",
    [{}, TERMINAL | {"width": 32}, TERMINAL | {"encoding": "cp1252"}],
    ids=["a file", "narrow", "old letters"],
)
def test_no_qr_code_is_printed_where_no_phone_could_read_it(terminal: dict[str, Any], said: Say) -> None:
    text = said(at(lan=True), **terminal)
    assert f"http://{HOME}:8000/" in text
    assert not set("█▀▄") & set(text)
    assert len(text.splitlines()) == 2


def test_a_machine_without_a_network_gets_a_warning(said: Say) -> None:
    text = said(at(lan=True), address="", **TERMINAL)
    assert "This machine has no address in a local network" in text
    assert "█" not in text


def test_a_port_other_than_the_default_is_reported(said: Say) -> None:
    assert said(at(8003)).splitlines() == [
        "Tables are open at http://localhost:8003/. Ctrl-C stops.",
        "Port 8000 is taken: using port 8003 instead.",
    ]
    assert len(said(at(43210, port=0)).splitlines()) == 1


# Settings


def test_lan_listens_on_every_network_unless_one_is_named() -> None:
    assert settings_of({"lan": True}).host == "0.0.0.0"
    assert settings_of({"lan": True, "host": "localhost"}).host == "0.0.0.0"
    assert settings_of({"lan": True, "host": "192.168.1.7"}).host == "192.168.1.7"
    assert settings_of({"lan": True, "host": "::"}).host == "::"
    assert settings_of({}).host == "127.0.0.1"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"lan": True, "behind_proxy": True}, "lan and behind_proxy exclude each other"),
        ({"public_url": "192.168.1.7:8000"}, "public_url must be https:// or http:// and a host"),
        ({"public_url": "http://192.168.1.7:8000/"}, "public_url must be https:// or http:// and a host"),
    ],
)
def test_contradictory_settings_are_refused(words: dict[str, Any], problem: str) -> None:
    with pytest.raises(Refused, match=problem):
        settings_of(words)


# Ports


@pytest.fixture
def three() -> Iterator[list[int]]:
    """Three ports in a row, the first two of which are taken."""
    while True:
        opened = [socket.socket() for _ in range(3)]
        try:
            opened[0].bind(("127.0.0.1", 0))
            first = int(opened[0].getsockname()[1])
            for number in (1, 2):
                opened[number].bind(("127.0.0.1", first + number))
        except (OSError, OverflowError):
            for one in opened:
                one.close()
            continue
        break
    opened[2].close()
    for one in opened[:2]:
        one.listen()
    yield [first, first + 1, first + 2]
    for one in opened:
        one.close()


def test_the_first_free_port_is_taken(three: list[int]) -> None:
    with run.listen("127.0.0.1", three) as listener:
        assert listener.getsockname()[1] == three[2]


def test_a_port_that_is_taken_is_refused_by_its_number(three: list[int]) -> None:
    with pytest.raises(Refused, match=rf"127\.0\.0\.1:{three[0]}: .*; try another --port"):
        run.listen("127.0.0.1", three[:1])
    with pytest.raises(Refused, match=rf"127\.0\.0\.1:{three[0]} to {three[1]}: .*; try another --port"):
        run.listen("127.0.0.1", three[:2])


def test_other_errors_end_the_search_for_a_port_at_once() -> None:
    with pytest.raises(Refused, match=r"no\.such\.host\.invalid:8000: "):
        run.listen("no.such.host.invalid", range(8000, 8011))


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Settings, list[int], list[str]]]:
    """What `tilery serve` would do with its flags: settings, ports, addresses opened in a browser."""

    def run_with(display: str = "", **flags: Any) -> tuple[Settings, list[int], list[str]]:
        asked: list[Any] = []
        opened: list[str] = []

        def fake_serve(_: object, settings: Settings, ready: Callable[[ServerAddress], None], ports: Any) -> None:
            asked[:] = [settings, list(ports)]
            assert not opened
            ready(ServerAddress(settings.host, settings.port, settings))

        class Thread:
            def __init__(self, target: Callable[[str], None], args: tuple[str], daemon: bool) -> None:
                assert (target, daemon) == (serve.open_browser, True)
                opened.append(args[0])

            def start(self) -> None:
                opened[-1] += " started"

        monkeypatch.setattr(run, "serve", fake_serve)
        monkeypatch.setattr(threading, "Thread", Thread)
        monkeypatch.setattr(serve, "may_open_browser", lambda: bool(display))
        serve.run_server(None, {"database": str(tmp_path / "t.db"), **flags})
        return asked[0], asked[1], opened

    for name in [name for name in os.environ if name.startswith("TILERY_P")]:
        monkeypatch.delenv(name)
    return run_with


def test_ten_more_ports_are_tried_only_if_none_is_given(
    ran: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ran()[1] == list(range(8000, 8011))
    assert ran(port=8000)[1] == [8000]
    assert ran(port=0)[1] == [0]
    monkeypatch.setenv("TILERY_PORT", "8000")
    assert ran()[1] == [8000]


def test_the_browser_is_opened_if_wanted_and_if_there_is_a_desktop(ran: Callable[..., Any]) -> None:
    assert ran(display=":0", open=True)[2] == ["http://localhost:8000/ started"]
    assert ran(display=":0", open=True, lan=True)[2] == ["http://localhost:8000/ started"]
    assert ran(display=":0")[2] == []
    assert ran(open=True)[2] == []


@pytest.mark.parametrize(
    ("platform", "environment", "may"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}, False),
        ("linux", {"DISPLAY": ":0", "CI": "true"}, False),
        ("linux", {"DISPLAY": ":0", "CI": "false"}, True),
        ("freebsd14", {"DISPLAY": ":0"}, True),
        ("darwin", {}, True),
        ("darwin", {"SSH_TTY": "/dev/ttys001"}, False),
        ("darwin", {"CI": "1"}, False),
        ("win32", {}, True),
        ("win32", {"SSH_CLIENT": "10.0.0.1 5 22"}, False),
    ],
)
def test_a_browser_needs_a_desktop(platform: str, environment: dict[str, str], may: bool) -> None:
    assert serve.may_open_browser(platform, environment) == may


def test_a_browser_that_runs_in_the_terminal_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[str, str]] = []

    def remember(self: webbrowser.GenericBrowser, url: str, *_: object) -> bool:
        opened.append((self.name, url))
        return True

    monkeypatch.setattr(webbrowser.GenericBrowser, "open", remember)
    monkeypatch.setattr(webbrowser.BackgroundBrowser, "open", remember)
    for browser in (webbrowser.BackgroundBrowser("firefox"), webbrowser.GenericBrowser("w3m")):
        monkeypatch.setattr(webbrowser, "get", lambda browser=browser: browser)
        serve.open_browser("http://localhost:8000/")
    assert opened == [("firefox", "http://localhost:8000/")]

    def none() -> None:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    serve.open_browser("http://localhost:8000/")


def test_a_real_server_with_lan(tmp_path: Path) -> None:
    """It starts with all of these flags, responds at the printed address, and stops on a signal."""
    command = [sys.executable, "-m", "tilery", "serve", "--lan", "--open", "--port", "0"]
    command += ["--database", str(tmp_path / "t.db"), "--public-url", "http://192.168.1.7:8000"]
    environment = {**os.environ, "CI": "true", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(2)]
        found = re.fullmatch(r"Tables are open at http://localhost:(\d+)/\. Ctrl-C stops\.\n", lines[0])
        try:
            assert found, lines
            assert lines[1].startswith("For phones: http://192.168.1.7:8000/. ")
            with socket.create_connection(("127.0.0.1", int(found[1])), TIMEOUT) as asked:
                asked.sendall(b"GET /api/server HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                answer = b"".join(iter(lambda: asked.recv(65_536), b""))
            assert b" 200 " in answer.splitlines()[0]
            assert b'"public_url":"http://192.168.1.7:8000"' in answer
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
