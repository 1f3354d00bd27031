"""Idle connections, floods, and restarts of the server."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.http_and_websocket.clients import AGAINST_BOT, Person
from tests.server.http_and_websocket.raw_websocket import frame, line, open_socket
from tests.server.http_and_websocket.test_whole_games import start_bot
from tests.server.server_process import ServerProcess, start_server
from tests.wire_client import legal_texts, text_of


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with short timeouts and low limits."""
    folder = tmp_path_factory.mktemp("staying")
    limits = {"messages_per_second": 10, "messages_burst": 40}
    running = start_server(folder, heartbeat_interval=0.5, idle_timeout=2.5, reconnect_delay=7, **limits)
    yield running
    running.kill()


def test_a_silent_client_is_disconnected_and_one_that_pings_is_not(own: ServerProcess) -> None:
    anna = Person(own)
    anna.make()
    active, silent = anna.tab(), anna.tab()
    assert active.welcome["heartbeat"] == 0.5
    with line(own) as half_open:
        half_open.shake(anna.table)
        half_open.say(type="hello")
        start = time.monotonic()
        cut = 0
        while not cut and time.monotonic() - start < 60:
            active.send(type="ping")
            active.until("pong")
            try:
                silent.socket.recv(0.2)
            except TimeoutError:
                continue
            except ConnectionClosed as closed:
                cut = closed.rcvd.code if closed.rcvd else 1006
        assert cut == 4410
        assert time.monotonic() - start >= 2.5
        assert half_open.code() == 4410
    active.done("say", text="still here")
    active.close()
    silent.close()
    anna.http.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_clients_reconnect_after_a_restart_and_nothing_is_lost(own: ServerProcess, number: signal.Signals) -> None:
    anna, ben = Person(own, "Anna"), Person(own, "Ben")
    anna.make()
    ben.sit(anna.table)
    tabs = [anna.tab(), ben.tab(), Person(own).tab(anna.table)]
    tabs[0].done("start", entropy="aa")
    tabs[0].done("say", text="see you")
    known = tabs[0].done("rename", name="Annabel")
    for tab in tabs:
        tab.until_seen(known)
    before = tabs[0].state
    own.process.send_signal(number)
    for tab in tabs:
        assert tab.until("closing")["reconnect_delay"] == 7
        assert tab.end()[0] == 1012
        tab.close()
    assert own.ended() == 0
    assert own.said().endswith("Stopped. Everything is saved.\n")
    assert own.logged() == ""
    own.start()
    for person in (anna, ben):
        person.http.close()
        person.__post_init__()
    back, late = anna.tab(after=known), anna.tab(after=known - 1)
    assert back.state == before | {"clock": back.state["clock"]}
    assert (back.welcome["fresh"], back.welcome["events"]) == (False, [])
    assert [event["name"] for event in late.welcome["events"]] == ["Annabel"]
    assert anna.tab().welcome["chat_history"] == [{"seat": 0, "text": "see you"}]
    mover = back if before["actor"] == 0 else ben.tab()
    mover.done("play", move=legal_texts(mover.state)[0])
    for tab in (back, late, mover):
        tab.close()
    for person in (anna, ben):
        person.http.close()


def test_what_was_acknowledged_survives_a_kill(own: ServerProcess) -> None:
    anna = Person(own)
    anna.make(seats=AGAINST_BOT)
    tab = anna.tab()
    tab.done("start")
    while not tab.state.get("moves"):
        tab.receive()
    step, move = tab.state["step"], legal_texts(tab.state)[0]
    number = tab.done("play", id="mine", step=step, move=move)
    own.restart()
    tab.close()
    back = anna.tab()
    assert back.state["seq"] >= number
    assert move in [text_of(ply["move"]) for ply in back.welcome["history"] if ply["actor"] == 0]
    assert back.ask("play", id="mine", step=step, move=move)["seq"] == number
    while not back.state.get("moves"):  # the bot thinks again by itself
        back.receive()
    back.close()
    anna.http.close()


def test_a_second_server_on_the_same_store_is_refused_in_one_line(own: ServerProcess) -> None:
    command = [sys.executable, "-m", "tilery", "serve", "--port", "0", "--database", str(own.database)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr + done.stdout
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_example_bot_pings_while_it_waits(own: ServerProcess) -> None:
    anna = Person(own)
    anna.make()
    bot = start_bot(own, anna.table)
    tab = anna.tab()
    tab.until_event("started")
    end = time.monotonic() + 6  # Anna thinks for longer than anybody may be silent
    while time.monotonic() < end:
        tab.send(type="ping")
        tab.until("pong")
        time.sleep(0.3)
    assert bot.poll() is None
    tab.done("resign")
    out, errors = bot.communicate(timeout=60)
    assert (errors, "winners" in out) == ("", True)
    tab.close()
    anna.http.close()


def test_a_flood_of_tiny_messages_closes_only_its_own_socket(own: ServerProcess) -> None:
    anna = Person(own)
    anna.make()
    for tiny in (b"", b"x", b'{"type":"ping"}'):
        with open_socket(own, anna.table, anna.token) as hasty:
            hasty.send_as_far_as_possible(frame(tiny) * 30_000)
            assert hasty.code() in (1013, 1006)
    with open_socket(own, anna.table) as other:
        other.say(type="ping")
        other.receive("pong")
    anna.http.close()
