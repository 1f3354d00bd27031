"""The part of a record's text after its tags: plies, numbers of rounds, and comments in braces.

All plies are replayed in one call of the kernel as far as their notation does not depend on the position
(`Game.moves_by_text`); the others one by one. So a text is read in time proportional to its length.
"""

from __future__ import annotations

import re
from typing import NoReturn

import numpy as np

from tilery.core.game import as_rows
from tilery.core.position import BasePosition
from tilery.core.record import Ply
from tilery.core.refusals import NotAMove, Refused
from tilery.core.sentences import LIBRARY, within
from tilery.core.text import Reader

MAX_VALUE_CHARACTERS = 5000  # of a tag or a comment
MAX_PLY_CHARACTERS = 64
_TOKEN = re.compile(r"\{[^{}]*\}|[^ \t\n{}]+|[{}]")  # a comment, a word, or a brace without its partner
_UNKNOWN = -1  # no action; never legal


class PlyReader:
    """Reads everything from the reader's place to the end of the text: `plies`, `comments` by the number of plies
    before them, and `last`, the position after all plies."""

    def __init__(self, reader: Reader, start: BasePosition) -> None:
        self.plies: list[Ply]
        self.comments: dict[int, str] = {}
        self._reader = reader
        self._start = start
        self._game = start.game
        self._rows = as_rows(start.row)
        found = list(_TOKEN.finditer(reader.text, reader.at))
        # Parallel lists of strings and numbers, because thousands of tuples would start the garbage collector.
        self._tokens, self._begins = [token[0] for token in found], [token.start() for token in found]
        known = self._game.moves_by_text
        actions = [known.get(word, _UNKNOWN) for word in self._tokens if word[-1] not in ".{}"]
        self._actions = np.array(actions, dtype=np.int64)
        self._facts = np.empty((len(actions), 2), dtype=np.int64)  # what `replay` writes: the actor and the round
        # Of the plies played so far:
        self._played: list[int] = []  # the actions
        self._actors: list[int] = []
        self._rounds: list[int] = []
        self._read()

    @property
    def last(self) -> BasePosition:
        """The position after the plies played so far: after all of them, once everything is read."""
        return self._start.at(self._rows.tobytes())

    def _replay(self) -> None:
        """Play on as far as the next plies need no position to be read."""
        first = len(self._played)
        end = first + self._game.kernel.replay(self._rows, 0, self._actions[first:], self._facts[first:])
        self._played += self._actions[first:end].tolist()
        self._actors += self._facts[first:end, 0].tolist()
        self._rounds += self._facts[first:end, 1].tolist()

    def _read(self) -> None:
        self._replay()
        played, rounds = self._played, self._rounds
        at = round_number = 0
        for word, begin in zip(self._tokens, self._begins, strict=True):
            last = word[-1]
            if last in "{}":
                self._read_comment(word, begin, at)
                continue
            current = rounds[at] if at < len(played) else self._game.kernel.round_number(self._rows, 0)
            if last == ".":
                if current == round_number:
                    self._refuse(begin, "expected", what="ply", found=word)
                if word != f"{current}.":
                    self._refuse(begin, "round-expected", round=current, found=word)
                round_number = current
                continue
            if at == len(played):
                self._play_one(word, begin, current if current != round_number else 0)
            elif current != round_number:
                self._refuse(begin, "round-missing", round=current)
            at += 1
        self.plies = list(map(Ply, self._actors, played))

    def _play_one(self, word: str, begin: int, missing_round: int) -> None:
        """Play a ply whose notation depends on the position, or refuse it."""
        if len(word) > MAX_PLY_CHARACTERS:
            self._refuse(begin, "longer-than", what="ply", most=MAX_PLY_CHARACTERS)
        before = self.last
        if missing_round and before.outcome is None:
            self._refuse(begin, "round-missing", round=missing_round)
        try:
            action = before.action(word)
            after = before.play(action)
            right = before.move_text(action)
            if right != word:
                raise LIBRARY.refused("other-notation", right=right, letters=word)
        except NotAMove as error:  # its message quotes the word
            self._fail(error, begin)
        except Refused as error:
            self._fail(within(error, "in_move", word), begin)
        self._played.append(action)
        self._actors.append(before.actor)
        self._rounds.append(before.round)
        self._rows = as_rows(after.row)
        self._replay()

    def _read_comment(self, word: str, begin: int, at: int) -> None:
        if word == "}":
            self._reader.move_to(begin)
            self._reader.expected("ply-or-comment")
        if at in self.comments:
            self._refuse(begin, "comment-twice")
        text = word[1:-1]
        if word == "{" or len(text) > MAX_VALUE_CHARACTERS or not text.isprintable():
            self._refuse_comment(begin)
        self.comments[at] = text

    def _refuse_comment(self, begin: int) -> NoReturn:
        text = self._reader.text
        end = text.find("}", begin)
        if end < 0:
            self._refuse(begin, "unclosed-comment")
        if end - begin - 1 > MAX_VALUE_CHARACTERS:
            self._refuse(begin, "longer-than", what="comment", most=MAX_VALUE_CHARACTERS)
        at = next(at for at in range(begin + 1, end) if not text[at].isprintable() or text[at] == "{")
        self._refuse(at, "forbidden-character", what="comment", character=text[at])

    def _refuse(self, at: int, code: str, **arguments: str | int) -> NoReturn:
        self._reader.move_to(at)
        self._reader.refuse(code, **arguments)

    def _fail(self, refused: Refused, at: int) -> NoReturn:
        self._reader.move_to(at)
        self._reader.fail(refused)
