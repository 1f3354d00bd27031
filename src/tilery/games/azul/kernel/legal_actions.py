"""All legal actions of a position, sorted."""

from __future__ import annotations

from typing import Any

from tilery.core.jit import inlined

from .chance import list_outcomes
from .layout import ENDED, OFFER, TILING
from .offer import list_takes
from .tiling import list_choices


@inlined
def list_actions(row: Any, out: Any) -> int:
    """Write all legal actions of a row, sorted; returns their number."""
    phase = int(row["phase"])
    if phase == OFFER:
        return list_takes(row, out)
    if phase == TILING:
        return list_choices(row, out)
    if phase == ENDED:
        return 0
    return list_outcomes(row, out)
