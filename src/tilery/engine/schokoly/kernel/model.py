"""Where the weights of an evaluation stand in its model.

A model is an array of numbers: which evaluation it is, then a block for each number of seats. A block has two weights
for each feature, one that always counts and one that counts as much as there are cards left, and how wide the odds are.
"""

from __future__ import annotations

from tilery.core.jit import inlined

KNOWLEDGE = 0  # the kind of evaluation that this room knows

# What is counted for every side.
FEATURES = ("largest", "second", "third", "open", "neutral", "lead", "near", "tokens", "exposed", "hand", "turn")
LARGEST_GROUP, SECOND_GROUP, THIRD_GROUP, OPEN, NEUTRAL_POINTS, LEAD, NEAR, TOKENS_LEFT, EXPOSED, IN_HAND, TURN = range(
    len(FEATURES)
)

# A block: each feature now and early, then the points that make odds of e : 1, at the end and for each root of a card;
# and for simulated games the points that a token is worth, what a cut must cost before one is spent against it (and
# where it would be left over), the worth of an edge to a neutral piece and of each piece of the own group that grows.
EARLY = len(FEATURES)
SCALE = 2 * len(FEATURES)
SCALE_GROWTH, PRICE, GUARD, LATE_GUARD, CONTACT, GROWTH = range(SCALE + 1, SCALE + 7)
BLOCK = SCALE + 7

SIZE = 1 + 3 * BLOCK


@inlined
def block_of(seats: int) -> int:
    """Where the block for a number of seats begins."""
    return 1 + (seats - 2) * BLOCK
