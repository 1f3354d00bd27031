"""Checks of one page: missing texts, overflowing elements, layout shifts, and accessibility with axe."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

# Keys instead of texts, placeholders that were not filled in, and values such as undefined.
_UNTRANSLATED = r"""() => {
  const key = /\b(page|play|azul|schokoly|replay|spoken|learn|rules)\.[a-z][\w.-]*/;
  const bad = new RegExp(key.source + /|\{\w+\}|\b(undefined|NaN)\b|\[object /.source);
  const texts = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) texts.push(walk.currentNode.data);
  for (const one of document.querySelectorAll('[aria-label], [title], [alt], [placeholder], [aria-description]'))
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'aria-description'])
      texts.push(one.getAttribute(name) ?? '');
  return texts.filter((text) => bad.test(text)).map((text) => text.trim().slice(0, 80));
}"""
# Texts that stick out of their button or are cut off by an enclosing box, and the page itself if it scrolls sideways.
# Names of players may end in an ellipsis: people choose them, up to 24 letters.
_OVERFLOWS = r"""() => {
  const problems = [];
  const root = document.scrollingElement;
  const named = (one) => `<${one.tagName.toLowerCase()} class="${(one.getAttribute('class') ?? '')}">`;
  const wide = (one) => one.getBoundingClientRect().right > root.clientWidth + 1;
  const UNSEEN = '.hidden-text, option, script, noscript, details:not([open]) > :not(summary)';
  if (root.scrollWidth > root.clientWidth)
    problems.push(`the page is ${root.scrollWidth} wide, not ${root.clientWidth}: ` +
      [...document.querySelectorAll('body *')].filter(wide).slice(0, 3).map(named).join(', '));
  for (const one of document.querySelectorAll('select'))
    if (one.checkVisibility({opacityProperty: true}) && one.scrollWidth > one.clientWidth + 1)
      problems.push(`${named(one)} ${one.selectedOptions[0]?.text}: ${one.scrollWidth} in ${one.clientWidth}`);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const {parentElement: parent, data} = walk.currentNode;
    if (!data.trim() || parent instanceof SVGElement || parent.closest(UNSEEN)) continue;
    if (!parent.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const text = range.getBoundingClientRect();
    let floats = false;
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box), rect = box.getBoundingClientRect();
      if (['auto', 'scroll'].includes(style.overflowX) || style.position === 'fixed' || rect.width <= 1) break;
      const cuts = ['hidden', 'clip'].includes(style.overflowX);
      const encloses = !floats && box.matches('button, a.button, label.button, .choices label, select, input');
      const tall = ['hidden', 'clip'].includes(style.overflowY) && text.bottom > rect.bottom + 2;
      if (((cuts || encloses) && (text.right > rect.right + 1 || text.left < rect.left - 1)) || tall) {
        if (style.textOverflow === 'ellipsis' && box.closest('.name, .who, [data-name]')) break;
        const [width, space] = [text.width, rect.width].map(Math.round);
        problems.push(`${named(box)} ${data.trim().slice(0, 40)}: ${width} in ${space}`);
        break;
      }
      floats ||= style.position === 'absolute';
      if (style.position === 'absolute' && !box.closest('button')) break;
    }
  }
  return [...new Set(problems)];
}"""
_AXE = """async (rules) => {
  const options = {resultTypes: ['violations'], ...(rules.length ? {runOnly: rules} : {})};
  const {violations} = await axe.run(document, options);
  return violations.map((one) => `${one.id} (${one.impact}): ${one.help}: ` +
    one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`).join(' | ') +
    ` (${one.nodes.length})`);
}"""

_SHIFTS = """() => {
  window.shifts = [];
  const record = ({node, previousRect: from, currentRect: to}) => {
    const one = node?.nodeType === 1 ? node : node?.parentElement;
    if (one?.closest('[data-world]')) return;
    const distance = Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) / Math.max(innerWidth, innerHeight);
    const area = (from.width * from.height + to.width * to.height) / (innerWidth * innerHeight);
    const what = `${one?.outerHTML.slice(0, 120)} from ${from.x},${from.y} to ${to.x},${to.y}`;
    window.shifts.push({value: distance * Math.min(1, area), what});
  };
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => entry.sources.forEach(record)))
    .observe({type: 'layout-shift', buffered: false});
}"""


def untranslated(page: Page) -> list[str]:
    """Texts that were not written for people: keys, placeholders, undefined."""
    return [str(text) for text in page.evaluate(_UNTRANSLATED)]


def overflows(page: Page) -> list[str]:
    """Texts and elements that do not fit."""
    return [str(text) for text in page.evaluate(_OVERFLOWS)]


@cache
def _axe() -> str:
    return AXE.read_text("utf-8")


def accessibility_problems(page: Page, *rules: str) -> list[str]:
    """What axe reports, by all its rules or by the given ones."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_axe())
    return [str(text) for text in page.evaluate(_AXE, list(rules))]


def rectangles(page: Page, *selectors: str) -> dict[str, Any]:
    """The rectangles of elements on the whole page, by selector."""
    script = """selectors => Object.fromEntries(selectors.map((text) => [text,
      [...document.querySelectorAll(text)].map((one) => {
        const box = one.getBoundingClientRect();
        return [box.x + scrollX, box.y + scrollY, box.width, box.height].map(Math.round);
      })]))"""
    return dict(page.evaluate(script, list(selectors)))


def observe_shifts(page: Page) -> None:
    """Record layout shifts from now on, except inside the table of cards, which is fitted to its frame as it grows."""
    page.evaluate(_SHIFTS)


def shifts(page: Page) -> list[tuple[float, str]]:
    """The recorded layout shifts: the score, as browsers compute it, and what has moved."""
    return [(float(entry["value"]), str(entry["what"])) for entry in page.evaluate("window.shifts")]
