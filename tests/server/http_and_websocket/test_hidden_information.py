"""Two games that differ only in a hidden hand look the same to everybody else, byte by byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.notation import texts
from tests.server.http_and_websocket.in_process import WIDE, Socket, Thinker, World, run
from tests.wire_client import legal_texts
from tilery.core.kernel.actors import CHANCE, OVER, SPECTATOR
from tilery.core.position import Position
from tilery.core.streams import Stream
from tilery.games import game
from tilery.table.fairness import Dealer

ANNA, BEN = 0, 1  # Anna looks; Ben's cards differ
TOKENS = ("a" * 32, "b" * 32)
SEATS = [{"kind": "me", "name": "Anna"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}]
SECRET = b"the same secret in both worlds.."


@dataclass
class Script:
    """What happens in both games, and the deals that differ."""

    moves: list[tuple[int, str]] = field(default_factory=list)  # of people and the bot
    deals: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))


def _sees(position: Position, action: int, viewer: int) -> tuple[int, str]:
    veiled = position.veiled(action, viewer)
    return veiled, position.seen_by(viewer).move_text(veiled)


def _deal(worlds: list[Position], stream: Stream) -> tuple[int, int] | None:
    """The deals of each game: different ones if only Ben sees them."""
    first, second = (world.actions() for world in worlds)
    viewers = (ANNA, 2, SPECTATOR)
    if all(worlds[0].veiled(first[0], viewer) != first[0] for viewer in viewers):
        is_same = stream.below(3) > 0  # with nothing in common there would be no move that fits both worlds
        pairs = [(one, other) for one in first for other in second if (one == other) is is_same]
        return stream.choice(pairs) if pairs else None
    common = [action for action in first if action in second]
    return (stream.choice(common),) * 2 if common else None


def _move(worlds: list[Position], stream: Stream) -> str | None:
    """A move that is legal in both games, and looks the same."""
    actor = worlds[0].actor
    seen = [world.seen_by(actor) for world in worlds]
    if actor == 2:
        assert seen[0] == seen[1]
        return asyncio.run(Thinker().move(seen[0], "random", ""))
    lists = [texts(one) for one in seen]
    if actor == ANNA:
        assert lists[0] == lists[1]
    common = [
        move
        for move in lists[0]
        if move in lists[1]
        and all(
            _sees(worlds[0], worlds[0].action(move), viewer) == _sees(worlds[1], worlds[1].action(move), viewer)
            for viewer in (ANNA, 2, SPECTATOR)
        )
    ]
    return stream.choice(common) if common else None


def write_script(variant: str, seed: int, most: int = 40) -> Script | None:
    """Play both games side by side while only Ben could distinguish them; None if that ends too soon."""
    stream, script = Stream("twins", variant, seed), Script()
    rules = game("schokoly").with_table_limits(game("schokoly").variant(variant))
    worlds = [game("schokoly").new(rules)] * 2
    while worlds[0].actor != OVER:
        actor = worlds[0].actor
        assert actor == worlds[1].actor
        if actor == CHANCE:
            dealt = _deal(worlds, stream)
            if dealt is None:
                return None
            for deals, action in zip(script.deals, dealt, strict=True):
                deals.append(action)
            worlds = [world.play(action) for world, action in zip(worlds, dealt, strict=True)]
            continue
        move = None if len(script.moves) >= most and actor != 2 else _move(worlds, stream)
        if move is None:
            break
        script.moves.append((actor, move))
        worlds = [world.play(move) for world in worlds]
    for viewer in (ANNA, 2, SPECTATOR):
        assert worlds[0].seen_by(viewer) == worlds[1].seen_by(viewer)
    is_good = worlds[0].actor != OVER and len(script.moves) > 20
    return script if is_good and worlds[0].seen_by(BEN) != worlds[1].seen_by(BEN) else None


def long_scripts(variant: str) -> Iterator[Script]:
    return (script for seed in count() if (script := write_script(variant, seed)))


def dealing(deals: list[int]) -> Callable[[Dealer, Position, str, int], int]:
    """Deals what the script says."""
    return lambda _, __, ___, number: deals[number]


def _raw(response: httpx.Response) -> tuple[Any, ...]:
    return response.status_code, sorted(response.headers.items()), response.content


async def _look(world: World, table: str, plies: int) -> list[tuple[Any, ...]]:
    """All requests of Anna, a stranger and a spectator."""
    found = []
    for token in (TOKENS[ANNA], "f" * 32, ""):
        async with world.client(token) as client:
            last = range(max(1, plies - 3), plies + 1)
            for path in ("", "/record", "/replay", *(f"/positions/{ply}" for ply in last)):
                found.append(_raw(await client.get(f"/api/tables/{table}{path}")))
            for path in (f"/positions/{plies}?as={kind}" for kind in ("text", "svg")):
                found.append(_raw(await client.get(f"/api/tables/{table}{path}")))
            moves = legal_texts((await client.get(f"/api/tables/{table}")).json())[:20]
            asked = [*moves, *(words["move"] for words in WRONG if "move" in words)]
            found.append(_raw(await client.get(f"/api/tables/{table}/preview", params={"move": asked})))
            found.append(_raw(await client.post(f"/api/tables/{table}/hint", json={})))
            for path in ("/api/lobby", "/api/games", "/metrics", "/readyz"):
                found.append(_raw(await client.get(path)))
    return found


WRONG: list[dict[str, Any]] = [
    *({"type": "play", "move": f"{card}@50,50"} for card in ("DDDD", "WWWW", "MMMM", "DMWD", "DDDM", "MMMW")),
    *({"type": "play", "move": move} for move in ("pass", "dark", "no-token", "accept", "decline", "+?", "+DDDM", "x")),
    *({"type": "play", "move": f"offer:{card}>2"} for card in ("DDDD", "MWMW", "WWWW")),
    {"type": "play", "move": "pass", "step": 1},
    {"type": "offer", "what": "rematch"},
    {"type": "offer", "what": "replace", "seat": 1, "bot": "greedy"},
    {"type": "arrange", "seat": 1},
    {"type": "resign", "seat": 1},
    {"type": "answer", "offer": 1, "yes": True},
]


async def _try(socket: Socket, number: int, legal: list[str]) -> list[dict[str, Any]]:
    """Send all requests that are refused."""
    responses = []
    for at, words in enumerate(WRONG):
        if words.get("move") not in legal:
            command = {"step": socket.state["step"], **words, "id": f"wrong-{number}-{at}"}
            responses.append(await socket.ask(command.pop("type"), **command))
            assert not responses[-1]["ok"]
    return responses


@dataclass
class Seen:
    """What left the server, by receiver."""

    anna: list[str] = field(default_factory=list)
    spectator: list[str] = field(default_factory=list)
    ben: list[str] = field(default_factory=list)
    asked: list[Any] = field(default_factory=list)
    logged: str = ""


async def _happen(folder: Path, script: Script, variant: str) -> Seen:
    """One game from the first request to the last."""
    world, seen = World(folder, WIDE, SECRET), Seen()
    await world.table_host.open()
    async with world.client() as client:
        wish = {"game": "schokoly", "seats": SEATS, "variant": variant, "public": True, "token": TOKENS[ANNA]}
        seen.asked.append(_raw(await client.post("/api/tables", json=wish)))
        seen.asked.append(_raw(await client.get("/api/lobby")))
        table = "table0000001"
        sit = {"name": "Ben", "token": TOKENS[BEN], "id": "sit", "entropy": "be"}
        seen.asked.append((await client.post(f"/api/tables/{table}/seat", json=sit)).status_code)
    people = [await world.open_socket(table, token) for token in TOKENS]
    watcher = await world.open_socket(table)
    for socket in people:
        await socket.receive("presence", here=[0, 1], watching=1)
    await people[ANNA].ask("start", id="start", step=1, entropy="aa")
    for number, (actor, move) in enumerate(script.moves):
        if actor == 2:
            continue  # the bot moves by itself
        mover = people[actor]
        while mover.state.get("actor") != actor or not mover.state.get("moves"):
            await mover.receive()
        step = mover.state["step"]
        for socket in (people[ANNA], watcher):
            await socket.until_step(step)
        if number % 8 == 0:
            seen.asked += await _look(world, table, mover.state["plies"])
            legal = legal_texts(people[ANNA].state)
            seen.asked += await _try(people[ANNA], number, legal)
            seen.asked += await _try(watcher, number, [])
            late = await world.open_socket(table, TOKENS[ANNA] if number % 16 else "")
            seen.asked.append(late.frames)
            await late.end()
        world.time += 1.5  # while nobody moves
        done = await mover.ask("play", id=f"m{number}", step=step, move=move)
        assert done["ok"], done
    plies = len(script.moves) + len(script.deals[0])
    for socket in (*people, watcher):
        while socket.state["plies"] < plies:
            await socket.receive()
    seen.asked += await _look(world, table, plies)
    for socket in (*people, watcher):
        await socket.end()
    await world.table_host.close()
    seen.anna, seen.ben, seen.spectator = people[ANNA].frames, people[BEN].frames, watcher.frames
    seen.logged = world.written.getvalue()
    return seen


def _without_presence(frames: list[str]) -> list[str]:
    """Presence is sent at any time."""
    return [frame for frame in frames if not frame.startswith('{"type":"presence"')]


@pytest.mark.parametrize("variant", ["3", "3,swap"])
@pytest.mark.parametrize("seed", range(2))
def test_only_its_holder_can_distinguish_one_hand_from_another(
    variant: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = next(islice(long_scripts(variant), seed, None))
    worlds = []
    for number, deals in enumerate(script.deals):
        monkeypatch.setattr(Dealer, "deal", dealing(deals))
        worlds.append(asyncio.run(_happen(tmp_path / str(number), script, variant.partition(",")[2])))
    one, other = worlds
    assert _without_presence(one.ben) != _without_presence(other.ben)
    assert _without_presence(one.anna) == _without_presence(other.anna)
    assert _without_presence(one.spectator) == _without_presence(other.spectator)
    assert len(one.asked) == len(other.asked)
    for first, second in zip(one.asked, other.asked, strict=True):
        assert _timeless(first) == _timeless(second)
    assert one.logged == other.logged


def _timeless(found: Any) -> Any:
    """The messages without presence, and without metrics that depend on it."""
    if isinstance(found, list):
        return _without_presence(found)
    if isinstance(found, tuple) and b"tilery_messages_out" in found[2]:
        return [line for line in found[2].splitlines() if b"messages_out" not in line]
    return found


async def _answers(world: World, table: str, token: str, moves: list[str]) -> list[tuple[int, Any]]:
    """The responses to every request that shows something of a table, without what they say of the person."""
    state = (await world.client(token).get(f"/api/tables/{table}")).json()
    found = []
    async with world.client(token) as client:
        for path in ("", "/record", "/replay", *(f"/positions/{ply}" for ply in range(state["plies"] + 1))):
            response = await client.get(f"/api/tables/{table}{path}")
            plain = response.json() if "json" in response.headers["content-type"] else response.text
            found.append((response.status_code, _impersonal(plain)))
        for kind in ("text", "svg"):
            response = await client.get(f"/api/tables/{table}/positions/{state['plies']}?as={kind}")
            found.append((response.status_code, response.text))
        preview = await client.get(f"/api/tables/{table}/preview", params={"move": moves})
        hint = await client.post(f"/api/tables/{table}/hint", json={})
        found += [(preview.status_code, preview.json()), (hint.status_code, hint.json())]
        for after in (None, *range(0, state["seq"] + 1, 3)):
            socket = await world.open_socket(table, token, after=after)
            found.append((0, _impersonal(json.loads(socket.frames[0]))))
            await socket.end()
    return found


def _impersonal(message: Any) -> Any:
    """A state, or a message that contains one, without the fields that say who somebody is."""
    if not isinstance(message, dict):
        return message
    return {name: _impersonal(value) for name, value in message.items() if name not in ("you", "host")}


def test_who_has_resigned_sees_what_a_stranger_sees(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        async with world.client() as client:
            wish = {"game": "schokoly", "seats": SEATS, "variant": "swap", "token": TOKENS[ANNA]}
            table = (await client.post("/api/tables", json=wish)).json()["table"]
            await client.post(f"/api/tables/{table}/seat", json={"name": "Ben", "token": TOKENS[BEN]})
        anna, ben = [await world.open_socket(table, token) for token in TOKENS]
        watcher = await world.open_socket(table)
        await anna.ask("start", id="start", step=1)
        assert (anna.state["viewer"], watcher.state["viewer"]) == (ANNA, None)
        await anna.ask("resign", id="resign", step=1)
        begin = len(anna.frames)
        late = await world.open_socket(table)
        await anna.receive("presence", here=[BEN], watching=3)
        await late.end()
        for number in range(12):
            while ben.state.get("actor") != BEN or not ben.state.get("moves"):
                await ben.receive()
            move = legal_texts(ben.state)[0]
            assert (await ben.ask("play", id=f"m{number}", step=ben.state["step"], move=move))["ok"]
        while ben.state.get("actor") != BEN or not ben.state.get("moves"):
            await ben.receive()
        for socket in (anna, watcher):
            await socket.until_step(ben.state["step"])
        assert (anna.state["you"], anna.state["viewer"]) == ([ANNA], None)
        assert anna.state["seats"][ANNA]["kind"] == "bot"
        updates = [frame for frame in _without_presence(anna.frames[begin:]) if "played" in frame]
        assert updates == [frame for frame in watcher.frames if "played" in frame][-len(updates) :]
        moves = legal_texts(ben.state)[:20]
        one, other = [await _answers(world, table, token, moves) for token in (TOKENS[ANNA], "")]
        assert one == other
        assert await _answers(world, table, TOKENS[BEN], moves) != other
        for socket in (anna, ben, watcher):
            await socket.end()

    run(tmp_path, story, secret=SECRET)
