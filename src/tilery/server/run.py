"""Run the server until SIGINT or SIGTERM."""

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
from tilery.core.jit import has_shared_cache, is_compiled
from tilery.core.refusals import Refused
from tilery.games import GAMES, game
from tilery.server.addresses import ServerAddress
from tilery.server.app import make_app
from tilery.server.auth import new_table_id
from tilery.server.bots import BOT_NAMES, BotPool, check_table_bot
from tilery.server.connections import OpenConnections, raise_file_limit, warn_of_few_files
from tilery.server.context import ServerContext
from tilery.server.hosting.clocks import SteadyClock
from tilery.server.hosting.host import TableHost
from tilery.server.http.middleware import HEADERS
from tilery.server.http.protocol import http_protocol, websocket_protocol
from tilery.server.http.static_files import read_web_client
from tilery.server.logs import Log, redirect_library_logs
from tilery.server.settings import Settings
from tilery.server.store.interface import Store
from tilery.table.refusals import TableRefused

SEND_BUFFER = 65_536  # bytes that the system buffers for a slow client
GC_INTERVAL, GC_MIN_NEW_OBJECTS = 0.2, 10_000  # seconds between checks, and new objects that start a collection
FULL_GC_EVERY = 3_000  # checks
_PORT_ERRORS = (errno.EADDRINUSE, errno.EACCES)
SHUTDOWN_NOTICE = 0.3  # seconds between the message `closing` and the end of the connections


class _Server(uvicorn.Server):
    """Announces a shutdown to all clients first, and does not raise the signal again afterwards."""

    def __init__(self, config: uvicorn.Config, context: ServerContext) -> None:
        super().__init__(config)
        self._context = context

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._context.announce_shutdown()
        await asyncio.sleep(SHUTDOWN_NOTICE)
        await super().shutdown(sockets)


def check_bot(game: Game, rules: Rules, bot: str) -> None:
    """Like `check_table_bot`, but raises `TableRefused`."""
    try:
        check_table_bot(game, rules, bot)
    except Refused as refused:
        raise TableRefused.of("bad-text", refused) from None


def build_context(store: Store, settings: Settings, log: Log, bots: BotPool) -> ServerContext:
    """The context of a server process; its table host is not open yet."""
    table_host = TableHost(
        store,
        now=SteadyClock(),
        new_table_id=new_table_id,
        find_game=game,
        check_bot=check_bot,
        bot_names=BOT_NAMES,
        bots=bots,
        max_pending=settings.max_pending_commands,
        log=log,
    )
    return ServerContext(table_host, settings, time.monotonic, log)


def compile_rules() -> None:
    """Compile the rules if they are not in the cache, before the server listens, so that no client waits. The
    compiler takes hundreds of megabytes that it never frees: where the cache is shared, a subprocess compiles."""
    missing = [one for one in GAMES.values() if not is_compiled(one.kernel_source.name, one.family)]
    cacheable = [one.name for one in missing if has_shared_cache(one.family)]
    if cacheable:
        program = f"from tilery.games import GAMES\nfor name in {cacheable!r}: GAMES[name].kernel"
        subprocess.run([sys.executable, "-c", program], check=False, start_new_session=True)  # Ctrl-C does not reach it
    for one in missing:
        if not is_compiled(one.kernel_source.name, one.family):
            _ = one.kernel


def _listen_on(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    if sys.platform != "win32":  # on Windows, two servers could then use the same port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        listener.bind((host, port))
        listener.listen(2048)  # connections wait until the server accepts them
    except BaseException:
        listener.close()
        raise
    return listener


def listen(host: str, ports: Sequence[int]) -> socket.socket:
    """A socket that listens on the first free port; `Refused` if there is none."""
    for port in ports:
        try:
            return _listen_on(host, port)
        except (OSError, ValueError, OverflowError, TypeError) as error:
            if getattr(error, "errno", None) == errno.EADDRINUSE and port != ports[-1]:
                continue
            why = getattr(error, "strerror", None) or str(error)
            where = f"{ports[0]}" if port == ports[0] else f"{ports[0]} to {port}"
            option = "--port" if getattr(error, "errno", None) in _PORT_ERRORS else "--host"
            raise Refused(f"cannot listen on {host}:{where}: {why}; try another {option}") from None
    raise AssertionError("there is at least one port")


def serve(
    store: Store, settings: Settings, on_ready: Callable[[ServerAddress], None], ports: Sequence[int] = ()
) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is called with the address once the server listens. `ports` are tried
    in order, instead of the port of the settings."""
    log = Log(settings.log_level)
    redirect_library_logs(log)
    compile_rules()
    web_client = read_web_client()
    listener = listen(settings.host, ports or (settings.port,))
    host, port = listener.getsockname()[:2]
    address = ServerAddress(host, port, settings)
    bots = BotPool(settings.bot_workers, log=lambda text: log.info("worker", text=text))
    context = build_context(store, settings, log, bots)
    per_address = None if settings.behind_proxy else settings.max_connections_per_address
    connections = OpenConnections(raise_file_limit(settings), per_address, context.metrics)

    def on_startup() -> None:
        warn_of_few_files(connections.most, settings, log)
        on_ready(address)

    app = make_app(context, log, web_client=web_client, public_url=address.public_url, on_startup=on_startup)
    config = uvicorn.Config(
        app,
        http=http_protocol(settings, HEADERS, connections),
        ws=websocket_protocol(settings, HEADERS, connections),
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=5,
    )
    _configure_interpreter()
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_run(_Server(config, context), bots, listener, context))


def _configure_interpreter() -> None:
    """Switch threads often, because everybody waits for the thread that writes to the store. Only `_collect_garbage`
    runs the garbage collector."""
    gc.disable()
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(0.001)


async def _collect_garbage() -> None:
    """Collect only the youngest generation, and only after many new objects: a full collection takes a quarter of a
    second with thousands of tables, which are hardly ever part of a reference cycle."""
    for number in itertools.count(1):
        await asyncio.sleep(GC_INTERVAL)
        if number % FULL_GC_EVERY == 0:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        elif gc.get_count()[0] > GC_MIN_NEW_OBJECTS:
            gc.collect(0)
            gc.freeze()


async def _run(server: _Server, bots: BotPool, listener: socket.socket, context: ServerContext) -> None:
    try:
        await context.table_host.open()
    except Exception as error:
        listener.close()
        raise Refused(str(error) or f"the database cannot be opened: {type(error).__name__}") from None
    await bots.open()
    collecting = asyncio.ensure_future(_collect_garbage())
    try:
        await server.serve([listener])
    finally:
        collecting.cancel()
        await bots.close()
