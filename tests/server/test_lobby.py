"""Which tables a crowded lobby shows."""

from __future__ import annotations

from collections.abc import Callable

from tilery.server.lobby import CANDIDATES, LOBBY_SIZE, fair_choice

MOST = 5


def _tables(number: int) -> list[tuple[str, str]]:
    return [(f"t{at}", "{}") for at in range(number)]


def _by(creators: dict[int, str]) -> Callable[[str], str | None]:
    return lambda name: creators.get(int(name[1:]))


def test_a_lobby_with_room_shows_everything() -> None:
    tables = _tables(LOBBY_SIZE)
    assert fair_choice(tables, lambda _: "same", MOST) == tables


def test_a_crowded_lobby_shows_few_tables_of_each_creator_as_long_as_there_are_others() -> None:
    tables = _tables(CANDIDATES)
    honest = {CANDIDATES - 1: "anna", CANDIDATES - 2: "bob"}
    creators = dict.fromkeys(range(CANDIDATES), "attacker") | honest
    shown = fair_choice(tables, _by(creators), MOST)
    assert len(shown) == LOBBY_SIZE
    assert shown[-2:] == tables[-2:]
    assert shown == sorted(shown, key=tables.index)


def test_tables_of_unknown_creators_are_shown_in_turn() -> None:
    """As after a restart: the newest, and each of the others sooner or later."""
    tables = _tables(CANDIDATES)
    choices = [fair_choice(tables, lambda _: None, MOST) for _ in range(200)]
    newest = tables[: LOBBY_SIZE // 2]
    assert all(len(shown) == LOBBY_SIZE and shown[: len(newest)] == newest for shown in choices)
    assert {card for shown in choices for card in shown} == set(tables)
