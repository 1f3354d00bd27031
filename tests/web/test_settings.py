"""Settings are stored on the device, and they take effect."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.people import Browsers
from tests.web.play import wait_for_turn


def test_every_setting_is_stored_at_once_and_for_the_next_visit(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.visit("/settings")
    page = ann.page
    before = ann.settings()
    switches = page.locator("main [role=switch]")
    assert switches.count() >= 6
    for number in range(switches.count()):
        ann.device.press(switches.nth(number))
    for name, value in (("theme", "contrast"), ("confirm", "countdown"), ("speed", "slow"), ("language", "ro")):
        ann.device.press(page.locator(f"label:has(input[name={name}][value={value}])"))
    page.locator("main input[type=text]").fill("Ștefan")
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    expect(page.locator("html")).to_have_attribute("lang", "ro")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    expect(page.locator("html")).to_have_attribute("lang", "ro")
    now = ann.settings()
    assert (now["theme"], now["confirm"], now["speed"], now["name"]) == ("contrast", "countdown", "slow", "Ștefan")
    for name in ("patterns", "counts", "overlay", "text", "sound", "chat"):
        assert now[name] != before.get(name, name not in ("overlay", "text")), name
    expect(page.locator("main input[type=text]")).to_have_value("Ștefan")


@pytest.mark.parametrize("dark", [False, True])
def test_the_default_theme_is_that_of_the_device(browsers: Browsers, dark: bool) -> None:
    ann = browsers.person(dark=dark)
    ann.visit("/")
    expect(ann.page.locator("html")).to_have_attribute("data-theme", "dark" if dark else "light")


def test_the_language_can_be_changed_in_the_header_of_every_page(browsers: Browsers) -> None:
    ann = browsers.person(language="ru")
    ann.visit("/")
    heading = ann.page.locator("main h1").inner_text()
    ann.find("act", "language").select_option("uk")
    expect(ann.page.locator("html")).to_have_attribute("lang", "uk")
    expect(ann.page.locator("main h1")).not_to_have_text(heading)
    ann.visit("/rules/azul")
    expect(ann.page.locator("html")).to_have_attribute("lang", "uk")


def test_patterns_counts_and_the_text_board_are_switched_at_the_table(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.at(ann.api.start_table("azul", "me Ann", "bot random"))
    wait_for_turn(ann)
    expect(ann.page.locator(".counts-place")).to_be_visible()
    ann.act("toggles")
    ann.page.locator("dialog[open]").wait_for()
    for name in ("counts", "patterns", "text"):
        ann.device.press(ann.page.locator("dialog[open] label").filter(has=ann.find("act", f"set-{name}")))
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator(".counts-place")).to_have_count(0)
    expect(ann.find("text", "move")).to_be_visible()
    assert ann.settings()["patterns"] is False
    ann.page.keyboard.press("t")  # the shortcut for the same setting
    expect(ann.find("text", "move")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_main_button_keeps_its_colours_under_the_mouse(browsers: Browsers, theme: str) -> None:
    ann = browsers.person(settings={"theme": theme}).visit("/new/bot")
    button = ann.page.locator("button.main").first
    expect(button).to_be_enabled()
    colours = "one => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]"
    before = button.evaluate(colours)
    button.hover()
    ann.page.wait_for_timeout(200)  # a button may fade
    assert button.evaluate(colours) == before
