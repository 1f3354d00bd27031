"""What people write: names, chat, entropy. Text, never markup, and never long."""

from __future__ import annotations

import re
import unicodedata

from tilery.table.refusing import TableRefused

LONGEST_NAME = 24
LONGEST_CHAT = 300
MOST_CHAT = 1000  # lines at one table
LONGEST_ENTROPY = 64
_ENTROPY = re.compile(r"[0-9a-f]{0,64}", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def _plain(text: str, what: str, longest: int) -> str:
    """One line of printable text, blanks run together."""
    line = " ".join(unicodedata.normalize("NFC", text).split()) if len(text) <= 4 * longest else text
    if not line:
        raise TableRefused("bad-text", f"{what} cannot be empty")
    if len(line) > longest:
        raise TableRefused("bad-text", f"{what} has at most {longest} characters")
    for letter in line:
        # Marks that turn the direction of writing around could make one name look like another.
        if not letter.isprintable() or unicodedata.category(letter) in ("Cf", "Co", "Cn", "Cs"):
            raise TableRefused("bad-text", f"{what} cannot contain {letter!a}")
    return line


def read_name(text: str) -> str:
    """A player's name."""
    return _plain(text, "a name", LONGEST_NAME)


def read_chat(text: str) -> str:
    """A line of chat."""
    return _plain(text, "a line of chat", LONGEST_CHAT)


def read_entropy(text: str) -> str:
    """What a device adds to the randomness of the deals."""
    if not _ENTROPY.fullmatch(text):
        raise TableRefused("bad-text", f"entropy is up to {LONGEST_ENTROPY} digits 0 to 9 and a to f")
    return text


def read_id(text: str) -> str:
    """What a command is known by."""
    if not _ID.fullmatch(text):
        raise TableRefused("bad-text", "the id of a command is 1 to 64 letters, digits, - and _")
    return text
