"""Recorded games for the tests of `tilery show`, `replay` and `verify`."""

from __future__ import annotations

from tilery import Record, Stream, game


def random_game(plies: int, names: tuple[str, ...] = ("Ada", "Grace")) -> Record:
    """The first plies of a game of random moves."""
    record = Record(game("azul").new(), (), names)
    for ply in range(plies):
        position = record.last
        if position.outcome:
            break
        stream = Stream("looking", ply)
        record = record.play(position.draw(stream) if position.actor < 0 else stream.choice(position.actions()))
    return record


WHOLE = random_game(10_000)
PART = random_game(12).comment("a comment [b] of mine")
