"""`tilery verify`: replay recorded games and report what is invalid."""

from __future__ import annotations

import json as json_module
from collections.abc import Sequence
from pathlib import Path

from tilery.cli.files import read_file
from tilery.cli.output import console
from tilery.core.record import Record
from tilery.core.record_text import AnyRecord, split_records
from tilery.core.refusals import BadText, Refused
from tilery.games import read_any_record
from tilery.table.fairness import check_fairness


def verify_files(files: Sequence[Path], *, fairness: bool, json: bool) -> bool:
    """Replay all records in the files (with `fairness`, verify their deals too); True if all are valid."""
    verdicts = []
    for file in files:
        try:
            parts = list(split_records(read_file(file)))
        except Refused as error:
            verdicts.append({"file": str(file), "ok": False, "problem": str(error)})
            continue
        for number, (line, part) in enumerate(parts, start=1):
            place = {"file": str(file), "record": number, "line": line}
            verdicts.append({**place, **_verdict(part, line, fairness)})
    invalid = [verdict for verdict in verdicts if not verdict["ok"]]
    if json:
        print(json_module.dumps({"records": verdicts, "valid": len(verdicts) - len(invalid), "invalid": len(invalid)}))
        return not invalid
    for verdict in invalid:
        prefix = f"{verdict['file']}: " if "record" in verdict else ""  # other problems name the file
        console.print(f"{prefix}{verdict['problem']}", style="red", soft_wrap=True)
    console.print(f"{len(verdicts) - len(invalid)} valid, {len(invalid)} invalid", style="bold")
    if fairness and not invalid:
        deals = sum(int(str(verdict["deals"])) for verdict in verdicts)
        console.print(f"All {deals} deals follow from the commitment made before the first one.")
    return not invalid


def _verdict(text: str, line: int, fairness: bool) -> dict[str, object]:
    try:
        record = read_any_record(text, first_line=line)
        verdict = {"ok": True, "plies": len(record.plies), "result": record.result}
        return {**verdict, "deals": _verified_deals(record)} if fairness else verdict
    except BadText as error:
        return {"ok": False, "problem": str(error), "at": {"line": error.line, "column": error.column}}
    except Refused as error:
        return {"ok": False, "problem": str(error)}


def _verified_deals(record: AnyRecord) -> int:
    """Verify every deal; return the number of deals."""
    if not isinstance(record, Record):
        raise Refused("this is only what one seat saw: download the record again when the game is over")
    return check_fairness(record)
