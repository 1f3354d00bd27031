"""The tiles of the editions (MC-20)."""

from __future__ import annotations

import pytest

from tests.notation import texts
from tests.rules.azul.positions import WALL
from tilery import game, read_position

BOARD = "0|-/-/-/-/-|{wall}|-"
OFFER = (
    "chocolatier:2 round=2 offer:1 starter=1 marker=C bag={bag} lid=0/0/0/0/0 centre=BNWKR discs=-/-/-/-/- "
    "{board} 0|-/-/-/-/-|...../...../...../...../.....|-"
)


@pytest.mark.parametrize(
    ("azul", "chocolatier", "name"),
    [("B", "B", "blue"), ("Y", "N", "brown"), ("R", "W", "white"), ("K", "K", "black"), ("W", "R", "ruby")],
)
def test_every_chocolate_lies_on_the_cells_of_a_tile(azul: str, chocolatier: str, name: str) -> None:
    """MC-20, AZ-6: brown in the place of yellow, white in that of red, ruby in that of white."""
    cells = ["".join(chocolatier if tile == azul else "." for tile in row) for row in WALL]
    bag = "/".join(str(19 - 5 * (letter == chocolatier)) for letter in "BNWKR")
    at = read_position(OFFER.format(bag=bag, board=BOARD.format(wall="/".join(cells))))
    assert at.view["boards"][0]["wall"] == tuple(cells)
    assert f"C{chocolatier}F" in texts(at)
    assert f"C{chocolatier}1" not in texts(at)  # AZ-16: every row shows it
    assert at.describe(f"C{chocolatier}F").startswith(f"1 {name} from the centre")


def test_the_letters_of_the_other_edition_are_refused() -> None:
    """MC-20: a box owner types what lies on the table."""
    assert game("chocolatier").new("2").read_move("rwnb").text == "+BNWR"
    assert game("azul").new("2").read_move("wryb").text == "+BYRW"
    for name, typed in (("chocolatier", "yybb"), ("azul", "nnbb")):
        refused = game(name).new("2").refusal(f"+{typed.upper()}")
        assert refused is not None
        assert refused.code == "not-a-deal"
