"""Reading arguments of the command line: seats, a variant, a seed, a position, a record."""

from __future__ import annotations

from pathlib import Path

from tilery.cli.files import read_file
from tilery.core.english import counted
from tilery.core.game import Game, Rules
from tilery.core.position import Position, Seen, actor_name
from tilery.core.record import SeenRecord
from tilery.core.record_text import AnyRecord, check_words, split_records
from tilery.core.refusals import BadText, Refused
from tilery.core.streams import fresh_seed
from tilery.core.text import listed
from tilery.engine.bots import BOTS, bot
from tilery.engine.external import PREFIX
from tilery.engine.family import method_of
from tilery.games import GAMES, read_any_position, read_any_record

PERSON = "person"
OPPONENT = "level-4"


def seat_names(chosen: Game, text: str, *, people: bool = True) -> list[str]:
    """The names in `person,tilery@50ms` as a list. Unknown names, and too few or too many seats, are refused."""
    names = [_normalised(name) for name in text.split(",")]
    for name in names:
        if name.startswith(PREFIX) or "@" in name:
            bot(name)
            if not name.startswith(PREFIX) and name.partition("@")[0] not in BOTS:
                method_of(chosen, name.partition("@")[0])
        elif name not in BOTS and not (people and name == PERSON):
            who = f"{PERSON} or a bot" if people else "a bot"
            raise Refused(
                f"{name[:40]!a} cannot take a seat: expected {who} such as greedy (tilery bots lists them), "
                "joined by commas"
            )
    if len(names) not in chosen.seats:
        raise Refused(f"{chosen.title} is for {min(chosen.seats)} to {max(chosen.seats)} seats, not {len(names)}")
    return names


def _normalised(text: str) -> str:
    name = text.strip()
    return name if name.startswith(PREFIX) else name.lower()


def default_seats(seats: int) -> list[str]:
    """The players if none are named: a person against bots."""
    return [PERSON, *[OPPONENT] * (seats - 1)]


def variant(chosen: Game, text: str | None, seats: int | None, *, bare: bool = False) -> Rules:
    """The rules of a variant such as `grey` or `3,grey`; `seats` is the number of players named, None if none are."""
    words = chosen.rules.text.partition(",")[2] if text is None else text.strip()
    number = str(seats or chosen.rules.seats)
    first, _, rest = words.partition(",")
    if first.isascii() and first.isdigit():
        if seats is not None and seats != int(first[:3]):
            raise Refused(f"the variant is for {first[:20]} seats, but {seats} players are named")
        number, words = first, rest
    words = f"{number},{chosen.normalise_variant(words)}".rstrip(",")
    try:
        rules = chosen.variant(words)
    except BadText as error:
        # Without the column: it would include the number of seats, which the user may not have typed.
        raise Refused(f"the variant {words[:60]!a}: {error.problem}") from None
    return rules if bare else chosen.with_table_limits(rules)


def seed_or_fresh(seed: str | None) -> str:
    """The given seed, or an unpredictable one."""
    check_words(seed or "", "seed")
    return seed or str(fresh_seed())


def position_or_record(what: str, ply: int | None, number: int = 1) -> tuple[Position | Seen, AnyRecord | None]:
    """A position given as text; or the position of a record file after `ply` plies (or the last), and the record."""
    what = what.strip()
    if what.partition(":")[0] in GAMES:
        if ply is not None:
            raise Refused("--ply is for a record file, not for a position")
        try:
            return read_any_position(what), None
        except BadText as error:
            raise Refused(f"the position, column {error.column}: {error.problem}") from None
    if what != "-" and not _exists(what):
        raise Refused(
            f"{what[:60]!a} is neither a file nor a position (which starts with "
            f"{listed([name + ':' for name in GAMES])})"
        )
    record = record_of(what, number)
    return record.position(ply), record


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a file name, or with invalid characters
        return False


def as_seen(position: Position | Seen, seat: int | None) -> Position | Seen:
    """A position as a seat (counted from 1) sees it; unchanged without a seat."""
    if seat is None:
        return position
    if isinstance(position, Seen):
        if position.seat != seat - 1:
            raise Refused(f"this is what {actor_name(position.seat)} sees: it does not show what seat {seat} sees")
        return position
    _check_seat(seat, position.seats)
    return position.seen_by(seat - 1)


def record_as_seen(record: AnyRecord, seat: int | None) -> AnyRecord:
    """A record as a seat (counted from 1) saw the game; unchanged without a seat."""
    if seat is None:
        return record
    if isinstance(record, SeenRecord):
        if record.seat != seat - 1:
            who = actor_name(record.seat)
            raise Refused(f"this is the game as {who} saw it: it does not show what seat {seat} saw")
        return record
    _check_seat(seat, record.start.seats)
    return record.seen_by(seat - 1)


def _check_seat(seat: int, seats: int) -> None:
    if not 1 <= seat <= seats:
        raise Refused(f"there is no seat {seat}: seats are 1 to {seats}")


def record_of(path: str | Path, number: int = 1, *, alone: bool = False) -> AnyRecord:
    """Read one record of a file by its number. With `alone`, a file that holds several is refused."""
    parts = list(split_records(read_file(path)))
    if alone and len(parts) > 1:
        raise Refused(f"{path} holds several games: copy the one to resume into a separate file")
    if number > len(parts):
        raise Refused(f"{path} holds {counted(len(parts), 'game')}: there is no game {number}")
    line, text = parts[number - 1]
    try:
        return read_any_record(text, first_line=line)
    except BadText as error:
        raise Refused(f"{path}: {error}") from None
