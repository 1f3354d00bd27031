"""A client of the wire in Python, as docs/wire.md describes one: it keeps the state of a table up to date."""

from __future__ import annotations

from typing import Any

from tilery.core.view import apply_changes

Message = dict[str, Any]


class LostPlace(Exception):
    """An update is about another state than the client has."""


def next_state(state: Message | None, message: Message) -> Message | None:
    """The state after a message of the server."""
    if "state" in message:
        whole: Message = message["state"]
        return whole
    if message["type"] != "update":
        return state
    if state is not None and message["changes"]["seq"] <= state["seq"]:
        return state  # the state of a stale reply was ahead of the updates
    if state is None or message["after"] != state["seq"]:
        raise LostPlace(message["after"])
    changes = dict(message["changes"])
    view_changes = changes.pop("position_changes", None)
    after = {**state, **changes}
    if view_changes is not None:
        after["position"] = apply_changes(state["position"], view_changes)
    if not after.get("moves"):
        after.pop("moves", None)
    return after


def text_of(move: list[Any]) -> str:
    """The notation of a move on the wire."""
    return str(move[1])


def legal_texts(state: Message) -> list[str]:
    """All legal moves of a state in notation."""
    return [text_of(move) for move in state.get("moves", ())]


def played_texts(event: Message) -> list[str]:
    """The move of an event and the deals after it, in notation."""
    return [text_of(ply["move"]) for ply in event["plies"]]
