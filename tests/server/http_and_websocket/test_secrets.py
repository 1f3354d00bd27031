"""Tokens and secrets that a test knows, searched for in everything that leaves the server during whole games."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.http_and_websocket.clients import Person
from tests.server.http_and_websocket.in_process import Socket, World, run
from tests.server.http_and_websocket.raw_websocket import line
from tests.server.server_process import ServerProcess, start_server
from tests.wire_client import legal_texts
from tilery.server.auth import key_of

SECRET = b"\xc0\xffee CANARY of 32 bytes \x00\x01\x02\x03\xfd\xfe\xff"[:32].ljust(32, b"!")
TOKENS = {"Anna": "c0ffee11" * 4, "Ben": "beefca11" * 4}
CHAT = "the canary sings"
SHOWN = (
    "/replay",
    "/positions/5?as=text",
    "/positions/5?as=svg",
    "/preview?move=1B1&move=dark&move=pass",
)


def forms(data: bytes) -> set[str]:
    """The encodings in which bytes could be written."""
    return {
        data.hex(),
        data.hex().upper(),
        *(base64.b64encode(bytes(before) + data)[4:-4].decode() for before in range(3)),
        *(base64.urlsafe_b64encode(bytes(before) + data)[4:-4].decode() for before in range(3)),
        base64.b32encode(data).decode().rstrip("="),
        repr(data)[2:-1],
        json.dumps(data.decode("latin-1"))[1:-1],
        data.decode("latin-1"),
        data.decode("utf-8", "replace"),
        str(list(data))[1:-1],
        str(int.from_bytes(data, "big")),
    }


def traces(token: str) -> set[str]:
    """Everything that would reveal a token: itself, its bytes, its hash, and the prefix in the events."""
    found = forms(token.encode()) | forms(bytes.fromhex(token)) | forms(bytes.fromhex(key_of(token)))
    return found | {key_of(token)[:32], key_of(token)[:16], hashlib.md5(token.encode()).hexdigest()}


def betrays(text: str, signs: set[str]) -> bool:
    return any(sign in text for sign in signs)


class Recorder:
    """Records everything that leaves the server, with its receiver."""

    def __init__(self) -> None:
        self.recorded: list[tuple[str, str, str]] = []  # who, what it was, the text

    async def __call__(self, who: str, request: Any) -> httpx.Response:
        response: httpx.Response = await request
        head = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
        self.recorded.append((who, f"{response.request.method} {response.url.path}", f"{head}\n\n{response.text}"))
        return response

    def frames(self, who: str, socket: Socket) -> None:
        self.recorded += [(who, "frame", text) for text in socket.frames]
        socket.frames.clear()


def test_encoded_secrets_are_found() -> None:
    inside = base64.b64encode(b"something before " + SECRET + b" and behind").decode()
    for text in (SECRET.hex(), f"x{SECRET!r}x", inside, json.dumps(SECRET.decode("latin-1"))):
        assert betrays(text, forms(SECRET))
    for token in TOKENS.values():
        assert betrays(json.dumps({"by": key_of(token)[:32]}), traces(token))
        assert betrays(json.dumps({"token": token}), traces(token))


async def _ask_around(recorder: Recorder, world: World, table: str) -> None:
    """All requests, valid and invalid, by every client."""
    for who, token in (*TOKENS.items(), ("Eve", "")):
        async with world.client(token) as client:
            for path in ("", "/record", "/positions/0", "/positions/5", "/positions/99999", "/socket", *SHOWN):
                await recorder(who, client.get(f"/api/tables/{table}{path}"))
            await recorder(who, client.post(f"/api/tables/{table}/hint", json={}))
            for path in ("/api/lobby", "/api/games", "/metrics", "/readyz", "/api", "/api/openapi.json", f"/t/{table}"):
                await recorder(who, client.get(path))
            for words in (
                {},
                {"type": "say", "id": "!", "step": 1, "text": "x"},
                {"type": "play", "id": "p", "step": 1},
            ):
                await recorder(who, client.post(f"/api/tables/{table}/commands", json=words))
            await recorder(who, client.post(f"/api/tables/{table}/seat", json={"name": "x", "seat": 0}))
            await recorder(who, client.post(f"/api/tables/{table}/claim", json={"token": "0" * 32}))
            await recorder(who, client.post(f"/api/tables/{table}/follow"))
        for after in (None, 0, 1):
            socket = await world.open_socket(table, token, after=after)
            recorder.frames(who, socket)
            await socket.end()


@pytest.mark.parametrize("game", ["azul", "schokoly"])
def test_no_response_contains_a_token_or_the_secret(game: str, tmp_path: Path) -> None:
    recorder, chosen = Recorder(), random.Random(game)
    over_at = []

    async def story(world: World) -> None:
        seats = [{"kind": "me", "name": "Anna"}, {"kind": "open"}, {"kind": "bot", "bot": "greedy"}]
        async with world.client() as anna, world.client() as ben:
            wish = {"game": game, "seats": seats, "public": True, "token": TOKENS["Anna"]}
            table = (await recorder("Anna", anna.post("/api/tables", json=wish))).json()["table"]
            sockets = {"Anna": await world.open_socket(table, TOKENS["Anna"]), "Eve": await world.open_socket(table)}
            await _ask_around(recorder, world, table)
            sit = {"name": "Ben", "token": TOKENS["Ben"], "entropy": "be"}
            await recorder("Ben", ben.post(f"/api/tables/{table}/seat", json=sit))
            sockets["Ben"] = await world.open_socket(table, TOKENS["Ben"])
            await _ask_around(recorder, world, table)
        anna_socket = sockets["Anna"]
        assert (await anna_socket.ask("start", id="start", step=1))["ok"]
        assert (await anna_socket.ask("say", id="chat", step=1, text=CHAT))["ok"]
        await _ask_around(recorder, world, table)
        number = 0
        while anna_socket.state["status"] != "over":
            step = anna_socket.state["step"]
            for socket in sockets.values():
                await socket.until_step(step)
            movers = [socket for socket in sockets.values() if socket.state.get("moves")]
            if not movers:
                await anna_socket.receive()
                continue
            for who, socket in sockets.items():
                if not socket.state["step"] > step:
                    recorder.frames(who, socket)
            number += 1
            if number == 20:
                await _ask_around(recorder, world, table)
            move = chosen.choice(legal_texts(movers[0].state))
            await movers[0].ask("play", id=f"m{number}", step=movers[0].state["step"], move=move)
            await anna_socket.until_step(step + 1)
        over_at.append(len(recorder.recorded))
        for socket in sockets.values():
            await socket.until_step(anna_socket.state["step"])
            assert socket.state["secret"] == SECRET.hex()
        offered = await anna_socket.ask("offer", id="again", step=anna_socket.state["step"], what="rematch")
        await sockets["Ben"].ask("answer", id="yes", step=0, offer=offered["seq"], yes=True)
        await _ask_around(recorder, world, "table0000002")
        for who, socket in sockets.items():
            recorder.frames(who, socket)
            await socket.end()
        await _ask_around(recorder, world, table)

    world = run(tmp_path, story, secret=SECRET)
    assert number_of(recorder, "frame") > 100
    received: dict[str, list[str]] = {who: [] for who in TOKENS}
    for who, what, text in recorder.recorded:
        for holder, token in TOKENS.items():
            if betrays(text, traces(token)):
                assert who == holder, (who, what)
                received[holder].append(what)
    again = "POST /api/tables/table0000001/follow"  # the cookie for the rematch
    assert received == {"Anna": ["POST /api/tables", again], "Ben": ["POST /api/tables/table0000001/seat", again]}
    for _, what, text in recorder.recorded[: over_at[0]]:
        assert not betrays(text, forms(SECRET)), what
    next_secret = SECRET[1:] + SECRET[:1]
    assert not any(betrays(text, forms(next_secret)) for _, _, text in recorder.recorded)
    logged = world.written.getvalue()
    assert not betrays(logged, forms(SECRET).union(*map(traces, TOKENS.values())))
    assert not betrays(logged, {"Anna", "Ben", CHAT})


def number_of(recorder: Recorder, what: str) -> int:
    return sum(kind == what for _, kind, _ in recorder.recorded)


@pytest.fixture
def loud(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that logs at the level debug."""
    running = start_server(tmp_path / "server", log_level="debug", request_timeout=2)
    yield running
    running.kill()


