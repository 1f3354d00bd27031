"""Golden games: one for each corner of the rules, kept as readable files; a change of behaviour shows as a diff."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from tilery import CHANCE, OVER, Ply, Position, Record, Stream, game

FOLDER = Path(__file__).resolve().parent

GOLDEN = {
    "azul-2": "2",
    "azul-3-grey": "3,grey,start=drawn",
    "azul-4-specials": "4,specials,start=2",
    "chocolatier-2-grey-specials": "2,grey,specials",
    "chocolatier-3-specials-once": "3,specials=game,stall=2",
    "chocolatier-4-grey-specials-once": "4,grey,specials=game,start=drawn,rounds=4",
    "schokoly-2": "2",
    "schokoly-3-swap": "3,swap",
    "schokoly-4-large": "4,large",
}


def _choice(position: Position, stream: Stream) -> int:
    """A player who likes to build: two times in three not to the floor, if there is a choice."""
    actions = position.actions()
    builds = [action for action in actions if "F" not in position.move_text(action)]
    return stream.choice(builds if builds and stream.below(3) else actions)


def played_out(start: Position, stream: Stream, choice: Callable[[Position, Stream], int] = _choice) -> Record:
    """A game played to the end."""
    position, plies = start, []
    while position.actor != OVER:
        action = position.draw(stream) if position.actor == CHANCE else choice(position, stream)
        plies.append(Ply(position.actor, action))
        position = position.play(action)
    return Record(start, tuple(plies))


def record_of(name: str) -> Record:
    """A golden game."""
    return played_out(game(name.partition("-")[0]).new(GOLDEN[name]), Stream("golden", name))


def playthrough(name: str) -> str:
    """The text of a golden file: the record, then every ply with the number of choices and a checksum."""
    record = record_of(name)
    lines = []
    round_number = 0
    for ply, (position, after) in zip(record.plies, pairwise(record.positions()), strict=True):
        if position.round != round_number and position.actor != CHANCE:
            round_number = position.round
            lines += ["", position.text, str(position), ""]
        who = "chance" if ply.actor == CHANCE else f"seat {ply.actor + 1}"
        words = f"{who:<7} {position.move_text(ply.action):<12} of {len(position.actions()):<4}"
        lines.append(f"{words} -> {zlib.crc32(after.text.encode()):08x}  {after.scores()}")
    last = record.last
    lines += ["", last.text, str(last), str(last.outcome)]
    lines += [f"{item.what}: {item.points}" for item in last.game.breakdown(last.row)]
    return record.text + "\n".join(lines) + "\n"


def golden_file(name: str) -> Path:
    return FOLDER / f"{name}.txt"
