"""Makes a given move by pressing its parts on the board."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.web.people import Person

ROTATIONS = 4


def make_move(person: Person, move: str | dict[str, Any]) -> None:
    """Compose a move given in notation, or as the parts that matter of a card that is laid."""
    if isinstance(move, dict):
        assert move["kind"] == "lay"
        _lay(person, "*", f"{move['x']},{move['y']}" if "x" in move else "*")
    elif "@" in move and not move.startswith("token"):
        _lay(person, *move.split("@"))
    elif move.startswith("offer:"):
        person.act("swap")
        person.device.press(person.find("swap", move))
    elif move.startswith("token@"):
        person.device.press(person.find("token", move.removeprefix("token@")))
    elif move in ("dark", "milk", "white"):
        person.device.press(person.find("kind", move))
    elif move in ("pass", "no-token", "accept", "decline"):
        person.act(move)
    elif ":" in move:
        person.device.press(person.find("cell", move))
    else:
        _take(person, move)


def _take(person: Person, move: str) -> None:
    person.device.press(person.find("take", move[:2]))
    person.device.press(person.find("line", move[2]))
    side = ""
    for letter in move[3:]:
        if letter in "<>":
            side = letter
        else:
            person.device.press(person.find("pass", letter + side))


def _lay(person: Person, pieces: str, place: str) -> None:
    """Turn the card until it lies as wanted. If any card will do (`*`), take the first one that fits somewhere."""
    spot = person.find("spot", place.rstrip("^")) if place != "*" else person.page.locator("[data-spot][data-legal]")
    turned = person.page.locator(f"[data-card][data-turned='{pieces}']")
    cards = person.page.locator("[data-card][data-legal]")
    cards.first.wait_for()
    for number in range(cards.count()):
        person.device.press(cards.nth(number))
        for _ in range(ROTATIONS):
            fits = pieces == "*" or turned.and_(person.page.locator("[aria-pressed='true']")).count()
            if fits and spot.count():
                person.device.press(spot.first)
                return
            person.act("rotate")
    expect(turned, f"{pieces} is in the hand and fits at {place}").to_be_visible(timeout=1)
