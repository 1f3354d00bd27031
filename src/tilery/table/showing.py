"""Records and positions for who looks at them: all positions of a game, what a move did, what moves would do.

Nothing is wiped here. What somebody may not see must be gone before: a record comes from `telling.Sight`, a position is
a `Seen`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tilery.core.outcome import Outcome
from tilery.core.position import Standing
from tilery.core.record import Record, SeenRecord
from tilery.core.refusals import NotLegal, Refused
from tilery.table.refusing import TableRefused, of_rules
from tilery.table.state import Result

Values = dict[str, Any]

write = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


def breakdown_of(position: Standing) -> list[Values]:
    """Where the points come from."""
    counts = position.game.breakdown(position.game, position.row)
    return [{"what": count.what, "points": count.points} for count in counts]


def result_of(outcome: Outcome | Result) -> Values:
    """How a game ended."""
    return {
        "scores": outcome.scores,
        "winners": outcome.winners,
        "ended_by": outcome.ended_by,
        "rule": outcome.rule,
    }


def replay_of(record: Record | SeenRecord, *, is_over: bool) -> str:
    """A whole game as JSON: what was played, and the position after every ply, from none to all."""
    history: list[tuple[int, str]] = []
    positions: list[str] = []
    position: Standing = record.start
    for number, position in enumerate(record.positions()):
        positions.append(position.json())
        if number < len(record.plies):
            actor, action = record.plies[number]
            history.append((actor, position.move_text(action)))
    words = {
        "game": record.game.name,
        "variant": record.start.rules.text,
        "players": record.players,
        "tags": dict(record.tags),
        "history": history,
        "result": record.result,
        "breakdown": breakdown_of(position) if is_over else None,
    }
    return f'{write(words)[:-1]},"positions":[{",".join(positions)}]}}'


def effects_of(record: Record | SeenRecord, ply: int) -> Values:
    """What a ply did; the first one is 1, as the position after it is."""
    if not 1 <= ply <= len(record.plies):
        raise Refused(f"this record has plies 1 to {len(record.plies)}, not {ply}")
    before: Standing = record.position(ply - 1)
    actor, action = record.plies[ply - 1]
    effects = before.game.effects(before.game, before.row, action)
    return {"ply": ply, "actor": actor, "move": before.move_text(action), "effects": effects}


def previews_of(position: Standing, moves: Iterable[str]) -> list[Values]:
    """What moves would do, or why they are not legal."""
    # A seat that agrees to a swap does not know yet which card comes with it: to list its actions is to know that
    # `accept` is one, to ask for the refusal of `accept` would be to hear that the card is missing.
    legal = set(position.actions())
    return [_preview(position, move, legal) for move in moves]


def _preview(position: Standing, move: str, legal: set[int]) -> Values:
    try:
        action = position.action(move)
        if action in legal:
            effects = position.game.effects(position.game, position.row, action)
            return {"move": move, "legal": True, "effects": effects}
        refused = position.refusal(action) or NotLegal("what comes with a move is not said by who makes it")
    except Refused as error:
        refused = error
    return {"move": move, "legal": False, "error": error_of(of_rules(refused))}


def error_of(refused: TableRefused) -> Values:
    """A refusal in plain values."""
    error = {"code": refused.code, "text": str(refused)}
    return {**error, "rule": refused.rule} if refused.rule else error
