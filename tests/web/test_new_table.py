"""From the front page to the first move: against a bot, with friends, on one device."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.people import PHONE, Browsers
from tests.web.play import plies, take_turn, wait_for_move, wait_for_turn


def test_a_game_against_a_bot_starts_with_three_clicks(browsers: Browsers) -> None:
    ann = browsers.person(settings={"name": ""})
    ann.visit("/")
    ann.act("game-azul")
    ann.act("new-bot")
    ann.act("start")
    assert wait_for_turn(ann)
    take_turn(ann, "azul")
    assert "/t/" in ann.page.url


def test_friends_are_invited_by_a_link_and_a_qr_code(browsers: Browsers) -> None:
    ann, ben = browsers.person("Ann"), browsers.person("Ben", device="touch", size=PHONE)
    ann.visit("/new/friends").act("start")
    link = ann.page.locator("[data-invite]").input_value()
    table = re.search(r"/t/(\w{12})$", link)
    assert table is not None
    expect(ann.page.locator("img[src^='/api/qr']")).to_be_visible()
    ann.page.wait_for_function("() => document.querySelector(\"img[src^='/api/qr']\").naturalWidth > 0")
    expect(ann.find("act", "start")).to_be_disabled()

    ben.at(table[1])
    ben.page.locator("#name").fill("Benjamin")
    ben.act("sit")
    expect(ann.page.get_by_text("Benjamin").first).to_be_visible()
    ben.act("start")  # any player may start the game
    for person in (ann, ben):
        expect(person.find("plies")).to_be_visible()
    assert ben.settings()["name"] == "Benjamin"


def test_all_choices_of_a_new_table_reach_it(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.visit("/new/bot")
    ann.act("game-chocolatier")
    page = ann.page
    for name, value in (("seats", "3"), ("wall", "grey"), ("specials", "round")):
        ann.device.press(page.locator(f"label:has(input[name={name}][value='{value}'])"))
    page.locator("main select").first.select_option("random")
    ann.device.press(page.locator("label:has(input[name=clock])").nth(1))
    ann.act("start")
    wait_for_turn(ann)
    state = ann.api.state(page.url.rpartition("/")[2])
    assert state["game"] == "chocolatier"
    assert state["variant"].startswith("3,grey,specials")
    assert len(state["seats"]) == 3
    assert [seat["bot"] for seat in state["seats"]][:2] == ["", "random"]
    assert state["clock"] is not None


def test_two_people_on_one_device_play_azul_without_a_cover(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.visit("/new/device")
    ann.act("game-azul")
    ann.act("start")
    for _ in range(4):
        assert wait_for_turn(ann)
        assert not ann.find("act", "lift").count()
        take_turn(ann, "azul")


def test_two_people_on_one_device_do_not_see_each_others_cards_in_schokoly(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.visit("/new/device")
    ann.act("game-schokoly")
    ann.act("start")
    hands = []
    seats = []
    for _ in range(8):
        wait_for_turn(ann)
        if ann.find("act", "lift").count():
            assert not ann.values("card", legal=False)
            before = plies(ann)
            ann.act("lift")
            expect(ann.find("card").first).to_be_visible()
            assert plies(ann) == before
            state = ann.api.state(ann.page.url.rpartition("/")[2])
            seats.append(state["viewer"])
            hands.append(set(ann.values("card", legal=False)))
            assert hands[-1] == set(state["position"]["hands"][state["viewer"]])
            continue
        before = plies(ann)
        take_turn(ann, "schokoly")
        wait_for_move(ann, before)
    assert set(seats) == {0, 1}


def test_public_tables_are_found_and_joined(browsers: Browsers) -> None:
    ann, ben = browsers.person("Ann"), browsers.person("Ben")
    table = ann.api.create_table("azul", "me Ann", "open", public=True)
    ben.visit("/watch")
    ben.device.press(ben.page.locator(f"a[data-act=join][href='/t/{table}']"))
    ben.act("sit")
    expect(ben.find("act", "start")).to_be_enabled()
    ben.act("leave")
    expect(ben.page).to_have_url(f"{ben.origin}/")
    ben.visit("/watch")
    ben.page.locator("#link").fill("nonsense")
    ben.act("watch")
    expect(ben.page.locator("#link-trouble")).not_to_be_empty()
    ben.page.locator("#link").fill(f"{ben.origin}/t/{table}")
    ben.act("watch")
    expect(ben.find("act", "sit")).to_be_visible()


def test_the_host_gives_a_seat_to_a_bot_and_changes_their_own_name(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.create_table("azul", "me Ann", "open")
    ann.at(table).act("give-to-bot")
    ann.page.locator("dialog[open] select, dialog[open] input").first.wait_for()
    ann.act("pick-bot")
    expect(ann.find("act", "start")).to_be_enabled()
    ann.act("rename")
    ann.page.locator("dialog[open] input").fill("Annika")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("main").get_by_text("Annika").first).to_be_visible()
    ann.act("start")
    assert wait_for_turn(ann)
