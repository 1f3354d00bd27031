"""The parts of a keeper, each resting on the one before: owning, waking, passing on."""
