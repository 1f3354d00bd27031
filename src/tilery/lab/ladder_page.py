"""The page about the ladder, written from what is kept beside it as JSON: the same data, the same page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tilery.core.refusals import Refused
from tilery.core.writing import write_whole
from tilery.games import game as game_named
from tilery.lab.folder import refusals

_HEAD = """# The ladder

How strong each bot is, measured: [the arena](arena.md) plays neighbours of the ladder against each other in paired
games (the same deals with the seats changed). This page is written by `tilery lab ladder` from `ladder.json`; do not
edit it.

- **Elo** comes from all direct matches at once (Bradley and Terry), with `greedy` held at 1000; ± is one standard
  error. A difference of 100 means a score of 64 %, one of 200 means 76 %. Different tables do not compare.
- **Score against the one below** is the share of the points taken from the next bot down, a shared win counted in
  parts. With three or four single seats one bot sits among bots of the step below, and par is one in so many: what is
  60 to 75 % between two is 43 to 60 % among three and 33 to 50 % among four.
- **Loss per move** is what an average move gives away beside the best one, by the odds to win and by the margin in
  points, in the eyes of a search with so many nodes as are named. Only moves with a choice count. A bot that thinks
  about as long as its judge does not agree with it about moves that are worth much the same, so the losses at the top
  say how far two good opinions differ rather than what was lost.
"""


def _title(section: dict[str, Any]) -> str:
    chosen = game_named(section["game"])
    words = [word for word in section["variant"].split(",")[1:] if not word.startswith("stall=")]
    return f"{chosen.title}, {section['seats']} seats{''.join(f', {word}' for word in words)}"


def _between(value: float, error: float | None, digits: int) -> str:
    return f"{value:.{digits}f} ± {'?' if error is None else f'{error:.{digits}f}'}"


def _row(row: dict[str, Any]) -> str:
    below, loss = row["below"], row["loss"]
    elo = f"{row['elo']} ± {row['elo_error']}" if row["elo_error"] else f"{row['elo']} (anchor)"
    error = None if below is None or below["error"] is None else 100 * below["error"]
    score = "" if below is None else f"{_between(100 * below['score'], error, 1)} %"
    win = margin = ""
    if loss is not None:
        win = f"{_between(100 * loss['win'], None if loss['win_error'] is None else 100 * loss['win_error'], 1)} %"
        margin = _between(loss["points"], loss["points_error"], 2)
    return f"| `{row['bot']}` | {row['about']} | {elo} | {score} | {win} | {margin} |"


def _section(section: dict[str, Any]) -> str:
    lines = [f"## {_title(section)}", ""]
    facts = f"Variant `{section['variant']}`, {section['games']:,} games of each pairing"
    facts += f", seed `{section['seed']}`, tilery {section['tilery']}"
    if section["sides"] > 2:
        facts += f"; par for one among {section['sides']} is {100 / section['sides']:.1f} %"
    if section["judge"]:
        facts += f"; moves judged by {section['judge']}"
    lines += [f"{facts}.", ""]
    lines += [
        "| bot | how it thinks | Elo | score against the one below | loss per move: odds | points |",
        "| --- | --- | --- | --- | --- | --- |",
        *map(_row, section["rows"]),
    ]
    return "\n".join(lines) + "\n"


def page(data: dict[str, Any]) -> str:
    """The whole page."""
    sections = data["sections"]
    if not sections:
        return f"{_HEAD}\nNothing has been measured yet.\n"
    return "\n".join([_HEAD, *(_section(sections[key]) for key in sorted(sections, key=_order))])


def _order(key: str) -> tuple[str, int, int, str]:
    """Games by name, then by seats, then the plain variant first."""
    game, _, variant = key.partition(":")
    return game, int(variant[:1]), len(variant), variant


def read_data(path: Path) -> dict[str, Any]:
    """What is kept beside a page; nothing where there is none yet."""
    file = path.with_suffix(".json")
    if not file.is_file():
        return {"sections": {}}
    with refusals(file, "read", "file"):
        text = file.read_text(encoding="utf-8")
    try:
        data: dict[str, Any] = json.loads(text)
        page(data)
    except Refused:
        raise
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Refused(f"{str(file)[:200]} cannot be read: it is not what `tilery lab ladder` writes") from None
    return data


def check_page(path: Path) -> None:
    """Refuse a page that could not be written."""
    if not path.parent.is_dir():
        raise Refused(f"there is no folder {str(path.parent)[:200]!a}: make it, or name another file with --out")
    if path.suffix != ".md":
        raise Refused(f"the page is a file whose name ends in .md, not {path.name[:60]!a}")
    read_data(path)


def keep(path: Path, section: dict[str, Any] | None = None) -> None:
    """Write the page anew, with one more section (or another one in its place); the others stay as they are."""
    data = read_data(path)
    if section is not None:
        data["sections"][f"{section['game']}:{section['variant']}"] = section
    check_page(path)
    with refusals(path, "write", "file"):
        write_whole(path.with_suffix(".json"), json.dumps(data, indent=1, sort_keys=True) + "\n")
        write_whole(path, page(data))
