"""Chat: short plain text, limited in number, and only where it is enabled. Also the limit of events."""

from __future__ import annotations

import pytest

from tests.table.table_driver import TableDriver, event_types, short
from tests.table.test_creation import BAD_NAMES
from tilery.table import handler
from tilery.table.commands import Leave, Offer, Play, Rename, Resign, Say, Start
from tilery.table.text_input import MAX_CHAT_CHARACTERS, MAX_CHAT_MESSAGES


@pytest.mark.parametrize("start", [False, True])
def test_players_can_chat(start: bool) -> None:
    driver = TableDriver("aba", start=start)
    driver.do("b", Say, text="  good \n luck ")
    driver.do("a", Say, text="x" * MAX_CHAT_CHARACTERS)
    assert list(driver.table.chat) == [(1, "good luck"), (0, "x" * MAX_CHAT_CHARACTERS)]
    assert driver.table.chat_count == 2
    driver.refused("c", Say, "not-seated", text="hey")
    driver.refused("", Say, "not-seated", text="hey")


def test_chat_continues_after_the_game() -> None:
    driver = TableDriver("ab")
    driver.do("a", Resign)
    driver.do("b", Say, text="thanks")
    driver.do("a", Say, text="well played")
    assert driver.table.chat_count == 2


@pytest.mark.parametrize("text", [text for text in BAD_NAMES if len(text.strip()) < 10] + ["x" * 301], ids=short)
def test_misleading_characters_are_refused(text: str) -> None:
    TableDriver("ab").refused("a", Say, "bad-text", text=text)


def test_markup_is_text() -> None:
    driver = TableDriver("ab")
    driver.do("a", Say, text="<script>alert('\"\\')</script> **&amp;**")
    assert driver.table.chat[0][1] == "<script>alert('\"\\')</script> **&amp;**"


def test_a_table_without_chat_refuses_it() -> None:
    TableDriver("ab", chat=False).refused("a", Say, "not-allowed", text="hey")


def test_the_number_of_chat_messages_is_limited() -> None:
    driver = TableDriver("ab")
    for line in range(MAX_CHAT_MESSAGES):
        driver.do("ab"[line % 2], Say, text=str(line))
    assert driver.table.chat_count == MAX_CHAT_MESSAGES
    assert len(driver.table.chat) == 50
    driver.refused("a", Say, "full", text="one more")
    driver.move()


def test_a_table_at_its_event_limit_accepts_only_moves_and_resignations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "MAX_EVENTS", 8)
    driver = TableDriver("ab")
    while driver.table.number < 8:
        driver.do("a", Rename, name="Ada")
    for kind, fields in ((Say, {"text": "hey"}), (Rename, {"name": "x"}), (Offer, {"what": "draw"}), (Leave, {})):
        driver.refused("a", kind, "full", **fields)
    driver.refused("a", Start, "full")
    driver.finish()
    assert driver.table.result is not None
    driver.refused("a", Offer, "full", what="rematch")


def test_a_player_can_resign_at_the_event_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "MAX_EVENTS", 3)
    driver = TableDriver("ab")
    driver.refused("a", Play, "not-a-move", move="nonsense")
    assert event_types(driver.do("a", Resign)) == ["resigned", "revealed"]
