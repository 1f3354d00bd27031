"""`tilery play` and `tilery resume` on the command line."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from tests.conftest import ROOT
from tests.notation import texts
from tilery import CHANCE, Record, game, read_record
from tilery.cli import main
from tilery.cli.arguments import OPPONENT
from tilery.cli.files import data_folder, games_folder
from tilery.cli.output import program

FIRST = "moves\n1\n"  # plays the first legal move
TO_THE_END = FIRST * 400


class Ran(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def tilery(*words: str, typed: str | bytes = "") -> Ran:
    """Run a command in this process, with lines typed into it."""
    data = typed.encode() if isinstance(typed, str) else typed
    out, err = io.StringIO(), io.StringIO()
    code: object = None
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    with (
        patch.object(sys, "argv", ["tilery", *words]),
        patch.object(sys, "stdin", stdin),
        patch.dict(os.environ, {"COLUMNS": "80"}),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    return Ran(code if isinstance(code, int) else 0, out.getvalue(), err.getvalue())


def on_the_screen(ran: Ran) -> list[str]:
    """The output as a terminal shows it, with a line break after each prompt."""
    return re.sub(r"^((You|Player \d) > )", r"\1\n", ran.out, flags=re.MULTILINE).splitlines()


def saved(path: Path | None = None) -> Record:
    """The game in a file, or the only saved one."""
    if path is None:
        (path,) = games_folder().iterdir()
    return read_record(path.read_text(encoding="utf-8"))


def moves_of(record: Record) -> list[str]:
    """The moves of the players, without deals."""
    positions = record.positions()
    return [
        position.move_text(ply.action)
        for position, ply in zip(positions, record.plies, strict=False)
        if ply.actor != CHANCE
    ]


def test_play_starts_at_once_against_the_default_opponent() -> None:
    ran = tilery("play", typed=FIRST)
    assert ran.code == 0
    assert ran.out.startswith(f"Azul (2,stall=10): You, {OPPONENT}.\n")
    assert "Round 1: You to take" in ran.out
    assert saved().players == ("You", OPPONENT)


def test_the_end_of_the_input_saves_the_game_and_prints_how_to_resume() -> None:
    ran = tilery("play", typed=FIRST)
    (path,) = games_folder().iterdir()
    assert f"Saved. Resume with: tilery resume {path}" in ran.out
    assert saved(path).plies[5].actor == 0


def test_quit_saves_the_game() -> None:
    ran = tilery("play", typed=f"{FIRST}QUIT\n{FIRST}")
    assert "Saved. Resume with" in ran.out
    assert len([ply for ply in saved().plies if ply.actor == 0]) == 1


def test_an_interruption_saves_the_game_and_prints_how_to_resume() -> None:
    with patch("tilery.cli.session.ask", side_effect=["moves", "1", KeyboardInterrupt]):
        ran = tilery("play")
    assert ran.code == 0
    assert "Saved. Resume with: tilery resume" in ran.out
    assert len([ply for ply in saved().plies if ply.actor == 0]) == 1


def test_a_file_with_blanks_in_its_name_is_quoted_for_the_shell(tmp_path: Path) -> None:
    assert f"tilery resume '{tmp_path}/my game'" in tilery("play", "--save", f"{tmp_path}/my game").out


def test_the_same_seed_and_moves_give_the_same_record(tmp_path: Path) -> None:
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        tilery("play", "--seed", seed, "-s", "person,random", "--save", str(tmp_path / name), typed=FIRST * 6)
    first, second, third = ((tmp_path / name).read_text(encoding="utf-8") for name in "abc")
    assert first == second
    assert first.partition("1. ")[2] != third.partition("1. ")[2]


@pytest.mark.parametrize(
    "words",
    [
        ["azul"],
        ["azul", "-v", "3,grey", "-s", "person,random,person"],
        ["chocolatier", "-v", "grey,specials"],
        ["chocolatier", "--seats", "Greedy, random,greedy,PERSON", "--variant", "specials=game,start=drawn"],
    ],
    ids=" ".join,
)
def test_whole_games_end_with_the_score_and_its_breakdown(words: list[str]) -> None:
    ran = tilery("play", *words, "--seed", "3", typed=TO_THE_END)
    assert ran.code == 0
    assert ran.err == ""
    record = saved()
    outcome = record.last.outcome
    assert outcome is not None
    end = ran.out[ran.out.index("Final score") :]
    for what in ("complete rows, 2 each", "complete columns, 7 each", "complete colours, 10 each", outcome.rule):
        assert what in end
    (total,) = (line for line in end.splitlines() if "total" in line)
    assert total.replace("│", " ").split() == ["total", *map(str, outcome.scores)]
    assert "tilery replay" in end
    assert max(map(len, on_the_screen(ran)[:-1])) <= 80
    assert tilery("resume").code == 2


def test_bots_alone_play_to_the_end_without_any_typing() -> None:
    ran = tilery("play", "-s", "greedy,random,greedy,greedy")
    assert "Final score" in ran.out
    assert saved().players == ("greedy 1", "random", "greedy 3", "greedy 4")


def test_several_people_are_called_by_their_seats() -> None:
    ran = tilery("play", "-s", "person,person", typed=FIRST * 2)
    assert "Player 1 > " in ran.out
    assert "Player 2 > " in ran.out


def test_a_variant_with_a_number_of_seats_fills_them_with_bots() -> None:
    ran = tilery("play", "-v", "4,grey")
    assert ran.out.startswith(f"Azul (4,grey,stall=10): You, {OPPONENT} 2, {OPPONENT} 3, {OPPONENT} 4.")


def test_bare_means_without_the_stall_limit() -> None:
    assert tilery("play", "--bare").out.startswith(f"Azul (2): You, {OPPONENT}.")


def test_chocolatier_has_special_factories_by_default() -> None:
    assert tilery("play", "chocolatier").out.startswith("Azul: Master Chocolatier (2,specials,stall=10)")


def test_moves_are_typed_in_any_case_with_blanks_and_0_for_the_centre(tmp_path: Path) -> None:
    seats = ("-s", "person,greedy")
    tilery("play", "--seed", "1", *seats, "--save", str(tmp_path / "a"), typed="1r2\n")
    record = saved(tmp_path / "a")
    assert moves_of(record)[0] == "1R2"
    centre = next(move for move in texts(record.last) if move.startswith("C"))
    tilery("play", "--seed", "1", *seats, "--save", str(tmp_path / "b"), typed=f"1 R2\n0{centre[1:].lower()}\n")
    assert moves_of(saved(tmp_path / "b"))[2] == centre


def test_a_wrong_move_is_refused_with_the_reason_and_asked_for_again() -> None:
    ran = tilery("play", "--seed", "1", typed="hello\n1y1\n9r1\n\u2603\n\n1r2\n")
    assert "'hello' is not a move: expected a move such as 3R2" in ran.out
    assert ran.out.count("Not legal here: ") == 2
    assert "(AZ-12)" in ran.out
    assert "Type a move or help." in ran.out
    assert moves_of(saved())[0] == "1R2"


def test_bytes_that_are_not_text_are_refused_like_other_invalid_input() -> None:
    ran = tilery("play", "--seed", "1", typed=b"\xff\xfe\x00\n1r2\n")
    assert "is not a move" in ran.out
    assert moves_of(saved())[0] == "1R2"


def test_numbers_pick_from_the_list_of_moves_and_from_nothing_else() -> None:
    ran = tilery("play", "--seed", "1", typed="1\nmoves\n0\n85\n99999999999999999999\n84\n1\n")
    assert ran.out.count("a number picks from the list of moves: type moves first") == 2
    assert ran.out.count("the list has the numbers 1 to 84") == 3
    assert moves_of(saved())[0] == "5WF"


def test_the_list_of_moves_of_the_spreader_stays_in_columns() -> None:
    ran = tilery("play", "chocolatier", "-v", "grey,specials", "--seed", "14", typed="moves\n3b1\n3b1>rw<\n")
    assert "\n 79 3B1<WR   80 3B1<R>W  81 3B1<W>R  82 3B1>WR\n" in ran.out
    assert "whether it goes < or > (MC-7)" in " ".join(ran.out.split())
    assert moves_of(saved())[0] == "3B1>WR"


def test_help_names_every_command() -> None:
    ran = tilery("play", typed="help\n?\n")
    for word in ("moves", "hint", "board", "score", "text", "rules", "undo", "save FILE", "new", "quit"):
        assert ran.out.count(word) >= 2


def test_the_rules_fit_the_terminal() -> None:
    lines = on_the_screen(tilery("play", typed="rules\n"))
    begin = lines.index(next(line for line in lines if line.startswith("THE AIM  ")))
    rules = lines[begin : lines.index("You > ", begin)]
    assert max(map(len, rules)) <= 80
    assert all(line[:9].strip() == "" or line[:9].strip().isupper() for line in rules)
    assert rules[-1].endswith("0 is the centre.")


def test_board_score_and_text_print_the_position_as_it_is() -> None:
    ran = tilery("play", "--seed", "1", typed=f"{FIRST}board\nscore\ntext\n")
    assert ran.out.count("Round 1: You to take") == 3
    assert "Score so far" in ran.out
    assert saved().last.text in ran.out


def test_the_end_of_a_round_is_printed_with_the_points() -> None:
    ran = tilery("play", "--seed", "1", "-s", "person,greedy", typed=FIRST * 12)
    at = ran.out.index("Round 1 is over.")
    end = ran.out[at:].splitlines()[1:3]
    record = saved()
    first = next(position for position in record.positions() if position.round == 2)
    for line, name, score in zip(end, ("You", "greedy"), first.scores(), strict=True):
        parts = re.fullmatch(r"  (\w+) +(\d+) points? \(([+-]\d+): (.+)\)", line)
        assert parts, line
        assert (parts[1], int(parts[2]), int(parts[3])) == (name, score, score)
        assert sum(map(int, re.findall(r" ([+-]\d+)", f" {parts[4]}"))) == score
    assert "floor line -" in "".join(end)


def test_every_ply_is_printed_with_what_it_did() -> None:
    ran = tilery("play", "--seed", "1", "-s", "person,greedy", typed="1r2\n")
    assert "1R2: You take 1 red from factory 1; " in ran.out
    assert "; 1 red goes to line 2\n" in " ".join(ran.out.split("\n  ")) + "\n"
    assert re.search(r"^\d\w\d: greedy takes \d \w+ from factory \d; ", ran.out, re.MULTILINE)


def test_a_ply_that_ends_a_round_is_printed_with_the_tiling() -> None:
    ran = tilery("play", "--seed", "1", "-s", "person,greedy", typed=FIRST * 12)
    out = " ".join(ran.out.split())
    assert re.search(r"greedy tiles line \d: \w+, \d points?; ", out)
    assert re.search(r"(lose|loses) \d+ points? for the floor line", out)
    assert re.search(r"(You start|greedy starts) round 2 Round 1 is over\.", out)


def test_try_prints_what_a_move_would_do_without_playing_it() -> None:
    ran = tilery("play", "--seed", "1", typed="try 1 r 2\ntry\ntry hello\ntry 9r9\ntry 1b9\n1w2\n")
    assert "Preview of 1R2: You take 1 red from factory 1; " in ran.out
    assert "Type a move after try." in ran.out
    assert "'hello' is not a move: expected a move such as 3R2" in ran.out
    assert moves_of(saved())[0] == "1W2"
    numbered = tilery("play", "--seed", "1", typed="moves\ntry 84\nundo\n")
    assert "Preview of 5WF: You take " in numbered.out
    assert "There is no move of yours to take back." in numbered.out


def test_chocolates_are_described_in_the_words_of_their_edition() -> None:
    ran = tilery("play", "chocolatier", "-v", "grey", "--seed", "3", "-s", "person,random", typed=FIRST * 30)
    out = " ".join(ran.out.split())
    assert re.search(r"You take \d \w+ from plate \d", out)
    assert "falls to the waste line (-1)" in out
    assert re.search(r"tiles? line \d, column \d: ", out)
    assert "box tiling +" in out
    assert "factory 1" not in out


def test_undo_takes_back_the_last_move_and_the_reply() -> None:
    ran = tilery("play", "--seed", "1", typed="1r2\nundo\nundo\n1w2\n")
    assert "Taken back." in ran.out
    assert "There is no move of yours to take back." in ran.out
    assert moves_of(saved())[0] == "1W2"
    assert len(moves_of(saved())) == 2


def test_after_an_undo_over_the_end_of_a_round_the_same_tiles_are_dealt(tmp_path: Path) -> None:
    def play(name: str, typed: str) -> Record:
        tilery("play", "--seed", "5", "--save", str(tmp_path / name), typed=typed)
        return saved(tmp_path / name)

    count = next(count for count in range(1, 20) if play(f"x{count}", FIRST * count).last.round == 2)
    straight = play("straight", FIRST * (count + 1))
    undone = play("undone", FIRST * count + "undo\nundo\n" + FIRST * 3)
    assert undone.text == straight.text


def test_undo_works_after_a_resume_too_and_deals_the_same_tiles(tmp_path: Path) -> None:
    path = tmp_path / "game"
    tilery("play", "--seed", "5", "--save", str(path), typed=FIRST * 10)
    before = path.read_text(encoding="utf-8")
    assert saved(path).last.round == 3
    tilery("resume", str(path), typed="undo\n" * 8 + FIRST * 8)
    assert path.read_text(encoding="utf-8") == before


def test_undo_is_refused_with_several_people() -> None:
    ran = tilery("play", "-s", "person,person", typed=f"{FIRST}undo\n")
    assert "Undo is for games against bots" in ran.out
    assert len(moves_of(saved())) == 1


def test_save_writes_a_copy(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    ran = tilery("play", typed=f"save\nsave {tmp_path}/a/b c.tilery\nsave {tmp_path}/a/b c.tilery\n{FIRST}")
    assert "already exists: choose another file" in ran.out
    (kept,) = games_folder().iterdir()
    assert f"The game is saved in {kept}" in ran.out
    assert f"Saved a copy to {tmp_path}/a/b c.tilery" in ran.out
    assert moves_of(saved(tmp_path / "a" / "b c.tilery")) == []
    assert moves_of(saved(kept)) != []


def test_a_copy_that_cannot_be_saved_does_not_end_the_game(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    places = [f"{tmp_path}/file/x", str(tmp_path), "~nobody-of-this-name/x", "a\0b", "x" * 300]
    ran = tilery("play", typed="".join(f"save {place}\n" for place in places) + FIRST)
    assert ran.out.count("Not saved: ") == len(places)
    assert moves_of(saved()) != []


def test_new_asks_for_game_variant_and_players_until_the_answers_are_right() -> None:
    ran = tilery("play", typed=f"{FIRST}new\n4\n00012\nfoo\n2\n\nperson\nperson,nobody\nrandom,person\n{FIRST}quit\n")
    assert ran.code == 0
    assert ran.out.count("A number from 1 to 3, please.") == 3
    assert "Number [3] > " in ran.out  # with special factories, the default of this game
    assert "Azul: Master Chocolatier is for 2 to 4 seats, not 1" in ran.out
    assert "'nobody' cannot take a seat: expected person or a bot" in ran.out
    assert "Azul: Master Chocolatier (2,specials,stall=10): random, You." in ran.out
    assert sorted(saved(path).game.name for path in games_folder().iterdir()) == ["azul", "chocolatier"]


def test_leaving_the_menu_prints_how_to_resume_the_game() -> None:
    ran = tilery("play", typed=f"{FIRST}new\n2\n")
    (path,) = games_folder().iterdir()
    assert ran.code == 0
    assert f"Saved. Resume with: tilery resume {path}" in ran.out


DEALS = ["+BBYR", "+YKWW", "+RRKK", "+BYRW", "+KKWW"]


def test_deals_are_typed_in_any_case_and_order() -> None:
    tilery("play", "--deals", "typed", typed="+rybb\n+WKWY\n + k r k r\n+BYRW\n+kkww\n1b2\n")
    position = game("azul").new("2,stall=10")
    for deal in DEALS:
        position = position.play(deal)
    record = saved()
    assert list(record.positions())[5] == position
    assert moves_of(record)[0] == "1B2"


def test_wrong_deals_are_refused_with_the_reason_and_asked_for_again() -> None:
    ran = tilery("play", "--deals", "typed", typed="+BBYG\n+BBBBB\n+BB\n3r2\n+BBYR\n")
    assert "Deal, such as +" in ran.out
    assert ran.out.count("is not a move") == 2
    assert ran.out.count("Not legal here: ") == 2
    assert len(saved().plies) == 1


def test_undo_takes_back_a_typed_deal() -> None:
    tilery("play", "--deals", "typed", typed="+BBYR\n+YKWW\nundo\n+RRKK\n")
    record = saved()
    assert [record.position(at).move_text(ply.action) for at, ply in enumerate(record.plies)] == ["+BBYR", "+RRKK"]


def test_special_factories_are_typed_too() -> None:
    ran = tilery("play", "chocolatier", "--deals", "typed", typed="moves\n1\n1=KEEPER\nundo\n1=magnetr\n2=Saucer\n")
    assert "Deal, such as " in ran.out
    assert "1=keeper" not in saved().text
    assert ran.code == 0


def test_a_game_with_typed_deals_is_resumed_with_typed_deals() -> None:
    tilery("play", "--deals", "typed", typed="+BBYR\n+YKWW\n")
    ran = tilery("resume", typed="+RRKK\n")
    assert "Deal, such as +" in ran.out
    assert len(saved().plies) == 3


def test_a_resumed_game_continues_as_if_uninterrupted(tmp_path: Path) -> None:
    tilery("play", "--seed", "9", "-s", "person,random", "--save", str(tmp_path / "a"), typed=FIRST * 12)
    tilery("play", "--seed", "9", "-s", "person,random", "--save", str(tmp_path / "b"), typed=FIRST * 5)
    ran = tilery("resume", str(tmp_path / "b"), typed=FIRST * 7)
    assert f"Resuming {tmp_path / 'b'} after " in ran.out
    assert (tmp_path / "a").read_text(encoding="utf-8") == (tmp_path / "b").read_text(encoding="utf-8")


def test_resume_finds_the_latest_unfinished_game() -> None:
    tilery("play", "--seed", "old", typed=FIRST)
    (old,) = games_folder().iterdir()
    tilery("play", "--seed", "new", typed=FIRST)
    (new,) = set(games_folder().iterdir()) - {old}
    tilery("play", "-s", "greedy,greedy")  # finished
    (games_folder() / "broken.tilery").write_bytes(b"\xff\xfe")
    (games_folder() / "folder.tilery").mkdir()
    for number, path in enumerate((old, new)):
        os.utime(path, (10**9 + number, 10**9 + number))
    assert f"Resuming {new} after 7 plies." in tilery("resume").out
    assert f"Resuming {old} after 7 plies." in tilery("resume", str(old)).out


def test_resume_without_an_unfinished_game_is_refused() -> None:
    assert not data_folder().exists()
    ran = tilery("resume")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "tilery: there is no unfinished game to resume: start one with `tilery play`\n"


def test_resuming_a_finished_game_shows_how_it_ended(tmp_path: Path) -> None:
    tilery("play", "-s", "greedy,greedy", "--save", str(tmp_path / "game"))
    assert "Final score" in tilery("resume", str(tmp_path / "game")).out


def test_resume_does_not_touch_a_file_with_several_games(tmp_path: Path) -> None:
    path = tmp_path / "games"
    tilery("simulate", "-n", "2", "--save", str(path))
    before = path.read_bytes()
    ran = tilery("resume", str(path))
    assert ran.code == 2
    assert "holds several games" in ran.err
    assert path.read_bytes() == before


def test_a_game_is_not_started_over_another_one(tmp_path: Path) -> None:
    path = tmp_path / "game"
    tilery("play", "--save", str(path), typed=FIRST)
    before = path.read_bytes()
    ran = tilery("play", "--save", str(path), typed=FIRST)
    assert ran.code == 2
    assert f"{path} already exists: resume it with `tilery resume {path}`" in ran.err
    assert path.read_bytes() == before


def test_saving_keeps_links_and_ordinary_permissions(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    tilery("play", "--save", str(link), typed=FIRST)
    assert link.is_symlink()
    assert moves_of(saved(real)) != []
    (tmp_path / "plain").touch()
    assert real.stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "plain", "real"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_a_killed_game_has_lost_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game"
    command = [sys.executable, "-m", "tilery", "play", "--seed", "1", "--save", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"1r2\nmoves\n1\n")
        seen = b""
        while seen.count(b"You > ") < 4:
            seen += process.stdout.read(1)
        process.send_signal(signal.SIGKILL)
    assert len(moves_of(saved(path))) == 4
    assert f"Resuming {path} after 9 plies." in tilery("resume", str(path)).out


def test_the_deals_of_a_whole_round_may_be_typed_in_one_line() -> None:
    ran = tilery("play", "--deals", "typed", typed="rybb WKWY +KRKR BYRW kkww\n1b2\n")
    assert [ply.actor for ply in saved().plies[:6]] == [-1] * 5 + [0]
    assert "Not legal" not in ran.out


def test_a_line_of_deals_is_played_up_to_the_first_wrong_one() -> None:
    ran = tilery("play", "--deals", "typed", typed="rybb WKWY BBB kkww\n")
    assert len(saved().plies) == 2
    assert "the next factory gets 4 tiles, not 3 (AZ-10)" in ran.out


def test_what_was_typed_wrongly_at_a_real_table_is_taken_back() -> None:
    """With several people undo is refused; with typed deals it only corrects what was typed."""
    deals = "rybb WKWY KRKR BYRW kkww\n"
    ran = tilery("play", "--deals", "typed", "--seats", "person,person", typed=deals + "1b2\nundo\n1b3\n")
    assert "Taken back." in ran.out
    assert saved().text.count("1B3") == 1
    assert "1B2" not in saved().text


def test_a_random_seed_is_not_saved() -> None:
    """AZ-61: it is secret until the game is over, and not needed afterwards."""
    tilery("play", typed=FIRST)
    assert "Seed" not in saved().tags


def test_a_given_seed_is_saved_with_the_game() -> None:
    tilery("play", "--seed", "mine", typed=FIRST)
    assert saved().tags["Seed"] == "mine"


def test_a_game_in_which_nothing_was_played_leaves_no_file() -> None:
    ran = tilery("play", typed="quit\n")
    assert "Nothing was played, so nothing was saved." in ran.out
    assert list(games_folder().iterdir()) == []
    tilery("play", typed=FIRST)
    (played,) = games_folder().iterdir()
    tilery("play")
    assert f"Resuming {played}" in tilery("resume").out


def test_the_menu_of_new_can_be_left() -> None:
    ran = tilery("play", "--seed", "1", typed="new\nback\n" + FIRST)
    assert len(moves_of(saved())) == 2
    assert "back returns to the game" in ran.out
    ran = tilery("play", "--seed", "1", typed=FIRST + "new\n2\nquit\n")
    assert "Saved. Resume with: " in ran.out


def test_variants_may_be_typed_in_any_order_and_case() -> None:
    for text in ("specials,grey", "GREY, Specials", "3,specials=round,gray,start=1"):
        seats = "person,greedy,greedy" if text[0] == "3" else "person,greedy"
        ran = tilery("play", "-v", text, "-s", seats)
        assert f"({len(seats.split(','))},grey,specials,stall=10)" in ran.out
    assert "found 'green'" in tilery("play", "-v", "green").err


def test_a_cell_is_asked_for_by_its_line_and_columns() -> None:
    typed = "kkww rrrr bbbb yyyy bbbb\n1w2\n2rf\n"
    ran = tilery("play", "-v", "grey", "--deals", "typed", "-s", "person,person", typed=typed + FIRST * 20)
    assert re.search(r"to choose a column for the white tile of line 2$", ran.out, re.MULTILINE)
    assert "Legal: 2:1 2:2 2:3 2:4 2:5" in ran.out
    assert "1 2 3 4 5" in ran.out


def test_printed_commands_work_in_the_current_shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After `make play` the shell does not find `tilery`, so the path is printed."""
    assert program() == "tilery"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [str(ROOT / ".venv" / "bin" / "tilery"), "play"])
    assert program() == os.path.join(".venv", "bin", "tilery")
    monkeypatch.setattr(sys, "argv", ["__main__.py"])
    assert program().endswith(" -m tilery")
