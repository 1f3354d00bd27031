"""docs/wire.md describes the server as it is. `python -m tests.docs.test_wire` rewrites its transcript.

The server runs in this process, with a clock and tokens of our own: what it says is the same each time.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import json
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any, get_args

import pytest

from tests.conftest import ROOT
from tests.notation import texts
from tilery.core.position import Seen
from tilery.games import game
from tilery.server import context as server_context
from tilery.server.app import make_app
from tilery.server.auth import COOKIE
from tilery.server.bots import check_table_bot
from tilery.server.bots import hints as bot_hints
from tilery.server.context import ServerContext
from tilery.server.hosting.host import TableHost
from tilery.server.http import errors, hints, middleware, records, study, tables
from tilery.server.logs import Log
from tilery.server.settings import Settings
from tilery.server.store.sqlite import SqliteStore
from tilery.server.websocket import connection, frames
from tilery.server.wire import MAX_MESSAGE_BYTES, Hello, Ping
from tilery.table import clock, commands, creation, events, handler, text_input, views
from tilery.table.refusals import Code
from tilery.table.state import RECENT

PAGE = ROOT / "docs" / "wire.md"
BLOCK = re.compile(r"(?<=^```transcript\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
WIDTH = 118
NAMES = ("k7vq2m9xwp3d", "c4tn8bhy6zre", "w9mx3fd5kqa7", "p2hj7rgv4tnb", "e6yz8cs3xmwq", "h5bd9qk2vtrn", "m3wn6xj8fzpc")
Message = dict[str, Any]


# A server in this process


class FirstMoves:
    """Bots for tests: they play the first move there is."""

    async def move(self, seen: Seen, bot: str, key: str) -> str:  # noqa: ARG002
        return texts(seen)[0]

    async def hint(self, seen: Seen, key: str) -> Message:  # noqa: ARG002
        move = texts(seen)[0]
        line = {"move": move, "win": 0.5, "margin": 0.0, "moves": [move], "nodes": 1, "solved": False}
        return {"engine": "none", "horizon": "round", "solved": False, "depth": 1, "nodes": 1, "variations": [line]}

    def cancel(self, key: str) -> None:
        """There is nothing to cancel."""


class Client:
    """One socket of the server."""

    def __init__(self, server: InProcessServer, table: str) -> None:
        self.received: list[Message] = []
        self.code: int | None = None
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._sent.put_nowait({"type": "websocket.connect"})
        scope: dict[str, Any] = {
            "type": "websocket",
            "path": f"/api/tables/{table}/socket",
            "headers": [(b"host", b"tables")],
        }
        self._task = asyncio.ensure_future(
            server.app({**scope, "client": ("127.0.0.1", 1)}, self._sent.get, self._receive)
        )

    async def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.received.append(json.loads(message["text"]))
        elif message["type"] == "websocket.close":
            self.code = message["code"]

    def say(self, text: str) -> None:
        self._sent.put_nowait({"type": "websocket.receive", "text": text})

    async def leave(self) -> None:
        self._sent.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self._task


class InProcessServer:
    """A server in this process: its clock stands still until a test moves it."""

    def __init__(self, store: SqliteStore, **settings: Any) -> None:
        self.time = 1_800_000_000.0
        self.made = 0
        self.numbers = itertools.count(1)  # for ids of commands
        log = Log("error")
        table_host = TableHost(
            store,
            now=lambda: self.time,
            new_table_id=self._new_table_id,
            find_game=game,
            check_bot=check_table_bot,
            bots=FirstMoves(),
            log=log,
        )
        self.context = ServerContext(table_host, Settings(**settings), lambda: self.time, log)
        self.app = make_app(self.context, log)
        self.clients: list[Client] = []

    def _new_table_id(self) -> tuple[str, bytes]:
        self.made += 1
        return NAMES[self.made - 1], hashlib.sha256(f"table {self.made}".encode()).digest()

    async def request(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any, Any]:
        """Status, value and headers of an answer."""
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        headers = [(b"host", b"tables"), (b"content-type", b"application/json")]
        headers += [(b"authorization", f"Bearer {token}".encode())] if token else []
        sent: list[dict[str, Any]] = []
        path, _, query = path.partition("?")
        scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "scheme": "http"}
        scope |= {"query_string": query.encode(), "headers": headers, "client": ("127.0.0.1", 1), "http_version": "1.1"}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": raw, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app({**scope, "root_path": "", "server": ("tables", 80)}, receive, send)
        text = b"".join(message.get("body", b"") for message in sent).decode()
        received = dict(sent[0]["headers"])
        is_json = received.get(b"content-type", b"").startswith(b"application/json")
        return sent[0]["status"], json.loads(text) if is_json else text, received

    def enter(self, table: str) -> Client:
        client = Client(self, table)
        self.clients.append(client)
        return client

    async def quiet(self) -> None:
        """Wait until nothing more happens by itself."""
        calm, before = 0, -1
        while calm < 4:
            await asyncio.sleep(0.01)
            busy = self.context.metrics.pending or any(
                live.lock.locked() for live in self.context.table_host.live_tables.all()
            )
            received = sum(len(client.received) for client in self.clients)
            calm = 0 if busy or received != before else calm + 1
            before = received

    async def wait_for(self, client: Client, kind: str, since: int) -> Message:
        """The next message of a kind."""
        async with asyncio.timeout(20):
            while True:
                for message in client.received[since:]:
                    if message["type"] == kind:
                        await self.quiet()
                        return message
                assert client.code is None, client.code
                await asyncio.sleep(0.005)

    async def ask(self, client: Client, **command: Any) -> Message:
        """Have a command answered."""
        since = len(client.received)
        client.say(json.dumps(command))
        self.time += 1.0
        return await self.wait_for(client, "reply", since)

    async def greet(self, table: str, token: str = "", **more: Any) -> Client:
        """A socket that has been welcomed."""
        client = self.enter(table)
        client.say(json.dumps({"type": "hello", **({"token": token} if token else {}), **more}))
        await self.wait_for(client, "welcome", 0)
        return client


@contextlib.asynccontextmanager
async def in_process_server(**settings: Any) -> AsyncIterator[InProcessServer]:
    """An open server with an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        server = InProcessServer(SqliteStore(Path(folder) / "tilery.db"), **settings)
        await server.context.table_host.open()
        try:
            yield server
        finally:
            for client in server.clients:
                await client.leave()
            await server.context.table_host.close()


