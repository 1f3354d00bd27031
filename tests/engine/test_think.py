"""`think`: limits are kept, reports arrive, cancelling is quick, and positions without a decision are refused."""

from __future__ import annotations

import time
from threading import Event, Timer

import pytest

from tilery import Position, Refused, Stream, game
from tilery.core.jit import ENABLED
from tilery.engine import search
from tilery.engine.family import SearchRequest, family_of
from tilery.engine.info import Info, Variation
from tilery.engine.limits import Limit
from tilery.engine.search import think

AZUL, SCHOKOLY = game("azul"), game("schokoly")
STARTS = {
    "pvs": AZUL.new().settle(Stream("thinking")),
    "uct": AZUL.new("3").settle(Stream("thinking")),
    "plain-uct": AZUL.new("4,grey").settle(Stream("thinking")),
    "worlds": SCHOKOLY.new("2").settle(Stream("thinking")).play("dark"),
}
METHODS = list(STARTS)


def result_of(method: str, limit: Limit, **more: object) -> Info:
    position = STARTS[method]
    seen = position.seen_by(position.actor)
    return think(seen, limit, stream=Stream("asked"), method=method, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("nodes", [1, 2, 63, 300])
def test_a_limit_of_nodes_is_kept_exactly(method: str, nodes: int) -> None:
    info = result_of(method, Limit(nodes=nodes))
    assert info.nodes == nodes or (info.solved and info.nodes < nodes)
    assert info.action in STARTS[method].actions()


@pytest.mark.parametrize("method", METHODS)
def test_limits_of_time_are_kept(method: str) -> None:
    if not ENABLED:
        pytest.skip("plain Python is too slow to stop in time")
    result_of(method, Limit(nodes=10))
    for limit in (Limit(cpu=0.05), Limit(time=0.05)):
        info = result_of(method, limit)
        assert info.cpu <= 0.05 + 0.02 or limit.cpu is None
        assert info.nodes > 1


def test_a_limit_of_depth_is_kept() -> None:
    for depth in (1, 2, 3):
        info = result_of("pvs", Limit(depth=depth))
        assert info.depth == depth
        assert len(info.variations[0].moves) <= depth


@pytest.mark.parametrize(
    ("position", "method"), [*((STARTS[method], method) for method in METHODS), (STARTS["worlds"], "plain-uct")]
)
def test_a_limit_of_depth_alone_ends_the_search_with_the_same_result(position: Position, method: str) -> None:
    seen = position.seen_by(position.actor)
    for depth in (1, 3):
        limit = Limit(depth=depth)
        first, second = (think(seen, limit, stream=Stream("asked"), method=method, variations=3) for _ in range(2))
        assert (first.depth, first.nodes, first.variations) == (depth, second.nodes, second.variations)


def test_the_search_is_chosen_by_the_variant_and_the_time() -> None:
    chosen = family_of(AZUL).strongest
    for limit, method in (("10ms", "uct"), ("40wms", "uct"), ("100ms", "pvs"), ("1ws", "pvs"), ("300n", "pvs")):
        assert chosen(AZUL.variant("2"), Limit.read(limit)) == method
        assert chosen(AZUL.variant("3"), Limit.read(limit)) == "uct"
    position = STARTS["pvs"]
    info = think(position.seen_by(position.actor), Limit(cpu=0.01), stream=Stream("asked"))
    assert info.engine.startswith("uct ")


@pytest.mark.parametrize("method", METHODS)
def test_cancelling_is_quick(method: str) -> None:
    """A search without a limit ends within 20 ms after `stop` is set."""
    if not ENABLED:
        pytest.skip("plain Python is too slow to stop in time")
    result_of(method, Limit(nodes=10))
    stop, stopped_at = Event(), [0.0]

    def cancel() -> None:
        stopped_at[0] = time.perf_counter()
        stop.set()

    waits = []
    for _ in range(5):  # another process may use the CPU at that moment: the quickest counts
        stop.clear()
        Timer(0.1, cancel).start()
        info = result_of(method, Limit(time=30), stop=stop)
        waits.append(time.perf_counter() - stopped_at[0])
        assert info.variations
    assert min(waits) < 0.02


@pytest.mark.parametrize("method", METHODS)
def test_a_search_that_is_cancelled_before_it_begins_still_answers(method: str) -> None:
    stop = Event()
    stop.set()
    assert result_of(method, Limit(nodes=10**6), stop=stop).nodes == 1


@pytest.mark.parametrize("method", METHODS)
def test_reports_arrive_during_the_search(method: str) -> None:
    reports: list[Info] = []
    last = result_of(method, Limit(nodes=3000 if ENABLED else 100), report=reports.append, every=0.0)
    assert len(reports) > 1
    assert [report.nodes for report in reports] == sorted({report.nodes for report in reports})
    assert reports[-1].nodes == last.nodes
    assert all(report.variations and report.seat == last.seat for report in reports)


@pytest.mark.parametrize("method", METHODS)
def test_variations_are_consistent(method: str) -> None:
    position = STARTS[method]
    info = result_of(method, Limit(nodes=400), variations=1000)
    for variation in info.variations:
        assert sum(variation.wins) == pytest.approx(1)
        assert len(variation.wins) == len(variation.margins) == position.seats
        assert position.move_text(variation.action) == variation.move
    assert len({variation.action for variation in info.variations}) == len(info.variations)
    assert 0 <= info.share_solved <= 1
    assert info.win == info.variations[0].wins[position.actor]


@pytest.mark.parametrize("method", [method for method in METHODS if not STARTS[method].game.hidden_information])
def test_a_variation_is_playable(method: str) -> None:
    position: Position = STARTS[method]
    for move in result_of(method, Limit(nodes=2000 if ENABLED else 100)).variations[0].moves:
        position = position.play(move)


@pytest.mark.parametrize("method", METHODS)
def test_two_threads_search_together(method: str) -> None:
    info = result_of(method, Limit(nodes=4000 if ENABLED else 60), threads=2)
    assert info.action in STARTS[method].actions()
    assert info.nodes <= (4000 if ENABLED else 60)


class Slow:
    """A search whose nodes are slow."""

    engine, horizon, depth, share_solved, done = "slow", "round", 1, 0.0, False

    def __init__(self, request: SearchRequest) -> None:
        self.seen = request.seen
        self.nodes = 0
        self.steps: list[int] = []

    def step(self, worker: int, nodes: int) -> None:  # noqa: ARG002
        self.nodes += nodes
        self.steps.append(nodes)
        time.sleep(0.001 * nodes)

    def variations(self, count: int) -> list[Variation]:
        return [Variation((self.seen.moves()[0],), (0.5, 0.5), (0.0, 0.0), 1, False)][:count]


def test_steps_become_shorter_if_nodes_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Slow] = []

    def begin(request: SearchRequest) -> Slow:
        made.append(Slow(request))
        return made[-1]

    monkeypatch.setattr(search, "method_of", lambda *_: begin)
    think(STARTS["pvs"].seen_by(0), Limit(nodes=300), stream=Stream(1))
    assert sum(made[0].steps) == 300
    assert made[0].steps[-2] < made[0].steps[1]


