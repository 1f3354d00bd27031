"""External bots: any executable that answers `play`, and clear messages when it does not."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.engine.fake import forced
from tests.notation import texts
from tilery import CHANCE, Position, Refused, Stream, game
from tilery.engine import external
from tilery.engine.bots import Bot, bot, load_bot
from tilery.engine.external import Program, read_command
from tilery.engine.limits import Limit

AZUL = game("azul").new().settle(Stream("external"))
SEEN = AZUL.seen_by(0)
RANDOM_BOT = shlex.join([sys.executable, str(ROOT / "examples" / "random_bot.py")])
LIMIT = Limit(cpu=0.1)


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    programs = Programs(tmp_path)
    yield programs
    for each in programs.started:
        each.close()


class Programs:
    """Small programs for a test, ended after it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[Program] = []

    def __call__(self, answer: str, *, before: str = "", limit: Limit = LIMIT) -> Program:
        """A program that runs this code for each request `r` (its number is `n`)."""
        path = self.folder / f"bot{len(self.started)}.py"
        loop = "import json, os, sys, time\nsay = lambda what: print(json.dumps(what), flush=True)\n"
        loop += f"{before}\nfor n, line in enumerate(sys.stdin, 1):\n    r = json.loads(line)\n    {answer}\n"
        path.write_text(loop, encoding="utf-8")
        program = Program(shlex.join([sys.executable, str(path)]), limit)
        self.started.append(program)
        return program


def problem(program: Program) -> str:
    """The refusal of a program that does not make a move."""
    with pytest.raises(Refused) as refused:
        program.choose(SEEN, Stream("x"))
    text = str(refused.value)
    assert text.startswith(f"cmd:{program.command[:60]}")
    assert "\n" not in text
    return text


FIRST = 'say({"id": r["id"], "move": r["moves"][0]})'


def test_the_example_plays_a_whole_game_in_every_family() -> None:
    each = bot(f"cmd:{RANDOM_BOT}")
    for name in ("azul", "schokoly"):
        position: Position = game(name).new(seats=2)
        stream = Stream("example")
        moves = 0
        while position.outcome is None:
            if position.actor == CHANCE:
                position = position.settle(stream)
                continue
            seen = position.seen_by(position.actor)
            mine = each if len(seen.actions()) <= external.MAX_MOVES else bot("random")
            position = position.play(mine.choose(seen, stream))
            moves += 1
        assert moves > 20
    assert each.close
    each.close()


def test_the_example_is_short_and_imports_nothing_of_tilery() -> None:
    text = (ROOT / "examples" / "random_bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 35
    assert "import tilery" not in text
    assert "from tilery" not in text


def test_the_example_answers_other_actions_with_errors() -> None:
    run = subprocess.run(
        shlex.split(RANDOM_BOT),
        input='{"id": "1", "action": "query_version"}\n{"id": "2", "action": "play"}\n',
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = map(json.loads, run.stdout.splitlines())
    assert (first["id"], first["field"]) == ("1", "action")
    assert (second["id"], second["field"]) == ("2", "moves")


def test_a_request_contains_all_that_a_program_needs(programs: Programs) -> None:
    limit = Limit(cpu=0.25, time=3.0, nodes=7, depth=2)
    received = programs.folder / "received"
    save = f'open({str(received)!r}, "w").write(line); {FIRST}'
    action = programs(save, limit=limit).choose(SEEN, Stream("x"))
    assert action == AZUL.actions()[0]
    request = json.loads(received.read_text(encoding="utf-8"))
    assert isinstance(request.pop("seed"), int)
    assert request == {
        "id": "1",
        "action": "play",
        "position": SEEN.text,
        "seat": 0,
        "moves": texts(AZUL),
        "maxCpu": 0.25,
        "maxTime": 3.0,
        "maxNodes": 7,
        "maxDepth": 2,
    }


def test_many_moves_are_not_listed(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "MAX_MOVES", len(AZUL.actions()) - 1)
    answer = f'say({{"id": r["id"], "move": {texts(AZUL)[3]!r} if "moves" not in r else ""}})'
    assert programs(answer).choose(SEEN, Stream("x")) == AZUL.actions()[3]


def test_the_stream_decides_the_seed() -> None:
    each = bot(f"cmd:{RANDOM_BOT}")
    chosen = [each.choose(SEEN, Stream("seed", n)) for n in (1, 2, 3, 1, 2, 3)]
    assert chosen[:3] == chosen[3:]
    assert len(set(chosen)) > 1
    assert each.close
    each.close()


def test_hidden_cards_stay_hidden(programs: Programs) -> None:
    position = game("schokoly").new(seats=2).settle(Stream("s")).play("dark").settle(Stream("s"))
    received = programs.folder / "received"
    program = programs(f'open({str(received)!r}, "w").write(line); {FIRST}')
    program.choose(position.seen_by(position.actor), Stream("x"))
    text = json.loads(received.read_text(encoding="utf-8"))["position"]
    assert text == position.seen_by(position.actor).text != position.text


def test_one_process_answers_move_after_move(programs: Programs) -> None:
    program = programs('say({"id": r["id"], "move": r["moves"][n]})')
    assert [program.choose(SEEN, Stream("x")) for _ in range(3)] == AZUL.actions()[1:4]
    program.close()
    assert program.choose(SEEN, Stream("x")) == AZUL.actions()[1]  # started again


def test_a_forced_move_is_not_asked_for() -> None:
    position = forced()
    program = Program(sys.executable, LIMIT)
    assert program.choose(position.seen_by(position.actor), Stream("x")) == position.actions()[0]
    assert program._child is None


def test_stderr_of_a_program_that_exits_is_quoted_and_it_is_started_again(programs: Programs) -> None:
    program = programs('print("out\\nof\\x1b[31m luck", file=sys.stderr); sys.exit(3)')
    for _ in range(2):
        assert problem(program).endswith("exited with code 3; stderr: out | of\\x1b[31m luck")


def test_a_program_that_exits_between_two_moves_is_started_again(programs: Programs) -> None:
    program = programs(f"{FIRST}; sys.exit(0)")
    assert program.choose(SEEN, Stream("x")) == AZUL.actions()[0]
    child = program._child
    assert child
    child.popen.wait()
    assert program.choose(SEEN, Stream("x")) == AZUL.actions()[0]


def test_a_program_that_does_not_answer_is_killed(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "FIRST_ANSWER_TIMEOUT", 0.3)
    program = programs("time.sleep(60)", limit=Limit(time=0.1))
    assert problem(program).endswith("did not answer within 0.4 seconds and was killed")
    assert program._child is None


def test_the_timeout_of_later_answers_is_shorter_than_that_of_the_first(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "ANSWER_TIMEOUT", 0.2)
    program = programs(f"time.sleep(60) if n == 2 else {FIRST}", limit=Limit(nodes=1))
    program.choose(SEEN, Stream("x"))
    assert problem(program).endswith("did not answer within 0.2 seconds and was killed")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ('print("hello", flush=True)', r"answered with 'hello\\n', not with a JSON object on one line"),
        ("print([1], flush=True)", r"answered with '\[1\]\\n', not with a JSON object"),
        ('say({"id": r["id"]})', 'expected {"id": "1", "move": ...}'),
        ('say({"id": r["id"], "move": 3})', "expected {"),
        ('say({"move": r["moves"][0]})', "expected {"),
        ('say({"id": r["id"], "error": "no idea"})', "answered with an error: 'no idea'"),
        ('say({"id": r["id"], "move": "9R9"})', "answered with a move that is not legal: "),
        ('say({"id": r["id"], "move": "\\x1b"})', "answered with a move that is not legal: "),
    ],
)
def test_an_answer_that_is_not_a_move_is_refused_and_quoted(programs: Programs, answer: str, message: str) -> None:
    assert re.search(message if "\\" in message else re.escape(message), problem(programs(answer)))


