"""Animations: the tiling step by step, skipping, reduced motion, and no layout shift when a move arrives."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.input_devices import Touch
from tests.web.page_checks import observe_shifts, rectangles, shifts
from tests.web.people import LAPTOP, PHONE, Browsers, Person
from tests.web.play import plies, take_turn, wait_for_move, wait_for_turn

FRAME = ("main .board", "main .bar", "main .side", "main .status", "main [data-seat]")
MAX_SHIFT = 0.02  # layout shift due to texts and buttons of different lengths; up to 0.1 counts as good


def before_tiling(person: Person) -> str:
    """A table at which the next move ends the first round, with full lines on both boards."""
    table = person.api.start_table("azul", "me Ann", "me Ben")
    while True:
        position = person.api.state(table)["position"]
        tiles = [*(set(one) for one in position["factories"] if one), *(set(position["centre"]),)]
        if position["round"] > 1 or sum(map(len, tiles)) == 1:
            return table
        person.api.play(table, 1)


def test_the_tiling_plays_step_by_step_with_its_points(browsers: Browsers) -> None:
    ann = browsers.person(motion=True, settings={"speed": "fast"})
    ann.at(before_tiling(ann))
    assert wait_for_turn(ann)
    ann.page.evaluate(
        """() => {
      window.shown = new Set();
      const look = () => window.shown.add(document.querySelector('[data-effect-bar]')?.innerText ?? '');
      const all = {subtree: true, childList: true, characterData: true};
      new MutationObserver(look).observe(document.querySelector('main'), all);
    }"""
    )
    take_turn(ann, "azul")
    assert wait_for_turn(ann)
    shown = ann.page.evaluate("[...window.shown]")
    assert sum("+" in text for text in shown) >= 2, shown


def test_the_tiling_can_be_skipped(browsers: Browsers) -> None:
    ann = browsers.person(motion=True, settings={"speed": "slow"})
    ann.at(before_tiling(ann))
    assert wait_for_turn(ann)
    before = plies(ann)
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    ann.device.press(ann.page.locator("[data-line][data-legal]").last)
    ann.act("skip")
    wait_for_move(ann, before)
    assert wait_for_turn(ann)


def test_skipping_the_playback_never_leaves_a_move_unshown(browsers: Browsers) -> None:
    ann = browsers.person(motion=True, settings={"speed": "slow"})
    table = ann.api.start_table("azul", "me Ann", "bot random")
    ann.at(table)
    for _ in range(2):
        assert wait_for_turn(ann)  # the second time, the bot's tiles are still moving
        take_turn(ann, "azul")
    plies_now = ann.api.ready(table)["plies"]  # the bot has moved, but the page does not show it yet
    ann.page.wait_for_timeout(100)
    ann.page.keyboard.press("s")
    ann.page.wait_for_function(
        "now => Number(document.querySelector('[data-plies]').dataset.plies) === now", arg=plies_now
    )
    assert wait_for_turn(ann)
    expect(ann.page.locator("[data-take][data-legal]").first).to_be_visible()


@pytest.mark.parametrize("speed", ["off", "slow"])
def test_nothing_moves_if_motion_is_off(browsers: Browsers, speed: str) -> None:
    ann = browsers.person(motion=speed == "off", settings={"speed": speed})
    ann.at(ann.api.start_table("azul", "me Ann", "me Ben", plies=2))
    assert wait_for_turn(ann)
    ann.page.evaluate(
        """() => {
      window.longest = 0;
      const look = () => {
        for (const one of document.getAnimations()) {
          const timing = one.effect.getComputedTiming();
          if (timing.iterations !== Infinity) window.longest = Math.max(window.longest, timing.endTime);
        }
        requestAnimationFrame(look);
      };
      look();
    }"""
    )
    take_turn(ann, "azul")
    assert wait_for_turn(ann)
    assert ann.page.evaluate("window.longest") <= 200  # a button may fade


@pytest.mark.parametrize("game", ["azul", "chocolatier", "schokoly"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_layout_does_not_shift_when_moves_arrive(browsers: Browsers, game: str, size: tuple[int, int]) -> None:
    ann = browsers.person(device="touch" if size == PHONE else "mouse", size=size)
    ben = browsers.person("Ben", seed=2)
    table = ann.api.create_table(game, "me Ann", "open")
    ben.api.sit(table, "Ben")
    ann.api.send(table, "start")
    people = [ann, ben]
    for person in people:
        while person.api.state(table).get("moves") and plies_of(person, table) < 14:
            person.api.play(table, 1)
    ann.at(table)
    expect(ann.find("plies")).to_be_visible()
    ann.page.evaluate("window.scrollTo(0, 0)")
    observe_shifts(ann.page)
    before = rectangles(ann.page, *FRAME)
    for count in range(3):
        at = plies(ann)
        for person in people:  # whoever is to move; Ann only watches
            if person.api.state(table).get("moves"):
                person.api.play(table, 1, seed=count)
                break
        wait_for_move(ann, at)
    after = rectangles(ann.page, *FRAME)
    assert after == before
    moves = shifts(ann.page)
    assert sum(value for value, _ in moves) < MAX_SHIFT, "\n".join(f"{value:.4f} {what}" for value, what in moves)


def plies_of(person: Person, table: str) -> int:
    """How many plies the game has."""
    return int(person.api.state(table)["plies"])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_all_boards_are_visible_on_a_laptop(browsers: Browsers, game: str, seats: int) -> None:
    ann = browsers.person()
    ann.at(ann.api.start_table(game, "me Ann", *["bot random"] * (seats - 1), plies=3))
    wait_for_turn(ann)
    boards = ann.page.locator("main [data-seat]")
    expect(boards).to_have_count(seats)
    for box in boards.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())"):
        assert box["width"] > 100
        assert box["top"] >= 0
        assert box["left"] >= 0
        assert box["bottom"] <= LAPTOP[1]
        assert box["right"] <= LAPTOP[0]


def test_the_boards_of_others_are_one_swipe_away_on_a_phone(browsers: Browsers) -> None:
    ann = browsers.person(device="touch", size=PHONE)
    ann.at(ann.api.start_table("azul", "me Ann", "bot random", "bot random"))
    wait_for_turn(ann)
    other = ann.page.locator("main section[data-seat='1']")
    expect(other).not_to_be_in_viewport(ratio=0.5)
    Touch().swipe(ann.page.locator("main section[data-seat='0']"), -240)
    expect(other).to_be_in_viewport(ratio=0.9)
