"""Mouse, touch screen and keyboard. Nothing here calls functions of the web client."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Protocol

from playwright.sync_api import Locator, Page

# The indices of the target and of the focus among the tab stops; for a target that only arrow keys reach, the index of
# the tab stop of its group.
_TAB_STOPS = """target => {
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


# Where to press: the middle unless something else covers it, otherwise another point (tiles of a colour may surround
# others). null if the element cannot be pressed yet or is moving; Playwright then waits.
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


REST = 80.0  # milliseconds that a finger rests before it is lifted; otherwise it would be a fling


class InputDevice(Protocol):
    """A device that presses and drags things."""

    def press(self, what: Locator) -> None:
        """Press a button or anything else that can be pressed."""

    def drag(self, what: Locator, where: Locator, below: float = 0.0) -> None:
        """Drag something onto a target, or to `below` pixels below it: a dragged card hovers above the finger."""


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
    """Yield a function that sends touch events: a type, and where the finger is."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    yield touch
    session.detach()


class Keyboard:
    """Keys only: Tab to the element or its group, arrow keys within a group, Enter."""

    def __init__(self, key: str = "Enter") -> None:
        self.key = key

    def press(self, what: Locator) -> None:
        what.wait_for(state="visible")
        self.reach(what)
        what.page.keyboard.press(self.key)

    def reach(self, what: Locator) -> None:
        """Move the focus to an element. The tab stops are only estimated, so this checks the focus repeatedly."""
        keyboard = what.page.keyboard
        for attempt in range(40):
            stops = what.evaluate(_TAB_STOPS)
            assert stops["to"] >= 0, f"no tab stop leads to {what}"
            steps = stops["to"] - stops["from"] if stops["from"] >= 0 else 1
            if steps == 0:
                break
            for _ in range(abs(steps) if attempt < 4 else 1):
                keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        if not self.is_at(what):
            self._arrows(what.page, what)

    def is_at(self, what: Locator) -> bool:
        """Whether the element has the focus."""
        return bool(what.evaluate(_IS_THERE))

    def _arrows(self, page: Page, what: Locator) -> None:
        """Press arrow keys: towards the target while that leads somewhere new, then at random, then Page Down."""
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
        raise NotImplementedError("a keyboard cannot drag")


def _middles(*things: Locator) -> list[tuple[float, float]]:
    """The centres of elements, once all of them are scrolled into view."""
    for thing in things:
        thing.scroll_into_view_if_needed()
    boxes = [thing.bounding_box() for thing in things]
    assert all(boxes)
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
