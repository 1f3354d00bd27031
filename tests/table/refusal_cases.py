"""Requests that a table refuses, each with the fact that it is refused with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import tilery
from tests.notation import texts
from tests.refusals.cases import Case
from tests.table.table_driver import TableDriver, new_table, setup_of, who_of
from tilery.core.refusals import Argument
from tilery.games.schokoly.kernel.cards import PATTERNS
from tilery.server.auth import read_token
from tilery.server.hosting.host import TableHost
from tilery.server.lobby import Lobby
from tilery.server.rate_limits import limit_reached
from tilery.server.websocket.connection import check_sender
from tilery.server.wire import read_message
from tilery.table import commands
from tilery.table.clock import read_clock
from tilery.table.commands import Answer, Arrange, Leave, Offer, Play, Rename, Resign, Say, Sit, Start
from tilery.table.creation import create_table
from tilery.table.fairness import check_fairness
from tilery.table.handler import MAX_EVENTS
from tilery.table.offers import LATE_AFTER
from tilery.table.refusals import refusal_in
from tilery.table.rendering import previews_of
from tilery.table.state import Table
from tilery.table.text_input import MAX_CHAT_MESSAGES, read_chat, read_entropy, read_id, read_name, read_new_name
from tilery.table.views import own_turn, practice_turn

DAYS = {"days": 2}


def _open() -> TableDriver:
    return TableDriver("ab.", start=False)


def _playing() -> TableDriver:
    return TableDriver("ab")


def _with_bot() -> TableDriver:
    return TableDriver("a*")


def _over() -> TableDriver:
    driver = TableDriver("ab")
    driver.do("a", Resign)
    return driver


def _left() -> TableDriver:
    driver = TableDriver("ab")
    driver.do("b", Leave)
    return driver


def _closed() -> TableDriver:
    driver = TableDriver("a.", start=False)
    driver.do("a", Leave)
    return driver


def _full() -> TableDriver:
    driver = TableDriver("ab")
    driver.table.number = MAX_EVENTS
    return driver


def _much_chat() -> TableDriver:
    driver = TableDriver("ab")
    driver.table.chat_count = MAX_CHAT_MESSAGES
    return driver


def _timed() -> TableDriver:
    driver = TableDriver("ab", clock=DAYS)
    driver.now = 3 * LATE_AFTER
    return driver


def _moved() -> TableDriver:
    driver = TableDriver("ab")
    driver.move_until_chance()
    return driver


def _offered(what: str = "draw", seats: str = "abc") -> TableDriver:
    driver = TableDriver(seats)
    if what == "takeback":
        driver.move_without_chance()
    if what == "rematch":
        driver.do("a", Resign)
        driver.do("b", Resign)
    if what == "replace":
        driver.do("c", Leave)
    fields: dict[str, Any] = {"seat": 2, "bot": "greedy"} if what == "replace" else {}
    driver.offer("a", what, **fields)
    return driver


def _agreed() -> TableDriver:
    driver = _offered()
    assert driver.table.offer
    driver.answer("b", driver.table.offer.number)
    return driver


def _rematched() -> TableDriver:
    driver = _over()
    driver.agree("a", "rematch", "b")
    return driver


def _command(
    prepare: Callable[[], TableDriver],
    person: str,
    kind: type[commands.AnyCommand],
    code: str,
    arguments: dict[str, Argument] | None = None,
    rule: str = "",
    **fields: Any,
) -> Case:
    """A command to a table that was prepared for it; for an answer, `offer` is that of the table if not given."""

    def request() -> object:
        driver = prepare()
        if kind is Answer and "offer" not in fields:
            assert driver.table.offer
            fields["offer"] = driver.table.offer.number
        return driver.handle(person, driver.command(kind, **fields))

    return Case(request, code, arguments or {}, rule)


def _turn(prepare: Callable[[], TableDriver], turn: Callable[[Any, str], object], person: str, code: str) -> Case:
    arguments: dict[str, Argument] = {"name": "Anna"} if code == "turn-of-other" else {}
    return Case(lambda: turn(prepare().table, who_of(person)), code, arguments)


ANNA: dict[str, Argument] = {"name": "Anna"}
LAST: dict[str, Argument] = {"index": 5, "last": 1}

STATE = [
    _command(_closed, "b", Sit, "table-closed", name="B"),
    _command(_full, "a", Say, "too-many-events", {"most": MAX_EVENTS}, text="hello"),
    _command(_playing, "a", Play, "game-moved-on", move="1B1", step=0),
    _command(_timed, "a", Play, "time-up", move="1B1"),
    _command(_open, "a", Play, "not-started", move="1B1"),
    _command(_playing, "c", Sit, "already-started", name="C"),
    _command(_over, "a", Resign, "game-over"),
    _command(_playing, "b", Play, "turn-of-other", ANNA, move="1B1"),
    _command(_playing, "a", Play, "no-factory", {"source": 9, "factories": 5}, "AZ-1", move="9B1"),
    _turn(_playing, own_turn, "b", "turn-of-other"),
    _turn(_playing, own_turn, "c", "seat-needed"),
    _turn(_open, own_turn, "a", "no-game-now"),
    _turn(_playing, practice_turn, "a", "hints-in-practice"),
]

SEATS = [
    _command(_playing, "c", Leave, "seat-needed"),
    _command(_playing, "c", Play, "seat-needed", move="1B1"),
    _command(partial(TableDriver, "aa"), "a", Rename, "which-seat", name="X"),
    _command(_playing, "a", Rename, "not-your-seat", seat=1, name="X"),
    _command(_open, "", Sit, "token-for-seat", name="X"),
    _command(partial(TableDriver, "ab", start=False), "c", Sit, "no-free-seat", name="C"),
    _command(_open, "c", Sit, "no-such-seat", {"index": 3, "last": 2}, seat=3, name="C"),
    _command(_open, "a", Arrange, "no-such-seat", {"index": -1, "last": 2}, seat=-1),
    _command(_open, "c", Sit, "seat-taken", seat=0, name="C"),
    _command(_left, "b", Leave, "already-left"),
    _command(_over, "a", Rename, "names-final", name="X"),
    _command(_open, "b", Arrange, "host-arranges", seat=2, bot="greedy"),
    _command(_open, "c", Start, "players-start"),
    _command(_open, "a", Start, "seat-open"),
]

OFFERS = [
    *(
        _command(partial(_offered, what), "b", Offer, "offer-pending", {"offer": what}, what="draw")
        for what in ("takeback", "draw", "replace", "rematch")
    ),
    _command(_offered, "b", Answer, "offer-gone", offer=1, yes=True),
    _command(_playing, "b", Answer, "offer-gone", offer=1, yes=True),
    _command(partial(_offered, "replace"), "c", Answer, "not-yours-to-decline", yes=False),
    _command(_offered, "a", Answer, "not-yours-to-agree", yes=True),
    _command(_agreed, "b", Answer, "already-agreed", yes=True),
    _command(_open, "a", Offer, "no-game-now", what="takeback"),
    _command(_playing, "a", Offer, "no-move-to-take-back", what="takeback"),
    _command(_moved, "a", Offer, "takeback-reveals", what="takeback"),
    _command(_with_bot, "a", Offer, "draw-with-bots", what="draw"),
    _command(_left, "a", Offer, "draw-without-all", what="draw"),
    _command(_playing, "a", Offer, "replace-nobody", what="replace", seat=7, bot="greedy"),
    _command(_playing, "a", Offer, "replace-present", what="replace", seat=1, bot="greedy"),
    _command(_left, "a", Offer, "bot-missing", what="replace", seat=1),
    _command(_playing, "a", Offer, "rematch-early", what="rematch"),
    _command(_rematched, "a", Offer, "rematch-made", {"table": "U"}, what="rematch"),
]


def _late() -> TableDriver:
    """Anna has not moved for a day."""
    driver = TableDriver("ab")
    driver.now = 2 * LATE_AFTER
    return driver


OFFERS.append(_command(_late, "a", Offer, "replace-yourself", what="replace", seat=0, bot="greedy"))

TYPED = [
    _command(partial(TableDriver, "ab", chat=False), "a", Say, "no-chat", text="hello"),
    _command(_much_chat, "a", Say, "chat-full", {"most": MAX_CHAT_MESSAGES}, text="hello"),
    Case(partial(read_name, " "), "empty-text", {"what": "name"}),
    Case(partial(read_chat, ""), "empty-text", {"what": "chat-message"}),
    Case(partial(read_name, "x" * 25), "text-too-long", {"what": "name", "most": 24, "length": 25}),
    Case(partial(read_chat, "x" * 301), "text-too-long", {"what": "chat-message", "most": 300, "length": 301}),
    Case(partial(read_name, "a\u202eb"), "forbidden-character", {"what": "name", "character": "\u202e"}),
    Case(partial(read_chat, "\u3164"), "forbidden-character", {"what": "chat-message", "character": "\u3164"}),
    Case(partial(read_name, "Anna \u0410nna"), "mixed-scripts", {"text": "\u0410nna"}),
    _command(_open, "c", Sit, "name-taken", {"text": "\u0412"}, name="\u0412"),
    Case(partial(read_new_name, "GREEDY", (), ("greedy",)), "name-of-bot", {"text": "GREEDY"}),
    Case(partial(read_entropy, "xyz"), "entropy-form", {"most": 64}),
    Case(partial(read_id, "a b"), "command-id", {"most": 64}),
    Case(
        partial(read_clock, {"days": 99}),
        "clock-form",
        {"least": 10, "base": 10800, "increment": 180, "days": 14},
    ),
]


def _created(code: str, arguments: dict[str, Argument], person: str = "a", rule: str = "", **setup: Any) -> Case:
    return Case(lambda: new_table(setup_of("ab", **setup), person), code, arguments, rule)


def _without_token() -> object:
    def never(*_: object) -> None:
        raise AssertionError

    return create_table(setup_of("ab"), "", 0.0, ("T", b"x" * 32), tilery.game, never)


CREATED = [
    Case(_without_token, "token-for-table"),
    _created("no-such-game", {"text": "chess", "games": "azul chocolatier schokoly"}, name="chess"),
    _created("text-too-long", {"what": "variant", "most": 100, "length": 101}, variant="x" * 101),
    _created(
        "expected-word",
        {
            "what": "option",
            "words": "grey specials=game specials start= rounds= stall=",
            "found": "red",
            "in_variant": "2,red",
        },
        variant="red",
    ),
    _created("swap-seats", {"in_variant": "2,swap"}, rule="SC-50", name="schokoly", variant="swap"),
]


def _finished() -> tilery.Record:
    driver = TableDriver("ab")
    driver.do("a", Resign)
    record = driver.table.record()
    assert isinstance(record, tilery.Record)
    return record


def _with_tags(**tags: str) -> Callable[[], object]:
    def request() -> object:
        record = _finished()
        return check_fairness(tilery.Record(record.start, record.plies, record.players, {**record.tags, **tags}))

    return request


def _without_tag() -> object:
    return check_fairness(tilery.Record(_finished().start))


def _other_deal() -> object:
    record = _finished()
    first = record.start.moves()[0]
    assert first.action != record.plies[0].action
    plies = (tilery.Ply(tilery.CHANCE, first.action),)
    return check_fairness(tilery.Record(record.start, plies, record.players, record.tags))


FAIRNESS = [
    Case(_without_tag, "fairness-tag", {"tag": "Commitment"}),
    Case(_with_tags(Secret="x"), "secret-form", {"digits": 64}),
    Case(_with_tags(Secret="00" * 32), "secret-differs"),
    Case(_other_deal, "deal-differs", {"at": 0, "deal": 0, "dealt": "+BBBB", "right": "+BYKW"}),
]


def _card_of_swap() -> object:
    """The preview of a swap whose card the player names."""
    driver = TableDriver("abc", "schokoly", variant="swap")
    while driver.table.position.view["phase"] != "accept":
        moves = texts(driver.table.position)
        swaps = ("offer:", "answer:", "accept")
        driver.move(next((at for at, move in enumerate(moves) if move.startswith(swaps)), 0))
    seen = own_turn(driver.table, who_of(driver.turn_of))
    previews = previews_of(seen, [f"accept:{card}" for card in PATTERNS])
    raise next(refusal_in(each.error) for each in previews if each.error and each.error.code == "card-not-named")


REQUESTS = [
    Case(_card_of_swap, "card-not-named"),
    Case(partial(read_message, "{"), "message-form", {"problem": "Input data was truncated"}),
    Case(partial(read_token, "x"), "token-form", {"digits": 32}),
    Case(partial(check_sender, "", Sit(id="1", step=0, name="Ann")), "seat-by-request"),
]


def _limit(code: str) -> Case:
    def request() -> object:
        raise limit_reached(code, 1199.5)

    return Case(request, code, {"seconds": 1200})


def _full_lobby() -> object:
    async def never() -> Table:
        raise AssertionError

    return asyncio.run(Lobby(cast("TableHost", None), 0).create("192.0.2.1", never))


LIMITS = [
    *map(_limit, ("too-many-commands", "too-many-tables", "too-many-seats", "too-much-stored")),
    Case(_full_lobby, "too-many-public-tables", {"most": 0}),
]

CASES = [*REQUESTS, *LIMITS, *STATE, *SEATS, *OFFERS, *TYPED, *CREATED, *FAIRNESS]
