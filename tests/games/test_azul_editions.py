"""MC-20: Chocolatier has chocolates of its own on the cells of Azul's tiles; everything that is written follows."""

from __future__ import annotations

import pytest

from tests.notation import texts
from tilery import CHANCE, OVER, NotAMove, Position, Stream, game, read_position
from tilery.games.azul.edition import CERAMIC, CHOCOLATE, Edition

AZUL, CHOCOLATIER = game("azul"), game("chocolatier")
IN_CHOCOLATE = str.maketrans(CERAMIC.letters, CHOCOLATE.letters)


def twins(variant: str) -> list[tuple[Position, Position, int]]:
    """The same game in both editions, with the action played at each position."""
    stream = Stream("twins", variant)
    tiles, chocolates = AZUL.new(variant), CHOCOLATIER.new(variant)
    played: list[tuple[Position, Position, int]] = []
    while tiles.actor != OVER and len(played) < 120:
        action = tiles.draw(stream) if tiles.actor == CHANCE else stream.choice(tiles.actions())
        played.append((tiles, chocolates, action))
        tiles, chocolates = tiles.play(action), chocolates.play(action)
    return played


def test_the_kinds_of_the_editions() -> None:
    assert CERAMIC.names == {"B": "blue", "Y": "yellow", "R": "red", "K": "black", "W": "white"}
    assert CHOCOLATE.names == {"B": "blue", "N": "brown", "W": "white", "K": "black", "R": "ruby"}


@pytest.mark.parametrize("edition", [CERAMIC, CHOCOLATE], ids=lambda edition: edition.theme)
def test_the_table_of_an_edition_is_complete(edition: Edition) -> None:
    for part in ("letter", "name", "ornament", "glaze", "style", "faint"):
        values = [getattr(colour, part) for colour in edition.colours]
        assert len(values) == len(set(values)) == 5
        assert all(values)
    assert not set(edition.letters) & set("CFm")  # the centre, the floor line and the marker


@pytest.mark.parametrize("variant", ["2", "3,grey,specials,start=drawn", "4,specials=game"])
def test_both_editions_are_the_same_game_in_other_letters(variant: str) -> None:
    for tiles, chocolates, action in twins(variant):
        assert tiles.row == chocolates.row
        assert chocolates.text == tiles.text.replace("azul", "chocolatier", 1).translate(IN_CHOCOLATE)
        assert read_position(chocolates.text) == chocolates
        assert chocolates.move_text(action) == tiles.move_text(action).translate(IN_CHOCOLATE)
        assert chocolates.action(chocolates.move_text(action)) == action
        assert chocolates.read_move(chocolates.move_text(action).lower()) == chocolates.move(action)
        for tile, chocolate in zip(tiles.effects(action), chocolates.effects(action), strict=True):
            assert type(chocolate) is type(tile)
            for name in tile.__struct_fields__:
                assert getattr(chocolate, name) == in_chocolate(name, getattr(tile, name))


def in_chocolate(field: str, value: object) -> object:
    """A field of an effect of Azul as Chocolatier has it."""
    is_tiles = field in ("colour", "tiles", "floor", "saucer", "disc") and isinstance(value, str)
    return str(value).translate(IN_CHOCOLATE) if is_tiles else value


def test_words_and_refusals_follow_the_edition() -> None:
    at = read_position(
        "chocolatier:2 round=1 offer:1 starter=1 marker=C bag=16/16/16/16/16 lid=0/0/0/0/0 centre=- "
        "discs=BBNW/BNWK/NWKR/BNKR/WKRR 0|-/-/-/-/-|...../...../...../...../.....|- "
        "0|-/-/-/-/-|...../...../...../...../.....|-"
    )
    assert at.describe("1N2") == "1 brown from plate 1 to line 2"
    assert at.describe("5RF") == "2 ruby from plate 5 to the waste line"
    assert {move[1] for move in texts(at)} == set("BNWKR")
    refused = at.refusal("1R1")
    assert refused is not None
    assert (str(refused), refused.arguments) == ("plate 1 holds no ruby chocolate (AZ-12)", {"from": 1, "colour": "R"})
    with pytest.raises(NotAMove, match="Y is not a colour") as unknown:
        at.play("1Y1")
    assert "(B blue, N brown, W white, K black, R ruby)" in str(unknown.value)
    with pytest.raises(NotAMove, match="the colours are written in the order BNWKR: write BWKR, not RKWB"):
        at.play("+RKWB")
    assert "ruby" in CHOCOLATIER.help
    assert "yellow" not in CHOCOLATIER.help


def test_a_typed_deal_is_what_lies_on_the_table() -> None:
    start = CHOCOLATIER.new("2")
    assert start.read_move("rnbb").text == "+BBNR"
    with pytest.raises(NotAMove):
        start.read_move("yybb")


def test_discs_and_drawings_follow_the_edition() -> None:
    laid = {move.partition("=")[2] for move in texts(CHOCOLATIER.new("2,specials"))}
    assert {f"magnet{letter}" for letter in "BNWKR"} == {kind for kind in laid if kind.startswith("magnet")}
    position = CHOCOLATIER.new("2").settle(Stream("drawn"))
    picture = position.svg()
    for colour in CHOCOLATE.colours:
        assert colour.glaze.base in picture
        assert f">{colour.name}" in picture or colour.name in picture
    assert "yellow" not in picture
    assert "b n w k r" in str(position)
