"""The page in figures, measured with Chromium's own tracing against the real server and the built page.

    python -m bench.page --rounds 5

What is loaded first, how soon it can be used, how soon a move is drawn after the server has answered, and how smoothly
a tile is dragged on a page with four boards. The middle of several rounds counts. Nothing is throttled: this machine is
the laptop.
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
from bench.load import start_server
from bench.tracing import CATEGORIES, Frames, Loading, Trace
from tests.web.tables import Clerk

LAPTOP = {"width": 1440, "height": 900}
MOVES = 12  # whose answers are timed
DRAG = 2.0  # seconds
KEPT = "localStorage.setItem('tilery.settings', JSON.stringify({speed: 'normal', confirm: 'off', sound: false}))"
# When the first thing to press stands on the page, by the page's own clock.
READY = """() => {
  new MutationObserver((_, self) => {
    if (!document.querySelector('main a[href], main button, main [role=button]')) return;
    window.benchReady = performance.now();
    self.disconnect();
  }).observe(document, {childList: true, subtree: true});
}"""
# From every message of the server that tells of a move to the frame in which it is painted.
ANSWERS = """() => {
  window.benchDrawn = [];
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...words) {
      super(...words);
      this.addEventListener('message', (message) => {
        if (!message.data.includes('"played"')) return;
        const heard = performance.now();
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => window.benchDrawn.push(performance.now() - heard);
          channel.port2.postMessage(0);
        });
      });
    }
  };
}"""


def fresh(browser: Browser) -> BrowserContext:
    """A browser that has never been here."""
    return browser.new_context(viewport=LAPTOP, locale="en-GB", service_workers="block")  # type: ignore[arg-type]


def bytes_of(browser: Browser, addresses: list[str], cookies: list[object]) -> tuple[int, int]:
    """Bytes of the files that some pages need, one after the other, as they come over the line but without their
    headers; and how many files. What the server tells of games (/api) is not part of it."""
    context = fresh(browser)
    context.add_cookies(cookies)  # type: ignore[arg-type]
    page = context.new_page()
    session = context.new_cdp_session(page)
    names: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def asked(event: dict[str, Any]) -> None:
        if not urlsplit(event["request"]["url"]).path.startswith("/api"):
            names[event["requestId"]] = event["request"]["url"]

    def came(event: dict[str, Any]) -> None:
        if event["requestId"] in names:
            name = names[event["requestId"]]
            sizes[name] = sizes.get(name, 0) + event["encodedDataLength"]

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.dataReceived", came)
    session.send("Network.enable")
    for address in addresses:
        page.goto(address, wait_until="networkidle")
    context.close()
    return sum(sizes.values()), len(sizes)


def load_of(browser: Browser, address: str, cookies: list[object]) -> tuple[Loading, float]:
    """How a page is loaded by a browser that knows nothing of it, and when it can be used."""
    context = fresh(browser)
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


def drawn_of(page: Page) -> list[float]:
    """Milliseconds from each answer of the server to the frame that shows it, over some moves."""
    for _ in range(MOVES):
        count = page.evaluate("window.benchDrawn.length")
        sources = page.locator("[data-take][data-legal]")
        sources.first.wait_for()
        sources.first.click()
        page.locator("[data-line][data-legal]").first.click()
        page.wait_for_function("count => window.benchDrawn.length > count", arg=count)
    return [float(value) for value in page.evaluate("window.benchDrawn")]


def drag(browser: Browser, page: Page) -> Frames:
    """Drag a tile about for a while."""
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


def middle(of: Callable[[Loading], float], loads: list[tuple[Loading, float]]) -> float:
    return statistics.median(of(loading) for loading, _ in loads)


def loaded(what: str, browser: Browser, address: str, cookies: list[object], rounds: int) -> list[Figure]:
    """The figures of one page."""
    size, files = bytes_of(browser, [address], cookies)
    loads = [load_of(browser, address, cookies) for _ in range(rounds)]
    return [
        below(f"{what}: {files} files, gzipped", size / 1000, "kB", 150),
        below(f"{what}: interactive", statistics.median(ready for _, ready in loads), "ms", 1000),
        Figure(f"{what}: first contentful paint", middle(lambda one: one.first_paint, loads), "ms"),
        Figure(f"{what}: largest contentful paint", middle(lambda one: one.largest_paint, loads), "ms"),
        Figure(f"{what}: total blocking time", middle(lambda one: one.blocking, loads), "ms"),
        Figure(f"{what}: cumulative layout shift", middle(lambda one: one.shift, loads), ""),
    ]


def measured(browser: Browser, origin: str, rounds: int) -> list[Figure]:
    """All figures."""
    context = fresh(browser)
    context.add_init_script(f"if (location.protocol === 'http:') {KEPT}; ({ANSWERS})()")
    clerk = Clerk(context, origin)
    table = clerk.started("azul", "me Ann", "me Ben", "me Cleo", "me Dan")
    figures = loaded("front page", browser, f"{origin}/", [], rounds)
    figures += loaded("table of four", browser, f"{origin}/t/{table}", list(context.cookies()), rounds)
    size, files = bytes_of(browser, [f"{origin}/", f"{origin}/t/{table}"], list(context.cookies()))
    figures.append(below(f"front page and table with all boards: {files} files, gzipped", size / 1000, "kB", 150))
    page = context.new_page()
    page.goto(f"{origin}/t/{table}")
    page.locator("[data-take][data-legal]").first.wait_for()
    frames = drag(browser, page)
    times = sorted(drawn_of(page))
    context.close()
    return [
        *figures,
        below("a move: from the server's answer to the painted frame, middle", statistics.median(times), "ms", 100),
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
                figures = measured(browser, f"http://localhost:{port}", options.rounds)
                browser.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
    table = Table("what", "measured", "wanted", box=None)
    for figure in figures:
        mark = {None: "", True: "yes", False: "[red]NO[/red]"}[figure.kept]
        table.add_row(figure.what, f"{figure.value:,.4g} {figure.unit}", f"{figure.wanted} {mark}")
    Console().print(table)


if __name__ == "__main__":
    main()
