"""A page of another origin, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.server.server_process import start_server

# Creates a table, reads it with the token, and connects; the names of what failed.
PROGRAM = """async (server) => {
  const failed = [];
  const json = { 'content-type': 'application/json' };
  const seats = [{ kind: 'me', name: 'Ann' }, { kind: 'bot', bot: 'random' }];
  let made = { table: 'k7vq2m9xwp3d', token: '' };
  try {
    const body = JSON.stringify({ game: 'azul', seats });
    made = await (await fetch(`${server}/api/tables`, { method: 'POST', headers: json, body })).json();
  } catch { failed.push('create'); }
  try {
    const headers = { authorization: `Bearer ${made.token}` };
    const state = await (await fetch(`${server}/api/tables/${made.table}`, { headers })).json();
    if (state.you.length !== 1) failed.push('token');
    const bare = await (await fetch(`${server}/api/tables/${made.table}`)).json();
    if (bare.you.length) failed.push('cookie');
  } catch { failed.push('read'); }
  const socket = new WebSocket(`${server.replace('http', 'ws')}/api/tables/${made.table}/socket`);
  await new Promise((done) => { socket.onopen = done; socket.onerror = () => { failed.push('socket'); done(); }; });
  return failed.join(' ');
}"""


@pytest.fixture
def page_origin(tmp_path: Path) -> Iterator[str]:
    """Another web server, with an empty page."""
    (tmp_path / "index.html").write_text("<!doctype html><title>Another page</title>")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

    pages = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{pages.server_port}"
    pages.shutdown()
    pages.server_close()


@pytest.mark.parametrize(("is_allowed", "failed"), [(True, ""), (False, "create read socket")])
def test_a_page_of_another_origin_can_play_if_it_is_allowed(
    is_allowed: bool, failed: str, page_origin: str, chromium: Browser, tmp_path: Path
) -> None:
    server = start_server(tmp_path / "server", allowed_origins=page_origin if is_allowed else "")
    context = chromium.new_context()
    try:
        page = context.new_page()
        page.goto(page_origin)
        assert page.evaluate(PROGRAM, server.url) == failed
    finally:
        context.close()
        server.stop()
