"""Measuring strength and gaining it: matches, ratings, the ladder of bots, weights found by fitting and by playing."""
