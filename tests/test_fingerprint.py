"""The signature of the rules: one number over every legal list, row and result of many random games.

If it changes, the rules or the randomness have changed: say so in the changelog, and pin the new number.
"""

from __future__ import annotations

import pytest

from tests.fingerprint import fingerprint
from tests.variants import EVERY

PINNED = {
    "azul": "75358706cbeda47cf60b95f3913298595d50679585447352aa6093c7f64ef24d",
    "schokoly": "b58ef34947625408c441e3e06ab22519fa2b43c504c80f623aefbbcd1a3f672a",
}


@pytest.mark.parametrize("family", EVERY)
def test_the_signature_of_the_rules_is_known(family: str) -> None:
    assert fingerprint(family) == PINNED[family]
