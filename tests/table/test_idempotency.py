"""A command that is sent twice is carried out once, and gets the same result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.notation import texts
from tests.table.table_driver import TableDriver, event_types, short, snapshot
from tilery.games import game
from tilery.table.commands import Answer, AnyCommand, Arrange, Leave, Offer, Play, Rename, Resign, Say, Sit, Start
from tilery.table.handler import Handled
from tilery.table.state import COMMAND_BITS, Table, fold


def repeat(driver: TableDriver, person: str, kind: type[AnyCommand], **fields: Any) -> None:
    """Send a command several times, also after a restart."""
    first = driver.table.number + 1
    driver.do(person, kind, id="again", **fields)
    assert driver.table.number >= first
    for table in (driver.table, fold("T", driver.log, game)):
        before = snapshot(table)
        old, driver.table = driver.table, table
        # Only the id counts; the other fields are not read.
        for command in (driver.command(kind, id="again", **fields), driver.command(Play, id="again", move="nonsense")):
            assert driver.handle(person, command) == Handled(repeated=first)
        assert snapshot(table) == before
        driver.table = old


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
    repeat(TableDriver(seats, start=start), person, kind, **fields)


def test_a_repeated_move_is_made_once_even_if_it_is_legal_again() -> None:
    driver = TableDriver("aa", "schokoly")
    repeat(driver, "a", Play, move=texts(driver.table.position)[0])
    driver.move()
    assert (
        driver.handle("a", driver.command(Play, id="again", move=texts(driver.table.position)[0])).repeated is not None
    )


def test_repeating_the_last_move_repeats_nothing() -> None:
    driver = TableDriver("aa", "schokoly")
    while driver.table.position.play(texts(driver.table.position)[0]).outcome is None:
        driver.move()
    repeat(driver, "a", Play, move=texts(driver.table.position)[0])


def test_repeating_an_answer_repeats_nothing() -> None:
    driver = TableDriver("ab")
    offer = driver.offer("a", "draw")
    repeat(driver, "b", Answer, offer=offer, yes=True)
    repeated = driver.offer("a", "rematch")
    driver.do("b", Answer, id="next", offer=repeated, yes=True)
    assert driver.handled.new is not None
    again = driver.handle("b", driver.command(Answer, id="next", offer=repeated, yes=True))
    assert again.new is None
    assert again.repeated is not None


def test_the_same_id_from_another_person_is_another_command() -> None:
    driver = TableDriver("ab")
    driver.do("a", Say, id="x", text="one")
    assert event_types(driver.do("b", Say, id="x", text="two")) == ["said"]
    assert driver.table.chat_count == 2
    assert driver.handle("a", driver.command(Say, id="x", text="three")).repeated == driver.table.number - 1
    assert driver.handle("b", driver.command(Say, id="x", text="three")).repeated == driver.table.number


def test_the_same_id_from_a_bot_is_another_command() -> None:
    driver = TableDriver("a*")
    driver.do("a", Play, id="x", move=texts(driver.table.position)[0])
    assert event_types(driver.do("", Play, by_bot=1, id="x", move=texts(driver.table.position)[0]))[0] == "played"


def test_a_refused_command_can_be_sent_again() -> None:
    driver = TableDriver("ab")
    driver.refused("b", Play, "not-your-turn", id="x", move="1B1")
    driver.move_without_chance()
    driver.do("b", Play, id="x", move=texts(driver.table.position)[0])


def test_every_command_of_a_whole_game_is_remembered_and_no_other() -> None:
    driver = TableDriver("ab")
    while driver.table.status == "playing":
        driver.move()
    for table in (driver.table, fold("T", driver.log, game)):
        first: dict[tuple[str, str], int] = {}
        for number, event in enumerate(driver.events, start=1):
            first.setdefault((event.by, event.id), number)
        known = {key: number for key, number in first.items() if key[1]}
        assert len(known) > 30
        assert {key: table.first_event_of(*key) for key in known} == known
        table._command_bits = (1 << COMMAND_BITS) - 1  # as if all hashes had these bits: then the hashes are searched
        for number in range(1000):
            assert table.first_event_of(driver.table.seats[0].who, f"new{number}") is None
        assert {key: table.first_event_of(*key) for key in known} == known


def test_a_repeat_gives_the_first_event_of_a_return() -> None:
    driver = TableDriver("ab")
    driver.do("b", Leave)
    repeat(driver, "b", Say, text="back")


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "a/b", "x" * 65, "ä", "\ud800", "a\n", "x" * 10**6, "\x00"], ids=short
)
def test_ids_are_short_words(name: str) -> None:
    problem = TableDriver("ab").refused("a", Say, "bad-text", id=name, text="hey")
    assert "id" in str(problem)


def test_an_id_of_64_letters_is_fine() -> None:
    driver = TableDriver("ab")
    driver.do("a", Say, id="A-z_09" + "x" * 58, text="hey")
    assert isinstance(driver.table, Table)
