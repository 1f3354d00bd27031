"""Names that could be mistaken for other names, and what earlier versions have stored."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from tests.table.table_driver import TableDriver, new_table, setup_of, short
from tilery.games import game
from tilery.table import events
from tilery.table.commands import Arrange, Rename, Say, Sit, Start
from tilery.table.events import read_event, write_event
from tilery.table.state import fold
from tilery.table.text_input import read_name

HEAD = {"at": 1.0, "by": "", "id": ""}


@pytest.mark.parametrize(
    "name", ["Anna Петрова", "Пётр (Peter)", "日本 Taro", "김 Lee", "Anna ❤\ufe0f", "ΔΗΜ 2"], ids=short
)
def test_every_word_may_have_its_own_alphabet(name: str) -> None:
    assert read_name(name) == name


@pytest.mark.parametrize("name", ["Anna", "ANNA", "Аnnа", "a n n a", "𝐀𝐧𝐧𝐚", "An-na"], ids=short)
def test_nobody_takes_the_name_of_somebody_else(name: str) -> None:
    driver = TableDriver("a.", start=False)
    refused = driver.refused("b", Sit, "bad-text", name=name)
    assert refused.code in ("name-taken", "mixed-scripts")
    driver.do("b", Sit, name="Ben")
    assert driver.refused("b", Rename, "bad-text", name=name).code == refused.code
    driver.do("a", Rename, name="ANNA")  # one's own
    assert driver.refused("b", Rename, "bad-text", name="anna").code == "name-taken"


def test_one_person_may_use_a_name_twice() -> None:
    driver = TableDriver("a..", start=False)
    driver.do("b", Sit, name="Ben")
    driver.do("b", Sit, name="Ben")
    assert [seat.name for seat in driver.table.seats] == ["Anna", "Ben", "Ben"]


def test_a_name_is_free_when_its_seat_is() -> None:
    driver = TableDriver("a.", start=False)
    driver.do("b", Sit, name="Ben")
    driver.do("a", Arrange, seat=1)
    driver.do("c", Sit, name="Ben")


def test_a_rematch_keeps_the_names_that_are_there() -> None:
    driver = TableDriver("ab")
    driver.finish()
    driver.agree("a", "rematch", "b")
    assert driver.handled.new is not None
    assert driver.handled.new.event.names == ("B", "Anna")


def test_names_and_messages_of_earlier_versions_are_shown_as_what_they_are() -> None:
    """0.2.0 allowed invisible characters."""
    created = new_table(setup_of("a.", chat=True)).event
    old = [
        write_event(replace(created, names=("\u3164", ""))),
        write_event(events.Sat(**HEAD, seat=1, name="\u2800Ben", key="b" * 64, entropy="")),  # type: ignore[arg-type]
        write_event(events.Renamed(**HEAD, seat=1, name="B\u034fen")),  # type: ignore[arg-type]
        write_event(events.Said(**HEAD, seat=1, text="\u3164")),  # type: ignore[arg-type]
    ]
    assert "\u3164" in json.loads(old[0])["names"]
    table = fold("T", old, game)
    assert [seat.name for seat in table.seats] == ["\ufffd", "B\ufffden"]
    assert list(table.chat) == [(1, "\ufffd")]
    assert table.record().players == ("\ufffd", "B\ufffden")
    assert [event.name for _, event in table.recent if isinstance(event, events.Sat)] == ["\ufffdBen"]


def test_what_is_read_today_is_stored_and_read_unchanged() -> None:
    driver = TableDriver("a.", start=False)
    driver.do("b", Sit, name="Їжак ❤\ufe0f 日本")
    driver.do("b", Say, text="שָׁלוֹם ❤\ufe0f")
    driver.do("a", Start, entropy="cafe")
    for text, event in zip(driver.log, driver.events, strict=True):
        assert read_event(text) == event
