"""The settings of a run: stored in its folder, and compared when the run is resumed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from tilery import __version__
from tilery.core.atomic_write import write_atomically
from tilery.core.game import Game, Rules
from tilery.core.record_text import check_words
from tilery.core.refusals import Refused
from tilery.games import game as game_named
from tilery.lab.match import seatings
from tilery.lab.run_folder import SETTINGS_FILE, read_settings, refuse_os_errors
from tilery.lab.sprt import Sprt

MAX_GAMES = 10_000_000
_MAX_NAME_CHARACTERS = 1000


@dataclass(frozen=True)
class Settings:
    """The settings of a run. A run can be resumed only with the same settings, or with more games."""

    game: str
    variant: str
    pairings: tuple[tuple[str, str], ...]
    games: int  # per pairing
    seed: str
    sprt: tuple[float, float] | None = None
    tilery: str = __version__

    def __post_init__(self) -> None:
        if not self.pairings:
            raise Refused("an arena needs at least two bots")
        for first, second in self.pairings:
            for name in (first, second):
                check_words(name, "bot-name")
                if len(name) > _MAX_NAME_CHARACTERS:
                    raise Refused(f"the name of a bot has at most {_MAX_NAME_CHARACTERS:,} characters")
            if first == second:
                raise Refused(f"{first[:40]} cannot play against itself: name two bots")
        if len(set(self.pairings)) < len(self.pairings):
            raise Refused("a pairing is named twice")
        each = len(seatings(self.rules))
        if not 0 < self.games <= MAX_GAMES or self.games % each:
            raise Refused(
                f"games are played in pairs, {each} on the same deals: ask for {_multiple(self.games, each):,}, "
                f"not {self.games:,}"
            )
        if self.sprt is not None:
            Sprt(*self.sprt)
            if len(self.pairings) > 1:
                raise Refused("a sequential test (--sprt) is between two bots")

    @property
    def loaded_game(self) -> Game:
        """The game of this name."""
        return game_named(self.game)

    @property
    def rules(self) -> Rules:
        return self.loaded_game.variant(self.variant)

    @property
    def bots(self) -> tuple[str, ...]:
        """Every bot once, in the order of the pairings."""
        return tuple(dict.fromkeys(name for pairing in self.pairings for name in pairing))

    @property
    def pairs(self) -> int:
        """The number of pairs of each pairing."""
        return self.games // len(seatings(self.rules))


def _multiple(games: int, each: int) -> int:
    return min(MAX_GAMES // each, max(1, -(-games // each))) * each


def round_robin(bots: Sequence[str], rules: Rules) -> tuple[tuple[str, str], ...]:
    """Every bot against every other; with three or four sides, the first of two alone against copies of the second."""
    if len(bots) < 2:
        raise Refused("an arena needs at least two bots, such as: tilery arena greedy random")
    for name in bots:
        if list(bots).count(name) > 1:
            raise Refused(f"{name[:40]} is named twice: a bot does not play against itself")
    if rules.sides > 2 and len(bots) > 2:
        raise Refused(f"with {rules.seats} seats, name two bots: the first plays alone against copies of the second")
    return tuple(combinations(bots, 2))


def settings_from(values: dict[str, Any]) -> Settings:
    """Settings from their JSON values."""
    try:
        return Settings(
            **{
                **values,
                "pairings": tuple((str(first), str(second)) for first, second in values["pairings"]),
                "sprt": None if values["sprt"] is None else (float(values["sprt"][0]), float(values["sprt"][1])),
            }
        )
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused(f"{SETTINGS_FILE} is not a settings file of the arena") from None


def settings_in(path: Path) -> Settings:
    """The settings of the run in a folder."""
    values = read_settings(path)
    if values is None:
        raise Refused(f"there is no run in {str(path)[:200]}: it has no {SETTINGS_FILE}")
    return settings_from(values)


def start_run(path: Path, settings: Settings) -> None:
    """Store the settings of a new run; refuse settings that differ from those of the run in the folder."""
    values = read_settings(path)
    if values is None:
        with refuse_os_errors(path):
            if path.is_dir() and any(path.iterdir()):
                raise Refused(f"{str(path)[:200]} contains other files but no run: name another folder")
            path.mkdir(parents=True, exist_ok=True)
            write_atomically(path / SETTINGS_FILE, json.dumps(asdict(settings), indent=1) + "\n")
        return
    before = settings_from(values)
    for name, value in asdict(before).items():
        wanted = asdict(settings)[name]
        if value != wanted and not (name == "games" and wanted > value):
            raise Refused(
                f"the run in {str(path)[:120]} was started with {name} {_short(value)}, not {_short(wanted)}: "
                "use the same settings (--resume does), or name another folder"
            )
    if settings != before:
        with refuse_os_errors(path):
            write_atomically(path / SETTINGS_FILE, json.dumps(asdict(settings), indent=1) + "\n")


def _short(value: object) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return ", ".join(" - ".join(pairing) for pairing in value)[:60]
    return str(value)[:60]
