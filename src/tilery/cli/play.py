"""`tilery play` and `tilery resume`: starting, resuming and leaving games at the keyboard."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from datetime import date
from pathlib import Path

from rich.text import Text

from tilery.cli.arguments import PERSON, default_seats, record_of, seat_names, seed_or_fresh, variant
from tilery.cli.files import check_writable, new_game_file, saved_games
from tilery.cli.menu import choose_game
from tilery.cli.output import console
from tilery.cli.session import AnotherGame, Leave, Session, is_worth_saving, player_names
from tilery.core.kernel.actors import OVER
from tilery.core.position import actor_name
from tilery.core.record import Record
from tilery.core.refusals import Refused
from tilery.engine.bots import prepare_bots
from tilery.engine.external import PREFIX
from tilery.games import game


def _new_session(
    name: str,
    seats_text: str | None,
    variant_text: str | None,
    *,
    seed: str | None,
    deals: str,
    save: Path | None,
    bare: bool,
) -> Session:
    chosen = game(name)
    if deals not in ("drawn", "typed"):
        raise Refused(f"--deals is drawn or typed, not {deals[:20]!a}")
    if seats_text is None:
        count = variant(chosen, variant_text, None).seats
        seats = default_seats(count)
    else:
        seats = seat_names(chosen, seats_text)
    rules = variant(chosen, variant_text, len(seats), bare=bare)
    prepare_bots(chosen, seats, rules)
    if save is not None and os.path.isfile(save):  # Path.is_file fails for names that are too long
        raise Refused(f"{save} already exists: resume it with `tilery resume {save}`, or choose another file")
    # With these tags a resumed game continues exactly as if it had not been interrupted.
    tags = {"Date": date.today().isoformat(), "Players": ",".join(seats), "Deals": deals}
    if seed:
        # Only a seed that the player chose: AZ-61 keeps any other one secret during the game.
        tags["Seed"] = seed
    record = Record(chosen.new(rules), (), tuple(player_names(seats)), tags)
    session = Session(record, seats, seed=seed_or_fresh(seed), typed=deals == "typed", path=save or new_game_file())
    session.is_temporary = save is None
    session.save()
    return session


def start_session(
    name: str,
    seats: str | None,
    variant_text: str | None,
    *,
    seed: str | None,
    deals: str,
    save: Path | None,
    bare: bool,
) -> None:
    """`tilery play`."""
    _run(_new_session(name, seats, variant_text, seed=seed, deals=deals, save=save, bare=bare))


def _greet(session: Session) -> None:
    rules = session.position.rules.text
    title = (session.record.game.title, "bold")
    console.print(Text.assemble(title, f" ({rules}): {', '.join(session.names)}."))
    console.print("Type help for the commands, new for another game, quit to leave.", style="dim")


def _latest_unfinished() -> Path:
    for path in saved_games():
        with contextlib.suppress(Refused):
            record = record_of(path)
            if isinstance(record, Record) and is_worth_saving(record) and record.last.actor != OVER:
                return path
    raise Refused("there is no unfinished game to resume: start one with `tilery play`")


def _seats_of(record: Record, file: Path, wanted: str | None) -> list[str]:
    """Who plays from now on: `wanted`, or the players in the tag Players."""
    tagged = record.tags.get("Players", ",".join([PERSON] * record.start.seats))
    if wanted is None and PREFIX in tagged:
        # Opening a file must not start a program that it names.
        raise Refused(
            f"{file} was played against a program: name the players, such as --seats {PERSON},{PREFIX}COMMAND"
        )
    try:
        seats = seat_names(record.game, tagged if wanted is None else wanted)
    except Refused as error:
        raise Refused(f"{file}, in the tag Players: {error}" if wanted is None else str(error)) from None
    if len(seats) != record.start.seats:
        source = "the tag Players names" if wanted is None else "--seats names"
        raise Refused(f"{file}: {source} {len(seats)} seats, the game has {record.start.seats}")
    return seats


def resume_session(file: Path | None, *, seats_text: str | None, seed: str | None) -> None:
    """`tilery resume`."""
    file = file or _latest_unfinished()
    if str(file) == "-":
        raise Refused("resume needs a file, not standard input, because every move is saved in it")
    record = record_of(file, alone=True)
    if not isinstance(record, Record):
        raise Refused(f"{file} is the game as {actor_name(record.seat)} saw it: only a complete record can be resumed")
    check_writable(file)
    seats = _seats_of(record, file, seats_text)
    tags = record.tags
    if seats_text is not None:
        tags = {**tags, "Players": ",".join(seats)}
    if seed:
        tags = {**tags, "Seed": seed}
    record = replace(record, tags=tags)
    session = Session(
        record, seats, seed=seed_or_fresh(seed or tags.get("Seed")), typed=tags.get("Deals") == "typed", path=file
    )
    console.print(f"Resuming {file} after {len(record.plies)} plies.", soft_wrap=True)
    _run(session)


def _run(session: Session) -> None:
    """Play one game after another until the player leaves."""
    try:
        while True:
            try:
                prepare_bots(session.record.game, session.seats, session.record.start.rules)
                _greet(session)
                session.run()
                return
            except AnotherGame:
                wanted = choose_game()
                if wanted is None:
                    continue
                session.leave()
                name, seats, variant_text = wanted
                session = _new_session(name, seats, variant_text, seed=None, deals="drawn", save=None, bare=False)
    except (Leave, EOFError, KeyboardInterrupt):
        console.print()
        session.leave()
    finally:
        session.close()
