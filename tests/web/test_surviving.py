"""What a page goes through: a server that is killed, a reload, another version, no network at all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.server.running import Running, start_server
from tests.web.people import Room
from tests.web.playing import moved, plies, take_turn, wait_for_turn

AWAY = (r"ERR_CONNECTION_REFUSED", r"ERR_EMPTY_RESPONSE", r"ERR_CONNECTION_RESET", r"WebSocket connection to")


@pytest.fixture
def mortal(server: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of one's own, to be killed."""
    assert server.url  # the page is built
    running = start_server(tmp_path_factory.mktemp("mortal"), log="warning", back_in=1)
    yield running
    running.stop()


@pytest.fixture
def mortals(mortal: Running, chromium: Browser) -> Iterator[Room]:
    """People at the server that will be killed."""
    room = Room(chromium, mortal.url)
    yield room
    room.close()


def test_a_game_goes_on_where_it_was_after_the_server_was_killed(mortal: Running, mortals: Room) -> None:
    ann, ben = mortals.person("Ann", settings={"confirm": "on"}), mortals.person("Ben", seed=2)
    for person in (ann, ben):
        person.watch.allow(*AWAY)
    table = ann.clerk.found("azul", "me Ann", "open")
    ben.clerk.sit(table, "Ben")
    ann.clerk.send(table, "start")
    ann.at(table)
    ben.at(table)
    take_turn(ann, "azul")
    wait_for_turn(ben)
    take_turn(ben, "azul")
    wait_for_turn(ann)

    before = plies(ann)
    ann.hand.press(ann.page.locator("[data-take][data-legal]").first)
    ann.hand.press(ann.page.locator("[data-line][data-legal]").first)
    mortal.kill()
    for person in (ann, ben):
        expect(person.find("line-state", "lost")).to_be_visible()
        expect(person.find("line-state", "lost")).not_to_be_empty()
    ann.act("confirm")  # while nobody is there to hear it
    assert plies(ann) == before

    mortal.start()
    for person in (ann, ben):
        moved(person, before)
        expect(person.find("line-state", "open")).to_have_count(1)
        assert plies(person) == before + 1
    assert wait_for_turn(ben)
    take_turn(ben, "azul")
    state = ann.clerk.state(table)
    assert state["plies"] == before + 2


def test_a_server_that_is_started_anew_says_so_before_it_goes(mortal: Running, mortals: Room) -> None:
    ann = mortals.person()
    ann.watch.allow(*AWAY)
    table = ann.clerk.started("azul", "me Ann", "bot random")
    ann.at(table)
    wait_for_turn(ann)
    mortal.stop()
    expect(ann.find("line-state", "closing").or_(ann.find("line-state", "lost"))).not_to_be_empty()
    mortal.start()
    expect(ann.find("line-state", "open")).to_have_count(1)
    take_turn(ann, "azul")


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_a_reload_in_the_middle_of_a_game_brings_one_back_to_the_same_place(room: Room, game: str) -> None:
    ann = room.person(settings={"confirm": "on"})
    table = ann.clerk.started(game, "me Ann", "bot random", plies=5)
    ann.at(table)
    wait_for_turn(ann)
    before = plies(ann)
    log = ann.page.locator(".log li").all_inner_texts()
    ann.page.reload()
    wait_for_turn(ann)
    assert plies(ann) == before
    assert ann.page.locator(".log li").all_inner_texts() == log
    take_turn(ann, game)


def test_the_front_page_lists_my_running_tables_with_whose_turn_it_is(room: Room) -> None:
    ann = room.person()
    table = ann.clerk.started("azul", "me Ann", "bot random", plies=2)
    ann.at(table)
    wait_for_turn(ann)
    ann.visit("/")
    link = ann.page.locator(f'main a[href="/t/{table}"]')
    expect(link.first).to_be_visible()
    ann.hand.press(link.first)
    assert wait_for_turn(ann)


def test_an_older_page_asks_to_be_loaded_anew(room: Room) -> None:
    ann = room.person()
    house = ann.clerk.get("/api/house")
    ann.context.route("**/api/house", lambda route: route.fulfill(json={**house, "page": "of tomorrow"}))
    ann.visit("/")
    expect(ann.find("act", "reload")).to_be_visible()
    ann.context.unroute("**/api/house")
    with ann.page.expect_navigation():
        ann.act("reload")
    expect(ann.page.locator("main h1")).to_be_visible()
    expect(ann.find("act", "reload")).to_have_count(0)


def test_a_server_that_speaks_another_version_asks_to_load_the_page_anew(room: Room) -> None:
    ann = room.person()
    table = ann.clerk.started("azul", "me Ann", "bot random")
    ann.page.route_web_socket("**/socket", lambda socket: socket.close(code=4426))
    ann.at(table)
    expect(ann.page.locator("main button.main")).to_be_visible()


def test_a_table_that_does_not_exist_says_so(room: Room) -> None:
    ann = room.person()
    ann.visit("/t/aaaaaaaaaaaa")
    expect(ann.page.locator("main h1")).to_be_visible()
    expect(ann.page.locator("main a[href='/']")).to_be_visible()


def test_a_wrong_address_says_so_and_leads_home(room: Room) -> None:
    ann = room.person()
    ann.watch.allow(r"status of 404 .*/nowhere")
    ann.visit("/nowhere")
    expect(ann.page.locator("main a[href='/']").first).to_be_visible()


def test_a_private_link_takes_the_seat_to_another_device(room: Room) -> None:
    ann, phone = room.person("Ann"), room.person("Ann's phone")
    wish = {"game": "azul", "seats": [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": "random"}]}
    made = ann.clerk.post("/api/tables", wish)
    ann.clerk.send(made["table"], "start")
    phone.page.goto(f"{phone.origin}{made['seat_link']}")
    assert wait_for_turn(phone)
    assert made["token"] not in phone.page.url
    take_turn(phone, "azul")


def test_the_shell_opens_offline_with_a_message(room: Room) -> None:
    ann = room.person(workers=True)
    ann.watch.allow(r"ERR_INTERNET_DISCONNECTED", r"ERR_FAILED")
    ann.visit("/")
    ann.promised("navigator.serviceWorker.ready.then((worker) => worker.active?.state === 'activated')")
    ann.page.reload()  # now the worker stands between the page and the network
    ann.promised("navigator.serviceWorker.controller !== null")
    ann.promised("caches.match('/').then(Boolean)")
    ann.context.set_offline(True)
    ann.page.reload()
    expect(ann.page.locator("main h1")).to_be_visible()
    expect(ann.page.locator(".bar[role=status]")).to_be_visible()


def test_the_page_can_be_installed(room: Room) -> None:
    ann = room.person()
    ann.visit("/")
    href = ann.page.locator("link[rel=manifest]").get_attribute("href")
    manifest = ann.clerk.get(str(href))
    assert manifest["name"] == "Tilery"
    assert manifest["display"] in ("standalone", "minimal-ui", "fullscreen")
    assert manifest["start_url"].startswith("/")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        found = ann.context.request.get(f"{ann.origin}{icon['src']}")
        assert found.ok
        assert found.headers["content-type"] == icon["type"]
    session = ann.context.new_cdp_session(ann.page)
    errors = {error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}  # as every browser of these tests is
