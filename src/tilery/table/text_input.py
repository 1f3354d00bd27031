"""Validation of what people type: names, chat messages, entropy, command ids. Plain text of limited length."""

from __future__ import annotations

import re
import unicodedata

from tilery.table.refusals import TableRefused

MAX_NAME_CHARACTERS = 24
MAX_CHAT_CHARACTERS = 300
MAX_CHAT_MESSAGES = 1000  # at one table
MAX_ENTROPY_CHARACTERS = 64
MAX_ID_CHARACTERS = 64
_ENTROPY = re.compile(r"[0-9a-f]{0,64}", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def _read_line(text: str, what: str, max_length: int) -> str:
    """One line of printable text, with white space collapsed."""
    line = " ".join(unicodedata.normalize("NFC", text).split()) if len(text) <= 4 * max_length else text
    if not line:
        raise TableRefused("bad-text", "empty-text", what=what)
    if len(line) > max_length:
        raise TableRefused("bad-text", "text-too-long", what=what, most=max_length, length=len(line))
    for letter in line:
        # Characters that change the writing direction could make one name look like another.
        if not letter.isprintable() or unicodedata.category(letter) in ("Cf", "Co", "Cn", "Cs"):
            raise TableRefused("bad-text", "forbidden-character", what=what, character=letter)
    return line


def read_name(text: str) -> str:
    """A player's name."""
    return _read_line(text, "name", MAX_NAME_CHARACTERS)


def read_chat(text: str) -> str:
    """A chat message."""
    return _read_line(text, "chat-message", MAX_CHAT_CHARACTERS)


def read_entropy(text: str) -> str:
    """The entropy that a device adds to the deals."""
    if not _ENTROPY.fullmatch(text):
        raise TableRefused("bad-text", "entropy-form", most=MAX_ENTROPY_CHARACTERS)
    return text


def read_id(text: str) -> str:
    """The id of a command."""
    if not _ID.fullmatch(text):
        raise TableRefused("bad-text", "command-id", most=MAX_ID_CHARACTERS)
    return text
