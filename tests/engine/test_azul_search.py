"""The searches of Azul: exact when they claim to be, equal for equal positions, and within their limits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from tests.notation import texts
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
    """The number of tiles on offer."""
    piles = position._rows[0].view(ROW)[0]["piles"]
    return sum(int(pile) >> 12 * colour & 4095 for pile in piles for colour in range(5))


def endgames(variant: str, count: int, most: int) -> Iterator[Position]:
    """Positions of random games with at most `most` tiles left in the round."""
    yielded = number = 0
    while yielded < count:
        stream = Stream("endings", variant, number)
        number += 1
        rounds = stream.below(6)
        position = AZUL.new(variant)
        while position.actor != OVER:
            if position.actor == CHANCE:
                position = position.settle(stream)
            elif position.round > rounds and tiles_left(position) <= most:
                yielded += 1
                yield position
                break
            else:
                position = position.play(stream.choice(position.actions()))


def valued(position: Position, evaluator: Evaluator) -> tuple[float, ...]:
    """The evaluation of a position, as a vector of probabilities and margins."""
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


def result_of(position: Position, method: str, nodes: int, **more: object) -> Info:
    seen = position.seen_by(position.actor)
    return think(seen, Limit(nodes=nodes), stream=Stream("asked"), method=method, **more)  # type: ignore[arg-type]


def utility_of(info: Info) -> int:
    """The utility of a result for seat 0."""
    return utility(info.variations[0].wins[0], info.variations[0].margins[0])


@pytest.mark.parametrize("variant", TWO)
def test_pvs_finds_the_value_of_exhaustive_minimax(variant: str) -> None:
    for position in endgames(variant, 40 if ENABLED else 2, 4 if "grey" in variant else 6):
        info = result_of(position, "pvs", 2_000_000)
        assert info.solved
        assert info.share_solved == 1
        assert utility_of(info) == exhaustive(position), position.text


@pytest.mark.parametrize("variant", TWO)
def test_every_variation_of_pvs_has_the_value_of_exhaustive_minimax(variant: str) -> None:
    for position in endgames(variant, 6 if ENABLED else 1, 5):
        info = result_of(position, "pvs", 2_000_000, variations=1000)
        values = [utility(variation.wins[0], variation.margins[0]) for variation in info.variations]
        sign = 1 if position.actor == 0 else -1
        assert [sign * value for value in values] == sorted((sign * value for value in values), reverse=True)
        for variation, value in zip(info.variations, values, strict=True):
            assert value == exhaustive(position.play(variation.action)), (position.text, variation.move)


@pytest.mark.parametrize("seat", [0, 1])
def test_variations_of_an_interrupted_search_of_pvs_are_those_of_its_last_finished_depth(seat: int) -> None:
    """Otherwise the best move would stand first with a lower value than moves that were not yet searched so deep."""
    position = AZUL.new("2").settle(Stream("interrupted"))
    while position.actor != seat:
        position = position.play(position.actions()[0])
    by_depth = [
        think(position.seen_by(seat), Limit(depth=depth), stream=Stream("m"), method="pvs", variations=5)
        for depth in (1, 2, 3)
    ]
    total = by_depth[-1].nodes
    for share in range(1, 40):
        info = result_of(position, "pvs", total * share // 40, variations=5)
        wins = [each.wins[seat] for each in info.variations]
        assert wins == sorted(wins, reverse=True)
        if info.depth:
            finished = by_depth[info.depth - 1].variations
            assert [each.move for each in info.variations] == [each.move for each in finished]
            assert wins == pytest.approx([each.wins[seat] for each in finished], abs=0.02)


@pytest.mark.parametrize("variant", [*TWO, *MORE])
def test_proofs_of_uct_are_never_contradicted(variant: str) -> None:
    """The vector of every proven move is one of exhaustive max^n."""
    proofs = 0
    for position in endgames(variant, 12 if ENABLED else 1, 4):
        evaluator = family_of(AZUL, "evaluation").evaluator(position.rules)
        seats = position.seats

        @cache
        def values(here: Position) -> frozenset[tuple[float, ...]]:
            """Every vector that best play can lead to (a mover may have several equal choices)."""
            if here.actor < 0:
                return frozenset({valued(here, evaluator)})  # noqa: B023
            mover = here.actor

            def worth(vector: tuple[float, ...]) -> float:
                return utility(vector[mover], vector[4 + mover])

            below = [values(here.play(action)) for action in here.actions()]
            least = max(min(map(worth, vectors)) for vectors in below)
            return frozenset(vector for vectors in below for vector in vectors if worth(vector) >= least)

        info = result_of(position, "uct", 20_000, variations=1000)
        for variation in info.variations:
            if variation.solved:
                proofs += 1
                expected = values(position.play(variation.action))
                assert any(
                    variation.wins == pytest.approx(vector[:seats])
                    and variation.margins == pytest.approx(vector[4 : 4 + seats])
                    for vector in expected
                ), (position.text, variation)
    assert proofs > 0


def mirrored(position: Position) -> Position:
    """The same position with the two seats exchanged."""
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
    for position in endgames(variant, 10 if ENABLED else 1, 9):
        here, there = result_of(position, "pvs", 3000), result_of(mirrored(position), "pvs", 3000)
        assert here.action == there.action
        assert utility_of(here) == pytest.approx(-utility_of(there), abs=1)
        # If the end of the variation is no longer in the table, both are derived from the utility.
        assert here.variations[0].wins == pytest.approx(there.variations[0].wins[::-1], abs=0.01)
        assert here.variations[0].margins == pytest.approx(there.variations[0].margins[::-1], abs=0.5)


def shuffled(position: Position, stream: Stream) -> Position:
    """The same position with its factories in another order."""
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


def test_the_key_does_not_depend_on_the_order_of_factories() -> None:
    from tilery.engine.azul.kernel.pvs import key

    method_of(AZUL, "pvs")
    keys = {}
    for position in endgames("2", 40, 20):
        keys[position] = key(position._rows, 0)
        stream = Stream("shuffled", position.text)
        assert {key(shuffled(position, stream)._rows, 0) for _ in range(5)} == {keys[position]}
        for action in position.actions():
            after = position.play(action)
            if after.actor >= 0:
                assert key(after._rows, 0) != keys[position]
    assert len(set(keys.values())) == len(keys)


def test_equal_factories_are_searched_once() -> None:
    empty = "...../...../...../...../....."
    position = AZUL.read(
        "azul:2 round=1 offer:1 starter=1 marker=C bag=15/17/14/19/15 lid=0/0/0/0/0 centre=- "
        f"discs=BBYR/BYRK/BBYR/RRWW/RWWW 0|-/-/-/-/-|{empty}|- 0|-/-/-/-/-|{empty}|-"
    )
    moves = [each.move.text for each in result_of(position, "pvs", 30_000, variations=1000).variations]
    assert sorted(moves) == sorted(move for move in texts(position) if not move.startswith("3"))
    others = result_of(position, "uct", 30_000, variations=1000).variations
    assert sorted(moves) == sorted(each.move.text for each in others)


@pytest.mark.parametrize("method", ["pvs", "uct", "plain-uct"])
def test_the_same_request_has_the_same_result(method: str) -> None:
    position = AZUL.new().settle(Stream("same"))
    first, second = result_of(position, method, 700), result_of(position, method, 700)
    assert first.variations == second.variations
    assert (first.nodes, first.depth, first.solved) == (second.nodes, second.depth, second.solved)


@pytest.mark.parametrize("method", ["pvs", "uct", "plain-uct"])
def test_the_result_does_not_depend_on_the_steps(method: str) -> None:
    from tilery.engine.family import SearchRequest

    position = AZUL.new("2,grey").settle(Stream("cut"))
    begin = method_of(AZUL, method)
    results = []
    for steps in ([400], [1] * 400, [7, 93, 150, 150]):
        search = begin(SearchRequest(position.seen_by(0), Stream("cut"), limit=Limit(nodes=400)))
        for nodes in steps:
            search.step(0, nodes)
        results.append((search.variations(3), search.nodes, search.depth))
    assert results[0] == results[1] == results[2]
    assert results[0][1] == 400


def test_deeper_searches_of_the_whole_round_agree_with_the_proof() -> None:
    """The value of a solved position does not depend on the content of the table."""
    for position in endgames("2", 10 if ENABLED else 1, 8):
        info = result_of(position, "pvs", 3_000_000)
        assert info.solved
        after = position.play(info.action)
        if after.actor >= 0:
            again = result_of(after, "pvs", 3_000_000)
            assert again.solved
            assert utility_of(again) == utility_of(info)


def test_pvs_refuses_more_than_two_seats() -> None:
    position = AZUL.new("3").settle(Stream("three"))
    with pytest.raises(Refused, match="pvs is for two players"):
        result_of(position, "pvs", 10)


def test_the_evaluation_prefers_points_a_fuller_wall_and_the_marker() -> None:
    """More points, a fuller wall and the marker are worth something; the probabilities of all seats sum to 1."""
    family = family_of(AZUL, "evaluation")
    for variant in (*TWO, *MORE):
        for position in endgames(variant, 5, 30):
            evaluator = family.evaluator(position.rules)
            wins, margins = evaluator.values(position._rows, position.seats)
            assert wins.sum() == pytest.approx(1)
            rows = position._rows.copy()
            rows[0].view(ROW)[0]["score"][1] += 9
            more, further = evaluator.values(rows, position.seats)
            assert more[0, 1] > wins[0, 1]
            assert further[0, 1] > margins[0, 1]


def test_the_search_uses_the_given_model() -> None:
    """The same compiled search has another result with a model of points only."""
    from tilery.engine.azul.weights import points_only

    positions = list(endgames("2", 12, 20))
    known = [result_of(position, "pvs", 2000).action for position in positions]
    plain = [result_of(position, "pvs", 2000, evaluator=points_only()).action for position in positions]
    assert known != plain
    assert "points" in result_of(positions[0], "pvs", 50, evaluator=points_only()).engine