def run(work: Callable[[InProcessServer], Awaitable[Any]], **settings: Any) -> Any:
    """Run something against a server in this process."""

    async def inside() -> Any:
        async with in_process_server(**settings) as server:
            return await work(server)

    return asyncio.run(inside())


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
        state = message.get("state")
        if not state:
            return message
        kind = state["status"] + (" to move" if "moves" in state else "")
        if kind in self._shown or (kind == "playing"):
            return {**message, "state": "..."}
        self._shown.add(kind)
        if "moves" in state:
            state = {**state, "moves": [*state["moves"][:3], "..."]}
        if kind == "over":
            state = {**state, "position": "..."}
        return {**message, "state": state}


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


def fields_of(kind: Any) -> set[str]:
    assert is_dataclass(kind)
    return {one.name for one in fields(kind)}


def test_every_command_is_described_with_its_fields() -> None:
    rows = rows_of("Commands")
    kinds = {kind.__dataclass_fields__["type"].default: kind for kind in get_args(commands.AnyCommand)}
    assert named(rows) == [name for name in kinds if name != "sit"]
    for row in rows:
        (name,) = in_code(row[0])
        assert in_code(row[1]) == fields_of(kinds[name]) - {"id", "step", "type"}, name


def test_every_event_is_described_with_its_fields() -> None:
    rows = rows_of("Events", 1)
    kinds = {kind.type: kind for kind in events.Event.__subclasses__()}
    assert set(named(rows)) == set(kinds)
    assert len(rows) == len(kinds)
    common = set(named(rows_of("Events")))
    assert common == {"seq", "type", "at", "who"}
    for row in rows:
        (name,) = in_code(row[0])
        documented = fields_of(kinds[name]) - set(views._PRIVATE_FIELDS) - common
        assert in_code(row[1]) == documented, name


def test_the_first_message_and_the_sign_of_life_are_described() -> None:
    assert set(named(rows_of("Hello"))) == fields_of(Hello)
    assert "ping" in section("Keepalive")
    assert fields_of(Ping) == {"type"}


