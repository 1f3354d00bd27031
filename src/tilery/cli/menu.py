"""`new` in `tilery play`: a menu for the game, the variant and the players."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from tilery.cli.arguments import PERSON, default_seats, seat_names, variant
from tilery.cli.output import ask, console
from tilery.core.game import Game
from tilery.core.refusals import Refused
from tilery.engine.bots import BOTS, prepare_bots
from tilery.games import GAMES


class Back(Exception):
    """The player wants to return to the game."""


def _ask(prompt: str, default: str) -> str:
    answer = ask(f"{prompt} [{default}] > ") or default
    if answer.lower() in ("quit", "exit", "q"):
        raise EOFError
    if answer.lower() == "back":
        raise Back
    return answer


def _pick(title: str, choices: Sequence[str], default: int = 0) -> int:
    """Ask for a number from a list until one is typed; return its index."""
    console.print(title, style="bold")
    for number, choice in enumerate(choices, start=1):
        console.print(f"  {number}  {choice}")
    numbers = [str(number + 1) for number in range(len(choices))]
    while True:
        answer = _ask("Number", numbers[default])
        if answer in numbers:
            return numbers.index(answer)
        console.print(f"A number from 1 to {len(choices)}, please.", style="yellow")


def choose_game() -> tuple[str, str, str] | None:
    """Ask for game, seats and variant, in the form of the options of `tilery play`; None to return to the game."""
    console.print("Enter takes the default in brackets; back returns to the game, quit leaves.", style="dim")
    try:
        return _choose()
    except Back:
        return None


def _fewest_seats(chosen: Game, text: str) -> int:
    """The smallest number of seats that a variant allows."""
    for seats in sorted(chosen.seats):
        with contextlib.suppress(Refused):
            return variant(chosen, text, seats).seats
    return min(chosen.seats)


def _choose() -> tuple[str, str, str]:
    names = list(GAMES)
    chosen = GAMES[names[_pick("Which game?", [GAMES[name].title for name in names])]]
    variants = chosen.variants
    default = [text for text, _ in variants].index(chosen.rules.text.partition(",")[2])
    text = variants[_pick("Which variant?", [about for _, about in variants], default)][0]
    console.print(f"Who plays? {min(chosen.seats)} to {max(chosen.seats)} of:", style="bold")
    for name, about in ((PERSON, "a person at this keyboard"), *((b.name, b.about) for b in BOTS.values())):
        console.print(f"  {name:<10} {about}")
    default_names = ",".join(default_seats(_fewest_seats(chosen, text)))
    while True:
        seats = _ask("Seats", default_names)
        try:
            named = seat_names(chosen, seats)
            prepare_bots(chosen, named, variant(chosen, text, len(named)))
        except Refused as error:
            console.print(str(error), style="yellow")
        else:
            return chosen.name, seats, text
