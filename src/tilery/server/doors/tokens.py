"""Tokens: 128 random bits that stand for a seat. The server keeps only their hashes."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie

from tilery.table.refusing import TableRefused

COOKIE = "tilery-seat"
LASTS = 180 * 86_400  # seconds that a browser keeps a seat
_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)
_NAMES = "abcdefghijkmnpqrstuvwxyz23456789"  # without letters that look alike


def fresh_token() -> str:
    """A token nobody can guess."""
    return secrets.token_hex(16)


def fresh_table() -> tuple[str, bytes]:
    """A name that nobody can guess (a link is all that is needed to watch), and a secret of 256 bits."""
    return "".join(secrets.choice(_NAMES) for _ in range(12)), secrets.token_bytes(32)


def read_token(text: str) -> str:
    """A token from outside."""
    if not _TOKEN.fullmatch(text):
        raise TableRefused("bad-text", "a token is 32 digits 0 to 9 and a to f")
    return text


def key_of(token: str) -> str:
    """What is stored of a token; "" where there is none."""
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


def token_in(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The token that a request brings, as a bearer's or as a cookie; "" if there is none, or none that could be one."""
    found = ""
    for name, value in headers:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            found = value[7:].decode("latin-1").strip()
            break
        if name == b"cookie" and COOKIE.encode() in value:
            try:
                cookie = SimpleCookie(value.decode("latin-1")).get(COOKIE)
            except CookieError:
                continue
            found = cookie.value if cookie else found
    return found if _TOKEN.fullmatch(found) else ""
