"""The WebSocket of a table: every command, its reply, and who receives what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.server.http_and_websocket.clients import AGAINST_BOT, Person, Tab
from tests.server.server_process import ServerProcess
from tests.wire_client import legal_texts, played_texts
from tilery.table.wire import VERSION

Tabs = Callable[..., Tab]


@pytest.fixture
def both(anna: Person, ben: Person, tabs: Tabs) -> tuple[Tab, Tab]:
    """Anna and Ben at a table, before the game."""
    anna.make()
    ben.sit(anna.table)
    return tabs(anna), tabs(ben)


@pytest.fixture
def playing(both: tuple[Tab, Tab]) -> tuple[Tab, Tab]:
    """The player to move, and the other one."""
    started = both[0].done("start", entropy="cafe")
    for tab in both:
        tab.until_seen(started)
    mover = both[0].state["actor"]
    return both[mover], both[1 - mover]


def test_the_welcome_has_the_version_the_heartbeat_and_the_whole_state(anna: Person, tabs: Tabs) -> None:
    anna.make()
    welcome = tabs(anna).welcome
    assert (welcome["version"], welcome["heartbeat"], welcome["fresh"]) == (VERSION, 25.0, True)
    assert welcome["history"] == welcome["chat_history"] == welcome["events"] == []
    assert (welcome["state"]["you"], welcome["state"]["host"], welcome["state"]["status"]) == ([0], True, "open")


def test_a_ping_is_answered_with_a_pong(anna: Person, tabs: Tabs) -> None:
    anna.make()
    tab = tabs(anna)
    tab.send(type="ping")
    assert tab.until("pong") == {"type": "pong"}


def test_presence_is_sent_to_everybody(anna: Person, ben: Person, tabs: Tabs) -> None:
    anna.make()
    first = tabs(anna)
    first.until("presence", here=[0], watching=0)
    ben.sit(anna.table)
    second = tabs(ben)
    first.until("presence", here=[0, 1], watching=0)
    watcher = tabs(Person(anna.server), anna.table)
    first.until("presence", here=[0, 1], watching=1)
    watcher.close()
    first.until("presence", here=[0, 1], watching=0)
    second.close()
    first.until("presence", here=[0], watching=0)


def test_a_move_is_sent_to_both_with_the_legal_moves_for_the_next_player(playing: tuple[Tab, Tab]) -> None:
    mover, other = playing
    assert legal_texts(mover.state)
    assert "moves" not in other.state
    move = legal_texts(mover.state)[0]
    number = mover.done("play", move=move)
    mover.until_seen(number)
    event = other.until_event("played")
    assert (played_texts(event), event["seq"], event["who"]) == ([move], number, [event["seat"]])
    assert event["plies"][0]["effects"]
    assert legal_texts(other.state)


def test_a_repeated_command_gets_the_same_reply(playing: tuple[Tab, Tab]) -> None:
    mover, other = playing
    step, move = mover.state["step"], legal_texts(mover.state)[0]
    first = mover.ask("play", id="once", step=step, move=move)
    assert mover.ask("play", id="once", step=step, move=move) == first
    assert other.until_event("played")["seq"] == first["seq"]
    assert first["seq"] == other.state["seq"]


def test_each_refusal_of_a_move_has_its_code(playing: tuple[Tab, Tab]) -> None:
    mover, other = playing
    assert mover.refused("play", move="nonsense") == "not-a-move"
    illegal = next(
        f"{disc}{colour}1"
        for disc in "12345"
        for colour in "BYRKW"
        if f"{disc}{colour}1" not in legal_texts(mover.state)
    )
    reply = mover.ask("play", move=illegal)
    assert (reply["error"]["kind"], reply["error"]["rule"][:3]) == ("not-legal", "AZ-")
    assert other.refused("play", move=legal_texts(mover.state)[0]) == "not-your-turn"
    assert mover.refused("play", move="", id="bad id!") == "bad-text"


def test_the_reply_to_a_stale_command_has_the_state(playing: tuple[Tab, Tab]) -> None:
    mover, _ = playing
    reply = mover.ask("play", step=1, move=legal_texts(mover.state)[0])
    assert reply["error"]["kind"] == "stale"
    assert reply["state"]["step"] == mover.state["step"]
    assert legal_texts(reply["state"]) == legal_texts(mover.state)


def test_before_the_game_seats_are_arranged_renamed_left_and_taken(both: tuple[Tab, Tab]) -> None:
    host, guest = both
    assert guest.refused("arrange", seat=0, bot="greedy") == "not-allowed"
    assert host.refused("arrange", seat=7, bot="greedy") == "bad-text"
    assert host.refused("arrange", seat=1, bot="no such bot") == "bad-text"
    guest.done("rename", name="Benjamin")
    assert host.until_event("renamed")["name"] == "Benjamin"
    guest.done("leave")
    host.until_event("left")
    assert host.refused("start") == "not-now"
    assert guest.refused("say", text="still here?") == "not-seated"
    host.done("arrange", seat=1, bot="greedy")
    assert host.until_event("arranged")["bot"] == "greedy"
    host.done("start")
    assert host.refused("arrange", seat=1) == "not-now"


def test_seats_cannot_be_taken_over_the_websocket(anna: Person, ben: Person, tabs: Tabs) -> None:
    anna.make()
    assert tabs(ben, anna.table).refused("sit", name="Ben") == "not-allowed"


def test_chat_reaches_all_clients_that_want_it(playing: tuple[Tab, Tab], anna: Person, tabs: Tabs) -> None:
    mover, other = playing
    quiet = tabs(anna, chat=False)
    number = mover.done("say", text="  good   luck ")
    assert other.until_event("said")["text"] == "good luck"
    assert quiet.until("update")["events"] == []
    late = tabs(anna)
    assert late.welcome["chat_history"] == [{"seat": mover.state["you"][0], "text": "good luck"}]
    assert late.state["seq"] == number
    assert mover.refused("say", text="") == "bad-text"
    assert mover.refused("say", text="x" * 301) == "bad-text"


def test_offers_are_made_answered_and_withdrawn(playing: tuple[Tab, Tab]) -> None:
    mover, other = playing
    assert mover.refused("offer", what="rematch") == "not-now"
    assert mover.refused("offer", what="takeback") == "not-now"
    number = mover.done("offer", what="draw")
    assert other.until_event("offered")["what"] == "draw"
    assert other.refused("offer", what="draw") == "not-now"
    assert mover.refused("answer", offer=number, yes=True) == "not-allowed"
    assert other.refused("answer", offer=number + 1, yes=True) == "stale"
    other.done("answer", offer=number, yes=False)
    mover.until_event("declined")
    number = mover.done("offer", what="draw")
    mover.done("answer", offer=number, yes=False)
    number = mover.done("offer", what="draw")
    other.done("answer", offer=number, yes=True)
    mover.until_event("drawn")
    assert (mover.state["status"], mover.state["result"]["ended_by"]) == ("over", "draw")


def test_a_move_is_taken_back_when_the_other_one_agrees(playing: tuple[Tab, Tab]) -> None:
    mover, other = playing
    moves = legal_texts(mover.state)
    mover.until_seen(mover.done("play", move=moves[0]))
    number = mover.done("offer", what="takeback")
    other.done("answer", offer=number, yes=True)
    mover.until_event("taken-back")
    assert legal_texts(mover.state) == moves


def test_a_player_who_has_left_is_replaced_by_a_bot_if_the_others_agree(playing: tuple[Tab, Tab]) -> None:
    mover, other = playing
    seat = mover.state["you"][0]
    assert other.refused("offer", what="replace", seat=seat, bot="greedy") == "not-now"
    mover.done("leave")
    other.until_event("left")
    assert other.refused("offer", what="replace", seat=seat, bot="cmd:rm") == "bad-text"
    other.done("offer", what="replace", seat=seat, bot="greedy")
    other.until_event("replaced")
    assert other.until_event("played")["seat"] == seat


def test_resigning_loses_and_a_rematch_creates_a_new_table(
    playing: tuple[Tab, Tab], anna: Person, ben: Person, tabs: Tabs
) -> None:
    mover, other = playing
    assert anna.http.post(f"/api/tables/{anna.table}/follow").json()["error"]["kind"] == "not-now"
    mover.done("resign")
    other.until_event("revealed")
    assert other.state["result"]["winners"] == other.state["you"]
    assert mover.refused("play", move="1B1") == "not-now"
    number = mover.done("offer", what="rematch")
    other.done("answer", offer=number, yes=True)
    new = mover.until_event("rematched")["table"]
    for person in (anna, ben):
        followed = person.http.post(f"/api/tables/{anna.table}/follow")
        assert followed.json() == {"table": new, "invite": f"/t/{new}"}
        assert len(person.http.get(f"/api/tables/{new}").json()["you"]) == 1
    assert tabs(ben, new).state["before"] == anna.table


SPECTATORS_MAY_NOT: list[dict[str, Any]] = [
    {"type": "leave"},
    {"type": "rename", "name": "Eve"},
    {"type": "arrange", "seat": 0, "bot": "greedy"},
    {"type": "start"},
    {"type": "play", "move": "1B1"},
    {"type": "resign"},
    {"type": "resign", "seat": 0},
    {"type": "offer", "what": "draw"},
    {"type": "offer", "what": "takeback"},
    {"type": "offer", "what": "rematch"},
    {"type": "offer", "what": "replace", "seat": 0, "bot": "greedy"},
    {"type": "answer", "offer": 3, "yes": True},
    {"type": "say", "text": "hello"},
]


@pytest.mark.parametrize("has_started", [False, True], ids=["before the game", "during the game"])
def test_a_spectator_sees_all_and_does_nothing(
    has_started: bool, both: tuple[Tab, Tab], anna: Person, tabs: Tabs
) -> None:
    if has_started:
        both[0].done("start")
    stranger = tabs(Person(anna.server, token="f" * 32), anna.table)
    watcher = tabs(Person(anna.server), anna.table)
    before = watcher.state
    assert (before["you"], before["viewer"], before["host"]) == ([], None, False)
    assert "moves" not in before
    for tab in (stranger, watcher):
        for words in SPECTATORS_MAY_NOT:
            code = tab.refused(words["type"], **{name: word for name, word in words.items() if name != "type"})
            assert code == "not-seated", words
    assert anna.get().json()["seq"] == before["seq"]


def test_a_spectator_cannot_pass_for_a_bot_by_the_id_of_a_command(anna: Person, tabs: Tabs) -> None:
    anna.make(seats=AGAINST_BOT)
    tab = tabs(anna)
    tab.done("start")
    while tab.state["actor"] == 0:
        tab.done("play", move=legal_texts(tab.state)[0])
    played = tab.until_event("played")
    while "who" in played:
        played = tab.until_event("played")
    watcher = tabs(Person(anna.server), anna.table)
    for step in range(played["seq"] + 1):
        assert watcher.refused("say", id=f"bot-{step}", text="it was me") == "not-seated"


NOT_MESSAGES = [
    "",
    "null",
    "[]",
    '"play"',
    "{",
    '{"type":"play"}',
    '{"type":"nonsense","id":"a","step":1}',
    '{"type":"play","id":"a","step":"1","move":"1B1"}',
    '{"type":"play","id":"a","step":1,"move":"1B1","extra":1}',
    '{"type":"play","id":7,"step":1,"move":"1B1"}',
    '{"type":"say","id":"a","step":1,"text":"\\ud800"}',
    '{"type":"say","id":"a","step":1,"text":"a","\\ud800":1}',
    '{"type":"answer","id":"a","step":1,"offer":1,"yes":1}',
    '{"type":"offer","id":"a","step":1,"what":"everything"}',
    '{"type":"ping","x":1}',
    "[" * 4000,
    '{"id":' * 900,
    "1" * 5000,
]


def test_an_invalid_message_is_refused_and_the_socket_stays_open(playing: tuple[Tab, Tab]) -> None:
    tab, _ = playing
    for text in NOT_MESSAGES:
        tab.socket.send(text)
        reply = tab.until("reply")
        known = "a" if '"id":"a"' in text else None  # so that its sender knows which one is meant
        assert (reply["id"], reply["ok"], reply["error"]["kind"]) == (known, False, "bad-text"), text[:60]
    for number in (-1, 2**63, 10**40):
        assert tab.refused("play", step=number, move="1B1") == "stale"
        assert tab.refused("answer", offer=number, yes=True) == "stale"
        assert tab.refused("resign", seat=number) == "not-allowed"
        assert tab.refused("rename", seat=number, name="X") == "not-allowed"
    tab.done("play", move=legal_texts(tab.state)[0])


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ("", 1008),
        ("garbage", 1008),
        ("[]", 1008),
        ('{"type":"play","id":"a","step":1,"move":"1B1"}', 1008),
        ('{"type":"ping"}', 1008),
        ('{"type":"hello","token":"short"}', 1008),
        ('{"type":"hello","token":"' + "G" * 32 + '"}', 1008),
        ('{"type":"hello","token":"' + "A" * 32 + '"}', 1008),
        ('{"type":"hello","token":7}', 1008),
        ('{"type":"hello","after":"1"}', 1008),
        ('{"type":"hello","' + "x" * 400 + '":1}', 1008),
        ('{"type":"hello","' + "ü" * 400 + '":1}', 1008),
        ('{"type":"hello","version":1}', 4426),
    ],
)
def test_an_invalid_hello_closes_the_socket(hello: str, code: int, anna: Person, tabs: Tabs) -> None:
    anna.make()
    tab = tabs(anna, greet=False)
    tab.socket.send(hello)
    closed, reason = tab.end()
    assert closed == code
    assert reason


def test_an_unknown_table_closes_the_socket(server: ServerProcess, tabs: Tabs) -> None:
    nobody = Person(server, table="a" * 12)
    tab = tabs(nobody, greet=False)
    tab.send(type="hello")
    assert tab.end()[0] == 4404


def test_all_tabs_of_a_seat_get_every_event_and_each_may_move(anna: Person, tabs: Tabs) -> None:
    anna.make(seats=AGAINST_BOT)
    first, second, third = tabs(anna), tabs(anna), tabs(anna)
    number = first.done("start")
    for tab in (second, third):
        tab.until_seen(number)
        assert tab.state["you"] == [0]
    while second.state["actor"] != 0:
        second.receive()
    number = second.done("play", move=legal_texts(second.state)[0])
    second.close()
    for tab in (first, third):
        tab.until_seen(number)
    while not first.state.get("moves"):
        first.receive()
    first.done("play", move=legal_texts(first.state)[0])


def _numbers(message: dict[str, Any]) -> list[int]:
    return [event["seq"] for event in message["events"]]


def test_a_returning_client_gets_exactly_the_missed_events(playing: tuple[Tab, Tab], anna: Person, tabs: Tabs) -> None:
    mover, other = playing
    known = mover.state["seq"]
    last = 0
    for text in ("one", "two", "three"):
        last = other.done("say", text=text)
    back = tabs(anna, after=known)
    assert back.welcome["fresh"] is False
    assert _numbers(back.welcome) == [known + 1, known + 2, known + 3]
    assert [event["text"] for event in back.welcome["events"]] == ["one", "two", "three"]
    assert "history" not in back.welcome
    assert _numbers(tabs(anna, after=last).welcome) == []
    assert _numbers(tabs(anna, after=known, chat=False).welcome) == []


def test_a_client_that_is_far_behind_or_wrong_gets_a_fresh_view(
    playing: tuple[Tab, Tab], anna: Person, tabs: Tabs
) -> None:
    mover, other = playing
    for number in range(30):
        other.done("say", text=str(number))
    last = other.done("say", text="last")
    for after in (0, 2, last + 1, -5, 10**30):
        back = tabs(anna, after=after)
        assert back.welcome["fresh"] is True, after
        assert back.welcome["events"] == []
        assert len(back.welcome["history"]) == back.state["plies"]
        assert back.welcome["chat_history"][-1]["text"] == "last"
    assert mover.state["step"] == back.state["step"]


def test_names_and_chat_are_text_and_never_markup(anna: Person, tabs: Tabs) -> None:
    name, line = "<b>&\"Anna'</b>", "<script>alert(1)</script>"
    made = anna.make(seats=[{"kind": "me", "name": name}, {"kind": "open"}], public=True)
    tab = tabs(anna)
    tab.done("say", text=line)
    assert tabs(anna).welcome["chat_history"] == [{"seat": 0, "text": line}]
    responses = [
        anna.get(),
        anna.http.get("/api/lobby"),
        anna.get("/record"),
        anna.http.get(made["invite"]),
        anna.http.get("/api"),
    ]
    for response in responses:
        kind = response.headers["content-type"].split(";")[0]
        assert response.headers["x-content-type-options"] == "nosniff"
        if kind == "application/json":
            assert name in (response.json().get("seats") or response.json()["tables"][0]["seats"])[0].values()
        elif kind == "text/html":
            assert name not in response.text
        else:
            assert kind == "text/plain"
