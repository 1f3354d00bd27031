"""The signature of the engine. If a change of play is intended, pin the new number and say so in the commit."""

from __future__ import annotations

import json

from tests.cli.test_play import tilery
from tilery.engine.signature import bench_signature, positions
from tilery.games import GAMES

PINNED = {"azul": 857121333084, "schokoly": 455499911169}


def test_the_engine_plays_as_it_did() -> None:
    assert {family: bench_signature((family,))[0] for family in PINNED} == PINNED


def test_the_positions_are_always_the_same() -> None:
    azul = GAMES["azul"]
    assert [each.text for each in positions(azul, "2")] == [each.text for each in positions(azul, "2")]
    assert len({each.row for each in positions(azul, "3")}) == 4


def test_the_command_prints_the_number() -> None:
    ran = tilery("bench", "--game", "azul")
    assert f"signature {PINNED['azul']}" in ran.out
    result = json.loads(tilery("bench", "--game", "azul", "--json").out)
    assert result["signature"] == PINNED["azul"]
    assert set(result["searched"]) == {"azul pvs", "azul uct", "azul plain-uct"}
    assert "expected azul or schokoly" in tilery("bench", "--game", "chess").err