def test_every_refusal_is_described() -> None:
    rows = rows_of("Refusals")
    documented = named(rows)
    assert len(documented) == len(set(documented))
    assert set(get_args(Code)) <= set(documented)
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/tilery/server").rglob("*.py"))
    calls = r'(?:error_response\(|TableRefused\(|_error_reply\(command\.id, |_refuse\(send, \d+, |"code": )"([a-z-]+)"'
    used = set(re.findall(calls, source)) | {"not-found", "not-understood"}
    assert {"busy", "too-many-requests", "too-long", "internal-error", "no-table"} <= used
    assert set(documented) == set(get_args(Code)) | used
    for row in rows:
        (name,) = in_code(row[0])
        if name in get_args(Code) or name in errors.STATUS:
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
    }
    assert {int(code) for code in named(rows_of("Close codes"))} == known | {1009}


def test_every_request_is_described() -> None:
    async def paths(server: InProcessServer) -> set[str]:
        _, schema, _ = await server.request("GET", "/api/openapi.json")
        return {f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods}

    documented = {name.replace("TABLE", "{name}").replace("PLY", "{ply}") for name in named(rows_of("Requests"))}
    assert documented == run(paths)


def test_everything_that_shows_a_game_is_described() -> None:
    async def ask(server: InProcessServer) -> None:
        name, (ann,) = await _table(server, seats=[ME, {"kind": "bot", "bot": "greedy"}])
        await _ask(server, ann, "start")
        moves = state_of(ann)["moves"]
        where = f"/api/tables/{name}"
        _, replay, _ = await server.request("GET", f"{where}/replay", token=A)
        assert set(named(rows_of("A whole game at once"))) == set(replay)
        _, body, _ = await server.request("GET", f"{where}/effects/1", token=A)
        assert set(named(rows_of("What a move does"))) == set(body)
        _, body, _ = await server.request("GET", f"{where}/preview?move={moves[0]}&move=9R1", token=A)
        assert set(named(rows_of("What a move does", 1))) == set(body)
        assert set(named(rows_of("What a move does", 2))) == set(body["previews"][0]) | set(body["previews"][1])
        assert {one["type"] for one in body["previews"][0]["effects"]} <= set(named(rows_of("Effects")))
        _, body, _ = await server.request("POST", f"{where}/hint", {}, token=A)
        assert set(named(rows_of("Hints"))) == set(body) == fields_of(hints.Hint)
        assert set(named(rows_of("Hints", 1))) == set(body["variations"][0]) == fields_of(hints.HintVariation)
        _, position, _ = await server.request("GET", f"{where}/positions/5?as=text", token=A)
        _, body, _ = await server.request("POST", "/api/study", {"position": position})
        assert set(named(rows_of("Study"))) == fields_of(study.StudyRequest)
        assert set(named(rows_of("Study", 1))) == set(body)

    run(ask)


def test_what_is_asked_for_is_described() -> None:
    assert set(named(rows_of("Creating a table"))) == fields_of(tables.TableRequest)
    assert set(named(rows_of("Creating a table", 1))) == {"kind", "name", "bot"}
    assert set(named(rows_of("Creating a table", 2))) == fields_of(tables.Seated)
    assert set(named(rows_of("Taking a seat"))) == fields_of(tables.SeatRequest)


