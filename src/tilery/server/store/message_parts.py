"""Long messages between processes: PostgreSQL's notifications have less than 8,000 bytes, so they are sent in parts."""

from __future__ import annotations

MAX_BYTES = 7_000  # of the text in one notification
_MAX_CHARACTERS = MAX_BYTES // 4  # in a part of a longer text: UTF-8 needs up to four bytes for one
_LAST, _MORE = ".", "+"  # the first character of a part


def parts_of(text: str) -> list[str]:
    """The parts of a message; they must arrive in order, and with nothing in between."""
    if len(text.encode()) <= MAX_BYTES:
        return [_LAST + text]
    pieces = [text[begin : begin + _MAX_CHARACTERS] for begin in range(0, len(text), _MAX_CHARACTERS)]
    return [*(_MORE + piece for piece in pieces[:-1]), _LAST + pieces[-1]]


class PartsReader:
    """Joins the parts of one message after the other."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def add(self, part: str) -> str | None:
        """The message, if this is its last part."""
        self._pieces.append(part[1:])
        if part[0] == _MORE:
            return None
        pieces, self._pieces = self._pieces, []
        return "".join(pieces)
