"""Composing a move: what is highlighted, what it would do, why something is illegal, confirming and undoing."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.web.input_devices import fingers
from tests.web.people import LAPTOP, PHONE, Browsers, Person
from tests.web.play import plies, wait_for_move, wait_for_turn

EFFECT_BAR = "[data-effect-bar]"  # the effects of the move that is chosen or pointed at


def highlighted_moves(person: Person) -> set[str]:
    """All moves that can be composed on the board, collected by picking everything that is highlighted."""
    moves = set()
    for take in person.values("take"):
        person.device.press(person.find("take", take))
        expect(person.find("take", take)).to_have_attribute("aria-pressed", "true")
        moves |= {take + line for line in person.values("line")}
    return moves


def begin(browsers: Browsers, **settings: object) -> Person:
    """Ann at a table in the middle of the first round, when it is her turn."""
    ann = browsers.person(settings={"confirm": "on", **settings})
    ann.at(ann.api.start_table("azul", "me Ann", "me Ben", plies=4))
    assert wait_for_turn(ann)
    return ann


def test_exactly_the_legal_moves_are_highlighted(browsers: Browsers) -> None:
    ann = begin(browsers)
    table = ann.page.url.rpartition("/")[2]
    assert highlighted_moves(ann) == set(ann.api.moves(table))


def test_effects_are_shown_before_a_move_is_confirmed_and_it_can_be_undone(browsers: Browsers) -> None:
    ann = begin(browsers)
    before = plies(ann)
    quiet = ann.page.locator(EFFECT_BAR).inner_text()
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    ann.device.press(ann.find("line", "F"))
    expect(ann.find("act", "confirm")).to_be_visible()
    expect(ann.page.locator(EFFECT_BAR)).to_contain_text("floor line")
    expect(ann.page.locator(EFFECT_BAR)).to_contain_text("−")
    assert ann.page.locator(EFFECT_BAR).inner_text() != quiet
    ann.act("undo")
    expect(ann.find("act", "confirm")).to_have_count(0)
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    ann.device.press(ann.find("line", "F"))
    ann.page.keyboard.press("Escape")
    expect(ann.find("act", "confirm")).to_have_count(0)
    assert plies(ann) == before


def test_a_second_press_on_the_same_target_confirms(browsers: Browsers) -> None:
    ann = begin(browsers)
    before = plies(ann)
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    ann.device.press(ann.find("line", "F"))
    expect(ann.find("act", "confirm")).to_be_visible()
    ann.device.press(ann.find("line", "F"))
    wait_for_move(ann, before)


def test_a_countdown_sends_the_move_by_itself_unless_it_is_undone(browsers: Browsers) -> None:
    ann = begin(browsers, confirm="countdown")
    before = plies(ann)
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    ann.device.press(ann.find("line", "F"))
    ann.act("undo")
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    ann.device.press(ann.find("line", "F"))
    began = time.monotonic()
    expect(ann.find("act", "confirm")).to_be_visible()
    assert plies(ann) == before
    wait_for_move(ann, before)
    assert 1.0 < time.monotonic() - began < 10.0


def test_without_confirmation_a_move_is_sent_at_once(browsers: Browsers) -> None:
    ann = begin(browsers, confirm="off")
    before = plies(ann)
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    ann.device.press(ann.find("line", "F"))
    wait_for_move(ann, before)


@pytest.mark.parametrize("presses", [False, True], ids=["hover", "long press"])
def test_the_reason_why_a_target_is_illegal_is_shown(browsers: Browsers, presses: bool) -> None:
    ann = browsers.person(device="touch" if presses else "mouse", size=PHONE if presses else LAPTOP)
    table = ann.api.start_table("azul", "me Ann", "me Ben")
    first = next(move for move in ann.api.moves(table) if move.endswith("1"))
    ann.api.send(table, "play", move=first)
    ann.api.play(table, 1)
    ann.at(table)
    wait_for_turn(ann)
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    line = ann.find("line", "1")
    expect(line).not_to_have_attribute("data-legal", "")
    if presses:
        line.scroll_into_view_if_needed()
        box = line.bounding_box()
        assert box is not None
        with fingers(ann.page) as touch:
            touch("touchStart", box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            expect(ann.page.locator(EFFECT_BAR)).to_contain_text("full")
            touch("touchEnd")
    else:
        line.hover()
        expect(ann.page.locator(EFFECT_BAR)).to_contain_text("full")


def test_the_last_move_stays_marked(browsers: Browsers) -> None:
    ann = begin(browsers)
    assert ann.page.locator(".last").count() >= 1


def test_a_move_can_be_typed(browsers: Browsers) -> None:
    ann = begin(browsers, confirm="off")
    table = ann.page.url.rpartition("/")[2]
    before = plies(ann)
    ann.page.keyboard.press("m")
    ann.page.locator("#move").fill("9Z9")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#move-problem")).not_to_be_empty()
    ann.page.locator("#move").fill(" ".join(ann.api.moves(table)[0].lower()))
    ann.page.keyboard.press("Enter")
    wait_for_move(ann, before)


@pytest.mark.parametrize(
    ("language", "why"),
    [("en", "Y is not a colour (B blue, N brown,"), ("ru", "Y — не цвет (B синий, N коричневый,")],
)
def test_a_refusal_is_in_the_language_and_the_letters_of_the_game(browsers: Browsers, language: str, why: str) -> None:
    """The sentences of refusals are loaded with the first one."""
    ann = browsers.person(language=language)
    loaded: list[str] = []
    ann.page.on("request", lambda request: loaded.append(request.url))
    ann.at(ann.api.start_table("chocolatier", "me Ann", "bot random"))
    assert not any("refusals" in url for url in loaded)
    ann.page.keyboard.press("m")
    ann.page.locator("#move").fill("1Y2")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#move-problem")).to_contain_text(why)
    assert sum("refusals" in url for url in loaded) == 1


def test_a_card_is_typed_as_in_the_rules_of_notation(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.play_until(ann.api.start_table("schokoly", "me Ann", "bot random", plies=6), "place")
    ann.at(table)
    wait_for_turn(ann)
    before = plies(ann)
    pieces, _, place = next(move for move in ann.api.moves(table) if "@" in move).lower().partition("@")
    ann.page.keyboard.press("m")
    ann.page.locator("#move").fill(f"{pieces} {place.replace(',', ' ').replace('^', ' up')}")
    ann.page.keyboard.press("Enter")
    wait_for_move(ann, before)


def test_a_card_is_turned_by_tap_key_and_wheel_and_shows_what_it_would_touch(browsers: Browsers) -> None:
    ann = browsers.person(settings={"confirm": "on"})
    ann.at(ann.api.play_until(ann.api.start_table("schokoly", "me Ann", "bot random", plies=6), "place"))
    wait_for_turn(ann)
    card = ann.page.locator("[data-card][data-legal]").first
    ann.device.press(card)
    spots = "spots => spots.map((one) => one.dataset.spot + (one.dataset.legal ?? '-')).join(' ')"
    seen = [ann.find("spot").evaluate_all(spots)]
    drawn = [card.locator("svg").inner_html()]
    for turn in ("tap", "key", "button", "wheel"):
        if turn == "tap":
            ann.device.press(card)
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
    ann.device.press(spot)
    expect(ann.find("act", "confirm")).to_be_visible()
    expect(ann.page.locator(EFFECT_BAR)).not_to_be_empty()
