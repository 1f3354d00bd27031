"""Choosing another game from inside a game: which one, which variant, who plays."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from tilery.cli.choosing import PERSON, seat_names, usual_seats, variant
from tilery.cli.printing import ask, console
from tilery.core.game import Game
from tilery.core.refusals import Refused
from tilery.engine.bots import BOTS, prepare_bots
from tilery.games import GAMES


class Back(Exception):
    """The player would rather go on with the game."""


def _ask(prompt: str, default: str) -> str:
    answer = ask(f"{prompt} [{default}] > ") or default
    if answer.lower() in ("quit", "exit", "q"):
        raise EOFError
    if answer.lower() == "back":
        raise Back
    return answer


def _pick(title: str, choices: Sequence[str], default: int = 0) -> int:
    """A numbered choice; anything else than a number of the list is asked again."""
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
    """Name of the game, seats and variant, as the options of `tilery play` would have them; None to go back."""
    console.print("Enter takes what stands in brackets; back returns to the game, quit leaves.", style="dim")
    try:
        return _choose()
    except Back:
        return None


def _fewest(chosen: Game, text: str) -> int:
    """The smallest number of seats that a variant is for."""
    for seats in sorted(chosen.seats):
        with contextlib.suppress(Refused):
            return variant(chosen, text, seats).seats
    return min(chosen.seats)


def _choose() -> tuple[str, str, str]:
    names = list(GAMES)
    chosen = GAMES[names[_pick("Which game?", [GAMES[name].title for name in names])]]
    variants = chosen.variants
    usual = [text for text, _ in variants].index(chosen.rules.text.partition(",")[2])
    text = variants[_pick("Which variant?", [about for _, about in variants], usual)][0]
    console.print(f"Who plays? {min(chosen.seats)} to {max(chosen.seats)} of:", style="bold")
    for name, about in ((PERSON, "somebody at this keyboard"), *((b.name, b.about) for b in BOTS.values())):
        console.print(f"  {name:<10} {about}")
    usual_names = ",".join(usual_seats(_fewest(chosen, text)))
    while True:
        seats = _ask("Seats", usual_names)
        try:
            named = seat_names(chosen, seats)
            prepare_bots(chosen, named, variant(chosen, text, len(named)))
        except Refused as error:
            console.print(str(error), style="yellow")
        else:
            return chosen.name, seats, text
