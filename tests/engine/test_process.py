"""The engine process: it answers every line and keeps running; it searches by priority and can be cancelled."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from threading import Condition
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.engine.fake import FAKE, FakeSearch, forced
from tests.notation import texts
from tilery import CHANCE, Record, Stream, game
from tilery.core.move import Move
from tilery.engine.bots import BOTS
from tilery.engine.limits import Limit
from tilery.engine.process import EngineProcess, lines_of, serve
from tilery.engine.protocol import MAX_LINE_BYTES, MAX_TURNS

AZUL = game("azul").new().settle(Stream("process"))
CHANCES = game("azul").new()
SCHOKOLY = game("schokoly").new(seats=2).settle(Stream("process")).play("dark").settle(Stream("process"))


def _record(plies: int) -> Record:
    record = Record(game("azul").new())
    stream = Stream("process", "record")
    while len(record.plies) < plies:
        last = record.last
        record = record.play(last.draw(stream) if last.actor == CHANCE else last.actions()[0])
    return record


RECORD = _record(9)  # five deals, then four moves


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("tilery.engine.family._load_family", lambda _: FAKE)
    FakeSearch.made.clear()
    yield
    FakeSearch.made.clear()


class Client:
    """An engine process and all its answers."""

    def __init__(self, *, workers: int = 1) -> None:
        self.answers: list[dict[str, Any]] = []
        self.received = Condition()
        self.process = EngineProcess(self._receive, limit=Limit(nodes=20), workers=workers)

    def _receive(self, text: str) -> None:
        assert text.endswith("\n")
        assert text.count("\n") == 1
        assert text.isascii()
        with self.received:
            self.answers.append(json.loads(text, parse_constant=lambda word: pytest.fail(word)))
            self.received.notify_all()

    def ask(self, *queries: dict[str, Any] | bytes) -> None:
        for query in queries:
            self.process.handle(query if isinstance(query, bytes) else json.dumps(query).encode())

    def wait(self, enough: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        with self.received:
            assert self.received.wait_for(lambda: any(map(enough, self.answers)), 20)
            return next(filter(enough, self.answers))

    def finish(self) -> list[dict[str, Any]]:
        self.process.close()
        self.process.join()
        return self.answers


def answers_to(*queries: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    """All answers to these queries."""
    client = Client()
    client.ask(*queries)
    client.process.start()
    return client.finish()


def refused(query: dict[str, Any] | bytes) -> tuple[str, str | None]:
    """The error and the field of a query that is refused."""
    (answer,) = answers_to(query)
    assert set(answer) == {"id", "error", "field"}
    assert answer["id"] == ("a" if isinstance(query, dict) else None)
    return answer["error"], answer["field"]


def plain(move: Move) -> list[Any]:
    """A move as it is written in an answer."""
    values: list[Any] = msgspec.to_builtins(move)
    return values


def test_a_query_is_answered_with_the_best_moves() -> None:
    (answer,) = answers_to({"id": "a", "position": AZUL.text, "variations": 3})
    root = answer.pop("rootInfo")
    assert root.pop("seconds") >= 0
    assert root.pop("cpu") >= 0
    moves = texts(AZUL)[:3]
    assert answer == {
        "id": "a",
        "turnNumber": 0,
        "isDuringSearch": False,
        "position": AZUL.text,
        "seat": 0,
        "moveInfos": [
            {
                "move": plain(AZUL.move(move)),
                "order": order,
                "win": round(0.75 - order / 1000, 4),
                "margin": 4.5 - order,
                "visits": 10,
                "solved": order == 0,
                "pv": [plain(AZUL.move(move)), ["Move", "then", 0], ["Move", "this", 0]],
            }
            for order, move in enumerate(moves)
        ],
    }
    assert root == {
        "win": 0.75,
        "margin": 4.5,
        "wins": [0.75, 0.25],
        "margins": [4.5, -4.5],
        "depth": 7,
        "nodes": 20,
        "solved": True,
        "shareSolved": 0.25,
        "horizon": "round",
        "engine": "fake 1",
        "method": "fake",
    }


def test_ten_variations_are_reported_by_default() -> None:
    (answer,) = answers_to({"id": "a", "position": AZUL.text})
    assert [info["order"] for info in answer["moveInfos"]] == list(range(10))


def test_the_old_name_of_variations_is_still_accepted() -> None:
    (answer,) = answers_to({"id": "a", "position": AZUL.text, "lines": 3})
    assert len(answer["moveInfos"]) == 3


def test_the_fields_of_a_query_reach_the_search() -> None:
    answers_to(
        {"id": "a", "position": AZUL.text, "maxNodes": 33, "maxDepth": 4, "threads": 2, "seed": "s", "variations": 7}
    )
    (search,) = FakeSearch.made
    request = search.request
    assert search.nodes == 33
    assert (request.limit, request.depth) == (Limit(nodes=33, depth=4), 4)
    assert (request.threads, request.variations) == (2, 7)
    assert request.stream.name == ("engine", "s")


@pytest.mark.parametrize(("name", "value"), [("maxTime", 0.02), ("maxCpu", 0.001)])
def test_a_limit_of_the_query_replaces_the_default_one(name: str, value: float) -> None:
    (answer,) = answers_to({"id": "a", "position": AZUL.text, name: value})
    assert FakeSearch.made[0].request.limit in (Limit(time=value), Limit(cpu=value))
    assert answer["rootInfo"]["nodes"] > 20


def test_a_record_is_analysed_at_the_given_turns_in_their_order() -> None:
    answers = answers_to({"id": "a", "record": RECORD.text, "turns": [8, 5, 9]})
    assert [answer["turnNumber"] for answer in answers] == [8, 5, 9]
    for answer in answers:
        position = RECORD.position(answer["turnNumber"])
        assert answer["position"] == position.text
        assert answer["seat"] == position.actor
        assert answer["moveInfos"][0]["move"][1] == texts(position)[0]


def test_without_turns_the_last_decision_of_a_record_is_analysed() -> None:
    (answer,) = answers_to({"id": "a", "record": RECORD.text})
    assert answer["turnNumber"] == 9
    (answer,) = answers_to({"id": "a", "record": RECORD.text, "seat": 1 - RECORD.last.actor})
    assert answer["turnNumber"] == 8
    over = RECORD
    while over.last.actor >= 0:
        over = over.play(over.last.actions()[0])
    assert over.last.actor == CHANCE
    (answer,) = answers_to({"id": "a", "record": over.text})
    assert answer["turnNumber"] == len(over.plies) - 1


def test_only_what_the_seat_sees_is_searched() -> None:
    seat = SCHOKOLY.actor
    seen = SCHOKOLY.seen_by(seat)
    assert seen.text != SCHOKOLY.text
    for text in (SCHOKOLY.text, seen.text):
        (answer,) = answers_to({"id": "a", "position": text})
        assert FakeSearch.made.pop().request.seen == seen
        assert answer["position"] == seen.text
    other = SCHOKOLY.seen_by(1 - seat).text
    assert refused({"id": "a", "position": other})[1] == "position"
    assert refused({"id": "a", "position": other, "seat": seat})[1] == "seat"


def test_the_named_method_is_used() -> None:
    (answer,) = answers_to({"id": "a", "position": AZUL.text, "method": "finite"})
    assert answer["rootInfo"]["method"] == "finite"
    assert answer["rootInfo"]["nodes"] < 20


NOTHING = {"id": "a", "position": CHANCES.text}
GOOD = {"id": "a", "position": AZUL.text}


@pytest.mark.parametrize(
    ("query", "field", "problem"),
    [
        (b"hello", None, "the line is not JSON: Expecting value, column 1"),
        (b"[1]", None, "expected a JSON object"),
        (b'{"id": "a"', None, "the line is not JSON"),
        (b'{"id": "a\xff"}', None, "the line is not UTF-8 (byte 10)"),
        (b'{"x": NaN}', None, "NaN is not a JSON number"),
        (b'{"x": -Infinity}', None, "-Infinity is not a JSON number"),
        (b'{"id": "a", "id": "b"}', "id", "the field 'id' is given twice"),
        (b"[" * 200_000, None, "the line is nested too deeply"),
        (b'{"x":' * 100_000, None, "the line is nested too deeply"),
        (b'{"x": ' + b"9" * 5000 + b"}", None, "a number in the line is too long"),
        (b" " * MAX_LINE_BYTES + b"{}", None, "a line has at most 1,048,576 bytes"),
        (b"{}", "id", "expected an id"),
        (b'{"id": 7}', "id", "expected a text, found 7"),
        (b'{"id": null}', "id", "expected a text, found null"),
        ({"id": "a"}, "position", "expected either a position or a record"),
        ({**GOOD, "record": RECORD.text}, "position", "expected either a position or a record"),
        ({"id": "a", "position": ["azul"]}, "position", "expected a text, found a list"),
        (
            {"id": "a", "position": "chess:2"},
            "position",
            "expected the name of a game: azul:, chocolatier: or schokoly:",
        ),
        ({"id": "a", "position": "azul:2"}, "position", "expected ' round='"),
        ({"id": "a", "position": AZUL.text.replace("starter=1", "starter=3")}, "position", "column"),
        ({"id": "a", "position": "\ud800"}, "position", "chocolatier: or schokoly:, found '\\ud800'"),
        (NOTHING, "position", "there is nothing to decide here: chance acts"),
        ({"id": "a", "record": "[Tilery"}, "record", "line 1"),
        ({"id": "a", "record": Record(CHANCES).text}, "record", "nobody has anything to decide in this record"),
        (
            {"id": "a", "record": Record(CHANCES).text, "seat": 1},
            "seat",
            "seat 2 has nothing to decide in this record",
        ),
        ({**GOOD, "turns": [0]}, "turns", "leave them out with a position"),
        ({"id": "a", "record": RECORD.text, "turns": []}, "turns", "a list that is not empty"),
        ({"id": "a", "record": RECORD.text, "turns": [10]}, "turns", "from 0 to 9, found 10"),
        ({"id": "a", "record": RECORD.text, "turns": [-1]}, "turns", "from 0 to 9, found -1"),
        ({"id": "a", "record": RECORD.text, "turns": [7, 7]}, "turns", "every number only once"),
        ({"id": "a", "record": RECORD.text, "turns": [True]}, "turns", "a whole number, found true"),
        ({"id": "a", "record": RECORD.text, "turns": 7}, "turns", "a list that is not empty, found 7"),
        ({"id": "a", "record": RECORD.text, "turns": [9, 2]}, "turns", "turn 2: there is nothing to decide"),
        ({**GOOD, "seat": 1}, "seat", "seat 2 has nothing to decide here: seat 1 acts"),
        ({**GOOD, "seat": 2}, "seat", "there is no seat 3: seats are 1 to 2"),
        ({**GOOD, "seat": 4}, "seat", "from 0 to 3, found 4"),
        ({**GOOD, "seat": "1"}, "seat", 'a whole number, found "1"'),
        ({**GOOD, "maxTime": 0}, "maxTime", "seconds above 0"),
        ({**GOOD, "maxTime": "1s"}, "maxTime", 'expected seconds, found "1s"'),
        ({**GOOD, "maxCpu": -1.5}, "maxCpu", "found -1.5"),
        ({**GOOD, "maxCpu": True}, "maxCpu", "expected seconds, found true"),
        ({**GOOD, "maxNodes": 1.5}, "maxNodes", "a whole number, found 1.5"),
        ({**GOOD, "maxNodes": 0}, "maxNodes", "from 1 to"),
        ({**GOOD, "maxDepth": 10**30}, "maxDepth", "from 1 to 1000"),
        ({**GOOD, "variations": 0}, "variations", "from 1 to 1000"),
        ({**GOOD, "lines": 0}, "lines", "from 1 to 1000"),
        ({**GOOD, "lines": 3, "variations": 3}, "lines", "lines is the old name of variations: leave it out"),
        ({**GOOD, "method": "magic"}, "method", "Azul has no search 'magic'"),
        ({**GOOD, "method": ""}, "method", "not empty"),
        ({**GOOD, "threads": 65}, "threads", "from 1 to 64"),
        ({**GOOD, "seed": 1.5}, "seed", "a whole number, found 1.5"),
        ({**GOOD, "priority": "high"}, "priority", "a whole number"),
        ({**GOOD, "reportDuringSearchEvery": 0.001}, "reportDuringSearchEvery", "seconds from 0.01"),
        ({"id": "a", "action": "dance"}, "action", "there is no action 'dance': expected query_version"),
        ({"id": "a", "action": 1}, "action", "expected a text"),
        ({"id": "a", "action": "terminate"}, "terminateId", "either terminateId or terminateIds"),
        ({"id": "a", "action": "terminate", "terminateIds": "b"}, "terminateIds", "a list"),
        ({"id": "a", "action": "terminate", "terminateIds": ["b", 1]}, "terminateIds", "found 1 in it"),
        ({"id": "a", "action": "play"}, "position", "either a position or a record"),
        ({**GOOD, "action": "play", "turns": [1]}, "turns", "leave out turns"),
        ({**GOOD, "action": "play", "bot": "genius"}, "bot", "there is no bot 'genius'"),
        ({**GOOD, "action": "play", "bot": "cmd:rm"}, "bot", "there is no bot"),
        ({**GOOD, "action": "play", "bot": "random", "maxCpu": 1}, "maxCpu", "leave out maxCpu"),
        ({**GOOD, "action": "play", "moves": [1]}, "moves", "a list of texts"),
    ],
    ids=lambda part: str(part)[:40] if isinstance(part, dict | bytes) else "",
)
def test_an_invalid_request_is_answered_with_the_field_and_the_problem(
    query: Any, field: str | None, problem: str
) -> None:
    error, where = refused(query)
    assert where == field
    assert problem in error


def test_an_infinite_number_is_not_a_limit() -> None:
    line = json.dumps({**GOOD, "maxCpu": 77}).replace("77", "1e999")
    (answer,) = answers_to(line.encode())
    assert (answer["id"], answer["field"]) == ("a", "maxCpu")


def test_a_finished_game_has_nothing_to_decide() -> None:
    record = RECORD
    while record.last.outcome is None:
        last = record.last
        record = record.play(last.draw(Stream(len(record.plies))) if last.actor == CHANCE else last.actions()[0])
    problem = "there is nothing to decide here: the game is over"
    assert refused({"id": "a", "position": record.last.text}) == (problem, "position")


def test_unknown_fields_cause_warnings_and_the_query_is_answered() -> None:
    first, second, third = answers_to({**GOOD, "komi": 7.5, "maxVisits": 3})
    assert first == {"id": "a", "warning": "there is no field 'komi' here", "field": "komi"}
    assert second["field"] == "maxVisits"
    assert third["rootInfo"]["nodes"] == 20


def test_blank_lines_are_not_answered() -> None:
    assert answers_to(b"", b"  \r", b"\t") == []


@pytest.mark.parametrize("method", ["broken", "boundless"])
def test_an_internal_error_does_not_end_the_process(method: str) -> None:
    first, second = answers_to({**GOOD, "method": method}, {**GOOD, "id": "b"})
    assert first["id"] == "a"
    assert first["error"].startswith("internal error: ")
    assert "\n" not in first["error"]
    assert second["rootInfo"]["win"] == 0.75


def test_version_and_bots_can_be_queried() -> None:
    version, bots = answers_to({"id": "v", "action": "query_version"}, {"id": "b", "action": "query_bots"})
    assert (version["id"], version["action"], version["name"], version["protocol"]) == (
        "v",
        "query_version",
        "tilery",
        2,
    )
    assert version["games"] == ["azul", "chocolatier", "schokoly"]
    assert [each["name"] for each in bots["bots"]] == list(BOTS)
    assert all(each["about"] for each in bots["bots"])


def test_queries_run_by_priority_then_in_their_order() -> None:
    names = [("a", 0), ("b", -1), ("c", 5), ("d", 0), ("e", 5)]
    answers = answers_to(*({"id": id, "position": AZUL.text, "priority": priority} for id, priority in names))
    assert [answer["id"] for answer in answers] == ["c", "e", "a", "d", "b"]


def test_several_workers_run_several_queries_at_once() -> None:
    client = Client(workers=2)
    slow = {"position": AZUL.text, "method": "slow", "maxTime": 1000, "reportDuringSearchEvery": 0.01}
    client.ask({"id": "a", **slow}, {"id": "b", **slow})
    client.process.start()
    for id in "ab":
        client.wait(lambda answer, id=id: answer["id"] == id)  # type: ignore[misc]
    client.ask({"id": "t", "action": "terminate_all"})
    assert client.wait(lambda answer: answer["id"] == "t")["terminated"] == 2
    finals = [answer for answer in client.finish() if answer.get("cancelled")]
    assert sorted(answer["id"] for answer in finals) == ["a", "b"]


def test_a_search_reports_while_it_runs_and_ends_with_a_final_answer() -> None:
    answers = answers_to({**GOOD, "method": "slow", "maxTime": 0.2, "reportDuringSearchEvery": 0.03, "variations": 2})
    *partial, final = answers
    assert 2 <= len(partial) <= 7
    assert all(answer["isDuringSearch"] for answer in partial)
    assert not final["isDuringSearch"]
    nodes = [answer["rootInfo"]["nodes"] for answer in answers]
    assert nodes == sorted(nodes)
    assert set(final) == set(partial[0])


@pytest.mark.parametrize("named", [{"terminateId": "a"}, {"terminateIds": ["x", "a"]}])
def test_a_running_search_is_stopped_between_two_steps_and_answers_with_what_it_has(named: dict[str, Any]) -> None:
    client = Client()
    client.process.start()
    client.ask({**GOOD, "method": "slow", "maxTime": 1000, "reportDuringSearchEvery": 0.01})
    client.wait(lambda answer: answer.get("isDuringSearch", False))
    began = time.perf_counter()
    client.ask({"id": "t", "action": "terminate", **named})
    steps = FakeSearch.made[0].steps
    final = client.wait(lambda answer: "cancelled" in answer)
    assert time.perf_counter() - began < 0.5
    assert FakeSearch.made[0].steps <= steps + 1
    assert final["id"] == "a"
    assert final["cancelled"] is True
    assert final["isDuringSearch"] is False
    assert final["moveInfos"]
    terminated = next(answer for answer in client.finish() if answer["id"] == "t")
    assert terminated == {"id": "t", "action": "terminate", "terminateIds": list(*named.values()), "terminated": 1}


def test_waiting_queries_are_cancelled_without_a_search() -> None:
    client = Client()
    client.ask({"id": "a", "record": RECORD.text, "turns": [5, 6]}, {"id": "b", "position": AZUL.text})
    client.ask({"id": "c", "action": "play", "position": AZUL.text})
    client.ask({"id": "t", "action": "terminate", "terminateIds": ["a", "c"]})
    terminated, first, second, third = client.answers
    assert terminated == {"id": "t", "action": "terminate", "terminateIds": ["a", "c"], "terminated": 3}
    assert [(answer["id"], answer["turnNumber"]) for answer in (first, second)] == [("a", 5), ("a", 6)]
    assert first["cancelled"] is True
    assert first["moveInfos"] == []
    assert third == {"id": "c", "move": None, "cancelled": True}
    client.process.start()
    assert [answer["id"] for answer in client.finish()[4:]] == ["b"]
    assert len(FakeSearch.made) == 1


def test_terminating_an_unknown_id_is_answered() -> None:
    assert answers_to({"id": "t", "action": "terminate", "terminateId": "x"})[0]["terminated"] == 0
    assert answers_to({"id": "t", "action": "terminate_all"}) == [
        {"id": "t", "action": "terminate_all", "terminated": 0}
    ]


def test_too_many_waiting_turns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_TURNS >= 1000
    monkeypatch.setattr("tilery.engine.process.MAX_TURNS", 2)
    answers = answers_to(GOOD, {"id": "b", "record": RECORD.text, "turns": [5, 6]}, {**GOOD, "id": "c"})
    assert [(answer["id"], "error" in answer) for answer in answers] == [("b", True), ("a", False), ("c", False)]


def test_play_answers_with_one_move() -> None:
    (answer,) = answers_to({**GOOD, "action": "play", "moves": texts(AZUL), "seat": 0})
    assert answer == {"id": "a", "move": texts(AZUL)[0]}
    (answer,) = answers_to({**GOOD, "action": "play", "bot": "random", "seed": 5})
    assert answer["move"] == AZUL.move_text(BOTS["random"].choose(AZUL.seen_by(0), Stream("engine", 5)))
    (answer,) = answers_to({"id": "a", "action": "play", "record": RECORD.text, "maxNodes": 3})
    assert answer["move"] == texts(RECORD.last)[0]


def test_a_forced_move_is_not_searched() -> None:
    position = forced()
    FakeSearch.made.clear()
    (answer,) = answers_to({"id": "a", "action": "play", "position": position.text})
    assert answer["move"] == texts(position)[0]
    assert FakeSearch.made == []


def test_lines_are_assembled_from_chunks() -> None:
    pieces = [b"a", b"b\n", b"\nc\n\nd", b"e\r\nf", b""]
    assert list(lines_of(lambda _: pieces.pop(0))) == [b"ab", b"", b"c", b"", b"de\r", b"f"]


def test_an_endless_line_takes_no_more_memory_than_a_long_one() -> None:
    pieces = [b"x" * 70_000] * 100 + [b"y\nz", b""]
    first, last = lines_of(lambda _: pieces.pop(0))
    assert MAX_LINE_BYTES < len(first) < MAX_LINE_BYTES + 100
    assert last == b"z"


def _serve(lines: list[bytes], *, wait: bool) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []
    lines = [*lines, b""]
    assert serve(lambda _: lines.pop(0), lambda text: answers.append(json.loads(text)), limit=Limit(nodes=5), wait=wait)
    return answers


def test_all_requests_are_answered_at_the_end_of_the_input() -> None:
    queries = [json.dumps({**GOOD, "id": str(n)}).encode() + b"\n" for n in range(5)]
    assert [answer["id"] for answer in _serve(queries, wait=True)] == list("01234")


def test_without_waiting_requests_are_answered_as_cancelled() -> None:
    endless = {**GOOD, "method": "slow", "maxTime": 1000}
    queries = [json.dumps({**endless, "id": str(n)}).encode() + b"\n" for n in range(3)]
    began = time.perf_counter()
    answers = _serve(queries, wait=False)
    assert time.perf_counter() - began < 5
    assert sorted(answer["id"] for answer in answers) == list("012")
    assert all(answer["cancelled"] for answer in answers)


def test_everything_ends_if_the_answers_are_not_read() -> None:
    def write(_: str) -> None:
        raise BrokenPipeError

    queries = [json.dumps({**GOOD, "method": "slow", "maxTime": 1000, "id": str(n)}).encode() + b"\n" for n in range(3)]
    queries.append(b'{"id": "v", "action": "query_version"}\n')
    assert not serve(lambda _: queries.pop(0) if queries else b"", write, limit=Limit(nodes=5))


NAMES = (
    "id action position record turns seat maxTime maxCpu maxNodes maxDepth lines variations method threads seed "
    "priority x bot reportDuringSearchEvery terminateId terminateIds moves"
)
KEYS = st.sampled_from(NAMES.split())
WORDS = st.sampled_from(
    [AZUL.text, SCHOKOLY.text, CHANCES.text, RECORD.text, "play", "terminate", "terminate_all", "query_bots", "fake"]
)
VALUES = st.one_of(
    WORDS, WORDS, st.text(max_size=5), st.integers(-3, 10), st.integers(), st.floats(), st.booleans(), st.none()
)
OBJECTS = st.dictionaries(KEYS, VALUES | st.lists(VALUES, max_size=3) | st.dictionaries(KEYS, VALUES, max_size=2))
BASES = st.sampled_from([{}, GOOD, {"id": "a", "record": RECORD.text}, {**GOOD, "action": "play"}])


@given(st.lists(st.one_of(st.binary(max_size=40), st.tuples(BASES, OBJECTS)), max_size=4))
@example([b"\x00", b'"', b"{}{}", b"nul"])
def test_no_line_ends_the_process_and_every_line_is_answered(lines: list[Any]) -> None:
    client = Client()
    given_lines = [
        line.replace(b"\n", b" ") if isinstance(line, bytes) else json.dumps({**line[0], **line[1]}).encode()
        for line in lines
    ]
    for line in given_lines:
        before = len(client.answers) + len(client.process._waiting)
        client.ask(line)
        after = len(client.answers) + len(client.process._waiting)
        assert after > before or not line.strip() or b"terminate" in line
    # Searches here may have long limits: those that wait are cancelled.
    client.ask({"id": "end", "action": "terminate_all"})
    client.process.start()
    answers = client.finish()
    assert any(answer["id"] == "end" for answer in answers)
    for answer in answers:
        assert answer["id"] is None or isinstance(answer["id"], str)
        assert {"error", "warning", "action", "moveInfos", "move"} & set(answer)
        assert "internal error" not in answer.get("error", "")
