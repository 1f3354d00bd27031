"""The table host: its parts have explicit interfaces, and an unloaded table is released."""

from __future__ import annotations

import ast
import asyncio
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.server.http_and_websocket.in_process import WIDE, World, create_table, run, start_game
from tests.wire_client import legal_texts
from tilery.server import hosting
from tilery.server.hosting.host import TableDamaged, TableHost, Unavailable
from tilery.server.hosting.scheduler import UNLOAD_DELAY
from tilery.server.store.interface import StoreDown, StoreFull, Unreadable

MODULES = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in Path(hosting.__path__[0]).glob("*.py")}
CLASSES = {node.name: node for tree in MODULES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def test_the_parts_of_the_table_host_are_composed_and_not_inherited() -> None:
    assert {"TableHost", "LiveTables", "Ownership", "Scheduler", "Forwarding"} <= CLASSES.keys()
    for node in CLASSES.values():
        bases = {ast.unparse(base) for base in node.bases}
        assert bases <= {"Exception", "TableError", "Unavailable", "Protocol", "msgspec.Struct"}, node.name


@pytest.mark.parametrize("module", MODULES)
def test_no_part_of_the_table_host_uses_private_names_of_another(module: str) -> None:
    private = [
        ast.unparse(node)
        for node in ast.walk(MODULES[module])
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and ast.unparse(node.value) != "self"
    ]
    assert private == []


def test_every_part_says_what_it_needs() -> None:
    for name in ("Ownership", "Scheduler", "Forwarding", "LiveTables", "TableHost"):
        (init,) = [node for node in CLASSES[name].body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
        assert init.args.vararg is None, name
        assert init.args.kwarg is None, name
        arguments = [*init.args.args[1:], *init.args.kwonlyargs]
        assert arguments, name
        assert all(argument.annotation for argument in arguments), name
    assert inspect.signature(TableHost).parameters.keys() >= {"store", "bots", "log", "now"}


# Release

Story = Callable[[World], Awaitable[None]]


def _released(world: World) -> list[tuple[str, int]]:
    """Record every release from now on."""
    calls = []
    release = world.table_host.store.release

    async def note(table: str, lease: int) -> None:
        calls.append((table, lease))
        await release(table, lease)

    world.table_host.store.release = note  # type: ignore[method-assign]
    return calls


def test_an_idle_table_is_unloaded_and_released(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        host = world.table_host
        calls = _released(world)
        async with world.client() as anna:
            name = (await create_table(anna))["table"]
            before = (await anna.get(f"/api/tables/{name}")).json()
            claim = await host.store.claim(name)
            assert claim is not None
            await host.sweep()
            assert (host.tables_in_memory, calls) == (1, [])
            world.time += UNLOAD_DELAY + 1
            await host.sweep()
            assert (host.tables_in_memory, calls) == (0, [(name, claim.lease)])
            again = await host.store.claim(name)
            assert again is not None
            assert again.lease is not None
            assert claim.lease is not None
            assert again.lease > claim.lease  # nobody owned it in between
            assert (await anna.get(f"/api/tables/{name}")).json() == before

    run(tmp_path, story)


@pytest.mark.parametrize(("clock", "in_memory"), [({"days": 14}, 0), ({"base": 10_800, "increment": 0}, 1)])
def test_games_that_last_for_days_do_not_stay_in_memory(tmp_path: Path, clock: dict[str, int], in_memory: int) -> None:
    async def story(world: World) -> None:
        async with world.client() as anna:
            seats = [{"kind": "me", "name": "A"}, {"kind": "me", "name": "B"}]
            where = f"/api/tables/{(await create_table(anna, seats=seats, clock=clock))['table']}"
            start = {"type": "start", "id": "start", "step": 1}
            assert (await anna.post(f"{where}/commands", json=start)).status_code == 200
            world.time += UNLOAD_DELAY + 1
            await world.table_host.sweep()
            assert world.table_host.tables_in_memory == in_memory
            world.time += clock.get("days", 0) * 86_400 + clock.get("base", 0)
            await world.table_host.sweep()
            while (state := (await anna.get(where)).json())["status"] == "playing":
                await asyncio.sleep(0.01)
            assert state["result"]["ended_by"] == "time"

    run(tmp_path, story)


def test_a_table_with_a_listener_is_not_unloaded(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        calls = _released(world)
        async with world.client() as anna:
            name = (await create_table(anna))["table"]
            socket = await world.open_socket(name)
            world.time += UNLOAD_DELAY + 1
            await world.table_host.sweep()
            assert (world.table_host.tables_in_memory, calls) == (1, [])
            await socket.end()

    run(tmp_path, story)


def test_a_table_that_is_asked_for_while_it_is_released_stays_in_memory(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        host = world.table_host
        async with world.client() as anna:
            where = await start_game(anna)
            name = where.rpartition("/")[2]
            state = (await anna.get(where)).json()
            world.time += UNLOAD_DELAY + 1
            store_release, releasing, may_release = host.store.release, asyncio.Event(), asyncio.Event()

            async def slow(table: str, lease: int) -> None:
                releasing.set()
                await may_release.wait()
                await store_release(table, lease)

            host.store.release = slow  # type: ignore[method-assign]
            sweeping = asyncio.ensure_future(host.sweep())
            await releasing.wait()
            live = host.live_tables.find(name)
            play = {"type": "play", "id": "m", "step": state["step"], "move": legal_texts(state)[0]}
            asking = asyncio.ensure_future(anna.post(f"{where}/commands", json=play))
            await asyncio.sleep(0.05)
            may_release.set()
            assert (await asking).json()["ok"]
            await sweeping
            assert host.live_tables.find(name) is live

    run(tmp_path, story)


def test_a_failed_release_is_logged_and_repeated(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        host = world.table_host
        async with world.client() as anna:
            name = (await create_table(anna))["table"]
            assert (await anna.get(f"/api/tables/{name}")).status_code == 200
            release = host.store.release

            async def down(table: str, lease: int) -> None:  # noqa: ARG001
                raise StoreDown

            host.store.release = down  # type: ignore[method-assign]
            world.time += UNLOAD_DELAY + 1
            await host.sweep()
            live = host.live_tables.find(name)
            assert live is not None
            assert live.table is None
            host.store.release = release  # type: ignore[method-assign]
            calls = _released(world)
            await host.sweep()
            assert (host.tables_in_memory, len(calls)) == (0, 1)
            assert (await anna.get(f"/api/tables/{name}")).status_code == 200

    logged = run(tmp_path, story, WIDE).written.getvalue()
    assert '"release failed"' in logged
    assert '"error": "StoreDown"' in logged


# Damage


PROBLEMS = ((StoreFull(), Unavailable), (StoreDown(), Unavailable), (Unreadable(), TableDamaged))


@pytest.mark.parametrize("method", ["events", "secret_of"])
def test_only_what_cannot_be_read_is_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """A store that has too much to do, or does not respond, says nothing about the table."""

    async def story(world: World) -> None:
        host = world.table_host
        async with world.client() as anna:
            name = (await create_table(anna))["table"]
            for problem, answer in PROBLEMS:
                world.time += UNLOAD_DELAY + 1
                await host.sweep()
                assert host.tables_in_memory == 0
                with monkeypatch.context() as patched:
                    patched.setattr(host.store, method, _failing_with(problem))
                    with pytest.raises(answer):
                        await host.read(name, lambda table, _: table.number)
                assert host.live_tables.damaged == ([name] if answer is TableDamaged else [])

    run(tmp_path, story)


def _failing_with(problem: Exception) -> Callable[..., Awaitable[None]]:
    async def fail(*_: object) -> None:
        raise problem

    return fail
