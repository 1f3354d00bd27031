"""From the words of the command line to a game, a variant, seats, a position or a record."""

from __future__ import annotations

from pathlib import Path

from tilery.cli.files import read_file
from tilery.core.game import Game, Rules
from tilery.core.position import Position
from tilery.core.record import Record
from tilery.core.refusals import Refused
from tilery.core.text import listed
from tilery.engine.bots import BOTS
from tilery.games import GAMES, read_position, read_records

PERSON = "person"


def seat_names(text: str, *, people: bool = True) -> list[str]:
    """`person,greedy` as a list; every name must be known."""
    known = [PERSON, *BOTS] if people else list(BOTS)
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise Refused(f"{name[:40]!a} cannot take a seat: expected {listed(known)}")
    return names


def variant(chosen: Game, text: str | None, seats: int | None, *, bare: bool = False) -> Rules:
    """A variant such as `grey` or `3,grey`; the number of seats may come from the seats themselves."""
    words = chosen.rules.text.partition(",")[2] if text is None else text.strip()
    first = words.partition(",")[0]
    if first.isascii() and first.isdigit():
        if seats is not None and seats != int(first[:3]):
            raise Refused(f"the variant is for {first} seats, but {seats} are taken")
    else:
        words = f"{seats or chosen.rules.seats},{words}".rstrip(",")
    rules = chosen.variant(words)
    return rules if bare else chosen.at_table(rules)


def position_or_record(what: str, ply: int | None) -> tuple[Position, Record | None]:
    """A position's text, or the file of a record (its last position, or the one after so many plies)."""
    if what.partition(":")[0] in GAMES:
        if ply is not None:
            raise Refused("--ply goes with the file of a record, not with a position")
        return read_position(what.strip()), None
    if not Path(what).exists() and what != "-":
        raise Refused(
            f"{what[:60]!a} is neither a file nor a position (which begins with "
            f"{listed([name + ':' for name in GAMES])})"
        )
    record = first_record(what)
    return record.position(ply), record


def first_record(path: str | Path) -> Record:
    """The record in a file; the first one of several."""
    return next(read_records(read_file(path)))
