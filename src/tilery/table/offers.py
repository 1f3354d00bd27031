"""Offers: take-back, draw, a bot for somebody who has left, rematch. Everybody who is asked has to agree."""

from __future__ import annotations

from tilery.core.kernel.actors import CHANCE
from tilery.table.refusals import TableRefused
from tilery.table.state import WHO, Table

LATE_AFTER = 86_400.0  # seconds of a turn after which its player can be replaced


def people_to_ask(table: Table, what: str, by: str, number: int | None, answering: str = "") -> set[str]:
    """The people who have to agree to an offer for seat `number`. A person who is `answering` now counts as present."""
    people = set()
    for seat in table.seats:
        who = seat.key[:WHO] if what == "rematch" else seat.who
        if not seat.gone or who == answering:
            people.add(who)
    if what == "replace" and number is not None:
        people -= {table.seats[number].who}
    return people - {by, ""}


def _require_playing(table: Table) -> None:
    if table.status != "playing":
        raise TableRefused("not-now", "no-game-now")


def plies_after_takeback(table: Table, who: str) -> int:
    """The number of plies that remain when a person's last move is taken back; refused where that is not allowed."""
    _require_playing(table)
    at = table.history.last_ply_of(table.seats_played_by(who))
    if at is None:
        raise TableRefused("not-now", "no-move-to-take-back")
    has_other_people = sum(seat.kind == "person" for seat in table.seats) > 1
    if has_other_people and _reveals_something(table, at):
        raise TableRefused("not-allowed", "takeback-reveals")
    return at


def _reveals_something(table: Table, at: int) -> bool:
    """Whether chance acted since a ply, or some seat learned something that another did not."""
    if CHANCE in table.history.actors_since(at):
        return True
    if not table.game.hidden_information:
        return False
    position = table.history.position(at)
    for ply in table.history.plies(at):
        if any(position.veiled(ply.action, seat) != ply.action for seat in range(table.rules.seats)):
            return True
        position = position.play(ply.action)
    return False


def check_draw(table: Table, who: str) -> None:
    """Refuse a draw with bots, or with people who have left."""
    _require_playing(table)
    if any(seat.kind == "bot" for seat in table.seats):
        raise TableRefused("not-allowed", "draw-with-bots")
    if any(seat.gone and seat.who != who for seat in table.seats):
        raise TableRefused("not-now", "draw-without-all")


def check_replacement(table: Table, seat: int | None, now: float) -> None:
    """Refuse to replace anybody except a person who has left, or has not moved for a day."""
    _require_playing(table)
    if seat is None or not 0 <= seat < len(table.seats) or table.seats[seat].kind != "person":
        raise TableRefused("bad-text", "replace-nobody")
    late = table.actor == seat and now - table.turn_began >= LATE_AFTER
    if not (table.seats[seat].gone or late):
        raise TableRefused("not-now", "replace-present")


def check_rematch(table: Table) -> None:
    """Refuse a rematch before the end of the game, and a second one."""
    if table.status != "over":
        raise TableRefused("not-now", "rematch-early")
    if table.rematch:
        raise TableRefused("not-now", "rematch-made", table=table.rematch)
