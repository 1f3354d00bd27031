"""Is a stored table all right? Every event is replayed, every move and every deal verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilery.core.refusals import Refused
from tilery.games import game
from tilery.table.events import Founded, Played, Started, read_event
from tilery.table.fairness import ENTROPY, SECRET, check_fairness, commitment_of, joined
from tilery.table.state import Table


def problem_of(name: str, secret: bytes, log: Sequence[str]) -> str:
    """What is wrong with a table, "" if nothing is."""
    table, number = None, 0
    try:
        for text in log:
            number += 1
            event = read_event(text)
            if table is None:
                if not isinstance(event, Founded):
                    return "the first event does not found the table"
                if event.commitment != commitment_of(secret):
                    return "the secret is not the one that was promised"
                table = Table(name, event, game)
            table.apply(event)
            if isinstance(event, (Started, Played)) and event.deals:
                _check_deals(table, secret)
    except Refused as refused:
        return f"event {number}: {refused}"
    except Exception as error:  # whatever a damaged text leads to
        return f"event {number}: cannot be read ({type(error).__name__})"
    if table is None:
        return "it has no events"
    if table.secret and table.secret != secret.hex():
        return "another secret was revealed"
    return ""


def _check_deals(table: Table, secret: bytes) -> None:
    """Every deal follows from the secret; also of lines that were taken back later."""
    record = table.record()
    tags = {**record.tags, SECRET: secret.hex(), ENTROPY: joined(table.entropy)}
    check_fairness(replace(record, tags=tags))
