"""Commands that arrive at a process which does not own their table are passed on to the owner, and answered as
if it had been here."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.server.http_and_websocket.clients import Message, Person, Tab
from tests.server.several_processes.table_owner import TableOwner
from tests.wire_client import legal_texts
from tilery.server.hosting.host import TableDamaged

MOVES, MESSAGES = 60, 60
OpenTab = Callable[..., Tab]
Move = Callable[[Person, Person], Person]


def _seated(people: list[Person], tabs: OpenTab) -> tuple[Tab, Tab]:
    """A table that the process of Anna's tab owns, which is the first one to be opened; Ben's tab is elsewhere."""
    anna, ben = people
    name = anna.make()["table"]
    tab = tabs(anna, name)
    ben.sit(name)
    return tab, tabs(ben, name)


def _ask(tab: Tab, kind: str, **words: Any) -> tuple[Message, bool]:
    """Send a command; returns the reply, and whether the tab knew by then all that was stored with it."""
    reply = tab.ask(kind, **words)
    return reply, not reply["ok"] or tab.state["seq"] >= reply["seq"]


def test_the_update_arrives_before_the_reply(people: list[Person], tabs: OpenTab) -> None:
    anna, ben = _seated(people, tabs)
    in_order = []
    for number in range(MESSAGES):
        reply, knows = _ask(ben, "say", text=f"message {number}")
        assert reply["ok"], reply
        in_order.append(knows)
    assert in_order.count(True) == MESSAGES
    anna.until_seen(reply["seq"])


def test_a_player_elsewhere_moves_at_once_and_is_never_refused_as_stale(
    people: list[Person], tabs: OpenTab, moved: Move
) -> None:
    """Anna has both seats: whoever is to move, it is she."""
    name = people[0].make(seats=[{"kind": "me", "name": "Anna"}, {"kind": "me", "name": "Ann"}])["table"]
    owner = tabs(people[0], name)
    tab = tabs(moved(*people), name)
    chosen = random.Random(7)
    assert tab.done("start")
    refused, in_order = [], []
    for _ in range(MOVES):
        if tab.state["status"] != "playing":
            break
        reply, knows = _ask(tab, "play", move=chosen.choice(legal_texts(tab.state)))
        in_order.append(knows)
        if not reply["ok"]:
            refused.append(reply["error"])
    assert refused == []
    assert len(in_order) > MOVES // 2
    assert all(in_order)
    owner.until_seen(tab.state["seq"])
    assert owner.state["position"] == tab.state["position"]


LONG = "x" * 7_400
COMMANDS: list[Message] = [
    {"type": "say", "text": LONG},
    {"type": "say", "text": "\u0001" * 1_300},  # six bytes each
    {"type": "say", "text": "🀄" * 1_900},
    {"type": "say", "text": "\\" * 3_900},
    {"type": "play", "move": LONG, "step": 1},
    {"type": "play", "move": "é" * 3_700},
    {"type": "rename", "name": LONG},
    {"type": "start", "entropy": LONG},
    {"type": "arrange", "seat": 1, "bot": LONG},
    {"type": "offer", "what": "replace", "seat": 0, "bot": LONG},
    {"type": "resign", "seat": int("9" * 300)},
    {"type": "answer", "offer": int("9" * 4_000), "yes": True},
    {"type": "say", "text": "hello", "id": LONG},
    {"type": "say", "text": "hello", "step": int("9" * 4_000)},
]


@pytest.mark.parametrize("is_playing", [False, True])
def test_a_long_command_is_answered_as_by_the_owner(
    people: list[Person], tabs: OpenTab, moved: Move, is_playing: bool
) -> None:
    anna, ben = people
    name = anna.make()["table"]
    there = tabs(anna, name)
    elsewhere = moved(anna, ben)
    here = tabs(elsewhere, name)
    ben.sit(name)
    if is_playing:
        there.done("start")
        here.until_seen(there.seen)
    here.until_seen(2)
    there.until_seen(2)
    for number, words in enumerate(COMMANDS):
        command = {"id": f"long-{number}", "step": there.state["step"]} | words
        replies = []
        for tab in (there, here):
            assert len(json.dumps(command, ensure_ascii=False).encode()) <= 8192
            tab.socket.send(json.dumps(command, ensure_ascii=False))
            replies.append(tab.until("reply"))
        responses = [
            person.http.post(f"/api/tables/{name}/commands", content=json.dumps(command, ensure_ascii=False).encode())
            for person in (anna, elsewhere)
        ]
        for reply in replies:
            reply.pop("state", None)
        assert replies[0] == replies[1], words["type"]
        assert responses[0].status_code == responses[1].status_code < 500, responses[1].text[:200]
        told = [response.json() | {"state": None} for response in responses]
        assert told[0] == told[1]
        if not replies[0]["ok"]:
            assert replies[0]["error"]["kind"] not in ("unavailable", "internal-error"), replies[0]


def test_who_is_elsewhere_is_told_too_that_the_owner_cannot_read_the_table(database: str) -> None:
    async def story() -> None:
        async with TableOwner(database).opened() as owner, TableOwner(database).opened() as other:
            await owner.create()
            other.table, other.key = owner.table, owner.key
            await owner.read()
            await other.read()  # so it has a copy, and follows
            owner.execute("UPDATE events SET text = '{}'")
            owner.host.live_tables.use(owner.table).table = None  # it has to read the table again
            with pytest.raises(TableDamaged):
                await other.rename()

    asyncio.run(story())
