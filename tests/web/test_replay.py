"""Replay and sharing: stepping through a game, links to a ply or a position, downloads, study."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import Page, expect

import tilery
from tests.notation import texts
from tests.web.moves import make_move
from tests.web.people import Browsers, Person
from tests.web.play import wait_for_turn

# The last take of a round, and a card that can be laid on the second level.
LAST_TAKE = (
    "azul:2 round=1 offer:1 starter=1 marker=2 bag=15/19/17/16/15 lid=0/0/0/0/0 centre=R discs=-/-/-/-/- "
    "0|-/BB/WW/KKK/-|...../...../...../...../.....|- 0|Y/RR/WWW/BBB/-|...../...../...../...../.....|mK"
)
SECOND_LEVEL = (
    "schokoly:2 place:2 kinds=M/D tokens=1/2 hands=DDDW.DDDW.DDDW.MMMW/MMMW.MMMW.WWWD.MMWD "
    "stack=1/0/3/0/1/1/3/2/2/0/2/0 table=DWWD@-1,-4!;DDDM@-3,-2!;DDMD@-1,-2!;WWDM@1,-2!;DDMW@-4,0;DMWD@-2,0!;"
    "MMWW@0,0!;WMWW@2,0;WWDM@-3,2;WDWW@-1,2!;WWWM@1,3!;DDMW@-3,4;WWDM@-1,4!"
)


def finished(person: Person, game: str = "azul") -> tuple[str, int]:
    """A table whose game is over, and how many plies it has."""
    table = person.api.start_table(game, "me Ann", "me Ben", plies=400)
    state = person.api.state(table)
    assert state["status"] == "over"
    return table, state["plies"]


def ply_of(page: Page) -> int:
    """The ply that the replay shows."""
    return int(page.locator("[data-act=slider]").input_value())


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_keys_buttons_slider_and_autoplay_step_through_a_game(browsers: Browsers, game: str) -> None:
    ann = browsers.person()
    table, last = finished(ann, game)
    ann.at(table)
    ann.act("replay")
    expect(ann.find("act", "slider")).to_be_visible()
    page = ann.page
    assert ply_of(page) == last
    page.keyboard.press("ArrowLeft")
    before = ply_of(page)
    assert before < last
    page.keyboard.press("ArrowRight")
    assert ply_of(page) == last
    page.keyboard.press("Home")
    first = ply_of(page)
    assert first < before
    page.keyboard.press("End")
    assert ply_of(page) == last
    for act, further in (("first", 0), ("next", 1), ("previous", -1), ("next", 1)):
        at = ply_of(page)
        ann.act(act)
        assert ply_of(page) == first if not further else (ply_of(page) > at) == (further > 0)
    page.locator("[data-act=slider]").fill(str(last // 2))
    middle = ply_of(page)
    assert abs(middle - last // 2) < 10
    ann.act("speed")  # from normal to fast
    ann.act("autoplay")
    page.wait_for_function("at => Number(document.querySelector('[data-act=slider]').value) > at", arg=middle)
    ann.act("autoplay")
    page.locator("aside button, aside li").first.wait_for()


def test_links_lead_to_a_ply_and_to_a_position(browsers: Browsers) -> None:
    ann, ben = browsers.person("Ann"), browsers.person("Ben")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table, _ = finished(ann)
    ann.visit(f"/t/{table}#ply=8")
    expect(ann.find("act", "slider")).to_be_visible()
    assert ply_of(ann.page) == 8
    ann.act("copy-ply")
    link = ann.wait_for_script("navigator.clipboard.readText()")
    assert link == f"{ann.origin}/t/{table}#ply=8"
    ben.page.goto(link)
    expect(ben.find("act", "slider")).to_be_visible()
    assert ply_of(ben.page) == 8

    ann.act("copy-position")
    link = ann.wait_for_script("navigator.clipboard.readText().then((text) => text.includes('position=') && text)")
    position = tilery.read_position(unquote(link.partition("position=")[2]))
    ben.page.goto("about:blank")
    ben.page.goto(link)
    expect(ben.page.locator("[data-take][data-legal]").first).to_be_visible()
    takes = {move[:2] for move in texts(position)}
    assert set(ben.values("take")) == takes


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_record_and_pictures_can_be_downloaded(browsers: Browsers, game: str, tmp_path: Path) -> None:
    ann = browsers.person()
    table, last = finished(ann, game)
    ann.visit(f"/t/{table}#ply={last // 2}")
    expect(ann.find("act", "slider")).to_be_visible()
    files: dict[str, bytes] = {}
    for kind in ("record", "svg", "png"):
        with ann.page.expect_download() as download:
            ann.act(f"save-{kind}")
        assert table in download.value.suggested_filename
        path = tmp_path / kind
        download.value.save_as(path)
        files[kind] = path.read_bytes()
    assert len(tilery.read_record(files["record"].decode()).plies) == last
    assert files["svg"].lstrip().startswith(b"<svg")
    assert files["png"].startswith(b"\x89PNG")
    assert len(files["png"]) > 5000


def test_a_record_can_be_pasted_or_uploaded_and_errors_are_explained(browsers: Browsers, tmp_path: Path) -> None:
    ann = browsers.person()
    table, last = finished(ann)
    record = ann.context.request.get(f"{ann.origin}/api/tables/{table}/record").text()
    ann.visit("/study")
    field = ann.page.locator("#pasted")
    ann.errors.allow(r"status of 4\d\d .*/api/(records|study)")
    field.fill(record.replace("[Result", "[Rseult"))
    ann.act("open-study")
    expect(ann.page.locator("#problem")).not_to_be_empty()
    field.fill(record)
    ann.act("open-study")
    expect(ann.find("act", "slider")).to_be_visible()
    ann.page.keyboard.press("End")
    assert ply_of(ann.page) == last
    ann.act("close-replay")
    file = tmp_path / "game.tilery"
    file.write_text(record)
    ann.page.locator("input[type=file]").set_input_files(file)
    expect(ann.find("act", "slider")).to_be_visible()


def test_a_running_game_can_be_reviewed_and_returned_to(browsers: Browsers) -> None:
    ann = browsers.person()
    table = ann.api.start_table("azul", "me Ann", "bot random", plies=6)
    ann.at(table)
    wait_for_turn(ann)
    ann.device.press(ann.page.locator(".log a").nth(2))
    expect(ann.find("act", "slider")).to_be_visible()
    assert re.search(r"#ply=\d+$", ann.page.url)
    ann.act("close-replay")
    assert wait_for_turn(ann)


def test_every_step_on_the_analysis_board_is_one_request(browsers: Browsers) -> None:
    ann = browsers.person()
    asked: list[Any] = []
    ann.page.on(
        "request", lambda request: asked.append(request.post_data_json) if "/api/study" in request.url else None
    )
    ann.visit(f"/study#position={quote(LAST_TAKE)}")
    make_move(ann, "CR1")
    ann.act("deal")
    expect(ann.page.locator("[data-take][data-legal]").first).to_be_visible()
    made = [{"moves", "deal"} & set(request) for request in asked if "preview" not in request]
    assert made == [set(), {"moves"}, {"deal"}]
    steps = ann.page.locator("aside ol button").all_inner_texts()
    assert steps[1] == "CR1"
    assert [step[0] for step in steps[2:]] == ["+"] * 5
    asked.clear()
    for act in ("takeback", "forward"):
        ann.act(act)
    expect(ann.page.locator("aside ol button").last).to_have_attribute("aria-current", "step")
    assert len([request for request in asked if "preview" not in request]) == 1  # where it has not been yet


def test_a_typed_move_is_read_by_the_server(browsers: Browsers) -> None:
    ann = browsers.person(settings={"text": True})
    field, last = ann.find("act", "type"), ann.page.locator("aside ol button").last
    ann.visit(f"/study#position={quote(LAST_TAKE)}")
    field.fill("4 x 2")
    field.press("Enter")
    expect(ann.page.locator("form p.bad")).not_to_be_empty()
    field.fill("0 r 1")
    field.press("Enter")
    expect(last).to_have_text("CR1")

    ann.page.goto("about:blank")
    ann.visit(f"/study#position={quote(SECOND_LEVEL)}")
    move = next(text for text in texts(tilery.read_position(SECOND_LEVEL)) if text.endswith("^"))
    card, _, place = move.removesuffix("^").partition("@")
    field.fill(f"{card.lower()} {place.replace(',', ' ')} up")
    field.press("Enter")
    expect(last).to_have_text(move)
