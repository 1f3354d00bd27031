"""Effects in English: exact sentences for positions computed by hand, in the words of each edition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from tests.rules.azul.positions import board, position
from tests.rules.schokoly.test_end import SECURED, stuck
from tests.variants import EVERY
from tilery import CHANCE, GAMES, OVER, SPECTATOR, Position, Stream, game, read_position
from tilery.core.effects import Effect
from tilery.games.azul import effects as azul_effects
from tilery.games.schokoly import effects as schokoly_effects
from tilery.games.schokoly.kernel.cards import PATTERNS

NAMES = ("Ada", "You", "Cy", "Di")
FACE = re.compile("|".join(PATTERNS))
BLEMISH = re.compile(r"  |None|You \w+s |\b0 (blue|red|yellow|black)|[{}]| ;|;;")


def said(at: Position, move: str) -> list[str]:
    return at.describe_effects(move, NAMES[: at.seats])


# Azul


def test_a_take() -> None:
    at = position(discs="BBBB/YYYR", boards=[board(lines="-/-/BB")])
    assert said(at, "1B3") == [
        "Ada takes 4 blue from factory 1; 1 blue goes to line 3, now full: worth 1 point; "
        "3 blue fall to the floor line (-4)"
    ]
    assert said(at, "2Y4") == ["Ada takes 3 yellow from factory 2; 1 red goes to the centre; 3 yellow go to line 4"]
    assert said(at, "2RF")[0].endswith("; 1 red falls to the floor line (-1)")


def test_the_marker() -> None:
    at = position(centre="BW", boards=[board(floor="RRRRRR")])
    assert said(at, "CB1") == [
        "Ada takes 1 blue from the centre; gets the marker (-3); 1 blue goes to line 1, now full: worth 1 point"
    ]
    full = position(centre="BW", boards=[board(floor="RRRRRRR")])
    assert said(full, "CBF") == [
        "Ada takes 1 blue from the centre; gets the marker, but the floor line is full; 1 blue falls to the lid"
    ]
    nearly = position(centre="BBBW", boards=[board(floor="RRRRR"), board(floor="m")])
    assert said(nearly, "CBF")[0].endswith("; 3 blue fall: 2 to the floor line (-6) and 1 to the lid")


def test_the_end_of_a_round() -> None:
    ending = read_position(
        "azul:2 round=2 offer:2 starter=1 marker=2 bag=19/20/18/19/13 lid=0/0/0/0/0 centre=W discs=-/-/-/-/- "
        "5|B/WW/-/-/-|...../...../K..../...../.....|RR 1|-/-/-/-/WWWW|...../...../...../...../.....|m"
    )
    assert said(ending, "CW5") == [
        "You take 1 white from the centre; 1 white goes to line 5, now full: worth 1 point",
        "Ada tiles line 1: blue, 1 point; line 2: white, 3 points; loses 2 points for the floor line",
        "You tile line 5: white, 1 point; lose 1 point for the floor line",
        "You start round 3",
    ]
    assert ending.describe_effects("CW5")[-1] == "Seat 2 starts round 3"
    changes = {item.code: item.points for item in ending.game.score_changes(ending.row, ending.effects("CW5"))}
    assert changes == {"tiling": (4, 1), "floor": (-2, -1), "total": (2, 0)}


def test_a_run_in_both_directions_and_the_bonuses() -> None:
    at = position(
        "2",
        "offer:2",
        centre="W",
        marker="2",
        boards=[board(lines="W", wall="BYRK./W..../...../...../.....", score=3), board(floor="m")],
    )
    assert said(at, "CWF") == [
        "You take 1 white from the centre; 1 white falls to the floor line (-1)",
        "Ada tiles line 1: white, 5 points",
        "You lose nothing for the floor line",
        "the game ends by a complete row (AZ-30)",
        "Ada scores 2 points for 1 complete row",
    ]


def test_the_grey_wall_names_the_column_and_what_finds_no_cell() -> None:
    choosing = read_position(
        "azul:2,grey round=2 offer:2 starter=1 marker=2 bag=18/19/19/19/19 lid=0/0/0/0/0 centre=W discs=-/-/-/-/- "
        "0|R/BB/-/-/-|...../K..Y./...../...../.....|- 7|-/-/-/-/-|...../...../...../...../.....|m"
    )
    after = choosing.play("CW2").play("1:2")
    assert said(after, "2:2")[0] == "Ada tiles line 2, column 2: blue, 2 + 2 = 4 points"
    stuck = position(
        "2,grey",
        "offer:2",
        centre="W",
        marker="2",
        boards=[board(lines="-/-/-/-/BBBBB", wall="B..../.B.../..B../...B./....R"), board(floor="m")],
    )
    assert said(stuck, "CWF")[1] == (
        "Ada finds no cell for the blue of line 5: 5 blue fall to the floor line (-8); loses nothing for the floor line"
    )


def test_special_discs_in_the_words_of_the_edition() -> None:
    text = (
        "{}:2,specials round=1 offer:1 starter=1 marker=C bag=16/16/16/16/16 lid=0/0/0/0/0 centre=- "
        "discs=keeper:BBYR/BYRK/YRKW/spreader:BYRK/KWWW "
        "0|-/-/-/-/-|...../...../...../...../.....|- 0|-/-/-/-/-|...../...../...../...../.....|-"
    )
    assert said(read_position(text.format("azul")), "4R2<BK>Y") == [
        "Ada takes 1 red from factory 4; 1 blue goes to factory 3; 1 yellow goes to factory 5; "
        "1 black goes to factory 3; 1 red goes to line 2"
    ]
    chocolate = read_position(text.format("chocolatier").translate(str.maketrans("YRW", "NWR")))
    assert " from plate 1; " in said(chocolate, f"1{chocolate.moves()[0].parts['colour']}F")[0]
    assert "waste line" in said(chocolate, f"1{chocolate.moves()[0].parts['colour']}F")[0]


def test_deals() -> None:
    start = game("azul").new()
    assert said(start, "+BBYR") == ["factory 1 gets 2 blue, 1 yellow and 1 red"]
    laid = game("azul").new("2,specials")
    assert said(laid, "3=keeper") == ["factory 3 is the keeper"]
    assert said(laid, "3=magnetR") == ["factory 3 is the magnet for red"]


# Schokoly

LATE = (  # the position of docs/python.md
    "schokoly:2 place:1 kinds=M/W tokens=4/0 hands=WWWD.WWWD.MMWW.MMWD/MMMW.MMWW.MMWD.WWDM "
    "stack=0/0/1/1/0/1/1/0/0/2/0/0 table=DDDM@2,-4;MMWM@4,-4;DWDD@5,-3^;DMWD@6,-3;MDDM@8,-3;WDMM@-2,-2;"
    "DDWD@-1,-2^;DDMM@0,-2;DDWW@1,-2^;DDMD@2,-2;DMDD@3,-2^;WWDM@4,-2;DWWD@5,-1^;DDWW@6,-1;DDDW@8,-1;WMWW@-2,0;"
    "MWWW@-1,0^;MMDM@0,0;WDWW@1,0^;MMDM@2,0;MMWW@3,0^;MWWD@4,0"
)


def sentences_by_kind() -> dict[str, list[str]]:
    """The sentences of random games with swaps, by kind of move."""
    found: dict[str, list[str]] = {}
    for seed in range(4):
        for at, action in random_plies(game("schokoly").new("3,swap"), Stream("effect words", seed)):
            found.setdefault(at.move(action).kind, []).extend(at.describe_effects(action, NAMES[:3]))
    return found


def test_cards_and_swaps() -> None:
    found = sentences_by_kind()
    patterns = {
        "kind": r"\w+ plays? (dark|milk|white)",
        "draw": r"\w+ draws? [DMW]{4}",
        "token": r"\w+ puts? a token on the card at -?\d+,-?\d+",
        "offer": r"\w+ offers? (Ada|you|Cy) [DMW]{4} \([0-3] (dark|milk|white)\)",
        "answer": r"\w+ answers? with [DMW]{4} \([0-3] (dark|milk|white)\)",
        "accept": r"\w+ swaps? a card with (Ada|you|Cy); gives? [DMW]{4}; gets? [DMW]{4}",
        "decline": r"\w+ declines? the swap",
    }
    for kind, pattern in patterns.items():
        assert re.fullmatch(pattern, found[kind][0]), found[kind][0]
    assert found["no-token"] == []


def test_groups_that_are_joined_cut_and_won() -> None:
    late = read_position(LATE)
    kinds = [effect.type for effect in late.effects("WMMW@7,-1^")]
    assert "covered" in kinds
    (card,) = said(late, "WMMW@7,-1^")
    assert card.startswith("Ada lays WMMW at 7,-1 on the second level (")
    assert "; spends a token; groups: " in card
    before, after = late.scores(), late.play("WMMW@7,-1^").scores()
    assert card.endswith(f"points: Ada ({before[0]} -> {after[0]}), You ({before[1]} -> {after[1]})")


@pytest.mark.parametrize("seat", [0, 1, 2, SPECTATOR])
def test_hidden_cards_are_not_named(seat: int) -> None:
    """Only cards that the viewer sees anyway: its own, and those laid on the table."""
    named = hidden = 0
    for at, action in random_plies(game("schokoly").new("3,swap"), Stream("hidden words", seat)):
        move, veiled = at.move(action), at.veiled(action, seat)
        text = " ".join(at.seen_by(seat).describe_effects(veiled, NAMES[:3]))
        if move.kind in ("draw", "offer", "answer", "accept"):
            if veiled == action and move.kind != "accept":
                named += bool(FACE.search(text))
            elif veiled == action:
                assert not FACE.search(text)
            elif move.kind != "accept":
                assert not FACE.search(text)
                assert "a card" in text
                hidden += 1
    assert hidden > 10
    assert (named > 0) == (seat != SPECTATOR)


def test_a_pass_says_what_the_hand_cannot_hold() -> None:
    """SC-60."""
    (sentence,) = said(stuck(SECURED), "pass")
    assert re.fullmatch(r"Ada passes with none of ([DMW]{4}, )*[DMW]{4} and [DMW]{4} in hand", sentence)
    assert said(stuck(SECURED).play("pass"), "pass")[-1] == "the game ends by passes all round (SC-41)"


# Every variant


def random_plies(position: Position, stream: Stream) -> Iterator[tuple[Position, int]]:
    """A random game: every position with the action played there."""
    while position.actor != OVER:
        action = position.draw(stream) if position.actor == CHANCE else stream.choice(position.actions())
        yield position, action
        position = position.play(action)


def test_every_kind_of_effect_is_put_into_words() -> None:
    """In random games of every variant, in which every kind of effect occurs but passing, which is rare."""
    met: set[type[Effect]] = set()
    for family, variants in EVERY.items():
        for number, rules in enumerate(variants * (1 if family == "azul" else 4)):
            for at, action in random_plies(GAMES[family].new(rules), Stream("words", number)):
                effects = at.effects(action)
                met.update(map(type, effects))
                sentences = at.describe_effects(action, NAMES[: at.seats])
                assert bool(sentences) == bool(effects), (at.text, at.move_text(action))
                for sentence in sentences:
                    assert sentence.strip() == sentence != ""
                    assert not BLEMISH.search(sentence), sentence
    every = {*get_args(azul_effects.AzulEffect), *get_args(schokoly_effects.SchokolyEffect)}
    assert every - met == {schokoly_effects.Passed}
