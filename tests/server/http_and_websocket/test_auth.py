"""Tokens, cookies, origins, and the security headers of every response."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.server.http_and_websocket.clients import Person, Tab
from tests.server.http_and_websocket.in_process import WIDE, World, run
from tests.server.http_and_websocket.raw_websocket import line
from tests.server.server_process import ServerProcess
from tests.wire_client import legal_texts
from tilery.server.auth import key_of, new_table_id, new_token, token_in

TWO = [{"kind": "me", "name": "Anna"}, {"kind": "open"}]
WISH = {"game": "azul", "seats": TWO}


def test_a_token_has_128_random_bits_and_a_table_a_name_that_nobody_guesses() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert all(re.fullmatch(r"[0-9a-f]{32}", token) for token in tokens)
    for place in range(32):
        assert len({token[place] for token in tokens}) == 16
    tables = [new_table_id() for _ in range(1000)]
    assert len({name for name, _ in tables}) == len({secret for _, secret in tables}) == 1000
    assert all(re.fullmatch(r"[a-z0-9]{12}", name) and len(secret) == 32 for name, secret in tables)


def test_only_the_hash_of_a_token_is_stored() -> None:
    assert key_of("") == ""
    assert re.fullmatch(r"[0-9a-f]{64}", key_of("a" * 32))
    assert "a" * 32 not in key_of("a" * 32)


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ([], ""),
        ([(b"cookie", b"tilery-seat=" + b"a" * 32)], "a" * 32),
        ([(b"cookie", b"other=1; tilery-seat=" + b"a" * 32 + b"; more=2")], "a" * 32),
        ([(b"authorization", b"Bearer " + b"b" * 32)], "b" * 32),
        ([(b"authorization", b"bearer " + b"b" * 32), (b"cookie", b"tilery-seat=" + b"a" * 32)], "b" * 32),
        ([(b"authorization", b"Basic " + b"b" * 32)], ""),
        ([(b"authorization", b"Bearer " + b"B" * 32)], ""),
        ([(b"authorization", b"Bearer " + b"b" * 31)], ""),
        ([(b"authorization", b"Bearer " + b"b" * 33)], ""),
        ([(b"authorization", b"Bearer " + "١".encode() * 32)], ""),
        ([(b"authorization", b"Bearer " + b"b" * 32 + b"\n")], "b" * 32),
        ([(b"cookie", b"tilery-seat=")], ""),
        ([(b"cookie", b"tilery-seat; tilery-seat=\xff\xfe")], ""),
        ([(b"cookie", b"tilery-seat=" + b"a" * 5000)], ""),
        ([(b"cookie", b'tilery-seat="' + b"a" * 32 + b'"')], "a" * 32),
        ([(b"x-token", b"a" * 32)], ""),
        # Whatever cookies others set on the same host, ours is found.
        ([(b"cookie", b'a b; {"x": 1}; =; ;; tilery-seat=' + b"a" * 32)], "a" * 32),
        ([(b"cookie", b"tilery-seat=" + b"a" * 32 + b'; bad[name]="x; y=\xff')], "a" * 32),
        ([(b"cookie", b'q="unclosed; tilery-seat=' + b"a" * 32)], "a" * 32),
        ([(b"cookie", b"a@b=1"), (b"cookie", b"\ttilery-seat=" + b"a" * 32)], "a" * 32),
        ([(b"cookie", b"tilery-seat=" + b"a" * 32 + b"; tilery-seat=" + b"b" * 32)], "a" * 32),
        ([(b"cookie", b"tilery-seat=x; tilery-seat=" + b"a" * 32)], "a" * 32),
        ([(b"cookie", b"tilery-seat=" + b"a" * 32), (b"cookie", b"tilery-seat=" + b"b" * 32)], "a" * 32),
        ([(b"cookie", b"not-tilery-seat=" + b"a" * 32 + b"; tilery-seat-2=" + b"b" * 32)], ""),
        ([(b"cookie", b"x=tilery-seat=" + b"a" * 32)], ""),
        ([(b"cookie", b"tilery-seat=" + b"a" * 32), (b"authorization", b"Bearer x")], ""),
    ],
)
def test_a_token_is_read_from_the_authorization_header_or_a_cookie(
    headers: list[tuple[bytes, bytes]], found: str
) -> None:
    assert token_in(headers) == found


def test_the_cookie_is_for_one_table_and_out_of_reach_of_scripts_and_other_sites(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as ben, world.client() as phone:
            made = await anna.post("/api/tables", json=WISH)
            table, token = made.json()["table"], made.json()["token"]
            sat = await ben.post(f"/api/tables/{table}/seat", json={"name": "Ben"})
            claimed = await phone.post(f"/api/tables/{table}/claim", json={"token": token})
            for response, holds in ((made, token), (sat, sat.json()["token"]), (claimed, token)):
                parts = {part.strip().lower() for part in response.headers["set-cookie"].split(";")}
                assert parts >= {f"tilery-seat={holds}", "httponly", "samesite=strict", f"path=/api/tables/{table}"}
                assert any(part.startswith("max-age=") for part in parts)

    run(tmp_path, story)


def test_a_token_opens_its_own_seat_at_its_own_table_and_nothing_else(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as ben:
            first = (await anna.post("/api/tables", json=WISH)).json()
            second = (await ben.post("/api/tables", json=WISH)).json()
        stranger = "0123456789abcdef" * 2
        cases = [
            (first["token"], first["table"], [0]),
            (first["token"], second["table"], []),
            (second["token"], first["table"], []),
            (stranger, first["table"], []),
            (key_of(first["token"])[:32], first["table"], []),
            (first["token"].upper(), first["table"], []),
            (first["token"][:-1], first["table"], []),
        ]
        for token, table, seats in cases:
            async with world.client(token) as client:
                state = (await client.get(f"/api/tables/{table}")).json()
                assert (state["you"], state["host"]) == (seats, bool(seats))
                say = {"type": "say", "id": token[:8], "step": 1, "text": "hello"}
                response = await client.post(f"/api/tables/{table}/commands", json=say)
                assert response.status_code == (200 if seats else 403)
            if re.fullmatch(r"[0-9a-f]{32}", token):
                socket = await world.open_socket(table, token)
                assert socket.state["you"] == seats
                assert (await socket.ask("say", id=f"s{token[:8]}", step=1, text="hello"))["ok"] is bool(seats)
                await socket.end()

    run(tmp_path, story)


def test_a_token_in_the_url_is_ignored(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as eve:
            made = (await anna.post("/api/tables", json=WISH)).json()
            for query in (f"token={made['token']}", f"seat={made['token']}"):
                assert (await eve.get(f"/api/tables/{made['table']}?{query}")).json()["you"] == []

    run(tmp_path, story)


def test_the_token_of_a_left_seat_is_void(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as ben:
            table = (await anna.post("/api/tables", json=WISH)).json()["table"]
            token = (await ben.post(f"/api/tables/{table}/seat", json={"name": "Ben"})).json()["token"]
            socket = await world.open_socket(table, token)
            assert (await socket.ask("leave", id="l", step=1))["ok"]
            for command in ({"text": "still here"}, {"text": "and here"}):
                response = await socket.ask("say", id=command["text"].replace(" ", "-"), step=1, **command)
                assert response["error"]["kind"] == "not-seated"
            assert (await ben.post(f"/api/tables/{table}/claim", json={"token": token})).status_code == 403
            await socket.end()

    run(tmp_path, story)


STRANGE = [
    "http://evil.example",
    "https://evil.example",
    "null",
    "http://test.evil.example",
    "http://eviltest",
    "http://test@evil.example",
    "http://evil.example/test",
    "http://test:81",
    "ftp://test",
    "test",
    "",
    "http://[",
    "http://",
    "http://test/",
    "\xff",
]


def test_pages_of_other_origins_can_neither_post_nor_connect(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as page:
            table = (await anna.post("/api/tables", json=WISH)).json()["table"]
            for origin in (text.encode("latin-1") for text in STRANGE):
                page.headers = httpx.Headers([(b"origin", origin)])
                for path in ("tables", f"tables/{table}/seat", f"tables/{table}/commands", "records"):
                    response = await page.post(f"/api/{path}", json=WISH)
                    assert (response.status_code, response.json()["error"]["kind"]) == (403, "not-allowed"), origin
                assert "access-control-allow-origin" not in (await page.get("/api/lobby")).headers
                assert (await page.options(f"/api/tables/{table}/seat")).status_code == 403
                socket = world.socket(table, (b"origin", origin))
                with pytest.raises(ConnectionError):
                    await socket.receive()
            assert world.context.metrics.sockets_opened == 0

    run(tmp_path, story)


def test_the_web_client_and_programs_can(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        for origin in ("http://test", "https://test", "https://tiles.example.org", ""):
            async with world.client(**({"origin": origin} if origin else {})) as page:
                made = await page.post("/api/tables", json=WISH)
                assert made.status_code == 201
                headers = [(b"origin", origin.encode())] if origin else []
                socket = world.socket(made.json()["table"], *headers)
                socket.say(type="hello")
                await socket.receive("welcome")
                await socket.end()

    run(tmp_path, story, replace(WIDE, allowed_origins="https://other.example, https://tiles.example.org"))


def test_one_foreign_origin_among_several_is_refused(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        own, strange = (b"origin", b"http://test"), (b"origin", b"http://evil.example")
        for origins in ((own, strange), (strange, own)):
            socket = world.socket("table0000001", *origins)
            with pytest.raises(ConnectionError):
                await socket.receive()

    run(tmp_path, story)


def test_a_cookie_is_enough_for_a_socket(server: ServerProcess, anna: Person) -> None:
    anna.make()
    with line(server) as tab:
        tab.shake(anna.table, f"Cookie: tilery-seat={anna.token}\r\n")
        tab.say(type="hello")
        assert tab.receive("welcome")["state"]["you"] == [0]


def test_cookies_of_other_sites_on_the_same_host_do_not_hide_the_seat(server: ServerProcess, anna: Person) -> None:
    anna.make()
    foreign = 'prefs={"size": 2}; bad name=[]; quote="'
    cookie = f"{foreign}; tilery-seat={anna.token}; tilery-seat={'f' * 32}"
    with line(server) as tab:
        tab.shake(anna.table, f"Cookie: {cookie}\r\n")
        tab.say(type="hello")
        assert tab.receive("welcome")["state"]["you"] == [0]
    with httpx.Client(base_url=server.url, headers={"cookie": cookie}) as client:
        assert client.get(f"/api/tables/{anna.table}").json()["you"] == [0]


def test_a_rejected_socket_gets_403(server: ServerProcess, anna: Person) -> None:
    anna.make()
    with line(server) as tab:
        assert " 403 " in tab.shake(anna.table, "Origin: http://evil.example\r\n")
    with line(server) as tab:
        assert " 403 " in tab.shake("no/such/place")


def test_several_people_hold_several_seats_and_none_of_the_others(anna: Person, ben: Person) -> None:
    anna.make(seats=[{"kind": "me", "name": "Anna"}, {"kind": "open"}, {"kind": "me", "name": "Anton"}])
    ben.sit(anna.table)
    first, second = anna.tab(), ben.tab()
    try:
        assert (first.state["you"], second.state["you"]) == ([0, 2], [1])
        assert second.refused("rename", seat=0, name="Mine") == "not-allowed"
        assert first.refused("rename", name="Which") == "bad-text"
        first.done("rename", seat=2, name="Antonia")
        first.done("start")
        for tab in (first, second):
            tab.until_seen(first.seen)
        tabs: list[Tab] = [first, second, first]
        for _ in range(3):
            mover = tabs[first.state["actor"]]
            wrong = second if mover is first else first
            move = legal_texts(mover.state)[0]
            assert wrong.refused("play", move=move) == "not-your-turn"
            number = mover.done("play", move=move)
            for tab in (first, second):
                tab.until_seen(number)
        assert second.refused("resign", seat=0) == "not-allowed"
    finally:
        first.close()
        second.close()


def test_every_response_has_the_security_headers(server: ServerProcess, anna: Person) -> None:
    anna.make()
    with httpx.Client(base_url=server.url) as client:
        responses = [
            client.get("/"),
            client.get(f"/t/{anna.table}"),
            client.get("/api"),
            client.get("/api/openapi.json"),
            client.get("/healthz"),
            client.get("/metrics"),
            client.get("/nothing"),
            client.delete("/api/lobby"),
            client.get(f"/api/tables/{anna.table}"),
            client.get("/api/tables/nosuchtable1"),
            client.get("/api/tables/x"),
            client.post("/api/tables", content="x" * 9000),
            client.post("/api/tables", content="x"),
            client.post("/api/tables", headers={"origin": "http://evil.example"}),
            client.get(f"/api/tables/{anna.table}/socket"),
        ]
    for response in responses:
        headers = response.headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert "permissions-policy" in headers
        assert "server" not in headers
        if response.url.path.startswith("/api/"):
            assert headers["cache-control"] == "no-store"
        for name in headers:
            assert len(headers.get_list(name)) == 1 or name == "set-cookie", name
