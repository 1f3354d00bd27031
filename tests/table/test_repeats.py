"""A command that is sent twice is carried out once, and answered as the first time."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.driving import Room, kinds, short, snapshot
from tilery.games import game
from tilery.table.commands import Answer, AnyCommand, Arrange, Leave, Offer, Play, Rename, Resign, Say, Sit, Start
from tilery.table.handling import Handled
from tilery.table.state import Table, fold


def repeat(room: Room, person: str, kind: type[AnyCommand], **fields: Any) -> None:
    """Send a command again and again, also after a restart."""
    first = room.table.number + 1
    room.do(person, kind, id="again", **fields)
    assert room.table.number >= first
    for table in (room.table, fold("T", room.log, game)):
        before = snapshot(table)
        old, room.table = room.table, table
        # The same id is enough: the rest is not even looked at.
        for command in (room.command(kind, id="again", **fields), room.command(Play, id="again", move="nonsense")):
            assert room.ask(person, command) == Handled(repeated=first)
        assert snapshot(table) == before
        room.table = old


CASES: list[tuple[str, str, type[AnyCommand], dict[str, Any], bool]] = [
    ("a..", "b", Sit, {"name": "B"}, False),
    ("ab.", "b", Leave, {}, False),
    ("a..", "a", Leave, {}, False),
    ("ab", "a", Rename, {"name": "Ada"}, False),
    ("ab", "a", Arrange, {"seat": 1, "bot": "greedy"}, False),
    ("ab", "a", Start, {}, False),
    ("ab", "a", Say, {"text": "hey"}, True),
    ("ab", "b", Leave, {}, True),
    ("ab", "b", Resign, {}, True),
    ("abc", "b", Resign, {}, True),
    ("ab", "a", Offer, {"what": "draw"}, True),
]


@pytest.mark.parametrize(("seats", "person", "kind", "fields", "start"), CASES)
def test_every_command_is_carried_out_once(
    seats: str, person: str, kind: type[AnyCommand], fields: dict[str, Any], start: bool
) -> None:
    repeat(Room(seats, start=start), person, kind, **fields)


def test_a_move_is_made_once_though_it_would_be_legal_again() -> None:
    room = Room("aa", "schokoly")
    repeat(room, "a", Play, move=room.table.position.moves()[0])
    room.move()
    assert room.ask("a", room.command(Play, id="again", move=room.table.position.moves()[0])).repeated is not None


def test_a_last_move_and_its_revelation_are_one() -> None:
    room = Room("aa", "schokoly")
    while room.table.position.play(room.table.position.moves()[0]).outcome is None:
        room.move()
    repeat(room, "a", Play, move=room.table.position.moves()[0])


def test_an_answer_and_what_follows_from_it_are_one() -> None:
    room = Room("ab")
    offer = room.offer("a", "draw")
    repeat(room, "b", Answer, offer=offer, yes=True)
    repeated = room.offer("a", "rematch")
    room.do("b", Answer, id="next", offer=repeated, yes=True)
    assert room.handled.new is not None
    again = room.ask("b", room.command(Answer, id="next", offer=repeated, yes=True))
    assert again.new is None
    assert again.repeated is not None


def test_the_same_id_of_somebody_else_is_another_command() -> None:
    room = Room("ab")
    room.do("a", Say, id="x", text="one")
    assert kinds(room.do("b", Say, id="x", text="two")) == ["said"]
    assert room.table.said == 2
    assert room.ask("a", room.command(Say, id="x", text="three")).repeated == room.table.number - 1
    assert room.ask("b", room.command(Say, id="x", text="three")).repeated == room.table.number


def test_the_same_id_of_a_bot_is_another_command() -> None:
    room = Room("a*")
    room.do("a", Play, id="x", move=room.table.position.moves()[0])
    assert kinds(room.do("", Play, by_bot=1, id="x", move=room.table.position.moves()[0]))[0] == "played"


def test_what_was_refused_may_be_sent_again() -> None:
    room = Room("ab")
    room.refused("b", Play, "not-your-turn", id="x", move="1B1")
    room.move_without_chance()
    room.do("b", Play, id="x", move=room.table.position.moves()[0])


def test_who_comes_back_is_answered_with_the_first_of_the_events() -> None:
    room = Room("ab")
    room.do("b", Leave)
    repeat(room, "b", Say, text="back")


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "a/b", "x" * 65, "ä", "\ud800", "a\n", "x" * 10**6, "\x00"], ids=short
)
def test_ids_are_short_words(name: str) -> None:
    problem = Room("ab").refused("a", Say, "bad-text", id=name, text="hey")
    assert "id" in str(problem)


def test_an_id_of_64_letters_is_fine() -> None:
    room = Room("ab")
    room.do("a", Say, id="A-z_09" + "x" * 58, text="hey")
    assert isinstance(room.table, Table)
