"""`tilery serve` and `tilery db`."""

from __future__ import annotations

import json as json_module
import os
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from tilery.cli.files import data_folder
from tilery.cli.printing import console
from tilery.core.refusals import Refused
from tilery.server.settings import Settings, said_settings, settings_of

if TYPE_CHECKING:
    from tilery.server.sharing import Place

MORE_PORTS = 10  # tried when nobody named a port and the usual one is taken
_BLACK_ON_WHITE = "#000000 on #ffffff"
_OVER_SSH = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")


def _address(database: str | None) -> str:
    """Where the store is."""
    if database:
        return database
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "tilery.db")


def run_server(config: Path | None, flags: Mapping[str, Any]) -> None:
    """Serve until somebody stops it."""
    said = said_settings(config, flags)
    settings = settings_of(said)
    ports = range(settings.port, settings.port + (1 if "port" in said else 1 + MORE_PORTS))
    try:
        from tilery.server.serving import serve
        from tilery.server.store.opening import open_store
    except ModuleNotFoundError as error:
        raise Refused(f"the server needs the package {error.name}: pip install tilery") from None
    store = open_store(_address(settings.database))

    def ready(place: Place) -> None:
        announce(place, settings)
        if settings.open and may_open_browser():
            threading.Thread(target=open_browser, args=(place.local,), daemon=True).start()

    serve(store, settings, ready, ports)
    console.print("Stopped; everything is kept.")


def announce(place: Place, settings: Settings) -> None:
    """Say where the tables are, and for a room with phones draw it."""
    console.print(Text.assemble("Tables are open at ", (place.local, "bold"), ". Ctrl-C stops."), soft_wrap=True)
    if settings.port not in (0, place.port):
        console.print(f"Port {settings.port} is taken, so this is port {place.port}.", soft_wrap=True)
    if not settings.lan:
        return
    share = place.share()
    if not share:
        told = "No address of this machine in a local network was found: is it connected? Nobody else can come yet."
        console.print(told, style="yellow", soft_wrap=True)
        return
    told = ". Everybody in this network can reach it."
    console.print(Text.assemble("For phones in the room: ", (f"{share}/", "bold"), told), soft_wrap=True)
    _draw_code(f"{share}/")


def _draw_code(address: str) -> None:
    """Draw a QR code, where a phone could read it: black on white, whatever colours the terminal has."""
    from tilery.server.doors.qr import blocks_of

    has_colours = bool(console.color_system) and not console.no_color
    lines = blocks_of(address, inverse=not has_colours)  # without colours most terminals are light on dark
    if console.is_terminal and console.encoding.lower().startswith("utf") and len(lines[0]) <= console.width:
        for line in lines:
            console.print(Text(line, _BLACK_ON_WHITE), soft_wrap=True)


def may_open_browser(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether somebody sits before a desktop of this machine."""
    if environment.get("CI", "").lower() not in ("", "0", "false") or any(environment.get(name) for name in _OVER_SSH):
        return False
    if platform in ("darwin", "win32"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_browser(address: str) -> None:
    """Open an address, unless the only browser is one that would take the terminal."""
    try:
        browser = webbrowser.get()
        takes_terminal = isinstance(browser, webbrowser.GenericBrowser)
        if not takes_terminal or isinstance(browser, webbrowser.BackgroundBrowser):
            browser.open(address)
    except (webbrowser.Error, OSError):
        return  # the address stands in the terminal


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar, told by (done, total)."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def backup_store(database: str | None, file: Path) -> None:
    """Copy a store into a file."""
    from tilery.server.store.copying import backup

    with _bar("Copying") as progress:
        backup(_address(database), file, progress)
    console.print(f"Copied into {file}. Keep it to yourself: it contains the secrets of running games.", soft_wrap=True)


def restore_store(database: str | None, file: Path) -> None:
    """Fill an empty store from a file."""
    from tilery.server.store.copying import restore

    with _bar("Restoring") as progress:
        restore(file, _address(database), progress)
    console.print("Restored. `tilery db check` replays every game of it.")


def check_store(database: str | None, *, json: bool) -> bool:
    """Replay every game; True when all are right."""
    from tilery.server.checking import problem_of
    from tilery.server.store.copying import walk

    tables = events = 0
    problems = []
    with _bar("Replaying") as progress:
        for name, secret, log in walk(_address(database)):
            tables += 1
            events += len(log)
            problem = problem_of(name, secret, log)
            if problem:
                problems.append({"table": name, "problem": problem})
            progress(tables, tables)
    if json:
        print(json_module.dumps({"tables": tables, "events": events, "problems": problems}))
        return not problems
    for found in problems:
        console.print(f"table {found['table']}: {found['problem']}", style="red", soft_wrap=True)
    console.print(f"{tables} tables with {events} events replayed, {len(problems)} wrong.", style="bold")
    return not problems