def test_warnings_and_late_answers_are_ignored(programs: Programs) -> None:
    warn = 'say({"id": "0", "move": "?"}); say({"id": r["id"], "warning": "w", "field": "moves"}); '
    assert programs(warn + FIRST).choose(SEEN, Stream("x")) == AZUL.actions()[0]


def test_close_kills_a_program_that_does_not_exit(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "EXIT_TIMEOUT", 0.1)
    program = programs(FIRST, before="import atexit\natexit.register(time.sleep, 60)")
    program.choose(SEEN, Stream("x"))
    child = program._child
    assert child
    program.close()
    assert child.popen.returncode == -9


def test_a_forked_process_starts_its_own_program(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    program = programs(FIRST)
    program.choose(SEEN, Stream("x"))
    child = program._child
    assert child
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: -1)
        program.choose(SEEN, Stream("x"))
        other = program._child
        program.close()
    assert other
    assert other.popen.pid != child.popen.pid
    assert child.popen.poll() is None
    child.end()


def test_the_engine_can_be_an_external_bot() -> None:
    each = bot(f"cmd:{shlex.quote(sys.executable)} -m tilery engine@40n")
    first, second = (each.choose(SEEN, Stream("engine", n)) for n in (1, 1))
    assert first == second
    assert first in AZUL.actions()
    assert each.close
    each.close()


def test_a_command_may_have_a_limit() -> None:
    assert read_command("cmd:sh -c x@500n", LIMIT).limit == Limit(nodes=500)
    assert read_command("cmd:sh -c x@500n", LIMIT).command == "sh -c x"
    assert read_command("cmd:sh a@b", LIMIT).command == "sh a@b"
    assert read_command("cmd: sh ", LIMIT).limit == LIMIT
    named: Bot = load_bot(game("azul"), "cmd:sh x@2s")
    assert (named.name, named.about) == ("cmd:sh x@2s", "the program sh x")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cmd:", "expected a command after cmd:"),
        ("cmd:'", "is not a command: No closing quotation"),
        ("cmd:no-such-program x", "there is no program 'no-such-program' to start"),
        ("cmd:@10ms", "expected a command after cmd:"),
    ],
)
def test_an_invalid_command_is_refused_before_the_game(name: str, message: str) -> None:
    with pytest.raises(Refused, match=re.escape(message)):
        bot(name)


def test_a_file_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_text("nonsense", encoding="utf-8")
    path.chmod(0o755)
    assert "cannot be started: " in problem(Program(str(path), LIMIT))


def test_a_program_may_accept_a_swap(programs: Programs) -> None:
    """The seat learns which card it gets only after the move."""
    position, stream = game("schokoly").new("3,swap"), Stream("swap")
    while "accept" not in texts(position):
        wished = [move for move in texts(position) if move.startswith(("offer:", "answer:"))] or texts(position)
        position = position.play(position.draw(stream) if position.actor == CHANCE else stream.choice(wished))
    program = programs('say({"id": r["id"], "move": "accept"})')
    action = program.choose(position.seen_by(position.actor), Stream("x"))
    assert position.move_text(action) == "accept"