@pytest.mark.parametrize(
    "number",
    [
        f"{MAX_MESSAGE_BYTES:,} bytes",
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
        f"{tables.LOBBY_SIZE} tables",
        f"{records.MAX_POSITIONS:,} plies",
        f"up to {records.MAX_PREVIEWS} moves of up to {records.MAX_MOVE_CHARACTERS} characters",
        f"up to {study.MAX_MOVES} moves",
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


class Messages:
    """All messages, by their types; and everything inside of them."""

    def __init__(self) -> None:
        self.fields: dict[str, set[str]] = {}
        self.events: set[str] = set()

    def take(self, kind: str, value: Message) -> None:
        self.fields.setdefault(kind, set()).update(value)

    def add(self, message: Message) -> None:
        self.take(message["type"], message)
        if "error" in message:
            self.take("error", message["error"])
        for event in message.get("events", ()):
            self.events.add(event["type"])
            kind = next(one for one in events.Event.__subclasses__() if one.type == event["type"])
            known = fields_of(kind) - set(views._PRIVATE_FIELDS) | {"seq", "type", "who"}
            assert set(event) - known == set(), event
        if "state" in message:
            self.state(message["state"])

    def state(self, state: Message) -> None:
        self.take("state", state)
        for place in state["seats"]:
            self.take("seats", place)
        for part in ("clock", "offer", "result"):
            if state.get(part):
                self.take(part, state[part])
        for count in state.get("breakdown", ()):
            self.take("breakdown", count)


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
    state: Message = next(message["state"] for message in reversed(client.received) if "state" in message)
    return state


async def _ask(server: InProcessServer, client: Client, kind: str, **more: Any) -> Message:
    command = {"type": kind, "id": f"c{next(server.numbers)}", "step": state_of(client)["step"], **more}
    return await server.ask(client, **command)


async def _agree(server: InProcessServer, asking: Client, agreeing: Client, what: str, yes: bool = True) -> None:
    assert (await _ask(server, asking, "offer", what=what))["ok"]
    answer = await _ask(server, agreeing, "answer", offer=state_of(agreeing)["offer"]["offer"], yes=yes)
    assert answer["ok"], answer


async def _everything(server: InProcessServer) -> Messages:
    name, (ann, bob) = await _table(server, B, clock={"base": 300, "increment": 5}, public=True)
    eve = await server.greet(name, after=0)
    await _ask(server, bob, "rename", name="Robert")
    await _ask(server, bob, "say", text="hello")
    await _ask(server, ann, "start", entropy="0a")
    await _ask(server, ann, "play", move=state_of(ann)["moves"][0])
    assert (await _ask(server, eve, "play", move="1R1"))["error"]["code"] == "not-seated"
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
        live.table = live.resumed_lease = None  # as after another process has owned it
    await _ask(server, bob, "say", text="is anybody there?")
    ann.say('{"type":"ping"}')
    server.context.announce_shutdown()
    await server.quiet()
    messages = Messages()
    for client in server.clients:
        for message in client.received:
            messages.add(message)
    return messages


def test_everything_that_is_said_is_described() -> None:
    messages: Messages = run(_everything)
    assert messages.events == {kind.type for kind in events.Event.__subclasses__()}
    for kind in ("welcome", "update", "reply", "presence", "closing"):
        assert set(named(rows_of(f"`{kind}`"))) | {"type"} == messages.fields[kind], kind
    assert messages.fields["pong"] == {"type"}
    assert "`pong`" in text()
    tables = [set(named(rows_of("The state", number))) for number in range(6)]
    for body, kind in zip(tables, ("state", "seats", "clock", "offer", "result", "breakdown"), strict=True):
        assert body == messages.fields[kind], kind
    assert set(named(rows_of("Refusals", 1))) == messages.fields["error"] | {"retry_delay"}


def test_a_position_is_described_for_every_game() -> None:
    async def views(server: InProcessServer) -> dict[str, set[str]]:
        found = {}
        for name in ("azul", "schokoly"):
            table, (ann,) = await _table(server, seats=[ME, {"kind": "bot", "bot": "greedy"}], game=name)
            await _ask(server, ann, "start")
            status, value, _ = await server.request("GET", f"/api/tables/{table}/positions/0", token=A)
            assert status == 200
            assert set(state_of(ann)["position"]) == set(value)
            found[name] = set(value)
            if name == "azul":
                found["board"] = set(value["boards"][0])
        return found

    for name, sent_fields in run(views).items():
        assert set(named(rows_of("Positions", ("azul", "board", "schokoly").index(name)))) == sent_fields, name


def test_records_and_positions_are_given_as_described() -> None:
    async def ask(server: InProcessServer) -> None:
        name, (ann,) = await _table(server, seats=[ME, {"kind": "bot", "bot": "greedy"}])
        await _ask(server, ann, "start", entropy="77")
        status, record, _ = await server.request("GET", f"/api/tables/{name}/record")
        assert (status, "Secret" in record) == (200, False)
        await _ask(server, ann, "resign")
        _, record, _ = await server.request("GET", f"/api/tables/{name}/record")
        assert "[Secret " in record
        status, read, _ = await server.request("POST", "/api/records?ply=2", record.encode())
        assert status == 200, read
        assert set(named(rows_of("Records and positions"))) == set(read)
        _, games, _ = await server.request("GET", "/api/games")
        assert set(named(rows_of("Games and lobby"))) == set(games["games"][0])
        await _table(server, seats=[ME, OPEN], public=True)
        _, (bob,) = await _table(server, seats=[ME, {"kind": "bot", "bot": "greedy"}], public=True)
        await _ask(server, bob, "start")
        _, lobby, _ = await server.request("GET", "/api/lobby")
        assert [len(lobby[part]) for part in named(rows_of("Games and lobby", 1))] == [1, 1]
        for part in lobby:
            assert set(named(rows_of("Games and lobby", 2))) == set(lobby[part][0])

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