def test_the_logs_of_a_real_server_contain_no_secrets(loud: ServerProcess) -> None:
    anna, ben = Person(loud, "Annabella"), Person(loud, "Benedictus")
    anna.make(seats=[{"kind": "me", "name": "Annabella"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}])
    ben.sit(anna.table)
    tabs = [anna.tab(), ben.tab()]
    tabs[0].done("start")
    tabs[0].done("say", text=CHAT)
    tabs[1].refused("say", text=CHAT * 100)
    tabs[1].refused("play", move=CHAT)
    for path in (f"/api/tables/{anna.table}?token={anna.token}", f"/{anna.token}", f"/api/tables/{anna.token}"):
        anna.http.get(path)
        anna.http.post(path, content=anna.token)
    with line(loud) as garbage:
        garbage.send(f"GET /{anna.token} HTTP/1.1\r\nbroken {anna.token}\r\n\r\n".encode())
        garbage.rest()
    with line(loud) as bad:
        bad.shake(anna.table, f"Cookie: tilery-seat={anna.token}\r\n")
        bad.send(b"\x81\x85\0\0\0\0\xff\xfe\xfd\xfc\xfb")
        bad.code()
    with line(loud) as upgrade:
        upgrade.send(
            f"GET /?{anna.token} HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n".encode()
        )
        upgrade.head()
    tabs[0].done("resign")
    tabs[1].done("resign")
    for tab in tabs:
        tab.close()
    for person in (anna, ben):
        person.http.close()
    with sqlite3.connect(f"file:{loud.database}?mode=ro", uri=True) as store:
        dump = "\n".join(store.iterdump())
    store.close()
    for person in (anna, ben):
        assert person.token not in dump
        assert key_of(person.token) in dump
    assert loud.stop() == 0
    output = loud.said() + loud.logged()
    assert loud.logged().strip()
    for text in loud.logged().splitlines():
        assert {"at", "level", "what"} <= json.loads(text).keys()
    for person in (anna, ben):
        assert not betrays(output, traces(person.token))
        assert person.name not in output
    assert "canary" not in output
