"""The layout of a model of Schokoly.

A model is an array of numbers: the kind of evaluation, then a block for each number of seats. A block has two weights
for each feature, a constant one and one that counts in proportion to the cards left, and the scale of the win
probabilities.
"""

from __future__ import annotations

from tilery.core.jit import inlined

WEIGHTED = 0  # the only kind of evaluation so far

# The features of every side.
FEATURES = ("largest", "second", "third", "open", "neutral", "lead", "near", "tokens", "exposed", "hand", "turn")
LARGEST_GROUP, SECOND_GROUP, THIRD_GROUP, OPEN, NEUTRAL_POINTS, LEAD, NEAR, TOKENS_LEFT, EXPOSED, IN_HAND, TURN = range(
    len(FEATURES)
)

# A block: the constant and the early weight of each feature; the margin at which a win is e times as likely as a loss,
# at the end and for each square root of a card left; then for rollouts: the price of a token in points, the least cost
# of a cut that is worth a token (and if the token would be left over), the value of an edge to a neutral piece, and of
# each piece of a growing own group.
EARLY = len(FEATURES)
SCALE = 2 * len(FEATURES)
SCALE_GROWTH, PRICE, GUARD, LATE_GUARD, CONTACT, GROWTH = range(SCALE + 1, SCALE + 7)
BLOCK = SCALE + 7

SIZE = 1 + 3 * BLOCK


@inlined
def block_of(seats: int) -> int:
    """The index at which the block for a number of seats begins."""
    return 1 + (seats - 2) * BLOCK
