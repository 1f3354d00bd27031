"""The server with the built page, one Chromium for all tests of a worker, and people with browsers of their own.

The plugin pytest-playwright is not used: its event loop would live as long as the session, and tests elsewhere start
loops of their own in the same process. Here all of it ends with this folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.server.running import Running, start_server
from tests.web.people import Room
from tilery.server.doors.static import FOLDER, FRONT

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCREENSHOTS = Path(__file__).resolve().parents[2] / "screenshots"


def _do_without(what: str) -> NoReturn:
    """Where something is missing the tests are skipped, but not where everything has to be tested."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        _do_without("Chromium is not installed (on Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        # Debian's Chromium counts on a graphics card, and there is none.
        browser = playwright.chromium.launch(executable_path=path, args=["--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The real server with the built page and a store of its own."""
    if not (FOLDER / FRONT).is_file():
        _do_without("the page is not built: run `make page`")
    running = start_server(tmp_path_factory.mktemp("server"), log="warning")
    yield running
    running.stop()


@pytest.fixture
def room(server: Running, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Room]:
    """Where people with browsers come from. In the end no browser may have complained."""
    room = Room(chromium, server.url)
    yield room
    if request.node.stash.get(_FAILED, False):
        room.pictures(SCREENSHOTS / "failures", request.node.name)
    room.close()


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether a test failed, for its pictures."""
    report = yield
    if report.failed:  # type: ignore[attr-defined]
        item.stash[_FAILED] = True
    return report
