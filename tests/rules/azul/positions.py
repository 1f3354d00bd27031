"""Positions for the tests of the rules: say what matters, all other tiles go to the bag or the lid."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import tilery
from tests.notation import texts

LETTERS = "BYRKW"

# The coloured wall (AZ-6), and what is left of it when one column is still open.
WALL = ("BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB")
NO_WALL = "...../...../...../...../....."


def wall_without_column(column: int) -> str:
    """A coloured wall on which only the cells of one column (from 1) are free."""
    return "/".join(row[: column - 1] + "." + row[column:] for row in WALL)


def in_order(letters: str) -> str:
    """Tiles in the order in which texts have them."""
    return "".join(sorted(letters, key=LETTERS.index))


def counts(letters: str) -> tuple[int, ...]:
    """How many tiles of each colour."""
    return tuple(letters.count(letter) for letter in LETTERS)


def board(
    score: int = 0,
    lines: str = "-/-/-/-/-",
    wall: str = NO_WALL,
    floor: str = "",
    saucer: str | None = None,
) -> str:
    """The text of a board; of lines and wall the empty rest may be left out."""
    lines += "/-" * (4 - lines.count("/"))
    wall += "/....." * (4 - wall.count("/"))
    return f"{score}|{lines}|{wall}|{floor or '-'}" + ("" if saucer is None else f"|saucer:{saucer or '-'}")


def position_text(
    variant: str = "2",
    phase: str = "offer:1",
    *,
    discs: str = "-",
    centre: str = "",
    boards: Sequence[str] = (),
    bag: str | None = None,
    lid: str | None = None,
    starter: int = 1,
    marker: str | None = None,
    round_number: int = 1,
    stalled: int = 0,
) -> str:
    """A position as text. Tiles that are not mentioned are in the bag, or in the lid if the bag is given."""
    seats = int(variant[0])
    discs += "/-" * (2 * seats - discs.count("/"))
    every = [*boards, *[board()] * (seats - len(boards))]
    if marker is None:
        marker = next((str(seat) for seat, text in enumerate(every, 1) if "m" in text), "C")
    # None of the words "keeper", "gone" and so on has a capital letter, but magnets have.
    piles = "".join(disc.rpartition(":")[2] for disc in discs.split("/"))
    used = counts(piles + centre + "".join(every) + (bag or "") + (lid or ""))
    rest = "/".join(str(20 - number) for number in used)
    in_bag = rest if bag is None else "/".join(map(str, counts(bag)))
    in_lid = rest if lid is None and bag is not None else "/".join(map(str, counts(lid or "")))
    words = [f"azul:{variant}", f"round={round_number}", phase, f"starter={starter}", f"marker={marker}"]
    if "stall=" in variant:
        words.append(f"stalled={stalled}")
    words += [f"bag={in_bag}", f"lid={in_lid}", f"centre={centre or '-'}", f"discs={discs}", *every]
    return " ".join(words)


def position(variant: str = "2", phase: str = "offer:1", **parts: Any) -> tilery.Position:
    """The position of such a text; `read_position` refuses what cannot occur."""
    return tilery.read_position(position_text(variant, phase, **parts))


def last_take(*boards: str, variant: str = "2", **parts: Any) -> tilery.Position:
    """Seat 2 puts the last tile of a round, a white one from the centre, on its floor line: tiling follows."""
    return position(variant, "offer:2", centre="W", boards=boards, **parts).play("CWF")


def play(at: tilery.Position, *moves: str) -> tilery.Position:
    """Several moves in a row."""
    for move in moves:
        at = at.play(move)
    return at


def board_of(at: tilery.Position, seat: int) -> dict[str, Any]:
    """The board of a seat (from 0)."""
    found: dict[str, Any] = at.view["boards"][seat]
    return found


def rule_against(at: tilery.Position, move: str) -> str:
    """The rule by which a move is refused; the position stays as it was."""
    before = at.text
    with pytest.raises(tilery.NotLegal) as caught:
        at.play(move)
    assert at.text == before
    assert move not in texts(at)
    return caught.value.rule


def outcome_of(at: tilery.Position) -> tilery.Outcome:
    """The outcome of a game that is over."""
    assert at.actor == tilery.OVER
    assert at.outcome is not None
    return at.outcome


def tiles_in_all(at: tilery.Position) -> tuple[int, ...]:
    """AZ-60: every tile, by colour."""
    view = at.view
    places = [view["centre"], *view["factories"]]
    for mine in view["boards"]:
        places += [*mine["lines"], *mine["wall"], mine["floor"], mine["saucer"] or ""]
    lying = counts("".join(places))
    return tuple(sum(numbers) for numbers in zip(lying, view["bag"], view["lid"], strict=True))


def random_game(variant: str, seed: int) -> Iterator[tilery.Position]:
    """Every position of a game of random moves."""
    chance, players = tilery.Stream("rules", seed), random.Random(seed)
    at = tilery.game("azul").new(variant)
    while at.actor != tilery.OVER:
        yield at
        at = at.play(at.draw(chance) if at.actor == tilery.CHANCE else players.choice(at.actions()))
    yield at
