"""The searches of Azul: exact where they say so, the same for equal positions, and within their limits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from tilery import CHANCE, OVER, Position, Refused, Stream, game
from tilery.core.jit import ENABLED
from tilery.engine.azul.kernel.evaluation import utility
from tilery.engine.evaluator import Evaluator
from tilery.engine.family import family_of, method_of
from tilery.engine.info import Info
from tilery.engine.limits import Limit
from tilery.engine.search import think
from tilery.games.azul.kernel.layout import ROW

AZUL = game("azul")
TWO = ("2", "2,grey", "2,specials", "2,grey,specials", "2,specials=game,stall=5")
MORE = ("3", "4", "3,grey", "4,grey,specials", "3,specials")


def tiles_left(position: Position) -> int:
    """How many tiles are on offer."""
    piles = position._rows[0].view(ROW)[0]["piles"]
    return sum(int(pile) >> 12 * colour & 4095 for pile in piles for colour in range(5))


def endings(variant: str, count: int, most: int) -> Iterator[Position]:
    """Positions of random games in which few tiles are left in the round."""
    found = number = 0
    while found < count:
        stream = Stream("endings", variant, number)
        number += 1
        rounds = stream.below(6)
        position = AZUL.new(variant)
        while position.actor != OVER:
            if position.actor == CHANCE:
                position = position.settle(stream)
            elif position.round > rounds and tiles_left(position) <= most:
                found += 1
                yield position
                break
            else:
                position = position.play(stream.choice(position.actions()))


def valued(position: Position, evaluator: Evaluator) -> tuple[float, ...]:
    """The evaluation of a position, as a vector of odds and margins."""
    out = np.zeros(8)
    evaluator.evaluate(position._rows, 0, evaluator.model, out)
    return tuple(out.tolist())


def exhaustive(position: Position) -> int:
    """The utility for seat 0 when both play best to the end of the round: plain minimax over all moves."""
    evaluator = family_of(AZUL, "evaluation").evaluator(position.rules)

    @cache
    def value(here: Position) -> int:
        if here.actor < 0:
            out = valued(here, evaluator)
            return utility(out[0], out[4])
        below = [value(here.play(action)) for action in here.actions()]
        return max(below) if here.actor == 0 else min(below)

    return value(position)


def asked(position: Position, method: str, nodes: int, **more: object) -> Info:
    seen = position.seen_by(position.actor)
    return think(seen, Limit(nodes=nodes), stream=Stream("asked"), method=method, **more)  # type: ignore[arg-type]


def told(info: Info) -> int:
    """The utility for seat 0 behind an answer."""
    return utility(info.lines[0].wins[0], info.lines[0].margins[0])


@pytest.mark.parametrize("variant", TWO)
def test_alpha_beta_finds_the_value_of_exhaustive_minimax(variant: str) -> None:
    for position in endings(variant, 40 if ENABLED else 2, 4 if "grey" in variant else 6):
        info = asked(position, "pvs", 2_000_000)
        assert info.solved
        assert info.share_solved == 1
        assert told(info) == exhaustive(position), position.text


@pytest.mark.parametrize("variant", TWO)
def test_every_line_of_alpha_beta_has_the_value_of_exhaustive_minimax(variant: str) -> None:
    for position in endings(variant, 6 if ENABLED else 1, 5):
        info = asked(position, "pvs", 2_000_000, lines=1000)
        values = [utility(line.wins[0], line.margins[0]) for line in info.lines]
        sign = 1 if position.actor == 0 else -1
        assert [sign * value for value in values] == sorted((sign * value for value in values), reverse=True)
        for line, value in zip(info.lines, values, strict=True):
            assert value == exhaustive(position.play(line.action)), (position.text, line.move)


@pytest.mark.parametrize("variant", [*TWO, *MORE])
def test_proofs_of_the_tree_are_never_contradicted(variant: str) -> None:
    """Of every proven move: what follows is best for whoever moves (the vector is that of exhaustive max^n)."""
    proofs = 0
    for position in endings(variant, 12 if ENABLED else 1, 4):
        evaluator = family_of(AZUL, "evaluation").evaluator(position.rules)
        seats = position.seats

        @cache
        def values(here: Position) -> frozenset[tuple[float, ...]]:
            """Every vector that best play can lead to (movers may have several equal choices)."""
            if here.actor < 0:
                return frozenset({valued(here, evaluator)})  # noqa: B023
            mover = here.actor

            def worth(vector: tuple[float, ...]) -> float:
                return utility(vector[mover], vector[4 + mover])

            below = [values(here.play(action)) for action in here.actions()]
            least = max(min(map(worth, vectors)) for vectors in below)
            return frozenset(vector for vectors in below for vector in vectors if worth(vector) >= least)

        info = asked(position, "uct", 20_000, lines=1000)
        for line in info.lines:
            if line.solved:
                proofs += 1
                expected = values(position.play(line.action))
                assert any(
                    line.wins == pytest.approx(vector[:seats]) and line.margins == pytest.approx(vector[4 : 4 + seats])
                    for vector in expected
                ), (position.text, line)
    assert proofs > 0


def mirrored(position: Position) -> Position:
    """The same with the two seats exchanged."""
    rows = position._rows.copy()
    row, old = rows[0].view(ROW)[0], position._rows[0].view(ROW)[0]
    for name in ("open", "wall", "wall_columns", "shown", "floor", "score", "lines", "wall_of"):
        row[name][0], row[name][1] = old[name][1].copy(), old[name][0].copy()
    for name in ("seat", "starter", "marker", "saucer_seat"):
        if int(old[name]) >= 0:
            row[name] = 1 - int(old[name])
    return position.at(rows.tobytes())


@pytest.mark.parametrize("variant", TWO)
def test_exchanged_seats_have_exchanged_values(variant: str) -> None:
    for position in endings(variant, 10 if ENABLED else 1, 9):
        here, there = asked(position, "pvs", 3000), asked(mirrored(position), "pvs", 3000)
        assert here.action == there.action
        assert told(here) == pytest.approx(-told(there), abs=1)
        # Where the line's end is forgotten, odds and margin are worked out from the one number that is searched by.
        assert here.lines[0].wins == pytest.approx(there.lines[0].wins[::-1], abs=0.01)
        assert here.lines[0].margins == pytest.approx(there.lines[0].margins[::-1], abs=0.5)


def shuffled(position: Position, stream: Stream) -> Position:
    """The same with its factories in another order."""
    rows = position._rows.copy()
    row = rows[0].view(ROW)[0]
    order = list(range(1, 2 * position.seats + 2))
    piles = [int(pile) for pile in row["piles"]]
    sources = int(row["sources"])
    for disc in range(1, 2 * position.seats + 2):
        old = order.pop(stream.below(len(order)))
        row["piles"][disc] = piles[old]
        for colour in range(5):
            bit = 1 << 12 * colour
            sources = sources & ~(bit << disc) | (bit << disc if piles[old] >> 12 * colour & 4095 else 0)
    row["sources"] = sources
    return position.at(rows.tobytes())


def test_positions_are_known_again_however_their_factories_lie() -> None:
    from tilery.engine.azul.kernel.alphabeta import key

    method_of(AZUL, "pvs")
    keys = {}
    for position in endings("2", 40, 20):
        keys[position] = key(position._rows, 0)
        stream = Stream("shuffled", position.text)
        assert {key(shuffled(position, stream)._rows, 0) for _ in range(5)} == {keys[position]}
        for action in position.actions():
            after = position.play(action)
            if after.actor >= 0:
                assert key(after._rows, 0) != keys[position]
    assert len(set(keys.values())) == len(keys)


def test_equal_factories_are_tried_once() -> None:
    empty = "...../...../...../...../....."
    position = AZUL.read(
        "azul:2 round=1 offer:1 starter=1 marker=C bag=15/17/14/19/15 lid=0/0/0/0/0 centre=- "
        f"discs=BBYR/BYRK/BBYR/RRWW/RWWW 0|-/-/-/-/-|{empty}|- 0|-/-/-/-/-|{empty}|-"
    )
    moves = [line.move for line in asked(position, "pvs", 30_000, lines=1000).lines]
    assert sorted(moves) == sorted(move for move in position.moves() if not move.startswith("3"))
    assert sorted(moves) == sorted(line.move for line in asked(position, "uct", 30_000, lines=1000).lines)


@pytest.mark.parametrize("method", ["pvs", "uct", "plain-uct"])
def test_the_same_question_has_the_same_answer(method: str) -> None:
    position = AZUL.new().settle(Stream("same"))
    first, second = asked(position, method, 700), asked(position, method, 700)
    assert first.lines == second.lines
    assert (first.nodes, first.depth, first.solved) == (second.nodes, second.depth, second.solved)


@pytest.mark.parametrize("method", ["pvs", "uct", "plain-uct"])
def test_steps_may_be_cut_anywhere(method: str) -> None:
    from tilery.engine.family import Question

    position = AZUL.new("2,grey").settle(Stream("cut"))
    begin = method_of(AZUL, method)
    answers = []
    for steps in ([400], [1] * 400, [7, 93, 150, 150]):
        search = begin(Question(position.seen_by(0), Stream("cut"), limit=Limit(nodes=400)))
        for nodes in steps:
            search.step(0, nodes)
        answers.append((search.lines(3), search.nodes, search.depth))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][1] == 400


def test_deeper_searches_of_the_whole_round_agree_with_the_proof() -> None:
    """Once solved, a position stays what it is whatever the table has forgotten."""
    for position in endings("2", 10 if ENABLED else 1, 8):
        info = asked(position, "pvs", 3_000_000)
        assert info.solved
        after = position.play(info.action)
        if after.actor >= 0:
            again = asked(after, "pvs", 3_000_000)
            assert again.solved
            assert told(again) == told(info)


def test_alpha_beta_is_for_two() -> None:
    position = AZUL.new("3").settle(Stream("three"))
    with pytest.raises(Refused, match="pvs is for two players"):
        asked(position, "pvs", 10)


def test_the_evaluation_knows_what_is_good() -> None:
    """More points, a fuller wall and the marker are worth something; the odds of all seats sum to 1."""
    family = family_of(AZUL, "evaluation")
    for variant in (*TWO, *MORE):
        for position in endings(variant, 5, 30):
            evaluator = family.evaluator(position.rules)
            wins, margins = evaluator.values(position._rows, position.seats)
            assert wins.sum() == pytest.approx(1)
            rows = position._rows.copy()
            rows[0].view(ROW)[0]["score"][1] += 9
            more, further = evaluator.values(rows, position.seats)
            assert more[0, 1] > wins[0, 1]
            assert further[0, 1] > margins[0, 1]


def test_another_model_goes_through_the_same_search() -> None:
    """The seam for evaluations: the same compiled search with a model of points only answers otherwise."""
    from tilery.engine.azul.knowledge import points_only

    positions = list(endings("2", 12, 20))
    known = [asked(position, "pvs", 2000).action for position in positions]
    plain = [asked(position, "pvs", 2000, evaluator=points_only()).action for position in positions]
    assert known != plain
    assert "points" in asked(positions[0], "pvs", 50, evaluator=points_only()).engine
