"""A table is the fold of its stored events: whatever happens, reading the log again gives the same table."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

from tests.table.driving import Room, snapshot
from tilery.games import game
from tilery.table import commands as asked
from tilery.table import events as happened
from tilery.table.events import read_event, write_event
from tilery.table.refusing import TableRefused
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


def random_command(room: Room, dice: random.Random) -> tuple[type[asked.AnyCommand], dict[str, Any]]:
    seat = dice.choice([None, 0, 1, 2, 3, -1, 99])
    kind: type[asked.AnyCommand] = dice.choice(
        [
            *[asked.Play] * 30,
            *[asked.Say, asked.Rename] * 2,
            *[asked.Offer] * 6,
            *[asked.Answer] * 12,
            *[asked.Leave] * 2,
            asked.Resign if dice.random() < 0.2 else asked.Say,
            *[asked.Sit, asked.Arrange, asked.Start],
        ]
    )
    moves = room.table.position.moves() if room.table.actor is not None else ["pass"]
    choices: dict[type[asked.AnyCommand], dict[str, Any]] = {
        asked.Play: {"move": dice.choice([*moves[:40], *moves[-5:], "nonsense"])},
        asked.Say: {"text": dice.choice(["hey", "Zoë 🦊", "", "\u202e"])},
        asked.Rename: {"name": dice.choice(["Ünï", "x" * 30]), "seat": seat},
        asked.Offer: {
            "what": dice.choice(["takeback", "takeback", "takeback", "draw", "replace", "rematch"]),
            "seat": seat,
            "bot": dice.choice(["greedy", None, "?"]),
        },
        asked.Answer: {"offer": room.table.offer.number if room.table.offer else 3, "yes": dice.random() < 0.7},
        asked.Leave: {},
        asked.Resign: {"seat": seat},
        asked.Sit: {"name": "S", "seat": seat, "entropy": dice.choice(["", "ab"])},
        asked.Arrange: {"seat": seat or 0, "bot": dice.choice(["greedy", None])},
        asked.Start: {"entropy": "12"},
    }
    fields = choices[kind]
    if dice.random() < 0.05:
        fields = {**fields, "step": room.table.step - 1}
    if dice.random() < 0.05:
        fields = {**fields, "id": "c3"}
    return kind, fields


@cache
def random_room(number: int, most: int) -> tuple[Room, list[dict[str, Any]], int]:
    """A table at which all sorts of things are tried; also what it looked like after every event."""
    dice = random.Random(number)
    seats, name, variant, clock = TABLES[number % len(TABLES)]
    room = Room(seats, name, variant=variant, clock=clock, start=False)
    states: list[dict[str, Any]] = []
    refused = 0
    follow = room.table.apply

    def apply(event: happened.Event) -> Any:
        happening = follow(event)
        states.append(snapshot(room.table))
        return happening

    room.table.apply = apply  # type: ignore[method-assign]
    room.do("a", asked.Start, entropy="cafe")
    people = "".join(sorted({letter for letter in seats if letter != "*"})) + "x"
    for _ in range(most):
        room.now += dice.choice([0, 0.25, 1, 3])
        if dice.random() < 0.01:
            room.now += 50_000
            room.resume()
        room.tick()
        if room.table.status != "playing" and dice.random() < 0.05:
            break
        if room.table.actor is not None and room.table.seats[room.actor].kind == "bot":
            room.move(dice.randrange(1000))
            continue
        kind, fields = random_command(room, dice)
        person = dice.choice(people)
        if kind is asked.Play and room.table.actor is not None and dice.random() < 0.9:
            person = room.turn_of
        before = room.table.number, room.table.position, room.table.offer
        try:
            room.do(person, kind, **fields)
        except TableRefused:
            refused += 1
            assert before == (room.table.number, room.table.position, room.table.offer)
    return room, states, refused


@pytest.mark.parametrize("number", range(24))
def test_reading_the_log_again_gives_the_same_table_after_every_event(number: int) -> None:
    room, states, refused = random_room(number, 150)
    assert refused > 5
    assert len(states) > 30
    founded = read_event(room.log[0])
    assert isinstance(founded, happened.Founded)
    table = Table("T", founded, game)
    lines = iter(room.log)
    for _ in range(len(room.log) - len(states)):
        table.apply(read_event(next(lines)))
    for line, state in zip(lines, states, strict=True):
        table.apply(read_event(line))
        assert snapshot(table) == state
    whole = fold("T", room.log, game)
    assert snapshot(whole) == states[-1]
    assert all("ahead" not in json.loads(line) for line in room.log)
    assert [read_event(line) for line in room.log] == room.events


def test_what_was_tried_reaches_every_kind_of_event() -> None:
    seen = {json.loads(line)["type"] for number in range(24) for line in random_room(number, 150)[0].log}
    rare = {"closed", "arranged", "drawn", "rematched", "replaced"}
    assert seen | rare == {kind.type for kind in happened.Event.__subclasses__()}


HEAD = {"at": 1234567.875, "by": "ab" * 16, "id": "x-1"}
EVERY = [
    happened.Founded(
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
    happened.Sat(**HEAD, seat=1, name='"quoted\\"', key="k", entropy="ab"),  # type: ignore[arg-type]
    happened.Left(**HEAD, seats=(0, 2)),  # type: ignore[arg-type]
    happened.Returned(**HEAD, seats=()),  # type: ignore[arg-type]
    happened.Renamed(**HEAD, seat=0, name="日本"),  # type: ignore[arg-type]
    happened.Arranged(**HEAD, seat=0, bot=""),  # type: ignore[arg-type]
    happened.Started(**HEAD, entropy="ab,cd", deals=("+BBYY", "+KKKK")),  # type: ignore[arg-type]
    happened.Played(**HEAD, seat=1, move="1B1", deals=()),  # type: ignore[arg-type]
    happened.TakenBack(**HEAD, plies=7),  # type: ignore[arg-type]
    happened.Resigned(**HEAD, seat=1, why="time", bot="greedy"),  # type: ignore[arg-type]
    happened.Drawn(**HEAD),  # type: ignore[arg-type]
    happened.Offered(**HEAD, what="replace", seat=None, bot=""),  # type: ignore[arg-type]
    happened.Agreed(**HEAD),  # type: ignore[arg-type]
    happened.Declined(**HEAD),  # type: ignore[arg-type]
    happened.Replaced(**HEAD, seat=1, bot="random"),  # type: ignore[arg-type]
    happened.Said(**HEAD, seat=0, text="<b>&\u2028"),  # type: ignore[arg-type]
    happened.Resumed(**HEAD),  # type: ignore[arg-type]
    happened.Revealed(**HEAD, secret="00"),  # type: ignore[arg-type]
    happened.Rematched(**HEAD, table="U"),  # type: ignore[arg-type]
    happened.Closed(**HEAD),  # type: ignore[arg-type]
]


def test_every_kind_of_event_is_tried() -> None:
    assert {type(event) for event in EVERY} == set(happened.Event.__subclasses__())


@pytest.mark.parametrize("event", EVERY, ids=lambda event: event.type)
def test_an_event_is_one_line_and_reads_back(event: happened.Event) -> None:
    line = write_event(event)
    assert "\n" not in line
    assert read_event(line) == event
    assert type(read_event(line)) is type(event)
    assert write_event(read_event(line)) == line


def test_what_an_event_leads_to_is_never_stored() -> None:
    room = Room("ab", start=False)
    handled = room.ask("a", room.command(asked.Start))
    started = handled.events[0]
    assert isinstance(started, happened.Started)
    assert started.ahead is not None
    assert "ahead" not in write_event(started)
    assert started == read_event(write_event(started))
    room.apply(handled.events)
    assert started.ahead is None  # and is not kept in memory either
