"""Reading records: all plies in one call of the kernel, with the same results as one by one, in linear time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.server.attacks.expensive_requests import longest_record
from tests.variants import EVERY
from tilery import GAMES, BadText, Ply, Position, Record, Stream, read_record
from tilery.core.game import as_rows

READ = 0.030  # seconds of CPU time for a record of 64 KiB


def random_record(name: str, variant: str) -> Record:
    position = start = GAMES[name].new(variant)
    stream = Stream("plies", name, variant)
    plies = []
    while position.outcome is None:
        action = position.draw(stream) if position.actor < 0 else stream.choice(position.actions())
        plies.append(Ply(position.actor, action))
        position = position.play(action)
    return Record(start, tuple(plies))


@pytest.fixture(params=[(family, rules.text) for family, every in EVERY.items() for rules in every[::3]], ids=":".join)
def record(request: pytest.FixtureRequest) -> Record:
    return random_record(*request.param)


def test_the_kernel_replays_as_one_by_one(record: Record) -> None:
    kernel = record.game.kernel
    actions = np.array([ply.action for ply in record.plies], dtype=np.int64)
    facts = np.empty((len(actions), 2), dtype=np.int64)
    rows = as_rows(record.start.row)
    assert kernel.replay(rows, 0, actions, facts) == len(actions)
    *before, last = record.positions()
    assert rows.tobytes() == last.row
    assert facts.tolist() == [[position.actor, position.round] for position in before]
    wrong = actions.copy()
    at = len(wrong) // 2
    wrong[at] = -1
    rows = as_rows(record.start.row)
    assert kernel.replay(rows, 0, wrong, facts) == at
    assert rows.tobytes() == before[at].row


def test_texts_that_mean_the_same_in_all_positions_do(record: Record) -> None:
    known = record.game.moves_by_text
    by_action = {action: text for text, action in known.items()}
    for position in record.positions():
        for action in position.actions():
            text = position.move_text(action)
            assert known.get(text, action) == action or not_legal(position, known[text])
            assert by_action.get(action, text) == text


def not_legal(position: Position, action: int) -> bool:
    return position.refusal(action) is not None


def test_a_record_with_comments_is_read_as_it_was_written(record: Record) -> None:
    comments = {at: f"after {at}" for at in range(0, len(record.plies) + 1, 3)}
    commented = replace(record, comments=comments)
    read = read_record(commented.text)
    assert read == commented
    assert read.last == record.position()


def quoted(number: int) -> str:
    """A tag whose value is nothing but backslashes."""
    return f'[T{number} "' + r"\\" * 2400 + '"]\n'


def variations(record: Record) -> dict[str, str]:
    """Texts that take as long as possible for their length."""
    text = record.text
    size = len(text)
    tags, _, _ = text.partition("[Result")
    short = record.upto(len(record.plies) * 3 // 5)
    return {
        "plies": text,
        "comments": replace(short, comments=dict.fromkeys(range(len(short.plies)), "")).text,
        "blanks": short.text + " \n" * ((size - len(short.text)) // 2),
        "tags": tags + "".join(quoted(k) for k in range(size // 4810)) + '[Result "*"]\n',
        "an unknown word at the end": text.rstrip() + " x",
        "a brace at the end": text.rstrip() + " {",
        "braces": f"{short.text}{'{' * (size - len(short.text))}",
        "unknown words": f"{short.text}{' x' * ((size - len(short.text)) // 2)}",
        "one word": f"{short.text}{'x' * (size - len(short.text))}",
    }


def seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def read_or_refuse(text: str) -> None:
    with contextlib.suppress(BadText):
        read_record(text)


LONG = [("azul", "2"), ("azul", "4,grey,specials"), ("chocolatier", "2,specials=game"), ("schokoly", "4,large")]


@pytest.mark.parametrize(("name", "variant"), LONG)
def test_reading_takes_less_time_than_playing_and_no_more_than_in_proportion(name: str, variant: str) -> None:
    record = longest_record(name, variant)
    playing = seconds(lambda: list(record.positions()))
    small = variations(record.upto(len(record.plies) // 4))
    for what, text in variations(record).items():
        reading = seconds(lambda text=text: read_or_refuse(text))  # type: ignore[misc]
        if len(record.plies) > 5000:
            assert reading < playing, what
        assert reading < 8 * seconds(lambda text=small[what]: read_or_refuse(text)) + 0.005, what  # type: ignore[misc]


@pytest.mark.long
@pytest.mark.parametrize(("name", "variant"), LONG)
def test_64_kib_are_read_within_their_budget(name: str, variant: str) -> None:
    for what, text in variations(longest_record(name, variant)).items():
        spent = seconds(lambda text=text: read_or_refuse(text))  # type: ignore[misc]
        print(f"{name}:{variant}, {what}: {len(text.encode())} bytes, {1000 * spent:.1f} ms of CPU")
        assert spent < READ, what
