"""The engine of Schokoly: placements are rated exactly, endgames are exact, searches are fair, repeatable and legal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.variants import SCHOKOLY
from tilery import CHANCE, OVER, Position, Stream, game
from tilery.core.game import as_rows
from tilery.core.position import Seen
from tilery.engine.bots import bot
from tilery.engine.evaluator import VALUES
from tilery.engine.family import SearchRequest, family_of, method_of
from tilery.engine.info import Variation
from tilery.engine.limits import Limit
from tilery.engine.schokoly import EVALUATOR
from tilery.engine.schokoly.endgame import worlds_of
from tilery.engine.schokoly.kernel.one_ply import MARGIN, OWN_POINTS, SAFETY, TOKENS
from tilery.engine.schokoly.kernel.placements import OWN, POINTS, margin_of, rate_placements
from tilery.engine.schokoly.weights import model_of, weights_of
from tilery.engine.schokoly.worlds import Worlds
from tilery.engine.search import think
from tilery.games.schokoly import Rules
from tilery.games.schokoly.kernel.layout import AGREE, LAY, NO_TOKEN, OFFER, PLACE, ROW, SECURE, TOKEN, UP

GAME = game("schokoly")
KERNEL = GAME.kernel
FAMILY = family_of(GAME)


def field(position: Position | Seen, name: str) -> int:
    return int(np.frombuffer(position.row, dtype=ROW)[0][name])


def on_the_way(rules: Rules, seed: int, greedy: int = 2, *, thrifty: bool = False) -> Iterator[Position]:
    """All positions of a game in which a seat has to act; `greedy` of three moves are greedy, the others random.

    Thrifty players save their tokens for the end.
    """
    stream = Stream("schokoly", rules.text, seed)
    position = GAME.new(rules)
    while position.actor != OVER:
        if position.actor == CHANCE:
            position = position.settle(stream)
            continue
        yield position
        if stream.below(3) < greedy:
            action = bot("greedy").choose(position.seen_by(position.actor), stream)
        else:
            action = stream.choice(position.actions())
        if thrifty and (action >= TOKEN or action & UP):
            action = position.actions()[0]  # no token, or a card on the first level if possible
        position = position.play(action)


def best_other(position: Position, seat: int) -> int:
    """The points of the best other side."""
    apart = 1 if position.seats == 3 else 2
    return max(
        points
        for other, points in enumerate(position.scores())
        if other != seat and (position.seats == 3 or (other - seat) % apart)
    )


every_variant = pytest.mark.parametrize("rules", SCHOKOLY, ids=lambda rules: rules.text)


# Placements and one-ply values


@every_variant
def test_placements_are_rated_as_if_they_were_played_and_counted(rules: Rules) -> None:
    out, rated = KERNEL.new_list(), np.empty(KERNEL.max_legal)
    levels: Counter[bool] = Counter()
    for greedy in range(3):
        for position in list(on_the_way(rules, greedy, greedy))[::4]:
            if field(position, "phase") != PLACE:
                continue
            seat, rows = position.actor, as_rows(position.row)
            before = rows.copy()
            count = rate_placements(rows, 0, out, rated, 0)
            assert (rows == before).all()
            lays = [action for action in position.actions() if LAY <= action < TOKEN]
            assert out[:count].tolist() == lays
            for k in range(0, count, 3):
                after = position.play(lays[k])
                points = int(rated[k])
                assert (points >> OWN & POINTS, points & POINTS) == (after.scores()[seat], best_other(after, seat))
                levels[lays[k] & UP != 0] += 1
    assert levels[False] > 500
    assert levels[True] > 20


@every_variant
def test_one_ply_values_cover_every_legal_action_in_every_phase(rules: Rules) -> None:
    out, values, scratch = KERNEL.new_list(), np.empty(KERNEL.max_legal), KERNEL.new_rows(1)
    phases = set()
    for position in on_the_way(rules, 3, 1):
        phases.add(field(position, "phase"))
        seen = position.seen_by(position.actor)
        for scope in (OWN_POINTS, MARGIN, TOKENS, SAFETY):
            count = FAMILY.one_ply(as_rows(seen.row), 0, scope, out, values, scratch)
            assert out[:count].tolist() == seen.actions()
            assert np.isfinite(values[:count]).all()
    assert {PLACE, SECURE} < phases


def test_the_value_margin_agrees_with_greedy() -> None:
    out, values, scratch = KERNEL.new_list(), np.empty(KERNEL.max_legal), KERNEL.new_rows(1)
    for position in on_the_way(Rules(), 4):
        if field(position, "phase") == PLACE:
            seen = position.seen_by(position.actor)
            count = FAMILY.one_ply(as_rows(seen.row), 0, MARGIN, out, values, scratch)
            chosen = bot("greedy").choose(seen, Stream("greedy", 1))
            assert values[out[:count].tolist().index(chosen)] == values[:count].max()


def test_the_value_safety_spends_tokens_on_cards_that_are_worth_it() -> None:
    out, values, scratch = KERNEL.new_list(), np.empty(KERNEL.max_legal), KERNEL.new_rows(1)
    chosen = set()
    for seed in range(6):
        for position in on_the_way(Rules(), 40 + seed, thrifty=True):
            if field(position, "phase") == SECURE:
                count = FAMILY.one_ply(as_rows(position.seen_by(position.actor).row), 0, SAFETY, out, values, scratch)
                chosen.add(int(out[values[:count].argmax()]) == NO_TOKEN)
    assert chosen == {True, False}


# Evaluation


def values_of(position: Position) -> tuple[np.ndarray, np.ndarray]:
    wins, margins = EVALUATOR.values(as_rows(position.row), position.seats)
    return wins[0], margins[0]


@every_variant
def test_probabilities_sum_to_one_and_partners_share_them(rules: Rules) -> None:
    for position in on_the_way(rules, 5):
        wins, margins = values_of(position)
        assert wins.sum() == pytest.approx(1)
        assert (wins >= 0).all()
        if rules.seats == 4:
            assert wins[0] == wins[2]
            assert margins[1] == margins[3]
        if rules.seats != 3:
            assert margins[0] == pytest.approx(-margins[1])
        else:
            assert margins[wins.argmax()] == margins.max()


@every_variant
def test_a_finished_game_has_its_exact_value(rules: Rules) -> None:
    for seed in range(5):
        last = list(on_the_way(rules, 10 + seed))[-1]
        for action in last.actions()[::9]:
            over = last.play(action)
            if over.outcome:
                wins, margins = values_of(over)
                shares = [(seat in over.outcome.winners) / len(over.outcome.winners) for seat in range(rules.seats)]
                assert wins.tolist() == shares
                assert margins.tolist() == [over.scores()[seat] - best_other(over, seat) for seat in range(rules.seats)]


def test_exchanging_the_sides_exchanges_their_values() -> None:
    for position in list(on_the_way(Rules(), 6))[6::5]:
        rows = as_rows(position.row)
        row = rows[0].view(ROW)[0]
        for name in ("kinds", "hands", "tokens", "held"):
            row[name][:2] = row[name][1::-1].copy()
        row["seat"] = 1 - row["seat"]
        wins, margins = values_of(position)
        other_wins, other_margins = EVALUATOR.values(rows, 2)
        assert other_wins[0].tolist() == pytest.approx(wins[::-1].tolist())
        assert other_margins[0].tolist() == pytest.approx(margins[::-1].tolist())


def test_every_weight_has_a_name_and_the_model_follows_them() -> None:
    for seats in (2, 3, 4):
        weights = weights_of(Rules(seats))
        assert model_of(Rules(seats), weights).tolist() == EVALUATOR.model.tolist()
        heavier = model_of(Rules(seats), {**weights, "largest": weights["largest"] + 1})
        assert np.flatnonzero(heavier != EVALUATOR.model).tolist() == [1 + (seats - 2) * len(weights)]


# Endgames


def exhaustive(rows: np.ndarray, depth: int) -> np.ndarray:
    """Shares and margins with open cards if every seat maximises its own: every variation."""
    seat = KERNEL.actor(rows, depth)
    if seat == OVER:
        return finished(rows, depth)
    out = KERNEL.new_list()
    best = None
    for action in out[: KERNEL.legal(rows, depth, out)].tolist():
        rows[depth + 1] = rows[depth]
        KERNEL.apply(rows, depth + 1, action)
        values = exhaustive(rows, depth + 1)
        if best is None or (values[seat], values[4 + seat]) > (best[seat], best[4 + seat]):
            best = values
    assert best is not None
    return best


def finished(rows: np.ndarray, depth: int) -> np.ndarray:
    values, points = np.zeros(VALUES), np.zeros(4, dtype=np.int64)
    KERNEL.result(rows, depth, values)
    KERNEL.scores(rows, depth, points)
    seats = GAME.rules_of(rows[depth].tobytes()).seats
    for seat in range(seats):
        others = [points[k] for k in range(seats) if (k != seat if seats == 3 else (k - seat) % 2)]
        values[4 + seat] = points[seat] - max(others)
    return values


def expected(seen: Seen, action: int) -> np.ndarray:
    """The mean over all worlds, computed by dealing the unseen cards in every order."""
    view = np.frombuffer(seen.row, dtype=ROW)[0]
    pool = [card for card in range(12) for _ in range(int(view["copies"]))]
    for laid in view["cards"][: int(view["laid"])]:
        pool.remove((int(laid) & 63) >> 2)
    for seat in range(seen.seats):
        for card in range(12):
            for _ in range(int(view["hands"][seat]) >> 4 * card & 15):
                pool.remove(card)
    places = [seat for seat in range(seen.seats) for _ in range(int(view["unseen"][seat]))]
    assert len(pool) == len(places) <= 3
    total, number = np.zeros(VALUES), 0
    orders = [[]] if not pool else [[*pool[k:], *pool[:k]] for k in range(len(pool))]
    if len(pool) == 3:
        orders += [order[::-1] for order in orders]
    for order in orders:
        rows = KERNEL.new_rows(12)
        rows[0] = np.frombuffer(seen.row, dtype=np.uint8)
        row = rows[0].view(ROW)[0]
        for seat, card in zip(places, order, strict=True):
            row["hands"][seat] += 1 << 4 * card
        row["unseen"][:], row["viewer"] = 0, -1
        if Position(GAME, rows[0].tobytes()).seen_by(seen.seat) == seen:  # consistent with all that the seat knows
            KERNEL.apply(rows, 0, action)
            total += exhaustive(rows, 0)
            number += 1
    return total / number


def assert_exact(seen: Seen, every: int) -> None:
    info = think(seen, Limit(), stream=Stream("ending"), variations=10_000)
    assert info.solved
    assert info.share_solved == 1
    assert info.horizon == "game"
    assert {each.action for each in info.variations} == set(seen.actions())
    assert [each.wins[seen.seat] for each in info.variations] == sorted(
        (each.wins[seen.seat] for each in info.variations), reverse=True
    )
    for each in info.variations[::every]:
        assert [*each.wins, *each.margins] == pytest.approx(flat(expected(seen, each.action), seen.seats), abs=1e-9)
    # If only the best move is asked for, others may be cut off, but its value is the same.
    best = think(seen, Limit(), stream=Stream("ending"))
    assert best.solved
    assert best.variations[0].wins == pytest.approx(info.variations[0].wins, abs=1e-9)
    assert best.margin == pytest.approx(info.margin, abs=1e-9)


def flat(values: np.ndarray, seats: int) -> list[float]:
    both: list[float] = [*values[:seats], *values[4 : 4 + seats]]
    return both


def endgames(rules: Rules, seed: int, left: int, *, thrifty: bool = False) -> list[Position]:
    """The positions of a game with `left` cards left in all hands."""
    way = on_the_way(rules, 100 + seed, 1 + seed % 2, thrifty=thrifty)
    return [each for each in way if int(np.frombuffer(each.row, dtype=ROW)[0]["held"].sum()) == left]


@every_variant
def test_the_last_placement_is_exact(rules: Rules) -> None:
    for seed in range(6):
        for position in endgames(rules, seed, 1, thrifty=seed % 2 == 1)[-1:]:
            assert_exact(position.seen_by(position.actor), 3)


@every_variant
def test_the_last_two_cards_are_exact(rules: Rules) -> None:
    for seed in range(2):
        way = endgames(rules, 20 + seed, 2, thrifty=seed == 1 and not rules.swap and rules.set == "classic")
        position = next(each for each in way if field(each, "phase") == PLACE)
        assert_exact(position.seen_by(position.actor), 100 if seed == 1 else 40)


@pytest.mark.parametrize("rules", [Rules(3), Rules(4), Rules(2)], ids=lambda rules: rules.text)
def test_a_token_before_the_last_cards_is_exact_over_all_worlds(rules: Rules) -> None:
    """With 3 and 4 seats two hands of one card each are unknown, so that there are two worlds."""
    checked = 0
    for seed in range(40):
        hidden = 1 if rules.seats == 2 else 2
        positions = [
            each for each in endgames(rules, 50 + seed, hidden, thrifty=hidden == 1) if field(each, "phase") == SECURE
        ]
        for position in positions[:1]:
            seen = position.seen_by(position.actor)
            worlds = worlds_of(seen)
            assert worlds is not None
            if len(worlds[0]) != hidden or len(seen.actions()) > 40:
                continue
            assert_exact(seen, 1 if rules.seats == 2 else 15)
            checked += 1
        if checked == (4 if rules.seats == 2 else 1):
            return
    pytest.fail("no such endgame was found")


def test_worlds_have_the_probabilities_of_guesses() -> None:
    """The list agrees with the deals of `guess`, with swaps and passes too."""
    seen_many = 0
    for seed in range(12):
        rules = Rules(3, "classic", seed % 2 == 0)
        for position in endgames(rules, 80 + seed, 6)[:1]:
            seen = position.seen_by(position.actor)
            listed = worlds_of(seen)
            if listed is None:
                continue
            probabilities = {
                tuple(rows.view(ROW)[0]["hands"].tolist()): chance for rows, chance in zip(*listed, strict=True)
            }
            counts: Counter[tuple[int, ...]] = Counter()
            for k in range(300):
                world = np.frombuffer(seen.guess(Stream("worlds", seed, k)).row, dtype=ROW)[0]
                counts[tuple(world["hands"].tolist())] += 1
            assert set(counts) <= set(probabilities)
            assert sum(probabilities.values()) == pytest.approx(1)
            for hands, chance in probabilities.items():
                assert abs(counts[hands] - 300 * chance) < 5 * (300 * chance * (1 - chance)) ** 0.5 + 1e-9
            seen_many += len(probabilities) > 2
    assert seen_many > 3


# Searches


@pytest.mark.parametrize("name", ["tilery@40n", "plain-uct@5n", "level-3", "level-5", "level-7"])
@every_variant
def test_whole_games_are_legal_in_every_variant(rules: Rules, name: str) -> None:
    position = GAME.new(rules)
    stream = Stream("legal", rules.text, name)
    chooser = bot(name).choose
    while position.actor != OVER:
        if position.actor == CHANCE:
            position = position.settle(stream)
        else:
            action = chooser(position.seen_by(position.actor), stream.child(position.text))
            assert action in position.actions()
            position = position.play(action)
    assert position.outcome is not None


def as_tuples(variations: list[Variation]) -> list[tuple[object, ...]]:
    return [(each.action, each.wins, each.margins, each.nodes, each.solved) for each in variations]


def searched(seen: Seen, method: str, cuts: list[int], seed: int = 1) -> list[Variation]:
    search = method_of(GAME, method)(SearchRequest(seen, Stream("search", seed), variations=5))
    for nodes in cuts:
        search.step(0, nodes)
    assert search.nodes == sum(cuts)
    return search.variations(1_000)


@pytest.mark.parametrize("method", ["worlds", "plain-uct"])
def test_the_result_does_not_depend_on_the_steps(method: str) -> None:
    for position in [*list(on_the_way(Rules(3, "classic", True), 7))[5::17], *endgames(Rules(), 7, 3)[:2]]:
        seen = position.seen_by(position.actor)
        whole = as_tuples(searched(seen, method, [301]))
        assert whole == as_tuples(searched(seen, method, [1] * 40 + [7] * 30 + [51]))
        assert {each[0] for each in whole} == set(seen.actions())
        if field(position, "left") > 0 and len(whole) > 20:
            assert whole != as_tuples(searched(seen, method, [301], seed=2))


@pytest.mark.parametrize("method", ["worlds", "plain-uct"])
def test_what_a_seat_cannot_see_changes_nothing(method: str) -> None:
    """Two worlds that a seat cannot tell apart have the same result, though hands and stack differ."""
    different = 0
    for position in list(on_the_way(Rules(), 8))[4:-6:6]:
        seen = position.seen_by(position.actor)
        twin = seen.guess(Stream("twin"))
        different += twin.row != position.row
        assert twin.seen_by(position.actor) == seen
        results = [as_tuples(searched(each.seen_by(position.actor), method, [150])) for each in (position, twin)]
        assert results[0] == results[1]
    assert different > 3


def test_simulations_are_played_in_different_worlds() -> None:
    position = list(on_the_way(Rules(), 9))[10]
    seat = position.actor
    search = Worlds(SearchRequest(position.seen_by(seat), Stream("vary")), EVALUATOR.model, EVALUATOR.name)
    hands = set()
    for _ in range(120):
        search.step(0, 1)
        if field(Position(GAME, search.workers[0].rows[1].tobytes()), "laid") == field(position, "laid") + 1:
            hands.add(int(search.workers[0].rows[1].view(ROW)[0]["hands"][1 - seat]))
    assert len(hands) > 5


def test_results_of_workers_are_summed() -> None:
    seen = list(on_the_way(Rules(), 9))[12]
    seen_by = seen.seen_by(seen.actor)
    for method in ("worlds", "plain-uct"):
        search = method_of(GAME, method)(SearchRequest(seen_by, Stream("two"), threads=2))
        search.step(0, 200)
        search.step(1, 300)
        assert search.nodes == 500
        assert {each.action for each in search.variations(1_000)} == set(seen_by.actions())
    assert think(seen_by, Limit(nodes=500), stream=Stream("two"), threads=2).nodes == 500


def test_limits_are_kept() -> None:
    for position in list(on_the_way(Rules(), 11))[3::9]:
        seen = position.seen_by(position.actor)
        if len(seen.actions()) > 1:
            assert think(seen, Limit(nodes=77), stream=Stream("limit")).nodes <= 77
            info = think(seen, Limit(cpu=0.01), stream=Stream("limit"))
            assert info.cpu < 0.03
            assert sum(info.variations[0].wins) == pytest.approx(1)


def test_swaps_are_sometimes_offered_and_accepted() -> None:
    """SC-50 to SC-52: between engines, because both can gain; but not at every turn."""
    offered = accepted = placed = 0
    for seed in range(3):
        position = GAME.new(Rules(3, "classic", True))
        stream = Stream("swaps", seed)
        while position.actor != OVER:
            if position.actor == CHANCE:
                position = position.settle(stream)
                continue
            action = bot("tilery@300n").choose(position.seen_by(position.actor), stream.child(position.text))
            offered += OFFER <= action < OFFER + 64
            accepted += action == AGREE
            placed += action >= LAY
            position = position.play(action)
    assert 0 < accepted <= offered < placed


def test_a_token_is_sometimes_spent() -> None:
    spent = kept = 0
    for seed in range(2):
        for position in on_the_way(Rules(), 60 + seed, thrifty=True):
            if field(position, "phase") == SECURE:
                action = bot("tilery@600n").choose(position.seen_by(position.actor), Stream("token", position.text))
                spent += action != NO_TOKEN
                kept += action == NO_TOKEN
    assert spent > 0
    assert kept > 0


@pytest.mark.parametrize(("seats", "count"), [(2, 8), (3, 10), (4, 8)])
def test_the_ladder_has_enough_levels_and_searches_come_last(seats: int, count: int) -> None:
    levels = FAMILY.levels(Rules(seats))
    assert [level.name for level in levels] == [f"level-{k + 1}" for k in range(count)]
    assert len({level.about for level in levels}) == count
    searching = [bool(level.method) for level in levels]
    assert searching == sorted(searching)
    for level in levels:
        if level.method:
            assert Limit.read(level.limit).nodes is not None


_SEARCH_ONCE = """
from tests.engine.test_schokoly_search import *
way = list(on_the_way(Rules(), 12, 0))
position = way[20]
print(as_tuples(searched(position.seen_by(position.actor), "worlds", [12])[:3]))
position = way[-1]
print(as_tuples(searched(position.seen_by(position.actor), "worlds", [70])[:3]))
print(as_tuples(searched(position.seen_by(position.actor), "plain-uct", [5])[:3]))
"""


def test_the_result_without_the_jit_is_the_same() -> None:
    texts = []
    for jit in "01":
        run = subprocess.run(
            [sys.executable, "-c", _SEARCH_ONCE],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "TILERY_JIT": jit, "PYTHONPATH": os.pathsep.join(["src", str(ROOT)])},
            check=False,
        )
        assert run.returncode == 0, run.stderr
        texts.append(run.stdout)
    assert texts[0] == texts[1]
    assert texts[0].count("\n") == 3


def test_the_search_beats_greedy() -> None:
    """The strong search with a twentieth of its usual time wins most of 6 paired games."""
    won = 0.0
    for deal in range(3):
        for seat in range(2):
            position = GAME.new(Rules())
            stream = Stream("match", deal)
            while position.actor != OVER:
                if position.actor == CHANCE:
                    position = position.play(position.draw(stream))
                    continue
                name = "tilery@500n" if position.actor == seat else "greedy"
                chosen = bot(name).choose(position.seen_by(position.actor), Stream("move", deal, position.text))
                position = position.play(chosen)
            assert position.outcome is not None
            won += (seat in position.outcome.winners) / len(position.outcome.winners)
    assert won >= 4


def test_margins_unpack() -> None:
    assert margin_of(float(7 << OWN | 9)) == -2
