"""Every page: on a phone in every language, on a tablet, and in every theme with axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.server.server_process import ServerProcess
from tests.web.all_pages import AllPages, create_all_pages, visit_all
from tests.web.api_client import ApiClient
from tests.web.page_checks import accessibility_problems, overflows, untranslated
from tests.web.people import LANGUAGES, LAPTOP, PHONE, TABLET, Browsers, Person

# Switch the theme without transitions, during which axe would measure wrong colours.
_PAINT = """theme => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { transition: none !important }');
  document.adoptedStyleSheets = [sheet];
  document.documentElement.dataset.theme = theme;
}"""
SCREENSHOTS = Path(__file__).resolve().parents[2] / "screenshots"


@pytest.fixture(scope="module")
def all_pages(chromium: Browser, server: ServerProcess) -> Iterator[AllPages]:
    """All pages, with tables at which nobody plays during the tests."""
    context = chromium.new_context()
    yield create_all_pages(ApiClient(context, server.url))
    context.close()


def screenshot(person: Person, folder: str, name: str) -> None:
    """Save the page as a picture, for people to look at."""
    person.page.screenshot(path=SCREENSHOTS / folder / f"{name}.png")


def summary(problems: list[str]) -> str:
    """Each problem once, with all the pages that have it."""
    pages: dict[str, list[str]] = {}
    for problem in problems:
        page, _, what = problem.partition(": ")
        pages.setdefault(what, []).append(page)
    return "\n" + "\n".join(f"{', '.join(names)}: {what}" for what, names in pages.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_on_a_phone_in_every_language(browsers: Browsers, all_pages: AllPages, language: str) -> None:
    ann = browsers.person(device="touch", size=PHONE, language=language)
    bad: list[str] = []
    for name in visit_all(ann, all_pages, bad):
        assert ann.page.evaluate("document.documentElement.lang") == language
        bad += [f"{name}: {what}" for what in untranslated(ann.page) + overflows(ann.page)]
        screenshot(ann, f"phone-{language}", name)
    assert not bad, summary(bad)


def test_every_page_fits_on_a_tablet(browsers: Browsers, all_pages: AllPages) -> None:
    ann = browsers.person(device="touch", size=TABLET, language="ru")
    bad: list[str] = []
    for name in visit_all(ann, all_pages, bad):
        bad += [f"{name}: {what}" for what in untranslated(ann.page) + overflows(ann.page)]
        screenshot(ann, "tablet-ru", name)
    assert not bad, summary(bad)


def test_axe_finds_nothing_on_any_page_in_any_theme(browsers: Browsers, all_pages: AllPages) -> None:
    ann = browsers.person(size=LAPTOP, settings={"theme": "light"})
    bad: list[str] = []
    for name in visit_all(ann, all_pages, bad):
        bad += [f"{name}: {what}" for what in accessibility_problems(ann.page) + overflows(ann.page)]
        screenshot(ann, "laptop-light", name)
        for theme in ("dark", "contrast"):  # themes differ in colours only
            ann.page.evaluate(_PAINT, theme)
            bad += [
                f"{name} ({theme}): {what}"
                for what in accessibility_problems(ann.page, "color-contrast", "link-in-text-block")
            ]
            screenshot(ann, f"laptop-{theme}", name)
    assert not bad, summary(bad)
