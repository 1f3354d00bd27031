"""Schokoly as pictures: complete, readable without colour, and without hidden information."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.notation import texts
from tilery import CHANCE, OVER, Ply, Position, Record, Seen, Stream, game
from tilery.games.schokoly import drawing
from tilery.games.schokoly.art import CARD, CELL, CHOCOLATES, GOLD, LAST, LIFT, definitions
from tilery.games.schokoly.kernel.cards import PATTERNS

Cell = tuple[int, int]
NAME = "<b>Ann</b> & 'Bob'"
VARIANTS = ("2", "2,large", "3", "3,swap", "4")
SVG = "{http://www.w3.org/2000/svg}"


@cache
def random_game(variant: str) -> Record:
    """A random game in which tokens and offers are used, and cards lie close together."""
    stream = Stream("pictures of Schokoly", variant)
    start = at = game("schokoly").new(variant)
    plies: list[Ply] = []
    while at.actor != OVER:
        if at.actor == CHANCE:
            action = at.draw(stream)
        else:
            moves = texts(at)
            close = [move for move in moves if re.search(r"@-?[0-4],-?[0-4]$", move)]
            above = [move for move in moves if move.endswith("^")]
            offers = [move for move in moves if re.match("offer|answer|accept", move)]
            liked = stream.choice([above, close, close, offers]) or moves
            if "no-token" in moves and stream.choice([True, True, True, False]):
                liked = ["no-token"]
            action = at.action(stream.choice(liked))
        plies.append(Ply(at.actor, action))
        at = at.play(action)
    return Record(start, tuple(plies), (NAME,))


@cache
def positions_of(variant: str) -> list[Position]:
    """All of that game, one after each ply; with the first one there is one more than plies."""
    return list(random_game(variant).positions())


def after(variant: str, pattern: str) -> tuple[Position, Ply]:
    """The position after the last move that looks like this, and the move."""
    plies, positions = random_game(variant).plies, positions_of(variant)
    count = max(k for k, ply in enumerate(plies) if re.search(pattern, positions[k].move_text(ply.action)))
    return positions[count + 1], plies[count]


def in_phase(variant: str, phase: str) -> Position:
    """The last position of a game in a phase."""
    return [at for at in positions_of(variant) if at.view["phase"] == phase][-1]


def words_of(picture: str) -> str:
    return " ".join(ET.fromstring(picture).itertext())


def table_of(picture: str) -> ET.Element:
    (table,) = (part for part in ET.fromstring(picture).iter(f"{SVG}g") if part.get("class") == "schokoly-table")
    return table


def moved(part: ET.Element) -> tuple[float, float, float]:
    """Where a group is, and its scale."""
    numbers = re.findall(r"-?[\d.]+", part.get("transform", "translate(0 0)"))
    x, y, scale = [*map(float, numbers), 1.0][:3]
    return x, y, scale


def uses(part: ET.Element, name: str) -> list[ET.Element]:
    return [use for use in part.iter(f"{SVG}use") if use.get("href") == f"#schokoly-{name}"]


def cards_of(picture: str) -> list[tuple[str, ET.Element]]:
    """The cards on the table by their titles, in the order in which they are drawn."""
    titled = [(part.findtext(f"{SVG}title") or "", part) for part in table_of(picture).findall(f"{SVG}g")]
    return [(title, part) for title, part in titled if "@" in title]


def origin_of(picture: str) -> tuple[float, float]:
    """The top left corner of cell 0,0, in the units of the table."""
    title, part = next((title, part) for title, part in cards_of(picture) if not title.endswith("^"))
    x, y = map(int, title[5:].rstrip("!").split(","))
    left, top, _ = moved(part)
    return left - CELL * x, top - CELL * y


def cells_of(card: dict[str, Any]) -> list[Cell]:
    x, y = card["x"], card["y"]
    return [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]


def seen_from_above(at: Position | Seen) -> dict[Cell, str]:
    table = sorted(at.view["table"], key=lambda card: int(card["level"]))
    return {cell: kind for card in table for cell, kind in zip(cells_of(card), card["pieces"], strict=True)}


def beside(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    return iter([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)])


def naive_groups(at: Position) -> list[set[Cell]]:
    shown = seen_from_above(at)
    left, found = set(shown), []
    while left:
        reached, ways = set(), [left.pop()]
        while ways:
            cell = ways.pop()
            reached.add(cell)
            ways += [near for near in beside(cell) if shown.get(near) == shown[cell] and near not in reached]
        left -= reached
        found.append(reached)
    return found


def test_every_picture_is_well_formed_and_holds_names_points_and_cards_left() -> None:
    for variant in VARIANTS:
        record = random_game(variant)
        for ply in range(0, len(record.plies) + 1, 7):
            picture, at = record.svg(ply), positions_of(variant)[ply]
            root = ET.fromstring(picture)
            assert root.tag == f"{SVG}svg"
            assert root.findtext(f"{SVG}title") == "Schokoly"
            words = words_of(picture)
            assert NAME in words
            assert "<b>" not in picture
            assert f"stack: {at.view['left']}" in words
            titles = [part.text for part in root.iter(f"{SVG}title")]
            points = [title for title in titles if title and title.startswith("points: ")]
            assert points == [f"points: {points}" for points in at.scores()]


def test_pictures_stand_alone_and_are_the_same_each_time() -> None:
    for variant in VARIANTS:
        at = random_game(variant).last
        picture = at.svg(counts=True)
        assert picture == at.svg(counts=True)
        defined = re.findall(r'id="([^"]+)"', picture)
        used = set(re.findall(r'href="#([^"]+)"', picture)) | set(re.findall(r"url\(#([^)]+)\)", picture))
        assert used <= set(defined)
        assert len(defined) == len(set(defined))
        assert all(name.startswith("schokoly-") for name in defined)
        assert len(picture) < 80_000
        assert not re.search(r"\d\.\d{3}|<script|<image|https?://(?!www\.w3\.org/2000/svg)", picture)


def test_pictures_that_share_a_page_share_their_definitions() -> None:
    """The ids are the same, so what they stand for must be, too."""
    pictures = [random_game(variant).svg() for variant in VARIANTS]
    assert {picture[picture.index("<defs>") : picture.index("</defs>")] for picture in pictures} == {
        f"<defs>{definitions()}"
    }


def test_each_kind_has_its_own_relief() -> None:
    """Without any colour, the three pieces are still three different drawings; and their shades differ in print."""
    paint = re.compile(r'(fill|stroke|opacity)="[^"]*"')
    bodies = dict(re.findall(r'<g id="schokoly-([DMW])">(.*?)</g>', definitions()))
    assert len({paint.sub("", body) for body in bodies.values()}) == 3

    def luminance(colour: str) -> float:
        red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
        return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2)

    for paints in CHOCOLATES.values():
        lights = sorted(luminance(colour) + 0.05 for colour in (paints.face, paints.ink))
        assert lights[1] / lights[0] > 3  # the relief on its ground
    faces = sorted(luminance(paints.face) + 0.05 for paints in CHOCOLATES.values())
    assert min(faces[1] / faces[0], faces[2] / faces[1]) > 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_visible_piece_is_drawn_once_with_the_mark_of_its_kind(variant: str) -> None:
    for at in [*positions_of(variant)[::11], random_game(variant).last]:
        if not at.view["table"]:
            continue
        picture = at.svg()
        left, top = origin_of(picture)
        drawn: Counter[tuple[Cell, str]] = Counter()
        for title, part in cards_of(picture):
            x, y, scale = moved(part)
            assert scale == 1
            lift = LIFT if title.endswith("^") else 0
            for kind in CHOCOLATES:
                for use in uses(part, kind):
                    middle_x = x + lift + float(use.get("x", "")) + 18 - left
                    middle_y = y + lift + float(use.get("y", "")) + 18 - top
                    assert abs(middle_x % CELL - CELL / 2) < 2
                    drawn[(int(middle_x // CELL), int(middle_y // CELL)), kind] += 1
        assert drawn == Counter(seen_from_above(at).items())


@pytest.mark.parametrize("variant", VARIANTS)
def test_cards_are_drawn_level_by_level_and_named_as_in_the_text_of_the_position(variant: str) -> None:
    at = random_game(variant).last
    titles = [title for title, _ in cards_of(at.svg())]
    levels = [title.endswith("^") for title in titles]
    assert True in levels
    assert levels == sorted(levels)
    table = re.search(r" table=(\S+)", at.text)
    assert table
    assert sorted(titles) == sorted(table[1].split(";"))


@pytest.mark.parametrize("variant", VARIANTS)
def test_tokens_lie_in_the_middle_of_their_cards_and_the_rest_beside_the_hands(variant: str) -> None:
    for at in positions_of(variant)[::13]:
        picture = at.svg()
        on_cards = uses(table_of(picture), "token")
        secured = [card for card in at.view["table"] if card["token"]]
        assert len(on_cards) == len(secured)
        assert len(uses(ET.fromstring(picture), "token")) == len(secured) + sum(at.view["tokens"])
        if secured:
            left, top = origin_of(picture)
            lifts = [(card, LIFT if card["level"] == 2 else 0) for card in secured]
            middles = {
                (left + CELL * card["x"] + CARD / 2 - lift, top + CELL * card["y"] + CARD / 2 - lift)
                for card, lift in lifts
            }
            assert {(float(use.get("x", "")), float(use.get("y", ""))) for use in on_cards} == middles


def test_numbers_along_the_edges_stand_where_their_columns_and_rows_are() -> None:
    at = positions_of("2")[30]
    picture = at.svg()
    root, table = ET.fromstring(picture), table_of(picture)
    x, y, scale = moved(table)
    left, top = origin_of(picture)
    columns, rows = {}, {}
    for part in root.findall(f"{SVG}text"):
        if re.fullmatch(r"-?\d+", part.text or "") and part.get("font-size") == "26":
            number = int(part.text or "")
            if part.get("text-anchor") == "middle":
                columns[number] = float(part.get("x", "")) == pytest.approx(
                    x + scale * (left + CELL * (number + 0.5)), abs=0.1
                )
            else:
                middle = float(part.get("y", "")) - 0.36 * 26
                rows[number] = middle == pytest.approx(y + scale * (top + CELL * (number + 0.5)), abs=0.1)
    shown = seen_from_above(at)
    assert set(columns) >= {cell[0] for cell in shown} | {min(cell[0] for cell in shown) - 2}
    assert set(rows) >= {cell[1] for cell in shown} | {min(cell[1] for cell in shown) - 2}
    assert all(columns.values())
    assert all(rows.values())


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seat_is_shown_its_own_cards_and_the_backs_of_all_others(variant: str) -> None:
    for at in positions_of(variant)[30::17]:
        if at.actor == OVER:
            continue
        for seat in range(at.seats):
            seen = at.seen_by(seat)
            picture = seen.svg()
            hands = seen.view["hands"]
            root = ET.fromstring(picture)
            assert len(uses(root, "eye")) == 1
            texts = Counter(part.text for part in root.iter(f"{SVG}text") if part.text in PATTERNS)
            assert texts == Counter(name for hand in hands for name in hand if name != "?")
            backs = [part for part in root.iter(f"{SVG}g") if part.findtext(f"{SVG}title") == "a hidden card"]
            assert len(backs) == sum(hand.count("?") for hand in hands)
            assert all(len(uses(back, "back")) == 1 for back in backs)
            for name in set(PATTERNS) - {name for hand in hands for name in hand}:
                assert not re.search(rf"{name}(?!@)", picture)  # nor in any title
            assert texts.keys() >= set(at.view["hands"][seat])


def test_the_same_hands_hidden_differently_give_the_same_picture() -> None:
    """What one seat sees does not depend on what it cannot see."""
    at = in_phase("2", "place")
    seen = at.seen_by(0)
    for number in range(5):
        assert seen.guess(Stream("hidden", number)).seen_by(0).svg() == seen.svg()


def test_names_may_be_missing_or_anything() -> None:
    at = in_phase("3", "place")
    assert "Seat 1" in words_of(at.svg())
    assert "Seat 3" in words_of(at.svg(None, ["Ann", "", " \n"]))
    odd = ['"><script>x</script>', "\x00\ud800\x1b[31m]]>", "&amp;" * 400]
    picture = at.svg(None, odd)
    assert "<script" not in picture
    words = words_of(picture)
    assert '"><script>x</script>' in words
    assert "…" in words
    assert "\x1b" not in picture


def marked_as_last(picture: str) -> list[tuple[float, float]]:
    """The middles of the rings round what the last move touched."""
    rings = [part for part in table_of(picture).findall(f"{SVG}rect") if part.get("stroke") == LAST]
    return [
        (
            float(ring.get("x", "")) + float(ring.get("width", "")) / 2,
            float(ring.get("y", "")) + float(ring.get("height", "")) / 2,
        )
        for ring in rings
    ]


@pytest.mark.parametrize("pattern", ["@.*[0-9]$", r"@.*\^$", "^token"])
def test_the_card_that_was_laid_or_secured_last_is_highlighted(pattern: str) -> None:
    at, ply = after("2", pattern)
    where = re.search(r"@(-?\d+),(-?\d+)", at.move_text(ply.action))
    assert where
    picture = at.svg(ply)
    left, top = origin_of(picture)
    lift = LIFT if pattern.endswith(r"\^$") else 0
    middle = [
        start + CELL * int(cell) + CARD / 2 - lift for start, cell in zip((left, top), where.groups(), strict=True)
    ]
    assert marked_as_last(picture) == [tuple(middle)]
    assert marked_as_last(at.svg()) == []
    inks = {part.text for part in ET.fromstring(picture).findall(f"{SVG}text") if part.get("fill") == LAST}
    assert inks == set(where.groups())  # its numbers stand out, too


def test_a_last_move_that_touches_no_card_marks_nothing() -> None:
    at, ply = after("2", "@")
    for last in ((CHANCE, 33), (0, 3), (0, 4), (0, 10**9), (7, ply.action), (0, ply.action ^ 0xFFFF)):
        assert at.svg(last) == at.svg()


@pytest.mark.parametrize("variant", ["2,large", "3", "4"])
def test_counts_are_shown_on_their_groups_and_only_when_asked_for(variant: str) -> None:
    at = random_game(variant).last
    assert "group" not in at.svg()
    picture = at.svg(counts=True)
    shown, groups = seen_from_above(at), [found for found in naive_groups(at) if len(found) > 1]
    kinds = at.view["kinds"]
    words = {"D": "dark", "M": "milk", "W": "white"}
    neutral = next((kind for kind in words if kind not in kinds), None)
    left, top = origin_of(picture)
    badges: dict[Cell, tuple[str, ET.Element]] = {}
    for part in table_of(picture).findall(f"{SVG}g"):
        title = part.findtext(f"{SVG}title") or ""
        if "group" in title:
            x, y, _ = moved(part)
            badges[round((x - left) // CELL), round((y - top) // CELL)] = title, part
    assert len(badges) == len(groups)
    for found in groups:
        ((title, part),) = (badges[cell] for cell in found if cell in badges)
        kind = shown[min(found)]
        written = [line.text for line in part.iter(f"{SVG}text")]
        expected = f"{words[kind]}: group {len(found)}"
        if kind == neutral and len(found) >= 6:
            edges = [sum(shown.get(near) == side for cell in found for near in beside(cell)) for side in kinds[:2]]
            expected += f", edges {edges[0]}:{edges[1]}"
            below = [line for line in part.iter(f"{SVG}text") if float(line.get("y", "")) > 10]
            below.sort(key=lambda line: float(line.get("x", "")))
            assert [line.text for line in below] == [str(edges[0]), ":", str(edges[1])]
            assert written[0] == str(len(found))
            assert len(written) == 4
            golden = [box for box in part.iter(f"{SVG}rect") if box.get("stroke") == GOLD]
            assert len(golden) == (edges[0] != edges[1])
            if golden:
                winner = 0 if edges[0] > edges[1] else 1
                assert golden[0].get("fill") == CHOCOLATES[kinds[winner]].face
                assert (float(golden[0].get("x", "")) > 0) == bool(winner)
        else:
            assert written == [str(len(found))]
            largest = kind != neutral and len(found) == max(len(g) for g in groups if shown[min(g)] == kind)
            (disc,) = part.iter(f"{SVG}circle")
            assert (disc.get("fill") == GOLD) == largest
        assert title == expected


def test_some_neutral_group_is_counted_by_its_edges() -> None:
    """Otherwise the test above could pass without testing one."""
    assert re.search(r"edges \d+:\d+", random_game("2,large").last.svg(counts=True))
    assert re.search(r"edges \d+:\d+", random_game("4").last.svg(counts=True))


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_says_whose_turn_it_is_and_what_is_to_be_done(variant: str) -> None:
    phases = set()
    for at in positions_of(variant):
        phase = at.view["phase"]
        if phase in phases or phase == "over":
            continue
        phases.add(phase)
        names = ["Ann", "Bob", "Cleo", "Dan"][: at.seats]
        seat = at.actor if at.actor >= 0 else at.view["seat"]
        status = drawing.WORDS[phase].replace("{name}", names[seat])
        root = ET.fromstring(at.svg(None, names))
        assert any((part.text or "").startswith(status) for part in root.findall(f"{SVG}text"))
        heads = [part for part in root.iter(f"{SVG}g") if _is_turn(part)]
        assert [head.findtext(f"{SVG}text") for head in heads] == [names[seat]]
    assert phases >= {"deal", "kind", "place", "secure", "draw"}


def _is_turn(panel: ET.Element) -> bool:
    return any(part.get("fill") == "#1f6a5c" for part in panel.findall(f"{SVG}path"))


def test_kinds_teams_and_the_neutral_kind_are_named() -> None:
    at = in_phase("4", "place")
    words = words_of(at.svg())
    assert "Team 1 + 3" in words
    assert "Team 2 + 4" in words
    neutral = next(kind for kind in "DMW" if kind not in at.view["kinds"])
    assert re.search(rf"{neutral} \w+ \(neutral", words)
    for variant in ("2", "3"):
        assert "Team" not in words_of(in_phase(variant, "place").svg())
    assert "(neutral" not in words_of(in_phase("3", "place").svg())
    assert len(uses(ET.fromstring(game("schokoly").new().svg()), "unknown")) == 2


def swap_titles(picture: str) -> list[str]:
    titles = [part.text or "" for part in ET.fromstring(picture).iter(f"{SVG}title")]
    return [title for title in titles if " offers: " in title or " answers: " in title]


def test_pending_offers_show_the_number_and_the_card_to_those_who_may_see_it() -> None:
    at = in_phase("3,swap", "accept")
    view = at.view
    words = {"D": "dark", "M": "milk", "W": "white"}
    seat, partner = view["seat"], view["partner"]
    kinds = [words[kind] for kind in view["kinds"]]
    said = [
        f"Seat {seat + 1} offers: {view['offer']['number']} {kinds[partner]}",
        f"Seat {partner + 1} answers: {view['answer']['number']} {kinds[seat]}",
    ]
    third = 3 - seat - partner
    for viewer, open_cards in ((None, 2), (seat, 1), (partner, 1), (third, 0)):
        picture = at.svg() if viewer is None else at.seen_by(viewer).svg()
        assert swap_titles(picture) == said
        groups = [part for part in ET.fromstring(picture).iter(f"{SVG}g") if part.findtext(f"{SVG}title") in set(said)]
        assert sum(len(uses(part, "tray")) for part in groups) == open_cards
        assert sum(len(uses(part, "back")) for part in groups) == 2 - open_cards
        faint = [part for part in ET.fromstring(picture).iter(f"{SVG}g") if part.get("opacity") == ".3"]
        named = [part.findtext(f"{SVG}g/{SVG}title") for part in faint]
        if viewer is None:  # the cards on offer are drawn faint in the hands they came from
            assert sorted(map(str, named)) == sorted([view["offer"]["card"], view["answer"]["card"]])
        elif viewer == third:
            assert set(named) <= {"a hidden card"}
    assert "no offer" in words_of(in_phase("3,swap", "place").svg())
    assert "Swap" not in words_of(in_phase("3", "place").svg())


@pytest.mark.parametrize("variant", VARIANTS)
def test_winners_are_crowned(variant: str) -> None:
    at = random_game(variant).last
    outcome = at.outcome
    assert outcome
    picture = at.svg()
    assert len(uses(ET.fromstring(picture), "crown")) == len(outcome.winners)
    winners = " & ".join(f"Seat {seat + 1}" for seat in outcome.winners)
    assert f"winner: {winners}" in words_of(picture)
    assert not uses(ET.fromstring(in_phase(variant, "place").svg()), "crown")


@pytest.mark.parametrize("way", [0, 1])
def test_a_long_string_of_cards_fits_the_picture(way: int) -> None:
    stream = Stream("string")
    at = game("schokoly").new("2,large").settle(stream)
    while at.actor != OVER:
        moves = texts(at)
        far = [(int(re.split("[@,]", move)[1 + way]), move) for move in moves if re.search(r"@.*\d$", move)]
        at = at.play("no-token" if "no-token" in moves else max(far)[1] if far else moves[0]).settle(stream)
    cells = seen_from_above(at)
    assert max(cell[way] for cell in cells) > 60
    for counts in (False, True):
        picture = at.svg(counts=counts)
        root = ET.fromstring(picture)
        width, height = map(float, root.get("viewBox", "").split()[2:])
        assert width == 1000
        assert height < 2200
        x, y, scale = moved(table_of(picture))
        left, top = origin_of(picture)
        for cell in cells:
            assert x + scale * (left + CELL * cell[0]) > 12
            assert x + scale * (left + CELL * (cell[0] + 1)) < width - 12
            assert y + scale * (top + CELL * cell[1]) > 100
            assert y + scale * (top + CELL * (cell[1] + 1)) < height - 250
        for part in root.findall(f"{SVG}text"):
            assert 0 < float(part.get("x", "")) < width


def test_the_largest_card_is_that_of_an_empty_table() -> None:
    scales = [moved(table_of(at.svg()))[2] for at in positions_of("2")[::9]]
    assert scales[0] == max(scales)
    assert min(scales) < max(scales)
    assert min(scales) > 0.5


@pytest.mark.parametrize("variant", ["2,large", "3", "4"])
def test_a_line_runs_round_the_largest_groups_and_climbs_raised_cards(variant: str) -> None:
    at = random_game(variant).last
    picture, shown, kinds = at.svg(counts=True), seen_from_above(at), set(at.view["kinds"])
    raised = {cell for card in at.view["table"] if card["level"] == 2 for cell in cells_of(card)}
    groups = naive_groups(at)
    best = {kind: max(len(found) for found in groups if shown[min(found)] == kind) for kind in kinds}
    largest = [found for found in groups if best.get(shown[min(found)]) == len(found)]
    lines = [path.get("d", "") for path in table_of(picture).findall(f"{SVG}path") if path.get("stroke") == GOLD]
    assert sorted(line.count("M") for line in lines) == sorted(
        sum(near not in found for cell in found for near in beside(cell)) for found in largest
    )
    climbing = sum(bool(found & raised) for found in largest)
    left, _ = origin_of(picture)
    on_grid = [all((int(x) - left) % CELL == 0 for x in re.findall(r"[ML](-?\d+) ", line)) for line in lines]
    assert on_grid.count(False) == climbing
