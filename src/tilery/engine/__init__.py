"""Bots, searches and evaluations: everything that chooses moves."""
