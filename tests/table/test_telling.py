"""What people are told: all they may know, nothing they may not, and exactly what they have missed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.table.driving import SECRET, Room, key_of, who_of
from tilery.core.kernel.actors import SPECTATOR
from tilery.games import GAMES
from tilery.table.commands import Leave, Offer, Play, Resign, Say, Start
from tilery.table.refusing import TableRefused
from tilery.table.state import RECENT, Happening
from tilery.table.telling import Telling, card_of, eyes, history_of, seen_record, told, told_refusal

GAMES_PLAYED = [
    ("azul", "ab", "grey"),
    ("azul", "a*b", "specials"),
    ("chocolatier", "abcd", ""),
    ("schokoly", "ab", ""),
    ("schokoly", "abc", "swap"),
    ("schokoly", "aab", ""),
    ("schokoly", "abcd", "large"),
]


def update(room: Room, happenings: list[Happening], person: str, *, chat: bool = True) -> dict[str, Any]:
    words: dict[str, Any] = json.loads(Telling(room.table, room.now).update(happenings, who_of(person), chat=chat).text)
    return words


def welcome(room: Room, person: str, after: int | None = None, *, chat: bool = True) -> dict[str, Any]:
    telling = Telling(room.table, room.now)
    words: dict[str, Any] = json.loads(telling.welcome(who_of(person), after=after, chat=chat, heartbeat=25.0).text)
    return words


def fields_of(value: Any) -> set[str]:
    """All names in a message."""
    if isinstance(value, dict):
        return set(value).union(*map(fields_of, value.values()))
    return set().union(*map(fields_of, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_nobody_is_told_secrets_tokens_or_commands(name: str, seats: str, variant: str) -> None:
    room = Room(seats, name, variant=variant, start=False)
    people = [*dict.fromkeys(seats.replace("*", "")), "x", ""]
    for number in range(46):
        if room.table.status == "open":
            happenings = room.do("a", Start, id="command-0", entropy="cafe")
        elif number % 9 == 5:
            happenings = room.do("b", Say, id=f"command-{number}", text="hey")
        elif number % 13 == 7 and room.table.offer is None and "*" not in seats:
            happenings = room.do("a", Offer, id=f"command-{number}", what="draw")
        elif number == 44:
            happenings = room.do("b", Resign, id=f"command-{number}")
        elif number == 45 and room.table.status == "playing":
            happenings = room.do("a", Resign, id=f"command-{number}", seat=0)
        elif room.table.status == "playing":
            moves = room.table.position.moves()
            bot = room.actor if room.table.seats[room.actor].bot else None
            move = moves[number * 5 % len(moves)]
            happenings = room.do(room.turn_of, Play, by_bot=bot, id=f"command-{number}", move=move)
        over = room.table.status == "over"
        for person in people:
            telling = Telling(room.table, room.now)
            who = who_of(person)
            texts = [telling.update(happenings, who, chat=True).text, card_of(room.table)]
            for after in (None, 0, room.table.number - 3) if number % 4 == 0 or number > 40 else ():
                texts.append(telling.welcome(who, after=after, chat=True, heartbeat=1.0).text)
            for text in texts:
                assert (SECRET.hex() in text) == (over and text is not texts[1])
                assert "command-" not in text
                assert not any(key_of(letter)[:16] in text for letter in "abcd")
                words = json.loads(text)
                assert not {"key", "keys", "ahead", "id"} & fields_of(words)
                for event in words.get("events", ()):
                    assert "by" not in event
                    assert "host" not in event
                if name == "schokoly" and "state" in words and not over:
                    check_hands(room, words["state"], person)


def check_hands(room: Room, state: dict[str, Any], person: str) -> None:
    """Of other hands only cards are shown that were swapped with this seat."""
    mine = state["viewer"]
    position = room.table.position.view
    known = {pair["holder"]: pair["known"] for pair in position["known"] if pair["viewer"] == mine}
    assert state["position"]["stack"] is None or room.table.position.view["left"] == 0
    assert state["you"] == room.table.seats_of(who_of(person))
    for seat, hand in enumerate(state["position"]["hands"]):
        shown = [card for card in hand if card != "?"]
        if seat == mine:
            assert hand == list(position["hands"][seat])
        else:
            assert shown == list(known.get(seat, ()))


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_who_comes_back_is_told_exactly_what_was_missed(name: str, seats: str, variant: str) -> None:
    room = Room(seats, name, variant=variant)
    told_live: dict[str, dict[int, Any]] = {person: {} for person in (*seats.replace("*", ""), "x")}
    for turn in range(30):
        happenings = room.move(turn * 3)
        if room.table.status != "playing":
            break
        if turn % 4 == 0:
            happenings += room.do("a", Say, text=f"turn {turn}")
        for person, live in told_live.items():
            if name == "schokoly" and person == "a" and seats == "aab":
                continue  # looks with other eyes from turn to turn
            live.update((event["seq"], event) for event in update(room, happenings, person)["events"])
    if room.table.status != "playing":
        return
    last = room.table.number
    for person, live in told_live.items():
        for after in range(-2, last + 3):
            words = welcome(room, person, after)
            known = last - RECENT <= after <= last and after >= 0
            assert words["fresh"] is not known
            assert words["state"] == room.state(person)
            assert (words["type"], words["version"], words["heartbeat"]) == ("welcome", 1, 25.0)
            if known:
                assert [event["seq"] for event in words["events"]] == list(range(after + 1, last + 1))
                assert "history" not in words
                for event in words["events"]:
                    assert live.get(event["seq"], event) == event
            else:
                assert words["events"] == []
                assert len(words["history"]) == room.table.plies
        assert welcome(room, person)["fresh"] is True


@pytest.mark.parametrize(("name", "seats", "variant"), GAMES_PLAYED)
def test_history_is_the_game_as_the_viewer_saw_it(name: str, seats: str, variant: str) -> None:
    room = Room(seats, name, variant=variant)
    for turn in range(12):
        room.move(turn * 3)
    record = room.table.record()
    for person in (*seats.replace("*", ""), "x"):
        seen = record.seen_by(eyes(room.table, who_of(person)))
        history = welcome(room, person)["history"]
        assert history == [[actor, move] for actor, move in history_of(seen)]
        assert [actor for actor, _ in history] == [ply.actor for ply in record.plies]
    room.do("b", Resign)
    if room.table.status == "over":
        assert welcome(room, "x")["history"] == [[actor, move] for actor, move in history_of(record)]


def test_with_whose_eyes_a_person_looks() -> None:
    room = Room("aba", "schokoly")
    for _ in range(9):
        actor = room.actor
        assert eyes(room.table, who_of("a")) == (actor if actor in (0, 2) else 0)
        assert eyes(room.table, who_of("b")) == 1
        assert eyes(room.table, who_of("x")) == eyes(room.table, "") == SPECTATOR
        assert room.state("a")["viewer"] == (actor if actor in (0, 2) else 0)
        assert room.state("x")["viewer"] is None
        room.move()


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_listed_for_whose_turn_it_is(name: str) -> None:
    room = Room("ab*", name)
    for _ in range(12):
        for person in ("a", "b", "x", ""):
            state = room.state(person)
            if person and person == room.turn_of:
                assert state["moves"] == room.table.position.moves()
            else:
                assert "moves" not in state
        room.move()


def test_who_resigned_is_given_no_moves() -> None:
    room = Room("abc")
    room.do("a", Resign)
    state = room.state("a")
    assert "moves" not in state
    assert state["you"] == [0]
    assert state["seats"][0] == {"kind": "bot", "name": "Anna", "bot": "greedy", "gone": False, "lost": "resigned"}


def test_the_state_of_an_open_table() -> None:
    room = Room("a.*", clock={"days": 3}, public=True, start=False)
    state = room.state("a")
    assert (state["status"], state["position"], state["actor"], state["plies"]) == ("open", None, None, 0)
    assert (state["host"], state["you"], state["public"], state["chat"]) == (True, [0], True, True)
    assert [seat["kind"] for seat in state["seats"]] == ["person", "open", "bot"]
    assert (state["seq"], state["step"], state["offer"]) == (1, 1, None)
    assert {"secret", "entropy", "result", "rematch", "before"}.isdisjoint(state)
    other = room.state("x")
    assert (other["host"], other["you"], other["viewer"]) == (False, [], None)
    assert room.state("")["host"] is False
    assert welcome(room, "x")["history"] == []


def test_the_state_of_a_finished_game_has_everything() -> None:
    for name in GAMES:
        room = Room("ab", name)
        room.finish(3)
        for person in ("a", "x", ""):
            state = room.state(person)
            assert state["secret"] == SECRET.hex()
            assert state["entropy"] == "01,cafe"
            assert state["position"] == json.loads(room.table.position.json())
            assert state["result"]["scores"] == list(room.table.position.scores())
            assert state["breakdown"]
            assert state["breakdown"][-1]["points"] == state["result"]["scores"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", ["ab", "abc", "abcd"])
def test_a_game_can_end_at_any_moment_and_is_told(name: str, seats: str) -> None:
    """Scores and breakdown are there for unfinished games too."""
    room = Room(seats, name)
    for turn in range(10):
        fold_of = Room(seats, name)
        for earlier in range(turn):
            fold_of.move(earlier * 7)
        fold_of.agree("a", "draw", seats[1:])
        assert fold_of.state("x")["result"]["ended_by"] == "draw"
        assert seen_record(fold_of.table, "").text
    assert room.table.status == "playing"


def test_a_closed_table_is_told() -> None:
    room = Room("a.", "schokoly", start=False)
    happenings = room.do("a", Leave)
    assert [event["type"] for event in update(room, happenings, "a")["events"]] == ["left", "closed"]
    assert room.state("a")["status"] == "closed"
    assert welcome(room, "x")["state"]["status"] == "closed"


def test_chat_is_hidden_on_wish() -> None:
    room = Room("ab")
    before = room.table.number
    happenings = room.do("a", Say, text="unwanted words")
    happenings += room.do("b", Say, text="more unwanted words")
    for person in ("a", "b", "x"):
        assert update(room, happenings, person, chat=False)["events"] == []
        for after in (None, before, 0):
            assert "unwanted" not in json.dumps(welcome(room, person, after, chat=False))
        assert [event["text"] for event in update(room, happenings, person)["events"]] == [
            "unwanted words",
            "more unwanted words",
        ]
        assert welcome(room, person)["chatter"] == [
            {"seat": 0, "text": "unwanted words"},
            {"seat": 1, "text": "more unwanted words"},
        ]
    assert welcome(room, "a", chat=False)["chatter"] == []


def test_events_say_whose_seats_they_came_from() -> None:
    room = Room("aba")
    (event,) = update(room, room.do("a", Say, text="x"), "b")["events"]
    assert (event["who"], event["seat"], event["type"]) == ([0, 2], 0, "said")
    (event,) = update(room, room.move(), "")["events"]
    assert (event["type"], event["seat"], event["who"]) == ("played", 0, [0, 2])


def test_an_offer_is_told_with_who_has_agreed() -> None:
    room = Room("abc")
    offer = room.offer("b", "draw")
    assert room.state("x")["offer"] == {
        "offer": offer,
        "what": "draw",
        "by": [1],
        "seat": None,
        "bot": "",
        "agreed": [],
    }
    room.answer("c", offer)
    assert room.state("a")["offer"]["agreed"] == [2]


def test_what_is_said_to_all_is_the_same_for_all() -> None:
    room = Room("abc")
    states = [room.state(person) for person in ("a", "b", "c", "x")]
    for state in states:
        for name in ("you", "host", "viewer", "moves"):
            state.pop(name, None)
    assert all(state == states[0] for state in states)


def test_the_lobby_shows_little() -> None:
    room = Room("a.*", clock={"base": 60}, public=True, start=False)
    assert json.loads(card_of(room.table)) == {
        "table": "T",
        "game": "azul",
        "variant": "3,stall=10",
        "seats": [
            {"kind": "person", "name": "Anna"},
            {"kind": "open", "name": ""},
            {"kind": "bot", "name": "greedy"},
        ],
        "clock": {"base": 60, "increment": 0},
        "founded": 0.0,
    }


def test_refusals_are_told_with_code_text_and_rule() -> None:
    assert told_refusal(TableRefused("not-legal", "no", "AZ-1"), "x") == {
        "type": "answer",
        "id": "x",
        "ok": False,
        "error": {"code": "not-legal", "text": "no", "rule": "AZ-1"},
    }
    assert "rule" not in told_refusal(TableRefused("stale", "no"), None)["error"]
    assert json.loads(told({"a": "ü"}).text) == {"a": "ü"}
