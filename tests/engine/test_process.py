"""The engine process: whatever line comes, it answers and goes on; it thinks by priority and can be stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from threading import Condition
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.engine.fake import FAKE, FakeSearch, forced
from tilery import CHANCE, Record, Stream, game
from tilery.engine.bots import BOTS
from tilery.engine.limits import Limit
from tilery.engine.process import Process, lines_of, serve
from tilery.engine.protocol import LONGEST_LINE, MOST_TURNS

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
    monkeypatch.setattr("tilery.engine.family._found", lambda _: FAKE)
    FakeSearch.made.clear()
    yield
    FakeSearch.made.clear()


class Desk:
    """A process, and all that it has answered."""

    def __init__(self, *, workers: int = 1) -> None:
        self.answers: list[dict[str, Any]] = []
        self.heard = Condition()
        self.process = Process(self._hear, limit=Limit(nodes=20), workers=workers)

    def _hear(self, text: str) -> None:
        assert text.endswith("\n")
        assert text.count("\n") == 1
        assert text.isascii()
        with self.heard:
            self.answers.append(json.loads(text, parse_constant=lambda word: pytest.fail(word)))
            self.heard.notify_all()

    def ask(self, *queries: dict[str, Any] | bytes) -> None:
        for query in queries:
            self.process.take(query if isinstance(query, bytes) else json.dumps(query).encode())

    def wait(self, enough: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        with self.heard:
            assert self.heard.wait_for(lambda: any(map(enough, self.answers)), 20)
            return next(filter(enough, self.answers))

    def finish(self) -> list[dict[str, Any]]:
        self.process.close()
        self.process.join()
        return self.answers


def asked(*queries: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    """All answers to these."""
    desk = Desk()
    desk.ask(*queries)
    desk.process.start()
    return desk.finish()


def refused(query: dict[str, Any] | bytes) -> tuple[str, str | None]:
    """The problem and the field of a query that cannot be answered."""
    (answer,) = asked(query)
    assert set(answer) == {"id", "error", "field"}
    assert answer["id"] == ("a" if isinstance(query, dict) else None)
    return answer["error"], answer["field"]


def test_a_query_is_answered_with_the_best_moves() -> None:
    (answer,) = asked({"id": "a", "position": AZUL.text, "lines": 3})
    root = answer.pop("rootInfo")
    assert root.pop("seconds") >= 0
    assert root.pop("cpu") >= 0
    moves = AZUL.moves()[:3]
    assert answer == {
        "id": "a",
        "turnNumber": 0,
        "isDuringSearch": False,
        "position": AZUL.text,
        "seat": 1,
        "moveInfos": [
            {
                "move": move,
                "order": order,
                "win": round(0.75 - order / 1000, 4),
                "margin": 4.5 - order,
                "visits": 10,
                "solved": order == 0,
                "pv": [move, "then", "this"],
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


def test_without_other_words_ten_moves_are_reported() -> None:
    (answer,) = asked({"id": "a", "position": AZUL.text})
    assert [info["order"] for info in answer["moveInfos"]] == list(range(10))


def test_what_the_query_says_reaches_the_search() -> None:
    asked({"id": "a", "position": AZUL.text, "maxNodes": 33, "maxDepth": 4, "threads": 2, "seed": "s", "lines": 7})
    (search,) = FakeSearch.made
    question = search.question
    assert search.nodes == 33
    assert (question.limit, question.depth) == (Limit(nodes=33, depth=4), 4)
    assert (question.threads, question.lines) == (2, 7)
    assert question.stream.name == ("engine", "s")


@pytest.mark.parametrize(("name", "value"), [("maxTime", 0.02), ("maxCpu", 0.001)])
def test_a_limit_of_the_query_takes_the_place_of_the_usual_one(name: str, value: float) -> None:
    (answer,) = asked({"id": "a", "position": AZUL.text, name: value})
    assert FakeSearch.made[0].question.limit in (Limit(time=value), Limit(cpu=value))
    assert answer["rootInfo"]["nodes"] > 20


def test_a_record_is_analysed_at_its_turns_in_the_order_asked_for() -> None:
    answers = asked({"id": "a", "record": RECORD.text, "turns": [8, 5, 9]})
    assert [answer["turnNumber"] for answer in answers] == [8, 5, 9]
    for answer in answers:
        position = RECORD.position(answer["turnNumber"])
        assert answer["position"] == position.text
        assert answer["seat"] == position.actor + 1
        assert answer["moveInfos"][0]["move"] == position.moves()[0]


def test_without_turns_it_is_the_last_decision_of_a_record() -> None:
    (answer,) = asked({"id": "a", "record": RECORD.text})
    assert answer["turnNumber"] == 9
    (answer,) = asked({"id": "a", "record": RECORD.text, "seat": 2 - RECORD.last.actor})
    assert answer["turnNumber"] == 8
    over = RECORD
    while over.last.actor >= 0:
        over = over.play(over.last.actions()[0])
    assert over.last.actor == CHANCE
    (answer,) = asked({"id": "a", "record": over.text})
    assert answer["turnNumber"] == len(over.plies) - 1


def test_only_what_the_seat_sees_is_thought_about() -> None:
    seat = SCHOKOLY.actor
    seen = SCHOKOLY.seen_by(seat)
    assert seen.text != SCHOKOLY.text
    for text in (SCHOKOLY.text, seen.text):
        (answer,) = asked({"id": "a", "position": text})
        assert FakeSearch.made.pop().question.seen == seen
        assert answer["position"] == seen.text
    other = SCHOKOLY.seen_by(1 - seat).text
    assert refused({"id": "a", "position": other})[1] == "position"
    assert refused({"id": "a", "position": other, "seat": seat + 1})[1] == "seat"


def test_the_search_is_the_one_that_is_named() -> None:
    (answer,) = asked({"id": "a", "position": AZUL.text, "method": "finite"})
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
        (b'{"x": NaN}', None, "NaN is not a number of JSON"),
        (b'{"x": -Infinity}', None, "-Infinity is not a number of JSON"),
        (b'{"id": "a", "id": "b"}', "id", "'id' stands here twice"),
        (b"[" * 200_000, None, "the line is nested too deeply"),
        (b'{"x":' * 100_000, None, "the line is nested too deeply"),
        (b'{"x": ' + b"9" * 5000 + b"}", None, "a number that is too long"),
        (b" " * LONGEST_LINE + b"{}", None, "a line has at most 1,048,576 bytes"),
        (b"{}", "id", "expected an id"),
        (b'{"id": 7}', "id", "expected a text, found 7"),
        (b'{"id": null}', "id", "expected a text, found null"),
        ({"id": "a"}, "position", "expected either a position or a record"),
        ({**GOOD, "record": RECORD.text}, "position", "expected either a position or a record"),
        ({"id": "a", "position": ["azul"]}, "position", "expected a text, found a list"),
        ({"id": "a", "position": "chess:2"}, "position", "there is no game 'chess'"),
        ({"id": "a", "position": "azul:2"}, "position", "expected ' round='"),
        ({"id": "a", "position": AZUL.text.replace("starter=1", "starter=3")}, "position", "column"),
        ({"id": "a", "position": "\ud800"}, "position", "there is no game '\\ud800'"),
        (NOTHING, "position", "there is nothing to decide here: chance acts"),
        ({"id": "a", "record": "[Tilery"}, "record", "line 1"),
        ({"id": "a", "record": Record(CHANCES).text}, "record", "nobody has anything to decide in this record"),
        ({**GOOD, "turns": [0]}, "turns", "leave them out where a position is given"),
        ({"id": "a", "record": RECORD.text, "turns": []}, "turns", "a list that is not empty"),
        ({"id": "a", "record": RECORD.text, "turns": [10]}, "turns", "from 0 to 9, found 10"),
        ({"id": "a", "record": RECORD.text, "turns": [-1]}, "turns", "from 0 to 9, found -1"),
        ({"id": "a", "record": RECORD.text, "turns": [7, 7]}, "turns", "every number once"),
        ({"id": "a", "record": RECORD.text, "turns": [True]}, "turns", "a whole number, found true"),
        ({"id": "a", "record": RECORD.text, "turns": 7}, "turns", "a list that is not empty, found 7"),
        ({"id": "a", "record": RECORD.text, "turns": [9, 2]}, "turns", "turn 2: there is nothing to decide"),
        ({**GOOD, "seat": 2}, "seat", "seat 2 has nothing to decide here: seat 1 acts"),
        ({**GOOD, "seat": 3}, "seat", "there is no seat 3: seats are 1 to 2"),
        ({**GOOD, "seat": 0}, "seat", "from 1 to 4, found 0"),
        ({**GOOD, "seat": "1"}, "seat", 'a whole number, found "1"'),
        ({**GOOD, "maxTime": 0}, "maxTime", "seconds above 0"),
        ({**GOOD, "maxTime": "1s"}, "maxTime", 'expected seconds, found "1s"'),
        ({**GOOD, "maxCpu": -1.5}, "maxCpu", "found -1.5"),
        ({**GOOD, "maxCpu": True}, "maxCpu", "expected seconds, found true"),
        ({**GOOD, "maxNodes": 1.5}, "maxNodes", "a whole number, found 1.5"),
        ({**GOOD, "maxNodes": 0}, "maxNodes", "from 1 to"),
        ({**GOOD, "maxDepth": 10**30}, "maxDepth", "from 1 to 1000"),
        ({**GOOD, "lines": 0}, "lines", "from 1 to 1000"),
        ({**GOOD, "method": "magic"}, "method", "Azul is not searched by 'magic'"),
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
def test_what_is_wrong_is_answered_with_the_field_and_the_problem(query: Any, field: str | None, problem: str) -> None:
    told, where = refused(query)
    assert where == field
    assert problem in told


def test_a_number_without_bound_is_no_limit() -> None:
    line = json.dumps({**GOOD, "maxCpu": 77}).replace("77", "1e999")
    (answer,) = asked(line.encode())
    assert (answer["id"], answer["field"]) == ("a", "maxCpu")


def test_a_finished_game_has_nothing_to_decide() -> None:
    record = RECORD
    while record.last.outcome is None:
        last = record.last
        record = record.play(last.draw(Stream(len(record.plies))) if last.actor == CHANCE else last.actions()[0])
    problem = "there is nothing to decide here: the game is over"
    assert refused({"id": "a", "position": record.last.text}) == (problem, "position")


def test_fields_that_nobody_knows_are_warned_of_and_the_query_is_answered() -> None:
    first, second, third = asked({**GOOD, "komi": 7.5, "maxVisits": 3})
    assert first == {"id": "a", "warning": "there is no field 'komi' here", "field": "komi"}
    assert second["field"] == "maxVisits"
    assert third["rootInfo"]["nodes"] == 20


def test_blank_lines_are_not_answered() -> None:
    assert asked(b"", b"  \r", b"\t") == []


@pytest.mark.parametrize("method", ["broken", "boundless"])
def test_a_fault_of_the_engine_does_not_end_it(method: str) -> None:
    first, second = asked({**GOOD, "method": method}, {**GOOD, "id": "b"})
    assert first["id"] == "a"
    assert first["error"].startswith("a fault in the engine: ")
    assert "\n" not in first["error"]
    assert second["rootInfo"]["win"] == 0.75


def test_a_process_tells_what_it_is() -> None:
    version, bots = asked({"id": "v", "action": "query_version"}, {"id": "b", "action": "query_bots"})
    assert (version["id"], version["action"], version["name"], version["protocol"]) == (
        "v",
        "query_version",
        "tilery",
        1,
    )
    assert version["games"] == ["azul", "chocolatier", "schokoly"]
    assert [each["name"] for each in bots["bots"]] == list(BOTS)
    assert all(each["about"] for each in bots["bots"])


def test_queries_of_higher_priority_come_first_others_in_their_order() -> None:
    names = [("a", 0), ("b", -1), ("c", 5), ("d", 0), ("e", 5)]
    answers = asked(*({"id": id, "position": AZUL.text, "priority": priority} for id, priority in names))
    assert [answer["id"] for answer in answers] == ["c", "e", "a", "d", "b"]


def test_several_queries_are_thought_about_at_once_where_there_are_threads() -> None:
    desk = Desk(workers=2)
    slow = {"position": AZUL.text, "method": "slow", "maxTime": 1000, "reportDuringSearchEvery": 0.01}
    desk.ask({"id": "a", **slow}, {"id": "b", **slow})
    desk.process.start()
    for id in "ab":
        desk.wait(lambda answer, id=id: answer["id"] == id)  # type: ignore[misc]
    desk.ask({"id": "t", "action": "terminate_all"})
    assert desk.wait(lambda answer: answer["id"] == "t")["terminated"] == 2
    finals = [answer for answer in desk.finish() if answer.get("cancelled")]
    assert sorted(answer["id"] for answer in finals) == ["a", "b"]


def test_a_search_reports_while_it_runs_and_ends_with_a_final_answer() -> None:
    answers = asked({**GOOD, "method": "slow", "maxTime": 0.2, "reportDuringSearchEvery": 0.03, "lines": 2})
    *partial, final = answers
    assert 2 <= len(partial) <= 7
    assert all(answer["isDuringSearch"] for answer in partial)
    assert not final["isDuringSearch"]
    nodes = [answer["rootInfo"]["nodes"] for answer in answers]
    assert nodes == sorted(nodes)
    assert set(final) == set(partial[0])


@pytest.mark.parametrize("named", [{"terminateId": "a"}, {"terminateIds": ["x", "a"]}])
def test_a_running_search_is_stopped_between_two_steps_and_answers_with_what_it_has(named: dict[str, Any]) -> None:
    desk = Desk()
    desk.process.start()
    desk.ask({**GOOD, "method": "slow", "maxTime": 1000, "reportDuringSearchEvery": 0.01})
    desk.wait(lambda answer: answer.get("isDuringSearch", False))
    began = time.perf_counter()
    desk.ask({"id": "t", "action": "terminate", **named})
    steps = FakeSearch.made[0].steps
    final = desk.wait(lambda answer: "cancelled" in answer)
    assert time.perf_counter() - began < 0.5
    assert FakeSearch.made[0].steps <= steps + 1
    assert final["id"] == "a"
    assert final["cancelled"] is True
    assert final["isDuringSearch"] is False
    assert final["moveInfos"]
    told = next(answer for answer in desk.finish() if answer["id"] == "t")
    assert told == {"id": "t", "action": "terminate", "terminateIds": list(*named.values()), "terminated": 1}


def test_queries_that_wait_are_cancelled_without_a_thought() -> None:
    desk = Desk()
    desk.ask({"id": "a", "record": RECORD.text, "turns": [5, 6]}, {"id": "b", "position": AZUL.text})
    desk.ask({"id": "c", "action": "play", "position": AZUL.text})
    desk.ask({"id": "t", "action": "terminate", "terminateIds": ["a", "c"]})
    told, first, second, third = desk.answers
    assert told == {"id": "t", "action": "terminate", "terminateIds": ["a", "c"], "terminated": 3}
    assert [(answer["id"], answer["turnNumber"]) for answer in (first, second)] == [("a", 5), ("a", 6)]
    assert first["cancelled"] is True
    assert first["moveInfos"] == []
    assert third == {"id": "c", "move": None, "cancelled": True}
    desk.process.start()
    assert [answer["id"] for answer in desk.finish()[4:]] == ["b"]
    assert len(FakeSearch.made) == 1


def test_terminating_what_is_not_there_is_answered() -> None:
    assert asked({"id": "t", "action": "terminate", "terminateId": "x"})[0]["terminated"] == 0
    assert asked({"id": "t", "action": "terminate_all"}) == [{"id": "t", "action": "terminate_all", "terminated": 0}]


def test_too_many_turns_are_not_kept_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_TURNS >= 1000
    monkeypatch.setattr("tilery.engine.process.MOST_TURNS", 2)
    answers = asked(GOOD, {"id": "b", "record": RECORD.text, "turns": [5, 6]}, {**GOOD, "id": "c"})
    assert [(answer["id"], "error" in answer) for answer in answers] == [("b", True), ("a", False), ("c", False)]


def test_play_answers_with_one_move() -> None:
    (answer,) = asked({**GOOD, "action": "play", "moves": AZUL.moves(), "seat": 1})
    assert answer == {"id": "a", "move": AZUL.moves()[0]}
    (answer,) = asked({**GOOD, "action": "play", "bot": "random", "seed": 5})
    assert answer["move"] == AZUL.move_text(BOTS["random"].choose(AZUL.seen_by(0), Stream("engine", 5)))
    (answer,) = asked({"id": "a", "action": "play", "record": RECORD.text, "maxNodes": 3})
    assert answer["move"] == RECORD.last.moves()[0]


def test_a_forced_move_needs_no_thought() -> None:
    position = forced()
    FakeSearch.made.clear()
    (answer,) = asked({"id": "a", "action": "play", "position": position.text})
    assert answer["move"] == position.moves()[0]
    assert FakeSearch.made == []


def test_lines_come_whole_whatever_pieces_they_come_in() -> None:
    pieces = [b"a", b"b\n", b"\nc\n\nd", b"e\r\nf", b""]
    assert list(lines_of(lambda _: pieces.pop(0))) == [b"ab", b"", b"c", b"", b"de\r", b"f"]


def test_a_line_without_end_takes_no_more_room_than_a_long_one() -> None:
    pieces = [b"x" * 70_000] * 100 + [b"y\nz", b""]
    first, last = lines_of(lambda _: pieces.pop(0))
    assert LONGEST_LINE < len(first) < LONGEST_LINE + 100
    assert last == b"z"


def _serve(lines: list[bytes], *, wait: bool) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []
    lines = [*lines, b""]
    assert serve(lambda _: lines.pop(0), lambda text: answers.append(json.loads(text)), limit=Limit(nodes=5), wait=wait)
    return answers


def test_at_the_end_of_the_input_all_is_answered() -> None:
    queries = [json.dumps({**GOOD, "id": str(n)}).encode() + b"\n" for n in range(5)]
    assert [answer["id"] for answer in _serve(queries, wait=True)] == list("01234")


def test_whoever_does_not_wait_gets_cancelled_answers() -> None:
    endless = {**GOOD, "method": "slow", "maxTime": 1000}
    queries = [json.dumps({**endless, "id": str(n)}).encode() + b"\n" for n in range(3)]
    began = time.perf_counter()
    answers = _serve(queries, wait=False)
    assert time.perf_counter() - began < 5
    assert sorted(answer["id"] for answer in answers) == list("012")
    assert all(answer["cancelled"] for answer in answers)


def test_where_nobody_reads_the_answers_everything_ends() -> None:
    def write(_: str) -> None:
        raise BrokenPipeError

    queries = [json.dumps({**GOOD, "method": "slow", "maxTime": 1000, "id": str(n)}).encode() + b"\n" for n in range(3)]
    queries.append(b'{"id": "v", "action": "query_version"}\n')
    assert not serve(lambda _: queries.pop(0) if queries else b"", write, limit=Limit(nodes=5))


NAMES = (
    "id action position record turns seat maxTime maxCpu maxNodes maxDepth lines method threads seed priority x bot "
    "reportDuringSearchEvery terminateId terminateIds moves"
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
    desk = Desk()
    given_lines = [
        line.replace(b"\n", b" ") if isinstance(line, bytes) else json.dumps({**line[0], **line[1]}).encode()
        for line in lines
    ]
    for line in given_lines:
        before = len(desk.answers) + len(desk.process._waiting)
        desk.ask(line)
        after = len(desk.answers) + len(desk.process._waiting)
        assert after > before or not line.strip() or b"terminate" in line
    # No search here has a limit of its own that could be long: what waits is cancelled.
    desk.ask({"id": "end", "action": "terminate_all"})
    desk.process.start()
    answers = desk.finish()
    assert any(answer["id"] == "end" for answer in answers)
    for answer in answers:
        assert answer["id"] is None or isinstance(answer["id"], str)
        assert {"error", "warning", "action", "moveInfos", "move"} & set(answer)
        assert "a fault" not in answer.get("error", "")
