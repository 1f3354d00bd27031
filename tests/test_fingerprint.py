"""The signature of the rules: one number over every legal list, row and result of many random games.

If it changes, the rules or the randomness have changed: say so in the changelog, and pin the new number.
"""

from __future__ import annotations

import pytest

from tests.fingerprint import fingerprint
from tests.variants import EVERY

PINNED = {
    "azul": "75358706cbeda47cf60b95f3913298595d50679585447352aa6093c7f64ef24d",
    "schokoly": "bf839ace07b897195cc9b10f01040bb0879306559a910a3b07e109bd4142879a",
}


@pytest.mark.parametrize("family", EVERY)
def test_the_signature_of_the_rules_is_known(family: str) -> None:
    assert fingerprint(family) == PINNED[family]
