"""The engine process's language: lines of JSON become requests. Described in docs/protocol.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tilery.core.position import Position, Seen
from tilery.core.record_text import LONGEST as LONGEST_RECORD
from tilery.core.record_text import AnyRecord
from tilery.core.refusals import NotYourTurn, Refused
from tilery.core.text import listed
from tilery.engine.bots import BOTS, check_bot
from tilery.engine.family import method_of
from tilery.engine.fields import Fields, Wrong, read_object
from tilery.engine.limits import Limit
from tilery.engine.turns import decision, last_decision
from tilery.games import read_any_position, read_any_record

PROTOCOL = 1
LONGEST_LINE = 1 << 20  # bytes
LINES = 10  # moves that are reported unless told
MOST_LINES = 1000
MOST_THREADS = 64
MOST_TURNS = 10_000
MOST_PRIORITY = 1 << 31
_MOST_WARNINGS = 20
_LIMITS = ("maxTime", "maxCpu", "maxNodes", "maxDepth")
_ACTIONS = ("query_version", "query_bots", "terminate", "terminate_all", "play")


@dataclass(frozen=True)
class Request:
    """One line that asks for something, and the fields of it that nobody knows."""

    id: str
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tell(Request):
    """What the process is, or which bots there are."""

    action: str = ""


@dataclass(frozen=True)
class Terminate(Request):
    """Stop thinking about the queries with these ids; about all of them if there are none."""

    action: str = ""
    ids: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Think(Request):
    """What to think about, and how."""

    turns: tuple[tuple[int, Seen], ...] = ()  # after so many plies: what the seat sees that decides there
    limit: Limit = field(default_factory=Limit)
    method: str | None = None
    threads: int = 1
    seed: int | str = 0
    priority: int = 0


@dataclass(frozen=True)
class Analyse(Think):
    """A query: the best moves of each turn."""

    lines: int = LINES
    every: float | None = None  # seconds between partial answers


@dataclass(frozen=True)
class Play(Think):
    """One move, as a bot makes it; of a bot of the roster if one is named."""

    bot: str | None = None


def read_request(line: bytes, limit: Limit) -> Request:
    """What a line asks for; `limit` holds where it names none. Refused with the id and the field that is wrong."""
    if len(line) > LONGEST_LINE:
        raise Wrong(f"a line has at most {LONGEST_LINE:,} bytes")
    fields = Fields(read_object(line))
    id = fields.text("id", longest=1000, empty=True)
    if id is None:
        raise Wrong("expected an id: any text, which the answers will carry", "id")
    try:
        request = _request(fields, id, limit)
    except Wrong as wrong:
        raise Wrong(wrong.problem, wrong.field, id) from None
    return replace(request, unknown=tuple(name[:200] for name in fields.names()[:_MOST_WARNINGS]))


def _request(fields: Fields, id: str, limit: Limit) -> Request:
    action = fields.text("action")
    if action is None:
        return _analyse(fields, id, limit)
    if action not in _ACTIONS:
        raise Wrong(f"there is no action {action[:40]!a}: expected {listed(_ACTIONS)}, or none for a query", "action")
    if action == "play":
        return _play(fields, id, limit)
    if action == "terminate":
        return Terminate(id, action=action, ids=_ids(fields))
    if action == "terminate_all":
        return Terminate(id, action=action)
    return Tell(id, action=action)


def _ids(fields: Fields) -> tuple[str, ...]:
    one = fields.text("terminateId", longest=1000, empty=True)
    several = fields.texts("terminateIds", MOST_TURNS)
    if (one is None) == (several is None):
        raise Wrong("expected either terminateId or terminateIds", "terminateId")
    return (one,) if one is not None else tuple(several or ())


def _analyse(fields: Fields, id: str, limit: Limit) -> Analyse:
    turns = _turns(fields)
    terms = _terms(fields, id, turns, limit)
    lines = fields.whole("lines", 1, MOST_LINES) or LINES
    every = fields.seconds("reportDuringSearchEvery", 0.01)
    return Analyse(**vars(terms), lines=lines, every=every)


def _play(fields: Fields, id: str, limit: Limit) -> Play:
    if "turns" in fields:
        raise Wrong("one move is made in one position: leave out turns", "turns")
    fields.texts("moves", 1 << 20)  # for programs that know no rules; this one does
    bot = fields.text("bot")
    own = [name for name in (*_LIMITS, "method", "threads") if name in fields]
    turns = _turns(fields)
    if bot is not None:
        if bot not in BOTS:
            raise Wrong(f"there is no bot {bot[:40]!a}: ask with query_bots", "bot")
        if own:
            raise Wrong(f"{bot} knows how long to think: leave out {own[0]}, or leave out bot", own[0])
        try:
            check_bot(turns[0][1].game, bot, turns[0][1].rules)
        except Refused as refused:
            raise Wrong(str(refused), "bot") from None
    terms = _terms(fields, id, turns, limit)
    return Play(**vars(terms), bot=bot)


def _terms(fields: Fields, id: str, turns: Sequence[tuple[int, Seen]], limit: Limit) -> Think:
    """How to think. A limit in the line takes the place of the usual one as a whole."""
    chosen = Limit(
        time=fields.seconds("maxTime"),
        cpu=fields.seconds("maxCpu"),
        nodes=fields.whole("maxNodes", 1, 10**12),
        depth=fields.whole("maxDepth", 1, 1000),
    )
    method = fields.text("method")
    if method is not None:
        try:
            method_of(turns[0][1].game, method)
        except Refused as refused:
            raise Wrong(str(refused), "method") from None
    threads = fields.whole("threads", 1, MOST_THREADS) or 1
    seed = fields.seed("seed") or 0
    priority = fields.whole("priority", -MOST_PRIORITY, MOST_PRIORITY) or 0
    return Think(id, (), tuple(turns), limit if chosen == Limit() else chosen, method, threads, seed, priority)


def _turns(fields: Fields) -> list[tuple[int, Seen]]:
    seat = fields.whole("seat", 1, 4)
    viewer = None if seat is None else seat - 1
    position, record = fields.text("position", longest=LONGEST_LINE), fields.text("record", longest=LONGEST_RECORD)
    if (position is None) == (record is None):
        raise Wrong("expected either a position or a record", "position")
    if record is not None:
        return _turns_of(_read_record(record), fields, viewer)
    if "turns" in fields:
        raise Wrong("turns are those of a record: leave them out where a position is given", "turns")
    assert position is not None
    try:
        found = read_any_position(position)
    except Refused as refused:
        raise Wrong(str(refused), "position") from None
    return [(0, _decision(found, viewer, "position"))]


def _read_record(text: str) -> AnyRecord:
    try:
        return read_any_record(text)
    except Refused as refused:
        raise Wrong(str(refused), "record") from None


def _turns_of(record: AnyRecord, fields: Fields, viewer: int | None) -> list[tuple[int, Seen]]:
    last = len(record.plies)
    wanted = fields.wholes("turns", 0, last, MOST_TURNS)
    if wanted is None:
        try:
            wanted = [last_decision(record, viewer)]
        except Refused as refused:
            raise Wrong(str(refused), "record" if viewer is None else "seat") from None
    found = {}
    needed = set(wanted)
    positions: Iterable[Position | Seen] = record.positions()
    for count, position in enumerate(positions):
        if count in needed:
            found[count] = _decision(position, viewer, "turns", f"turn {count}: ")
    return [(count, found[count]) for count in wanted]


def _decision(found: Position | Seen, viewer: int | None, field: str, where: str = "") -> Seen:
    try:
        return decision(found, viewer)
    except NotYourTurn as refused:
        raise Wrong(f"{where}{refused}", field if viewer is None else "seat") from None
    except Refused as refused:
        raise Wrong(f"{where}{refused}", field) from None
