"""Thinking: limits are kept, reports come, cancelling is quick, and nothing is answered where nothing is asked."""

from __future__ import annotations

import time
from threading import Event, Timer

import pytest

from tilery import Position, Refused, Stream, game
from tilery.core.jit import ENABLED
from tilery.engine import search
from tilery.engine.family import Question, family_of
from tilery.engine.info import Info, Line
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


def asked(method: str, limit: Limit, **more: object) -> Info:
    position = STARTS[method]
    seen = position.seen_by(position.actor)
    return think(seen, limit, stream=Stream("asked"), method=method, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("nodes", [1, 2, 63, 300])
def test_a_limit_of_nodes_is_kept_exactly(method: str, nodes: int) -> None:
    info = asked(method, Limit(nodes=nodes))
    assert info.nodes == nodes or (info.solved and info.nodes < nodes)
    assert info.action in STARTS[method].actions()


@pytest.mark.parametrize("method", METHODS)
def test_limits_of_time_are_kept(method: str) -> None:
    if not ENABLED:
        pytest.skip("plain Python is too slow to stop in time")
    asked(method, Limit(nodes=10))
    for limit in (Limit(cpu=0.05), Limit(time=0.05)):
        info = asked(method, limit)
        assert info.cpu <= 0.05 + 0.02 or limit.cpu is None
        assert info.nodes > 1


def test_a_limit_of_depth_is_kept() -> None:
    for depth in (1, 2, 3):
        info = asked("pvs", Limit(depth=depth))
        assert info.depth == depth
        assert len(info.lines[0].moves) <= depth


@pytest.mark.parametrize(
    ("position", "method"), [*((STARTS[method], method) for method in METHODS), (STARTS["worlds"], "plain-uct")]
)
def test_a_limit_of_depth_alone_ends_and_always_gives_the_same_answer(position: Position, method: str) -> None:
    seen = position.seen_by(position.actor)
    for depth in (1, 3):
        limit = Limit(depth=depth)
        first, second = (think(seen, limit, stream=Stream("asked"), method=method, lines=3) for _ in range(2))
        assert (first.depth, first.nodes, first.lines) == (depth, second.nodes, second.lines)


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
    """A search without any limit ends within 20 ms of the processor's time after it is told to stop."""
    if not ENABLED:
        pytest.skip("plain Python is too slow to stop in time")
    asked(method, Limit(nodes=10))
    stop, told = Event(), [0.0]

    def tell() -> None:
        told[0] = time.perf_counter()
        stop.set()

    waits = []
    for _ in range(5):  # another process may have the processor when it is told: the quickest counts
        stop.clear()
        Timer(0.1, tell).start()
        info = asked(method, Limit(time=30), stop=stop)
        waits.append(time.perf_counter() - told[0])
        assert info.lines
    assert min(waits) < 0.02


@pytest.mark.parametrize("method", METHODS)
def test_a_search_that_is_cancelled_before_it_begins_still_answers(method: str) -> None:
    stop = Event()
    stop.set()
    assert asked(method, Limit(nodes=10**6), stop=stop).nodes == 1


@pytest.mark.parametrize("method", METHODS)
def test_reports_come_on_the_way(method: str) -> None:
    reports: list[Info] = []
    last = asked(method, Limit(nodes=3000 if ENABLED else 100), report=reports.append, every=0.0)
    assert len(reports) > 1
    assert [report.nodes for report in reports] == sorted({report.nodes for report in reports})
    assert reports[-1].nodes == last.nodes
    assert all(report.lines and report.seat == last.seat for report in reports)


@pytest.mark.parametrize("method", METHODS)
def test_what_is_told_makes_sense(method: str) -> None:
    position = STARTS[method]
    info = asked(method, Limit(nodes=400), lines=1000)
    for line in info.lines:
        assert sum(line.wins) == pytest.approx(1)
        assert len(line.wins) == len(line.margins) == position.seats
        assert position.move_text(line.action) == line.move
    assert len({line.action for line in info.lines}) == len(info.lines)
    assert 0 <= info.share_solved <= 1
    assert info.win == info.lines[0].wins[position.actor]


@pytest.mark.parametrize("method", [method for method in METHODS if not STARTS[method].game.secret])
def test_a_line_is_playable(method: str) -> None:
    position: Position = STARTS[method]
    for move in asked(method, Limit(nodes=2000 if ENABLED else 100)).lines[0].moves:
        position = position.play(move)


@pytest.mark.parametrize("method", METHODS)
def test_two_threads_search_together(method: str) -> None:
    info = asked(method, Limit(nodes=4000 if ENABLED else 60), threads=2)
    assert info.action in STARTS[method].actions()
    assert info.nodes <= (4000 if ENABLED else 60)


class Slow:
    """A search of which every node takes a while."""

    engine, horizon, depth, share_solved, done = "slow", "round", 1, 0.0, False

    def __init__(self, question: Question) -> None:
        self.seen = question.seen
        self.nodes = 0
        self.steps: list[int] = []

    def step(self, worker: int, nodes: int) -> None:  # noqa: ARG002
        self.nodes += nodes
        self.steps.append(nodes)
        time.sleep(0.001 * nodes)

    def lines(self, most: int) -> list[Line]:
        action = self.seen.actions()[0]
        return [Line(action, (self.seen.move_text(action),), (0.5, 0.5), (0.0, 0.0), 1, False)][:most]


def test_steps_become_shorter_where_nodes_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Slow] = []

    def begin(question: Question) -> Slow:
        made.append(Slow(question))
        return made[-1]

    monkeypatch.setattr(search, "method_of", lambda *_: begin)
    think(STARTS["pvs"].seen_by(0), Limit(nodes=300), stream=Stream(1))
    assert sum(made[0].steps) == 300
    assert made[0].steps[-2] < made[0].steps[1]


def test_only_who_has_to_decide_can_be_asked() -> None:
    position = STARTS["pvs"]
    with pytest.raises(Refused, match="seat 2 has nothing to decide here: seat 1 acts"):
        think(position.seen_by(1), Limit(nodes=1), stream=Stream(1))
    with pytest.raises(Refused, match="chance acts"):
        think(AZUL.new().seen_by(0), Limit(nodes=1), stream=Stream(1))
    with pytest.raises(Refused, match="is not searched by 'magic': expected pvs, uct or plain-uct"):
        think(position.seen_by(0), Limit(nodes=1), stream=Stream(1), method="magic")
    for wrong in ({"threads": 0}, {"lines": 0}):
        with pytest.raises(Refused, match="at least one"):
            think(position.seen_by(0), Limit(nodes=1), stream=Stream(1), **wrong)  # type: ignore[arg-type]


def test_twin_worlds_get_the_same_answer() -> None:
    """Two positions that look alike to the seat that is to move are answered alike: nothing hidden is used."""
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
            think(twin.seen_by(seat), Limit(nodes=60), stream=Stream("answer"), method=method).lines
            for method in family_of(SCHOKOLY).methods
            for twin in twins
        ]
        for k in range(0, len(answers), 3):
            assert answers[k] == answers[k + 1] == answers[k + 2]
