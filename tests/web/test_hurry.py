"""Moves made in a hurry, while what happened before is still being shown."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.people import Room
from tests.web.playing import take_turn, wait_for_turn


def test_skipping_what_is_shown_never_leaves_a_move_waiting(room: Room) -> None:
    ann = room.person(motion=True, settings={"speed": "slow"})
    table = ann.clerk.started("azul", "me Ann", "bot random")
    ann.at(table)
    for _ in range(2):
        assert wait_for_turn(ann)  # the second time the bot's tiles are still flying
        take_turn(ann, "azul")
    plies_now = ann.clerk.ready(table)["plies"]  # the bot has answered, and nothing of that is shown yet
    ann.page.wait_for_timeout(100)
    ann.page.keyboard.press("s")
    ann.page.wait_for_function(
        "now => Number(document.querySelector('[data-plies]').dataset.plies) === now", arg=plies_now
    )
    assert wait_for_turn(ann)
    expect(ann.page.locator("[data-take][data-legal]").first).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_main_button_keeps_its_colours_under_the_mouse(room: Room, theme: str) -> None:
    ann = room.person(settings={"theme": theme}).visit("/new/bot")
    button = ann.page.locator("button.main").first
    expect(button).to_be_enabled()
    colours = "one => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]"
    before = button.evaluate(colours)
    button.hover()
    ann.page.wait_for_timeout(200)  # a button may fade
    assert button.evaluate(colours) == before
