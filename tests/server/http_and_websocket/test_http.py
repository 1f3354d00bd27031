"""Every endpoint: what it does, and how it refuses."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from typing import Any

import httpx
import pytest

from tests.server.http_and_websocket.in_process import TWO, WIDE, RunInWorld, World, create_table, kind_of
from tests.wire_client import legal_texts
from tilery.games import read_any_record
from tilery.server.store.interface import StoreDown


def test_creating_a_table_gives_a_seat_an_invitation_and_a_token(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            seated = await create_table(anna)
            table, token = seated["table"], seated["token"]
            assert re.fullmatch(r"[0-9a-f]{32}", token)
            assert seated["invite"] == f"/t/{table}"
            assert seated["seat_link"] == f"/t/{table}#seat={token}"
            assert seated["seats"] == [0]
            assert (await anna.get(f"/api/tables/{table}")).json()["you"] == [0]

    run_in_world(story)


IMPOSSIBLE: list[tuple[dict[str, Any], int, str]] = [
    ({"game": "chess"}, 400, "bad-text"),
    ({"seats": []}, 400, "bad-text"),
    ({"seats": TWO * 5}, 400, "bad-text"),
    ({"seats": [{"kind": "bot", "bot": "cmd:rm -rf /"}, {"kind": "me"}]}, 400, "bad-text"),
    ({"seats": [{"kind": "bot", "bot": "nobody"}, {"kind": "me"}]}, 400, "bad-text"),
    ({"seats": [{"kind": "me", "name": "\u202eanna"}, {"kind": "open"}]}, 400, "bad-text"),
    ({"seats": [{"kind": "me", "name": "x" * 25}, {"kind": "open"}]}, 400, "bad-text"),
    ({"seats": [{"kind": "ghost"}, {"kind": "open"}]}, 422, "not-understood"),
    ({"seats": {}}, 422, "not-understood"),
    ({"variant": "nonsense"}, 400, "bad-text"),
    ({"variant": "x" * 500}, 400, "bad-text"),
    ({"clock": {"base": 1}}, 400, "bad-text"),
    ({"clock": {"hours": 1}}, 422, "not-understood"),
    ({"clock": {"base": "60"}}, 422, "not-understood"),
    ({"public": "yes"}, 422, "not-understood"),
    ({"token": "short"}, 400, "bad-text"),
    ({"token": "A" * 32}, 400, "bad-text"),
    ({"game": None}, 422, "not-understood"),
    ({"secret": "mine"}, 422, "not-understood"),
]


def test_an_invalid_table_is_refused(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            for wish, status, code in IMPOSSIBLE:
                response = await anna.post("/api/tables", json={"game": "azul", "seats": TWO} | wish)
                assert kind_of(response) == (status, code), wish
                assert "set-cookie" not in response.headers

    assert run_in_world(story).table_host.metrics.tables_created == 0


BROKEN = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"\xff\xfe",
    b"[" * 8000,
    b"1" * 8000,
    b'{"game":NaN}',
    b'{"\\ud800":1}',
    b'"\\ud800"',
]


def test_a_body_that_is_not_json_is_refused(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            table = (await create_table(anna))["table"]
            for path in ("tables", f"tables/{table}/seat", f"tables/{table}/claim", f"tables/{table}/commands"):
                for body, kind in product(BROKEN, ("application/json", "text/plain")):
                    response = await anna.post(f"/api/{path}", content=body, headers={"content-type": kind})
                    assert kind_of(response) == (422, "not-understood"), (path, body[:20], response.text)

    run_in_world(story)


def test_a_body_is_measured_before_it_is_read(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            table = (await create_table(anna))["table"]
            for path, most in (("tables", 8192), (f"tables/{table}/commands", 8192), ("records", 65_536)):
                for size in (most + 1, 3 * most, 100 * most):
                    response = await anna.post(f"/api/{path}", content=b" " * size)
                    assert kind_of(response) == (413, "too-long")
                assert (await anna.post(f"/api/{path}", content=b" " * most)).status_code in (400, 422)

    run_in_world(story)


def test_a_seat_is_taken_once_and_by_whoever_comes_first(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as ben, world.client() as carla:
            table = (await create_table(anna))["table"]
            where = f"/api/tables/{table}/seat"
            for wish, status, code in (
                ({"name": ""}, 400, "bad-text"),
                ({"name": "Ben", "seat": 0}, 409, "taken"),
                ({"name": "Ben", "seat": 2}, 400, "bad-text"),
                ({"name": "Ben", "seat": -1}, 400, "bad-text"),
                ({"name": "Ben", "seat": "1"}, 422, "not-understood"),
                ({"name": "Ben", "entropy": "XYZ"}, 400, "bad-text"),
                ({"name": "Ben", "token": "XYZ"}, 400, "bad-text"),
                ({"name": "Ben", "id": "a b"}, 400, "bad-text"),
                ({}, 422, "not-understood"),
            ):
                assert kind_of(await ben.post(where, json=wish)) == (status, code), wish
            wish = {"name": "Ben", "token": "b" * 32, "id": "once"}
            first = await ben.post(where, json=wish)
            assert (first.status_code, first.json()["seats"]) == (201, [1])
            again = await ben.post(where, json=wish)
            assert (again.status_code, again.json()) == (201, first.json())
            assert kind_of(await carla.post(where, json={"name": "Carla"})) == (409, "taken")
            assert kind_of(await carla.post("/api/tables/nosuchtable1/seat", json={"name": "C"})) == (404, "no-table")

    run_in_world(story)


def test_a_private_link_becomes_a_cookie(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as phone, world.client() as thief:
            seated = await create_table(anna)
            where = f"/api/tables/{seated['table']}"
            token = seated["seat_link"].partition("#seat=")[2]
            claimed = await phone.post(f"{where}/claim", json={"token": token})
            assert (claimed.status_code, claimed.content) == (204, b"")
            assert (await phone.get(where)).json()["you"] == [0]
            for wrong, status in (("0" * 32, 403), (token[:-1], 400), (token.upper() + "g", 400), ("", 400)):
                assert (await thief.post(f"{where}/claim", json={"token": wrong})).status_code == status
            assert (await thief.get(where)).json()["you"] == []
            other = await create_table(anna)
            assert kind_of(await thief.post(f"/api/tables/{other['table']}/claim", json={"token": token})) == (
                403,
                "not-allowed",
            )

    run_in_world(story)


def test_a_command_by_request_is_the_same_as_by_socket(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as eve:
            table = (await create_table(anna, seats=[{"kind": "me"}, {"kind": "me"}]))["table"]
            where = f"/api/tables/{table}/commands"
            start = {"type": "start", "id": "s", "step": 1}
            assert kind_of(await eve.post(where, json=start)) == (403, "not-seated")
            done = await anna.post(where, json=start)
            assert (done.status_code, done.json()) == (200, {"type": "reply", "id": "s", "ok": True, "seq": 2})
            assert (await anna.post(where, json=start)).json() == done.json()
            play = {"type": "play", "id": "p", "step": 1, "move": "1B1"}
            late = await anna.post(where, json=play)
            assert kind_of(late) == (409, "stale")
            state = late.json()["state"]
            move = legal_texts(state)[0]
            assert kind_of(await anna.post(where, json=play | {"step": 2, "move": "??"})) == (400, "not-a-move")
            legal = await anna.post(where, json=play | {"step": 2, "move": move})
            assert legal.json()["ok"]
            assert kind_of(await anna.post(where, json={"type": "sit", "id": "x", "step": 0, "name": "A"})) == (
                403,
                "not-allowed",
            )
            for wrong in ({"type": "dance"}, {"type": "play"}, play | {"step": "2"}, play | {"x": 1}, {}):
                assert kind_of(await anna.post(where, json=wrong)) == (422, "not-understood")
            gone = "/api/tables/nosuchtable1/commands"
            assert kind_of(await anna.post(gone, json=start)) == (404, "no-table")

    run_in_world(story)


def test_the_lobby_shows_public_tables_with_an_open_seat_the_newest_first(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as ben:
            await create_table(anna)
            first = (await create_table(anna, public=True))["table"]
            world.time += 1
            second = (await create_table(anna, public=True, clock={"base": 300, "increment": 5}))["table"]
            tables = (await ben.get("/api/lobby")).json()["tables"]
            assert [one["table"] for one in tables] == [second, first]
            assert tables[0]["clock"] == {"base": 300, "increment": 5}
            assert tables[0]["seats"] == [{"kind": "person", "name": "Anna"}, {"kind": "open", "name": ""}]
            await ben.post(f"/api/tables/{second}/seat", json={"name": "Ben"})
            assert [one["table"] for one in (await ben.get("/api/lobby")).json()["tables"]] == [first]

    run_in_world(story)


def test_the_lobby_shows_public_running_games_the_newest_first(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as ben, world.client() as eve:

            async def shown() -> tuple[list[str], list[str]]:
                lobby = (await eve.get("/api/lobby")).json()
                assert set(lobby) == {"tables", "running"}
                return [one["table"] for one in lobby["tables"]], [one["table"] for one in lobby["running"]]

            async def send(table: dict[str, Any], **words: Any) -> None:
                head = {"Authorization": f"Bearer {table['token']}"}
                state = (await anna.get(f"/api/tables/{table['table']}", headers=head)).json()
                sent = {"id": words["type"], "step": state["step"], **words}
                response = await anna.post(f"/api/tables/{table['table']}/commands", json=sent, headers=head)
                assert response.status_code == 200, response.text

            hidden = await create_table(anna)
            first, second = [
                await create_table(anna, public=True, clock={"base": 300, "increment": 5}) for _ in range(2)
            ]
            names = [first["table"], second["table"]]
            for table in (second, hidden, first):
                await ben.post(f"/api/tables/{table['table']}/seat", json={"name": "Ben"})
                assert table["table"] not in [name for part in await shown() for name in part]
                await send(table, type="start")
            assert await shown() == ([], names[::-1])
            body = (await eve.get("/api/lobby")).json()["running"][1]
            assert body == {
                "table": names[0],
                "game": "azul",
                "variant": body["variant"],
                "seats": [{"kind": "person", "name": "Anna"}, {"kind": "person", "name": "Ben"}],
                "clock": {"base": 300, "increment": 5},
                "created": body["created"],
            }
            watched = (await eve.get(f"/api/tables/{names[1]}")).json()
            assert (watched["status"], watched["you"]) == ("playing", [])
            await send(second, type="resign")
            assert await shown() == ([], names[:1])

    run_in_world(story)


def test_the_games_are_listed_with_their_bots(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            games = (await anna.get("/api/games")).json()["games"]
            assert [one["name"] for one in games] == ["azul", "chocolatier", "schokoly"]
            for one in games:
                for seats in one["seats"]:
                    assert {"random", "greedy"} <= {bot["name"] for bot in one["bots"][str(seats)]}

    run_in_world(story)


def test_records_and_positions_can_be_read_while_the_game_goes_on_and_afterwards(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna, world.client() as eve:
            table = (
                await create_table(
                    anna, game="schokoly", seats=[{"kind": "me", "name": "A"}, {"kind": "bot", "bot": "random"}]
                )
            )["table"]
            where = f"/api/tables/{table}"
            assert (await eve.get(f"{where}/positions/0")).status_code == 200
            await anna.post(f"{where}/commands", json={"type": "start", "id": "s", "step": 1})
            plies = (await anna.get(where)).json()["plies"]
            for client in (anna, eve):
                record = await client.get(f"{where}/record")
                assert record.headers["content-type"] == "text/plain; charset=utf-8"
                seen = read_any_record(record.text)
                assert len(seen.plies) >= plies
                assert (await client.get(f"{where}/positions/{plies}")).json() == json.loads(
                    seen.position(plies).json()
                )
                assert kind_of(await client.get(f"{where}/positions/{plies + 500}")) == (400, "bad-text")
            for wrong in ("-1", "x", "1.5", "100001", "9" * 40):
                assert kind_of(await eve.get(f"{where}/positions/{wrong}")) == (422, "not-understood")
            await anna.post(f"{where}/commands", json={"type": "resign", "id": "r", "step": 1})
            over = read_any_record((await eve.get(f"{where}/record")).text)
            assert over.tags["Secret"] == (b"s" * 32).hex()

    run_in_world(story)


def test_an_external_record_is_read_strictly(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            table = (await create_table(anna, seats=[{"kind": "me"}, {"kind": "me"}]))["table"]
            await anna.post(f"/api/tables/{table}/commands", json={"type": "start", "id": "s", "step": 1})
            text = (await anna.get(f"/api/tables/{table}/record")).text
            read = await anna.post("/api/records", content=text)
            assert read.status_code == 200
            words = read.json()
            assert (words["game"], words["ply"], words["result"]) == ("azul", 5, "*")
            assert words["plies"] == 5
            assert (await anna.post("/api/records?ply=0", content=text)).json()["ply"] == 0
            assert kind_of(await anna.post("/api/records?ply=6", content=text)) == (400, "bad-text")
            assert kind_of(await anna.post("/api/records?ply=-1", content=text)) == (422, "not-understood")
            assert kind_of(await anna.post("/api/records?ply=x", content=text)) == (422, "not-understood")
            for weird in _weird(text):
                assert kind_of(await anna.post("/api/records", content=weird)) == (400, "bad-text"), weird[:60]

    run_in_world(story)


def _weird(text: str) -> list[bytes]:
    data = text.encode()
    head, _, tail = text.partition('[Game "')
    return [
        b"",
        b"\0",
        b"\xff\xfe" + data,
        b"\xed\xa0\x80",
        b"[" * 65_000,
        b"(" * 65_000,
        b"{" * 65_000,
        b'"' * 65_000,
        b"\n" * 65_000,
        b"<html><script>alert(1)</script>",
        data + data,
        data[: len(data) // 2],
        data + b" 1. 1B1 1B1 1B1",
        data.replace(b"azul", b"chess"),
        f'{head}[Game "{"x" * 60_000}{tail}'.encode(),
        data + b" " + b"9" * 60_000,
        data + "\u202e".encode(),
        data.replace(b"+", b"+" * 1000, 1),
    ]


def test_unknown_paths_get_an_error_response(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            for path in (
                "/nothing",
                "/api/nothing",
                "/api/tables/",
                "/api/tables/x/y/z",
                "/api/lobby/",
                "/.env",
                "/t/a/b",
            ):
                assert kind_of(await anna.get(path)) == (404, "not-found")
            for path in ("/api/lobby", "/healthz", "/api/openapi.json"):
                refused = await anna.delete(path)
                assert refused.status_code == 405
                assert "GET" in refused.headers["allow"]
            for name in ("short", "UPPERCASE123", "table000000%00", "../../etc/pwd", "a" * 13, "%2e%2e%2f%2e%2e1"):
                response = await anna.get(f"/api/tables/{name}")
                assert response.status_code in (404, 422), name
            assert kind_of(await anna.get("/api/tables/nosuchtable1")) == (404, "no-table")
            assert kind_of(await anna.get("/api/tables/nosuchtable1/record")) == (404, "no-table")

    run_in_world(story)


def test_health_readiness_and_metrics(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            table = (await create_table(anna))["table"]
            await anna.get(f"/api/tables/{table}")
            assert (await anna.get("/healthz")).text == "ok\n"
            assert (await anna.get("/readyz")).text == "ready\n"
            metrics = await anna.get("/metrics")
            assert metrics.headers["content-type"].startswith("text/plain")
            lines = metrics.text.splitlines()
            assert "tilery_tables_created_total 1" in lines
            assert "tilery_tables_in_memory 1" in lines
            assert all(
                re.fullmatch(r"tilery_[a-z_]+ \d+|# TYPE tilery_[a-z_]+ (counter|gauge)", line) for line in lines
            )
            world.context.announce_shutdown()
            closing = await anna.get("/readyz")
            assert (closing.status_code, closing.text) == (503, "closing\n")
            assert (await anna.get("/healthz")).status_code == 200

    run_in_world(story)


def test_a_store_that_is_down_is_reported_as_unavailable(
    run_in_world: RunInWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(*_: object) -> None:
        raise StoreDown

    async def story(world: World) -> None:
        async with world.client() as anna:
            table = (await create_table(anna))["table"]
            await anna.get(f"/api/tables/{table}")  # it is in memory from now on
            for method in ("lobby", "create", "claim", "events", "append"):
                monkeypatch.setattr(world.table_host.store, method, down)
            assert (await anna.get("/readyz")).status_code == 503
            assert (await anna.get("/healthz")).status_code == 200
            assert kind_of(await anna.get("/api/lobby")) == (503, "unavailable")
            assert kind_of(await anna.post("/api/tables", json={"game": "azul", "seats": TWO})) == (503, "unavailable")
            say = {"type": "say", "id": "s", "step": 1, "text": "anybody there?"}
            refused = await anna.post(f"/api/tables/{table}/commands", json=say)
            assert kind_of(refused) == (503, "unavailable")
            assert refused.json()["error"]["retry_delay"] > 0
            assert kind_of(await anna.get(f"/api/tables/{table}")) == (503, "unavailable")

    run_in_world(story)


def test_a_busy_server_refuses_and_executes_nothing(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            table = (await create_table(anna))["table"]
            world.table_host.metrics.pending = 600
            say = {"type": "say", "id": "s", "step": 1, "text": "hello"}
            refused = await anna.post(f"/api/tables/{table}/commands", json=say)
            assert kind_of(refused) == (503, "busy")
            assert refused.json()["error"]["retry_delay"] > 0
            world.table_host.metrics.pending = 0
            assert (await anna.post(f"/api/tables/{table}/commands", json=say)).json()["seq"] == 2

    run_in_world(story)


def test_an_internal_error_is_reported_and_logged_without_its_message(
    run_in_world: RunInWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError("Anna's token is 12345")

    async def story(world: World) -> None:
        monkeypatch.setattr(world.table_host.store, "lobby", broken)
        transport = httpx.ASGITransport(app=world.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as anna:
            response = await anna.get("/api/lobby")
            assert kind_of(response) == (500, "internal-error")
            assert "12345" not in response.text
            assert response.headers["x-content-type-options"] == "nosniff"

    logged = run_in_world(story).written.getvalue()
    assert "ZeroDivisionError" in logged
    assert "12345" not in logged


def test_an_internal_error_of_a_command_does_not_close_the_socket(
    run_in_world: RunInWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> str:
        raise ZeroDivisionError("the line was 12345")

    async def story(world: World) -> None:
        async with world.client() as anna:
            seated = await create_table(anna)
            socket = await world.open_socket(seated["table"], seated["token"])
            with monkeypatch.context() as patch:
                patch.setattr("tilery.table.handler.read_chat", broken)
                response = await socket.ask("say", id="a", step=1, text="hello")
            assert (response["ok"], response["error"]["kind"]) == (False, "internal-error")
            assert (await socket.ask("say", id="b", step=1, text="hello"))["ok"]
            await socket.end()

    logged = run_in_world(story).written.getvalue()
    assert "ZeroDivisionError" in logged
    assert "12345" not in logged


def test_requests_are_limited_per_address(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            responses = [(await anna.get("/healthz")).status_code for _ in range(8)]
            assert responses == [200] * 5 + [429] * 3
            limited = await anna.get("/api/lobby")
            assert kind_of(limited) == (429, "too-many-requests")
            assert limited.headers["retry-after"] == "2"
            transport = httpx.ASGITransport(app=world.app, client=("10.0.0.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as other:
                assert (await other.get("/healthz")).status_code == 200
            socket = world.socket("table0000001")
            with pytest.raises(ConnectionError):
                await socket.receive()
            world.time += 1
            assert [(await anna.get("/healthz")).status_code for _ in range(3)] == [200, 200, 429]

    run_in_world(story, replace(WIDE, requests_per_second=2, requests_burst=5))


def test_new_tables_are_limited_per_address(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        wish = {"game": "azul", "seats": TWO}
        async with world.client() as anna:
            assert [(await anna.post("/api/tables", json=wish)).status_code for _ in range(4)] == [201, 201, 201, 429]
            assert kind_of(await anna.post("/api/tables", json=wish)) == (429, "too-many-requests")
            world.time += 1200
            assert [(await anna.post("/api/tables", json=wish)).status_code for _ in range(2)] == [201, 429]

    assert run_in_world(story, replace(WIDE, tables_per_hour=3)).table_host.metrics.tables_created == 4


def test_sockets_are_limited_per_address(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            table = (await create_table(anna))["table"]
            first, second = await world.open_socket(table), await world.open_socket(table)
            third = world.socket(table)
            with pytest.raises(ConnectionError):
                await third.receive()
            await first.end()
            again = await world.open_socket(table)
            await again.end()
            await second.end()

    run_in_world(story, replace(WIDE, max_sockets_per_address=2))


def test_behind_a_proxy_the_last_forwarded_address_counts_and_cookies_need_https(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async def ask(forwarded: str) -> int:
            async with world.client(**{"x-forwarded-for": forwarded}) as client:
                return (await client.get("/healthz")).status_code

        assert [await ask("1.1.1.1, 9.9.9.9") for _ in range(3)] == [200, 200, 429]
        assert await ask("9.9.9.9, 1.1.1.1") == 200
        assert [await ask("2001:db8::1"), await ask("2001:db8::2"), await ask("2001:db8::3")] == [200, 200, 429]
        assert await ask("2001:db8:1::1") == 200
        async with world.client(**{"x-forwarded-for": "3.3.3.3"}) as anna:
            response = await anna.post("/api/tables", json={"game": "azul", "seats": TWO})
            assert "Secure" in response.headers["set-cookie"]
            assert "strict-transport-security" in response.headers

    run_in_world(story, replace(WIDE, behind_proxy=True, requests_per_second=0.001, requests_burst=2))


def test_without_a_proxy_forwarded_addresses_are_ignored(run_in_world: RunInWorld) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            responses = [
                (await anna.get("/healthz", headers={"x-forwarded-for": f"1.1.1.{number}"})).status_code
                for number in range(4)
            ]
            assert responses == [200, 200, 429, 429]

    run_in_world(story, replace(WIDE, requests_per_second=0.001, requests_burst=2))
