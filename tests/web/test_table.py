"""Around the board: hints, take-backs, resigning, rematches, chat, replacing a player with a bot, spectators."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.people import PHONE, Browsers, Person
from tests.web.play import plies, take_turn, wait_for_move, wait_for_turn


def two_players(browsers: Browsers) -> tuple[Person, Person, str]:
    """Two people at a table of Azul whose game has started."""
    ann, ben = browsers.person("Ann"), browsers.person("Ben", seed=2)
    table = ann.api.create_table("azul", "me Ann", "open")
    ben.api.sit(table, "Ben")
    ann.api.send(table, "start")
    ann.at(table)
    ben.at(table)
    return ann, ben, table


def test_a_hint_against_a_bot_shows_numbers_and_moves_on_the_board(browsers: Browsers) -> None:
    ann = browsers.person(settings={"confirm": "on"})
    table = ann.api.start_table("azul", "me Ann", "bot random")
    ann.api.warm_up(table)
    ann.at(table)
    wait_for_turn(ann)
    ann.act("hint")
    box = ann.page.locator("section.hint")
    expect(box).to_be_visible()
    expect(box.locator("tbody tr").first).to_contain_text(re.compile(r"\d+ ?%"))
    expect(box.locator("tbody code").first).to_have_text(re.compile(r"^[1-9C][BYRKW][1-5F]$"))
    assert ann.page.locator("[data-take].shown, [data-line].shown").count() >= 2  # on the board too
    take_turn(ann, "azul")
    expect(box).to_have_count(0)


def test_there_are_no_hints_against_people(browsers: Browsers) -> None:
    ann, _, _ = two_players(browsers)
    wait_for_turn(ann)
    assert not ann.find("act", "hint").count()


def test_a_move_against_a_bot_is_taken_back_at_once(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.at(ann.api.start_table("azul", "me Ann", "bot random"))
    wait_for_turn(ann)
    before = plies(ann)
    take_turn(ann, "azul")
    wait_for_turn(ann)
    ann.act("takeback")
    expect(ann.find("plies", str(before))).to_have_count(1)
    assert wait_for_turn(ann)


def test_people_are_asked_before_a_move_is_taken_back(browsers: Browsers) -> None:
    ann, ben, _ = two_players(browsers)
    wait_for_turn(ann)
    before = plies(ann)
    take_turn(ann, "azul")
    ann.act("takeback")
    ben.act("decline")
    expect(ann.find("act", "withdraw")).to_have_count(0)
    assert plies(ann) > before
    ann.act("takeback")
    ben.act("agree")
    for person in (ann, ben):
        expect(person.find("plies", str(before))).to_have_count(1)


def test_resigning_asks_first_and_a_rematch_takes_both_to_the_new_table(browsers: Browsers) -> None:
    ann, ben, table = two_players(browsers)
    wait_for_turn(ann)
    ann.act("resign")
    ann.page.keyboard.press("Escape")
    expect(ann.find("act", "resign-sure")).to_have_count(0)
    assert ann.api.state(table)["status"] == "playing"
    ann.act("resign")
    ann.act("resign-sure")
    for person in (ann, ben):
        expect(person.find("status", "over")).to_be_visible()
    ann.act("rematch")
    ben.act("agree")
    for person in (ann, ben):
        expect(person.page).not_to_have_url(re.compile(table))
    assert wait_for_turn(ben)  # the rematch starts by itself, and the player who was last begins
    take_turn(ben, "azul")


def test_who_has_resigned_watches_while_a_bot_plays_on_and_can_offer_a_rematch(browsers: Browsers) -> None:
    ann, ben = browsers.person("Ann"), browsers.person("Ben", seed=2)
    table = ann.api.create_table("schokoly", "me Ann", "open", "bot random")
    ben.api.sit(table, "Ben")
    ann.api.send(table, "start")
    ann.at(table)
    ben.at(table)
    expect(ann.page.locator(".hand [data-card]").first).to_be_visible()
    ann.act("resign")
    ann.act("resign-sure")
    first = ann.page.locator(".panel li").first
    expect(first).to_contain_text("resigned · bot")
    expect(first).to_contain_text("you")
    expect(ann.page.locator(".hand [data-card]")).to_have_count(0)
    expect(ben.page.locator(".hand [data-card]").first).to_be_visible()
    for act in ("resign", "takeback", "leave", "say"):
        expect(ann.find("act", act)).to_have_count(0)
    ben.api.send(table, "resign")
    for person in (ann, ben):
        expect(person.find("status", "over")).to_be_visible()
    ann.act("rematch")
    ben.act("agree")
    for person in (ann, ben):
        expect(person.page).not_to_have_url(re.compile(table))


def test_chat_is_shown_as_text_and_can_be_hidden(browsers: Browsers) -> None:
    ann, ben, _ = two_players(browsers)
    message = "<b>Hello</b> & <img src=x onerror=alert(1)> Привіт"
    ann.page.locator("#chat").fill(message)
    ann.page.keyboard.press("Enter")
    expect(ben.page.get_by_role("log")).to_contain_text(message)
    assert not ben.page.locator("[role=log] img").count()
    ben.act("hide-chat")
    expect(ben.page.locator("#chat")).to_have_count(0)
    assert ben.settings()["chat"] is False
    ben.act("show-chat")
    expect(ben.page.locator("#chat")).to_be_visible()


def test_a_bot_replaces_a_player_who_left_and_a_spectator_sees_it(browsers: Browsers) -> None:
    ann, ben, table = two_players(browsers)
    cleo = browsers.person("Cleo", device="touch", size=PHONE)
    cleo.at(table)
    wait_for_turn(ann)
    take_turn(ann, "azul")
    expect(cleo.find("plies", str(plies(ann)))).to_have_count(1)
    assert not cleo.page.locator("[data-legal]").count()
    ben.act("leave")
    expect(ben.page).to_have_url(f"{ben.origin}/")
    ann.act("replace")
    ann.act("replace-ask")
    assert wait_for_turn(ann)  # the bot has moved
    assert ann.api.state(table)["seats"][1]["bot"]
    before = plies(ann)
    take_turn(ann, "azul")
    wait_for_move(cleo, before)
    expect(ann.page.locator("main")).to_contain_text("1")  # somebody watches


def test_a_game_is_lost_on_time(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.start_table("azul", "me Ann", "me Ben", clock={"base": 12, "increment": 0})
    ann.at(table)
    expect(ann.page.locator("[role=timer].runs").first).to_have_text(re.compile(r"^\d\.\d$"))
    expect(ann.find("status", "over")).to_be_visible()
    assert ann.api.state(table)["result"]["ended_by"] == "time"


def test_the_title_of_the_tab_says_whose_turn_it_is(browsers: Browsers) -> None:
    ann, ben, _ = two_players(browsers)
    wait_for_turn(ann)
    mine = ann.page.title()
    assert ben.page.title() != mine
    take_turn(ann, "azul")
    expect(ben.page).to_have_title(mine)
    expect(ann.page).not_to_have_title(mine)


def test_the_log_has_every_move_in_words_and_notation(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.start_table("azul", "me Ann", "me Ben", plies=6)
    ann.at(table)
    wait_for_turn(ann)
    codes = ann.page.locator(".log a code").all_inner_texts()
    record = ann.context.request.get(f"{ann.origin}/api/tables/{table}/record").text()
    assert " ".join(codes) in " ".join(record.split())
    assert len(codes) == 6
    for line, code in zip(ann.page.locator(".log a").all_inner_texts(), codes, strict=True):
        assert len(line.replace(code, "").split()) > 3
        assert re.search(r"\d+ \w+ tile", line)


def test_the_log_sums_up_each_round(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.start_table("azul", "me Ann", "me Ben")
    while (state := ann.api.state(table))["position"]["round"] == 1:
        ann.api.play(table, 1, seed=state["plies"])
    ann.at(table)
    wait_for_turn(ann)
    summary = ann.page.locator(".log [data-round='1']")
    ann.device.press(summary.locator("summary"))
    for name, board in zip(("Ann", "Ben"), state["position"]["boards"], strict=True):
        points = f"+{board['score']}" if board["score"] else "0"
        expect(summary).to_contain_text(f"{name}: {points}")
    expect(summary.locator("li").first).to_be_visible()
