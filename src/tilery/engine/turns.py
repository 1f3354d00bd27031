"""Which turn to think about: a position, or one of a record, through the eyes of the seat that decides there."""

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
        raise NotYourTurn(f"this is what {actor_name(viewer)} sees, and nobody knows what seat {seat + 1} saw")


def decision(found: Position | Seen, seat: int | None = None) -> Seen:
    """What the seat knows that has to decide here: all that a search may use.

    A `NotYourTurn` is about the seat that was asked for, any other refusal about the position.
    """
    actor = found.actor
    if actor < 0:
        what = "the game is over" if actor == OVER else "chance acts"
        raise Refused(f"there is nothing to decide here: {what}")
    if isinstance(found, Seen):
        _check_viewer(found.seat, seat)
        seat = found.seat
    elif seat is None:
        seat = actor
    else:
        _check_seat(seat, found.seats)
    if seat != actor:
        raise NotYourTurn(f"seat {seat + 1} has nothing to decide here: {actor_name(actor)} acts")
    return found if isinstance(found, Seen) else found.seen_by(seat)


def last_decision(record: AnyRecord, seat: int | None = None) -> int:
    """After how many plies a seat (any one unless named) had to decide for the last time."""
    if isinstance(record, SeenRecord):
        _check_viewer(record.seat, seat)
        seat = record.seat
    elif seat is not None:
        _check_seat(seat, record.start.seats)
    actors = [*(ply.actor for ply in record.plies), record.last.actor]
    for count in reversed(range(len(actors))):
        if actors[count] >= 0 and seat in (None, actors[count]):
            return count
    raise Refused(f"{'nobody' if seat is None else f'seat {seat + 1}'} has anything to decide in this record")
