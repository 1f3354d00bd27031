"""Whole games, played by pressing what the board highlights."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.people import PHONE, TABLET, Browsers
from tests.web.play import play_together, play_with_bots


@pytest.mark.parametrize(("game", "variant"), [("azul", ""), ("chocolatier", "specials"), ("schokoly", "")])
def test_a_person_plays_a_whole_game_against_a_bot(browsers: Browsers, game: str, variant: str) -> None:
    ann = browsers.person()
    table = ann.api.start_table(game, "me Ann", "bot greedy", variant=variant)
    ann.at(table)
    assert play_with_bots(ann, game) > 10
    state = ann.api.state(table)
    assert state["status"] == "over"
    assert ann.find("act", "rematch").is_visible()


@pytest.mark.parametrize(("game", "variant"), [("azul", "grey"), ("chocolatier", ""), ("schokoly", "")])
def test_two_people_play_a_whole_game_in_two_browsers(browsers: Browsers, game: str, variant: str) -> None:
    ann, ben = browsers.person("Ann", size=TABLET), browsers.person("Ben", seed=2, device="touch", size=PHONE)
    table = ann.api.create_table(game, "me Ann", "open", variant=variant)
    ann.at(table)
    ben.at(table).act("sit")
    ben.find("act", "sit").wait_for(state="detached")
    ann.act("start")
    play_together([ann, ben], game, table)
    scores = [person.page.locator("section.ending").inner_text().split("\n")[0] for person in (ann, ben)]
    assert all(scores)


def test_three_people_stack_secure_and_swap_in_a_game_of_schokoly(browsers: Browsers) -> None:
    people = [browsers.person(name, seed=seed, size=TABLET) for seed, name in enumerate(("Ann", "Ben", "Cleo"))]
    table = people[0].api.create_table("schokoly", "me Ann", "open", "open", variant="swap")
    people[0].at(table)
    for person in people[1:]:
        person.at(table).act("sit")
        expect(person.find("act", "sit")).to_have_count(0)
    people[2].act("start")
    play_together(people, "schokoly", table)
    record = people[0].context.request.get(f"{browsers.origin}/api/tables/{table}/record").text()
    for done in ("^", " token@", " offer:", " answer:", " accept"):
        assert done in " ".join(record.split()), f"nobody played {done} in this game"
