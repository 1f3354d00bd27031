"""Records and positions as types of the wire: plies with their effects, replays, previews.

This module hides nothing: callers pass only what the viewer may see, the record of a `views.VisibleGame` or a `Seen`.
"""

from __future__ import annotations

from collections.abc import Iterable

from tilery.core.outcome import Outcome
from tilery.core.position import BasePosition
from tilery.core.record import Record, SeenRecord
from tilery.core.refusals import Refused
from tilery.table import responses, wire
from tilery.table.refusals import TableRefused, error_of
from tilery.table.state import Result


def breakdown_of(position: BasePosition) -> tuple[wire.ScoreItem, ...]:
    """Where each side's points come from."""
    items = position.game.breakdown(position.row)
    return tuple(wire.ScoreItem(item.code, item.points, dict(item.arguments)) for item in items)


def result_of(outcome: Outcome | Result) -> wire.Result:
    """The result of a game."""
    ended_by = outcome.code if isinstance(outcome, Outcome) else outcome.ended_by
    return wire.Result(outcome.scores, outcome.winners, ended_by, outcome.rule)


def ply_of(before: BasePosition, actor: int, action: int) -> wire.Ply:
    """A ply with its effects."""
    game, row = before.game, before.row
    return wire.Ply(actor, game.move_of(row, action), game.effects(row, action))


def replay_of(record: Record | SeenRecord, *, is_over: bool) -> responses.Replay:
    """A whole game: the first position, then every ply with what it did."""
    game = record.game
    positions = record.positions()
    before: BasePosition = next(positions)
    start = game.view(before.row)
    steps = []
    for (actor, action), after in zip(record.plies, positions, strict=True):
        ply = ply_of(before, actor, action)
        steps.append(responses.Step(ply.actor, ply.move, ply.effects, game.view_changes(before.row, after.row)))
        before = after
    return responses.Replay(
        game=game.name,
        variant=record.start.rules.text,
        players=tuple(record.players),
        tags=dict(record.tags),
        result=record.result,
        start=start,
        steps=tuple(steps),
        breakdown=breakdown_of(before) if is_over else None,
    )


def previews_of(position: BasePosition, moves: Iterable[str]) -> tuple[responses.Preview, ...]:
    """The effects that moves would have, or why they are not legal."""
    # Not `position.refusal` alone: it would say that `accept` lacks a card, but a seat that accepts a swap does not
    # know yet which card it gets.
    legal = set(position.actions())
    return tuple(_preview(position, move, legal) for move in moves)


def _preview(position: BasePosition, typed: str, legal: set[int]) -> responses.Preview:
    game, row = position.game, position.row
    try:
        action = position.action(game.normalise_move(typed))
        if action in legal:
            return responses.Preview(typed=typed, move=game.move_of(row, action), effects=game.effects(row, action))
        refused = position.refusal(action) or TableRefused("not-legal", "card-not-named")
    except Refused as error:
        refused = error
    return responses.Preview(typed=typed, error=error_of(refused))
