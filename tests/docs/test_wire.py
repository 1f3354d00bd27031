"""docs/wire.md describes the server as it is. `python -m tests.docs.test_wire` rewrites its transcript.

The server runs in this process, with a clock and tokens of our own: what it says is the same each time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from textwrap import wrap
from typing import Any, get_args

import pytest

from tests import wire_types
from tests.conftest import ROOT
from tests.docs.in_process_server import Client, InProcessServer, Message, run
from tests.wire_client import legal_texts, next_state
from tilery.server import context as server_context
from tilery.server import lobby
from tilery.server import wire as requests
from tilery.server.auth import COOKIE
from tilery.server.bots import hints as bot_hints
from tilery.server.http import errors, middleware, records
from tilery.server.settings import Settings
from tilery.server.websocket import connection, frames
from tilery.table import clock, creation, events, handler, text_input, wire
from tilery.table.refusals import Kind
from tilery.table.state import RECENT

PAGE = ROOT / "docs" / "wire.md"
BLOCK = re.compile(r"(?<=^```transcript\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
WIDTH = 118


# The transcript


INPUT = re.compile(r"(\w+) (>|GET|POST) (.*)", re.DOTALL)
OUTPUT = re.compile(r"\w+ (<|\d{3})")


def inputs_of(block: str) -> list[str]:
    """What is sent: lines that begin with a name and a verb, and those below that go on with blanks."""
    inputs: list[str] = []
    ours = False
    for line in block.splitlines():
        if not line.startswith(" "):
            ours = INPUT.fullmatch(line) is not None
            assert ours or OUTPUT.match(line), line
            if ours:
                inputs.append(line)
        elif ours:
            inputs[-1] += " " + line.strip()
    return inputs


class TranscriptWriter:
    """Writes messages down; what is long is written once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._shown: set[str] = set()

    def put(self, mark: str, value: Any) -> None:
        text = value if isinstance(value, str) else json.dumps(self._shortened(value), ensure_ascii=False)
        self.lines += wrap(
            f"{mark} {text}", WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )

    def _shortened(self, message: Message) -> Message:
        """A state or changes like those shown before are left out, and so are most moves."""
        for name in ("state", "changes"):
            if name in message:
                part = message[name]
                kind = name + part.get("status", "") + (" to move" if part.get("moves") else "")
                if kind in self._shown or kind == "stateplaying":
                    return {**message, name: "..."}
                self._shown.add(kind)
                if part.get("moves"):
                    part = {**part, "moves": [*part["moves"][:2], "..."]}
                message = {**message, name: {**part, "position": "..."} if part.get("status") == "over" else part}
        return message


async def _replay(server: InProcessServer, block: str) -> str:
    writer = TranscriptWriter()
    tokens: dict[str, str] = {}
    sockets: dict[str, Client] = {}
    table = ""
    for line in inputs_of(block):
        match = INPUT.fullmatch(line)
        assert match
        name, verb, rest = match.groups()
        writer.put(f"{name} {verb}", rest)
        server.time += 2.5
        before = {who: len(client.received) for who, client in sockets.items()}
        if verb == ">":
            if json.loads(rest)["type"] == "hello":
                if name in sockets:
                    await sockets[name].leave()
                sockets[name], before[name] = server.enter(table), 0
            sockets[name].say(rest)
        else:
            path, _, body = rest.partition(" ")
            status, value, _ = await server.request(verb, path, body.encode() if body else None, tokens.get(name, ""))
            if status == 201:
                tokens[name], table = value["token"], value["table"]
            writer.put(f"{name} {status}", value)
        await server.quiet()
        for who, client in sockets.items():
            for message in client.received[before[who] :]:
                writer.put(f"{who} <", message)
    return "".join(f"{line}\n" for line in writer.lines)


def current_transcript(block: str) -> str:
    """The transcript as the server answers now."""
    answer: str = run(lambda server: _replay(server, block))
    return answer


