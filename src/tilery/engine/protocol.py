"""The protocol of the engine process: lines of JSON become requests. Described in docs/protocol.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tilery.core.position import Position, Seen
from tilery.core.record_text import MAX_RECORD_CHARACTERS, AnyRecord
from tilery.core.refusals import NotYourTurn, Refused
from tilery.core.text import listed
from tilery.engine.bots import BOTS, load_bot
from tilery.engine.decisions import decision, last_decision
from tilery.engine.family import method_of
from tilery.engine.json_fields import Fields, InvalidRequest, read_object
from tilery.engine.limits import Limit
from tilery.games import read_any_position, read_any_record

PROTOCOL = 2
MAX_LINE_BYTES = 1 << 20
VARIATIONS = 10  # reported by default
MAX_VARIATIONS = 1000
MAX_THREADS = 64
MAX_TURNS = 10_000
MAX_PRIORITY = 1 << 31
_MAX_WARNINGS = 20
_LIMITS = ("maxTime", "maxCpu", "maxNodes", "maxDepth")
_ACTIONS = ("query_version", "query_bots", "terminate", "terminate_all", "play")


@dataclass(frozen=True)
class Request:
    """A request, with the names of its unknown fields."""

    id: str
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class EngineQuery(Request):
    """A query for the version (`query_version`) or for the list of bots (`query_bots`)."""

    action: str = ""


@dataclass(frozen=True)
class Terminate(Request):
    """Stop the queries with these ids, or all of them if `ids` is None."""

    action: str = ""
    ids: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Think(Request):
    """What analysis and play queries have in common: what to search, and how."""

    turns: tuple[tuple[int, Seen], ...] = ()  # number of plies before it, and what the deciding seat sees
    limit: Limit = field(default_factory=Limit)
    method: str | None = None
    threads: int = 1
    seed: int | str = 0
    priority: int = 0


@dataclass(frozen=True)
class Analyse(Think):
    """An analysis query: the best moves of each turn."""

    variations: int = VARIATIONS
    every: float | None = None  # seconds between partial answers


@dataclass(frozen=True)
class Play(Think):
    """A query for one move, of a search or of a bot by name."""

    bot: str | None = None


def read_request(line: bytes, limit: Limit) -> Request:
    """The request in a line; `limit` applies if it sets none. An `InvalidRequest` has the id and the invalid field."""
    if len(line) > MAX_LINE_BYTES:
        raise InvalidRequest(f"a line has at most {MAX_LINE_BYTES:,} bytes")
    fields = Fields(read_object(line))
    id = fields.text("id", max_length=1000, empty=True)
    if id is None:
        raise InvalidRequest("expected an id: any text, which the answers will repeat", "id")
    try:
        request = _request(fields, id, limit)
    except InvalidRequest as invalid:
        raise InvalidRequest(invalid.problem, invalid.field, id) from None
    return replace(request, unknown=tuple(name[:200] for name in fields.names()[:_MAX_WARNINGS]))


def _request(fields: Fields, id: str, limit: Limit) -> Request:
    action = fields.text("action")
    if action is None:
        return _analyse(fields, id, limit)
    if action not in _ACTIONS:
        raise InvalidRequest(
            f"there is no action {action[:40]!a}: expected {listed(_ACTIONS)}, or none for a query", "action"
        )
    if action == "play":
        return _play(fields, id, limit)
    if action == "terminate":
        return Terminate(id, action=action, ids=_ids(fields))
    if action == "terminate_all":
        return Terminate(id, action=action)
    return EngineQuery(id, action=action)


def _ids(fields: Fields) -> tuple[str, ...]:
    one = fields.text("terminateId", max_length=1000, empty=True)
    several = fields.texts("terminateIds", MAX_TURNS)
    if (one is None) == (several is None):
        raise InvalidRequest("expected either terminateId or terminateIds", "terminateId")
    return (one,) if one is not None else tuple(several or ())


def _analyse(fields: Fields, id: str, limit: Limit) -> Analyse:
    turns = _turns(fields)
    think = _think(fields, id, turns, limit)
    variations = _variations(fields)
    every = fields.seconds("reportDuringSearchEvery", 0.01)
    return Analyse(**vars(think), variations=variations, every=every)


def _variations(fields: Fields) -> int:
    """The field `variations`, which was called `lines` up to 0.1.0; that name is still accepted."""
    if "variations" in fields and "lines" in fields:
        raise InvalidRequest("lines is the old name of variations: leave it out", "lines")
    name = "lines" if "lines" in fields else "variations"
    return fields.whole(name, 1, MAX_VARIATIONS) or VARIATIONS


def _play(fields: Fields, id: str, limit: Limit) -> Play:
    if "turns" in fields:
        raise InvalidRequest("play is about one position: leave out turns", "turns")
    fields.texts("moves", 1 << 20)  # for programs that do not know the rules
    bot = fields.text("bot")
    own = [name for name in (*_LIMITS, "method", "threads") if name in fields]
    turns = _turns(fields)
    if bot is not None:
        if bot not in BOTS:
            raise InvalidRequest(f"there is no bot {bot[:40]!a}: ask with query_bots", "bot")
        if own:
            raise InvalidRequest(f"{bot} has its own limit: leave out {own[0]}, or leave out bot", own[0])
        try:
            load_bot(turns[0][1].game, bot, turns[0][1].rules)
        except Refused as refused:
            raise InvalidRequest(str(refused), "bot") from None
    think = _think(fields, id, turns, limit)
    return Play(**vars(think), bot=bot)


def _think(fields: Fields, id: str, turns: Sequence[tuple[int, Seen]], limit: Limit) -> Think:
    """The fields that say how to search. A limit in the request replaces all of the default `limit`."""
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
            raise InvalidRequest(str(refused), "method") from None
    threads = fields.whole("threads", 1, MAX_THREADS) or 1
    seed = fields.seed("seed") or 0
    priority = fields.whole("priority", -MAX_PRIORITY, MAX_PRIORITY) or 0
    return Think(id, (), tuple(turns), limit if chosen == Limit() else chosen, method, threads, seed, priority)


def _turns(fields: Fields) -> list[tuple[int, Seen]]:
    viewer = fields.whole("seat", 0, 3)
    position, record = (
        fields.text("position", max_length=MAX_LINE_BYTES),
        fields.text("record", max_length=MAX_RECORD_CHARACTERS),
    )
    if (position is None) == (record is None):
        raise InvalidRequest("expected either a position or a record", "position")
    if record is not None:
        return _turns_of(_read_record(record), fields, viewer)
    if "turns" in fields:
        raise InvalidRequest("turns belong to a record: leave them out with a position", "turns")
    assert position is not None
    try:
        start = read_any_position(position)
    except Refused as refused:
        raise InvalidRequest(str(refused), "position") from None
    return [(0, _decision(start, viewer, "position"))]


def _read_record(text: str) -> AnyRecord:
    try:
        return read_any_record(text)
    except Refused as refused:
        raise InvalidRequest(str(refused), "record") from None


def _turns_of(record: AnyRecord, fields: Fields, viewer: int | None) -> list[tuple[int, Seen]]:
    last = len(record.plies)
    wanted = fields.wholes("turns", 0, last, MAX_TURNS)
    if wanted is None:
        try:
            wanted = [last_decision(record, viewer)]
        except Refused as refused:
            raise InvalidRequest(str(refused), "record" if viewer is None else "seat") from None
    decisions = {}
    needed = set(wanted)
    positions: Iterable[Position | Seen] = record.positions()
    for count, position in enumerate(positions):
        if count in needed:
            decisions[count] = _decision(position, viewer, "turns", f"turn {count}: ")
    return [(count, decisions[count]) for count in wanted]


def _decision(position: Position | Seen, viewer: int | None, field: str, where: str = "") -> Seen:
    try:
        return decision(position, viewer)
    except NotYourTurn as refused:
        raise InvalidRequest(f"{where}{refused}", field if viewer is None else "seat") from None
    except Refused as refused:
        raise InvalidRequest(f"{where}{refused}", field) from None
