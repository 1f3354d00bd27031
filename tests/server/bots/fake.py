"""A worker that behaves as badly as it is told to: `python fake.py BEHAVIOUR MOVE FILE`.

It misbehaves only if FILE does not exist yet (or is "-"): whoever takes its place answers with MOVE.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Question = dict[str, Any]


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def say(question: Question, **answer: object) -> None:
    write(json.dumps({"id": question["id"], **answer}) + "\n")


def obedient(question: Question) -> None:
    say(question, thinking=True)
    say(question, move=sys.argv[2])


def advising(question: Question) -> None:
    """Gives hints, such as they are: the line is what MOVE says."""
    say(question, thinking=True)
    line = {"move": sys.argv[2], "win": 0.5, "margin": 0.0, "moves": [sys.argv[2]], "nodes": 1, "solved": False}
    hint = {"engine": "fake", "horizon": "round", "solved": False, "depth": 1, "nodes": 1, "lines": [line]}
    say(question, **({"hint": hint} if "hint" in question else {"move": sys.argv[2]}))


def stuck(question: Question) -> None:
    """Thinks, and hears nothing any more, not even the end of its input."""
    say(question, thinking=True)
    while True:
        time.sleep(1)


def silent(question: Question) -> None:
    del question
    time.sleep(1000)


def garbage(question: Question) -> None:
    del question
    write("Traceback: \x07 {\n")


def nested(question: Question) -> None:
    del question
    write("[" * 5000 + "\n")


def endless(question: Question) -> None:
    """A line that does not come to its end."""
    del question
    while True:
        write("x" * 5000)


def chatty(question: Question) -> None:
    """More lines than anybody has asked for."""
    while True:
        say(question, thinking=True)


def crashed(question: Question) -> None:
    del question
    print("no idea", file=sys.stderr, flush=True)
    os._exit(3)


def other(question: Question) -> None:
    """Answers to another question."""
    say({"id": question["id"] + 1}, move=sys.argv[2])


def illegal(question: Question) -> None:
    say(question, move="nonsense")


def numeric(question: Question) -> None:
    say(question, move=7)


def faulty(question: Question) -> None:
    say(question, error="ZeroDivisionError: by 0")


def lazy(question: Question) -> None:
    """Gives up though nobody has told it to."""
    say(question, cancelled=True)


def refusing(question: Question) -> None:
    say(question, refused="there is no such game")


def patient(question: Question) -> None:
    """Thinks until it is told to stop."""
    say(question, thinking=True)
    assert json.loads(sys.stdin.readline()) == {"cancel": question["id"]}
    say(question, cancelled=True)


def talking(question: Question) -> None:
    """Says a lot, to the wrong ear."""
    sys.stderr.write("Compiling \x1b[31m ...\n" + "y" * 100_000 + "\nlast words")
    sys.stderr.flush()
    obedient(question)


def telling(question: Question) -> None:
    """Writes down what it is asked and what it finds in its environment."""
    told = {"question": question, "environment": dict(os.environ)}
    with Path(sys.argv[3]).open("a") as file:
        file.write(json.dumps(told) + "\n")
    obedient(question)


def orderly(question: Question) -> None:
    """Notes when it begins and ends; level-1 waits until level-3 has begun."""
    path = Path(sys.argv[3])

    def note(word: str) -> None:
        with path.open("a") as file:
            file.write(f"{word} {question['bot']}\n")

    note("begin")
    while question["bot"] == "level-1" and "begin level-3\n" not in path.read_text():
        time.sleep(0.01)
    note("end")
    obedient(question)


def main() -> None:
    name, _, file = sys.argv[1:]
    behaviour: Callable[[Question], None] = globals()[name]
    if name not in ("telling", "orderly") and file != "-":
        if Path(file).exists():
            behaviour = obedient
        Path(file).touch()
    while line := sys.stdin.readline():
        question = json.loads(line)
        if "cancel" not in question:
            behaviour(question)


if __name__ == "__main__":
    main()
