"""People who use the web client, each in a separate browser context."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, StorageState, expect

from tests.web.api_client import ApiClient
from tests.web.browser_errors import BrowserErrors
from tests.web.input_devices import InputDevice, Keyboard, Mouse, Touch

TIMEOUT = 20_000  # milliseconds: much more than usual, because the machine may be busy
PHONE, TABLET, LAPTOP = (360, 740), (768, 1024), (1440, 900)
LANGUAGES = {"en": "en-GB", "ru": "ru-RU", "uk": "uk-UA", "ro": "ro-RO"}
# No animation and no confirmation, so that whole games are quick; tests of these features override it.
QUICK = {"speed": "off", "confirm": "off", "sound": False}

expect.set_options(timeout=TIMEOUT)


class Person:
    """Somebody at a browser, who uses one input device."""

    def __init__(
        self, name: str, context: BrowserContext, origin: str, device: InputDevice, seed: int, confirms: bool
    ) -> None:
        self.name, self.context, self.origin, self.device = name, context, origin, device
        self.chance = random.Random(seed)
        self.confirms = confirms  # whether the settings ask to confirm moves
        self.pressed: set[str] = set()  # the names of the buttons that were pressed
        self.done: set[str] = set()  # what this person has done, or anybody of those who play together
        self.errors = BrowserErrors(context, origin)
        self.api = ApiClient(context, origin)
        self.page: Page = context.new_page()

    def visit(self, path: str) -> Person:
        """Go to a page and wait until it is shown."""
        self.page.goto(f"{self.origin}{path}")
        self.page.locator("main h1, main button").first.wait_for(state="attached")
        return self

    def at(self, table: str) -> Person:
        """Go to a table."""
        return self.visit(f"/t/{table}")

    def find(self, hook: str, value: str | None = None) -> Locator:
        """Elements with a data attribute for tests, such as data-act."""
        return self.page.locator(f"[data-{hook}]" if value is None else f'[data-{hook}="{value}"]')

    def act(self, name: str) -> None:
        """Press a button of the page, named by its data-act."""
        self.pressed.add(name)
        self.done.add(name)
        self.device.press(self.find("act", name).first)

    def values(self, hook: str, *, legal: bool = True) -> list[str]:
        """The values of a data attribute on visible elements, sorted and without repetitions."""
        values = self.page.locator(f"[data-{hook}]" + ("[data-legal]" if legal else "")).evaluate_all(
            "(all, hook) => all.filter(one => one.checkVisibility()).map(one => one.getAttribute(hook))",
            f"data-{hook}",
        )
        return sorted({str(value) for value in values})

    def set(self, **changes: Any) -> None:
        """Change the stored settings of this browser; they take effect when the next page is loaded."""
        kept = json.dumps({**self.settings(), **changes})
        self.page.evaluate("kept => localStorage.setItem('tilery.settings', kept)", kept)

    def wait_for_script(self, script: str) -> Any:
        """Wait until a script returns a true value, and return it; unlike with `wait_for_function`, promises work."""
        for _ in range(TIMEOUT // 50):
            if result := self.page.evaluate(script):
                return result
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never became true: {script}")

    def settings(self) -> dict[str, Any]:
        """The settings stored in this browser."""
        return dict(json.loads(self.page.evaluate("localStorage.getItem('tilery.settings') ?? '{}'")))


class Browsers:
    """Opens a browser context for each person, and closes all of them at the end."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self._browser, self.origin = browser, origin
        self.people: list[Person] = []

    def person(
        self,
        name: str = "Ann",
        *,
        device: Literal["mouse", "touch", "keys"] = "mouse",
        size: tuple[int, int] = LAPTOP,
        language: str = "en",
        motion: bool = False,
        workers: bool = False,
        dark: bool = False,
        settings: dict[str, Any] | None = None,
        seed: int = 1,
    ) -> Person:
        """A new visitor, with a name and settings but no tables."""
        stored = {**QUICK, "name": name, **(settings or {})}
        remembered: StorageState = {
            "cookies": [],
            "origins": [
                {"origin": self.origin, "localStorage": [{"name": "tilery.settings", "value": json.dumps(stored)}]}
            ],
        }
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=device == "touch",
            is_mobile=device == "touch",
            locale=LANGUAGES[language],
            reduced_motion="no-preference" if motion else "reduce",
            color_scheme="dark" if dark else "light",
            service_workers="allow" if workers else "block",
            storage_state=remembered,
        )
        context.set_default_timeout(TIMEOUT)
        devices: dict[str, InputDevice] = {"mouse": Mouse(), "touch": Touch(), "keys": Keyboard()}
        person = Person(name, context, self.origin, devices[device], seed, stored["confirm"] == "on")
        self.people.append(person)
        return person

    def screenshots(self, folder: Path, name: str) -> None:
        """Save a screenshot of every open page, for a test that failed."""
        folder.mkdir(parents=True, exist_ok=True)
        for person in self.people:
            for number, page in enumerate(person.context.pages):
                page.screenshot(path=folder / f"{name}-{person.name}-{number}.png")

    def close(self) -> None:
        """Close every context, then fail if any browser reported an error."""
        for person in self.people:
            person.context.close()
        for person in self.people:
            person.errors.check()