def test_only_the_seat_that_decides_can_think() -> None:
    position = STARTS["pvs"]
    with pytest.raises(Refused, match="seat 2 has nothing to decide here: seat 1 acts"):
        think(position.seen_by(1), Limit(nodes=1), stream=Stream(1))
    with pytest.raises(Refused, match="chance acts"):
        think(AZUL.new().seen_by(0), Limit(nodes=1), stream=Stream(1))
    with pytest.raises(Refused, match="has no search 'magic': expected pvs, uct or plain-uct"):
        think(position.seen_by(0), Limit(nodes=1), stream=Stream(1), method="magic")
    for wrong in ({"threads": 0}, {"variations": 0}):
        with pytest.raises(Refused, match="at least one"):
            think(position.seen_by(0), Limit(nodes=1), stream=Stream(1), **wrong)  # type: ignore[arg-type]


def test_twin_worlds_have_the_same_result() -> None:
    """Positions that the seat to move cannot tell apart have the same result: nothing hidden is used."""
    for variant in ("2", "3,swap", "4"):
        stream = Stream("twins", variant)
        position = SCHOKOLY.new(variant).settle(stream)
        for _ in range(14):
            position = position.play(stream.choice(position.actions())).settle(stream)
        seat = position.actor
        seen = position.seen_by(seat)
        twins = [seen.guess(Stream("twin", k)) for k in range(3)]
        assert len({twin.row for twin in twins}) > 1
        answers = [
            think(twin.seen_by(seat), Limit(nodes=60), stream=Stream("answer"), method=method).variations
            for method in family_of(SCHOKOLY).methods
            for twin in twins
        ]
        for k in range(0, len(answers), 3):
            assert answers[k] == answers[k + 1] == answers[k + 2]
