"""Tokens: 128 random bits that identify the holder of a seat. The server stores only their hashes."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie

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
    token = ""
    for name, value in headers:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            token = value[7:].decode("latin-1").strip()
            break
        if name == b"cookie" and COOKIE.encode() in value:
            try:
                cookie = SimpleCookie(value.decode("latin-1")).get(COOKIE)
            except CookieError:
                continue
            token = cookie.value if cookie else token
    return token if _TOKEN.fullmatch(token) else ""
