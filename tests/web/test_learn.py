"""Tours and rules: every tour can be completed by doing what it asks for, and every page of rules exists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.moves import make_move
from tests.web.people import LAPTOP, PHONE, Browsers

TOURS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).resolve().parents[2] / "web" / "src" / "learn" / "tours.json").read_text("utf-8")
)


@pytest.mark.parametrize(("game", "phone"), [("azul", True), ("chocolatier", False), ("schokoly", False)])
def test_a_tour_is_completed_by_doing_what_it_asks_for(browsers: Browsers, game: str, phone: bool) -> None:
    ann = browsers.person(device="touch" if phone else "mouse", size=PHONE if phone else LAPTOP)
    ann.visit(f"/learn/{game}")
    for step in TOURS[game]:
        for wanted in step.get("do", []):
            make_move(ann, wanted[0])
        if step.get("do"):
            expect(ann.page.locator("[data-act=next].main")).to_be_visible()
        ann.act("next")
    expect(ann.find("act", "play")).to_be_visible()
    ann.act("play")
    expect(ann.find("act", "start")).to_be_visible()
    assert ann.page.locator(f"[data-act=game-{game}] input").is_checked()


def test_a_wrong_move_in_a_tour_is_explained_and_taken_back(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.visit("/learn/azul#factories")
    make_move(ann, "4B3")
    expect(ann.page.locator(".answer")).to_be_visible()
    expect(ann.page.locator("[data-act=next].main")).to_have_count(0)
    make_move(ann, "4B2")
    expect(ann.page.locator("[data-act=next].main")).to_be_visible()


def test_tours_are_remembered_and_lead_to_the_rules(browsers: Browsers) -> None:
    ann = browsers.person()
    ann.visit("/learn")
    for game in TOURS:
        expect(ann.page.locator(f"main a[href^='/learn/{game}']").first).to_be_visible()
        expect(ann.page.locator(f"main a[href^='/rules/{game}']").first).to_be_visible()
    ann.device.press(ann.page.locator("main a[href^='/rules/schokoly']").first)
    expect(ann.page).to_have_url(f"{ann.origin}/rules/schokoly")
    expect(ann.page.locator("main h2").nth(5)).to_be_visible()
