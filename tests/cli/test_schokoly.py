"""Schokoly on the command line: hidden hands, several people at one keyboard, swaps, records as a seat saw them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.test_play import FIRST, TO_THE_END, moves_of, saved, tilery
from tilery import CHANCE, OVER, Record, Stream, game, read_seen_record
from tilery.cli.arguments import OPPONENT
from tilery.games.schokoly.kernel.cards import PATTERNS

FACES = re.compile(rf"\b({'|'.join(PATTERNS)})\b")


def hands(out: str) -> list[str]:
    """The hands on every printed board: the ends of the lines of seats."""
    return re.findall(r"points  +o* *((?:(?:[DMW]{4}|\?{4}) )*(?:[DMW]{4}|\?{4})|-)$", out, re.MULTILINE)


def test_a_person_plays_greedy_and_sees_only_one_hand() -> None:
    ran = tilery("play", "schokoly", "-s", "person,greedy", "--seed", "5", typed="dark\nmoves\n1\nno\n")
    assert ran.code == 0
    assert ran.err == ""
    record = saved()
    assert moves_of(record)[:3] == ["dark", "DDDM@0,0", "no-token"]
    shown = hands(ran.out)
    assert len(shown) >= 8
    assert set(shown[1::2]) <= {"???? ???? ???? ????"}
    assert "?" not in "".join(shown[0::2])
    assert "Legal: no-token token@0,0" in ran.out
    assert "greedy plays no-token: no token" in ran.out
    assert "+DD" not in ran.out  # drawn cards are hidden
    assert "Groups" in ran.out


def test_a_whole_game_ends_with_all_cards_shown_and_the_breakdown_of_the_score() -> None:
    ran = tilery("play", "schokoly", "--seed", "1", typed=f"{FIRST * 3}text\n{TO_THE_END}")
    record = saved()
    assert record.last.actor == OVER
    assert "largest group of its own kind" in ran.out
    assert "Final score" in ran.out
    assert "by the last card (SC-40)" in ran.out
    text = next(line for line in ran.out.splitlines() if line.startswith("You > schokoly:2 "))
    assert " seen=1 " in text
    assert "/?.?.?.? " in text
    assert "stack=?" in text


def test_moves_may_be_typed_freely() -> None:
    tilery("play", "schokoly", "--seed", "5", typed="D\nmddd 0 0\ntoken 0 0\n")
    assert moves_of(saved())[:3] == ["dark", "MDDD@0,0", "token@0,0"]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("nougat\n", "'nougat' is not a move: expected a kind: dark, milk or white"),
        ("dark\npass\n", "Not legal here: a player who can place a card on the first level may not pass (SC-41)"),
        ("dark\nmmww 0 0\n", "Not legal here: seat 1 holds no MMWW (SC-14)"),
        ("dark\ndddm 5 5\n", "Not legal here: the first card lies at 0,0 on the first level (SC-12)"),
        ("dark\nddxm 0 0\n", "'ddxm 0 0' is not a move"),
        ("dark\ndddm 0 0\ntoken 2 2\n", "Not legal here: no card has its top left piece at 2,2 (SC-35)"),
        ("dark\noffer dddm 2\n", "Not legal here: cards are not swapped in this game (SC-50)"),
    ],
)
def test_refused_moves_are_explained_and_lose_nothing(typed: str, answer: str) -> None:
    ran = tilery("play", "schokoly", "--seed", "5", typed=typed)
    assert answer in " ".join(ran.out.split())
    assert ran.code == 0
    assert "Traceback" not in ran.out + ran.err


def test_hands_are_hidden_between_people_at_one_keyboard() -> None:
    typed = "\ndark\nmoves\n1\nno\n\nmilk\nmoves\n1\nno\n\nboard\n"
    ran = tilery("play", "schokoly", "-s", "person,person", "--seed", "5", typed=typed)
    assert ran.out.count("Pass the keyboard to Player 1. Everybody else, please look away.") == 2
    assert ran.out.count("Pass the keyboard to Player 2. Everybody else, please look away.") == 1
    first, second, third = re.split(r"Pass the keyboard to Player \d", ran.out)[1:]
    for part, own in ((first, 0), (second, 1), (third, 0)):
        shown = hands(part)
        assert shown
        assert "?" not in "".join(shown[own::2])
        assert all(set(hand) <= {"?", " "} for hand in shown[1 - own :: 2])
    assert "DDDM@0,0: Player 1 lays DDDM at 0,0" in second  # played in the meantime


def swap_game(typed: str) -> str:
    """A game of three people with swaps: the first two turns, then the typed lines."""
    opening = "\ndark\nmoves\n1\nno\n\nmilk\n"
    ran = tilery("play", "schokoly", "-v", "swap", "-s", "person,person,person", "--seed", "7", typed=opening + typed)
    assert "Traceback" not in ran.out + ran.err
    return ran.out


def hand_of(seat: int) -> list[str]:
    return list(saved().last.view["hands"][seat])


def test_a_swap_among_people_shows_each_what_it_may_see() -> None:
    out = swap_game("moves\n1\n\nmoves\n2\n\naccept\n")
    moves = moves_of(saved())
    assert moves[4].startswith("offer:")
    assert moves[5].startswith("answer:")
    assert moves[6] == "accept"
    offered, answered = moves[4][6:10], moves[5][7:11]
    asked = re.split(r"Pass the keyboard to Player \d", out)[3]
    shown = asked.partition("Press Enter")[0]
    assert re.search(r"offer:\?[0-3]>1: Player 2 offers Player 1 a card \([0-3] dark\)", shown)
    assert offered not in shown
    back = re.split(r"Pass the keyboard to Player \d", out)[4].partition("Press Enter")[0]
    assert re.search(r"answer:\?[0-3]", back)
    assert answered not in back or answered == offered
    assert answered in hand_of(1)
    assert offered in hand_of(0)


def test_swaps_of_bots_are_not_revealed() -> None:
    ran = tilery("play", "schokoly", "-v", "swap", "-s", "person,random,random", "--seed", "3", typed=TO_THE_END)
    assert saved().last.actor == OVER
    lines = ran.out.splitlines()
    offers = [line for line in lines if re.match(r"offer:.*: random \d offers ", line)]
    assert offers
    assert not [line for line in offers if FACES.search(line)]
    assert not [line for line in lines if re.match(r"answer:.*: random", line) and FACES.search(line)]


def test_a_preview_of_a_swap_does_not_show_the_hidden_card() -> None:
    out = swap_game("moves\n1\n\nmoves\n2\n\ntry accept\ntry decline\naccept\n")
    answered = moves_of(saved())[5][7:11]
    preview = next(line for line in out.splitlines() if "Preview of accept" in line)
    assert preview.endswith("Preview of accept: Player 2 swaps a card with Player 1")
    assert answered not in preview
    assert "Preview of decline: Player 2 declines the swap" in out


def test_a_person_reads_which_card_was_drawn_and_nobody_elses() -> None:
    ran = tilery("play", "schokoly", "--seed", "1", typed=FIRST * 12)
    drawn = re.findall(r"^(?:You > )?\+(\S+): (.*)$", ran.out, re.MULTILINE)
    assert len(drawn) >= 3
    assert all(FACES.fullmatch(card) and words == f"You draw {card}" for card, words in drawn)


def test_a_card_is_printed_with_its_edges_groups_and_points() -> None:
    ran = tilery("play", "schokoly", "-s", "person,greedy", "--seed", "5", typed="dark\n" + FIRST * 12)
    out = " ".join(ran.out.split())
    assert re.search(r"greedy lays \w{4} at -?\d+,-?\d+ \(\d edges, \d of the same kind\); groups: ", out)
    assert re.search(r"; points: (You|greedy) \(\d+ -> \d+\)", out)
    assert re.search(r"Round 1 is over\. You +\d+ points? \(\+\d+\) greedy +\d+ points? \(\+\d+\)", out)


def test_deals_can_be_typed_from_a_real_table() -> None:
    typed = "dddm dddm mmww wwdm ddmw ddmw mmwd wwwm\ndark\ndddm 0 0\nno\n+mmmd\nmilk\n"
    ran = tilery("play", "schokoly", "-s", "person,person", "--deals", "typed", typed=typed)
    position = saved().last
    assert position.view["hands"][0] == ("DDDM", "MMMD", "MMWW", "WWDM")
    assert position.view["kinds"] == ("D", "M")
    assert "????" not in ran.out  # whoever types the deals has seen them


def test_a_resumed_game_continues_as_if_uninterrupted() -> None:
    whole = tilery("play", "schokoly", "--seed", "9", "--save", "whole.tilery", typed=TO_THE_END)
    assert whole.code == 0
    tilery("play", "schokoly", "--seed", "9", "--save", "parts.tilery", typed=FIRST * 7)
    tilery("resume", "parts.tilery", typed=TO_THE_END)
    assert saved(Path("parts.tilery")).plies == saved(Path("whole.tilery")).plies


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def a_record(variant: str = "2", plies: int = 40) -> Path:
    """The file of a random game."""
    stream = Stream("cli", variant)
    record = Record(game("schokoly").new(variant))
    while record.last.actor != OVER and len(record.plies) < plies:
        position = record.last
        record = record.play(position.draw(stream) if position.actor == CHANCE else stream.choice(position.actions()))
    path = Path("game.tilery")
    path.write_text(record.text, encoding="utf-8")
    return path


def test_show_and_replay_as_a_seat_saw_it() -> None:
    path = a_record()
    whole = tilery("show", str(path))
    seen = tilery("show", str(path), "--seat", "2")
    assert "????" not in whole.out
    assert "????" in hands(seen.out)[0]
    assert "?" not in hands(seen.out)[1]
    text = tilery("show", str(path), "--seat", "2", "--text").out.strip()
    assert " seen=2 " in text
    assert tilery("show", text).out == tilery("show", text, "--seat", "2").out
    assert "it does not show what seat 1 sees" in tilery("show", text, "--seat", "1").err
    assert "there is no seat 3: seats are 1 to 2" in tilery("show", str(path), "--seat", "3").err
    steps = tilery("replay", str(path), "--seat", "1").out
    assert "+?" in steps
    assert json.loads(tilery("show", str(path), "--seat", "1", "--json").out)["viewer"] == 0


def test_a_record_is_written_as_a_seat_saw_it_and_verified() -> None:
    path = a_record("3,swap", 400)
    text = tilery("replay", str(path), "--seat", "3", "--text").out
    assert read_seen_record(text).seat == 2
    Path("seen.tilery").write_text(text, encoding="utf-8")
    assert tilery("verify", "seen.tilery").out == "1 valid, 0 invalid\n"
    assert "as seat 3 saw it: only a complete record can be resumed" in tilery("resume", "seen.tilery").err
    assert "it does not show what seat 1 saw" in tilery("replay", "seen.tilery", "--seat", "1").err
    assert tilery("replay", "seen.tilery", "--seat", "3", "--text").out == text
    assert tilery("replay", str(path), "--text").out == path.read_text(encoding="utf-8")
    assert "from a whole position" in tilery("perft", "seen.tilery").err
    assert "leave out --seat" in tilery("show", str(path), "--ply", "2", "--seat", "1", "--probabilities").err


def test_a_picture_counts_groups_on_demand() -> None:
    path = a_record(plies=60)
    plain = tilery("show", str(path), "--svg", "-").out
    counted = tilery("show", str(path), "--svg", "-", "--counts").out
    hidden = tilery("show", str(path), "--svg", "-", "--seat", "1").out
    assert len({plain, counted, hidden}) == 3


def test_the_menu_asks_for_three_players_where_a_variant_needs_them() -> None:
    ran = tilery("play", typed=f"{FIRST}new\n3\n3\nperson,greedy\n\n{FIRST}quit\n")
    assert f"Seats [person,{OPPONENT},{OPPONENT}] > " in ran.out
    assert "chocolate is swapped among 3 players only" in ran.out
    assert f"Schokoly (3,swap): You, {OPPONENT} 2, {OPPONENT} 3." in ran.out


def test_simulate_and_perft_know_the_game() -> None:
    ran = tilery("simulate", "schokoly", "--seats", "greedy,random", "--games", "60", "--seed", "1", "--json")
    summary = json.loads(ran.out)
    assert summary["endings"] == {"cards": 60}
    assert summary["seats"][0]["wins"] > 0.8
    text = game("schokoly").new().settle(Stream("perft")).text
    assert json.loads(tilery("perft", text, "--depth", "1", "--json").out)["lines"] == 3
