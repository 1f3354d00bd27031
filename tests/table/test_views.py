"""Views: everything that a person may see, nothing else, and after a reconnect exactly the missed events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.notation import texts
from tests.table.table_driver import SECRET, TableDriver, key_of, who_of
from tests.wire_client import LostPlace, legal_texts, next_state
from tilery.core.kernel.actors import SPECTATOR
from tilery.core.refusals import NotLegal
from tilery.games import GAMES
from tilery.table import events, wire
from tilery.table.commands import Leave, Offer, Play, Resign, Say, Start
from tilery.table.handler import Handled
from tilery.table.refusals import TableRefused
from tilery.table.state import _APPLY, RECENT
from tilery.table.views import (
    ClientMessage,
    TableViews,
    history_of,
    listener_of,
    lobby_card,
    perspective_of,
    refusal_message,
    visible_record,
)

GAMES_PLAYED = [
    ("azul", "ab", "grey"),
    ("azul", "a*b", "specials"),
    ("chocolatier", "abcd", ""),
    ("schokoly", "ab", ""),
    ("schokoly", "abc", "swap"),
    ("schokoly", "aab", ""),
    ("schokoly", "abcd", "large"),
]


def update(driver: TableDriver, person: str, *, chat: bool = True) -> dict[str, Any]:
    """The message about the last command."""
    message: dict[str, Any] = json.loads(driver.updates().update(who_of(person), chat=chat).data)
    return message


def welcome(driver: TableDriver, person: str, after: int | None = None, *, chat: bool = True) -> dict[str, Any]:
    views = TableViews(driver.table, driver.now)
    message: dict[str, Any] = json.loads(views.welcome(who_of(person), after=after, chat=chat, heartbeat=25.0).data)
    return message


def plain(value: Any) -> Any:
    """A value as it arrives."""
    return json.loads(wire.encode(value))


def fields_of(value: Any) -> set[str]:
    """All field names in a message."""
    if isinstance(value, dict):
        return set(value).union(*map(fields_of, value.values()))
    return set().union(*map(fields_of, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_messages_contain_no_secrets_tokens_or_command_ids(name: str, seats: str, variant: str) -> None:
    driver = TableDriver(seats, name, variant=variant, start=False)
    people = [*dict.fromkeys(seats.replace("*", "")), "x", ""]
    for number in range(46):
        if driver.table.status == "open":
            driver.do("a", Start, id="command-0", entropy="cafe")
        elif number % 9 == 5:
            driver.do("b", Say, id=f"command-{number}", text="hey")
        elif number % 13 == 7 and driver.table.offer is None and "*" not in seats:
            driver.do("a", Offer, id=f"command-{number}", what="draw")
        elif number == 44:
            driver.do("b", Resign, id=f"command-{number}")
        elif number == 45 and driver.table.status == "playing":
            driver.do("a", Resign, id=f"command-{number}", seat=0)
        elif driver.table.status == "playing":
            moves = texts(driver.table.position)
            bot = driver.actor if driver.table.seats[driver.actor].bot else None
            move = moves[number * 5 % len(moves)]
            driver.do(driver.turn_of, Play, by_bot=bot, id=f"command-{number}", move=move)
        over = driver.table.status == "over"
        for person in people:
            views = TableViews(driver.table, driver.now)
            who = who_of(person)
            messages = [driver.updates().update(who, chat=True).data.decode(), lobby_card(driver.table)]
            for after in (None, 0, driver.table.number - 3) if number % 4 == 0 or number > 40 else ():
                messages.append(views.welcome(who, after=after, chat=True, heartbeat=1.0).data.decode())
            for text in messages:
                assert (SECRET.hex() in text) == (over and text is not messages[1])
                assert "command-" not in text
                assert not any(key_of(letter)[:16] in text for letter in "abcd")
                message = json.loads(text)
                assert not {"key", "keys", "id"} & fields_of(message)
                for event in message.get("events", ()):
                    assert "by" not in event
                    assert "host" not in event
                if name == "schokoly" and "state" in message and not over:
                    check_hands(driver, message["state"], person)


def check_hands(driver: TableDriver, state: dict[str, Any], person: str) -> None:
    """Only the own hand is shown, and cards of other hands that were swapped with this seat."""
    mine = state["viewer"]
    position = driver.table.position.view
    known = {pair["holder"]: pair["known"] for pair in position["known"] if pair["viewer"] == mine}
    assert state["position"]["stack"] is None or driver.table.position.view["left"] == 0
    assert state["you"] == driver.table.seats_of(who_of(person))
    for seat, hand in enumerate(state["position"]["hands"]):
        shown = [card for card in hand if card != "?"]
        if seat == mine:
            assert hand == list(position["hands"][seat])
        else:
            assert shown == list(known.get(seat, ()))


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_a_client_that_reconnects_gets_exactly_the_missed_events(name: str, seats: str, variant: str) -> None:
    driver = TableDriver(seats, name, variant=variant)
    live_events: dict[str, dict[int, Any]] = {person: {} for person in (*seats.replace("*", ""), "x")}
    for turn in range(30):
        if turn % 4 == 3:
            driver.do("a", Say, text=f"turn {turn}")
        else:
            driver.move(turn * 3)
        if driver.table.status != "playing":
            break
        for person, live in live_events.items():
            live.update((event["seq"], event) for event in update(driver, person)["events"])
    if driver.table.status != "playing":
        return
    last = driver.table.number
    for person, live in live_events.items():
        for after in range(-2, last + 3):
            message = welcome(driver, person, after)
            known = last - RECENT <= after <= last and after >= 0
            assert message["fresh"] is not known
            assert message["state"] == driver.state(person)
            assert (message["type"], message["version"], message["heartbeat"]) == ("welcome", wire.VERSION, 25.0)
            if known:
                assert [event["seq"] for event in message["events"]] == list(range(after + 1, last + 1))
                assert "history" not in message
                for event in message["events"]:
                    assert live.get(event["seq"], event) == event
            else:
                assert message["events"] == []
                assert len(message["history"]) == driver.table.plies
        assert welcome(driver, person)["fresh"] is True


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_history_is_the_game_as_the_viewer_saw_it(name: str, seats: str, variant: str) -> None:
    driver = TableDriver(seats, name, variant=variant)
    for turn in range(12):
        driver.move(turn * 3)
    record = driver.table.record()
    for person in (*seats.replace("*", ""), "x"):
        listener = listener_of(driver.table, who_of(person))
        mine = driver.table.seats_of(who_of(person))
        assert listener == (mine[0] if len(mine) == 1 else SPECTATOR)
        history = welcome(driver, person)["history"]
        assert history == plain(history_of(record.seen_by(listener)))
        assert [ply["actor"] for ply in history] == [ply.actor for ply in record.plies]
    driver.do("b", Resign)
    if driver.table.status == "over":
        assert welcome(driver, "x")["history"] == plain(history_of(record))


def test_the_perspective_of_a_person() -> None:
    driver = TableDriver("aba", "schokoly")
    for _ in range(9):
        actor = driver.actor
        assert perspective_of(driver.table, who_of("a")) == (actor if actor in (0, 2) else 0)
        assert perspective_of(driver.table, who_of("b")) == 1
        assert perspective_of(driver.table, who_of("x")) == perspective_of(driver.table, "") == SPECTATOR
        assert driver.state("a")["viewer"] == (actor if actor in (0, 2) else 0)
        assert driver.state("x")["viewer"] is None
        driver.move()


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_listed_for_the_person_to_move(name: str) -> None:
    driver = TableDriver("ab*", name)
    for _ in range(12):
        for person in ("a", "b", "x", ""):
            state = driver.state(person)
            if person and person == driver.turn_of:
                assert legal_texts(state) == texts(driver.table.position)
            else:
                assert "moves" not in state
        driver.move()


def test_no_moves_are_listed_after_resigning() -> None:
    driver = TableDriver("abc")
    driver.do("a", Resign)
    state = driver.state("a")
    assert "moves" not in state
    assert state["you"] == [0]
    assert state["seats"][0] == {"kind": "bot", "name": "Anna", "bot": "greedy", "gone": False, "lost": "resigned"}


def test_the_state_of_an_open_table() -> None:
    driver = TableDriver("a.*", clock={"days": 3}, public=True, start=False)
    state = driver.state("a")
    assert (state["status"], state["position"], state["actor"], state["plies"]) == ("open", None, None, 0)
    assert (state["host"], state["you"], state["public"], state["chat"]) == (True, [0], True, True)
    assert [seat["kind"] for seat in state["seats"]] == ["person", "open", "bot"]
    assert (state["seq"], state["step"], state["offer"]) == (1, 1, None)
    assert {"secret", "entropy", "result", "rematch", "before"}.isdisjoint(state)
    other = driver.state("x")
    assert (other["host"], other["you"], other["viewer"]) == (False, [], None)
    assert driver.state("")["host"] is False
    assert welcome(driver, "x")["history"] == []


def test_the_state_of_a_finished_game_has_everything() -> None:
    for name in GAMES:
        driver = TableDriver("ab", name)
        driver.finish(3)
        for person in ("a", "x", ""):
            state = driver.state(person)
            assert state["secret"] == SECRET.hex()
            assert state["entropy"] == "01,cafe"
            assert state["position"] == json.loads(driver.table.position.json())
            assert state["result"]["scores"] == list(driver.table.position.scores())
            assert state["breakdown"]
            assert state["breakdown"][-1]["points"] == state["result"]["scores"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", ["ab", "abc", "abcd"])
def test_a_game_can_end_at_any_moment_and_has_a_view(name: str, seats: str) -> None:
    """Unfinished games have scores and a breakdown, too."""
    driver = TableDriver(seats, name)
    for turn in range(10):
        fold_of = TableDriver(seats, name)
        for earlier in range(turn):
            fold_of.move(earlier * 7)
        fold_of.agree("a", "draw", seats[1:])
        assert fold_of.state("x")["result"]["ended_by"] == "draw"
        assert visible_record(fold_of.table, "").text
    assert driver.table.status == "playing"


def test_the_state_of_a_closed_table() -> None:
    driver = TableDriver("a.", "schokoly", start=False)
    driver.do("a", Leave)
    assert [event["type"] for event in update(driver, "a")["events"]] == ["left", "closed"]
    assert driver.state("a")["status"] == "closed"
    assert welcome(driver, "x")["state"]["status"] == "closed"


def test_chat_can_be_hidden() -> None:
    driver = TableDriver("ab")
    before = driver.table.number
    driver.do("a", Say, text="more unwanted words")
    driver.do("b", Say, text="unwanted words")
    for person in ("a", "b", "x"):
        assert update(driver, person, chat=False)["events"] == []
        for after in (None, before, 0):
            assert "unwanted" not in json.dumps(welcome(driver, person, after, chat=False))
        assert [event["text"] for event in update(driver, person)["events"]] == ["unwanted words"]
        assert welcome(driver, person)["chat_history"] == [
            {"seat": 0, "text": "more unwanted words"},
            {"seat": 1, "text": "unwanted words"},
        ]
    assert welcome(driver, "a", chat=False)["chat_history"] == []


def test_events_name_the_seats_of_the_sender() -> None:
    driver = TableDriver("aba")
    driver.do("a", Say, text="x")
    (event,) = update(driver, "b")["events"]
    assert (event["who"], event["seat"], event["type"]) == ([0, 2], 0, "said")
    driver.move()
    (event,) = update(driver, "")["events"]
    assert (event["type"], event["seat"], event["who"]) == ("played", 0, [0, 2])


def test_the_state_of_an_offer_lists_who_has_agreed() -> None:
    driver = TableDriver("abc")
    offer = driver.offer("b", "draw")
    assert driver.state("x")["offer"] == {
        "offer": offer,
        "what": "draw",
        "by": [1],
        "seat": None,
        "bot": "",
        "agreed": [],
    }
    driver.answer("c", offer)
    assert driver.state("a")["offer"]["agreed"] == [2]


def test_the_shared_state_is_the_same_for_everybody() -> None:
    driver = TableDriver("abc")
    states = [driver.state(person) for person in ("a", "b", "c", "x")]
    for state in states:
        for name in ("you", "host", "viewer", "moves"):
            state.pop(name, None)
    assert all(state == states[0] for state in states)


def test_the_lobby_card() -> None:
    driver = TableDriver("a.*", clock={"base": 60}, public=True, start=False)
    assert json.loads(lobby_card(driver.table)) == {
        "table": "T",
        "game": "azul",
        "variant": "3,stall=10",
        "seats": [
            {"kind": "person", "name": "Anna"},
            {"kind": "open", "name": ""},
            {"kind": "bot", "name": "greedy"},
        ],
        "clock": {"base": 60},
        "created": 0.0,
    }


def test_refusals_have_kind_code_text_and_rule() -> None:
    refused = TableRefused.of("not-legal", NotLegal("no", "AZ-1", "line-full", {"line": 2}))
    assert plain(refusal_message(refused, "x")) == {
        "type": "reply",
        "id": "x",
        "ok": False,
        "error": {
            "kind": "not-legal",
            "code": "line-full",
            "text": "no (AZ-1)",
            "arguments": {"line": 2},
            "rule": "AZ-1",
        },
    }
    assert "rule" not in plain(refusal_message(TableRefused("stale", "game-moved-on"), None))["error"]
    umlaut = ClientMessage(refusal_message(TableRefused("not-your-turn", "turn-of-other", name="Jürgen"), None))
    assert json.loads(umlaut.data)["error"]["text"] == "it is Jürgen's turn"


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
@pytest.mark.parametrize("clock", [None, {"base": 600, "increment": 2}])
def test_changes_lead_to_the_state(name: str, seats: str, variant: str, clock: Any) -> None:
    """Whoever applies every update has what `GET /api/tables/TABLE` would answer, and less is sent."""
    driver = TableDriver(seats, name, variant=variant, clock=clock)
    people = (*dict.fromkeys(seats.replace("*", "")), "x", "")
    states: dict[str, Any] = {person: driver.state(person) for person in people}
    sent = whole = 0
    for turn in range(70):
        driver.now += 1.5
        if turn % 11 == 4:
            driver.do("a", Say, text="hey")
        elif turn < 28 and turn % 13 == 6 and driver.table.offer is None and "*" not in seats:
            driver.do("a", Offer, what="draw")
        elif turn % 29 == 28:
            driver.do("b", Leave)
        elif driver.table.status == "playing":
            driver.move(7 * turn)
        for person in people:
            message = driver.updates().update(who_of(person), chat=True).data
            states[person] = next_state(states[person], json.loads(message))
            assert states[person] == driver.state(person), (turn, person)
            sent, whole = sent + len(message), whole + len(wire.encode(driver.state(person)))
        if driver.table.status != "playing":
            break
    assert sent < whole


def test_a_client_that_has_lost_its_place_notices() -> None:
    driver = TableDriver("ab")
    driver.move()
    old = driver.state("a")
    driver.move()
    driver.move()
    with pytest.raises(LostPlace):
        next_state(old, update(driver, "a"))


def test_what_is_told_is_what_the_types_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """A field that is added to a stored event is not sent before it is added to the type of the wire."""

    class Sat(events.Sat, frozen=True, tag="sat"):
        shoe_size: str = "forty-three"

    driver = TableDriver("a.", start=False)
    sat = Sat(0.0, "b" * 32, "1", 1, "Ben", "b" * 64, "")
    monkeypatch.setitem(_APPLY, Sat, _APPLY[events.Sat])  # type: ignore[misc]
    driver.apply(Handled((sat,)))
    for person in ("a", "b", "x"):
        message = update(driver, person)
        assert message["events"] == [
            {"type": "sat", "seq": 2, "at": 0.0, "seat": 1, "name": "Ben", "entropy": "", "who": [1]}
        ]
        assert "forty" not in json.dumps(message)
    assert "forty" in driver.log[-1]
