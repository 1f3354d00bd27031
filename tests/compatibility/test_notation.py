"""Chocolatier was written in the letters of Azul until version 2 of its notation (MC-20): old texts are still read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.notation import texts
from tilery import BadText, Position, Stream, game, read_record
from tilery.server.integrity import find_problem
from tilery.server.store.inspection import walk
from tilery.table.commands import Play
from tilery.table.events import Event, Played, Started, read_event, write_event
from tilery.table.fairness import Dealer
from tilery.table.handler import CommandContext, handle
from tilery.table.state import fold

FOLDER = Path(__file__).parent / "0.1.0"
TABLES = {name: (secret, log) for name, secret, log in walk(str(FOLDER / "store.db"))}


def in_current_notation(text: str) -> str:
    """The text of a record in the letters of today: those of Chocolatier have changed (MC-20)."""
    if '[Game "chocolatier"]' not in text:
        return text
    tags, plies = text.split("\n\n", 1)
    tags = tags.replace('[Tilery "1"]', '[Tilery "2"]')
    return f"{tags}\n\n{plies.translate(str.maketrans('YRW', 'NWR'))}"


OLD_RECORD = (FOLDER / "records" / "chocolatier.tilery").read_text(encoding="utf-8")


def versions_in(events: Iterable[Event]) -> list[int]:
    return [event.version for event in events if isinstance(event, Started | Played)]


def test_an_old_record_is_read_by_its_version() -> None:
    record = read_record(OLD_RECORD)
    assert record.text == in_current_notation(OLD_RECORD)
    assert "1. 3=magnetR 5=keeper +BWRR +BNRR +BBWR +NNWR +BNRR\n1B1 3B2 2NF CW3 CR5 4N5" in record.text
    assert read_record(record.text) == record
    assert record.game is game("chocolatier")


def test_a_record_of_the_other_version_is_not_misread() -> None:
    """Yellow and brown exist in one version only; white and red in both, for different kinds."""
    new_record = read_record(OLD_RECORD).text
    with pytest.raises(BadText, match=r"in '.BRWW' the colours are written in the order BNWKR"):
        read_record(OLD_RECORD.replace('[Tilery "1"]', '[Tilery "2"]'))
    with pytest.raises(BadText, match=r"in '.BWRR' the colours are written in the order BYRKW"):
        read_record(new_record.replace('[Tilery "2"]', '[Tilery "1"]'))
    with pytest.raises(BadText, match="line 1, column 10: in the tag Tilery: this is format '3', expected 2"):
        read_record(OLD_RECORD.replace('[Tilery "1"]', '[Tilery "3"]'))


def test_an_old_position_is_read_by_the_version_of_its_record() -> None:
    chocolatier = game("chocolatier")
    start = chocolatier.new().settle(Stream("old position"))
    old = Position(chocolatier.in_version(1), start.row)
    assert "Y" in old.text
    tags = [("Tilery", "1"), ("Game", "chocolatier"), ("Rules", "2,specials"), ("Position", old.text)]
    tags += [("Seat1", "Ann"), ("Seat2", "Ben"), ("Result", "*")]
    record = read_record("".join(f'[{name} "{value}"]\n' for name, value in tags) + f"\n1. {texts(old)[0]}\n")
    assert record.start == start
    assert [ply.action for ply in record.plies] == start.actions()[:1]
    assert old.text not in record.text


def test_an_old_table_is_read_and_checked() -> None:
    secret, log = TABLES["chocolatier"]
    assert '"3=magnetW"' in "".join(log)
    table = fold("chocolatier", log, game)
    assert table.record() == read_record(OLD_RECORD)
    assert table.position.game is game("chocolatier")
    assert versions_in([event for _, event in table.recent]) == [2] * 7  # translated, for clients that reconnect
    assert "3=magnetR" in str(table.recent)
    assert find_problem("chocolatier", secret, log) == ""


def test_a_table_goes_on_in_the_current_notation() -> None:
    """The old events stay as they were stored; every event says in which version it is written."""
    secret, log = TABLES["chocolatier"]
    stored = list(log)
    table = fold("chocolatier", stored, game)
    dealer = Dealer(secret)
    while table.actor is not None and table.plies < 60:
        command = Play(id=f"new{table.number}", step=table.step, move=table.position.moves()[-1].text)
        key, now = table.seats[table.actor].key, table.turn_began + 1.0
        handled = handle(CommandContext(table, command, key, None, now, dealer, lambda: ("", b""), lambda _: None))
        for event in handled.events:
            table.apply(event)
            stored.append(write_event(event))
    assert set("".join(ply.text for ply in table.record().moves())) & set("N")
    assert fold("chocolatier", stored, game).record() == table.record()
    versions = versions_in([read_event(text) for text in stored])
    assert versions == [1] * 7 + [2] * (len(versions) - 7)
    assert find_problem("chocolatier", secret, stored) == ""


def test_moves_of_other_games_are_stored_without_a_version() -> None:
    event = Played(at=0.0, by="", id="", seat=0, move="1B1", deals=())
    assert "version" not in json.loads(write_event(event))
    assert json.loads(write_event(replace(event, version=2)))["version"] == 2
    assert game("azul").version == game("schokoly").version == 1
