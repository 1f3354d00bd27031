"""`tilery analyse`: the best moves of a position, and what they are worth."""

from __future__ import annotations

import contextlib
import json as json_module

from rich.console import Group
from rich.live import Live
from rich.text import Text

from tilery.cli.choosing import position_or_record
from tilery.cli.printing import console, names_of
from tilery.cli.thinking import lines_table, percent, points, think_aloud, told
from tilery.core.position import Position, Seen
from tilery.core.record_text import AnyRecord
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.family import method_of
from tilery.engine.info import Info
from tilery.engine.limits import Limit
from tilery.engine.report import method_for, report
from tilery.engine.turns import decision, last_decision


def _turn(what: str, ply: int | None, number: int, seat: int | None) -> tuple[Seen, AnyRecord | None, int]:
    """What to think about: the position or, of a record, the last decision or the one after so many plies."""
    found, record = position_or_record(what, ply, number)
    viewer = None if seat is None else seat - 1
    if record is None:
        return decision(found, viewer), None, 0
    if ply is None:
        ply = last_decision(record, viewer)
        found = record.position(ply)
    try:
        return decision(found, viewer), record, ply
    except Refused as refused:
        raise Refused(f"after ply {ply}: {refused}{_nearest(record, ply, viewer, found)}") from None


def _nearest(record: AnyRecord, ply: int, viewer: int | None, found: Position | Seen) -> str:
    with contextlib.suppress(Refused):
        if viewer is not None and isinstance(found, Position) and found.actor >= 0:
            return f" (leave out --seat, or see --ply {last_decision(record.upto(ply), viewer)})"
        return f" (see --ply {last_decision(record.upto(ply), viewer)})"
    return ""


def _heading(seen: Seen, record: AnyRecord | None, ply: int) -> Text:
    name = names_of(record)[seen.seat] if record else f"Seat {seen.seat + 1}"
    heading = Text.assemble((f"{name} to move", "bold"), f" in {seen.game.title} ({seen.rules.text})")
    heading.append(f", round {seen.round}")
    return heading.append(f", after ply {ply} of {len(record.plies)}" if record else "")


def _shown(seen: Seen, heading: Text, info: Info) -> Group:
    worth = Text(f"Win {percent(info.win)}, margin {points(info.margin)}", "bold")
    return Group(heading, worth, Text(told(info), "dim"), lines_table(seen, info))


def analyse_position(
    what: str,
    *,
    ply: int | None,
    number: int,
    seat: int | None,
    limit: str,
    lines: int,
    method: str | None,
    threads: int,
    seed: str | None,
    json: bool,
) -> None:
    """Print the best moves: as a table that grows better on a terminal, or as JSON."""
    allowed = Limit.read(limit)
    seen, record, ply = _turn(what, ply, number, seat)
    method = method_for(seen, allowed, method)
    method_of(seen.game, method)  # refused, if at all, before anything is printed
    heading = _heading(seen, record, ply)
    live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal and not json else None
    with live or contextlib.nullcontext():

        def show(info: Info) -> None:
            assert live
            live.update(_shown(seen, heading, info), refresh=True)

        info, cut_short = think_aloud(
            seen,
            allowed,
            stream=Stream("engine", seed or 0),
            method=method,
            threads=threads,
            lines=lines,
            show=show if live else None,
        )
    if json:
        cancelled = {"cancelled": True} if cut_short else {}
        print(
            json_module.dumps({"turnNumber": ply, "isDuringSearch": False, **report(seen, info, method), **cancelled})
        )
        return
    console.print(_shown(seen, heading, info))
    if cut_short:
        console.print("Stopped early.", style="dim")
