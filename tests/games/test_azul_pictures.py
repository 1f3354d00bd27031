"""Boards as text and as pictures: complete, and readable without colour."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from tests.notation import texts
from tests.rules.azul.positions import board, position
from tilery import CHANCE, GAMES, OVER, Ply, Record, Stream, game
from tilery.games.azul.art import THEMES, definitions
from tilery.games.azul.drawing import svg
from tilery.games.azul.edition import CERAMIC, CHOCOLATE, Edition
from tilery.games.azul.view import view_of

SPECIALS = position(
    "4,grey,specials",
    "offer:3",
    discs="extra:BBYRK/magnetW:WWW/-/keeper:KW/saucer:gone",
    centre="BBYRRK",
    boards=[board(12, "-/BB/-/KKK/-", "B..../.Y...", "mRR"), board(3, "W"), board(0, saucer="W")],
)


def games_of_all_kinds() -> list[Record]:
    records = []
    for name, variant in (("azul", "2"), ("azul", "3,grey"), ("chocolatier", "4,grey,specials,start=drawn")):
        stream = Stream("pictures", variant)
        start = at = game(name).new(variant)
        plies: list[Ply] = []
        while at.actor != OVER and len(plies) < 70:
            action = at.draw(stream) if at.actor == CHANCE else stream.choice(at.actions())
            plies.append(Ply(at.actor, action))
            at = at.play(action)
        records.append(Record(start, tuple(plies), ("<b>Ann</b> & 'Bob'",)))
    return records


def test_every_picture_is_well_formed_and_holds_all_names_and_scores() -> None:
    for record in games_of_all_kinds():
        for ply in range(0, len(record.plies) + 1, 5):
            picture = record.svg(ply)
            root = ET.fromstring(picture)
            assert root.tag.endswith("svg")
            words = "".join(root.itertext())
            assert "<b>Ann</b> & 'Bob'" in words
            assert "<b>" not in picture
            for seat in record.position(ply).view["boards"]:
                assert str(seat["score"]) in words
            assert f"Round {record.position(ply).round}" in words


def test_pictures_refer_only_to_what_they_define_and_are_the_same_each_time() -> None:
    for record in games_of_all_kinds():
        picture = record.svg()
        assert picture == record.svg()
        defined = set(re.findall(r'id="([^"]+)"', picture))
        used = set(re.findall(r'href="#([^"]+)"', picture)) | set(re.findall(r"url\(#([^)]+)\)", picture))
        assert used <= defined
        assert len(picture) < 60_000
        assert not re.search(r"\d\.\d{3}", picture)


@pytest.mark.parametrize("edition", [CERAMIC, CHOCOLATE], ids=lambda edition: edition.theme)
def test_each_colour_has_its_own_ornament(edition: Edition) -> None:
    """Without any colour, the five tiles are still five different drawings."""
    paint = re.compile(r'(fill|stroke|stop-color|opacity)="[^"]*"|#[0-9a-fA-F]{3,8}')
    symbols = dict(re.findall(r'<(?:symbol|g) id="([^"]+)"[^>]*>(.*?)</(?:symbol|g)>', definitions(edition), re.DOTALL))
    tiles = {
        name: paint.sub("", body) for name, body in symbols.items() if name[-1] in edition.letters and name[-2] in "-_"
    }
    assert len(tiles) == 5
    assert len(set(tiles.values())) == 5


def test_the_last_move_is_highlighted_where_it_came_from_and_where_it_went() -> None:
    at = game("azul").new().settle(Stream("last"))
    move = texts(at)[2]
    after = at.play(move)
    plain, marked = after.svg(), after.svg((0, at.action(move)))
    assert len(marked) > len(plain)
    other = after.svg((0, at.action(texts(at)[-1])))
    assert other not in (plain, marked)
    assert after.svg((0, 10**9)) == plain


def test_special_discs_and_the_saucer_are_drawn() -> None:
    words = "".join(ET.fromstring(SPECIALS.svg()).itertext())
    for kind in ("extra", "magnet", "keeper", "saucer"):
        assert kind in words.lower()
    assert "stroke-dasharray" in SPECIALS.svg()
    text = str(SPECIALS)
    assert "saucer W" in text
    assert "gone" in text
    for kind in ("extra", "magnetW", "keeper"):
        assert kind in text


def test_the_two_wall_sides_are_drawn_differently() -> None:
    coloured, grey = game("azul").new(), game("azul").new(wall="grey")
    assert "b y r k w" in str(coloured)
    assert "b y r k w" not in str(grey)
    assert coloured.svg() != grey.svg()


def test_themes_are_those_of_the_editions() -> None:
    assert list(THEMES) == [GAMES["azul"].theme, GAMES["chocolatier"].theme] == ["ceramic", "chocolate"]
    row = GAMES["azul"].new("2").row
    assert svg(CERAMIC, view_of(CERAMIC, row)) != svg(CHOCOLATE, view_of(CHOCOLATE, row))


def test_a_notebook_draws_positions_and_records() -> None:
    record = games_of_all_kinds()[0]
    assert record._repr_svg_() == record.svg()
    assert record.last._repr_svg_() == record.last.svg()


def test_the_printed_board_fits_eighty_columns() -> None:
    for record in games_of_all_kinds():
        for at in record.positions():
            assert max(map(len, str(at).splitlines())) <= 80
    assert max(map(len, str(SPECIALS).splitlines())) <= 80


def test_winners_are_crowned() -> None:
    at = position("2", "over:row", round_number=5, boards=[board(12, wall="BYRKW"), board(3)])
    outcome = at.outcome
    assert outcome
    assert outcome.winners == (0,)
    assert at.svg() != svg(CERAMIC, view_of(CERAMIC, at.row))
    assert "Seat 1" in "".join(ET.fromstring(at.svg()).itertext())
