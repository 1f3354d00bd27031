"""The web client survives a killed server, a reload, another version and a lost network."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.server.server_process import ServerProcess, start_server
from tests.web.people import Browsers
from tests.web.play import plies, take_turn, wait_for_move, wait_for_turn

AWAY = (
    r"ERR_CONNECTION_REFUSED",
    r"ERR_EMPTY_RESPONSE",
    r"ERR_CONNECTION_RESET",
    r"ERR_CONTENT_LENGTH_MISMATCH",  # killed in the middle of a response
    r"WebSocket connection to",
)


@pytest.fixture
def own_server(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A separate server, which the test may kill."""
    assert server.url  # skips the test if the web client is not built
    running = start_server(tmp_path_factory.mktemp("own-server"), log_level="warning", reconnect_delay=1)
    yield running
    running.stop()


@pytest.fixture
def own_browsers(own_server: ServerProcess, chromium: Browser) -> Iterator[Browsers]:
    """Browsers that use the separate server."""
    browsers = Browsers(chromium, own_server.url)
    yield browsers
    browsers.close()


def test_a_game_continues_after_the_server_was_killed(own_server: ServerProcess, own_browsers: Browsers) -> None:
    ann, ben = own_browsers.person("Ann", settings={"confirm": "on"}), own_browsers.person("Ben", seed=2)
    for person in (ann, ben):
        person.errors.allow(*AWAY)
    table = ann.api.create_table("azul", "me Ann", "open")
    ben.api.sit(table, "Ben")
    ann.api.send(table, "start")
    ann.at(table)
    ben.at(table)
    take_turn(ann, "azul")
    wait_for_turn(ben)
    take_turn(ben, "azul")
    wait_for_turn(ann)

    before = plies(ann)
    ann.device.press(ann.page.locator("[data-take][data-legal]").first)
    ann.device.press(ann.page.locator("[data-line][data-legal]").first)
    own_server.kill()
    for person in (ann, ben):
        expect(person.find("connection", "lost")).to_be_visible()
        expect(person.find("connection", "lost")).not_to_be_empty()
    ann.act("confirm")  # while no server can receive it
    assert plies(ann) == before

    own_server.start()
    for person in (ann, ben):
        wait_for_move(person, before)
        expect(person.find("connection", "open")).to_have_count(1)
        assert plies(person) == before + 1
    assert wait_for_turn(ben)
    take_turn(ben, "azul")
    state = ann.api.state(table)
    assert state["plies"] == before + 2


def test_a_restart_of_the_server_is_announced(own_server: ServerProcess, own_browsers: Browsers) -> None:
    ann = own_browsers.person()
    ann.errors.allow(*AWAY)
    table = ann.api.start_table("azul", "me Ann", "bot random")
    ann.at(table)
    wait_for_turn(ann)
    own_server.stop()
    expect(ann.find("connection", "closing").or_(ann.find("connection", "lost"))).not_to_be_empty()
    own_server.start()
    expect(ann.find("connection", "open")).to_have_count(1)
    take_turn(ann, "azul")


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_a_reload_in_the_middle_of_a_game_returns_to_the_same_position(browsers: Browsers, game: str) -> None:
    ann = browsers.person(settings={"confirm": "on"})
    table = ann.api.start_table(game, "me Ann", "bot random", plies=5)
    ann.at(table)
    wait_for_turn(ann)
    before = plies(ann)
    log = ann.page.locator(".log li").all_inner_texts()
    ann.page.reload()
    wait_for_turn(ann)
    assert plies(ann) == before
    assert ann.page.locator(".log li").all_inner_texts() == log
    take_turn(ann, game)


def test_the_front_page_lists_my_running_tables(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.start_table("azul", "me Ann", "bot random", plies=2)
    ann.at(table)
    wait_for_turn(ann)
    ann.visit("/")
    link = ann.page.locator(f'main a[href="/t/{table}"]')
    expect(link.first).to_be_visible()
    ann.device.press(link.first)
    assert wait_for_turn(ann)


def test_an_outdated_page_asks_to_be_reloaded(browsers: Browsers) -> None:
    ann = browsers.person()
    server = ann.api.get("/api/server")
    ann.context.route("**/api/server", lambda route: route.fulfill(json={**server, "web_client_hash": "newer"}))
    ann.visit("/")
    expect(ann.find("act", "reload")).to_be_visible()
    ann.context.unroute("**/api/server")
    with ann.page.expect_navigation():
        ann.act("reload")
    expect(ann.page.locator("main h1")).to_be_visible()
    expect(ann.find("act", "reload")).to_have_count(0)


def test_another_protocol_version_asks_to_reload_the_page(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.start_table("azul", "me Ann", "bot random")
    ann.page.route_web_socket("**/socket", lambda socket: socket.close(code=4426))
    ann.at(table)
    expect(ann.page.locator("main button.main")).to_be_visible()


def test_a_table_that_does_not_exist_says_so(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.visit("/t/aaaaaaaaaaaa")
    expect(ann.page.locator("main h1")).to_be_visible()
    expect(ann.page.locator("main a[href='/']")).to_be_visible()


def test_a_wrong_address_says_so_and_leads_home(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.errors.allow(r"status of 404 .*/nowhere")
    ann.visit("/nowhere")
    expect(ann.page.locator("main a[href='/']").first).to_be_visible()


def test_a_private_link_moves_the_seat_to_another_device(browsers: Browsers) -> None:
    ann, phone = browsers.person("Ann"), browsers.person("Ann's phone")
    request = {"game": "azul", "seats": [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": "random"}]}
    created = ann.api.post("/api/tables", request)
    ann.api.send(created["table"], "start")
    phone.page.goto(f"{phone.origin}{created['seat_link']}")
    assert wait_for_turn(phone)
    assert created["token"] not in phone.page.url
    take_turn(phone, "azul")


def test_the_shell_opens_offline_with_a_message(browsers: Browsers) -> None:
    ann = browsers.person(workers=True)
    ann.errors.allow(r"ERR_INTERNET_DISCONNECTED", r"ERR_FAILED")
    ann.visit("/")
    ann.wait_for_script("navigator.serviceWorker.ready.then((worker) => worker.active?.state === 'activated')")
    ann.page.reload()  # from now on the worker answers requests of the page
    ann.wait_for_script("navigator.serviceWorker.controller !== null")
    ann.wait_for_script("caches.match('/').then(Boolean)")
    ann.context.set_offline(True)
    ann.page.reload()
    expect(ann.page.locator("main h1")).to_be_visible()
    expect(ann.page.locator(".bar[role=status]")).to_be_visible()


def test_the_web_client_can_be_installed(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.visit("/")
    href = ann.page.locator("link[rel=manifest]").get_attribute("href")
    manifest = ann.api.get(str(href))
    assert manifest["name"] == "Tilery"
    assert manifest["display"] in ("standalone", "minimal-ui", "fullscreen")
    assert manifest["start_url"].startswith("/")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        response = ann.context.request.get(f"{ann.origin}{icon['src']}")
        assert response.ok
        assert response.headers["content-type"] == icon["type"]
    session = ann.context.new_cdp_session(ann.page)
    errors = {error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}  # like every browser context of these tests
