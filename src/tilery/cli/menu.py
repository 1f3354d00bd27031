"""Choosing another game from inside a game: which one, which variant, who plays."""

from __future__ import annotations

from collections.abc import Sequence

from tilery.cli.choosing import PERSON, seat_names
from tilery.cli.printing import console
from tilery.core.refusals import Refused
from tilery.engine.bots import BOTS
from tilery.games import GAMES


def _ask(prompt: str, default: str) -> str:
    try:
        return console.input(f"{prompt} [{default}] > ", markup=False).strip() or default
    except EOFError:
        return default


def _pick(title: str, choices: Sequence[str]) -> int:
    """A numbered choice; anything else than a number of the list is asked again."""
    console.print(title, style="bold")
    for number, choice in enumerate(choices, start=1):
        console.print(f"  {number}  {choice}", markup=False)
    while True:
        answer = _ask("Number", "1")
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:4]) <= len(choices):
            return int(answer) - 1
        console.print(f"A number from 1 to {len(choices)}, please.", style="yellow")


def choose_game() -> tuple[str, str, str]:
    """Name of the game, seats and variant, as the options of `tilery play` would have them."""
    names = list(GAMES)
    chosen = GAMES[names[_pick("Which game?", [GAMES[name].title for name in names])]]
    variants = chosen.variants
    text = variants[_pick("Which variant?", [about for _, about in variants])][0]
    console.print(f"Who plays? {min(chosen.seats)} to {max(chosen.seats)} of:", style="bold")
    for name, about in ((PERSON, "somebody at this keyboard"), *((b.name, b.about) for b in BOTS.values())):
        console.print(f"  {name:<8} {about}", markup=False)
    while True:
        seats = _ask("Seats", f"{PERSON},greedy")
        try:
            if len(seat_names(seats)) in chosen.seats:
                return chosen.name, seats, text
            console.print(f"{min(chosen.seats)} to {max(chosen.seats)} seats, please.", style="yellow")
        except Refused as error:
            console.print(str(error), style="yellow", markup=False)
