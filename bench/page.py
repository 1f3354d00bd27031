"""Speed of the web client, measured with Chromium's tracing against the real server and the built bundle.

    python -m bench.page --rounds 5

It measures the size of the files, the time until a page is interactive, the time from the server's reply to the painted
move, and the frame rate while a tile is dragged on a page with four boards. The median of several rounds counts.
Nothing is throttled.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from rich.console import Console
from rich.table import Table

from bench.__main__ import Figure, at_least, below
from bench.chromium_trace import CATEGORIES, Frames, Loading, Trace
from bench.load import start_server
from tests.web.api_client import ApiClient

LAPTOP = {"width": 1440, "height": 900}
MOVES = 12  # timed moves
DRAG = 2.0  # seconds
SETTINGS = "localStorage.setItem('tilery.settings', JSON.stringify({speed: 'normal', confirm: 'off', sound: false}))"
# Stores when the first element that can be clicked appears, by the clock of the page.
READY = """() => {
  new MutationObserver((_, self) => {
    if (!document.querySelector('main a[href], main button, main [role=button]')) return;
    window.benchReady = performance.now();
    self.disconnect();
  }).observe(document, {childList: true, subtree: true});
}"""
# Stores the time from each message that reports a move to the frame in which the move is painted.
PAINT_TIMES = """() => {
  window.benchPainted = [];
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', (message) => {
        if (!message.data.includes('"played"')) return;
        const received = performance.now();
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => window.benchPainted.push(performance.now() - received);
          channel.port2.postMessage(0);
        });
      });
    }
  };
}"""


def new_visitor(browser: Browser) -> BrowserContext:
    """A browser context with an empty cache."""
    return browser.new_context(viewport=LAPTOP, locale="en-GB", service_workers="block")  # type: ignore[arg-type]


def bytes_of(browser: Browser, addresses: list[str], cookies: list[object]) -> tuple[int, int]:
    """The total size (compressed, without headers) and the number of the files that some pages load, one page after the
    other. Requests to /api are not counted."""
    context = new_visitor(browser)
    context.add_cookies(cookies)  # type: ignore[arg-type]
    page = context.new_page()
    session = context.new_cdp_session(page)
    names: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def on_request(event: dict[str, Any]) -> None:
        if not urlsplit(event["request"]["url"]).path.startswith("/api"):
            names[event["requestId"]] = event["request"]["url"]

    def on_data(event: dict[str, Any]) -> None:
        if event["requestId"] in names:
            name = names[event["requestId"]]
            sizes[name] = sizes.get(name, 0) + event["encodedDataLength"]

    session.on("Network.requestWillBeSent", on_request)
    session.on("Network.dataReceived", on_data)
    session.send("Network.enable")
    for address in addresses:
        page.goto(address, wait_until="networkidle")
    context.close()
    return sum(sizes.values()), len(sizes)


def load_of(browser: Browser, address: str, cookies: list[object]) -> tuple[Loading, float]:
    """How a browser with an empty cache loads a page, and after how many milliseconds the page is interactive."""
    context = new_visitor(browser)
    context.add_cookies(cookies)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(f"({READY})()")
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(500)
    marked = float(page.evaluate("performance.mark('bench-loaded').startTime"))
    loading = Trace(browser.stop_tracing()).loading(marked)
    ready = float(page.evaluate("window.benchReady"))
    context.close()
    return loading, max(ready, loading.quiet)


def paint_times(page: Page) -> list[float]:
    """Milliseconds from each reply of the server to the frame that shows the move."""
    for _ in range(MOVES):
        count = page.evaluate("window.benchPainted.length")
        sources = page.locator("[data-take][data-legal]")
        sources.first.wait_for()
        sources.first.click()
        page.locator("[data-line][data-legal]").first.click()
        page.wait_for_function("count => window.benchPainted.length > count", arg=count)
    return [float(value) for value in page.evaluate("window.benchPainted")]


def drag(browser: Browser, page: Page) -> Frames:
    """Drag a tile around for a while."""
    box = page.locator("[data-take][data-legal]").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y + 20)
    page.evaluate("performance.mark('bench-begin')")
    begin, step = time.monotonic(), 0
    while time.monotonic() - begin < DRAG:
        step += 1
        page.mouse.move(200 + step * 7 % 1000, 200 + step * 5 % 500)
    page.evaluate("performance.mark('bench-end')")
    page.mouse.move(5, 5)
    page.mouse.up()
    return Trace(browser.stop_tracing()).frames()


def median(of: Callable[[Loading], float], loads: list[tuple[Loading, float]]) -> float:
    return statistics.median(of(loading) for loading, _ in loads)


def page_figures(what: str, browser: Browser, address: str, cookies: list[object], rounds: int) -> list[Figure]:
    """The figures of one page."""
    size, files = bytes_of(browser, [address], cookies)
    loads = [load_of(browser, address, cookies) for _ in range(rounds)]
    return [
        below(f"{what}: {files} files, gzipped", size / 1000, "kB", 150),
        below(f"{what}: interactive", statistics.median(ready for _, ready in loads), "ms", 1000),
        Figure(f"{what}: first contentful paint", median(lambda one: one.first_paint, loads), "ms"),
        Figure(f"{what}: largest contentful paint", median(lambda one: one.largest_paint, loads), "ms"),
        Figure(f"{what}: total blocking time", median(lambda one: one.blocking, loads), "ms"),
        Figure(f"{what}: cumulative layout shift", median(lambda one: one.shift, loads), ""),
    ]


def all_figures(browser: Browser, origin: str, rounds: int) -> list[Figure]:
    """All figures."""
    context = new_visitor(browser)
    context.add_init_script(f"if (location.protocol === 'http:') {SETTINGS}; ({PAINT_TIMES})()")
    api = ApiClient(context, origin)
    table = api.start_table("azul", "me Ann", "me Ben", "me Cleo", "me Dan")
    figures = page_figures("front page", browser, f"{origin}/", [], rounds)
    figures += page_figures("table of four", browser, f"{origin}/t/{table}", list(context.cookies()), rounds)
    size, files = bytes_of(browser, [f"{origin}/", f"{origin}/t/{table}"], list(context.cookies()))
    figures.append(below(f"front page and table with all boards: {files} files, gzipped", size / 1000, "kB", 150))
    page = context.new_page()
    page.goto(f"{origin}/t/{table}")
    page.locator("[data-take][data-legal]").first.wait_for()
    frames = drag(browser, page)
    times = sorted(paint_times(page))
    context.close()
    return [
        *figures,
        below("a move: from the server's reply to the painted frame, median", statistics.median(times), "ms", 100),
        below("a move: the slowest", times[-1], "ms", 100),
        at_least("dragging with four boards: frames a second", frames.per_second, "", 59),
        Figure("dragging: frames within 1/60 s of the one before", 100 * frames.in_time, "%"),
        Figure("dragging: dropped frames", frames.dropped, ""),
        Figure("dragging: the longest task", frames.busiest, "ms"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        sys.exit("Chromium is not installed (on Debian: apt-get install chromium)")
    with tempfile.TemporaryDirectory() as folder:
        server, port = start_server(str(Path(folder) / "page.db"))
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path)
                figures = all_figures(browser, f"http://localhost:{port}", options.rounds)
                browser.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
    table = Table("what", "measured", "target", box=None)
    for figure in figures:
        mark = {None: "", True: "yes", False: "[red]NO[/red]"}[figure.met]
        table.add_row(figure.what, f"{figure.value:,.4g} {figure.unit}", f"{figure.target} {mark}")
    Console().print(table)


if __name__ == "__main__":
    main()
