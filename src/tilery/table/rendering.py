"""Records and positions as values for JSON: all positions of a game, the effects of a move, previews of moves.

This module hides nothing: callers pass only what the viewer may see, the record of a `views.VisibleGame` or a `Seen`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from tilery.core.outcome import Outcome
from tilery.core.position import BasePosition
from tilery.core.record import Record, SeenRecord
from tilery.core.refusals import NotLegal, Refused
from tilery.table.refusals import TableRefused, from_rules
from tilery.table.state import Result

Values = dict[str, Any]

write = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


def breakdown_of(position: BasePosition) -> list[Values]:
    """Where each side's points come from."""
    items = position.game.breakdown(position.row)
    return [{"what": item.what, "points": item.points} for item in items]


def result_of(outcome: Outcome | Result) -> Values:
    """The result of a game."""
    return {
        "scores": outcome.scores,
        "winners": outcome.winners,
        "ended_by": outcome.ended_by,
        "rule": outcome.rule,
    }


def replay_of(record: Record | SeenRecord, *, is_over: bool) -> str:
    """A whole game as JSON: its plies, and the positions from the start to the last ply."""
    history: list[tuple[int, str]] = []
    positions: list[str] = []
    position: BasePosition = record.start
    for number, position in enumerate(record.positions()):
        positions.append(position.json())
        if number < len(record.plies):
            actor, action = record.plies[number]
            history.append((actor, position.move_text(action)))
    values = {
        "game": record.game.name,
        "variant": record.start.rules.text,
        "players": record.players,
        "tags": dict(record.tags),
        "history": history,
        "result": record.result,
        "breakdown": breakdown_of(position) if is_over else None,
    }
    return f'{write(values)[:-1]},"positions":[{",".join(positions)}]}}'


def effects_of(record: Record | SeenRecord, ply: int) -> Values:
    """The effects of a ply; the first one is 1."""
    if not 1 <= ply <= len(record.plies):
        raise Refused(f"there is no ply {ply}: the record has plies 1 to {len(record.plies)}")
    before: BasePosition = record.position(ply - 1)
    actor, action = record.plies[ply - 1]
    effects = msgspec.to_builtins(before.game.effects(before.row, action))
    return {"ply": ply, "actor": actor, "move": before.move_text(action), "effects": effects}


def previews_of(position: BasePosition, moves: Iterable[str]) -> list[Values]:
    """The effects that moves would have, or why they are not legal."""
    # Not `position.refusal` alone: it would say that `accept` lacks a card, but a seat that accepts a swap does not
    # know yet which card it gets.
    legal = set(position.actions())
    return [_preview(position, move, legal) for move in moves]


def _preview(position: BasePosition, move: str, legal: set[int]) -> Values:
    try:
        action = position.action(move)
        if action in legal:
            effects = msgspec.to_builtins(position.game.effects(position.row, action))
            return {"move": move, "legal": True, "effects": effects}
        refused = position.refusal(action) or NotLegal("the player does not name the card that comes with this move")
    except Refused as error:
        refused = error
    return {"move": move, "legal": False, "error": error_of(from_rules(refused))}


def error_of(refused: TableRefused) -> Values:
    """A refusal as plain values."""
    error = {"code": refused.code, "text": str(refused)}
    return {**error, "rule": refused.rule} if refused.rule else error
