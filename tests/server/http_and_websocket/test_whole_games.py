"""Whole games over real sockets: people, a bot and a spectator at one table, to the end."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.http_and_websocket.clients import Person, Tab
from tests.server.server_process import ServerProcess
from tests.wire_client import legal_texts
from tilery.core.record import Record
from tilery.games import read_any_record
from tilery.table.fairness import check_fairness

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "socket_bot.py"
THREE = [{"kind": "me", "name": "Anna"}, {"kind": "open"}, {"kind": "bot", "bot": "greedy"}]


def _play(tabs: list[Tab], chosen: random.Random) -> None:
    """People move whenever it is their turn, until the game is over."""
    while tabs[0].state["status"] != "over":
        step = tabs[0].state["step"]
        for tab in tabs:
            while tab.state["step"] < step:
                tab.receive()
        mover = next((tab for tab in tabs if tab.state["step"] == step and tab.state.get("moves")), None)
        if mover is None:
            tabs[0].receive()
            continue
        reply = mover.ask("play", move=chosen.choice(legal_texts(mover.state)))
        assert reply["ok"] or reply["error"]["kind"] == "stale", reply
        tabs[0].until_seen(reply.get("seq", 0))
    last = tabs[0].state["seq"]
    for tab in tabs:
        tab.until_seen(last)


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_two_people_and_a_bot_finish_a_game_with_a_spectator(
    game: str, server: ServerProcess, anna: Person, ben: Person
) -> None:
    anna.make(game, THREE)
    ben.sit(anna.table, entropy="beef")
    tabs = [anna.tab(), ben.tab(), Person(server).tab(anna.table)]
    tabs[0].done("start", entropy="cafe")
    tabs[0].until_seen(2)
    _play(tabs, random.Random(game))
    states = [tab.state for tab in tabs]
    for state in states:
        assert (state["status"], state["entropy"]) == ("over", "beef,cafe")
        assert state["result"] == states[0]["result"]
        assert state["position"] == states[0]["position"]
    for tab in tabs:
        numbers = [event["seq"] for event in tab.events]
        assert numbers == sorted(set(numbers))
        assert numbers[-1] == states[0]["seq"]
        tab.close()
    record = read_any_record(anna.get("/record").text)
    assert isinstance(record, Record)
    assert len(record.plies) == states[0]["plies"]
    assert check_fairness(record) > 0
    assert record.tags["Secret"] == states[0]["secret"]
    fresh = Person(server).tab(anna.table)
    assert len(fresh.welcome["history"]) == states[0]["plies"]
    fresh.close()


def start_bot(server: ServerProcess, *table: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", str(EXAMPLE), server.url, *table]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_example_bot_has_at_most_40_lines_and_needs_one_package() -> None:
    text = EXAMPLE.read_text("utf-8")
    assert len(text.splitlines()) <= 40
    imported = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported - set(sys.stdlib_module_names) == {"websockets"}


def test_the_example_bot_plays_a_whole_game_against_a_bot(server: ServerProcess) -> None:
    out, errors = start_bot(server).communicate(timeout=120)
    assert errors == ""
    assert "winners" in out


def test_the_example_bot_takes_a_seat_and_plays_with_people(server: ServerProcess, anna: Person) -> None:
    anna.make()
    bot = start_bot(server, anna.table)
    tab = anna.tab()
    tab.until_event("sat")
    while tab.state["status"] == "open":
        tab.receive()
    _play([tab], random.Random(1))
    out, errors = bot.communicate(timeout=120)
    assert errors == ""
    assert json.dumps(tab.state["result"]["scores"]) in out
    tab.close()
