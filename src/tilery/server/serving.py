"""Runs the server until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import itertools
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import uvicorn

from tilery.core.game import Game, Rules
from tilery.core.jit import is_compiled, keeps_code
from tilery.core.refusals import Refused
from tilery.games import GAMES, game
from tilery.server.app import make_app
from tilery.server.bots import BotPool, check_table_bot
from tilery.server.doors.guard import HEADERS
from tilery.server.doors.protocols import http_door, socket_door
from tilery.server.doors.static import read_page
from tilery.server.doors.tokens import fresh_table
from tilery.server.house import House
from tilery.server.keeper import Keeper
from tilery.server.logs import Log, catch_logs
from tilery.server.settings import Settings
from tilery.server.sharing import Place
from tilery.server.store.interface import Store
from tilery.table.refusing import TableRefused

SENDING = 65_536  # bytes that the system keeps for a reader who is slow
TIDY, MUCH = 0.2, 10_000  # seconds between looks for garbage, and objects that must be new
ALL_EVERY = 3_000  # looks until one is at everything
FAREWELL = 0.3  # seconds in which clients hear that the server goes


class _Server(uvicorn.Server):
    """Says goodbye before it closes the doors, and ends without a fuss when it is told to."""

    def __init__(self, config: uvicorn.Config, house: House) -> None:
        super().__init__(config)
        self._house = house

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._house.say_goodbye()
        await asyncio.sleep(FAREWELL)
        await super().shutdown(sockets)


def check_bot(game: Game, rules: Rules, bot: str) -> None:
    """Bots that may not sit at a table are refused as everything else at a table is."""
    try:
        check_table_bot(game, rules, bot)
    except Refused as refused:
        raise TableRefused("bad-text", str(refused)) from None


def build_house(store: Store, settings: Settings, log: Log, bots: BotPool) -> House:
    """A server process, not yet open."""
    keeper = Keeper(
        store,
        now=time.time,
        fresh=fresh_table,
        find=game,
        check_bot=check_bot,
        bots=bots,
        most_pending=settings.most_pending,
        log=log.warning,
    )
    return House(keeper, settings, time.monotonic, log.error)


def compile_rules() -> None:
    """Have the rules compiled, the first time, before anybody can come: everybody would wait for it. Loading them
    later is quick. A compiler leaves hundreds of megabytes behind, so a process of its own does it, where what it
    writes is kept."""
    missing = [one for one in GAMES.values() if not is_compiled(one.kernel_source.name, one.family)]
    kept = [one.name for one in missing if keeps_code(one.family)]
    if kept:
        asked = f"from tilery.games import GAMES\nfor name in {kept!r}: GAMES[name].kernel"
        subprocess.run([sys.executable, "-c", asked], check=False, start_new_session=True)  # Ctrl-C is for us
    for one in missing:
        if not is_compiled(one.kernel_source.name, one.family):
            _ = one.kernel


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family)
    if sys.platform != "win32":  # there it would let two servers have the same port
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)
    try:
        opened.bind((host, port))
        opened.listen(2048)  # who comes before the doors are open waits in line
    except BaseException:
        opened.close()
        raise
    return opened


def listening(host: str, ports: Sequence[int]) -> socket.socket:
    """The socket to listen on, at the first port that is free."""
    for port in ports:
        try:
            return _listening(host, port)
        except (OSError, ValueError, OverflowError, TypeError) as error:
            if getattr(error, "errno", None) == errno.EADDRINUSE and port != ports[-1]:
                continue
            why = getattr(error, "strerror", None) or str(error)
            where = f"{ports[0]}" if port == ports[0] else f"{ports[0]} to {port}"
            raise Refused(f"cannot listen on {host}:{where}: {why}; try another --port") from None
    raise AssertionError("there is at least one port")


def serve(store: Store, settings: Settings, ready: Callable[[Place], None], ports: Sequence[int] = ()) -> None:
    """Serve until SIGINT or SIGTERM; `ready` hears where when the doors are open. `ports` are tried one after the
    other, instead of the one of the settings."""
    log = Log(settings.log)
    catch_logs(log)
    compile_rules()
    page = read_page()
    door = listening(settings.host, ports or (settings.port,))
    host, port = door.getsockname()[:2]
    place = Place(host, port, settings)
    bots = BotPool(settings.bot_workers, log=lambda line: log.info("worker", text=line))
    house = build_house(store, settings, log, bots)
    app = make_app(house, log, page=page, share=place.share, opened=lambda: ready(place))
    config = uvicorn.Config(
        app,
        http=http_door(settings.patience, HEADERS),
        ws=socket_door(settings.patience, HEADERS),
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=5,
    )
    _set_python()
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_run(_Server(config, house), bots, door, house))


def _set_python() -> None:
    """Let the thread that writes have its turn soon: everybody waits for it. Cycles of garbage are looked for by
    `_tidy` alone."""
    gc.disable()
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(0.001)


async def _tidy() -> None:
    """Look for cycles of garbage only when much has become more, and only among what is new: to look at everything
    takes a quarter of a second when there are thousands of tables, and hardly anything of them is ever in a cycle."""
    for looked in itertools.count(1):
        await asyncio.sleep(TIDY)
        if looked % ALL_EVERY == 0:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        elif gc.get_count()[0] > MUCH:
            gc.collect(0)
            gc.freeze()


async def _run(server: _Server, bots: BotPool, door: socket.socket, house: House) -> None:
    try:
        await house.keeper.open()
    except Exception as error:
        door.close()
        raise Refused(str(error) or f"the store cannot be opened: {type(error).__name__}") from None
    await bots.open()
    tidying = asyncio.ensure_future(_tidy())
    try:
        await server.serve([door])
    finally:
        tidying.cancel()
        await bots.close()
