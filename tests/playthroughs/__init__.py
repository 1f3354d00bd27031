"""Golden games: one for each corner of the rules, kept as readable files; a change of behaviour shows as a diff."""

from __future__ import annotations

import zlib
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


def playthrough(name: str) -> str:
    """The text of a golden file: the record, then every ply with the number of choices and a checksum."""
    stream = Stream("golden", name)
    position = game(name.partition("-")[0]).new(GOLDEN[name])
    start, plies, lines = position, [], []
    round_number = 0
    while position.actor != OVER:
        if position.round != round_number and position.actor != CHANCE:
            round_number = position.round
            lines += ["", position.text, str(position), ""]
        action = position.draw(stream) if position.actor == CHANCE else _choice(position, stream)
        who = "chance" if position.actor == CHANCE else f"seat {position.actor + 1}"
        ply = f"{who:<7} {position.move_text(action):<12} of {len(position.actions()):<4}"
        plies.append(Ply(position.actor, action))
        position = position.play(action)
        lines.append(f"{ply} -> {zlib.crc32(position.text.encode()):08x}  {position.scores()}")
    lines += ["", position.text, str(position), str(position.outcome)]
    lines += [f"{item.what}: {item.points}" for item in position.game.breakdown(position.row)]
    return Record(start, tuple(plies)).text + "\n".join(lines) + "\n"


def golden_file(name: str) -> Path:
    return FOLDER / f"{name}.txt"
