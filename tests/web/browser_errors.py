"""Collects what must not happen in any browser: errors, warnings and requests to other origins."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError

# Playwright logs this itself if service workers are blocked.
_FROM_PLAYWRIGHT = "Service Worker registration blocked by Playwright"
_LOCAL_SCHEMES = ("data:", "blob:", "about:", "chrome-error:")


@dataclass
class BrowserErrors:
    """Collects the errors, warnings and foreign requests of a browser context."""

    context: BrowserContext
    origin: str
    problems: list[str] = field(default_factory=list)
    _allowed: list[re.Pattern[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.on("console", self._console)
        self.context.on("weberror", self._error)
        self.context.on("request", self._request)
        self.context.on("page", self._page)

    def allow(self, *patterns: str) -> None:
        """Allow problems that a test provokes, such as a killed server or a table that does not exist."""
        self._allowed += [re.compile(pattern) for pattern in patterns]

    def check(self) -> None:
        """Fail if there was any problem that is not allowed."""
        bad = [text for text in self.problems if not any(pattern.search(text) for pattern in self._allowed)]
        assert not bad, f"the browser reported {len(bad)} problems:\n" + "\n".join(bad[:10])

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and _FROM_PLAYWRIGHT not in message.text:
            where = message.location.get("url", "")
            self.problems.append(f"console {message.type}: {message.text} ({where})")

    def _error(self, error: WebError) -> None:
        self.problems.append(f"page error: {error.error}")

    def _request(self, request: Request) -> None:
        self._check_origin(request.url)

    def _page(self, page: Page) -> None:
        page.on("websocket", lambda socket: self._check_origin(re.sub("^ws", "http", socket.url)))

    def _check_origin(self, url: str) -> None:
        if not url.startswith((f"{self.origin}/", *_LOCAL_SCHEMES)):
            self.problems.append(f"a request to another origin: {url}")
