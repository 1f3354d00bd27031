"""The readers of Azul: positions, moves and records; exact round trips, strict, with errors that say where."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.notation import texts
from tests.variants import AZUL as EVERY
from tilery import (
    CHANCE,
    OVER,
    BadText,
    NotAMove,
    NotLegal,
    Ply,
    Position,
    Record,
    Refused,
    Stream,
    game,
    read_position,
    read_record,
    read_records,
)
from tilery.games import read_any_position

AZUL = game("azul")
START = AZUL.new().settle(Stream("texts"))


def random_record(seed: int, plies: int = 10_000) -> Record:
    """A random game in one of the variants, perhaps unfinished."""
    rules = EVERY[seed % len(EVERY)]
    stream = Stream("texts", seed)
    start = position = game(("azul", "chocolatier")[seed % 2]).new(rules)
    played: list[Ply] = []
    while position.actor != OVER and len(played) < plies:
        action = position.draw(stream) if position.actor == CHANCE else stream.choice(position.actions())
        played.append(Ply(position.actor, action))
        position = position.play(action)
    return Record(start, tuple(played))


RECORD = random_record(0)

words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "), max_size=30)
quiet_words = words.filter(lambda text: "{" not in text and "}" not in text)


@given(st.integers(0, 200), st.integers(0, 150), words, st.dictionaries(st.integers(0, 150), quiet_words, max_size=5))
def test_records_round_trip(seed: int, plies: int, name: str, comments: dict[int, str]) -> None:
    record = random_record(seed, plies)
    kept = {at: text for at, text in comments.items() if at <= len(record.plies)}
    record = Record(record.start, record.plies, (name,), {"Date": "2026-11-15", "Event": name}, kept)
    text = record.text
    again = read_record(text)
    assert again == record
    assert again.text == text
    assert again.last == record.last


@given(st.integers(0, 40), st.integers(0, 120))
def test_a_record_may_begin_at_any_position(seed: int, plies: int) -> None:
    middle = random_record(seed, plies)
    rest = random_record(seed).plies[plies:]
    record = Record(middle.last, rest)
    assert read_record(record.text) == record
    assert record.last == random_record(seed).last


def test_a_file_may_hold_several_records() -> None:
    records = [random_record(seed) for seed in range(4)]
    text = "\n".join(record.text for record in records)
    assert list(read_records(text)) == records
    broken = text.replace(records[2].text, records[2].text.replace("1. ", "7. ", 1))
    with pytest.raises(BadText) as refused:
        list(read_records(broken))
    assert broken.splitlines()[refused.value.line - 1][refused.value.column - 1 :].startswith("7. ")


def _mutated(text: str, at: int, how: int, letter: str) -> str:
    at %= len(text) + 1
    return (text[:at] + letter + text[at:], text[:at] + text[at + 1 :], text[:at] + letter + text[at + 1 :])[how]


@given(
    st.integers(0, 30), st.integers(0, 5000), st.integers(0, 2), st.sampled_from("0123456789BYRKWm-/|:=,. \nC[{}x٣²")
)
def test_a_damaged_position_is_refused_or_is_another_position(seed: int, at: int, how: int, letter: str) -> None:
    """Never a crash, never the same position by another text, never a text that is written differently."""
    position = random_record(seed, seed * 7).last
    text = _mutated(position.text, at, how, letter)
    try:
        read = position.game.read(text)
    except BadText as refused:
        _has_a_place(refused, text)
    else:
        assert read.text == text
        assert (read == position) == (text == position.text)
        _plays_on(read)


def _has_a_place(refused: BadText, text: str) -> None:
    """The error names a line and a column of the text (or just behind it)."""
    lines = [*text.split("\n"), ""]
    assert 1 <= refused.line <= len(lines)
    assert 1 <= refused.column <= len(lines[refused.line - 1]) + 2
    assert str(refused).startswith(f"line {refused.line}, column {refused.column}: ")


def _plays_on(position: Position) -> None:
    """Whatever was accepted can be played to an end or a long way."""
    stream = Stream("on")
    for _ in range(60):
        if position.actor == OVER:
            return
        actions = position.actions()
        assert actions
        position = position.play(stream.choice(actions))


@given(
    st.integers(0, 20), st.integers(0, 5000), st.integers(0, 2), st.sampled_from('0123456789BYRKWCF+<>:{}[]" \n.=x٣')
)
def test_a_damaged_record_is_refused_or_reads_as_what_it_says(seed: int, at: int, how: int, letter: str) -> None:
    text = _mutated(random_record(seed, 40).text, at, how, letter)
    try:
        record = read_record(text)
    except BadText as refused:
        _has_a_place(refused, text)
    else:
        assert read_record(record.text) == record


@given(st.text(max_size=40))
@example("3R2 ")
@example("٣R2")
@example("3R²")
@example("3r2")
@example("+RB")
@example("3R2<BB")
@example("+" + "B" * 10_000)
def test_any_text_is_a_move_or_is_refused(text: str) -> None:
    try:
        action = START.action(text)
    except (NotAMove, NotLegal):
        return
    assert START.move_text(action) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [("", "the end of the text"), ("azul", "'azul'"), ("chess:2", "'chess'"), (" azul:2", "' '"), ("Azul:2", "'Azul'")],
)
def test_a_text_that_names_no_game_is_refused_where_it_is(text: str, found: str) -> None:
    for read in (read_position, read_any_position):
        with pytest.raises(BadText) as refused:
            read(text)
        assert (refused.value.line, refused.value.column) == (1, 1)
        assert refused.value.problem == f"expected the name of a game: azul:, chocolatier: or schokoly:, found {found}"


@given(st.text(max_size=200))
def test_any_text_is_a_position_or_a_record_or_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_position(text)
    with pytest.raises(Refused):
        read_record(text)
    with pytest.raises(Refused):
        AZUL.variant(text + "?")


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("azul:2", "azul:5", "expected the number of seats from 2 to 4, found 5"),
        ("azul:2", "azul:٢", "expected the number of seats"),
        ("azul:2", "azul:2,specials,grey", "expected an option, in this order"),
        ("azul:2", "azul:2,start=1", "expected the starting seat from 2 to 2, found 1"),
        ("round=1", "round=01", "no leading zero"),
        ("round=1", "round=99999999999", "expected the round"),
        ("offer:1", "offer:3", "expected the seat whose turn it is from 1 to 2, found 3"),
        ("offer:1", "tiling:1", "cannot occur"),
        ("offer:1", "dawn", "expected the phase"),
        ("marker=C", "marker=1", "AZ-13"),
        ("lid=0/", "lid=1/", "there are 21 blue tiles in all, not 20 (AZ-60)"),
        ("0|-/-", "0|B/-", "AZ-60"),
        ("0|-/-", "0|-/BBB", "line 2 holds at most 2 tiles"),
        ("0|-/-", "0|-/BY", "a line holds one colour"),
        ("0|-/-", "30001|-/-", "expected a score"),
        ("|...../", "|....x/", "expected a cell of the wall"),
        (" 0|", "  0|", "expected a score"),
    ],
)
def test_what_is_wrong_with_a_position_is_said_where_it_is(before: str, after: str, problem: str) -> None:
    text = START.text
    assert before in text
    broken = text.replace(before, after, 1)
    with pytest.raises(BadText) as refused:
        read_position(broken)
    assert problem in str(refused.value)
    assert refused.value.line == 1
    assert 1 <= refused.value.column <= len(broken) + 1


@pytest.mark.parametrize(
    ("pattern", "after", "problem"),
    [
        (r'\[Tilery "1"\]', '[Tilery "2"]', "this is format '2', expected 1"),
        (r'\[Game "azul"\]', '[Game "chess"]', "there is no game 'chess'"),
        (r'\[Game "azul"\]\n', "", "the tag [Game"),
        (r'\[Rules "[^"]*"\]', '[Rules "7"]', "in the tag Rules"),
        (r'\[Seat1 "Seat 1"\]', '[Seat1 "Seat 1"', "expected ']'"),
        (r'\[Seat1 "Seat 1"\]', '[Seat1 "Se\\at"]', "expected"),
        (r'\[Seat2 "Seat 2"\]\n', "", "expected the tag [Seat2"),
        (r'\[Seat2 "Seat 2"\]', '[Seat1 "Again"]', "occurs twice"),
        (r'\[Result "[^"]*"\]', '[Result "99-0"]', "the plies give the result"),
        (r"\n1\. ", "\n2. ", "expected the round 1."),
        (r"\n1\. ", "\n", "expected the round 1. before its first ply"),
        (r"\n2\. ", "\n1. ", "expected the round 2."),
        (r"\n1\. \+", "\n1. 1. +", "expected a ply"),
        (r"\n1\. \+[A-Z]*", "\n1. +BBBBB", "is not a move"),
        (r"\n1\. \+[A-Z]*", "\n1. +BBB", "the next factory gets 4 tiles, not 3 (AZ-10)"),
        (r"\n1\. \+[A-Z]*", "\n1. +YB", "the colours are written in the order BYRKW"),
        (r"\n1\. ", "\n1. {open ", "closing brace"),
        (r"\n1\. ", "\n1. {a} {b} ", "already a comment after this ply"),
        (r"\n1\. ", "\n1. " + "x" * 100 + " ", "at most 64 characters"),
        (r"\n1\. ", "\n1. 9R9 ", "is not a move"),
        (r"\n1\. ", "\n1. 1R1 ", "not now"),
    ],
)
def test_what_is_wrong_with_a_record_is_said_where_it_is(pattern: str, after: str, problem: str) -> None:
    broken, count = re.subn(pattern, lambda _: after, RECORD.text, count=1)
    assert count == 1
    with pytest.raises(BadText) as refused:
        read_record(broken)
    assert problem in str(refused.value)
    assert 1 <= refused.value.line <= broken.count("\n") + 1


def test_hostile_texts_are_refused_at_once() -> None:
    """Far too long, deep or repetitive: each is refused in time that grows no faster than the text."""
    hostile = [
        "azul:2 " + "9" * 1_000_000,
        "[" * 1_000_000,
        '[Tilery "1"]\n' * 100_000,
        RECORD.text + "{" * 900_000,
        RECORD.text + "{}" * 400_000,
        RECORD.text + " " * 3_000_000,
        RECORD.text.replace("\n1. ", "\n" + "\n" * 900_000 + "1. ") + "x",
        '[Tilery "' + "\\\\" * 600_000,
    ]
    began = time.process_time()
    for text in hostile:
        with pytest.raises(Refused):
            read_position(text)
        with pytest.raises(Refused):
            read_record(text)
        with pytest.raises(NotAMove):
            START.action(text)
    assert time.process_time() - began < 60  # hours, if any of it were quadratic


def test_names_and_comments_are_checked_before_they_are_written() -> None:
    start = AZUL.new()
    for bad in (
        Record(start, (), ("a\nb",)),
        Record(start, (), (), {"Event": "x\x00"}),
        Record(start).comment("a } b"),
        Record(start).comment("x" * 10_000),
    ):
        with pytest.raises(Refused):
            _ = bad.text
    with pytest.raises(Refused):
        Record(start, (), ("a", "b", "c"))


def test_typed_moves_are_normalised() -> None:
    tidy = AZUL.normalise_move
    assert tidy("3r2") == "3R2"
    assert tidy(" 0 k f ") == "CKF"
    assert tidy("ckf") == "CKF"
    assert tidy("4r2>y<kb") == "4R2<BK>Y"
    assert tidy("+rbby") == "+BBYR"
    assert tidy("rbby") == "+BBYR"
    assert tidy("extra=r") == "extra=R"
    assert tidy("3=Magnetr") == "3=magnetR"
    assert tidy("5=KEEPER") == "5=keeper"
    assert tidy("4:2") == "4:2"
    assert tidy("nonsense") == "nonsense"


def test_tags_and_comments_that_could_not_be_read_back_are_refused() -> None:
    start = AZUL.new()
    for name in ("Game", "Result", "Position", "Seat1", "Seat9", "bad name", "", "x" * 33, "Ключ"):
        with pytest.raises(Refused, match="tag"):
            Record(start, (), (), {name: "x"})
    for at in (-1, 1):
        with pytest.raises(Refused, match="comment"):
            Record(start, comments={at: "x"})
    text = Record(start).text.replace('[Seat2 "Seat 2"]', '[Seat2 "Seat 2"]\n[Seat3 "who"]')
    with pytest.raises(BadText, match="no Seat3 in a game of 2 seats"):
        read_record(text)


def test_a_part_of_a_record_is_within_it() -> None:
    record = random_record(3, 20)
    assert record.upto(20) == record
    assert record.upto(0).plies == ()
    for count in (-1, 21):
        with pytest.raises(Refused, match="this record has 20"):
            record.upto(count)
        with pytest.raises(Refused, match="this record has 20"):
            record.position(count)


def test_actions_may_be_any_whole_number_and_nothing_else() -> None:
    number = np.int32(START.actions()[0])
    assert START.play(number) == START.play(int(number))
    with pytest.raises(NotAMove):
        START.play(1.5)  # type: ignore[arg-type]
    for action in (-1, -301, 1500, 10**9, 2**63, -(2**70)):
        with pytest.raises(NotAMove):
            START.move_text(action)
        assert isinstance(START.refusal(action), NotAMove)
    assert isinstance(START.refusal("nonsense"), NotAMove)
    with pytest.raises(NotLegal):
        START.describe("CBF")


@pytest.mark.parametrize(("ending", "right"), [("row", False), ("stall", True), ("rounds", False), ("tiles", False)])
def test_a_game_that_is_over_says_the_first_reason(ending: str, right: bool) -> None:
    """Both limits are reached in the same round: the stall limit is checked first."""
    position = AZUL.new(round_limit=1, stall_limit=1).settle(Stream("over"))
    while position.actor != OVER:
        position = position.play(texts(position)[-1] if position.actor == CHANCE else _floor(position))
    text = re.sub(r"over:\w+", f"over:{ending}", position.text)
    if right:
        assert read_position(text) == position
    else:
        with pytest.raises(BadText, match="was ended by stall"):
            read_position(text)


def _floor(position: Position) -> str:
    return next(move for move in texts(position) if move.endswith("F"))


def test_options_are_whole_numbers() -> None:
    for options in (
        {"seats": 3.0},
        {"seats": True},
        {"stall_limit": 2.5},
        {"start": 0.5},
        {"seats": 7},
        {"wall": "red"},
    ):
        with pytest.raises(Refused):
            AZUL.new(**options)
    with pytest.raises(Refused, match="has no option colour"):
        AZUL.new(colour="blue")


def _played(variant: str, moves: str) -> Position:
    position = AZUL.new(variant)
    for move in moves.split():
        position = position.play(move)
    return position


def test_a_marker_that_found_no_space_may_meet_a_saucer_later() -> None:
    """AZ-18, MC-9: seat 1 keeps the marker aside, and only then takes the saucer, which stays empty."""
    position = _played(
        "2,specials",
        "4=keeper 5=saucer +BBBB +YYYY +RRKK +BYRK +WWWW 1BF 4B1 2YF 3R2 CKF 4Y3 5W4",
    )
    assert read_position(position.text) == position


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (START.text.replace("offer:1", "discs"), "AZ-10|MC-2"),
        (AZUL.new().text.replace(" fill ", " discs "), "no special discs to lay"),
    ],
)
def test_what_cannot_occur_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadText, match=problem):
        read_position(text)


def test_the_saucer_lies_at_one_board_only() -> None:
    position = _played("2,specials", "4=keeper 5=saucer +BBBB +YYYY +RRKK +BYRK +WWWW 5W4")
    text = position.text
    assert text.count("|saucer:-") == 1
    with pytest.raises(BadText, match="two boards"):
        read_position(text + "|saucer:-")


def test_a_score_and_a_round_that_were_read_can_be_read_after_the_next_move() -> None:
    text = START.text.replace(" 0|", " 30000|").replace("round=1", "round=2000000000")
    position = read_position(text)
    assert position.scores() == (30000, 30000)


def test_too_many_tags_are_refused_before_they_are_written() -> None:
    with pytest.raises(Refused, match="at most 64 tags"):
        _ = Record(AZUL.new(), (), (), {f"Tag{number}": "x" for number in range(62)}).text


def test_adding_a_ply_takes_constant_time() -> None:
    """The last position is kept: a thousand plies do not mean a thousand replays."""
    record = Record(AZUL.new("2,grey"))
    stream = Stream("long")
    for _ in range(1000):
        position = record.last
        assert position is record.last
        if position.actor == OVER:
            break
        action = position.draw(stream) if position.actor == CHANCE else stream.choice(position.actions())
        record = record.play(action)
    assert record.last == record.position()
    assert record.upto(3).last == record.position(3)


def test_a_position_never_changes() -> None:
    with pytest.raises(AttributeError, match="never changes"):
        START.row = b""
    with pytest.raises(AttributeError, match="never changes"):
        del START.game
    with pytest.raises(AttributeError):
        START.seen_by(0).seat = 1
