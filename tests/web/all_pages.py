"""Every page of the web client, with tables in every state, for tests that check all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from playwright.sync_api import TimeoutError

from tests.web.api_client import ApiClient
from tests.web.people import Person

# Pages that need no table.
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
TIMEOUT = 8000.0  # milliseconds for a page
# A page is complete when it has its heading, shows no loading message, and all its images are loaded.
_COMPLETE = """() => document.querySelector('main h1') && !document.querySelector('main .wait') &&
  [...document.images].every((one) => one.complete)"""
_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
TEXT_BOARDS = ("text-azul", "text-schokoly")


@dataclass(frozen=True)
class AllPages:
    """The paths of all pages by name, and the tokens of their tables."""

    paths: dict[str, str]
    tokens: dict[str, str]


def create_all_pages(api: ApiClient) -> AllPages:
    """Create tables in every state; the result can be visited by any number of browsers."""
    paths = {**PLAIN, **_tables(api)}
    return AllPages(paths, api.tokens)


def _tables(api: ApiClient) -> dict[str, str]:
    azul = api.start_table("azul", "me Ann", "bot greedy", plies=8)
    schokoly = api.play_until(api.start_table("schokoly", "me Ann", "bot greedy", plies=6), "place")
    swap = api.play_until(api.start_table("schokoly", "me Ann", "me Ben", "me Cleo", variant="swap"), "accept")
    finished = api.start_table("azul", "me Ann", "me Ben", plies=400)
    specials = api.start_table("chocolatier", "me Ann", "bot greedy", "bot random", variant="grey,specials", plies=7)
    api.create_table("azul", "me Ann", "open", public=True)
    return {
        "study-position": f"/study#position={quote(_POSITION)}",
        "open-table": f"/t/{api.create_table('schokoly', 'me Ann', 'open', 'bot level-3', variant='swap')}",
        "playing-azul": f"/t/{azul}",
        "playing-chocolatier": f"/t/{specials}",
        "playing-schokoly": f"/t/{schokoly}",
        "kind-schokoly": f"/t/{api.start_table('schokoly', 'me Ann', 'bot greedy')}",
        "secure-schokoly": f"/t/{api.play_until(api.start_table('schokoly', 'me Ann', 'bot greedy'), 'secure')}",
        "swap-schokoly": f"/t/{swap}",
        "finished": f"/t/{finished}",
        "finished-schokoly": f"/t/{api.start_table('schokoly', 'me Ann', 'me Ben', plies=400)}",
        "replay": f"/t/{finished}#ply=17",
        "replay-schokoly": f"/t/{schokoly}#ply=12",
        "text-azul": f"/t/{azul}",
        "text-schokoly": f"/t/{schokoly}",
    }


def visit_all(person: Person, all_pages: AllPages, problems: list[str]) -> Iterator[str]:
    """Visit every page in turn and yield its name once it is complete; a page that never is becomes a problem."""
    for table, token in all_pages.tokens.items():
        person.api.claim(table, token)
    for name, path in all_pages.paths.items():
        if name == TEXT_BOARDS[0]:
            person.set(text=True)
        person.page.goto("about:blank")  # otherwise an address that differs only after # would not be loaded
        person.page.goto(f"{person.origin}{path}")
        try:
            person.page.wait_for_function(_COMPLETE, timeout=TIMEOUT)
            person.page.evaluate(_PAINTED)
        except TimeoutError:
            problems.append(f"{name}: the page is never complete")
        else:
            yield name
            if person.find("act", "lift").count():
                person.act("lift")
                yield f"{name}-lifted"
