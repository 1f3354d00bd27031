"""docs/fairness.md is right: its few lines verify real games and detect tampering."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.docs.test_docs import blocks_of
from tests.notation import texts
from tilery.core.position import Position
from tilery.core.record import Record
from tilery.core.streams import Stream
from tilery.games import GAMES, game, read_record
from tilery.table import commands as asked
from tilery.table.creation import SeatPlan, Setup, create_table
from tilery.table.fairness import Dealer, check_fairness, commitment_of, join_entropy, outcome_at, share_of
from tilery.table.handler import CommandContext, handle
from tilery.table.state import Table

PAGE = ROOT / "docs" / "fairness.md"
ANN, BOB = "a" * 64, "b" * 64


def lines() -> str:
    """The Python of the page."""
    (block,) = [block for block in blocks_of(PAGE.read_text(encoding="utf-8")) if block.language == "python"]
    return block.text


def verify(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the lines of the page print about a record."""
    (folder / "game.tilery").write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(lines(), PAGE.name, "exec"), {"__name__": "__main__"})
    return output.getvalue()


def finished(name: str, variant: str = "", seats: int = 2) -> Record:
    """A game that was played to its end at a table of two people (and the first of them on all other seats)."""
    secret = hashlib.sha256(f"{name} {variant}".encode()).digest()
    me = [SeatPlan(kind="me", name="Ann") for _ in range(seats - 1)]
    setup = Setup(game=name, variant=variant, seats=(*me, SeatPlan(kind="open")))
    new = create_table(setup, ANN, 0.0, ("k7vq2m9xwp3d", secret), game, lambda *_: None)
    table = Table(new.table, new.event, game)
    table.apply(new.event)
    stream = Stream("fairness", name, variant)

    def do(command: asked.AnyCommand, key: str) -> None:
        context = CommandContext(
            table, command, key, None, float(table.number), Dealer(secret), lambda: ("", b""), lambda _: None
        )
        for event in handle(context).events:
            table.apply(event)

    do(asked.Sit(id="sit", step=0, name="Bob", entropy="b0b0"), BOB)
    do(asked.Start(id="start", step=0, entropy="a1a1"), ANN)
    while table.status == "playing":
        move = stream.choice(texts(table.position))
        do(asked.Play(id=f"move-{table.number}", step=table.step, move=move), table.seats[table.position.actor].key)
    return table.record()


GAMES_PLAYED = [
    ("azul", "", 2),
    ("azul", "grey,specials", 3),
    ("chocolatier", "specials", 2),
    ("schokoly", "", 2),
    ("schokoly", "large,swap", 3),
]


@pytest.mark.parametrize(("name", "variant", "seats"), GAMES_PLAYED)
def test_the_lines_verify_a_real_game(
    name: str, variant: str, seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = finished(name, variant, seats)
    number = check_fairness(record)
    assert number > 20
    assert verify(record.text, tmp_path, monkeypatch) == f"{number} deals are right\n"


def test_every_game_was_tried() -> None:
    assert {name for name, _, _ in GAMES_PLAYED} == set(GAMES)


def other_deals(text: str) -> str:
    """The same game with two factories changed: legal, but not what the secret gives."""
    first = re.search(r"^1\. (\S+) (\S+)", text, re.MULTILINE)
    assert first
    assert first[1] != first[2]
    return text.replace(f"1. {first[1]} {first[2]}", f"1. {first[2]} {first[1]}", 1)


@pytest.mark.parametrize(
    ("what", "complaint"),
    [
        ("deals", "deal 1 should be"),
        ("entropy", "deal 1 should be"),
        ("secret", "another secret was promised"),
        ("commitment", "another secret was promised"),
    ],
)
def test_the_lines_notice_what_was_tampered_with(
    what: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = finished("schokoly" if what == "deals" else "azul")
    text = record.text
    if what == "deals":  # changed hands: the later moves are removed, since they might not be legal any more
        text = Record(record.start, record.plies[:2], record.players, record.tags).text
        text = other_deals(text)
    elif what == "entropy":
        text = text.replace('"b0b0,a1a1"', '"b0b0,a1a2"')
    else:
        tag = record.tags[what.capitalize()]
        text = text.replace(tag, commitment_of(tag.encode()))
    read_record(text)  # still a right game
    with pytest.raises(AssertionError, match=complaint):
        verify(text, tmp_path, monkeypatch)


def test_the_lines_need_nothing_of_the_table() -> None:
    imported = set(re.findall(r"^(?:import|from) (\S+)", lines(), re.MULTILINE))
    assert imported == {"hashlib", "hmac", "pathlib", "tilery"}
    assert "tilery.table" not in lines()
    assert len(lines().splitlines()) <= 25


def test_the_game_on_the_page_is_one_that_a_server_dealt() -> None:
    (text,) = re.findall(r"<<'END'\n(.*?)^END$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert check_fairness(read_record(text)) == 10


def test_the_steps_of_the_page_are_those_of_the_dealer() -> None:
    position: Position = game("azul").new(seats=2)
    secret, entropy = bytes(32), join_entropy(["8f", "c4"])
    assert entropy == "8f,c4"
    assert 0 <= share_of(secret, entropy, 0) < 1
    outcomes = list(position.probabilities())
    assert position.move_text(outcome_at(position, 0.0)) == outcomes[0]
    assert position.move_text(outcome_at(position, 1 - 2**-53)) == outcomes[-1]
