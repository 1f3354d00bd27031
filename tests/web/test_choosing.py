"""Putting a move together: what lights up, what it would do, why something is not legal, confirming and taking back."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.web.hands import fingers
from tests.web.people import LAPTOP, PHONE, Person, Room
from tests.web.playing import moved, plies, wait_for_turn

TOLD = "[data-told]"  # what the page tells about the move that is chosen or pointed at


def lit_moves(person: Person) -> set[str]:
    """All moves that can be put together on the board, found by picking up everything that lights up."""
    found = set()
    for take in person.values("take"):
        person.hand.press(person.find("take", take))
        expect(person.find("take", take)).to_have_attribute("aria-pressed", "true")
        found |= {take + line for line in person.values("line")}
    return found


def begin(room: Room, **wishes: object) -> Person:
    """Ann, who is to move in the middle of a first round."""
    ann = room.person(settings={"confirm": "on", **wishes})
    ann.at(ann.clerk.started("azul", "me Ann", "me Ben", plies=4))
    assert wait_for_turn(ann)
    return ann


def test_exactly_the_legal_moves_light_up(room: Room) -> None:
    ann = begin(room)
    table = ann.page.url.rpartition("/")[2]
    assert lit_moves(ann) == set(ann.clerk.state(table)["moves"])


def test_what_a_move_will_do_is_told_before_it_is_confirmed_and_it_can_be_undone(room: Room) -> None:
    ann = begin(room)
    before = plies(ann)
    quiet = ann.page.locator(TOLD).inner_text()
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    ann.hand.press(ann.find("line", "F"))
    expect(ann.find("act", "confirm")).to_be_visible()
    expect(ann.page.locator(TOLD)).to_contain_text("floor line")
    expect(ann.page.locator(TOLD)).to_contain_text("−")
    assert ann.page.locator(TOLD).inner_text() != quiet
    ann.act("undo")
    expect(ann.find("act", "confirm")).to_have_count(0)
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    ann.hand.press(ann.find("line", "F"))
    ann.page.keyboard.press("Escape")
    expect(ann.find("act", "confirm")).to_have_count(0)
    assert plies(ann) == before


def test_a_second_press_on_the_same_target_confirms(room: Room) -> None:
    ann = begin(room)
    before = plies(ann)
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    ann.hand.press(ann.find("line", "F"))
    expect(ann.find("act", "confirm")).to_be_visible()
    ann.hand.press(ann.find("line", "F"))
    moved(ann, before)


def test_a_countdown_sends_the_move_by_itself_unless_it_is_undone(room: Room) -> None:
    ann = begin(room, confirm="countdown")
    before = plies(ann)
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    ann.hand.press(ann.find("line", "F"))
    ann.act("undo")
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    ann.hand.press(ann.find("line", "F"))
    began = time.monotonic()
    expect(ann.find("act", "confirm")).to_be_visible()
    assert plies(ann) == before
    moved(ann, before)
    assert 1.0 < time.monotonic() - began < 10.0


def test_without_confirmation_a_move_is_sent_at_once(room: Room) -> None:
    ann = begin(room, confirm="off")
    before = plies(ann)
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    ann.hand.press(ann.find("line", "F"))
    moved(ann, before)


@pytest.mark.parametrize("presses", [False, True], ids=["hover", "long press"])
def test_the_reason_why_a_target_is_not_legal_is_shown(room: Room, presses: bool) -> None:
    ann = room.person(hand="touch" if presses else "mouse", size=PHONE if presses else LAPTOP)
    table = ann.clerk.started("azul", "me Ann", "me Ben")
    moves = ann.clerk.state(table)["moves"]
    first = next(move for move in moves if move.endswith("1"))
    ann.clerk.send(table, "play", move=first)
    ann.clerk.play(table, 1)
    ann.at(table)
    wait_for_turn(ann)
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    line = ann.find("line", "1")
    expect(line).not_to_have_attribute("data-legal", "")
    if presses:
        line.scroll_into_view_if_needed()
        box = line.bounding_box()
        assert box is not None
        with fingers(ann.page) as touch:
            touch("touchStart", box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            expect(ann.page.locator(TOLD)).to_contain_text("full")
            touch("touchEnd")
    else:
        line.hover()
        expect(ann.page.locator(TOLD)).to_contain_text("full")


def test_the_last_move_stays_marked(room: Room) -> None:
    ann = begin(room)
    assert ann.page.locator(".last").count() >= 1


def test_a_move_can_be_typed(room: Room) -> None:
    ann = begin(room, confirm="off")
    table = ann.page.url.rpartition("/")[2]
    before = plies(ann)
    ann.page.keyboard.press("m")
    ann.page.locator("#move").fill("9Z9")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#move-problem")).not_to_be_empty()
    ann.page.locator("#move").fill(ann.clerk.state(table)["moves"][0].lower())
    ann.page.keyboard.press("Enter")
    moved(ann, before)


def test_a_card_is_turned_by_tap_key_and_wheel_and_shows_what_it_would_touch(room: Room) -> None:
    ann = room.person(settings={"confirm": "on"})
    ann.at(ann.clerk.until(ann.clerk.started("schokoly", "me Ann", "bot random", plies=6), "place"))
    wait_for_turn(ann)
    card = ann.page.locator("[data-card][data-legal]").first
    ann.hand.press(card)
    spots = "spots => spots.map((one) => one.dataset.spot + (one.dataset.legal ?? '-')).join(' ')"
    seen = [ann.find("spot").evaluate_all(spots)]
    drawn = [card.locator("svg").inner_html()]
    for turn in ("tap", "key", "button", "wheel"):
        if turn == "tap":
            ann.hand.press(card)
        elif turn == "key":
            ann.page.keyboard.press("r")
        elif turn == "button":
            ann.act("rotate")
        else:
            ann.find("spot").first.hover()
            ann.page.mouse.wheel(0, 120)
        drawn.append(card.locator("svg").inner_html())
        seen.append(ann.find("spot").evaluate_all(spots))
    assert len(set(drawn)) > 1
    spot = ann.page.locator("[data-spot]").first
    ann.hand.press(spot)
    expect(ann.find("act", "confirm")).to_be_visible()
    expect(ann.page.locator(TOLD)).not_to_be_empty()
