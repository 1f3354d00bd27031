"""What every game guarantees, in every variant and for every number of seats."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np
import pytest

from tests.variants import EVERY
from tilery import (
    CHANCE,
    GAMES,
    OVER,
    SPECTATOR,
    Game,
    NotAMove,
    NotLegal,
    NotYourTurn,
    Ply,
    Position,
    Record,
    Refused,
    Stream,
    read_record,
    read_seen_record,
)
from tilery.core.effects import Effect
from tilery.core.game import Rules, as_rows
from tilery.core.position import BasePosition
from tilery.core.view import apply_changes

MAX_PLIES = 5_000  # plies; every variant tested here has a limit that ends it much earlier


class Case(NamedTuple):
    game: Game
    rules: Rules


# Editions of one family share their kernel: one of them is tested in every variant, the others in some.
CASES = [Case(GAMES[family], rules) for family, every in EVERY.items() for rules in every]
CASES += [
    Case(game, rules) for game in GAMES.values() if game.name != game.family for rules in EVERY[game.family][1::4]
]


@pytest.fixture(params=CASES, ids=lambda case: f"{case.game.name}:{case.rules.text}", scope="module")
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


def walk(case: Case, seed: int = 0) -> Iterator[tuple[Position, int]]:
    """A random game: every position with the action played there (-1 at the end)."""
    stream = Stream("contract", case.game.name, case.rules.text, seed)
    position = case.game.new(case.rules)
    for _ in range(MAX_PLIES):
        if position.actor == OVER:
            yield position, -1
            return
        action = position.draw(stream) if position.actor == CHANCE else stream.choice(position.actions())
        yield position, action
        position = position.play(action)
    raise AssertionError(f"no end after {MAX_PLIES} plies: {position.text}")


def viewers(position: Position) -> list[int]:
    """Everybody who may watch: all seats, and a spectator."""
    return [*range(position.seats), SPECTATOR]


def test_a_game_ends_and_says_how(case: Case) -> None:
    last = [position for position, _ in walk(case)][-1]
    outcome = last.outcome
    assert outcome is not None
    assert outcome.scores == last.scores()
    assert outcome.truncated == (not outcome.winners)
    assert outcome.rule
    assert last.actions() == []
    with pytest.raises(Refused):
        last.play(0)


def test_legal_actions_are_sorted_unique_and_exactly_the_ones_not_refused(case: Case) -> None:
    for position, action in walk(case):
        actions = position.actions()
        assert actions == sorted(set(actions))
        assert action in actions or action == -1
        rows = as_rows(position.row)
        refusal = case.game.kernel.refusal
        candidates = {*range(-2, 2300), *(a + d for a in actions for d in (-8, -1, 0, 1, 8))}
        assert [a for a in sorted(candidates) if refusal(rows, 0, a) == 0] == actions, position.text


def test_a_refusal_names_a_rule_and_changes_nothing(case: Case) -> None:
    for number, (position, _) in enumerate(walk(case)):
        if number % 7:
            continue
        before, legal = position.row, set(position.actions())
        for action in range(0, 2300, 13):
            if action in legal:
                assert position.refusal(action) is None
                continue
            with pytest.raises((NotLegal, NotAMove)) as refused:
                position.play(action)
            assert str(refused.value)
            assert not isinstance(refused.value, NotLegal) or refused.value.rule
        assert position.row == before


def test_moves_and_positions_are_written_and_read_back_exactly(case: Case) -> None:
    for position, _ in walk(case):
        text = position.text
        again = case.game.read(text)
        assert again == position
        assert again.row == position.row
        assert again.text == text
        moves = position.moves()
        assert len(set(moves)) == len(moves)
        assert [position.action(move) for move in moves] == position.actions()


def test_probabilities_are_those_of_the_legal_outcomes_and_sum_to_one(case: Case) -> None:
    for position, _ in walk(case):
        if position.actor == CHANCE:
            probabilities = position.probabilities()
            assert list(probabilities) == position.moves()
            assert sum(probabilities.values()) == pytest.approx(1, abs=1e-12)
            assert min(probabilities.values()) > 0
        else:
            with pytest.raises(Refused):
                position.probabilities()
            with pytest.raises(Refused):
                position.draw(Stream("no"))


def test_only_the_actor_may_act(case: Case) -> None:
    position = case.game.new(case.rules).settle(Stream("turn"))
    other = (position.actor + 1) % position.seats
    with pytest.raises(NotYourTurn):
        position.play(position.moves()[0], by=other)
    with pytest.raises(NotYourTurn):
        position.play(position.moves()[0], by=CHANCE)
    assert position.play(position.moves()[0], by=position.actor) != position


def test_a_seat_sees_the_same_in_worlds_it_cannot_tell_apart(case: Case) -> None:
    """AZ-61: what a seat receives contains only what it may know; a guess looks the same to it."""
    for number, (position, _) in enumerate(walk(case)):
        if number % 10 or position.actor == OVER:
            continue
        for seat in viewers(position):
            seen = position.seen_by(seat)
            world = seen.guess(Stream("guess", number))
            assert world.seen_by(seat) == seen
            assert world.seen_by(SPECTATOR) == position.seen_by(SPECTATOR)
            assert case.game.read(world.text) == world
            assert seen.text
            assert seen.moves() == position.moves() or position.actor != seat


def test_worlds_that_differ_only_in_hidden_information_look_the_same_to_a_spectator(case: Case) -> None:
    """In bytes, in words, and in all legal moves; where information is hidden, there are such worlds."""
    differ = 0
    for number, (position, _) in enumerate(walk(case)):
        if number % 10 or position.actor == OVER:
            continue
        seen = position.seen_by(SPECTATOR)
        world = seen.guess(Stream("another world", number))
        again = world.seen_by(SPECTATOR)
        differ += world != position
        assert (again, again.row, again.text, again.json()) == (seen, seen.row, seen.text, seen.json())
        assert again.moves() == seen.moves()
        assert (str(again), again.svg()) == (str(seen), seen.svg())
    assert bool(differ) == case.game.hidden_information


def test_a_spectator_considers_every_move_possible(case: Case) -> None:
    for number, (position, _) in enumerate(walk(case)):
        if number % 5 == 0:
            seen = position.seen_by(SPECTATOR)
            assert seen.actor == position.actor
            assert {position.veiled(action, SPECTATOR) for action in position.actions()} <= set(seen.actions())


def test_only_seats_and_spectators_may_watch(case: Case) -> None:
    position = case.game.new(case.rules)
    move = position.moves()[0]
    for nobody in (9, position.seats, CHANCE, OVER):
        with pytest.raises(Refused, match="there is no seat"):
            position.seen_by(nobody)
        with pytest.raises(Refused, match="there is no seat"):
            position.veiled(move, nobody)


def test_a_record_as_a_seat_saw_it_replays_to_what_it_saw(case: Case) -> None:
    """A move as the seat saw it, played on what it saw before, gives what it sees afterwards, byte by byte."""
    plies = [(position, action) for position, action in walk(case) if action != -1]
    record = Record(plies[0][0], tuple(Ply(position.actor, action) for position, action in plies))
    for number, seat in enumerate(viewers(record.start)):
        seen = record.seen_by(seat)
        assert seen.seat == seat
        for view, position in zip(seen.positions(), record.positions(), strict=True):
            assert view == position.seen_by(seat), (view.text, position.text)
        again = read_seen_record(seen.text)
        assert again == seen
        assert again.text == seen.text
        for position, _ in plies[number::17]:
            view = position.seen_by(seat)
            assert case.game.read_seen(view.text, seat) == view
            assert case.game.read_seen(position.text, seat) == view
    for seat in viewers(record.start):
        with pytest.raises(Refused, match="a complete record was expected"):
            read_record(record.seen_by(seat).text)
    with pytest.raises(Refused):
        read_seen_record(record.text)


def test_positions_are_values(case: Case) -> None:
    first, second = case.game.new(case.rules), case.game.new(case.rules)
    assert first == second
    assert hash(first) == hash(second)
    after = first.play(first.moves()[0])
    assert after != first
    assert first == second
    assert len({first, second, after}) == 2
    assert pickle.loads(pickle.dumps(after)) == after
    seen = after.seen_by(1)
    assert pickle.loads(pickle.dumps(seen)) == seen
    assert seen != after.seen_by(0)
    spectator = after.seen_by(SPECTATOR)
    assert spectator.seat == SPECTATOR
    assert pickle.loads(pickle.dumps(spectator)) == spectator
    assert spectator not in {after.seen_by(seat) for seat in range(after.seats)}


def test_a_view_is_json_and_belongs_to_its_caller(case: Case) -> None:
    for number, (position, _) in enumerate(walk(case)):
        if number % 9:
            continue
        for standing in (position, *map(position.seen_by, viewers(position))):
            view = standing.view
            text = json.dumps(view, separators=(",", ":"))
            assert standing.json() == text
            assert json.loads(text)["rules"] == case.rules.text
            for part in (view, *(part for held in view.values() if isinstance(held, tuple) for part in held)):
                if isinstance(part, dict):
                    part.clear()  # whatever is done to it, the next one is complete
            assert json.dumps(standing.view, separators=(",", ":")) == text


def test_changes_lead_from_one_view_to_the_next(case: Case) -> None:
    """For the whole position and every viewer, whatever way a game has to find them; also back."""
    for number, (position, action) in enumerate(walk(case)):
        if action < 0 or (number % 3 and position.game.hidden_information):
            continue
        after = position.play(action)
        pairs: list[tuple[BasePosition, BasePosition]] = [(position, after)]
        if position.game.hidden_information:
            pairs += [(position.seen_by(who), after.seen_by(who)) for who in viewers(position)]
        for one, other in pairs:
            for old, new in ((one, other), (other, one)):
                changes = json.loads(msgspec.json.encode(case.game.view_changes(old.row, new.row)))
                assert apply_changes(json.loads(old.json()), changes) == json.loads(new.json())


def test_a_batch_plays_as_one_by_one(case: Case) -> None:
    kernel = case.game.kernel
    count = 12
    options = np.array(case.rules.options, dtype=np.int64)
    batch, single = kernel.new_rows(count), kernel.new_rows(count)
    for i in range(count):
        kernel.setup(batch, i, options)
        kernel.setup(single, i, options)
    rng = Stream("batch").generators(count)
    alone = rng.copy()
    moves = kernel.playout(batch, 0, count, rng, MAX_PLIES, kernel.new_list())
    one_by_one = 0
    for i in reversed(range(count)):
        one_by_one += kernel.playout(single, i, i + 1, alone, MAX_PLIES, kernel.new_list())
    assert moves == one_by_one
    assert (batch == single).all()
    assert (rng == alone).all()


def test_a_playout_stops_after_the_given_number_of_moves(case: Case) -> None:
    kernel = case.game.kernel
    rows = kernel.new_rows(2)
    for i in range(2):
        kernel.setup(rows, i, np.array(case.rules.options, dtype=np.int64))
    rng = Stream("most").generators(2)
    assert kernel.playout(rows, 0, 2, rng, 3, kernel.new_list()) == 6
    assert kernel.actor(rows, 0) != OVER
    assert kernel.playout(rows, 1, 1, rng, 3, kernel.new_list()) == 0


def test_every_position_can_be_printed_drawn_and_described(case: Case) -> None:
    for number, (position, action) in enumerate(walk(case)):
        if number % 9 and action != -1:
            continue
        assert len(str(position).splitlines()) >= 10
        assert position.svg().startswith("<svg")
        assert position.json()
        assert action == -1 or position.describe(action)
        assert position.game.breakdown(position.row)[-1].points == position.scores()


def test_settling_ends_at_the_turn_of_a_seat(case: Case) -> None:
    position = case.game.new(case.rules).settle(Stream("settle"))
    assert 0 <= position.actor < position.seats
    assert position.settle(Stream("again")) == position


def test_moves_are_values_that_texts_and_actions_stand_for(case: Case) -> None:
    for position, action in walk(case):
        moves = position.moves()
        assert [move.action for move in moves] == position.actions()
        if action == -1:
            continue
        move = position.move(action)
        assert move == position.move(move.text) == position.move(move) == move.text
        assert (str(move), int(move), hash(move)) == (position.move_text(action), action, hash(move.text))
        assert move in moves
        assert move.text in moves
        assert {"text", "action"}.isdisjoint(move.parts)
        played = position.play(move)
        assert played == position.play(move.text) == position.play(move.action)
        assert type(msgspec.json.decode(msgspec.json.encode(move), type=type(move))) is type(move)


def test_effects_are_values_that_can_be_sent(case: Case) -> None:
    for number, (position, action) in enumerate(walk(case)):
        if number % 5 or action == -1:
            continue
        effects = position.effects(action)
        assert position.effects(position.move(action)) == effects
        for effect in effects:
            assert isinstance(effect, Effect)
            sent = msgspec.json.encode(effect)
            assert msgspec.json.decode(sent, type=type(effect)) == effect
            assert msgspec.json.decode(sent)["type"] == effect.type


def test_effects_account_for_the_scores(case: Case) -> None:
    """Ply by ply, and for all plies of a game together."""
    start = case.game.new(case.rules)
    every: list[Effect] = []
    for position, action in walk(case):
        if action == -1:
            total = case.game.score_changes(start.row, every)[-1]
            assert total.points == position.scores()
            continue
        effects = position.effects(action)
        every += effects
        *items, total = case.game.score_changes(position.row, effects)
        before, after = position.scores(), position.play(action).scores()
        assert total.code == "total"
        assert total.points == tuple(new - old for old, new in zip(before, after, strict=True))
        assert not items or total.points == tuple(map(sum, zip(*(item.points for item in items), strict=True)))


def test_effects_are_described_for_every_viewer(case: Case) -> None:
    """In worlds that look the same to a spectator, the sentences that it reads are the same."""
    for number, (position, action) in enumerate(walk(case)):
        if number % 7 or action == -1:
            continue
        for seat in viewers(position):
            seen = position.seen_by(seat)
            veiled = position.veiled(action, seat)
            sentences = seen.describe_effects(veiled)
            assert bool(sentences) == bool(position.effects(action))
            world = seen.guess(Stream("described", number))
            assert world.seen_by(seat).describe_effects(veiled) == sentences


def test_a_move_as_people_type_it_is_read(case: Case) -> None:
    for number, (position, action) in enumerate(walk(case)):
        if number % 9 or action == -1:
            continue
        text = position.move_text(action)
        assert position.read_move(f"  {text.lower()} ") == text


def test_a_refusal_is_a_fact(case: Case) -> None:
    start = case.game.new(case.rules)
    for wrong in ("nonsense", "x" * 100, 2**20 + 5):
        refused = start.refusal(wrong)
        assert refused is not None
        assert refused.code
        assert all(isinstance(value, int | str | None) for value in refused.arguments.values())
