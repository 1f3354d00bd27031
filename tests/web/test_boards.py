"""Features of boards besides moves: zoom, overlay, explanations of special factories, announcements."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.page_checks import accessibility_problems, overflows
from tests.web.people import PHONE, Browsers
from tests.web.play import take_turn, wait_for_turn


def test_the_table_of_cards_can_be_moved_and_zoomed(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.at(ann.api.play_until(ann.api.start_table("schokoly", "me Ann", "bot random", plies=12), "place"))
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


def test_sizes_of_groups_are_shown_as_an_overlay(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.play_until(ann.api.start_table("schokoly", "me Ann", "me Ben", plies=30), "place")
    ann.at(table).act("lift")
    groups = ann.api.state(table)["position"]["groups"]
    before = ann.page.locator("[data-world] text").count()
    ann.act("overlay")
    shown = ann.page.locator("[data-world] text")
    expect(shown.first).to_be_visible()
    sizes = {text.strip() for text in shown.all_text_contents()}
    assert shown.count() > before
    assert str(max(group["size"] for group in groups)) in sizes
    assert ann.settings()["overlay"] is True


def test_special_factories_explain_themselves(browsers: Browsers) -> None:
    ann = browsers.person(device="touch", size=PHONE)
    ann.at(ann.api.start_table("chocolatier", "me Ann", "bot random", variant="specials"))
    wait_for_turn(ann)
    signs = ann.page.locator("[data-at^='disc:'] button[aria-expanded]")
    expect(signs.first).to_be_visible()
    for number in range(signs.count()):
        ann.device.press(signs.nth(number))
        expect(signs.nth(number)).to_have_attribute("aria-expanded", "true")
        meaning = str(signs.nth(number).get_attribute("aria-label")).partition(": ")[2]
        assert len(meaning.split()) > 4
        expect(ann.page.get_by_text(meaning).first).to_be_visible()
        assert not overflows(ann.page)
        ann.page.keyboard.press("Escape")


def test_moves_are_announced_to_screen_readers(browsers: Browsers) -> None:
    ann = browsers.person(device="keys", settings={"text": True})
    ann.at(ann.api.start_table("azul", "me Ann", "bot random"))
    wait_for_turn(ann)
    ann.page.evaluate(
        """() => {
      window.announced = [];
      for (const one of document.querySelectorAll('[aria-live]'))
        new MutationObserver(() => window.announced.push(one.textContent.trim())).observe(one,
          {childList: true, characterData: true, subtree: true});
    }"""
    )
    take_turn(ann, "azul")
    wait_for_turn(ann)
    announced = ann.wait_for_script("window.announced.join(' ').includes('Your turn') && window.announced.join(' ')")
    assert re.search(r"Random takes \d+ \w+ tiles? from", announced), announced


def test_dialogs_are_accessible_and_fit_on_a_phone(browsers: Browsers) -> None:
    ann = browsers.person(device="touch", size=PHONE, language="ru")
    ann.at(ann.api.start_table("azul", "me Ann", "bot random", plies=2))
    wait_for_turn(ann)
    bad = []
    for act in ("resign", "toggles", "type-move", "keys"):
        button = ann.find("act", act)
        if not button.first.is_visible():
            ann.device.press(ann.page.locator(".tabs button").last)
        ann.act(act)
        expect(ann.page.locator("dialog[open]")).to_be_visible()
        bad += [f"{act}: {what}" for what in accessibility_problems(ann.page) + overflows(ann.page)]
        ann.page.keyboard.press("Escape")
        expect(ann.page.locator("dialog[open]")).to_have_count(0)
    assert not bad, "\n".join(bad)
