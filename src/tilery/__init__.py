"""Tilery: Azul, Azul: Master Chocolatier and Schokoly. Exact rules, fast kernels, texts and pictures.

    >>> import tilery
    >>> position = tilery.game("azul").new(seats=2).settle(tilery.Stream("example"))
    >>> position = position.play(position.moves()[0])

Names are imported when they are first used, so that `import tilery` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

_MODULES = {
    "CHANCE": "tilery.core.kernel.actors",
    "OVER": "tilery.core.kernel.actors",
    "SPECTATOR": "tilery.core.kernel.actors",
    "Game": "tilery.core.game",
    "Outcome": "tilery.core.outcome",
    "Position": "tilery.core.position",
    "Seen": "tilery.core.position",
    "Ply": "tilery.core.record",
    "Record": "tilery.core.record",
    "SeenRecord": "tilery.core.record",
    "BadText": "tilery.core.refusals",
    "NotAMove": "tilery.core.refusals",
    "NotLegal": "tilery.core.refusals",
    "NotYourTurn": "tilery.core.refusals",
    "Refused": "tilery.core.refusals",
    "Stream": "tilery.core.streams",
    "bot": "tilery.engine.bots",
    "Evaluator": "tilery.engine.evaluator",
    "Info": "tilery.engine.info",
    "Variation": "tilery.engine.info",
    "Limit": "tilery.engine.limits",
    "think": "tilery.engine.search",
    "GAMES": "tilery.games",
    "game": "tilery.games",
    "read_position": "tilery.games",
    "read_record": "tilery.games",
    "read_records": "tilery.games",
    "read_seen_record": "tilery.games",
}

__all__ = [
    "CHANCE",
    "GAMES",
    "OVER",
    "SPECTATOR",
    "BadText",
    "Evaluator",
    "Game",
    "Info",
    "Limit",
    "NotAMove",
    "NotLegal",
    "NotYourTurn",
    "Outcome",
    "Ply",
    "Position",
    "Record",
    "Refused",
    "Seen",
    "SeenRecord",
    "Stream",
    "Variation",
    "bot",
    "game",
    "read_position",
    "read_record",
    "read_records",
    "read_seen_record",
    "think",
]

if TYPE_CHECKING:
    from tilery.core.game import Game
    from tilery.core.kernel.actors import CHANCE, OVER, SPECTATOR
    from tilery.core.outcome import Outcome
    from tilery.core.position import Position, Seen
    from tilery.core.record import Ply, Record, SeenRecord
    from tilery.core.refusals import BadText, NotAMove, NotLegal, NotYourTurn, Refused
    from tilery.core.streams import Stream
    from tilery.engine.bots import bot
    from tilery.engine.evaluator import Evaluator
    from tilery.engine.info import Info, Variation
    from tilery.engine.limits import Limit
    from tilery.engine.search import think
    from tilery.games import GAMES, game, read_position, read_record, read_records, read_seen_record


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'tilery' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
