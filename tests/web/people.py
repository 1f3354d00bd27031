"""People with browsers of their own, and the room they come from."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, StorageState, expect

from tests.web.hands import Hand, Keyboard, Mouse, Touch
from tests.web.tables import Clerk
from tests.web.watching import Watch

PATIENCE = 20_000  # milliseconds, for what should take a few; the machine may be busy
PHONE, TABLET, LAPTOP = (360, 740), (768, 1024), (1440, 900)
LANGUAGES = {"en": "en-GB", "ru": "ru-RU", "uk": "uk-UA", "ro": "ro-RO"}
# Nothing moves and nothing asks, so that whole games go fast; tests of those things say otherwise.
QUICK = {"speed": "off", "confirm": "off", "sound": False}

expect.set_options(timeout=PATIENCE)


class Person:
    """Somebody at a browser."""

    def __init__(self, name: str, context: BrowserContext, origin: str, hand: Hand, seed: int, asks: bool) -> None:
        self.name, self.context, self.origin, self.hand = name, context, origin, hand
        self.chance = random.Random(seed)
        self.asks = asks  # whether moves are confirmed
        self.watch = Watch(context, origin)
        self.clerk = Clerk(context, origin)
        self.page: Page = context.new_page()

    def visit(self, path: str) -> Person:
        """Go to a page, and wait until it is there."""
        self.page.goto(f"{self.origin}{path}")
        self.page.locator("main h1, main button").first.wait_for(state="attached")
        return self

    def at(self, table: str) -> Person:
        """Go to a table."""
        return self.visit(f"/t/{table}")

    def find(self, hook: str, value: str | None = None) -> Locator:
        """What has a hook: an attribute for tests such as data-act."""
        return self.page.locator(f"[data-{hook}]" if value is None else f'[data-{hook}="{value}"]')

    def act(self, name: str) -> None:
        """Press a button of the page."""
        self.hand.press(self.find("act", name).first)

    def values(self, hook: str, *, legal: bool = True) -> list[str]:
        """The values of a hook that stand on the page and can be seen, without repetitions, in order."""
        found = self.page.locator(f"[data-{hook}]" + ("[data-legal]" if legal else "")).evaluate_all(
            "(all, hook) => all.filter(one => one.checkVisibility()).map(one => one.getAttribute(hook))",
            f"data-{hook}",
        )
        return sorted({str(value) for value in found})

    def set(self, **wishes: Any) -> None:
        """Change what this browser remembers; the next page that is loaded knows it."""
        kept = json.dumps({**self.settings(), **wishes})
        self.page.evaluate("kept => localStorage.setItem('tilery.settings', kept)", kept)

    def promised(self, script: str) -> Any:
        """Wait until a script has an answer that counts; unlike `wait_for_function` it may give a promise."""
        for _ in range(PATIENCE // 50):
            if answer := self.page.evaluate(script):
                return answer
            self.page.wait_for_timeout(50)
        raise AssertionError(f"in vain: {script}")

    def settings(self) -> dict[str, Any]:
        """What this browser remembers of its user's wishes."""
        return dict(json.loads(self.page.evaluate("localStorage.getItem('tilery.settings') ?? '{}'")))


class Room:
    """Gives people browsers, and closes them all in the end."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self._browser, self.origin = browser, origin
        self.people: list[Person] = []

    def person(
        self,
        name: str = "Ann",
        *,
        hand: Literal["mouse", "touch", "keys"] = "mouse",
        size: tuple[int, int] = LAPTOP,
        language: str = "en",
        motion: bool = False,
        workers: bool = False,
        dark: bool = False,
        settings: dict[str, Any] | None = None,
        seed: int = 1,
    ) -> Person:
        """Somebody new, who has never been here: with a name and wishes, but without tables."""
        wishes = {**QUICK, "name": name, **(settings or {})}
        remembered: StorageState = {
            "cookies": [],
            "origins": [
                {"origin": self.origin, "localStorage": [{"name": "tilery.settings", "value": json.dumps(wishes)}]}
            ],
        }
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=hand == "touch",
            is_mobile=hand == "touch",
            locale=LANGUAGES[language],
            reduced_motion="no-preference" if motion else "reduce",
            color_scheme="dark" if dark else "light",
            service_workers="allow" if workers else "block",
            storage_state=remembered,
        )
        context.set_default_timeout(PATIENCE)
        hands: dict[str, Hand] = {"mouse": Mouse(), "touch": Touch(), "keys": Keyboard()}
        person = Person(name, context, self.origin, hands[hand], seed, wishes["confirm"] == "on")
        self.people.append(person)
        return person

    def pictures(self, folder: Path, name: str) -> None:
        """How it looks for everybody, after something went wrong."""
        folder.mkdir(parents=True, exist_ok=True)
        for person in self.people:
            for number, page in enumerate(person.context.pages):
                page.screenshot(path=folder / f"{name}-{person.name}-{number}.png")

    def close(self) -> None:
        """Everybody goes. Whoever saw something bad says so."""
        for person in self.people:
            person.context.close()
        for person in self.people:
            person.watch.check()
