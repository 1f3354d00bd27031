"""A table is the fold of its stored events: reading the log again always gives the same table."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

from tests.notation import texts
from tests.table.table_driver import TableDriver, snapshot
from tilery.games import game
from tilery.table import commands, events
from tilery.table.events import read_event, write_event
from tilery.table.plies import PlayedPlies, replay_texts
from tilery.table.refusals import TableRefused
from tilery.table.state import Table, fold

TABLES = [
    ("ab", "azul", "grey", None),
    ("a*b", "azul", "specials,start=drawn", {"base": 300, "increment": 1}),
    ("abcd", "chocolatier", "specials=game", None),
    ("aab", "chocolatier", "", {"days": 1}),
    ("ab", "schokoly", "", {"base": 600}),
    ("abc", "schokoly", "swap", None),
    ("a**", "schokoly", "large,swap", {"base": 300, "increment": 3}),
    ("abcd", "schokoly", "large", {"days": 2}),
]


def random_command(driver: TableDriver, dice: random.Random) -> tuple[type[commands.AnyCommand], dict[str, Any]]:
    seat = dice.choice([None, 0, 1, 2, 3, -1, 99])
    kind: Any = dice.choice(
        [
            *[commands.Play] * 30,
            *[commands.Say, commands.Rename] * 2,
            *[commands.Offer] * 6,
            *[commands.Answer] * 12,
            *[commands.Leave] * 2,
            commands.Resign if dice.random() < 0.2 else commands.Say,
            *[commands.Sit, commands.Arrange, commands.Start],
        ]
    )
    moves = texts(driver.table.position) if driver.table.actor is not None else ["pass"]
    choices: dict[type[commands.AnyCommand], dict[str, Any]] = {
        commands.Play: {"move": dice.choice([*moves[:40], *moves[-5:], "nonsense"])},
        commands.Say: {"text": dice.choice(["hey", "Zoë 🦊", "", "\u202e"])},
        commands.Rename: {"name": dice.choice(["Ünï", "x" * 30]), "seat": seat},
        commands.Offer: {
            "what": dice.choice(["takeback", "takeback", "takeback", "draw", "replace", "rematch"]),
            "seat": seat,
            "bot": dice.choice(["greedy", None, "?"]),
        },
        commands.Answer: {"offer": driver.table.offer.number if driver.table.offer else 3, "yes": dice.random() < 0.7},
        commands.Leave: {},
        commands.Resign: {"seat": seat},
        commands.Sit: {"name": "S", "seat": seat, "entropy": dice.choice(["", "ab"])},
        commands.Arrange: {"seat": seat or 0, "bot": dice.choice(["greedy", None])},
        commands.Start: {"entropy": "12"},
    }
    fields = choices[kind]
    if dice.random() < 0.05:
        fields = {**fields, "step": driver.table.step - 1}
    if dice.random() < 0.05:
        fields = {**fields, "id": "c3"}
    return kind, fields


@cache
def random_driver(number: int, most: int) -> tuple[TableDriver, list[dict[str, Any]], int]:
    """A table with random commands; also its state after every event, and the number of refusals."""
    dice = random.Random(number)
    seats, name, variant, clock = TABLES[number % len(TABLES)]
    driver = TableDriver(seats, name, variant=variant, clock=clock, start=False)
    states: list[dict[str, Any]] = []
    refused = 0
    follow = driver.table.apply

    def apply(event: events.Event, played: PlayedPlies | None = None) -> Any:
        applied_event = follow(event, played)
        states.append(snapshot(driver.table))
        return applied_event

    driver.table.apply = apply  # type: ignore[method-assign]
    driver.do("a", commands.Start, entropy="cafe")
    people = "".join(sorted({letter for letter in seats if letter != "*"})) + "x"
    for _ in range(most):
        driver.now += dice.choice([0, 0.25, 1, 3])
        if dice.random() < 0.01:
            driver.now += 50_000
            driver.resume()
        driver.tick()
        if driver.table.status != "playing" and dice.random() < 0.05:
            break
        if driver.table.actor is not None and driver.table.seats[driver.actor].kind == "bot":
            driver.move(dice.randrange(1000))
            continue
        kind, fields = random_command(driver, dice)
        person = dice.choice(people)
        if kind is commands.Play and driver.table.actor is not None and dice.random() < 0.9:
            person = driver.turn_of
        before = driver.table.number, driver.table.position, driver.table.offer
        try:
            driver.do(person, kind, **fields)
        except TableRefused:
            refused += 1
            assert before == (driver.table.number, driver.table.position, driver.table.offer)
    return driver, states, refused


@pytest.mark.parametrize("number", range(24))
def test_folding_the_log_gives_the_same_table_after_every_event(number: int) -> None:
    driver, states, refused = random_driver(number, 150)
    assert refused > 5
    assert len(states) > 30
    created = read_event(driver.log[0])
    assert isinstance(created, events.Created)
    table = Table("T", created, game)
    lines = iter(driver.log)
    for _ in range(len(driver.log) - len(states)):
        table.apply(read_event(next(lines)))
    for line, state in zip(lines, states, strict=True):
        table.apply(read_event(line))
        assert snapshot(table) == state
    whole = fold("T", driver.log, game)
    assert snapshot(whole) == states[-1]
    assert [read_event(line) for line in driver.log] == driver.events


def test_random_games_reach_every_type_of_event() -> None:
    seen = {json.loads(line)["type"] for number in range(24) for line in random_driver(number, 150)[0].log}
    rare = {"closed", "arranged", "drawn", "rematched", "replaced"}
    assert seen | rare == {str(kind.__struct_config__.tag) for kind in events.Event.__subclasses__()}


HEAD = {"at": 1234567.875, "by": "ab" * 16, "id": "x-1"}
EVERY = [
    events.Created(
        **{**HEAD, "by": "", "id": ""},  # type: ignore[arg-type]
        game="azul",
        rules="2",
        names=("Zoë 🦊", ""),
        keys=("k" * 64, ""),
        bots=("", ""),
        host="k" * 64,
        commitment="c",
        clock={"base": 60, "increment": 0},
        public=True,
        chat=False,
        before="T0",
    ),
    events.Sat(**HEAD, seat=1, name='"quoted\\"', key="k", entropy="ab"),  # type: ignore[arg-type]
    events.Left(**HEAD, seats=(0, 2)),  # type: ignore[arg-type]
    events.Returned(**HEAD, seats=()),  # type: ignore[arg-type]
    events.Renamed(**HEAD, seat=0, name="日本"),  # type: ignore[arg-type]
    events.Arranged(**HEAD, seat=0, bot=""),  # type: ignore[arg-type]
    events.Started(**HEAD, entropy="ab,cd", deals=("+BBYY", "+KKKK")),  # type: ignore[arg-type]
    events.Played(**HEAD, seat=1, move="1B1", deals=()),  # type: ignore[arg-type]
    events.TakenBack(**HEAD, plies=7),  # type: ignore[arg-type]
    events.Resigned(**HEAD, seat=1, why="time", bot="greedy"),  # type: ignore[arg-type]
    events.Drawn(**HEAD),  # type: ignore[arg-type]
    events.Offered(**HEAD, what="replace", seat=None, bot=""),  # type: ignore[arg-type]
    events.Agreed(**HEAD),  # type: ignore[arg-type]
    events.Declined(**HEAD),  # type: ignore[arg-type]
    events.Replaced(**HEAD, seat=1, bot="random"),  # type: ignore[arg-type]
    events.Said(**HEAD, seat=0, text="<b>&\u2028"),  # type: ignore[arg-type]
    events.Resumed(**HEAD),  # type: ignore[arg-type]
    events.Revealed(**HEAD, secret="00"),  # type: ignore[arg-type]
    events.Rematched(**HEAD, table="U"),  # type: ignore[arg-type]
    events.Closed(**HEAD),  # type: ignore[arg-type]
]


def test_every_type_of_event_is_tested() -> None:
    assert {type(event) for event in EVERY} == set(events.Event.__subclasses__())


@pytest.mark.parametrize("event", EVERY, ids=lambda event: event.type)
def test_an_event_is_one_line_and_round_trips(event: events.Event) -> None:
    line = write_event(event)
    assert "\n" not in line
    assert read_event(line) == event
    assert type(read_event(line)) is type(event)
    assert write_event(read_event(line)) == line


def test_what_the_handler_has_worked_out_is_what_the_event_leads_to() -> None:
    for seats, name, variant, _ in TABLES:
        driver = TableDriver(seats, name, variant=variant)
        for number in range(20):
            before = driver.table.position
            driver.move(number)
            event = driver.handled.events[0]
            assert isinstance(event, events.Played)
            assert driver.handled.played == replay_texts(before, (event.move, *event.deals))
