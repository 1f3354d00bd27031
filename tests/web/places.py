"""Every page of Tilery, with tables in every state, for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from playwright.sync_api import TimeoutError

from tests.web.people import Person
from tests.web.tables import Clerk

# Pages for which no table is needed.
PLAIN = {
    "front": "/",
    "new-bot": "/new/bot",
    "new-friends": "/new/friends",
    "new-device": "/new/device",
    "watch": "/watch",
    "settings": "/settings",
    "study": "/study",
    "learn": "/learn",
    "learn-azul": "/learn/azul",
    "learn-chocolatier": "/learn/chocolatier",
    "learn-schokoly": "/learn/schokoly",
    "rules-azul": "/rules/azul",
    "rules-chocolatier": "/rules/chocolatier",
    "rules-schokoly": "/rules/schokoly",
}
_POSITION = (
    "azul:2,specials round=1 offer:1 starter=1 marker=C bag=16/16/16/16/16 lid=0/0/0/0/0 centre=- "
    "discs=keeper:BBYR/BYRK/YRKW/spreader:BYRK/KWWW "
    "0|-/-/-/-/-|...../...../...../...../.....|- 0|-/-/-/-/-|...../...../...../...../.....|-"
)
PATIENCE = 8000.0  # milliseconds for a page
# A page stands when it has its heading, says no more that it loads something, and all its pictures are there.
_STANDS = """() => document.querySelector('main h1') && !document.querySelector('main .wait') &&
  [...document.images].every((one) => one.complete)"""
_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
TEXT_BOARDS = ("text-azul", "text-schokoly")


@dataclass(frozen=True)
class Places:
    """All pages by name, and the tokens of the tables among them."""

    paths: dict[str, str]
    tokens: dict[str, str]


def make_places(clerk: Clerk) -> Places:
    """Tables in every state, for everybody who wants to look at all pages."""
    paths = {**PLAIN, **_tables(clerk)}
    return Places(paths, clerk.tokens)


def _tables(clerk: Clerk) -> dict[str, str]:
    azul = clerk.started("azul", "me Ann", "bot greedy", plies=8)
    schokoly = clerk.until(clerk.started("schokoly", "me Ann", "bot greedy", plies=6), "place")
    swap = clerk.until(clerk.started("schokoly", "me Ann", "me Ben", "me Cleo", variant="swap"), "accept")
    finished = clerk.started("azul", "me Ann", "me Ben", plies=400)
    specials = clerk.started("chocolatier", "me Ann", "bot greedy", "bot random", variant="grey,specials", plies=7)
    clerk.found("azul", "me Ann", "open", public=True)
    return {
        "study-position": f"/study#position={quote(_POSITION)}",
        "open-table": f"/t/{clerk.found('schokoly', 'me Ann', 'open', 'bot level-3', variant='swap')}",
        "playing-azul": f"/t/{azul}",
        "playing-chocolatier": f"/t/{specials}",
        "playing-schokoly": f"/t/{schokoly}",
        "kind-schokoly": f"/t/{clerk.started('schokoly', 'me Ann', 'bot greedy')}",
        "secure-schokoly": f"/t/{clerk.until(clerk.started('schokoly', 'me Ann', 'bot greedy'), 'secure')}",
        "swap-schokoly": f"/t/{swap}",
        "finished": f"/t/{finished}",
        "finished-schokoly": f"/t/{clerk.started('schokoly', 'me Ann', 'me Ben', plies=400)}",
        "replay": f"/t/{finished}#ply=17",
        "replay-schokoly": f"/t/{schokoly}#ply=12",
        "text-azul": f"/t/{azul}",
        "text-schokoly": f"/t/{schokoly}",
    }


def tour(person: Person, places: Places, problems: list[str]) -> Iterator[str]:
    """Visit every page, one after the other; its name comes when it is there. What does not come is a problem."""
    for table, token in places.tokens.items():
        person.clerk.claim(table, token)
    for name, path in places.paths.items():
        if name == TEXT_BOARDS[0]:
            person.set(text=True)
        person.page.goto("about:blank")  # so that an address that differs behind # only is loaded as well
        person.page.goto(f"{person.origin}{path}")
        try:
            person.page.wait_for_function(_STANDS, timeout=PATIENCE)
            person.page.evaluate(_PAINTED)
        except TimeoutError:
            problems.append(f"{name}: the page does not come")
        else:
            yield name
            if person.find("act", "lift").count():
                person.act("lift")
                yield f"{name}-lifted"
