"""The server with the built web client, one Chromium for all tests of a worker, and a browser context per person.

The plugin pytest-playwright is not used: its event loop would live as long as the test session, and other tests start
event loops in the same process. Here everything ends with the tests of this folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.server.server_process import ServerProcess, start_server
from tests.web.people import Browsers
from tilery.server.http.static_files import FOLDER, INDEX

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCREENSHOTS = Path(__file__).resolve().parents[2] / "screenshots"


def _skip_or_fail(what: str) -> NoReturn:
    """Skip the tests because something is missing; with CI=true, where everything has to be tested, fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        _skip_or_fail("Chromium is not installed (on Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        # Debian's Chromium expects a graphics card, which a server does not have.
        browser = playwright.chromium.launch(executable_path=path, args=["--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The real server with the built web client and a new store."""
    if not (FOLDER / INDEX).is_file():
        _skip_or_fail("the web client is not built: run `make page`")
    running = start_server(tmp_path_factory.mktemp("server"), log_level="warning")
    yield running
    running.stop()


@pytest.fixture
def browsers(server: ServerProcess, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Browsers]:
    """Opens browsers for people. At the end, no browser may have reported an error."""
    browsers = Browsers(chromium, server.url)
    yield browsers
    if request.node.stash.get(_FAILED, False):
        browsers.screenshots(SCREENSHOTS / "failures", request.node.name)
    browsers.close()


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether a test failed, for its screenshots."""
    report = yield
    if report.failed:  # type: ignore[attr-defined]
        item.stash[_FAILED] = True
    return report
