"""Programs that play."""
