"""Chat: short lines of text, so many of them, and only where it is wanted. And the limit of all events."""

from __future__ import annotations

import pytest

from tests.table.driving import Room, kinds, short
from tests.table.test_founding import NO_NAMES
from tilery.table import handling
from tilery.table.commands import Leave, Offer, Play, Rename, Resign, Say, Start
from tilery.table.words import LONGEST_CHAT, MOST_CHAT


@pytest.mark.parametrize("start", [False, True])
def test_who_sits_here_writes(start: bool) -> None:
    room = Room("aba", start=start)
    room.do("b", Say, text="  good \n luck ")
    room.do("a", Say, text="x" * LONGEST_CHAT)
    assert list(room.table.chat) == [(1, "good luck"), (0, "x" * LONGEST_CHAT)]
    assert room.table.said == 2
    room.refused("c", Say, "not-seated", text="hey")
    room.refused("", Say, "not-seated", text="hey")


def test_chat_goes_on_after_the_game() -> None:
    room = Room("ab")
    room.do("a", Resign)
    room.do("b", Say, text="thanks")
    room.do("a", Say, text="well played")
    assert room.table.said == 2


@pytest.mark.parametrize("text", [text for text in NO_NAMES if len(text.strip()) < 10] + ["x" * 301], ids=short)
def test_what_cannot_be_shown_honestly_is_refused(text: str) -> None:
    Room("ab").refused("a", Say, "bad-text", text=text)


def test_markup_is_text() -> None:
    room = Room("ab")
    room.do("a", Say, text="<script>alert('\"\\')</script> **&amp;**")
    assert room.table.chat[0][1] == "<script>alert('\"\\')</script> **&amp;**"


def test_a_table_without_chat_refuses_it() -> None:
    Room("ab", chat=False).refused("a", Say, "not-allowed", text="hey")


def test_a_table_takes_so_many_lines() -> None:
    room = Room("ab")
    for line in range(MOST_CHAT):
        room.do("ab"[line % 2], Say, text=str(line))
    assert room.table.said == MOST_CHAT
    assert len(room.table.chat) == 50
    room.refused("a", Say, "full", text="one more")
    room.move()


def test_a_full_table_is_only_played_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handling, "MOST_EVENTS", 8)
    room = Room("ab")
    while room.table.number < 8:
        room.do("a", Rename, name="Ada")
    for kind, fields in ((Say, {"text": "hey"}), (Rename, {"name": "x"}), (Offer, {"what": "draw"}), (Leave, {})):
        room.refused("a", kind, "full", **fields)
    room.refused("a", Start, "full")
    room.finish()
    assert room.table.result is not None
    room.refused("a", Offer, "full", what="rematch")


def test_one_can_resign_from_a_full_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handling, "MOST_EVENTS", 3)
    room = Room("ab")
    room.refused("a", Play, "not-a-move", move="nonsense")
    assert kinds(room.do("a", Resign)) == ["resigned", "revealed"]
