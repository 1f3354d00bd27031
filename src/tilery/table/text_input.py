"""Validation of what people type: names, chat messages, entropy, command ids. Plain text of limited length."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

from tilery.core.confusables import invisible_in, is_name_of_bot, looks_of, mixes_scripts
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
    invisible = invisible_in(line)
    if invisible:
        raise TableRefused("bad-text", "forbidden-character", what=what, character=invisible)
    return line


def read_name(text: str) -> str:
    """A player's name. Each of its words is in one alphabet: Latin, Cyrillic and Greek have letters in common."""
    name = _read_line(text, "name", MAX_NAME_CHARACTERS)
    for word in name.split():
        if mixes_scripts(word):
            raise TableRefused("bad-text", "mixed-scripts", text=word)
    return name


def read_new_name(text: str, others: Iterable[str], bots: Collection[str]) -> str:
    """A player's name that cannot be mistaken for one of the `others`, or for that of a bot."""
    name = read_name(text)
    if is_name_of_bot(name, bots):
        raise TableRefused("bad-text", "name-of-bot", text=name)
    looks = looks_of(name)
    if any(looks & looks_of(other) for other in others):
        raise TableRefused("bad-text", "name-taken", text=name)
    return name


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
