"""Integrity of stored tables: every event is replayed, every move and every deal verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilery.core.refusals import Refused
from tilery.games import game
from tilery.table.events import Created, Played, Started, read_event
from tilery.table.fairness import ENTROPY, SECRET, check_fairness, commitment_of, join_entropy
from tilery.table.state import Table


def find_problem(name: str, secret: bytes, log: Sequence[str]) -> str:
    """The first problem of a table; "" if there is none."""
    table, number = None, 0
    try:
        for text in log:
            number += 1
            event = read_event(text)
            if table is None:
                if not isinstance(event, Created):
                    return "the first event does not create the table"
                if event.commitment != commitment_of(secret):
                    return "the secret does not match the commitment"
                table = Table(name, event, game)
            table.apply(event)
            if isinstance(event, (Started, Played)) and event.deals:
                _check_deals(table, secret)
    except Refused as refused:
        return f"event {number}: {refused}"
    except Exception as error:  # a damaged event may raise anything
        return f"event {number}: cannot be read ({type(error).__name__})"
    if table is None:
        return "there are no events"
    if table.secret and table.secret != secret.hex():
        return "the revealed secret is not the stored one"
    return ""


def _check_deals(table: Table, secret: bytes) -> None:
    """Check that every deal follows from the secret, including deals that were taken back later."""
    record = table.record()
    tags = {**record.tags, SECRET: secret.hex(), ENTROPY: join_entropy(table.entropy)}
    check_fairness(replace(record, tags=tags))
