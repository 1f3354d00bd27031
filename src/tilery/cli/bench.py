"""`tilery bench`: the engine's signature, one number for how it plays."""

from __future__ import annotations

import json as json_module

from tilery.cli.output import console
from tilery.core.refusals import Refused
from tilery.core.text import listed
from tilery.engine.signature import VARIANTS, bench_signature


def print_signature(family: str | None, *, json: bool) -> None:
    """Print the signature of the engine on fixed positions, and the speed of each search."""
    if family is not None and family not in VARIANTS:
        raise Refused(f"{family[:40]!a} has no signature: expected {listed(list(VARIANTS))}")
    with console.status("Searching ...", spinner="dots") as status:
        number, counts = bench_signature(
            (family,) if family else tuple(VARIANTS), lambda what: status.update(f"{what} ...")
        )
    if json:
        searched = {name: {"nodes": count.nodes, "seconds": count.seconds} for name, count in counts.items()}
        print(json_module.dumps({"signature": number, "searched": searched}))
        return
    for name, count in counts.items():
        console.print(f"{name:<20}{count.nodes:>10,} nodes {count.nodes / count.seconds:>12,.0f} per second")
    console.print(f"signature {number}", style="bold")
