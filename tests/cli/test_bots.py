"""`tilery bots`."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_errors import one_line
from tests.cli.test_play import tilery
from tests.engine.fake import FAKE
from tilery.engine.bots import BOTS


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilery.engine.family._load_family", lambda _: FAKE)


def test_bots_are_listed() -> None:
    ran = tilery("bots")
    assert [line.split()[0] for line in ran.out.splitlines()][: len(BOTS)] == list(BOTS)
    assert all(each.about in ran.out for each in BOTS.values())
    names = [each["name"] for each in json.loads(tilery("bots", "--json").out)["bots"]]
    assert names == list(BOTS)


def test_a_game_adds_its_levels_and_searches() -> None:
    found = {each["name"]: each["about"] for each in json.loads(tilery("bots", "-g", "azul", "--json").out)["bots"]}
    assert found["level-3"] == "fake step 3"
    assert found["slow@LIMIT"] == "the search slow, such as slow@100ms"
    assert "level-9" in found
    assert "level-10" not in found  # the fake family has fewer levels
    assert one_line(tilery("bots", "--game", "chess")).startswith("there is no game 'chess'")
