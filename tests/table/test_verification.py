"""A log that the handler wrote is accepted; of a log with a changed field, whatever does not follow is found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.table.table_driver import SECRET, TableDriver
from tests.table.test_fold import random_driver
from tilery.games import game
from tilery.table.commands import Rename, Sit
from tilery.table.events import AnyEvent
from tilery.table.verification import BadLog, check_times, read_log, verify_log

# What nobody can know without a digest: texts that people choose, the moment of an event, other tables, and what the
# host chose. Of ids, only those are noticed that are none, or are used twice. A version is noticed if it matters.
FREE = {"at", "id", "name", "text", "names", "chat", "public", "before", "clock", "rules", "table", "version"}


def problem_of(log: list[str]) -> str:
    """The problem of a log, "" for none."""
    try:
        verified(log)
    except BadLog as problem:
        return str(problem)
    return ""


def verified(log: list[str]) -> None:
    """Verify a log; also its times."""
    read = read_log(log)
    check_times(read)
    verify_log("T", SECRET, read, game)


@pytest.mark.parametrize("number", range(24))
def test_what_the_handler_wrote_is_accepted(number: int) -> None:
    driver, _, _ = random_driver(number, 150)
    log = [event for event in driver.events if isinstance(event, AnyEvent)]
    assert verify_log("T", SECRET, log, game).record() == driver.table.record()


@pytest.mark.parametrize("name", ["X", "х", "a", "ａ"])
def test_any_name_is_accepted_again(name: str) -> None:
    driver = TableDriver("a.", start=False)
    driver.do("a", Rename, name=name)
    driver.do("b", Sit, name="Ben", seat=1)
    driver.do("b", Rename, name="Bea")
    assert problem_of(driver.log) == ""


def changes(value: Any) -> Iterator[Any]:
    """Other values of a field, of the same kind and of another one."""
    yield [] if value is None else None
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, value + 100)
    elif isinstance(value, str):
        yield from (f"{value}0", value[:-1] if value else "x", f"f{value[1:]}" if value else "greedy", "\u0000")
    elif isinstance(value, list):
        yield from ([*value, *(value[:1] or [0])], value[1:] if value else ["x"])
        for index, item in enumerate(value):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in changes(item))
    elif isinstance(value, dict):
        yield from ({**value, name: value[name] + 1} for name in value)


def flipped(log: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Every field of every kind of event, changed in the first and in the last event of that kind."""
    numbers: dict[str, list[int]] = {}
    for number, text in enumerate(log):
        numbers.setdefault(json.loads(text)["type"], []).append(number)
    for kind, places in numbers.items():
        for number in {places[0], places[-1]}:
            fields = json.loads(log[number])
            for name, value in fields.items():
                for other in changes(value):
                    if other != value:
                        text = json.dumps({**fields, name: other}, ensure_ascii=False)
                        yield kind, name, [*log[:number], text, *log[number + 1 :]]


@pytest.mark.parametrize("number", [0, 1, 3, 5, 6])
def test_every_changed_field_is_found_unless_it_is_free(number: int) -> None:
    driver, _, _ = random_driver(number, 150)
    missed: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    for kind, name, log in flipped(driver.log):
        problem = problem_of(log)
        assert problem.startswith("event ") or not problem
        (found if problem else missed)[kind, name] += 1
    assert not {(kind, name) for kind, name in missed if name not in FREE}
    assert {name for _, name in found} > {
        "type",
        "by",
        "id",
        "at",
        "seat",
        "move",
        "deals",
        "keys",
        "host",
        "commitment",
    }


def test_missing_added_and_swapped_events_are_found() -> None:
    driver, _, _ = random_driver(2, 150)
    log = driver.log
    for number in range(len(log) - 1):
        without = [*log[:number], *log[number + 1 :]]
        kinds = {json.loads(text)["type"] for text in log[number : number + 2]}
        if not kinds & {"said", "renamed", "resumed", "offered", "declined", "agreed", "left", "returned"}:
            with pytest.raises(BadLog):
                verified(without)
            with pytest.raises(BadLog):
                verified([*log[:number], log[number + 1], log[number], *log[number + 2 :]])
        if "resumed" not in kinds:
            with pytest.raises(BadLog):
                verified([*log[: number + 1], log[number], *log[number + 1 :]])


def test_a_problem_names_no_secret_key_or_name() -> None:
    driver, _, _ = random_driver(1, 150)
    for _, _, log in flipped(driver.log):
        problem = problem_of(log)
        for hidden in ("Ünï", driver.new.event.host[:8], SECRET.hex()[:8]):
            assert hidden not in problem
