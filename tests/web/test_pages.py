"""Every page: at the width of a phone in every language, at other widths, and in every theme for axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.server.running import Running
from tests.web.looking import barriers, forgotten, too_wide
from tests.web.people import LANGUAGES, LAPTOP, PHONE, TABLET, Person, Room
from tests.web.places import Places, make_places, tour
from tests.web.tables import Clerk

# Another theme, at once: colours that fade would be measured on their way.
_PAINT = """theme => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { transition: none !important }');
  document.adoptedStyleSheets = [sheet];
  document.documentElement.dataset.theme = theme;
}"""
SCREENSHOTS = Path(__file__).resolve().parents[2] / "screenshots"


@pytest.fixture(scope="module")
def places(chromium: Browser, server: Running) -> Iterator[Places]:
    """All pages, with tables that nobody plays at."""
    context = chromium.new_context()
    yield make_places(Clerk(context, server.url))
    context.close()


def picture(person: Person, folder: str, name: str) -> None:
    """How the page looks, for people to look at."""
    person.page.screenshot(path=SCREENSHOTS / folder / f"{name}.png")


def summary(problems: list[str]) -> str:
    """The same problem on several pages is told once."""
    pages: dict[str, list[str]] = {}
    for problem in problems:
        page, _, what = problem.partition(": ")
        pages.setdefault(what, []).append(page)
    return "\n" + "\n".join(f"{', '.join(names)}: {what}" for what, names in pages.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_on_a_phone_in_every_language(room: Room, places: Places, language: str) -> None:
    ann = room.person(hand="touch", size=PHONE, language=language)
    bad: list[str] = []
    for name in tour(ann, places, bad):
        assert ann.page.evaluate("document.documentElement.lang") == language
        bad += [f"{name}: {what}" for what in forgotten(ann.page) + too_wide(ann.page)]
        picture(ann, f"phone-{language}", name)
    assert not bad, summary(bad)


def test_every_page_fits_on_a_tablet(room: Room, places: Places) -> None:
    ann = room.person(hand="touch", size=TABLET, language="ru")
    bad: list[str] = []
    for name in tour(ann, places, bad):
        bad += [f"{name}: {what}" for what in forgotten(ann.page) + too_wide(ann.page)]
        picture(ann, "tablet-ru", name)
    assert not bad, summary(bad)


def test_axe_finds_nothing_on_any_page_in_any_theme(room: Room, places: Places) -> None:
    ann = room.person(size=LAPTOP, settings={"theme": "light"})
    bad: list[str] = []
    for name in tour(ann, places, bad):
        bad += [f"{name}: {what}" for what in barriers(ann.page) + too_wide(ann.page)]
        picture(ann, "laptop-light", name)
        for theme in ("dark", "contrast"):  # another theme has other colours, and nothing else
            ann.page.evaluate(_PAINT, theme)
            bad += [f"{name} ({theme}): {what}" for what in barriers(ann.page, "color-contrast", "link-in-text-block")]
            picture(ann, f"laptop-{theme}", name)
    assert not bad, summary(bad)
