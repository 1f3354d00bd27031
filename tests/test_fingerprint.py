"""The signature of the rules: one number over every legal list, row and result of many random games.

If it changes, the rules or the randomness have changed: say so in the changelog, and pin the new number.
"""

from __future__ import annotations

import pytest

from tests.fingerprint import fingerprint
from tests.variants import EVERY

PINNED = {
    "azul": "75358706cbeda47cf60b95f3913298595d50679585447352aa6093c7f64ef24d",
    "schokoly": "b3c0e646a3a0ef37502e8086b689a12a343ef34e7fddbef4f4cb21e550c344b2",
}


@pytest.mark.parametrize("family", EVERY)
def test_the_signature_of_the_rules_is_known(family: str) -> None:
    assert fingerprint(family) == PINNED[family]
