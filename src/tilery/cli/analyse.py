"""`tilery analyse`: the best moves in a position, with win probabilities and margins."""

from __future__ import annotations

import contextlib

from rich.console import Group
from rich.live import Live
from rich.text import Text

from tilery.cli.arguments import position_or_record
from tilery.cli.output import console, names_of
from tilery.cli.search_output import percent, points, search_summary, think_interruptibly, variations_table
from tilery.core.position import Position, Seen
from tilery.core.record_text import AnyRecord
from tilery.core.refusals import Refused
from tilery.core.streams import Stream
from tilery.engine.answers import answer_line
from tilery.engine.decisions import decision, last_decision
from tilery.engine.family import method_of
from tilery.engine.info import Info
from tilery.engine.limits import Limit
from tilery.engine.report import analysis, method_for


def _decision(what: str, ply: int | None, number: int, seat: int | None) -> tuple[Seen, AnyRecord | None, int]:
    """The decision to analyse, its record and its ply. For a record: the one after `ply` plies, by default the last."""
    position, record = position_or_record(what, ply, number)
    viewer = None if seat is None else seat - 1
    if record is None:
        return decision(position, viewer), None, 0
    if ply is None:
        ply = last_decision(record, viewer)
        position = record.position(ply)
    try:
        return decision(position, viewer), record, ply
    except Refused as refused:
        raise Refused(f"after ply {ply}: {refused}{_nearest_decision(record, ply, viewer, position)}") from None


def _nearest_decision(record: AnyRecord, ply: int, viewer: int | None, position: Position | Seen) -> str:
    """Advice such as ` (see --ply 12)` for a ply with nothing to decide; "" if nothing was decided before it."""
    with contextlib.suppress(Refused):
        if viewer is not None and isinstance(position, Position) and position.actor >= 0:
            return f" (leave out --seat, or see --ply {last_decision(record.upto(ply), viewer)})"
        return f" (see --ply {last_decision(record.upto(ply), viewer)})"
    return ""


def _heading(seen: Seen, record: AnyRecord | None, ply: int) -> Text:
    name = names_of(record)[seen.seat] if record else f"Seat {seen.seat + 1}"
    heading = Text.assemble((f"{name} to move", "bold"), f" in {seen.game.title} ({seen.rules.text})")
    heading.append(f", round {seen.round}")
    return heading.append(f", after ply {ply} of {len(record.plies)}" if record else "")


def _rendered(seen: Seen, heading: Text, info: Info) -> Group:
    evaluation = Text(f"Win {percent(info.win)}, margin {points(info.margin)}", "bold")
    return Group(heading, evaluation, Text(search_summary(info), "dim"), variations_table(seen, info))


def analyse_position(
    what: str,
    *,
    ply: int | None,
    number: int,
    seat: int | None,
    limit: str,
    variations: int,
    method: str | None,
    threads: int,
    seed: str | None,
    json: bool,
) -> None:
    """Print the best moves: as a table, which on a terminal is updated during the search, or as JSON."""
    search_limit = Limit.read(limit)
    seen, record, ply = _decision(what, ply, number, seat)
    method = method_for(seen, search_limit, method)
    method_of(seen.game, method)  # refuse an unknown method before anything is printed
    heading = _heading(seen, record, ply)
    live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal and not json else None
    with live or contextlib.nullcontext():

        def show(info: Info) -> None:
            assert live
            live.update(_rendered(seen, heading, info), refresh=True)

        info, was_stopped = think_interruptibly(
            seen,
            search_limit,
            stream=Stream("engine", seed or 0),
            method=method,
            threads=threads,
            variations=variations,
            show=show if live else None,
        )
    if json:
        print(answer_line(analysis(seen, info, method, turn=ply, cancelled=was_stopped)), end="")
        return
    console.print(_rendered(seen, heading, info))
    if was_stopped:
        console.print("Stopped early.", style="dim")
