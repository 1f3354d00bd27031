"""What is not refused is exactly what is listed as legal, in every phase."""

from __future__ import annotations

import pytest

from tests.rules.azul.positions import board, position
from tilery import GAMES, NotAMove, Position, Stream
from tilery.core.game import as_rows
from tilery.games.azul.kernel.layout import ACTIONS, DEAL

NEW = GAMES["azul"].new
SPREADER = "spreader:BYR/keeper:KW/saucer:gone/extra:-/-"

POSITIONS = {
    "start": NEW("3,start=drawn"),
    "discs": NEW("3,specials").play("2=keeper"),
    "last disc": NEW("2,specials=game").play("1=saucer"),
    "fill": NEW("2").play("+BBYR"),
    "pour": position("2", "fill", discs="BBBB", bag="YR"),
    "extra": position("2,specials", "extra", discs="keeper:BBBB/extra:YYYY/RRRR/KKKK/WWWW", bag="BW"),
    "offer": NEW("4").settle(Stream("refusals")),
    "lines": position("2", discs="BYRK/WWWW", centre="BY", boards=[board(3, "B/YY/R/-/WWWW", "...../W..../.....")]),
    "spreader": position("4,grey,specials", discs=SPREADER, boards=[board(saucer="")]),
    "tiling": position("2,grey", "tiling:1", boards=[board(0, "-/BB/YYY", "B..../...../.B...", "K")]),
    "over": position("2", "over:row", round_number=5, boards=[board(12, wall="BYRKW")]),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_what_is_not_refused_is_what_is_legal(name: str) -> None:
    at: Position = POSITIONS[name]
    kernel = at.game.kernel
    rows = as_rows(at.row)
    asked = [*range(-3, DEAL + 4800), *range(DEAL + 4800, ACTIONS + 3, 7)]
    asked = sorted({*asked, *at.actions()})
    assert [action for action in asked if kernel.refusal(rows, 0, action) == 0] == at.actions()


@pytest.mark.parametrize("name", POSITIONS)
def test_numbers_beyond_the_actions_are_no_moves(name: str) -> None:
    for action in (-1, ACTIONS, ACTIONS + 1):
        assert isinstance(POSITIONS[name].refusal(action), NotAMove)


@pytest.mark.parametrize("name", POSITIONS)
def test_every_refusal_has_its_words(name: str) -> None:
    at = POSITIONS[name]
    for action in range(DEAL + 100):
        refused = at.refusal(action)
        assert (refused is None) == (action in at.actions())
        assert refused is None or str(refused)
