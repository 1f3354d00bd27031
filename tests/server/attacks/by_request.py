"""Commands by request, without a WebSocket."""

from __future__ import annotations

from typing import Any

from tests.server.attacks.addresses import command, kind_of
from tests.server.http_and_websocket.clients import Person

ALONE = [{"kind": "me", "name": "A"}, {"kind": "me", "name": "B"}]  # a game against oneself


def send(person: Person, table: str, **words: Any) -> tuple[int, str, dict[str, Any]]:
    """Send a command by HTTP; returns the status, the code of the error, and the reply."""
    response = person.http.post(f"/api/tables/{table}/commands", json=words, headers=bearer(person))
    return *kind_of(response), response.json()


def bearer(person: Person) -> dict[str, str]:
    return {"authorization": f"Bearer {person.token}"}


def end_game(attacker: Person, table: str) -> int:
    """Start a game against oneself and resign; returns the step."""
    assert send(attacker, table, **command("start", 1, step=1))[0] == 200
    step = state_of(attacker, table)["step"]
    assert send(attacker, table, **command("resign", 1, step=step, seat=0))[0] == 200
    return int(state_of(attacker, table)["step"])


def state_of(attacker: Person, table: str) -> dict[str, Any]:
    state: dict[str, Any] = attacker.http.get(f"/api/tables/{table}", headers=bearer(attacker)).json()
    return state
