"""`tilery serve`: run the server, print its address, open a browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tilery.cli.files import store_address
from tilery.cli.output import console
from tilery.core.refusals import Refused
from tilery.server.settings import Settings, given_settings, settings_of

if TYPE_CHECKING:
    from tilery.server.addresses import ServerAddress

MORE_PORTS = 10  # tried if no port is given and the default port is in use
_BLACK_ON_WHITE = "#000000 on #ffffff"
_OVER_SSH = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")


def run_server(config: Path | None, flags: Mapping[str, Any]) -> None:
    """Run the server until it is stopped."""
    given = given_settings(config, flags)
    settings = settings_of(given)
    ports = range(settings.port, settings.port + (1 if "port" in given else 1 + MORE_PORTS))
    try:
        from tilery.server.run import serve
        from tilery.server.store.open import open_store
    except ModuleNotFoundError as error:
        raise Refused(
            f"the server needs the package {error.name}: install it with `pip install {error.name}`"
        ) from None
    store = open_store(store_address(settings.database), settings.process_name)

    def ready(address: ServerAddress) -> None:
        announce(address, settings)
        if settings.open and may_open_browser():
            threading.Thread(target=open_browser, args=(address.local,), daemon=True).start()

    serve(store, settings, ready, ports)
    console.print("Stopped. Everything is saved.")


def announce(address: ServerAddress, settings: Settings) -> None:
    """Print the address of the server; with `lan`, also the one for the local network as a QR code."""
    console.print(Text.assemble("Tables are open at ", (address.local, "bold"), ". Ctrl-C stops."), soft_wrap=True)
    if settings.port not in (0, address.port):
        console.print(f"Port {settings.port} is taken: using port {address.port} instead.", soft_wrap=True)
    if not settings.lan:
        return
    public_url = address.public_url()
    if not public_url:
        warning = "This machine has no address in a local network: is it connected? Nobody else can reach the server."
        console.print(warning, style="yellow", soft_wrap=True)
        return
    reach = ". Everybody in this network can reach it."
    console.print(Text.assemble("For phones: ", (f"{public_url}/", "bold"), reach), soft_wrap=True)
    _print_qr_code(f"{public_url}/")


def _print_qr_code(address: str) -> None:
    """Print a QR code, black on white whatever the colours of the terminal; nothing if a phone could not read it."""
    from tilery.server.http.qr import qr_lines

    has_colours = bool(console.color_system) and not console.no_color
    lines = qr_lines(address, inverse=not has_colours)  # most terminals are light on dark
    if console.is_terminal and console.encoding.lower().startswith("utf") and len(lines[0]) <= console.width:
        for line in lines:
            console.print(Text(line, _BLACK_ON_WHITE), soft_wrap=True)


def may_open_browser(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this process runs on somebody's desktop: not under CI, not over SSH."""
    if environment.get("CI", "").lower() not in ("", "0", "false") or any(environment.get(name) for name in _OVER_SSH):
        return False
    if platform in ("darwin", "win32"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_browser(address: str) -> None:
    """Open an address, unless the only browser would run in this terminal."""
    try:
        browser = webbrowser.get()
        runs_in_terminal = isinstance(browser, webbrowser.GenericBrowser)
        if not runs_in_terminal or isinstance(browser, webbrowser.BackgroundBrowser):
            browser.open(address)
    except (webbrowser.Error, OSError):
        return  # the address is printed in the terminal
