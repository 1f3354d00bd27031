"""What a run plays: the settings, written down in its folder and compared when it is resumed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from tilery import __version__
from tilery.core.game import Game, Rules
from tilery.core.record_text import check_words
from tilery.core.refusals import Refused
from tilery.core.writing import write_whole
from tilery.games import game as game_named
from tilery.lab.folder import SETTINGS, read_settings, refusals
from tilery.lab.match import seatings
from tilery.lab.sprt import Sprt

MOST_GAMES = 10_000_000
_LONGEST_NAME = 1000


@dataclass(frozen=True)
class Settings:
    """What is played. A run is resumed with these only; more games may be asked of it."""

    game: str
    variant: str
    pairings: tuple[tuple[str, str], ...]
    games: int  # of each pairing
    seed: str
    sprt: tuple[float, float] | None = None
    tilery: str = __version__

    def __post_init__(self) -> None:
        if not self.pairings:
            raise Refused("an arena needs two bots at least")
        for first, second in self.pairings:
            for name in (first, second):
                check_words(name, "the name of a bot")
                if len(name) > _LONGEST_NAME:
                    raise Refused(f"the name of a bot has at most {_LONGEST_NAME:,} characters")
            if first == second:
                raise Refused(f"{first[:40]} cannot meet itself: name two bots")
        if len(set(self.pairings)) < len(self.pairings):
            raise Refused("a pairing is named twice")
        each = len(seatings(self.rules))
        if not 0 < self.games <= MOST_GAMES or self.games % each:
            raise Refused(
                f"games come in pairs here, {each} on the same deals: ask for {_multiple(self.games, each):,}, "
                f"not {self.games:,}"
            )
        if self.sprt is not None:
            Sprt(*self.sprt)
            if len(self.pairings) > 1:
                raise Refused("a sequential test (--sprt) is between two bots")

    @property
    def table(self) -> Game:
        return game_named(self.game)

    @property
    def rules(self) -> Rules:
        return self.table.variant(self.variant)

    @property
    def bots(self) -> tuple[str, ...]:
        """Every bot once, in the order in which they were named."""
        return tuple(dict.fromkeys(name for pairing in self.pairings for name in pairing))

    @property
    def pairs(self) -> int:
        """How many pairs each pairing plays."""
        return self.games // len(seatings(self.rules))


def _multiple(games: int, each: int) -> int:
    return min(MOST_GAMES // each, max(1, -(-games // each))) * each


def round_robin(bots: Sequence[str], rules: Rules) -> tuple[tuple[str, str], ...]:
    """Everybody against everybody; with three or four sides one bot alone among the others."""
    if len(bots) < 2:
        raise Refused("an arena needs two bots at least, such as: tilery arena greedy random")
    for name in bots:
        if list(bots).count(name) > 1:
            raise Refused(f"{name[:40]} is named twice: a bot does not meet itself")
    if rules.sides > 2 and len(bots) > 2:
        raise Refused(f"with {rules.seats} seats name two bots: one of the first sits among copies of the second")
    return tuple(combinations(bots, 2))


def settings_from(found: dict[str, Any]) -> Settings:
    """Settings out of what JSON has made of them."""
    try:
        return Settings(
            **{
                **found,
                "pairings": tuple((str(first), str(second)) for first, second in found["pairings"]),
                "sprt": None if found["sprt"] is None else (float(found["sprt"][0]), float(found["sprt"][1])),
            }
        )
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused(f"{SETTINGS} is not what this arena writes") from None


def settings_in(path: Path) -> Settings:
    """What the run of a folder was begun with."""
    found = read_settings(path)
    if found is None:
        raise Refused(f"there is no run in {str(path)[:200]}: it has no {SETTINGS}")
    return settings_from(found)


def begin_run(path: Path, settings: Settings) -> None:
    """Write down the settings, or compare them with those that the run was begun with."""
    found = read_settings(path)
    if found is None:
        with refusals(path):
            if path.is_dir() and any(path.iterdir()):
                raise Refused(f"{str(path)[:200]} holds other things and no run: name another folder")
            path.mkdir(parents=True, exist_ok=True)
            write_whole(path / SETTINGS, json.dumps(asdict(settings), indent=1) + "\n")
        return
    before = settings_from(found)
    for name, value in asdict(before).items():
        wanted = asdict(settings)[name]
        if value != wanted and not (name == "games" and wanted > value):
            raise Refused(
                f"the run in {str(path)[:120]} was begun with {name} {_short(value)}, not {_short(wanted)}: "
                "go on with its own settings (--resume), or name another folder"
            )
    if settings != before:
        with refusals(path):
            write_whole(path / SETTINGS, json.dumps(asdict(settings), indent=1) + "\n")


def _short(value: object) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return ", ".join(" - ".join(pairing) for pairing in value)[:60]
    return str(value)[:60]
