"""`tilery verify`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.games import PART, WHOLE
from tests.cli.test_play import tilery


def test_verify_accepts_correct_files(whole: Path, part: Path, tmp_path: Path) -> None:
    several = tmp_path / "several"
    several.write_text("\n".join([WHOLE.text, PART.text, WHOLE.text]), encoding="utf-8")
    ran = tilery("verify", str(whole), str(part), str(several))
    assert ran == (0, "5 valid, 0 invalid\n", "")
    assert tilery("verify", "-", typed=WHOLE.text).out == "1 valid, 0 invalid\n"


def test_verify_reports_file_line_column_and_problem(whole: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "[red]wrong.tilery"
    bad = PART.text.replace("+", "+Q", 1)
    wrong.write_text("\n".join([WHOLE.text, bad, PART.text]), encoding="utf-8")
    line = WHOLE.text.count("\n") + 2 + bad[: bad.index("+Q")].count("\n")
    ran = tilery("verify", str(whole), str(wrong), str(tmp_path / "missing"), str(tmp_path))
    assert ran.code == 1
    first, second, third, last = ran.out.splitlines()
    assert first.startswith(f"{wrong}: line {line}, column 4: '+Q")
    assert "is not a move" in first
    assert second.endswith(f"there is no file {tmp_path / 'missing'}")
    assert third.endswith("is a folder, not a record")
    assert last == "3 valid, 3 invalid"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('[Tilery "1"]', '[Tilery "2"]', "line 1, column 10: in the tag Tilery: this is format '2', expected 1"),
        ('[Game "azul"]', '[Game "chess"]', "line 2, column 8: in the tag Game: there is no game 'chess'"),
        ('[Rules "2"]', '[Rules "5"]', "line 3, column 9: in the tag Rules:"),
        ('[Seat2 "Grace"]\n', "", 'expected the tag [Seat2 "..."]'),
        ('[Result "*"]', '[Result "9-9"]', "the plies give the result *, not '9-9'"),
        ("1. ", "2. ", "line 8, column 1: expected the round 1., found '2.'"),
        ("{a comment", "{{a comment", "a comment cannot contain"),
    ],
)
def test_verify_reports_problems(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = tmp_path / "wrong"
    assert PART.text.count(old) == 1
    path.write_text(PART.text.replace(old, new), encoding="utf-8")
    ran = tilery("verify", str(path))
    assert ran.code == 1
    assert problem in ran.out


def test_verify_as_json_lists_records_and_places(tmp_path: Path) -> None:
    path = tmp_path / "two"
    path.write_text(WHOLE.text + "\n" + PART.text.replace("+", "+Q", 1), encoding="utf-8")
    ran = tilery("verify", "--json", str(path), str(tmp_path / "missing"))
    listing = json.loads(ran.out)
    assert (ran.code, listing["valid"], listing["invalid"]) == (1, 1, 2)
    right, wrong, missing = listing["records"]
    assert right == {
        "file": str(path),
        "record": 1,
        "line": 1,
        "ok": True,
        "plies": len(WHOLE.plies),
        "result": WHOLE.result,
    }
    assert wrong["record"] == 2
    assert wrong["at"] == {"line": WHOLE.text.count("\n") + 9, "column": 4}
    assert not missing["ok"]
