"""What a ply did, in sentences and as points, made from its effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tilery.core.effects import Effect
from tilery.core.english import Clause, as_sentences, counted, joined
from tilery.core.game import ScoreItem

from . import effects as kinds
from .kernel.layout import CENTRE
from .rules import rules_of
from .scoring import RULES

if TYPE_CHECKING:
    from .game import AzulGame

_CHANCE, _GAME = "chance", "game"  # the subjects of clauses about no player


def describe_effects(game: AzulGame, row: bytes, effects: Sequence[Effect], names: Sequence[str]) -> list[str]:
    """Effects of one ply in sentences, with numbers and points; `row` is the position before them."""
    grey = rules_of(row).wall == "grey"
    clauses: list[Clause] = []
    for effect in effects:
        for clauses_of in (_clauses_of_offer, _clauses_of_chance):
            clauses += clauses_of(game, effect, names)
        clauses += _clauses_of_tiling(game, effect, names, grey=grey)
    return as_sentences(clauses)


def score_changes(game: AzulGame, row: bytes, effects: Sequence[Effect]) -> list[ScoreItem]:
    """The points that effects brought each seat, by what they are for; the last item is the total."""
    wall, floor, seats = game.words["wall"], game.words["floor"], rules_of(row).seats
    gained = {  # by code: what for, and the points of each seat
        "tiling": (f"{wall} tiling", [0] * seats),
        "floor": (floor, [0] * seats),
        "rows": ("complete rows", [0] * seats),
        "columns": ("complete columns", [0] * seats),
        "colours": ("complete colours", [0] * seats),
        "total": ("total", [0] * seats),
    }
    for effect in effects:
        match effect:
            case kinds.Tiled(seat, points=points):
                code = "tiling"
            case kinds.FloorScored(seat, points=points):
                code = "floor"
            case kinds.Bonus(seat, what, points=points):
                code = f"{what}s"
            case _:
                continue
        for item in (code, "total"):
            gained[item][1][seat] += points
    return [
        ScoreItem(code, what, tuple(points))
        for code, (what, points) in gained.items()
        if any(points) or code == "total"
    ]


def _place(game: AzulGame, source: int) -> str:
    return f"the {game.words['centre']}" if source == CENTRE else f"{game.words['factory']} {source}"


def _tiles(game: AzulGame, letters: str) -> str:
    """Such as `2 blue and 1 red`."""
    return joined([f"{letters.count(letter)} {game.edition.names[letter]}" for letter in dict.fromkeys(letters)])


def _cost(points: int) -> str:
    return f" (-{points})" if points else ""


def _go(game: AzulGame, tiles: str) -> str:
    return f"{_tiles(game, tiles)} {'goes' if len(tiles) == 1 else 'go'}"


def _clauses_of_offer(game: AzulGame, effect: Effect, names: Sequence[str]) -> Iterator[Clause]:
    """AZ-12 to AZ-18, MC-7 to MC-9: what a take does."""
    floor = game.words["floor"]
    match effect:
        case kinds.Taken(seat, source, colour, number):
            yield Clause(names[seat], "take", f"{number} {game.edition.names[colour]} from {_place(game, source)}")
        case kinds.RestMoved(_, to, tiles):
            yield Clause("", "", f"{_go(game, tiles)} to {_place(game, to)}")
        case kinds.SaucerTaken(seat):
            yield Clause(names[seat], "take", "the saucer")
        case kinds.MarkerTaken(seat, to, cost):
            where = {"floor": _cost(cost), "saucer": ", on the saucer", "": f", but the {floor} is full"}[to]
            yield Clause(names[seat], "get", f"the marker{where}")
        case kinds.Placed(_, line, colour, number, full, points):
            worth = f": worth {counted(points, 'point')}" if points is not None else ""
            yield Clause(
                "", "", f"{_go(game, colour * number)} to line {line + 1}{f', now full{worth}' if full else ''}"
            )
        case kinds.Fell(seat, colour, line):
            if line is None:
                yield Clause("", "", _fall(game, effect))
            else:
                why = f"no cell for the {game.edition.names[colour]} of line {line + 1}: {_fall(game, effect)}"
                yield Clause(names[seat], "find", why)


def _fall(game: AzulGame, fell: kinds.Fell) -> str:
    places = {
        "onto the saucer": fell.saucer,
        f"to the {game.words['floor']}{_cost(fell.cost)}": fell.floor,
        f"to the {game.words['lid']}": fell.lid,
    }
    used = {where: number for where, number in places.items() if number}
    number = sum(used.values())
    falls = f"{number} {game.edition.names[fell.colour]} {'falls' if number == 1 else 'fall'}"
    if len(used) == 1:
        return f"{falls} {next(iter(used))}"
    return f"{falls}: {joined([f'{number} {where}' for where, number in used.items()])}"


def _clauses_of_tiling(game: AzulGame, effect: Effect, names: Sequence[str], *, grey: bool) -> Iterator[Clause]:
    """AZ-20 to AZ-22, AZ-30 to AZ-40: the end of a round and of the game."""
    match effect:
        case kinds.OfferEnded():
            yield Clause(None, "", "")
        case kinds.Tiled(seat, line, column, colour, across, down, points):
            where = f"line {line + 1}{f', column {column + 1}' if grey else ''}"
            runs = f"{across} + {down} = " if across and down else ""
            yield Clause(
                names[seat], "tile", f"{where}: {game.edition.names[colour]}, {runs}{counted(points, 'point')}"
            )
        case kinds.FloorScored(seat, floor, _, points) if floor:
            lost = counted(-points, "point") if points else "nothing"
            yield Clause(names[seat], "lose", f"{lost} for the {game.words['floor']}")
        case kinds.SaucerReturned(seat):
            yield Clause(names[seat], "return", "the saucer")
        case kinds.Bonus(seat, what, number, points):
            yield Clause(names[seat], "score", f"{counted(points, 'point')} for {counted(number, f'complete {what}')}")
        case kinds.RoundBegun(number, starter, discs_removed):
            gone = "; the special discs are removed" if discs_removed else ""
            yield Clause(None, "", "")
            yield Clause(names[starter], "start", f"round {number}{gone}")
        case kinds.Ended(by):
            yield Clause(_GAME, "", "the game ends by {} ({})".format(*RULES[by]))


def _clauses_of_chance(game: AzulGame, effect: Effect, names: Sequence[str]) -> Iterator[Clause]:  # noqa: ARG001
    """AZ-10, AZ-32, MC-2 to MC-4: what is dealt."""
    words = game.words
    match effect:
        case kinds.Refilled(tiles):
            number = counted(len(tiles), words["tile"])
            yield Clause(_CHANCE, "", f"{number} from the {words['lid']} go into the {words['bag']}")
        case kinds.Dealt(source, tiles):
            yield Clause(_CHANCE, "", f"{_place(game, source)} gets {_tiles(game, tiles)}")
        case kinds.Attracted(source, to, colour):
            what = f"1 {game.edition.names[colour]} from {_place(game, source)}"
            yield Clause(_CHANCE, "", f"the magnet on {_place(game, to)} attracts {what}")
        case kinds.DiscLaid(source, disc):
            letter = disc.removeprefix("magnet")
            name = f"magnet for {game.edition.names[letter]}" if letter in game.edition.names else disc
            yield Clause(_CHANCE, "", f"{_place(game, source)} is the {name}")
