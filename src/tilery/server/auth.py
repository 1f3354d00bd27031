"""Tokens: 128 random bits that identify the holder of a seat. The server stores only their hashes."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator

from tilery.table.refusals import TableRefused

COOKIE = "tilery-seat"
COOKIE_MAX_AGE = 180 * 86_400  # seconds
_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)
_NAME_CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that look alike


def new_token() -> str:
    """A random token."""
    return secrets.token_hex(16)


def new_table_id() -> tuple[str, bytes]:
    """The random name of a new table, which is all that is needed to watch it, and its secret of 256 bits."""
    return "".join(secrets.choice(_NAME_CHARACTERS) for _ in range(12)), secrets.token_bytes(32)


def read_token(text: str) -> str:
    """A token that a client sent; refused if it is malformed."""
    if not _TOKEN.fullmatch(text):
        raise TableRefused("bad-text", "token-form", digits=32)
    return text


def key_of(token: str) -> str:
    """The hash of a token, which is what is stored; "" if there is no token."""
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


def token_in(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The token of a request, from its Authorization header or its cookie; "" if there is none or it is malformed."""
    cookies = []
    for name, value in headers:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            token = value[7:].decode("latin-1").strip()
            return token if _TOKEN.fullmatch(token) else ""
        if name == b"cookie":
            cookies.append(value)
    return next(_tokens_in(cookies), "")


def _tokens_in(cookies: Iterable[bytes]) -> Iterator[str]:
    """The tokens in Cookie headers, in which the cookies of others can have any form. The first token counts: browsers
    send cookies with longer paths first, and ours is for one table, whatever another site on the same host has set."""
    for header in cookies:
        for cookie in header.decode("latin-1").split(";"):
            name, _, value = cookie.strip(" \t").partition("=")
            if name == COOKIE and _TOKEN.fullmatch(token := value.removeprefix('"').removesuffix('"')):
                yield token
