"""Three ways to press something: by mouse, by touch, by keyboard. Nothing here calls the page's own functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Protocol

from playwright.sync_api import Locator, Page

# Where the focus is to go: how many tab stops away the target is, or its group if arrows lead on from there.
_WAY = """target => {
  const seen = (one) => one.checkVisibility({visibilityProperty: true}) && !one.closest('[inert]');
  const modal = [...document.querySelectorAll('dialog[open]')].at(-1);
  const stops = [...(modal ?? document).querySelectorAll('*')].filter(
    (one) => one.tabIndex >= 0 && !one.disabled && seen(one) && isStop(one));
  function isStop(one) {
    if (one.type !== 'radio' || one.checked) return true;
    const group = [...document.querySelectorAll(`input[type=radio][name="${one.name}"]`)];
    return !group.some((other) => other.checked) && group[0] === one;
  }
  let home = target;
  while (home && !stops.includes(home)) {
    const inside = stops.find((one) => home.contains(one));
    if (inside) home = inside; else home = home.parentElement;
  }
  return {to: stops.indexOf(home), from: stops.indexOf(document.activeElement), count: stops.length};
}"""
_IS_THERE = "target => target === document.activeElement"
_HERE = "() => document.activeElement.outerHTML.slice(0, 300)"
_PLACE = """target => {
  const one = target.getBoundingClientRect(), two = document.activeElement.getBoundingClientRect();
  return [one.x + one.width / 2 - two.x - two.width / 2, one.y + one.height / 2 - two.y - two.height / 2];
}"""


# Where to press: the middle if nothing else lies there, else another place (tiles of a colour lie round others). None
# where one has to wait, because it cannot be pressed yet or is on its way somewhere.
_FREE = """async target => {
  if (target.disabled || target.ariaDisabled === 'true') return null;
  target.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
  const before = target.getBoundingClientRect();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const box = target.getBoundingClientRect();
  if (['x', 'y', 'width', 'height'].some((side) => box[side] !== before[side])) return null;
  for (const y of [0.5, 0.25, 0.75, 0.1, 0.9])
    for (const x of [0.5, 0.25, 0.75, 0.1, 0.9]) {
      const [left, top] = [box.x + x * box.width, box.y + y * box.height];
      const hit = document.elementFromPoint(left, top);
      if (hit && target.contains(hit)) return [left, top];
    }
  return null;
}"""


REST = 80.0  # milliseconds that a finger stays where it lets go; without a rest it would be a fling


class Hand(Protocol):
    """A way to press something, and to drag it."""

    def press(self, what: Locator) -> None:
        """Press a button, or whatever it is."""

    def drag(self, what: Locator, where: Locator, below: float = 0.0) -> None:
        """Take something and let it go over something else, or so many pixels below: what hangs over a finger."""


class Mouse:
    """A mouse."""

    def press(self, what: Locator) -> None:
        if point := what.evaluate(_FREE):
            what.page.mouse.click(*point)
        else:
            what.click()

    def drag(self, what: Locator, where: Locator, below: float = 0.0) -> None:
        mouse = what.page.mouse
        (x, y), (to_x, to_y) = _middles(what, where)
        to_y += below
        mouse.move(x, y)
        mouse.down()
        for step in range(1, 9):
            mouse.move(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)
        mouse.up()


class Touch:
    """A finger."""

    def press(self, what: Locator) -> None:
        if point := what.evaluate(_FREE):
            what.page.touchscreen.tap(*point)
        else:
            what.tap()

    def drag(self, what: Locator, where: Locator, below: float = 0.0) -> None:
        (x, y), (to_x, to_y) = _middles(what, where)
        to_y += below
        with fingers(what.page) as touch:
            touch("touchStart", x, y)
            for step in range(1, 9):
                touch("touchMove", x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)
            what.page.wait_for_timeout(REST)
            touch("touchMove", to_x, to_y)
            touch("touchEnd")

    def swipe(self, what: Locator, by: float) -> None:
        """Move a finger sideways over something."""
        [(x, y)] = _middles(what)
        with fingers(what.page) as touch:
            touch("touchStart", x - by / 2, y)
            for step in range(1, 13):
                touch("touchMove", x - by / 2 + by * step / 12, y)
            touch("touchEnd")


@contextmanager
def fingers(page: Page) -> Iterator[Callable[..., None]]:
    """Touches as the screen reports them: a kind, and where the finger is."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    yield touch
    session.detach()


class Keyboard:
    """Keys only: Tab to the thing or its group, arrows inside of a group, Enter."""

    def __init__(self, key: str = "Enter") -> None:
        self.key = key

    def press(self, what: Locator) -> None:
        what.wait_for(state="visible")
        self.reach(what)
        what.page.keyboard.press(self.key)

    def reach(self, what: Locator) -> None:
        """Bring the focus there. What the browser counts as a stop is not known exactly, so it takes some looks."""
        keyboard = what.page.keyboard
        for attempt in range(40):
            way = what.evaluate(_WAY)
            assert way["to"] >= 0, f"no tab stop leads to {what}"
            steps = way["to"] - way["from"] if way["from"] >= 0 else 1
            if steps == 0:
                break
            for _ in range(abs(steps) if attempt < 4 else 1):
                keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        if not self.is_at(what):
            self._arrows(what.page, what)

    def is_at(self, what: Locator) -> bool:
        """Whether the focus is there."""
        return bool(what.evaluate(_IS_THERE))

    def _arrows(self, page: Page, what: Locator) -> None:
        """Towards the target as long as that leads somewhere new, then about, in the end through all in order."""
        been = set()
        while (here := page.evaluate(_HERE)) not in been:
            been.add(here)
            x, y = what.evaluate(_PLACE)
            across, down = "ArrowRight" if x > 0 else "ArrowLeft", "ArrowDown" if y > 0 else "ArrowUp"
            for key in (across, down) if abs(x) > abs(y) else (down, across):
                page.keyboard.press(key)
                if self.is_at(what):
                    return
                if page.evaluate(_HERE) not in been:
                    break
        chance = Random(1)
        for key in [*chance.choices(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"], k=100), *["PageDown"] * 100]:
            page.keyboard.press(key)
            if self.is_at(what):
                return
        raise AssertionError(f"no keys lead to {what}")

    def drag(self, what: Locator, where: Locator, below: float = 0.0) -> None:
        raise NotImplementedError("keys do not drag")


def _middles(*things: Locator) -> list[tuple[float, float]]:
    """Where things are when all of them are in sight."""
    for thing in things:
        thing.scroll_into_view_if_needed()
    boxes = [thing.bounding_box() for thing in things]
    assert all(boxes)
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
