"""Random commands with random values: a table carries out the valid ones, and refuses the others with a message."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from tests.notation import texts
from tests.table.table_driver import TableDriver, key_of, new_table, snapshot, who_of
from tilery.games import GAMES, game
from tilery.table import commands
from tilery.table.creation import SeatPlan, Setup
from tilery.table.refusals import TableRefused
from tilery.table.state import fold
from tilery.table.views import ClientMessage, TableViews, lobby_card, refusal_message, visible_record
from tilery.table.wire import ClockSetting

COMMANDS: tuple[type[commands.AnyCommand], ...] = commands.AnyCommand.__args__
NUMBERS = [0, 1, 2, 3, 4, 5, -1, -2, -3, 255, 2**31, -(2**31), 2**63, -(2**63) - 1, 10**40]
TEXTS = [
    *("", " ", "a", "Ben", "greedy", "random", "0" * 64, "ab", "x" * 1000, "x" * 100_000, "\x00", "\ud800", "\udfff"),
    *(
        "\u202egnp",
        "é",
        "e\u0301",
        "ﷺ" * 24,
        "\ufb2c" * 20,
        "𝔘",
        "🏳️‍🌈",
        "<b>",
        "{}",
        "[",
        '"',
        "\\",
        "%s",
        "../../etc",
        "\n",
        "C1",
        "null",
    ),
    *("1B1", "CBF", "5WF", "pass", "accept", "decline", "dark", "no-token", "DDDM@0,0", "DDDM@99,-99^", "DDDM@128,0"),
    *(
        "offer:DDDM>2",
        "offer:?1>1",
        "answer:DDMW",
        "accept:DDDM",
        "+DDDM",
        "+BBBB",
        "start=2",
        "token@0,0",
        "1B1>Y",
        "11",
    ),
]


def value_for(name: str, driver: TableDriver, dice: random.Random) -> Any:
    """A value for a field: often valid, often not."""
    table = driver.table
    if name == "id":
        return dice.choice([f"i{dice.randrange(10**9)}"] * 9 + TEXTS)
    if name == "step":
        return dice.choice([table.step] * 9 + NUMBERS)
    if name == "move":
        moves = texts(table.position) if table.actor is not None else []
        return dice.choice([*moves[:30], *moves[-30:], *TEXTS])
    if name == "what":
        return dice.choice(["takeback", "draw", "replace", "rematch"])
    if name == "yes":
        return dice.random() < 0.7
    if name == "offer":
        return dice.choice([table.offer.number if table.offer else 0] * 9 + NUMBERS)
    if name == "seat":
        return dice.choice([0, 1, 2, 3, *NUMBERS])
    if name == "entropy":
        return dice.choice(["", "ab", "0" * 64, *TEXTS])
    return dice.choice(TEXTS)


def nonsense(driver: TableDriver, dice: random.Random) -> commands.AnyCommand:
    kind = dice.choice([*COMMANDS, *[commands.Play] * 8, *[commands.Offer] * 3, *[commands.Answer] * 3])
    chosen = {}
    for each in msgspec.structs.fields(kind):
        if each.required or dice.random() >= 0.4:
            chosen[each.name] = value_for(each.name, driver, dice)
    return kind(**chosen)


def check_refusal(refused: TableRefused) -> None:
    text = ClientMessage(refusal_message(refused, None)).data
    assert len(text) < 900
    assert json.loads(text)["error"]["text"]


@pytest.mark.parametrize("number", range(18))
def test_a_table_survives_random_commands(number: int) -> None:
    dice = random.Random(number)
    seats = ["a.", "ab", "a.c", "aab", "ab*", "abcd"][number % 6]
    name = list(GAMES)[number // 6]
    variant = (
        {"ab*": "swap", "aab": "swap"}.get(seats, "") if name == "schokoly" else ["", "grey", "specials"][number % 3]
    )
    clock = [None, {"base": 60, "increment": 1}, {"days": 1}][number // 3 % 3]
    driver = TableDriver(seats, name, variant=variant, start=False, clock=clock)
    driver.do("a", commands.Say, text="hey")
    for turn in range(260):
        driver.now += dice.choice([0, 0, 0.5, 1, 5])
        driver.tick()
        if dice.random() < 0.03:
            driver.resume()
        if turn == 60 and driver.table.status == "open":
            for seat, place in enumerate(driver.table.seats):
                if place.kind == "open":
                    driver.do("a", commands.Arrange, seat=seat, bot="greedy")
            driver.do("a", commands.Start)
        if driver.table.actor is not None and driver.table.seats[driver.actor].kind == "bot" and dice.random() < 0.9:
            driver.move(dice.randrange(100))
        command = nonsense(driver, dice)
        person = dice.choice("abcdx")
        if isinstance(command, commands.Play) and driver.table.actor is not None and dice.random() < 0.8:
            person = driver.turn_of or person
        before = (driver.table.number, driver.table.status)
        try:
            handled = driver.handle(dice.choice([person] * 20 + [""]), command)
        except TableRefused as refused:
            check_refusal(refused)
            assert (driver.table.number, driver.table.status) == before
            continue
        driver.apply(handled)
        assert max(map(len, driver.log)) < 3000
        for viewer in ("a", "x"):
            json.loads(driver.updates().update(who_of(viewer), chat=True).data)
    views = TableViews(driver.table, driver.now)
    for viewer in "abx":
        for after in (None, *NUMBERS):
            json.loads(views.welcome(who_of(viewer), after=after, chat=True, heartbeat=1.0).data)
        assert visible_record(driver.table, who_of(viewer)).text
    json.loads(lobby_card(driver.table))
    assert snapshot(fold("T", driver.log, game)) == snapshot(driver.table)


def test_a_random_setup_is_accepted_or_refused() -> None:
    dice = random.Random(7)
    made = 0
    for _ in range(1500):
        plans = [
            SeatPlan(
                kind=dice.choice(["me", "me", "open", "bot"]),
                name=dice.choice([*TEXTS, "", "", "Anna"]) if dice.random() < 0.1 else "",
                bot=dice.choice(["greedy"] * 99 + TEXTS),
            )
            for _ in range(dice.choice([2] * 6 + [3, 3, 4, 4, 0, 1, 5]))
        ]
        options = dice.choice([*[""] * 30, "grey", "specials", "large", "swap", "stall=3", "start=drawn", *TEXTS, ","])
        clock = dice.choice([*[None] * 6, {"base": dice.choice(NUMBERS)}, {"days": dice.choice(NUMBERS)}])
        wish = Setup(
            game=dice.choice([*[*GAMES] * 30, *TEXTS]),
            seats=tuple(plans),
            variant=options,
            clock=ClockSetting(**clock) if clock else None,
        )
        try:
            driver = TableDriver(new=new_table(wish))
        except TableRefused as refused:
            check_refusal(refused)
        else:
            made += 1
            assert driver.table.host == who_of("a")
            assert key_of("a")[:16] not in lobby_card(driver.table)
    assert made > 50
