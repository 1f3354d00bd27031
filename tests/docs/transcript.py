"""The transcript in docs/protocol.md, recorded from the real process. `python -m tests.docs.transcript` rewrites it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from textwrap import wrap
from typing import Any

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "protocol.md"
BLOCK = re.compile(r"(?<=^```transcript\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
WIDTH = 118


def queries_of(block: str) -> list[str]:
    """What is sent: lines that begin with >, and those below that go on with blanks."""
    found: list[str] = []
    ours = False
    for line in block.splitlines():
        if line[:2] in ("> ", "< "):
            ours = line[0] == ">"
            if ours:
                found.append(line[2:])
        elif ours:
            found[-1] += " " + line.strip()
    return found


def _without_chance(answer: dict[str, Any]) -> dict[str, Any]:
    """What is the same each time: times are not, nor is how far a search got before it was stopped."""
    if answer.get("cancelled"):
        return {**answer, "rootInfo": "...", "moveInfos": "..."}
    if answer.get("rootInfo"):
        return {**answer, "rootInfo": {**answer["rootInfo"], "seconds": 0.01, "cpu": 0.01}}
    return answer


def _written(mark: str, text: str) -> list[str]:
    return wrap(
        text, WIDTH, initial_indent=f"{mark} ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _is_answered(query: str, answers: list[dict[str, Any]]) -> bool:
    """Whether a query has all its answers."""
    asked = json.loads(query)
    finals = [answer for answer in answers if not answer.get("isDuringSearch") and "warning" not in answer]
    if asked.get("action", "").startswith("terminate"):
        return any("terminated" in answer for answer in finals) and len(finals) == 2
    if asked.get("maxTime"):
        return True  # the next line stops it
    return len(finals) == len(asked.get("turns", [0]))


def current_transcript(block: str) -> str:
    """The transcript as the process answers now."""
    pipe = subprocess.PIPE
    lines: list[str] = []
    with subprocess.Popen([sys.executable, "-m", "tilery", "engine"], stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        for query in queries_of(block):
            lines += _written(">", query)
            process.stdin.write(query + "\n")
            process.stdin.flush()
            answers: list[dict[str, Any]] = []
            while not _is_answered(query, answers):
                answers.append(json.loads(process.stdout.readline()))
                lines += _written("<", json.dumps(_without_chance(answers[-1])))
        process.stdin.close()
        assert process.wait(60) == 0
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda block: current_transcript(block[0]), page), encoding="utf-8")
