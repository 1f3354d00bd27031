"""The signature of the rules: one number over every legal list, row and result of many random games.

If it changes, the rules or the randomness have changed: say so in the changelog, and pin the new number.
"""

from __future__ import annotations

from tests.fingerprint import fingerprint

PINNED = "75358706cbeda47cf60b95f3913298595d50679585447352aa6093c7f64ef24d"


def test_the_signature_of_the_rules_is_known() -> None:
    assert fingerprint() == PINNED
