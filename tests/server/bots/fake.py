"""A fake worker that misbehaves: `python fake.py BEHAVIOUR MOVE FILE`.

It misbehaves only if FILE does not exist yet (or is "-"): its replacement replies with MOVE.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Request = dict[str, Any]


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def say(request: Request, **answer: object) -> None:
    write(json.dumps({"id": request["id"], **answer}) + "\n")


def obedient(request: Request) -> None:
    say(request, searching=True)
    say(request, move=sys.argv[2])


def advising(request: Request) -> None:
    """Gives hints: MOVE is the only variation."""
    say(request, searching=True)
    line = {"win": 0.5, "margin": 0.0, "moves": [sys.argv[2]], "nodes": 1, "solved": False}
    hint = {"engine": "fake", "horizon": "round", "solved": False, "depth": 1, "nodes": 1, "variations": [line]}
    say(request, **({"hint": hint} if "hint" in request else {"move": sys.argv[2]}))


def stuck(request: Request) -> None:
    """Never stops searching, not even at the end of its input."""
    say(request, searching=True)
    while True:
        time.sleep(1)


def silent(request: Request) -> None:
    del request
    time.sleep(1000)


def garbage(request: Request) -> None:
    del request
    write("Traceback: \x07 {\n")


def nested(request: Request) -> None:
    del request
    write("[" * 5000 + "\n")


def endless(request: Request) -> None:
    """A line without an end."""
    del request
    while True:
        write("x" * 5000)


def chatty(request: Request) -> None:
    """More replies than were requested."""
    while True:
        say(request, searching=True)


def crashed(request: Request) -> None:
    del request
    print("no idea", file=sys.stderr, flush=True)
    os._exit(3)


def other(request: Request) -> None:
    """Replies to another request."""
    say({"id": request["id"] + 1}, move=sys.argv[2])


def illegal(request: Request) -> None:
    say(request, move="nonsense")


def numeric(request: Request) -> None:
    say(request, move=7)


def failing(request: Request) -> None:
    say(request, error="ZeroDivisionError: by 0")


def lazy(request: Request) -> None:
    """Replies that it was cancelled, though it was not."""
    say(request, cancelled=True)


def refusing(request: Request) -> None:
    say(request, refused="there is no such game")


def patient(request: Request) -> None:
    """Searches until it is cancelled."""
    say(request, searching=True)
    assert json.loads(sys.stdin.readline()) == {"cancel": request["id"]}
    say(request, cancelled=True)


def talking(request: Request) -> None:
    """Writes a lot to stderr."""
    sys.stderr.write("Compiling \x1b[31m ...\n" + "y" * 100_000 + "\nlast words")
    sys.stderr.flush()
    obedient(request)


def recording(request: Request) -> None:
    """Writes the request and its environment into FILE."""
    seen = {"request": request, "environment": dict(os.environ)}
    with Path(sys.argv[3]).open("a") as file:
        file.write(json.dumps(seen) + "\n")
    obedient(request)


def orderly(request: Request) -> None:
    """Records when it starts and ends; level-1 waits until level-3 has started."""
    path = Path(sys.argv[3])

    def note(word: str) -> None:
        with path.open("a") as file:
            file.write(f"{word} {request['bot']}\n")

    note("begin")
    while request["bot"] == "level-1" and "begin level-3\n" not in path.read_text():
        time.sleep(0.01)
    note("end")
    obedient(request)


def main() -> None:
    name, _, file = sys.argv[1:]
    behaviour: Callable[[Request], None] = globals()[name]
    if name not in ("recording", "orderly") and file != "-":
        if Path(file).exists():
            behaviour = obedient
        Path(file).touch()
    while line := sys.stdin.readline():
        request = json.loads(line)
        if "cancel" not in request:
            behaviour(request)


if __name__ == "__main__":
    main()
