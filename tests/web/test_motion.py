"""What moves and what must not: the tiling step by step, reduced motion, and no shift when a move comes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.hands import Touch
from tests.web.looking import rectangles, shifts, watch_shifts
from tests.web.people import LAPTOP, PHONE, Person, Room
from tests.web.playing import moved, plies, take_turn, wait_for_turn

FRAME = ("main .board", "main .bar", "main .side", "main .status", "main [data-seat]")
BARELY = 0.02  # of layout shift: words that give way to shorter ones and their buttons. 0.1 counts as good


def before_tiling(person: Person) -> str:
    """A table where the next move ends the first round, with full lines on both boards."""
    table = person.clerk.started("azul", "me Ann", "me Ben")
    while True:
        position = person.clerk.state(table)["position"]
        tiles = [*(set(one) for one in position["factories"] if one), *(set(position["centre"]),)]
        if position["round"] > 1 or sum(map(len, tiles)) == 1:
            return table
        person.clerk.play(table, 1)


def test_the_tiling_plays_step_by_step_with_its_points(room: Room) -> None:
    ann = room.person(motion=True, settings={"speed": "fast"})
    ann.at(before_tiling(ann))
    assert wait_for_turn(ann)
    ann.page.evaluate(
        """() => {
      window.told = new Set();
      const look = () => window.told.add(document.querySelector('[data-told]')?.innerText ?? '');
      const all = {subtree: true, childList: true, characterData: true};
      new MutationObserver(look).observe(document.querySelector('main'), all);
    }"""
    )
    take_turn(ann, "azul")
    assert wait_for_turn(ann)
    told = ann.page.evaluate("[...window.told]")
    assert sum("+" in text for text in told) >= 2, told


def test_the_tiling_can_be_skipped(room: Room) -> None:
    ann = room.person(motion=True, settings={"speed": "slow"})
    ann.at(before_tiling(ann))
    assert wait_for_turn(ann)
    before = plies(ann)
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    ann.hand.press(ann.page.locator("[data-line][data-legal]").last)
    ann.act("skip")
    moved(ann, before)
    assert wait_for_turn(ann)


@pytest.mark.parametrize("speed", ["off", "slow"])
def test_nothing_moves_where_nothing_should(room: Room, speed: str) -> None:
    ann = room.person(motion=speed == "off", settings={"speed": speed})
    ann.at(ann.clerk.started("azul", "me Ann", "me Ben", plies=2))
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
def test_nothing_jumps_when_moves_arrive(room: Room, game: str, size: tuple[int, int]) -> None:
    ann = room.person(hand="touch" if size == PHONE else "mouse", size=size)
    ben = room.person("Ben", seed=2)
    table = ann.clerk.found(game, "me Ann", "open")
    ben.clerk.sit(table, "Ben")
    ann.clerk.send(table, "start")
    people = [ann, ben]
    for person in people:
        while person.clerk.state(table).get("moves") and plies_of(person, table) < 14:
            person.clerk.play(table, 1)
    ann.at(table)
    expect(ann.find("plies")).to_be_visible()
    ann.page.evaluate("window.scrollTo(0, 0)")
    watch_shifts(ann.page)
    before = rectangles(ann.page, *FRAME)
    for count in range(3):
        at = plies(ann)
        for person in people:  # whoever is to move; Ann only looks on
            if person.clerk.state(table).get("moves"):
                person.clerk.play(table, 1, seed=count)
                break
        moved(ann, at)
    after = rectangles(ann.page, *FRAME)
    assert after == before
    found = shifts(ann.page)
    assert sum(value for value, _ in found) < BARELY, "\n".join(f"{value:.4f} {what}" for value, what in found)


def plies_of(person: Person, table: str) -> int:
    """How far a game is."""
    return int(person.clerk.state(table)["plies"])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_all_boards_are_in_sight_on_a_laptop(room: Room, game: str, seats: int) -> None:
    ann = room.person()
    ann.at(ann.clerk.started(game, "me Ann", *["bot random"] * (seats - 1), plies=3))
    wait_for_turn(ann)
    boards = ann.page.locator("main [data-seat]")
    expect(boards).to_have_count(seats)
    for box in boards.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())"):
        assert box["width"] > 100
        assert box["top"] >= 0
        assert box["left"] >= 0
        assert box["bottom"] <= LAPTOP[1]
        assert box["right"] <= LAPTOP[0]


def test_the_boards_of_others_are_one_swipe_away_on_a_phone(room: Room) -> None:
    ann = room.person(hand="touch", size=PHONE)
    ann.at(ann.clerk.started("azul", "me Ann", "bot random", "bot random"))
    wait_for_turn(ann)
    other = ann.page.locator("main section[data-seat='1']")
    expect(other).not_to_be_in_viewport(ratio=0.5)
    Touch().swipe(ann.page.locator("main section[data-seat='0']"), -240)
    expect(other).to_be_in_viewport(ratio=0.9)