def text() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_transcript_is_what_the_server_answers() -> None:
    (block,) = BLOCK.findall(text())
    assert len(inputs_of(block)) >= 12
    assert current_transcript(block) == block


# Everything that is said is described, and everything that is described is said


def section(title: str) -> str:
    """What stands below a heading, up to the next one of its rank or a higher one."""
    page = re.sub(r"^```.*?^```$", "", text(), flags=re.MULTILINE | re.DOTALL)
    heading = re.search(rf"^(#+) {re.escape(title)}$", page, re.MULTILINE)
    assert heading, title
    rest = page[heading.end() :]
    end = re.search(rf"^#{{1,{len(heading[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def rows_of(title: str, number: int = 0) -> list[list[str]]:
    """The cells of a table below a heading, without its head."""
    tables = re.findall(r"(?:^\|.*\n)+", section(title), re.MULTILINE)
    lines = tables[number].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named(cells: Iterable[list[str]]) -> list[str]:
    """What the first cells name."""
    return [name for row in cells for name in re.findall(r"`([^`]+)`", row[0])]


def in_code(cell: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", cell))


def test_every_type_has_its_table() -> None:
    """The tables are generated; `tests/docs/test_wire_types.py` checks that they are up to date."""
    shown = set(re.findall(r"<!-- table: (.+?) -->", text()))
    hidden = {"Message", "TableEvent", "ClockSetting", "Pong", "Ping", "ErrorResponse", "RematchTable", "ServerInfo"}
    hidden |= {"ChatMessage", "Variant", "BotInfo", "Games", "LobbySeat", "SeatToken", "StudyStep", "Setup"}
    hidden |= {kind.__name__ for kind in (*get_args(wire.AnyEvent),)}
    assert set(wire_types.tables()) == shown | hidden
    for name in ("pong", "ping", "claim"):
        assert name in text()


def test_every_refusal_is_described() -> None:
    rows = rows_of("Refusals")
    documented = named(rows)
    assert len(documented) == len(set(documented))
    assert set(get_args(Kind)) <= set(documented)
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/tilery/server").rglob("*.py"))
    calls = r'(?:error_response\(|TableRefused\(|_error_reply\(command\.id, |_refuse\(send, \d+, |"code": )"([a-z-]+)"'
    used = set(re.findall(calls, source)) | {"not-found", "not-understood"}
    assert {"busy", "too-many-requests", "too-long", "internal-error", "no-table"} <= used
    assert set(documented) == set(get_args(Kind)) | used
    for row in rows:
        (name,) = in_code(row[0])
        if name in get_args(Kind) or name in errors.STATUS:
            assert row[1] == str(errors.STATUS.get(name, 400)), name


def test_every_reason_for_closing_is_described() -> None:
    known = {
        connection.POLICY_VIOLATION,
        connection.TRY_AGAIN_LATER,
        frames.SERVICE_RESTART,
        connection.NO_TABLE,
        connection.TOO_SLOW,
        connection.IDLE,
        connection.OTHER_VERSION,
        connection.TABLE_DAMAGED,
        connection.OWNED_ELSEWHERE,
    }
    assert {int(code) for code in named(rows_of("Close codes"))} == known | {1009}


def test_every_request_is_described() -> None:
    async def paths(server: InProcessServer) -> set[str]:
        _, schema, _ = await server.request("GET", "/api/openapi.json")
        return {f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods}

    documented = {name.replace("TABLE", "{name}").replace("PLY", "{ply}") for name in named(rows_of("Requests"))}
    assert documented == run(paths)


@pytest.mark.parametrize(
    "number",
    [
        f"{requests.MAX_MESSAGE_BYTES:,} bytes",
        f"{middleware.MAX_RECORD_BYTES:,} bytes",
        f"{text_input.MAX_NAME_CHARACTERS} characters",
        f"{text_input.MAX_CHAT_CHARACTERS} characters",
        f"the variant of a new table | {creation.MAX_VARIANT_CHARACTERS} characters",
        f"{text_input.MAX_CHAT_MESSAGES:,} chat messages",
        f"{text_input.MAX_ENTROPY_CHARACTERS} digits",
        f"{handler.MAX_EVENTS:,} events",
        f"{RECENT} events",
        f"{clock.MAX_INITIAL_TIME:,} seconds",
        f"{clock.MAX_INCREMENT} seconds",
        f"{clock.MAX_DAYS} days",
        f"{Settings().heartbeat_interval:g} seconds",
        f"{Settings().idle_timeout:g} seconds",
        f"{Settings().messages_per_second:g} messages a second",
        f"{Settings().requests_per_second:g} requests a second",
        f"{Settings().tables_per_hour:g} tables an hour",
        f"{Settings().public_tables_per_address} public ones",
        f"at most {Settings().public_tables_per_address} created from one address",
        f"{Settings().seats_per_hour:g} seats an hour",
        f"{Settings().commands_per_second:g} commands a second in the long run, {Settings().commands_burst:g} at once",
        f"{Settings().stored_bytes_per_hour:,.0f} bytes an hour",
        f"{Settings().max_sockets_per_address} WebSockets; {Settings().max_connections_per_address} with",
        f"{lobby.LOBBY_SIZE} tables",
        f"{records.MAX_POSITIONS:,} plies",
        f"up to {requests.MAX_PREVIEWS} moves of up to {requests.MAX_MOVE_CHARACTERS} characters",
        f"up to {requests.MAX_MOVES} moves",
        f"up to {bot_hints.MAX_VARIATIONS} moves",
        f"up to {bot_hints.MAX_VARIATION_MOVES} moves",
        f"1 every {1 / server_context.HINTS_PER_SECOND:g} seconds in the long run, "
        f"{server_context.HINTS_BURST:g} at once",
        f"`{COOKIE}`",
    ],
)
def test_the_limits_are_those_of_the_code(number: str) -> None:
    assert number in " ".join(text().split())


# A few games in which everything happens


A, B, C = ("a" * 32, "b" * 32, "c" * 32)
ME, OPEN = {"kind": "me", "name": "Ann"}, {"kind": "open"}


async def _table(server: InProcessServer, *others: str, seats: Any = None, **more: Any) -> tuple[str, list[Client]]:
    """A table of Ann's, with a client for each person."""
    wish = {"game": "azul", "seats": seats or [ME, *[OPEN for _ in others]], "token": A, **more}
    status, mine, _ = await server.request("POST", "/api/tables", wish)
    assert status == 201, mine
    name = mine["table"]
    for number, token in enumerate(others):
        taking = {"name": f"Friend {number}", "token": token, "entropy": "0b"}
        status, answer, _ = await server.request("POST", f"/api/tables/{name}/seat", taking)
        assert status == 201, answer
    return name, [await server.greet(name, token) for token in (A, *others)]


def state_of(client: Client) -> Message:
    state: Message | None = None
    for message in client.received:
        state = next_state(state, message)
    assert state is not None
    return state


async def _ask(server: InProcessServer, client: Client, kind: str, **more: Any) -> Message:
    command = {"type": kind, "id": f"c{next(server.numbers)}", "step": state_of(client)["step"], **more}
    return await server.ask(client, **command)


async def _agree(server: InProcessServer, asking: Client, agreeing: Client, what: str, yes: bool = True) -> None:
    assert (await _ask(server, asking, "offer", what=what))["ok"]
    answer = await _ask(server, agreeing, "answer", offer=state_of(agreeing)["offer"]["offer"], yes=yes)
    assert answer["ok"], answer


async def _everything(server: InProcessServer) -> list[Message]:
    """All messages of a few games in which everything happens."""
    name, (ann, bob) = await _table(server, B, clock={"base": 300, "increment": 5}, public=True)
    eve = await server.greet(name, after=0)
    await _ask(server, bob, "rename", name="Robert")
    await _ask(server, bob, "say", text="hello")
    await _ask(server, ann, "start", entropy="0a")
    await _ask(server, ann, "play", move=legal_texts(state_of(ann))[0])
    assert (await _ask(server, eve, "play", move="1R1"))["error"]["kind"] == "not-seated"
    assert (await _ask(server, bob, "play", move="9R1"))["error"]["rule"]
    assert (await server.ask(bob, type="play", id="late", step=1, move="9R1"))["state"]["step"] > 1
    await _agree(server, ann, bob, "takeback")
    await _agree(server, ann, bob, "draw", yes=False)
    await _ask(server, bob, "leave")
    await _ask(server, bob, "say", text="here again")
    await _agree(server, bob, ann, "draw")
    assert state_of(ann)["result"]["winners"] == [0, 1]
    await _agree(server, ann, bob, "rematch")
    other = await server.greet(state_of(ann)["rematch"], B)
    assert (state_of(other)["before"], state_of(other)["you"], state_of(other)["host"]) == (name, [0], True)
    assert (await _ask(server, other, "arrange", seat=1, bot="greedy"))["ok"]
    assert (await _ask(server, other, "arrange", seat=1))["ok"]
    assert (await _ask(server, other, "leave"))["ok"]
    assert state_of(other)["status"] == "closed"

    _, (ann, _bob, carl) = await _table(server, B, C, clock={"days": 1})
    await _ask(server, ann, "start")
    await _ask(server, carl, "leave")
    await _ask(server, ann, "offer", what="replace", seat=2, bot="greedy")
    answer = await _ask(server, _bob, "answer", offer=state_of(_bob)["offer"]["offer"], yes=True)
    assert answer["ok"], answer
    server.time += 3 * clock.DAY
    await _ask(server, ann, "say", text="too late")
    assert state_of(ann)["seats"][0]["lost"] == "time"

    _, (ann, bob) = await _table(server, B, clock={"base": 60})
    await _ask(server, ann, "start")
    live = server.context.table_host.live_tables.use(state_of(ann)["table"])
    async with live.lock:
        live.table = live.resumed = None  # as after another process has owned it
    await _ask(server, bob, "say", text="is anybody there?")
    ann.say('{"type":"ping"}')
    server.context.announce_shutdown()
    await server.quiet()
    return [message for client in server.clients for message in client.received]


def test_every_message_and_event_is_sent_in_some_game() -> None:
    messages: list[Message] = run(_everything)
    assert {message["type"] for message in messages} == {
        str(kind.__struct_config__.tag) for kind in get_args(wire.AnyMessage)
    }
    sent = {event["type"] for message in messages for event in message.get("events", ())}
    assert sent == {str(kind.__struct_config__.tag) for kind in events.Event.__subclasses__()}
    assert any("changes" in message for message in messages)


def test_a_record_tells_the_secret_after_the_game() -> None:
    async def ask(server: InProcessServer) -> None:
        name, (ann,) = await _table(server, seats=[ME, {"kind": "bot", "bot": "greedy"}])
        await _ask(server, ann, "start", entropy="77")
        status, record, _ = await server.request("GET", f"/api/tables/{name}/record")
        assert (status, "Secret" in record) == (200, False)
        await _ask(server, ann, "resign")
        _, record, _ = await server.request("GET", f"/api/tables/{name}/record")
        assert "[Secret " in record

    run(ask)


def test_a_cookie_is_as_good_as_a_token() -> None:
    async def ask(server: InProcessServer) -> None:
        name, _ = await _table(server, B)
        status, _, headers = await server.request("POST", f"/api/tables/{name}/claim", {"token": B})
        assert status == 204
        cookie = headers[b"set-cookie"].decode()
        assert cookie.startswith(f"{COOKIE}={B};")
        assert f"Path=/api/tables/{name}" in cookie
        assert "HttpOnly" in cookie

    run(ask)


if __name__ == "__main__":
    page = text()
    (asked,) = BLOCK.findall(page)
    PAGE.write_text(BLOCK.sub(lambda _: current_transcript(asked), page), encoding="utf-8", newline="\n")
