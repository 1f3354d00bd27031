"""Games by keyboard alone, by touch alone at the width of a small phone, and by dragging."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.web.people import LAPTOP, PHONE, Room
from tests.web.playing import moved, play_some, play_with_bots, plies, wait_for_turn


@pytest.mark.parametrize("text", [False, True], ids=["drawn", "text"])
@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_a_whole_game_by_keyboard_alone(room: Room, game: str, text: bool) -> None:
    ann = room.person(hand="keys", settings={"text": text})
    ann.at(ann.clerk.started(game, "me Ann", "bot greedy"))
    assert play_with_bots(ann, game) > 10


def test_specials_and_the_grey_wall_by_keyboard_alone(room: Room) -> None:
    ann = room.person(hand="keys", settings={"confirm": "on"})
    ann.at(ann.clerk.started("chocolatier", "me Ann", "bot greedy", variant="grey,specials"))
    play_some(ann, "chocolatier", 8)


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_a_whole_game_by_touch_alone_on_a_small_phone(room: Room, game: str) -> None:
    ann = room.person(hand="touch", size=PHONE)
    ann.at(ann.clerk.started(game, "me Ann", "bot greedy"))
    assert play_with_bots(ann, game) > 10


@pytest.mark.parametrize(("hand", "size"), [("mouse", LAPTOP), ("touch", PHONE)], ids=["mouse", "touch"])
def test_tiles_can_be_dragged_to_a_line(room: Room, hand: Literal["mouse", "touch"], size: tuple[int, int]) -> None:
    ann = room.person(hand=hand, size=size)
    ann.at(ann.clerk.started("azul", "me Ann", "bot random"))
    for _ in range(3):
        assert wait_for_turn(ann)
        before = plies(ann)
        ann.hand.drag(ann.page.locator("[data-take][data-legal]").last, ann.find("line", "F"))
        moved(ann, before)


@pytest.mark.parametrize(("hand", "size"), [("mouse", LAPTOP), ("touch", PHONE)], ids=["mouse", "touch"])
def test_cards_can_be_dragged_to_the_table(room: Room, hand: Literal["mouse", "touch"], size: tuple[int, int]) -> None:
    ann = room.person(hand=hand, size=size, settings={"confirm": "on"})
    ann.at(ann.clerk.until(ann.clerk.started("schokoly", "me Ann", "me Ben", plies=8), "place"))
    ann.act("lift")
    for card in ann.values("card"):
        one = ann.find("card", card).first
        ann.hand.press(one)
        if ann.page.locator("[data-spot][data-legal]").count():
            break
    above = 64 if hand == "touch" else 0  # so far over the finger the card can be seen
    ann.hand.drag(one, ann.page.locator("[data-spot][data-legal]").first, below=above)
    expect(ann.find("act", "confirm")).to_be_visible()
    before = plies(ann)
    ann.act("confirm")
    moved(ann, before)
