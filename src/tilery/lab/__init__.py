"""Measuring and improving the strength of bots: matches, ratings, the ladder, fitting and tuning evaluations."""
