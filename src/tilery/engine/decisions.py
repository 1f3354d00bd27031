"""Finds the decision to analyse in a position or record, as the seat that has to decide sees it."""

from __future__ import annotations

from tilery.core.kernel.actors import OVER
from tilery.core.position import Position, Seen, actor_name
from tilery.core.record import SeenRecord
from tilery.core.record_text import AnyRecord
from tilery.core.refusals import NotYourTurn, Refused


def _check_seat(seat: int, seats: int) -> None:
    if not 0 <= seat < seats:
        raise NotYourTurn(f"there is no seat {seat + 1}: seats are 1 to {seats}")


def _check_viewer(viewer: int, seat: int | None) -> None:
    if seat is not None and seat != viewer:
        raise NotYourTurn(f"this is the view of {actor_name(viewer)}: what seat {seat + 1} saw is not known")


def decision(position: Position | Seen, seat: int | None = None) -> Seen:
    """The position as the seat that has to decide sees it, which is all that a search may use.

    Raises `NotYourTurn` if it is not the turn of `seat` or of the viewer, and `Refused` if no seat has to decide.
    """
    actor = position.actor
    if actor < 0:
        what = "the game is over" if actor == OVER else "chance acts"
        raise Refused(f"there is nothing to decide here: {what}")
    if isinstance(position, Seen):
        _check_viewer(position.seat, seat)
        seat = position.seat
    elif seat is None:
        seat = actor
    else:
        _check_seat(seat, position.seats)
    if seat != actor:
        raise NotYourTurn(f"seat {seat + 1} has nothing to decide here: {actor_name(actor)} acts")
    return position if isinstance(position, Seen) else position.seen_by(seat)


def last_decision(record: AnyRecord, seat: int | None = None) -> int:
    """The number of plies before the last decision of a seat, or of any seat if none is given."""
    if isinstance(record, SeenRecord):
        _check_viewer(record.seat, seat)
        seat = record.seat
    elif seat is not None:
        _check_seat(seat, record.start.seats)
    actors = [*(ply.actor for ply in record.plies), record.last.actor]
    for count in reversed(range(len(actors))):
        if actors[count] >= 0 and seat in (None, actors[count]):
            return count
    who = "nobody has anything" if seat is None else f"seat {seat + 1} has nothing"
    raise Refused(f"{who} to decide in this record")
