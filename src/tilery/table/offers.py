"""Offers: take-back, draw, a bot for who has left, rematch. Every person who is asked has to agree."""

from __future__ import annotations

from tilery.core.kernel.actors import CHANCE
from tilery.table.refusing import TableRefused
from tilery.table.state import WHO, Table

PATIENCE = 86_400.0  # seconds after which a player who does not move counts as gone


def asked_people(table: Table, what: str, by: str, seat: int | None, here: str = "") -> set[str]:
    """Who has to agree. Whoever answers is `here`, and comes back by that."""
    everybody = set()
    for place in table.seats:
        who = place.key[:WHO] if what == "rematch" else place.who
        if not place.gone or who == here:
            everybody.add(who)
    if what == "replace" and seat is not None:
        everybody -= {table.seats[seat].who}
    return everybody - {by, ""}


def _playing(table: Table) -> None:
    if table.status != "playing":
        raise TableRefused("not-now", "no game is being played at this table")


def takeback_to(table: Table, who: str) -> int:
    """How many plies are left when a person's last move is taken back; refused where that may not be."""
    _playing(table)
    at = table.last_ply_of(seat for seat in table.seats_of(who) if table.seats[seat].who == who)
    if at is None:
        raise TableRefused("not-now", "there is no move of yours to take back")
    others = sum(seat.kind == "person" for seat in table.seats) > 1
    if others and _shows_something(table, at):
        raise TableRefused(
            "not-allowed", "something was dealt or seen since your last move: it cannot be taken back among people"
        )
    return at


def _shows_something(table: Table, at: int) -> bool:
    """Whether chance acted from a ply on, or cards were shown or spoken about in secret."""
    if CHANCE in table.actors_since(at):
        return True
    if not table.game.secret:
        return False
    record = table.record()
    position = record.position(at)
    for ply in record.plies[at:]:
        if any(position.veiled(ply.action, seat) != ply.action for seat in range(table.rules.seats)):
            return True
        position = position.play(ply.action)
    return False


def check_draw(table: Table, who: str) -> None:
    """A draw is for people only, and for people who are there."""
    _playing(table)
    if any(seat.kind == "bot" for seat in table.seats):
        raise TableRefused("not-allowed", "bots agree to no draw")
    if any(seat.gone and seat.who != who for seat in table.seats):
        raise TableRefused("not-now", "who has left cannot agree to a draw")


def check_replacement(table: Table, seat: int | None, now: float) -> None:
    """Only who has left, or has not moved for a day, is replaced."""
    _playing(table)
    if seat is None or not 0 <= seat < len(table.seats) or table.seats[seat].kind != "person":
        raise TableRefused("bad-text", "say which person's seat a bot shall take")
    late = table.actor == seat and now - table.turn_began >= PATIENCE
    if not (table.seats[seat].gone or late):
        raise TableRefused("not-now", "this player has not left: a bot takes over from who has left, or is a day late")


def check_rematch(table: Table) -> None:
    """After the game, once."""
    if table.status != "over":
        raise TableRefused("not-now", "a rematch is for when the game is over")
    if table.rematch:
        raise TableRefused("not-now", f"the rematch is at table {table.rematch}")
