"""What the boards can do beside taking moves: zoom, overlay, the meaning of special discs, words for the ear."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.looking import barriers, too_wide
from tests.web.people import PHONE, Room
from tests.web.playing import take_turn, wait_for_turn


def test_the_table_of_cards_can_be_moved_and_zoomed(room: Room) -> None:
    ann = room.person()
    ann.at(ann.clerk.until(ann.clerk.started("schokoly", "me Ann", "bot random", plies=12), "place"))
    wait_for_turn(ann)
    world = ann.page.locator("[data-world]")
    frame = ann.page.locator("[role=application]")
    place = "one => getComputedStyle(one).transform"
    seen = [world.evaluate(place)]

    def changed() -> None:
        ann.page.wait_for_function(
            "([one, before]) => getComputedStyle(one).transform !== before", arg=[world.element_handle(), seen[-1]]
        )
        seen.append(world.evaluate(place))

    box = frame.bounding_box()
    assert box is not None
    x, y = box["x"] + 30, box["y"] + box["height"] - 30
    ann.page.mouse.move(x, y)
    ann.page.mouse.wheel(0, -300)
    changed()
    ann.page.mouse.down()
    ann.page.mouse.move(x + 60, y - 40, steps=4)
    ann.page.mouse.up()
    changed()
    frame.focus()
    ann.page.keyboard.press("ArrowLeft")
    changed()
    ann.page.keyboard.press("0")
    changed()


def test_sizes_of_groups_are_an_overlay(room: Room) -> None:
    ann = room.person()
    table = ann.clerk.until(ann.clerk.started("schokoly", "me Ann", "me Ben", plies=30), "place")
    ann.at(table).act("lift")
    groups = ann.clerk.state(table)["position"]["groups"]
    before = ann.page.locator("[data-world] text").count()
    ann.act("overlay")
    shown = ann.page.locator("[data-world] text")
    expect(shown.first).to_be_visible()
    sizes = {text.strip() for text in shown.all_text_contents()}
    assert shown.count() > before
    assert str(max(group["size"] for group in groups)) in sizes
    assert ann.settings()["overlay"] is True


def test_special_discs_tell_their_meaning(room: Room) -> None:
    ann = room.person(hand="touch", size=PHONE)
    ann.at(ann.clerk.started("chocolatier", "me Ann", "bot random", variant="specials"))
    wait_for_turn(ann)
    signs = ann.page.locator("[data-at^='disc:'] button[aria-expanded]")
    expect(signs.first).to_be_visible()
    for number in range(signs.count()):
        ann.hand.press(signs.nth(number))
        expect(signs.nth(number)).to_have_attribute("aria-expanded", "true")
        meaning = str(signs.nth(number).get_attribute("aria-label")).partition(": ")[2]
        assert len(meaning.split()) > 4
        expect(ann.page.get_by_text(meaning).first).to_be_visible()
        assert not too_wide(ann.page)
        ann.page.keyboard.press("Escape")


def test_moves_are_told_to_the_ear(room: Room) -> None:
    ann = room.person(hand="keys", settings={"text": True})
    ann.at(ann.clerk.started("azul", "me Ann", "bot random"))
    wait_for_turn(ann)
    ann.page.evaluate(
        """() => {
      window.heard = [];
      for (const one of document.querySelectorAll('[aria-live]'))
        new MutationObserver(() => window.heard.push(one.textContent.trim())).observe(one,
          {childList: true, characterData: true, subtree: true});
    }"""
    )
    take_turn(ann, "azul")
    wait_for_turn(ann)
    heard = ann.promised("window.heard.join(' ').includes('Your turn') && window.heard.join(' ')")
    assert re.search(r"Random takes \w+ tiles? from", heard), heard


def test_windows_over_the_page_have_no_barriers_and_fit_on_a_phone(room: Room) -> None:
    ann = room.person(hand="touch", size=PHONE, language="ru")
    ann.at(ann.clerk.started("azul", "me Ann", "bot random", plies=2))
    wait_for_turn(ann)
    bad = []
    for act in ("resign", "toggles", "type-move", "keys"):
        button = ann.find("act", act)
        if not button.first.is_visible():
            ann.hand.press(ann.page.locator(".tabs button").last)
        ann.act(act)
        expect(ann.page.locator("dialog[open]")).to_be_visible()
        bad += [f"{act}: {what}" for what in barriers(ann.page) + too_wide(ann.page)]
        ann.page.keyboard.press("Escape")
        expect(ann.page.locator("dialog[open]")).to_have_count(0)
    assert not bad, "\n".join(bad)
