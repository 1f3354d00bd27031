"""Games with the keyboard only, with touch only on a small phone, and by dragging."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.web.people import LAPTOP, PHONE, Browsers
from tests.web.play import play_some, play_with_bots, plies, wait_for_move, wait_for_turn


@pytest.mark.parametrize("text", [False, True], ids=["drawn", "text"])
@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_a_whole_game_with_the_keyboard_only(browsers: Browsers, game: str, text: bool) -> None:
    ann = browsers.person(device="keys", settings={"text": text})
    ann.at(ann.api.start_table(game, "me Ann", "bot greedy"))
    assert play_with_bots(ann, game) > 10


def test_specials_and_the_grey_wall_with_the_keyboard_only(browsers: Browsers) -> None:
    ann = browsers.person(device="keys", settings={"confirm": "on"})
    ann.at(ann.api.start_table("chocolatier", "me Ann", "bot greedy", variant="grey,specials"))
    play_some(ann, "chocolatier", 8)


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_a_whole_game_with_touch_only_on_a_small_phone(browsers: Browsers, game: str) -> None:
    ann = browsers.person(device="touch", size=PHONE)
    ann.at(ann.api.start_table(game, "me Ann", "bot greedy"))
    assert play_with_bots(ann, game) > 10


@pytest.mark.parametrize(("device", "size"), [("mouse", LAPTOP), ("touch", PHONE)], ids=["mouse", "touch"])
def test_tiles_can_be_dragged_to_a_line(
    browsers: Browsers, device: Literal["mouse", "touch"], size: tuple[int, int]
) -> None:
    ann = browsers.person(device=device, size=size)
    ann.at(ann.api.start_table("azul", "me Ann", "bot random"))
    for _ in range(3):
        assert wait_for_turn(ann)
        before = plies(ann)
        ann.device.drag(ann.page.locator("[data-take][data-legal]").last, ann.find("line", "F"))
        wait_for_move(ann, before)


@pytest.mark.parametrize(("device", "size"), [("mouse", LAPTOP), ("touch", PHONE)], ids=["mouse", "touch"])
def test_cards_can_be_dragged_to_the_table(
    browsers: Browsers, device: Literal["mouse", "touch"], size: tuple[int, int]
) -> None:
    ann = browsers.person(device=device, size=size, settings={"confirm": "on"})
    ann.at(ann.api.play_until(ann.api.start_table("schokoly", "me Ann", "me Ben", plies=8), "place"))
    ann.act("lift")
    for card in ann.values("card"):
        one = ann.find("card", card).first
        ann.device.press(one)
        if ann.page.locator("[data-spot][data-legal]").count():
            break
    above = 64 if device == "touch" else 0  # how far above the finger the card hovers
    ann.device.drag(one, ann.page.locator("[data-spot][data-legal]").first, below=above)
    expect(ann.find("act", "confirm")).to_be_visible()
    before = plies(ann)
    ann.act("confirm")
    wait_for_move(ann, before)
