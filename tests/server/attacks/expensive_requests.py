"""The most expensive requests that the limits allow, as bytes."""

from __future__ import annotations

import json
from urllib.parse import quote

from tilery.core.record import Ply, Record
from tilery.core.streams import Stream
from tilery.games import game
from tilery.server.http.middleware import MAX_BODY_BYTES, MAX_RECORD_BYTES
from tilery.server.http.qr import MAX_BYTES
from tilery.server.http.records import MAX_POSITIONS


def longest_record(name: str, variant: str, *, max_bytes: int = MAX_RECORD_BYTES, max_plies: int = 1 << 20) -> Record:
    """A game in which as many plies as possible fit into a text: whoever can takes from the centre to the floor line,
    so that no row is ever completed and the game never ends."""
    position = start = game(name).new(variant)
    stream = Stream("longest", name, variant)
    plies: list[Ply] = []
    size = 600  # of the tags
    while size < max_bytes and len(plies) < max_plies and position.outcome is None:
        if position.actor < 0:
            action = position.draw(stream)
        else:
            actions = position.actions()
            wasted = [action for action in actions if position.move_text(action)[2:3] == "F"]
            action = stream.choice(wasted or actions)
        size += len(position.move_text(action)) + 1
        plies.append(Ply(position.actor, action))
        after = position.play(action)
        size += 6 * (after.round != position.round)  # the number of the round, in a paragraph of its own
        position = after
    return Record(start, tuple(plies))


def longest_study(name: str, variant: str) -> dict[str, object]:
    """200 moves from a position, and previews of 40 more."""
    record = longest_record(name, variant, max_plies=200)
    moves = [move.text for move in record.moves()]
    while True:
        last = record.upto(len(moves)).last
        request = {
            "position": record.start.text,
            "moves": moves,
            "deal": True,
            "preview": [move.text for move in last.moves()][:40],
        }
        if len(json.dumps(request)) <= MAX_BODY_BYTES:
            return request
        moves = moves[:-10]


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n".encode()


def post(path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\nconnection: close\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


def attacks() -> dict[str, list[bytes]]:
    """By name: the requests that an attacker sends again and again."""
    long = longest_record("chocolatier", "4,grey,specials").text.encode()
    replay = longest_record("schokoly", "4,large").text.encode()
    most = longest_record("chocolatier", "4,grey,specials", max_plies=MAX_POSITIONS).text.encode()
    study = json.dumps(longest_study("chocolatier", "4,grey,specials")).encode()
    some = {
        "records": [post("/api/records", long)],
        "pictures": [post("/api/records?as=svg", long), post("/api/records?as=svg", replay)],
        "replays": [post("/api/records?all=1", most), post("/api/records?all=1", replay)],
        "emoji": [get(f"/api/qr?text={quote('😀' * 300)}")],
        "codes": [get(f"/api/qr?text={'x' * MAX_BYTES}")],
        "study": [post("/api/study", study)],
        "pages": [get("/api/games"), get("/api/lobby"), get("/api/openapi.json"), get("/api"), get("/readyz")],
    }
    return some | {"everything": [request for requests in some.values() for request in requests]}
